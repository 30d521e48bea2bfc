"""Everything of ``fullprime`` that can be called with arguments, and what it can be called with.

The functions, the constructors and the methods are found by walking ``fullprime.__all__``, so that a new one is thrown
at without being named here.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import fullprime as fp
from fullprime.engine.boards.conversion import row_of
from fullprime.engine.rollouts.task import TrialPolicy
from fullprime.front.pictures import OPTIONS
from fullprime.library.store.search import Wanted

START = fp.Position.start()
GAME = fp.Game.new().opening(3, 1)
MATCH = fp.Match.new(3).opening(3, 1)
ROLL = fp.Action(fp.ActionKind.ROLL, dice=(3, 1))


class Strange:
    """Of no use to anybody, and its repr fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


NONSENSE: list[object] = [
    None, True, -1, 0, 10**30, -(10**4400), 1.5, math.nan, math.inf, Decimal("NaN"), 2j, "", "no", "nonsense",
    "\0", "7.5", "x" * 100_000, "\ud800", b"", b"\xff\x00", [], [None], (), (1, 2, 3), ("a", 1.5), {}, {"a": 1},
    {6: 1.5}, {1, 2}, range(3), object, object(), Strange(), lambda *_: None, np.array([1.5]), np.array(["a"]),
    np.array([1, 2]), np.float64("nan"), np.float32(1.5), np.True_,
    START, GAME, MATCH, fp.Roll(3, 1), fp.Player.X, fp.Player.O, np.int64(-2), fp.Settings(length=3), fp.Phase.PLAY,
]  # fmt: skip
GOOD: dict[str, object] = {
    "position": START, "after": START, "made": None, "dice": (3, 1), "x_die": 3, "o_die": 1, "game": GAME,
    "start": fp.Game.new(), "settings": fp.Settings(), "score": fp.Score(), "match": MATCH, "what": START,
    "to": "xgid", "source": b"nothing", "where": "nowhere/at/all.mat", "level": "fast", "variant": "backgammon",
    "positions": [START], "plays": ("8/5 6/5",), "trials": 36, "truncate": 1, "threads": 1, "seed": 1, "ply": 0,
    "most": 2, "games": 2, "first": "fast", "second": "fast", "length": 1, "player": fp.Player.X, "value": "31",
    "text": "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "opponent": {6: 2}, "checkers": 2, "options": {"cube": "no"},
    "action": ROLL, "event": ROLL, "number": 3, "play": "8/5 6/5",
    "high": 3, "low": 1, "kind": "roll", "name": "house", "title": "House", "winner": fp.Player.X, "points": 1,
    "how": "drop", "owner": fp.Player.X, "loser": START.player, "cube_turned": False, "result": None, "hidden": 4,
    "url": "http://127.0.0.1:9", "token": "fpt_nothing", "seconds": 1, "place": ":memory:", "die": 2, "rest": (),
    "policy": TrialPolicy(truncate=1), "on_roll": fp.Player.X, "phase": fp.Phase.ROLL, "target": 5, "moves": (),
    "row": row_of(START), "boards": row_of(START), "roll": fp.Roll(3, 1), "context": fp.CubeContext(), "equity": 0.5,
    "searcher": None, "index": 0, "places": ("nowhere.mat",), "state": None, "keep": False,
}  # fmt: skip
"""What is right, by the name of a parameter: enough for a call that goes through, or is refused."""

OF_DOOR: dict[str, dict[str, object]] = {"review": {"source": MATCH}, "Library().statistics": {"player": "X"}}
"""What is right for one door, by its name."""
GIVEN = ("trials", "truncate", "level", "games", "policy", "first", "second", "keep")
"""What has a value of its own by default, which would take long here."""
KEYWORDS: dict[str, tuple[str, ...]] = {
    "draw": tuple(OPTIONS),
    "Game().rollout": tuple(inspect.signature(fp.rollout).parameters)[1:],
    "Match().review": tuple(inspect.signature(fp.review).parameters)[1:-1],
} | dict.fromkeys(
    ("Library().matches", "Library().search", "Library().review", "Library().statistics"),
    tuple(field.name for field in dataclasses.fields(Wanted)),
)
"""What stands for ``**``, by the name of the door."""
REACHES_OUT = {"connect_async"}
"""Left alone: its arguments are those of ``connect``, and its answer waits for an event loop."""
ANSWERS = {
    "Bot", "CubeAnswer", "CubeDecision", "Decision", "DuelResult", "Evaluation", "Evaluations", "RankedPlay", "Ranking",
    "Review", "ReviewedDecision", "Reviews", "RolledPlay", "Rollout",
}  # fmt: skip
"""Classes whose values the package makes, or the user writes: their methods are called, not their constructors."""


@cache
def answers() -> dict[type, object]:
    """One value of each class of answers."""
    ranking = fp.hint(START, "31", level="fast")
    raised = fp.Game.new(fp.Settings(beavers=True)).opening(3, 1).play("8/5 6/5").double().beaver()
    rolled = fp.rollout(START, "31", trials=36, truncate=1, threads=1, plays=["8/5 6/5"])
    reviews = fp.review(fp.play_match("random", "random", seed=1), "fast", keep=False)
    return {
        type(value): value
        for value in (
            ranking, ranking.best, fp.hint(START, level="fast"), fp.hint(raised, level="fast"), rolled, rolled.best,
            fp.evaluate(START, level="fast"), fp.evaluate_many([START]), fp.duel("heuristic", "random", games=2),
            reviews, reviews[0], reviews[0].decisions[0], reviews[0].errors[0],
        )
    }  # fmt: skip


