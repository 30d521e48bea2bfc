"""OGXM files that we write: read back equal, and step by step as the published format has them."""

from __future__ import annotations

import random
import struct
from dataclasses import replace
from itertools import islice
from types import MappingProxyType

import pytest
from tests.formats.generate import random_match

from fullprime import formats
from fullprime.formats import FormatError
from fullprime.formats.analysis import CandidatePlay, Chances, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.rules.actions import play
from fullprime.rules.cube import Cube
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.plays import CheckerMove
from fullprime.rules.record import GameRecord, Match, Setup
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import VARIANTS

MONEY = Settings(jacoby=True, beavers=True, raccoons=True)


def again(document: formats.Document) -> formats.Document:
    data, _ = formats.write(document, "ogxm")
    (read,) = formats.read(data).documents
    return read


def sections(data: bytes) -> list[tuple[bytes, bytes]]:
    """The sections by the published layout, written down here a second time and checked strictly."""
    assert data[:4] == b"OGXM"
    assert struct.unpack_from("<HHHHI", data, 4) == (2, 0, 2, 0, len(data))
    assert data[-4:] == b"END!"
    parts, at = [], 16
    while at < len(data) - 4:
        name, length, critical = struct.unpack_from("<4sIB", data, at)
        assert critical == (name in (b"MTCH", b"GAME"))
        parts.append((name, data[at + 9 : at + 9 + length]))
        at += 9 + length
    assert at == len(data) - 4
    return parts


def steps(game: bytes) -> list[int]:
    """The actions of a short game, whose records have lengths of one byte."""
    at, actions = 1 + game[0], []
    while at < len(game):
        first = game[at]
        actions.append(first & 0x3F)
        at += 1
        if first & 0x3F <= 20:
            double = first & 0x3F in (0, 6, 11, 15, 18, 20)
            for _ in range(4 if double else 2):
                at += 1
                if not game[at - 1]:
                    break
        if first & 0x80:
            at += 1 + game[at]
    return actions


def test_the_published_layout_holds_every_step() -> None:
    match = random_match(random.Random(5), MONEY, games=8, resignations=0.02)
    parts = sections(formats.write(formats.Document(match), "ogxm")[0])
    assert [name for name, _ in parts] == [b"MTCH"] + [b"GAME"] * len(match.games)
    for record, (_, content) in zip(match.games, parts[1:], strict=True):
        actions = steps(content)
        entries = [entry for entry in record.entries() if isinstance(entry.event, Action)]
        kinds = [entry.event.kind for entry in entries if isinstance(entry.event, Action)]
        rolls = sum(kind in (ActionKind.ROLL, ActionKind.OPENING) for kind in kinds)
        assert sum(step <= 20 for step in actions) == rolls
        for kind, code in ((ActionKind.DOUBLE, 21), (ActionKind.BEAVER, 32), (ActionKind.RACCOON, 33)):
            assert actions.count(code) == kinds.count(kind)
        answered = [
            e.event.kind for e in entries if e.before.phase is Phase.DOUBLE_OFFERED and isinstance(e.event, Action)
        ]
        assert actions.count(22) == answered.count(ActionKind.TAKE)
        assert actions.count(23) == answered.count(ActionKind.DROP)
        assert actions.count(27) == kinds.count(ActionKind.RESIGN)


@pytest.mark.parametrize("seed", range(6))
def test_beavers_raccoons_and_their_drops_come_back(seed: int) -> None:
    match = random_match(random.Random(seed), MONEY, games=10, resignations=0.02)
    document = again(formats.Document(match))
    assert document.report == ()
    assert [game.events for game in document.match.games] == [game.events for game in match.games]
    assert [game.result for game in document.match.games] == [game.result for game in match.games]


def test_resignations_with_and_without_a_roll() -> None:
    full_game = random_match(random.Random(3), Settings(length=7), games=1, resignations=0).games[0]
    for kind in (ActionKind.ROLL, ActionKind.PLAY):
        count = next(n for n, e in enumerate(full_game.events) if n > 5 and isinstance(e, Action) and e.kind is kind)
        for level in (1, 2, 3):
            game = replace(full_game, events=full_game.events[: count + 1])
            for action in (Action(ActionKind.RESIGN, number=level), Action(ActionKind.ACCEPT)):
                game = game.with_event(action)
            document = again(formats.Document(Match(Settings(length=7), games=(game,))))
            assert document.match.games[0].events == game.events
            assert document.match.games[0].result == game.result


