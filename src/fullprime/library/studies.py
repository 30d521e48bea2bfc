"""Collections of positions, and studies: collections that are shared by a link, played through or asked as a quiz."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from sqlalchemy import Engine

from fullprime.analysis.setups import AnalysisSetup, BoardScene, game_of, scene, setup_of
from fullprime.common.json_values import MERGED
from fullprime.engine import shared
from fullprime.learn.flashcards.making import card_of, swap_players
from fullprime.learn.flashcards.model import CardBody, CardOption
from fullprime.learn.flashcards.service import body_text, game_at, judge_answer, lines_of, read_body
from fullprime.learn.match_lessons import lesson_at
from fullprime.library.places import LibraryError, address_of, read_question
from fullprime.library.places import game_at as game_in
from fullprime.library.service import LibraryStore, Wanted
from fullprime.library.store.collections import Collection, Collections, Item, shared_collection
from fullprime.library.store.marks import MarkPlace
from fullprime.library.store.moments import moments_of
from fullprime.reviews.matches.reviewing import ReviewedMatch, thresholds_named
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import read_moves
from fullprime.rules.words import format_players, in_game

_CHOICES = {"double": ("no double", "double"), "take": ("take", "drop")}
_LEVEL, _KEPT = "1-ply", 8
"""The level at which a position that was set up is judged, and the plays that are kept of it."""
RIGHT = 0.02
"""An answer that costs less is right: eXtreme Gammon's mark for an error."""


@dataclass(frozen=True, slots=True)
class CollectionList:
    """All collections of a library."""

    collections: list[Collection]
    """By name."""
    searches: dict[str, dict[str, str]]
    """The saved searches: their fields, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPosition:
    """A position of a collection."""

    number: int
    """Its place in the order, from 1."""
    comment: str
    """The comment; empty for none."""
    arrows: tuple[str, ...]
    """Moves such as ``13/7`` of the player who decides."""
    card: CardBody
    """The decision, the player who decides being ``X``."""
    board: BoardScene
    """The board of it."""
    address: str
    """The page that opens it on the analysis board."""
    quiz: bool
    """True if the answer is known, so that it can be asked."""


@dataclass(frozen=True, slots=True)
class Study:
    """A collection with its positions."""

    collection: Collection = field(metadata=MERGED)
    """The collection."""
    positions: list[StudyPosition]
    """The positions in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyAnswer:
    """An answer to a position of a study, judged."""

    __json_digits__: ClassVar[int] = 4

    right: bool
    """True if it costs nothing that matters."""
    answer: str
    """The answer as it was understood."""
    loss: float
    """The equity that it costs."""
    best: str
    """The best option."""
    lines: list[str]
    """The options with their costs, and the reason."""
    moves: list[str]
    """The checker moves of the answer."""
    best_moves: list[str]
    """The checker moves of the best play."""


def all_collections(store: LibraryStore) -> CollectionList:
    """The collections and the saved searches of a library."""
    collections = Collections(store)
    searches = {
        name: {key: str(value) for key, value in question.items()}
        for name, question in collections.list_searches().items()
    }
    return CollectionList(collections.list_all(), searches)


def save_search(store: LibraryStore, name: str, question: Mapping[str, str]) -> CollectionList:
    """Give a search a name; it must be one that can be asked. Without conditions the one of that name is taken away."""
    conditions = {key: text.strip() for key, text in question.items() if text.strip()}
    read_question(conditions)
    if conditions:
        Collections(store).store_search(name, {**conditions})
    else:
        Collections(store).delete_search(name)
    return all_collections(store)


def forget_search(store: LibraryStore, name: str) -> None:
    """Take a saved search away; raises LibraryError where there is none."""
    Collections(store).delete_search(name)


def saved_search(store: LibraryStore, name: str) -> Wanted:
    """The question that was kept under a name; raises LibraryError."""
    searches = Collections(store).list_searches()
    if name not in searches:
        raise LibraryError(f"there is no saved search {name[:60]!r}", "missing")
    return read_question({key: str(value) for key, value in searches[name].items()})


def make_collection(store: LibraryStore, name: str, about: str = "") -> CollectionList:
    """A new collection. Stored when this returns, as all that follows."""
    Collections(store).create(name, about)
    return all_collections(store)


def change_collection(
    store: LibraryStore, name: str, *, new_name: str | None = None, about: str | None = None, shared: bool | None = None
) -> Study:
    """Another name or description, a link, or none any more; None leaves a part as it is."""
    collections = Collections(store)
    collection = collections.change(name, new_name=new_name, about=about)
    if shared is not None:
        collections.share(collection.name, shared=shared)
    return read_collection(store, collection.name)


def remove_collection(store: LibraryStore, name: str) -> CollectionList:
    """Take a collection away with its positions."""
    Collections(store).delete(name)
    return all_collections(store)


def read_collection(store: LibraryStore, name: str) -> Study:
    """A collection with its positions; raises LibraryError."""
    collections = Collections(store)
    return _study(collections.get(name), collections.list_items(name))


def find_study(engine: Engine, link: str) -> None:
    """Raise LibraryError where no collection is shared by this link."""
    shared_collection(engine, link)


def read_study(engine: Engine, link: str) -> Study:
    """A collection that is shared, for every reader who has its link; raises LibraryError."""
    return _study(*shared_collection(engine, link))


