"""What may be wrong with a hospital's exports."""

from models.base.errors import InputError


class SourceError(InputError):
    """An export cannot be read; the message names file and sheet, and line and column where there is one."""

    code = "source"
