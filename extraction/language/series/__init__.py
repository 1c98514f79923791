"""Several readings of one measurement: lists of times, and which number of a sentence was read at which time."""
