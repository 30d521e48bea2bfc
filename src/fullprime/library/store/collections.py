"""Collections of positions, the links by which they are shared, and saved searches."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import ColumnElement, Connection, Engine, Select, Table, Text, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from fullprime.common.json_values import JsonFields, json_names
from fullprime.db.errors import LibraryError
from fullprime.db.schema.shelves import library_collections, library_items, library_searches
from fullprime.db.times import utc_now
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.marks import MarkPlace, short_text
from fullprime.library.store.room import LibraryChange, size_of_rows

MOST_COLLECTIONS, MOST_ITEMS, MOST_SEARCHES = 500, 1_000, 500
"""Collections of a library, positions of a collection, saved searches of a library."""
LONGEST_NAME, LONGEST_TEXT, LONGEST_BODY = 100, 4_000, 64_000
MOST_ARROWS = 20


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection of positions."""

    __json__: ClassVar[JsonFields] = json_names("name", "about", "items", "link")

    number: int
    name: str
    """Its name."""
    about: str
    """Its description."""
    items: int
    """The number of its positions."""
    link: str | None
    """The secret of the link by which it is shared as a study; None while it is not."""


@dataclass(frozen=True, slots=True)
class Item:
    """A position of a collection: ``body`` is a card as JSON, ``arrows`` are moves such as ``13/7``."""

    number: int
    place: MarkPlace | None
    body: str
    comment: str
    arrows: tuple[str, ...]