@pytest.mark.parametrize("owner", [None, Player.X, Player.O])
@pytest.mark.parametrize("phase", [Phase.CUBE_DECISION, Phase.ROLL])
def test_positions_with_the_cube_at_its_owner(owner: Player | None, phase: Phase) -> None:
    settings = Settings(length=9)
    match = random_match(random.Random(8), settings, games=3, resignations=0)
    games = [entry.after for record in match.games for entry in record.entries()]
    game = next(game for game in games[12:] if game.phase in (Phase.CUBE_DECISION, Phase.ROLL))
    game = replace(game, cube=Cube(1 if owner is None else 4, owner), score=replace(game.score, points=(0, 0)))
    for on_roll in Player:
        start = game if game.on_roll is on_roll else replace(game, on_roll=on_roll, position=game.position.swapped)
        start = replace(start, phase=Phase.CUBE_DECISION if owner in (None, on_roll) else Phase.ROLL)
        game_read = again(formats.Document(Match(settings, games=(GameRecord(start),)))).match.games[0]
        assert game_read.final.position_of(Player.X) == start.position_of(Player.X)
        assert (game_read.final.cube, game_read.final.on_roll, game_read.final.phase) == (
            start.cube,
            start.on_roll,
            start.phase,
        )


def test_a_match_that_begins_after_the_crawford_game() -> None:
    matches = (random_match(random.Random(seed), Settings(length=5), games=12, resignations=0) for seed in range(40))
    match, late = next((m, n) for m in matches for n, game in enumerate(m.games) if game.start.score.post_crawford)
    part = replace(match, games=match.games[late:])
    for kind in ("ogxm", "xg"):
        (document,) = formats.read(formats.write(formats.Document(part), kind)[0]).documents
        assert document.report == ()
        assert document.match.games == part.games


def test_a_session_that_begins_below_zero_says_that_it_does_not() -> None:
    """Only our own files have such a ledger; found by damaged files."""
    settings = Settings(length=0)
    game = GameRecord(Game.new(settings, Score((0, -1))))
    data, losses = formats.write(formats.Document(Match(settings, games=(game,))), "ogxm")
    assert "a score below zero is not written" in losses.losses
    (document,) = formats.read(data).documents
    assert document.match.games[0].start.score == Score()


def test_an_illegal_play_and_a_refused_resignation() -> None:
    text = b" 5 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 8/5 6/3    42: 8/4 6/4\n  2) 65: 24/13\n"
    (before,) = formats.read(text).documents
    document = again(before)
    assert isinstance(document.match.games[0].events[1], Setup)
    assert document.match.games[0].final == before.match.games[0].final
    game = GameRecord(Game.new(Settings(length=5)), before.match.games[0].events[:1])
    for action in (Action(ActionKind.RESIGN, number=1), Action(ActionKind.REFUSE)):
        game = game.with_event(action)
    data, losses = formats.write(formats.Document(Match(Settings(length=5), games=(game,))), "ogxm")
    assert "a refused resignation is not written" in losses.losses
    assert "a roll that was not played is not written" in losses.losses
    assert formats.read(data).documents


def test_facts_and_remarks() -> None:
    match = random_match(random.Random(4), Settings(length=5, crawford=False), games=2, resignations=0)
    facts = {"Event": "Klub Łódź", "EventDate": "2024.02.29", "Comment": "a match"}
    first = replace(match.games[0], comments={-1: "the game", 1: "naïve\ntwice"})
    match = replace(match, info={**facts, "Round": "3"}, games=(first, *match.games[1:]))
    data, losses = formats.write(formats.Document(match), "ogxm")
    assert losses.losses == ("facts about the match are not written: Round",)
    (document,) = formats.read(data).documents
    assert dict(document.match.info) == facts
    assert document.match.settings == match.settings
    assert document.match.games[0].comments == first.comments


@pytest.mark.parametrize("variant", [v for v in VARIANTS.values() if v.has_hand], ids=lambda v: v.name)
def test_other_games_are_refused(variant: object) -> None:
    with pytest.raises(FormatError, match="does not know"):
        formats.write(formats.Document(Match(Settings(variant=variant))), "ogxm")  # type: ignore[arg-type]


