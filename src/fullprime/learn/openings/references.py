"""Reference positions as JSON values, and their making."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

from fullprime.analysis.previews import Preview, of_setup
from fullprime.analysis.setups import DeskSetup
from fullprime.learn.book.reference import (
    ABOUT,
    FILE,
    CubeFacts,
    Neighbour,
    Reference,
    Theme,
    read_references,
    write_references,
)
from fullprime.learn.book.scores import BookError
from fullprime.learn.openings.explorer import address_of, setup_of_node
from fullprime.learn.openings.fields import CubeFactsJson, NeighbourJson, ReferenceJson, ReferencesJson
from fullprime.learn.teaching.computing import roller_in_use
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON

EACH = 4
"""Positions of a theme in the package."""


def references(path: Path = FILE) -> ReferencesJson:
    """All reference positions by theme. Raises BookError."""
    found = read_references(path)
    cuts = {each.cut for each in found}
    ends = "to the end" if cuts == {None} else f"cut after {max(cut or 0 for cut in cuts)} plies" if cuts else ""
    return {
        "themes": [
            {
                "name": str(theme),
                "title": title,
                "about": about,
                "positions": [_json(each) for each in found if each.theme is theme],
            }
            for theme, (title, about) in ABOUT.items()
        ],
        "way": f"Rollouts, {ends}, luck taken out; money, the cube in the middle, no Jacoby rule" if ends else "",
    }


def reference_named(name: str, path: Path = FILE) -> Reference:
    """The position of that name. Raises BookError."""
    found = next((each for each in read_references(path) if each.name == name), None)
    if found is None:
        raise BookError(f"there is no reference position {name[:60]!r}")
    return found


def preview_of_reference(name: str) -> tuple[Preview, list[tuple[str, str]]]:
    """The words that stand for a position elsewhere, and the address fields of its picture. Raises BookError."""
    found = reference_named(name)
    setup = _setup(found.position)
    shown = replace(of_setup(setup), title=f"{ABOUT[found.theme][0]}: double, or roll?")
    return shown, address_of(setup)


def stale_references(path: Path = FILE) -> list[str]:
    """The names of positions that other nets have judged."""
    nets = roller_in_use(BACKGAMMON.name)
    return [each.name for each in read_references(path) if each.nets != nets]


def make_references(
    each: int = EACH,
    path: Path = FILE,
    *,
    start: int = 1,
    told: Callable[[int, int], None] = lambda _have, _wanted: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Reference, ...]:
    """Find reference positions until every theme has ``each``; every one is on the disk at once.

    ``start``: the game of self-play to begin with. Positions of other nets are rolled out anew first, and left out
    where their figures are not clear any more. Raises BookError.
    """
    from fullprime.learn.book.finding import find, judged_again

    nets = roller_in_use(BACKGAMMON.name)
    known = read_references(path)
    found = [each for each in known if each.nets == nets]
    for stale in (each for each in known if each.nets != nets):
        told(len(found), each * len(Theme))
        again = judged_again(stale, nets, stop)
        if stop():
            return known  # a rollout that was stopped says nothing against its position
        if again is not None:
            found.append(again)
    if len(found) != len(known) or any(each.nets != nets for each in known):
        write_references(found, path)
    have = Counter(known.theme for known in found)
    wanted = {theme: max(0, each - have[theme]) for theme in Theme}
    told(len(found), each * len(Theme))
    if not any(wanted.values()):
        return tuple(found)
    names = {known.name for known in found}
    for news in find(wanted, nets, start, stop, names):
        if isinstance(news, Reference):
            names.add(news.name)
            found.append(news)
            write_references(found, path)
        told(len(found), each * len(Theme))
    return tuple(found)


def _json(found: Reference) -> ReferenceJson:
    position = found.position
    return {
        "name": found.name,
        "sentence": found.lesson.says,
        "cube": _cube(found.cube),
        "pips": list(position.pips),
        "points": _points(position),
        "address": _address(position),
        "neighbours": [_neighbour(each) for each in found.neighbours],
    }


def _neighbour(found: Neighbour) -> NeighbourJson:
    position = Position.from_text(found.board, BACKGAMMON.checkers)
    return {
        "change": found.change,
        "cube": _cube(found.cube),
        "points": _points(position),
        "address": _address(position),
    }


def _cube(cube: CubeFacts) -> CubeFactsJson:
    return {
        "verdict": cube.verdict,
        "no_double": cube.no_double,
        "no_double_error": cube.no_double_error,
        "double_take": cube.double_take,
        "double_take_error": cube.double_take_error,
        "probabilities": list(cube.probabilities),
        "trials": cube.trials,
    }


def _points(position: Position) -> dict[str, list[int]]:
    return {"X": list(position.player), "O": list(position.opponent)}


def _setup(position: Position) -> DeskSetup:
    return setup_of_node(BACKGAMMON, "money", position, None)


def _address(position: Position) -> str:
    return f"/analysis?{urlencode(address_of(_setup(position)))}"
