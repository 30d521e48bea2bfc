"""The library of matches: every file as it was, every match once, people under all their names, boards, reviews."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, Table, delete, exists, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from fullprime.formats import Document, read
from fullprime.formats import json as our_json
from fullprime.rules.score import Player
from fullprime.store.database import open_database
from fullprime.store.errors import StoreError
from fullprime.store.facts import Cells, boards_at, cells_of, date_of, facts_of, plain_name, standings, steps
from fullprime.store.schema import (
    library_boards,
    library_copies,
    library_decisions,
    library_games,
    library_matches,
    library_names,
    library_players,
    library_positions,
    library_reviews,
    library_sources,
)

if TYPE_CHECKING:
    from fullprime.analysis.review import Review

_CHUNK = 500
"""Rows in one statement: databases limit the number of values."""
_OCCASION = ("Event", "Round", "Site", "Location")


@dataclass(frozen=True, slots=True)
class Added:
    """What came of one file: numbers of matches that are new, and of those that were in the library already."""

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
    """Somebody, all names that files use, and how many matches there are."""

    name: str
    names: tuple[str, ...]
    matches: int


class LibraryStore:
    """The library in one database, beside the saved games."""

    def __init__(self, url: str | Engine | None = None) -> None:
        self.engine = url if isinstance(url, Engine) else open_database(url)

    @property
    def url(self) -> str:
        """The address of the database, without a password."""
        return self.engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    # -- files in ------------------------------------------------------------------------------------------------
    def knows(self, content: bytes) -> bool:
        """Whether these very bytes have been imported."""
        wanted = select(exists().where(library_sources.c.sha256 == _sha256(content)))
        with self.engine.begin() as connection:
            return bool(connection.execute(wanted).scalar())

    def add(self, content: bytes, name: str, documents: Sequence[Document]) -> Added:
        """Store a file and its matches in one transaction: all of it is there, or nothing.

        A match that is known by its facts is not stored again, but the file is kept beside it with all that it says.
        """
        prepared = [_Prepared.of(document) for document in documents]
        for last_try in (False, True):
            try:
                with self.engine.begin() as connection:
                    return _add(connection, content, name, prepared)
            except IntegrityError as error:
                # Somebody else has imported the same match at the same moment: now it is known.
                if last_try:
                    raise StoreError(f"{name} cannot be stored: {error.orig}") from error
            except SQLAlchemyError as error:
                raise StoreError(f"{name} cannot be stored: {getattr(error, 'orig', None) or error}") from error
        raise AssertionError

    # -- matches out ---------------------------------------------------------------------------------------------
    def document(self, number: int) -> Document:
        """A match, whole, with the analysis of the file it was first found in; StoreError when there is none."""
        with self.engine.begin() as connection:
            wanted = select(library_matches.c.document).where(library_matches.c.id == number)
            packed = connection.execute(wanted).scalar()
        if packed is None:
            raise StoreError(f"there is no match {number} in the library")
        return our_json.read(zlib.decompress(packed), f"match {number}")[0]

    def original(self, source: int) -> tuple[str, bytes]:
        """Name and bytes of an imported file, as they were."""
        wanted = select(library_sources.c.name, library_sources.c.content).where(library_sources.c.id == source)
        with self.engine.begin() as connection:
            row = connection.execute(wanted).first()
        if row is None:
            raise StoreError(f"there is no file {source} in the library")
        return str(row[0]), zlib.decompress(row[1])

    def copies(self, number: int) -> list[Copy]:
        """The files in which a match was found, the first one first."""
        copies, sources = library_copies, library_sources
        wanted = (
            select(copies, sources.c.name, sources.c.format)
            .join(sources, sources.c.id == copies.c.source_id)
            .where(copies.c.match_id == number)
            .order_by(copies.c.source_id, copies.c.place)
        )
        with self.engine.begin() as connection:
            rows = connection.execute(wanted).mappings().all()
        return [
            Copy(
                int(row["source_id"]), str(row["name"]), str(row["format"]), int(row["place"]), bool(row["swapped"]),
                tuple(json.loads(row["problems"])), row["program"],
            )
            for row in rows
        ]  # fmt: skip

    def copy(self, copy: Copy) -> Document:
        """The match as that file tells it, with its own analysis and remarks, read again from the kept bytes."""
        name, content = self.original(copy.source)
        return read(content, name=name).documents[copy.place]

    def count(self) -> int:
        """How many matches there are."""
        with self.engine.begin() as connection:
            return int(connection.execute(select(func.count()).select_from(library_matches)).scalar_one())

    def count_files(self) -> int:
        """How many files have been imported."""
        with self.engine.begin() as connection:
            return int(connection.execute(select(func.count()).select_from(library_sources)).scalar_one())

    def remove(self, numbers: Iterable[int]) -> int:
        """Forget matches, and the files that hold nothing else; gives how many files went with them."""
        with self.engine.begin() as connection:
            gone = 0
            boards: set[int] = set()
            for number in numbers:
                for table in (library_positions, library_decisions):
                    stood = select(table.c.board_id).where(table.c.match_id == number)
                    boards.update(connection.execute(stood).scalars())
                copies = select(library_copies.c.source_id).where(library_copies.c.match_id == number)
                sources = set(connection.execute(copies).scalars())
                for table in (library_decisions, library_reviews, library_positions, library_games, library_copies):
                    connection.execute(delete(table).where(table.c.match_id == number))
                if not connection.execute(delete(library_matches).where(library_matches.c.id == number)).rowcount:
                    raise StoreError(f"there is no match {number} in the library; nothing was removed")
                for source in sources:
                    used = exists().where(library_copies.c.source_id == source)
                    drop = delete(library_sources).where(library_sources.c.id == source, ~used)
                    gone += connection.execute(drop).rowcount
            _forget_unused(connection, sorted(boards))
        return gone

    # -- people --------------------------------------------------------------------------------------------------
    def people(self) -> list[Person]:
        """Everybody in the library, those with most matches first."""
        with self.engine.begin() as connection:
            return _people(connection)

    def person(self, text: str) -> Person:
        """Who is meant by a name, or by a part of one that only one person has; raises StoreError."""
        with self.engine.begin() as connection:
            return _person(connection, text)

    def merge(self, name: str, others: Sequence[str]) -> Person:
        """From now on these names are one person, who is listed as ``name``; matches keep the names of their files."""
        with self.engine.begin() as connection:
            kept = _person(connection, name)
            target = _player_of(connection, kept.names[0])
            for other in others:
                merged = _person(connection, other)
                source = _player_of(connection, merged.names[0])
                if source == target:
                    continue
                connection.execute(
                    update(library_names).where(library_names.c.player_id == source).values(player_id=target)
                )
                connection.execute(delete(library_players).where(library_players.c.id == source))
            return _person(connection, kept.name)

    def split(self, name: str) -> Person:
        """A name that was merged by mistake is a person of its own again; raises StoreError."""
        with self.engine.begin() as connection:
            found = next(
                (p for p in _people(connection) if any(plain_name(n) == plain_name(name) for n in p.names)), None
            )
            if found is None:
                raise StoreError(f"there is no player {name[:60]!r} in the library")
            spelled = [each for each in found.names if plain_name(each) == plain_name(name)]
            if len(spelled) == len(found.names):
                raise StoreError(f"{found.name!r} has no other name")
            number = connection.execute(insert(library_players).values(name=spelled[0])).inserted_primary_key
            assert number is not None
            names = library_names
            connection.execute(update(names).where(names.c.name.in_(spelled)).values(player_id=number[0]))
            rest = next(each for each in found.names if each not in spelled)
            if found.name in spelled:
                player = _player_of(connection, rest)
                connection.execute(update(library_players).where(library_players.c.id == player).values(name=rest))
            return _person(connection, spelled[0])

    # -- reviews -------------------------------------------------------------------------------------------------
    def add_review(self, number: int, review: Review) -> int:
        """Keep a review of a match; it takes the place of one by the same engine at the same level.

        Decisions are searched and counted once the review is complete; until then it is kept to go on with.
        """
        # The engine is behind it, which takes long to import and is seldom needed here.
        from fullprime.analysis.stored import review_json  # noqa: PLC0415

        match = self.document(number).match
        boards = boards_at(match)
        rows: list[dict[str, Any]] = []
        cells: dict[int, Cells] = {}
        for decision in review.decisions if review.complete else ():
            if (decision.game, decision.event) not in boards:
                raise StoreError(f"match {number} has no event {decision.event} in game {decision.game + 1}")
            position, _ = boards[decision.game, decision.event]
            board = cells_of(position)
            cells[board.id] = board
            rows.append(
                {
                    "number": len(rows), "match_id": number, "game": decision.game, "event": decision.event,
                    "player": int(decision.player), "kind": str(decision.kind), "stage": str(decision.stage),
                    "verdict": str(decision.verdict()), "mistake": decision.mistake, "counts": decision.counts,
                    "loss": decision.loss, "played": decision.played.text, "best": decision.best.text,
                    "dice": None if decision.dice is None else decision.dice.high * 10 + decision.dice.low,
                    "board_id": board.id,
                }
            )  # fmt: skip
        luck: dict[Player, float | None] = {
            player: sum(each.luck for each in review.rolls if each.player is player) if review.rolls else None
            for player in Player
        }
        reviews = library_reviews
        same = (reviews.c.match_id == number, reviews.c.engine == review.program, reviews.c.level == review.level)
        row = {
            "match_id": number, "engine": review.program, "level": review.level, "complete": review.complete,
            "x_luck": luck[Player.X], "o_luck": luck[Player.O], "made": _now(), "review": _pack(review_json(review)),
        }  # fmt: skip
        try:
            with self.engine.begin() as connection:
                old = connection.execute(select(reviews.c.id).where(*same)).scalar()
                if old is not None:
                    connection.execute(delete(library_decisions).where(library_decisions.c.review_id == old))
                    connection.execute(delete(reviews).where(reviews.c.id == old))
                made = connection.execute(insert(reviews).values(row)).inserted_primary_key
                assert made is not None
                _put_boards(connection, cells.values())
                _put(connection, library_decisions, [{**each, "review_id": made[0]} for each in rows])
        except SQLAlchemyError as error:
            raise StoreError(f"the review of match {number} cannot be stored: {error}") from error
        return int(made[0])

    def reviews(self, number: int) -> list[Review]:
        """The reviews of a match, the newest first."""
        wanted = select(library_reviews.c.review).where(library_reviews.c.match_id == number)
        with self.engine.begin() as connection:
            packed = list(connection.execute(wanted.order_by(library_reviews.c.id.desc())).scalars())
        if not packed:
            return []
        from fullprime.analysis.stored import review_from_json  # noqa: PLC0415

        return [review_from_json(json.loads(zlib.decompress(each))) for each in packed]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A document made ready before the transaction begins, which is thereby short."""

    row: dict[str, Any]
    games: list[dict[str, Any]]
    positions: list[dict[str, Any]]
    boards: dict[int, Cells]
    first: Player
    problems: tuple[str, ...]
    program: str | None
    format: str

    @classmethod
    def of(cls, document: Document) -> _Prepared:
        try:
            whole = zlib.compress(our_json.write(document)[0], 6)
        except UnicodeEncodeError as error:
            raise StoreError(f"a text of the match is not Unicode: {error.object[:40]!a}") from error
        match = document.match
        facts = facts_of(match)
        boards: dict[int, Cells] = {}
        positions = []
        for each in standings(match):
            board = cells_of(each.position)
            boards[board.id] = board
            dice = None if each.dice is None else each.dice.high * 10 + each.dice.low
            place = {"game": each.game, "event": each.event, "player": int(each.player)}
            positions.append({**place, "board_id": board.id, "dice": dice})
        games = []
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
        row = {
            "facts": facts.hash, "variant": match.settings.variant.name, "length": match.settings.length,
            "x_name": _column(match.names[0]), "o_name": _column(match.names[1]),
            "event": _column(info.get("Event", "")), "site": _column(info.get("Site", info.get("Location", ""))),
            "occasion": plain_name(_column(" ".join(info.get(key, "") for key in _OCCASION))),
            "date": date_of(info), "x_points": points[0], "o_points": points[1],
            "winner": None if winner is None else int(winner), "games": len(match.games), "rolls": facts.rolls,
            "document": whole, "added": _now(),
        }  # fmt: skip
        problems = tuple(str(problem) for problem in document.report)
        program = None if document.review is None else document.review.program
        return cls(row, games, positions, boards, facts.first, problems, program, document.format)


