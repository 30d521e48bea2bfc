"""The command `fullprime`."""

from __future__ import annotations

from typing import Annotated

import typer

from fullprime import __version__

# Plain help: importing Rich would double the time `fullprime --help` takes.
app = typer.Typer(
    help="Backgammon, complete.", no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"fullprime {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Backgammon, complete."""


def main() -> None:
    """Run the command line."""
    app()
