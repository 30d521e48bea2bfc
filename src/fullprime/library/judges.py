"""Two judges: the verdicts of another program in a file beside ours, and rollouts where they differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from fullprime.analysis.rollouts import RolloutOptions, roll_out
from fullprime.formats import Document
from fullprime.formats.analysis import CubeAnalysis, EventAnalysis, PlayAnalysis
from fullprime.formats.recording.units import to_points
from fullprime.library.places import LibraryError, game_at, opening_address
from fullprime.library.service import LibraryStore
from fullprime.library.store.moments import moments_of
from fullprime.library.store.settled import Dispute, DisputeResult, Made, Right, TakenCost, settled_of, store_settled
from fullprime.reviews.decision import Decision, Kind
from fullprime.reviews.match_facts import replay
from fullprime.reviews.review import Review
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import CheckerMove
from fullprime.rules.score import Player

APART = 0.05
"""Verdicts further apart than this, in points of equity, are settled by a rollout."""
_TRIALS = 1296
_Z = 1.96
_OWN = "fullprime"
_LEAST = 0.0005

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The verdict in a file: ``loss`` of the option taken, and what each option of ours costs there where it says."""

    best: str
    loss: float | None
    ours_costs: float | None
    level: str
    theirs_costs_us: float | None
    """The cost of their best option by our judgement; None where we did not look at it."""

    def difference(self, decision: Decision) -> float:
        """The difference between the two judges: about the option taken, or about each other's best."""
        differences = [cost for cost in (self.ours_costs, self.theirs_costs_us) if cost is not None]
        if self.loss is not None:
            differences.append(abs(self.loss - decision.loss))
        return max(differences, default=0.0)


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """The verdict of one judge on a decision."""

    program: str
    """The program."""
    level: str
    """The level of its verdict; empty where it does not say."""
    best: str
    """Its best option."""
    loss: float | None
    """The cost of the option that was taken, in points of equity; None where it does not say."""
    other: float | None
    """The cost of the other judge's best option; None where it does not say, and where both have the same best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoJudges:
    """A decision that two judges have looked at."""

    __json_digits__: ClassVar[int] = 4

    game: int
    """The number of the game, from 1."""
    event: int
    """The number of the event, from 1."""
    move: int
    """The number of the move in its game, from 1."""
    player: Player
    """The player who decided."""
    kind: Kind
    """The kind of the decision."""
    dice: Roll | None
    """The roll; None for a decision with the cube."""
    played: str
    """The option that was taken."""
    ours: JudgeVerdict
    """Our verdict."""
    theirs: JudgeVerdict
    """The verdict in the file."""
    difference: float
    """How far apart they are, in points of equity."""
    address: str
    """The page that opens it on the analysis board."""
    rolled_out: bool = False
    """True once a rollout between them has been tried."""
    settled: DisputeResult | None = None
    """The rollout that settles it; None where there is none yet, and where none can."""


def two_judges(store: LibraryStore, number: int, *, every: bool = False) -> tuple[list[TwoJudges], int, str | None]:
    """The decisions of a match on which both judges differ by more than APART, or ``every`` one that both have judged,
    those first on which they differ most; the number of those that both have judged; and the other program.

    Raises LibraryError.
    """
    document = store.get_document(number)
    if document.review is None:
        return [], 0, None
    review = next((review for review in store.list_reviews(number) if review.complete), None)
    program = document.review.program
    if review is None or program.lower().startswith(_OWN):
        return [], 0, program
    pairs = list(_pairs(document, review))
    rolled = settled_of(store, number)
    moments = moments_of(store, ((number, decision.game, decision.event) for decision, _ in pairs))
    apart = sorted(
        ((verdict.difference(decision), decision, verdict) for decision, verdict in pairs), key=lambda row: -row[0]
    )
    decisions = []
    for difference, decision, verdict in apart:
        if difference <= APART and not every:
            break
        # The name of our program without its nets, which are the same at every decision of the review.
        ours = JudgeVerdict(
            review.program.split(",")[0], review.level, decision.best.text, decision.loss,
            _loss_to_show(verdict.theirs_costs_us),
        )  # fmt: skip
        theirs = JudgeVerdict(program, verdict.level, verdict.best, verdict.loss, _loss_to_show(verdict.ours_costs))
        both = TwoJudges(
            game=decision.game + 1,
            event=decision.event + 1,
            move=moments[number, decision.game, decision.event].move,
            player=decision.player,
            kind=decision.kind,
            dice=decision.dice,
            played=decision.played.text,
            ours=ours,
            theirs=theirs,
            difference=difference,
            address=opening_address(number, decision.game + 1, decision.event + 1),
        )
        dispute = rolled.get((decision.game, decision.event))
        if dispute is not None and _settles(dispute, both):
            both = replace(both, rolled_out=True, settled=dispute.result)
        decisions.append(both)
    return decisions, len(pairs), program


def _settles(dispute: Dispute, both: TwoJudges) -> bool:
    """True if a rollout that was kept is about these verdicts, and about all on which they differ."""
    ours, theirs = both.ours.best, both.theirs.best
    if (dispute.ours, dispute.theirs) != (ours, theirs):
        return False
    return _taken_option(both) is None or (
        ours != theirs if dispute.result is None else dispute.result.made is not None
    )


def _taken_option(both: TwoJudges) -> Made | None:
    """The option taken, where it is neither's best and the judges differ about its cost."""
    ours, theirs = both.ours.loss, both.theirs.loss
    if ours is None or theirs is None or abs(ours - theirs) <= APART:
        return None
    played = {both.played, _word(both.played)}
    best = (both.ours.best, both.theirs.best)
    return None if any(played & {option, _word(option)} for option in best) else Made(both.played, ours, theirs)


