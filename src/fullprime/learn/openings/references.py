"""Reference positions for a page or a terminal, and their making."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

from fullprime.analysis.previews import Preview, of_setup
from fullprime.analysis.setups import AnalysisSetup
from fullprime.learn.opening_book.reference import (
    ABOUT,
    FILE,
    Neighbour,
    Reference,
    ReferenceTheme,
    read_references,
    write_references,
)
from fullprime.learn.opening_book.scores import BookError
from fullprime.learn.openings.explorer import address_of, setup_of_node
from fullprime.learn.openings.model import (
    NeighbourPosition,
    ReferencePosition,
    ReferencePositions,
    ThemePositions,
)
from fullprime.learn.teaching.computing import roller_in_use
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON

EACH = 4
"""Positions of a theme in the package."""


def references(path: Path = FILE) -> ReferencePositions:
    """All reference positions by theme. Raises BookError."""
    stored = read_references(path)
    cuts = {reference.cut for reference in stored}
    ends = "to the end" if cuts == {None} else f"cut after {max(cut or 0 for cut in cuts)} plies" if cuts else ""
    themes = tuple(
        ThemePositions(
            name=str(theme), title=title, about=about,
            positions=tuple(_to_position(reference) for reference in stored if reference.theme is theme),
        )
        for theme, (title, about) in ABOUT.items()
    )  # fmt: skip
    way = f"Rollouts, {ends}, luck taken out; money, the cube in the middle, no Jacoby rule" if ends else ""
    return ReferencePositions(themes, way)


def reference_named(name: str, path: Path = FILE) -> Reference:
    """The position of that name. Raises BookError."""
    reference = next((stored for stored in read_references(path) if stored.name == name), None)
    if reference is None:
        raise BookError(f"there is no reference position {name[:60]!r}")
    return reference


def preview_of_reference(name: str) -> tuple[Preview, list[tuple[str, str]]]:
    """The preview of a position for other sites, and the address fields of its picture. Raises BookError."""
    reference = reference_named(name)
    setup = _setup(reference.position)
    preview = replace(of_setup(setup), title=f"{ABOUT[reference.theme][0]}: double, or roll?")
    return preview, address_of(setup)


def stale_references(path: Path = FILE) -> list[str]:
    """The names of positions that other nets have judged."""
    nets = roller_in_use(BACKGAMMON.name)
    return [reference.name for reference in read_references(path) if reference.nets != nets]


def make_references(
    goal: int = EACH,
    path: Path = FILE,
    *,
    start: int = 1,
    report: Callable[[int, int], None] = lambda _have, _goal: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Reference, ...]:
    """Find reference positions until every theme has ``goal``; each is on the disk at once.

    ``start`` is the first game of self-play. Positions that other nets have judged are first rolled out again, and left
    out where their figures are not clear any more. Raises BookError.
    """
    from fullprime.learn.opening_book.reference_search import judge_again, search_references

    nets = roller_in_use(BACKGAMMON.name)
    before = read_references(path)
    references = [reference for reference in before if reference.nets == nets]
    for stale in (reference for reference in before if reference.nets != nets):
        report(len(references), goal * len(ReferenceTheme))
        renewed = judge_again(stale, nets, stop)
        if stop():
            return before  # a rollout that was stopped says nothing against its position
        if renewed is not None:
            references.append(renewed)
    if len(references) != len(before) or any(reference.nets != nets for reference in before):
        write_references(references, path)
    have = Counter(reference.theme for reference in references)
    goals = {theme: max(0, goal - have[theme]) for theme in ReferenceTheme}
    report(len(references), goal * len(ReferenceTheme))
    if not any(goals.values()):
        return tuple(references)
    names = {reference.name for reference in references}
    for news in search_references(goals, nets, start, stop, names):
        if isinstance(news, Reference):
            names.add(news.name)
            references.append(news)
            write_references(references, path)
        report(len(references), goal * len(ReferenceTheme))
    return tuple(references)


def _to_position(reference: Reference) -> ReferencePosition:
    position = reference.position
    return ReferencePosition(
        name=reference.name,
        sentence=reference.lesson.says,
        cube=reference.cube,
        pips=position.pips,
        points=_points(position),
        address=_address(position),
        neighbours=tuple(map(_neighbour, reference.neighbours)),
    )


def _neighbour(neighbour: Neighbour) -> NeighbourPosition:
    position = neighbour.position
    return NeighbourPosition(
        change=neighbour.change, cube=neighbour.cube, points=_points(position), address=_address(position)
    )  # fmt: skip


def _points(position: Position) -> dict[str, tuple[int, ...]]:
    return {"X": position.player, "O": position.opponent}


def _setup(position: Position) -> AnalysisSetup:
    return setup_of_node(BACKGAMMON, "money", position, None)


def _address(position: Position) -> str:
    return f"/analysis?{urlencode(address_of(_setup(position)))}"
