"""What happened at a table, as plain objects that a face shows: a kind, words, and the facts behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from fullprime.app.choices.rulebook import money_words
from fullprime.app.table import rulings
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.record import Setup
from fullprime.rules.score import LEVEL_NAMES, Player, Result, Settings

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_BEFORE = {
    Phase.CUBE_DECISION: "before the roll",
    Phase.DOUBLE_OFFERED: "the offer of the cube",
    Phase.RESIGNATION_OFFERED: "the offer to resign",
}


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened, or that was asked for.

    ``kind`` is that of an action (``roll``, ``play``, ``double`` …) or ``tie``, ``step``, ``undo``, ``new_game``,
    ``game_over``, ``match_over``, ``info``, ``board``, ``quit``.
    """

    kind: str
    text: str
    player: Player | None = None
    data: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    @property
    def json(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "kind": self.kind,
            "player": self.player.name if self.player is not None else None,
            "text": self.text,
            **self.data,
        }


def says(name: str, verb: str, rest: str = "") -> str:
    """``You roll 31`` or ``Ann rolls 31``."""
    return f"{name} {verb if name == 'You' else verb + 's'}{' ' + rest if rest else ''}"


def describe(before: Game, action: Action, after: Game, names: tuple[str, str], automatic: bool = False) -> Happening:
    """An action in words, with its facts."""
    kind, player = action.kind, before.turn
    if kind is ActionKind.OPENING:
        return _opening(before, action, after, names)
    assert player is not None
    name = names[player]
    data: dict[str, Any] = {}
    match kind:
        case ActionKind.ROLL:
            assert action.dice is not None
            data = {"dice": list(action.dice)}
            text = says(name, "roll", f"{action.dice[0]}{action.dice[1]}") + _raised(before, after)
        case ActionKind.PLAY:
            return _play(before, action, name, automatic)
        case ActionKind.CHOOSE:
            data = {"number": action.number}
            text = says(name, "choose", f"double {action.number}s")
        case ActionKind.DOUBLE | ActionKind.BEAVER | ActionKind.RACCOON:
            data = {"offered": after.cube.offered}
            verb = "redouble" if kind is ActionKind.DOUBLE and before.cube.turned else str(kind)
            text = says(name, verb, f"to {after.cube.offered}")
        case ActionKind.TAKE:
            data = {"cube": after.cube.value}
            owner = after.cube.owner
            holds = f"{says(names[owner], 'hold')} the cube at {after.cube.value}" if owner is not None else ""
            text = f"{says(name, 'take')}; {holds}"
        case ActionKind.RESIGN:
            data = {"level": action.number}
            text = says(name, "offer", f"to resign{_level(before.settings, action.number)}")
        case ActionKind.ACCEPT:
            text = says(name, "accept", "the resignation")
        case ActionKind.REFUSE:
            text = says(name, "refuse", "the resignation")
        case _:
            text = says(name, str(kind))
    return Happening(str(kind), text, player, data)


def describe_ruling(setup: Setup, names: tuple[str, str]) -> Happening | None:
    """A takeback or a forfeit in words; None for another set-up."""
    kept, loser = rulings.kept_by(setup), rulings.forfeited_by(setup)
    if kept is not None:
        player, dice = setup.game.turn, setup.game.dice
        who = says(names[player], "take") + " the game" if player is not None else "The game is taken"
        where = f"the roll {dice}" if dice is not None else _BEFORE.get(setup.game.phase, "an earlier moment")
        return Happening("takeback", f"{who} back to {where}", player, {"kept": kept})
    if loser is not None and setup.game.result is not None:
        how = setup.game.result.how
        why = "Out of time" if how == rulings.ON_TIME else "Gone for too long"
        return Happening("forfeit", f"{why}: {names[loser]}", loser, {"how": how})
    return None


def _opening(before: Game, action: Action, after: Game, names: tuple[str, str]) -> Happening:
    assert action.dice is not None
    x_die, o_die = action.dice
    data = {"dice": [x_die, o_die], "multiplier": after.multiplier}
    thrown = f"Opening roll: {says(names[0], 'throw', str(x_die))}, {says(names[1], 'throw', str(o_die))}"
    if after.phase is Phase.OPENING_ROLL:
        again = "a tie" if x_die == o_die else "a 2-1 does not count"
        return Happening("tie", f"{thrown}: {again}, thrown again" + _raised(before, after), None, data)
    begins = f"{thrown}; {says(names[after.on_roll], 'begin')}" + _raised(before, after)
    return Happening(str(action.kind), begins, after.on_roll, data)


def _play(before: Game, action: Action, name: str, automatic: bool) -> Happening:
    assert before.dice is not None
    text = format_play(action.moves)
    dice = before.dice
    data = {"play": text, "dice": [dice.high, dice.low], "automatic": automatic}
    if not action.moves:
        return Happening("play", f"{name} cannot move: {dice} has no legal play", before.turn, data)
    why = " (the only legal play)" if automatic else ""
    return Happening("play", f"{says(name, 'play', f'{dice}: {text}')}{why}", before.turn, data)


def game_over(result: Result, settings: Settings, score: tuple[int, int], names: tuple[str, str]) -> Happening:
    """The end of a game in words, with its result and the score after it."""
    points = "1 point" if result.points == 1 else f"{result.points} points"
    what = f"a {LEVEL_NAMES[result.level]}, {points}" if result.level else points
    what += money_words(result.points, settings)
    text = f"{says(names[result.winner], 'win', what)} ({result.how}). Score: {_score(score, names)}"
    if settings.is_match:
        text += f" in the match to {settings.length}"
    return Happening("game_over", text, result.winner, {"result": result_facts(result, settings), "score": list(score)})


def match_over(winner: Player, score: tuple[int, int], names: tuple[str, str]) -> Happening:
    """The end of a match in words."""
    text = f"{says(names[winner], 'win')} the match {score[winner]}-{score[winner.other]}"
    return Happening("match_over", text, winner, {"score": list(score)})


def result_facts(result: Result, settings: Settings) -> dict[str, Any]:
    """A result as JSON values; ``money`` is what the loser pays in money play."""
    return {
        "winner": result.winner.name,
        "points": result.points,
        "level": result.level,
        "how": result.how,
        "money": None if settings.is_match else number(result.points * settings.stake),
    }


def number(value: Any) -> int | float:
    """A decimal as the JSON number that a reader expects."""
    return int(value) if value == int(value) else float(value)


def _score(score: tuple[int, int], names: tuple[str, str]) -> str:
    return f"{names[0]} {score[0]}, {names[1]} {score[1]}"


def _raised(before: Game, after: Game) -> str:
    return f"; the stake is now {after.multiplier} times" if after.multiplier != before.multiplier else ""


def _level(settings: Settings, level: int | None) -> str:
    return f" a {LEVEL_NAMES[level]}" if level and len(LEVEL_NAMES) and settings.variant.cube else ""
