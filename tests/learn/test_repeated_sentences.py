"""Texts that teach are written one by one: no sentence stands more than five times, in whatever form it is filled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from operator import gt, lt

from tests.learn.glossary.facts import wrong

from fullprime.learn.glossary import Term, terms
from fullprime.learn.lessons import course
from fullprime.learn.opening_book.reference import ABOUT, lessons, read_references
from fullprime.learn.trainers.registry import TRAINERS

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST = 5
"""Times that a sentence may stand in all texts."""
SHORT = 4
"""Words below which something is an answer or a label, such as "Double, take.", not a sentence."""


def texts() -> Iterator[tuple[str, str]]:
    """Every text that stands in data and teaches, each with its place: lessons, tours, course, drills, book, glossary.

    Puzzles have none: their reasons follow from the position, as those of a review do (tests/reviews).
    """
    for lesson in course():
        yield f"lesson {lesson.name}", lesson.about
        for number, step in enumerate(lesson.steps, 1):
            for text in (step.say, step.right, step.wrong, step.hint, *step.choices):
                yield f"lesson {lesson.name}, step {number}", text
    for term in terms():
        yield f"glossary {term.name}", term.text
        yield f"glossary {term.name}", term.caption
    for name, lesson in lessons().items():
        yield f"reference {name}", lesson.says
    for theme, about in ABOUT.items():
        yield f"theme {theme}", about[1]
    for name, trainer in TRAINERS.items():
        for text in trainer.teaches:
            yield f"trainer {name}", text


def shapes(text: str) -> Iterator[str]:
    """Its sentences without what a template would fill in: numbers, plays, figures, names of points."""
    for sentence in re.split(r"(?<=[.!?:])\s+", " ".join(text.split())):
        plain = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", sentence)
        shape = re.sub(r"\{[^{}]*\}|[+-]?\d[\d.,]*(?:/\w+\*?|-point)?|bar/\d+\*?", "#", plain)
        if len(shape.split()) >= SHORT:
            yield shape.casefold()


def test_no_sentence_is_repeated_from_a_template_more_than_five_times() -> None:
    places: dict[str, list[str]] = {}
    for place, text in texts():
        for shape in shapes(text):
            places.setdefault(shape, []).append(place)
    assert {shape: places for shape, places in places.items() if len(places) > MOST} == {}
    kinds = Counter(place.split()[0] for places in places.values() for place in places)
    assert kinds.keys() == {"lesson", "glossary", "reference", "theme", "trainer"}, "every kind of text is read"


def test_a_template_is_seen_through_its_numbers_and_plays() -> None:
    shape = next(shapes("Here 13/9 6/5 costs 0.08 and leaves 17 shots."))
    assert shape == next(shapes("Here 24/23 8/4* costs 0.12 and leaves 4 shots."))
    assert shape == next(shapes("Here {second} {best} costs {loss 8/3} and leaves [[shot|{shots}]] shots."))


def test_every_reference_position_has_a_sentence_of_its_own_that_its_board_shows() -> None:
    references = read_references()
    assert lessons().keys() == {reference.name for reference in references}
    assert len({reference.lesson.says for reference in references}) == len(references)
    for reference in references:
        board = Term(reference.name, reference.lesson.says, reference.position, shows=reference.lesson.shows)
        assert reference.lesson.shows, reference.name
        assert wrong(board) == [], reference.name
        # Once a point outside their home was called an anchor, which the glossary does not.
        for words, fact in (("[Yy]our anchor|yours have one", "anchors > 0"),
                            ("[Tt]heir anchor|its anchor|anchor on your", "their anchors > 0"),
                            ("no anchor|without an anchor|none has an anchor", "their anchors = 0")):  # fmt: skip
            if re.search(words, reference.lesson.says):
                assert wrong(replace(board, shows=(fact,))) == [], reference.name


def test_what_a_reference_position_says_of_chances_is_what_its_rollout_found() -> None:
    words = re.compile(r"gammon|favourite|more than|in three|in ten|drop|good rolls|likely|outweigh|cash|to double")
    for reference in read_references():
        assert reference.lesson.judged or not words.search(reference.lesson.says), (
            f"{reference.name}: nothing holds its words"
        )
        win, gammon = reference.cube.probabilities[:2]
        numbers = {
            "wins": 100 * win, "gammons": 100 * gammon, "roll": reference.cube.no_double,
            "take": reference.cube.double_take,
        }  # fmt: skip
        for fact in reference.lesson.judged:
            name, sign, bound = fact.split()
            assert {"<": lt, ">": gt}[sign](numbers[name], float(bound)), (reference.name, fact, numbers)
        for lead, share, pips in re.findall(r"(\w+) pips are (\d+) % of (\d+)", reference.lesson.says):
            assert round(100 * NUMBERS.index(lead.lower()) / int(pips)) == int(share), reference.name
