"""One type for one thing: no two classes of the package have the same fields, nor the same name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import fullprime

PACKAGE = Path(fullprime.__file__).parent
FEWEST = 3
"""Classes with fewer fields than this may have the same ones by chance."""

TWINS = {
    # Options as they are typed, with their flags and their help for typer (a seed may be any word there), and the
    # settings of a rollout, which the server and the library use without the command line.
    "RolloutOptions TrialOptions",
    # The client needs the rules and HTTPX alone, and passes over fields that a newer server adds; the server's value
    # stands on its database.
    "AccountGame ListedGame",
}
"""The names of twins that there are, with their reasons."""

NEAR = 0.75
"""A model of the web that shares this much of all fields with another class, and is not made of it, is nearly one."""
NEAR_TWINS = {
    # A request has its choices as they may be asked for, each with its bounds; the pool is what follows from them.
    "NewSeek Pool",
}


@dataclass(frozen=True)
class Fields:
    """A class with fields: those of its own, and the names of its bases."""

    name: str
    own: Mapping[str, str]
    bases: tuple[str, ...]


@cache
def classes_of_the_package() -> Mapping[Path, Sequence[ast.ClassDef]]:
    """The classes at the top of each module."""
    return {path: classes_of(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def classes_of(source: str) -> list[ast.ClassDef]:
    """The classes at the top of a module."""
    body = ast.parse(source).body if "class " in source else []
    return [node for node in body if isinstance(node, ast.ClassDef)]


def with_fields(classes: Sequence[ast.ClassDef]) -> Iterator[Fields]:
    """Those that have fields, other than enumerations and protocols."""
    for node in classes:
        bases = tuple(ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases)
        typed = {
            ast.unparse(part.target): ast.unparse(part.annotation)
            for part in node.body
            if isinstance(part, ast.AnnAssign) and not ast.unparse(part.annotation).startswith("ClassVar")
        }
        if not any(base.endswith(("Enum", "Protocol", "Word")) for base in bases):
            yield Fields(node.name, typed, bases)


def twins(classes: list[Fields]) -> set[str]:
    """The names of classes that have the same fields, and are not told apart by a word of theirs nor by inheritance."""
    named = {one_class.name: one_class for one_class in classes}
    alike: defaultdict[frozenset[str], list[Fields]] = defaultdict(list)
    for one_class in classes:
        names = frozenset(all_fields(one_class, named))
        if len(names) >= FEWEST:
            alike[names].append(one_class)
    pairs = (pair for group in alike.values() for pair in combinations(group, 2) if not told_apart(*pair, named))
    together: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for one, other in pairs:
        together[frozenset(all_fields(one, named))] |= {one.name, other.name}
    return {" ".join(sorted(names)) for names in together.values()}


def near_twins(models: Sequence[Fields], classes: Sequence[Fields]) -> set[str]:
    """The names of models with those of classes that have nearly the same fields, and share no base that has some."""
    named = {one_class.name: one_class for one_class in classes}
    pairs = set()
    for model in models:
        fields = set(all_fields(model, named))
        for other in classes:
            others = set(all_fields(other, named))
            shared = len(fields & others)
            is_near = shared >= FEWEST and shared / len(fields | others) >= NEAR
            one_base = any(named[base].own for base in {*model.bases} & {*other.bases} & {*named})
            if is_near and not one_base and other.name != model.name and not told_apart(model, other, named):
                pairs.add(" ".join(sorted((model.name, other.name))))
    return pairs


def all_fields(one_class: Fields, named: Mapping[str, Fields]) -> dict[str, str]:
    """The fields of a class with those of its bases."""
    names: dict[str, str] = {}
    for base in one_class.bases:
        if base in named and base != one_class.name:
            names |= all_fields(named[base], named)
    return names | one_class.own


def told_apart(one: Fields, other: Fields, named: Mapping[str, Fields]) -> bool:
    """True where ``kind`` or ``type`` says which it is, or one is made of the other."""
    words = [[all_fields(one_class, named).get(name, "") for one_class in (one, other)] for name in ("kind", "type")]
    has_own_words = any(all("Literal" in kind for kind in kinds) and kinds[0] != kinds[1] for kinds in words)
    return has_own_words or one.name in other.bases or other.name in one.bases


def test_no_two_classes_have_the_same_fields() -> None:
    classes = [fields for classes in classes_of_the_package().values() for fields in with_fields(classes)]
    assert twins(classes) == TWINS


def test_no_model_of_the_web_is_nearly_a_value() -> None:
    classes = {path: list(with_fields(nodes)) for path, nodes in classes_of_the_package().items()}
    models = [
        fields
        for path, of_module in classes.items()
        if path.is_relative_to(PACKAGE / "web" / "models")
        for fields in of_module
    ]
    assert len(models) > 60
    assert near_twins(models, [fields for of_module in classes.values() for fields in of_module]) == NEAR_TWINS


def test_no_public_class_name_stands_twice() -> None:
    modules = defaultdict(list)
    for path, classes in classes_of_the_package().items():
        for node in classes:
            if not node.name.startswith("_"):
                modules[node.name].append(path.relative_to(PACKAGE).as_posix())
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}


def test_twins_are_found() -> None:
    source = (
        "class A:\n    a: int\n    b: int\n    c: str\nclass AJson(TypedDict):\n    c: str\n    b: float\n    a: int\n"
        "class B(A):\n    d: int\nclass C(B):\n    d: bool\nclass D:\n    a: int\n    b: int\n"
        "class E:\n    kind: Literal['e']\n    x: int\n    y: int\n"
        "class F:\n    kind: Literal['f']\n    x: int\n    y: int\n"
        "class G(TypedDict):\n    kind: str\n    x: int\n    y: int\n"
    )
    assert twins(list(with_fields(classes_of(source)))) == {"A AJson", "E F G"}


def test_near_twins_are_found() -> None:
    source = (
        "class A:\n    a: int\n    b: int\n    c: str\nclass Request(Strict):\n    c: str\n    b: int\n    a: int\n"
        "    d: int\nclass Base(Strict):\n    e: int\n    f: int\n    g: int\nclass One(Base):\n    h: int\n"
        "class Two(Base):\n    i: int\n"
    )
    classes = list(with_fields(classes_of(source)))
    assert near_twins(classes, classes) == {"A Request"}
