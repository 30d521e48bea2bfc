"""Cards: graded by equity against the engine, scheduled by a clock, exported and imported without a loss."""

from __future__ import annotations

import base64
import io
import json
import re
import sqlite3
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, select
from tests.reviews.matches import SHORT_MATCH

from fullprime.accounts.store.accounts import AccountStore
from fullprime.db.database import open_database
from fullprime.db.schema.drills import drill_reviews
from fullprime.engine import shared
from fullprime.formats import read
from fullprime.learn.flashcards.anki import anki_deck, anki_package
from fullprime.learn.flashcards.making import cards_of
from fullprime.learn.flashcards.model import CardBody
from fullprime.learn.flashcards.schedule import CardError
from fullprime.learn.flashcards.service import Cards, judge_answer, read_body
from fullprime.learn.learners import LearnerId, Learners, key_of, streak
from fullprime.learn.match_lessons import lessons
from fullprime.learn.puzzles.service import Puzzles, puzzle_named
from fullprime.library.new_cards import cards_from_library
from fullprime.library.service import LibraryStore
from fullprime.reviews.decision import XG
from fullprime.reviews.matches.reviewing import ReviewedMatch, review_document
from fullprime.rules.errors import FullprimeError
from fullprime.rules.score import Player

START = datetime.fromisoformat("2026-03-01T09:00")
ME = LearnerId(key="me")


@pytest.fixture(scope="module")
def reviewed() -> ReviewedMatch:
    return review_document(read(SHORT_MATCH, name="match.mat").documents[0], "match.mat", "fast", keep=False)


@pytest.fixture(scope="module")
def bodies(reviewed: ReviewedMatch) -> list[CardBody]:
    return list(cards_of(reviewed, XG))


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    database = open_database(str(tmp_path / "cards.db"))
    yield database
    database.dispose()


def test_only_errors_above_the_threshold_and_of_the_kind_make_cards(
    reviewed: ReviewedMatch, bodies: list[CardBody]
) -> None:
    assert {body.kind for body in bodies} >= {"play"}
    assert all(body.cost >= 0.05 for body in bodies)
    assert len(list(cards_of(reviewed, XG, least=0.3))) < len(bodies)
    both = [len(list(cards_of(reviewed, XG, player))) for player in Player]
    assert sum(both) == len(bodies)
    with pytest.raises(CardError, match="cards are made of play, double, take"):
        list(cards_of(reviewed, XG, kinds=("dance",)))


def test_a_card_says_where_it_comes_from_as_the_review_does(reviewed: ReviewedMatch, bodies: list[CardBody]) -> None:
    numbers = {lesson.decision.number for lesson in lessons(reviewed, XG, None)}
    for body in bodies:
        match = re.fullmatch(r"match\.mat, game (\d+), move (\d+)", body.source)
        assert match is not None, body.source
        assert f"{match[1]}.{match[2]}" in numbers


def test_an_answer_is_graded_by_equity_and_not_by_sameness(engine: Engine, bodies: list[CardBody]) -> None:
    cards = Cards(engine, lambda: START)
    assert cards.add(ME, bodies).added == len(bodies)
    assert cards.add(ME, bodies).added == 0
    body = next(candidate for candidate in bodies if candidate.kind == "play")
    number = next(
        n for n in range(1, len(bodies) + 1) if read_body(json.dumps(_stored(cards, n))).source == body.source
    )
    game = cards.get_game(ME, number)
    assert game.dice is not None
    assert game.on_roll is Player.X
    ranking = shared.engine_for(game.settings.variant).rank_plays(game, level="1-ply")
    for play in (ranking.plays[0], ranking.plays[-1]):
        answer = cards.answer(ME, number, play.text, 10)
        assert answer.loss == pytest.approx(play.loss, abs=0.06), "a review keeps plays of less depth"
        assert answer.right == (answer.loss < 0.02)
    with pytest.raises(FullprimeError):
        cards.answer(ME, number, "24/1", 10)
    with pytest.raises(CardError, match="no such card"):
        cards.answer(LearnerId(key="you"), number, "13/8", 1)


def _stored(cards: Cards, number: int) -> object:
    exported = json.loads(cards.export(ME))["cards"]
    return exported[number - 1]["card"]


def test_an_action_is_answered_by_its_number_or_its_words(bodies: list[CardBody]) -> None:
    """Pages send the number; answers that a browser has kept from before hold the words."""
    cube_bodies = [body for body in bodies if body.choices]
    assert cube_bodies
    for body in cube_bodies:
        for at, choice in enumerate(body.choices, 1):
            assert not choice.isdecimal()
            assert judge_answer(body, str(at)) == judge_answer(body, choice)
        with pytest.raises(CardError, match="is none of"):
            judge_answer(body, str(len(body.choices) + 1))


