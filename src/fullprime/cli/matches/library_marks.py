"""Marks, collections and two judges at the command line: ``fullprime library mark`` and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.matches.library_common import most, opened, print_json
from fullprime.cli.options import Database, Json, Limit
from fullprime.cli.standard_input import given_text
from fullprime.cli.terminal import say
from fullprime.rules.words import in_game, some, thrown

if TYPE_CHECKING:
    from fullprime.library.fields import MarkJson, TwoJudges
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
    from fullprime.library.notes import mark_at, named_place, put_mark

    with opened(db) as store:
        where = named_place(store, given_text(place))
        found = mark_at(store, where)
        if note is not None or star is not None or tag or untag:
            less = {each.casefold() for each in untag or ()}
            tags = [each for each in (*found["tags"], *(tag or ())) if each.casefold() not in less]
            found = put_mark(store, where, note=note, star=star, tags=tags)
        line = _mark_line(store, found)
    if json:
        print_json(_plain(found))
        return
    say(line)
    if found["note"]:
        say(found["note"])


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

    with opened(db) as store:
        found = find_marks(store, match=match, tag=tag, star=star, text=text)
        lines = [_mark_line(store, each) for each in found["marks"]]
    if json:
        print_json(_plain(found))
        return
    for each, line in zip(found["marks"], lines, strict=True):
        say(line)
        if each["note"]:
            say("  " + each["note"].replace("\n", "\n  "))
    if not found["marks"]:
        say("no mark")


def _mark_line(store: LibraryStore, mark: MarkJson) -> str:
    from fullprime.library.moves import place_words

    number = mark["match"]
    place = mark["place"] if number is None else place_words(store, number, mark["game"], mark["event"])
    return " ".join([place, *(["*"] if mark["star"] else []), *(f"[{each}]" for each in mark["tags"])])


# -- collections -----------------------------------------------------------------------------------------------------
def collections(db: Database = None, json: Json = False) -> None:
    """The collections, and the saved searches."""
    from fullprime.library.studies import all_collections

    with opened(db) as store:
        found = all_collections(store)
    if json:
        print_json(_plain(found))
        return
    for each in found["collections"]:
        shared = f", shared at /study/{each['link']}" if each["link"] else ""
        say(f"{each['name']}: {some(each['items'], 'position')}{shared}{' - ' if each['about'] else ''}{each['about']}")
    for name, question in found["searches"].items():
        say(f"search {name}: {', '.join(f'{key} {value}' for key, value in question.items())}")
    if not (found["collections"] or found["searches"]):
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

    with opened(db) as store:
        known = {each["name"] for each in studies.all_collections(store)["collections"]}
        if remove:
            studies.remove_collection(store, name)
            say(f"{name} is removed")
            return
        if name not in known and (add is not None or about is not None):
            studies.make_collection(store, name, about or "")
        if about is not None or share is not None:
            studies.change_collection(store, name, about=about, shared=share)
        if add is not None:
            place, setup = named_position(store, given_text(add))
            studies.add_position(store, name, place, setup, comment, arrow or ())
        if at is not None:
            studies.change_position(store, name, at, comment=comment or None, arrows=arrow or None, to=to, remove=drop)
        found = studies.read_collection(store, name)
    if json:
        print_json(_plain(found))
        return
    shared = f" (shared at /study/{found['link']})" if found["link"] else ""
    say(f"{found['name']}: {some(found['items'], 'position')}{shared}")
    for each in found["positions"]:
        best = each["card"]["options"][0]["text"] if each["card"]["options"] else "-"
        arrows = f" [{' '.join(each['arrows'])}]" if each["arrows"] else ""
        say(f"{each['number']:>4}. {each['board']['position']}  {each['card']['kind']}, best {best}{arrows}")
        if each["comment"]:
            say("      " + each["comment"].replace("\n", "\n      "))


def _plain(found: object) -> object:
    """Setups, which are records, as plain values."""
    from dataclasses import asdict, is_dataclass

    if is_dataclass(found) and not isinstance(found, type):
        return asdict(found)
    if isinstance(found, dict):
        return {key: _plain(value) for key, value in found.items()}
    return [_plain(each) for each in found] if isinstance(found, list) else found


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
    from fullprime.library.judges import APART, two_judges, unsettled
    from fullprime.library.judges import settle as roll_out

    with opened(db) as store:
        if settle:
            for each in unsettled(store, number)[: most(limit)]:
                roll_out(store, each)
        found, judged, program = two_judges(store, number, every=every)
    if json:
        print_json({"program": program, "judged": judged, "judges": found})
        return
    if program is None or not judged:
        say(f"match {number}: no other program's verdicts stand beside ours")
        return
    apart = sum(each["difference"] > APART for each in found)
    say(f"{some(judged, 'decision')} judged by {program}, too; {apart} more than 0.05 apart")
    for one in found[: most(limit)]:
        dice = f" {thrown(one['dice'])}" if one["dice"] else ""
        say(f"{one['difference']:6.3f} {in_game(one['game'], one['move'])}, {one['player']}{dice}: {one['played']}")
        for whose, other in ((one["ours"], one["theirs"]), (one["theirs"], one["ours"])):
            cost = "" if whose["loss"] is None else f", the play made costs {whose['loss']:.3f}"
            if whose["other"] is not None and other["best"] != one["played"]:
                cost += f", {other['best']} costs {whose['other']:.3f}"
            say(f"       {whose['program'][:40]} {whose['level']}: {whose['best']}{cost}")
        if "settled" in one:
            say(f"       {_settled(one)}")


def _settled(one: TwoJudges) -> str:
    settled = one["settled"]
    return "no rollout can settle this one" if settled is None else settled["words"]
