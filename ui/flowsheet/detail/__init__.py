"""The pane of one value: its reasons, evidence, other readings, ranges and decision."""
