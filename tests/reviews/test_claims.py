"""Every sentence of explanations, of plays and of cubes, read as text and recomputed by slow code."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

import pytest
from tests.reference.slow_claims import Plays, counted, plans, shaped
from tests.reference.slow_counts import SlowCounts, ways
from tests.reference.slow_points import Score, match_chance
from tests.reviews.matches import random_match
from tests.reviews.test_reasons import check_numbers

from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.efficiency import RACE
from fullprime.engine.engine import Engine
from fullprime.reviews.decision import Decision, Kind, board_after
from fullprime.reviews.explain import explanation
from fullprime.reviews.levels import LEVELS
from fullprime.reviews.reasons.plays import pair_of
from fullprime.reviews.review import review
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.game import Game
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import VARIANTS

PLAIN = [name for name, variant in VARIANTS.items() if not variant.after_acey_deucey]
GAINED = ("wins", "gammons won", "backgammons won", "gammons lost", "backgammons lost")
GAIN = r"(\d+\.\d) % (more|fewer) (wins|(?:back)?gammons won|(?:back)?gammons lost)"


@cache
def engine_of(name: str) -> Engine:
    """An engine whose level without look-ahead asks the nets of a fast review alone, without the deeper ones."""
    nets = Engine.open(VARIANTS[name], "0-ply").searcher.evaluator.nets
    plain = {phase: net for phase, net in nets.items() if not phase.startswith("deep")}
    return Engine.open(VARIANTS[name], "0-ply", nets=plain)


@dataclass
class Told:
    """What has been met so far."""

    seen: Counter[str] = field(default_factory=Counter)
    decisions: Counter[str] = field(default_factory=Counter)


def judged(name: str, length: int, seed: int, cubes: int) -> Iterator[tuple[Decision, Game]]:
    """The decisions of a game of random plays and many doubles, at a score drawn at random."""
    rng = random.Random(seed)
    settings = Settings(variant=VARIANTS[name], length=length, jacoby=not length and bool(seed % 2))
    match = random_match(settings, seed, games=3 if length else 1, doubles=0.35)
    reviewed = replace(review(match, engine_of(name), replace(LEVELS["fast"], wrong_ply=0)), match=match)
    pairs = [(reviewed.decision, reviewed.game) for reviewed in reviewed.reviewed_decisions]
    rng.shuffle(pairs)
    # Of the cube as many as are asked for: most decisions are plays.
    yield from [pair for pair in pairs if pair[0].kind is not Kind.PLAY][:cubes]
    yield from [pair for pair in pairs if pair[0].kind is Kind.PLAY][: 40 - cubes]


def near(written: str, value: float, slack: float = 0.051) -> None:
    """A number in the words is a value of slow code, rounded; ``slack`` in units of the words."""
    assert abs(float(written) - value) <= slack, (written, value)


# -- plays ----------------------------------------------------------------------------------------------------
def check_play(counts: Told, decision: Decision, game: Game) -> None:
    sentences = explanation(decision, game)
    pair = pair_of(decision, game)
    if pair is None:
        assert not sentences.first
        assert not sentences.more
        return
    assert decision.best.moves is not None
    assert decision.played.moves is not None
    variant = game.settings.variant
    boards = [board_after(game.position, moves, variant) for moves in (decision.best.moves, decision.played.moves)]
    slow = [SlowCounts(board, variant) for board in boards]
    plays = Plays(game.position, *slow)
    for sentence in (sentences.first, *sentences.more):
        if sentence:
            left = play_sentence(plays, decision, game, named(sentence, decision))
            assert left == "", (left, sentence)
    for manner in check_numbers(pair, slow):
        plays.seen.add(f"numbers: {manner}")
    counts.seen.update(plays.seen)


def named(sentence: str, decision: Decision) -> str:
    """The plays as B and P."""
    # One verb for two points is the verb of each.
    sentence = re.sub(
        r"\b(makes|takes|keeps|holds|breaks|fills) (the (?:[\w']+ ){1,3}?point) and (?=the )",
        r"\1 \2 and \1 ",
        sentence,
    )
    # Two remarks in one pair of brackets are two in brackets of their own.
    sentence = re.sub(r"; ((?:a hit costs|the opponent h)[^()]*\))", r") (\1", sentence)
    texts = sorted(((decision.best.text, "B"), (decision.played.text, "P")), key=lambda pair: -len(pair[0]))
    for text, letter in texts:
        sentence = sentence.replace(text, letter)
    return sentence


GLUE = (
    r"Better than P is|Compared with P|which|although it|Although it|it also|It also|but it|and|yet|brings|B|[~,;:.() ]"
)


def play_sentence(plays: Plays, decision: Decision, game: Game, text: str) -> str:
    """Checks a sentence, with the concession behind it; what nobody has recomputed comes back."""
    text, _, yet = text.partition(" Yet ")
    left = play_sentence(plays, decision, game, yet) if yet and not check_yet(plays, yet) else ""
    if left:
        return left
    if plans(plays, text):
        return ""
    for check in (check_chances, check_gammons, check_turning):
        if check(plays, decision, game, text):
            return ""
    if re.match("Duplication|Diversification|A tempo|B duplicates|B diversifies|B gains a tempo", text):
        return ""  # its numbers are those of ``check_numbers``
    text = check_gains(plays, decision, text)
    text = shaped(plays, counted(plays, text))
    text = re.sub(r"With B come ~|B is ahead of P by ~|B is ahead by ~", "~", text)
    return re.sub(GLUE, "", text.replace("Although B", "~").replace("it brings", "~").replace("so that", "~"))


def check_yet(plays: Plays, text: str) -> bool:
    """Rolls that hit the better play, as against those that hit the other one."""
    hits = re.fullmatch(
        r"B (?:can be hit by (?=.*rolls)|leaves )(\d+) (?:rolls of 36|shots outside the opponent's home board),"
        r" P (?:by )?(\d+|none)(?:, but (.+))?\.",
        text,
    )
    if not hits:
        return False
    assert int(hits[1]) == ways(plays.best.shots())
    assert int(hits[2].replace("none", "0")) == ways(plays.played.shots())
    assert not hits[3] or shaped(plays, f"({hits[3]})") == "~", text
    return True


def check_gains(plays: Plays, decision: Decision, text: str) -> str:
    best, played = decision.best.chances, decision.played.chances

    def check(gain: re.Match[str]) -> str:
        assert best is not None
        assert played is not None
        at = GAINED.index(gain[3])
        near(gain[1], 100 * abs(best[at] - played[at]))
        assert (gain[2] == "more") is (best[at] > played[at]), text
        plays.seen.add("gains")
        return "~"

    # After "for" or "against" stands what is lost; before it, what is gained.
    good, *bad = re.split(rf" (?:for|against) (?={GAIN})", text, maxsplit=1)[:1] + re.findall(
        rf" (?:for|against) ({GAIN})", text
    )
    for match in re.finditer(GAIN, good):
        assert (match[2] == "more") is not match[3].endswith("lost"), text
    for claim in bad:
        assert (claim[2] == "more") is claim[3].endswith("lost"), text
    return re.sub(rf"(?: (?:for|against) )?{GAIN}", check, text)


def check_chances(plays: Plays, decision: Decision, game: Game, text: str) -> bool:
    match = re.fullmatch(r"Its chances: (.*)\.", text)
    if not match:
        return False
    names = ["wins", "gammons", "backgammons", "gammons lost", "backgammons lost"]
    assert decision.best.chances is not None
    assert decision.played.chances is not None
    for name, one, two in re.findall(r"([a-z ]+?) (\d+\.\d) % instead of (\d+\.\d) %", match[1]):
        at = names.index(name.strip())
        near(one, 100 * decision.best.chances[at])
        near(two, 100 * decision.played.chances[at])
    assert decision.best.moves is not None
    context, engine = context_of(game), engine_of(game.settings.variant.name)
    for option in (decision.best, decision.played):
        assert option.moves is not None
        assert option.chances is not None
        board = board_after(game.position, option.moves, game.settings.variant).swapped
        mine = engine.evaluate(board, context.swapped, level="0-ply").probabilities
        assert option.chances[0] == pytest.approx(1 - mine[0], abs=1e-4)
        assert option.chances[3] == pytest.approx(mine[1], abs=1e-4)
    plays.seen.add("chances")
    return True


def score_of(game: Game) -> tuple[int, int]:
    """Points that the player on roll and the other side still need."""
    points = [game.settings.length - point for point in game.score.points]
    return (points[0], points[1]) if game.on_roll is Player.X else (points[1], points[0])


def check_gammons(plays: Plays, _decision: Decision, game: Game, text: str) -> bool:
    match = re.fullmatch(
        r"At (\d+)-(\d+) to (\d+) a gammon (won|lost) counts (\d\.\d\d) of a game, 0\.50 for money\.", text
    )
    if not match:
        return False
    away = score_of(game)
    assert [int(match[3]) - int(match[1]), int(match[3]) - int(match[2])] == list(away)
    near(match[5], gammon_value(away, game.cube.value, 1 if match[4] == "won" else -1), 0.0051)
    plays.seen.add("gammon value")
    return True


def gammon_value(away: tuple[int, int], cube: int, sign: int) -> float:
    return Score(cube, False, away, 0.0, 0.0, 0.0).gammon_value(cube, sign)


def check_turning(plays: Plays, decision: Decision, game: Game, text: str) -> bool:
    rolls = re.findall(r"\b([1-6])-([1-6])\b", text)
    share = re.search(r"(\d+ %|all) of the difference\.$", text) or re.search(r"make[s]? (\d+ %|all) of", text)
    if not rolls or share is None:
        return False
    named = {Roll(int(high), int(low)) for high, low in rolls}
    context, engine = context_of(game), engine_of(game.settings.variant.name)
    parts: dict[Roll, float] = {}
    for roll in ALL_ROLLS:
        values = []
        for option in (decision.best, decision.played):
            assert option.moves is not None
            board = board_after(game.position, option.moves, game.settings.variant).swapped
            answer = engine.best_play(board, roll, context.swapped, cubeful=False, level="0-ply").after
            if answer.is_over:
                return True  # the worth of an end needs no engine; such rolls are rare
            values.append(engine.evaluate(answer.swapped, context, level="0-ply").equity)
        parts[roll] = ways({roll}) / 36 * (values[0] - values[1])
    total = sum(parts.values())
    part = sum(parts[roll] for roll in named)
    if share[1] == "all":
        assert part >= 0.99 * total
    else:
        near(share[1].split()[0], 100 * part / total, 1.0)
    assert all(parts[roll] > 0 for roll in named)
    if "hits only after" in text or "hit only after" in text:
        assert named <= plays.played.shots()
        assert not named & plays.best.hits()
        plays.seen.add("turning rolls that hit")
    plays.seen.add("turning rolls")
    return True


# -- cubes ----------------------------------------------------------------------------------------------------
@dataclass
class Cube:
    """A cube decision with what slow code knows of it."""

    decision: Decision
    game: Game
    score: Score
    slow: SlowCounts
    seen: set[str] = field(default_factory=set)


def cube_of(decision: Decision, game: Game) -> Cube:
    assert decision.cube is not None
    win, gammon, _, lost, _ = decision.cube.chances
    away = score_of(game) if game.settings.is_match else None
    score = Score(
        game.cube.value, game.cube.owner is not None, away,
        min(1.0, gammon / win) if win else 0.0, min(1.0, lost / (1 - win)) if win < 1 else 0.0,
        efficiency(game.position), jacoby=bool(game.settings.jacoby) and away is None,
    )  # fmt: skip
    return Cube(decision, game, score, SlowCounts(game.position, game.settings.variant))


def pips(row: tuple[int, ...]) -> int:
    return sum(slot * row[slot] for slot in range(26)) + 25 * row[26]  # a checker in hand has the whole way to go


def efficiency(position: Position) -> float:
    own = max((slot for slot in range(26) if position.player[slot]), default=0)
    other = max((slot for slot in range(26) if position.opponent[slot]), default=0)
    if own + other > 24 or position.player[26] or position.opponent[26]:
        return 0.68
    length = pips(position.player)
    if length <= RACE[0][0]:
        return RACE[0][1]
    for (low, one), (high, two) in pairwise(RACE):
        if length <= high:
            return one + (two - one) * (length - low) / (high - low)
    return RACE[-1][1]


def check_cube(counts: Told, decision: Decision, game: Game) -> None:
    sentences = explanation(decision, game)
    if not sentences.first:
        return
    cube = cube_of(decision, game)
    check_figures(cube)
    for sentence in (sentences.first, *sentences.more):
        cube_sentence(cube, sentence)
    counts.seen.update(cube.seen)


def check_figures(cube: Cube) -> None:
    """The figures of the decision are those of the engine asked about this one board."""
    figures, context = cube.decision.cube, context_of(cube.game)
    assert figures is not None
    decision = engine_of(cube.game.settings.variant.name).cube_decision(cube.game.position, context, level="0-ply")
    assert figures.no_double == pytest.approx(decision.no_double, abs=1e-3)
    assert figures.double_take == pytest.approx(decision.double_take, abs=1e-3)
    assert figures.chances[0] == pytest.approx(decision.probabilities[0], abs=1e-4)


P, E = r"(\d+\.\d) %", r"(-?\d+\.\d{3})"
WHY = r"(?:(?:: | with | against )(?P<why>.+?))?"
LOST = (
    r"(?:; (?:after (?P<l1>\d+) % of the next exchanges it would be a drop|(?P<l2>\d+) % of the next exchanges lose the"
    r" market|waiting loses the market (?P<l3>\d+) % of the time|only (?P<l4>\d+) % of the next exchanges lose the"
    r" market|(?P<l5>hardly any) of the next exchanges lose the market))?"
)
STAYS = r"(?: \(the opponent has (?P<why>.+)\))?"
GAMMONS = r"(?:, as (?P<gammons>\d+\.\d) % of the losses are gammons)?"
D = "(?:re)?double"
CHECKERS = r"(?:a checker|\d+ checkers)"
FORMS: list[tuple[str, str, str]] = [
    ("from", "{point}{win}", rf"A {D} is right from {P}, and this is {P}{WHY}{LOST}\."),
    ("from", "{win}{point}", rf"With {P} to win this is past the point of doubling \({P}\){WHY}{LOST}\."),
    ("from", "{win}{point}", rf"{P} against {P} needed to {D}{WHY}{LOST}\."),
    ("gain", "{gain}", rf"A {D} gains {E} over waiting{WHY}{LOST}\."),
    ("cash", "{have}{need}", rf"The opponent has {P} and needs {P} to take{WHY}: the {D} wins at once\."),
    ("cash", "{have}{need}", rf"A {D} ends it here: {P} is less than the {P} that a take needs{WHY}\."),
    ("cash", "{have}{need}", rf"{P} is no take{WHY} where {P} are needed: {D} and win\."),
    ("on", "{waiting}{short}", rf"Playing on is worth {E}, {E} less than the 1 of a drop\."),
    ("good", "{waiting}{share}", rf"Playing on is worth {E}, more than the 1 of a drop: {P} of the games won are gammons\."),  # noqa: E501
    ("good", "{share}{waiting}", rf"Too good: {P} gammons among the wins make playing on worth {E}\."),
    ("good", "{share}{waiting}", rf"A drop would pay 1, playing for the gammon \({P} of the wins\) {E}\."),
    ("early", "{win}{point}", rf"{P} is short of the {P} that a {D} needs{STAYS}{LOST}\."),
    ("early", "{point}{win}", rf"Too early: a {D} is right from {P}, this is {P}{STAYS}{LOST}\."),
    ("early", "{point}{win}", rf"The {D} needs {P} and has {P}{STAYS}{LOST}\."),
    ("gives", "{cost}", rf"The {D} gives the cube away and costs {E}{STAYS}{LOST}\."),
    ("drop", "{need}{have}", rf"A take needs {P}{GAMMONS}, and there are {P}(?: against (?P<why>.+))?\."),
    ("drop", "{have}{need}", rf"{P} is too little(?: against (?P<why>.+?))?: a take needs {P}{GAMMONS}\."),
    ("drop", "{have}{gap}{need}", rf"With {P} to win(?: against (?P<why>.+?))? a take is (\d+\.\d) % short of the {P} needed{GAMMONS}\."),  # noqa: E501
    ("take", "{need}{have}", rf"A take needs {P}, and there are {P}(?: with (?P<why>.+))?\."),
    ("take", "{have}{need}", rf"{P} is enough(?: with (?P<why>.+?))?: a take needs {P}\."),
    ("take", "{have}{gap}{need}", rf"With {P} to win a take is (\d+\.\d) % above the {P} needed(?:, with (?P<why>.+))?\."),  # noqa: E501
]  # fmt: skip


def cube_sentence(cube: Cube, text: str) -> None:
    figures = cube.decision.cube
    assert figures is not None
    if check_more(cube, text):
        return
    best = "take" if cube.decision.best.text == "take" else "drop" if cube.decision.kind is Kind.TAKE else ""
    for kind, order, form in FORMS:
        match = re.fullmatch(form, text)
        if not match or (best and kind != best):
            continue
        values = [group for group in match.groups() if group is not None and re.fullmatch(r"-?\d+\.\d+", group)]
        if match.groupdict().get("gammons"):
            values.remove(match["gammons"])
            near(match["gammons"], 100 * cube.score.gammons)
        check_values(cube, kind, re.findall(r"\w+", order), values)
        groups = match.groupdict()
        lost = next((groups[name] for name in ("l1", "l2", "l3", "l4") if groups.get(name)), None)
        if groups.get("l5"):
            lost = "0"
        if lost is not None:
            near(lost, 100 * slow_losers(cube), 0.501)
            cube.seen.add("market losers")
        if groups.get("why"):
            for part in groups["why"].split(" and "):
                check_board(cube, part, doubler=kind in ("from", "gain", "cash", "drop"))
        cube.seen.add(f"cube: {kind}")
        return
    raise AssertionError(f"nobody has recomputed {text!r}")


def check_values(cube: Cube, kind: str, order: list[str], values: list[str]) -> None:
    figures, score = cube.decision.cube, cube.score
    assert figures is not None
    win = figures.chances[0]
    point, need = score.doubles_from(), score.take_point()
    assert len(order) == len(values), (order, values)
    for name, value_text in zip(order, values, strict=True):
        match name:
            case "win":
                near(value_text, 100 * win)
            case "have":
                near(value_text, 100 * (1 - win))
            case "point":
                assert point is not None
                near(value_text, 100 * point, 0.21)
            case "need":
                assert need is not None
                near(value_text, 100 * need, 0.21)
            case "gap":
                assert need is not None
                near(value_text, 100 * abs(1 - win - need), 0.26)
            case "share":
                near(value_text, 100 * score.gammons)
            case _:
                value = {
                    "gain": figures.double_take - figures.no_double,
                    "waiting": figures.no_double,
                    "short": 1 - figures.no_double,
                    "cost": figures.no_double - min(figures.double_take, 1.0),
                }[name]
                near(value_text, value, 0.0011)
                assert name == "waiting" or value > 0
    assert kind != "from" or (point is not None and win > point)
    assert kind != "early" or (point is not None and win < point)
    assert kind not in ("cash", "drop") or (need is not None and 1 - win < need)
    assert kind != "take" or (need is not None and 1 - win > need)
    assert kind != "good" or figures.no_double > 1


def check_more(cube: Cube, text: str) -> bool:
    figures, score, game = cube.decision.cube, cube.score, cube.game
    assert figures is not None
    if match := re.fullmatch(r"Proper is (.+); taking is (right|wrong) by (\d+\.\d{3})\.", text):
        assert (match[2] == "right") is (figures.double_take < 1)
        near(match[3], abs(1 - figures.double_take), 0.0011)
        action = engine_of(game.settings.variant.name).cube_decision(game.position, context_of(game), level="0-ply")
        assert match[1] == action.verdict
        cube.seen.add("cube: proper")
    elif match := re.fullmatch(
        r"At (\d+)-(\d+) to (\d+) a gammon (won|lost) with the turned cube counts (\d\.\d\d) of a game, 0\.50 for money\.",  # noqa: E501
        text,
    ):
        assert score.away is not None
        taking = cube.decision.kind is Kind.TAKE
        mine, theirs = (int(match[3]) - int(match[at]) for at in (1, 2))
        assert ((theirs, mine) if taking else (mine, theirs)) == score.away
        assert (match[4] == "lost") is taking
        near(match[5], score.gammon_value(2 * score.cube), 0.0051)
        cube.seen.add("cube: gammon value")
    elif match := re.fullmatch(rf"The take point is {P} here, for money {P}\.", text):
        here, money = score.take_point(), replace(score, away=None, cube=1, owned=False).take_point()
        assert here is not None
        assert money is not None
        near(match[1], 100 * here, 0.21)
        near(match[2], 100 * money, 0.21)
        cube.seen.add("cube: money beside it")
    elif match := re.fullmatch(
        rf"The opponent needs one point, so that the {D} risks nothing: it is due at once with (\d+) to go\."
        rf"|With (\d+) points to go against one a {D} can only gain\.",
        text,
    ):
        assert score.away == (int(match[1] or match[2]), 1)
        assert match_chance(score.away[0], 1 - score.cube, crawford_played=True) == 0  # a game lost loses all anyway
        cube.seen.add("cube: trailer")
    else:
        return False
    return True


def check_board(cube: Cube, text: str, *, doubler: bool) -> None:
    """A fact of the board before the roll; ``doubler``: it speaks for the player who could double."""
    position, slow = cube.game.position, cube.slow
    own, other = position.player, position.opponent
    lead = pips(other) - pips(own)
    points = sum(own[point] >= 2 for point in range(1, 7))
    counts = [int(number) for number in re.findall(r"\d+", text)]
    taking = cube.decision.kind is Kind.TAKE
    name = "board"
    if re.fullmatch(r"a lead of \d+ pips with \d+ to go", text):
        assert counts == [abs(lead), min(pips(own), pips(other))]
        assert (lead > 0) is doubler
    elif re.fullmatch(r"a lead of \d+ pips?|\d+ pips? fewer to go", text):
        assert counts == [abs(lead)]
        assert (lead > 0) is doubler
    elif re.fullmatch(rf"{CHECKERS}(?: held)? on the bar", text):
        assert (counts or [1]) == [other[25]]
    elif re.fullmatch(rf"(?:\d+ points in a row|a prime of \d+) in front of {CHECKERS}", text):
        length, behind = (*counts, 1)[:2]
        lows = [low for low in range(1, 26 - length) if all(own[low + step] >= 2 for step in range(length))]
        assert any(slow.behind(low) == behind for low in lows)
        assert length == slow.run()
        name = "prime"
    elif re.fullmatch(r"\d+ rolls that hit|\d+ shots of 36", text):
        assert counts[0] == ways(slow.strikes()) == ways(slow.own_shots())
    elif re.fullmatch(r"\d+ shots outside the home board", text):
        assert counts[0] == ways(slow.own_shots()) < ways(slow.strikes())
    elif re.fullmatch(r"(?:the anchor|a safe place) on the (opponent's bar|\d+|bar|ace) point", text):
        named = text.split(" on the ")[1]
        at = {"opponent's bar point": 18, "bar point": 7, "ace point": 1}.get(named) or counts[0]
        assert other[at if taking else 25 - at] >= 2
    elif re.fullmatch(r"\d+ points at home|a \d+-point board|only a [12]-point board (?:to enter|against it)", text):
        assert counts == [points]
    elif text == "an open home board to enter":
        assert not points
    elif text in ("nothing to be hit", "no blot in reach"):
        assert not slow.strikes()
    else:
        raise AssertionError(f"nobody has recomputed {text!r}")
    cube.seen.add(f"cube fact: {name}")


def slow_losers(cube: Cube) -> float:
    """Exchange by exchange, the engine asked about one board after the other."""
    engine, context = engine_of(cube.game.settings.variant.name), context_of(cube.game)
    lost = 0
    for mine in ALL_ROLLS:
        first = engine.best_play(cube.game.position, mine, context, cubeful=False, level="fast").after
        if first.is_over:
            lost += 36 * ways({mine})
            continue
        for theirs in ALL_ROLLS:
            then = engine.best_play(first.swapped, theirs, context.swapped, cubeful=False, level="fast").after
            if not then.is_over:
                double = engine.cube_decision(then.swapped, context, level="fast").double_take
                assert double is not None
                lost += ways({mine}) * ways({theirs}) * (double > 1.0)
    return lost / 1296


def check_all(number: int, names: list[str], seed: int, cubes: int, first: int = 0) -> Told:
    """So many decisions of games for money and of matches, sentence by sentence."""
    counts, game = Told(), first
    while sum(counts.decisions.values()) < number:
        name = names[game % len(names)]
        length = 0 if VARIANTS[name].after_acey_deucey else (0, 3, 5, 7)[game // len(names) % 4]
        for decision, before in judged(name, length, seed + game, cubes):
            is_cube = decision.kind in (Kind.DOUBLE, Kind.TAKE) and decision.cube is not None
            if decision.kind is not Kind.PLAY and not is_cube:
                continue
            try:
                (check_cube if is_cube else check_play)(counts, decision, before)
            except AssertionError as error:
                error.add_note(f"{name}, {length} points, game {game}, seed {seed}: {before.position}, {before.score}")
                raise
            counts.decisions[f"{name} {'play' if decision.kind is Kind.PLAY else 'cube'}"] += 1
        game += 1
    return counts


@pytest.mark.broad
def test_a_few_explanations_claim_nothing_that_slow_code_does_not() -> None:
    counts = check_all(12, ["backgammon", "dutch"], 1, 5)
    assert len(counts.seen) >= 12


MET = {
    "stays out", "shots", "risk", "stack", "returns", "escapes", "blocks", "hit twice", "duel", "prime", "back",
    "builders", "makes", "keeps", "hits", "deep", "cheap", "plans", "gains", "chances", "gammon value",
    "turning rolls", "turning rolls that hit", "numbers: tempo", "market losers", "cube: from", "cube: early",
    "cube: cash", "cube: good", "cube: take", "cube: drop", "cube: proper", "cube: gammon value",
    "cube: money beside it", "cube fact: board",
}  # fmt: skip
"""Kinds of claims that a thousand decisions of random plays make; of the rest see ``test_reasons``."""


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_explanations_claim_nothing_that_slow_code_does_not() -> None:
    counts = check_all(1000, ["backgammon", *PLAIN], 100, 20)
    assert {name.split()[0] for name in counts.decisions} == set(PLAIN)
    assert set(counts.seen) >= MET, MET - set(counts.seen)
