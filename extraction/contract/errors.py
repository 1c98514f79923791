"""What may be wrong with a hospital's exports, or with a contract."""

from models.base.errors import InputError


class SourceError(InputError):
    """An export cannot be read; the message names file and sheet, and line and column where there is one."""

    code = "source"


class ContractError(InputError):
    """A contract is invalid; the message names the part, and for a reference that leads nowhere the nearest field."""

    code = "contract"
