"""Marks, collections and two judges at the command line: ``fullprime library mark`` and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.matches.library_common import open_store, to_limit
from fullprime.cli.options import Database, Json, Limit
from fullprime.cli.standard_input import read_text_argument
from fullprime.cli.terminal import say, say_json
from fullprime.rules.words import count_noun, in_game

if TYPE_CHECKING:
    from fullprime.library.judges import TwoJudges
    from fullprime.library.notes import MarkedPlace
    from fullprime.library.service import LibraryStore

PlaceName = Annotated[
    str, typer.Argument(metavar="PLACE", help="'match 12', 'match 12 game 3 move 14' or an ID; - reads it.")
]
CollectionName = Annotated[str, typer.Argument(metavar="NAME", help="The name of the collection.")]


# -- notes, stars, tags ----------------------------------------------------------------------------------------------
def mark(
    place: PlaceName,
    note: Annotated[str | None, typer.Option("--note", help="The note; empty takes it away.")] = None,
    star: Annotated[bool | None, typer.Option("--star/--no-star", help="Give it a star, or take it away.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag more, as often as you like.")] = None,
    untag: Annotated[list[str] | None, typer.Option("--untag", help="A tag less.")] = None,
    db: Database = None,
    json: Json = False,
) -> None:
    """A note, a star and tags on a match, a decision or a position (by any ID); without options, show them."""
    from fullprime.library.notes import change_mark, mark_at, parse_place

    with open_store(db) as store:
        where = parse_place(store, read_text_argument(place))
        current = mark_at(store, where)
        if note is not None or star is not None or tag or untag:
            less = {name.casefold() for name in untag or ()}
            tags = [name for name in (*current.tags, *(tag or ())) if name.casefold() not in less]
            current = change_mark(store, where, note=note, star=star, tags=tags)
        line = _mark_line(store, current)
    if json:
        say_json(current)
        return
    say(line)
    if current.note:
        say(current.note)


def marks(
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="A part of the note.")] = None,
    match: Annotated[int | None, typer.Option("--match", help="Of this match only.")] = None,
    tag: Annotated[str | None, typer.Option("--tag", help="With this tag.")] = None,
    star: Annotated[bool | None, typer.Option("--star/--no-star", help="With a star, or without.")] = None,
    db: Database = None,
    json: Json = False,
) -> None:
    """Notes, stars and tags, the latest first."""
    from fullprime.library.notes import find_marks

    with open_store(db) as store:
        listing = find_marks(store, match=match, tag=tag, star=star, text=text)
        lines = [_mark_line(store, mark) for mark in listing.marks]
    if json:
        say_json(listing)
        return
    for mark, line in zip(listing.marks, lines, strict=True):
        say(line)
        if mark.note:
            say("  " + mark.note.replace("\n", "\n  "))
    if not listing.marks:
        say("no mark")


def _mark_line(store: LibraryStore, mark: MarkedPlace) -> str:
    from fullprime.library.moves import place_words

    place = mark.place if mark.match is None else place_words(store, mark.match, mark.game, mark.event)
    return " ".join([place, *(["*"] if mark.star else []), *(f"[{tag}]" for tag in mark.tags)])


# -- collections -----------------------------------------------------------------------------------------------------
def collections(db: Database = None, json: Json = False) -> None:
    """The collections, and the saved searches."""
    from fullprime.library.studies import all_collections

    with open_store(db) as store:
        listing = all_collections(store)
    if json:
        say_json(listing)
        return
    for collection in listing.collections:
        shared = f", shared at /study/{collection.link}" if collection.link else ""
        about = f" - {collection.about}" if collection.about else ""
        say(f"{collection.name}: {count_noun(collection.items, 'position')}{shared}{about}")
    for name, question in listing.searches.items():
        say(f"search {name}: {', '.join(f'{key} {value}' for key, value in question.items())}")
    if not (listing.collections or listing.searches):
        say("no collection, no saved search")


def collection(
    name: CollectionName,
    add: Annotated[str | None, typer.Option("--add", help="A decision ('match 12 game 3 move 14') or an ID.")] = None,
    comment: Annotated[str, typer.Option("--comment", help="With --add or --at: the comment.")] = "",
    arrow: Annotated[
        list[str] | None, typer.Option("--arrow", help="With --add or --at: a move, such as 13/7.")
    ] = None,
    at: Annotated[int | None, typer.Option("--at", min=1, help="The position to comment, move or drop.")] = None,
    to: Annotated[int | None, typer.Option("--place", min=1, help="With --at: another place in the order.")] = None,
    drop: Annotated[bool, typer.Option("--drop", help="With --at: take the position out.")] = False,
    about: Annotated[str | None, typer.Option("--about", help="The description.")] = None,
    share: Annotated[bool | None, typer.Option("--share/--unshare", help="A link to it as a study.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take the whole collection away.")] = False,
    db: Database = None,
    json: Json = False,
) -> None:
    """Show a collection, or change it; one that is not there is made by --add or --about."""
    from fullprime.library import studies
    from fullprime.library.notes import named_position

    with open_store(db) as store:
        names = {collection.name for collection in studies.all_collections(store).collections}
        if remove:
            studies.remove_collection(store, name)
            say(f"{name} is removed")
            return
        if name not in names and (add is not None or about is not None):
            studies.make_collection(store, name, about or "")
        if about is not None or share is not None:
            studies.change_collection(store, name, about=about, shared=share)
        if add is not None:
            place, setup = named_position(store, read_text_argument(add))
            studies.add_position(store, name, place, setup, comment, arrow or ())
        if at is not None:
            studies.change_position(store, name, at, comment=comment or None, arrows=arrow or None, to=to, remove=drop)
        study = studies.read_collection(store, name)
    if json:
        say_json(study)
        return
    shared = f" (shared at /study/{study.collection.link})" if study.collection.link else ""
    say(f"{study.collection.name}: {count_noun(study.collection.items, 'position')}{shared}")
    for position in study.positions:
        best = position.card.options[0].text if position.card.options else "-"
        arrows = f" [{' '.join(position.arrows)}]" if position.arrows else ""
        say(f"{position.number:>4}. {position.board.facts.position.text}  {position.card.kind}, best {best}{arrows}")
        if position.comment:
            say("      " + position.comment.replace("\n", "\n      "))


# -- two judges ------------------------------------------------------------------------------------------------------
def judges(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The number of the match.")],
    settle: Annotated[bool, typer.Option("--settle", help="Roll out where they differ; Ctrl-C keeps what is done.")] = (
        False
    ),
    every: Annotated[bool, typer.Option("--all", help="Every decision with both verdicts, not these alone.")] = False,
    limit: Limit = 50,
    db: Database = None,
    json: Json = False,
) -> None:
    """The verdicts of another program in a match's file beside ours, where they are more than 0.05 apart."""
    from fullprime.library.judges import APART, list_unsettled, two_judges
    from fullprime.library.judges import settle as roll_out

    with open_store(db) as store:
        if settle:
            for decision in list_unsettled(store, number)[: to_limit(limit)]:
                roll_out(store, decision)
        comparisons, judged, program = two_judges(store, number, every=every)
    if json:
        say_json({"program": program, "judged": judged, "judges": comparisons})
        return
    if program is None or not judged:
        say(f"match {number}: no other program's verdicts stand beside ours")
        return
    apart = sum(comparison.difference > APART for comparison in comparisons)
    say(f"{count_noun(judged, 'decision')} judged by {program}, too; {apart} more than 0.05 apart")
    for comparison in comparisons[: to_limit(limit)]:
        dice = f" {comparison.dice.words}" if comparison.dice is not None else ""
        place = in_game(comparison.game, comparison.move)
        say(f"{comparison.difference:6.3f} {place}, {comparison.player}{dice}: {comparison.played}")
        for verdict, other in ((comparison.ours, comparison.theirs), (comparison.theirs, comparison.ours)):
            cost = "" if verdict.loss is None else f", the play made costs {verdict.loss:.3f}"
            if verdict.other is not None and other.best != comparison.played:
                cost += f", {other.best} costs {verdict.other:.3f}"
            say(f"       {verdict.program[:40]} {verdict.level}: {verdict.best}{cost}")
        if comparison.rolled_out:
            say(f"       {_format_settlement(comparison)}")


def _format_settlement(comparison: TwoJudges) -> str:
    return "no rollout can settle this one" if comparison.settled is None else comparison.settled.words
