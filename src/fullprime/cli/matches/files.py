"""Commands about files of matches: ``convert`` and ``info``."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.options import Force, Json, KnownFormat, ToFormat, Variant
from fullprime.cli.standard_input import read_file_argument, read_file_arguments
from fullprime.cli.terminal import say, say_json
from fullprime.rules.dates import format_info
from fullprime.rules.words import count_noun, format_players, format_score

if TYPE_CHECKING:
    from fullprime.play.table.scorecard import ScoreCard
    from fullprime.reviews.matches.files import DescribedFile, FileGame, MatchFacts

PARTLY = 1
"""Exit code: something was read, something could not be."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, "convert", convert, "fullprime convert match.mat match.sgf", "fullprime convert matches/ texts/ --to mat")
    add(app, "info", info, "fullprime info match.mat")
    add(app, "card", card, "fullprime card match.mat", "fullprime card --length 7 --name Ann --name Bob")


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A file of matches, archive, folder; - for the input.")],
    out: Annotated[str, typer.Argument(metavar="OUT", help="A file; a folder/ for several; - for the output.")],
    to: ToFormat = None,
    known: KnownFormat = None,
    match: Annotated[int | None, typer.Option("--match", min=1, help="Only this one of several matches.")] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write matches in another format. It is that of OUT's extension, or --to. What it cannot carry is reported."""
    from fullprime.cli.terminal import show_note
    from fullprime.reviews.matches.files import FileError
    from fullprime.reviews.matches.files import convert as convert_file

    to_output = out == "-"
    if to_output and json:
        raise FileError("--json and the match cannot both go to the output: give OUT a name")
    target = None if to_output else Path(out)
    written, problems = convert_file(
        read_file_argument(source), target, to, from_format=known, match=match, folder=out.endswith("/"), force=force
    )
    if to_output:
        sys.stdout.flush()
        sys.stdout.buffer.write(written[0].data)
        sys.stdout.buffer.flush()
    if json:
        files = [{"file": str(file.path), "format": file.format, "lost": list(file.losses)} for file in written]
        say_json({"files": files, "problems": problems})
        return
    for problem in problems:
        show_note(problem)
    for file in written:
        for words in file.losses:
            show_note(f"{file.path or source}: not carried: {words}")
        if file.path is not None:
            say(f"{file.path} ({file.format})")


def card(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Files, archives, folders; - for the input.")
    ] = None,
    known: KnownFormat = None,
    length: Annotated[
        int | None, typer.Option("--length", "-n", min=0, help="Without a file: a card to fill in by hand; 0: money.")
    ] = None,
    name: Annotated[list[str] | None, typer.Option("--name", help="With --length: a player; twice for both.")] = None,
    variant: Variant = "backgammon",
    settle: Annotated[
        bool, typer.Option("--settle", help="At the end who pays whom over all sessions, for two players or more.")
    ] = False,
    counts: Annotated[
        bool, typer.Option("--counts", help="Below: doubles, pips and rolls that hit, beside what chance gives.")
    ] = False,
    json: Json = False,
) -> None:
    """The score card of a match; for money also who pays whom what."""
    from fullprime.play.table.scorecard import settle_sessions
    from fullprime.reviews.matches.files import cards
    from fullprime.rules.errors import SettingsError

    if not paths:
        _card_by_hand(length, name or [], variant, json=json)
        return
    if length is not None or name:
        raise SettingsError("--length and --name are for a card to fill in by hand: leave the file out")
    failed = 0
    score_cards: list[ScoreCard] = []
    for path in read_file_arguments(paths):
        for number, outcome in enumerate(cards(path, known, dice=counts)):
            if isinstance(outcome, str):
                failed += 1
                say(f"error: {outcome}", file=sys.stderr)
                continue
            score_cards.append(outcome.card)
            if json:
                say_json(outcome)
            else:
                say(f"\n{outcome.text}" if number else outcome.text)
    if settle:
        owed = settle_sessions(score_cards)
        say(
            json_module.dumps({"settlement": owed}, ensure_ascii=False) if json else "\n".join(["", "Together:", *owed])
        )
    if failed:
        raise typer.Exit(PARTLY if score_cards else 2)


