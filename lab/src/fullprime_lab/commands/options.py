"""Options that several commands share, beside those of ``fullprime.cli.options``."""

from __future__ import annotations

from typing import Annotated

import typer

Games = Annotated[int, typer.Option("--games", "-g", min=1, help="How many games.")]
