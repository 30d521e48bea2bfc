"""The dice of a room: the chains that are stored with it, the links that are awaited, and who withholds one.

In the options of a room stand the ``chains`` that have been begun, the links ``told`` for an opening throw that waits
for the other side, and the number of events after which a bot has decided to throw (``rolls_at``; a takeback makes that
void). docs/dice.md has the protocol.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fullprime.app.sessions.facts import chains_begun
from fullprime.app.sessions.fields import LinkedProof, LinksState, ProvedThrow
from fullprime.app.table import proof
from fullprime.app.table.events import SIDES, Side
from fullprime.app.table.table import Table
from fullprime.play.clocks import time_control
from fullprime.play.rulings import BY_ABSENCE, forfeit
from fullprime.rules.errors import IllegalAction
from fullprime.rules.links import FORMULA, LENGTH
from fullprime.rules.score import Player
from fullprime.store.times import utc_now

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fullprime.rules.record import Match, Setup
    from fullprime.store.games.rooms import SavedRoom

CHAINS_AT_ONCE, CHAINS = 4, 256
"""Chains that a side may begin for one throw, and in one match: all who follow it are told of each."""

ALONE = 3600.0
"""Seconds after which, in a game by days, the server makes a throw without the link of a player who is not there."""


def adopt(table: Table, saved: SavedRoom) -> None:
    """Take over what is stored of the dice with a room."""
    options, chains = saved.options, proof.chains(saved)
    if table.is_linked:
        table.hear_chains(chains)
    else:
        seeds = {Player[side]: seed for side, seed in saved.seeds.items()}
        table.follow_links(saved.secret, options["opponent"], seeds, chains)
    number = table.throws + 1
    for side in Player:
        found = options.get("told", {}).get(side.name)
        if found is not None and found[0] == number and table.session.links.link_of(side, number) is None:
            table.hear_link(side, str(found[1]))
    if options.get("rolls_at") == table.actions_kept:
        table.expect_link()


def chain_begun(saved: SavedRoom, whose: str, first: int, anchor: str) -> Mapping[str, object]:
    """The options of a room in which somebody begins a chain."""
    return {**saved.options, "chains": [*saved.options["chains"], [whose, first, anchor]]}


def may_begin(saved: SavedRoom, side: Side, number: int, match: Match) -> None:
    """Raises IllegalAction where a side may begin no chain for the next throw, which has that number.

    A throw that comes again after a takeback has the dice that it had: with another chain it could be chosen.
    """
    if number <= proof.furthest(match):
        raise IllegalAction("this throw comes again with the same dice: a new chain may begin with one that is new")
    mine = [chain for chain in proof.chains(saved) if chain.whose is Player[side]]
    if not mine:
        raise IllegalAction("this seat has promised no links: its seed stays the same for all throws")
    if len(mine) >= CHAINS or sum(each.first == number for each in mine) >= CHAINS_AT_ONCE:
        raise IllegalAction("too many chains have been begun")


def linked_proof(saved: SavedRoom, thrown: Iterable[proof.Throw]) -> LinkedProof:
    """The part of the proof that the links are; ``thrown`` are the throws so far."""
    throws: list[ProvedThrow] = [
        {
            "number": each.number,
            "by": each.by,
            "server": each.server,
            "x": each.parts[0],
            "o": each.parts[1],
            "links": [SIDES[side] for side in each.links],
            "without": list(each.without),
            "dice": list(each.dice),
        }
        for each in thrown
    ]
    return {
        "game": saved.id,
        "names": list(saved.names),
        "seats": list(saved.seats),
        "length": LENGTH,
        "givers": [SIDES[each] for each in proof.givers(saved)],
        "chains": chains_begun(proof.chains(saved)),
        "throws": throws,
    }


def told(saved: SavedRoom, side: Side, number: int, link: str) -> Mapping[str, object]:
    """The options of a room in which a side has told its link for an opening throw."""
    before = {each: found for each, found in saved.options.get("told", {}).items() if found[0] == number}
    at = utc_now().replace(tzinfo=UTC).timestamp()
    return {**saved.options, "told": {**before, side: [number, link, at]}}


def facts(saved: SavedRoom, table: Table | None, *, closed: bool) -> LinksState:
    """The chains and the links that are awaited, as people see them."""
    needed: list[Side] = []
    if table is not None:
        session, number = table.session, table.throws + 1
        needed = [SIDES[side] for side in session.needed if not session.links.has_thrown(side, number)]
    state: LinksState = {
        "formula": FORMULA,
        "length": LENGTH,
        "chains": chains_begun(proof.chains(saved)),
        "number": 1 if table is None else table.throws + 1,
        "needed": needed,
        "awaits": [] if table is None or closed else list(table.awaited),
        "since": None,
    }
    since = None if table is None else waits_since(saved, table)
    if state["awaits"] and since is not None:
        state["since"] = since.replace(tzinfo=UTC).timestamp()
    return state


# -- links that are withheld ------------------------------------------------------------------------------------
def waits_since(saved: SavedRoom, table: Table) -> datetime | None:
    """The time since which a throw waits for a link; None before anybody has done anything."""
    found = [at for at in table.times[-1:] if at is not None]
    for number, _, at in saved.options.get("told", {}).values():
        if number == table.throws + 1:
            found.append(datetime.fromtimestamp(at, UTC).replace(tzinfo=None))
    return max(found, default=None)


def is_given_up(saved: SavedRoom, table: Table) -> bool:
    """True if the server must make a throw alone: in a game by days, when a link has been missing for long."""
    asked = saved.options.get("clock")
    if asked is None or not table.awaited or time_control(asked, saved.settings).days is None:
        return False
    since = waits_since(saved, table)
    return since is not None and (utc_now() - since).total_seconds() >= ALONE


def claimed_by(saved: SavedRoom, table: Table, side: Player, grace: int | None) -> Setup | None:
    """The end of the game when the other one alone has withheld a link for so many seconds."""
    since, loser = waits_since(saved, table), side.other
    if since is None or grace is None or table.awaited != (SIDES[loser],):
        return None
    return forfeit(table.game, loser, BY_ABSENCE) if (utc_now() - since).total_seconds() >= grace else None
