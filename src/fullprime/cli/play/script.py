"""``play --script``: the words of the prompt, one a line, without prompts."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from fullprime.cli.standard_input import open_standard_input, short_lines
from fullprime.cli.terminal import say
from fullprime.common.json_values import to_json
from fullprime.play.table.table import Table, reply, table_state
from fullprime.play.table.table_events import Event
from fullprime.rules.errors import FullprimeError, SettingsError

LONGEST = 1000
"""Characters of a line that are read from standard input; longer ones are refused, whatever is in them."""


@contextmanager
def open_script(script: Path | None) -> Iterator[Iterable[str]]:
    """The lines of a script, which is opened before anything is played or stored; no lines where there is none.

    Raises SettingsError when the script cannot be opened, and when it cannot be read on.
    """
    if script is None:
        yield ()
    elif str(script) == "-":
        open_standard_input()
        yield short_lines(LONGEST)
    else:
        try:
            file = script.open(encoding="utf-8", errors="replace")
        except OSError as error:
            raise _unreadable(script, error) from error
        with file:
            yield _lines_of(file, script)


def run_script(table: Table, lines: Iterable[str], *, as_json: bool) -> int:
    """Obey every line; blank lines and ``#`` comments are passed over.

    With ``as_json`` each line gives one line: the state with ``event`` and ``events``, or with ``error`` and the state
    as it was. Otherwise the events are printed in words, errors on standard error. Gives the exit code: 1 when a line
    could not be obeyed and JSON does not say so.
    """
    code = 0
    pending = table.advance()
    if not as_json:
        _tell(pending)
        pending = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            happened = table.run_command(text)
        except FullprimeError as error:
            if as_json:
                wrong = {"error": str(error), "line": number, "command": text}
                say(json.dumps({**wrong, **to_json(table_state(table))}), flush=True)
            else:
                code = 1
                say(f"error: line {number}: {error}", file=sys.stderr, flush=True)
            continue
        if as_json:
            answer = reply(table, happened, pending)
            pending = []
            say(json.dumps({"line": number, "command": text, **to_json(answer)}), flush=True)
        else:
            _tell(happened)
        if any(event.kind == "quit" for event in happened):
            break
    return code


def _lines_of(file: TextIO, script: Path) -> Iterator[str]:
    try:
        yield from file
    except OSError as error:
        raise _unreadable(script, error) from error


def _unreadable(script: Path, error: OSError) -> SettingsError:
    return SettingsError(f"the script {script} cannot be read: {error.strerror}")


def _tell(happened: list[Event]) -> None:
    for event in happened:
        say(event.text, flush=True)
