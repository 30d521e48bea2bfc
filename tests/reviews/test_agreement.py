"""Hint, tutor and review: one decision at one level has the same equities and the same loss, wherever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.broadly import broadly
from tests.reviews.matches import random_match

from fullprime.analysis import tutor
from fullprime.analysis.model import JudgedChoice
from fullprime.engine import api
from fullprime.engine.boards.follow_ups import has_follow_ups
from fullprime.engine.engine import Engine
from fullprime.engine.nets.net import manifest
from fullprime.engine.search.levels import LEVELS
from fullprime.reviews.decision import Decision, Kind
from fullprime.reviews.levels import ReviewLevel
from fullprime.reviews.review import review
from fullprime.rules.game import Action, ActionKind, Game, Phase, opening
from fullprime.rules.position import Position
from fullprime.rules.record import Entry, GameRecord, Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON, VARIANTS
from fullprime.rules.variants.variant import Variant

SAME = pytest.approx
EVENTS = {"fast": 80, "0-ply": 80, "1-ply": 36, "2-ply": 18}
"""Events of a game that are judged at each level, of which some two in five are decisions; where a roll gives more than
its dice, which takes a good deal longer, half as many."""
PLAYED = {name: VARIANTS[name] for name in sorted(manifest())}

_engines: dict[str, Engine] = {}


def engine_of(variant: Variant) -> Engine:
    """An engine for reviews that remembers nothing of what hints have asked."""
    if variant.name not in _engines:
        _engines[variant.name] = Engine.open(variant)
    return _engines[variant.name]


def review_level(name: str, variant: Variant) -> ReviewLevel:
    """A level of reviews that looks at plays as a level of the engine does."""
    level = LEVELS[name]
    how = ReviewLevel(name, level.ply, level.sieves, level.ply, wrong_ply=level.ply, joint=level.joint)
    if level.close is None or has_follow_ups(variant):
        return how
    return replace(how, close_ply=level.ply + 1, close=level.close.near, close_most=level.close.most)


def match_of(variant: Variant, events: int, seed: int) -> Match:
    """The first events of a random game; of a match or for money, with beavers, in turns."""
    length = (0, 5)[seed % 2]
    settings = Settings(length=length, variant=variant, beavers=not length and variant.cube)
    match = random_match(settings, seed, games=1, doubles=0.08)
    return replace(match, games=(replace(match.games[0], events=match.games[0].events[:events]),))


def entries(match: Match) -> Iterator[tuple[int, Entry]]:
    return ((number, entry) for number, entry in enumerate(match.games[0].entries()))


class Asked:
    """The decisions that the tutor has judged, before it rounds and explains them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.last: Decision | None = None
        monkeypatch.setattr(tutor, "SECONDS", None)  # of a busy machine
        self._judged = tutor._judge
        monkeypatch.setattr(tutor, "_judge", self._note)

    def _note(self, decision: Decision, game: Game, level: str) -> JudgedChoice:
        self.last = decision
        return self._judged(decision, game, level)

    def judge(self, entry: Entry, line: str, level: str) -> Decision:
        self.last = None
        tutor.judge(entry.before, line, level)
        assert self.last is not None
        return self.last


def check_play(decision: Decision, entry: Entry, level: str, requests: Asked) -> None:
    after = entry.after.position if entry.after.on_roll is entry.before.on_roll else entry.after.position.swapped
    ranking = api.hint(entry.before, level, played=after).ranking
    assert ranking is not None
    assert decision.legal == len(ranking)
    by_text = {play.text: play for play in ranking}
    for option in decision.options:
        play = ranking.find(after) if option is decision.played else by_text[option.text]
        assert play is not None
        assert (option.depth, option.equity) == (play.depth, SAME(play.equity, abs=1e-6))
        assert option.loss == SAME(play.loss, abs=2e-6)
        assert option.chances == SAME(play.probabilities, abs=2e-6)
    assert decision.best.equity == SAME(ranking.best.equity, abs=1e-6)
    if level in tutor.LEVELS:
        judged = requests.judge(entry, decision.played.text, level)
        assert judged.loss == SAME(decision.loss, abs=2e-6)
        assert judged.best.equity == SAME(decision.best.equity, abs=1e-6)
        assert judged.played.equity == SAME(decision.played.equity, abs=1e-6)
    plain = api.hint(entry.before, level).ranking
    assert plain is not None
    for play in plain:
        other = by_text[play.text]
        assert play.depth < other.depth or play.equity == SAME(other.equity, abs=1e-6)


