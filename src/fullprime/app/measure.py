"""What can be measured of the rules and the kernels, as JSON values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fullprime.rules.variants import variant_named


def perft(variant: str, depth: int, *, by_roll: bool = False) -> dict[str, Any]:
    """Plays by ply from the start, and by roll at the first ply if asked; raises SettingsError."""
    from fullprime.engine.perft import perft as count
    from fullprime.engine.perft import perft_by_roll

    game = variant_named(variant)
    found: dict[str, Any] = {"variant": game.name, "depth": depth, "plays": list(count(game, depth))}
    if by_roll:
        found["by_roll"] = perft_by_roll(game)
    return found


def bench(variant: str, rolls: int) -> dict[str, Any]:
    """Plays a second of the kernels and of the readable rules, beside a peer where it is installed."""
    from dataclasses import asdict

    from fullprime.engine.bench import bench_plays

    measured = bench_plays(variant_named(variant), rolls)
    return {**asdict(measured), "ratio": measured.ratio}


def bench_peers(decisions: int, progress: Callable[[str], None] | None = None) -> dict[str, Any]:
    """The engine beside the peers that are installed, in one run: figures by program, and the ratios."""
    from fullprime.engine.bench_peers import NAMES, OURS
    from fullprime.engine.bench_peers import bench_peers as measure
    from fullprime.engine.external import peer_version

    figures = [
        {
            "name": each.name,
            **{name: each.values[name] for name in NAMES},
            "ratios": {name: each.ratio(name) for name in NAMES if name != OURS},
        }
        for each in measure(decisions, progress)
    ]
    return {"versions": {name: peer_version(name) for name in NAMES}, "decisions": decisions, "figures": figures}
