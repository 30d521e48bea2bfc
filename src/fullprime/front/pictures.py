"""Pictures in one call: boards with arrows, and rollouts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullprime.analysis import diagrams
from fullprime.analysis.diagrams import DiagramError
from fullprime.drawing.rollout_graph import rollout_graph
from fullprime.drawing.svg import svg
from fullprime.front.asking import texts_of
from fullprime.rules.coercion import to_game
from fullprime.rules.game import Game
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.taking import is_tuple_of, short_value, to_bool, to_integer, to_kind

if TYPE_CHECKING:
    from fullprime.engine.rollouts.result import Rollout


OPTIONS: dict[str, type[Any]] = {
    "theme": str, "mirror": bool, "bottom": str, "numbers": str, "coordinates": bool, "pips": bool, "names": tuple,
    "colours": tuple,
}  # fmt: skip


def draw(
    what: Position | Game | Rollout | str,
    where: str | Path | None = None,
    *,
    plays: str | Play | Sequence[str | Play] = (),
    size: int = 560,
    **options: Any,
) -> str:
    """A board, or the intervals of a rollout, as SVG; with ``where`` also as a file, ``.svg`` or ``.png``.

    ``plays`` are drawn as arrows, the first as the best; they need a roll, as an XGID or a game has it. ``options``:
    ``theme``, ``mirror`` (the home board at the left), ``bottom`` (``X`` or ``O``), ``pips``, ``coordinates``. ``size``
    is the width in pixels. Raises DiagramError, IdError, NotationError, IllegalPlay.
    """
    from fullprime.engine.rollouts.result import Rollout

    to_kind((Position, Game, str, Rollout), "what is drawn", what, DiagramError)
    pixels = to_integer("size", size, 16, 8192, DiagramError)
    if isinstance(what, Position | Game | str):
        picture = diagrams.diagram(to_game(what), size=pixels, plays=tuple(texts_of(plays)), **_check_options(options))
    else:
        picture = rollout_graph(what, pixels)
    if where is not None:
        to_kind((str, Path), "the place of a picture", where, DiagramError)
        if "\0" in str(where):
            raise DiagramError(f"{short_value(where)} is no place of a picture")
        diagrams.save(picture, Path(where), size)
    return picture


def _check_options(options: dict[str, Any]) -> dict[str, Any]:
    for name, value in options.items():
        if name not in OPTIONS:
            raise DiagramError(f"there is no option {name[:40]!r} of a picture; there are {', '.join(OPTIONS)}")
        kind = OPTIONS[name]
        if kind is bool:
            options[name] = to_bool(name, value, DiagramError)
            continue
        if not isinstance(value, kind) and not (value is None and name in ("bottom", "numbers")):
            raise DiagramError(f"{name}: {short_value(value)} is no {kind.__name__}")
        if kind is tuple and not is_tuple_of(str, value, 2 if name == "names" else None):
            raise DiagramError(f"{name}: {short_value(value)} are no texts")
    if options.pop("mirror", False):
        options["home"] = "left"
    return options


def notebook_picture(subject: Position | Game | Rollout) -> str:
    """The picture of a board or a rollout in a notebook."""
    return svg(subject) if isinstance(subject, Position | Game) else rollout_graph(subject)
