"""The network of the mention reader with the embedder below it, whose layers are changed while both are fitted.

Import this module only where the network is fitted: it imports torch.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from extraction.estimators.mention_network import Batch, MentionNetwork
from models.runtimes.embedder import TokenRuntime
from models.runtimes.low_rank import add_changes, copy_of

_RANK = 16


class AdaptedNetwork(nn.Module):
    """Logits of the statuses of values; the names of its parameters begin as `mention_reader` wants them."""

    def __init__(self, encoder: TokenRuntime, statuses: int) -> None:
        super().__init__()
        self._tokenized = encoder.tokenized
        self.encoder = copy_of(encoder.transformer)
        add_changes(self.encoder, _RANK)
        self.network = MentionNetwork(encoder.token_inputs, statuses)

    def forward(self, texts: Sequence[str], rows: Sequence[int], batch: Batch) -> Tensor:
        """Logits, shape (windows, statuses); `rows` says which of the texts each window is of."""
        read = self._tokenized(texts)
        read.pop("offset_mapping")
        states = self.encoder(**read).last_hidden_state[list(rows), 1 : batch.ids.shape[1] + 1]
        found: Tensor = self.network(batch._replace(states=states))
        return found
