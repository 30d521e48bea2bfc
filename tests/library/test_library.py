"""The library: every match once, every byte kept, people under all their names, boards found by pattern.

Everything is shown on SQLite and on a real PostgreSQL server.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, text
from tests.formats.generate import random_match
from tests.formats.shared import shared

from fullprime.common.json_values import to_json
from fullprime.db.errors import StoreError
from fullprime.db.schema.base import metadata
from fullprime.formats import Document, FormatError, Problem, read, write
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.patterns import Pattern
from fullprime.library.store.search import Search, Wanted, select_fitting
from fullprime.reviews import match_facts
from fullprime.reviews.decision import Decision, GameStage, Kind, Option
from fullprime.reviews.luck import RollLuck
from fullprime.reviews.review import Review
from fullprime.rules.dates import date_of
from fullprime.rules.dice import Roll
from fullprime.rules.errors import PositionError
from fullprime.rules.game import ActionKind, opening
from fullprime.rules.position import Position
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player, Score, Settings

TOURNAMENT = Settings(length=5)


@pytest.fixture
def library(any_database: str) -> Iterator[LibraryStore]:
    store = LibraryStore(any_database)
    yield store
    store.close()


def match_of(seed: int, names: tuple[str, str] = ("Ann", "Bob"), **info: str) -> Match:
    match = random_match(random.Random(seed), TOURNAMENT, games=3)
    return replace(match, names=names, info=MappingProxyType(info))


def file_of(match: Match, to: str = "mat") -> bytes:
    return write(Document(match), to)[0]


def add(library: LibraryStore, data: bytes, name: str = "file.mat") -> tuple[int, ...]:
    added = library.add(data, name, read(data, name=name).documents)
    return added.new or added.known


def swapped(match: Match) -> Match:
    """The same match with the players in each other's seats."""

    def turned(record: GameRecord) -> GameRecord:
        start = record.start
        points = start.score.points
        score = replace(start.score, points=(points[1], points[0]))
        events = tuple(
            opening(event.dice[1], event.dice[0]) if event.kind is ActionKind.OPENING else event
            for event in record.events
        )
        return replace(record, start=replace(start, score=score), events=events)

    return replace(match, names=match.names[::-1], games=tuple(turned(record) for record in match.games))


# -- what happened -----------------------------------------------------------------------------------------------
@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_the_hash_of_a_match_knows_nothing_but_the_facts(seed: int) -> None:
    match = random_match(random.Random(seed), games=3)
    facts = match_facts.facts_of(match)
    other = match_facts.facts_of(swapped(match))
    assert (other.hash, other.first) == (facts.hash, facts.first.other)
    assert match_facts.facts_of(replace(match, info=MappingProxyType({"Event": "X"}))).hash == facts.hash
    if facts.rolls:
        last = match.games[-1]
        shorter = replace(match, games=(*match.games[:-1], replace(last, events=last.events[:-2])))
        assert match_facts.facts_of(shorter).hash != facts.hash


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_the_quick_replay_is_the_slow_one(seed: int) -> None:
    for record in random_match(random.Random(seed), games=2).games:
        slow = [(entry.before, entry.after) for entry in record.entries()]
        assert [(step.before, step.after) for step in match_facts.replay(record)] == slow


def test_short_matches_need_the_same_names() -> None:
    record = GameRecord(Match(TOURNAMENT).next_game().games[0].start, (opening(3, 1),))
    one, other = (Match(TOURNAMENT, names, (record,)) for names in (("Ann", "Bob"), ("Ann", "Cy")))
    assert match_facts.facts_of(one).hash != match_facts.facts_of(other).hash
    assert match_facts.facts_of(replace(one, names=("ann ", "BOB"))).hash == match_facts.facts_of(one).hash


def test_a_record_that_cannot_be_followed_is_told_as_far_as_it_goes() -> None:
    match = match_of(1)
    broken = replace(match.games[0], events=(*match.games[0].events[:5], opening(3, 1), *match.games[0].events[5:]))
    steps = list(match_facts.replay(broken))
    assert (len(steps), steps[-1].after) == (6, None)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2023.11.26", "2023-11-26"),
        ("2004-05-06 07:08:09", "2004-05-06"),
        ("Thursday May 6, 2004", "2004-05-06"),
        ("6 May 2004", "2004-05-06"),
        ("26/11/2023", "2023-11-26"),
        ("11/26/2023", "2023-11-26"),
        ("09/08/2023", None),
        ("yesterday", None),
        ("2023.13.01", None),
    ],
)
def test_dates(text: str, date: str | None) -> None:
    assert date_of({"EventDate": text}) == date