def add_position(
    store: LibraryStore, name: str, place: MarkPlace | None, setup: AnalysisSetup | None, comment: str = "",
    arrows: Sequence[str] = (),
) -> Study:  # fmt: skip
    """A decision of the library, or a position that was set up, at the end of a collection, with what is known of it.

    Raises LibraryError, or an error of the rules. Stored when this returns.
    """
    if place is not None and place.position is None:
        body = _of_decision(store, place)
    elif setup is not None:
        body = _card_of_setup(setup_of(game_of(setup)), "")
        place = None
    else:
        raise LibraryError("name a decision of the library, or set a position up")
    Collections(store).add_item(name, body_text(body), place, comment, _arrows(arrows))
    return read_collection(store, name)


def change_position(
    store: LibraryStore, name: str, number: int, *, comment: str | None = None, arrows: Sequence[str] | None = None,
    to: int | None = None, remove: bool = False,
) -> Study:  # fmt: skip
    """Comment a position, draw arrows, move it in the order or take it out; None leaves a part as it is."""
    collections = Collections(store)
    if remove:
        collections.delete_item(name, number)
        return read_collection(store, name)
    if comment is not None or arrows is not None:
        items = collections.list_items(name)
        if not 1 <= number <= len(items):
            raise LibraryError(f"{name[:60]!r} has no position {number}; there are {len(items)}", "missing")
        before = items[number - 1]
        moves = before.arrows if arrows is None else _arrows(arrows)
        collections.change_item(name, number, before.comment if comment is None else comment, moves)
    if to is not None:
        collections.move_item(name, number, to)
    return read_collection(store, name)


def _arrows(arrows: Sequence[str]) -> list[str]:
    """Arrows as moves in one form; raises an error of the notation for what is none."""
    return [str(move) for arrow in arrows for move in read_moves(arrow)]


def _of_decision(store: LibraryStore, place: MarkPlace) -> CardBody:
    if place.match is None or place.game is None or place.event is None:
        raise LibraryError("a collection holds positions: name a decision of the match, not the match")
    document = store.get_document(place.match)
    before = game_in(document.match, place.game, place.event)
    setup = setup_of(before)
    names = format_players(document.match.names)
    for review in store.list_reviews(place.match):
        lesson = lesson_at(ReviewedMatch(document, review, names), thresholds_named("xg"), place.game, place.event)
        if lesson is not None and lesson.kind in ("play", "double", "take"):
            return card_of(lesson, setup, names)
    move = moments_of(store, [(place.match, place.game, place.event)])[place.match, place.game, place.event].move
    return _card_of_setup(setup, f"{names}, {in_game(place.game + 1, move)}")


def _card_of_setup(setup: AnalysisSetup, source: str) -> CardBody:
    """A position that was set up, judged now; the player who decides becomes X."""
    decider = setup.on_roll if not setup.offered else ("O" if setup.on_roll == "X" else "X")
    if decider == "O":
        setup = swap_players(setup)
    game = game_of(setup)
    kind = "play" if setup.dice is not None else "take" if setup.offered else "double"
    options = _plays(game) if kind == "play" else _actions(game_of(replace(setup, offered=False)), kind)
    choices = () if kind == "play" else tuple(_CHOICES[kind])
    return CardBody(
        kind=kind, setup=setup, options=tuple(options), choices=choices, made="", cost=0.0, reason="", source=source
    )


def _plays(game: Game) -> list[CardOption]:
    ranking = shared.engine_for(game.settings.variant).rank_plays(game, level=_LEVEL)
    return [
        CardOption(
            text=ranked.text, loss=max(0.0, ranked.loss), after=ranked.play.after.player,
            moves=tuple(map(str, ranked.play.moves)), depth=ranked.depth,
        )
        for ranked in ranking.plays[:_KEPT]
    ]  # fmt: skip


def _actions(game: Game, kind: str) -> list[CardOption]:
    if game.phase is not Phase.CUBE_DECISION:
        raise LibraryError("nothing is to be decided here: throw the dice, or give a cube that may be turned")
    decision = shared.engine_for(game.settings.variant).cube_decision(game, level=_LEVEL)
    take, drop = decision.double_take, decision.double_drop
    if take is None or drop is None:
        raise LibraryError("the cube cannot be turned here")
    worth = {"no double": decision.no_double, "double": min(take, drop)} if kind == "double" else {
        "take": -take, "drop": -drop,
    }  # fmt: skip
    best = max(worth.values())
    options = [CardOption(text=text, loss=best - equity, depth=decision.depth) for text, equity in worth.items()]
    return sorted(options, key=lambda option: option.loss)


def _study(collection: Collection, items: Sequence[Item]) -> Study:
    return Study(collection, [_position(item) for item in items])


def _position(item: Item) -> StudyPosition:
    body = read_body(item.body)
    board = scene(game_at(body), tree=body.kind == "play")
    return StudyPosition(
        number=item.number, comment=item.comment, arrows=item.arrows, card=body, board=board,
        address=address_of(body.setup), quiz=bool(body.options),
    )  # fmt: skip


def answer_study(engine: Engine, link: str, number: int, text: str) -> StudyAnswer:
    """An answer to a position of a study, judged by what was stored with it. Raises LibraryError."""
    _, items = shared_collection(engine, link)
    if not 1 <= number <= len(items):
        raise LibraryError(f"there is no position {number}; there are {len(items)}", "missing")
    body = read_body(items[number - 1].body)
    if not body.options:
        raise LibraryError("nobody has judged this position: it cannot be asked")
    answer, loss, play = judge_answer(body, text)
    best = body.options[0]
    return StudyAnswer(
        right=loss < RIGHT, answer=answer, loss=loss, best=best.text, lines=list(lines_of(body)),
        moves=[] if play is None else [str(move) for move in play.moves], best_moves=list(best.moves),
    )  # fmt: skip