def _loss_to_show(loss: float | None) -> float | None:
    """What the other judge's best costs; None where both have the same best."""
    return loss if loss is not None and loss >= _LEAST else None


def _pairs(document: Document, review: Review) -> Iterator[tuple[Decision, _Verdict]]:
    if document.review is None:
        return
    events, before = document.review.events, _Games(document)
    for decision in review.decisions:
        place = (decision.game, decision.event)
        analysis = events.get(place, EventAnalysis())
        verdict = None
        if decision.kind is Kind.PLAY and analysis.play is not None:
            verdict = _judge_play(decision, before.play_in_points(place, analysis.play), analysis.error)
        elif decision.kind in (Kind.DOUBLE, Kind.TAKE):
            earlier = events.get((decision.game, decision.event - 1), EventAnalysis())
            cube = analysis.cube or (earlier.cube if decision.kind is Kind.TAKE else None)
            verdict = (
                None if cube is None else _judge_cube(decision, before.cube_in_points(place, cube), analysis.error)
            )
        if verdict is not None:
            yield decision, verdict


class _Games:
    """The games before the events of a match, by which chances to win the match become points of equity."""

    def __init__(self, document: Document) -> None:
        self._games = document.match.games
        self._games_before: dict[int, dict[int, Game]] = {}

    def _game_before(self, at: tuple[int, int]) -> Game | None:
        number, event = at
        if number not in self._games_before:
            self._games_before[number] = {step.number: step.before for step in replay(self._games[number])}
        return self._games_before[number].get(event)

    def play_in_points(self, at: tuple[int, int], analysis: PlayAnalysis) -> PlayAnalysis:
        """The analysis of a play in points, or as it is where its unit cannot be turned into them."""
        game = None if analysis.unit == "points" else self._game_before(at)
        if game is None:
            return analysis
        equities = [
            None if candidate.equity is None else to_points(candidate.equity, game) for candidate in analysis.candidates
        ]
        if any(
            equity is None and candidate.equity is not None
            for equity, candidate in zip(equities, analysis.candidates, strict=True)
        ):
            return analysis
        candidates = (
            replace(candidate, equity=equity) for candidate, equity in zip(analysis.candidates, equities, strict=True)
        )
        return replace(analysis, candidates=tuple(candidates), unit="points")

    def cube_in_points(self, at: tuple[int, int], analysis: CubeAnalysis) -> CubeAnalysis:
        """The analysis of the cube in points. A double that is dropped wins one point of the cube before it."""
        if analysis.unit == "points":
            return analysis if analysis.double_pass is not None else replace(analysis, double_pass=1.0)
        game = self._game_before(at)
        stay, take = analysis.no_double, analysis.double_take
        take_points = None if game is None or take is None else to_points(take, game)
        if game is None or take_points is None:
            return analysis
        stay = None if stay is None else to_points(stay, game)
        return replace(analysis, no_double=stay, double_take=take_points, double_pass=1.0, unit="points")


def _judge_play(decision: Decision, analysis: PlayAnalysis, error: float | None) -> _Verdict | None:
    candidates = [candidate for candidate in analysis.candidates if candidate.moves is not None]
    if not candidates:
        return None
    points = analysis.unit == "points"
    best = max(candidates, key=lambda candidate: -math.inf if candidate.equity is None else candidate.equity)
    if best.equity is None:
        best = candidates[0]
    keys = {key_of_play(candidate.moves): candidate for candidate in candidates}
    mine = keys.get(key_of_play(decision.best.moves))

    def cost(equity: float | None) -> float | None:
        return max(0.0, best.equity - equity) if points and best.equity is not None and equity is not None else None

    played = keys.get(key_of_play(decision.played.moves))
    loss = cost(played.equity) if played is not None else None
    looked = next((option for option in decision.options if key_of_play(option.moves) == key_of_play(best.moves)), None)
    return _Verdict(
        format_play(best.moves or ()), error if loss is None else loss, cost(mine.equity) if mine is not None else None,
        best.level, None if looked is None else looked.loss,
    )  # fmt: skip