class Collections:
    """The collections and the saved searches of one library."""

    def __init__(self, library: LibraryStore) -> None:
        self._library = library
        self._engine = library.engine

    def list_all(self) -> list[Collection]:
        """Every collection, by name."""
        query = _select_collections().where(library_collections.c.shelf == self._library.shelf)
        with self._engine.begin() as connection:
            rows = connection.execute(query.order_by(library_collections.c.name)).mappings().all()
        return [_collection(row) for row in rows]

    def get(self, name: str) -> Collection:
        """The collection of that name; raises LibraryError."""
        with self._engine.begin() as connection:
            return _collection(connection.execute(self._select_named(name)).mappings().one_or_none(), name)

    def create(self, name: str, about: str = "") -> Collection:
        """A new collection; raises LibraryError for a name that is taken."""
        values = {"about": short_text(about, LONGEST_TEXT, "the description"), "link": None}
        self._insert(library_collections, name, values, MOST_COLLECTIONS, "collection")
        return self.get(name)

    def change(self, name: str, *, new_name: str | None = None, about: str | None = None) -> Collection:
        """Another name or description."""
        collection = self.get(name)
        values = {
            "name": collection.name if new_name is None else _name(new_name),
            "about": collection.about if about is None else short_text(about, LONGEST_TEXT, "the description"),
        }
        try:
            mine = library_collections.c.id == collection.number
            with self._begin_change(library_collections, mine) as change:
                change.connection.execute(update(library_collections).where(mine).values(values))
        except IntegrityError as error:
            raise LibraryError(f"there is a collection {values['name']!r} already") from error
        return self.get(values["name"])

    def delete(self, name: str) -> None:
        """Take a collection away with its positions."""
        number = self.get(name).number
        items, mine = library_items.c.collection_id == number, library_collections.c.id == number
        with self._begin_change(library_collections, mine) as change:
            change.grow(-_size_of(change.connection, library_items, items))
            change.connection.execute(delete(library_items).where(items))
            change.connection.execute(delete(library_collections).where(mine))

    def share(self, name: str, *, shared: bool = True) -> Collection:
        """Have a link to a collection, or no longer; a link that was taken back never comes again."""
        collection = self.get(name)
        if (collection.link is not None) is not shared:
            link = secrets.token_urlsafe(12) if shared else None
            with self._engine.begin() as connection:
                connection.execute(
                    update(library_collections).where(library_collections.c.id == collection.number).values(link=link)
                )
        return self.get(name)

    # -- positions -----------------------------------------------------------------------------------------------
    def list_items(self, name: str) -> list[Item]:
        """The positions of a collection, in order."""
        return items_of(self._engine, self.get(name).number)

    def add_item(
        self, name: str, body: str, place: MarkPlace | None = None, comment: str = "", arrows: Sequence[str] = ()
    ) -> Item:
        """A position at the end of a collection; raises LibraryError beyond the limits."""
        collection = self.get(name)
        if len(body) > LONGEST_BODY:
            raise LibraryError(f"the position has {len(body):,} characters; at most {LONGEST_BODY:,} are kept")
        values: dict[str, str | int | None] = {"body": body, **_comment_columns(comment, arrows)}
        if place is not None and place.match is not None:
            values |= {"match_id": place.match, "game": place.game, "event": place.event}
        items = library_items
        with self._library.begin_change() as change:
            mine = items.c.collection_id == collection.number
            count, last = change.connection.execute(
                select(func.count(), func.coalesce(func.max(items.c.number), 0)).where(mine)
            ).one()
            if count >= MOST_ITEMS:
                raise LibraryError(f"{name!r} has {count:,} positions, the most of one collection")
            row = {"collection_id": collection.number, "number": last + 1, **values}
            with change.count_change(lambda: _size_of(change.connection, items, mine, items.c.number > last)):
                change.connection.execute(insert(items).values(row))
        return self.list_items(name)[-1]

    def change_item(self, name: str, number: int, comment: str, arrows: Sequence[str]) -> Item:
        """Another comment and other arrows at a position, ``number`` counting from 1."""
        self._item(name, number)
        with self._library.begin_change() as change:
            mine = self._is_item(name, number, change.connection)
            with change.count_change(lambda: _size_of(change.connection, library_items, mine)):
                change.connection.execute(update(library_items).where(mine).values(_comment_columns(comment, arrows)))
        return self._item(name, number)

    def delete_item(self, name: str, number: int) -> None:
        """Take a position out; those after it move up."""
        self._item(name, number)
        with self._library.begin_change() as change:
            mine = self._is_item(name, number, change.connection)
            change.grow(-_size_of(change.connection, library_items, mine))
            change.connection.execute(delete(library_items).where(mine))

    def move_item(self, name: str, number: int, to: int) -> None:
        """Put a position at another place of the order; both count from 1."""
        collection = self.get(name)
        items = library_items.c
        with self._engine.begin() as connection:
            query = select(items.id).where(items.collection_id == collection.number).order_by(items.number, items.id)
            ids = [int(item_id) for item_id in connection.execute(query).scalars()]
            if not (1 <= number <= len(ids) and 1 <= to <= len(ids)):
                raise LibraryError(f"{name!r} has {len(ids)} positions")
            ids.insert(to - 1, ids.pop(number - 1))
            for place, item_id in enumerate(ids, 1):
                connection.execute(update(library_items).where(items.id == item_id).values(number=place))

    def _item(self, name: str, number: int) -> Item:
        items = self.list_items(name)
        if not 1 <= number <= len(items):
            raise LibraryError(f"{name!r} has no position {number}; there are {len(items)}", "missing")
        return items[number - 1]

    def _is_item(self, name: str, number: int, connection: Connection) -> ColumnElement[bool]:
        items = library_items.c
        collection = connection.execute(self._select_named(name)).mappings().one()["id"]
        query = select(items.id).where(items.collection_id == collection).order_by(items.number, items.id)
        return items.id == connection.execute(query.limit(1).offset(number - 1)).scalar()

    def _select_named(self, name: str) -> Select[tuple[object, ...]]:
        table = library_collections.c
        return _select_collections().where(table.shelf == self._library.shelf, table.name == _name(name))

    # -- searches ------------------------------------------------------------------------------------------------
    def list_searches(self) -> dict[str, dict[str, object]]:
        """The saved searches by name, each with its fields."""
        table = library_searches.c
        query = select(table.name, table.question).where(table.shelf == self._library.shelf).order_by(table.name)
        with self._engine.begin() as connection:
            return {str(name): json.loads(question) for name, question in connection.execute(query)}

    def store_search(self, name: str, question: dict[str, object]) -> None:
        """Give a search a name; one that had it before is replaced. Stored when this returns."""
        text = short_text(json.dumps(question, ensure_ascii=False, sort_keys=True), LONGEST_TEXT, "the search")
        table = library_searches
        mine = (table.c.shelf == self._library.shelf, table.c.name == _name(name))
        with self._begin_change(table, *mine) as change:
            if change.connection.execute(update(table).where(*mine).values(question=text)).rowcount:
                return
        self._insert(table, name, {"question": text}, MOST_SEARCHES, "search")

    def delete_search(self, name: str) -> None:
        """Take a saved search away; raises LibraryError where there is none."""
        table = library_searches
        mine = (table.c.shelf == self._library.shelf, table.c.name == _name(name))
        with self._begin_change(table, *mine) as change:
            if not change.connection.execute(delete(table).where(*mine)).rowcount:
                raise LibraryError(f"there is no saved search {name[:60]!r}", "missing")

    def _insert(self, table: Table, name: str, values: dict[str, str | None], most: int, kind: str) -> None:
        shelf = self._library.shelf
        row = {"shelf": shelf, "name": _name(name), "created": utc_now(), **values}
        try:
            with self._begin_change(table, table.c.shelf == shelf, table.c.name == row["name"]) as change:
                count = select(func.count()).select_from(table).where(table.c.shelf == shelf)
                if change.connection.execute(count).scalar_one() >= most:
                    raise LibraryError(f"there are {most} already, the most of one library: take one away first")
                change.connection.execute(insert(table).values(row))
        except IntegrityError as error:
            raise LibraryError(f"there is a {kind} {name[:60]!r} already") from error

    @contextmanager
    def _begin_change(self, table: Table, *mine: ColumnElement[bool]) -> Iterator[LibraryChange]:
        """A transaction that counts the bytes by which rows of a table grow or shrink."""
        with (
            self._library.begin_change() as change,
            change.count_change(lambda: _size_of(change.connection, table, *mine)),
        ):
            yield change


