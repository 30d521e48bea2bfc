"""Dice that can be proved: the chains of a room, the proof of a match, and its verification on the server.

Each throw is made from the next links of chains of the server and of the players, so that nobody knows it before
(``rules.links``; docs/dice.md has it in full). A player without links has added a seed, which stays the same for all
throws.

A takeback (against a bot) takes the throws after it back as well: the next throw has the dice that were thrown at that
place before, so that nobody can look for better ones. The secret is told when nothing more is played. Bots choose by
the number of the event and the name of the game, never by the secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from fullprime.app.table.events import SIDES, Side
from fullprime.play import rulings
from fullprime.play.events import ChainBegun
from fullprime.play.links import Links, server_chain
from fullprime.play.terms import HUMAN
from fullprime.rules.errors import RulesError, SettingsError
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.links import LENGTH, SPARE, new_secret
from fullprime.rules.notation import format_play
from fullprime.rules.record import Entry, GameRecord, Match, Setup
from fullprime.rules.score import Player
from fullprime.rules.words import in_game, thrown

if TYPE_CHECKING:
    from fullprime.store.games.games import SavedMatch
    from fullprime.store.games.rooms import SavedRoom

OLDER = "its dice follow an older formula, which is neither played nor verified any more"
"""The reason why a stored room without chains is refused."""
_SEED = re.compile(r"[0-9a-f]{1,64}")
SERVER = "server"
"""The name of the server as the holder of a chain."""
_THROWS = (ActionKind.OPENING, ActionKind.ROLL)


def checked_seed(text: str) -> str:
    """The seed of a player, if it is allowed; raises SettingsError."""
    if not _SEED.fullmatch(text):
        raise SettingsError(f"a seed is 1 to 64 hexadecimal digits, not {text[:70]!r}")
    return text


# -- what is stored of the dice of a room ---------------------------------------------------------------------------
def new_options(secret: str) -> Mapping[str, object]:
    """The options of a new room: the server's chain."""
    return {"chains": [[SERVER, 1, server_chain(secret, 1).anchor]]}


def chains(room: SavedRoom) -> list[ChainBegun]:
    """The chains that have been begun in a room; raises SettingsError for a room of an older formula, without any."""
    begun = room.options.get("chains")
    if not begun:
        raise SettingsError(f"game {room.id} cannot be opened: {OLDER}")
    sides = {SERVER: None, "X": Player.X, "O": Player.O}
    return [ChainBegun(sides[whose], int(first), str(anchor)) for whose, first, anchor in begun]


def commitment(room: SavedRoom) -> str:
    """The commitment of a room, as it was told before anybody added anything."""
    return chains(room)[0].anchor


def givers(room: SavedRoom) -> tuple[Player, Player]:
    """Whose link X's throws need, and whose O's."""
    return Player.X, Player.O if room.options["opponent"] == "friend" else Player.X


def links_of(room: SavedRoom, chains: Iterable[ChainBegun] = ()) -> Links:
    """The links of a room in which these chains have been begun."""
    links = Links({Player[side]: seed for side, seed in room.seeds.items()}, {})
    for chain in chains:
        links = links.with_chain(chain.whose, chain.first, chain.anchor)
    return links


def furthest(match: Match) -> int:
    """The highest number that a throw of a match has had; after a takeback numbers come again."""
    number = most = 0
    for record in match.games:
        before = number
        for index, event in enumerate(record.events):
            if isinstance(event, Setup):
                if rulings.kept_by(event) is not None:
                    number = before + rulings.throws(record.events[: index + 1])
            elif event.kind in _THROWS:
                number += 1
                most = max(most, number)
    return most


# -- the throws of a match --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Throw:
    """A throw of a match: its dice in the order of the formula, and from which parts they follow."""

    number: int
    """In the match, from 1; numbers come again after a takeback."""
    event: int
    """The number of the event, from 1."""
    kind: ActionKind
    dice: tuple[int, int]
    by: Literal["X", "O", "both"]
    links: Mapping[Player, str]
    without: tuple[Side, ...]
    """The sides whose link was needed and is not there."""
    server: str
    parts: tuple[str, str]
    due: tuple[int, int]
    """The dice that follow."""
    fault: str | None = None
    """The reason why the links are none."""


def throws_of(room: SavedRoom, match: Match, thrown_with: Sequence[Mapping[str, str]]) -> Iterator[Throw]:
    """Every throw of a match, made again from its links."""
    links, begun = links_of(room), chains(room)
    number = place = 0
    for record in match.games:
        before = number
        for index, entry in enumerate(record.entries()):
            event = entry.event
            place += 1
            if isinstance(event, Setup):
                if rulings.kept_by(event) is not None:
                    number = before + rulings.throws(record.events[: index + 1])
                continue
            if event.kind not in _THROWS or event.dice is None:
                continue
            number += 1
            for chain in [chain for chain in begun if chain.first <= number]:
                begun.remove(chain)
                links = links.with_chain(chain.whose, chain.first, chain.anchor)
            links, throw = _thrown(room, links, number, place, entry, thrown_with[place - 1])
            yield throw


