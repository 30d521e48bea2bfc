"""The golden perft files, one for each variant.

Write them all again (about a minute) with::

    python -m tests.reference.perft_golden

and look at the difference before committing it: these numbers change only when the rules do.
"""

from __future__ import annotations

import json
from pathlib import Path

from fullprime.engine.boards.perft import perft, perft_by_roll
from fullprime.rules.variants import VARIANTS

FOLDER = Path(__file__).parents[1] / "data" / "perft"
DEPTH = 3
"""Plies counted."""


def golden(name: str) -> dict[str, object]:
    """What is written for a variant."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, variant in VARIANTS.items():
        counts = perft(variant, DEPTH)
        content = {"variant": name, "perft": counts, "first_ply_by_roll": perft_by_roll(variant)}
        (FOLDER / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        print(f"{name}: {', '.join(map(str, counts))}")  # noqa: T201


if __name__ == "__main__":
    main()
