"""Measures answers to questions about a ward whose dictations and right answers are given."""
