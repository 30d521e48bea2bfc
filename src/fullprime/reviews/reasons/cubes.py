"""The reasons for a cube action: the points of doubling and taking at this score, market losers, and the board."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.efficiency import PhaseEfficiency
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.points import CubeWindow, cube_window, gammon_values
from fullprime.reviews.decision import CubeEquities, Decision, Kind
from fullprime.reviews.reasons.chances import score_words
from fullprime.reviews.reasons.counts import Counts, count_board
from fullprime.reviews.reasons.phrases import pick, point_name
from fullprime.reviews.reasons.reason import CubeFactKind, FigureKind, Reason, Sentence
from fullprime.rules.game import Game, Phase
from fullprime.rules.position import BAR

MARGIN = 0.004
"""The point of doubling, taking or playing on is named only when the chances are this far on the right side of it."""
FEW, MANY = 0.08, 0.2
"""Shares of market losers that are few, and many."""
_SEEN = 0.005
"""A share of market losers below this is written as 0 %."""
GAMMONISH = 0.25
"""Gammons are a reason from this share of the games won on."""
HITS, LEAD = 9, 8
"""The least number of rolls that hit, and of pips of lead, that is worth a word."""


@dataclass(frozen=True, slots=True)
class CubeFact:
    """A counted fact of the board. ``doubler``: it speaks for the player who could double, else for the opponent."""

    kind: CubeFactKind
    doubler: bool
    number: int
    other: int = 0
    """Of a lead the pips of the side; of a prime the checkers behind; of hits all rolls that hit, anywhere."""


def board_facts(counts: Counts) -> list[CubeFact]:
    """The facts of the board of a player on roll, the weightier of each side first."""
    kinds = CubeFactKind
    facts: list[CubeFact] = []
    mine, theirs = counts.position.pips
    lead = theirs - mine
    if counts.position.is_race:
        facts.append(CubeFact(kinds.LEAD, lead > 0, abs(lead), min(mine, theirs)))
        return facts if lead else []
    if counts.their[BAR]:
        facts.append(CubeFact(kinds.BAR, True, counts.their[BAR]))
    if counts.prime.length >= 4 and counts.prime.behind:
        facts.append(CubeFact(kinds.PRIME, True, counts.prime.length, counts.prime.behind))
    if counts.own_shots.ways >= HITS:
        facts.append(CubeFact(kinds.HITS, True, counts.own_shots.ways, counts.strikes.ways))
    anchors = [25 - point for point in range(1, 8) if counts.their[25 - point] >= 2]
    if anchors:
        facts.append(CubeFact(kinds.ANCHOR, False, min(anchors)))
    if abs(lead) >= LEAD:
        facts.append(CubeFact(kinds.LEAD, lead > 0, abs(lead), min(mine, theirs)))
    if counts.home_points >= 4:
        facts.append(CubeFact(kinds.BOARD, True, counts.home_points))
    if not counts.strikes.ways:
        facts.append(CubeFact(kinds.SAFE, False, 0))
    if counts.home_points <= 2:
        facts.append(CubeFact(kinds.BOARD, False, counts.home_points))
    return facts


_WORDS: dict[tuple[CubeFactKind, bool], tuple[str, ...]] = {
    (CubeFactKind.LEAD, True): ("a lead of {number} pips", "a lead of {number} pips with {other} to go"),
    (CubeFactKind.LEAD, False): ("{number} pips fewer to go", "a lead of {number} pips"),
    (CubeFactKind.BAR, True): ("{bar} on the bar", "{bar} held on the bar"),
    (CubeFactKind.PRIME, True): (
        "{number} points in a row in front of {behind}", "a prime of {number} in front of {behind}",
    ),
    (CubeFactKind.HITS, True): ("{number} rolls that hit", "{number} shots of 36"),
    (CubeFactKind.ANCHOR, False): ("the anchor on {point}", "a safe place on {point}"),
    (CubeFactKind.BOARD, True): ("{number} points at home", "a {number}-point board"),
    (CubeFactKind.BOARD, False): ("only a {number}-point board to enter", "only a {number}-point board against it"),
    (CubeFactKind.SAFE, False): ("nothing to be hit", "no blot in reach"),
}  # fmt: skip


def fact_words(fact: CubeFact, turn: int, *, taking: bool) -> str:
    """A fact as a thing that its side has; points are numbered by the player who decides."""
    if fact.kind is CubeFactKind.BOARD and not fact.number:
        return "an open home board to enter"
    if fact.kind is CubeFactKind.HITS and fact.other > fact.number:
        return f"{fact.number} shots outside the home board"
    form = pick(_WORDS[fact.kind, fact.doubler], turn)
    point = point_name(fact.number if taking else 25 - fact.number)
    bar, behind = _checkers(fact.number), _checkers(fact.other)
    return form.format(number=fact.number, other=fact.other, point=point, bar=bar, behind=behind)


def _checkers(number: int) -> str:
    return "a checker" if number == 1 else f"{number} checkers"


@dataclass(frozen=True, slots=True)
class Case:
    """A cube decision with all that its sentences are made of; chances are those of the player who could double."""

    figures: CubeEquities
    context: CubeContext
    window: CubeWindow
    counts: Counts
    facts: tuple[CubeFact, ...]
    taking: bool
    """True where the opponent answers a double."""

    @property
    def win(self) -> float:
        """The doubler's chance to win."""
        return self.figures.chances[0]

    @property
    def gammon_share(self) -> float:
        """Gammons among the games that the doubler wins."""
        return self.figures.chances[1] / self.win if self.win else 0.0