def _column(text: str) -> str:
    """A text as PostgreSQL takes it; the document keeps it as it is."""
    return text.replace("\x00", "")


def _add(connection: Connection, content: bytes, name: str, prepared: Sequence[_Prepared]) -> Added:
    digest = _sha256(content)
    if connection.execute(select(library_sources.c.id).where(library_sources.c.sha256 == digest)).scalar() is not None:
        return Added(file_known=True)
    source = {
        "sha256": digest, "name": name, "format": prepared[0].format if prepared else "", "size": len(content),
        "content": zlib.compress(content, 6), "added": _now(),
    }  # fmt: skip
    number = connection.execute(insert(library_sources).values(source)).inserted_primary_key
    assert number is not None
    new, known = [], []
    for place, each in enumerate(prepared):
        wanted = select(library_matches.c.id, library_matches.c.document)
        found = connection.execute(wanted.where(library_matches.c.facts == each.row["facts"])).first()
        swapped = False
        if found is None:
            match_number = _insert_match(connection, each)
            new.append(match_number)
        else:
            match_number = int(found[0])
            (document,) = our_json.read(zlib.decompress(found[1]))
            swapped = facts_of(document.match).first is not each.first
            known.append(match_number)
            _learn(connection, match_number, document, each, swapped=swapped)
        copy = {
            "source_id": number[0], "place": place, "match_id": match_number, "swapped": swapped,
            "problems": _column(json.dumps(each.problems)), "program": each.program,
        }  # fmt: skip
        connection.execute(insert(library_copies).values(copy))
    problems = tuple(problem for each in prepared for problem in each.problems)
    return Added(tuple(new), tuple(known), problems)


