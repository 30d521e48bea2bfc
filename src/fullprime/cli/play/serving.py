"""``serve`` and the commands for a server: ``verify``, ``reports``, ``challenges``, ``backup`` and ``restore``."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.options import Database, Force, Limit
from fullprime.cli.terminal import say
from fullprime.rules.words import format_players

_ALL = 2**31 - 1
"""More than any database has."""

Push = Annotated[bool, typer.Option(help="Send push messages to those who ask for them: your turn, challenges.")]
PushContact = Annotated[
    str | None, typer.Option(help="How push services reach you: mailto:… or https:…; else the pages' address.")
]
PushHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--push-host", help="A push service in a private network that may be called: host or host:port; again for more."
    ),
]
PushKey = Annotated[
    Path | None, typer.Option(help="The file of the key that signs push messages; else beside the database.")
]

StorageBudget = Annotated[
    float, typer.Option("--storage", min=0, help="GiB of the whole database above which games alone are stored.")
]
KeepFree = Annotated[
    int, typer.Option("--keep-free", min=0, max=99, help="Percent of the disk that is left free for games.")
]

Proxies = Annotated[
    list[str] | None, typer.Option(help="The address of a proxy that says for whom it speaks; may be given again.")
]
Certificate = Annotated[Path | None, typer.Option(help="The file of a certificate (PEM), to speak HTTPS; with --key.")]
CertificateKey = Annotated[Path | None, typer.Option(help="The file of the certificate's key (PEM).")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, "serve", serve, "fullprime serve --open", "fullprime serve --host 0.0.0.0 --name club.example.org")
    add(app, "verify", verify, "fullprime verify k7wq3mz8tbxd", "fullprime verify --all")
    add(app, "reports", reports, "fullprime reports --limit 5")
    add(app, "challenges", challenges, "fullprime challenges", "fullprime challenges --end-from 192.0.2.7")
    add(app, "backup", backup, "fullprime backup games-copy.db")
    add(app, "restore", restore, "fullprime restore games-copy.db --force")


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 lets the whole network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 for any that is free.")] = 8000,
    name: Annotated[
        list[str] | None, typer.Option(help="A name by which browsers call this server; may be given again.")
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let the local network in, so that a friend's phone finds it; it asks first.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --lan: do not ask.")] = False,
    certificate: Certificate = None,
    key: CertificateKey = None,
    db: Database = None,
    workers: Annotated[
        int,
        typer.Option(
            "--workers", min=1, max=64, help="Processes that serve the games together; several need PostgreSQL."
        ),
    ] = 1,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    proxy: Proxies = None,
    limits: Annotated[bool, typer.Option(help="Limit how much one address may ask for.")] = True,
    metrics: Annotated[bool, typer.Option("--metrics", help="Show measures for Prometheus at /metrics.")] = False,
    cluster: Annotated[
        str | None, typer.Option(help="The address of a Dask cluster that plays the pages' rollouts.")
    ] = None,
    push: Push = True,
    push_contact: PushContact = None,
    push_host: PushHosts = None,
    push_key: PushKey = None,
    storage: StorageBudget = 8.0,
    keep_free: KeepFree = 10,
    log: Annotated[str, typer.Option(help="What is logged: debug, info, warning or error.")] = "warning",
) -> None:
    """Serve the board to browsers: play a bot, or a friend by a link. Only this computer reaches it unless told so."""
    run_server = _load_server()
    from fullprime.accounts.notifications import PushOptions
    from fullprime.library.storage import StorageLimits

    if lan and not yes:
        _ask_about_the_network()
    pushing = PushOptions(enabled=push, contact=push_contact, allowed=tuple(push_host or ()), key_file=push_key)
    code = run_server(
        host, port, names=tuple(name or ()), database=db, open_page=open_page, proxies=tuple(proxy or ()),
        limited=limits, metrics=metrics, cluster=cluster, log_level=log, workers=workers, lan=lan, push=pushing,
        certificate=certificate, key=key, storage=StorageLimits(int(storage * (1 << 30)), keep_free / 100),
    )  # fmt: skip
    if code:
        raise typer.Exit(code)


def _load_server() -> Callable[..., int]:
    """The function that runs the server; raises MissingExtra where a library that it needs is not installed."""
    from fullprime.rules.errors import MissingExtra

    try:
        from fullprime.web.run import run_server
    except ImportError as error:
        if (error.name or "fullprime").startswith("fullprime"):
            raise  # our own mistake, which no installation puts right
        raise MissingExtra("fullprime serve", "web", str(error.name)) from error
    return run_server


def _ask_about_the_network() -> None:
    """Ask at the terminal whether the network may come in; raises SettingsError where there is no terminal."""
    import sys

    from fullprime.rules.errors import SettingsError

    if not sys.stdin.isatty():
        raise SettingsError("--lan lets everybody in your network reach this server: say --yes if that is meant")
    question = "Everybody in your network can then open this server, play on it and make accounts. Let them in?"
    if not typer.confirm(question, default=False):
        raise typer.Exit(1)


def verify(
    game: Annotated[list[str] | None, typer.Argument(help="Ids of games on the server.")] = None,
    db: Database = None,
    every: Annotated[bool, typer.Option("--all", help="All matches and sessions that are over.")] = False,
) -> None:
    """Throw every die of a server's games again, from links and seeds. Bots choose again, too."""
    from fullprime.play.server.game_server import GameServer
    from fullprime.rules.errors import FullprimeError, SettingsError

    if bool(game) == every:
        raise SettingsError("name the games to verify, or --all")
    throws = choices = wrong = without = unread = 0
    with closing(GameServer(db)) as game_server:
        names = game_server.list_finished() if every else list(game or ())
        for name in names:
            where = f"{name}: " if len(names) > 1 else ""
            try:
                verdict = game_server.verify(name)
            except FullprimeError as error:
                if len(names) == 1:
                    raise
                say(f"{where}{error}")
                unread += 1
                continue
            throws, choices, wrong = throws + verdict.throws, choices + verdict.choices, wrong + len(verdict.faults)
            without += verdict.without_link
            for fault in verdict.faults:
                say(f"{where}{fault}")
    counted = f"{throws} throw{'s' if throws != 1 else ''} and {choices} choice{'s' if choices != 1 else ''} of bots"
    games = len(names) - unread
    head = "" if len(names) == 1 else f"{games} game{'s' if games != 1 else ''}: "
    if wrong:
        say(f"{head}{wrong} of {counted} do not follow from the links and seeds")
    elif unread < len(names) or not names:
        say(f"{head}{counted} follow from the links and seeds")
    if without:
        say(f"{without} of the throws had no link of a player: the server knew of them before")
    if unread:
        say(f"{unread} of the {len(names)} that were named could not be verified")
    if wrong or unread:
        raise typer.Exit(1)


