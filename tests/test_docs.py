"""Every Python and console block of the README and of the documents runs, and says the truth.

The blocks of a page run in order in one folder, as a reader would run them; ``sample_files`` lie in it. A Python block
with prompts is a doctest, one without is run. A console block shows commands after ``$`` and what they print; a line
``...`` stands for any lines, dots within a line for anything. A block that cannot run here says so in the line before
it, with the reason:

    <!-- not run: needs a server -->

A block that a test of its own runs says which, and what of it:

    <!-- run by tests/front/test_programs.py: program 1 -->

Blocks marked ``sh`` are for another machine or another hour, so all of them need a reason. Their commands of ours must
exist all the same, options included.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commandline import CommandLine

from fullprime import formats
from fullprime.cli.main import commands

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
DOCUMENTS = [*PAGES, *sorted((ROOT / "lab").rglob("*.md")), *sorted((ROOT / "benchmarks").rglob("*.md"))]
LONGEST = 120
MOST_NOT_RUN = 22
"""The number of blocks that cannot run. A new one needs a good reason, and a change of this number that is reviewed."""

COMMANDS = commands().commands
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SAMPLE = """\
 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                   52: 13/11 13/8
  2) 64: 24/18 13/9                Doubles => 2
  3)  Takes                        63: 24/18 13/10
  4)  Doubles => 4                  Drops
      Wins 2 points
"""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str
    reason: str
    """Why it is not run; empty where it is."""
    elsewhere: str = ""
    """The file of the test that runs it, if another one does."""

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    matches = re.finditer(
        r"(?:^<!-- (?:not run: (?P<reason>[^\n]*\S)|run by (?P<elsewhere>[\w/.]+)[^\n]*) -->\n)?"
        r"^```(?P<language>\w+)\n(?P<text>.*?)^```$",
        text,
        re.MULTILINE | re.DOTALL,
    )
    return [
        Block(
            page,
            text.count("\n", 0, match.start()) + 1,
            match["language"],
            match["text"],
            match["reason"] or "",
            match["elsewhere"] or "",
        )
        for match in matches
    ]


ALL_BLOCKS = [block for page in PAGES for block in blocks(page)]
BLOCKS = [block for block in ALL_BLOCKS if not block.elsewhere]
NOT_RUN = [block for block in BLOCKS if block.reason]


def pages_with(language: str) -> list[Path]:
    return sorted({block.page for block in BLOCKS if block.language == language and not block.reason})


def name(value: object) -> str:
    return str(value.relative_to(ROOT)) if isinstance(value, Path) else str(value)


@pytest.fixture
def sample_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A match as ``match.mat`` and ``match.sgf``, in the folder in which the blocks run."""
    (tmp_path / "match.mat").write_text(SAMPLE, encoding="utf-8")
    document = formats.read(SAMPLE.encode(), name="match.mat").documents[0]
    (tmp_path / "match.sgf").write_bytes(formats.write(document, "sgf")[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FULLPRIME_DB", str(tmp_path / "games.db"))
    return tmp_path


# -- Python -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_the_python_of_a_page_runs(page: Path, sample_files: Path) -> None:
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(verbose=False, optionflags=OPTIONS)
    for block in (candidate for candidate in blocks(page) if not candidate.elsewhere):
        if block.language != "python" or block.reason:
            continue
        if ">>>" not in block.text:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
            continue
        example = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(page), block.line)
        printed: list[str] = []
        failed = runner.run(example, out=printed.append, clear_globs=False).failed
        names |= example.globs
        assert failed == 0, f"{block}\n{''.join(printed)}"
    if page == ROOT / "README.md":
        shown = (ROOT / "docs" / "images" / "ten-lines.svg").read_text(encoding="utf-8")
        assert (sample_files / "board.svg").read_text(encoding="utf-8") == shown, "make images draws it again"


# -- console ----------------------------------------------------------------------------------------------------


def commands(block: Block) -> list[tuple[str, str]]:
    """What is typed, and what it prints."""
    parts = (part.partition("\n") for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:])
    return [(command, output) for command, _, output in parts]


@pytest.mark.usefixtures("sample_files")
@pytest.mark.parametrize("page", pages_with("console"), ids=name)
def test_the_console_of_a_page_is_true(page: Path, fullprime: CommandLine) -> None:
    for block in (candidate for candidate in blocks(page) if not candidate.elsewhere):
        if block.language != "console" or block.reason:
            continue
        assert block.text.startswith("$ "), f"{block}: a console block begins with a command"
        for command, expected in commands(block):
            printed = run(fullprime, command)
            assert re.fullmatch(pattern(expected), f"{printed}\n", re.DOTALL), f"{block}\n$ {command}\n{printed}"


