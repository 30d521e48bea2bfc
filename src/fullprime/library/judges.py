"""Two judges: the verdicts of another program in a file beside ours, and rollouts where they differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from fullprime.analysis.rollouts import RolloutOptions, roll_out
from fullprime.formats import Document
from fullprime.formats.analysis import CubeAnalysis, EventAnalysis, PlayAnalysis
from fullprime.formats.recording.units import to_points
from fullprime.library.fields import CostJson, JudgeJson, SettledJson, TwoJudges
from fullprime.library.places import LibraryError, game_at, opening_address
from fullprime.library.service import LibraryStore
from fullprime.library.store.moments import moments_of
from fullprime.library.store.settled import Dispute, Made, settled_of, store_settled
from fullprime.reviews.decision import Decision, Kind
from fullprime.reviews.match_facts import steps
from fullprime.reviews.review import Review
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import CheckerMove

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
        """How far apart the two are: about the option taken, or about each other's best."""
        found = [each for each in (self.ours_costs, self.theirs_costs_us) if each is not None]
        if self.loss is not None:
            found.append(abs(self.loss - decision.loss))
        return max(found, default=0.0)


def two_judges(store: LibraryStore, number: int, *, every: bool = False) -> tuple[list[TwoJudges], int, str | None]:
    """The decisions of a match on which both judges differ by more than APART, or ``every`` one that both have judged,
    those first on which they differ most; the number of those that both have judged; and the other program.

    Raises LibraryError.
    """
    document = store.document(number)
    if document.review is None:
        return [], 0, None
    review = next((each for each in store.reviews(number) if each.complete), None)
    program = document.review.program
    if review is None or program.lower().startswith(_OWN):
        return [], 0, program
    pairs = list(_pairs(document, review))
    rolled = settled_of(store, number)
    moments = moments_of(store, ((number, each.game, each.event) for each, _ in pairs))
    apart = sorted(((verdict.difference(each), each, verdict) for each, verdict in pairs), key=lambda one: -one[0])
    found = []
    for difference, decision, verdict in apart:
        if difference <= APART and not every:
            break
        # The nets stand behind the name of our program: they are the review's, and no name to read twenty times.
        ours: JudgeJson = {
            "program": review.program.split(",")[0], "level": review.level, "best": decision.best.text,
            "loss": decision.loss, "other": _worth_saying(verdict.theirs_costs_us),
        }  # fmt: skip
        theirs: JudgeJson = {
            "program": program, "level": verdict.level, "best": verdict.best, "loss": verdict.loss,
            "other": _worth_saying(verdict.ours_costs),
        }  # fmt: skip
        one: TwoJudges = {
            "game": decision.game + 1, "event": decision.event + 1,
            "move": moments[number, decision.game, decision.event].move, "player": decision.player.name,
            "kind": str(decision.kind), "played": decision.played.text, "ours": ours, "theirs": theirs,
            "dice": None if decision.dice is None else [decision.dice.high, decision.dice.low],
            "difference": round(difference, 4),
            "address": opening_address(number, decision.game + 1, decision.event + 1),
        }  # fmt: skip
        known = rolled.get((decision.game, decision.event))
        if known is not None and _settles(known, one):
            one["settled"] = known.result
        found.append(one)
    return found, len(pairs), program


def _settles(known: Dispute, one: TwoJudges) -> bool:
    """True if a rollout that was kept is about these verdicts, and about all on which they differ."""
    ours, theirs = one["ours"]["best"], one["theirs"]["best"]
    if (known.ours, known.theirs) != (ours, theirs):
        return False
    return _made(one) is None or (ours != theirs if known.result is None else "made" in known.result)


def _made(one: TwoJudges) -> Made | None:
    """The option taken, where it is neither's best and the judges differ about its cost."""
    ours, theirs = one["ours"]["loss"], one["theirs"]["loss"]
    if ours is None or theirs is None or abs(ours - theirs) <= APART:
        return None
    taken = {one["played"], _word(one["played"])}
    best = (one["ours"]["best"], one["theirs"]["best"])
    return None if any(taken & {each, _word(each)} for each in best) else Made(one["played"], ours, theirs)