# -- files in ----------------------------------------------------------------------------------------------------
def test_a_match_and_its_file_come_back_as_they_were(library: LibraryStore) -> None:
    match = match_of(1, Event="Open", Round="2", EventDate="2026.03.14")
    data = file_of(match, "json")
    (number,) = add(library, data, "match.json")
    assert library.get_document(number).match == match
    (copy,) = library.list_copies(number)
    assert (copy.name, copy.format, copy.place, copy.swapped) == ("match.json", "json", 0, False)
    assert library.get_original(copy.source) == ("match.json", data)
    assert library.read_copy(copy).match == match
    (row,) = Search(library).list_matches(Wanted())
    assert (row.names, row.length, row.event, row.date) == (match.names, 5, "Open", "2026-03-14")
    assert (row.points, row.games) == (match.score.points, len(match.games))
    assert row.winner == match.score.match_winner(match.settings)


def test_the_same_match_is_stored_once_whatever_its_format(library: LibraryStore) -> None:
    match = match_of(2)
    first = add(library, file_of(match, "mat"), "a.mat")
    for name, stored in (("b.sgf", match), ("c.json", swapped(match))):
        assert add(library, file_of(stored, name[2:]), name) == first
    assert library.add(file_of(match, "mat"), "again.mat", ()).file_known
    assert (library.count(), library.count_files()) == (1, 3)
    copies = library.list_copies(first[0])
    assert [(copy.name, copy.swapped) for copy in copies] == [("a.mat", False), ("b.sgf", False), ("c.json", True)]
    assert library.read_copy(copies[2]).match.names == match.names[::-1]


def test_a_second_file_adds_what_the_first_did_not_say(library: LibraryStore) -> None:
    match = match_of(3, names=("", "Bob"))
    (number,) = add(library, file_of(match, "json"))
    facts = replace(
        swapped(match), names=("Bobby", "Ann"), info=MappingProxyType({"Event": "Open", "EventDate": "2026.1.2"})
    )
    assert add(library, file_of(facts, "json")) == (number,)
    assert library.get_document(number).match.names == ("Ann", "Bob")
    (row,) = Search(library).list_matches(Wanted(player="ann"))
    assert (row.names, row.event, row.date) == (("Ann", "Bob"), "Open", "2026-01-02")


def test_several_matches_in_a_file_and_problems_are_kept(library: LibraryStore) -> None:
    matches = [match_of(seed) for seed in (4, 5)]
    documents = [Document(match, report=(Problem("odd", line=number),)) for number, match in enumerate(matches, 1)]
    added = library.add(b"two", "two.txt", documents)
    assert (len(added.new), added.problems) == (2, ("line 1: odd", "line 2: odd"))
    assert [library.list_copies(number)[0].place for number in added.new] == [0, 1]
    assert library.list_copies(added.new[1])[0].problems == ("line 2: odd",)


def test_half_a_file_is_never_stored(library: LibraryStore) -> None:
    good, bad = match_of(6), match_of(7, names=("Ann", "\ud800"))
    with pytest.raises(StoreError):
        library.add(b"both", "both.txt", [Document(good), Document(bad)])
    assert (library.count(), library.count_files()) == (0, 0)
    with pytest.raises(FormatError):
        library.add(b"both", "both.txt", [Document(good), Document(None)])  # type: ignore[arg-type]
    assert (library.count(), library.count_files()) == (0, 0)
    assert library.add(b"both", "both.txt", [Document(good)]).new


def test_names_that_a_database_cannot_hold(library: LibraryStore) -> None:
    match = match_of(8, names=("Ann\x00", "Bob"), Event="O\x00pen")
    (number,) = library.add(file_of(match, "json"), "match.json", [Document(match)]).new
    assert library.get_document(number).match == match
    assert Search(library).list_matches(Wanted(player="ann"))[0].event == "Open"


