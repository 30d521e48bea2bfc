"""Decisions about the dice: seeds and chains before the first throw, links, and throws that people ask for."""

from __future__ import annotations

import re

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play import checks
from fullprime.play.commands import BeginChain, GiveLink, GiveSeed
from fullprime.play.draft import Draft
from fullprime.play.events import ChainBegun, GameBegun, LinkGiven, Seat, SeedGiven
from fullprime.play.links import server_chain
from fullprime.play.naming import to_messages
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.game import Phase
from fullprime.rules.links import LENGTH, SPARE, is_link
from fullprime.rules.score import Player

CHAINS_AT_ONCE, CHAINS = 4, 256
"""The chains that a side may begin for one throw, and in one match; each is sent to all who follow the game."""
_SEED = re.compile(r"[0-9a-f]{1,64}")
THROWN_IN = (Phase.OPENING_ROLL, Phase.CUBE_DECISION, Phase.ROLL)
"""The phases in which dice are thrown."""


def giver_of(seat: Seat | None) -> Player | None:
    """The side whose links come from a seat; X for two people at one screen."""
    return None if seat is None else Player.X if seat == "both" else Player[seat]


# -- before the first throw -------------------------------------------------------------------------------------
def give_seed(draft: Draft, command: GiveSeed, seat: Seat) -> None:
    """Add a seed to the dice; the first game begins when every player has added one. The same again changes nothing."""
    session, side = draft.session, giver_of(seat)
    if side is not None and command == GiveSeed(session.links.seeds.get(side, ""), side in session.links.chains):
        return
    if session.closed is not None:
        raise IllegalAction(checks.CALLED_OFF)
    if side is None or side not in session.missing_seeds:
        added, unseated = Message("your seed has been added"), Message("you have no seat here")
        raise Refusal(unseated if side is None else added, "forbidden")
    if not _SEED.fullmatch(command.seed):
        raise SettingsError(Message("a seed is 1 to 64 hexadecimal digits, not {seed}", seed=repr(command.seed[:70])))
    if command.has_links:
        _check_anchor(draft, command.seed)
    draft.add(SeedGiven(side, command.seed))
    if command.has_links:
        draft.add(ChainBegun(side, 1, command.seed))
    if not draft.session.missing_seeds:
        draft.add(GameBegun(1))
        draft.advance()


def _check_anchor(draft: Draft, anchor: str) -> None:
    session = draft.session
    if session.terms.dice != "links":
        raise SettingsError(Message("this game was begun without links: its dice come from seeds alone"))
    if not is_link(anchor):
        raise SettingsError(
            Message("the anchor of a chain has 64 hexadecimal digits, not {anchor}", anchor=repr(anchor[:70]))
        )
    if any(chain.anchor == anchor for chain in session.chains):
        raise SettingsError(Message("there is a chain with this anchor already: begin one of your own"))


# -- chains -----------------------------------------------------------------------------------------------------
def begin_chain(draft: Draft, command: BeginChain, seat: Seat) -> None:
    """A player begins a chain with the next throw, on another device or after one that is used up.

    The same again changes nothing.
    """
    session, number, side = draft.session, command.number, _giver_in_game(draft, seat, command.number)
    if ChainBegun(side, number, command.anchor) in session.chains:
        return
    if session.links.link_of(side, number) is not None:
        raise IllegalAction(Message("the link for the next throw has been told already"))
    if number <= session.furthest:
        raise IllegalAction(
            Message("this throw comes again with the same dice: a new chain may begin with one that is new")
        )
    own = [chain for chain in session.chains if chain.whose is side]
    if not own:
        raise IllegalAction(Message("this seat has promised no links: its seed stays the same for all throws"))
    if len(own) >= CHAINS or sum(chain.first == number for chain in own) >= CHAINS_AT_ONCE:
        raise IllegalAction(Message("too many chains have been begun"))
    _check_anchor(draft, command.anchor)
    draft.add(ChainBegun(side, number, command.anchor))


def renew_server_chain(draft: Draft) -> None:
    """Begin a new chain of the server for a game that might outlast the links that are left."""
    session = draft.session
    if session.terms.dice != "links":
        return
    last = session.links.server[-1] + LENGTH - 1
    if last - session.throws < SPARE:
        first = session.throws + 1
        draft.add(ChainBegun(None, first, server_chain(draft.inputs.secret, first).anchor))


# -- links ------------------------------------------------------------------------------------------------------
def give_link(draft: Draft, command: GiveLink, seat: Seat) -> None:
    """A player gives the link for a throw that waits for nothing else; the throw follows the last one missing.

    The same again changes nothing.
    """
    side = _giver_in_game(draft, seat, command.number)
    if side not in draft.session.awaited:
        if draft.session.links.link_of(side, command.number) == command.link:
            return
        raise IllegalAction(Message("no link of yours is awaited now"))
    _take_link(draft, side, command.link)


def take_link_with_throw(draft: Draft, seat: Seat, link: str) -> bool:
    """Take the link that comes with a throw; True where that is all, because it is the opening throw.

    A link that comes with anything else is refused, so that no link is known before the throw is due.
    """
    session, game, side = draft.session, draft.game, giver_of(seat)
    if side is None or game.phase not in THROWN_IN or side not in session.needed:
        raise IllegalAction(checks.LINK_WITH_ROLL)
    if game.phase is Phase.OPENING_ROLL:
        _take_link(draft, side, link)
        return True
    draft.hold_link(side, link)
    return False


def _take_link(draft: Draft, side: Player, link: str) -> None:
    session = draft.session
    number = session.throws + 1
    with_link = session.links.with_link(side, number, link)
    missing = [giver for giver in session.needed if with_link.link_of(giver, number) is None]
    if missing:
        if session.links.link_of(side, number) is None:
            draft.add(LinkGiven(side, number, link))
        return
    draft.hold_link(side, link)
    if draft.game.phase is Phase.OPENING_ROLL and not session.terms.automatic:
        throw(draft, None)
    draft.advance()


def _giver_in_game(draft: Draft, seat: Seat | None, number: int) -> Player:
    """The side whose links come from a seat, where ``number`` is that of the next throw."""
    session, side = draft.session, giver_of(seat)
    if side is None:
        raise Refusal(checks.PLAYERS_ACT, "forbidden")
    checks.game_of(session)
    if session.is_over:
        raise IllegalAction(checks.SESSION_OVER)
    if number != session.throws + 1:
        raise Refusal(
            Message("the next throw is number {throws}, not {number}", throws=session.throws + 1, number=number),
            "stale",
        )
    return side


# -- throws -----------------------------------------------------------------------------------------------------
def throw(draft: Draft, typed: tuple[int, int] | None) -> None:
    """Throw as a person asks for it: with the program's dice, or with those that a person has thrown and typed."""
    session = draft.session
    if typed is not None:
        if session.terms.dice != "typed":
            raise IllegalAction(
                Message("the program throws the dice here: type roll alone (--dice manual is for real dice)")
            )
        draft.throw(typed)
        return
    if session.terms.dice == "typed":
        raise IllegalAction(Message("type the dice you have thrown, for example: roll 31"))
    if not draft.throw_if_possible():
        names = [to_messages(session.names)[side] for side in draft.missing]
        if len(names) > 1:
            raise IllegalAction(Message("this throw needs the next links of {x} and {o}", x=names[0], o=names[1]))
        raise IllegalAction(Message("this throw needs the next link of {name}", name=names[0]))