def _worth_saying(loss: float | None) -> float | None:
    """What the other judge's best costs; None where both have the same best."""
    return loss if loss is not None and loss >= _LEAST else None


def _pairs(document: Document, review: Review) -> Iterator[tuple[Decision, _Verdict]]:
    if document.review is None:
        return
    events, before = document.review.events, _Games(document)
    for decision in review.decisions:
        here = (decision.game, decision.event)
        said = events.get(here, EventAnalysis())
        verdict = None
        if decision.kind is Kind.PLAY and said.play is not None:
            verdict = _of_play(decision, before.play_in_points(here, said.play), said.error)
        elif decision.kind in (Kind.DOUBLE, Kind.TAKE):
            earlier = events.get((decision.game, decision.event - 1), EventAnalysis())
            cube = said.cube or (earlier.cube if decision.kind is Kind.TAKE else None)
            verdict = None if cube is None else _of_cube(decision, before.cube_in_points(here, cube), said.error)
        if verdict is not None:
            yield decision, verdict


class _Games:
    """The games before the events of a match, by which chances to win the match become points of equity."""

    def __init__(self, document: Document) -> None:
        self._games = document.match.games
        self._known: dict[int, dict[int, Game]] = {}

    def _before(self, at: tuple[int, int]) -> Game | None:
        number, event = at
        if number not in self._known:
            self._known[number] = {step.number: step.before for step in steps(self._games[number])}
        return self._known[number].get(event)

    def play_in_points(self, at: tuple[int, int], said: PlayAnalysis) -> PlayAnalysis:
        """The analysis of a play in points, or as it is where its unit cannot be turned into them."""
        game = None if said.unit == "points" else self._before(at)
        if game is None:
            return said
        equities = [None if each.equity is None else to_points(each.equity, game) for each in said.candidates]
        if any(
            equity is None and each.equity is not None for equity, each in zip(equities, said.candidates, strict=True)
        ):
            return said
        told = (replace(each, equity=equity) for each, equity in zip(said.candidates, equities, strict=True))
        return replace(said, candidates=tuple(told), unit="points")

    def cube_in_points(self, at: tuple[int, int], said: CubeAnalysis) -> CubeAnalysis:
        """The same for the cube. A double that is dropped wins one point of the cube before it."""
        if said.unit == "points":
            return said if said.double_pass is not None else replace(said, double_pass=1.0)
        game = self._before(at)
        stay, take = said.no_double, said.double_take
        taken = None if game is None or take is None else to_points(take, game)
        if game is None or taken is None:
            return said
        stay = None if stay is None else to_points(stay, game)
        return replace(said, no_double=stay, double_take=taken, double_pass=1.0, unit="points")


def _of_play(decision: Decision, said: PlayAnalysis, error: float | None) -> _Verdict | None:
    candidates = [each for each in said.candidates if each.moves is not None]
    if not candidates:
        return None
    points = said.unit == "points"
    best = max(candidates, key=lambda each: -math.inf if each.equity is None else each.equity)
    if best.equity is None:
        best = candidates[0]
    keys = {key_of_play(each.moves): each for each in candidates}
    mine = keys.get(key_of_play(decision.best.moves))

    def cost(equity: float | None) -> float | None:
        return max(0.0, best.equity - equity) if points and best.equity is not None and equity is not None else None

    made = keys.get(key_of_play(decision.played.moves))
    loss = cost(made.equity) if made is not None else None
    looked = next((each for each in decision.options if key_of_play(each.moves) == key_of_play(best.moves)), None)
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


