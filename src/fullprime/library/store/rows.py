"""Rows of the library: files, matches and people as the tables hold them, and the code that puts them there."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Connection, Table, delete, exists, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from fullprime.common.json_values import JsonFields, json_names
from fullprime.db.errors import LibraryError, StoreError
from fullprime.db.schema.library import (
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
from fullprime.library.store.room import OWN_SHELF, LibraryChange
from fullprime.reviews.match_facts import Cells, cells_of, decision_boards, facts_of, plain_name, replay
from fullprime.rules.dates import date_of
from fullprime.rules.score import Player
from fullprime.rules.variants import VARIANTS

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
    """These very bytes were imported before: nothing was done, and ``known`` are the matches of that file."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of a list."""

    __json__: ClassVar[JsonFields] = json_names(
        "match", "names", "variant", "game", "length", "event", "date", "score", "winner", "games", "rolls", "reviewed",
        match="number", score="points",
    )  # fmt: skip

    number: int
    """Its number in the library."""
    names: tuple[str, str]
    """The names of X and O."""
    variant: str
    """The game."""
    length: int
    """Points of the match; 0 for money."""
    event: str
    """The event at which it was played; empty where no file says so."""
    date: str | None
    """``2026-11-21``, or a part of it."""
    points: tuple[int, int]
    """The score at the end, X's points first."""
    winner: Player | None
    """The winner; None before a side has won."""
    games: int
    """The number of games."""
    rolls: int
    """Rolls in all games."""
    reviewed: bool
    """True if there is a review of it."""

    @property
    def game(self) -> str:
        """The game, in words; of a house's own game the list has the name alone."""
        variant = VARIANTS.get(self.variant)
        return self.variant if variant is None else variant.title


@dataclass(frozen=True, slots=True)
class Copy:
    """A file in which a match was found."""

    __json__: ClassVar[JsonFields] = json_names(
        "file", "source", "format", "place", "swapped", "problems", "program", file="name", place="number"
    )

    source: int
    """Its number in the library."""
    name: str
    """Its name."""
    format: str
    """The short name of its format."""
    place: int
    swapped: bool
    """True if X and O are the other way round there."""
    problems: tuple[str, ...]
    """The faults of the file."""
    program: str | None
    """The program that made the analysis in the file; None without one."""

    @property
    def number(self) -> int:
        """The number of the match in the file, from 1."""
        return self.place + 1


@dataclass(frozen=True, slots=True)
class Person:
    """A person in a library."""

    __json__: ClassVar[JsonFields] = json_names("player", "names", "matches", player="name")

    name: str
    """The name under which the person is listed."""
    names: tuple[str, ...]
    """Every name as files write it."""
    matches: int
    """The number of matches."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document made ready before the transaction begins, which is thereby short."""

    _row: dict[str, Any]
    """The columns of ``library_matches``, without its shelf."""
    _games: list[dict[str, Any]]
    """The columns of ``library_games``, each without its match."""
    _positions: list[dict[str, Any]]
    """The columns of ``library_positions``, each without its match."""
    boards: dict[int, Cells]
    first: Player
    problems: tuple[str, ...]
    program: str | None
    format: str

    @classmethod
    def of(cls, document: Document) -> Prepared:
        """The rows stored of a document."""
        try:
            content = zlib.compress(our_json.write(document)[0], 6)
        except UnicodeEncodeError as error:
            raise StoreError(f"a text of the match is not Unicode: {error.object[:40]!a}") from error
        match = document.match
        facts = facts_of(match)
        boards: dict[int, Cells] = {}
        positions: list[dict[str, Any]] = []
        for decision in decision_boards(match):
            board = cells_of(decision.position)
            boards[board.id] = board
            dice = None if decision.dice is None else decision.dice.high * 10 + decision.dice.low
            positions.append(
                {
                    "game": decision.game, "event": decision.event, "player": int(decision.player),
                    "board_id": board.id, "dice": dice,
                }
            )  # fmt: skip
        games: list[dict[str, Any]] = []
        points, winner = (0, 0), None
        for number, record in enumerate(match.games):
            before = record.start.score
            final = record.start
            for step in replay(record):
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
        row = {
            "facts": facts.hash, "variant": match.settings.variant.name, "length": match.settings.length,
            "x_name": _column(match.names[0]), "o_name": _column(match.names[1]),
            "event": _column(info.get("Event", "")), "site": _column(info.get("Site", info.get("Location", ""))),
            "occasion": plain_name(_column(" ".join(info.get(key, "") for key in _OCCASION))),
            "date": date_of(info), "x_points": points[0], "o_points": points[1],
            "winner": None if winner is None else int(winner), "games": len(match.games), "rolls": facts.rolls,
            "document": content, "added": utc_now(),
        }  # fmt: skip
        problems = tuple(str(problem) for problem in document.report)
        program = None if document.review is None else document.review.program
        return cls(row, games, positions, boards, facts.first, problems, program, document.format)