PlayKey = tuple[frozenset[tuple[int, int]], frozenset[int]]


def key_of_play(moves: tuple[CheckerMove, ...] | None) -> PlayKey:
    """The checkers that a play takes from each place or brings to it, and the blots that it hits: the same for every
    way to write the play, and for no other play of the roll.
    """
    net: dict[int, int] = {}
    for move in moves or ():
        net[move.source] = net.get(move.source, 0) - 1
        net[move.target] = net.get(move.target, 0) + 1
    hits = frozenset(move.target for move in moves or () if move.hit)
    return frozenset((place, count) for place, count in net.items() if count), hits


def _judge_cube(decision: Decision, analysis: CubeAnalysis, error: float | None) -> _Verdict | None:
    stay, take, drop = analysis.no_double, analysis.double_take, analysis.double_pass
    if take is None or drop is None or (stay is None and decision.kind is Kind.DOUBLE):
        return None
    if decision.kind is Kind.TAKE:
        worth = {"take": -take, "drop": -drop}
    else:
        worth = {"no double": stay if stay is not None else 0.0, "double": min(take, drop)}
    best = max(worth, key=lambda word: worth[word])
    played, mine = _word(decision.played.text), _word(decision.best.text)
    points = analysis.unit == "points"
    loss = worth[best] - worth[played] if points and played in worth else error
    ours_costs = worth[best] - worth[mine] if points and mine in worth else None
    looked = next((option.loss for option in decision.options if _word(option.text) == best), None)
    return _Verdict(best, loss, ours_costs, analysis.level, looked)


def _word(text: str) -> str:
    """An action with the cube without its details: a beaver is a take here."""
    first = text.lower().replace("redouble", "double").split(",")[0].strip()
    return {"beaver": "take", "pass": "drop", "roll": "no double"}.get(first, first)


# -- rollouts --------------------------------------------------------------------------------------------------------
def list_unsettled(store: LibraryStore, number: int) -> list[Dispute]:
    """The decisions of a match on which the judges differ, and which no rollout has settled yet."""
    decisions, _, _ = two_judges(store, number)
    return [
        Dispute(number, both.game - 1, both.event - 1, both.ours.best, both.theirs.best, made=_taken_option(both))
        for both in decisions
        if not both.rolled_out
    ]


def settle(store: LibraryStore, dispute: Dispute, stop: Stop | None = None, *, trials: int = _TRIALS) -> bool:
    """Roll the two options out and store the verdict; False if it was stopped before its end."""
    result: DisputeResult | None
    try:
        game = game_at(store.get_document(dispute.match).match, dispute.game, dispute.event)
        result = _roll_out(game, dispute, stop, trials)
    except FullprimeError:
        if stop is not None and stop():
            return False
        result = None
    if result is None and stop is not None and stop():
        return False
    store_settled(store, replace(dispute, result=result))
    return True


def _roll_out(game: Game, dispute: Dispute, stop: Stop | None, trials: int) -> DisputeResult | None:
    options = RolloutOptions(trials=trials, threads=1, apart=3.0, cubeful=bool(game.settings.variant.cube))
    if game.dice is not None:
        return _roll_out_plays(game, game.dice, dispute, options, stop)
    doubling = game if game.phase is not Phase.DOUBLE_OFFERED else _take_back_double(game)
    result = roll_out(doubling, options, stop=stop)
    if not result.complete and stop is not None and stop():
        return None
    decision = result.decision
    if decision.double_take is None or decision.double_drop is None:
        return None
    errors = {estimate.action: estimate.cubeful_error or estimate.cubeless_error for estimate in result.rolled}
    error = math.sqrt(sum(deviation * deviation for deviation in errors.values()))
    if game.phase is Phase.DOUBLE_OFFERED:
        worth = {"take": -decision.double_take, "drop": -decision.double_drop}
    else:
        worth = {"no double": decision.no_double, "double": min(decision.double_take, decision.double_drop)}
    ours, theirs = _word(dispute.ours), _word(dispute.theirs)
    if ours not in worth or theirs not in worth:
        return None
    if ours != theirs:
        return verdict(dispute, worth[ours] - worth[theirs], error, result.trials)
    option = None if dispute.made is None else _word(dispute.made.option)
    if option is None or option not in worth:
        return None
    return verdict(dispute, 0.0, 0.0, result.trials, (worth[ours] - worth[option], error))


