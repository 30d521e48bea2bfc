"""The news of a table: words for people, and the facts behind them (``events`` has the fields of each kind)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from fullprime.app.table import rulings
from fullprime.app.table.events import SIDES, Event, GameResult, Side
from fullprime.app.table.scorecard import worth_words
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.record import Setup
from fullprime.rules.score import LEVEL_NAMES, Player, Result, Score, Settings

_OFFERS: Mapping[ActionKind, Literal["double", "beaver", "raccoon"]] = {
    ActionKind.DOUBLE: "double",
    ActionKind.BEAVER: "beaver",
    ActionKind.RACCOON: "raccoon",
}
_BEFORE = {
    Phase.CUBE_DECISION: "before the roll",
    Phase.DOUBLE_OFFERED: "the offer of the cube",
    Phase.RESIGNATION_OFFERED: "the offer to resign",
}


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened, or that was asked for."""

    json: Event
    """The same as JSON values: its kind, its words, the side that did it, and the facts of its kind."""

    @property
    def kind(self) -> str:
        """The kind: ``roll``, ``play``, ``double`` … ``game_over``, ``info``."""
        return self.json["kind"]

    @property
    def text(self) -> str:
        """The event in words."""
        return self.json["text"]

    @property
    def player(self) -> Player | None:
        """The side that did it or that it concerns."""
        name = self.json["player"]
        return None if name is None else Player[name]


def says(name: str, verb: str, rest: str = "") -> str:
    """``You roll 31`` or ``Ann rolls 31``."""
    return f"{name} {verb if name == 'You' else verb + 's'}{' ' + rest if rest else ''}"


def describe(before: Game, action: Action, after: Game, names: tuple[str, str], automatic: bool = False) -> Happening:
    """An action in words, with its facts. Raises IllegalAction for one that this game does not have."""
    kind, player = action.kind, before.turn
    if kind is ActionKind.OPENING:
        return _opening(before, action, after, names)
    if player is None:
        raise IllegalAction(f"there is no {kind} while nobody has the turn")
    side, name = SIDES[player], names[player]
    match kind:
        case ActionKind.ROLL:
            dice = _dice(action)
            text = says(name, "roll", f"{dice[0]}{dice[1]}") + _raised(before, after)
            return Happening({"kind": "roll", "player": side, "text": text, "dice": dice})
        case ActionKind.PLAY:
            return _play(before, action, side, name, automatic)
        case ActionKind.CHOOSE:
            if action.number is None:
                raise IllegalAction("a double is chosen by its number, 1 to 6, not by None")
            text = says(name, "choose", f"double {action.number}s")
            return Happening({"kind": "choose", "player": side, "text": text, "number": action.number})
        case ActionKind.DOUBLE | ActionKind.BEAVER | ActionKind.RACCOON:
            verb = "redouble" if kind is ActionKind.DOUBLE and before.cube.turned else str(kind)
            text, offered = says(name, verb, f"to {after.cube.offered}"), after.cube.offered
            return Happening({"kind": _OFFERS[kind], "player": side, "text": text, "offered": offered})
        case ActionKind.TAKE:
            owner, value = after.cube.owner, after.cube.value
            holds = f"{says(names[owner], 'hold')} the cube at {value}" if owner is not None else ""
            return Happening({"kind": "take", "player": side, "text": f"{says(name, 'take')}; {holds}", "cube": value})
        case ActionKind.RESIGN:
            text = says(name, "offer", f"to resign{_level(before.settings, action.number)}")
            return Happening({"kind": "resign", "player": side, "text": text, "level": action.number})
        case ActionKind.ACCEPT:
            return Happening({"kind": "accept", "player": side, "text": says(name, "accept", "the resignation")})
        case ActionKind.REFUSE:
            return Happening({"kind": "refuse", "player": side, "text": says(name, "refuse", "the resignation")})
        case ActionKind.DROP:
            return Happening({"kind": "drop", "player": side, "text": says(name, "drop")})


def describe_ruling(setup: Setup, names: tuple[str, str]) -> Happening | None:
    """A takeback or a forfeit in words; None for another set-up."""
    kept, loser = rulings.kept_by(setup), rulings.forfeited_by(setup)
    if kept is not None:
        player, dice = setup.game.turn, setup.game.dice
        who = says(names[player], "take") + " the game" if player is not None else "The game is taken"
        where = f"the roll {dice}" if dice is not None else _BEFORE.get(setup.game.phase, "an earlier moment")
        side = None if player is None else SIDES[player]
        return Happening({"kind": "takeback", "player": side, "text": f"{who} back to {where}", "kept": kept})
    if loser is not None and setup.game.result is not None:
        how = setup.game.result.how
        why = {rulings.ON_TIME: "Out of time", rulings.BY_LEAVING: "Left and lost"}.get(how, "Gone for too long")
        return Happening({"kind": "forfeit", "player": SIDES[loser], "text": f"{why}: {names[loser]}", "how": how})
    return None