def _size_of(connection: Connection, table: Table, *conditions: ColumnElement[bool]) -> int:
    """The bytes of the texts in rows of a table."""
    texts = [column for column in table.columns if isinstance(column.type, Text)]
    return size_of_rows(connection, select(*texts).where(*conditions))


def shared_collection(engine: Engine, link: str) -> tuple[Collection, list[Item]]:
    """A study by its link, from whichever library; raises LibraryError."""
    with engine.begin() as connection:
        query = _select_collections().where(library_collections.c.link == link.replace("\x00", ""))
        row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise LibraryError("there is no study at this link, or it is no longer shared", "missing")
    collection = _collection(row)
    return collection, items_of(engine, collection.number)


def items_of(engine: Engine, collection: int) -> list[Item]:
    """The positions of a collection, numbered from 1."""
    items = library_items.c
    query = select(library_items).where(items.collection_id == collection).order_by(items.number, items.id)
    with engine.begin() as connection:
        rows = connection.execute(query).mappings().all()
    return [
        Item(
            number,
            None if row["match_id"] is None else MarkPlace(row["match_id"], row["game"], row["event"]),
            str(row["body"]), str(row["comment"]), tuple(json.loads(row["arrows"])),
        )
        for number, row in enumerate(rows, 1)
    ]  # fmt: skip


def _select_collections() -> Select[tuple[object, ...]]:
    count = select(func.count()).where(library_items.c.collection_id == library_collections.c.id).scalar_subquery()
    table = library_collections.c
    return select(table.id, table.name, table.about, table.link, count.label("items"))


def _collection(row: object, name: str = "") -> Collection:
    if row is None:
        raise LibraryError(f"there is no collection {name[:60]!r} in the library", "missing")
    return Collection(int(row["id"]), str(row["name"]), str(row["about"]), int(row["items"]), row["link"])  # type: ignore[index]


def _comment_columns(comment: str, arrows: Sequence[str]) -> dict[str, str]:
    if len(arrows) > MOST_ARROWS:
        raise LibraryError(f"{len(arrows)} arrows: at most {MOST_ARROWS} are drawn on one board")
    moves = [short_text(arrow, 20, "an arrow") for arrow in arrows]
    return {"comment": short_text(comment, LONGEST_TEXT, "the comment"), "arrows": json.dumps(moves)}


def _name(name: str) -> str:
    clean = short_text(" ".join(name.split()), LONGEST_NAME, "a name")
    if not clean:
        raise LibraryError("a name is needed")
    return clean
