"""GNU Backgammon as a peer: it imports what we write, says nothing, and exports the same plays. Skipped without it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.formats.generate import random_match
from tests.formats.gnubg import ask, boards, needs_gnubg
from tests.formats.test_ogxm_writer import opinions

from fullprime import formats
from fullprime.formats.analysis import FileAnalysis
from fullprime.rules.cube import Cube
from fullprime.rules.game import Action, ActionKind, Game, opening, play
from fullprime.rules.ids import read_id
from fullprime.rules.position import Position
from fullprime.rules.record import GameRecord, Match, Setup
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import HYPERGAMMON, LONGGAMMON, NACKGAMMON

pytestmark = needs_gnubg

DATA = Path(__file__).parent / "data"
SETTINGS = [
    Settings(length=7),
    Settings(length=1),
    Settings(length=5, variant=NACKGAMMON),
    Settings(length=5, variant=HYPERGAMMON),
    Settings(jacoby=True),
]
# Only a position that is set up can say that a game is Longgammon; match text has no such position. GNU Backgammon
# 1.07 cannot read its own match text of a beaver that is dropped.
ALL_SETTINGS = {
    "mat": SETTINGS,
    "snowietxt": SETTINGS,
    "sgf": [
        *SETTINGS,
        Settings(length=3, variant=LONGGAMMON),
        Settings(length=5, crawford=False),
        Settings(length=3, cube=False),
        Settings(jacoby=True, beavers=True, raccoons=True),
    ],
}
CASES = [(kind, settings) for kind, several in ALL_SETTINGS.items() for settings in several]
IMPORT = {"mat": "import mat", "snowietxt": "import mat", "sgf": "load match"}
EXPORT = {"mat": "export match mat", "sgf": "save match", "snowietxt": "export match snowietxt"}


def deeds(match: Match) -> list[list[object]]:
    """What was done with every roll and every cube, game by game."""
    rolls = (ActionKind.OPENING, ActionKind.ROLL)
    return [
        [event for event in game.events if isinstance(event, Action) and event.kind not in rolls]
        for game in match.games
    ]


def all_boards(match: Match) -> list[list[Position]]:
    """Every board of the match, seen by X."""
    return [[entry.after.position_of(Player.X) for entry in game.entries()] for game in match.games]


def through_gnubg(document: formats.Document, kind: str, back: str, folder: Path) -> formats.Document:
    """The document as GNU Backgammon exports it again after an import without a warning."""
    source, target = folder / f"match.{kind}", folder / f"back.{back}"
    source.write_bytes(formats.write(document, kind)[0])
    ask(f"{IMPORT[kind]} {source}\n{EXPORT[back]} {target}")
    (again,) = formats.read(target).documents
    return again


@pytest.mark.parametrize(
    ("kind", "settings"), CASES, ids=lambda x: x if isinstance(x, str) else f"{x.variant.name}-{x.length}"
)
def test_gnubg_reads_what_we_write(settings: Settings, kind: str, tmp_path: Path) -> None:
    match = random_match(random.Random(31), settings, games=3, resignations=0.01)
    back = "mat" if kind == "mat" else "sgf"
    document = through_gnubg(formats.Document(match), kind, back, tmp_path)
    assert document.match.names == match.names
    assert deeds(document.match) == deeds(match)
    if settings.variant is not LONGGAMMON:  # A game that is set up has no opening roll for GNU Backgammon.
        assert [game.events for game in document.match.games] == [game.events for game in match.games]


@pytest.mark.slow
@pytest.mark.parametrize("kind", IMPORT)
def test_gnubg_reads_many_of_them(kind: str, tmp_path: Path) -> None:
    rng = random.Random(32)
    for number in range(60):
        match = random_match(rng, ALL_SETTINGS[kind][number % len(ALL_SETTINGS[kind])], resignations=0.01)
        document = through_gnubg(formats.Document(match), kind, "sgf", tmp_path)
        assert deeds(document.match) == deeds(match), number


@pytest.mark.parametrize(
    ("kind", "language"),
    [
        *(("text", language) for language in ("en", "de", "fr", "da", "es", "cs", "fi", "tr", "ja")),
        ("html", "en"),
        ("html", "de"),
    ],
)
def test_the_texts_and_pages_that_gnubg_exports_in_its_languages_are_read(
    kind: str, language: str, tmp_path: Path
) -> None:
    settings = Settings(jacoby=True, beavers=True, raccoons=True)
    match = replace(random_match(random.Random(38), settings, games=1), names=("Bob (Ulm)", "3rd Ann"))
    kinds = {event.kind for event in match.games[0].events if isinstance(event, Action)}
    assert {ActionKind.BEAVER, ActionKind.TAKE} <= kinds
    source, target = tmp_path / "match.sgf", tmp_path / f"match.{kind}"
    source.write_bytes(formats.write(formats.Document(match), "sgf")[0])
    ask(f"load match {source}\nexport match {kind} {target}", language)
    (document,) = formats.read(target).documents
    assert document.report == ()
    assert (document.match.names, document.match.score) == (match.names, match.score)
    assert document.match.games[0].events == match.games[0].events


def test_gnubg_reads_the_board_of_an_illegal_play(tmp_path: Path) -> None:
    (document,) = formats.read(DATA / "one_illegal_play.mat").documents
    path = tmp_path / "match.mat"
    path.write_bytes(formats.write(document, "mat")[0])
    (board,) = boards([f"import mat {path}"])  # Seen by the player who made the last illegal play.
    assert read_id(board.split(":")[0]).game.position == document.match.games[0].final.position_of(Player.X)


@pytest.mark.parametrize("back", ["sgf", "snowietxt"])
@pytest.mark.parametrize("kind", IMPORT)
def test_gnubg_reads_illegal_plays_of_both_players(kind: str, back: str, tmp_path: Path) -> None:
    rng = random.Random(7)
    movers: set[Player] = set()
    for _ in range(3):
        match = random_match(rng, Settings(length=9), games=1, illegal=0.06)
        if isinstance(match.games[0].events[1], Setup):
            continue  # GNU Backgammon 1.07 writes an illegal first play of the right player into the left column.
        movers |= {entry.before.on_roll for entry in match.games[0].entries() if isinstance(entry.event, Setup)}
        document = through_gnubg(formats.Document(match), kind, back, tmp_path)
        assert all_boards(document.match) == all_boards(match)
        assert {str(problem).split(": ")[-1] for problem in document.report} <= {"illegal play"}
    assert movers == set(Player)


LOPSIDED = Position.of({6: 4, 5: 2, 8: 3, 13: 4, 23: 1, 24: 1}, {6: 5, 8: 4, 13: 3, 16: 1, 24: 2})


@pytest.mark.parametrize("owner", [None, Player.X, Player.O])
@pytest.mark.parametrize("on_roll", Player)
@pytest.mark.parametrize("kind", IMPORT)
def test_gnubg_reads_a_game_that_begins_with_a_board(
    kind: str, on_roll: Player, owner: Player | None, tmp_path: Path
) -> None:
    position = LOPSIDED if on_roll is Player.X else LOPSIDED.swapped
    cube = Cube() if owner is None else Cube(4, owner)
    start = replace(Game.new(Settings(length=7)), position=LOPSIDED, cube=cube)
    rolled = start.act(opening(3, 1) if on_roll is Player.X else opening(1, 3))
    assert rolled.position == position
    record = GameRecord(start, (opening(3, 1) if on_roll is Player.X else opening(1, 3), play(rolled.legal_plays[0])))
    match = Match(start.settings, ("Bob", "Ann"), (record,))
    source = tmp_path / f"match.{kind}"
    source.write_bytes(formats.write(formats.Document(match), kind)[0])
    found = read_id(boards([f"{IMPORT[kind]} {source}"])[0]).game
    # SGF is shown from its beginning, match text at its end.
    expected = rolled if kind == "sgf" else record.final
    assert found.position_of(Player.X) == expected.position_of(Player.X)
    assert (found.on_roll, found.cube) == (expected.on_roll, expected.cube)


def test_gnubg_keeps_automatic_doubles(tmp_path: Path) -> None:
    match = random_match(random.Random(3), Settings(), games=1)
    (record,) = match.games
    doubled = replace(record, start=replace(record.start, multiplier=4))
    document = through_gnubg(formats.Document(replace(match, games=(doubled,))), "sgf", "sgf", tmp_path)
    assert document.match.games[0].start.multiplier == 4
    assert document.match.games[0].result == doubled.result


@pytest.mark.parametrize(("settings", "unit"), [(Settings(length=5), "mwc"), (Settings(), "points")])
def test_gnubg_keeps_the_analyses_that_we_write(settings: Settings, unit: str, tmp_path: Path) -> None:
    match = random_match(random.Random(5), settings, games=2, resignations=0)
    review = with_doubles_judged_once(match, opinions(match, random.Random(6), unit))
    document = formats.Document(match, review=review)
    (ours,) = formats.read(formats.write(document, "sgf")[0], format="sgf").documents
    theirs = through_gnubg(document, "sgf", "sgf", tmp_path)
    assert figures(theirs) == figures(ours)


def figures(document: formats.Document) -> dict[tuple[int, int], list[object]]:
    """The numbers of each decision."""
    assert document.review is not None
    return {
        key: [
            event.luck is not None and round(event.luck, 3),
            event.cube and [round(x, 3) for x in (event.cube.no_double or 0, event.cube.double_take or 0)],
            event.play
            and [
                (c.moves, round(c.equity or 0, 3), c.chances and tuple(round(x, 3) for x in c.chances))
                for c in event.play.candidates
            ],
        ]
        for key, event in document.review.events.items()
    }


def with_doubles_judged_once(match: Match, review: FileAnalysis) -> FileAnalysis:
    """The answer to a double has the double's analysis, because GNU Backgammon keeps only one."""
    events = dict(review.events)
    for game, number in review.events:
        event = match.games[game].events[number]
        if isinstance(event, Action) and event.kind in (ActionKind.TAKE, ActionKind.DROP):
            events[game, number] = events[game, number - 1]
    return replace(review, events=events)


def test_gnubg_reads_names_and_remarks_with_signs_that_sgf_uses(tmp_path: Path) -> None:
    match = random_match(random.Random(9), Settings(length=3), games=1)
    names = "A: B", "c]d e"
    info = {"Event": "Final: 1st [day]", "Comment": "a: b"}
    record = replace(match.games[0], comments={1: "well: played]"})
    document = formats.Document(replace(match, names=names, info=info, games=(record,)))
    assert b"PB[A: B]" in formats.write(document, "sgf")[0]
    again = through_gnubg(document, "sgf", "sgf", tmp_path).match
    assert again.names == names  # A backslash comes back doubled from GNU Backgammon 1.07.
    assert dict(again.info) | info == dict(again.info)
    assert again.games[0].comments == record.comments
