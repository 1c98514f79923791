"""Controllers: pass the user's requests to the workbench and show the results in the window.

`navigation` shows patients and dictations, `work_controller` the jobs of the models; each other module covers one
feature and handles the results of its jobs.
"""
