"""Rows of the library: files, matches and people as the tables hold them, and the code that puts them there."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, exists, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from typing_extensions import TypedDict

from fullprime.db.errors import LibraryError, StoreError
from fullprime.db.schema.tables import (
    library_boards,
    library_copies,
    library_decisions,
    library_games,
    library_matches,
    library_names,
    library_players,
    library_positions,
    library_sources,
)
from fullprime.db.times import utc_now
from fullprime.formats import Document
from fullprime.formats.ours import form as our_json
from fullprime.reviews.match_facts import Cells, cells_of, facts_of, plain_name, standings, steps
from fullprime.rules.dates import date_of
from fullprime.rules.score import Player

OWN_SHELF = 0
"""The shelf of this machine, which the terminal uses. Every other number is that of an account."""
_CHUNK = 500
"""Rows in one statement: databases limit the number of values."""
_OCCASION = ("Event", "Round", "Site", "Location")


@dataclass(frozen=True, slots=True)
class Added:
    """The result of one file: numbers of matches that are new, and of those that were in the library already."""

    new: tuple[int, ...] = ()
    known: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()
    file_known: bool = False
    """These very bytes were imported before: nothing was done."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as lists show it. Points are those at the end; ``winner`` is None while nobody has won."""

    number: int
    names: tuple[str, str]
    variant: str
    length: int
    event: str
    date: str | None
    points: tuple[int, int]
    winner: Player | None
    games: int
    rolls: int
    reviewed: bool


@dataclass(frozen=True, slots=True)
class Copy:
    """A file in which a match was found."""

    source: int
    name: str
    format: str
    place: int
    swapped: bool
    problems: tuple[str, ...]
    program: str | None


@dataclass(frozen=True, slots=True)
class Person:
    """A person: all names that files use, and the number of matches."""

    name: str
    names: tuple[str, ...]
    matches: int


class MatchColumns(TypedDict):
    """A row of ``library_matches``, whose columns say more; winners are 0 for X, 1 for O."""

    facts: str
    variant: str
    length: int
    x_name: str
    o_name: str
    event: str
    site: str
    occasion: str
    date: str | None
    x_points: int
    o_points: int
    winner: int | None
    games: int
    rolls: int
    document: bytes
    added: datetime


class GameColumns(TypedDict):
    """A row of ``library_games``, without its match."""

    game: int
    x_points: int
    o_points: int
    crawford: bool
    winner: int | None
    points: int | None
    level: int | None
    how: str | None


class PositionColumns(TypedDict):
    """A row of ``library_positions``, without its match."""

    game: int
    event: int
    player: int
    board_id: int
    dice: int | None
    """The higher die times ten, and the lower one; None before the roll."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document made ready before the transaction begins, which is thereby short."""

    row: MatchColumns
    games: list[GameColumns]
    positions: list[PositionColumns]
    boards: dict[int, Cells]
    first: Player
    problems: tuple[str, ...]
    program: str | None
    format: str

    @classmethod
    def of(cls, document: Document) -> Prepared:
        """The rows stored of a document."""
        try:
            whole = zlib.compress(our_json.write(document)[0], 6)
        except UnicodeEncodeError as error:
            raise StoreError(f"a text of the match is not Unicode: {error.object[:40]!a}") from error
        match = document.match
        facts = facts_of(match)
        boards: dict[int, Cells] = {}
        positions: list[PositionColumns] = []
        for each in standings(match):
            board = cells_of(each.position)
            boards[board.id] = board
            dice = None if each.dice is None else each.dice.high * 10 + each.dice.low
            positions.append(
                {
                    "game": each.game, "event": each.event, "player": int(each.player), "board_id": board.id,
                    "dice": dice,
                }
            )  # fmt: skip
        games: list[GameColumns] = []
        points, winner = (0, 0), None
        for number, record in enumerate(match.games):
            before = record.start.score
            final = record.start
            for step in steps(record):
                final = step.after or final
            result = record.stated or final.result
            points = before.points
            if result is not None:
                after = before.after(result, match.settings)
                points, winner = after.points, after.match_winner(match.settings)
            games.append(
                {
                    "game": number, "x_points": before.points[0], "o_points": before.points[1],
                    "crawford": before.crawford_game, "winner": None if result is None else int(result.winner),
                    "points": None if result is None else result.points,
                    "level": None if result is None else result.level, "how": None if result is None else result.how,
                }
            )  # fmt: skip
        info = match.info
        row: MatchColumns = {
            "facts": facts.hash, "variant": match.settings.variant.name, "length": match.settings.length,
            "x_name": _column(match.names[0]), "o_name": _column(match.names[1]),
            "event": _column(info.get("Event", "")), "site": _column(info.get("Site", info.get("Location", ""))),
            "occasion": plain_name(_column(" ".join(info.get(key, "") for key in _OCCASION))),
            "date": date_of(info), "x_points": points[0], "o_points": points[1],
            "winner": None if winner is None else int(winner), "games": len(match.games), "rolls": facts.rolls,
            "document": whole, "added": utc_now(),
        }  # fmt: skip
        problems = tuple(str(problem) for problem in document.report)
        program = None if document.review is None else document.review.program
        return cls(row, games, positions, boards, facts.first, problems, program, document.format)


