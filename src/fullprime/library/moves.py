"""Decisions of the library as players name them: by game and number of the move, ``match 12 game 3 move 14``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fullprime.library.places import LibraryError
from fullprime.library.service import LibraryStore
from fullprime.library.store.marks import MarkPlace
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Phase
from fullprime.rules.record import Entry, GameRecord

_DECISION = re.compile(r"match (\d{1,9}) game (\d{1,5}) move (\d{1,6})(?: (double|take))?\Z")
_CUBE = {
    Phase.CUBE_DECISION: "double",
    Phase.DOUBLE_OFFERED: "take",
    Phase.BEAVER_OFFERED: "take",
    Phase.RACCOON_OFFERED: "take",
}
"""The word that a decision with the cube has after the number of its move; a play has none."""


def place_in(store: LibraryStore, text: str) -> MarkPlace:
    """The match or the decision that is named; raises LibraryError."""
    words = " ".join(text.split())
    if re.match(r"match \d{1,9}\Z", words):
        return MarkPlace.from_text(words)
    place = _DECISION.match(words)
    if place is None:
        raise LibraryError(f"{text[:60]!r} is no place such as `match 12` or `match 12 game 3 move 14`")
    match, game, move = map(int, place.groups()[:3])
    games = store.get_document(match).match.games
    if not 1 <= game <= len(games):
        raise LibraryError(f"match {match} has no game {game}: there are {len(games)}", "missing")
    entries = [(event, entry) for event, entry in enumerate(_entries(games[game - 1])) if entry.move == move]
    numbers = [event for event, entry in entries if _word(entry) == (place[4] or "")]
    if not numbers:
        move_words = f"move {move} with a {place[4]}" if entries and place[4] else f"move {move}"
        raise LibraryError(f"game {game} of match {match} has no {move_words}", "missing")
    # A play comes after its roll, and a double before its answer.
    return MarkPlace(match, game - 1, numbers[-1] if place[4] is None else numbers[0])


def place_words(store: LibraryStore, match: int, game: int | None, event: int | None) -> str:
    """The inverse of :func:`place_in`; games and events from 1, None for the match."""
    if game is None or event is None:
        return f"match {match}"
    for number, entry in enumerate(_entries(store.get_document(match).match.games[game - 1]), 1):
        if number == event:
            return f"match {match} game {game} move {entry.move} {_word(entry)}".rstrip()
    return f"match {match} game {game}"


def _entries(record: GameRecord) -> Iterator[Entry]:
    """The steps of a game as far as they can have happened."""
    try:
        yield from record.entries()
    except RulesError:
        return


def _word(entry: Entry) -> str:
    return _CUBE.get(entry.before.phase, "")
