"""Collections of positions, and studies: collections that are shared by a link, played through or asked as a quiz."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Engine

from fullprime.analysis.setups import DeskSetup, game_of, scene, setup_of
from fullprime.engine import shared
from fullprime.learn.flashcards.fields import CardBody, CardOption
from fullprime.learn.flashcards.making import card_of, turned
from fullprime.learn.flashcards.service import body_text, game_at, judged, lines_of, read_body
from fullprime.learn.match_lessons import lesson_at
from fullprime.library.fields import CollectionJson, CollectionsJson, ItemJson, ItemsJson, StudyAnswer
from fullprime.library.places import LibraryError, address_of, wanted_of
from fullprime.library.places import game_at as game_in
from fullprime.library.service import LibraryStore, Wanted
from fullprime.library.store.collections import Collection, Collections, Item, shared_collection
from fullprime.library.store.marks import Place
from fullprime.library.store.moments import moments_of
from fullprime.reviews.matches.reviewing import ReviewedMatch, thresholds_named
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import read_moves
from fullprime.rules.words import in_game, versus

_CHOICES = {"double": ("no double", "double"), "take": ("take", "drop")}
_LEVEL, _KEPT = "1-ply", 8
"""The level at which a position that was set up is judged, and the plays that are kept of it."""
RIGHT = 0.02
"""An answer that costs less is right: eXtreme Gammon's mark for an error."""


def all_collections(store: LibraryStore) -> CollectionsJson:
    """The collections and the saved searches of a library."""
    collections = Collections(store)
    searches = {
        name: {key: str(value) for key, value in question.items()} for name, question in collections.searches().items()
    }
    return {"collections": [collection_json(each) for each in collections.all()], "searches": searches}


def save_search(store: LibraryStore, name: str, question: Mapping[str, str]) -> CollectionsJson:
    """Give a search a name; it must be one that can be asked. Without conditions the one of that name is taken away."""
    said = {key: text.strip() for key, text in question.items() if text.strip()}
    wanted_of(said)
    if said:
        Collections(store).save_search(name, {**said})
    else:
        Collections(store).forget_search(name)
    return all_collections(store)


def forget_search(store: LibraryStore, name: str) -> None:
    """Take a saved search away; raises LibraryError where there is none."""
    Collections(store).forget_search(name)


def saved_search(store: LibraryStore, name: str) -> Wanted:
    """The question that was kept under a name; raises LibraryError."""
    searches = Collections(store).searches()
    if name not in searches:
        raise LibraryError(f"there is no saved search {name[:60]!r}", "missing")
    return wanted_of({key: str(value) for key, value in searches[name].items()})


def make_collection(store: LibraryStore, name: str, about: str = "") -> CollectionsJson:
    """A new collection. Stored when this returns, as all that follows."""
    Collections(store).make(name, about)
    return all_collections(store)


def change_collection(
    store: LibraryStore, name: str, *, new_name: str | None = None, about: str | None = None, shared: bool | None = None
) -> ItemsJson:
    """Another name or description, a link, or none any more; None leaves a part as it is."""
    collections = Collections(store)
    found = collections.change(name, new_name=new_name, about=about)
    if shared is not None:
        collections.share(found.name, shared=shared)
    return read_collection(store, found.name)


def remove_collection(store: LibraryStore, name: str) -> CollectionsJson:
    """Take a collection away with its positions."""
    Collections(store).remove(name)
    return all_collections(store)


def collection_json(found: Collection) -> CollectionJson:
    """A collection as JSON values."""
    return {"name": found.name, "about": found.about, "items": found.items, "link": found.link}


def read_collection(store: LibraryStore, name: str) -> ItemsJson:
    """A collection with its positions; raises LibraryError."""
    collections = Collections(store)
    return _items(collections.one(name), collections.items(name))


def find_study(engine: Engine, link: str) -> None:
    """Raise LibraryError where no collection is shared by this link."""
    shared_collection(engine, link)


def read_study(engine: Engine, link: str) -> ItemsJson:
    """A collection that is shared, for anybody who has its link; raises LibraryError."""
    return _items(*shared_collection(engine, link))


def add_position(
    store: LibraryStore, name: str, place: Place | None, setup: DeskSetup | None, comment: str = "",
    arrows: Sequence[str] = (),
) -> ItemsJson:  # fmt: skip
    """A decision of the library, or a position that was set up, at the end of a collection, with what is known of it.

    Raises LibraryError, or an error of the rules. Stored when this returns.
    """
    if place is not None and place.position is None:
        body = _of_decision(store, place)
    elif setup is not None:
        body = _of_setup(setup_of(game_of(setup)), "")
        place = None
    else:
        raise LibraryError("name a decision of the library, or set a position up")
    Collections(store).add(name, body_text(body), place, comment, _arrows(arrows))
    return read_collection(store, name)


