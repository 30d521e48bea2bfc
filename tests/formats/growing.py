"""Files that grow, for every format: more games, a longer game, more remarks and analyses, more lines."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from functools import partial
from types import MappingProxyType

from tests.formats import makers
from tests.formats.test_fuzz import SEEDS

from fullprime import formats
from fullprime.formats.analysis import CandidatePlay, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.document import Document
from fullprime.formats.ogxm.bytes import MAGIC
from fullprime.formats.ogxm.packing import pack_record, section, text, write_varint
from fullprime.formats.recording.boards import game_at
from fullprime.rules.dice import Roll
from fullprime.rules.game import ACCEPT, Game, opening, play, resign, roll
from fullprime.rules.position import BAR, SLOTS
from fullprime.rules.record import Event, GameRecord, Match
from fullprime.rules.score import Player, Score, Settings

Growing = Callable[[int], bytes]
"""Makes a file in which the growing part stands that many times."""
_CHANCES = (0.5, 0.125, 0.0, 0.25, 0.0)
_NAMES = ("Ann", "Bob")


# -- matches ----------------------------------------------------------------------------------------------------------
def _document(records: list[GameRecord]) -> Document:
    """The match of these games, with an analysis of every roll and play."""
    judged: dict[tuple[int, int], EventAnalysis] = {}
    for number, record in enumerate(records):
        for index, entry in enumerate(record.entries()):
            moves = getattr(entry.event, "moves", ())
            if moves:
                candidate = CandidatePlay(moves, " ".join(map(str, moves)), 0.25, _CHANCES, "3-ply")
                judged[number, index] = EventAnalysis(play=PlayAnalysis((candidate,), 0))
            elif index and entry.after.dice is not None:
                judged[number, index] = EventAnalysis(cube=CubeAnalysis(0.5, 0.625, 1.0, _CHANCES), luck=0.5)
    match = Match(records[0].start.settings, _NAMES, tuple(records), MappingProxyType({"Comment": "of the match"}))
    return Document(match, FileAnalysis("a program", MappingProxyType(judged)))


def many_games(count: int) -> Document:
    """A money session of ``count`` games, each resigned after the first play, with remarks about all that happens."""
    settings = Settings()
    score = Score.start(settings)
    first = Game.new(settings, score).act(opening(3, 1))
    events = (opening(3, 1), play(first.legal_plays[0]), resign(1), ACCEPT)
    comments = {event: f"about {event}" for event in range(-1, len(events))}
    records = []
    for _ in range(count):
        record = GameRecord(Game.new(settings, score), events, comments=comments)
        assert record.result is not None
        score = score.after(record.result, settings)
        records.append(record)
    return _document(records)


def long_game(count: int) -> Document:
    """A game of ``count`` dances, then resigned: both have closed their boards, and both have a checker on the bar."""
    row = [0] * SLOTS
    row[1:7] = [2] * 6
    row[BAR], row[0] = 1, 2
    settings = Settings(length=3)
    start = game = game_at(settings, Score.start(settings), (list(row), list(row)), Player.X)
    events: list[Event] = []
    for event in [*[roll(Roll(3, 1)), play(())] * count, resign(1), ACCEPT]:
        game = game.act(event)
        events.append(event)
    comments = {event: f"about {event}" for event in range(-1, len(events))}
    return _document([GameRecord(start, tuple(events), comments=comments)])


def _written(format_name: str, document: Callable[[int], Document]) -> Growing:
    return lambda count: formats.write(document(count), format_name)[0]


# -- lines ------------------------------------------------------------------------------------------------------------
def _repeated(seed: bytes, places: tuple[int, ...]) -> Growing:
    """The text with these lines as often as one says, each beside its first."""
    lines = seed.splitlines(keepends=True)
    return lambda count: b"".join(line * (count if place in places else 1) for place, line in enumerate(lines))


def _of_lines(seed: bytes, rng: random.Random) -> Iterator[tuple[str, Growing]]:
    """The text with a line repeated and another as often, for some pairs; with every line repeated; and all of it."""
    lines = range(len(seed.splitlines()))
    for _ in range(_PAIRS):
        places = tuple(sorted((rng.choice(lines), rng.choice(lines))))
        yield f"lines {places[0] + 1} and {places[1] + 1}", _repeated(seed, places)
    # Each of them is so much that a fifth as many show as much.
    yield "every line", lambda count: _repeated(seed, tuple(lines))(count // 5)
    yield "all of it", lambda count: seed * (count // 5)


# -- OGXM -------------------------------------------------------------------------------------------------------------
def _ogxm_of_remarks(scope: int) -> Growing:
    """So many games of one step, and ten times as many remarks about the match, its games or its steps."""

    def made(count: int) -> bytes:
        number = write_varint
        game = section(b"GAME", pack_record(b"", {}) + b"\0\0")
        remarks = (number(scope) + number(about) + text("a remark", []) for about in range(10 * count))
        content = (
            section(b"MTCH", pack_record(number(0) + number(0), {}))
            + game * count
            + section(b"ANNO", b"".join(pack_record(remark, {}) for remark in remarks))
        )
        return struct.pack("<4sHHHHI", MAGIC, 2, 2, 2, 0, 16 + len(content)) + content

    return made


# -- all of them ------------------------------------------------------------------------------------------------------
_PAIRS = 2
_WITHOUT_LINES = ("xg", "bgblitz", "ogxm", "json", "jellyfish")
DOCUMENTS = {"games": many_games, "a game": long_game}
"""Matches that grow, for writers."""


def _cases() -> dict[str, dict[str, Growing]]:
    cases: dict[str, dict[str, Growing]] = {}
    for name, seeds in SEEDS.items():
        rng = random.Random(name)
        of_lines = {} if name in _WITHOUT_LINES else {number: _of_lines(seed, rng) for number, seed in enumerate(seeds)}
        cases[name] = {f"{what} of seed {number}": file for number, files in of_lines.items() for what, file in files}
    for name in ("mat", "sgf", "json", "xg", "ogxm", "snowietxt"):
        cases.setdefault(name, {}).update({what: _written(name, document) for what, document in DOCUMENTS.items()})
    cases["xgp"] = {"games": _written("xg", many_games)}
    for what, document in DOCUMENTS.items():
        cases["ogxm"][f"{what}, version 1"] = partial(_made, makers.ogxm1, document)
        cases["bgblitz"][what] = partial(_made, makers.bgf, document)
    for scope, what in enumerate(("the match", "games", "steps")):
        cases["ogxm"][f"games and remarks about {what}"] = _ogxm_of_remarks(scope)
    cases["jellyfish"]["bytes behind it"] = lambda count: SEEDS["jellyfish"][0] + bytes(count)
    return cases


def _made(maker: Callable[[Match], bytes], document: Callable[[int], Document], count: int) -> bytes:
    return maker(document(count).match)


CASES = _cases()
"""By the name of the format, the files that grow, by what grows in them."""
MOST = {"games, version 1": 255}
"""So many at most can be in a file; else 9,000: a game has at most 20,000 events, and a match 10,000 games."""
