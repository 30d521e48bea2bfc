"""Help and courtesy at a table of the server: taking back, asking, talking, claiming, playing again."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from fullprime.app.desk import tutor
from fullprime.app.desk.fields import AdviceJson, ChoiceJudged
from fullprime.app.live import chat
from fullprime.app.live.room import Room
from fullprime.app.live.room_parts import Absences, DiceLinks, Help, Rematch, Talk, part, told
from fullprime.app.live.room_view import ACCOUNTS, FRIEND, HELPED
from fullprime.app.sessions.fields import TalkLog
from fullprime.app.sessions.keys import new_id
from fullprime.app.sessions.view import BOTH
from fullprime.app.table import commands, proof
from fullprime.app.table.events import Event, Side
from fullprime.app.table.happenings import Happening
from fullprime.app.table.table import Table
from fullprime.common.refusals import Refusal
from fullprime.play.events import Seat
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Game
from fullprime.rules.score import Player
from fullprime.store.games.rooms import SavedRoom
from fullprime.store.games.talk import Report, TalkStore

if TYPE_CHECKING:
    from fullprime.app.live.rooms import Rooms


TERMS = (ACCOUNTS, "opponent", "automatic", "spectators", "clock", "grace", "late", "house")
"""The options of a room that were agreed on before the game, and hold for the next one as well."""


# -- help -------------------------------------------------------------------------------------------------------
def take_back(room: Room, seat: Seat | None, steps: int = 1, sequence: int | None = None) -> list[Event]:
    """Back to before the person's last decision of the game (or an earlier one); gives the events.

    Raises Refusal against people, and once the dice have been told; IllegalAction when there is nothing.
    """
    _helped(room, seat)

    def back(at: Table) -> list[Happening]:
        if room.is_closed:
            raise Refusal("nothing is taken back any more: the secret of the dice has been told", "forbidden")
        if sequence is not None and sequence != at.actions_kept:
            raise Refusal(f"the game has gone on: {at.actions_kept} events, not {sequence}", "stale")
        return at.take_back(steps)

    return room.change(back)


def advise(room: Room, seat: Seat | None, level: str) -> AdviceJson:
    """The best choice now, for the person whose turn it is."""
    game = _to_decide(room, seat)
    note_help(room)
    return tutor.advise(game, level)


def judge(room: Room, seat: Seat | None, line: str, moves: Iterable[str], level: str) -> ChoiceJudged | None:
    """The loss of a choice; ``moves`` are made of the play already. None where there is nothing to say."""
    game = _to_decide(room, seat)
    note_help(room)
    return tutor.judge(game, " ".join([*moves, line]), level)


def meaning(room: Room, seat: Seat | None, line: str, moves: Iterable[str]) -> str:
    """What a line of a player would do, in one form; nothing is done. ``moves`` are made of the play already.

    Raises Refusal for spectators and before the game has begun, NotationError for a line that means nothing.
    """
    if seat is None:
        raise Refusal("you are watching: only players act", "forbidden")
    if room.table is None:
        raise Refusal("the game has not begun", "stale")
    return commands.meaning(room.table, line, " ".join(moves))


def note_help(room: Room) -> None:
    """Store, before any help is given, that it was: the decisions of the game then make no PR of a profile.

    Takebacks are in the record anyway.
    """
    if not room.saved.options.get(HELPED):

        def note() -> None:
            room.save(replace(room.saved, options={**room.saved.options, HELPED: True}))

        room.changing(note)


def _helped(room: Room, seat: Seat | None) -> Table:
    table = room.table
    if seat is None:
        raise Refusal("you are watching: only players are helped", "forbidden")
    if not part(room, Help).allowed:
        raise Refusal("there is no help in a game between two people", "forbidden")
    if table is None:
        raise Refusal("the game has not begun", "stale")
    return table


def _to_decide(room: Room, seat: Seat | None) -> Game:
    """The game, of which the engine sees nothing else."""
    table = _helped(room, seat)
    game = table.game
    if game.turn is None:
        raise IllegalAction("there is nothing to decide now")
    if not table.is_human(game.turn):
        raise Refusal(f"it is {table.names[game.turn]} who must act now", "forbidden")
    return game


# -- claims -----------------------------------------------------------------------------------------------------
def claim(room: Room, seat: Seat | None) -> None:
    """End the game if a flag has fallen (anybody may say so), or if the other one has been away for too long.

    In a rated match without a clock, owing a decision for too long counts like an absence.

    Raises IllegalAction when neither is true.
    """
    with room.lock:
        if room.enforce():
            return
        table = room.table
        side = None if seat is None or seat == BOTH else Player[seat]
        if side is not None and table is not None and not table.game.is_over and not room.is_closed:
            found = part(room, Absences).claimed_by(side) or part(room, DiceLinks).claimed_by(side)
            if found is not None:
                room.change(lambda at: at.rule(found))
                return
    raise IllegalAction("no flag has fallen, and nobody has been away for too long")


# -- talk -------------------------------------------------------------------------------------------------------
def say(room: Room, seat: Seat | None, *, text: str | None = None, phrase: str | None = None) -> None:
    """Say a line of one's own, or a canned phrase; raises ChatError, Refusal."""
    side = _speaker(room, seat)
    if (text is None) == (phrase is None):
        raise chat.ChatError("say either a text or a phrase")
    part(room, Talk).say(side, chat.phrase(phrase) if phrase is not None else chat.checked_line(str(text)))