def _of_cube(decision: Decision, said: CubeAnalysis, error: float | None) -> _Verdict | None:
    stay, take, drop = said.no_double, said.double_take, said.double_pass
    if take is None or drop is None or (stay is None and decision.kind is Kind.DOUBLE):
        return None
    if decision.kind is Kind.TAKE:
        worth = {"take": -take, "drop": -drop}
    else:
        worth = {"no double": stay if stay is not None else 0.0, "double": min(take, drop)}
    best = max(worth, key=lambda word: worth[word])
    made, mine = _word(decision.played.text), _word(decision.best.text)
    points = said.unit == "points"
    loss = worth[best] - worth[made] if points and made in worth else error
    ours_costs = worth[best] - worth[mine] if points and mine in worth else None
    looked = next((each.loss for each in decision.options if _word(each.text) == best), None)
    return _Verdict(best, loss, ours_costs, said.level, looked)


def _word(text: str) -> str:
    """An action with the cube without its details: a beaver is a take here."""
    first = text.lower().replace("redouble", "double").split(",")[0].strip()
    return {"beaver": "take", "pass": "drop", "roll": "no double"}.get(first, first)


# -- rollouts --------------------------------------------------------------------------------------------------------
def unsettled(store: LibraryStore, number: int) -> list[Dispute]:
    """The decisions of a match on which the judges differ, and which no rollout has settled yet."""
    found, _, _ = two_judges(store, number)
    return [
        Dispute(
            number, each["game"] - 1, each["event"] - 1, each["ours"]["best"], each["theirs"]["best"], made=_made(each)
        )
        for each in found
        if "settled" not in each
    ]


def settle(store: LibraryStore, dispute: Dispute, stop: Stop | None = None, *, trials: int = _TRIALS) -> bool:
    """Roll the two options out and store the verdict; False if it was stopped before its end."""
    result: SettledJson | None
    try:
        game = game_at(store.document(dispute.match).match, dispute.game, dispute.event)
        result = _rolled(game, dispute, stop, trials)
    except FullprimeError:
        if stop is not None and stop():
            return False
        result = None
    if result is None and stop is not None and stop():
        return False
    store_settled(store, replace(dispute, result=result))
    return True


def _rolled(game: Game, dispute: Dispute, stop: Stop | None, trials: int) -> SettledJson | None:
    options = RolloutOptions(trials=trials, threads=1, apart=3.0, cubeful=bool(game.settings.variant.cube))
    if game.dice is not None:
        return _plays_rolled(game, game.dice, dispute, options, stop)
    doubling = game if game.phase is not Phase.DOUBLE_OFFERED else _undoubled(game)
    result = roll_out(doubling, options, stop=stop)
    if not result.complete and stop is not None and stop():
        return None
    found = result.decision
    if found.double_take is None or found.double_drop is None:
        return None
    errors = {each.action: each.cubeful_error or each.cubeless_error for each in result.rolled}
    error = math.sqrt(sum(each * each for each in errors.values()))
    if game.phase is Phase.DOUBLE_OFFERED:
        worth = {"take": -found.double_take, "drop": -found.double_drop}
    else:
        worth = {"no double": found.no_double, "double": min(found.double_take, found.double_drop)}
    ours, theirs = _word(dispute.ours), _word(dispute.theirs)
    if ours not in worth or theirs not in worth:
        return None
    if ours != theirs:
        return verdict(dispute, worth[ours] - worth[theirs], error, result.trials)
    made = None if dispute.made is None else _word(dispute.made.option)
    if made is None or made not in worth:
        return None
    return verdict(dispute, 0.0, 0.0, result.trials, (worth[ours] - worth[made], error))


def _plays_rolled(
    game: Game, dice: Roll, dispute: Dispute, options: RolloutOptions, stop: Stop | None
) -> SettledJson | None:
    """Both judges' plays, and the one made where they differ about its cost, by the same throws."""
    variant, texts = game.settings.variant, [dispute.ours, dispute.theirs]
    if dispute.made is not None:
        texts.append(dispute.made.option)
    boards = [read_play(text, game.position, dice, variant).after for text in texts]
    places = [boards.index(each) for each in boards]
    chosen = sorted(set(places))
    if len(chosen) == 1:
        return None
    result = roll_out(game, options, plays=[texts[each] for each in chosen], stop=stop)
    if not result.complete and result.trials < options.trials and stop is not None and stop():
        return None
    rolled = [result.of(chosen.index(each)) for each in places]
    first, second = rolled[:2]
    made = None
    if dispute.made is not None:
        best = max(first, second, key=lambda each: each.equity)
        made = best.equity - rolled[2].equity, max(best.loss_error, rolled[2].loss_error)
    if places[0] == places[1] and made is None:
        return None
    return verdict(
        dispute, first.equity - second.equity, max(first.loss_error, second.loss_error), result.trials, made
    )  # fmt: skip