def _column(text: str) -> str:
    """A text as PostgreSQL takes it; the document keeps it as it is."""
    return text.replace("\x00", "")


def add_file(connection: Connection, shelf: int, content: bytes, name: str, prepared: Sequence[Prepared]) -> Added:
    """Store a file and its matches on a shelf, each once."""
    digest = key_on(shelf, digest_of(content))
    if connection.execute(select(library_sources.c.id).where(library_sources.c.sha256 == digest)).scalar() is not None:
        return Added(file_known=True)
    source = {
        "shelf": shelf, "sha256": digest, "name": name, "format": prepared[0].format if prepared else "",
        "size": len(content), "content": zlib.compress(content, 6), "added": utc_now(),
    }  # fmt: skip
    number = connection.execute(insert(library_sources).values(source)).inserted_primary_key
    assert number is not None
    new, known = [], []
    for place, each in enumerate(prepared):
        wanted = select(library_matches.c.id, library_matches.c.document)
        found = connection.execute(wanted.where(library_matches.c.facts == key_on(shelf, each.row["facts"]))).first()
        swapped = False
        if found is None:
            match_number = _insert_match(connection, shelf, each)
            new.append(match_number)
        else:
            match_number = int(found[0])
            (document,) = our_json.read(zlib.decompress(found[1]))
            swapped = facts_of(document.match).first is not each.first
            known.append(match_number)
            _learn(connection, shelf, match_number, document, each, swapped=swapped)
        copy = {
            "source_id": number[0], "place": place, "match_id": match_number, "swapped": swapped,
            "problems": _column(json.dumps(each.problems)), "program": each.program,
        }  # fmt: skip
        connection.execute(insert(library_copies).values(copy))
    problems = tuple(problem for each in prepared for problem in each.problems)
    return Added(tuple(new), tuple(known), problems)


def _insert_match(connection: Connection, shelf: int, prepared: Prepared) -> int:
    row = {**prepared.row, "shelf": shelf, "facts": key_on(shelf, prepared.row["facts"])}
    key = connection.execute(insert(library_matches).values(row)).inserted_primary_key
    assert key is not None
    number = int(key[0])
    for name in dict.fromkeys((prepared.row["x_name"], prepared.row["o_name"])):
        _know_name(connection, shelf, name)
    put_rows(connection, library_games, [{**row, "match_id": number} for row in prepared.games])
    put_boards(connection, prepared.boards.values())
    put_rows(connection, library_positions, [{**row, "match_id": number} for row in prepared.positions])
    return number


def _learn(connection: Connection, shelf: int, number: int, known: Document, other: Prepared, *, swapped: bool) -> None:
    """Take over missing facts from another file of a known match: names, date, event, and the analysis of a program."""
    (told,) = our_json.read(zlib.decompress(other.row["document"]))
    info = {**told.match.info, **{key: value for key, value in known.match.info.items() if value}}
    theirs = told.match.names[::-1] if swapped else told.match.names
    names = (known.match.names[0] or theirs[0], known.match.names[1] or theirs[1])
    match = replace(known.match, info=MappingProxyType(info), names=names)
    review = known.review
    if (
        review is None
        and not swapped
        and [each.events for each in told.match.games] == [each.events for each in known.match.games]
    ):
        review = told.review  # its events are those of the match, number by number
    if match == known.match and review is known.review:
        return
    row = Prepared.of(replace(known, match=match, review=review)).row
    for name in (row["x_name"], row["o_name"]):
        _know_name(connection, shelf, name)
    changes = {
        "x_name": row["x_name"], "o_name": row["o_name"], "event": row["event"], "site": row["site"],
        "occasion": row["occasion"], "date": row["date"], "document": row["document"],
    }  # fmt: skip
    connection.execute(update(library_matches).where(library_matches.c.id == number).values(changes))


def _know_name(connection: Connection, shelf: int, name: str) -> None:
    """Every name is that of a person: the one with that name but for case and blanks, or a new one."""
    if not plain_name(name):
        return
    here = library_names.c.shelf == shelf
    if connection.execute(select(library_names.c.name).where(here, library_names.c.name == name)).first() is not None:
        return
    alike = plain_name(name)
    names = connection.execute(select(library_names.c.name, library_names.c.player_id).where(here))
    player = next((int(number) for known, number in names if plain_name(known) == alike), None)
    if player is None:
        made = connection.execute(insert(library_players).values(shelf=shelf, name=name)).inserted_primary_key
        assert made is not None
        player = int(made[0])
    connection.execute(_ignoring(connection, library_names), {"shelf": shelf, "name": name, "player_id": player})


