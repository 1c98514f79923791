"""What is kept about lights is never of values that are gone."""

from __future__ import annotations

from app.workspace.lit_proposals import LitProposals


def test_what_was_worked_out_is_kept_until_it_is_forgotten() -> None:
    lit = LitProposals()
    assert lit.of(1) is None
    lit.work_out(1, lambda: frozenset({5}))
    lit.work_out(2, frozenset)
    assert (lit.of(1), lit.of(2)) == (frozenset({5}), frozenset())
    lit.forget(1)
    assert (lit.of(1), lit.of(2)) == (None, frozenset())
    lit.forget_all()
    assert lit.of(2) is None


def test_what_is_forgotten_while_it_is_worked_out_is_not_kept() -> None:
    lit = LitProposals()

    def forgotten_alone() -> frozenset[int]:
        lit.forget(1)
        return frozenset({5})

    def forgotten_with_all() -> frozenset[int]:
        lit.forget_all()
        return frozenset({5})

    def another_is_forgotten() -> frozenset[int]:
        lit.forget(2)
        return frozenset({5})

    lit.work_out(1, forgotten_alone)
    assert lit.of(1) is None
    lit.work_out(1, forgotten_with_all)
    assert lit.of(1) is None
    lit.work_out(1, another_is_forgotten)
    assert lit.of(1) == frozenset({5})
