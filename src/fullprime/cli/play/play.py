"""``fullprime play``: what can be chosen, and the way to the board."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from fullprime.app.table.table import Table
    from fullprime.rules.game import Game
    from fullprime.rules.score import Score


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(play)


def play(
    variant: Annotated[
        str, typer.Option("--variant", "-v", help="The game, one of fullprime variants.")
    ] = "backgammon",
    preset: Annotated[
        str | None, typer.Option(help="Settings under one name: tournament, money or masters-traditional.")
    ] = None,
    length: Annotated[int | None, typer.Option("--length", "-n", help="A match to so many points.")] = None,
    money: Annotated[bool, typer.Option("--money", help="Money play: every game stands for itself.")] = False,
    stake: Annotated[str | None, typer.Option(help="Money play: what a point is worth.")] = None,
    cube: Annotated[bool | None, typer.Option("--cube/--no-cube", help="With or without the doubling cube.")] = None,
    cube_cap: Annotated[str | None, typer.Option(help="The highest value of the cube, or none.")] = None,
    crawford: Annotated[
        bool | None, typer.Option("--crawford/--no-crawford", help="The Crawford rule in a match (on).")
    ] = None,
    jacoby: Annotated[bool | None, typer.Option("--jacoby/--no-jacoby", help="The Jacoby rule (money).")] = None,
    beavers: Annotated[bool | None, typer.Option("--beavers/--no-beavers", help="Beavers (money).")] = None,
    raccoons: Annotated[bool | None, typer.Option("--raccoons/--no-raccoons", help="Raccoons (money).")] = None,
    automatic_doubles: Annotated[
        str | None, typer.Option(help="How many opening ties double the stake: none, a number, unlimited (money).")
    ] = None,
    backgammon: Annotated[
        str | None, typer.Option(help="What a backgammon is: home_or_bar, bar_only or bar_four.")
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option("--rule", help="Any option, name=value; fullprime rules lists them.")
    ] = None,
    score: Annotated[str | None, typer.Option(help="Begin at this score, X's points first: 4-0.")] = None,
    post_crawford: Annotated[
        bool, typer.Option("--post-crawford", help="With --score: the Crawford game has been played.")
    ] = False,
    bot: Annotated[str | None, typer.Option(help="Whom to play: heuristic or random.")] = None,
    two_players: Annotated[bool, typer.Option("--two-players", "-2", help="Two people at one terminal.")] = False,
    name: Annotated[list[str] | None, typer.Option("--name", help="Your name; given twice, X's and O's.")] = None,
    seed: Annotated[str | None, typer.Option(help="Reproducible dice.")] = None,
    dice: Annotated[str, typer.Option(help="random, or manual: you throw real dice and type them.")] = "random",
    position: Annotated[str | None, typer.Option(help="Begin with this position: any ID, or our text form.")] = None,
    on_roll: Annotated[str | None, typer.Option(help="With --position: who is on roll, X or O.")] = None,
    cube_at: Annotated[str | None, typer.Option(help="With --position: the cube's value and owner, 4:X.")] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="[NUMBER]", help="Go on with a stored game: the last one, or this number.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Keep the record in this file: .json, or another format of a match.")
    ] = None,
    script: Annotated[Path | None, typer.Option(help="Read commands from a file, one a line; - is the input.")] = None,
    json: Annotated[bool, typer.Option("--json", help="With --script: one line of JSON after each command.")] = False,
    no_auto: Annotated[
        bool, typer.Option("--no-auto", help="Neither throw nor play by itself, even where there is no choice.")
    ] = False,
    db: Annotated[str | None, typer.Option(help="Where games are stored: a file or a database URL.")] = None,
    no_store: Annotated[bool, typer.Option("--no-store", help="Do not store the game.")] = False,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters.")] = False,  # noqa: A002
    mirror: Annotated[bool, typer.Option("--mirror", help="Home board at the left.")] = False,
    fixed_board: Annotated[
        bool, typer.Option("--fixed-board", help="Two players: X stays at the bottom; else the board turns round.")
    ] = False,
) -> None:
    """Play at a board in the terminal, against a bot or a friend; everything is stored after every action.

    With no options: a match to 5 points at backgammon against a bot. At the prompt, help lists the words.
    """
    from fullprime.app.choices.opponents import usual_bot_for
    from fullprime.app.choices.options import make_settings, read_score
    from fullprime.app.choices.positions import game_from_id
    from fullprime.app.table import seating
    from fullprime.app.table.dice import TableDice
    from fullprime.rules.errors import SettingsError

    if json and script is None:
        raise SettingsError("--json goes with --script")
    if two_players and bot is not None:
        raise SettingsError("--bot and --two-players exclude each other")
    if money and length:
        raise SettingsError(f"--money and --length {length} exclude each other")
    if length is not None and length < 1:
        raise SettingsError(f"a match has 1 to 10000 points, not {length}; --money plays for money")
    if dice not in ("random", "manual"):
        raise SettingsError(f"--dice is random or manual, not {dice[:40]!r}")
    if record is not None:
        seating.record_format(record)
    automatic, confirm = not no_auto, script is None
    if resume is not None:
        fixed = {
            "--variant": variant != "backgammon",
            "--preset": preset,
            "--length": length,
            "--money": money,
            "--stake": stake,
            "--cube": cube is not None,
            "--cube-cap": cube_cap,
            "--crawford": crawford is not None,
            "--jacoby": jacoby is not None,
            "--beavers": beavers is not None,
            "--raccoons": raccoons is not None,
            "--automatic-doubles": automatic_doubles,
            "--backgammon": backgammon,
            "--rule": rule,
            "--score": score,
            "--post-crawford": post_crawford,
            "--bot": bot,
            "--two-players": two_players,
            "--name": name,
            "--seed": seed,
            "--dice": dice != "random",
            "--position": position,
            "--on-roll": on_roll,
            "--cube-at": cube_at,
        }
        refused = [option for option, value in fixed.items() if value]
        if refused:
            raise SettingsError(f"--resume goes on with a game as it was begun: leave {', '.join(refused)} out")
        if no_store:
            raise SettingsError("--resume needs the stored games: leave --no-store out")
        if resume != "last" and not (resume.isascii() and resume.isdigit() and len(resume) < 10):
            raise SettingsError(f"--resume takes the number of a stored game, not {resume[:40]!r}")
        store = seating.open_store(db)
        number = None if resume == "last" else int(resume)
        table = seating.resume_table(store, number, automatic=automatic, confirm=confirm)
        talk = Manner(ascii_only=ascii, mirror=mirror, fixed_board=fixed_board)
        _run(table, script, record, talk, as_json=json)
        return
    chosen: dict[str, Any] = {
        "length": 0 if money else length,
        "stake": _setting("stake", stake),
        "cube": cube,
        "crawford": crawford,
        "jacoby": jacoby,
        "beavers": beavers,
        "raccoons": raccoons,
        "automatic_doubles": automatic_doubles,
        "backgammon": _setting("backgammon", backgammon),
    }
    rules = [*(rule or []), *([f"cube_cap={cube_cap}"] if cube_cap is not None else [])]
    settings = make_settings(variant, preset=preset, rules=rules, **chosen)
    begun_at: Score | None = read_score(score, settings, post_crawford=post_crawford) if score else None
    if post_crawford and score is None:
        raise SettingsError("--post-crawford goes with --score")
    game: Game | None = None
    if position is not None:
        said = bool(preset or rules or any(value is not None for value in chosen.values()))
        # What an ID leaves open is settled by the settings, and the first line of a game names those.
        game, _ = game_from_id(
            position, settings, override=said or begun_at is not None, score=begun_at, on_roll=on_roll, cube=cube_at
        )
    elif on_roll is not None or cube_at is not None:
        raise SettingsError("--on-roll and --cube-at go with --position")
    kept = None if no_store else seating.open_store(db)
    talk = Manner(
        newcomer=seating.is_newcomer(kept),
        unfinished=kept.last_unfinished() if kept is not None else None,
        ascii_only=ascii,
        mirror=mirror,
        fixed_board=fixed_board,
    )
    table = seating.new_table(
        game.settings if game is not None else settings,
        bot=None if two_players else bot or usual_bot_for(settings.variant.name),
        names=tuple(name or ()),
        game=game,
        score=begun_at,
        dice=TableDice(seed=seed, manual=dice == "manual"),
        store=kept,
        automatic=automatic,
        confirm=confirm,
    )
    _run(table, script, record, talk, as_json=json)


def _setting(name: str, text: str | None) -> object:
    if text is None:
        return None
    from fullprime.app.choices.options import read_setting

    return read_setting(name, text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How to talk with the people at the terminal."""

    newcomer: bool = False
    """Explain each decision once."""
    unfinished: int | None = None
    """Another game that waits."""
    ascii_only: bool = False
    mirror: bool = False
    fixed_board: bool = False


def _run(table: Table, script: Path | None, record: Path | None, manner: Manner, *, as_json: bool) -> None:
    from fullprime.app.table.seating import write_record
    from fullprime.cli.terminal import note

    if record is not None:
        kept = record

        def keep(played: Table) -> None:
            if played.game.is_over:
                write_record(played, kept)

        table.on_change = keep
        write_record(table, kept)  # a record that cannot be kept is refused before the game
    try:
        if script is not None:
            from fullprime.cli.play.script import run_script

            code = run_script(table, script, as_json=as_json)
        else:
            from fullprime.cli.play.conversation import Conversation

            code = Conversation(
                table,
                newcomer=manner.newcomer,
                ascii_only=manner.ascii_only,
                mirror=manner.mirror,
                fixed_board=manner.fixed_board,
            ).run(manner.unfinished)
    finally:
        if record is not None:
            for lost in write_record(table, record):
                note(f"{record.name} does not say: {lost}")
        table.close()
    if code:
        sys.stdout.flush()
        raise typer.Exit(code)
