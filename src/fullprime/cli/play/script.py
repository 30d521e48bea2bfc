"""``play --script``: the words of the prompt, one a line, without prompts."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from fullprime.app.table.commands import obey
from fullprime.app.table.happenings import Happening
from fullprime.app.table.state import reply, table_state
from fullprime.app.table.table import Table
from fullprime.cli.standard_input import short_lines
from fullprime.rules.errors import FullprimeError, SettingsError

LONGEST = 1000
"""Characters of a line that are read from standard input; longer ones are refused, whatever is in them."""


def run_script(table: Table, script: Path, *, as_json: bool) -> int:
    """Obey every line; blank lines and ``#`` comments are passed over.

    With ``as_json`` each line gives one line: the state with ``event`` and ``events``, or with ``error`` and the state
    as it was. Otherwise the events are told in words, errors on standard error. Gives the exit code: 1 when a line
    could not be obeyed and JSON does not say so.
    """
    code = 0
    pending = table.go_on()
    if not as_json:
        _tell(pending)
        pending = []
    for number, line in _lines(script):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            happened = obey(table, text)
        except FullprimeError as error:
            if as_json:
                wrong = {"error": str(error), "line": number, "command": text}
                print(json.dumps({**wrong, **table_state(table)}), flush=True)
            else:
                code = 1
                print(f"error: line {number}: {error}", file=sys.stderr, flush=True)
            continue
        if as_json:
            answer = reply(table, happened)
            answer["events"] = [*(each.json for each in pending), *answer["events"]]
            pending = []
            print(json.dumps({"line": number, "command": text, **answer}), flush=True)
        else:
            _tell(happened)
        if any(each.kind == "quit" for each in happened):
            break
    return code


def _lines(script: Path) -> Iterator[tuple[int, str]]:
    if str(script) == "-":
        yield from enumerate(short_lines(LONGEST), 1)
        return
    try:
        with script.open(encoding="utf-8", errors="replace") as lines:
            yield from enumerate(lines, 1)
    except OSError as error:
        raise SettingsError(f"the script {script} cannot be read: {error.strerror}") from error


def _tell(happened: list[Happening]) -> None:
    for each in happened:
        print(each.text, flush=True)