@cache
def values() -> dict[type, object]:
    """One value of each class that is no answer, a Library apart."""
    return {
        type(value): value
        for value in (
            START, GAME, MATCH, MATCH.games[0], fp.Roll(3, 1), fp.Cube(2), fp.Score(), fp.Settings(), fp.CubeContext(),
            fp.variants["dutch"], fp.Action(fp.ActionKind.DOUBLE), START.plays("31")[0], START.plays("31")[0].moves[0],
            fp.SearchLimits(), fp.StoppingRule(), fp.Engine.open(level="fast"), fp.Setup(GAME),
            fp.Result(fp.Player.X, 1, 1, "drop"),
        )
    }  # fmt: skip


@cache
def library(folder: Path) -> fp.Library:
    """A library that holds a match."""
    opened = fp.Library(folder / "doors.db")
    opened.keep(MATCH, "a.json")
    return opened


def receiver_of(kind: type) -> object:
    """A value of a class, on which its methods are called; each folder of a test has a Library of its own."""
    if kind is fp.Library:
        return library(Path.cwd())
    if issubclass(kind, Enum):
        return next(iter(kind))
    return (values() if kind in values() else answers())[kind]


@dataclass(frozen=True)
class Door:
    """A function, a constructor or a method. ``receiver``: the class on a value of which a method is called."""

    name: str
    function: Callable[..., Any]
    receiver: type | None = None

    @property
    def parameters(self) -> list[inspect.Parameter]:
        """The parameters, without ``self``; those that ``**`` stands for are as good as others."""
        try:
            listed = list(inspect.signature(self.function).parameters.values())
        except ValueError:
            return []
        listed = listed[1:] if self.receiver else listed
        keywords = [
            name for parameter in listed if parameter.kind is parameter.VAR_KEYWORD for name in KEYWORDS[self.name]
        ]
        named = [parameter for parameter in listed if parameter.kind is not parameter.VAR_KEYWORD]
        taken = {parameter.name for parameter in named}
        return named + [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
            for name in keywords
            if name not in taken
        ]

    def usual(self) -> dict[str, object]:
        """Arguments that are right: those without which it cannot be called, and those that spare time."""
        good = GOOD | OF_DOOR.get(self.name, {})
        return {
            parameter.name: good[parameter.name]
            for parameter in self.parameters
            if (parameter.default is parameter.empty or parameter.name in GIVEN)
            and not (parameter.kind is parameter.VAR_POSITIONAL and parameter.name not in GOOD)
        }

    def call(self, arguments: Mapping[str, object]) -> object:
        """The result of a call by the names of the arguments; of a generator its first thing."""
        function = (
            self.function if self.receiver is None else getattr(receiver_of(self.receiver), self.function.__name__)
        )
        kinds = {parameter.name: parameter.kind for parameter in self.parameters}
        first, several, named = [], [], {}
        for name, value in arguments.items():
            if kinds[name] is inspect.Parameter.POSITIONAL_ONLY:
                first.append(value)
            elif kinds[name] is inspect.Parameter.VAR_POSITIONAL:
                several.append(value)
            else:
                named[name] = value
        result = function(*first, *several, **named)
        return next(result, None) if inspect.isgenerator(result) else result


def find_doors() -> dict[str, Door]:
    """All that can be called with arguments, by its name."""
    return {door.name: door for door in _walk() if door.parameters and door.name not in REACHES_OUT}


def _walk() -> Iterator[Door]:
    for name in fp.__all__:
        exported = getattr(fp, name)
        if inspect.isfunction(exported):
            yield Door(name, exported)
        elif isinstance(exported, type) and not issubclass(exported, BaseException):
            if name not in ANSWERS and not issubclass(exported, Enum):
                yield Door(name, exported)
            if name != "Bot":
                yield from _methods(name, exported)


def _methods(name: str, kind: type) -> Iterator[Door]:
    """The methods of a class, and the ways in which it makes values; those of Python's own classes are left out."""
    for method in dir(kind):
        member = inspect.getattr_static(kind, method)
        if method.startswith("_") or not getattr(member, "__module__", "").startswith("fullprime"):
            continue
        if isinstance(member, classmethod):
            yield Door(f"{name}.{method}", getattr(kind, method))
        elif isinstance(member, types.FunctionType):
            yield Door(f"{name}().{method}", member, kind)


def why_not(door: Door, arguments: Mapping[str, object]) -> str | None:
    """What is wrong with a call: an error that is not ours, a text that is no line, a value that holds nonsense."""
    try:
        result = door.call(arguments)
    except fp.FullprimeError as error:
        text = str(error)
        return f"{len(text)} letters, {text[:300]!r}" if "\n" in text or len(text) > 1000 else None
    except Exception as error:  # noqa: BLE001 - any other is what the test looks for
        return repr(error)[:300]
    if dataclasses.is_dataclass(result) and type(result) in values() and not door.receiver:
        return next(misfits(result), None)
    return None


def misfits(value: Any) -> Iterator[str]:
    """The fields of a value that do not hold what their type says: something was taken that only looks like it."""
    hints = typing.get_type_hints(type(value), vars(sys.modules[type(value).__module__]) | vars(fp))
    for field in dataclasses.fields(value):
        if not fits(getattr(value, field.name), hints[field.name]):
            yield f"{field.name} holds {type(getattr(value, field.name)).__name__}"


def fits(value: object, hint: Any) -> bool:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union or origin is types.UnionType:
        return any(fits(value, part) for part in parts)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        kinds = [parts[0]] * len(value) if parts[-1] is Ellipsis else list(parts)
        return len(kinds) == len(value) and all(map(fits, value, kinds))
    if origin is not None:
        return isinstance(value, origin)
    if hint in (int, float, bool):
        return type(value) is hint
    return isinstance(value, hint)
