"""What can be measured of the rules and the kernels, as JSON values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import variant_named

if TYPE_CHECKING:
    from fullprime.engine.measure.curve import Point


def perft(variant: str, depth: int, *, by_roll: bool = False) -> dict[str, Any]:
    """Plays by ply from the start, and by roll at the first ply if asked; raises SettingsError."""
    from fullprime.engine.boards.perft import perft as count
    from fullprime.engine.boards.perft import perft_by_roll

    game = variant_named(variant)
    found: dict[str, Any] = {"variant": game.name, "depth": depth, "plays": list(count(game, depth))}
    if by_roll:
        found["by_roll"] = perft_by_roll(game)
    return found


def bench(variant: str, rolls: int) -> dict[str, Any]:
    """Plays a second of the kernels and of the readable rules, beside a peer where it is installed."""
    from dataclasses import asdict

    from fullprime.engine.measure.bench import bench_plays

    measured = bench_plays(variant_named(variant), rolls)
    return {**asdict(measured), "ratio": measured.ratio}


def bench_peers(decisions: int, progress: Callable[[str], None] | None = None) -> dict[str, Any]:
    """The engine beside the peers that are installed, in one run: figures by program, and the ratios."""
    from fullprime.engine.bots.peers import peer_version
    from fullprime.engine.measure.bench_peers import NAMES, OURS
    from fullprime.engine.measure.bench_peers import bench_peers as measure

    figures = [
        {
            "name": each.name,
            **{name: each.values[name] for name in NAMES},
            "ratios": {name: each.ratio(name) for name in NAMES if name != OURS},
        }
        for each in measure(decisions, progress)
    ]
    return {"versions": {name: peer_version(name) for name in NAMES}, "decisions": decisions, "figures": figures}


def strength_curve(
    path: Path,
    names: Sequence[str] = (),
    seconds: float = 60.0,
    picture: Path | None = None,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """PR against the time for a decision, for our levels and the peers that are installed (or those named).

    ``path``: a file of decisions (``engine.measure.decisions``). ``picture``: where to draw it as SVG; beside it a PNG
    where that can be made. Raises DecisionsError, PlayerError.
    """
    from dataclasses import asdict

    from fullprime.engine.bots.peers import peer_version
    from fullprime.engine.measure.curve import LEVELS, PEERS, curve
    from fullprime.engine.measure.decisions import Decisions

    if seconds <= 0:
        raise SettingsError(f"--seconds is more than 0, not {seconds:g}")
    if picture is not None and picture.suffix.lower() != ".svg":
        raise SettingsError(f"{picture}: the picture is an .svg file")
    decisions = Decisions.read(path)
    points = curve(decisions, tuple(names) or LEVELS + PEERS, seconds, progress)
    drawn = [str(each) for each in _draw(points, picture)] if picture is not None else []
    versions = {program: peer_version(program) for program in dict.fromkeys(point.program for point in points)}
    return {
        "file": path.name,
        "decisions": len(decisions),
        "seconds": seconds,
        "versions": versions,
        "points": [asdict(point) for point in points],
        "pictures": drawn,
    }


def _draw(points: Sequence[Point], picture: Path) -> list[Path]:
    from fullprime.drawing.png import PngError, png
    from fullprime.drawing.strength_graph import strength_graph

    drawing = strength_graph(points)
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
