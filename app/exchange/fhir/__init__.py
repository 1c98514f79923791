"""Filed values as FHIR R4: one bundle a message, checked before it is handed on. `bundle.fhir_bundle` is the way in."""
