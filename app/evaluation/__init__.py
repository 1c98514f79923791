"""Evaluation on annotated cases: runs, challenge set, live latency. Never imported by the window."""
