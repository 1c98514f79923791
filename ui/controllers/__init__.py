"""What a person asks for is brought to the workbench, and what comes of it to the window, one module for each matter.

`navigation` shows patients and dictations and `work_controller` what the models do; the others are for one feature each
and answer its jobs.
"""
