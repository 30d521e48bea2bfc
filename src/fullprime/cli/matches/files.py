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
from fullprime.cli.standard_input import given_file, given_files
from fullprime.cli.terminal import say
from fullprime.rules.dates import told_info
from fullprime.rules.words import some, standing, versus

if TYPE_CHECKING:
    from fullprime.play.table.scorecard import ScoreCard
    from fullprime.reviews.matches.fields import FileGame, FileJson, MatchFacts

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
    from fullprime.cli.terminal import note
    from fullprime.reviews.matches.files import FileError
    from fullprime.reviews.matches.files import convert as convert_file

    to_output = out == "-"
    if to_output and json:
        raise FileError("--json and the match cannot both go to the output: give OUT a name")
    target = None if to_output else Path(out)
    written, problems = convert_file(
        given_file(source), target, to, known=known, match=match, folder=out.endswith("/"), force=force
    )
    if to_output:
        sys.stdout.flush()
        sys.stdout.buffer.write(written[0].data)
        sys.stdout.buffer.flush()
    if json:
        files = [{"file": str(each.path), "format": each.format, "lost": list(each.losses)} for each in written]
        say(json_module.dumps({"files": files, "problems": problems}, ensure_ascii=False))
        return
    for problem in problems:
        note(problem)
    for each in written:
        for words in each.losses:
            note(f"{each.path or source}: not carried: {words}")
        if each.path is not None:
            say(f"{each.path} ({each.format})")


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
    json: Json = False,
) -> None:
    """The score card of a match; for money also who pays whom what."""
    from fullprime.play.table.scorecard import settled_together
    from fullprime.reviews.matches.files import cards
    from fullprime.rules.errors import SettingsError

    if not paths:
        _card_by_hand(length, name or [], variant, json=json)
        return
    if length is not None or name:
        raise SettingsError("--length and --name are for a card to fill in by hand: leave the file out")
    failed = 0
    found: list[ScoreCard] = []
    for path in given_files(paths):
        for number, told in enumerate(cards(path, known)):
            if isinstance(told, str):
                failed += 1
                say(f"error: {told}", file=sys.stderr)
                continue
            found.append(told[0])
            if json:
                say(json_module.dumps(told[0], ensure_ascii=False))
            else:
                say(f"\n{told[1]}" if number else told[1])
    if settle:
        owed = settled_together(found)
        say(
            json_module.dumps({"settlement": owed}, ensure_ascii=False) if json else "\n".join(["", "Together:", *owed])
        )
    if failed:
        raise typer.Exit(PARTLY if found else 2)


def _card_by_hand(length: int | None, names: list[str], variant: str, *, json: bool) -> None:
    from fullprime.play.table.naming import checked_name
    from fullprime.play.table.scorecard import card_text, empty_card
    from fullprime.rules.errors import SettingsError
    from fullprime.rules.score import Settings
    from fullprime.rules.variants import variant_named

    if length is None:
        raise SettingsError("name a file, or --length 7 for a card to fill in by hand")
    if len(names) > 2:
        raise SettingsError("a card has two players: give --name twice at most")
    first, second = [*map(checked_name, names), "", ""][:2]
    found = empty_card(Settings(length=length, variant=variant_named(variant)), (first, second))
    say(json_module.dumps(found, ensure_ascii=False) if json else card_text(found))


def info(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files, archives, folders; - for the input.")],
    known: KnownFormat = None,
    json: Json = False,
) -> None:
    """Describe a file: players, games, analyses, and what is wrong."""
    from fullprime.reviews.matches.files import describe

    read = failed = 0
    found: list[FileJson] = []
    for path in given_files(paths):
        for told in describe(path, known):
            failed += "error" in told
            read += "error" not in told
            if json:
                found.append(told)
            elif "error" in told:
                say(f"error: {told['file']}: {told['error']}", file=sys.stderr)
            else:
                say("\n".join(_file_lines(told)))
    if json:
        say(json_module.dumps(found, ensure_ascii=False))
    if failed:
        raise typer.Exit(PARTLY if read else 2)


def _file_lines(told: FileJson) -> Iterator[str]:
    count = len(told["matches"])
    yield f"{told['file']}: {told['title']}" + (f", {some(count, 'match', 'matches')}" if count != 1 else "")
    for match in told["matches"]:
        yield from match_lines(match)
        for problem in match["problems"]:
            yield f"  problem: {problem}"


def match_lines(told: MatchFacts) -> Iterator[str]:
    """A match, as ``app.matches.files.match_facts`` tells it, in lines."""
    names = [name or "?" for name in told["names"]]
    to = f"a match to {told['length']}" if told["length"] else "money"
    score = standing(min(each, told["length"] or each) for each in told["score"])
    yield f"{versus([f'{names[0]} (X)', f'{names[1]} (O)'])}, {to}, {told['variant']}: {score}"
    for name, value in told["info"].items():
        lines = told_info(name, value).splitlines()
        yield f"  {name}: {lines[0] if lines else ''}{' …' if len(lines) > 1 else ''}"
    for number, game in enumerate(told["games"], 1):
        yield f"  game {number} at {standing(game['score'])}: {_result(game, names)}"
    if told["illegal"]:
        yield f"  {some(told['illegal'], 'illegal play or set-up', 'illegal plays or set-ups')}, kept as written"
    if told["comments"]:
        yield f"  {some(told['comments'], 'comment')}"
    if told["analysis"] is not None:
        program = told["analysis"]["program"]
        by = f" of {program}" if program else ""
        yield f"  analysis{by}: {some(told['analysis']['events'], 'event')}"


def _result(game: FileGame, names: list[str]) -> str:
    rolls = some(game["rolls"], "roll")
    crawford = ", Crawford game" if game["crawford"] else ""
    result = game["result"]
    if result is None:
        return f"no result, {rolls}{crawford}"
    level = {1: "", 2: ", gammon", 3: ", backgammon", 4: ", backgammon"}.get(result["level"] or 1, "")
    points = some(result["points"], "point")
    how = f" ({result['how']})" if result["how"] else ""
    return f"{names[0 if result['winner'] == 'X' else 1]} wins {points}{level}{how}, {rolls}{crawford}"
