"""Commands of other distributions, found by the entry point group ``fullprime.commands``.

An entry point names a function that adds commands to an app, as ``add_to`` of our own modules does.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache

import typer

GROUP = "fullprime.commands"
LAB_COMMANDS = ("selfplay", "bench", "perft", "court", "train")
"""The commands that come with fullprime-lab."""


@cache
def add_to(app: typer.Typer) -> None:
    """Add the commands of all other distributions, once. Looking for them takes longer than most commands need."""
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        entry.load()(app)


def check_installed(name: str, commands: Container[str]) -> None:
    """Raise FullprimeError for a command of fullprime-lab that is not among the commands there are."""
    if name in LAB_COMMANDS and name not in commands:
        from fullprime.rules.errors import FullprimeError

        raise FullprimeError(
            f"fullprime {name} comes with fullprime-lab, which is not installed: pip install fullprime-lab"
        )
