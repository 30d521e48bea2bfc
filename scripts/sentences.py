"""The sentences that the program makes and that a page may show: out of the rooms' modules, the lessons, the glossary.

``write_texts.py`` puts them into the catalogues. The order is that of the table below: what one reads while playing
comes first, so that a translator who begins at the top does what is seen most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scripts.python_texts import templates_in

from fullprime.learn.book.reference import lessons
from fullprime.learn.glossary import terms
from fullprime.learn.lessons import course
from fullprime.learn.puzzles.theme import THEMES
from fullprime.play.options.opponents import opponents
from fullprime.play.server.chat import PHRASES
from fullprime.reviews.rating import BANDS, GNU_WORDS
from fullprime.rules.game import Phase
from fullprime.rules.score import LEVEL_NAMES

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "fullprime"
ROOMS = (
    "play/table", "play/server", "play", "rules/notation", "rules/game.py", "rules/plays.py", "rules",
    "analysis", "engine/api.py", "reviews/reasons", "reviews/report", "reviews", "drawing/scene.py",
    "engine/cube", "engine/rollouts", "engine/engine.py", "engine/search/levels.py",
    "learn/teaching", "learn/lessons", "learn/glossary", "learn", "accounts", "library", "web/routes", "web", "db",
    "common", "formats",
)  # fmt: skip
"""Modules and folders with sentences for people, the most visible first; each module counts where it is named first."""
LEFT_OUT = (
    "analysis/exact_tables.py", "db/backup.py", "db/exclusive_server.py", "analysis/engine_lines.py",
    "analysis/legal.py", "analysis/diagrams.py", "rules/printing.py", "rules/record_text.py", "web/models",
    "web/run.py", "web/static", "web/reference.py", "web/texts", "web/metrics.py", "web/logs.py", "web/manual.py",
    "web/pages.py", "play/options/compiling.py", "learn/lessons/reading.py", "web/connections/limits.py",
)  # fmt: skip
"""What the terminal, an operator or a program reads, but no page."""
MARKUP = ("reviews/report/", "web/routes/review.py")
"""Modules that make a page: what stands between its marks counts, be it a single word."""
_PLACEHOLDER = re.compile(r"\{[^{}]+\}")
_ONE = (
    ("rolls that hit", "roll that hits"), ("rolls that make", "roll that makes"),
    ("rolls that escape", "roll that escapes"), ("rolls", "roll"), ("pips", "pip"), ("shots", "shot"),
    ("crossovers", "crossover"), ("checkers", "checker"),
)  # fmt: skip
"""What the reasons of the analysis make of their nouns behind a 1 (``_plain`` in ``reviews/reasons/phrases.py``)."""
_LETTERS = re.compile(r"[^\W\d_]{2,}")

Spoken = tuple[str, str, tuple[str, ...]]
"""Where a sentence is made, the sentence, and what stands for ``{1}``, ``{2}``."""


def modules() -> Iterator[Path]:
    """The modules, each once, in order."""
    known: set[Path] = set()
    for room in ROOMS:
        place = PACKAGE / room
        for path in [place] if place.suffix else sorted(place.rglob("*.py")):
            name = path.relative_to(PACKAGE).as_posix()
            if path not in known and not any(name == left or name.startswith(f"{left}/") for left in LEFT_OUT):
                known.add(path)
                yield path


def words() -> dict[str, list[str]]:
    """Words and sentences that stand in tables, from where they come into sentences."""
    return {
        "words that sentences take": [
            *LEVEL_NAMES.values(),
            *(f"a {level}" for level in LEVEL_NAMES.values()),
            *("a double", "a beaver", "a raccoon", "throws", "Exact"),
            *("no", "none", "You", "you", "your opponent", "the opponent", "yours", "the other side's", "Friend"),
            *("Beginning", "Moving", "Jacoby", "beavers", "raccoons", "Money", "Attacks"),
            *(str(phase).replace("_", " ") for phase in Phase),
            *("drop", "resignation", "borne off", "bear-off", "on time", "by absence", "by leaving"),
            *("roll", "double", "redouble", "take", "beaver", "raccoon", "play", "move", "accept", "refuse", "no play"),
            *("no double", "too good", "optional double", "pass"),
            *("win", "wins", "gammons", "backgammons", "losses", "points", "pips", "per cent", "rolls", "percent"),
        ],
        "words of reports": [
            *("luck", "errors", "blunders", "doubles", "takes", "resignations", "Overall", "between (95 %)", "static"),
            *("errors / blunders", "blunder, {1}", "error, {1}", "ok, {1}", "too close to call, {1}", "doubtful, {1}"),
            *(f"{{1}} {word}" for word in ("take", "drop", "double", "no double", "redouble", "no redouble")),
            *(word for _, word in (*BANDS, *GNU_WORDS)),
            *(f"{{1}} {word}" for _, word in (*GNU_WORDS, (0, "Awful!"))),
            *("{1} off", "Distracted", "Learn from the mistakes of", "{1}, {2}-away", "{1}-away", "this report (HTML)"),
            *("match text", "plain text", "CSV of events"),
        ],
        "opponents": [each["strength"] for each in opponents() if _LETTERS.search(each["strength"])],
        "phrases of the chat": list(PHRASES.values()),
        "themes of puzzles": list(THEMES),
    }


def _lesson_texts() -> Iterator[tuple[str, str]]:
    yield from (("lessons", part.title) for part in course().parts)
    for lesson in course():
        texts = [lesson.title, lesson.about]
        for step in lesson.steps:
            texts += [step.say, step.hint, step.right, step.wrong, *step.choices, *(words for _, words in step.answers)]
        for text in texts:
            for each in re.split(r"\n\s*\n", text):
                yield f"lessons/{lesson.part}/{lesson.name}", " ".join(each.split())


def _of_one(key: str) -> Iterator[str]:
    """The same template where one of its numbers is 1."""
    for many, one in _ONE:
        found = re.sub(rf"(\{{\d+\}}) {many}\b", rf"\1 {one}", key, count=1)
        if found != key:
            yield found
            return


def template(text: str) -> tuple[str, tuple[str, ...]]:
    """The text of a lesson with ``{1}``, ``{2}`` for its figures."""
    values = tuple(found[0].strip("{}") for found in _PLACEHOLDER.finditer(text))
    numbers = iter(range(1, len(values) + 1))
    return _PLACEHOLDER.sub(lambda _: f"{{{next(numbers)}}}", text), values


def _all() -> Iterator[Spoken]:
    for path in modules():
        name = path.relative_to(PACKAGE).as_posix()
        for each in templates_in(path.read_text(encoding="utf-8"), markup=name.startswith(MARKUP)):
            yield name, each.key, each.values
            if name.startswith("reviews/reasons/"):
                yield from ((name, key, each.values) for key in _of_one(each.key))
    for name, texts in words().items():
        yield from ((name, text, ()) for text in texts)
    for file, text in _lesson_texts():
        key, values = template(text)
        yield file, key, values
    for lesson in lessons().values():
        yield "the reference positions", lesson.says, ()
    for term in terms():
        yield from (("glossary", text, ()) for text in (term.name, term.text, term.caption, *term.also))


def spoken() -> Iterator[Spoken]:
    """Every sentence once, in order."""
    known: set[str] = set()
    for file, key, values in _all():
        if key and key not in known and _LETTERS.search(key):
            known.add(key)
            yield file, key, values
