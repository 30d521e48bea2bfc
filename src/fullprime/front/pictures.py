"""Pictures in one call: boards with arrows, and rollouts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullprime.app.advice import diagrams
from fullprime.drawing.rollout_graph import rollout_graph
from fullprime.drawing.svg import svg
from fullprime.rules.game import Game
from fullprime.rules.given import as_game
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position

if TYPE_CHECKING:
    from fullprime.engine.rollouts.result import Rollout


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
    ``theme``, ``home`` (``left`` or ``right``), ``bottom`` (``X`` or ``O``), ``pips``, ``coordinates``. ``size`` is
    the width in pixels. Raises DiagramError, IdError, NotationError, IllegalPlay.
    """
    if isinstance(what, Position | Game | str):
        several = [plays] if isinstance(plays, str | Play) else list(plays)
        texts = tuple(format_play(each) if isinstance(each, Play) else each for each in several)
        picture = diagrams.diagram(as_game(what), size=size, plays=texts, **options)
    else:
        picture = rollout_graph(what, size)
    if where is not None:
        diagrams.save(picture, Path(where), size)
    return picture


def notebook_picture(shown: Position | Game | Rollout) -> str:
    """The picture of a board or a rollout in a notebook."""
    return svg(shown) if isinstance(shown, Position | Game) else rollout_graph(shown)
