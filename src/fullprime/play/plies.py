"""A record ply by ply: each action of a player, forced plays and dances included, with the board before it."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.rules.actions import ActionKind
from fullprime.rules.notation.text import format_play
from fullprime.rules.plays import CheckerMove
from fullprime.rules.record import Entry, Event, GameRecord, Match, Setup
from fullprime.rules.score import Player

_THROWS = (ActionKind.OPENING, ActionKind.ROLL)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPly:
    """One thing that a player did, with the board before it."""

    game: int
    """The number of the game, from 1."""
    event: int
    """The number of the event in the game, from 1."""
    number: str
    """Game and roll, as the report numbers decisions, such as ``2.16``."""
    player: str
    """The player who did it: ``X`` or ``O``."""
    kind: str
    """The name of the action: ``play``, ``double``, ``take``, ``drop`` …; ``roll`` for a double that was missed,
    ``illegal`` for a play against the rules, which is not judged."""
    dice: tuple[int, int] | None
    """The roll of a play, the higher die first; None for everything else."""
    text: str
    """The play or the action, as players write it; empty for a dance."""
    moves: tuple[tuple[int, int], ...]
    """Each checker move of a play, in the player's own numbers: from, to."""
    points: dict[str, tuple[int, ...]]
    """The checkers of each side before it, in its own numbering: 0 off, 1-24 points, 25 bar, 26 hand."""
    value: int
    """The value of the cube before it."""
    owner: str | None
    """The side that has the cube; None while it is in the middle."""
    offered: int | None
    """The value of a cube that waits for its answer; None when none does."""


@dataclass(frozen=True, slots=True)
class PlyGame:
    """One game of a match."""

    game: int
    """The number of the game, from 1."""
    score: tuple[int, int]
    """Points before it, X's first."""
    crawford: bool
    """True for the Crawford game."""
    winner: str | None
    """The side that won it; None for a game that was broken off."""
    points: int
    """Points that it was worth; 0 for a game that was broken off."""


@dataclass(frozen=True, slots=True)
class GamePlies:
    """The games of a session so far, ply by ply, without what was taken back."""

    rounds: tuple[PlyGame, ...]
    """The games, the one under way among them."""
    plies: tuple[RecordPly, ...]
    """All plies of them, in the order in which they were made."""


def plies_of_match(match: Match) -> GamePlies:
    """The plies of a match; raises RulesError for a record that cannot be followed."""
    return GamePlies(
        tuple(ply_game(number, record) for number, record in enumerate(match.games)),
        tuple(
            record_ply(entry, number, event)
            for number, record in enumerate(match.games)
            for event, entry in enumerate(record.entries())
            if is_ply(entry)
        ),
    )


def is_ply(entry: Entry) -> bool:
    """True for what a player did, also against the rules; throws are none."""
    return entry.ends_a_move if isinstance(entry.event, Setup) else entry.event.kind not in _THROWS


def record_ply(entry: Entry, game: int, event: int, action: str | None = None) -> RecordPly:
    """One entry of a record as a ply; both numbers count from 0. ``action`` is the text of one that is not a play."""
    before, kind, moves = entry.before, _kind(entry.event), _moves(entry.event)
    player = before.on_roll if entry.player is None else entry.player
    dice = before.dice if kind in ("play", "illegal") else None
    return RecordPly(
        game=game + 1,
        event=event + 1,
        number=f"{game + 1}.{entry.move}",
        player=player.name,
        kind=kind,
        dice=None if dice is None else (dice.high, dice.low),
        text=(action or kind) if dice is None else format_play(moves) if moves else "",
        moves=tuple((move.source, move.target) for move in moves),
        points={side.name: tuple(before.position_of(side).player) for side in Player},
        value=before.cube.value,
        owner=None if before.cube.owner is None else before.cube.owner.name,
        offered=before.cube.offered,
    )


def _kind(event: Event) -> str:
    """The name of what was done; a throw stands for the double that was missed before it."""
    if isinstance(event, Setup):
        return "illegal"
    return "roll" if event.kind in _THROWS else str(event.kind)


def _moves(event: Event) -> tuple[CheckerMove, ...]:
    return () if isinstance(event, Setup) else event.moves


def ply_game(number: int, record: GameRecord) -> PlyGame:
    """The score before a game and its end; the number counts from 0."""
    result, score = record.result, record.start.score
    return PlyGame(
        game=number + 1,
        score=score.points,
        crawford=score.crawford_game,
        winner=None if result is None else result.winner.name,
        points=0 if result is None else result.points,
    )
