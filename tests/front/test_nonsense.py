"""Everything that is none of what a function takes is refused by an error of ours: no other error, no silent guess.

The functions, the constructors and the methods are found by walking ``fullprime.__all__``, so that a new one is thrown
at without being named here. Each is called with arguments that are right (``GOOD``) but for one or two, which are
nonsense: of another type, out of range, not finite, hostile.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fullprime as fp
from fullprime.engine.rollouts.task import TrialPolicy

START = fp.Position.start()
GAME = fp.Game.new().opening(3, 1)
MATCH = fp.Match.new(3).opening(3, 1)


class Strange:
    """Of no use to anybody, and its repr fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


NONSENSE: list[object] = [
    None, True, -1, 0, 10**30, -(10**4400), 1.5, math.nan, math.inf, Decimal("NaN"), 2j, "", "no", "nonsense",
    "\0", "7.5", "x" * 100_000, "\ud800", b"", b"\xff\x00", [], [None], (), (1, 2, 3), ("a", 1.5), {}, {"a": 1},
    {6: 1.5}, {1, 2}, range(3), object, object(), Strange(), lambda *_: None, np.array([1.5]), np.array(["a"]),
    np.float64("nan"),
    START, GAME, MATCH, fp.Roll(3, 1), fp.Player.X, fp.Player.O, np.int64(-2), fp.Settings(length=3), fp.Phase.PLAY,
]  # fmt: skip
GOOD: dict[str, object] = {
    "position": START, "after": START, "made": None, "dice": (3, 1), "x_die": 3, "o_die": 1, "game": GAME,
    "start": fp.Game.new(), "settings": fp.Settings(), "score": fp.Score(), "match": MATCH, "what": START,
    "to": "xgid", "source": b"nothing", "where": "nowhere/at/all.mat", "level": "fast", "variant": "backgammon",
    "positions": [START], "plays": ("8/5 6/5",), "trials": 36, "truncate": 1, "threads": 1, "seed": 1, "ply": 0,
    "most": 2, "games": 2, "first": "random", "second": "random", "length": 1, "player": fp.Player.X, "value": "31",
    "text": "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "opponent": {6: 2}, "checkers": 2, "options": {"cube": "no"},
    "action": fp.Action("roll", dice=(3, 1)), "event": fp.Action("roll", dice=(3, 1)), "number": 3, "play": "8/5 6/5",
    "high": 3, "low": 1, "kind": "roll", "name": "house", "title": "House", "winner": fp.Player.X, "points": 1,
    "how": "drop", "owner": fp.Player.X, "loser": START.player, "cube_turned": False, "result": None, "hidden": 4,
    "url": "http://127.0.0.1:9", "token": "fpt_nothing", "seconds": 1, "place": ":memory:", "wanted": {},
    "conduct": TrialPolicy(truncate=1), "on_roll": fp.Player.X, "phase": fp.Phase.ROLL, "target": 5, "moves": (),
}  # fmt: skip
"""What is right, by the name of a parameter: enough for a call that goes through, or is refused."""

GIVEN = ("trials", "truncate", "level", "games", "conduct")
"""What has a value of its own by default, which would take long here."""
REACHES_OUT = {"connect", "connect_async", "duel"}
"""Left alone: what is right here among the nonsense reaches for a server, learns, or plays for seconds."""
RESULTS = {
    "Decision", "DuelResult", "Evaluation", "Evaluations", "Ranking", "RankedPlay", "Review", "Reviews",
    "ReviewedDecision", "Rolled", "Rollout", "CubeAnswer", "CubeDecision", "Bot",
}  # fmt: skip
"""Answers, which the package makes."""
INNER = {"Engine", "Engine().best_board", "Engine().best_end", "Engine().static_best", "Engine().worth"}
"""Doors for arrays of packed positions, checked by those that go through them."""


