"""Ends of a game of the server that is not played out: aborted, ended by both, left and so lost, or a session's end.

A match ends by play, resignation, time or absence. Nobody cancels one alone: only in its first moves, where next to
nothing has been played, may either side abort it; one that has not begun, since a player or a seed is missing, may be
called off by whoever sits there, and is forgotten after ``UNBEGUN``. Later both must agree that it ends without a
result, or one leaves and loses it. A money session has a settled score between two games, and there either side may
go; in a game both must agree that the game does not count, or one leaves and loses it as if the other one had just
borne off.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fullprime.app.live.attached import Attached
from fullprime.app.live.room_view import FRIEND
from fullprime.app.sessions.facts import cost_of_leaving, forfeited_end, way_alone
from fullprime.app.sessions.fields import EndingFacts, EndingWay
from fullprime.app.sessions.view import BOTH
from fullprime.app.table.events import Side
from fullprime.app.table.table import Table
from fullprime.common.refusals import Refusal
from fullprime.play.events import Seat
from fullprime.rules.errors import IllegalAction
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.store.games.rooms import SavedRoom

if TYPE_CHECKING:
    from fullprime.app.live.room import Room

Closing: TypeAlias = Literal["end", "abort", "agree", "leave"]
"""The ways in which a player ends a game: a session between two games, in the first moves, with the other one's
agreement, or alone and at the price of losing."""

PLAYED: Final = "played"


class Ending(Attached):
    """The end of a game that is not played out: what is offered, what it costs, and how it came."""

    def view(self) -> EndingFacts:
        """The offers, and the ways there are."""
        room, table = self._room, self._room.table
        if room.is_closed:
            how, by = way_of_end(room.saved, None if table is None else table.match)
            return {"ending": {"offered": [], "alone": None, "costs": None, "how": how, "by": by}}
        if table is None:
            return {"ending": {"offered": [], "alone": "abort", "costs": None, "how": None, "by": None}}
        costs = [cost_of_leaving(table.session, side) for side in Player]
        return {
            "ending": {
                "offered": offered(room.saved, table),
                "alone": way_alone(table.session),
                "costs": costs,
                "how": None,
                "by": None,
            }
        }


def close(room: Room, seat: Seat | None, how: Closing) -> None:
    """End a game in that way; that it is over already is no error.

    Raises Refusal for a spectator, IllegalAction where the game cannot be ended so now.
    """
    if seat is None:
        raise Refusal("you are watching: only players act", "forbidden")

    def end() -> None:
        if room.is_closed:
            return
        if room.table is None:
            _over(room, "aborted", seat)
        elif room.enforce():
            raise Refusal("it is too late: the game is over", "stale")
        else:
            _ways[how](room, room.table, seat)

    room.changing(end)


def way_of_end(saved: SavedRoom, match: Match | None) -> tuple[EndingWay | None, Side | None]:
    """The way in which a game ended, and the side that aborted or left it, was absent or lost on time."""
    ended = saved.options.get("ended")
    if ended is not None:
        return ended["how"], ended["by"]
    forfeited = None if match is None else forfeited_end(match.games[-1].events)
    return forfeited or ("ended" if saved.closed else PLAYED, None)


# -- the ways ---------------------------------------------------------------------------------------------------
def _end(room: Room, table: Table, seat: Seat) -> None:
    saved = room.saved
    if saved.settings.is_match and seat != BOTH:
        raise IllegalAction(
            "a match ends by play, resignation, time or absence: offer to end it without a result, or leave it and lose"
        )
    if seat != BOTH and not table.session.is_between_games:
        raise IllegalAction("a session is ended between two games: in a game both must agree, or you leave and lose it")
    _over(room, "ended", seat)


def _abort(room: Room, table: Table, seat: Seat) -> None:
    if not table.is_young:
        raise IllegalAction("only the first moves are aborted: two plays have been made, or a game has ended")
    _over(room, "aborted", seat)


def _agree(room: Room, table: Table, seat: Seat) -> None:
    saved = room.saved
    if way_alone(table.session) == "end":
        _end(room, table, seat)
        return
    if saved.options["opponent"] != FRIEND:
        raise IllegalAction("a bot agrees to nothing: play on, or leave")
    if seat != BOTH and Player[seat].other.name not in offered(saved, table):
        offers = {**saved.options.get("ends", {}), seat: table.actions_kept}
        if seat not in offered(saved, table):
            room.save(replace(saved, options={**saved.options, "ends": offers}))
        return
    _over(room, "agreed", None)


def _leave(room: Room, table: Table, seat: Seat) -> None:
    if seat == BOTH:
        raise IllegalAction("two people at one screen end the game, and neither loses it")
    is_match = room.saved.settings.is_match
    if not is_match and table.session.is_between_games:
        _end(room, table, seat)
        return
    room.stored(table, lambda: table.leave(Player[seat]))
    if not is_match:
        _over(room, "left", seat)


_ways = {"end": _end, "abort": _abort, "agree": _agree, "leave": _leave}


def _over(room: Room, how: EndingWay, by: Seat | None) -> None:
    saved = room.saved
    if not saved.closed:
        side = None if by == BOTH else by
        room.save(replace(saved, closed=True, options={**saved.options, "ended": {"how": how, "by": side}}))


# -- what there is ----------------------------------------------------------------------------------------------
def offered(saved: SavedRoom, table: Table) -> list[Side]:
    """The sides that would end the game without a result; an offer stands until two more plays have been made."""
    return [side for side, at in saved.options.get("ends", {}).items() if table.plays_since(int(at)) < 2]


__all__ = ["PLAYED", "Closing", "Ending", "close", "offered", "way_of_end"]