def case_of(decision: Decision, game: Game) -> Case | None:
    """The case of a decision about a double; None for raises, and where the cube may not be turned."""
    if decision.cube is None or game.phase in (Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED):
        return None
    figures, context = decision.cube, context_of(game)
    if not context.may_double:
        return None
    win, gammon, _, lose_gammon, _ = figures.chances
    position = game.position
    power = float(PhaseEfficiency().of(row_of(position))[0])
    window = cube_window(context, gammon / win if win else 0.0, lose_gammon / (1 - win) if win < 1 else 0.0, power)
    counts = count_board(position, game.settings.variant)
    return Case(figures, context, window, counts, tuple(board_facts(counts)), decision.kind is Kind.TAKE)


def sentences(decision: Decision, game: Game, case: Case) -> tuple[Sentence, list[str]]:
    """The sentence with the reason, then more; sentences that are not sure are empty."""
    return _first(decision, game, case), _more(case, game)


def _first(decision: Decision, game: Game, case: Case) -> Sentence:
    """One sentence with the reason why the right action is right."""
    turn = zlib.crc32(f"{game.position.text} {decision.played.text}".encode())
    best = decision.best.text
    if decision.kind is Kind.TAKE:
        return _answer(case, best, turn) if best in ("take", "drop") else Sentence()
    if best in ("double", "redouble"):
        return _cash(case, best, turn) if case.figures.double_take > 1 else _doubling(case, best, turn)
    return _too_good(case, turn) if case.figures.no_double > 1 else _waiting(case, best, turn)


def _has(case: Case, doubler: bool, turn: int, most: int = 2) -> Sentence:
    facts = [fact for fact in case.facts if fact.doubler is doubler][:most]
    words = " and ".join(fact_words(fact, turn >> 4, taking=case.taking) for fact in facts)
    return Sentence(words, tuple(_to_reason(fact, taking=case.taking) for fact in facts))


def _to_reason(fact: CubeFact, *, taking: bool) -> Reason:
    if fact.kind is CubeFactKind.ANCHOR:
        point = fact.number if taking else 25 - fact.number
        return Reason(kind=fact.kind, value=fact.number, point=point)
    return Reason(kind=fact.kind, value=fact.number, beside=fact.other or None)


def _figure(kind: FigureKind, value: float, beside: float | None = None) -> Reason:
    return Reason(kind=kind, value=round(value, 4), beside=None if beside is None else round(beside, 4))


