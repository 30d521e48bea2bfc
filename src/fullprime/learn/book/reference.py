"""Reference positions: cube decisions at their borders, by theme, each with neighbours that turn the decision.

They are found by search over our own positions (``finding``), rolled out, and stored with a hash of the nets.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from fullprime.common.atomic_write import atomic_write
from fullprime.learn.book.files import DATA
from fullprime.learn.book.scores import BookError
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON

FORMAT = "fullprime reference 1"
FILE = DATA / "reference.jsonl"
WORDS = DATA / "reference.toml"
"""The lesson of each position in words, with the facts that it speaks of."""


class Theme(StrEnum):
    """The themes, in the order in which they are shown."""

    RACE = "race"
    LAST_ROLLS = "last-rolls"
    WINDOW = "window"
    HOLDING = "holding"
    BLITZ = "blitz"
    PRIMES = "primes"
    CONTAINING = "containing"
    TOO_GOOD = "too-good"


ABOUT: Mapping[Theme, tuple[str, str]] = {
    Theme.RACE: ("Races around the take point", "No contact is left. A pip or two decides between take and drop."),
    Theme.LAST_ROLLS: ("The last rolls", "A few checkers are left; the equities are exact or nearly so."),
    Theme.WINDOW: ("Where the window opens", "Just good enough to double, or just not yet."),
    Theme.HOLDING: ("Against a holding game", "One side is ahead; the other waits on an anchor for a shot."),
    Theme.BLITZ: ("Attacks", "Many checkers near a blot or a checker on the bar, and no anchor in the way."),
    Theme.PRIMES: ("Prime against prime", "Both sides have four points in a row or more, with a checker behind each."),
    Theme.CONTAINING: ("Containing a hit checker", "The other side has borne off checkers and was hit."),
    Theme.TOO_GOOD: ("Too good, or a drop", "The gammon is worth playing on for, or not quite."),
}
"""The title of each theme, and a sentence about it."""


@dataclass(frozen=True, slots=True)
class CubeFacts:
    """Rolled-out figures of a cube decision: money, the cube in the middle, no Jacoby rule. Errors are standard."""

    no_double: float
    no_double_error: float
    double_take: float
    double_take_error: float
    verdict: str
    probabilities: tuple[float, float, float, float, float]
    trials: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A board that differs by one checker and a pip, and the decision there."""

    board: str
    change: str
    cube: CubeFacts


@dataclass(frozen=True, slots=True)
class Lesson:
    """A sentence about a position, and the facts that it speaks of: of the board, and of the figures."""

    says: str
    shows: tuple[str, ...]
    """Such as ``their bar = 1``."""
    judged: tuple[str, ...] = ()
    """Such as ``gammons > 33.4``: ``wins`` and ``gammons`` in per cent, ``roll`` (no double) and ``take`` in points."""


@cache
def lessons() -> Mapping[str, Lesson]:
    """The lessons of the reference positions by their names."""
    told = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    return {
        name: Lesson(" ".join(each["says"].split()), tuple(each["shows"]), tuple(each.get("judged", ())))
        for name, each in told.items()
    }


@dataclass(frozen=True)
class Reference:
    """A reference position."""

    theme: Theme
    board: str
    nets: str
    cut: int | None
    cube: CubeFacts
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
    def lesson(self) -> Lesson:
        """Its lesson in words; an empty one for a position of which nothing has been written yet."""
        return lessons().get(self.name, Lesson("", ()))


def line_of(found: Reference) -> str:
    """A reference position as a line."""
    told = {
        "theme": str(found.theme),
        "board": found.board,
        "nets": found.nets,
        "cut": found.cut,
        "cube": _cube_out(found.cube),
        "neighbours": [
            {"board": each.board, "change": each.change, "cube": _cube_out(each.cube)} for each in found.neighbours
        ],
    }
    return json.dumps(told, separators=(",", ":"))


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
        found = [_reference(json.loads(line)) for line in lines]
    except BookError:
        raise
    except (OSError, ValueError, KeyError, TypeError, FullprimeError) as error:
        raise BookError(f"{path}: this is no file of reference positions ({error})") from None
    return _ordered(found)


def _ordered(found: Iterable[Reference]) -> tuple[Reference, ...]:
    order = list(Theme)
    return tuple(sorted(found, key=lambda each: order.index(each.theme)))


def write_references(found: Iterable[Reference], path: Path = FILE) -> None:
    """Write the file, by theme; it appears whole or not at all. Raises BookError."""
    lines = [json.dumps({"format": FORMAT}), *map(line_of, _ordered(found)), ""]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, "\n".join(lines))
    except OSError as error:
        raise BookError(f"{path}: it cannot be written ({error.strerror})") from None


def _cube_out(cube: CubeFacts) -> dict[str, Any]:
    return {
        name: [max(0.0, round(each, 5)) for each in value] if isinstance(value, tuple) else round(value, 5)
        if isinstance(value, float) else value
        for name, value in asdict(cube).items()
    }  # fmt: skip


def _cube_in(told: Mapping[str, Any]) -> CubeFacts:
    win, gammon, backgammon, lost, lost_backgammon = map(float, told["probabilities"])
    return CubeFacts(
        no_double=float(told["no_double"]),
        no_double_error=float(told["no_double_error"]),
        double_take=float(told["double_take"]),
        double_take_error=float(told["double_take_error"]),
        verdict=str(told["verdict"]),
        probabilities=(win, gammon, backgammon, lost, lost_backgammon),
        trials=int(told["trials"]),
    )


def _reference(told: Mapping[str, Any]) -> Reference:
    neighbours = tuple(Neighbour(each["board"], each["change"], _cube_in(each["cube"])) for each in told["neighbours"])
    for board in (told["board"], *(each.board for each in neighbours)):
        Position.from_text(board, BACKGAMMON.checkers)
    return Reference(Theme(told["theme"]), told["board"], told["nets"], told["cut"], _cube_in(told["cube"]), neighbours)