def values() -> Iterator[object]:
    """A value of each class of the front door on which methods can be called."""
    yield from (START, GAME, MATCH, fp.Game.new(), MATCH.games[0], fp.Roll(3, 1), fp.Cube(2), fp.Score(), fp.Settings())
    yield from (fp.variants["dutch"], fp.Player.X, fp.Action("double"), START.plays("31")[0], fp.SearchLimits())
    yield fp.Engine.open(level="fast")
    yield fp.Result(fp.Player.X, 1, 1, "drop")


def public_methods(value: object) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of a value, or the ways in which a class makes values."""
    kind = value if isinstance(value, type) else type(value)
    for name in dir(kind):
        member = inspect.getattr_static(kind, name)
        wanted = classmethod if value is kind else types.FunctionType
        if not name.startswith("_") and isinstance(member, wanted):
            yield name, getattr(value, name)


def called() -> dict[str, Callable[..., Any]]:
    """All that can be called with arguments, by its name."""
    functions: dict[str, Callable[..., Any]] = {}
    for name in fp.__all__:
        exported = getattr(fp, name)
        if isinstance(exported, type) and not issubclass(exported, BaseException | Enum) and name not in RESULTS:
            functions[name] = exported
            functions |= {f"{name}.{method}": member for method, member in public_methods(exported)}
        elif inspect.isfunction(exported):
            functions[name] = exported
    for value in values():
        kind = type(value).__name__
        functions |= {f"{kind}().{method}": member for method, member in public_methods(value)}
    return {name: member for name, member in functions.items() if arguments(member) and name not in INNER | REACHES_OUT}


def arguments(member: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        signature = inspect.signature(member)
    except ValueError:
        return []
    return [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]


CALLED = called()


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FULLPRIME_DB", str(tmp_path / "library.db"))


def call(member: Callable[..., Any], arguments_given: Mapping[str, object]) -> object:
    """The result of a call by the names of the arguments; of a generator its first thing."""
    several = [argument.name for argument in arguments(member) if argument.kind is argument.VAR_POSITIONAL]
    first = [arguments_given[name] for name in arguments_given if name not in several and positional(member, name)]
    named = {
        name: value for name, value in arguments_given.items() if name not in several and not positional(member, name)
    }
    result = member(*first, *(arguments_given[name] for name in several if name in arguments_given), **named)
    return next(result, None) if inspect.isgenerator(result) else result


def positional(member: Callable[..., Any], name: str) -> bool:
    return inspect.signature(member).parameters[name].kind is inspect.Parameter.POSITIONAL_ONLY


@pytest.mark.parametrize("name", sorted(CALLED))
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nonsense_is_refused_by_an_error_of_ours(name: str, data: st.DataObject) -> None:
    member = CALLED[name]
    parameters = arguments(member)
    given_: dict[str, object] = {
        parameter.name: GOOD[parameter.name]
        for parameter in parameters
        if parameter.name in GOOD and (parameter.default is parameter.empty or parameter.name in GIVEN)
    }
    wrong = data.draw(
        st.lists(st.sampled_from([parameter.name for parameter in parameters]), min_size=1, max_size=2, unique=True)
    )
    for parameter in wrong:
        given_[parameter] = data.draw(st.sampled_from(NONSENSE))
    for parameter in parameters:  # what has no value that is right here gets one that is wrong
        if (
            parameter.default is parameter.empty
            and parameter.name not in given_
            and parameter.kind is not parameter.VAR_POSITIONAL
        ):
            given_[parameter.name] = data.draw(st.sampled_from(NONSENSE))
    try:
        result = call(member, given_)
    except fp.FullprimeError:
        return
    if dataclasses.is_dataclass(result) and type(result).__module__.startswith("fullprime.rules"):
        assert_fields(result)


def assert_fields(value: Any) -> None:
    """Every field of a value of the rules holds what its type says: nothing was taken that only looks like it."""
    hints = typing.get_type_hints(type(value), vars(sys.modules[type(value).__module__]) | vars(fp))
    for field in dataclasses.fields(value):
        assert fits(getattr(value, field.name), hints[field.name]), (field.name, getattr(value, field.name))


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
    if hint is int:
        return type(value) is int
    return isinstance(value, hint)


def test_the_walk_finds_what_there_is() -> None:
    assert {"hint", "rollout", "Cube", "Match.new", "Position.of", "Game().play", "Engine().rank_plays"} <= set(CALLED)
    assert {"Settings", "Score.start", "Variant().with_options", "write", "Library"} <= set(CALLED)
    assert len(CALLED) > 70


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (lambda: fp.Settings(jacoby="maybe"), "maybe"),
        (lambda: fp.Settings(backgammon="nonsense"), "nonsense"),
        (lambda: fp.Settings(length=7.5), "7.5"),
        (lambda: fp.Settings(length=True), "True"),
        (lambda: fp.Settings(stake=True), "True"),
        (lambda: fp.Settings(cube_cap=64.0), "64.0"),
        (lambda: fp.Position.of({6: 1.5}, {6: 2}), "1.5"),
        (lambda: fp.Position((1.0,) + (0,) * 26, (0,) * 27), "1.0"),
        (lambda: fp.Match.new(3, names=5), "5"),
        (lambda: fp.Match.new(3, names="AB"), "AB"),
        (lambda: fp.Cube(3), "3"),
        (lambda: fp.Cube(2, "Z"), "Z"),
        (lambda: fp.Roll(3.0, 1), "3.0"),
        (lambda: fp.Score((1.5, 0)), "1.5"),
        (lambda: fp.rollout(START, ply=9), "ply: 9"),
        (lambda: fp.rollout(START, trials=10**12), "trials"),
        (lambda: fp.write(MATCH, "missing/folder/match.mat"), "missing"),
    ],
)  # fmt: skip
def test_values_are_refused_where_they_are_made(refused: Callable[[], object], words: str) -> None:
    with pytest.raises(fp.FullprimeError, match=words):
        refused()
    assert not Path("missing").exists()


def test_numbers_of_other_libraries_become_plain() -> None:
    two = np.int64(2)
    for value in (fp.Cube(two), fp.Roll(two, two), fp.Score((two, two)), fp.Settings(length=two), fp.Match.new(two)):
        assert "int64" not in repr(value)
    assert_fields(fp.Position((np.int8(15), *(0,) * 26), (0, np.int8(15), *(0,) * 25)))


def test_words_mean_what_they_say() -> None:
    settings = fp.Settings(jacoby="no", crawford="no", cube="no", beavers="off", backgammon="BAR-ONLY")
    assert settings == fp.Settings(jacoby=False, crawford=False, cube=False, backgammon=fp.Backgammon.BAR_ONLY)
    assert fp.Settings(jacoby="yes", cube="on").jacoby is True
    assert fp.Cube(2, "x").owner is fp.Player.X


@pytest.mark.parametrize("nonsense", [3, None, ("a",), "a\0b"])
def test_a_library_refuses_nonsense(nonsense: object, tmp_path: Path) -> None:
    with fp.Library(tmp_path / "library.db") as library:
        with pytest.raises(fp.FileError):
            library.add(nonsense)  # type: ignore[arg-type]
        if nonsense is not None and not isinstance(nonsense, str):
            for name in ("pattern", "since", "player", "score", "loss"):
                with pytest.raises(fp.FullprimeError):
                    library.search(**{name: nonsense if name != "loss" else "x"})  # type: ignore[arg-type]


def test_a_picture_and_a_server_have_places() -> None:
    with pytest.raises(fp.DiagramError):
        fp.draw(START, "a\0b.svg")
    for url in ("http://[::1", 3):
        with pytest.raises(fp.ClientError):
            fp.connect(url, "x")  # type: ignore[arg-type]
