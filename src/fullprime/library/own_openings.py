"""One's own games at a place of the explorer: the plays that were made there in a library, and how they went."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from fullprime.learn.opening_book.node import NodeKey
from fullprime.learn.opening_book.scores import BookError
from fullprime.learn.openings.lines import follow
from fullprime.learn.openings.model import OwnOpenings, OwnPlays
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.patterns import Pattern
from fullprime.library.store.search import Hit, Search, Wanted
from fullprime.rules.game import ActionKind
from fullprime.rules.notation import format_play
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.record import GameRecord, Setup
from fullprime.rules.score import Player
from fullprime.rules.variants import variant_named


@dataclass(frozen=True, slots=True)
class _Occasion:
    play: str
    points: int | None
    """Points won by the player of the play, less points lost; None for a game without a result."""


def own_plays(store: LibraryStore, key: NodeKey, player: str | None = None) -> OwnOpenings:
    """The plays that ``player`` (None: every player) made at a place, the commonest first. Raises StoreError."""
    wanted = Wanted(
        player=player or None, variant=key.game, pattern=Pattern.from_text(key.board), dice=key.roll, played=True
    )  # fmt: skip
    search = Search(store)
    hits = search.list_boards(wanted)
    occasions, places = _follow_hits(search, hits, key)
    # The last play of a game has no board behind it: its match is read.
    remaining = [hit for hit in hits if (hit.match, hit.game, hit.event) not in places]
    occasions += [occasion for number, at in _group_by_match(remaining) for occasion in _occasions(store, number, at)]
    times = Counter(occasion.play for occasion in occasions)
    plays: list[OwnPlays] = []
    for play, count in times.most_common():
        points = [occasion.points for occasion in occasions if occasion.play == play and occasion.points is not None]
        won, lost = sum(result > 0 for result in points), sum(result < 0 for result in points)
        plays.append(OwnPlays(play, count, won, lost, sum(points)))
    return OwnOpenings(tuple(plays), len({(hit.match, hit.game) for hit in hits}), player or "")


def own_plays_of_line(
    store: LibraryStore, game: str, score: str, steps: Sequence[str], player: str | None = None
) -> OwnOpenings:
    """The user's own plays at the end of a line. Raises BookError where no roll is to be played."""
    line = follow(game, score, steps)
    if line.question is None:
        raise BookError("plays are made of a roll: name the last roll without its play")
    return own_plays(store, line.question, player)


def load_own_plays(
    game: str, score: str, steps: Sequence[str], player: str | None, url: str | None = None
) -> OwnOpenings:
    """The user's own plays in the library of a database, opened for the question."""
    store = LibraryStore(url)
    try:
        return own_plays_of_line(store, game, score, steps, player)
    finally:
        store.close()


def _follow_hits(search: Search, hits: list[Hit], key: NodeKey) -> tuple[list[_Occasion], set[tuple[int, int, int]]]:
    """The plays that the next boards tell, and their places: no match is read, which takes long in a large library."""
    variant = variant_named(key.game)
    position = Position.from_text(key.board, variant.checkers)
    texts = {play.after: format_play(play) for play in legal_plays(position, key.roll, variant)}
    occasions, places = [], set()
    for sequel in search.find_sequels(hits):
        mover = sequel.hit.player
        text = texts.get(sequel.position if sequel.player is mover else sequel.position.swapped)
        if text is None:
            continue
        points = sequel.points if sequel.winner is mover or sequel.points is None else -sequel.points
        occasions.append(_Occasion(text, None if sequel.winner is None else points))
        places.add((sequel.hit.match, sequel.hit.game, sequel.hit.event))
    return occasions, places


def _group_by_match(hits: list[Hit]) -> list[tuple[int, list[Hit]]]:
    hits_by_match: dict[int, list[Hit]] = defaultdict(list)
    for hit in hits:
        hits_by_match[hit.match].append(hit)
    return sorted(hits_by_match.items())


def _occasions(store: LibraryStore, number: int, hits: list[Hit]) -> list[_Occasion]:
    games = store.get_document(number).match.games
    occasions = []
    for hit in hits:
        record = games[hit.game]
        play = _find_play(record, hit)
        if play is not None:
            occasions.append(_Occasion(play, _points(record, hit.player)))
    return occasions


def _find_play(record: GameRecord, hit: Hit) -> str | None:
    """The play of the roll that was found."""
    for place, entry in enumerate(record.entries()):
        if place < hit.event or isinstance(entry.event, Setup) or entry.event.kind is not ActionKind.PLAY:
            continue
        before = entry.before
        if before.on_roll is hit.player and before.position == hit.position and before.dice == hit.dice:
            play = before.roll_plays.play(entry.event.moves)
            return None if play is None else format_play(play)
        return None
    return None


def _points(record: GameRecord, player: Player) -> int | None:
    result = record.stated or record.final.result
    if result is None:
        return None
    return result.points if result.winner is player else -result.points
