"""The command ``fullprime``: the list of its commands. The code of a command is imported when it is given."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from fullprime.cli import completion, explain, plugins, tools
from fullprime.cli.command import examples_group
from fullprime.cli.engine import advice as thinking
from fullprime.cli.engine import endgames, laboratory
from fullprime.cli.matches import files, library, reviewing
from fullprime.cli.play import booking, cards, daily, dice_cups, drilling, learning, play, puzzling, serving
from fullprime.cli.terminal import say, show_note, use_plain_letters
from fullprime.version import __version__

PANELS = {
    "Play": ("play", "rules", "variants", "dice"),
    "Learn": ("learn", "help", "daily", "drill", "puzzles", "cards", "book"),
    "Analyse": ("hint", "evaluate", "rollout", "maps", "lab", "levels", "legal", "show", "id", "diagram"),
    "Files": ("review", "info", "card", "convert"),
    "Library": ("library",),
    "Serve": ("serve", "verify", "reports", "challenges", "backup", "restore"),
    "Develop": (
        "engine",
        "duel",
        "selfplay",
        "bench",
        "court",
        "perft",
        "endgames",
        "bearoff",
        "train",
        "completion",
    ),
}
"""The parts of ``fullprime --help``, in its order; every command is in one of them."""

# Plain help: importing Rich would double the time `fullprime --help` takes. `fullprime completion` takes the place of
# Typer's completion, which imports Rich, too, and writes to the user's files.
app = typer.Typer(
    help="Backgammon, complete.",
    cls=examples_group("fullprime play", "fullprime hint 4HPwATDgc/ABMA 31", "fullprime help prime", panels=PANELS),
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
play.add_to(app)
learning.add_to(app)
daily.add_to(app)
drilling.add_to(app)
cards.add_to(app)
puzzling.add_to(app)
booking.add_to(app)
serving.add_to(app)
tools.add_to(app)
dice_cups.add_to(app)
laboratory.add_to(app)
thinking.add_to(app)
reviewing.add_to(app)
files.add_to(app)
library.add_to(app)
endgames.add_to(app)
explain.add_to(app)
completion.add_to(app)


_BARE_XGID = re.compile(r"-[-a-oA-O]{25}:")
"""An XGID without its name whose bar is empty, as on nearly every board."""


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What goes wrong with the output when the disk behind it is full or broken."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fullprime {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[  # noqa: ARG001 - its callback does it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Backgammon, complete."""
    from fullprime.cli.progress import show_tables_bar
    from fullprime.play.options.compiling import on_compile, on_making_tables

    on_compile(_compiling)
    on_making_tables(None if "--json" in sys.argv else show_tables_bar)


def _compiling(message: str, steps: int) -> AbstractContextManager[Callable[[int], None]]:
    """The note and the bar of a first use that compiles the engine."""
    from fullprime.cli.progress import show_compiling_bar

    show_note(message)
    return show_compiling_bar(steps)


@cache
def commands(*, others: bool = True) -> Any:
    """The commands, with those of other distributions unless they are left out; made once in a process."""
    from typer.main import get_command

    if others:
        plugins.add_to(app)
    return get_command(app)


def _is_own(name: str) -> bool:
    """True for a command of the package itself, which is found without looking for those of others."""
    return any(name in names for names in PANELS.values()) and name not in plugins.LAB_COMMANDS


def main() -> None:
    """Run the command line: one line ``error: …`` and exit code 2 for an impossible command, never a traceback."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 - None where the output is closed
    use_plain_letters(sys.stdout)
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has enough; the interpreter must not try to flush it again.
        sys.stdout = None
        code = 0
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        subject = "the output cannot be written: " if _output_fails() else ""
        say(f"error: {subject}{error.strerror}", file=sys.stderr)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


def _output_fails() -> bool:
    """True if not even an empty line can be written. Drops the rest then, or the interpreter would try again."""
    try:
        print(flush=True)  # noqa: T201 - an unbuffered output keeps nothing that a flush alone would write
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def _run() -> Any:
    """The exit code of the command that the arguments give."""
    try:
        arguments = sys.argv[1:]
        if shell := completion.asking_shell():
            command = commands(others=not (len(arguments) > 1 and _is_own(arguments[0])))
            completion.complete(command, shell, arguments)
            return 0
        command = commands(others=not (arguments and _is_own(arguments[0])))
        plugins.check_installed(arguments[0] if arguments else "", command.commands)
        return command(args=_arguments(arguments), standalone_mode=False, prog_name="fullprime")
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - _report_error raises unforeseen errors again
        return _report_error(error)


def _arguments(arguments: Sequence[str]) -> list[str]:
    """``--resume`` may stand alone: it then means the game that was played last. An ID may begin as an option does."""
    words = [f"XGID={argument}" if _BARE_XGID.match(argument) else argument for argument in arguments]
    if "--resume" in words:
        after = words.index("--resume") + 1
        if after == len(words) or words[after].startswith("-"):
            words.insert(after, "last")
    return words


def _report_error(error: Exception) -> int:
    """Print the error and give the exit code; an unforeseen error is raised again."""
    from fullprime.cli.usage import reword_usage_error
    from fullprime.rules.errors import FullprimeError

    message = str(error) if isinstance(error, FullprimeError) else reword_usage_error(error)
    if message is None:
        raise error
    if type(error).__name__ == "NoArgsIsHelpError":
        say(message)
        return 0
    say(f"error: {' '.join(message.split())}", file=sys.stderr)
    return 2