# -- analyses --------------------------------------------------------------------------------------------------------
def opinions(match: Match, rng: random.Random, unit: str) -> FileAnalysis:
    """An opinion about everything that can be judged in a match, in figures that the format can hold."""

    def figure() -> float:
        return round(rng.uniform(0, 1) if unit == "mwc" else rng.uniform(-3, 3), 6)

    def chances() -> Chances:
        win = rng.randrange(10_001)
        gammon, lost = rng.randint(0, win), rng.randint(0, 10_000 - win)
        return win / 1e4, gammon / 1e4, rng.randint(0, gammon) / 1e4, lost / 1e4, rng.randint(0, lost) / 1e4

    def cube() -> CubeAnalysis:
        return CubeAnalysis(figure(), figure(), figure(), chances(), level=rng.choice(("", "2-ply")), unit=unit)

    def judged(event: Action, before: Game) -> PlayAnalysis:
        boards = {before.act(event).position}
        others = []
        for legal_play in islice(before.roll_plays.iterate(), 50):
            board = before.act(play(legal_play.moves)).position
            if board not in boards and len(others) < 3:
                boards.add(board)
                others.append(legal_play.moves)
        ranked = sorted((figure() for _ in range(len(others) + 1)), reverse=True)
        plays = [*others, event.moves]
        candidates = tuple(
            CandidatePlay(moves, " ".join(map(str, moves)), equity, chances(), "3-ply", None)
            for moves, equity in zip(plays, ranked, strict=True)
        )
        return PlayAnalysis(candidates, len(others), unit)

    analyses: dict[tuple[int, int], EventAnalysis] = {}
    for number, record in enumerate(match.games):
        for index, entry in enumerate(record.entries()):
            event, before = entry.event, entry.before
            if not isinstance(event, Action):
                continue
            if event.kind is ActionKind.ROLL and unit == "points":
                analyses[number, index] = EventAnalysis(cube=cube(), luck=figure())
            elif event.kind in (ActionKind.ROLL, ActionKind.DOUBLE) or (
                event.kind in (ActionKind.TAKE, ActionKind.DROP) and before.phase is Phase.DOUBLE_OFFERED
            ):
                analyses[number, index] = EventAnalysis(cube=cube())
            elif event.kind is ActionKind.PLAY and event.moves:
                analyses[number, index] = EventAnalysis(play=judged(event, before))
    return FileAnalysis("A program 1.0", MappingProxyType(analyses))


def told(review: FileAnalysis) -> dict[tuple[int, int], object]:
    """All that it says; the checkers of a play may be moved in another order."""

    def plain(candidate: CandidatePlay) -> CandidatePlay:
        return replace(candidate, moves=tuple(sorted(candidate.moves or (), key=str)), text="")

    return {
        place: replace(
            analysis,
            play=analysis.play and replace(analysis.play, candidates=tuple(map(plain, analysis.play.candidates))),
        )
        for place, analysis in review.events.items()
    }


@pytest.mark.parametrize(("settings", "unit"), [(MONEY, "points"), (Settings(length=7), "mwc")])
def test_analyses_come_back(settings: Settings, unit: str) -> None:
    match = random_match(random.Random(7), settings, games=3, resignations=0)
    match = replace(match, games=match.games[:2])
    review = opinions(match, random.Random(8), unit)
    data, losses = formats.write(formats.Document(match, review=review), "ogxm")
    assert not [loss for loss in losses.losses if "analysis" in loss]
    (read,) = formats.read(data).documents
    assert read.review is not None
    assert read.review.program == "A program 1.0"
    assert told(read.review) == told(review)


def test_what_an_analysis_loses_is_said() -> None:
    match = random_match(random.Random(7), Settings(length=7), games=1, resignations=0)
    roll = next(i for i, e in enumerate(match.games[0].events) if isinstance(e, Action) and e.kind is ActionKind.ROLL)
    odd = EventAnalysis(cube=CubeAnalysis(0.1, 0.2, 1.0, cubeless=0.3), luck=1e9, error=0.1)
    mixed = EventAnalysis(play=PlayAnalysis((CandidatePlay(None, "?", 0.1), CandidatePlay((), "", 0.2)), None, "mwc"))
    events = {(0, roll): odd, (0, roll + 1): mixed}
    review = FileAnalysis("odd", MappingProxyType(events), MappingProxyType({"Rating": "1"}))
    data, losses = formats.write(formats.Document(match, review=review), "ogxm")
    for words in ("in points are written as match", "further figures", "losses that", "cubeless", "without a play"):
        assert [loss for loss in losses.losses if words in loss], words
    (read,) = formats.read(data).documents
    assert read.review is not None
    cube = read.review.events[0, roll].cube
    assert cube is not None
    assert (cube.unit, cube.level) == ("mwc", "")
    assert cube.no_double is not None
    assert 0.5 < cube.no_double < 0.55


@pytest.mark.parametrize("player", list(Player))
def test_a_candidate_from_a_hand_that_the_game_does_not_have_is_left_out(player: Player) -> None:
    """A file of ours may name one; the fuzzer of files did."""
    match = random_match(random.Random(7), Settings(length=7), games=1, resignations=0)
    play_index = next(
        index
        for index, entry in enumerate(match.games[0].entries())
        if isinstance(entry.event, Action) and entry.event.kind is ActionKind.PLAY and entry.before.on_roll is player
    )
    candidates = (
        CandidatePlay((CheckerMove(26, 22, 3),), "from a hand", 0.3),
        CandidatePlay((CheckerMove(6, 3, 3),), "", 0.2),
    )
    review = FileAnalysis(
        "odd", MappingProxyType({(0, play_index): EventAnalysis(play=PlayAnalysis(candidates, None))})
    )
    data, losses = formats.write(formats.Document(match, review=review), "ogxm")
    assert "candidates without a play or an equity are not written" in losses.losses
    (read,) = formats.read(data).documents
    assert read.review is not None
    (judged,) = (event.play for event in read.review.events.values() if event.play is not None)
    assert [candidate.equity for candidate in judged.candidates] == [pytest.approx(0.2, abs=1e-4)]
