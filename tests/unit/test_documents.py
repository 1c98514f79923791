"""The documents name only paths, modules, commands, options and links that exist; docs/cli.md has every command."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest

from app.cli import main
from extraction.confidence.acceptance_features import FEATURES
from tests.screens.__main__ import SHOWN, shown

_ROOT = Path(__file__).parents[2]
_PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *(f"docs/{one.name}" for one in (_ROOT / "docs").glob("*.md")),
]
_FOLDERS = "app|docs|extraction|models|packaging|resources|speech|tests|ui"
_FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n) {4}.+(?:\n {4}.+)*")
_SPAN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")
_PATH = re.compile(rf"(?<![\w./~-])(?:{_FOLDERS})/[\w./<>*-]*")
_MODULE = re.compile(r"(?<![\w./-])(?:app|extraction|models|speech|tests|ui)(?:\.(?!md\b)[A-Za-z_]\w*)+")
_OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
_SCRIPT = re.compile(r"python3? (?:-m )?((?:tests|packaging|app\.evaluation\.papers)[\w./]*)")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """A document: its path from the root of the repository, and its text."""

    path: str
    text: str

    @cached_property
    def prose(self) -> str:
        """The text without blocks of code."""
        return _INDENTED.sub("", _FENCED.sub("", self.text))

    @cached_property
    def code(self) -> list[str]:
        """Each code span, and each line of a block of code without its comment."""
        blocks = _FENCED.findall(self.text) + _INDENTED.findall(_FENCED.sub("", self.text))
        lines = (re.split(r"\s+# ", line)[0].strip() for block in blocks for line in block.splitlines())
        return [span.replace("\n", " ") for span in _SPAN.findall(self.prose)] + [line for line in lines if line]

    @cached_property
    def anchors(self) -> set[str]:
        """What a link can name in it, as GitHub makes it of the headings."""
        return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in _HEADING.findall(self.prose)}


@dataclass
class Command:
    """What `wardlight COMMAND --help` says: the command's options, and its subcommands by name."""

    options: set[str]
    subcommands: dict[str, Command] = field(default_factory=dict)


def _help_of(*words: str) -> Command:
    out = io.StringIO()
    with redirect_stdout(out), suppress(SystemExit):
        main([*words, "--help"])
    text = out.getvalue()
    positional = text.partition("positional arguments:")[2].partition("\noptions:")[0]
    found = Command(set(_OPTION.findall(text)))
    if actions := re.search(r"^  \{([\w,]+)\}", positional, re.MULTILINE):
        found.subcommands = {name: Command(found.options) for name in actions[1].split(",")}
    for name in re.findall(r"^ {4}([a-z]+)\b", positional, re.MULTILINE):
        found.subcommands[name] = _help_of(*words, name)
    return found


@pytest.fixture(scope="module")
def wardlight() -> Command:
    """All commands."""
    return _help_of()


def _page(path: str) -> Page:
    return Page(path, (_ROOT / path).read_text(encoding="utf-8"))


def _missing_paths(page: Page, _: Command) -> Iterator[str]:
    for found in _PATH.findall(page.text):
        pattern = re.sub(r"<[^>]*>", "*", found).rstrip("./")
        if not any(_ROOT.glob(pattern)):
            yield found
    names = {one.name for folder in _FOLDERS.split("|") for one in (_ROOT / folder).rglob("*.py")}
    yield from (code for code in page.code if re.fullmatch(r"\w+\.py", code) and code not in names)


def _missing_modules(page: Page, _: Command) -> Iterator[str]:
    for found in _MODULE.findall(page.text):
        parts, path = found.split("."), _ROOT
        while parts and (path / parts[0]).is_dir():
            path /= parts.pop(0)
        if parts:
            path /= f"{parts.pop(0)}.py"
            if not path.is_file() or not all(re.search(rf"\b{one}\b", path.read_text("utf-8")) for one in parts):
                yield found


def _missing_commands(page: Page, wardlight: Command) -> Iterator[str]:
    """Commands that there are not, and options that their command has not."""
    anywhere = _options_of_all(wardlight) | _options_of_scripts()
    for code in page.code:
        words = code.partition("wardlight ")[2].split() or code.split()
        command, named = wardlight, "wardlight " in code
        while words and words[0] in command.subcommands:
            command, named = command.subcommands[words.pop(0)], True
        if named and command.subcommands and words and re.fullmatch("[a-z]+", words[0]):
            yield code
        script = _SCRIPT.search(code)
        known = _options_in(script[1]) if script else command.options if command is not wardlight else anywhere
        yield from (f"{option} in {code}" for option in _OPTION.findall(code) if option not in known)


