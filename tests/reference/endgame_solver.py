"""A slow oracle of small endings: plain value iteration over positions of the readable rules, nothing of the engine.

Contact, licences, extra throws, an exact bear-off, games settled by checkers: whatever the variant says. There is no
cube. Every position that can be reached from the one asked about is listed once with all its turns; values go round
until they stand still.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.reference.turns import slow_turns

from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.position import OFF, Position
from fullprime.rules.variants import Settlement, Variant

Turns = list[tuple[int, list[tuple[Position, bool]]]]
"""The ends of a turn for each roll, with its weight."""
Outcome = tuple[float, float, float, float, float]
"""The five outputs; in games settled by checkers: win, won / 15, 0, lost / 15, 0."""


@dataclass
class Solver:
    """The values of one variant's small endings under perfect cubeless play, seen by the player on roll."""

    variant: Variant
    even: float = 1e-10
    _values: dict[Position, Outcome] = field(default_factory=dict)

    def outcome(self, position: Position) -> Outcome:
        """The five outputs."""
        if position not in self._values:
            self._settle(self._list(position))
        return self._values[position]

    @property
    def known(self) -> list[Position]:
        """Every position that has been listed so far."""
        return list(self._values)

    def equity(self, outcome: Outcome) -> float:
        """Points, or checkers, that the player on roll wins on average."""
        win, gammon, backgammon, lose_gammon, lose_backgammon = outcome
        if self.variant.settlement is not Settlement.GAMES:
            return 15 * (gammon - lose_gammon)
        return 2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon

    def _list(self, start: Position) -> dict[Position, Turns]:
        """The positions that are not known yet, with all their turns; those on the way to the end stand first."""
        turns: dict[Position, Turns] = {}
        waiting = [start]
        while waiting:
            position = waiting.pop()
            if position in self._values:
                continue
            over = self._finished(position)
            self._values[position] = over or (0.5, 0.0, 0.0, 0.0, 0.0)
            if over:
                continue
            turns[position] = [(roll.weight, list(slow_turns(position, roll, self.variant))) for roll in ALL_ROLLS]
            waiting += {after for _, ends in turns[position] for after, _ in ends} - self._values.keys()
        return dict(reversed(turns.items()))

    def _finished(self, position: Position) -> Outcome | None:
        """The result for the player on roll once a side has borne all off."""
        for won, loser in ((True, position.opponent), (False, position.player)):
            winner = position.player if won else position.opponent
            if winner[OFF] < position.checkers:
                continue
            if self.variant.settlement is not Settlement.GAMES:
                left = (position.checkers - loser[OFF]) / 15
                return (1.0, left, 0.0, 0.0, 0.0) if won else (0.0, 0.0, 0.0, left, 0.0)
            gammon = float(loser[OFF] == 0)
            backgammon = float(gammon and any(loser[19:27]))
            return (1.0, gammon, backgammon, 0.0, 0.0) if won else (0.0, 0.0, 0.0, gammon, backgammon)
        return None

    def _settle(self, listed: dict[Position, Turns]) -> None:
        """What was known before leads to nothing that is new, and stands still already."""
        change = 1.0
        while change > self.even:
            change = 0.0
            for position, turns in listed.items():
                total = [0.0] * 5
                for weight, ends in turns:
                    best = max((self._seen(after, again) for after, again in ends), key=self.equity)
                    total = [sum_ + weight / 36 * part for sum_, part in zip(total, best, strict=True)]
                before = self._values[position]
                change = max(change, *(abs(a - b) for a, b in zip(before, total, strict=True)))
                self._values[position] = (total[0], total[1], total[2], total[3], total[4])

    def _seen(self, after: Position, again: bool) -> Outcome:
        """The value of the end of a turn to the player who made it."""
        win, gammon, backgammon, lose_gammon, lose_backgammon = self._values[after]
        if again:
            return self._values[after]
        return 1 - win, lose_gammon, lose_backgammon, gammon, backgammon