def _doubling(case: Case, best: str, turn: int) -> Sentence:
    why, win, point = _has(case, True, turn), case.win, case.window.double
    away = case.context.away
    if away is not None and away[1] == 1:
        words = pick(_TRAILER, turn).format(best=best, need=away[0])
        return Sentence(words, (_figure(FigureKind.LAST_POINT, away[0], 1),))
    sure = point is not None and win >= point + MARGIN
    losers = case.figures.losers
    lost = ""
    market: tuple[Reason, ...] = ()
    if losers is not None and losers >= FEW:
        market = (_figure(FigureKind.MARKET_LOSERS, losers),)
        lost = pick(_LOSERS, turn >> 6).format(losers=_round_percent(losers))
    if sure and point is not None:
        forms = (
            "A {best} is right from {point}, and this is {win}{why}{lost}.",
            "With {win} to win this is past the point of doubling ({point}){why}{lost}.",
            "{win} against {point} needed to {best}{why}{lost}.",
        )
        reason = f": {why.text}" if why.text else ""
        words = pick(forms, turn).format(
            best=best, point=_format_percent(point), win=_format_percent(win), why=reason, lost=lost
        )
        pivot = _figure(FigureKind.DOUBLING_POINT, win, point)
        return Sentence(words[0].upper() + words[1:], (pivot, *why.reasons, *market))
    gain = case.figures.double_take - case.figures.no_double
    tail = f" with {why.text}" if why.text else ""
    pivot = _figure(FigureKind.DOUBLING, case.figures.double_take, case.figures.no_double)
    return Sentence(f"A {best} gains {gain:.3f} over waiting{tail}{lost}.", (pivot, *why.reasons, *market))


_TRAILER = (
    "The opponent needs one point, so that the {best} risks nothing: it is due at once with {need} to go.",
    "With {need} points to go against one a {best} can only gain.",
)
_LOSERS = (
    "; after {losers} of the next exchanges it would be a drop",
    "; {losers} of the next exchanges lose the market",
    "; waiting loses the market {losers} of the time",
)


def _cash(case: Case, best: str, turn: int) -> Sentence:
    why, have, need = _has(case, True, turn), 1 - case.win, case.window.take_point
    reason = f" against {why.text}" if why.text else ""
    if need is not None and have <= need - MARGIN:
        forms = (
            "The opponent has {have} and needs {need} to take{reason}: the {best} wins at once.",
            "A {best} ends it here: {have} is less than the {need} that a take needs{reason}.",
            "{have} is no take{reason} where {need} are needed: {best} and win.",
        )
        words = pick(forms, turn).format(
            have=_format_percent(have), need=_format_percent(need), best=best, reason=reason
        )
        return Sentence(words, (_figure(FigureKind.TAKE_POINT, have, need), *why.reasons))
    worth = case.figures.no_double
    words = f"Playing on is worth {worth:.3f}, {1 - worth:.3f} less than the 1 of a drop."
    return Sentence(words, (_figure(FigureKind.PLAYING_ON, worth, 1),))


def _too_good(case: Case, turn: int) -> Sentence:
    worth, gammons = case.figures.no_double, case.gammon_share
    forms = (
        "Playing on is worth {worth:.3f}, more than the 1 of a drop: {share} of the games won are gammons.",
        "Too good: {share} gammons among the wins make playing on worth {worth:.3f}.",
        "A drop would pay 1, playing for the gammon ({share} of the wins) {worth:.3f}.",
    )
    words = pick(forms, turn).format(worth=worth, share=_format_percent(gammons))
    return Sentence(words, (_figure(FigureKind.PLAYING_ON, worth, 1), _figure(FigureKind.GAMMON_SHARE, gammons)))


