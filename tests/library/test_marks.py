"""Marks, collections and saved searches stay when a match is reviewed again, and are seen by their owner alone."""

from __future__ import annotations

import pytest
from tests.library.test_library import add, file_of, match_of, review_of

from fullprime.db.errors import StoreError
from fullprime.library.store.collections import Collections, shared_collection
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.marks import Marks, Place


def test_marks_survive_a_new_review_and_go_with_their_match(any_database: str) -> None:
    library = LibraryStore(any_database)
    other = LibraryStore(library.engine, shelf=3)
    (number,) = add(library, file_of(match_of(5), "json"))
    library.add_review(number, review_of(match_of(5), [0.3]))
    marks, theirs = Marks(library), Marks(other)
    decision, position = Place(number, 0, 4), Place(position='{"position": null}')
    marks.put(decision, note="why not hit?\x00", star=True, tags=["Blitz ", "blitz", "to ask"])
    marks.put(Place(number), tags=["blitz"])
    marks.put(position, note="the start")
    library.add_review(number, review_of(match_of(5), [0.0], level="deep"))
    found = marks.at(decision)
    assert (found.note, found.star, found.tags) == ("why not hit?", True, ("blitz", "to ask"))
    assert marks.tags() == {"blitz": 2, "to ask": 1}
    assert [each.place for each in marks.find(tag="BLITZ")] == [Place(number), decision]
    assert [each.place for each in marks.find(text="NOT")] == [decision]
    assert Place.from_text(decision.text) == decision
    assert theirs.find() == [] == theirs.find(match=number)
    with pytest.raises(StoreError, match=f"no match {number}"):
        theirs.put(decision, star=True)
    marks.put(Place(number), tags=[])
    assert [each.place for each in marks.find()] == [position, decision], "an empty mark is none"
    library.remove([number])
    assert [each.place for each in marks.find()] == [position]
    for text in ("match", "match 0 game 0 event 1", "game 1", "match 1 game 1"):
        with pytest.raises(StoreError):
            Place.from_text(text)
    library.close()


def test_collections_are_ordered_shared_and_outlive_their_matches(any_database: str) -> None:
    library = LibraryStore(any_database)
    (number,) = add(library, file_of(match_of(5), "json"))
    mine, theirs = Collections(library), Collections(LibraryStore(library.engine, shelf=3))
    mine.make("Primes", "to learn"), theirs.make("Primes")
    with pytest.raises(StoreError, match="already"):
        mine.make(" Primes")
    for count, comment in enumerate(("one", "two", "three")):
        mine.add("Primes", "{}", Place(number, 0, count), comment, ["13/7"])
    mine.move("Primes", 3, 1)
    mine.edit("Primes", 2, "uno", [])
    assert [(each.number, each.comment, each.arrows) for each in mine.items("Primes")] == [
        (1, "three", ("13/7",)), (2, "uno", ()), (3, "two", ("13/7",)),
    ]  # fmt: skip
    mine.drop("Primes", 3)
    link = mine.share("Primes").link
    assert link == mine.share("Primes").link
    library.remove([number])
    shown, items = shared_collection(library.engine, str(link))
    assert (shown.name, shown.items) == ("Primes", 2)
    assert [(each.place, each.comment) for each in items] == [(None, "three"), (None, "uno")]
    assert mine.share("Primes", shared=False).link is None
    with pytest.raises(StoreError, match="no longer shared"):
        shared_collection(library.engine, str(link))
    assert [each.items for each in theirs.all()] == [0]
    mine.save_search("big", {"loss": 0.1}), mine.save_search("big", {"loss": 0.2})
    assert (mine.searches(), theirs.searches()) == ({"big": {"loss": 0.2}}, {})
    mine.forget_search("big")
    mine.remove("Primes")
    assert (mine.searches(), mine.all()) == ({}, [])
    for refused in (lambda: mine.one("Primes"), lambda: mine.forget_search("big"), lambda: mine.make(" ")):
        with pytest.raises(StoreError):
            refused()
    library.close()