def _thrown(
    room: SavedRoom, links: Links, number: int, place: int, entry: Entry, stored: Mapping[str, str]
) -> tuple[Links, Throw]:
    """The links after a throw, and the throw as it should be."""
    event, game = entry.event, entry.before
    assert isinstance(event, Action)
    assert event.dice is not None
    given = {side: stored[side.name] for side in Player if side.name in stored}
    needed, fault = links.needed(game, givers(room)), None
    try:
        if strangers := [side.name for side in given if side not in needed]:
            raise RulesError(f"a link of {', '.join(strangers)} is none of this throw")
        for side, link in given.items():
            links = links.with_link(side, number, link, is_thrown=True)
    except RulesError as error:
        fault = str(error)
    parts = links.part(Player.X, given), links.part(Player.O, given)
    due = links.dice(room.secret, number, given)
    dice = due if _is_same(event, due) else event.dice
    without = tuple(SIDES[side] for side in needed if side not in given)
    server = links.server_link(room.secret, number)
    return links, Throw(number, place, event.kind, dice, _by(game), given, without, server, parts, due, fault)


def _by(before: Game) -> Literal["X", "O", "both"]:
    return "both" if before.turn is None else SIDES[before.turn]


def _is_same(event: Action, due: tuple[int, int]) -> bool:
    """True if a throw is that which is due; a roll is kept with its higher die first."""
    return event.dice == due or (event.kind is ActionKind.ROLL and event.dice == due[::-1])


# -- verification -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ProofCheck:
    """The result of a check. ``faults`` is empty when everything follows from the links."""

    throws: int
    choices: int
    """Choices of bots that were made again."""
    faults: tuple[str, ...]
    without: int = 0
    """Throws that the server knew of before, since a link was missing or none was promised."""


def verify(room: SavedRoom, saved: SavedMatch) -> ProofCheck:
    """Throw every die of a match again, and let its bots choose again."""
    faults, found, without = _chain_faults(room), 0, 0
    thrown = {}
    for throw in throws_of(room, saved.match, saved.links):
        thrown[throw.event] = throw
        found += 1
        without += not throw.links
    faults += _renewal_faults(room, thrown.values())
    choices = number = 0
    for game_no, record in enumerate(saved.match.games, 1):
        for index, entry in enumerate(record.entries()):
            event, number = entry.event, number + 1
            where = in_game(game_no, entry.move)
            if isinstance(event, Setup):
                happened = GameRecord(record.start, record.events[:index])
                if not _is_ruling(happened, entry.before, event):
                    faults.append(f"{where}: the board was set by hand")
            elif number in thrown:
                faults += [f"{where}: {fault}" for fault in _faults(thrown[number], event)]
            elif entry.player is not None and saved.seats[entry.player] != HUMAN:
                choices += 1
                fault = _chose_otherwise(entry, event, saved.seats[entry.player], f"{room.id}:{number - 1}")
                faults += [f"{where}: {fault}"] if fault else []
    drawn = 2 * sum(rulings.throws(record.events) for record in saved.match.games)
    if drawn != saved.drawn:
        faults.append(f"{saved.drawn} dice are recorded as thrown, {drawn} are in the games")
    return ProofCheck(found, choices, tuple(faults), without)


def _faults(throw: Throw, event: Action) -> Iterator[str]:
    if throw.fault is not None:
        yield throw.fault
    if not _is_same(event, throw.due):
        yield f"thrown {thrown(throw.dice)}, but the links give {thrown(throw.due)}"


def _chain_faults(room: SavedRoom) -> list[str]:
    own = [chain for chain in chains(room) if chain.whose is None]
    if all(server_chain(room.secret, chain.first).anchor == chain.anchor for chain in own):
        return []
    return ["the server's secret does not give the chain that it has promised"]


def _renewal_faults(room: SavedRoom, thrown: Iterable[Throw]) -> Iterator[str]:
    """The server must not begin a chain when it likes: only for an opening throw, with few links left of the last."""
    openings = {throw.number for throw in thrown if throw.by == "both"}
    mine = [chain for chain in chains(room) if chain.whose is None]
    for before, each in pairwise(mine):
        left = before.first + LENGTH - each.first
        if left >= SPARE or each.first not in openings:
            yield f"the server had no reason to begin a chain at throw {each.first}"


def _is_ruling(happened: GameRecord, before: Game, event: Setup) -> bool:
    """True if an event is a takeback, a resignation or a forfeit, and does what it says."""
    kept, resigned, loser = rulings.kept_by(event), rulings.resigned_by(event), rulings.forfeited_by(event)
    try:
        if kept is not None:
            return rulings.set_back(happened, kept) == event
        if resigned is not None:
            return rulings.resignation(before, *resigned) == event
        result = event.game.result
        return loser is not None and result is not None and rulings.forfeit(before, loser, result.how) == event
    except RulesError:
        return False


def _chose_otherwise(entry: Entry, event: Action, bot: str, seed: str) -> str | None:
    """The choice that the bot would make now, where that differs; a forced play is nobody's choice."""
    from fullprime.engine.bots.bots import bot_named

    if event.kind is ActionKind.PLAY and len(entry.before.legal_plays) == 1:
        return None
    due = bot_named(bot, seed).choose(entry.before)
    if due == event:
        return None
    said, meant = (format_play(each.moves) if each.moves else str(each.kind) for each in (event, due))
    return f"{bot} did {said}, but its level and seed give {meant}"


__all__ = [
    "OLDER",
    "ProofCheck",
    "Throw",
    "chains",
    "checked_seed",
    "commitment",
    "givers",
    "links_of",
    "new_options",
    "new_secret",
    "throws_of",
    "verify",
]