def _column(text: str) -> str:
    """A text as PostgreSQL takes it; the document keeps it as it is."""
    return text.replace("\x00", "")


def add_file(change: LibraryChange, content: bytes, name: str, prepared: Sequence[Prepared]) -> Added:
    """Store a file and its matches on a shelf, each once; raises the error of the check where there is no room."""
    connection, shelf = change.connection, change.shelf
    digest = shelf_key(shelf, digest_of(content))
    stored_source = connection.execute(select(library_sources.c.id).where(library_sources.c.sha256 == digest)).scalar()
    if stored_source is not None:
        copies = library_copies.c
        numbers = select(copies.match_id).where(copies.source_id == stored_source).order_by(copies.place)
        return Added(known=tuple(map(int, connection.execute(numbers).scalars())), file_known=True)
    change.grow(len(content), matches=len(prepared))
    source = {
        "shelf": shelf, "sha256": digest, "name": name, "format": prepared[0].format if prepared else "",
        "size": len(content), "content": zlib.compress(content, 6), "added": utc_now(),
    }  # fmt: skip
    number = connection.execute(insert(library_sources).values(source)).inserted_primary_key
    assert number is not None
    new, existing = [], []
    for place, match in enumerate(prepared):
        query = select(library_matches.c.id, library_matches.c.document)
        stored = connection.execute(
            query.where(library_matches.c.facts == shelf_key(shelf, match._row["facts"]))
        ).first()
        swapped = False
        if stored is None:
            match_number = _insert_match(connection, shelf, match)
            new.append(match_number)
        else:
            match_number = int(stored[0])
            (document,) = our_json.read(zlib.decompress(stored[1]))
            swapped = facts_of(document.match).first is not match.first
            existing.append(match_number)
            _learn(connection, shelf, match_number, document, match, swapped=swapped)
        copy = {
            "source_id": number[0], "place": place, "match_id": match_number, "swapped": swapped,
            "problems": _column(json.dumps(match.problems)), "program": match.program,
        }  # fmt: skip
        connection.execute(insert(library_copies).values(copy))
    problems = tuple(problem for match in prepared for problem in match.problems)
    return Added(tuple(new), tuple(existing), problems)


def _insert_match(connection: Connection, shelf: int, prepared: Prepared) -> int:
    row = {**prepared._row, "shelf": shelf, "facts": shelf_key(shelf, prepared._row["facts"])}
    key = connection.execute(insert(library_matches).values(row)).inserted_primary_key
    assert key is not None
    number = int(key[0])
    for name in dict.fromkeys((prepared._row["x_name"], prepared._row["o_name"])):
        _know_name(connection, shelf, name)
    insert_rows(connection, library_games, [{**row, "match_id": number} for row in prepared._games])
    insert_boards(connection, prepared.boards.values())
    insert_rows(connection, library_positions, [{**row, "match_id": number} for row in prepared._positions])
    return number


def _learn(
    connection: Connection, shelf: int, number: int, stored: Document, other: Prepared, *, swapped: bool
) -> None:
    """Take over missing facts from another file of a known match: names, date, event, and the analysis of a program."""
    (other_document,) = our_json.read(zlib.decompress(other._row["document"]))
    info = {**other_document.match.info, **{key: value for key, value in stored.match.info.items() if value}}
    theirs = other_document.match.names[::-1] if swapped else other_document.match.names
    names = (stored.match.names[0] or theirs[0], stored.match.names[1] or theirs[1])
    match = replace(stored.match, info=MappingProxyType(info), names=names)
    review = stored.review
    if (
        review is None
        and not swapped
        and [game.events for game in other_document.match.games] == [game.events for game in stored.match.games]
    ):
        review = other_document.review  # its events are those of the match, number by number
    if match == stored.match and review is stored.review:
        return
    row = Prepared.of(replace(stored, match=match, review=review))._row
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
    condition = library_names.c.shelf == shelf
    if (
        connection.execute(select(library_names.c.name).where(condition, library_names.c.name == name)).first()
        is not None
    ):
        return
    alike = plain_name(name)
    names = connection.execute(select(library_names.c.name, library_names.c.player_id).where(condition))
    player = next((int(number) for spelling, number in names if plain_name(spelling) == alike), None)
    if player is None:
        key = connection.execute(insert(library_players).values(shelf=shelf, name=name)).inserted_primary_key
        assert key is not None
        player = int(key[0])
    connection.execute(_ignoring(connection, library_names), {"shelf": shelf, "name": name, "player_id": player})


