"""A closed set of answers as a tree over tokens, which constrains decoding to these answers.

A node with a single child needs no decision; only branches cost a decoding step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Node:
    """A node of the tree; `answer` is the index of the answer that ends here."""

    children: dict[int, Node] = field(default_factory=dict)
    answer: int | None = None


class AnswerTree:
    """The answers' token sequences, each ended by `end_token`, so that no answer is a prefix of another.

    Args:
        answers: token ids of each answer; equal sequences keep the index of the first.
        end_token: the token that ends an answer.
        aside: index of an answer that yields to another with the same tokens; None if there is none.

    Raises:
        ValueError: there are no answers, or one is empty.
    """

    def __init__(self, answers: Sequence[Sequence[int]], end_token: int, aside: int | None = None) -> None:
        if not answers or not all(answers):
            raise ValueError("A closed set of answers needs at least one answer, and no empty one.")
        self.paths = [[*tokens, end_token] for tokens in answers]
        self.root = Node()
        for index, path in enumerate(self.paths):
            node = self.root
            for token in path:
                node = node.children.setdefault(token, Node())
            if node.answer is None or node.answer == aside:
                node.answer = index


def forced_path(node: Node) -> tuple[list[int], Node]:
    """The tokens that must follow `node`, and the branch or end that they lead to."""
    tokens: list[int] = []
    while len(node.children) == 1:
        token, node = next(iter(node.children.items()))
        tokens.append(token)
    return tokens, node
