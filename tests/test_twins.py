"""One type for one thing: no two classes of the package have the same fields."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import fullprime

PACKAGE = Path(fullprime.__file__).parent
FEWEST = 3
"""Classes with fewer fields than this may have the same ones by chance."""

TWINS = {
    # A request and the value that is made of it: the bounds of the request belong to the server.
    "DeskSetup GameSetup",
    "GameSheet Sheet",
    "RealRecord Transcript",
    # Options of the command line and the value that is made of them.
    "RolloutOptions TrialOptions",
    # What the client reads needs no server installed, nor what the server's answers are made of.
    "AccountGame ListedGame",
    # The order of a parse and the same when it is checked.
    "WrittenMove _RawMove",
    # Two messages of live games.
    "BoardMessage StateMessage",
    # Still to be made one.
    "Cost CostJson",
    "CoursePart Part",
    "Cube CubeFacts",
    "CubeState DeskCube",
    "CubeFacts CubeFactsJson",
    "CubeFigures StoredCube",
    "ChainBegun DiceChain",
    "EndingTally Endings",
    "ErrorRate ErrorRateJson",
    "FileResult Result",
    "Hit HitJson",
    "LeftOut StoredLeftOut",
    "LessonMark LessonProgress Mark SavedProgress",
    "MatchResult WithoutLuck",
    "Option StoredOption",
    "RatingChange RatingChanged",
    "Record RecordJson",
    "RollLuck StoredRoll",
    "SavedToken Token",
    "SettledJson Settlement",
    "ThemeJson ThemeTotal",
}
"""The names of twins that there are. The list only shrinks: a twin that has gone is taken out."""


@dataclass(frozen=True)
class Fields:
    """A class with fields: those of its own, and the names of its bases."""

    name: str
    own: Mapping[str, str]
    bases: tuple[str, ...]


def classes(source: str) -> Iterator[Fields]:
    """The classes of a module that have fields, other than enumerations and protocols."""
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ClassDef):
            continue
        bases = tuple(ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases)
        typed = {
            ast.unparse(part.target): ast.unparse(part.annotation)
            for part in node.body
            if isinstance(part, ast.AnnAssign) and not ast.unparse(part.annotation).startswith("ClassVar")
        }
        if not any(base.endswith(("Enum", "Protocol", "Word")) for base in bases):
            yield Fields(node.name, typed, bases)


def twins(found: list[Fields]) -> set[str]:
    """The names of classes that have the same fields, and are not told apart by a ``kind`` nor by inheritance."""
    named = {each.name: each for each in found}
    alike: defaultdict[frozenset[str], list[Fields]] = defaultdict(list)
    for each in found:
        names = frozenset(all_fields(each, named))
        if len(names) >= FEWEST:
            alike[names].append(each)
    pairs = (pair for group in alike.values() for pair in combinations(group, 2) if not told_apart(*pair, named))
    together: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for one, other in pairs:
        together[frozenset(all_fields(one, named))] |= {one.name, other.name}
    return {" ".join(sorted(names)) for names in together.values()}


def all_fields(each: Fields, named: Mapping[str, Fields]) -> dict[str, str]:
    """The fields of a class with those of its bases."""
    found: dict[str, str] = {}
    for base in each.bases:
        if base in named and base != each.name:
            found |= all_fields(named[base], named)
    return found | each.own


def told_apart(one: Fields, other: Fields, named: Mapping[str, Fields]) -> bool:
    """True where ``kind`` says which it is, or one is made of the other."""
    kinds = [all_fields(each, named).get("kind", "") for each in (one, other)]
    has_words = all("Literal" in kind for kind in kinds)
    return (has_words and kinds[0] != kinds[1]) or one.name in other.bases or other.name in one.bases


def test_no_two_classes_have_the_same_fields() -> None:
    found = [each for path in sorted(PACKAGE.rglob("*.py")) for each in classes(path.read_text(encoding="utf-8"))]
    assert twins(found) == TWINS


def test_twins_are_found() -> None:
    source = (
        "class A:\n    a: int\n    b: int\n    c: str\nclass AJson(TypedDict):\n    c: str\n    b: float\n    a: int\n"
        "class B(A):\n    d: int\nclass C(B):\n    d: bool\nclass D:\n    a: int\n    b: int\n"
        "class E:\n    kind: Literal['e']\n    x: int\n    y: int\n"
        "class F:\n    kind: Literal['f']\n    x: int\n    y: int\n"
        "class G(TypedDict):\n    kind: str\n    x: int\n    y: int\n"
    )
    assert twins(list(classes(source))) == {"A AJson", "E F G"}
