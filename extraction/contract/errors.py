"""What may be wrong with an export or a contract."""

from models.base.errors import InputError


class SourceError(InputError):
    """A file of an export cannot be read; the message names file, sheet, line and column."""

    code = "source"


class ContractError(InputError):
    """A contract is invalid; the message names the part, and for a reference that leads nowhere the nearest field."""

    code = "contract"
