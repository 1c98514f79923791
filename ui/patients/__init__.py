"""Who is chosen: the banner, and the side bar with patients and their dictations."""