def _insert_match(connection: Connection, prepared: _Prepared) -> int:
    key = connection.execute(insert(library_matches).values(prepared.row)).inserted_primary_key
    assert key is not None
    number = int(key[0])
    for name in dict.fromkeys((prepared.row["x_name"], prepared.row["o_name"])):
        _know_name(connection, name)
    _put(connection, library_games, [{**row, "match_id": number} for row in prepared.games])
    _put_boards(connection, prepared.boards.values())
    _put(connection, library_positions, [{**row, "match_id": number} for row in prepared.positions])
    return number


def _learn(connection: Connection, number: int, known: Document, other: _Prepared, *, swapped: bool) -> None:
    """Take over from another file of a known match what was missing: names, date, event, and facts of the same kind."""
    (told,) = our_json.read(zlib.decompress(other.row["document"]))
    info = {**told.match.info, **{key: value for key, value in known.match.info.items() if value}}
    theirs = told.match.names[::-1] if swapped else told.match.names
    names = (known.match.names[0] or theirs[0], known.match.names[1] or theirs[1])
    match = replace(known.match, info=MappingProxyType(info), names=names)
    if match == known.match:
        return
    row = _Prepared.of(replace(known, match=match)).row
    for name in (row["x_name"], row["o_name"]):
        _know_name(connection, name)
    keys = ("x_name", "o_name", "event", "site", "occasion", "date", "document")
    changes = {key: row[key] for key in keys}
    connection.execute(update(library_matches).where(library_matches.c.id == number).values(changes))


