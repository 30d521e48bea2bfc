"""Facts of a match in one form for files of every format: the hash that knows a match again, and the
boards that stood in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.position import HAND, Position
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Player

ENOUGH_ROLLS = 20
"""From this number of rolls on, two matches with the same dice and plays are the same match, with any names in their
files (each roll alone is one of 21). In shorter ones the names must agree as well.
"""


@dataclass(frozen=True, slots=True)
class Facts:
    """``hash`` is the same for every file of a match; ``first`` is the player who began, by whom seats are compared."""

    hash: str
    first: Player
    rolls: int


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """An event of a game with the game before and after it; ``after`` is None where the record cannot be followed."""

    number: int
    before: Game
    event: Event
    after: Game | None


def replay(record: GameRecord) -> Iterator[ReplayStep]:
    """Replay a game; ends at an event that cannot have happened."""
    game = record.start
    for number, event in enumerate(record.events):
        after: Game | None
        try:
            after = event.game if isinstance(event, Setup) else game.act(event)
        except FullprimeError:
            after = None
        yield ReplayStep(number, game, event, after)
        if after is None:
            return
        game = after


# -- the hash --------------------------------------------------------------------------------------------------------
def facts_of(match: Match) -> Facts:
    """The hash of the events: dice, boards, cube actions, in order.

    It does not depend on the format, the player at X, the notation of a play, or the facts that only some formats hold:
    opening ties, how a game was resigned and for how many points, Jacoby and its like, remarks, analyses. The winner
    of each game does count, so that a match that went on is another than the one that broke off.
    """
    first = _first(match)
    rolls = 0
    digest = hashlib.sha256(f"fullprime match 1\n{match.settings.length}\n".encode())
    for record in match.games:
        digest.update(b"G" + _points(record.start, first) + _board(record.start, first))
        final = record.start
        for step in replay(record):
            event_bytes = _event_bytes(step, first)
            rolls += event_bytes[:1] == b"r"
            digest.update(event_bytes)
            final = step.after or final
        if not record.events:
            digest.update(_state(record.start, first))
        result = record.stated or final.result
        if result is not None:
            digest.update(b"w%d" % (result.winner ^ first))
    if rolls < ENOUGH_ROLLS:
        digest.update(repr(sorted(plain_name(name) for name in match.names)).encode())
    return Facts(digest.hexdigest(), first, rolls)


def plain_name(name: str) -> str:
    """A name as it is compared: without case and doubled blanks."""
    return " ".join(name.casefold().split())


def _first(match: Match) -> Player:
    for record in match.games:
        for event in record.events:
            if isinstance(event, Action) and event.kind is ActionKind.OPENING and event.dice is not None:
                x_die, o_die = event.dice
                if x_die != o_die:
                    return Player.X if x_die > o_die else Player.O
            else:
                break
        return record.start.on_roll
    return Player.X


def _points(game: Game, first: Player) -> bytes:
    if not game.settings.is_match:
        return b""
    points = game.score.points
    return b"%d-%d" % (points[first], points[first.other])


def _board(game: Game, first: Player) -> bytes:
    position = game.position_of(first)
    return bytes((*position.player, *position.opponent))


def _state(game: Game, first: Player) -> bytes:
    dice = str(game.dice) if game.dice is not None else ""
    owner = "" if game.cube.owner is None else str(game.cube.owner ^ first)
    return f"s{game.on_roll ^ first}{dice}c{game.cube.value}{owner}{game.cube.offered or ''}".encode()


_CUBE = {
    ActionKind.DOUBLE: b"D", ActionKind.TAKE: b"T", ActionKind.DROP: b"P", ActionKind.BEAVER: b"B",
    ActionKind.RACCOON: b"R",
}  # fmt: skip


def _event_bytes(step: ReplayStep, first: Player) -> bytes:
    event, after = step.event, step.after
    if isinstance(event, Setup):
        return b"!" + _board(event.game, first) + _state(event.game, first)
    match event.kind:
        case ActionKind.OPENING | ActionKind.ROLL:
            assert event.dice is not None
            if event.kind is ActionKind.OPENING and after is not None and after.phase is Phase.OPENING_ROLL:
                return b""
            thrower = after.on_roll if after is not None else step.before.on_roll
            return b"r%d" % (thrower ^ first) + str(Roll(*event.dice)).encode()
        case ActionKind.PLAY if after is not None:
            return b"p" + _board(after, first)
        case ActionKind.RESIGN | ActionKind.ACCEPT | ActionKind.REFUSE:
            return b""
        case kind if kind in _CUBE:
            return _CUBE[kind]
        case _:
            return repr((event.kind.value, event.moves, event.number)).encode()


# -- the boards ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DecisionBoard:
    """A board at a decision, seen by the player on roll: before a play, before a double, or where a game breaks off."""

    game: int
    event: int
    player: Player
    position: Position
    dice: Roll | None


def decision_boards(match: Match) -> Iterator[DecisionBoard]:
    """The boards of a match that a search may find."""
    for number, record in enumerate(match.games):
        last: Game | None = record.start
        for step in replay(record):
            before, kind = step.before, None if isinstance(step.event, Setup) else step.event.kind
            # A play against the rules is kept as a set-up: its board stood with its roll all the same.
            written = kind is None and before.dice is not None and step.after is not None and step.after.dice is None
            if (
                written
                or kind is ActionKind.PLAY
                or (kind is ActionKind.DOUBLE and before.phase is Phase.CUBE_DECISION)
            ):
                yield DecisionBoard(number, step.number, before.on_roll, before.position, before.dice)
            last = step.after
        broken_off = last is not None and not last.is_over and last.phase is not Phase.OPENING_ROLL
        if last is not None and broken_off and record.stated is None:
            yield DecisionBoard(number, len(record.events), last.on_roll, last.position, last.dice)


def boards_at(match: Match) -> Mapping[tuple[int, int], tuple[Position, Roll | None]]:
    """The boards before all events of a match, each seen by the player on roll then, with the dice to be played."""
    return {
        (number, step.number): (step.before.position, step.before.dice)
        for number, record in enumerate(match.games)
        for step in replay(record)
    }


@dataclass(frozen=True, slots=True)
class Cells:
    """A board as the library stores it: see ``schema.library_boards``."""

    id: int
    cells: bytes
    own: int
    own_made: int
    other: int
    other_made: int
    own_pips: int
    other_pips: int


def cells_of(position: Position) -> Cells:
    """The stored form of a board. Two boards share an id with a chance of 1 in 2**63."""
    flags = position.player_licence | position.opponent_licence << 1
    cells = bytes((*position.player, *position.opponent, flags))
    number = int.from_bytes(hashlib.blake2b(cells, digest_size=8).digest(), "big", signed=True)
    own, other = position.player, position.opponent
    return Cells(
        number,
        cells,
        place_bits(own, 1),
        place_bits(own, 2),
        place_bits(other, 1),
        place_bits(other, 2),
        *position.pips,
    )


def position_of(cells: bytes) -> Position:
    """The inverse of ``cells_of(position).cells``."""
    return Position(tuple(cells[:27]), tuple(cells[27:54]), bool(cells[54] & 1), bool(cells[54] & 2))


def place_bits(row: tuple[int, ...], least: int) -> int:
    """A bit for each place (bar and hand included, off not) with at least ``least`` checkers."""
    return sum(1 << slot for slot in range(1, HAND + 1) if row[slot] >= least)