def pattern(expected: str) -> str:
    """What an output must match: a line of dots stands for any lines, dots within a line for anything."""
    lines = expected.rstrip("\n").split("\n")
    return "".join(
        r"(?:[^\n]*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + r"\n" for line in lines
    )


def run(fullprime: CommandLine, command: str) -> str:
    """What a command of ours prints, in this process; what stands before its pipe is the shell's."""
    before, pipe, called = command.rpartition(" | ")
    typed = ""
    if pipe:
        typed = subprocess.run(["bash", "-c", before], capture_output=True, text=True, check=True).stdout
    words = shlex.split(called)
    assert words[0] == "fullprime", command
    done = fullprime.run(*words[1:], typed=typed)
    assert done.code == 0, f"{command}\n{done.err}"
    return "\n".join(line.rstrip() for line in done.out.splitlines()).rstrip()


# -- what does not run ------------------------------------------------------------------------------------------


def test_few_blocks_do_not_run_and_each_says_why() -> None:
    assert len(NOT_RUN) <= MOST_NOT_RUN, [str(block) for block in NOT_RUN]
    silent = [str(block) for block in BLOCKS if block.language == "sh" and not block.reason]
    assert silent == [], "a block for the shell says why it is not run"


def test_a_block_that_is_run_elsewhere_names_a_test() -> None:
    named = {block.elsewhere for block in ALL_BLOCKS if block.elsewhere}
    assert named
    assert [file for file in named if not (ROOT / file).is_file()] == []


def test_no_mark_has_lost_its_block() -> None:
    written = sum(page.read_text(encoding="utf-8").count("<!-- not run:") for page in PAGES)
    assert written == len(NOT_RUN)


@pytest.mark.parametrize("block", [block for block in NOT_RUN if block.language in ("sh", "console")], ids=name)
def test_a_command_that_is_not_run_exists(block: Block) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for line in block.text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if words[:1] == ["make"]:
            assert words[1] in targets, line
        if words[:1] == ["fullprime"]:
            assert words[1] in COMMANDS, line
            command = COMMANDS[words[1]]
            command = getattr(command, "commands", {}).get(words[2] if len(words) > 2 else "", command)
            options = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
            assert {word.partition("=")[0] for word in words if word.startswith("--")} <= options, line


FOREIGN_OPTIONS = {
    "mypy": {"--strict"},
    "pg_dump": {"--dbname"},
    "pg_restore": {"--dbname", "--if-exists"},
    "pip": {"--editable", "--group", "--require-hashes", "--resolution"},
    "pyenv": {"--enable-optimizations", "--with-lto"},
    "pypi-attestations": {"--repository"},
    "pytest": {"--log-cli-level", "--no-repeats"},
    "twine": {"--strict"},
}
"""Options of other programs; a paragraph that names one has the program's name in it."""


def options_of(command: Any) -> set[str]:
    """The options of a command of ours, with those of its own commands."""
    inner = getattr(command, "commands", {}).values()
    own = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
    return {"--help"}.union(own, *map(options_of, inner))


OWN_OPTIONS = {"--version"}.union(*map(options_of, COMMANDS.values()))


@cache
def options_of_script(path: str) -> frozenset[str]:
    """The options that a script defines."""
    text = (ROOT / path).read_text(encoding="utf-8", errors="replace")  # a link in .venv/bin is a program
    defined = re.findall(r"add_(?:argument|option)\(\s*\"(--[a-z][a-z-]*)\"", text)
    for made in re.findall(r"make_or_measure\(__doc__, \{(.*?)\}", text):
        defined += [f"--{key}" for key in re.findall(r"\"(\w+)\":", made)]
    defined += re.findall(r"\"(--[a-z][a-z-]*)\" in sys\.argv", text)
    return frozenset(defined + re.findall(r"^ *(--[a-z][a-z-]*)\)", text, re.MULTILINE))