def _know_name(connection: Connection, name: str) -> None:
    """Every name is somebody's: of the person with that name but for case and blanks, or of a new one."""
    if not plain_name(name):
        return
    if connection.execute(select(library_names.c.name).where(library_names.c.name == name)).first() is not None:
        return
    alike = plain_name(name)
    names = connection.execute(select(library_names.c.name, library_names.c.player_id))
    player = next((int(number) for known, number in names if plain_name(known) == alike), None)
    if player is None:
        made = connection.execute(insert(library_players).values(name=name)).inserted_primary_key
        assert made is not None
        player = int(made[0])
    connection.execute(_ignoring(connection, library_names), {"name": name, "player_id": player})


def _people(connection: Connection) -> list[Person]:
    counts: dict[str, int] = {}
    for column in (library_matches.c.x_name, library_matches.c.o_name):
        for name, matches in connection.execute(select(column, func.count()).group_by(column)):
            counts[name] = counts.get(name, 0) + int(matches)
    names: dict[int, list[str]] = {}
    for name, player in connection.execute(select(library_names.c.name, library_names.c.player_id)):
        names.setdefault(int(player), []).append(str(name))
    listed = {int(number): str(name) for number, name in connection.execute(select(library_players))}
    found = [
        Person(listed[player], tuple(sorted(all_names)), sum(counts.get(name, 0) for name in all_names))
        for player, all_names in names.items()
    ]
    return sorted(found, key=lambda person: (-person.matches, plain_name(person.name)))


