"""The kinds of chances that a play gains: wins, gammons, backgammons, each by its worth at the score."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import EquityError
from fullprime.engine.cube.points import gammon_values
from fullprime.reviews.decision import Decision
from fullprime.reviews.reasons.reason import FigureKind, Reason, Sentence
from fullprime.rules.game import Game
from fullprime.rules.score import Player
from fullprime.rules.variants.variant import Settlement

WORTH_SAYING = 0.005
"""Chances that differ by less are not spoken of."""
SHARE = 0.25
"""The least share of the greatest component at which another is named beside it."""


@dataclass(frozen=True, slots=True)
class Component:
    """One sort of chance: the gain of the better play in it, and its worth in equity at this score."""

    name: str
    gain: float
    """Chances: above 0 in favour of the better play."""
    worth: float
    """Points of equity, above 0 in favour of the better play."""


def components(decision: Decision, game: Game) -> list[Component]:
    """The sorts of chances by which the better play differs, the weightiest first; none for other decisions.

    Where checkers are counted it is the wins alone.
    """
    best, played = decision.best.chances, decision.played.chances
    if best is None or played is None:
        return []
    if game.settings.variant.settlement is not Settlement.GAMES:
        return [Component("wins", best[0] - played[0], 2 * (best[0] - played[0]))]
    try:
        values = gammon_values(context_of(game))
    except EquityError:
        return []
    gaps = [ours - theirs for ours, theirs in zip(best, played, strict=True)]
    gains = [
        Component("wins", gaps[0], 2 * gaps[0]),
        Component("gammons won", gaps[1], 2 * gaps[1] * values.win_gammon),
        Component("backgammons won", gaps[2], 2 * gaps[2] * values.win_backgammon),
        Component("gammons lost", -gaps[3], -2 * gaps[3] * values.lose_gammon),
        Component("backgammons lost", -gaps[4], -2 * gaps[4] * values.lose_backgammon),
    ]
    return sorted(gains, key=lambda component: -abs(component.worth))


def gained(components: list[Component], turn: int) -> Sentence:
    """The gains in words, such as ``2.4 % more wins and 5.7 % fewer gammons lost``; empty where they are nothing."""
    ahead = [component for component in components if component.worth > 0 and component.gain >= WORTH_SAYING]
    if not ahead:
        return Sentence()
    largest = [component for component in ahead if component.worth >= SHARE * ahead[0].worth][:2]
    words = " and ".join(map(_more, largest))
    behind = [
        component
        for component in components
        if component.worth < -SHARE * ahead[0].worth and component.gain <= -WORTH_SAYING
    ][:1]
    for component in behind:
        words = f"{words} {'against' if turn % 2 else 'for'} {_fewer(component)}"
    return Sentence(words, tuple(map(_to_reason, [*largest, *behind])))


def _to_reason(component: Component) -> Reason:
    return Reason(
        kind=FigureKind(component.name),
        favours="best" if component.gain > 0 else "other",
        value=round(component.gain, 4),
    )


def _more(component: Component) -> str:
    return f"{100 * component.gain:.1f} % {'fewer' if component.name in _LOST else 'more'} {component.name}"


def _fewer(component: Component) -> str:
    return f"{-100 * component.gain:.1f} % {'more' if component.name in _LOST else 'fewer'} {component.name}"


def chance_words(decision: Decision, game: Game) -> str:
    """All the chances that differ, in a sentence; empty where none does by as much as is worth saying."""
    best, played = decision.best.chances, decision.played.chances
    if best is None or played is None:
        return ""
    parts = []
    names = _NAMES if game.settings.variant.settlement is Settlement.GAMES else _NAMES[:1]
    for name, ours, theirs in zip(names, best, played, strict=False):
        if abs(ours - theirs) >= WORTH_SAYING:
            parts.append(f"{name} {100 * ours:.1f} % instead of {100 * theirs:.1f} %")
    return f"Its chances: {', '.join(parts)}." if parts else ""


_LOST = ("gammons lost", "backgammons lost")
_NAMES = ("wins", "gammons", "backgammons", "gammons lost", "backgammons lost")


def gammon_words(decision: Decision, game: Game) -> str:
    """The worth of gammons at this score, in a sentence, where it is far from that of money play; else empty."""
    by_name = {component.name: component for component in components(decision, game)}
    if len(by_name) < 2 or not game.settings.is_match:
        return ""
    values = gammon_values(context_of(game))
    for name, value, whose in (
        ("gammons won", values.win_gammon, "won"),
        ("gammons lost", values.lose_gammon, "lost"),
    ):
        if abs(by_name[name].gain) >= 0.01 and not 0.3 <= value <= 0.7:
            return f"At {score_words(game)} a gammon {whose} counts {value:.2f} of a game, 0.50 for money."
    return ""


def score_words(game: Game) -> str:
    """The score, seen by the player who decides: ``4-6 of 9``."""
    mine = game.on_roll if game.turn is None else game.turn  # X is number 0
    points = game.score.points
    own, other = (points[0], points[1]) if mine is Player.X else (points[1], points[0])
    return f"{own}-{other} to {game.settings.length}"
