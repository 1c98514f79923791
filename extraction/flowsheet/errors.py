"""What may be wrong with a schema or a value."""

from models.base.errors import InputError


class SchemaError(InputError):
    """A flowsheet schema is invalid; the message names row and field."""

    code = "schema"


class OutOfRange(InputError):
    """A value lies outside its plausible or critical range, or in the future, and nobody has confirmed that."""

    code = "range"
