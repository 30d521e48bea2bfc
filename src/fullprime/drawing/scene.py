"""Scenes: the contents of a board's picture, and the same in words."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game
from fullprime.rules.position import BAR, HAND, OFF, Position, Row, pip_words
from fullprime.rules.score import Player


@dataclass(frozen=True, slots=True)
class Scene:
    """The contents of a board's picture, whichever player sits at the bottom."""

    position: Position
    on_roll: Player
    turn: Player
    dice: Roll | None
    cube: Cube | None
    names: tuple[str, str]
    away: tuple[str, str] = ("", "")
    notes: tuple[str, ...] = ()
    resignation: int | None = None

    @classmethod
    def of(
        cls, board: Position | Game, on_roll: Player, dice: Roll | None, cube: Cube | None, names: tuple[str, str]
    ) -> Scene:
        """A position seen by ``on_roll``, or a game with its own dice, cube, score and notes."""
        if isinstance(board, Position):
            return cls(board, on_roll, on_roll, dice, cube, names)
        settings, score = board.settings, board.score
        played = bool(settings.cube) and settings.length != 1 and not score.crawford_game
        away = score.away(settings)
        notes = []
        if score.crawford_game:
            notes.append("Crawford game")
        if settings.jacoby:
            notes.append("Jacoby")
        if board.multiplier > 1:
            notes.append(f"stake times {board.multiplier}")
        return cls(
            board.position,
            board.on_roll,
            board.turn if board.turn is not None else board.on_roll,
            dice if dice is not None else board.dice,
            cube if cube is not None else board.cube if played else None,
            names,
            (f"{away[0]}-away", f"{away[1]}-away") if away is not None else ("", ""),
            tuple(notes),
            board.resignation,
        )

    def row(self, player: Player) -> Row:
        """The counts of a player, in that player's numbering."""
        return self.position.player if player is self.on_roll else self.position.opponent

    @property
    def words(self) -> str:
        """The picture in sentences, for those who do not see it."""
        parts = []
        if self.dice is not None:
            parts.append(f"{self.names[self.on_roll]} to play {self.dice.words}.")
        else:
            parts.append(f"{self.names[self.turn]} to act.")
        for player in Player:
            row = self.row(player)
            places = [
                f"{row[slot]} {_where(slot)}"
                for slot in (HAND, BAR, *range(24, -1, -1))
                if slot < len(row) and row[slot]
            ]
            parts.append(f"{self.names[player]} ({pip_words(row)}): {', '.join(places)}.")
        if self.cube is not None:
            if self.cube.offered:
                parts.append(f"The cube is offered at {self.cube.offered}.")
            else:
                owner = "in the middle" if self.cube.owner is None else f"with {self.names[self.cube.owner]}"
                parts.append(f"Cube {self.cube.value} {owner}.")
        if any(self.away):
            parts.append(f"{self.names[0]} {self.away[0]}, {self.names[1]} {self.away[1]}.")
        if self.resignation:
            parts.append(f"A resignation for {self.resignation} is offered.")
        parts.extend(f"{note}." for note in self.notes)
        return " ".join(parts)


def _where(slot: int) -> str:
    return {BAR: "on the bar", HAND: "in hand", OFF: "off"}.get(slot, f"on {slot}")
