"""Marks, collections and saved searches stay when a match is reviewed again, and are seen by their owner alone."""

from __future__ import annotations

import pytest
from tests.library.test_library import add, file_of, match_of, review_of

from fullprime.db.errors import StoreError
from fullprime.library.store.collections import Collections, shared_collection
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.marks import LibraryMarks, MarkPlace


def test_marks_survive_a_new_review_and_go_with_their_match(any_database: str) -> None:
    library = LibraryStore(any_database)
    other = LibraryStore(library.engine, shelf=3)
    (number,) = add(library, file_of(match_of(5), "json"))
    library.add_review(number, review_of(match_of(5), [0.3]))
    marks, theirs = LibraryMarks(library), LibraryMarks(other)
    decision, position = MarkPlace(number, 0, 4), MarkPlace(position='{"position": null}')
    marks.change(decision, note="why not hit?\x00", star=True, tags=["Blitz ", "blitz", "to ask"])
    marks.change(MarkPlace(number), tags=["blitz"])
    marks.change(position, note="the start")
    library.add_review(number, review_of(match_of(5), [0.0], level="deep"))
    mark = marks.get(decision)
    assert (mark.note, mark.star, mark.tags) == ("why not hit?", True, ("blitz", "to ask"))
    assert marks.count_tags() == {"blitz": 2, "to ask": 1}
    assert [mark.place for mark in marks.list_marks(tag="BLITZ")] == [MarkPlace(number), decision]
    assert [mark.place for mark in marks.list_marks(text="NOT")] == [decision]
    assert MarkPlace.from_text(decision.text) == decision
    assert theirs.list_marks() == [] == theirs.list_marks(match=number)
    with pytest.raises(StoreError, match=f"no match {number}"):
        theirs.change(decision, star=True)
    marks.change(MarkPlace(number), tags=[])
    assert [mark.place for mark in marks.list_marks()] == [position, decision], "an empty mark is none"
    library.delete([number])
    assert [mark.place for mark in marks.list_marks()] == [position]
    for text in ("match", "match 0 game 0 event 1", "game 1", "match 1 game 1"):
        with pytest.raises(StoreError):
            MarkPlace.from_text(text)
    library.close()


def test_collections_are_ordered_shared_and_outlive_their_matches(any_database: str) -> None:
    library = LibraryStore(any_database)
    (number,) = add(library, file_of(match_of(5), "json"))
    mine, theirs = Collections(library), Collections(LibraryStore(library.engine, shelf=3))
    mine.create("Primes", "to learn"), theirs.create("Primes")
    with pytest.raises(StoreError, match="already"):
        mine.create(" Primes")
    for count, comment in enumerate(("one", "two", "three")):
        mine.add_item("Primes", "{}", MarkPlace(number, 0, count), comment, ["13/7"])
    mine.move_item("Primes", 3, 1)
    mine.change_item("Primes", 2, "uno", [])
    assert [(item.number, item.comment, item.arrows) for item in mine.list_items("Primes")] == [
        (1, "three", ("13/7",)), (2, "uno", ()), (3, "two", ("13/7",)),
    ]  # fmt: skip
    mine.delete_item("Primes", 3)
    link = mine.share("Primes").link
    assert link == mine.share("Primes").link
    library.delete([number])
    shown, items = shared_collection(library.engine, str(link))
    assert (shown.name, shown.items) == ("Primes", 2)
    assert [(item.place, item.comment) for item in items] == [(None, "three"), (None, "uno")]
    assert mine.share("Primes", shared=False).link is None
    with pytest.raises(StoreError, match="no longer shared"):
        shared_collection(library.engine, str(link))
    assert [collection.items for collection in theirs.list_all()] == [0]
    mine.store_search("big", {"loss": 0.1}), mine.store_search("big", {"loss": 0.2})
    assert (mine.list_searches(), theirs.list_searches()) == ({"big": {"loss": 0.2}}, {})
    mine.delete_search("big")
    mine.delete("Primes")
    assert (mine.list_searches(), mine.list_all()) == ({}, [])
    for refused in (lambda: mine.get("Primes"), lambda: mine.delete_search("big"), lambda: mine.create(" ")):
        with pytest.raises(StoreError):
            refused()
    library.close()
