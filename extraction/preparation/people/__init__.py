"""Who is spoken of: the patient, other patients, a newborn, and the parts of a text about each."""
