"""``fullprime play``: the choices, and the way to the board."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add, find_changed_options
from fullprime.cli.options import Ascii, Database, Mirror, MoreRuleOptions, PositionOptions, RollWords, Words

if TYPE_CHECKING:
    from fullprime.engine.api import Hint
    from fullprime.play.table.table import Table
    from fullprime.rules.game import Game
    from fullprime.rules.score import Score, Settings


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    examples = (
        "fullprime play",
        "fullprime play --bot advanced --length 7",
        "fullprime play '6:3 5:3 4:2 / 24 6:4 5:3' 31 --money --stake 5",
    )
    add(app, "play", play, *examples)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOptions:
    """The players, and their dice."""

    bot: Annotated[str | None, typer.Option("--bot", help="Whom to play, one of the bots below.")] = None
    two_players: Annotated[bool, typer.Option("--two-players", "-2", help="Two people at one terminal.")] = False
    name: Annotated[list[str] | None, typer.Option("--name", help="Your name; given twice, X's and O's.")] = None
    seed: Annotated[str | None, typer.Option("--seed", help="The dice follow from it: a number or any word.")] = None
    dice: Annotated[str, typer.Option("--dice", help="random, or manual: you throw real dice and type them.")] = (
        "random"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepingOptions:
    """The place where the game is kept."""

    record: Annotated[
        Path | None, typer.Option("--record", help="Keep the record in this file: .json, or another format of a match.")
    ] = None
    db: Database = None
    no_store: Annotated[bool, typer.Option("--no-store", help="Do not store the game.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkOptions:
    """The talk with the people at the terminal, or with a script."""

    script: Annotated[
        Path | None, typer.Option("--script", help="Read commands from a file, one a line; - is the input.")
    ] = None
    json: Annotated[bool, typer.Option("--json", help="With --script: one line of JSON after each command.")] = False
    no_auto: Annotated[
        bool, typer.Option("--no-auto", help="Neither throw nor play by itself, even where there is no choice.")
    ] = False
    tutor: Annotated[
        float | None, typer.Option("--tutor", min=0, help="Warn me before a choice that costs so much, such as 0.08.")
    ] = None
    words: Words = False
    ascii: Ascii = False
    mirror: Mirror = False
    numbering: Annotated[
        str, typer.Option("--numbering", help="own: each player's numbers; fixed: X's numbers for both.")
    ] = "own"
    fixed_board: Annotated[
        bool, typer.Option("--fixed-board", help="Two players: X stays at the bottom; else the board turns round.")
    ] = False


def play(
    position: Annotated[
        str | None, typer.Argument(metavar="ID", help="Begin with this position: any ID, or our text form; - reads it.")
    ] = None,
    roll: RollWords = None,
    *,
    at: PositionOptions,
    more: MoreRuleOptions,
    seats: SeatOptions,
    resume: Annotated[
        str | None,
        typer.Option("--resume", metavar="[NUMBER]", help="Go on with a stored game: the last one, or this number."),
    ] = None,
    keep: KeepingOptions,
    talk: TalkOptions,
) -> None:
    """Play at a board in the terminal, against a bot or a friend. Everything is stored after every action.

    With no options: a match to 5 points at backgammon against a bot. At the prompt, help lists the words.
    """
    from fullprime.cli.play.numbering import check_numbering
    from fullprime.cli.play.script import open_script
    from fullprime.play.table import seating
    from fullprime.rules.errors import SettingsError

    if talk.json and talk.script is None:
        raise SettingsError("--json goes with --script")
    if seats.two_players and seats.bot is not None:
        raise SettingsError("--bot and --two-players exclude each other")
    if seats.dice not in ("random", "manual"):
        raise SettingsError(f"--dice is random or manual, not {seats.dice[:40]!r}")
    check_numbering(talk.numbering)
    if keep.record is not None:
        seating.record_format(keep.record)
    if resume is not None:
        refused = [
            *(["ID"] if position is not None else []),
            *find_changed_options(at),
            *find_changed_options(more),
            *find_changed_options(seats),
        ]
        if refused:
            raise SettingsError(f"--resume goes on with a game as it was begun: leave {', '.join(refused)} out")
        with open_script(talk.script) as lines:
            _sit(_resume(resume, keep, talk), keep, talk, lines)
        return
    if position is None:
        if at.on_roll is not None or at.cube_at is not None:
            raise SettingsError("--on-roll and --cube-at go with a position: fullprime play ID --on-roll X")
        settings = at.rules.settings(at.variant, more, default_length=None)
        game, score = None, at.read_score(settings)
    else:
        # The settings settle the facts that an ID leaves open, and the first line of a game names them.
        game = at.game(position, roll, more=more, default_length=None, quiet=True)
        settings, score = game.settings, game.score
    with open_script(talk.script) as lines:
        _begin(settings, game, score, seats, keep, talk, lines)


def _resume(resume: str, keep: KeepingOptions, talk: TalkOptions) -> Table:
    """The table of a stored game."""
    from fullprime.play.table import seating
    from fullprime.rules.errors import SettingsError

    if keep.no_store:
        raise SettingsError("--resume needs the stored games: leave --no-store out")
    if resume != "last" and not (resume.isascii() and resume.isdigit() and len(resume) < 10):
        raise SettingsError(f"--resume takes the number of a stored game, not {resume[:40]!r}")
    number = None if resume == "last" else int(resume)
    store = seating.open_store(keep.db)
    return seating.resume_table(store, number, automatic=not talk.no_auto, confirm=talk.script is None)


def _begin(
    settings: Settings,
    game: Game | None,
    score: Score | None,
    seats: SeatOptions,
    keep: KeepingOptions,
    talk: TalkOptions,
    script: Iterable[str],
) -> None:
    """Begin a match or a session, from a position where one was given."""
    from fullprime.play.options.opponents import usual_bot_for
    from fullprime.play.table import seating

    store = None if keep.no_store else seating.open_store(keep.db)
    newcomer = seating.is_newcomer(store)
    unfinished = store.find_last_unfinished() if store is not None else None
    table = seating.new_table(
        settings,
        bot=None if seats.two_players else seats.bot or usual_bot_for(settings.variant.name),
        names=tuple(seats.name or ()),
        game=game,
        score=score,
        seed=seats.seed,
        types_dice=seats.dice == "manual",
        store=store,
        automatic=not talk.no_auto,
        confirm=talk.script is None,
    )
    _sit(table, keep, talk, script, newcomer=newcomer, unfinished=unfinished)


def _sit(
    table: Table,
    keep: KeepingOptions,
    talk: TalkOptions,
    script: Iterable[str],
    *,
    newcomer: bool = False,
    unfinished: int | None = None,
) -> None:
    """Play at the table, by script or at the prompt, and keep its record."""
    from fullprime.cli.terminal import show_note
    from fullprime.play.table.seating import write_record

    table.takes_back = True
    table.why_hint = _why_hint
    table.show_to_the_only_person()
    record = keep.record
    if record is not None:
        file = record

        def write(played: Table) -> None:
            if played.game.is_over:
                write_record(played, file)

        table.on_change = write
        write_record(table, record)  # a record that cannot be kept is refused before the game
    try:
        if talk.script is not None:
            from fullprime.cli.play.script import run_script

            code = run_script(table, script, as_json=talk.json)
        else:
            from fullprime.cli.play.conversation import Conversation

            conversation = Conversation(
                table,
                newcomer=newcomer,
                ascii_only=talk.ascii,
                mirror=talk.mirror,
                fixed_board=talk.fixed_board,
                numbering=talk.numbering,
                in_words=talk.words,
                tutor=talk.tutor,
            )
            code = conversation.run(unfinished)
    finally:
        if record is not None:
            for lost in write_record(table, record):
                show_note(f"{record.name} does not say: {lost}")
        table.close()
    if code:
        sys.stdout.flush()
        raise typer.Exit(code)


def _why_hint(game: Game, hint: Hint, level: str) -> str:
    """The tutor's reason for a hint; the tutor is loaded by the first one."""
    from fullprime.analysis.tutor import why_hint

    return why_hint(game, hint, level)
