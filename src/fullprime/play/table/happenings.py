"""The news of a table: words for people, and the facts behind them (``events`` has the fields of each kind)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, cast

from fullprime.play import rulings
from fullprime.play.events import BOARD_CHANGES, ActionTaken, GameBegun, RollWithdrawn, SessionEvent
from fullprime.play.session import GameSession
from fullprime.play.table.events import SIDES, Event, GameResult, Side
from fullprime.play.table.naming import YOU, seen_names
from fullprime.play.table.scorecard import worth_words
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.record import Setup
from fullprime.rules.score import LEVEL_NAMES, Player, Result, Score, Settings
from fullprime.rules.words import standing, thrown

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


def says(name: str, you: str, other: str) -> str:
    """``You roll 3-1`` or ``Ann rolls 3-1``: the first is for a player who sees the own seat."""
    return you if name == YOU else other


def told(names: tuple[str, str], tell: Callable[[tuple[str, str]], Happening]) -> Happening:
    """What is told of a table with these names: to everybody, and to players without a name in their own words."""
    happening, own = tell(names), {}
    for side in SIDES:
        if (seen := seen_names(names, side)) != names and (text := tell(seen).text) != happening.text:
            own[side] = text
    return Happening(cast("Event", {**happening.json, "own": own})) if own else happening


def tell_action(
    before: Game, action: Action, after: Game, names: tuple[str, str], automatic: bool = False
) -> Happening:
    """An action, as :func:`told`. Raises IllegalAction for one that this game does not have."""
    return told(names, lambda seen: describe(before, action, after, seen, automatic))


def tell_ruling(setup: Setup, names: tuple[str, str]) -> Happening | None:
    """A takeback or a forfeit, as :func:`told`; None for another set-up."""
    if (plain := describe_ruling(setup, names)) is None:
        return None
    return told(names, lambda seen: describe_ruling(setup, seen) or plain)


def tell_end(
    final: Game, result: Result, score: tuple[int, int], names: tuple[str, str], winner: Player | None
) -> list[Happening]:
    """The end of a game, and of the match where it has a winner, as :func:`told`."""
    ends = [told(names, lambda seen: game_over(final, result, score, seen))]
    if winner is not None:
        ends.append(told(names, lambda seen: match_over(winner, score, seen, final.settings.length)))
    return ends


def tell_in_game(
    before: GameSession, event: SessionEvent, after: GameSession, names: tuple[str, str]
) -> list[Happening]:
    """What an event of a session changes in its games, as :func:`told`; the first game begins without a word."""
    if isinstance(event, GameBegun) and before.game is not None:
        return [new_game(after.game_number, before.score)]
    if not isinstance(event, BOARD_CHANGES) or before.game is None or after.game is None:
        return []
    stored, final, news = after.record[-1], after.game, []
    if isinstance(event, RollWithdrawn):
        news.append(_withdrawn(before.game))
    elif isinstance(stored, Action):
        automatic = isinstance(event, ActionTaken) and event.automatic
        news.append(tell_action(before.game, stored, final, names, automatic))
    elif (ruling := tell_ruling(stored, names)) is not None:
        news.append(ruling)
    if final.result is not None:
        winner = after.score.match_winner(final.settings)
        news += tell_end(final, final.result, after.score.points, names, winner)
    return news


def _withdrawn(before: Game) -> Happening:
    dice = "" if before.dice is None else f" {before.dice.words}"
    side = None if before.turn is None else SIDES[before.turn]
    return Happening({"kind": "undo", "player": side, "text": f"Taken back: the dice{dice}"})


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
            rolled = thrown(dice)
            text = says(name, f"You roll {rolled}", f"{name} rolls {rolled}") + _raised(before, after)
            return Happening({"kind": "roll", "player": side, "text": text, "dice": dice})
        case ActionKind.PLAY:
            return _play(before, action, side, name, automatic)
        case ActionKind.CHOOSE:
            if action.number is None:
                raise IllegalAction("a double is chosen by its number, 1 to 6, not by None")
            chosen = action.number
            text = says(name, f"You choose double {chosen}s", f"{name} chooses double {chosen}s")
            return Happening({"kind": "choose", "player": side, "text": text, "number": action.number})
        case ActionKind.DOUBLE | ActionKind.BEAVER | ActionKind.RACCOON:
            offered = after.cube.offered
            text = _offered(name, kind, offered, again=before.cube.turned)
            return Happening({"kind": _OFFERS[kind], "player": side, "text": text, "offered": offered})
        case ActionKind.TAKE:
            owner, value = after.cube.owner, after.cube.value
            text = says(name, "You take", f"{name} takes") + "; "
            if owner is not None:
                holder = names[owner]
                text += says(holder, f"You hold the cube at {value}", f"{holder} holds the cube at {value}")
            return Happening({"kind": "take", "player": side, "text": text, "cube": value})
        case ActionKind.RESIGN:
            text = resignation_words(name, before.settings, action.number)
            return Happening({"kind": "resign", "player": side, "text": text, "level": action.number})
        case ActionKind.ACCEPT:
            return _accepted(side, name)
        case ActionKind.REFUSE:
            return Happening({"kind": "refuse", "player": side, "text": refusal_words(name)})
        case ActionKind.DROP:
            return Happening({"kind": "drop", "player": side, "text": says(name, "You drop", f"{name} drops")})


def resignation_words(name: str, settings: Settings, level: int | None) -> str:
    """The offer of a player to resign, in words."""
    worth = _level(settings, level)
    return says(name, f"You offer to resign{worth}", f"{name} offers to resign{worth}")


def refusal_words(name: str) -> str:
    """The refusal of a resignation by a player, in words."""
    return says(name, "You refuse the resignation", f"{name} refuses the resignation")


def _accepted(side: Side, name: str) -> Happening:
    text = says(name, "You accept the resignation", f"{name} accepts the resignation")
    return Happening({"kind": "accept", "player": side, "text": text})


def describe_ruling(setup: Setup, names: tuple[str, str]) -> Happening | None:
    """A takeback, an accepted resignation or a forfeit in words; None for another set-up."""
    kept, loser = rulings.kept_by(setup), rulings.forfeited_by(setup)
    if kept is not None:
        player, dice = setup.game.turn, setup.game.dice
        where = f"the roll {dice.words}" if dice is not None else _BEFORE.get(setup.game.phase, "an earlier moment")
        text = f"The game is taken back to {where}"
        if player is not None:
            name = names[player]
            text = says(name, f"You take the game back to {where}", f"{name} takes the game back to {where}")
        side = None if player is None else SIDES[player]
        return Happening({"kind": "takeback", "player": side, "text": text, "kept": kept})
    if (resigned := rulings.resigned_by(setup)) is not None:
        winner = resigned[0].other
        return _accepted(SIDES[winner], names[winner])
    if loser is not None and setup.game.result is not None:
        how = setup.game.result.how
        name = names[loser]
        text = {rulings.ON_TIME: f"Out of time: {name}", rulings.BY_LEAVING: f"Left and lost: {name}"}.get(
            how, f"Gone for too long: {name}"
        )
        return Happening({"kind": "forfeit", "player": SIDES[loser], "text": text, "how": how})
    return None


def _opening(before: Game, action: Action, after: Game, names: tuple[str, str]) -> Happening:
    x_die, o_die = dice = _dice(action)
    times = after.multiplier
    x, o = names
    x_throws = says(x, f"You throw {x_die}", f"{x} throws {x_die}")
    o_throws = says(o, f"You throw {o_die}", f"{o} throws {o_die}")
    thrown = f"Opening roll: {x_throws}, {o_throws}"
    if after.phase is Phase.OPENING_ROLL:
        again = "a tie, thrown again" if x_die == o_die else "a 2-1 does not count, thrown again"
        text = f"{thrown}: {again}" + _raised(before, after)
        return Happening({"kind": "tie", "player": None, "text": text, "dice": dice, "multiplier": times})
    first = after.on_roll
    name = names[first]
    text = f"{thrown}; " + says(name, "You begin", f"{name} begins") + _raised(before, after)
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
        text = f"{name} cannot move: {dice.words} has no legal play"
    else:
        only = " (the only legal play)" if automatic else ""
        told = f"{dice.words}: {play}{only}"
        text = says(name, f"You play {told}", f"{name} plays {told}")
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
    known = (min(score[0], settings.length), min(score[1], settings.length)) if settings.is_match else score
    name, how, standing = names[result.winner], result.how, _score(known, names)
    text = says(name, f"You win {what} ({how}).", f"{name} wins {what} ({how}).")
    text += f" Score: {standing} in the match to {settings.length}" if settings.is_match else f" Score: {standing}"
    return Happening({
        "kind": "game_over", "player": SIDES[result.winner], "text": text,
        "result": result_facts(result, settings), "score": list(score),
    })  # fmt: skip


def new_game(number: int, score: Score) -> Happening:
    """The beginning of the next game of a match or session, with the score before it."""
    text = f"Game {number}: the Crawford game, no doubling" if score.crawford_game else f"Game {number}"
    return Happening({
        "kind": "new_game", "player": None, "text": text,
        "game": number, "score": list(score.points), "crawford": score.crawford_game,
    })  # fmt: skip


def match_over(winner: Player, score: tuple[int, int], names: tuple[str, str], length: int) -> Happening:
    """The end of a match in words: points beyond its length do not count."""
    name, final = names[winner], standing((min(score[winner], length), score[winner.other]))
    text = says(name, f"You win the match {final}", f"{name} wins the match {final}")
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


def _offered(name: str, kind: ActionKind, offered: int | None, *, again: bool) -> str:
    match kind:
        case ActionKind.BEAVER:
            return says(name, f"You beaver to {offered}", f"{name} beavers to {offered}")
        case ActionKind.RACCOON:
            return says(name, f"You raccoon to {offered}", f"{name} raccoons to {offered}")
    if again:
        return says(name, f"You redouble to {offered}", f"{name} redoubles to {offered}")
    return says(name, f"You double to {offered}", f"{name} doubles to {offered}")


def _score(score: tuple[int, int], names: tuple[str, str]) -> str:
    return f"{names[0]} {score[0]}, {names[1]} {score[1]}"


def _raised(before: Game, after: Game) -> str:
    return f"; the stake is now {after.multiplier} times" if after.multiplier != before.multiplier else ""


def _level(settings: Settings, level: int | None) -> str:
    return f" a {LEVEL_NAMES[level]}" if level and len(LEVEL_NAMES) and settings.variant.cube else ""
