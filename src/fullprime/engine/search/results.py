"""The engine's answers: frozen values that print as a player reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from fullprime.common.json_values import MERGED, JsonFields, json_names
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import Probabilities, chances_text
from fullprime.engine.search.levels import depth_word
from fullprime.rules.board_after_play import BoardAfterPlay
from fullprime.rules.dice import Roll
from fullprime.rules.errors import SettingsError
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.printing import Record, html_table
from fullprime.rules.taking import short_value, to_kind, whole_number
from fullprime.rules.words import format_signed


@dataclass(frozen=True, slots=True)
class RankedPlay(BoardAfterPlay):
    """One legal play and its equity for the player who makes it."""

    __json__: ClassVar[JsonFields] = json_names(
        "rank", "play", "position_id", "position", "equity", "loss", "probabilities", "depth", "value", "trials",
        "error",
    )  # fmt: skip

    rank: int
    """1 for the best."""
    play: Play
    """The play as players write it: ``8/5 6/5``."""
    equity: float
    """In units of the present cube; cubeful or cubeless as was asked. Checkers in a game settled by checkers."""
    loss: float
    """The play's loss against the best one, 0 or more; rough (≈) where that one was looked at further: see depth."""
    probabilities: Probabilities
    """Of the player who makes the play, after it. In a game settled by checkers: see ``engine.cube.probabilities``."""
    depth: int
    """Plies of look-ahead behind these numbers; 0 is static."""
    value: float
    """The equity as points of the stake, or as the chance to win the match."""
    trials: int = 0
    """Trials of a rollout that were joined with the look-ahead; 0 for none."""
    error: float = 0.0
    """Where trials were played: standard error of the distance from the best play; of the best, from the next one."""

    def record(self) -> Record:
        """One row of a table; chances are those of the player who makes the play."""
        win, gammon, backgammon, lose_gammon, lose_backgammon = self.probabilities
        return {
            "rank": self.rank, "play": self.text, "equity": self.equity, "loss": self.loss, "depth": self.depth,
            "win": win, "win_gammon": gammon, "win_backgammon": backgammon, "lose_gammon": lose_gammon,
            "lose_backgammon": lose_backgammon, "value": self.value, "trials": self.trials, "error": self.error,
        }  # fmt: skip

    def __str__(self) -> str:
        return f"{self.text} {format_signed(self.equity, 4)}" + (
            f" ({format_signed(-self.loss, 4)})" if self.loss else ""
        )


@dataclass(frozen=True, slots=True)
class Ranking:
    """All legal plays of a roll, the best first; plays that were looked at further stand before the others.

    The loss of a play that was looked at less far than the best compares two depths, and is printed with ≈.
    """

    __json__: ClassVar[JsonFields] = json_names(
        "position", "dice", "complete", "per_checker", "plays", merged=["context"]
    )

    position: Position
    """The board before the roll is played."""
    dice: Roll
    """The roll, the higher die first."""
    context: CubeContext
    """The cube and the score that the equities were made for."""
    plays: tuple[RankedPlay, ...]
    """The plays, the best first."""
    complete: bool = True
    """False when a limit or a stop ended the search before its depth was reached."""
    per_checker: bool = False
    """True if equities are checkers, in a game that settles by them."""
    nodes: int = 0
    """Boards that were judged."""

    @property
    def best(self) -> RankedPlay:
        """The best play."""
        return self.plays[0]

    def find(self, after: Position) -> RankedPlay | None:
        """The play that leads to a board (still seen by the player who made it), or None."""
        to_kind(Position, "the board", after, SettingsError)
        return next((ranked for ranked in self.plays if ranked.play.after == after), None)

    def text(self, most: int | None = None) -> str:
        """The table that a player reads, of the first ``most`` plays."""
        if most is not None and (whole_number(most) or 0) < 1:
            raise SettingsError(f"most: {short_value(most)} is no number of plays")
        plays = self.plays[:most]
        width = max(len("play"), *(len(ranked.text) for ranked in plays))
        chances = f"  {'match':>8}" if self.context.is_match else ""
        words = [depth_word(ranked.depth, ranked.trials) for ranked in plays]
        far = max(15, *(len(word) for word in words))
        lines = [f"  #  {'looked ahead':<{far}} {'play':<{width}}  {'equity':>7}{chances} (behind the best)"]
        for ranked, looked in zip(plays, words, strict=True):
            chance = f"  {100 * ranked.value:6.2f} %" if self.context.is_match else ""
            unequal = "≈" if ranked.depth != self.best.depth else ""
            error = f" ± {ranked.error:.4f}" if ranked.error else ""
            loss = f" ({unequal}{format_signed(-ranked.loss, 4)}{error})" if ranked.loss else ""
            equity = format_signed(ranked.equity, 4)
            lines.append(f"{ranked.rank:>3}. {looked:<{far}} {ranked.text:<{width}}  {equity}{chance}{loss}")
            lines.append(f"     {chances_text(ranked.probabilities, self.per_checker)}")
        if not self.complete:
            lines.append("     (stopped before the search was complete)")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def records(self) -> list[Record]:
        """One row for each play, in the form that pandas and polars take as it is."""
        return [ranked.record() for ranked in self.plays]

    def _repr_html_(self) -> str:
        """The table in a notebook."""
        return html_table(self.records(), f"{self.dice} from {self.position.text}")

    def __getitem__(self, index: int) -> RankedPlay:
        return self.plays[index]

    def __iter__(self) -> Iterator[RankedPlay]:
        return iter(self.plays)

    def __len__(self) -> int:
        return len(self.plays)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a position for the player on roll, before the roll."""

    position: Position
    """The board."""
    context: CubeContext = field(metadata=MERGED)
    """The cube and the score that the equity was made for."""
    probabilities: Probabilities
    """The chances of each end of the game, of the player on roll."""
    cubeless: float
    """Equity when the cube is not turned again."""
    equity: float
    """Equity with the cube, both sides taking the best actions with it; the cubeless one where there is no cube."""
    value: float
    """That equity as points of the stake, or as the chance to win the match."""
    depth: int
    """Plies of look-ahead behind the equity; 0 is static."""
    exact: bool = False
    """True if the outcome stands in an exact table (or the game is over)."""
    per_checker: bool = False
    """True if equities are checkers, in a game that settles by them."""
    trials: int = 0
    """Trials of a rollout that were joined with the look-ahead; 0 for none."""
    error: float = 0.0
    """Standard error of the equity where trials were played."""

    def __str__(self) -> str:
        depth = "exact" if self.exact else depth_word(self.depth, self.trials)
        error = f" ± {self.error:.4f}" if self.error else ""
        match = f"  {100 * self.value:.2f} % of the match" if self.context.is_match else ""
        unit = " checkers" if self.per_checker else ""
        cubeless = format_signed(self.cubeless, 4)
        lines = [
            f"{depth}: equity {format_signed(self.equity, 4)}{error}{unit}{match}, cubeless {cubeless}",
            f"  {chances_text(self.probabilities, self.per_checker)}",
        ]
        return "\n".join(lines)

    def record(self) -> Record:
        """One row of a table; chances are those of the player on roll."""
        win, gammon, backgammon, lose_gammon, lose_backgammon = self.probabilities
        return {
            "equity": self.equity, "cubeless": self.cubeless, "value": self.value, "win": win, "win_gammon": gammon,
            "win_backgammon": backgammon, "lose_gammon": lose_gammon, "lose_backgammon": lose_backgammon,
            "depth": self.depth, "exact": self.exact,
        }  # fmt: skip

    def _repr_html_(self) -> str:
        """The figures in a notebook."""
        return html_table([self.record()], self.position.text)
