"""The table of actions: menus, keys and commands are made of it, and the user guide lists its keys."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from operator import attrgetter

import pytest

import resources
from tests.gui.conftest import Ward
from ui.kit.actions import ACTIONS, BY_ID, Action, ViewState
from ui.kit.keys import keys_of, words_of
from ui.shell.command_palette import CommandPalette

ELSEWHERE = {"Up", "Down", "Esc", "1 to 9"}  # keys that widgets handle by themselves


def keys(action: Action) -> set[str]:
    return {*action.letters, *(key.replace("Return", "Enter") for key in action.keys)}


def guide_keys() -> list[str]:
    """The keys in the first column of the user guide's table of keys."""
    table = (
        resources.USER_GUIDE.read_text(encoding="utf-8").partition("| key | what it does |\n")[2].partition("\n\n")[0]
    )
    columns = [line.split("|")[1].strip().removesuffix(", held") for line in table.splitlines()[1:]]
    return [key for column in columns for key in re.split(r", | or ", column)]


def test_no_id_and_no_key_means_two_things() -> None:
    assert len(BY_ID) == len(ACTIONS)
    assert [key for key, count in Counter(key for action in ACTIONS for key in keys(action)).items() if count > 1] == []


def test_the_user_guide_lists_every_action_that_has_a_key_and_no_other() -> None:
    listed = guide_keys()
    assert [action.id for action in ACTIONS if keys(action) and not keys(action) & {*listed}] == []
    known = {key for action in ACTIONS for key in keys(action)}
    assert [key for key in listed if key not in known | ELSEWHERE] == []


def test_each_action_says_in_one_line_what_it_does() -> None:
    for action in ACTIONS:
        assert action.help, action.id
        assert len(action.help) < 100, action.id
        assert not action.help.endswith("."), action.id


def test_each_action_calls_a_method_of_the_window_that_takes_its_argument(ward: Ward) -> None:
    for action in ACTIONS:
        do = attrgetter(action.do)(ward.window)
        if "click" not in action.do and action.do != "close":  # methods of Qt have no signature
            arguments = [True] if action.toggles else [] if action.argument is None else [action.argument]
            inspect.signature(do).bind(*arguments)


def test_menus_search_and_list_of_keys_are_made_of_the_table(ward: Ward) -> None:
    made = {name: ward.window.actions_[name] for name in BY_ID}
    assert {*ward.window.actions_.all} == {*made.values()}
    listed = {(heading, words): shown for heading, words, shown in ward.window.keys.rows()}
    for action in ACTIONS:
        if keys(action):
            assert keys(action) <= {*listed[action.heading, words_of(made[action.id])]}, action.id
    palette = CommandPalette(ward.window.actions_.groups, "", ward.window)
    tips = {palette.list.item(row).toolTip() for row in range(palette.list.count())}
    assert tips == {action.help for action in ACTIONS if made[action.id].isEnabled() and made[action.id].isVisible()}
    assert keys_of(made["undo"]) == ("U", "Ctrl+Z")


@pytest.mark.parametrize(
    ("state", "possible", "impossible"),
    [
        (ViewState(), {"settings", "quit"}, {"open", "record", "accept", "file", "undo", "readmit", "whose-same"}),
        (ViewState(ready=True, recordable=True), {"open", "record", "signer"}, {"pause", "edit-patient", "details"}),
        (ViewState(ready=True, patient=True), {"transfer", "discharge"}, {"readmit"}),
        (ViewState(ready=True, patient=True, discharged=True), {"edit-patient", "readmit"}, {"transfer", "discharge"}),
        (
            ViewState(sheet=True, reviewable=True, value=True, decidable=True),
            {"accept", "add", "file"},
            {"sentence", "readings"},
        ),
        (ViewState(value=True, decidable=True, readings=True), {"readings"}, {"sentence"}),
        (ViewState(sheet=True, reviewable=True, value=True, filed=True), {"play", "reopen"}, {"accept", "add", "file"}),
        (ViewState(sheet=True, reviewable=True, flagged=True), {"next-lit"}, {"accept", "maybe"}),
    ],
)
def test_what_is_shown_decides_what_is_possible(state: ViewState, possible: set[str], impossible: set[str]) -> None:
    now = {action.id for action in ACTIONS if action.possible(state)}
    assert possible <= now
    assert not impossible & now