def check_cube(decision: Decision, entry: Entry, level: str, requests: Asked) -> None:
    assert decision.cube is not None
    deep = level if decision.best.depth == LEVELS[level].ply else f"{decision.best.depth}-ply"
    cube = api.hint(entry.before, deep).cube
    assert cube is not None
    assert (cube.no_double, cube.double_take) == SAME((decision.cube.no_double, decision.cube.double_take), abs=1e-6)
    assert cube.verdict == decision.cube.proper
    action = getattr(entry.event, "kind", None)
    if deep in tutor.LEVELS and action in (ActionKind.ROLL, ActionKind.DOUBLE, ActionKind.TAKE, ActionKind.DROP):
        assert requests.judge(entry, str(action), deep).loss == SAME(decision.loss, abs=2e-6)


def agree(variant: Variant, level: str, seed: int, requests: Asked, part: int) -> int:
    """The decisions of a game, or of a part of one, that were compared."""
    match = match_of(variant, EVENTS[level] // (2 if has_follow_ups(variant) else 1) // part, seed)
    reviewed = review(match, engine_of(variant), review_level(level, variant))
    assert reviewed.complete
    compared = 0
    for number, entry in entries(match):
        decision = reviewed.of(0, number)
        if decision is None:
            continue
        if decision.kind is Kind.PLAY:
            check_play(decision, entry, level, requests)
        elif decision.kind in (Kind.DOUBLE, Kind.TAKE) and not entry.before.phase.name.startswith(("BEAVER", "RAC")):
            check_cube(decision, entry, level, requests)
        elif decision.kind is Kind.CHOICE:
            named = api.hint(entry.before, level).number
            assert decision.best.text == f"{named}-{named}"
        else:
            continue
        compared += 1
    return compared


def agree_about(variant: Variant, level: str, least: int, seed: int, requests: Asked, part: int = 1) -> None:
    """The least number of decisions that is compared, of games from this seed on or of a part of each."""
    compared = 0
    for number in range(8):
        compared += agree(variant, level, seed + number, requests, part)
        if compared >= least:
            return
    raise AssertionError(f"{compared} decisions in eight games")


@pytest.mark.parametrize("part", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", broadly(PLAYED, "backgammon", "dutch"))
def test_hint_tutor_and_review_agree(name: str, part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """About 74 decisions of each of seven games, 518 in all; here a third of them."""
    requests = Asked(monkeypatch)
    for number, (level, least) in enumerate((("fast", 30), ("0-ply", 30), ("1-ply", 14))):
        agree_about(PLAYED[name], level, least // part, 10 * number, requests, part)


@pytest.mark.broad
@pytest.mark.parametrize("variant", PLAYED.values(), ids=PLAYED)
def test_they_agree_two_plies_ahead(variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    agree_about(variant, "2-ply", 6, 30, Asked(monkeypatch))


def test_a_take_where_a_beaver_is_right_loses_as_much_to_the_tutor(monkeypatch: pytest.MonkeyPatch) -> None:
    """The review has named a missed beaver before; the tutor said that nothing was lost."""
    board = Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:4 8:3 6:4 5 4")
    game = Game.new(Settings(beavers=True)).act(opening(3, 1))
    game = replace(game, position=board, phase=Phase.CUBE_DECISION, dice=None).act(Action(ActionKind.DOUBLE))
    match = Match(game.settings, games=(GameRecord(game, (Action(ActionKind.TAKE),)),))
    decision = review(match, engine_of(BACKGAMMON), review_level("0-ply", BACKGAMMON)).of(0, 0)
    assert decision is not None
    assert decision.mistake == "missed beaver"
    (entry,) = match.games[0].entries()
    judged = Asked(monkeypatch).judge(entry, "take", "0-ply")
    assert judged.loss == SAME(decision.loss, abs=1e-6)
    assert (judged.best.text, judged.loss > 0.05) == ("beaver", True)
