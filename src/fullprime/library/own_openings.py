"""One's own games at a place of the explorer: the plays that were made there in a library, and how they went."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from fullprime.learn.book.node import NodeKey
from fullprime.learn.book.scores import BookError
from fullprime.learn.openings.fields import OwnJson, OwnPlays
from fullprime.learn.openings.lines import follow
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
class _Made:
    play: str
    points: int | None
    """Points won by the player of the play, less points lost; None for a game without a result."""


def own_plays(store: LibraryStore, key: NodeKey, player: str | None = None) -> OwnJson:
    """The plays that ``player`` (None: everybody) made at a place, the commonest first. Raises StoreError."""
    wanted = Wanted(
        player=player or None, variant=key.game, pattern=Pattern.from_text(key.board), dice=key.roll, played=True
    )  # fmt: skip
    search = Search(store)
    hits = search.boards(wanted)
    found, seen = _followed(search, hits, key)
    # The last play of a game has no board behind it: its match is read.
    rest = [hit for hit in hits if (hit.match, hit.game, hit.event) not in seen]
    found += [each for number, at in _by_match(rest) for each in _made(store, number, at)]
    times = Counter(each.play for each in found)
    plays: list[OwnPlays] = []
    for play, count in times.most_common():
        points = [each.points for each in found if each.play == play and each.points is not None]
        plays.append(
            {
                "play": play,
                "times": count,
                "won": sum(each > 0 for each in points),
                "lost": sum(each < 0 for each in points),
                "points": sum(points),
            }
        )
    return {"plays": plays, "games": len({(hit.match, hit.game) for hit in hits}), "whose": player or ""}


def own_in(store: LibraryStore, game: str, score: str, steps: Sequence[str], player: str | None = None) -> OwnJson:
    """The same at the end of a line. Raises BookError where no roll is to be played."""
    line = follow(game, score, steps)
    if line.asked is None:
        raise BookError("plays are made of a roll: name the last roll without its play")
    return own_plays(store, line.asked, player)


def own_at(game: str, score: str, steps: Sequence[str], player: str | None, url: str | None = None) -> OwnJson:
    """The same in the library of a database, opened for the question."""
    store = LibraryStore(url)
    try:
        return own_in(store, game, score, steps, player)
    finally:
        store.close()


def _followed(search: Search, hits: list[Hit], key: NodeKey) -> tuple[list[_Made], set[tuple[int, int, int]]]:
    """The plays that the next boards tell, and their places: no match is read, which takes long in a large library."""
    variant = variant_named(key.game)
    position = Position.from_text(key.board, variant.checkers)
    texts = {play.after: format_play(play) for play in legal_plays(position, key.roll, variant)}
    found, seen = [], set()
    for each in search.sequels(hits):
        mover = each.hit.player
        text = texts.get(each.position if each.player is mover else each.position.swapped)
        if text is None:
            continue
        points = each.points if each.winner is mover or each.points is None else -each.points
        found.append(_Made(text, None if each.winner is None else points))
        seen.add((each.hit.match, each.hit.game, each.hit.event))
    return found, seen


def _by_match(hits: list[Hit]) -> list[tuple[int, list[Hit]]]:
    found: dict[int, list[Hit]] = defaultdict(list)
    for hit in hits:
        found[hit.match].append(hit)
    return sorted(found.items())


def _made(store: LibraryStore, number: int, hits: list[Hit]) -> list[_Made]:
    games = store.document(number).match.games
    found = []
    for hit in hits:
        record = games[hit.game]
        play = _play_after(record, hit)
        if play is not None:
            found.append(_Made(play, _points(record, hit.player)))
    return found


def _play_after(record: GameRecord, hit: Hit) -> str | None:
    """The play of the roll that was found."""
    for place, entry in enumerate(record.entries()):
        if place < hit.event or isinstance(entry.event, Setup) or entry.event.kind is not ActionKind.PLAY:
            continue
        before = entry.before
        if before.on_roll is hit.player and before.position == hit.position and before.dice == hit.dice:
            made = before.ways.play(entry.event.moves)
            return None if made is None else format_play(made)
        return None
    return None


def _points(record: GameRecord, player: Player) -> int | None:
    result = record.stated or record.final.result
    if result is None:
        return None
    return result.points if result.winner is player else -result.points
