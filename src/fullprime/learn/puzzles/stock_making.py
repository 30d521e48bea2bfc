"""Making the stock of puzzles, which continues where it stopped; each puzzle is on the disk at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from fullprime.common.atomic_write import atomic_write
from fullprime.common.file_lock import FileLocked, exclusive_lock
from fullprime.learn.puzzles.puzzle import FORMAT, STOCK, PuzzleError, PuzzleStock, read_stock, stock_file
from fullprime.learn.teaching.computing import nets_in_use
from fullprime.rules.variants import VARIANTS, variant_named
from fullprime.rules.variants.variant import Variant

AIMS = {name: 2000 if name == "backgammon" else 200 for name in VARIANTS}
"""The number of puzzles of each game that the package should have."""


def make_stock(
    name: str,
    count: int,
    folder: Path | None = None,
    *,
    report: Callable[[str, int, int], None] = lambda _name, _have, _goal: None,
    stop: Callable[[], bool] = lambda: False,
) -> PuzzleStock:
    """Add puzzles to the stock of a game (in ``folder``, or that of the package) until it has ``count``.

    It continues after the last game that was searched.

    ``folder``: the package's own by default. ``report`` hears the name of the game, the puzzles so far and those
    wanted. Raises PuzzleError for a folder that cannot be written, and for a stock that other nets have judged.
    """
    from fullprime.learn.puzzles.making import make

    variant, folder = variant_named(name), folder or STOCK
    before, path = read_stock(variant, folder), stock_file(name, folder)
    nets = nets_in_use([name], wide=False)[name]
    if before.nets not in ("", nets):
        raise PuzzleError(f"{path}: other nets have judged these puzzles; take the file away to begin afresh")
    names = set(before.by_name)
    report(name, len(names), count)
    if len(names) >= count:
        return before
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(path.with_name(f".{path.name}.lock")):
            _end_cleanly(path, variant, nets)
            with path.open("a", encoding="utf-8") as file:
                for game in make(variant, before.games + 1, stop):
                    fresh = [puzzle for puzzle in game.puzzles if puzzle.name not in names]
                    names |= {puzzle.name for puzzle in fresh}
                    # A game stopped half way is looked through again.
                    if stop():
                        break
                    file.write("".join(f"{puzzle.line}\n" for puzzle in fresh) or f"# games {game.game}\n")
                    file.flush()
                    os.fsync(file.fileno())
                    report(name, len(names), count)
                    if len(names) >= count:
                        break
    except FileLocked:
        raise PuzzleError(f"{path}: another process makes puzzles of this game") from None
    except OSError as error:
        raise PuzzleError(f"{path}: it cannot be written ({error})") from None
    return read_stock(variant, folder)


def _end_cleanly(path: Path, variant: Variant, nets: str) -> None:
    """Begin the file, or cut off an unfinished last line."""
    if not path.exists() or not path.stat().st_size:
        atomic_write(path, f"# {FORMAT}\t{variant.name}\t{nets}\n")
        return
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        atomic_write(path, data[: data.rfind(b"\n") + 1])
