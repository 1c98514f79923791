"""Filed values as HL7 v2.5.1 messages, their acknowledgements, and the way there (MLLP); see docs/hl7.md."""
