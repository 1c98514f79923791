"""What may go wrong with a recording."""

from models.base.errors import InputError


class AudioError(InputError):
    """A recording cannot be decoded, or holds nothing to transcribe."""

    code = "audio"
