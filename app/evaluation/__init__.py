"""Proof on annotated cases: evaluation runs, challenge set, live latency. Never imported by the window."""
