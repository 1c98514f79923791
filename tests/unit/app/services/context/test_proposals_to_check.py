"""What is kept about proposals to check is never of values that are gone."""

from __future__ import annotations

from app.services.context.proposals_to_check import ProposalsToCheck


def test_what_was_worked_out_is_kept_until_it_is_forgotten() -> None:
    kept = ProposalsToCheck()
    assert kept.of(1) is None
    kept.work_out(1, "as it is", lambda: frozenset({5}))
    kept.work_out(2, "as it is", frozenset)
    assert (kept.of(1), kept.of(2)) == ((frozenset({5}), "as it is"), (frozenset(), "as it is"))
    kept.forget(1)
    assert (kept.of(1), kept.of(2)) == (None, (frozenset(), "as it is"))
    kept.forget_all()
    assert kept.of(2) is None


def test_what_is_forgotten_while_it_is_worked_out_is_not_kept() -> None:
    kept = ProposalsToCheck()

    def forgotten_alone() -> frozenset[int]:
        kept.forget(1)
        return frozenset({5})

    def forgotten_with_all() -> frozenset[int]:
        kept.forget_all()
        return frozenset({5})

    def another_is_forgotten() -> frozenset[int]:
        kept.forget(2)
        return frozenset({5})

    kept.work_out(1, "as it is", forgotten_alone)
    assert kept.of(1) is None
    kept.work_out(1, "as it is", forgotten_with_all)
    assert kept.of(1) is None
    kept.work_out(1, "as it is", another_is_forgotten)
    assert kept.of(1) == (frozenset({5}), "as it is")
