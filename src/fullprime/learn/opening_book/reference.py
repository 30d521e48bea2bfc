"""Reference positions: cube decisions at their borders, by theme, each with neighbours that turn the decision.

They are found by search over our own positions (``finding``), rolled out, and stored with a hash of the nets.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from pathlib import Path

from fullprime.common.atomic_write import atomic_write
from fullprime.common.json_values import from_json, to_json
from fullprime.learn.opening_book.files import DATA
from fullprime.learn.opening_book.scores import BookError
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON

FORMAT = "fullprime reference 1"
FILE = DATA / "reference.jsonl"
WORDS = DATA / "reference.toml"
"""The lesson of each position in words, with the facts that it names."""


class ReferenceTheme(StrEnum):
    """The themes, in the order in which they are shown."""

    RACE = "race"
    LAST_ROLLS = "last-rolls"
    WINDOW = "window"
    HOLDING = "holding"
    BLITZ = "blitz"
    PRIMES = "primes"
    CONTAINING = "containing"
    TOO_GOOD = "too-good"


ABOUT: Mapping[ReferenceTheme, tuple[str, str]] = {
    ReferenceTheme.RACE: (
        "Races around the take point",
        "No contact is left. A pip or two decides between take and drop.",
    ),
    ReferenceTheme.LAST_ROLLS: (
        "The last rolls",
        "A few checkers are left; the equities are exact or nearly so.",
    ),
    ReferenceTheme.WINDOW: (
        "Where the window opens",
        "Just good enough to double, or just not yet.",
    ),
    ReferenceTheme.HOLDING: (
        "Against a holding game",
        "One side is ahead; the other waits on an anchor for a shot.",
    ),
    ReferenceTheme.BLITZ: (
        "Attacks",
        "Many checkers near a blot or a checker on the bar, and no anchor in the way.",
    ),
    ReferenceTheme.PRIMES: (
        "Prime against prime",
        "Both sides have four points in a row or more, with a checker behind each.",
    ),
    ReferenceTheme.CONTAINING: (
        "Containing a hit checker",
        "The other side has borne off checkers and was hit.",
    ),
    ReferenceTheme.TOO_GOOD: (
        "Too good, or a drop",
        "The gammon is worth playing on for, or not quite.",
    ),
}
"""The title of each theme, and a sentence about it."""


@dataclass(frozen=True, slots=True)
class ReferenceCube:
    """A cube decision, rolled out; money, the cube in the middle, no Jacoby rule."""

    no_double: float
    """The equity of rolling."""
    no_double_error: float
    """Its standard error."""
    double_take: float
    """The equity of a double that is taken."""
    double_take_error: float
    """Its standard error."""
    verdict: str
    """The right action in words."""
    probabilities: tuple[float, float, float, float, float]
    """Win, gammon, backgammon, gammon and backgammon lost."""
    trials: int
    """Trials of each action."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A board that differs by one checker and a pip, and the decision there."""

    board: str
    change: str
    cube: ReferenceCube

    @property
    def position(self) -> Position:
        """The board, seen by the player on roll."""
        return Position.from_text(self.board, BACKGAMMON.checkers)


@dataclass(frozen=True, slots=True)
class ReferenceLesson:
    """A sentence about a position, and the facts in it, about the board and about the figures."""

    says: str
    shows: tuple[str, ...]
    """Such as ``their bar = 1``."""
    judged: tuple[str, ...] = ()
    """Such as ``gammons > 33.4``: ``wins`` and ``gammons`` in per cent, ``roll`` (no double) and ``take`` in points."""


@cache
def lessons() -> Mapping[str, ReferenceLesson]:
    """The lessons of the reference positions by their names."""
    tables = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    return {
        name: ReferenceLesson(" ".join(table["says"].split()), tuple(table["shows"]), tuple(table.get("judged", ())))
        for name, table in tables.items()
    }


@dataclass(frozen=True)
class Reference:
    """A reference position."""

    theme: ReferenceTheme
    board: str
    nets: str
    cut: int | None
    cube: ReferenceCube
    neighbours: tuple[Neighbour, ...]

    @cached_property
    def name(self) -> str:
        """A name that follows from the board."""
        return f"{self.theme}-{hashlib.sha256(self.board.encode()).hexdigest()[:6]}"

    @property
    def position(self) -> Position:
        """The board, seen by the player on roll."""
        return Position.from_text(self.board, BACKGAMMON.checkers)

    @property
    def lesson(self) -> ReferenceLesson:
        """Its lesson in words; an empty one where none has been written yet."""
        return lessons().get(self.name, ReferenceLesson("", ()))


def line_of(reference: Reference) -> str:
    """A reference position as a line."""
    return json.dumps(to_json(reference), separators=(",", ":"))


def read_references(path: Path = FILE) -> tuple[Reference, ...]:
    """The reference positions of a file, by theme; none where there is no file. Raises BookError."""
    try:
        stamp = path.stat().st_mtime_ns
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BookError(f"{path}: it cannot be read ({error.strerror})") from None
    return _read(path, stamp)


@lru_cache(maxsize=8)
def _read(path: Path, stamp: int) -> tuple[Reference, ...]:
    del stamp
    try:
        head, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
        if json.loads(head or "{}").get("format") != FORMAT:
            raise BookError(f"{path}: this is no file of reference positions")
        references = [_reference(json.loads(line)) for line in lines]
    except BookError:
        raise
    except (OSError, ValueError, KeyError, TypeError, FullprimeError) as error:
        raise BookError(f"{path}: this is no file of reference positions ({error})") from None
    return _order(references)


def _order(references: Iterable[Reference]) -> tuple[Reference, ...]:
    order = list(ReferenceTheme)
    return tuple(sorted(references, key=lambda reference: order.index(reference.theme)))


def write_references(references: Iterable[Reference], path: Path = FILE) -> None:
    """Write the file, by theme, atomically. Raises BookError."""
    lines = [json.dumps({"format": FORMAT}), *map(line_of, _order(references)), ""]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, "\n".join(lines))
    except OSError as error:
        raise BookError(f"{path}: it cannot be written ({error.strerror})") from None


def _reference(line: object) -> Reference:
    reference = from_json(Reference, line)
    for board in (reference.board, *(neighbour.board for neighbour in reference.neighbours)):
        Position.from_text(board, BACKGAMMON.checkers)
    return reference