def talk(room: Room, seat: Seat | None) -> TalkLog:
    """The talk so far, and the canned phrases."""
    _speaker(room, seat)
    said = part(room, Talk).store.said(room.id)
    return {"said": [told(each) for each in said], "phrases": dict(chat.PHRASES)}


def report(room: Room, seat: Seat | None, reason: str) -> None:
    """Report the other player to the host of the server."""
    side = _speaker(room, seat)
    store = part(room, Talk).store
    reason = chat.checked_reason(reason)
    if not store.report(room.id, side, reason, chat.REPORTS):
        raise Refusal("you have reported this player already", "busy")


def reported(url: str | None, most: int) -> list[Report]:
    """The latest reports in a database, for the host of the server."""
    with closing(TalkStore(url)) as store:
        return store.reports(most)


def _speaker(room: Room, seat: Seat | None) -> Side:
    if seat is None or seat == BOTH:
        raise Refusal("only the two players talk here", "forbidden")
    if room.saved.options["opponent"] != FRIEND:
        raise Refusal("there is nobody to talk to", "forbidden")
    return seat


# -- once more --------------------------------------------------------------------------------------------------
def rematch(rooms: Rooms, room: Room, seat: Seat | None, *, rated: bool = False) -> str | None:
    """Offer to play again. Once both have, gives the id of the new game, whose seats have the keys of the old one's.

    ``rated`` says whether it counts.
    """
    if seat is None:
        raise Refusal("you are watching: only players play again", "forbidden")
    if not room.is_closed:
        raise Refusal("the match is not over yet", "forbidden")

    def offer() -> str | None:
        again = part(room, Rematch)
        if again.game is not None:
            return again.game
        people = ["X", "O"] if room.saved.options["opponent"] == FRIEND else [str(seat)]
        offered = sorted({*again.offered, str(seat)})
        options = {**room.saved.options, "again": offered}
        if not set(people) <= set(offered):
            if offered != again.offered:
                room.save(replace(room.saved, options=options))
            return None
        made = rooms.add(_once_more(room.saved, rated=rated))
        room.save(replace(room.saved, options={**options, "rematch": made.id}))
        return made.id

    return room.changing(offer)


def _once_more(saved: SavedRoom, *, rated: bool) -> SavedRoom:
    options = {name: value for name, value in saved.options.items() if name in TERMS}
    secret = proof.new_secret()
    return replace(
        saved,
        id=new_id(),
        options={**options, "position": None, "rated": rated, **proof.new_options(secret)},
        secret=secret,
        seeds={},
        number=None,
        closed=False,
        revision=0,
    )
