"""Patients in the window: banner, identity bars, start page, and the side bar of patients and their dictations."""