def test_the_schedule_follows_the_clock(engine: Engine, bodies: list[CardBody]) -> None:
    now = START
    cards = Cards(engine, lambda: now)
    cards.add(ME, bodies[:1])
    right, wrong = bodies[0].options[0].text, bodies[0].made
    intervals = []
    for text in (right, right, right, wrong, right):
        card = cards.get_due(ME).card
        assert card is not None
        due = cards.answer(ME, card.id, text, 20).due
        intervals.append(due - now)
        assert cards.get_due(ME).card is None
        now = due
    day = timedelta(days=1)
    assert intervals[0] == timedelta(minutes=10)
    assert day < intervals[1] < intervals[2]
    assert intervals[3] == timedelta(minutes=10)
    assert cards.get_deck(ME).retention == pytest.approx(2 / 3, abs=1e-3)


def test_an_answer_that_is_sent_twice_is_stored_once(engine: Engine, bodies: list[CardBody]) -> None:
    now = START
    cards = Cards(engine, lambda: now)
    cards.add(ME, bodies[:1])
    card = cards.get_due(ME).card
    assert card is not None
    assert card.answered == 0
    text = bodies[0].made
    first = cards.answer(ME, card.id, text, 5, card.answered)
    now += timedelta(seconds=20)
    again = cards.answer(ME, card.id, text, 5, card.answered)
    assert (first.counted, again.counted) == (True, False)
    assert replace(again, counted=True) == first, "the schedule is that of the first answer"
    now += timedelta(minutes=10)
    later = cards.get_due(ME).card
    assert later is not None
    assert later.answered == 1
    assert cards.answer(ME, later.id, text, 5, later.answered).counted


def test_a_streak_is_not_broken_by_a_day_that_has_just_begun() -> None:
    days = (date(2026, 3, 3), date(2026, 3, 2), date(2026, 2, 27))
    assert [streak(days, date(2026, 3, day)) for day in (3, 4, 5)] == [2, 2, 0]


def test_cards_go_out_and_come_in_without_a_loss(engine: Engine, bodies: list[CardBody]) -> None:
    cards = Cards(engine, lambda: START)
    cards.add(ME, bodies)
    card = cards.get_due(ME).card
    assert card is not None
    cards.answer(ME, card.id, read_body(json.dumps(_stored(cards, 1))).options[0].text, 3)
    text = cards.export(ME)
    other = LearnerId(key="another")
    assert cards.load(other, text).added == len(bodies)
    assert cards.export(other) == text
    assert cards.load(other, text).added == 0
    for wrong in (
        "",
        "[]",
        "{}",
        '{"format": "x", "cards": []}',
        text.replace('"X"', '"Z"'),
        text.replace("due", "duo"),
        text.replace('"stability": ', '"stability": -'),
        text.replace('"loss": 0.0', '"loss": NaN'),
    ):
        with pytest.raises(CardError):
            cards.load(LearnerId(key="third"), wrong)
    assert cards.get_deck(LearnerId(key="third")).cards == 0


def test_a_guest_who_signs_in_keeps_every_answer_and_the_schedule_that_knows_more(
    engine: Engine, bodies: list[CardBody]
) -> None:
    """Once the answers to a card that the account had, too, went with the guest's card."""
    now, day = START, timedelta(days=1)
    cards, puzzles = Cards(engine, lambda: now), Puzzles(engine, lambda: now)
    account = AccountStore(engine).create("Ann", "hash").id
    guest, ann = LearnerId(key=key_of("secret")), LearnerId(account=account)
    puzzle = puzzle_named(puzzles.choose_next(guest, "hypergammon").name)
    for who in (guest, ann):
        cards.add(who, bodies[:1])
        puzzles.answer(who, puzzle.name, str(puzzle.best), 5)
    cards.add(guest, bodies[1:2])
    right, due = bodies[0].options[0].text, now
    for _ in range(2):
        card = cards.get_due(guest).card
        assert card is not None
        text = right if card.id == 1 else bodies[1].options[0].text
        due = max(due, cards.answer(guest, card.id, text, 20).due)
    now += timedelta(minutes=10)
    (number,) = cards.find_numbers(guest, bodies[:1])
    learnt = cards.answer(guest, number, right, 20).due
    (mine,) = cards.find_numbers(ann, bodies[:1])
    cards.answer(ann, mine, bodies[0].made, 20)

    assert Learners(engine).adopt("secret", LearnerId(account=account))
    now = learnt - timedelta(minutes=1)
    deck = cards.get_deck(ann)
    assert (deck.cards, deck.due) == (2, 1), "the first is learnt for a day and more"
    now += timedelta(minutes=2)
    assert cards.get_deck(ann).due == 2
    answered = cards.answer(ann, mine, right, 20)
    assert answered.due - now > day
    standing = next(game for game in puzzles.get_standings(ann).games if game.variant == "hypergammon")
    assert (standing.tries, standing.right) == (1, 1)
    with engine.connect() as connection:
        rows = connection.execute(select(drill_reviews.c.card_id, drill_reviews.c.learner_id)).all()
    assert len({row.learner_id for row in rows}) == 1
    assert sorted(Counter(row.card_id for row in rows).values()) == [1, 4]


