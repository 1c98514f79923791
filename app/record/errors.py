"""What may go wrong with the record."""

from models.base.errors import InputError, WardlightError


class StorageError(WardlightError):
    """The database cannot be opened, is in use, or was written by a newer version."""

    code = "storage"


class Conflict(InputError):
    """A value conflicts with another one already in the chart."""

    code = "conflict"


class UnsureIdentity(InputError):
    """A dictation names someone other than its patient, and nobody has confirmed whose it is."""

    code = "identity"


class NotSigned(InputError):
    """A decision has no signature."""

    code = "not_signed"


class NothingToChart(InputError):
    """A dictation has no values, and filing without values was not requested."""

    code = "no-values"
