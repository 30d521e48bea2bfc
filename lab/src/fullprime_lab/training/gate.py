"""The last step: a generation is promoted only when it beats the one before in a mirrored duel.

    fullprime train gate FIRST SECOND --games N [--variant NAME] [--seed K]

Either is anything that `engine.bots.players.player_named` knows: a net file, a level (``fast`` is the usual nets of
the package), another program (``gnubg-nn:0``).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from fullprime.engine.bots.players import make_luck_judge, player_named
from fullprime.engine.duel import DuelResult, duel
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Variant

ERRORS = 2.0
"""Standard errors by which the new generation must be ahead."""


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """A duel, seen by the generation that wants to be promoted."""

    result: DuelResult

    @property
    def promoted(self) -> bool:
        """True if it is ahead by more than luck, which is taken out where it could be judged."""
        points, error = self.result.clearest
        return error is not None and points > ERRORS * error

    def __str__(self) -> str:
        word = "promoted" if self.promoted else f"not promoted: it takes a lead of {ERRORS:g} standard errors"
        return f"{self.result}\n  {word}"


def gate(
    first: str,
    second: str,
    variant: Variant,
    games: int,
    seed: int = 1,
    progress: Callable[[DuelResult], None] | None = None,
) -> GateVerdict:
    """Duel of ``first``, the candidate for promotion, with ``second``. Raises PlayerError and DuelError."""
    sides = [player_named(_NAMES.get(name, name), variant, seed=seed) for name in (first, second)]
    return GateVerdict(
        duel(*sides, variant=variant, games=games, seed=seed, luck=make_luck_judge(variant), progress=progress)
    )


_NAMES = {"ours": "fast"}


def main() -> None:
    """Play a duel and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--variant", default="backgammon")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    variant = variant_named(options.variant)
    print(gate(options.first, options.second, variant, 2 * options.pairs, options.seed))  # noqa: T201 - a command


if __name__ == "__main__":
    main()
