"""Positions that we write as ``.xgp``, and AnkiGammon's reading of them, recorded because its package needs a GUI.

After a change of what is written: ``pip download --no-deps ankigammon==1.19.1``, unpack the wheel, and run
``PYTHONPATH=FOLDER:src python -m tests.formats.record_ankigammon``. Look at what has changed in the record.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import tempfile
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fullprime import formats
from fullprime.formats.analysis import CandidatePlay, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.xg.container import RECORDS, unpack
from fullprime.rules.dice import Roll
from fullprime.rules.game import TAKE, Action, ActionKind, Game, opening, play, roll
from fullprime.rules.record import Event, GameRecord, Match
from fullprime.rules.score import Score, Settings

RECORD = Path(__file__).parent / "data" / "ankigammon.json"
_CHANCES = (0.5625, 0.125, 0.0, 0.25, 0.0)
_FACTS = ("dice", "score_x", "score_o", "match_length", "crawford", "cube_value")
_FIGURES = ("notation", "equity", "analysis_level", "player_win_pct", "player_gammon_pct", "opponent_gammon_pct")


def positions() -> dict[str, formats.Document]:
    """A play with its candidates and a double with the equities of its answers, each of either player."""
    begun = {"X": opening(3, 1), "O": opening(1, 3)}
    return {
        f"{what}, {side} begins": _position(what, first) for side, first in begun.items() for what in ("play", "cube")
    }


def _position(what: str, first: Action) -> formats.Document:
    settings = Settings(length=7)
    start = game = Game.new(settings, Score.start(settings, (2, 3)))
    events: list[Event] = []

    def do(event: Action) -> None:
        nonlocal game
        game = game.act(event)
        events.append(event)

    for event in (first, play(game.act(first).legal_plays[0]), Action(ActionKind.DOUBLE), TAKE, roll(Roll(6, 4))):
        do(event)
    plays = [legal.moves for legal in game.legal_plays[:3]]
    if what == "cube":
        do(play(plays[0]))
        judged = EventAnalysis(cube=CubeAnalysis(0.25, -0.125, 1.0, _CHANCES, level="2-ply"))
    else:
        candidates = tuple(
            CandidatePlay(moves, " ".join(map(str, moves)), 0.25 - number / 8, _CHANCES, "2-ply")
            for number, moves in enumerate(plays)
        )
        judged = EventAnalysis(play=PlayAnalysis(candidates, None))
    review = FileAnalysis("a program", MappingProxyType({(0, len(events)): judged}))
    return formats.Document(Match(settings, ("Ann", "Bob"), (GameRecord(start, tuple(events)),)), review)


def hash_of_records(data: bytes) -> str:
    """A hash of what an ``.xgp`` file says, however it is packed."""
    return hashlib.sha256(unpack(data, []).members[RECORDS]).hexdigest()


def read_by_ankigammon(data: bytes) -> dict[str, Any]:
    """The decision that AnkiGammon finds in an ``.xgp`` file."""
    parser: Any = importlib.import_module("ankigammon.parsers.xg_binary_parser").XGBinaryParser
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "position.xgp")
        path.write_bytes(data)
        (decision,) = parser.parse_file(str(path))
    moves = [{figure: getattr(move, figure) for figure in _FIGURES} for move in decision.candidate_moves]
    return {
        "xgid": decision.xgid,
        "on_roll": decision.on_roll.value,
        "cube_owner": decision.cube_owner.value,
        "decision_type": decision.decision_type.value,
        **{fact: getattr(decision, fact) for fact in _FACTS},
        "candidate_moves": moves,
    }


def main() -> None:
    record = {}
    for name, document in positions().items():
        data, _ = formats.write(document, "xgp")
        record[name] = {"records": hash_of_records(data), "reading": read_by_ankigammon(data)}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