def test_what_is_removed_is_gone(library: LibraryStore) -> None:
    one, other = (add(library, file_of(match_of(seed)), f"{seed}.mat")[0] for seed in (9, 10))
    add(library, file_of(match_of(9), "sgf"), "9.sgf")
    assert library.delete([one]) == 2
    assert (library.count(), library.count_files()) == (1, 1)
    with pytest.raises(StoreError, match=f"no match {one}"):
        library.get_document(one)
    with pytest.raises(StoreError, match="nothing was removed"):
        library.delete([other, one])
    assert library.get_document(other).match.names == ("Ann", "Bob")
    library.delete([other])
    with library.engine.begin() as connection:
        for table in metadata.tables.values():
            if table.name.startswith("library_"):
                assert connection.execute(select(func.count()).select_from(table)).scalar() == 0, table.name
    assert add(library, file_of(match_of(9)), "9.mat")


# -- people ------------------------------------------------------------------------------------------------------
def test_people_are_merged_and_parted_on_request(library: LibraryStore) -> None:
    for seed, names in enumerate((("Ann", "Bob"), ("ann ", "Cy"), ("annie_77", "Bob"), ("Annette", "Cy"))):
        add(library, file_of(match_of(20 + seed, names), "json"))
    assert {person.name: person.matches for person in library.list_people()} == {
        "Ann": 2, "Bob": 2, "Cy": 2, "annie_77": 1, "Annette": 1,
    }  # fmt: skip
    assert library.get_person("ANN").names == ("Ann", "ann ")
    assert library.get_person("77").name == "annie_77"
    with pytest.raises(StoreError, match="could be"):
        library.get_person("nn")
    merged = library.merge("Ann", ["annie_77"])
    assert (merged.name, merged.names, merged.matches) == ("Ann", ("Ann", "ann ", "annie_77"), 3)
    search = Search(library)
    assert [row.names[0] for row in search.list_matches(Wanted(player="annie_77", opponent="Bob"))] == [
        "Ann",
        "annie_77",
    ]
    add(library, file_of(match_of(30, ("annie_77", "Di")), "json"))
    assert library.get_person("Ann").matches == 4, "later matches under a merged name are the same person's"
    assert library.split("annie_77").matches == 2
    assert library.get_person("ann").matches == 2
    with pytest.raises(StoreError, match="no other name"):
        library.split("annie_77")
    with pytest.raises(StoreError, match="no player"):
        library.merge("Ann", ["Zoe"])


# -- search ------------------------------------------------------------------------------------------------------
def test_search_by_what_stands_around_the_board(library: LibraryStore) -> None:
    first = match_of(40, ("Ann", "Bob"), Event="Nordic Open", EventDate="2026.03.14")
    second = replace(match_of(41, ("Cy", "Ann"), Event="Club_night", EventDate="2025.01.01"), settings=TOURNAMENT)
    third = random_match(random.Random(42), Settings(), games=1)
    numbers = [add(library, file_of(match, "json"))[0] for match in (first, second, third)]
    search = Search(library)

    def found(**wanted: object) -> list[int]:
        return [row.number for row in search.list_matches(Wanted(**wanted))]  # type: ignore[arg-type]

    assert found() == [numbers[2], numbers[1], numbers[0]], "by date, those without one first"
    assert found(player="Ann") == [numbers[1], numbers[0]]
    assert found(player="Ann", opponent="cy") == [numbers[1]]
    assert found(event="nordic open") == [numbers[0]]
    assert found(event="b_n") == [numbers[1]], "an underscore is no wildcard"
    assert found(since="2026-01-01") == [numbers[0]]
    assert found(until="2025-12-31") == [numbers[1]]
    assert found(length=0) == [numbers[2]]
    assert found(length=5) == [numbers[1], numbers[0]]
    assert found(variant="nackgammon") == []
    assert search.count_matches(Wanted(player="Ann")) == 2
    points = second.games[1].start.score.points if len(second.games) > 1 else (0, 0)
    assert numbers[1] in found(score=points)
    assert numbers[1] in found(score=points[::-1])
    assert (numbers[1] in found(player="Ann", score=points)) == (points[0] == points[1])
    assert numbers[1] in found(player="Ann", score=points[::-1])
    assert numbers[1] in found(away=(5 - points[0], 5 - points[1]))


