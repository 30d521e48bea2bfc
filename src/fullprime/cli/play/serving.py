"""``serve`` and what belongs to a server: ``verify``, ``reports`` of its players, ``backup`` and ``restore``."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("serve")(serve)
    app.command("verify")(verify)
    app.command("reports")(reports)
    app.command("backup")(backup)
    app.command("restore")(restore)


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 lets the whole network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any that is free.")] = 8000,
    name: Annotated[
        list[str] | None, typer.Option(help="A name by which browsers call this server; may be given again.")
    ] = None,
    db: Annotated[
        str | None, typer.Option("--db", "--database", help="Where games are stored: a file or a database URL.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Processes that serve the games together; several need PostgreSQL.")
    ] = 1,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="The address of a proxy that says for whom it speaks; may be given again."),
    ] = None,
    limits: Annotated[bool, typer.Option(help="Limit how much one address may ask for.")] = True,
    metrics: Annotated[bool, typer.Option("--metrics", help="Show measures for Prometheus at /metrics.")] = False,
    cluster: Annotated[
        str | None, typer.Option(help="The address of a Dask cluster that plays the pages' rollouts.")
    ] = None,
    log: Annotated[str, typer.Option(help="What is logged: debug, info, warning or error.")] = "warning",
) -> None:
    """Serve the board to browsers: play a bot, or a friend by a link. Only this computer reaches it unless told so."""
    from fullprime.rules.errors import SettingsError

    try:
        from fullprime.web.run import run_server
    except ImportError as error:
        raise SettingsError(f"the server needs more ({error.name}): pip install 'fullprime[web]'") from error
    code = run_server(
        host,
        port,
        names=tuple(name or ()),
        database=db,
        open_page=open_page,
        proxies=tuple(proxy or ()),
        limited=limits,
        metrics=metrics,
        cluster=cluster,
        log_level=log,
        workers=workers,
    )
    if code:
        raise typer.Exit(code)


def verify(
    game: Annotated[list[str] | None, typer.Argument(help="Ids of games on the server, or their numbers.")] = None,
    db: Annotated[
        str | None, typer.Option("--db", "--database", help="Where games are stored: a file or a database URL.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All matches and sessions that are over.")] = False,
) -> None:
    """Throw every die of a server's games again from their seeds, and let their bots choose again."""
    from fullprime.app.live.rooms import Rooms
    from fullprime.rules.errors import FullprimeError, SettingsError

    if bool(game) == every:
        raise SettingsError("name the games to verify, or --all")
    throws = choices = wrong = 0
    with closing(Rooms(db)) as rooms:
        asked = rooms.finished() if every else list(game or ())
        for each in asked:
            where = f"{each}: " if len(asked) > 1 else ""
            try:
                verdict = rooms.verify(each)
            except FullprimeError as error:
                if len(asked) == 1:
                    raise
                print(f"{where}{error}")
                wrong += 1
                continue
            throws, choices, wrong = throws + verdict.throws, choices + verdict.choices, wrong + len(verdict.faults)
            for fault in verdict.faults:
                print(f"{where}{fault}")
    said = f"{throws} throw{'s' if throws != 1 else ''} and {choices} choice{'s' if choices != 1 else ''} of bots"
    if len(asked) != 1:
        said = f"{len(asked)} games: {said}"
    if wrong:
        print(f"{wrong} of {said} do not follow from the seeds")
        raise typer.Exit(1)
    print(f"{said} follow from the seeds")


def reports(
    most: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 20,
    db: Annotated[
        str | None, typer.Option("--db", "--database", help="Where games are stored: a file or a database URL.")
    ] = None,
) -> None:
    """What players have reported about each other, the latest first, with what they had said."""
    from fullprime.app.live.at_table import reported

    found = reported(db, most)
    for each in found:
        print(f"{each.at:%Y-%m-%d %H:%M} UTC, game {each.room}, {each.side} reports: {each.reason}")
        for side, text in each.said:
            print(f"    {side}: {text}")
    if not found:
        print("nothing has been reported")


def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes.")],
    db: Annotated[str | None, typer.Option(help="The database to copy.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over a file that is there.")] = False,
) -> None:
    """Copy the database of games to a file, whole and checked, also while the server runs."""
    from fullprime.app.backup import back_up

    size = back_up(file, db, replace=replace)
    print(f"{file}: {size:,} bytes")


def restore(
    file: Annotated[Path, typer.Argument(help="A copy that `backup` made.")],
    db: Annotated[str | None, typer.Option(help="The database that it becomes.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Give up what is in the database now.")] = False,
) -> None:
    """Make a copy the database again. Stop the server first."""
    from fullprime.app import backup as copies

    print(f"{copies.restore(file, db, replace=replace)} is as {file} was")
