"""Everything behind the window but the extraction itself: pipeline, jobs, store, chart, export, command line. No Qt.

Rooms, from the ground up: `system`; `chart`; `inference`; `pipeline.py`; `store`; `patients`, `workspace`, `exchange`
and `adaptation`; `intake`; `operations`; `evaluation`; `workbench.py` and `cli`.
"""