def _undoubled(game: Game) -> Game:
    """The game before the double that waits for its answer."""
    return replace(game, phase=Phase.CUBE_DECISION, cube=replace(game.cube, offered=None))


def verdict(
    dispute: Dispute, difference: float, error: float, trials: int, made: tuple[float, float] | None = None
) -> SettledJson:
    """The verdict: ``difference`` is our option's equity less theirs; ``made``: the cost of the option taken, and the
    error of that.
    """
    cost = None if made is None or dispute.made is None else _cost(dispute.made, *made)
    if cost is not None and (dispute.ours == dispute.theirs or error == 0):  # one option, however it is written
        words = f"A rollout of {trials:,} games: {_cost_words(dispute, cost)}"
        return {
            "best": dispute.ours, "difference": abs(cost["cost"]), "interval": cost["interval"], "trials": trials,
            "right": cost["right"], "words": words, "made": cost,
        }  # fmt: skip
    low, high = difference - _Z * error, difference + _Z * error
    right = "ours" if low > 0 else "theirs" if high < 0 else "open"
    best = dispute.ours if difference >= 0 else dispute.theirs
    other = dispute.theirs if difference >= 0 else dispute.ours
    gap = f"{abs(difference):.3f} ± {_Z * error:.3f}"
    words = (
        f"A rollout of {trials:,} games leaves it open: {best} is ahead of {other} by {gap}."
        if right == "open"
        else f"A rollout of {trials:,} games says {best}: better than {other} by {gap}."
    )
    found: SettledJson = {
        "best": best, "difference": round(abs(difference), 4), "interval": [round(low, 4), round(high, 4)],
        "trials": trials, "right": right, "words": words,
    }  # fmt: skip
    if cost is not None:
        told = _cost_words(dispute, cost)
        found["made"], found["words"] = cost, f"{words} {told[0].upper()}{told[1:]}"
    return found


def _cost(made: Made, cost: float, error: float) -> CostJson:
    """Right is the judge on whose side of the middle between both the whole interval lies."""
    low, high = cost - _Z * error, cost + _Z * error
    middle, more = (made.ours + made.theirs) / 2, "ours" if made.ours > made.theirs else "theirs"
    less = "theirs" if more == "ours" else "ours"
    right = more if low > middle else less if high < middle else "open"
    return {
        "option": made.option, "cost": round(cost, 4), "interval": [round(low, 4), round(high, 4)], "right": right,
    }  # fmt: skip


def _cost_words(dispute: Dispute, cost: CostJson) -> str:
    assert dispute.made is not None  # a cost is of an option that was taken
    ours, theirs = f"{dispute.made.ours:.3f}", f"{dispute.made.theirs:.3f}"
    wide = (cost["interval"][1] - cost["interval"][0]) / 2
    said = (
        f"the option taken, {cost['option']}, costs {cost['cost']:.3f} ± {wide:.3f}"
        if cost["cost"] >= 0
        else f"the option taken, {cost['option']}, gains {-cost['cost']:.3f} ± {wide:.3f}"
    )
    if cost["right"] == "open":
        return f"{said}; that leaves open whether our {ours} or their {theirs} comes nearer."
    near, far = (f"our {ours}", f"their {theirs}") if cost["right"] == "ours" else (f"their {theirs}", f"our {ours}")
    return f"{said}; {near} comes nearer than {far}."


__all__ = ["APART", "Dispute", "LibraryError", "key_of_play", "settle", "two_judges", "unsettled", "verdict"]
