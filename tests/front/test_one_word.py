"""One word for one thing: the options of a command are the keywords of the function that does the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
import typer

import fullprime as fp
from fullprime.cli.main import app
from fullprime.front import pictures
from fullprime.library.store.search import Wanted

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]

TOLD = {"json", "help"}
"""Options about the way in which a command tells its answer."""
RULES = {"preset", "money", "jacoby", "beavers", "rules"}
"""Options that are fields of ``fp.Settings``, which the package takes as ``settings``."""
POSITION = RULES | {"post_crawford", "cube_at", "on_roll"}
"""``--score`` and ``--cube-at`` are texts; the package takes values, ``Score`` and ``Cube``, which hold all of it."""
VALUES = {"cube", "settings"}


def keywords(*functions: Callable[..., Any]) -> set[str]:
    """The names of keywords, without the first argument, which is the thing that is asked about."""
    names: set[str] = set()
    for function in functions:
        for place, parameter in enumerate(inspect.signature(function).parameters.values()):
            if parameter.kind is not parameter.VAR_KEYWORD and place:
                names.add(parameter.name)
    return names - {"self"}


def options(path: str) -> set[str]:
    """The long names of a command's options as keywords; one that may be given several times is a plural."""
    command = COMMANDS[path.split(maxsplit=1)[0]]
    for word in path.split()[1:]:
        command = command.commands[word]
    names = set()
    for param in command.params:
        if param.param_type_name == "option":
            name = next(name for name in param.opts if name.startswith("--"))[2:].replace("-", "_")
            names.add(f"{name}s" if param.multiple and not name.endswith("s") else name)
    return names - TOLD


PAIRS: dict[str, tuple[set[str], set[str], set[str]]] = {
    "hint": (keywords(fp.hint), {"dice", *VALUES}, POSITION | {"most", "cubeful", "seconds", "nodes"}),
    "evaluate": (keywords(fp.evaluate), VALUES, POSITION | {"cubeful", "seconds"}),
    "rollout": (
        keywords(fp.rollout),
        {"dice", *VALUES, "executor", "progress", "stop"},
        POSITION | {"cube_ply", "variance_reduction", "cluster", "save", "load"},
    ),
    "duel": (keywords(fp.duel), {"second"}, {"luck"}),
    "review": (keywords(fp.review), {"progress"}, {"player", "marks", "worst", "why", "html", "text"}),
    "diagram": (
        keywords(fp.draw) | set(pictures.OPTIONS),
        {"where"},
        POSITION | {"variant", "length", "score", "output"},
    ),
    "library search": (
        {field.name for field in fields(Wanted)} | keywords(fp.Library.search),
        {"pattern", "dice", "numbers", "played", "reviewed"},
        {"boards", "save_as", "saved", "forget", "db"},
    ),
    "library review": (
        {field.name for field in fields(Wanted)} | keywords(fp.Library.review),
        {
            "pattern",
            "dice",
            "numbers",
            "played",
            "reviewed",
            "kind",
            "stage",
            "verdicts",
            "mistake",
            "theme",
            "plan",
            "loss",
        },
        {"limit", "db"},
    ),
}
"""By command: the keywords of the package, those that are no option there, and the options that are no keyword."""


@pytest.mark.parametrize("path", PAIRS)
def test_the_same_thing_has_the_same_name_on_both_faces(path: str) -> None:
    both, package_alone, command_alone = PAIRS[path]
    assert package_alone <= both
    assert command_alone <= options(path)
    assert both - package_alone == options(path) - command_alone


def test_no_word_of_one_face_is_another_word_of_the_other() -> None:
    """``most`` is how many plays, ``level`` also how deep a review goes; ``depth`` is a word of results alone."""
    for path, (both, _, _) in PAIRS.items():
        assert not {"depth", "cubeless", "home", "again"} & (both | options(path)), path
