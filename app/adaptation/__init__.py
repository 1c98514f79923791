"""What a hospital's own cases and reviews change: learning, calibration, examples from reviews, drift."""
