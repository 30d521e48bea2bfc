"""The nets of the package in float32: the package itself has them in 16 bits (ADR 64)."""

from __future__ import annotations

from pathlib import Path

from fullprime.engine.nets.net import DATA

MASTERS = Path(__file__).parents[3] / "nets"
"""Their folder in a clone; no wheel has it."""


def net_file(name: str) -> Path:
    """The file of a net of the package: in a clone that in float32."""
    master = MASTERS / name
    return master if master.is_file() else DATA / "nets" / name
