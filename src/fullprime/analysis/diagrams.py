"""Pictures of positions from any ID, as SVG or PNG."""

from __future__ import annotations

from pathlib import Path

from fullprime.common.atomic_write import atomic_write
from fullprime.drawing.png import png
from fullprime.drawing.svg import THEMES, Arrow, Home, SvgError, play_arrows, svg
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.notation import read_play
from fullprime.rules.score import Player
from fullprime.rules.taking import short_path


class DiagramError(FullprimeError):
    """A picture that cannot be made as asked."""


def diagram(
    game: Game,
    *,
    size: int = 560,
    theme: str = "classic",
    home: str = "right",
    bottom: str | None = None,
    numbers: str | None = None,
    coordinates: bool = True,
    pips: bool = True,
    plays: tuple[str, ...] = (),
    names: tuple[str, str] = ("X", "O"),
    colours: tuple[str, ...] = (),
) -> str:
    """The board of a game as SVG. ``plays`` are drawn as arrows, the first as the best; ``colours`` are ``part=value``.

    Raises DiagramError, SvgError, or an error of reading the plays.
    """
    if not 16 <= size <= 8192:
        raise DiagramError(f"a picture is 16 to 8192 pixels wide, not {size}")
    arrows: list[Arrow] = []
    for number, text in enumerate(plays):
        if game.dice is None:
            raise DiagramError(f"arrows are plays, and {text[:40]!r} needs a roll: give the dice")
        play = read_play(text, game.position, game.dice, game.settings.variant)
        arrows += play_arrows(play, 0.0 if number == 0 else 0.05)
    return svg(
        game,
        bottom=_player(bottom),
        numbers=_player(numbers),
        home=_home(home),
        size=size,
        theme=_theme(theme, colours),
        arrows=arrows,
        coordinates=coordinates,
        pips=pips,
        names=names,
    )


def save(picture: str, where: Path, width: int) -> None:
    """Write a picture as ``.svg`` or ``.png``. Raises DiagramError for another ending or a bad place."""
    kind = where.suffix.lower()
    if kind not in (".svg", ".png"):
        raise DiagramError(f"{short_path(where.name)}: pictures end in .svg or .png")
    data = picture.encode() if kind == ".svg" else png(picture, width)
    try:
        atomic_write(where, data, follow_links=True)
    except OSError as error:
        raise DiagramError(f"{short_path(where)} cannot be written: {error.strerror or error}") from error


def _theme(name: str, colours: tuple[str, ...]) -> str | dict[str, str]:
    if not colours:
        return name
    if name not in THEMES:
        raise SvgError(f"there is no theme {name[:40]!r}; there are {', '.join(THEMES)}")
    changed = dict(THEMES[name])
    for colour in colours:
        part, equals, value = colour.partition("=")
        if not equals or part not in changed or not _is_colour(value):
            raise DiagramError(
                f"{colour[:40]!r}: write part=colour, such as felt=#204020; parts are {', '.join(changed)}"
            )
        changed[part] = value
    return changed


def _is_colour(text: str) -> bool:
    plain = text.removeprefix("#")
    return plain.isascii() and plain.isalnum() and len(plain) < 30


def _home(text: str) -> Home:
    if text == "right":
        return "right"
    if text == "left":
        return "left"
    raise DiagramError(f"home is right or left, not {text[:40]!r}")


def _player(text: str | None) -> Player | None:
    if text is None:
        return None
    if text.strip().upper() not in ("X", "O"):
        raise DiagramError(f"{text[:40]!r} is neither X nor O")
    return Player[text.strip().upper()]
