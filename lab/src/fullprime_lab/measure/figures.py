"""Measurements of the rules and the kernels, as JSON values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired

from typing_extensions import TypedDict

from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import variant_named

if TYPE_CHECKING:
    from fullprime_lab.measure.curve import Point


class PerftJson(TypedDict):
    """The number of plays there are from the start of a game."""

    variant: str
    """The game."""
    depth: int
    """Plies that were counted."""
    plays: list[int]
    """At ply 1, 2 …"""
    by_roll: NotRequired[dict[str, int]]
    """At the first ply by roll (``31``); left out unless it was asked for."""


class PlaysBenchJson(TypedDict):
    """The speed of finding legal plays; see :class:`fullprime_lab.measure.bench.PlaysBench`."""

    variant: str
    """The game."""
    rolls: int
    """Decisions that were played."""
    plays: int
    """Distinct plays that they have together."""
    kernel_plays_per_second: float
    """One call for all decisions, as the engine does it."""
    arrays_plays_per_second: float
    """The checked Python call."""
    readable_ms_per_roll: float
    """The plain Python rules."""
    peer: str | None
    """Name and version of the peer; None where it is not installed or does not play this game."""
    peer_plays_per_second: float | None
    """The peer's speed."""
    ratio: float | None
    """The kernel's speed as a multiple of the peer's."""


# The names of the programs are those of fullprime_lab.measure.bench_peers.NAMES.
PeerFigure = TypedDict(
    "PeerFigure",
    {
        "name": str,
        "fullprime": float | None,
        "gnubg-nn": float | None,
        "bgsage": float | None,
        "puretd": float | None,
        "ratios": dict[str, float | None],
    },
)
"""One thing measured, by program: None where it is not installed or cannot do it. ``ratios``: how many times better we
are than each peer."""


class PeersBenchJson(TypedDict):
    """The engine beside its peers."""

    versions: dict[str, str | None]
    """The versions by program; None where it is not installed."""
    decisions: int
    """The number of decisions measured."""
    figures: list[PeerFigure]
    """The figures measured."""


class StrengthPoint(TypedDict):
    """The strength of one level of one program, and its time for a decision."""

    program: str
    """Ours, or a peer."""
    level: str
    """The level that it was asked to play."""
    pr: float
    """500 times the mean loss of a decision."""
    error: float
    """Standard error of the PR."""
    milliseconds: float
    """Median for a decision."""
    decisions: int
    """The number of decisions played."""


class StrengthCurve(TypedDict):
    """PR against the time for a decision."""

    file: str
    """The file of decisions."""
    decisions: int
    """The number of decisions it holds."""
    seconds: float
    """Processor time for each level."""
    versions: dict[str, str | None]
    """The versions by program."""
    points: list[StrengthPoint]
    """One for each level."""
    pictures: list[str]
    """The files in which it was drawn."""


def perft(variant: str, depth: int, *, by_roll: bool = False) -> PerftJson:
    """Plays by ply from the start, and by roll at the first ply if asked; raises SettingsError."""
    from fullprime.engine.boards.perft import perft as count
    from fullprime.engine.boards.perft import perft_by_roll

    game = variant_named(variant)
    found: PerftJson = {"variant": game.name, "depth": depth, "plays": list(count(game, depth))}
    if by_roll:
        found["by_roll"] = perft_by_roll(game)
    return found


def bench(variant: str, rolls: int) -> PlaysBenchJson:
    """Plays a second of the kernels and of the readable rules, beside a peer where it is installed."""
    from fullprime_lab.measure.bench import bench_plays

    measured = bench_plays(variant_named(variant), rolls)
    return {
        "variant": measured.variant,
        "rolls": measured.rolls,
        "plays": measured.plays,
        "kernel_plays_per_second": measured.kernel_plays_per_second,
        "arrays_plays_per_second": measured.arrays_plays_per_second,
        "readable_ms_per_roll": measured.readable_ms_per_roll,
        "peer": measured.peer,
        "peer_plays_per_second": measured.peer_plays_per_second,
        "ratio": measured.ratio,
    }


def bench_peers(
    decisions: int, progress: Callable[[str], None] | None = None, puretd: Path | None = None
) -> PeersBenchJson:
    """The engine beside the peers that are installed, in one run: figures by program, and the ratios.

    ``puretd``: the file of a net of PureTD, to be measured, too. Raises PlayerError where it is none.
    """
    from fullprime_lab.measure.bench_peers import BGSAGE, GNUBG, NAMES, OURS, PURETD
    from fullprime_lab.measure.bench_peers import bench_peers as measure
    from fullprime_lab.peers.programs import peer_version
    from fullprime_lab.peers.puretd import PureTD

    net = None if puretd is None else PureTD(puretd)
    figures: list[PeerFigure] = [
        {
            "name": each.name,
            "fullprime": each.values[OURS],
            "gnubg-nn": each.values[GNUBG],
            "bgsage": each.values[BGSAGE],
            "puretd": each.values[PURETD],
            "ratios": {name: each.ratio(name) for name in NAMES if name != OURS},
        }
        for each in measure(decisions, progress, net)
    ]
    versions = {name: peer_version(name) for name in NAMES if name != PURETD}
    return {
        "versions": {**versions, PURETD: None if puretd is None else puretd.stem[:12]},
        "decisions": decisions,
        "figures": figures,
    }


def strength_curve(
    path: Path,
    names: Sequence[str] = (),
    seconds: float = 60.0,
    picture: Path | None = None,
    progress: Callable[[str], None] | None = None,
) -> StrengthCurve:
    """PR against the time for a decision, for our levels and the peers that are installed (or those named).

    ``path``: a file of decisions (``engine.measure.decisions``). ``picture``: the path at which to draw it as SVG;
    beside it a PNG where that can be made. Raises DecisionsError, PlayerError.
    """
    from fullprime_lab.measure.curve import LEVELS, PEERS, curve
    from fullprime_lab.measure.decisions import Decisions
    from fullprime_lab.peers.programs import peer_version

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
        "points": [
            {
                "program": point.program,
                "level": point.level,
                "pr": point.pr,
                "error": point.error,
                "milliseconds": point.milliseconds,
                "decisions": point.decisions,
            }
            for point in points
        ],
        "pictures": drawn,
    }


def _draw(points: Sequence[Point], picture: Path) -> list[Path]:
    from fullprime.drawing.png import PngError, png
    from fullprime_lab.measure.strength_graph import strength_graph

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
