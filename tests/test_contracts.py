"""What goes between the layers is typed: no public function takes or gives a dictionary of anything, every field of a
typed dictionary is described, and no assert judges data.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import fullprime
from fullprime.analysis.engine_lines import LineAnswer
from fullprime.analysis.exact_tables import BearoffFiles, EndgameFile
from fullprime.analysis.legal import LegalPlays
from fullprime.analysis.model import TableAdvice
from fullprime.common.documented import field_docs, field_types, parts_of
from fullprime.engine.search.levels import Level
from fullprime.engine.search.results import Evaluation, Ranking
from fullprime.learn.flashcards.model import CardBody
from fullprime.learn.lessons.course import Course
from fullprime.learn.lessons.progress import LearnerProgress
from fullprime.learn.openings.model import OpeningPlace, OwnOpenings, ReferencePositions
from fullprime.learn.teaching.model import PositionOfDay
from fullprime.library.files import FileReport
from fullprime.play.server.fields import BoardFull, BoardMessage, DiceProof, StateMessage, TalkLog
from fullprime.play.table.cups import CupCount
from fullprime.play.table.fields import ScriptReply
from fullprime.play.table.scorecard import ScoreCard
from fullprime.reviews.matches.reviewing import RatedMatch
from fullprime.reviews.totals import PlayerTotal
from fullprime.web.models.analysis import JobInfo
from fullprime.web.models.play import Judged, NotJudged

PACKAGE = Path(fullprime.__file__).parent
TYPED_ROOMS = (
    "accounts", "analysis", "common", "db", "drawing", "engine", "formats", "learn", "library", "play", "reviews",
)  # fmt: skip
WAITING: tuple[str, ...] = (
    # Rows of bound parameters.
    "play/codec.py",
    "play/store.py",
)
"""Modules that may still hand on dictionaries of anything, and why."""
ANYTHING = ("dict[str, Any]", "Dict[str, Any]", "dict[Any, Any]")

ANSWERS = (
    StateMessage,
    BoardFull,
    BoardMessage,
    DiceProof,
    TalkLog,
    ScoreCard,
    ScriptReply,
    CupCount,
    JobInfo,
    FileReport,
    RatedMatch,
    PlayerTotal,
    EndgameFile,
    BearoffFiles,
    TableAdvice,
    Judged,
    NotJudged,
    LineAnswer,
    LegalPlays,
    Level,
    Ranking,
    Evaluation,
    OpeningPlace,
    OwnOpenings,
    ReferencePositions,
    CardBody,
    Course,
    LearnerProgress,
    PositionOfDay,
)
"""The values whose form in JSON is told: by the API, by ``--json`` and to programs."""
HANDLES_ASSERTS = ("learn/flashcards/schedule.py",)
"""Modules that handle the failed assertions of a library that judges data with them."""

TELLS_A_TYPE = re.compile(r"^[\w.]+ is not None$|^isinstance\(")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (PACKAGE / room).rglob("*.py"))


def public_annotations(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Where it stands, and the annotation: of public functions, and of methods and fields of public classes."""
    for node in tree.body:
        if isinstance(node, Function):
            yield from of_function(node, "")
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for part in node.body:
                if isinstance(part, Function):
                    yield from of_function(part, f"{node.name}.")
                elif isinstance(part, ast.AnnAssign) and not ast.unparse(part.target).startswith("_"):
                    yield f"{node.name}.{ast.unparse(part.target)}", part.annotation
        elif isinstance(node, ast.AnnAssign) and not ast.unparse(node.target).startswith("_"):
            yield ast.unparse(node.target), node.annotation


def of_function(node: Function, owner: str) -> Iterator[tuple[str, ast.expr]]:
    if node.name.startswith("_") and not node.name.startswith("__"):
        return
    given = node.args
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    for argument in arguments:
        if argument is not None and argument.annotation is not None:
            yield f"{owner}{node.name}({argument.arg})", argument.annotation
    if node.returns is not None:
        yield f"{owner}{node.name}", node.returns


def handed_on(source: str) -> list[str]:
    """Where a module hands on dictionaries of anything."""
    annotations = public_annotations(ast.parse(source))
    return [where for where, annotation in annotations if any(loose in ast.unparse(annotation) for loose in ANYTHING)]


def test_the_walk_sees_arguments_answers_fields_and_methods() -> None:
    source = (
        "def a(x: dict[str, Any]) -> None: ...\ndef b() -> list[dict[str, Any]] | None: ...\n"
        "async def c(*, x: Callable[[dict[str, Any]], None]) -> None: ...\ndef _d() -> dict[str, Any]: ...\n"
        "def e() -> dict[str, int]: ...\n"
        "class F:\n    g: dict[str, Any]\n    _i: dict[str, Any]\n"
        "    @property\n    def h(self) -> dict[str, Any]: ...\n"
        "J: dict[str, Any] = {}\n"
    )
    assert handed_on(source) == ["a(x)", "b", "c(x)", "F.g", "F.h", "J"]


@pytest.mark.parametrize("room", TYPED_ROOMS)
def test_no_public_function_takes_or_gives_a_dictionary_of_anything(room: str) -> None:
    for path in modules(room):
        name = path.relative_to(PACKAGE).as_posix()
        if name not in WAITING:
            assert not handed_on(path.read_text(encoding="utf-8")), name


def test_every_field_in_json_is_described() -> None:
    kinds = [kind for root in ANSWERS for kind in parts_of(root)]
    assert len(kinds) > 100
    for kind in kinds:
        missing = {name for name in field_types(kind) if not field_docs(kind).get(name)}
        assert not missing, f"{kind.__module__}.{kind.__name__}: {', '.join(sorted(missing))}"


def asserted(tree: ast.Module) -> Iterator[str]:
    """Asserts that are more than a word to the type checker, and handlers of failed ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None and "AssertionError" in ast.unparse(node.type):
            yield f"line {node.lineno}: {ast.unparse(node.type)}"
        elif isinstance(node, ast.Raise) and node.exc is not None and "AssertionError" in ast.unparse(node.exc):
            yield f"line {node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.Assert) and not TELLS_A_TYPE.search(text := ast.unparse(node.test)):
            yield f"line {node.lineno}: assert {text}"


def test_what_an_assert_may_say_is_seen() -> None:
    source = (
        "assert x is not None\nassert x > 3\nassert isinstance(x, int)\n"
        "try: pass\nexcept (ValueError, AssertionError): pass\nraise AssertionError\n"
    )
    assert sorted(asserted(ast.parse(source))) == [
        "line 2: assert x > 3", "line 5: (ValueError, AssertionError)", "line 6: raise AssertionError",
    ]  # fmt: skip


def test_no_assert_judges_data() -> None:
    """Under ``python -O`` asserts are gone: one may tell the type checker what is never None, and nothing else."""
    for path in PACKAGE.rglob("*.py"):
        name, source = path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")
        faults = list(asserted(ast.parse(source))) if "assert" in source.lower() else []
        assert not faults or name in HANDLES_ASSERTS, f"{name}: {faults}"
