"""The events of a table: words for people, and the facts behind them.

A text is a message, which is translated where it is shown. ``You roll`` and ``Ann rolls`` are two messages, because
other languages need more than another pronoun.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Literal, assert_never

from fullprime.messages import Message
from fullprime.play.events import (
    BOARD_CHANGES,
    ActionTaken,
    BoardChange,
    ForfeitWay,
    GameBegun,
    GameForfeited,
    ResignationAccepted,
    RollWithdrawn,
    SessionEvent,
    TakenBack,
)
from fullprime.play.naming import YOU, is_unnamed, names_for_seat, to_messages
from fullprime.play.session import GameSession
from fullprime.play.table.scorecard import worth_words
from fullprime.play.table.table_events import (
    SIDES,
    ChoiceEvent,
    Event,
    ForfeitEvent,
    GameOverEvent,
    GameResult,
    InfoEvent,
    MatchOverEvent,
    NewGameEvent,
    OfferEvent,
    OpeningEvent,
    PlayEvent,
    ReplyEvent,
    ResignEvent,
    RollEvent,
    Side,
    TakebackEvent,
    TakeEvent,
    UndoEvent,
)
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.words import format_dice, format_score

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


def render_for_all(names: tuple[str, str], describe: Callable[[tuple[str, str]], Event]) -> Event:
    """An event in words for all readers, and with other words for players without a name.

    ``describe`` puts the event into words with the names that one reader sees.
    """
    event, own = describe(to_messages(names)), dict[Side, str]()
    for side, name in zip(SIDES, names, strict=True):
        # Words without the name are the same for both.
        if (
            is_unnamed(name)
            and name in event.text
            and (text := describe(names_for_seat(names, side)).text) != event.text
        ):
            own[side] = text
    return replace(event, own=own) if own else event


def render_end(
    final: Game, result: Result, score: tuple[int, int], names: tuple[str, str], winner: Player | None
) -> list[Event]:
    """The end of a game, and of the match where it has a winner, in words for all."""
    ends = [render_for_all(names, lambda names_seen: game_over_event(final, result, score, names_seen))]
    if winner is not None:
        ends.append(
            render_for_all(names, lambda names_seen: match_over_event(winner, score, names_seen, final.settings.length))
        )
    return ends


def render_in_game(before: GameSession, event: SessionEvent, after: GameSession, names: tuple[str, str]) -> list[Event]:
    """The changes that an event makes to the games, in words for all; the first game begins without an event."""
    if isinstance(event, GameBegun) and before.game is not None:
        return [new_game_event(after.game_number, before.score)]
    if not isinstance(event, BOARD_CHANGES) or before.game is None or after.game is None:
        return []
    final = after.game
    news = [render_for_all(names, partial(_describe_change, before.game, event, final))]
    if final.result is not None:
        winner = after.score.match_winner(final.settings)
        news += render_end(final, final.result, after.score.points, names, winner)
    return news


def _describe_change(before: Game, event: BoardChange, after: Game, names: tuple[str, str]) -> Event:
    """An event of the board in words, given the game before and after it."""
    match event:
        case ActionTaken():
            return describe(before, event.action, after, names, automatic=event.automatic)
        case RollWithdrawn():
            return _report_undo(before)
        case TakenBack():
            return _report_takeback(event, after, names)
        case GameForfeited():
            name = names[event.loser]
            return ForfeitEvent(player=event.loser, text=_describe_forfeit(name, event.how), how=event.how)
        case ResignationAccepted():
            winner = event.loser.other
            return _report_acceptance(winner, names[winner])
        case _:
            assert_never(event)


def _report_undo(before: Game) -> Event:
    text = Message("Taken back: the dice")
    if before.dice is not None:
        text = Message("Taken back: the dice {dice}", dice=before.dice.words)
    return UndoEvent(player=before.turn, text=text)


def describe(before: Game, action: Action, after: Game, names: tuple[str, str], *, automatic: bool = False) -> Event:
    """An action in words, with its facts. Raises IllegalAction for one that this game does not have."""
    kind, player = action.kind, before.turn
    if kind is ActionKind.OPENING:
        return _opening(before, action, after, names)
    if player is None:
        raise IllegalAction(f"there is no {kind} while nobody has the turn")
    name = names[player]
    is_you = name == YOU
    match kind:
        case ActionKind.ROLL:
            dice = _dice(action)
            words = format_dice(dice)
            text = (
                Message("You roll {dice}", dice=words)
                if is_you
                else Message("{name} rolls {dice}", name=name, dice=words)
            )
            text = _with_stake(text, before, after)
            return RollEvent(player=player, text=text, dice=dice)
        case ActionKind.PLAY:
            return _play(before, action, player, name, automatic)
        case ActionKind.CHOOSE:
            chosen = action.number
            if chosen is None:
                raise IllegalAction("a double is chosen by its number, 1 to 6, not by None")
            text = (
                Message("You choose double {number}s", number=chosen)
                if is_you
                else Message("{name} chooses double {number}s", name=name, number=chosen)
            )
            return ChoiceEvent(player=player, text=text, number=chosen)
        case ActionKind.DOUBLE | ActionKind.BEAVER | ActionKind.RACCOON:
            offered = after.cube.offered
            text = _describe_offer(name, kind, offered, again=before.cube.turned)
            return OfferEvent(kind=_OFFERS[kind], player=player, text=text, offered=offered)
        case ActionKind.TAKE:
            owner, value = after.cube.owner, after.cube.value
            taken = _render_take(name, None if owner is None else names[owner], value)
            return TakeEvent(player=player, text=taken, cube=value)
        case ActionKind.RESIGN:
            text = resignation_words(name, before.settings, action.number)
            return ResignEvent(player=player, text=text, level=action.number)
        case ActionKind.ACCEPT:
            return _report_acceptance(player, name)
        case ActionKind.REFUSE:
            return ReplyEvent(kind="refuse", player=player, text=refusal_words(name))
        case ActionKind.DROP:
            text = Message("You drop") if is_you else Message("{name} drops", name=name)
            return ReplyEvent(kind="drop", player=player, text=text)


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
    "bear-off": Message("bear-off // how a game ended"),
    "drop": Message("drop // how a game ended"),
    "resignation": Message("resignation // how a game ended"),
    "on time": Message("on time"),
    "by absence": Message("by absence"),
    "by leaving": Message("by leaving"),
}


def end_words(how: str) -> str:
    """The way in which a game has ended, as a message where it is one of ours."""
    return _ENDS.get(how, how)


def _report_acceptance(player: Player, name: str) -> Event:
    text = (
        Message("You accept the resignation") if name == YOU else Message("{name} accepts the resignation", name=name)
    )
    return ReplyEvent(kind="accept", player=player, text=text)


def _report_takeback(event: TakenBack, after: Game, names: tuple[str, str]) -> Event:
    player, dice = after.turn, after.dice
    moment = _BEFORE.get(after.phase, _EARLIER)
    if dice is not None:
        moment = Message("the roll {dice} // a game is taken back to it", dice=dice.words)
    text = _format_taken_back(None if player is None else names[player], moment)
    return TakebackEvent(player=player, text=text, kept=event.kept)


def _format_taken_back(name: str | None, moment: Message) -> Message:
    if name is None:
        return Message("The game is taken back to {moment}", moment=moment)
    if name == YOU:
        return Message("You take the game back to {moment}", moment=moment)
    return Message("{name} takes the game back to {moment}", name=name, moment=moment)


def _describe_forfeit(name: str, how: ForfeitWay) -> Message:
    if how == "on time":
        return Message("Out of time: {name}", name=name)
    if how == "by leaving":
        return Message("Left and lost: {name}", name=name)
    return Message("Gone for too long: {name}", name=name)


def _throw_words(name: str, die: int) -> Message:
    return Message("you throw {die}", die=die) if name == YOU else Message("{name} throws {die}", name=name, die=die)


def _opening(before: Game, action: Action, after: Game, names: tuple[str, str]) -> Event:
    x_die, o_die = dice = _dice(action)
    times = after.multiplier
    x, o = names
    throws = {"x": _throw_words(x, x_die), "o": _throw_words(o, o_die)}
    if after.phase is Phase.OPENING_ROLL:
        if x_die == o_die:
            text = Message("Opening roll: {x}, {o}: a tie, thrown again", **throws)
        else:
            text = Message("Opening roll: {x}, {o}: a 2-1 does not count, thrown again", **throws)
        text = _with_stake(text, before, after)
        return OpeningEvent(kind="tie", player=None, text=text, dice=dice, multiplier=times)
    first = after.on_roll
    name = names[first]
    begins = Message("you begin") if name == YOU else Message("{name} begins", name=name)
    text = _with_stake(Message("Opening roll: {x}, {o}; {begins}", **throws, begins=begins), before, after)
    return OpeningEvent(kind="opening", player=first, text=text, dice=dice, multiplier=times)


def _dice(action: Action) -> tuple[int, int]:
    if action.dice is None:
        raise IllegalAction(f"a throw ({action.kind}) has two dice, not None")
    return action.dice


def _play(before: Game, action: Action, player: Player, name: str, automatic: bool) -> Event:
    if before.dice is None:
        raise IllegalAction(f"there is no roll to play as {format_play(action.moves)}")
    dice, play, is_you = before.dice.words, format_play(action.moves), name == YOU
    if not action.moves:
        text = Message("{name} cannot move: {dice} has no legal play", name=name, dice=dice)
        if is_you:
            text = Message("You cannot move: {dice} has no legal play", dice=dice)
    elif automatic:
        text = Message("{name} plays {dice}: {play} (the only legal play)", name=name, dice=dice, play=play)
        if is_you:
            text = Message("You play {dice}: {play} (the only legal play)", dice=dice, play=play)
    elif is_you:
        text = Message("You play {dice}: {play}", dice=dice, play=play)
    else:
        text = Message("{name} plays {dice}: {play}", name=name, dice=dice, play=play)
    numbers = (before.dice.high, before.dice.low)
    return PlayEvent(player=player, text=text, play=play, dice=numbers, automatic=automatic)


def won_words(result: Result) -> Message:
    """What a game was won by: its level and its points."""
    points = Message.by_number(result.points, "{n} point", "{n} points")
    return Message("{level}, {points}", level=level_words(result.level), points=points) if result.level else points


def game_over_event(final: Game, result: Result, score: tuple[int, int], names: tuple[str, str]) -> Event:
    """The end of a game in words, with its result and the score after it; for money also how its worth is counted."""
    settings = final.settings
    stake = won_words(result)
    if not settings.is_match and (settings.stake != 1 or result.level is None):
        stake = Message("{points}: {worth}", points=stake, worth=worth_words(final, result))
    shown_score = (min(score[0], settings.length), min(score[1], settings.length)) if settings.is_match else score
    name, how = names[result.winner], end_words(result.how)
    won = (
        Message("You win {what} ({how}).", what=stake, how=how)
        if name == YOU
        else Message("{name} wins {what} ({how}).", name=name, what=stake, how=how)
    )
    points = {"won": won, "x": names[0], "x_points": shown_score[0], "o": names[1], "o_points": shown_score[1]}
    text = Message("{won} Score: {x} {x_points}, {o} {o_points}", **points)
    if settings.is_match:
        length = settings.length
        text = Message("{won} Score: {x} {x_points}, {o} {o_points} in the match to {length}", **points, length=length)
    return GameOverEvent(player=result.winner, text=text, result=result_facts(result, settings), score=score)


def new_game_event(number: int, score: Score) -> Event:
    """The beginning of the next game of a match or session, with the score before it."""
    text = Message("Game {number}", number=number)
    if score.crawford_game:
        text = Message("Game {number}: the Crawford game, no doubling", number=number)
    return NewGameEvent(player=None, text=text, game=number, score=score.points, crawford=score.crawford_game)


def match_over_event(winner: Player, score: tuple[int, int], names: tuple[str, str], length: int) -> Event:
    """The end of a match in words: points beyond its length do not count."""
    name, final = names[winner], format_score((min(score[winner], length), score[winner.other]))
    text = (
        Message("You win the match {score}", score=final)
        if name == YOU
        else Message("{name} wins the match {score}", name=name, score=final)
    )
    return MatchOverEvent(player=winner, text=text, score=score)


def info_event(text: str, player: Player | None = None) -> InfoEvent:
    """A remark about the table, or an answer that is only words."""
    return InfoEvent(player=player, text=text)


def result_facts(result: Result, settings: Settings) -> GameResult:
    """A result, with the loser's payment in money play."""
    return GameResult(
        winner=result.winner,
        points=result.points,
        level=result.level,
        how=result.how,
        money=None if settings.is_match else to_json_number(result.points * settings.stake),
    )


def to_json_number(value: Decimal) -> int | float:
    """A decimal as the JSON number that a reader expects."""
    return int(value) if value == int(value) else float(value)


def _render_take(name: str, holder: str | None, value: int) -> Message:
    taken = Message("You take") if name == YOU else Message("{name} takes", name=name)
    if holder is None:
        return taken
    holds = (
        Message("you hold the cube at {value}", value=value)
        if holder == YOU
        else Message("{name} holds the cube at {value}", name=holder, value=value)
    )
    return Message("{taken}; {holds}", taken=taken, holds=holds)


def _describe_offer(name: str, kind: ActionKind, offered: int | None, *, again: bool) -> Message:
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
