"""The library of matches at the command line: ``fullprime library …``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from fullprime.cli.command import add as add_command
from fullprime.cli.command import add_group
from fullprime.cli.matches.library_common import MATCH_HEAD, PARTLY, MatchOptions, match_line, open_store, to_limit
from fullprime.cli.matches.library_marks import collection, collections, judges, mark, marks
from fullprime.cli.matches.library_questions import review, search, stats
from fullprime.cli.options import Database, Force, Json, KnownFormat, Limit, Player, ToFormat
from fullprime.cli.progress import show_progress_bar
from fullprime.cli.standard_input import read_file_arguments
from fullprime.cli.terminal import say, say_json
from fullprime.rules.words import count_noun


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    about = "Many matches: import, search, review, statistics."
    group = add_group(app, "library", about, "fullprime library add matches/", "fullprime library stats Ann")
    add_command(group, "add", add, "fullprime library add matches/ archive.zip")
    add_command(group, "show", show, "fullprime library show 1")
    add_command(
        group, "search", search, "fullprime library search '6:3+ bar * / *' 61", "fullprime library search --loss 0.1"
    )
    add_command(group, "review", review, "fullprime library review --level fast --limit 10")
    add_command(group, "stats", stats, "fullprime library stats Ann --by year")
    add_command(group, "players", players, "fullprime library players")
    add_command(group, "export", export, "fullprime library export out/ --player Ann --to mat")
    add_command(group, "remove", remove, "fullprime library remove 1")
    add_command(group, "list", list_matches, "fullprime library list --player Ann --since 2026-01-01")
    add_command(group, "merge-players", merge_players, "fullprime library merge-players Ann ann77")
    add_command(group, "split-player", split_player, "fullprime library split-player ann77")
    add_command(
        group, "mark", mark, "fullprime library mark 'match 12' --star --tag club",
        "fullprime library mark 'match 12 game 3 move 14' --note 'ask Bob'",
    )  # fmt: skip
    add_command(group, "marks", marks, "fullprime library marks --tag club")
    add_command(group, "collections", collections, "fullprime library collections")
    add_command(
        group, "collection", collection, "fullprime library collection Primes --add 'match 12 game 3 move 14'",
        "fullprime library collection Primes --share",
    )  # fmt: skip
    add_command(group, "judges", judges, "fullprime library judges 12 --settle")


# -- files in --------------------------------------------------------------------------------------------------------
def add(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Files of matches, archives, folders; - for the input.")
    ],
    known: KnownFormat = None,
    db: Database = None,
    json: Json = False,
) -> None:
    """Add matches to the library. What is there already is passed over; what was broken off goes on."""
    from fullprime.library.service import count_files, import_files

    counts = dict.fromkeys(("new", "known", "seen", "failed"), 0)
    new = again = 0
    sources = read_file_arguments(paths)
    with open_store(db) as store:
        total = count_files(source for source in sources if isinstance(source, bytes) or source.exists())
        with show_progress_bar() as progress:
            for done, report in enumerate(import_files(store, sources, known), 1):
                counts[report.status] += 1
                new += len(report.new)
                again += len(report.known)
                if json:
                    say_json(report)
                    sys.stdout.flush()
                else:
                    for problem in report.problems:
                        kind = "error" if report.status == "failed" else "note"
                        say(f"{kind}: {report.file}: {problem}", file=sys.stderr)
                progress("files", done, total)
        there_are = store.count()
    summary = {"files": sum(counts.values()), **counts, "new_matches": new, "known_matches": again}
    if json:
        say_json({"summary": {**summary, "matches": there_are}})
    else:
        say(
            f"{count_noun(summary['files'], 'file')}: {count_noun(new, 'new match', 'new matches')},"
            f" {again:,} known already,"
            f" {count_noun(counts['seen'], 'file')} imported before, {counts['failed']} not read;\n"
            f"the library has {count_noun(there_are, 'match', 'matches')}"
        )
    if counts["failed"]:
        raise typer.Exit(PARTLY if counts["failed"] < summary["files"] else 2)


# -- what there is ---------------------------------------------------------------------------------------------------
def list_matches(
    player: Player = None,
    *,
    which: MatchOptions,
    reviewed: Annotated[bool | None, typer.Option("--reviewed/--unreviewed", help="With a review or without.")] = None,
    positions: Annotated[bool, typer.Option("--positions", help="Single positions, too.")] = False,
    limit: Limit = 50,
    offset: Annotated[int, typer.Option("--offset", min=0, help="The number of rows to pass over.")] = 0,
    db: Database = None,
    json: Json = False,
) -> None:
    """The matches, by date."""
    from fullprime.library.service import count_matches, find_matches

    wanted = which.to_wanted(player, reviewed=reviewed, played=not positions)
    with open_store(db) as store:
        rows = find_matches(store, wanted, to_limit(limit), offset)
        there_are = count_matches(store, wanted)
        left_out = 0 if positions else count_matches(store, replace(wanted, played=False)) - there_are
    if json:
        say_json(rows)
        return
    if rows:
        say(MATCH_HEAD)
    for row in rows:
        say(match_line(row))
    if len(rows) < there_are:
        say(f"{len(rows)} of {there_are:,} matches; --limit and --offset show others")
    elif not rows:
        say("no match")
    if left_out:
        say(f"{count_noun(left_out, 'single position')} left out; --positions lists them too")


def show(
    number: Annotated[int, typer.Argument(help="The number of the match.")],
    db: Database = None,
    json: Json = False,
) -> None:
    """One match: its games, the files it came from, its reviews."""
    from fullprime.cli.matches.files import match_lines
    from fullprime.library.match_details import describe_match

    with open_store(db) as store:
        match = describe_match(store, number)
    if json:
        say_json(match)
        return
    say("\n".join(match_lines(match.facts)))
    for file in match.files:
        turned = ", the players the other way round" if file.swapped else ""
        analysis = f", with the analysis of {file.program}" if file.program else ""
        say(f"  file {file.source}: {file.name} ({file.format}){turned}{analysis}")
        for problem in file.problems:
            say(f"    problem: {problem}")
    for stored in match.reviews:
        prs = ", ".join(
            f"{name or '?'} PR {'-' if pr is None else format(pr, '.2f')}"
            for name, pr in zip(match.facts.names, stored.pr, strict=True)
        )
        state = "" if stored.complete else f" ({stored.games} games so far)"
        say(f"  review {stored.level}{state}: {prs}; {stored.program}")
        if stored.dated:
            say(f"    these nets have been replaced since: `fullprime library review --level {stored.level}` again")


# -- people ----------------------------------------------------------------------------------------------------------
def players(db: Database = None, json: Json = False) -> None:
    """All the players of the library, with all their names."""
    with open_store(db) as store:
        people = store.list_people()
    if json:
        say_json(people)
        return
    for person in people:
        also = ", ".join(name for name in person.names if name != person.name)
        say(f"{person.matches:>6}  {person.name}{f' (also {also})' if also else ''}")


def merge_players(
    name: Annotated[str, typer.Argument(help="Who it is.")],
    others: Annotated[list[str], typer.Argument(metavar="OTHER...", help="Names that are the same person.")],
    db: Database = None,
) -> None:
    """Say that several names are one person. The matches keep the names of their files."""
    with open_store(db) as store:
        person = store.merge(name, others)
    say(f"{person.name}: {', '.join(person.names)} ({count_noun(person.matches, 'match', 'matches')})")


def split_player(
    name: Annotated[str, typer.Argument(help="The name that is another player.")],
    db: Database = None,
) -> None:
    """Take back a merge: this name is a person of its own again."""
    with open_store(db) as store:
        person = store.split(name)
    say(f"{person.name} ({count_noun(person.matches, 'match', 'matches')})")


# -- files out -------------------------------------------------------------------------------------------------------
def export(
    out: Annotated[Path, typer.Argument(help="A folder, or a .json file for all in one.")],
    numbers: Annotated[list[int] | None, typer.Argument(metavar="NUMBER...", help="Only these matches.")] = None,
    to: ToFormat = None,
    original: Annotated[bool, typer.Option("--original", help="The files as they were imported.")] = False,
    force: Force = False,
    player: Player = None,
    *,
    which: MatchOptions,
    db: Database = None,
    json: Json = False,
) -> None:
    """Write matches to files, with our review where there is one, else with the analysis they came with."""
    from fullprime.library.service import export as write_files
    from fullprime.library.service import find_matches

    wanted = which.to_wanted(player, numbers=tuple(numbers or ()))
    with open_store(db) as store:
        match_numbers = [row.number for row in find_matches(store, wanted)]
        written = write_files(store, match_numbers, out, to, original=original, force=force)
    if json:
        say_json([{"file": str(file.path), "format": file.format, "lost": list(file.losses)} for file in written])
        return
    for file in written:
        for words in file.losses:
            say(f"note: {file.path}: not carried: {words}", file=sys.stderr)
    say(f"{count_noun(len(match_numbers), 'match', 'matches')} in {count_noun(len(written), 'file')}")


def remove(
    numbers: Annotated[list[int], typer.Argument(metavar="NUMBER...", help="The matches to forget.")],
    db: Database = None,
) -> None:
    """Forget matches, and the files that hold nothing else."""
    with open_store(db) as store:
        files = store.delete(dict.fromkeys(numbers))
        there_are = store.count()
    say(
        f"{count_noun(len(set(numbers)), 'match', 'matches')} and {count_noun(files, 'file')} removed;"
        f" {there_are:,} left"
    )
