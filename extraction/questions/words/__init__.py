"""What the words of a question are: patients, periods, rows, options, numbers and cues."""
