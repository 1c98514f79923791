"""Microphones, the recorder and its bars."""