def _waiting(case: Case, best: str, turn: int) -> Sentence:
    double = "redouble" if best.startswith("no re") else "double"
    win, point, losers = case.win, case.window.double, case.figures.losers
    why = _has(case, False, turn)
    stays = f" (the opponent has {why.text})" if why.text else ""
    few = ""
    market: tuple[Reason, ...] = ()
    if losers is not None and losers <= FEW:
        market = (_figure(FigureKind.MARKET_LOSERS, losers),)
        few = "; hardly any of the next exchanges lose the market"
        if losers >= _SEEN:
            few = f"; only {_round_percent(losers)} of the next exchanges lose the market"
    if point is not None and win <= point - MARGIN:
        forms = (
            "{win} is short of the {point} that a {double} needs{stays}{few}.",
            "Too early: a {double} is right from {point}, this is {win}{stays}{few}.",
            "The {double} needs {point} and has {win}{stays}{few}.",
        )
        words = pick(forms, turn).format(
            win=_format_percent(win), point=_format_percent(point), double=double, stays=stays, few=few
        )
        return Sentence(words, (_figure(FigureKind.DOUBLING_POINT, win, point), *why.reasons, *market))
    doubled = min(case.figures.double_take, 1.0)
    words = f"The {double} gives the cube away and costs {case.figures.no_double - doubled:.3f}{stays}{few}."
    return Sentence(words, (_figure(FigureKind.DOUBLING, doubled, case.figures.no_double), *why.reasons, *market))


def _answer(case: Case, best: str, turn: int) -> Sentence:
    have, need = 1 - case.win, case.window.take_point
    if need is None:
        return Sentence()
    gammons, stands = case.gammon_share, ""
    share: tuple[Reason, ...] = ()
    if best == "drop":
        why = _has(case, True, turn)
        reason = f" against {why.text}" if why.text else ""
        lost = f", as {_format_percent(gammons)} of the losses are gammons" if gammons >= GAMMONISH else ""
        share = (_figure(FigureKind.GAMMON_SHARE, gammons),) if lost else ()
        forms = (
            "A take needs {need}{lost}, and there are {have}{reason}.",
            "{have} is too little{reason}: a take needs {need}{lost}.",
            "With {have} to win{reason} a take is {gap} % short of the {need} needed{lost}.",
        )
        sure = have <= need - MARGIN
    else:
        why = _has(case, False, turn)
        reason = f" with {why.text}" if why.text else ""
        stands = f", with {why.text}" if why.text else ""
        lost = ""
        forms = (
            "A take needs {need}, and there are {have}{reason}.",
            "{have} is enough{reason}: a take needs {need}.",
            "With {have} to win a take is {gap} % above the {need} needed{stands}.",
        )
        sure = have >= need + MARGIN
    if not sure:
        return Sentence()
    gap = f"{abs(round(100 * have, 1) - round(100 * need, 1)):.1f}"  # of the figures that stand beside it
    words = pick(forms, turn).format(
        need=_format_percent(need), have=_format_percent(have), gap=gap, reason=reason, lost=lost, stands=stands
    )
    return Sentence(words, (_figure(FigureKind.TAKE_POINT, have, need), *share, *why.reasons))


def _more(case: Case, game: Game) -> list[str]:
    """Further sentences: the equities, the worth of gammons at this score, the take point of money beside it."""
    figures = case.figures
    take = figures.double_drop - figures.double_take
    sentences = [f"Proper is {figures.proper}; taking is {'right' if take > 0 else 'wrong'} by {abs(take):.3f}."]
    if case.context.is_match and not case.context.is_dead:
        value = gammon_values(case.context.doubled).win_gammon
        if case.gammon_share >= GAMMONISH / 2 and not 0.35 <= value <= 0.65:
            # The gammons are the doubler's: the player who answers loses them.
            whose = "lost" if case.taking else "won"
            worth = f"{value:.2f} of a game, 0.50 for money"
            sentences.append(f"At {score_words(game)} a gammon {whose} with the turned cube counts {worth}.")
    if case.context.is_match and case.window.take_point is not None:
        win, gammon, _, lose_gammon, _ = figures.chances
        power = float(PhaseEfficiency().of(row_of(game.position))[0])
        shares = (gammon / win if win else 0.0, lose_gammon / (1 - win) if win < 1 else 0.0)
        money = cube_window(CubeContext(), *shares, power).take_point
        if money is not None and abs(money - case.window.take_point) >= 0.02:
            sentences.append(
                f"The take point is {_format_percent(case.window.take_point)} here, for money {_format_percent(money)}."
            )
    return sentences


def _format_percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _round_percent(share: float) -> str:
    return f"{100 * share:.0f} %"