def _roll_out_plays(
    game: Game, dice: Roll, dispute: Dispute, options: RolloutOptions, stop: Stop | None
) -> DisputeResult | None:
    """Both judges' plays, and the one made where they differ about its cost, by the same throws."""
    variant, texts = game.settings.variant, [dispute.ours, dispute.theirs]
    if dispute.made is not None:
        texts.append(dispute.made.option)
    boards = [read_play(text, game.position, dice, variant).after for text in texts]
    places = [boards.index(board) for board in boards]
    chosen = sorted(set(places))
    if len(chosen) == 1:
        return None
    result = roll_out(game, options, plays=[texts[place] for place in chosen], stop=stop)
    if not result.complete and result.trials < options.trials and stop is not None and stop():
        return None
    rolled = [result.of(chosen.index(place)) for place in places]
    first, second = rolled[:2]
    cost = None
    if dispute.made is not None:
        best = max(first, second, key=lambda option: option.equity)
        cost = best.equity - rolled[2].equity, max(best.loss_error, rolled[2].loss_error)
    if places[0] == places[1] and cost is None:
        return None
    return verdict(
        dispute, first.equity - second.equity, max(first.loss_error, second.loss_error), result.trials, cost
    )  # fmt: skip


def _take_back_double(game: Game) -> Game:
    """The game before the double that waits for its answer."""
    return replace(game, phase=Phase.CUBE_DECISION, cube=replace(game.cube, offered=None))


def verdict(
    dispute: Dispute, difference: float, error: float, trials: int, taken: tuple[float, float] | None = None
) -> DisputeResult:
    """The verdict: ``difference`` is our option's equity less theirs; ``taken``: the cost of the option taken, and the
    error of that.
    """
    cost = None if taken is None or dispute.made is None else _cost(dispute.made, *taken)
    if cost is not None and (dispute.ours == dispute.theirs or error == 0):  # one option, however it is written
        words = f"A rollout of {trials:,} games: {_cost_words(dispute, cost)}"
        return DisputeResult(dispute.ours, abs(cost.cost), cost.interval, trials, cost.right, words, cost)
    low, high = difference - _Z * error, difference + _Z * error
    right: Right = "ours" if low > 0 else "theirs" if high < 0 else "open"
    best = dispute.ours if difference >= 0 else dispute.theirs
    other = dispute.theirs if difference >= 0 else dispute.ours
    gap = f"{abs(difference):.3f} ± {_Z * error:.3f}"
    words = (
        f"A rollout of {trials:,} games leaves it open: {best} is ahead of {other} by {gap}."
        if right == "open"
        else f"A rollout of {trials:,} games says {best}: better than {other} by {gap}."
    )
    if cost is not None:
        sentence = _cost_words(dispute, cost)
        words = f"{words} {sentence[0].upper()}{sentence[1:]}"
    return DisputeResult(best, abs(difference), (low, high), trials, right, words, cost)


def _cost(taken: Made, cost: float, error: float) -> TakenCost:
    """Right is the judge on whose side of the middle between both the whole interval lies."""
    low, high = cost - _Z * error, cost + _Z * error
    middle = (taken.ours + taken.theirs) / 2
    more: Right = "ours" if taken.ours > taken.theirs else "theirs"
    less: Right = "theirs" if more == "ours" else "ours"
    return TakenCost(taken.option, cost, (low, high), more if low > middle else less if high < middle else "open")


def _cost_words(dispute: Dispute, cost: TakenCost) -> str:
    assert dispute.made is not None  # a cost is of an option that was taken
    ours, theirs = f"{dispute.made.ours:.3f}", f"{dispute.made.theirs:.3f}"
    wide = (cost.interval[1] - cost.interval[0]) / 2
    clause = (
        f"the option taken, {cost.option}, costs {cost.cost:.3f} ± {wide:.3f}"
        if cost.cost >= 0
        else f"the option taken, {cost.option}, gains {-cost.cost:.3f} ± {wide:.3f}"
    )
    if cost.right == "open":
        return f"{clause}; that leaves open whether our {ours} or their {theirs} comes nearer."
    near, far = (f"our {ours}", f"their {theirs}") if cost.right == "ours" else (f"their {theirs}", f"our {ours}")
    return f"{clause}; {near} comes nearer than {far}."


__all__ = ["APART", "Dispute", "LibraryError", "key_of_play", "list_unsettled", "settle", "two_judges", "verdict"]
