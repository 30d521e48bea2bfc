"""A made library of many matches, and the time that the server takes for each of its pages.

``python benchmarks/library.py make library.db --matches 2000`` plays a few matches, reviews them (static), stores them
cut off at 100 places, each with its part of the review, and copies those with other boards: matches that are all
different, without days of reviewing. ``python benchmarks/library.py measure library.db`` asks every page of it a few
times.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeVar

from asking import Question, ask, make_or_measure
from copies import copy_matches

from fullprime.engine import shared
from fullprime.formats import Document, write
from fullprime.front.playing import play_match
from fullprime.learn.flashcards.service import body_text
from fullprime.library.cards import theme_cards
from fullprime.library.store.collections import Collections
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.marks import LibraryMarks, MarkPlace
from fullprime.library.store.search import Search, Wanted
from fullprime.reviews.review import Review, review
from fullprime.rules.record import Match

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jon", "Kim", "Lou")
PAGES = (
    "/library", "/library/search", "/library/players", "/library/player", "/library/notes", "/library/collections",
    "/library/match/1000",
)  # fmt: skip
BASES = 12
LENGTH = 9
NOTES = 300
KEPT = "Kept"


class _Entry(Protocol):
    """A part of a review that belongs to an event of a game."""

    @property
    def game(self) -> int: ...
    @property
    def event(self) -> int: ...


Entry = TypeVar("Entry", bound=_Entry)


def cut(match: Match, judged: Review, game: int, event: int) -> tuple[Match, Review]:
    """The match up to an event, and what was judged of it."""
    games = (*match.games[:game], replace(match.games[game], events=match.games[game].events[:event], stated=None))
    shorter = replace(match, games=games)
    shortened = replace(
        judged,
        games=len(games),
        match=shorter,
        decisions=_before(judged.decisions, game, event),
        rolls=_before(judged.rolls, game, event),
        left_out=_before(judged.left_out, game, event),
    )
    return shorter, shortened


def _before(entries: Iterable[Entry], game: int, event: int) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if (entry.game, entry.event) < (game, event))


def made(count: int) -> Iterator[tuple[Match, Review]]:
    """Yield ``count`` different matches with their reviews."""
    chance = random.Random(18)
    bases = []
    for seed in range(BASES):
        match = play_match("0-ply", "heuristic", length=LENGTH, seed=seed)
        bases.append((match, review(match, shared.engine_for(match.settings.variant), "fast")))
        print(f"match {seed + 1} of {BASES} played and reviewed", flush=True)
    places = [
        (base, game, event)
        for base, (match, _) in enumerate(bases)
        for game, record in enumerate(match.games)
        for event in range(2, len(record.events))
        if (game, event) > (1, 10)
    ]
    for number, (base, game, event) in enumerate(chance.sample(places, count)):
        match, judged = cut(*bases[base], game, event)
        one, other = ("Ann", chance.choice(NAMES[1:])) if number % 2 else chance.sample(NAMES, 2)
        date = f"20{22 + number % 5}-{1 + number % 12:02}-{1 + number % 28:02}"
        info = MappingProxyType({"EventDate": date, "Event": f"Club {number % 7}"})
        yield replace(match, names=(one, other), info=info), judged


def make(path: Path, matches: int, first: int) -> None:
    """Store the first matches, and copies of them."""
    store = LibraryStore(f"sqlite:///{path}")
    begun = time.process_time()
    for number, (match, judged) in enumerate(made(first), 1):
        document = Document(match)
        added = store.add(write(document, "json")[0], f"{number}.json", [document])
        for new in added.new:
            store.add_review(new, judged)
        if number % 100 == 0:
            print(f"{number} stored, {time.process_time() - begun:.0f} s of processor time", flush=True)
    copy_matches(store.engine, matches)
    keep(store)
    print(f"{store.count()} matches, {path.stat().st_size / 1e6:.0f} MB")


def keep(store: LibraryStore) -> None:
    """Notes at a few hundred decisions and matches, and a collection that is shared."""
    marks, collections = LibraryMarks(store), Collections(store)
    for number, hit in enumerate(Search(store).list_boards(Wanted(loss=0.05), NOTES)):
        place = MarkPlace(hit.match) if number % 5 == 0 else MarkPlace(hit.match, hit.game, hit.event)
        marks.change(place, note=f"Note {number}", star=number % 3 == 0, tags=[f"tag {number % 9}"])
    collections.create(KEPT, "Errors to look at again")
    for theme in ("misses a hit", "plays too safely", "misses a point"):
        for card in theme_cards(store, "Ann", theme):
            collections.add_item(KEPT, body_text(card), comment=card.reason)
    collections.share(KEPT)
    for number in range(20):
        collections.store_search(f"Search {number}", {"loss": f"0.{number + 1:02}"})


def questions(store: LibraryStore) -> list[Question]:
    """The pages and what they ask for."""
    link = Collections(store).get(KEPT).link
    addresses = {
        "the library": "/api/library",
        "matches, the first": "/api/library/matches",
        "matches of a player": "/api/library/matches?player=Ann&since=2024-01-01",
        "matches, the last": "/api/library/matches?offset=1950",
        "players": "/api/library/players",
        "one match": "/api/library/matches/1000",
        "where Ann loses (every match)": "/api/library/statistics?player=Ann",
        "where Ann loses, by year": "/api/library/statistics?player=Ann&by=year",
        "errors of 0.1 or more": "/api/library/boards?loss=0.1",
        "the second page of them": "/api/library/boards?loss=0.1&offset=24",
        "Ann's errors of a theme": "/api/library/boards?player=Ann&theme=misses+a+hit",
        "wrong takes": "/api/library/boards?mistake=wrong+take",
        "blitzes that cost": "/api/library/boards?plan=blitz&loss=0.02",
        "a full prime": "/api/library/boards?pattern=3-8:2%2B+*+/+*",
        "the first position": "/api/library/boards?pattern=24:2+13:5+8:3+6:5+/+*",
        "a checker on the bar": "/api/library/boards?pattern=6:3%2B+8:*+bar+*+/+*",
        "at 3-away 5-away": "/api/library/boards?away=3-5&loss=0.05",
        "wrong doubles of one player": "/api/library/boards?player=Ann&mistake=wrong+double",
        "the last months": "/api/library/statistics?player=Ann&since=2026-01-01&by=month",
        "Ann against Bob": "/api/library/statistics?player=Ann&opponent=Bob",
        "the report of a match": "/library/match/1000/report",
        "its decisions that were right": "/library/match/1000/right",
        "a match as a file": "/api/library/matches/1000/file?format=mat",
        "boards of a roll": "/api/library/boards?dice=61",
        "every blitz": "/api/library/boards?plan=blitz",
        "right takes": "/api/library/boards?kind=take&verdict=ok",
        "errors in a pattern": "/api/library/boards?pattern=6:3%2B+8:*+bar+*+/+*&loss=0.05",
        "Ann's boards at a score": "/api/library/boards?player=Ann&score=3-1&pattern=24:2+*+/+*",
        "the last boards of a search": "/api/library/boards?loss=0.02&offset=960",
        "another program's verdicts": "/api/library/matches/1000/judges",
        "a file as it was": "/api/library/files/50",
        "collections": "/api/library/collections",
        "a collection": f"/api/library/collection?name={KEPT}",
        "a study": f"/api/studies/{link}",
        "the page of a study": f"/study/{link}",
        "notes": "/api/library/marks",
        "notes with a tag": "/api/library/marks?tag=tag+3",
        "a decision on the board": "/library/board/1000/1/3",
        **{f"the page {page}": page for page in PAGES},
    }
    cards: dict[str, object] = {"player": "Ann", "theme": "misses a hit"}
    pages = [Question(*item) for item in addresses.items()]
    return [*pages, Question("cards of a theme", "/api/library/cards", cards)]


def measure(path: Path, times: int) -> None:
    """Ask the pages."""
    ask(path, questions(LibraryStore(f"sqlite:///{path}")), times)


if __name__ == "__main__":
    make_or_measure(__doc__, {"matches": 2000, "first": 100}, make, measure)