PATTERNS = (
    "24:2 13:5 8:3 6:5 / *",
    "6:3+ * / *",
    "bar:1+ * / *",
    "* / bar:2+ *",
    "1-6:2+ * / *",
    "7-24:0 bar:0 * / 7-24:0 bar:0 *",
    "off:1-9 * / *",
    "13:0 24:1 8:2-3 * / 13:* 6:4 *",
    "* / *",
)
RARE = ("* / bar:2+ *", "1-6:2+ * / *", "13:0 24:1 8:2-3 * / 13:* 6:4 *")
"""In the few matches of these tests nothing need be like that."""


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_index_finds_what_comparing_every_board_finds(
    tmp_path_factory: pytest.TempPathFactory, pattern: str
) -> None:
    matches = [random_match(random.Random(seed), TOURNAMENT, games=3) for seed in range(50, 53)]
    path = tmp_path_factory.getbasetemp() / "patterns.db"
    existed = path.exists()
    library = LibraryStore(str(path))
    if not existed:
        for match in matches:
            add(library, file_of(match, "json"))
    wanted = Pattern.from_text(pattern)
    boards = {number: list(match_facts.decision_boards(match)) for number, match in enumerate(matches, 1)}
    slow = [(number, decided.game, decided.event, decided.player) for number in boards for decided in boards[number]
            if wanted.fits(decided.position)]  # fmt: skip
    quick = [
        (hit.match, hit.game, hit.event, hit.player) for hit in Search(library).list_boards(Wanted(pattern=wanted))
    ]
    assert sorted(quick) == sorted(slow)
    assert slow or pattern in RARE
    library.close()


def test_boards_are_found_on_every_database(library: LibraryStore) -> None:
    match = match_of(60)
    (number,) = add(library, file_of(match, "json"))
    search = Search(library)
    for pattern in PATTERNS:
        wanted = Pattern.from_text(pattern)
        slow = [
            (decided.game, decided.event)
            for decided in match_facts.decision_boards(match)
            if wanted.fits(decided.position)
        ]
        assert [(hit.game, hit.event) for hit in search.list_boards(Wanted(pattern=wanted))] == slow, pattern
    dice = Roll(6, 1)
    hits = search.list_boards(Wanted(dice=dice, player="Ann"))
    assert [(hit.match, hit.game, hit.event) for hit in hits] == [
        (number, decided.game, decided.event)
        for decided in match_facts.decision_boards(match)
        if decided.dice == dice and decided.player is Player.X
    ]
    assert all(hit.loss is None and hit.dice == dice for hit in hits)


def test_a_pattern_is_answered_by_the_index_alone(library: LibraryStore) -> None:
    if library.engine.dialect.name != "sqlite":
        pytest.skip("the plan is SQLite's")
    query = select_fitting(Pattern.from_text("6:3+ bar * / *")).compile(
        library.engine, compile_kwargs={"literal_binds": True}
    )
    with library.engine.begin() as connection:
        plan = " ".join(str(row) for row in connection.execute(text(f"EXPLAIN QUERY PLAN {query}")))
    assert "COVERING INDEX ix_library_boards_places" in plan


def test_figures_are_found_by_indexes_and_not_sorted_by_the_database(library: LibraryStore) -> None:
    if library.engine.dialect.name != "sqlite":
        pytest.skip("the plan is SQLite's")
    query = Search(library).select_figures(Wanted()).compile(library.engine, compile_kwargs={"literal_binds": True})
    with library.engine.begin() as connection:
        plan = " ".join(str(row) for row in connection.execute(text(f"EXPLAIN QUERY PLAN {query}")))
    assert "COVERING INDEX ix_library_reviews_complete" in plan
    assert "TEMP B-TREE" not in plan


def test_searches_go_by_the_matches_and_are_not_sorted_where_the_order_is_there(library: LibraryStore) -> None:
    if library.engine.dialect.name != "sqlite":
        pytest.skip("the plan is SQLite's")
    search = Search(library)

    def plan(wanted: Wanted) -> str:
        query = search._decisions(wanted) if wanted.of_decisions else search._positions(wanted)
        with library.engine.begin() as connection:
            compiled = query.compile(connection, compile_kwargs={"literal_binds": True})
            return " ".join(str(row) for row in connection.execute(text(f"EXPLAIN QUERY PLAN {compiled}")))

    assert "TEMP B-TREE" not in plan(Wanted(pattern=Pattern.from_text("6:3+ bar * / *")))
    for wanted in (Wanted(loss=0.1), Wanted(theme="misses a hit"), Wanted(mistake="wrong take")):
        assert "ix_library_decisions_match_loss (match_id=? AND loss>?)" in plan(wanted)


