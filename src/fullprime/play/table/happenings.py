"""The news of a table: words for people, and the facts behind them (``events`` has the fields of each kind).

A text is a message, which is put into the reader's language where it is told. ``You roll`` and ``Ann rolls`` are two
messages, because other languages need more than another pronoun.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, cast

from fullprime.messages import Message
from fullprime.play import rulings
from fullprime.play.events import BOARD_CHANGES, ActionTaken, GameBegun, RollWithdrawn, SessionEvent
from fullprime.play.session import GameSession
from fullprime.play.table.events import SIDES, Event, GameResult, Side
from fullprime.play.table.naming import YOU, as_messages, is_unnamed, seen_names
from fullprime.play.table.scorecard import worth_words
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.record import Setup
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.words import standing, thrown

_OFFERS: Mapping[ActionKind, Literal["double", "beaver", "raccoon"]] = {
    ActionKind.DOUBLE: "double",
    ActionKind.BEAVER: "beaver",
    ActionKind.RACCOON: "raccoon",
}
_BEFORE = {
    Phase.CUBE_DECISION: Message("before the roll // a game is taken back to it"),
    Phase.DOUBLE_OFFERED: Message("the offer of the cube // a game is taken back to it"),
    Phase.RESIGNATION_OFFERED: Message("the offer to resign // a game is taken back to it"),
}
_EARLIER = Message("an earlier moment // a game is taken back to it")


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


def told(names: tuple[str, str], tell: Callable[[tuple[str, str]], Happening]) -> Happening:
    """What is told of a table with these names: to everybody, and to players without a name in their own words."""
    names = as_messages(names)
    happening, own = tell(names), {}
    for side, name in zip(SIDES, names, strict=True):
        if is_unnamed(name) and (text := tell(seen_names(names, side)).text) != happening.text:
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
    text = Message("Taken back: the dice")
    if before.dice is not None:
        text = Message("Taken back: the dice {dice}", dice=before.dice.words)
    side = None if before.turn is None else SIDES[before.turn]
    return Happening({"kind": "undo", "player": side, "text": text})


def describe(before: Game, action: Action, after: Game, names: tuple[str, str], automatic: bool = False) -> Happening:
    """An action in words, with its facts. Raises IllegalAction for one that this game does not have."""
    kind, player = action.kind, before.turn
    if kind is ActionKind.OPENING:
        return _opening(before, action, after, names)
    if player is None:
        raise IllegalAction(f"there is no {kind} while nobody has the turn")
    side, name = SIDES[player], names[player]
    is_you = name == YOU
    match kind:
        case ActionKind.ROLL:
            dice = _dice(action)
            return Happening({"kind": "roll", "player": side, "text": _rolled(name, dice, before, after), "dice": dice})
        case ActionKind.PLAY:
            return _play(before, action, side, name, automatic)
        case ActionKind.CHOOSE:
            chosen = action.number
            if chosen is None:
                raise IllegalAction("a double is chosen by its number, 1 to 6, not by None")
            text = (
                Message("You choose double {number}s", number=chosen)
                if is_you
                else Message("{name} chooses double {number}s", name=name, number=chosen)
            )
            return Happening({"kind": "choose", "player": side, "text": text, "number": chosen})
        case ActionKind.DOUBLE | ActionKind.BEAVER | ActionKind.RACCOON:
            offered = after.cube.offered
            text = _offered(name, kind, offered, again=before.cube.turned)
            return Happening({"kind": _OFFERS[kind], "player": side, "text": text, "offered": offered})
        case ActionKind.TAKE:
            owner, value = after.cube.owner, after.cube.value
            taken = _taken(name, None if owner is None else names[owner], value)
            return Happening({"kind": "take", "player": side, "text": taken, "cube": value})
        case ActionKind.RESIGN:
            text = resignation_words(name, before.settings, action.number)
            return Happening({"kind": "resign", "player": side, "text": text, "level": action.number})
        case ActionKind.ACCEPT:
            return _accepted(side, name)
        case ActionKind.REFUSE:
            return Happening({"kind": "refuse", "player": side, "text": refusal_words(name)})
        case ActionKind.DROP:
            text = Message("You drop") if is_you else Message("{name} drops", name=name)
            return Happening({"kind": "drop", "player": side, "text": text})


def resignation_words(name: str, settings: Settings, level: int | None) -> Message:
    """The offer of a player to resign, in words."""
    if not level or not settings.variant.cube:
        return Message("You offer to resign") if name == YOU else Message("{name} offers to resign", name=name)
    worth = level_words(level)
    if name == YOU:
        return Message("You offer to resign {worth}", worth=worth)
    return Message("{name} offers to resign {worth}", name=name, worth=worth)


def refusal_words(name: str) -> Message:
    """The refusal of a resignation by a player, in words."""
    if name == YOU:
        return Message("You refuse the resignation")
    return Message("{name} refuses the resignation", name=name)


_LEVELS = {
    1: Message("a single game"),
    2: Message("a gammon"),
    3: Message("a backgammon"),
    4: Message("a backgammon on the bar"),
}


def level_words(level: int) -> Message:
    """The level of a win with its article, as it stands after a verb: ``a gammon``."""
    return _LEVELS[level]


_ENDS = {
    "bear-off": Message("bear-off"),
    "drop": Message("drop"),
    "resignation": Message("resignation"),
    rulings.ON_TIME: Message("on time"),
    rulings.BY_ABSENCE: Message("by absence"),
    rulings.BY_LEAVING: Message("by leaving"),
}


def end_words(how: str) -> str:
    """The way in which a game has ended, as a message where it is one of ours."""
    return _ENDS.get(how, how)


def _accepted(side: Side, name: str) -> Happening:
    text = (
        Message("You accept the resignation") if name == YOU else Message("{name} accepts the resignation", name=name)
    )
    return Happening({"kind": "accept", "player": side, "text": text})


def describe_ruling(setup: Setup, names: tuple[str, str]) -> Happening | None:
    """A takeback, an accepted resignation or a forfeit in words; None for another set-up."""
    kept, loser = rulings.kept_by(setup), rulings.forfeited_by(setup)
    if kept is not None:
        player, dice = setup.game.turn, setup.game.dice
        moment = _BEFORE.get(setup.game.phase, _EARLIER)
        if dice is not None:
            moment = Message("the roll {dice} // a game is taken back to it", dice=dice.words)
        name = None if player is None else names[player]
        text = _taken_back(name, moment)
        side = None if player is None else SIDES[player]
        return Happening({"kind": "takeback", "player": side, "text": text, "kept": kept})
    if (resigned := rulings.resigned_by(setup)) is not None:
        winner = resigned[0].other
        return _accepted(SIDES[winner], names[winner])
    if loser is not None and setup.game.result is not None:
        how = setup.game.result.how
        name = names[loser]
        text = _forfeited(name, how)
        return Happening({"kind": "forfeit", "player": SIDES[loser], "text": text, "how": how})
    return None


def _taken_back(name: str | None, moment: Message) -> Message:
    if name is None:
        return Message("The game is taken back to {moment}", moment=moment)
    if name == YOU:
        return Message("You take the game back to {moment}", moment=moment)
    return Message("{name} takes the game back to {moment}", name=name, moment=moment)


def _forfeited(name: str, how: str) -> Message:
    if how == rulings.ON_TIME:
        return Message("Out of time: {name}", name=name)
    if how == rulings.BY_LEAVING:
        return Message("Left and lost: {name}", name=name)
    return Message("Gone for too long: {name}", name=name)


def _opening(before: Game, action: Action, after: Game, names: tuple[str, str]) -> Happening:
    x_die, o_die = dice = _dice(action)
    times = after.multiplier
    x, o = names
    throws = {
        "x": Message("You throw {die}", die=x_die) if x == YOU else Message("{name} throws {die}", name=x, die=x_die),
        "o": Message("You throw {die}", die=o_die) if o == YOU else Message("{name} throws {die}", name=o, die=o_die),
    }
    if after.phase is Phase.OPENING_ROLL:
        if x_die == o_die:
            text = Message("Opening roll: {x}, {o}: a tie, thrown again", **throws)
        else:
            text = Message("Opening roll: {x}, {o}: a 2-1 does not count, thrown again", **throws)
        text = _with_stake(text, before, after)
        return Happening({"kind": "tie", "player": None, "text": text, "dice": dice, "multiplier": times})
    first = after.on_roll
    name = names[first]
    begins = Message("You begin") if name == YOU else Message("{name} begins", name=name)
    text = _with_stake(Message("Opening roll: {x}, {o}; {begins}", **throws, begins=begins), before, after)
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
    text = _played(name, dice.words, play if action.moves else None, automatic)
    numbers = [dice.high, dice.low]
    return Happening({
        "kind": "play", "player": side, "text": text, "play": play, "dice": numbers, "automatic": automatic,
    })  # fmt: skip


def _played(name: str, dice: str, play: str | None, automatic: bool) -> Message:
    if play is None:
        if name == YOU:
            return Message("You cannot move: {dice} has no legal play", dice=dice)
        return Message("{name} cannot move: {dice} has no legal play", name=name, dice=dice)
    if automatic:
        if name == YOU:
            return Message("You play {dice}: {play} (the only legal play)", dice=dice, play=play)
        return Message("{name} plays {dice}: {play} (the only legal play)", name=name, dice=dice, play=play)
    if name == YOU:
        return Message("You play {dice}: {play}", dice=dice, play=play)
    return Message("{name} plays {dice}: {play}", name=name, dice=dice, play=play)


def game_over(final: Game, result: Result, score: tuple[int, int], names: tuple[str, str]) -> Happening:
    """The end of a game in words, with its result and the score after it; for money how its worth comes about."""
    settings = final.settings
    what = Message.by_number(result.points, "{n} point", "{n} points")
    if result.level:
        what = Message("{level}, {points}", level=level_words(result.level), points=what)
    if not settings.is_match and (settings.stake != 1 or result.level is None):
        what = Message("{points}: {worth}", points=what, worth=worth_words(final, result))
    known = (min(score[0], settings.length), min(score[1], settings.length)) if settings.is_match else score
    name, how = names[result.winner], end_words(result.how)
    won = (
        Message("You win {what} ({how}).", what=what, how=how)
        if name == YOU
        else Message("{name} wins {what} ({how}).", name=name, what=what, how=how)
    )
    points = {"won": won, "x": names[0], "x_points": known[0], "o": names[1], "o_points": known[1]}
    text = Message("{won} Score: {x} {x_points}, {o} {o_points}", **points)
    if settings.is_match:
        length = settings.length
        text = Message("{won} Score: {x} {x_points}, {o} {o_points} in the match to {length}", **points, length=length)
    return Happening({
        "kind": "game_over", "player": SIDES[result.winner], "text": text,
        "result": result_facts(result, settings), "score": list(score),
    })  # fmt: skip


def new_game(number: int, score: Score) -> Happening:
    """The beginning of the next game of a match or session, with the score before it."""
    text = Message("Game {number}", number=number)
    if score.crawford_game:
        text = Message("Game {number}: the Crawford game, no doubling", number=number)
    return Happening({
        "kind": "new_game", "player": None, "text": text,
        "game": number, "score": list(score.points), "crawford": score.crawford_game,
    })  # fmt: skip


def match_over(winner: Player, score: tuple[int, int], names: tuple[str, str], length: int) -> Happening:
    """The end of a match in words: points beyond its length do not count."""
    name, final = names[winner], standing((min(score[winner], length), score[winner.other]))
    text = (
        Message("You win the match {score}", score=final)
        if name == YOU
        else Message("{name} wins the match {score}", name=name, score=final)
    )
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


def _rolled(name: str, dice: Sequence[int], before: Game, after: Game) -> Message:
    rolled = thrown(dice)
    if name == YOU:
        return _with_stake(Message("You roll {dice}", dice=rolled), before, after)
    return _with_stake(Message("{name} rolls {dice}", name=name, dice=rolled), before, after)


def _taken(name: str, holder: str | None, value: int) -> Message:
    taken = Message("You take") if name == YOU else Message("{name} takes", name=name)
    if holder is None:
        return taken
    holds = (
        Message("You hold the cube at {value}", value=value)
        if holder == YOU
        else Message("{name} holds the cube at {value}", name=holder, value=value)
    )
    return Message("{taken}; {holds}", taken=taken, holds=holds)


def _offered(name: str, kind: ActionKind, offered: int | None, *, again: bool) -> Message:
    value = offered
    if name == YOU:
        match kind:
            case ActionKind.BEAVER:
                return Message("You beaver to {value}", value=value)
            case ActionKind.RACCOON:
                return Message("You raccoon to {value}", value=value)
        return (
            Message("You redouble to {value}", value=value) if again else Message("You double to {value}", value=value)
        )
    match kind:
        case ActionKind.BEAVER:
            return Message("{name} beavers to {value}", name=name, value=value)
        case ActionKind.RACCOON:
            return Message("{name} raccoons to {value}", name=name, value=value)
    if again:
        return Message("{name} redoubles to {value}", name=name, value=value)
    return Message("{name} doubles to {value}", name=name, value=value)


def _with_stake(text: Message, before: Game, after: Game) -> Message:
    if after.multiplier == before.multiplier:
        return text
    return Message("{text}; the stake is now {times} times", text=text, times=after.multiplier)