def _card_by_hand(length: int | None, names: list[str], variant: str, *, json: bool) -> None:
    from fullprime.play.naming import check_name
    from fullprime.play.table.scorecard import card_text, empty_card
    from fullprime.rules.errors import SettingsError
    from fullprime.rules.score import Settings
    from fullprime.rules.variants import variant_named

    if length is None:
        raise SettingsError("name a file, or --length 7 for a card to fill in by hand")
    if len(names) > 2:
        raise SettingsError("a card has two players: give --name twice at most")
    first, second = [*map(check_name, names), "", ""][:2]
    blank = empty_card(Settings(length=length, variant=variant_named(variant)), (first, second))
    if json:
        say_json(blank)
    else:
        say(card_text(blank))


def info(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files, archives, folders; - for the input.")],
    known: KnownFormat = None,
    json: Json = False,
) -> None:
    """Describe a file: players, games, analyses, and what is wrong."""
    from fullprime.reviews.matches.files import describe

    read = failed = 0
    descriptions: list[DescribedFile] = []
    for path in read_file_arguments(paths):
        for description in describe(path, known):
            failed += description.error is not None
            read += description.error is None
            if json:
                descriptions.append(description)
            elif description.error is not None:
                say(f"error: {description.file}: {description.error}", file=sys.stderr)
            else:
                say("\n".join(_file_lines(description)))
    if json:
        say_json(descriptions)
    if failed:
        raise typer.Exit(PARTLY if read else 2)


def _file_lines(description: DescribedFile) -> Iterator[str]:
    count = len(description.matches)
    yield f"{description.file}: {description.title}" + (
        f", {count_noun(count, 'match', 'matches')}" if count != 1 else ""
    )
    for match in description.matches:
        yield from match_lines(match.facts)
        for problem in match.problems:
            yield f"  problem: {problem}"


def match_lines(facts: MatchFacts) -> Iterator[str]:
    """A match, as ``reviews.matches.files.match_facts`` tells it, in lines."""
    names = [name or "?" for name in facts.names]
    to = f"a match to {facts.length}" if facts.length else "money"
    score = format_score(min(points, facts.length or points) for points in facts.score)
    yield f"{format_players([f'{names[0]} (X)', f'{names[1]} (O)'])}, {to}, {facts.variant}: {score}"
    for name, value in facts.info.items():
        lines = format_info(name, value).splitlines()
        yield f"  {name}: {lines[0] if lines else ''}{' …' if len(lines) > 1 else ''}"
    for number, game in enumerate(facts.games, 1):
        yield f"  game {number} at {format_score(game.score)}: {_result(game, names)}"
    if facts.illegal:
        yield f"  {count_noun(facts.illegal, 'illegal play or set-up', 'illegal plays or set-ups')}, kept as written"
    if facts.comments:
        yield f"  {count_noun(facts.comments, 'comment')}"
    if facts.analysis is not None:
        program = facts.analysis.program
        by = f" of {program}" if program else ""
        yield f"  analysis{by}: {count_noun(facts.analysis.events, 'event')}"


def _result(game: FileGame, names: list[str]) -> str:
    rolls = count_noun(game.rolls, "roll")
    crawford = ", Crawford game" if game.crawford else ""
    result = game.result
    if result is None:
        return f"no result, {rolls}{crawford}"
    level = {1: "", 2: ", gammon", 3: ", backgammon", 4: ", backgammon"}.get(result.level or 1, "")
    points = count_noun(result.points, "point")
    how = f" ({result.how})" if result.how else ""
    return f"{names[result.winner]} wins {points}{level}{how}, {rolls}{crawford}"