def test_a_decision_is_read_without_the_rest_of_its_review(library: LibraryStore) -> None:
    match = match_of(4)
    (number,) = add(library, file_of(match, "json"), "a.json")
    library.add_review(number, review_of(match, [0.3, 0.2], level="deep"))
    newest = review_of(match, [0.1, 0.0, 0.25, 0.02])
    library.add_review(number, newest)
    library.add_review(number, review_of(match, [0.5], level="standard", complete=False))
    places = [(number, decision.game, decision.event) for decision in newest.decisions]
    decisions = list(library.find_decisions([*places, (number, 0, 10_000), (number + 1, 0, 3)]))
    assert [decision for _, decision in decisions] == list(library.list_reviews(number)[1].decisions)
    for alone, decision in decisions:
        (record,) = alone.games
        assert (record.start, record.events) == (
            match.games[decision.game].start, match.games[decision.game].events[: decision.event],
        )  # fmt: skip
        assert (alone.names, alone.settings) == (match.names, match.settings)
    assert not list(LibraryStore(library.engine, shelf=7).find_decisions(places)), "nobody else's"


@settings(max_examples=50)
@given(st.integers(0, 10_000))
def test_a_position_is_a_pattern_that_only_it_fits(seed: int) -> None:
    match = random_match(random.Random(seed), TOURNAMENT, games=1)
    boards = {decided.position for decided in match_facts.decision_boards(match)}
    one = sorted(boards, key=lambda position: position.text)[seed % len(boards)]
    pattern = Pattern.from_text(one.text)
    assert [position for position in boards if pattern.fits(position)] == [one]
    assert match_facts.position_of(match_facts.cells_of(one).cells) == one


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("6:3", "one '/'"),
        ("6 / 7 / 8", "one '/'"),
        ("/ *", "names its places"),
        ("25 / *", "1 to 24"),
        ("x / *", "written"),
        ("6:3- / *", "written"),
        ("6:5-2 / *", "upwards"),
        ("3-8:2+ 5 / *", "named twice"),
        ("8-3 / *", "1 to 24"),
    ],
)
def test_patterns_that_are_none(pattern: str, why: str) -> None:
    with pytest.raises(PositionError, match=why):
        Pattern.from_text(pattern)


def test_a_licence_in_a_pattern() -> None:
    licensed = Position.from_text("24:15 licence / 24:15")
    plain = Position.from_text("24:15 / 24:15")
    assert Pattern.from_text("24:15 licence / *").fits(licensed)
    assert not Pattern.from_text("24:15 licence / *").fits(plain)
    assert not Pattern.from_text("24:15 / *").fits(licensed)
    assert Pattern.from_text("24:15 * / *").fits(licensed)


# -- reviews -----------------------------------------------------------------------------------------------------
def review_of(match: Match, losses: list[float], *, complete: bool = True, level: str = "fast") -> Review:
    """An invented review: the first plays of the match, each with its loss."""
    plays = [decided for decided in match_facts.decision_boards(match) if decided.dice is not None]
    decisions = tuple(
        Decision(
            play.game, play.event, play.player, Kind.PLAY, GameStage.OPENING,
            (Option("best", 0.1, 0.0, 0.1, 0), Option("played", 0.1 - loss, loss, 0.1 - loss, 0)), 1, 0.0,
            counts=True, counts_gnu=True, dice=play.dice, legal=2,
        )
        for play, loss in zip(plays, losses, strict=False)
    )  # fmt: skip
    rolls = (RollLuck(0, 0, Player.X, Roll(3, 1), 0.25, 0.1, 0.5), RollLuck(0, 2, Player.O, Roll(6, 1), -0.5, 0.1, 0.5))
    return Review(level, "Test", "backgammon", 5, len(match.games), complete, decisions, rolls, ())


