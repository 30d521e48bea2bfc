"""Dice that can be proved. Before a game the server commits to a secret; every player then adds a seed of their own.

The published formula: the *commitment* is the SHA-256 of the secret, in hexadecimal, and is told before any player adds
anything. The *seed* is the text ``fullprime-1:SECRET:X:O`` with what X and O have added (nothing for a bot, and for
somebody who shares a screen). Block ``n`` = 0, 1, 2 … is the SHA-256 of ``SEED:n``; its bytes are read in order,
those of 252 and more passed over, and each of the others gives a die: the remainder by 6, plus 1. The opening throw
takes X's die, then O's; every other throw takes two dice. A takeback (against a bot) takes the throws after it back as
well: the next throw has the dice that were thrown at that place before, so that nobody can look for better ones.

The secret is told when nothing more is played. Bots choose by the number of the event and the name of the game, never
by the secret.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullprime.app.table import rulings
from fullprime.app.table.table import HUMAN
from fullprime.rules.dice import SeededDice
from fullprime.rules.errors import RulesError, SettingsError
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.notation import format_play
from fullprime.rules.record import Entry, GameRecord, Match, Setup

if TYPE_CHECKING:
    from fullprime.store.games.games import SavedMatch
    from fullprime.store.games.rooms import SavedRoom

FORMULA = "fullprime-1"
_SEED = re.compile(r"[0-9a-f]{1,64}")
_THROWS = (ActionKind.OPENING, ActionKind.ROLL)


def new_secret() -> str:
    """A secret of 256 bits, in hexadecimal."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """The commitment that is told before the game: nobody can find another secret to it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def dice_seed(secret: str, x_adds: str, o_adds: str) -> str:
    """The seed of the dice of a whole match.

    >>> dice_seed("5ec2e7", "a1", "")
    'fullprime-1:5ec2e7:a1:'
    """
    return f"{FORMULA}:{secret}:{x_adds}:{o_adds}"


def checked_seed(text: str) -> str:
    """The seed of a player, if it is allowed; raises SettingsError."""
    if not _SEED.fullmatch(text):
        raise SettingsError(f"a seed is 1 to 64 hexadecimal digits, not {text[:70]!r}")
    return text


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """The result of a check. ``faults`` is empty when everything follows from the seeds."""

    throws: int
    choices: int
    """Choices of bots that were made again."""
    faults: tuple[str, ...]


def verify(room: SavedRoom, saved: SavedMatch) -> ProofCheck:
    """Throw every die of a match again, and let its bots choose again."""
    seed = dice_seed(room.secret, room.seeds.get("X", ""), room.seeds.get("O", ""))
    source = SeededDice(seed)
    faults: list[str] = []
    throws = choices = number = before = 0
    for game_no, record in enumerate(saved.match.games, 1):
        for index, entry in enumerate(record.entries()):
            event = entry.event
            where = f"event {number + 1} (game {game_no})"
            if isinstance(event, Setup):
                happened = GameRecord(record.start, record.events[:index])
                if not _is_ruling(happened, entry.before, event):
                    faults.append(f"{where}: the board was set by hand")
                source = SeededDice(seed, before + 2 * rulings.throws((*happened.events, event)))
            elif event.kind in _THROWS and event.dice is not None:
                throws += 1
                due = (source.die(), source.die())
                if due != event.dice and not (event.kind is ActionKind.ROLL and due == event.dice[::-1]):
                    faults.append(f"{where}: thrown {_dice(event.dice)}, but the seeds give {_dice(due)}")
            elif entry.player is not None and saved.seats[entry.player] != HUMAN:
                choices += 1
                fault = _chose_otherwise(entry, event, saved.seats[entry.player], f"{room.id}:{number}")
                faults += [f"{where}: {fault}"] if fault else []
            number += 1
        before += 2 * rulings.throws(record.events)
    if source.drawn != saved.drawn:
        faults.append(f"{saved.drawn} dice are recorded as thrown, {source.drawn} are in the games")
    return ProofCheck(throws, choices, tuple(faults))


def _is_ruling(happened: GameRecord, before: Game, event: Setup) -> bool:
    """True if an event is a takeback or a forfeit, and does what it says."""
    kept, loser = rulings.kept_by(event), rulings.forfeited_by(event)
    try:
        if kept is not None:
            return rulings.set_back(happened, kept) == event
        result = event.game.result
        return loser is not None and result is not None and rulings.forfeit(before, loser, result.how) == event
    except RulesError:
        return False


def thrown(match: Match) -> list[tuple[int, tuple[int, int]]]:
    """Every throw of a match: the number of dice that had been thrown before it, and its dice."""
    found, before = [], 0
    for record in match.games:
        for index, event in enumerate(record.events):
            if isinstance(event, Action) and event.kind in _THROWS and event.dice is not None:
                found.append((before + 2 * rulings.throws(record.events[:index]), event.dice))
        before += 2 * rulings.throws(record.events)
    return found


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


def _dice(dice: tuple[int, int]) -> str:
    return f"{dice[0]}{dice[1]}"
