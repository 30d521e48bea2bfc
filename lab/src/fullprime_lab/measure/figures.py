"""Measurements of the rules and the kernels, of peers, and of strength for time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fullprime.common.json_values import LEFT_OUT
from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import variant_named

if TYPE_CHECKING:
    from fullprime_lab.measure.bench_peers import PeersBench
    from fullprime_lab.measure.curve import StrengthCurve, StrengthPoint


@dataclass(frozen=True, slots=True)
class PerftCounts:
    """The number of plays there are from the start of a game."""

    variant: str
    """The game."""
    depth: int
    """Plies that were counted."""
    plays: tuple[int, ...]
    """At ply 1, 2 …"""
    by_roll: dict[str, int] | None = field(default=None, metadata=LEFT_OUT)
    """At the first ply by roll (``31``); left out unless it was asked for."""


def perft(variant: str, depth: int, *, by_roll: bool = False) -> PerftCounts:
    """Plays by ply from the start, and by roll at the first ply if asked; raises SettingsError."""
    from fullprime.engine.boards.perft import perft as count
    from fullprime.engine.boards.perft import perft_by_roll

    game = variant_named(variant)
    return PerftCounts(game.name, depth, tuple(count(game, depth)), perft_by_roll(game) if by_roll else None)


def bench_peers(
    decisions: int, progress: Callable[[str], None] | None = None, puretd: Path | None = None
) -> PeersBench:
    """The engine beside the peers that are installed, in one run: figures by program, and the ratios.

    ``puretd``: the file of a net of PureTD, to be measured, too. Raises PlayerError where it is none.
    """
    from fullprime_lab.measure.bench_peers import NAMES, PURETD, PeersBench
    from fullprime_lab.measure.bench_peers import bench_peers as measure
    from fullprime_lab.peers.programs import peer_version
    from fullprime_lab.peers.puretd import PureTD

    figures = tuple(measure(decisions, progress, None if puretd is None else PureTD(puretd)))
    versions = {name: peer_version(name) for name in NAMES if name != PURETD}
    versions[PURETD] = None if puretd is None else puretd.stem[:12]
    return PeersBench(versions, decisions, figures)


def strength_curve(
    path: Path,
    names: Sequence[str] = (),
    seconds: float = 60.0,
    picture: Path | None = None,
    progress: Callable[[str], None] | None = None,
) -> StrengthCurve:
    """PR against the time for a decision, for our levels and the peers that are installed (or those named).

    ``path``: a file of decisions (``fullprime_lab.measure.decisions``). ``picture``: the path for a drawing as SVG;
    beside it a PNG where that can be made. Raises DecisionsError, PlayerError.
    """
    from fullprime_lab.measure.curve import LEVELS, PEERS, StrengthCurve, measure_curve
    from fullprime_lab.measure.decisions import Decisions
    from fullprime_lab.peers.programs import peer_version

    if seconds <= 0:
        raise SettingsError(f"--seconds is more than 0, not {seconds:g}")
    if picture is not None and picture.suffix.lower() != ".svg":
        raise SettingsError(f"{picture}: the picture is an .svg file")
    decisions = Decisions.read(path)
    points = measure_curve(decisions, tuple(names) or LEVELS + PEERS, seconds, progress)
    return StrengthCurve(
        file=path.name,
        decisions=len(decisions),
        seconds=seconds,
        versions={program: peer_version(program) for program in dict.fromkeys(point.program for point in points)},
        points=tuple(points),
        pictures=() if picture is None else tuple(map(str, _draw(points, picture))),
    )


def _draw(points: Sequence[StrengthPoint], picture: Path) -> list[Path]:
    from fullprime.drawing.png import PngError, png
    from fullprime_lab.measure.strength_graph import draw_strength_graph

    drawing = draw_strength_graph(points)
    try:
        picture.write_text(drawing, encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{picture}: {error.strerror}") from None
    try:
        pixels = png(drawing)
    except PngError:
        return [picture]
    beside = picture.with_suffix(".png")
    beside.write_bytes(pixels)
    return [picture, beside]
