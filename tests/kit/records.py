"""What remains of a value once it is stored."""

from __future__ import annotations

from app.extraction_records import proposed
from app.record.codec import decode_proposed, encode_proposed
from app.record.values import ProposedValue
from extraction.flowsheet.values import FilledValue


def kept(value: FilledValue) -> ProposedValue:
    """A value that extraction returned, as it is read from the store."""
    (stored,) = proposed([value])
    return decode_proposed(encode_proposed(stored))