def scripts_in(text: str, page: Path) -> set[str]:
    """The scripts that a text names: by path, by module, by a target of the Makefile, or as a file beside the page."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make ([a-z-]+) ARGS", text)):
        text += "".join(re.findall(rf"^{target}:.*\n(?:\t.*\n)+", makefile, re.MULTILINE))
    for module in re.findall(r"python3? -m ([\w.]+\w)", text):
        path = module.replace(".", "/")
        text += f" {path}.py {path}/__main__.py lab/src/{path}.py lab/src/{path}/__main__.py"
    named = set(re.findall(r"(?<![\w/.])[\w/.-]*[\w]", text))
    folder = page.parent.relative_to(ROOT).as_posix()
    named |= {f"{folder}/{word}" for word in named if word.endswith(".py") and "/" not in word}
    return {word for word in named if "/" in word and is_script(ROOT / word)}


def is_script(path: Path) -> bool:
    return path.suffix in ("", ".py", ".sh") and path.is_file()


def sections(page: Path) -> list[tuple[str, list[tuple[int, str]]]]:
    """The text of each section of a page, and its paragraphs (each row of a table is one) without fenced blocks.

    A paragraph stands there with the number of its first line.
    """
    sections: list[tuple[str, list[tuple[int, str]]]] = [("", [])]
    is_fenced, is_open = False, False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        is_fence = line.lstrip().startswith("```")
        is_fenced ^= is_fence
        if line.startswith("#") and not is_fenced:
            sections.append(("", []))
        text, parts = sections[-1]
        is_part = bool(line.strip()) and not is_fenced and not is_fence
        if is_part and is_open and not line.startswith("|"):
            parts[-1] = (parts[-1][0], f"{parts[-1][1]} {line.strip()}")
        elif is_part:
            parts.append((number, line))
        sections[-1], is_open = (f"{text}{line.strip()} ", parts), is_part
    return sections


def unknown_options(text: str, section: str = "", page: Path = ROOT / "README.md") -> set[str]:
    """The options in the code of a text that no command of ours defines, and nothing that the section names.

    In code that begins with a command of ours the options are those of that command.
    """
    around = OWN_OPTIONS.union(*map(options_of_script, scripts_in(section or text, page)))
    for program, options in FOREIGN_OPTIONS.items():
        if re.search(rf"\b{program}\b", text):
            around |= options
    unknown: set[str] = set()
    for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", text):
        words = code.removeprefix("fullprime ").split()
        is_command = len(words) > 1 and words[0] in COMMANDS
        known = options_of(COMMANDS[words[0]]) if is_command else around
        unknown |= set(re.findall(r"(?<!\S)--[a-z][a-z-]*", code)) - known
    return unknown


def test_an_option_is_known_by_who_defines_it_alone() -> None:
    assert unknown_options("begin it with `--host-name`") == {"--host-name"}
    assert unknown_options("`fullprime review --spectators` and `serve --workers 2`") == {"--spectators"}
    assert unknown_options("`--host` of `serve`; `pip install --editable .`") == set()
    assert unknown_options("`install --editable .`") == {"--editable"}
    assert unknown_options("`web_load.py --series`, by `benchmarks/web_load.py`") == set()
    assert unknown_options('`make fuzz-lines ARGS="--minutes 40"`, not `--series`') == {"--series"}


@pytest.mark.parametrize("page", DOCUMENTS, ids=name)
def test_every_option_that_a_page_names_exists(page: Path) -> None:
    missing = [
        f"{line}: {option}"
        for section, parts in sections(page)
        for line, text in parts
        for option in sorted(unknown_options(text, section, page))
    ]
    assert missing == []


# -- how it reads -----------------------------------------------------------------------------------------------


def prose(page: Path) -> list[tuple[int, str]]:
    """The lines of a page with their numbers, without fenced blocks and tables."""
    lines, fenced = [], False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.lstrip().startswith("|"):
            lines.append((number, line))
    return lines


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_lines_are_no_longer_than_a_screen_is_wide(page: Path) -> None:
    # A link or a piece of code may be longer than a line by itself.
    words = re.compile(r"(?:`[^`]*`|\S)+")
    long = [number for number, line in prose(page) if len(line) > LONGEST and len(words.findall(line)) > 1]
    assert long == []


# -- what it names ----------------------------------------------------------------------------------------------
PACKAGE = ROOT / "src" / "fullprime"
SESSIONS = {path.name for path in PACKAGE.iterdir() if path.is_dir()}


def leads_somewhere(name: str) -> bool:
    """True if a dotted name below the package is one of its folders, a module, or something that a module names."""
    path, parts = PACKAGE, name.split(".")
    for number, part in enumerate(parts):
        if (path / part).is_dir():
            path /= part
            continue
        module = path / f"{part}.py"
        source, left = (module, parts[number + 1 :]) if module.is_file() else (path / "__init__.py", parts[number:])
        text = source.read_text(encoding="utf-8") if source.is_file() else ""
        return not left or re.search(rf"\b{left[0]}\b", text) is not None
    return True


def test_dotted_names_of_modules_lead_somewhere() -> None:
    """In documents, and in docstrings of the package: a module that has moved takes its mentions along."""
    assert leads_somewhere("rules.position_facts.shots")
    assert not leads_somewhere("rules.drawing.draw_with")
    dead = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in [*PAGES, *PACKAGE.rglob("*.py"), *(ROOT / "lab" / "src").rglob("*.py")]
        for name in re.findall(r"`([a-z_]+(?:\.\w+)+)(?:\(\))?`", path.read_text(encoding="utf-8"))
        if name.split(".")[0] in SESSIONS and not name.endswith((".py", ".toml", ".js"))
        if "adr" not in path.parts and not leads_somewhere(name)
    ]
    assert dead == []
