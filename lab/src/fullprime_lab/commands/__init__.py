"""The commands that the package adds to ``fullprime``: ``selfplay``, ``perft``, ``bench``, ``court`` and ``train``."""

from __future__ import annotations

import typer

from fullprime_lab.commands import court, measuring, training


def add_to(app: typer.Typer) -> None:
    """Add the commands, whose code is imported when they are given."""
    measuring.add_to(app)
    court.add_to(app)
    training.add_to(app)
