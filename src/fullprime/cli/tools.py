"""Commands about positions: ``legal``, ``show``, ``id``; and ``rules`` and ``variants``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from fullprime.rules.game import Game

VARIANT_HELP = "The game, one of fullprime variants."
Variant = Annotated[str, typer.Option("--variant", "-v", help=VARIANT_HELP)]
Json = Annotated[bool, typer.Option("--json", help="The answer as JSON.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("legal")(legal)
    app.command("show")(show)
    app.command("id")(convert)
    app.command("rules")(rules)
    app.command("variants")(variants)


def legal(
    position: Annotated[str | None, typer.Argument(help="Any ID, or our text form.")] = None,
    dice: Annotated[list[str] | None, typer.Argument(help="The roll: 31, or 3 1.")] = None,
    variant: Variant = "backgammon",
    json: Json = False,
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Lines POSITIONID D1 D2 in, the sorted Position IDs after each play out.")
    ] = False,
) -> None:
    """Every legal play of a roll with the position after it, as the other player sees it."""
    from fullprime.rules.errors import NotationError, SettingsError

    if stdin:
        if position is not None or json:
            raise SettingsError("--stdin stands without a position and without --json")
        raise typer.Exit(_answer_lines(variant))
    if position is None:
        raise SettingsError("legal needs a position and a roll, or --stdin")
    from fullprime.app.advice.legal import plays_json
    from fullprime.rules.dice import Roll

    game = _game(position, variant)
    if dice:
        roll = Roll.from_text(" ".join(dice))
    elif game.dice is not None:
        roll = game.dice
    else:
        raise NotationError("legal needs a roll: fullprime legal POSITION 31")
    found = plays_json(game, roll)
    if json:
        _print_json(found)
        return
    plays = found["plays"]
    if not plays:
        print(f"{roll} has no legal play.")
        return
    width = max(len(play["play"]) for play in plays)
    print(f"{len(plays)} legal play{'s' if len(plays) != 1 else ''} of {roll}; the positions are the other player's:")
    for play in plays:
        print(f"  {play['play']:<{width}}  {play['position_id'] or '-':<14}  {play['position']}")


def _answer_lines(variant: str) -> int:
    """Answer standard input as it comes, in batches of what is there; gives the exit code."""
    from fullprime.app.advice.legal import BadLine, LegalLines
    from fullprime.rules.variants import variant_named

    answers = LegalLines(variant_named(variant))
    number, code = 0, 0
    for lines in _batches():
        out = []
        for answer in answers.answer(lines):
            number += 1
            if isinstance(answer, BadLine):
                code = 2
                print(f"error: line {number}: {answer.reason}", file=sys.stderr, flush=True)
                out.append(f"error: {answer.reason}")
            else:
                out.append(answer)
        sys.stdout.write("\n".join(out) + "\n")
        sys.stdout.flush()
    return code


def _batches() -> Iterator[list[str]]:
    """Standard input as lists of whole lines, each list as soon as it has come."""
    rest = b""
    while chunk := os.read(sys.stdin.fileno(), 1 << 17):
        *lines, rest = (rest + chunk).split(b"\n")
        if lines:
            yield [line.decode("utf-8", "replace") for line in lines]
    if rest:
        yield [rest.decode("utf-8", "replace")]


def show(
    position: Annotated[str, typer.Argument(metavar="ID", help="Any ID, or our text form.")],
    variant: Variant = "backgammon",
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters.")] = False,  # noqa: A002
    mirror: Annotated[bool, typer.Option("--mirror", help="Home board at the left.")] = False,
    json: Json = False,
) -> None:
    """Draw a position, with its pips and its other IDs."""
    from fullprime.app.choices.positions import describe_game
    from fullprime.cli.terminal import make_console, needs_ascii, show_board
    from fullprime.rules.board import BoardView

    reading = _read(position, variant)
    told = describe_game(reading.game)
    if json:
        _print_json({**told, "kind": reading.kind, "notes": list(reading.notes)})
        return
    changes: dict[str, Any] = {"home_left": mirror, "ascii_only": ascii or needs_ascii()}
    if reading.names:
        changes["names"] = reading.names
    show_board(make_console(), BoardView.of(reading.game, **changes))
    print()
    print(told["summary"])
    for kind, text in told["ids"].items():
        print(f"  {kind:<6} {text}")
    for each in reading.notes:
        print(f"  note: {each}")


def convert(
    position: Annotated[str, typer.Argument(metavar="ID", help="Any ID, or our text form.")],
    to: Annotated[str, typer.Option("--to", help="xgid, gnuid, ogid, fibs or text.")],
    variant: Variant = "backgammon",
    json: Json = False,
) -> None:
    """Write an ID as another kind; what that kind cannot carry is reported."""
    from fullprime.app.choices.positions import id_kind
    from fullprime.cli.terminal import note
    from fullprime.rules.ids import write_id

    reading = _read(position, variant)
    written = write_id(reading.game, id_kind(to))
    if json:
        _print_json(
            {"id": written.text, "lost": list(written.lost), "kind": reading.kind, "notes": list(reading.notes)}
        )
        return
    print(written.text)
    for each in reading.notes:
        note(f"{position.strip()[:40]} {each}")
    for each in written.lost:
        note(f"not carried: {each}")


def rules(
    variant: Annotated[str, typer.Argument(help=VARIANT_HELP)] = "backgammon",
    preset: Annotated[str | None, typer.Option(help="tournament, money or masters-traditional.")] = None,
    length: Annotated[int | None, typer.Option("--length", "-n", help="A match to so many points.")] = None,
    rule: Annotated[list[str] | None, typer.Option("--rule", help="Any option, name=value.")] = None,
) -> None:
    """The rules of a game in our own words, with the options in force."""
    from fullprime.app.choices.options import make_settings
    from fullprime.app.choices.rulebook import rulebook

    print(rulebook(make_settings(variant, preset=preset, length=length, rules=rule or [], default_length=0)))


def variants(json: Json = False) -> None:
    """The games there are."""
    from fullprime.app.choices.options import variants as known
    from fullprime.rules.variants import variant_named

    if json:
        _print_json({name: {"title": title, "options": variant_named(name).options} for name, title in known().items()})
        return
    for name, title in known().items():
        variant = variant_named(name)
        print(f"  {name:<21} {title:<22} {variant.starting_position.text}")


def _game(position: str, variant: str) -> Game:
    return _read(position, variant).game  # type: ignore[no-any-return]


def _read(position: str, variant: str) -> Any:
    from fullprime.rules.ids import read_id
    from fullprime.rules.score import Settings
    from fullprime.rules.variants import variant_named

    return read_id(position, settings=Settings(variant=variant_named(variant)))


def _print_json(value: Any) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False))
