"""A patient's handover: a page of confirmed values, each with time and source, and what nurses wrote for it."""