def all_people(connection: Connection, shelf: int) -> list[Person]:
    """Everybody on a shelf, with all their names."""
    counts: dict[str, int] = {}
    for column in (library_matches.c.x_name, library_matches.c.o_name):
        for name, matches in connection.execute(_counted(column, shelf)):
            counts[name] = counts.get(name, 0) + int(matches)
    names: dict[int, list[str]] = {}
    called = select(library_names.c.name, library_names.c.player_id).where(library_names.c.shelf == shelf)
    for name, player in connection.execute(called):
        names.setdefault(int(player), []).append(str(name))
    people = select(library_players.c.id, library_players.c.name).where(library_players.c.shelf == shelf)
    listed = {int(number): str(name) for number, name in connection.execute(people)}
    found = [
        Person(listed[player], tuple(sorted(all_names)), sum(counts.get(name, 0) for name in all_names))
        for player, all_names in names.items()
    ]
    return sorted(found, key=lambda person: (-person.matches, plain_name(person.name)))


def _counted(column: ColumnElement[str], shelf: int) -> Any:
    return select(column, func.count()).where(library_matches.c.shelf == shelf).group_by(column)


def person_called(connection: Connection, shelf: int, text: str) -> Person:
    """The one person of that name, or of which it is a part; raises StoreError."""
    return one_called(all_people(connection, shelf), text)


def one_called(people: Sequence[Person], text: str) -> Person:
    """The one of these people of that name, or of which it is a part; raises StoreError."""
    wanted = plain_name(text)
    found = [person for person in people if any(plain_name(name) == wanted for name in person.names)]
    if not found and wanted:
        found = [person for person in people if any(wanted in plain_name(name) for name in person.names)]
    if not found:
        raise LibraryError(f"there is no player {text[:60]!r} in the library", "missing")
    if len(found) > 1:
        raise LibraryError(f"{text[:60]!r} could be {' or '.join(repr(person.name) for person in found[:6])}")
    return found[0]


def player_of(connection: Connection, shelf: int, name: str) -> int:
    """The number of the player with exactly that name."""
    names = library_names.c
    wanted = select(names.player_id).where(names.shelf == shelf, names.name == name)
    return int(connection.execute(wanted).scalar_one())


def forget_unused(connection: Connection, shelf: int, candidates: Sequence[int]) -> None:
    """Those of the boards, and the names, that no match has any more."""
    boards, names, matches = library_boards, library_names, library_matches
    standing = exists().where(library_positions.c.board_id == boards.c.id)
    decided = exists().where(library_decisions.c.board_id == boards.c.id)
    for start in range(0, len(candidates), _CHUNK):
        some = boards.c.id.in_(candidates[start : start + _CHUNK])
        connection.execute(delete(boards).where(some, ~standing, ~decided))
    # A name that no match has any more stays known as long as it is another name of somebody who is there.
    called = (matches.c.x_name == names.c.name) | (matches.c.o_name == names.c.name)
    used = exists().where(matches.c.shelf == names.c.shelf, called)
    there = set(connection.execute(select(names.c.player_id).where(names.c.shelf == shelf, used)).scalars())
    for (player,) in connection.execute(select(library_players.c.id).where(library_players.c.shelf == shelf)).all():
        if player not in there:
            connection.execute(delete(names).where(names.c.player_id == player))
            connection.execute(delete(library_players).where(library_players.c.id == player))


def put_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows, some hundreds at a time."""
    for start in range(0, len(rows), _CHUNK):
        connection.execute(insert(table), rows[start : start + _CHUNK])


def put_boards(connection: Connection, boards: Iterable[Cells]) -> None:
    """Add the boards that are not there yet; always in the same order, so that two programs do not wait in a ring."""
    fields = ("id", "cells", "own", "own_made", "other", "other_made", "own_pips", "other_pips")
    rows = [{name: getattr(board, name) for name in fields} for board in sorted(boards, key=lambda board: board.id)]
    statement = _ignoring(connection, library_boards)
    for start in range(0, len(rows), _CHUNK):
        connection.execute(statement, rows[start : start + _CHUNK])


def _ignoring(connection: Connection, table: Table) -> Any:
    """An insert that passes over what is there already."""
    kind = {"sqlite": sqlite, "postgresql": postgresql}.get(connection.dialect.name)
    if kind is None:
        raise StoreError(f"the library works in SQLite and PostgreSQL, not in {connection.dialect.name}")
    return kind.insert(table).on_conflict_do_nothing()


def key_on(shelf: int, digest: str) -> str:
    """A hash as it is unique among all shelves: on another shelf than this machine's its number stands before it."""
    return digest if shelf == OWN_SHELF else f"{shelf}:{digest}"


def digest_of(content: bytes) -> str:
    """The SHA-256 by which a file is known again."""
    return hashlib.sha256(content).hexdigest()


def packed(value: object) -> bytes:
    """A JSON value, compressed."""
    return zlib.compress(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(), 6)
