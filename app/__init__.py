"""The application without its window and extraction: pipeline, jobs, store, chart, export, command line. No Qt.

Rooms, from the lowest layer up: `system`; `chart`; `inference`; `pipeline.py`; `store`; `patients`, `workspace`,
`exchange` and `adaptation`; `intake`; `operations`; `evaluation`; `workbench.py` and `cli`.
"""
