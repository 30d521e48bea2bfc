"""The library of matches: every file as it was, every match once, people under all their names, boards, reviews."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Connection, Engine, delete, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from fullprime.common.json_values import from_json, to_json
from fullprime.db.database import keep_others_out, open_database
from fullprime.db.errors import LibraryError, StoreError
from fullprime.db.schema.library import (
    library_copies,
    library_decisions,
    library_figures,
    library_games,
    library_matches,
    library_names,
    library_players,
    library_positions,
    library_reviews,
    library_shelves,
    library_sources,
)
from fullprime.db.schema.shelves import library_collections, library_marks, library_searches
from fullprime.db.times import utc_now
from fullprime.formats import Document, read
from fullprime.formats.ours import form as our_json
from fullprime.library.store.figures import facts_of_decisions, pack_figures
from fullprime.library.store.room import OWN_SHELF, GrowthCheck, LibraryChange, size_of_marks, use_of
from fullprime.library.store.rows import (
    Added,
    Copy,
    MatchRow,
    Person,
    Prepared,
    add_file,
    all_people,
    compress_json,
    delete_unused,
    digest_of,
    insert_boards,
    insert_rows,
    load_person,
    player_of,
    shelf_key,
)
from fullprime.reviews.match_facts import Cells, boards_at, cells_of, plain_name
from fullprime.rules.score import Player

if TYPE_CHECKING:
    from fullprime.reviews.decision import Decision
    from fullprime.reviews.review import Review
    from fullprime.rules.record import Match


_OF_A_MATCH = (
    library_decisions, library_figures, library_reviews, library_positions, library_games, library_copies,
)  # fmt: skip
"""The tables whose rows belong to a match, those that refer to others first."""


class LibraryStore:
    """The library in one database, beside the saved games.

    A library is a shelf: that of this machine, or that of an account, by its number. Nothing of one is seen in another.
    """

    def __init__(
        self, url: str | Engine | None = None, shelf: int = OWN_SHELF, check: GrowthCheck | None = None
    ) -> None:
        self.engine = url if isinstance(url, Engine) else open_database(url)
        self.shelf = shelf
        self._check = check

    @property
    def url(self) -> str:
        """The address of the database, without a password."""
        return self.engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    @contextmanager
    def begin_change(self) -> Iterator[LibraryChange]:
        """A transaction for everything that adds to the library or takes from it.

        Each part counts its bytes (``grow``) before it stores them; no other change of this library comes between.
        """
        with self.engine.begin() as connection:
            keep_others_out(connection, f"library of {self.shelf}")
            yield LibraryChange(connection, self.shelf, self._check)

    def check_room(self) -> None:
        """Raise LibraryFull where the library has no room for more."""
        if self._check is not None:
            with self.engine.begin() as connection:
                self._check(use_of(connection, self.shelf), 1, 0)

    # -- files in ------------------------------------------------------------------------------------------------
    def has(self, content: bytes) -> bool:
        """True if these very bytes have been imported."""
        query = select(exists().where(library_sources.c.sha256 == shelf_key(self.shelf, digest_of(content))))
        with self.engine.begin() as connection:
            return bool(connection.execute(query).scalar())

    def add(self, content: bytes, name: str, documents: Sequence[Document]) -> Added:
        """Store a file and its matches in one transaction: all of it is there, or nothing.

        A match that is known by its facts is not stored again, but the file is kept beside it with all that it says.
        """
        prepared = [Prepared.of(document) for document in documents]
        try:
            try:
                return self._add(content, name, prepared)
            except IntegrityError:
                # Another process has imported the same match at the same moment: now it is known.
                return self._add(content, name, prepared)
        except SQLAlchemyError as error:
            raise StoreError(f"{name} cannot be stored: {getattr(error, 'orig', None) or error}") from error

    def _add(self, content: bytes, name: str, prepared: Sequence[Prepared]) -> Added:
        with self.begin_change() as change:
            return add_file(change, content, name, prepared)

    # -- matches out ---------------------------------------------------------------------------------------------
    def check_exists(self, number: int) -> None:
        """Raise LibraryError when there is no such match."""
        with self.engine.begin() as connection:
            if connection.execute(select(library_matches.c.id).where(*self._mine(number))).scalar() is None:
                raise LibraryError(f"there is no match {number} in the library", "missing")

    def get_document(self, number: int) -> Document:
        """A match, whole, with the analysis of the file it was first found in; raises LibraryError ("missing")."""
        with self.engine.begin() as connection:
            query = select(library_matches.c.document).where(*self._mine(number))
            packed = connection.execute(query).scalar()
        if packed is None:
            raise LibraryError(f"there is no match {number} in the library", "missing")
        return our_json.read(zlib.decompress(packed), f"match {number}")[0]

    def get_original(self, source: int) -> tuple[str, bytes]:
        """Name and bytes of an imported file, as they were."""
        query = select(library_sources.c.name, library_sources.c.content).where(
            library_sources.c.id == source, library_sources.c.shelf == self.shelf
        )
        with self.engine.begin() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise LibraryError(f"there is no file {source} in the library", "missing")
        return str(row[0]), zlib.decompress(row[1])

    def list_copies(self, number: int) -> list[Copy]:
        """The files in which a match was found, the first one first."""
        copies, sources = library_copies, library_sources
        query = (
            select(copies, sources.c.name, sources.c.format)
            .join(sources, sources.c.id == copies.c.source_id)
            .where(copies.c.match_id == number, sources.c.shelf == self.shelf)
            .order_by(copies.c.source_id, copies.c.place)
        )
        with self.engine.begin() as connection:
            rows = connection.execute(query).mappings().all()
        return [
            Copy(
                int(row["source_id"]), str(row["name"]), str(row["format"]), int(row["place"]), bool(row["swapped"]),
                tuple(json.loads(row["problems"])), row["program"],
            )
            for row in rows
        ]  # fmt: skip

    def read_copy(self, copy: Copy) -> Document:
        """The match as that file tells it, with its own analysis and remarks, read again from the kept bytes."""
        name, content = self.get_original(copy.source)
        return read(content, name=name).documents[copy.place]

    def count(self) -> int:
        """The number of matches."""
        query = select(func.count()).select_from(library_matches).where(library_matches.c.shelf == self.shelf)
        with self.engine.begin() as connection:
            return int(connection.execute(query).scalar_one())

    def count_files(self) -> int:
        """The number of imported files."""
        query = select(func.count()).select_from(library_sources).where(library_sources.c.shelf == self.shelf)
        with self.engine.begin() as connection:
            return int(connection.execute(query).scalar_one())

    def count_bytes(self) -> int:
        """The bytes of all imported files."""
        query = select(func.coalesce(func.sum(library_sources.c.size), 0)).where(library_sources.c.shelf == self.shelf)
        with self.engine.begin() as connection:
            return int(connection.execute(query).scalar_one())

    def _mine(self, number: int) -> tuple[ColumnElement[bool], ...]:
        """The match of that number, if it stands in this library."""
        return library_matches.c.id == number, library_matches.c.shelf == self.shelf

    def clear(self) -> None:
        """Forget the whole library of an account, some matches at a time: others who store are not kept waiting."""
        matches = select(library_matches.c.id).where(library_matches.c.shelf == self.shelf).limit(100)
        while True:
            with self.engine.begin() as connection:
                numbers = list(connection.execute(matches).scalars())
            if not numbers:
                break
            self.delete(numbers)
        with self.engine.begin() as connection:
            for table in (library_sources, library_marks, library_collections, library_searches, library_shelves):
                connection.execute(delete(table).where(table.c.shelf == self.shelf))

    def delete(self, numbers: Iterable[int]) -> int:
        """Forget matches, and the files that hold nothing else; gives the number of files that went with them."""
        with self.begin_change() as change:
            connection = change.connection
            removed = 0
            boards: set[int] = set()
            for number in numbers:
                if connection.execute(select(library_matches.c.id).where(*self._mine(number))).first() is None:
                    raise LibraryError(f"there is no match {number} in the library; nothing was removed", "missing")
                for table in (library_positions, library_decisions):
                    query = select(table.c.board_id).where(table.c.match_id == number)
                    boards.update(connection.execute(query).scalars())
                copies = select(library_copies.c.source_id).where(library_copies.c.match_id == number)
                sources = set(connection.execute(copies).scalars())
                change.grow(-_size_of_match(connection, number))
                for table in _OF_A_MATCH:
                    connection.execute(delete(table).where(table.c.match_id == number))
                connection.execute(delete(library_matches).where(*self._mine(number)))
                for source in sources:
                    used = exists().where(library_copies.c.source_id == source)
                    unused = (library_sources.c.id == source, ~used)
                    size = connection.execute(select(library_sources.c.size).where(*unused)).scalar()
                    if size is not None:
                        change.grow(-size)
                        removed += connection.execute(delete(library_sources).where(*unused)).rowcount
            delete_unused(connection, self.shelf, sorted(boards))
        return removed

    # -- people --------------------------------------------------------------------------------------------------
    def list_people(self) -> list[Person]:
        """The players of the library, those with most matches first."""
        with self.engine.begin() as connection:
            return all_people(connection, self.shelf)

    def get_person(self, text: str) -> Person:
        """The person with a name, or with a part of one that only one person has; raises LibraryError."""
        with self.engine.begin() as connection:
            return load_person(connection, self.shelf, text)

    def merge(self, name: str, others: Sequence[str]) -> Person:
        """Merge names into one person, who is listed as ``name`` from now on; matches keep the names of their files."""
        with self.engine.begin() as connection:
            person = load_person(connection, self.shelf, name)
            target = player_of(connection, self.shelf, person.names[0])
            for other in others:
                merged = load_person(connection, self.shelf, other)
                source = player_of(connection, self.shelf, merged.names[0])
                if source == target:
                    continue
                connection.execute(
                    update(library_names).where(library_names.c.player_id == source).values(player_id=target)
                )
                connection.execute(delete(library_players).where(library_players.c.id == source))
            return load_person(connection, self.shelf, person.name)

    def split(self, name: str) -> Person:
        """A name that was merged by mistake is a person of its own again; raises LibraryError."""
        with self.engine.begin() as connection:
            person = next(
                (
                    person
                    for person in all_people(connection, self.shelf)
                    if any(plain_name(spelling) == plain_name(name) for spelling in person.names)
                ),
                None,
            )
            if person is None:
                raise LibraryError(f"there is no player {name[:60]!r} in the library", "missing")
            spelled = [spelling for spelling in person.names if plain_name(spelling) == plain_name(name)]
            if len(spelled) == len(person.names):
                raise LibraryError(f"{person.name!r} has no other name")
            number = connection.execute(
                insert(library_players).values(shelf=self.shelf, name=spelled[0])
            ).inserted_primary_key
            assert number is not None
            names = library_names
            connection.execute(
                update(names).where(names.c.shelf == self.shelf, names.c.name.in_(spelled)).values(player_id=number[0])
            )
            other_name = next(spelling for spelling in person.names if spelling not in spelled)
            if person.name in spelled:
                player = player_of(connection, self.shelf, other_name)
                connection.execute(
                    update(library_players).where(library_players.c.id == player).values(name=other_name)
                )
            return load_person(connection, self.shelf, spelled[0])

    # -- reviews -------------------------------------------------------------------------------------------------
    def add_review(self, number: int, review: Review) -> int:
        """Keep a review of a match; it takes the place of one by the same engine at the same level.

        Decisions are searched and counted once the review is complete; until then it is kept to go on with.
        """
        match = self.get_document(number).match
        boards = boards_at(match)
        rows: list[Mapping[str, object]] = []
        cells: dict[int, Cells] = {}
        for decision in review.decisions if review.complete else ():
            if (decision.game, decision.event) not in boards:
                raise StoreError(f"game {decision.game + 1} of match {number} ends before a decision of its review")
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
        facts = facts_of_decisions(review, match) if rows else []
        rows = [{**row, "plan": fact.plan, "theme": fact.theme} for row, fact in zip(rows, facts, strict=True)]
        luck: dict[Player, float | None] = {
            player: sum(roll.luck for roll in review.rolls if roll.player is player) if review.rolls else None
            for player in Player
        }
        packed = compress_json(to_json(review))
        reviews = library_reviews
        same = (reviews.c.match_id == number, reviews.c.engine == review.program, reviews.c.level == review.level)
        row = {
            "match_id": number, "engine": review.program, "level": review.level, "complete": review.complete,
            "x_luck": luck[Player.X], "o_luck": luck[Player.O], "made": utc_now(),
            "review": packed,
        }  # fmt: skip
        try:
            with self.begin_change() as change:
                connection = change.connection
                old = connection.execute(select(reviews.c.id, func.length(reviews.c.review)).where(*same)).first()
                change.grow(len(packed) - (0 if old is None else old[1]))
                if old is not None:
                    for table in (library_decisions, library_figures):
                        connection.execute(delete(table).where(table.c.review_id == old[0]))
                    connection.execute(delete(reviews).where(reviews.c.id == old[0]))
                key = connection.execute(insert(reviews).values(row)).inserted_primary_key
                assert key is not None
                if review.complete:
                    figures = {"review_id": key[0], "match_id": number, "figures": pack_figures(review, facts)}
                    connection.execute(insert(library_figures).values(figures))
                insert_boards(connection, cells.values())
                insert_rows(connection, library_decisions, [{**columns, "review_id": key[0]} for columns in rows])
        except SQLAlchemyError as error:
            raise StoreError(f"the review of match {number} cannot be stored: {error}") from error
        return int(key[0])

    def find_decisions(self, places: Iterable[tuple[int, int, int]]) -> Iterator[tuple[Match, Decision]]:
        """The decisions at places (match; game and event from 0) by the newest complete review of each match.

        With each comes a match that holds that game alone. Places without a judgement are left out.
        """
        from fullprime.reviews.review import Review

        places = list(places)
        matches, reviews = library_matches.c, library_reviews.c
        numbers = sorted({match for match, _, _ in places})
        newest = select(func.max(reviews.id)).where(reviews.complete, reviews.match_id.in_(numbers))
        query = select(matches.id, matches.document, reviews.review).where(
            matches.id == reviews.match_id,
            matches.shelf == self.shelf,
            reviews.id.in_(newest.group_by(reviews.match_id)),
        )
        with self.engine.begin() as connection:
            stored = {int(row[0]): (row[1], row[2]) for row in connection.execute(query)}
        texts = {match: zlib.decompress(review).decode() for match, (_, review) in stored.items()}
        for match, game, event in places:
            if match not in stored:
                continue
            decision = _find_decision(texts[match], game, event)
            if decision is None:
                decision = from_json(Review, json.loads(texts[match])).of(game, event)
            if decision is not None:
                yield our_json.read_game(zlib.decompress(stored[match][0]), game, event), decision

    def update_figures(self, number: int) -> None:
        """Give the reviews of a match, stored by an older version, the figures that statistics need."""
        for review in reversed(self.list_reviews(number)):
            if review.complete:
                self._describe(number, review)

    def _describe(self, number: int, review: Review) -> None:
        facts = facts_of_decisions(review, self.get_document(number).match)
        reviews, decisions = library_reviews, library_decisions
        same = (reviews.c.match_id == number, reviews.c.engine == review.program, reviews.c.level == review.level)
        with self.engine.begin() as connection:
            without = ~exists().where(library_figures.c.review_id == reviews.c.id)
            review_id = connection.execute(select(reviews.c.id).where(*same, without)).scalar()
            if review_id is None:
                return
            figures = {"review_id": review_id, "match_id": number, "figures": pack_figures(review, facts)}
            connection.execute(insert(library_figures).values(figures))
            for place, fact in enumerate(facts):
                conditions = (decisions.c.review_id == review_id, decisions.c.number == place)
                connection.execute(update(decisions).where(*conditions).values(plan=fact.plan, theme=fact.theme))

    def list_reviews(self, number: int) -> list[Review]:
        """The reviews of a match, the newest first, those of a part of the match among them."""
        query = (
            select(library_reviews.c.review)
            .join(library_matches, library_matches.c.id == library_reviews.c.match_id)
            .where(*self._mine(number))
        )
        with self.engine.begin() as connection:
            packed = list(connection.execute(query.order_by(library_reviews.c.id.desc())).scalars())
        if not packed:
            return []
        # Imported here: this module brings the engine, which takes long to import and is seldom needed here.
        from fullprime.reviews.review import Review

        return [from_json(Review, json.loads(zlib.decompress(blob))) for blob in packed]


def _size_of_match(connection: Connection, number: int) -> int:
    """The bytes of the reviews of a match and of the marks in it, which go with it."""
    packed = func.coalesce(func.sum(func.length(library_reviews.c.review)), 0)
    reviews = connection.execute(select(packed).where(library_reviews.c.match_id == number)).scalar_one()
    return int(reviews) + size_of_marks(connection, library_marks.c.match_id == number)


def _find_decision(review: str, game: int, event: int) -> Decision | None:
    """The decision at an event (both from 0) in the compact JSON of a review, of which nothing else is read; None where
    none is found.
    """
    from fullprime.reviews.decision import Decision

    start = review.find(f'{{"game":{game},"event":{event},', max(review.find('"decisions":['), 0))
    if start < 0:
        return None
    value = json.JSONDecoder().raw_decode(review, start)[0]
    return from_json(Decision, value) if "options" in value else None


__all__ = ["Added", "Copy", "LibraryStore", "MatchRow", "Person"]
