"""A board as a picture: one function gives the static SVG for notebooks, reports, documents and tests.

Nothing depends on colour alone: X's checkers carry two rings, O's a ring and a dot, arrows differ in their dashes, and
the picture's description tells the whole board in words. Every part has a class name, so that a page may colour it
with its own CSS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fullprime.drawing.arrows import Arrow, play_arrows
from fullprime.drawing.board import Drawing, Home, SvgError
from fullprime.drawing.scene import Scene
from fullprime.drawing.theme import THEMES
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game
from fullprime.rules.position import Position
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON


def svg(
    board: Position | Game,
    *,
    on_roll: Player = Player.X,
    bottom: Player | None = None,
    numbers: Player | None = None,
    home: Home = "right",
    size: int | None = 560,
    theme: str | Mapping[str, str] = "classic",
    arrows: Sequence[Arrow] = (),
    coordinates: bool = True,
    pips: bool = True,
    names: tuple[str, str] = ("X", "O"),
    dice: Roll | None = None,
    cube: Cube | None = None,
    title: str | None = None,
    ident: str | None = None,
) -> str:
    """A position (seen by ``on_roll``) or a game as an SVG document.

    ``bottom``: the player at the bottom (the one to act); ``numbers``: the owner of the points' numbers (the player on
    roll). ``home``: the side on which the bottom player bears off. ``size``: width in pixels, None for that of the
    place it stands in. ``theme``: a name of ``THEMES`` or colours by part that replace those of ``classic``. ``ident``
    begins the ids inside the picture and must differ between pictures on one page; by default it follows from the
    content. A game brings its own dice, cube, score and player on roll.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> svg(BACKGAMMON.starting_position).startswith("<svg ")
    True
    """
    if home not in ("right", "left"):
        raise SvgError(f"home is right or left, not {home!r:.40}")
    scene = Scene.of(board, on_roll, dice, cube, names)
    drawing = Drawing(
        scene,
        bottom if bottom is not None else scene.turn,
        numbers if numbers is not None else scene.on_roll,
        home,
        _colours(theme),
        coordinates,
        pips,
    )
    return drawing.document(tuple(arrows), size, title, ident)


def describe(board: Position | Game, *, on_roll: Player = Player.X, names: tuple[str, str] = ("X", "O")) -> str:
    """The board in words, each side by its own numbers, for readers who do not see the picture."""
    return Scene.of(board, on_roll, None, None, names).words


def empty_board(theme: str | Mapping[str, str] = "classic", *, home: Home = "right") -> str:
    """The SVG of a board without anything on it, which a page with many boards needs once."""
    return "".join(_plain(theme, home, Player.X).table())


def labels_of(theme: str | Mapping[str, str] = "classic", *, home: Home = "right", far: bool = False) -> str:
    """The SVG of the point numbers, in the numbering of the bottom player or (``far``) of the other one."""
    return "".join(_plain(theme, home, Player.O if far else Player.X).labels())


def _plain(theme: str | Mapping[str, str], home: Home, numbers: Player) -> Drawing:
    scene = Scene(BACKGAMMON.starting_position, Player.X, Player.X, None, None, ("X", "O"))
    return Drawing(scene, Player.X, numbers, home, _colours(theme), coordinates=True, pips=True)


def _colours(theme: str | Mapping[str, str]) -> dict[str, str]:
    if not isinstance(theme, str):
        unknown = sorted(set(theme) - set(THEMES["classic"]))
        if unknown:
            raise SvgError(f"no part is called {unknown[0]!r:.40}; there are {', '.join(THEMES['classic'])}")
        return {**THEMES["classic"], **theme}
    if theme not in THEMES:
        raise SvgError(f"there is no theme {theme!r:.40}; there are {', '.join(THEMES)}")
    return dict(THEMES[theme])


__all__ = ["THEMES", "Arrow", "Home", "SvgError", "describe", "empty_board", "labels_of", "play_arrows", "svg"]
