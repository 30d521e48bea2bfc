"""The library of matches at the command line: ``fullprime library …``."""

from __future__ import annotations

import json as json_module
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fullprime.cli.thinking import Threads
from fullprime.cli.tools import Json

if TYPE_CHECKING:
    from fullprime.app.library import Hit, LibraryStore, MatchRow, Rate, Statistics

PARTLY = 1
"""Exit code: something was done, something could not be."""

Database = Annotated[str | None, typer.Option("--db", help="Where the library is: a file or a database URL.")]
Player = Annotated[str | None, typer.Option("--player", "-p", help="A player, under any name, or a part of one.")]
Opponent = Annotated[str | None, typer.Option("--opponent", help="Against this player.")]
Event = Annotated[str | None, typer.Option("--event", help="A part of the event, round or site.")]
Since = Annotated[str | None, typer.Option("--since", help="From this day on: 2026-11-21.")]
Until = Annotated[str | None, typer.Option("--until", help="Up to this day.")]
Length = Annotated[int | None, typer.Option("--length", "-n", help="Matches to so many points; 0 is money.")]
Variant = Annotated[str | None, typer.Option("--variant", "-v", help="The game, one of fullprime variants.")]
Score = Annotated[str | None, typer.Option("--score", help="A game began at this score, the player's points first.")]
Away = Annotated[str | None, typer.Option("--away", help="The same as points still needed: 3-5.")]
Limit = Annotated[int, typer.Option("--limit", help="Show so many at most; 0 for all.")]
Level = Annotated[str, typer.Option("--level", "-l", help="How deep: fast, standard or deep.")]
OfLevel = Annotated[str | None, typer.Option("--level", "-l", help="Only reviews of this level.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="The library of matches: add, list, show, search, review, stats, export.",
                        no_args_is_help=True, rich_markup_mode=None)  # fmt: skip
    for command in (add, show, search, review, stats, players, export, remove):
        group.command(command.__name__)(command)
    group.command("list")(list_matches)
    group.command("merge-players")(merge_players)
    group.command("split-player")(split_player)
    app.add_typer(group, name="library")


@contextmanager
def _library(database: str | None) -> Iterator[LibraryStore]:
    from fullprime.app.library import open_library

    store = open_library(database)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def _bar(what: str, total: int | None, *, quiet: bool) -> Iterator[Callable[[int, int | None], None]]:
    """A progress bar on standard error, where that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, there_are: bar.update(task, completed=done, total=there_are)


def _print_json(value: Any) -> None:
    print(json_module.dumps(value, ensure_ascii=False))


# -- files in --------------------------------------------------------------------------------------------------------
def add(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files of matches, archives, folders.")],
    known: Annotated[str | None, typer.Option("--format", help="Read the files as this format.")] = None,
    db: Database = None,
    json: Json = False,
) -> None:
    """Add matches to the library. What is there already is passed over; what was broken off goes on."""
    from fullprime.app.library import count_files, import_files

    counts = dict.fromkeys(("new", "known", "seen", "failed"), 0)
    new = again = 0
    with _library(db) as store:
        total = count_files(path for path in paths if path.exists())
        with _bar("files", total, quiet=json) as progress:
            for done, report in enumerate(import_files(store, paths, known), 1):
                counts[report.status] += 1
                new += len(report.new)
                again += len(report.known)
                if json:
                    _print_json(report.json())
                    sys.stdout.flush()
                else:
                    for problem in report.problems:
                        kind = "error" if report.status == "failed" else "note"
                        print(f"{kind}: {report.file}: {problem}", file=sys.stderr)
                progress(done, total)
        there_are = store.count()
    summary = {"files": sum(counts.values()), **counts, "new_matches": new, "known_matches": again}
    if json:
        _print_json({"summary": {**summary, "matches": there_are}})
    else:
        print(
            f"{_some(summary['files'], 'file')}: {_some(new, 'new match', 'new matches')}, {again:,} known already,"
            f" {_some(counts['seen'], 'file')} imported before, {counts['failed']} not read;"
            f" the library has {_some(there_are, 'match', 'matches')}"
        )
    if counts["failed"]:
        raise typer.Exit(PARTLY if counts["failed"] < summary["files"] else 2)


def _some(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


# -- what there is ---------------------------------------------------------------------------------------------------
def list_matches(
    player: Player = None,
    opponent: Opponent = None,
    event: Event = None,
    since: Since = None,
    until: Until = None,
    length: Length = None,
    variant: Variant = None,
    score: Score = None,
    away: Away = None,
    reviewed: Annotated[bool | None, typer.Option("--reviewed/--unreviewed", help="With a review or without.")] = None,
    positions: Annotated[bool, typer.Option("--positions", help="Single positions, too.")] = False,
    limit: Limit = 50,
    offset: Annotated[int, typer.Option("--offset", help="Pass over so many.")] = 0,
    db: Database = None,
    json: Json = False,
) -> None:
    """The matches, by date."""
    from fullprime.app.library import count_matches, find_matches, make_wanted, match_json

    wanted = make_wanted(
        player=player, opponent=opponent, event=event, since=since, until=until, length=length, variant=variant,
        score=score, away=away, reviewed=reviewed, played=not positions,
    )  # fmt: skip
    with _library(db) as store:
        rows = find_matches(store, wanted, _limit(limit), offset)
        there_are = count_matches(store, wanted)
    if json:
        _print_json([match_json(row) for row in rows])
        return
    if rows:
        print(f"{'#':>6}  {'date':<10}  {'score':>7}  {'to':>5}  r  players, event")
    for row in rows:
        print(_line(row))
    if len(rows) < there_are:
        print(f"{len(rows)} of {there_are:,} matches; --limit and --offset show others")
    elif not rows:
        print("no match")


def _limit(limit: int) -> int | None:
    return limit if limit > 0 else None


def _line(row: MatchRow) -> str:
    to = "money" if row.length == 0 else str(row.length)
    score = f"{row.points[0]}-{row.points[1]}"
    event = f", {row.event}" if row.event else ""
    names = " - ".join(name or "?" for name in row.names)
    game = "" if row.variant == "backgammon" else f" ({row.variant})"
    mark = "r" if row.reviewed else " "
    return f"{row.number:>6}  {row.date or '-':<10}  {score:>7}  {to:>5}  {mark}  {names}{game}{event}"


def show(
    number: Annotated[int, typer.Argument(help="The number of the match.")],
    db: Database = None,
    json: Json = False,
) -> None:
    """One match: its games, the files it came from, its reviews."""
    from fullprime.app.library import describe_match
    from fullprime.cli.files import match_lines

    with _library(db) as store:
        told = describe_match(store, number)
    if json:
        _print_json(told)
        return
    print("\n".join(match_lines({**told, "problems": []})))
    for file in told["files"]:
        turned = ", the players the other way round" if file["swapped"] else ""
        analysis = f", with the analysis of {file['program']}" if file["program"] else ""
        print(f"  file {file['source']}: {file['file']} ({file['format']}){turned}{analysis}")
        for problem in file["problems"]:
            print(f"    problem: {problem}")
    for review in told["reviews"]:
        prs = ", ".join(
            f"{name or '?'} PR {'-' if pr is None else format(pr, '.2f')}"
            for name, pr in zip(told["names"], review["pr"], strict=True)
        )
        state = "" if review["complete"] else f" ({review['games']} games so far)"
        print(f"  review {review['level']}{state}: {prs}; {review['program']}")


def search(
    pattern: Annotated[str | None, typer.Argument(help="Boards: 6:3+ 8:* bar * / *")] = None,
    player: Player = None,
    opponent: Opponent = None,
    event: Event = None,
    since: Since = None,
    until: Until = None,
    length: Length = None,
    variant: Variant = None,
    score: Score = None,
    away: Away = None,
    dice: Annotated[str | None, typer.Option("--dice", "-d", help="With this roll to play: 61.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="checker play, double, take.")] = None,
    stage: Annotated[str | None, typer.Option("--stage", help="opening, middle game, race, bear-off …")] = None,
    verdict: Annotated[
        list[str] | None, typer.Option("--verdict", help="error, blunder … as often as you like.")
    ] = None,
    mistake: Annotated[str | None, typer.Option("--mistake", help="A kind of cube error: missed double.")] = None,
    loss: Annotated[float | None, typer.Option("--loss", help="Decisions that lost so much equity or more.")] = None,
    level: OfLevel = None,
    draw: Annotated[bool, typer.Option("--boards", help="Draw the boards.")] = False,
    limit: Limit = 50,
    db: Database = None,
    json: Json = False,
) -> None:
    """Boards that fit a pattern, decisions by what they cost; without either, matches."""
    from fullprime.app.library import find_boards, find_matches, hit_json, make_wanted, match_json

    wanted = make_wanted(
        player=player, opponent=opponent, event=event, since=since, until=until, length=length, variant=variant,
        score=score, away=away, pattern=pattern, dice=dice, kind=kind, stage=stage, verdicts=tuple(verdict or ()),
        mistake=mistake, loss=loss, level=level,
    )  # fmt: skip
    with _library(db) as store:
        if not wanted.of_boards:
            rows = find_matches(store, wanted, _limit(limit))
            if json:
                _print_json([match_json(row) for row in rows])
            else:
                print("\n".join(map(_line, rows)) or "no match")
            return
        hits = find_boards(store, wanted, _limit(limit))
        numbers = tuple(dict.fromkeys(hit.match for hit in hits))
        rows = find_matches(store, make_wanted(numbers=numbers)) if hits else []
    if json:
        _print_json([hit_json(hit) for hit in hits])
        return
    by_number = {row.number: row for row in rows}
    for hit in hits:
        print(_hit_line(hit, by_number[hit.match]))
        if draw:
            _draw(hit)
    if not hits:
        print("no board")
    elif len(hits) == limit:
        print(f"the first {limit}; --limit shows more")


def _hit_line(hit: Hit, row: MatchRow) -> str:
    who = row.names[hit.player] or "?"
    where = f"#{hit.match} game {hit.game + 1}, event {hit.event + 1}, {who}"
    dice = f" {hit.dice}" if hit.dice is not None else ""
    if hit.loss is None:
        return f"{where}: {hit.position.text}{dice}"
    mistake = f", {hit.mistake}" if hit.mistake else ""
    best = "" if hit.best == hit.played else f", best {hit.best}"
    return f"{hit.loss:6.3f} {hit.verdict}{mistake}: {where}: {hit.position.text}{dice}: {hit.played}{best}"


def _draw(hit: Hit) -> None:
    from fullprime.app.library import board_of
    from fullprime.cli.board import BoardView
    from fullprime.cli.terminal import make_console, needs_ascii, show_board

    show_board(make_console(), BoardView.of(board_of(hit), ascii_only=needs_ascii()))


# -- reviews and statistics ------------------------------------------------------------------------------------------
def review(
    numbers: Annotated[list[int] | None, typer.Argument(metavar="[NUMBER]...", help="Only these matches.")] = None,
    level: Level = "standard",
    player: Player = None,
    event: Event = None,
    since: Since = None,
    until: Until = None,
    most: Annotated[int | None, typer.Option("--most", help="Stop after so many matches.")] = None,
    threads: Threads = None,
    db: Database = None,
    json: Json = False,
) -> None:
    """Review the matches that have no review of this level yet; Ctrl-C loses at most the game in hand."""
    from fullprime.app.library import make_wanted, review_library

    wanted = make_wanted(numbers=tuple(numbers or ()), player=player, event=event, since=since, until=until)
    count = threads if threads is not None else os.cpu_count() or 1
    done = failed = 0
    with _library(db) as store, _bar("matches", None, quiet=json) as progress:
        for each in review_library(store, wanted, level, threads=count, most=most, progress=progress):
            if each.why is not None:
                failed += 1
                print(f"error: match {each.match}: {each.why}", file=sys.stderr)
            else:
                done += 1
            if json:
                _print_json({"match": each.match, "decisions": each.decisions, "error": each.why})
                sys.stdout.flush()
    if not json:
        print(f"{_some(done, 'match', 'matches')} reviewed" + (f", {failed} could not be" if failed else ""))
    if failed:
        raise typer.Exit(PARTLY if done else 2)


def stats(
    player: Annotated[str, typer.Argument(help="A player, under any name, or a part of one.")],
    opponent: Opponent = None,
    event: Event = None,
    since: Since = None,
    until: Until = None,
    length: Length = None,
    variant: Variant = None,
    level: OfLevel = None,
    by: Annotated[str, typer.Option("--by", help="PR over time: by year, month, day or match.")] = "month",
    db: Database = None,
    json: Json = False,
) -> None:
    """How a player plays: results, PR over time with its interval, by phase, by opponent, the costliest errors."""
    from fullprime.app.library import make_wanted, statistics

    wanted = make_wanted(
        player=player, opponent=opponent, event=event, since=since, until=until, length=length, variant=variant,
        level=level,
    )  # fmt: skip
    with _library(db) as store:
        found = statistics(store, wanted, by)
    if json:
        _print_json(found.json())
        return
    print("\n".join(_stats_lines(found)))


def _stats_lines(found: Statistics) -> Iterator[str]:
    record = found.record
    yield f"{found.name}: {_some(record.matches, 'match', 'matches')}, {record.won} won, {record.lost} lost"
    yield (
        f"  games {record.games_won}-{record.games_lost}, gammons {record.gammons_won}-{record.gammons_lost},"
        f" points {record.points_won}-{record.points_lost}"
    )
    if not found.reviewed:
        yield "  no match has been reviewed: fullprime library review"
        return
    luck = "" if found.luck is None else f"; luck {found.luck:+.3f} a match"
    yield f"  {_some(found.reviewed, 'match', 'matches')} reviewed{luck}"
    yield ""
    yield f"  {'':<28}{'PR':>7}  {'95 %':<16}{'decisions':>10}{'errors':>8}{'blunders':>10}"
    yield _rate_line("all", found.overall)
    for title, rates in (("", found.kinds), ("by phase", found.stages), ("over time", found.periods)):
        if rates:
            yield f"  {title}" if title else ""
        for name, rate in rates.items():
            yield _rate_line(name, rate)
    yield "  by opponent"
    for name, (against, rate) in found.opponents.items():
        yield _rate_line(f"{name[:18]} ({against.won}-{against.lost})", rate)
    if found.errors:
        yield ""
        yield f"  {'costliest kinds of error':<46}{'lost':>8}{'times':>7}{'of':>7}"
    for each in found.errors[:10]:
        yield f"    {each.words[:42]:<44}{each.loss:>8.3f}{each.made:>7}{each.of:>7}"


def _rate_line(name: str, rate: Rate) -> str:
    pr = "-" if rate.pr is None else f"{rate.pr:.2f}"
    span = "-" if rate.interval is None else f"{rate.interval[0]:.2f} to {rate.interval[1]:.2f}"
    return f"    {name[:26]:<26}{pr:>7}  {span:<16}{rate.counted:>10}{rate.errors:>8}{rate.blunders:>10}"


# -- people ----------------------------------------------------------------------------------------------------------
def players(db: Database = None, json: Json = False) -> None:
    """Everybody in the library, with all their names."""
    with _library(db) as store:
        people = store.people()
    if json:
        _print_json([{"player": each.name, "names": list(each.names), "matches": each.matches} for each in people])
        return
    for each in people:
        also = ", ".join(name for name in each.names if name != each.name)
        print(f"{each.matches:>6}  {each.name}{f' (also {also})' if also else ''}")


def merge_players(
    name: Annotated[str, typer.Argument(help="Who it is.")],
    others: Annotated[list[str], typer.Argument(metavar="OTHER...", help="Names that are the same person.")],
    db: Database = None,
) -> None:
    """Say that several names are one person. The matches keep the names of their files."""
    with _library(db) as store:
        person = store.merge(name, others)
    print(f"{person.name}: {', '.join(person.names)} ({_some(person.matches, 'match', 'matches')})")


def split_player(
    name: Annotated[str, typer.Argument(help="The name that is somebody else.")],
    db: Database = None,
) -> None:
    """Take back a merge: this name is a person of its own again."""
    with _library(db) as store:
        person = store.split(name)
    print(f"{person.name} ({_some(person.matches, 'match', 'matches')})")


# -- files out -------------------------------------------------------------------------------------------------------
def export(
    out: Annotated[Path, typer.Argument(help="A folder, or a .json file for all in one.")],
    numbers: Annotated[list[int] | None, typer.Argument(metavar="[NUMBER]...", help="Only these matches.")] = None,
    to: Annotated[str | None, typer.Option("--to", help="The format; json where nothing is said.")] = None,
    original: Annotated[bool, typer.Option("--original", help="The files as they were imported.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
    player: Player = None,
    opponent: Opponent = None,
    event: Event = None,
    since: Since = None,
    until: Until = None,
    length: Length = None,
    variant: Variant = None,
    db: Database = None,
    json: Json = False,
) -> None:
    """Write matches to files, with our review where there is one, else with the analysis they came with."""
    from fullprime.app.library import export as write_files
    from fullprime.app.library import find_matches, make_wanted

    wanted = make_wanted(
        numbers=tuple(numbers or ()), player=player, opponent=opponent, event=event, since=since, until=until,
        length=length, variant=variant,
    )  # fmt: skip
    with _library(db) as store:
        found = [row.number for row in find_matches(store, wanted)]
        written = write_files(store, found, out, to, original=original, force=force)
    if json:
        _print_json([{"file": str(each.path), "format": each.format, "lost": list(each.losses)} for each in written])
        return
    for each in written:
        for words in each.losses:
            print(f"note: {each.path}: not carried: {words}", file=sys.stderr)
    print(f"{_some(len(found), 'match', 'matches')} in {_some(len(written), 'file')}")


def remove(
    numbers: Annotated[list[int], typer.Argument(metavar="NUMBER...", help="The matches to forget.")],
    db: Database = None,
) -> None:
    """Forget matches, and the files that hold nothing else."""
    with _library(db) as store:
        files = store.remove(dict.fromkeys(numbers))
        there_are = store.count()
    print(f"{_some(len(set(numbers)), 'match', 'matches')} and {_some(files, 'file')} removed; {there_are:,} left")


__all__ = ["add_to"]