def change_position(
    store: LibraryStore, name: str, number: int, *, comment: str | None = None, arrows: Sequence[str] | None = None,
    to: int | None = None, remove: bool = False,
) -> ItemsJson:  # fmt: skip
    """Comment a position, draw arrows, move it in the order or take it out; None leaves a part as it is."""
    collections = Collections(store)
    if remove:
        collections.drop(name, number)
        return read_collection(store, name)
    if comment is not None or arrows is not None:
        items = collections.items(name)
        if not 1 <= number <= len(items):
            raise LibraryError(f"{name[:60]!r} has no position {number}; there are {len(items)}", "missing")
        before = items[number - 1]
        moves = before.arrows if arrows is None else _arrows(arrows)
        collections.edit(name, number, before.comment if comment is None else comment, moves)
    if to is not None:
        collections.move(name, number, to)
    return read_collection(store, name)


def _arrows(arrows: Sequence[str]) -> list[str]:
    """Arrows as moves in one form; raises an error of the notation for what is none."""
    return [str(move) for each in arrows for move in read_moves(each)]


def _of_decision(store: LibraryStore, place: Place) -> CardBody:
    if place.match is None or place.game is None or place.event is None:
        raise LibraryError("a collection holds positions: name a decision of the match, not the match")
    document = store.document(place.match)
    before = game_in(document.match, place.game, place.event)
    setup = setup_of(before)
    names = versus(document.match.names)
    for review in store.reviews(place.match):
        lesson = lesson_at(ReviewedMatch(document, review, names), thresholds_named("xg"), place.game, place.event)
        if lesson is not None and lesson["kind"] in ("play", "double", "take"):
            return card_of(lesson, setup, names)
    move = moments_of(store, [(place.match, place.game, place.event)])[place.match, place.game, place.event].move
    return _of_setup(setup, f"{names}, {in_game(place.game + 1, move)}")


def _of_setup(setup: DeskSetup, source: str) -> CardBody:
    """A position that was set up, judged now; the player who decides becomes X."""
    decider = setup.on_roll if not setup.offered else ("O" if setup.on_roll == "X" else "X")
    if decider == "O":
        setup = turned(setup)
    game = game_of(setup)
    kind = "play" if setup.dice is not None else "take" if setup.offered else "double"
    options = _plays(game) if kind == "play" else _actions(game_of(replace(setup, offered=False)), kind)
    return {
        "kind": kind, "setup": setup, "options": options, "made": "", "cost": 0.0, "reason": "", "source": source,
        "choices": [] if kind == "play" else list(_CHOICES[kind]),
    }  # fmt: skip


def _plays(game: Game) -> list[CardOption]:
    ranking = shared.engine_for(game.settings.variant).rank_plays(game, level=_LEVEL)
    found: list[CardOption] = [
        {
            "text": each.text, "loss": max(0.0, each.loss), "after": list(each.play.after.player),
            "moves": [str(move) for move in each.play.moves], "depth": each.depth, "deviation": None,
        }
        for each in ranking.plays[:_KEPT]
    ]  # fmt: skip
    return found


def _actions(game: Game, kind: str) -> list[CardOption]:
    if game.phase is not Phase.CUBE_DECISION:
        raise LibraryError("nothing is to be decided here: throw the dice, or give a cube that may be turned")
    found = shared.engine_for(game.settings.variant).cube_decision(game, level=_LEVEL)
    take, drop = found.double_take, found.double_drop
    if take is None or drop is None:
        raise LibraryError("the cube cannot be turned here")
    worth = {"no double": found.no_double, "double": min(take, drop)} if kind == "double" else {
        "take": -take, "drop": -drop,
    }  # fmt: skip
    best = max(worth.values())
    options: list[CardOption] = [
        {
            "text": text, "loss": best - equity, "after": [], "moves": [], "depth": found.depth, "deviation": None,
        }
        for text, equity in worth.items()
    ]  # fmt: skip
    return sorted(options, key=lambda each: each["loss"])


def _items(found: Collection, items: Sequence[Item]) -> ItemsJson:
    return {**collection_json(found), "positions": [_item(each) for each in items]}


def _item(item: Item) -> ItemJson:
    body = read_body(item.body)
    game = game_at(body)
    board = scene(game)
    if body["kind"] != "play":
        board.pop("tree", None)
    return {
        "number": item.number, "comment": item.comment, "arrows": list(item.arrows), "card": body, "board": board,
        "address": address_of(body["setup"]), "quiz": bool(body["options"]),
    }  # fmt: skip


def answer_study(engine: Engine, link: str, number: int, text: str) -> StudyAnswer:
    """An answer to a position of a study, judged by what was stored with it. Raises LibraryError."""
    _, items = shared_collection(engine, link)
    if not 1 <= number <= len(items):
        raise LibraryError(f"there is no position {number}; there are {len(items)}", "missing")
    body = read_body(items[number - 1].body)
    if not body["options"]:
        raise LibraryError("nobody has judged this position: it cannot be asked")
    said, loss, play = judged(body, text)
    best = body["options"][0]
    return {
        "right": loss < RIGHT, "answer": said, "loss": round(loss, 4), "best": best["text"], "lines": lines_of(body),
        "moves": [] if play is None else [str(move) for move in play.moves], "best_moves": best["moves"],
    }  # fmt: skip
