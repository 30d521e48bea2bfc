"""Commands about positions: ``legal``, ``show``, ``id``; and ``rules`` and ``variants``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from fullprime.cli.command import add
from fullprime.cli.options import (
    Ascii,
    Json,
    Mirror,
    MoreRuleOptions,
    PositionId,
    PositionOptions,
    RollWords,
    RuleOptions,
    VariantName,
    Words,
)
from fullprime.cli.standard_input import read_available
from fullprime.cli.terminal import say, say_json
from fullprime.rules.foreign_text import clean_line

_START = "4HPwATDgc/ABMA"


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, "legal", legal, f"fullprime legal {_START} 31", "fullprime legal 'hand:15 / hand:15' 31 --variant dutch")
    add(app, "show", show, f"fullprime show {_START}", f"fullprime show {_START} 31 --words")
    add(app, "id", convert, f"fullprime id {_START} 31 --to xgid")
    add(app, "rules", rules, "fullprime rules", "fullprime rules dutch --length 7 --rule hit_licence=current")
    add(app, "variants", variants, "fullprime variants")


def legal(
    position: Annotated[
        str | None, typer.Argument(metavar="ID", help="Any ID, or our text form; - reads standard input.")
    ] = None,
    roll: RollWords = None,
    *,
    at: PositionOptions,
    json: Json = False,
    stdin: Annotated[
        bool,
        typer.Option(
            "--stdin", help="Many rolls: lines POSITIONID D1 D2 in, the sorted Position IDs after each play out."
        ),
    ] = False,
) -> None:
    """Every legal play of a roll, with the position after it. That is as the other player sees it."""
    from fullprime.rules.errors import NotationError, SettingsError

    if stdin:
        if position is not None or json:
            raise SettingsError("--stdin stands without a position and without --json")
        raise typer.Exit(_answer_lines(at.variant))
    if position is None:
        raise SettingsError("legal needs a position and a roll, or --stdin: for example fullprime legal ID 31")
    from fullprime.analysis.legal import list_legal_plays

    game = at.game(position, roll, quiet=True)
    if game.dice is None:
        raise NotationError("legal needs a roll: for example fullprime legal ID 31")
    listing = list_legal_plays(game, game.dice)
    if json:
        say_json(listing)
        return
    plays = listing.plays
    if not plays:
        say(f"{game.dice.words} has no legal play.")
        return
    width = max(len(play.text) for play in plays)
    many = f"{len(plays)} legal play{'s' if len(plays) != 1 else ''} of {game.dice.words}"
    say(f"{many}; the positions are the other player's:")
    for play in plays:
        say(f"  {play.text:<{width}}  {play.position_id or '-':<14}  {play.position.text}")


def _answer_lines(variant: str) -> int:
    """Answer standard input as it comes, in batches of the lines there are; gives the exit code."""
    from fullprime.analysis.legal import BadLine, LegalLines
    from fullprime.rules.variants import variant_named

    answers = LegalLines(variant_named(variant))
    number, code = 0, 0
    for lines in _batches():
        out = []
        for answer in answers.answer(lines):
            number += 1
            if isinstance(answer, BadLine):
                code = 2
                say(f"error: line {number}: {answer.reason}", file=sys.stderr, flush=True)
                out.append(f"error: {clean_line(answer.reason)}")
            else:
                out.append(answer)
        sys.stdout.write("\n".join(out) + "\n")
        sys.stdout.flush()
    return code


def _batches() -> Iterator[list[str]]:
    """Standard input as lists of whole lines, each list as soon as it has come."""
    from fullprime.analysis.legal import LONGEST

    rest = b""
    while chunk := read_available(1 << 17):
        *lines, rest = (rest + chunk).split(b"\n")
        # Of a line that has no end enough is kept to refuse it.
        rest = rest[: 4 * LONGEST + 4]
        if lines:
            yield [line.decode("utf-8", "replace") for line in lines]
    if rest:
        yield [rest.decode("utf-8", "replace")]


def show(
    position: PositionId,
    roll: RollWords = None,
    *,
    at: PositionOptions,
    ascii: Ascii = False,  # noqa: A002
    mirror: Mirror = False,
    words: Words = False,
    json: Json = False,
) -> None:
    """Draw a position, with its pips and its other IDs."""
    from fullprime.cli.board_words import board_sentences
    from fullprime.cli.terminal import make_console, needs_ascii, show_board
    from fullprime.play.options.positions import GameDescription, describe_game
    from fullprime.rules.board import BoardView

    game, reading = at.reading(position, roll)
    description = describe_game(game)
    if json:
        say_json(GameDescription(description, game.position.pips, game.cube, reading.kind, reading.notes))
        return
    changes: dict[str, Any] = {"home_left": mirror, "ascii_only": ascii or needs_ascii()}
    if reading.names:
        changes["names"] = reading.names
    view = BoardView.of(game, **changes)
    if words:
        say("\n".join(board_sentences(view)))
    else:
        show_board(make_console(), view)
        say()
        say(description.summary)
    for kind, text in description.ids.items():
        say(f"  {kind:<6} {text}")
    for remark in reading.notes:
        say(f"  note: {remark}")


def convert(
    position: PositionId,
    roll: RollWords = None,
    *,
    to: Annotated[str, typer.Option("--to", help="xgid, gnuid, ogid, fibs or text.")],
    at: PositionOptions,
    json: Json = False,
) -> None:
    """Write an ID as another kind. Facts that it cannot carry are reported."""
    from fullprime.cli.terminal import show_note
    from fullprime.play.options.positions import id_kind
    from fullprime.rules.ids import write_id

    game, reading = at.reading(position, roll)
    written = write_id(game, id_kind(to))
    if json:
        say_json({"id": written.text, "lost": list(written.lost), "kind": reading.kind, "notes": list(reading.notes)})
        return
    say(written.text)
    for remark in reading.notes:
        show_note(f"{position.strip()[:40]} {remark}")
    for fact in written.lost:
        show_note(f"not carried: {fact}")


def rules(variant: VariantName = "backgammon", *, options: RuleOptions, more: MoreRuleOptions) -> None:
    """The rules of a game in our own words, with the options in force."""
    from fullprime.cli.terminal import show_text
    from fullprime.play.options.rulebook import rulebook

    show_text(rulebook(options.settings(variant, more)))


def variants(json: Json = False) -> None:
    """The games there are."""
    from fullprime.play.options.options import variants as known
    from fullprime.rules.variants import variant_named

    if json:
        say_json({name: {"title": title, "options": variant_named(name).options} for name, title in known().items()})
        return
    for name, title in known().items():
        variant = variant_named(name)
        say(f"  {name:<21} {title:<22} {variant.starting_position.text}")