def _options_of_all(command: Command) -> set[str]:
    return command.options.union(*map(_options_of_all, command.subcommands.values()))


def _options_of_scripts() -> set[str]:
    scripts = ("packaging", "tests.recordings", "tests.benchmarks", "app.evaluation.papers")
    return set().union(*map(_options_in, scripts))


def _options_in(script: str) -> set[str]:
    """The options that a script, or any script in a folder, has; one of `app` has those of its commands, too."""
    path = _ROOT / script.removesuffix(".py").replace(".", "/")
    files = [*path.rglob("*.py")] if path.is_dir() else [path.with_suffix(".py")]
    if script.startswith("app."):
        files.append(_ROOT / "app" / "cli" / "arguments.py")
    return {option for one in files for option in _OPTION.findall(one.read_text(encoding="utf-8"))}


def _broken_links(page: Page, _: Command) -> Iterator[str]:
    for target in _LINK.findall(page.prose):
        if re.match("[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (_ROOT / page.path).parent / name
        linked = Page(name, path.read_text("utf-8")) if name and anchor and path.is_file() else page
        if not path.exists() or (anchor and anchor not in linked.anchors):
            yield target


CHECKS = [_missing_paths, _missing_modules, _missing_commands, _broken_links]
Check = Callable[[Page, Command], Iterator[str]]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("path", _PAGES)
def test_whatever_a_document_names_exists(path: str, check: Check, wardlight: Command) -> None:
    assert list(check(_page(path), wardlight)) == []


def test_every_command_is_documented(wardlight: Command) -> None:
    spans = [code.split() for code in _page("docs/cli.md").code]
    for name, command in wardlight.subcommands.items():
        told = [words for words in spans if words[0] == name]
        assert told, name
        for subcommand in command.subcommands:
            assert any(subcommand in words for words in told), f"{name} {subcommand}"


def test_the_path_of_one_value_is_ten_short_files() -> None:
    section = _page("docs/architecture.md").text.partition("## The path of one value")[2].partition("\n## ")[0]
    files = re.findall(r"^\d+\. `([\w/]+\.py)`", section, re.MULTILINE)
    assert len(files) == 10
    assert {one: length for one in files if (length := len((_ROOT / one).read_text("utf-8").splitlines())) >= 300} == {}


def test_documents_give_the_number_of_features_that_the_code_has() -> None:
    told = {path: re.findall(r"\b(\d+) features\b", _page(path).text) for path in _PAGES if path.startswith("docs/")}
    assert {number for numbers in told.values() for number in numbers} == {str(len(FEATURES))}, told


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (_missing_paths, "see `extraction/nowhere.py`"),
        (_missing_paths, "all of resources/nowhere/*.toml"),
        (_missing_paths, "the rules of `nowhere.py`"),
        (_missing_modules, "`python -m tests.nowhere`"),
        (_missing_modules, "a function in `extraction.rules.engine.NOWHERE`"),
        (_missing_commands, "with `wardlight nowhere`"),
        (_missing_commands, "a block:\n\n    wardlight models nowhere  # all of them\n"),
        (_missing_commands, "```\nwardlight run FILE --nowhere\n```"),
        (_missing_commands, "| `eval compare A B --cases FILE` | what it does |"),
        (_missing_commands, "with `--nowhere`"),
        (_missing_commands, "`python -m tests.recordings.readings --rows`"),
        (_broken_links, "[there](nowhere.md)"),
        (_broken_links, "[there](docs/cli.md#nowhere)"),
        (_broken_links, "# Here\n\n[there](#there)"),
    ],
)
def test_whatever_does_not_exist_is_found(check: Check, text: str, wardlight: Command) -> None:
    assert list(check(Page("README.md", text), wardlight))


def test_the_pictures_that_are_kept_are_those_that_documents_show() -> None:
    kept = [path.relative_to(SHOWN).as_posix() for path in sorted(SHOWN.rglob("*.png"))]
    assert kept == shown()
    assert len(kept) <= 25
