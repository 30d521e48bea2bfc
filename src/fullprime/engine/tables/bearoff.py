"""Exact endgames: the one-sided tables of all home positions and the two-sided cubeful table.

One-sided (15 checkers on 6 points, 54,264 positions): the rolls that a side needs to bear off all its checkers, to
bear off the first of them (a gammon is saved) and to leave a quadrant (a backgammon is saved). Two-sided (by
default 6 checkers a side, 924 x 924 positions): equities under perfect play and perfect cube action.
``docs/bearoff.md`` separates the exact figures from the others. The tables are built in seconds and kept in the user's
cache folder; a damaged or outdated file is built again.
"""

from __future__ import annotations

import getpass
import itertools
import json
import math
import tempfile
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs

from fullprime.common.atomic_write import atomic_write, atomic_writer, remove_partials
from fullprime.engine.core.pack import for_kernels
from fullprime.engine.tables.making import Progress, show_progress
from fullprime.rules.errors import FullprimeError
from fullprime.rules.variants.variant import Settlement, Variant

VERSION = 1
"""Goes up whenever the content of the tables changes; files of another version are built again."""

CHECKERS = 6
"""Checkers a side of the two-sided table unless a larger one has been built."""

MOST_CHECKERS = 8
"""The largest two-sided table on offer: 9 million positions, 144 MB."""