def _opening(before: Game, action: Action, after: Game, names: tuple[str, str]) -> Happening:
    x_die, o_die = dice = _dice(action)
    times = after.multiplier
    thrown = f"Opening roll: {says(names[0], 'throw', str(x_die))}, {says(names[1], 'throw', str(o_die))}"
    if after.phase is Phase.OPENING_ROLL:
        again = "a tie" if x_die == o_die else "a 2-1 does not count"
        text = f"{thrown}: {again}, thrown again" + _raised(before, after)
        return Happening({"kind": "tie", "player": None, "text": text, "dice": dice, "multiplier": times})
    first = after.on_roll
    text = f"{thrown}; {says(names[first], 'begin')}" + _raised(before, after)
    return Happening({"kind": "opening", "player": SIDES[first], "text": text, "dice": dice, "multiplier": times})


def _dice(action: Action) -> list[int]:
    if action.dice is None:
        raise IllegalAction(f"a throw ({action.kind}) has two dice, not None")
    return list(action.dice)


def _play(before: Game, action: Action, side: Side, name: str, automatic: bool) -> Happening:
    dice = before.dice
    if dice is None:
        raise IllegalAction(f"there is no roll to play as {format_play(action.moves)}")
    play = format_play(action.moves)
    if not action.moves:
        text = f"{name} cannot move: {dice} has no legal play"
    else:
        text = says(name, "play", f"{dice}: {play}") + (" (the only legal play)" if automatic else "")
    numbers = [dice.high, dice.low]
    return Happening({
        "kind": "play", "player": side, "text": text, "play": play, "dice": numbers, "automatic": automatic,
    })  # fmt: skip


def game_over(final: Game, result: Result, score: tuple[int, int], names: tuple[str, str]) -> Happening:
    """The end of a game in words, with its result and the score after it; for money how its worth comes about."""
    settings = final.settings
    points = "1 point" if result.points == 1 else f"{result.points} points"
    what = f"a {LEVEL_NAMES[result.level]}, {points}" if result.level else points
    if not settings.is_match and (settings.stake != 1 or result.level is None):
        what += f": {worth_words(final, result)}"
    text = f"{says(names[result.winner], 'win', what)} ({result.how}). Score: {_score(score, names)}"
    if settings.is_match:
        text += f" in the match to {settings.length}"
    return Happening({
        "kind": "game_over", "player": SIDES[result.winner], "text": text,
        "result": result_facts(result, settings), "score": list(score),
    })  # fmt: skip


def new_game(number: int, score: Score) -> Happening:
    """The beginning of the next game of a match or session, with the score before it."""
    crawford = ": the Crawford game, no doubling" if score.crawford_game else ""
    return Happening({
        "kind": "new_game", "player": None, "text": f"Game {number}{crawford}",
        "game": number, "score": list(score.points), "crawford": score.crawford_game,
    })  # fmt: skip


def match_over(winner: Player, score: tuple[int, int], names: tuple[str, str]) -> Happening:
    """The end of a match in words."""
    text = f"{says(names[winner], 'win')} the match {score[winner]}-{score[winner.other]}"
    return Happening({"kind": "match_over", "player": SIDES[winner], "text": text, "score": list(score)})


def info(text: str, side: Side | None = None) -> Happening:
    """A word about the table, or an answer in words alone."""
    return Happening({"kind": "info", "player": side, "text": text})


def result_facts(result: Result, settings: Settings) -> GameResult:
    """A result as JSON values; ``money`` is the loser's payment in money play."""
    return {
        "winner": SIDES[result.winner],
        "points": result.points,
        "level": result.level,
        "how": result.how,
        "money": None if settings.is_match else number(result.points * settings.stake),
    }


def number(value: Decimal) -> int | float:
    """A decimal as the JSON number that a reader expects."""
    return int(value) if value == int(value) else float(value)


def _score(score: tuple[int, int], names: tuple[str, str]) -> str:
    return f"{names[0]} {score[0]}, {names[1]} {score[1]}"


def _raised(before: Game, after: Game) -> str:
    return f"; the stake is now {after.multiplier} times" if after.multiplier != before.multiplier else ""


def _level(settings: Settings, level: int | None) -> str:
    return f" a {LEVEL_NAMES[level]}" if level and len(LEVEL_NAMES) and settings.variant.cube else ""