def test_reviews_are_kept_and_searched(library: LibraryStore) -> None:
    match = match_of(70)
    (number,) = add(library, file_of(match, "json"))
    search = Search(library)
    assert search.list_boards(Wanted(loss=0.0)) == []
    partial = review_of(match, [0.3], complete=False)
    library.add_review(number, partial)
    assert list(map(to_json, library.list_reviews(number))) == [to_json(partial)]
    assert search.list_boards(Wanted(loss=0.0)) == [], "half a review is kept to go on with, and not counted"
    review = review_of(match, [0.0, 0.01, 0.05, 0.2])
    library.add_review(number, review)
    assert list(map(to_json, library.list_reviews(number))) == [to_json(review)]
    assert [(hit.loss, hit.verdict) for hit in search.list_boards(Wanted(loss=0.01))] == [
        (0.2, "blunder"), (0.05, "error"), (0.01, "ok"),
    ]  # fmt: skip
    (worst,) = search.list_boards(Wanted(verdicts=("blunder",)))
    assert worst.position == match_facts.boards_at(match)[worst.game, worst.event][0]
    assert (worst.played, worst.best, worst.stage) == ("played", "best", "opening")
    exact = Pattern.from_text(worst.position.text)
    assert search.list_boards(Wanted(pattern=exact, verdicts=("blunder",), dice=worst.dice)) == [worst]
    assert search.list_boards(Wanted(pattern=exact, kind="take")) == []
    assert search.get_luck(Wanted()) == {number: (0.25, -0.5)}
    assert [row.reviewed for row in search.list_matches(Wanted(reviewed=True))] == [True]
    library.add_review(number, review_of(match, [0.5], level="deep"))
    assert search.load_figures(Wanted()).loss.tolist() == [0.5], "the newest review counts"
    assert len(search.load_figures(Wanted(level="fast")).loss) == 4
    elsewhere = replace(review, decisions=(replace(review.decisions[0], event=9999),))
    with pytest.raises(StoreError, match="ends before a decision"):
        library.add_review(number, elsewhere)


# -- the database ------------------------------------------------------------------------------------------------
def test_a_password_is_not_told() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError) as refused:
        LibraryStore("postgresql://ann:secret@127.0.0.1:1/library")
    assert "secret" not in str(refused.value)


@pytest.mark.broad
def test_the_same_match_in_real_files_of_many_programs(library: LibraryStore) -> None:
    numbers = {
        add(library, path.read_bytes(), path.name)
        for path in sorted(shared("corpus").rglob("gbf_test.*"))
        if path.suffix in (".mat", ".sgf", ".xg", ".ogxm")
    }
    assert len(numbers) == 1
    (number,) = numbers.pop()
    assert {copy.program is None for copy in library.list_copies(number)} == {True, False}
    assert Score(Search(library).list_matches(Wanted())[0].points).points in ((4, 7), (7, 4))


def test_a_shelf_is_seen_by_its_owner_alone(library: LibraryStore) -> None:
    """The library of an account, beside that of this machine: nothing of one is found, read or changed in the other."""
    other = LibraryStore(library.engine, shelf=7)
    data = file_of(match_of(5), "json")
    (mine,), (theirs,) = add(library, data), add(other, data)
    assert mine != theirs, "the same file stands in both"
    assert (library.count(), other.count(), other.count_bytes()) == (1, 1, len(data))
    assert other.add(data, "again", ()).file_known
    for action in (lambda: other.get_document(mine), lambda: other.delete([mine]), lambda: other.get_original(1)):
        with pytest.raises(StoreError, match="there is no"):
            action()
    library.add_review(mine, review_of(match_of(5), [0.3]))
    assert (other.list_copies(mine), other.list_reviews(mine)) == ([], [])
    assert [row.number for row in Search(other).list_matches(Wanted())] == [theirs]
    assert {hit.match for hit in Search(other).list_boards(Wanted(pattern=Pattern.from_text("* / *")))} == {theirs}
    assert Search(other).list_boards(Wanted(loss=0.1)) == []
    other.merge("Ann", ["Bob"])
    assert (len(library.list_people()), len(other.list_people())) == (2, 1)
    other.delete([theirs])
    assert (library.count(), other.list_people(), len(library.list_people())) == (1, [], 2)


def test_the_next_board_of_a_hit_is_that_of_its_game(library: LibraryStore) -> None:
    matches = {add(library, file_of(match_of(seed)))[0]: match_of(seed) for seed in range(3)}
    search = Search(library)
    hits = [hit for hit in search.list_boards(Wanted()) if hit.dice is not None]
    sequels = {(sequel.hit.match, sequel.hit.game, sequel.hit.event): sequel for sequel in search.find_sequels(hits)}
    followed = 0
    for number, match in matches.items():
        standing = list(match_facts.decision_boards(match))
        for here, there in pairwise(standing):
            if here.dice is None:
                continue
            sequel = sequels.get((number, here.game, here.event))
            assert (sequel is not None) is (here.game == there.game)
            if sequel is not None:
                followed += 1
                assert (sequel.player, sequel.position) == (there.player, there.position)
                result = match.games[here.game].stated or match.games[here.game].final.result
                assert sequel.winner is (None if result is None else result.winner)
                assert sequel.points == (None if result is None else result.points)
    assert followed > 50
    assert search.find_sequels([]) == []
