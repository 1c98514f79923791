"""From the lines of a dictionary to the rows of a flowsheet: types, options, units, ranges, and which rows are one."""
