"""The table of actions: everything that a person can do by menu, key or command, each in one entry.

`ui.shell.actions` makes the menus, shortcuts, the search for commands and the list of keys from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ui.kit.theme import THEMES

# menus: the path through the menu bar
FILE, PATIENT, DICTATION, REVIEW, VIEW, HELP = (
    ("&File",), ("Patie&nt",), ("&Dictation",), ("Revie&w",), ("&View",), ("&Help",)
)  # fmt: skip
GO_TO, WHOSE, ANOTHER_VALUE = (*REVIEW, "&Go to"), (*REVIEW, "&Whose dictation"), (*REVIEW, "Another &value")

# headings of the list of keys
ONE_VALUE, MOVE, WHOSE_DICTATION, DICTATION_AS_A_WHOLE = "One value", "Move", "Whose dictation", "The whole dictation"
DICTATIONS, RECORD_AND_OPEN = "Dictations", "Record and open"
THE_PATIENT, THE_WINDOW = "The patient", "The window"


@dataclass(frozen=True)
class ViewState:
    """What is shown, as far as it decides which actions are possible.

    Attributes:
        ready: the workbench is open.
        working: a job of the models is shown.
        recordable: a recording can begin or be finished.
        recording: one is running or paused.
        patient, discharged: a patient is chosen, and is discharged.
        sheet: a sheet is shown.
        reviewable: its flowsheet is shown.
        filed: it is filed.
        charted: its patient's chart can be shown or is shown.
        value: one of its values is chosen.
        decidable: that one can be decided about.
        sentence: it can be accepted together with others of its sentence.
        readings: its row has others at other times that wait, too.
        conflict: it is in conflict with the chart.
        flagged: a flagged value waits for a decision.
        possible_mentions, uncharted, missing: there are some.
        confident: some values can be accepted as the rest.
        undoable: there is a step to undo.
        exportable: there are values to export.
        whose_asked: it is asked whose dictation it is.
    """

    ready: bool = False
    working: bool = False
    recordable: bool = False
    recording: bool = False
    patient: bool = False
    discharged: bool = False
    sheet: bool = False
    reviewable: bool = False
    filed: bool = False
    charted: bool = False
    value: bool = False
    decidable: bool = False
    sentence: bool = False
    readings: bool = False
    conflict: bool = False
    flagged: bool = False
    possible_mentions: bool = False
    uncharted: bool = False
    missing: bool = False
    confident: bool = False
    undoable: bool = False
    exportable: bool = False
    whose_asked: bool = False

    @property
    def changeable(self) -> bool:
        """Whether a flowsheet is shown that is not filed."""
        return self.reviewable and not self.filed

    @property
    def staying(self) -> bool:
        """Whether the chosen patient is on the ward."""
        return self.patient and not self.discharged


Possible = Callable[[ViewState], bool]


def _always(_: ViewState) -> bool:
    return True


@dataclass(frozen=True)
class Action:
    """One thing that a person can do.

    Attributes:
        id: its name in code.
        text: its words in the menu, with the mnemonic.
        menu: where it is in the menu bar; menus and entries are in the order of the table.
        heading: its group in the list of keys.
        do: the method that does it, by its path from the window.
        argument: what the method is called with, if anything; with `toggles`, it is called with whether it is on.
        help: one line for somebody who looks for it.
        letters: keys that act in the flowsheet only; in text fields they type as usual. Buttons show the first one.
        keys: keys that act in the whole window.
        other_key: what a person presses who uses neither, in words.
        possible: when it can be done.
        shown: when it is in its menu at all.
        changes: whether it changes the sheet, so that a filed sheet refuses it.
        toggles: whether it is on or off.
        one_of: whether it is on while no other of its heading is.
        separated: whether a line is above it.
    """

    id: str
    text: str
    menu: tuple[str, ...]
    heading: str
    do: str
    help: str
    argument: object = None
    letters: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    other_key: str = ""
    icon: str = ""
    possible: Possible = _always
    shown: Possible = _always
    changes: bool = False
    toggles: bool = False
    one_of: bool = False
    separated: bool = False


# fmt: off
ACTIONS: tuple[Action, ...] = (
    # flowsheet keys are not shortcuts of the window: a letter typed into an editor must stay a letter
    Action("accept", "&Accept and go to next", REVIEW, ONE_VALUE, "page.act", argument="accept", icon="accept",
           help="Confirms the value as it is", letters=("Enter", "A"),
           possible=lambda now: now.decidable, changes=True),
    Action("sentence", "A&ccept the whole sentence", REVIEW, ONE_VALUE, "page.act", argument="sentence",
           help="Confirms the value together with the others of its sentence", letters=("S",), icon="accept-all",
           possible=lambda now: now.decidable and now.sentence, changes=True),
    Action("readings", "Accept all readings of the ro&w", REVIEW, ONE_VALUE, "page.act", argument="readings",
           help="Confirms the value together with the others of its row at other times", letters=("Shift+S",),
           icon="accept-all", possible=lambda now: now.decidable and now.readings, changes=True),
    Action("reject", "&Reject", REVIEW, ONE_VALUE, "page.act", argument="reject", icon="reject",
           help="Leaves the value out of the chart", letters=("R", "Del"),
           possible=lambda now: now.decidable, changes=True),
    Action("edit", "&Edit", REVIEW, ONE_VALUE, "page.act", argument="edit", icon="edit",
           help="Changes the value: Enter saves, Esc leaves it as it was", letters=("E", "F2"),
           possible=lambda now: now.decidable, changes=True),
    Action("not-obtained", "Chart as not o&btained…", REVIEW, ONE_VALUE, "review.chart_not_obtained", letters=("N",),
           help="Charts that it was tried and not obtained, with the reason",
           possible=lambda now: now.decidable, changes=True),
    Action("observed", "Set the observed &time", REVIEW, ONE_VALUE, "page.act", argument="observed",
           help="Enters when the value was observed", letters=("T",),
           possible=lambda now: now.decidable, changes=True),
    Action("other", "Choose an&other reading", ANOTHER_VALUE, ONE_VALUE, "page.act", argument="other",
           other_key="1 to 9", help="Puts another reading into the editor",
           possible=lambda now: now.decidable, changes=True),
    Action("speak", "Sa&y another value (hold the key)", ANOTHER_VALUE, ONE_VALUE, "page.act", argument="speak",
           help="Listens for the value of the row while the key is held", letters=("V",), icon="record",
           possible=lambda now: now.decidable, changes=True),
    Action("play", "&Play what was said", REVIEW, ONE_VALUE, "page.act", argument="play", icon="play",
           help="Plays the words that the value was read from", letters=("Space",),
           possible=lambda now: now.sheet and now.value),
    Action("keep", "&Keep charted value", REVIEW, ONE_VALUE, "page.act", argument="keep", separated=True,
           help="Keeps what the chart has, and rejects the value", letters=("K",),
           possible=lambda now: now.decidable, shown=lambda now: now.conflict, changes=True),
    Action("replace", "Replace w&ith this value", REVIEW, ONE_VALUE, "page.act", argument="replace",
           help="Puts the value in place of what the chart has", letters=("P",),
           possible=lambda now: now.decidable, shown=lambda now: now.conflict, changes=True),

    Action("next", "Ne&xt value", GO_TO, MOVE, "page.step", argument=1, other_key="Down", separated=True,
           help="Goes to the value below", possible=lambda now: now.reviewable),
    Action("previous", "Pre&vious value", GO_TO, MOVE, "page.step", argument=-1, other_key="Up",
           help="Goes to the value above", possible=lambda now: now.reviewable),
    Action("next-lit", "Next f&lagged", GO_TO, MOVE, "page.go_to_next_lit", letters=("L",), icon="next-lit",
           help="Goes to the next value that is flagged or in conflict and waits for a decision",
           possible=lambda now: now.changeable and now.flagged),
    Action("maybe", "Possible &mentions", GO_TO, MOVE, "page.leftovers.maybe.heading.click", keys=("Ctrl+M",),
           help="Opens or closes what may have been said",
           possible=lambda now: now.reviewable and now.possible_mentions),
    Action("uncharted", "Said but &not charted", GO_TO, MOVE, "page.leftovers.uncharted.heading.click",
           help="Opens or closes what was said and is in no row", keys=("Ctrl+N",),
           possible=lambda now: now.reviewable and now.uncharted),
    Action("missing", "Required &but missing", GO_TO, MOVE, "page.leftovers.missing.heading.click", keys=("Ctrl+J",),
           help="Opens or closes the required rows that have no value",
           possible=lambda now: now.reviewable and now.missing),

    Action("whose-words", "Play the words in &question", WHOSE, WHOSE_DICTATION, "say_whose", argument="words",
           help="Shows and plays the words that name another patient", letters=("W",), icon="play",
           possible=lambda now: now.whose_asked),
    Action("whose-other", "&Move to another patient", WHOSE, WHOSE_DICTATION, "say_whose", argument="other",
           help="Moves the dictation to the patient who is named", letters=("M",), icon="patient",
           possible=lambda now: now.whose_asked),
    Action("whose-same", "&Yes, it is this patient", WHOSE, WHOSE_DICTATION, "say_whose", argument="same",
           help="Confirms that the dictation is about the open patient", letters=("I",), icon="confirmed",
           possible=lambda now: now.whose_asked),

    Action("accept-rest", "Accept the re&st", REVIEW, DICTATION_AS_A_WHOLE, "page.accept_confident", separated=True,
           help="Confirms all values that are neither flagged nor in conflict and have no problem",
           letters=("Shift+A",), keys=("Ctrl+Shift+A",), icon="accept-all",
           possible=lambda now: now.sheet and now.confident, changes=True),
    Action("undo", "&Undo", REVIEW, DICTATION_AS_A_WHOLE, "review.undo", icon="undo",
           help="Undoes the last step", letters=("U",), keys=("Ctrl+Z",),
           possible=lambda now: now.undoable),
    Action("add", "A&dd a row…", REVIEW, DICTATION_AS_A_WHOLE, "review.add_row", keys=("Ctrl+F",), icon="add",
           help="Searches the whole flowsheet and adds a value by hand",
           possible=lambda now: now.changeable, changes=True),
    Action("file", "Sign and &file", DICTATION, DICTATION_AS_A_WHOLE, "filing.file", icon="filed",
           help="Writes the confirmed values to files and closes the review", letters=("F",), keys=("Ctrl+Return",),
           possible=lambda now: now.changeable, changes=True),
    Action("file-elsewhere", "File elsew&here…", DICTATION, DICTATION_AS_A_WHOLE, "filing.file_elsewhere",
           help="Files this dictation in another folder", keys=("Ctrl+Shift+Return",), icon="folder",
           possible=lambda now: now.changeable, changes=True),
    Action("reopen", "Reopen what is fi&led", DICTATION, DICTATION_AS_A_WHOLE, "filing.reopen", keys=("Ctrl+R",),
           help="Reopens the filed dictation for review", icon="retry",
           possible=lambda now: now.filed),

    Action("note", "N&urse's note…", DICTATION, DICTATION_AS_A_WHOLE, "handover.show_note", keys=("Ctrl+T",),
           help="Tells the confirmed values in sentences, to copy or save", icon="edit",
           possible=lambda now: now.sheet),

    Action("rename", "&Rename…", DICTATION, DICTATIONS, "dictations.ask_name", icon="edit", separated=True,
           help="Gives the dictation another title", other_key="F2 in the list",
           possible=lambda now: now.sheet),
    Action("time", "Change the t&ime…", DICTATION, DICTATIONS, "dictations.ask_time", icon="history",
           help="Changes when the dictation was recorded",
           possible=lambda now: now.sheet),
    Action("move", "&Move to another patient…", DICTATION, DICTATIONS, "dictations.ask_patient", icon="patient",
           help="Moves a dictation that was recorded for the wrong patient", keys=("Ctrl+Shift+M",),
           possible=lambda now: now.sheet),
    Action("delete", "&Delete…", DICTATION, DICTATIONS, "dictations.ask_reason", icon="reject",
           help="Deletes the dictation, with a reason", other_key="Del in the list",
           possible=lambda now: now.sheet),
    Action("details", "De&tails", DICTATION, DICTATIONS, "dictations.ask_details", icon="info",
           help="Shows the dictation's file, state and history", keys=("Ctrl+I",),
           possible=lambda now: now.sheet),

    # the keys of these two are in the settings, see `Actions.set_record_key`
    Action("record", "&Record", FILE, RECORD_AND_OPEN, "intake.record_or_finish", keys=("F9",), icon="record",
           help="Begins a recording, or finishes the one that runs",
           possible=lambda now: now.ready and now.recordable),
    Action("pause", "Pa&use the recording", FILE, RECORD_AND_OPEN, "recorder.pause_or_go_on", keys=("Shift+F9",),
           help="Pauses or resumes the recording", icon="pause",
           possible=lambda now: now.recording),
    Action("open", "&Open recording or text…", FILE, RECORD_AND_OPEN, "intake.ask_file", separated=True,
           help="Opens a recording or text for the chosen patient", keys=("Ctrl+O",), icon="open",
           possible=lambda now: now.ready),
    Action("patient", "&Patient…", FILE, RECORD_AND_OPEN, "patients.ask", keys=("Ctrl+P",), icon="patient",
           help="Chooses the patient, or adds one",
           possible=lambda now: now.ready),
    Action("signer", "Who si&gns…", FILE, RECORD_AND_OPEN, "signing.switch", keys=("Ctrl+G",), icon="edit",
           help="Chooses who signs from now on",
           possible=lambda now: now.ready),
    Action("cancel", "Stop pro&cessing", FILE, RECORD_AND_OPEN, "work.cancel", keys=("Ctrl+.",), icon="stop",
           help="Stops the work that is running; it can be resumed",
           possible=lambda now: now.working),

    Action("new-patient", "&New patient…", PATIENT, THE_PATIENT, "patients.add", keys=("Ctrl+Shift+P",), icon="add",
           help="Adds a patient",
           possible=lambda now: now.ready),
    Action("edit-patient", "&Edit…", PATIENT, THE_PATIENT, "patients.edit", icon="edit", separated=True,
           help="Corrects name, birth date, MRN and bed",
           possible=lambda now: now.patient),
    Action("transfer", "&Transfer to another bed…", PATIENT, THE_PATIENT, "patients.transfer",
           help="Moves the patient to another bed, or swaps beds",
           possible=lambda now: now.staying),
    Action("discharge", "&Discharge…", PATIENT, THE_PATIENT, "patients.discharge", separated=True,
           help="Takes the patient off the lists; the charts stay readable",
           possible=lambda now: now.staying),
    Action("readmit", "&Readmit…", PATIENT, THE_PATIENT, "patients.readmit",
           help="Begins a new stay of a discharged patient",
           possible=lambda now: now.discharged),
    Action("handover", "&Handover…", PATIENT, THE_PATIENT, "handover.show_patient", keys=("Ctrl+D",), icon="list",
           help="Shows the patient's handover of confirmed values, to write to, print or save", separated=True,
           possible=lambda now: now.ready and now.patient),
    Action("ward-handover", "Handover of the &ward…", PATIENT, THE_PATIENT, "handover.show_ward",
           help="Shows a line for each patient on the ward, to print or save", keys=("Ctrl+Shift+D",), icon="list",
           possible=lambda now: now.ready),
    Action("import-list", "&Import the ward list…", PATIENT, THE_PATIENT, "ward_list.ask_file", icon="list",
           help="Compares the ward's list from another system, then adds and changes patients", separated=True,
           possible=lambda now: now.ready),

    Action("export", "&Export…", FILE, DICTATION_AS_A_WHOLE, "filing.export", keys=("Ctrl+E",), icon="export",
           help="Writes the confirmed values to files without filing", separated=True,
           possible=lambda now: now.sheet and now.exportable),
    Action("outbox", "Out&box…", FILE, DICTATION_AS_A_WHOLE, "outbox.show_dialog", keys=("Ctrl+Shift+O",), icon="list",
           help="Shows what the record system was told, and what it refused",
           possible=lambda now: now.ready),
    Action("import-records", "&Import from your record system…", FILE, THE_WINDOW, "contracts.show_import",
           help="Makes a flowsheet of the exports of your record system, or updates it", icon="list", separated=True,
           possible=lambda now: now.ready),
    Action("flowsheet", "&Flowsheet in use…", FILE, THE_WINDOW, "settings.show_flowsheet", keys=("Ctrl+T",),
           help="Shows which flowsheet new dictations are filled with, and changes it", icon="list",
           possible=lambda now: now.ready),
    Action("catalogue", "Row ca&talogue…", FILE, THE_WINDOW, "contracts.show_catalogue", icon="search",
           help="Shows where each row of the flowsheet came from, its codes and its history",
           possible=lambda now: now.ready),
    Action("no-row", "What has no ro&w…", FILE, THE_WINDOW, "discovery.show_page", icon="list",
           help="Shows what many dictations say that the flowsheet has no row for",
           possible=lambda now: now.ready),
    Action("patients", "List of &patients", VIEW, THE_WINDOW, "navigation.find_patient", icon="patient",
           help="Searches the patients", letters=("B",), keys=("Ctrl+L",),
           possible=lambda now: now.ready),
    Action("side", "Show or hide &the list", VIEW, THE_WINDOW, "navigation.show_or_hide_side", keys=("Ctrl+Shift+L",),
           help="Folds the list of patients away, or shows it"),
    Action("chart", "Patient's &chart", VIEW, THE_WINDOW, "page.show_chart", letters=("C",), icon="list",
           help="Shows the patient's chart, or the flowsheet again",
           possible=lambda now: now.charted),
    Action("graph", "&Graph of the chart", VIEW, THE_WINDOW, "page.show_graph", letters=("G",),
           help="Shows the chart as a graph, or as a table again",
           possible=lambda now: now.charted),
    Action("history", "Ea&rlier assessments", VIEW, MOVE, "review.show_history", letters=("H",), icon="history",
           help="Shows or hides earlier assessments beside the values", toggles=True,
           possible=lambda now: now.reviewable),
    *(Action(f"theme-{theme}", f"&{words}", VIEW, THE_WINDOW, "settings.choose_theme", argument=theme, one_of=True,
             help="Colors of the window", separated=place == 0)
      for place, (theme, words) in enumerate(THEMES.items())),
    Action("larger", "L&arger text and buttons", VIEW, THE_WINDOW, "settings.zoom", argument=1, separated=True,
           help="Takes the next larger size, from the next start on",
           keys=("Ctrl++", "Ctrl+=")),  # the second one is without Shift on some keyboards
    Action("smaller", "Small&er text and buttons", VIEW, THE_WINDOW, "settings.zoom", argument=-1, keys=("Ctrl+-",),
           help="Takes the next smaller size, from the next start on"),
    Action("usual-size", "&Usual size", VIEW, THE_WINDOW, "settings.zoom", argument=0, keys=("Ctrl+0",),
           help="Takes the usual size of text and buttons, from the next start on"),
    Action("settings", "&Settings…", FILE, THE_WINDOW, "settings.show_dialog", keys=("Ctrl+,",), icon="settings",
           help="Recording, flags, filing, models and looks", separated=True),
    Action("keys", "&Keys", HELP, THE_WINDOW, "keys.toggle", keys=("?", "F1"), icon="info",
           help="Lists all keys"),
    Action("command", "&Find a command…", HELP, THE_WINDOW, "find_command", keys=("Ctrl+K",), icon="search",
           help="Lists what can be done now"),
    Action("guide", "&User guide", HELP, THE_WINDOW, "show_guide", keys=("Ctrl+F1",),
           help="Opens the user guide beside the window"),
    Action("close-message", "Close the &message", VIEW, THE_WINDOW, "close_message", keys=("Esc",), icon="close",
           help="Closes the message at the foot of the window"),
    Action("set-up", "&Set up Wardlight…", HELP, THE_WINDOW, "set_up.show_assistant", icon="settings",
           help="Opens the assistant of the first start"),
    Action("about", "&About Wardlight", HELP, THE_WINDOW, "show_about",
           help="Version and licences"),
    Action("quit", "&Quit", FILE, THE_WINDOW, "close", keys=("Ctrl+Q",),
           help="Closes Wardlight"),
)
# fmt: on
BY_ID = {action.id: action for action in ACTIONS}