def _person(connection: Connection, text: str) -> Person:
    wanted = plain_name(text)
    people = _people(connection)
    found = [person for person in people if any(plain_name(name) == wanted for name in person.names)]
    if not found and wanted:
        found = [person for person in people if any(wanted in plain_name(name) for name in person.names)]
    if not found:
        raise StoreError(f"there is no player {text[:60]!r} in the library")
    if len(found) > 1:
        raise StoreError(f"{text[:60]!r} could be {' or '.join(repr(person.name) for person in found[:6])}")
    return found[0]


def _player_of(connection: Connection, name: str) -> int:
    return int(connection.execute(select(library_names.c.player_id).where(library_names.c.name == name)).scalar_one())


def _forget_unused(connection: Connection, candidates: Sequence[int]) -> None:
    """Those of the boards, and the names, that no match has any more."""
    boards, names, matches = library_boards, library_names, library_matches
    standing = exists().where(library_positions.c.board_id == boards.c.id)
    decided = exists().where(library_decisions.c.board_id == boards.c.id)
    for start in range(0, len(candidates), _CHUNK):
        some = boards.c.id.in_(candidates[start : start + _CHUNK])
        connection.execute(delete(boards).where(some, ~standing, ~decided))
    # A name that no match has any more stays known as long as it is another name of somebody who is there.
    used = exists().where((matches.c.x_name == names.c.name) | (matches.c.o_name == names.c.name))
    there = set(connection.execute(select(names.c.player_id).where(used)).scalars())
    for (player,) in connection.execute(select(library_players.c.id)).all():
        if player not in there:
            connection.execute(delete(names).where(names.c.player_id == player))
            connection.execute(delete(library_players).where(library_players.c.id == player))


def _put(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    for start in range(0, len(rows), _CHUNK):
        connection.execute(insert(table), rows[start : start + _CHUNK])


def _put_boards(connection: Connection, boards: Iterable[Cells]) -> None:
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


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _pack(value: object) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(), 6)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


__all__ = ["Added", "Copy", "LibraryStore", "MatchRow", "Person"]