PIPS_PER_ROLL = 49 / 6
"""The mean of a roll, doubles counted twice: an EPC is this times the mean number of rolls."""

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class BearoffError(FullprimeError):
    """A position or count that the bear-off tables do not hold."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bearoff:
    """The tables in memory, usually mapped from the cache folder. Open with :meth:`open`.

    ``mean`` float64[54264]; ``rolls``, ``first_off``, ``escape`` float32[54264, 32], the chance of each number of
    rolls; ``two_sided`` float32[n, n, 4], see :meth:`equities`. The first index is the rank of a position (see
    ``engine/core/tables/bearoff.py``).
    """

    mean: npt.NDArray[np.float64]
    rolls: npt.NDArray[np.float32]
    first_off: npt.NDArray[np.float32]
    escape: npt.NDArray[np.float32]
    two_sided: npt.NDArray[np.float32]
    checkers: int

    def __getattr__(self, name: str) -> Any:
        """The fields of tables that are opened late (see :meth:`open_lazily`), when one of them is first read."""
        if name not in _FIELDS:
            raise AttributeError(name)
        with _opening:
            if not self._are_open:
                opened = Bearoff.open()
                for field in _FIELDS:
                    object.__setattr__(self, field, getattr(opened, field))
        return object.__getattribute__(self, name)

    # -- making -------------------------------------------------------------------------------------------
    @classmethod
    def open(
        cls, folder: Path | None = None, *, checkers: int | None = None, progress: Progress | None = None
    ) -> Bearoff:
        """The tables from ``folder`` (default: the user's cache), built and stored there if need be.

        ``checkers``: a side of the two-sided table; None for the largest that is there, 6 or more. Where nothing can
        be written the tables go to the temporary folder, or else stay in memory. Raises BearoffError for a number of
        checkers outside 1 to 8.
        """
        if checkers is not None:
            _check_checkers(checkers)
        folders = [folder] if folder is not None else [cache_folder(), fallback_folder()]
        for candidate in folders:
            for size in range(MOST_CHECKERS, CHECKERS - 1, -1) if checkers is None else (checkers,):
                tables = _load(candidate, size)
                if tables is not None:
                    return cls(**tables, checkers=size)
        checkers = CHECKERS if checkers is None else checkers
        with show_progress() as default_progress:
            built = build_tables(checkers, progress or default_progress)
        for candidate in folders:
            try:
                _store(candidate, built, checkers)
            except OSError:
                continue
            tables = _load(candidate, checkers)
            if tables is not None:
                return cls(**tables, checkers=checkers)
        return cls(**built, checkers=checkers)

    @classmethod
    def open_lazily(cls) -> Bearoff:
        """The tables of :meth:`open`, opened when a position needs them first: most never do."""
        return object.__new__(cls)

    @property
    def _are_open(self) -> bool:
        try:
            object.__getattribute__(self, _FIELDS[-1])
        except AttributeError:
            return False
        return True

    def _hold_some(self, rows: Rows) -> bool:
        """False where tables that are not open yet hold none of the rows, because each of them has contact."""
        return self._are_open or bool(_are_races(rows).any())

    @classmethod
    def build(
        cls, folder: Path | None = None, *, checkers: int = CHECKERS, progress: Progress | None = None
    ) -> Bearoff:
        """Build the tables afresh, store them in ``folder`` (default: the user's cache) and map them.

        Raises OSError when the folder cannot be written, BearoffError as :meth:`open` does.
        """
        _check_checkers(checkers)
        target = folder if folder is not None else cache_folder()
        target.mkdir(parents=True, exist_ok=True)  # where that fails, the tables need not be built first
        built = build_tables(checkers, progress)
        _store(target, built, checkers)
        tables = _load(target, checkers)
        if tables is None:
            raise BearoffError(f"{target}: the tables just written cannot be read back")
        return cls(**tables, checkers=checkers)

    @property
    def bytes(self) -> int:
        """The size of all tables, mapped or in memory."""
        return sum(table.nbytes for table in (self.mean, self.rolls, self.first_off, self.escape, self.two_sided))

    def __repr__(self) -> str:
        return f"<Bearoff: {len(self.mean):,} home positions, two-sided up to {self.checkers} checkers a side>"

    @staticmethod
    def serves(variant: Variant) -> bool:
        """True if the tables hold for a game: ordinary bear-off and results, one throw a turn."""
        special = variant.exact_bearoff or variant.after_acey_deucey or variant.after_double
        return variant.settlement is Settlement.GAMES and not special

    # -- batches of positions -----------------------------------------------------------------------------
    def probabilities(self, rows: Rows) -> tuple[Bools, Floats]:
        """(covered, probabilities) of packed positions (n, 32): all rows in which both sides are home.

        Wins are exact under perfect play up to :attr:`checkers` a side, else those of two sides that each hurry
        as if alone; so are the gammons. Uncovered rows hold NaN. Five columns, cumulative, player on roll.
        """
        from fullprime.engine.core.tables import bearoff as core

        rows = _rows(rows)
        covered = np.zeros(len(rows), dtype=np.bool_)
        out = np.full((len(rows), 5), np.nan)
        if self._hold_some(rows):
            core.home_probabilities(rows, self.rolls, self.first_off, self.two_sided, self.checkers, covered, out)
        return covered, out

    def equities(self, rows: Rows) -> tuple[Bools, Floats]:
        """(covered, equities) of packed positions: money equities under perfect play and cube action, cube at 1.

        Columns: 0 cubeless; then the equity of rolling now without doubling, 1 with the cube on one's own side,
        2 centred, 3 on the other side. To double is worth twice column 3 when taken, 1 when dropped. Rows with a
        gammon left in them (a side with nothing off) or more than :attr:`checkers` a side are not covered: NaN.
        Neither side can win a gammon here, so that neither Jacoby nor beavers change anything.
        """
        from fullprime.engine.core.tables import bearoff as core

        rows = _rows(rows)
        covered = np.zeros(len(rows), dtype=np.bool_)
        out = np.full((len(rows), 4), np.nan)
        if self._hold_some(rows):
            core.home_equities(rows, self.two_sided, self.checkers, covered, out)
        return covered, out

    def backgammons(self, rows: Rows) -> tuple[Bools, Floats]:
        """(covered, chances to win and to lose a backgammon) of packed positions: all races; others hold NaN.

        The winner bears off as fast as he can, the loser leaves the winner's home as fast as he can.
        """
        from fullprime.engine.core.tables import bearoff as core

        rows = _rows(rows)
        covered = np.zeros(len(rows), dtype=np.bool_)
        out = np.full((len(rows), 2), np.nan)
        if self._hold_some(rows):
            core.race_backgammons(rows, self.rolls, self.escape, covered, out)
        return covered, out

    def correct(self, rows: Rows, outputs: npt.NDArray[np.float32] | Floats) -> Bools:
        """Replace guesses by exact values, in ``outputs`` (n, 5) itself.

        Rows in which both sides are home become :meth:`probabilities`; in the other races the chances of a
        backgammon become :meth:`backgammons`. Returns which rows are now wholly known.
        """
        from fullprime.engine.core.tables import bearoff as core

        rows = _rows(rows)
        covered = np.zeros(len(rows), dtype=np.bool_)
        if not self._hold_some(rows):
            return covered
        corrected = outputs.astype(np.float64)
        core.home_probabilities(rows, self.rolls, self.first_off, self.two_sided, self.checkers, covered, corrected)
        outputs[covered] = corrected[covered]
        race, chances = self.backgammons(rows)
        partly = race & ~covered
        if partly.any():
            backgammons = chances[partly]
            part = outputs[partly]
            # The net's wins stay; a gammon is at least a backgammon, and at most a win.
            part[:, 2] = np.minimum(backgammons[:, 0], part[:, 0])
            part[:, 4] = np.minimum(backgammons[:, 1], 1 - part[:, 0])
            part[:, 1] = np.maximum(part[:, 1], part[:, 2])
            part[:, 3] = np.maximum(part[:, 3], part[:, 4])
            outputs[partly] = part
        return covered

    def mean_rolls(self, rows: Rows) -> tuple[Bools, Floats]:
        """(covered, mean rolls to bear off of player and opponent) of the rows in which both are home."""
        from fullprime.engine.core.tables import bearoff as core

        rows = _rows(rows)
        covered = np.zeros(len(rows), dtype=np.bool_)
        out = np.full((len(rows), 2), np.nan)
        if self._hold_some(rows):
            core.mean_rolls(rows, self.mean, covered, out)
        return covered, out

    # -- one side -----------------------------------------------------------------------------------------
    def rank(self, counts: Sequence[int]) -> int:
        """The index of a side's checkers on its points 1 to 6 in the tables. Raises BearoffError for bad counts."""
        from fullprime.engine.core.tables import bearoff as core

        if len(counts) != core.POINTS or min(counts) < 0 or sum(counts) > core.LIMIT:
            raise BearoffError(f"{tuple(counts)}: six counts of points 1 to 6, at most 15 checkers in all")
        return int(core.rank_of_code(sum(int(n) << (5 * i) for i, n in enumerate(counts)), core.LIMIT))

    def distribution(self, counts: Sequence[int]) -> Floats:
        """The chance of bearing off in 0, 1, 2 … rolls with ``counts`` checkers on the points 1 to 6."""
        chances: Floats = self.rolls[self.rank(counts)].astype(np.float64)
        return chances

    def epc(self, counts: Sequence[int]) -> float:
        """Effective pip count: mean rolls to bear off times 49/6.

        For 15 checkers on the ace point it is 57.
        """
        return float(self.mean[self.rank(counts)]) * PIPS_PER_ROLL


_FIELDS = tuple(field.name for field in fields(Bearoff))
_opening = threading.RLock()


def build_tables(checkers: int = CHECKERS, progress: Progress | None = None) -> dict[str, npt.NDArray[Any]]:
    """The arrays of :class:`Bearoff` by name, read-only; some seconds."""
    from fullprime.engine.core.tables import bearoff as core

    report = progress or (lambda _part, _word: None)
    codes = core.all_codes(core.LIMIT)
    report(0.0, "rolls to bear off")
    mean, rolls = core.solve_one_sided(codes, core.LIMIT, False, False)
    report(0.2, "rolls to the first checker off")
    _, first_off = core.solve_one_sided(codes, core.LIMIT, True, False)
    report(0.3, "rolls to leave a quadrant")
    _, escape = core.solve_one_sided(codes, core.LIMIT, False, True)
    report(0.4, f"{checkers} checkers against {checkers}")
    codes_of_home = core.all_codes(checkers)
    starts, ranks = core.list_successors(codes_of_home, checkers)
    two_sided = np.zeros((codes_of_home.size, codes_of_home.size, 4))
    # Slices of equal work: all pairs below a rank are as many as its square.
    edges = [math.isqrt(codes_of_home.size * codes_of_home.size * part // 40) for part in range(41)]
    for part, (first, last) in enumerate(itertools.pairwise(edges), start=1):
        core.solve_two_sided_rows(two_sided, starts, ranks, first, last)
        report(0.4 + 0.6 * part / 40, f"{checkers} checkers against {checkers}")
    tables: dict[str, npt.NDArray[Any]] = {
        "mean": mean,
        "rolls": rolls.astype(np.float32),
        "first_off": first_off.astype(np.float32),
        "escape": escape.astype(np.float32),
        "two_sided": two_sided.astype(np.float32),
    }
    for table in tables.values():
        table.flags.writeable = False
    return tables


def cache_folder() -> Path:
    """The folder of the tables: ``bearoff`` in the user's cache folder of this package."""
    return platformdirs.user_cache_path("fullprime") / "bearoff"


def fallback_folder() -> Path:
    """The folder for a user's cache that cannot be written: a folder of the user's own among temporary files."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # no name for this user id: common in containers
        user = "user"
    return Path(tempfile.gettempdir()) / f"fullprime-{user}" / "bearoff"


def _file_names(checkers: int) -> dict[str, str]:
    names = {name: f"{name}.npy" for name in ("mean", "rolls", "first_off", "escape")}
    return names | {"two_sided": f"two_sided_{checkers}.npy"}


def _manifest(folder: Path, checkers: int) -> Path:
    return folder / f"bearoff_{checkers}.json"


def _load(folder: Path, checkers: int) -> dict[str, npt.NDArray[Any]] | None:
    """The tables mapped from a folder; None when anything is missing, outdated or does not match its checksum."""
    try:
        manifest = json.loads(_manifest(folder, checkers).read_text("utf-8"))
        if manifest["version"] != VERSION:
            return None
        tables: dict[str, npt.NDArray[Any]] = {}
        for name, file in _file_names(checkers).items():
            mapped = np.load(folder / file, mmap_mode="r", allow_pickle=False)
            if _checksum(mapped) != manifest["crc32"][file]:
                return None
            tables[name] = np.asarray(mapped)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return tables


def _store(folder: Path, tables: dict[str, npt.NDArray[Any]], checkers: int) -> None:
    """Write every file, the manifest last: readers never see half a file, nor files of two versions as one."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    sums: dict[str, int] = {}
    for name, file in _file_names(checkers).items():
        remove_partials(folder / file)
        with atomic_writer(folder / file) as stream:
            np.save(stream, tables[name], allow_pickle=False)
        sums[file] = _checksum(tables[name])
    atomic_write(_manifest(folder, checkers), json.dumps({"version": VERSION, "crc32": sums}, indent=1))


def _checksum(table: npt.NDArray[Any]) -> int:
    return zlib.crc32(np.ascontiguousarray(table).view(np.uint8).data)


def _rows(rows: Rows) -> Rows:
    if rows.ndim != 2 or rows.shape[1] != 32 or rows.dtype != np.int8:
        raise BearoffError(f"packed positions are int8 of shape (n, 32), not {rows.dtype} of shape {rows.shape}")
    return for_kernels(rows)


def _are_races(rows: Rows) -> Bools:
    """The packed positions (n, 32) in which no checker has one of the other side before it."""
    passed = np.logical_or.accumulate(rows[:, 1:25] < 0, axis=1)
    contact = (passed & (rows[:, 1:25] > 0)).any(axis=1)
    return np.asarray(~contact & ~rows[:, [0, 25, 28, 29]].any(axis=1))


def _check_checkers(checkers: int) -> None:
    if not 1 <= checkers <= MOST_CHECKERS:
        raise BearoffError(f"{checkers} checkers a side: the two-sided table can have 1 to {MOST_CHECKERS}")