def all_people(connection: Connection, shelf: int) -> list[Person]:
    """The players of a shelf, with all their names."""
    counts: dict[str, int] = {}
    for column in (library_matches.c.x_name, library_matches.c.o_name):
        for name, matches in connection.execute(_count_by(column, shelf)):
            counts[name] = counts.get(name, 0) + int(matches)
    names: dict[int, list[str]] = {}
    called = select(library_names.c.name, library_names.c.player_id).where(library_names.c.shelf == shelf)
    for name, player in connection.execute(called):
        names.setdefault(int(player), []).append(str(name))
    people = select(library_players.c.id, library_players.c.name).where(library_players.c.shelf == shelf)
    listed = {int(number): str(name) for number, name in connection.execute(people)}
    persons = [
        Person(listed[player], tuple(sorted(all_names)), sum(counts.get(name, 0) for name in all_names))
        for player, all_names in names.items()
    ]
    return sorted(persons, key=lambda person: (-person.matches, plain_name(person.name)))


def _count_by(column: ColumnElement[str], shelf: int) -> Any:
    return select(column, func.count()).where(library_matches.c.shelf == shelf).group_by(column)


def load_person(connection: Connection, shelf: int, text: str) -> Person:
    """The one person of that name, or of which it is a part; raises StoreError."""
    return find_person(all_people(connection, shelf), text)


def find_person(people: Sequence[Person], text: str) -> Person:
    """The one of these people of that name, or of which it is a part; raises StoreError."""
    plain = plain_name(text)
    matching = [person for person in people if any(plain_name(name) == plain for name in person.names)]
    if not matching and plain:
        matching = [person for person in people if any(plain in plain_name(name) for name in person.names)]
    if not matching:
        raise LibraryError(f"there is no player {text[:60]!r} in the library", "missing")
    if len(matching) > 1:
        raise LibraryError(f"{text[:60]!r} could be {' or '.join(repr(person.name) for person in matching[:6])}")
    return matching[0]


def player_of(connection: Connection, shelf: int, name: str) -> int:
    """The number of the player with exactly that name."""
    names = library_names.c
    query = select(names.player_id).where(names.shelf == shelf, names.name == name)
    return int(connection.execute(query).scalar_one())


def delete_unused(connection: Connection, shelf: int, candidates: Sequence[int]) -> None:
    """Delete the candidates among the boards, and the names, that no match has any more."""
    boards, names, matches = library_boards, library_names, library_matches
    standing = exists().where(library_positions.c.board_id == boards.c.id)
    decided = exists().where(library_decisions.c.board_id == boards.c.id)
    for start in range(0, len(candidates), _CHUNK):
        in_chunk = boards.c.id.in_(candidates[start : start + _CHUNK])
        connection.execute(delete(boards).where(in_chunk, ~standing, ~decided))
    # A name that no match has any more stays as long as its player has another name that a match has.
    called = (matches.c.x_name == names.c.name) | (matches.c.o_name == names.c.name)
    used = exists().where(matches.c.shelf == names.c.shelf, called)
    players_in_use = set(connection.execute(select(names.c.player_id).where(names.c.shelf == shelf, used)).scalars())
    for (player,) in connection.execute(select(library_players.c.id).where(library_players.c.shelf == shelf)).all():
        if player not in players_in_use:
            connection.execute(delete(names).where(names.c.player_id == player))
            connection.execute(delete(library_players).where(library_players.c.id == player))


def insert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows, some hundreds at a time."""
    for start in range(0, len(rows), _CHUNK):
        connection.execute(insert(table), rows[start : start + _CHUNK])


def insert_boards(connection: Connection, boards: Iterable[Cells]) -> None:
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


def shelf_key(shelf: int, digest: str) -> str:
    """A hash as it is unique among all shelves: on another shelf than this machine's its number stands before it."""
    return digest if shelf == OWN_SHELF else f"{shelf}:{digest}"


def digest_of(content: bytes) -> str:
    """The SHA-256 by which a file is known again."""
    return hashlib.sha256(content).hexdigest()


def compress_json(value: object) -> bytes:
    """A JSON value, compressed."""
    return zlib.compress(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(), 6)