def reports(
    limit: Limit = 20,
    db: Database = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Rated matches between accounts that share an address or a browser.")
    ] = False,
) -> None:
    """What players have reported about each other, the latest first. Each comes with what they had said.

    With --pairs the rated matches between two accounts that were used from one address or in one browser: perhaps one
    person, perhaps a family or a club.
    """
    if pairs:
        _list_pairs(db, limit or _ALL)
        return
    from fullprime.analysis.at_table import list_reports

    complaints = list_reports(db, limit or _ALL)
    for complaint in complaints:
        where = f"{complaint.at:%Y-%m-%d %H:%M} UTC, game {complaint.session_id}"
        say(f"{where}, {complaint.side} reports: {complaint.reason}")
        for side, text in complaint.said:
            say(f"    {side}: {text}")
    if not complaints:
        say("nothing has been reported")


def _list_pairs(db: str | None, most: int) -> None:
    from fullprime.accounts.account_traces import find_flagged_pairs

    pairs = find_flagged_pairs(db, most)
    for pair in pairs:
        shared, names = " and ".join(f"one {kind}" for kind in pair.shared), format_players(pair.names)
        times = "" if pair.matches == 1 else f" ({pair.matches} such matches between them)"
        say(f"{pair.at:%Y-%m-%d %H:%M} UTC, game {pair.session_id}: {names}, {shared}{times}")
    if not pairs:
        say("no rated match was played between accounts that share an address or a browser")


def challenges(
    limit: Limit = 20,
    db: Database = None,
    end: Annotated[
        list[str] | None, typer.Option("--end", help="End the challenge of that id; may be given again.")
    ] = None,
    end_from: Annotated[
        list[str] | None, typer.Option("--end-from", help="End all from that address; may be given again.")
    ] = None,
    guests: Annotated[bool, typer.Option("--end-guests", help="End all challenges of guests.")] = False,
) -> None:
    """The challenges that stand in the lobby of a server. The latest come first, with the addresses they come from.

    With an --end option they are ended instead, also while the server runs.
    """
    from fullprime.accounts.challenge_limits import list_challenges, remove_challenges

    if end or end_from or guests:
        ended = remove_challenges(db, names=tuple(end or ()), addresses=tuple(end_from or ()), guests=guests)
        say(f"{ended} challenge{'s' if ended != 1 else ''} ended")
        return
    standing = list_challenges(db, limit or _ALL)
    for challenge in standing:
        terms = challenge.terms
        whose = f"{challenge.name} ({'account' if terms.account else 'guest'})"
        meant = terms.target or "everybody"
        say(
            f"{challenge.id}  {whose} to {meant}: {terms.title}, {terms.played_for};"
            f" until {challenge.expires:%Y-%m-%d %H:%M} UTC, from {challenge.address or 'an unknown address'}"
        )
    if not standing:
        say("no challenge stands")


def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes.")],
    db: Database = None,
    force: Force = False,
) -> None:
    """Copy the database of games to a file, also while the server runs. The copy is whole and checked."""
    from fullprime.db.backup import back_up

    size = back_up(file, db, replace=force)
    say(f"{file}: {size:,} bytes")


def restore(
    file: Annotated[Path, typer.Argument(help="A copy that `backup` made.")],
    db: Database = None,
    force: Force = False,
) -> None:
    """Make a copy the database again. Stop the server first; --force gives up what is in the database now."""
    from fullprime.db import backup as copies

    say(f"{copies.restore(file, db, replace=force)} is as {file} was")