def test_cards_for_anki_have_the_board_as_a_picture(bodies: list[CardBody]) -> None:
    lines = anki_deck(bodies).splitlines()
    assert lines[0] == "#separator:tab"
    assert "#columns:Front\tBack\tTags" in lines, "by other names Anki finds no place for the answers"
    assert len(lines) == 6 + len(bodies)
    for line, body in zip(lines[6:], bodies, strict=True):
        front, back, tags = line.split("\t")
        picture = front.partition("base64,")[2].partition('"')[0]
        question = front.partition("<br>")[2]
        assert body.kind != "checker play" or re.search(r"Play [1-6]-[1-6]\.", question), question
        assert re.search(r"\(\d+\N{EN DASH}\d+ to 3\)$", question), question
        assert base64.b64decode(picture).startswith(b"<svg")
        assert body.options[0].text in back
        assert "Played: " in back
        assert body.kind in tags


def test_a_package_for_anki_has_its_pictures_its_kind_of_notes_and_a_card_a_decision(
    bodies: list[CardBody], tmp_path: Path
) -> None:
    now = datetime.fromisoformat("2026-03-01T09:00+00:00")
    with zipfile.ZipFile(io.BytesIO(anki_package([*bodies, bodies[0]], now))) as package:
        (tmp_path / "collection.anki2").write_bytes(package.read("collection.anki2"))
        media = json.loads(package.read("media"))
        assert all(package.read(name).startswith(b"<svg") for name in media)
    with closing(sqlite3.connect(tmp_path / "collection.anki2")) as base:
        ((version, models),) = base.execute("select ver, models from col").fetchall()
        notes = base.execute("select guid, mid, flds from notes order by id").fetchall()
        cards = base.execute("select nid, did, due from cards").fetchall()
    assert version == 11
    assert len(notes) == len(cards) == len(media) == len(bodies), "the same decision once"
    (model,) = json.loads(models).values()
    assert [field["name"] for field in model["flds"]] == ["Position", "Answer"]
    again = anki_package(bodies[:1], now + timedelta(days=1))
    with zipfile.ZipFile(io.BytesIO(again)) as package:
        assert set(json.loads(package.read("media")).values()) <= set(media.values()), "it is known again"
    for (guid, mid, fields), body in zip(notes, bodies, strict=True):
        front, back = fields.split("\x1f")
        assert f'src="fullprime-{guid}.svg"' in front
        assert f"fullprime-{guid}.svg" in media.values()
        assert mid == model["id"]
        assert body.options[0].text in back


def test_the_library_gives_the_cards_of_its_newest_reviewed_matches(engine: Engine, reviewed: ReviewedMatch) -> None:
    store = LibraryStore(engine)
    (document,) = read(SHORT_MATCH, name="match.mat").documents
    store.add(SHORT_MATCH, "match.mat", [document])
    assert cards_from_library(store, "Ann") == ([], 0)
    with pytest.raises(CardError, match="cards are made of"):
        cards_from_library(store, kinds=("nothing",))
    store.add_review(1, reviewed.review)
    bodies, matches = cards_from_library(store, "Ann")
    assert matches == 1
    assert [body.cost for body in bodies] == [card.cost for card in cards_of(reviewed, XG, Player.O)]
    other = SHORT_MATCH.replace(b"Ann", b"Zoe").replace(b"31: 24/23 13/10", b"31: 8/5 6/5")
    store.add(other, "other.mat", list(read(other, name="other.mat").documents))
    store.merge("Zoe", ["Ann"])
    assert cards_from_library(store, "Zoe") == (bodies, 1), "under any name of hers"
    assert cards_from_library(LibraryStore(engine, shelf=7)) == ([], 0), "another's library"


def test_only_errors_above_a_threshold_go_to_anki(engine: Engine, bodies: list[CardBody]) -> None:
    cards = Cards(engine, lambda: START)
    cards.add(ME, bodies)
    costs = sorted(body.cost for body in bodies)
    assert len(set(costs)) > 1
    assert [body.cost for body in cards.list_bodies(ME, costs[-1])] == [costs[-1]]
    assert len(cards.list_bodies(ME)) == len(bodies)


@pytest.mark.alone
def test_a_thousand_cards_are_no_burden(engine: Engine, bodies: list[CardBody]) -> None:
    cards = Cards(engine, lambda: START)
    body = next(candidate for candidate in bodies if candidate.kind == "play")
    many = [
        replace(body, setup=replace(body.setup, score=(number // 40, number % 40), rules={"length": "99"}))
        for number in range(1000)
    ]
    assert cards.add(ME, many).added == 1000
    begun = time.process_time()
    card = cards.get_due(ME).card
    assert card is not None
    cards.answer(ME, card.id, body.made, 5)
    cards.get_due(ME)
    assert time.process_time() - begun < 0.9, "three pages of at most 300 ms each"
