"""Signers: known by name, renamed and retired without a change to what they signed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.chart.records import Signer
from app.cli import main
from app.record.errors import NotSigned
from app.services.context.signing import Signing, refuse_known
from app.services.context.workspace import Workspace
from app.store import Store
from app.system import paths
from app.system.settings import Settings, save_settings
from models.base.errors import InputError
from tests.kit.fake_app import FakeEngine, bring_filled, write_schema
from tests.kit.store import recorded


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.sqlite3") as opened:
        yield opened


def test_nobody_signs_by_default(tmp_path: Path) -> None:
    save_settings(Settings(schema=str(write_schema(tmp_path))), paths.config_file())
    kit = Workspace(lambda _: None, engine=FakeEngine())
    try:
        kit.load()
        with pytest.raises(NotSigned, match="no one is signing"):
            _ = kit.reviewer
        with pytest.raises(NotSigned):
            kit.sign()
    finally:
        kit.close()


def test_the_reviewer_of_former_settings_becomes_the_first_signer(tmp_path: Path) -> None:
    chosen = Settings(schema=str(write_schema(tmp_path)), reviewer="R. Nurse")
    save_settings(chosen, paths.config_file())
    for _ in range(2):  # at the second start, too
        kit = Workspace(lambda _: None, engine=FakeEngine())
        kit.load()
        assert kit.reviewer == "R. Nurse"
        assert [signer.signature for signer in kit.signing.known] == ["R. Nurse"]
        kit.close()


def test_what_was_signed_keeps_its_name_when_the_signer_is_renamed(store: Store, tmp_path: Path) -> None:
    signer = store.signers.add("Anna Novak", "RN")
    dictation = bring_filled(store, tmp_path)
    value = store.values.of(dictation.id)[0]
    store.reviews.decide(value.id, "confirm", signer.signature)
    renamed = store.signers.rename(signer.id, "Anna Lee", "CNS")
    assert renamed.signature == "Anna Lee, CNS"
    assert store.values.of(dictation.id)[0].reviewer == "Anna Novak, RN"
    assert store.signers.find("anna  novak, rn") == renamed, "it is known whose name that was"


def test_a_name_belongs_to_one_signer_for_ever(store: Store) -> None:
    first = store.signers.add("Anna Novak", "RN")
    store.signers.rename(first.id, "Anna Lee", "RN")
    for taken in ("Anna Novak", "ANNA LEE", " anna  lee "):
        with pytest.raises(InputError, match="Enter another name"):
            store.signers.add(taken)
    with pytest.raises(InputError, match="needs a name"):
        store.signers.add("  ")


@pytest.mark.parametrize("retired", [False, True])
def test_a_taken_name_is_refused_in_the_same_words_before_and_in_the_store(store: Store, *, retired: bool) -> None:
    signer = store.signers.add("Anna Novak", "RN")
    if retired:
        store.signers.retire(signer.id)
    with pytest.raises(InputError) as before:
        refuse_known(Signer(0, "anna novak"), store.signers.all())
    with pytest.raises(InputError) as stored:
        store.signers.add("anna novak")
    assert str(before.value) == str(stored.value)
    assert ("retired" in str(stored.value)) is retired


def test_whoever_is_retired_is_not_chosen_and_can_come_back(store: Store) -> None:
    signer = store.signers.add("Anna Novak")
    store.signers.choose(signer.id)
    assert store.signers.last() == signer
    store.signers.retire(signer.id)
    assert store.signers.last() is None
    with pytest.raises(InputError, match="no longer signs"):
        store.signers.choose(signer.id)
    store.signers.restore(signer.id)
    assert store.signers.choose(signer.id).name == "Anna Novak"


def test_the_most_recent_signer_is_first(store: Store) -> None:
    names = ("Anna", "Ben", "Cleo")
    signers = [store.signers.add(name) for name in names]
    for place in (1, 0):
        store.signers.choose(signers[place].id)
    assert [signer.name for signer in store.signers.all()] == ["Anna", "Ben", "Cleo"]
    store.signers.choose(signers[2].id)
    assert [signer.name for signer in store.signers.all()] == ["Cleo", "Anna", "Ben"]


def test_who_signed_when_can_only_be_added_to(store: Store) -> None:
    store.signers.add("Anna")
    with pytest.raises(Exception, match="only be added to"), store._database.write() as db:
        db.execute("DELETE FROM signer_events")


def test_signing_asks_at_first_and_after_the_idle_time() -> None:
    asked: list[bool] = []
    seconds = [0.0]
    signing = Signing(lambda: seconds[0])

    def ask() -> bool:
        asked.append(True)
        signing.confirm()
        return True

    from app.chart.records import Signer

    signing.ask = ask
    signing.propose(Signer(1, "Anna"))
    assert (signing.sign(), len(asked)) == ("Anna", 1)
    seconds[0] += 14 * 60
    assert (signing.sign(), len(asked)) == ("Anna", 1)
    seconds[0] += 15 * 60
    assert (signing.sign(), len(asked)) == ("Anna", 2)
    signing.ask = lambda: False
    signing.propose(None)
    with pytest.raises(NotSigned):
        signing.sign()


def test_the_command_line_never_signs_with_the_login(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(paths.database_file()) as store:
        number = recorded(store, tmp_path).id
    assert main(["rename", str(number), "Morning"]) == 2
    assert "--signed-by" in capsys.readouterr().err
    assert main(["rename", str(number), "Morning", "--signed-by", "Anna Novak"]) == 0
    with Store(paths.database_file()) as store:
        assert [event.reviewer for event in store.dictations.events(number)] == ["Anna Novak"]
    assert main(["rename", str(number), "Noon", "--signed-by", "Ana Novak"]) == 2
    assert "Did you mean Anna Novak?" in capsys.readouterr().err
    assert main(["rename", str(number), "Noon", "--signed-by", "Lou Berg"]) == 0
    with Store(paths.database_file()) as store:
        assert [signer.name for signer in store.signers.all()] == ["Anna Novak", "Lou Berg"]
