"""A made learner with many cards, puzzles and answers, and the time that the server takes for each page of drills.

``python benchmarks/drills.py make drills.db`` stores 1,000 cards with 10,000 answers, 10,000 puzzles (rated, in streaks
and in storms) and 2,000 questions of trainers. ``python benchmarks/drills.py measure drills.db`` asks every page of it
a few times.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from asking import Question, ask, make_or_measure
from sqlalchemy import Engine, insert

from fullprime.analysis.setups import AnalysisSetup
from fullprime.db.database import open_database
from fullprime.db.schema.drills import drill_cards, drill_reviews, drill_tries, puzzle_tries
from fullprime.db.times import utc_now
from fullprime.learn.flashcards.model import CardBody, CardOption
from fullprime.learn.flashcards.service import Cards
from fullprime.learn.learners import LearnerId, Learners, key_of
from fullprime.learn.puzzles.puzzle import Puzzle
from fullprime.learn.puzzles.service import Puzzles, new_run, stock_of
from fullprime.learn.trainers.registry import TRAINERS
from fullprime.rules.notation import format_play
from fullprime.rules.variants import VARIANTS
from fullprime.web.routes.learners import LEARNER_COOKIE

SECRET = "a secret of a browser"
RUN = 25
"""Puzzles of a streak or a storm."""


def card_of(puzzle: Puzzle, number: int) -> CardBody:
    """A card with the decision of a puzzle, told apart from the others of the puzzle by the score."""
    rules, score = ({"length": "25"}, (number % 20, number % 19)) if puzzle.rules.cube else ({}, (0, 0))
    setup = AnalysisSetup(
        variant=puzzle.variant, position=puzzle.position.text, dice=(puzzle.dice.high, puzzle.dice.low), follow_ups=(),
        rules=rules, score=score,
    )  # fmt: skip
    ranked = sorted(range(len(puzzle.plays)), key=puzzle.losses.__getitem__)
    plays = [puzzle.plays[place] for place in dict.fromkeys((*ranked[:5], puzzle.tempting))]
    options = tuple(
        CardOption(
            text=format_play(play), loss=puzzle.loss(play), after=play.position.opponent,
            moves=tuple(map(str, play.moves)), depth=1,
        )
        for play in plays
    )  # fmt: skip
    return CardBody(
        kind="play", setup=setup, choices=(), made=format_play(puzzle.trap), options=options,
        cost=puzzle.loss(puzzle.trap), reason="A made card.", source=f"match {number}, game 1, event 3",
    )  # fmt: skip


def tries(chance: random.Random, learner: int, count: int) -> Iterator[dict[str, object]]:
    """The tries at ``count`` puzzles: each of the stock once, the others in streaks and storms."""
    stock = stock_of("backgammon")
    now = utc_now()
    for number in range(count):
        rated = number < len(stock)
        mode = "rated" if rated else ("streak", "storm")[number // RUN % 2]
        puzzle = stock.puzzles[number if rated else (number * 7 + number // len(stock)) % len(stock)]
        yield {
            "learner_id": learner, "variant": "backgammon", "puzzle": puzzle.name, "mode": mode,
            "run": "" if rated else f"run{number // RUN:08}", "at": now - timedelta(minutes=2 * (count - number)),
            "seconds": 7.5, "right": chance.random() < 0.7, "loss": 0.0, "rating": 1500.0 if rated else None,
        }  # fmt: skip


def make(path: Path, cards: int, answers: int, puzzles: int, questions: int) -> None:
    """Store the learner."""
    engine, chance, now = open_database(f"sqlite:///{path}"), random.Random(18), utc_now()
    who = LearnerId(key=key_of(SECRET))
    learner = Learners(engine).get_or_create(who)
    stock = [puzzle for name in VARIANTS for puzzle in stock_of(name)]
    print(Cards(engine).add(who, (card_of(stock[number % len(stock)], number) for number in range(cards))))
    with engine.begin() as connection:
        numbers = list(connection.execute(drill_cards.select()).scalars())
        reviews = [
            {"learner_id": learner, "card_id": chance.choice(numbers), "at": now - timedelta(minutes=13 * number),
             "grade": chance.choice((1, 2, 3, 3, 3, 4)), "loss": 0.01, "seconds": 8.0, "known": number % 3 > 0}
            for number in range(answers)
        ]  # fmt: skip
        connection.execute(insert(drill_reviews), reviews)
        connection.execute(insert(puzzle_tries).prefix_with("OR IGNORE"), list(tries(chance, learner, puzzles)))
        drills = [
            {"learner_id": learner, "trainer": name, "seed": number, "at": now - timedelta(minutes=7 * number),
             "seconds": 12.0, "right": number % 4 > 0, "error": 0.0 if number % 4 else 2.0}
            for name in TRAINERS
            for number in range(questions // len(TRAINERS))
        ]  # fmt: skip
        connection.execute(insert(drill_tries), drills)
    rating = Puzzles(engine)
    for puzzle in stock[:20]:
        rating.answer(LearnerId(key="another"), puzzle.name, format_play(puzzle.best), 5.0)
    print(f"{path.stat().st_size / 1e6:.0f} MB")


def questions(engine: Engine) -> list[Question]:
    """The pages and what they ask for."""
    who = LearnerId(key=key_of(SECRET))
    run = new_run()
    puzzle = stock_of("backgammon").puzzles[-1]
    play: dict[str, object] = {"answer": format_play(puzzle.best), "seconds": 5.0, "mode": "storm", "run": run}
    due = Cards(engine).get_due(who).card
    assert due is not None
    body = Cards(engine).list_bodies(who)[due.id - 1]
    answer: dict[str, object] = {"answer": body.options[0].text, "seconds": 4.0}
    return [
        *(Question(f"the page {page}", page) for page in ("/drill", "/drill/cards", "/drill/puzzles", "/drill/pips")),
        Question("the trainers with the learner's figures", "/api/drills/trainers"),
        Question("the history of a trainer", "/api/drills/trainers/pips"),
        Question("a question of a trainer", "/api/drills/trainers/pips/question"),
        Question("the deck and the card that is due", "/api/drills/cards"),
        Question("an answer to a card", f"/api/drills/cards/{due.id}/answer", answer),
        Question("all cards as a file", "/api/drills/cards/file"),
        Question("standing in every game", "/api/drills/puzzles"),
        Question("the next puzzle", "/api/drills/puzzles/backgammon/next"),
        Question("the puzzle of the day", "/api/drills/puzzles/backgammon/next?mode=day"),
        Question("the next of a storm", f"/api/drills/puzzles/backgammon/next?mode=storm&run={run}"),
        Question("an answer to a puzzle", f"/api/drills/puzzles/{puzzle.name}/answer", play),
    ]


def measure(path: Path, times: int) -> None:
    """Ask the pages."""
    engine = open_database(f"sqlite:///{path}")
    print(Puzzles(engine).get_standings(LearnerId(key=key_of(SECRET))).games[0])
    ask(path, questions(engine), times, cookies={LEARNER_COOKIE: SECRET})


if __name__ == "__main__":
    make_or_measure(__doc__, {"cards": 1000, "answers": 10_000, "puzzles": 10_000, "questions": 2000}, make, measure)
