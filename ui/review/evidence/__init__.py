"""Where a value was said: the transcript, the marked words, their sound, and the column that holds them."""
