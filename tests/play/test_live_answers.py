"""What the people at a session see, in JSON, held equal to a file: states, events, messages, proofs and score cards.

The file has a digest for each field of a state, each kind of event and each part of a proof or a card, so that a field
that is added adds a line, and one that changes changes its own. ``python -m tests.play.test_live_answers`` writes it
anew, for a change that docs/web-api.md tells. The sessions give the commands that the file names, so that they stay
the same when one is added; ``--all`` has them give all that there are.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.play.sessions import RandomSession

from fullprime.common.json_values import to_json
from fullprime.messages import ENGLISH, render_all
from fullprime.play.commands import SessionCommand
from fullprime.play.events import Seat
from fullprime.play.options.options import make_settings, variants
from fullprime.play.server.documents import card_of, dice_of, proof_of
from fullprime.play.server.rendering import render_log
from fullprime.play.server.view import SessionView
from fullprime.play.table.board import possible_words
from fullprime.play.table.seating import new_table
from fullprime.play.table.table import Table, reply
from fullprime.rules.errors import FullprimeError

GOLDEN = Path(__file__).parents[1] / "data" / "live_answers.json"
SEATS: tuple[Seat | None, ...] = ("X", "O", "both", None)
SEEDS = range(16)
WHOLE = (3, 9)
"""The seeds of which the file has whole messages, too."""
HELD_WHOLE = ("30 X", "end None de", "card", "proof")
DOCUMENTS = ("card", "dice", "proof")
"""What is no message."""
STEPS, MOMENTS = 75, 5
LINES = ("pip", "plays", "score", "rules", "help", "save", "board", "hint heuristic", "undo", "quit")
"""Questions to a table, beside what is played there."""


def digest(value: Any) -> str:
    """A short text that changes with the value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def message(play: RandomSession, seat: Seat | None, language: str) -> Any:
    """What a person is told who comes now, without the time."""
    told = to_json(SessionView(play.session).message(render_log(play.log), seat))
    return {name: part for name, part in render_all(told, language).items() if name != "now"}


def parts(seen: Mapping[str, Any]) -> dict[str, str]:
    """A digest for each part of what is seen: what a field, or a kind of event, is in all of it."""
    values: dict[str, list[Any]] = defaultdict(list)
    for moment, value in seen.items():
        if not isinstance(value, dict):
            values["refusals"].append([moment, value])
            continue
        events = [event for name in ("events", "event") for event in _as_list(value.get(name))]
        values["order of events"].append([moment, *(event["kind"] for event in events)])
        for event in events:
            values[f"event {event['kind']}"].append([moment, event])
        for field, content in value.get("state", {}).items():
            values[f"state {field}"].append([moment, content])
        for field in value.keys() - {"events", "event", "state"}:
            values[f"{moment if moment in DOCUMENTS else 'message'} {field}"].append([moment, value[field]])
    return {name: digest(values[name]) for name in sorted(values)}


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


@lru_cache(None)
def of_session(seed: int, commands: frozenset[str]) -> dict[str, Any]:
    """What is seen of a session at some moments of it, by each seat, in English and at the end in German."""
    play, seen = RandomSession.begin(random.Random(f"answers {seed}"), commands=commands), dict[str, Any]()
    for step in range(STEPS):
        if step % (STEPS // MOMENTS) == 0:
            seen |= {f"{step} {seat}": message(play, seat, ENGLISH) for seat in SEATS}
        play.step()
    seen |= {f"end {seat} {language}": message(play, seat, language) for seat in SEATS for language in (ENGLISH, "de")}
    if play.session.chains:
        seen["proof"] = to_json(proof_of(play.session, play.log, play.secret))
    if play.session.game is not None:
        seen["dice"] = to_json(dice_of(play.session))
    seen["card"] = to_json(card_of(play.session))
    return seen


def of_table(variant: str) -> dict[str, Any]:
    """What a script is told at a table of that variant, where two people play by chance."""
    chance = random.Random(variant)
    table = new_table(make_settings(variant), bot=None, seed=variant, confirm=True)
    told = {"begin": to_json(reply(table, table.advance()))}
    for line in LINES:
        told[line] = _told(table, line)
        word = chance.choice(possible_words(table.session) or ("board",))
        told[f"after {line}"] = _told(table, chance.choice([*table.plays.all, "no play"]) if word == "move" else word)
    return told


def _told(table: Table, line: str) -> Any:
    try:
        return to_json(reply(table, table.run_command(line)))
    except FullprimeError as error:
        return str(error)


def answers(commands: frozenset[str]) -> dict[str, Any]:
    """What the file holds, of sessions that give these commands."""
    held: dict[str, Any] = {"commands": sorted(commands)}
    held |= {f"table {variant}": parts(of_table(variant)) for variant in variants()}
    for seed in SEEDS:
        seen = of_session(seed, commands)
        held[f"session {seed}"] = parts(seen)
        if seed in WHOLE:
            held[f"session {seed} whole"] = {name: seen[name] for name in HELD_WHOLE if name in seen}
    return held


HELD: dict[str, Any] = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.is_file() else {}


@pytest.mark.parametrize("name", [name for name in HELD if name != "commands"])
def test_what_people_see_stays_as_it_is(name: str) -> None:
    held = HELD[name]
    what, _, of = name.partition(" ")
    if what == "table":
        assert parts(of_table(of)) == held
        return
    seen = of_session(int(of.split()[0]), frozenset(HELD["commands"]))
    now = {part: seen[part] for part in held} if name.endswith("whole") else parts(seen)
    assert json.loads(json.dumps(now)) == held


if __name__ == "__main__":
    known = frozenset(kind.__name__ for kind in get_args(SessionCommand))
    given = known if "--all" in sys.argv else known & frozenset(HELD["commands"])
    GOLDEN.write_text(json.dumps(answers(given), indent=1, ensure_ascii=False) + "\n", "utf-8")
