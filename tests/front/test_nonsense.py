"""Everything that is none of what a function takes is refused by an error of ours: no other error, no silent guess.

Each door of ``doors.py`` is called with arguments that are right but for one or two, which are nonsense: of another
type, out of range, not finite, hostile. The usual run tries one in 24 of the single values, always the same ones;
the broad one tries them all, and pairs that are drawn anew each time from a seed that it names where it fails.
"""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from tests.front.doors import KEYWORDS, MATCH, NONSENSE, START, Door, Strange, find_doors, misfits, why_not

import fullprime as fp

DOORS = find_doors()
SHARE = 24
"""The usual run tries one of this number of single wrong values."""
PAIRS = 60
"""Calls of each door with two wrong values."""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FULLPRIME_DB", str(tmp_path / "library.db"))


def singles(door: Door) -> list[tuple[str, int]]:
    """Each parameter with the number of each wrong value."""
    return [(parameter.name, number) for parameter in door.parameters for number in range(len(NONSENSE))]


def faults(door: Door, calls: list[list[tuple[str, int]]]) -> list[str]:
    """What is wrong with calls that are right but for the parameters and the numbers of their wrong values."""
    faults = []
    for wrong in calls:
        arguments = door.usual() | {name: NONSENSE[number] for name, number in wrong}
        if why := why_not(door, arguments):
            arguments = ", ".join(f"{name}=NONSENSE[{number}]" for name, number in wrong)
            faults.append(f"{door.name}({arguments}): {why}")
    return faults


@pytest.mark.parametrize("name", sorted(DOORS))
def test_nonsense_is_refused_by_an_error_of_ours(name: str) -> None:
    some = [[single] for single in singles(DOORS[name]) if (crc32(single[0].encode()) + single[1]) % SHARE == 0]
    assert faults(DOORS[name], some) == []


@pytest.mark.broad
@pytest.mark.parametrize("name", sorted(DOORS))
def test_every_single_nonsense_is_refused(name: str) -> None:
    assert faults(DOORS[name], [[single] for single in singles(DOORS[name])]) == []


@pytest.mark.broad
@pytest.mark.parametrize("name", sorted(name for name, door in DOORS.items() if len(door.parameters) > 1))
def test_two_nonsenses_at_once_are_refused(name: str) -> None:
    seed = int(os.environ.get("FULLPRIME_NONSENSE") or secrets.randbelow(1 << 32))
    draw = random.Random(f"{seed} {name}")
    parameters = [parameter.name for parameter in DOORS[name].parameters]
    pairs = [
        [(parameter, draw.randrange(len(NONSENSE))) for parameter in draw.sample(parameters, 2)] for _ in range(PAIRS)
    ]
    assert faults(DOORS[name], pairs) == [], f"FULLPRIME_NONSENSE={seed} draws the same again"


def test_the_walk_finds_what_there_is() -> None:
    assert {"hint", "rollout", "Cube", "Match.new", "Position.of", "Game().play", "Engine().rank_plays"} <= set(DOORS)
    assert {"Settings", "Score.start", "Variant().with_options", "write", "Library", "duel", "connect"} <= set(DOORS)
    assert {"Library().keep", "Rollout().of", "Decision().verdict", "Ranking().text", "Engine().best_board"} <= set(
        DOORS
    )
    assert set(KEYWORDS["Library().search"]) <= {parameter.name for parameter in DOORS["Library().search"].parameters}
    assert len(DOORS) > 100


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
        (lambda: fp.play_match(np.array([1.5])), "1.5"),
        (lambda: fp.duel(np.float64(1), "random", games=1), "1.0"),
        (lambda: fp.play_match(Strange()), "a Strange is no player"),
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
    assert list(misfits(fp.Position((np.int8(15), *(0,) * 26), (0, np.int8(15), *(0,) * 25)))) == []


def test_words_mean_what_they_say() -> None:
    settings = fp.Settings(jacoby="no", crawford="no", cube="no", beavers="off", backgammon="BAR-ONLY")
    assert settings == fp.Settings(jacoby=False, crawford=False, cube=False, backgammon=fp.Backgammon.BAR_ONLY)
    assert fp.Settings(jacoby="yes", cube="on").jacoby is True
    assert fp.Cube(2, "x").owner is fp.Player.X


def test_every_condition_of_a_library_can_be_asked_of_all_its_questions(tmp_path: Path) -> None:
    conditions = {
        "opponent": "O", "event": "club", "since": "2020-01-01", "until": "2030-01-01", "length": 3, "score": "0-0",
        "variant": "backgammon", "away": "3-3", "reviewed": False, "played": np.True_, "dice": fp.Roll(3, 1),
        "kind": "double", "verdicts": "blunder", "loss": np.float32(0.5), "level": "fast", "numbers": (np.int64(1),),
        "pattern": "6:2+ * / 24:2 *",
    }  # fmt: skip
    with fp.Library(tmp_path / "library.db") as library:
        number = library.keep(MATCH, "a.json")
        for name, value in conditions.items():
            counts = [row.number for row in library.matches(**{name: value})]
            assert counts == ([] if name in ("event", "since", "until") else [number]), name
            library.search(**{name: value})
            assert library.statistics("X", **{name: value}).name == "X"
        with pytest.raises(fp.StoreError, match="colour"):
            library.matches(colour="red")


def test_a_match_that_is_kept_already_keeps_its_number(tmp_path: Path) -> None:
    with fp.Library(tmp_path / "library.db") as library:
        first, second = library.keep(MATCH, "a"), library.keep(fp.Match.new(5).opening(6, 2), "b")
        assert (library.keep(MATCH, "a"), library.keep(MATCH, "c")) == (first, first)
        assert first != second
        assert len(library) == 2


def test_a_library_makes_no_folder(tmp_path: Path) -> None:
    for place in (tmp_path / "missing" / "library.db", f"sqlite:///{tmp_path}/missing/library.db"):
        with pytest.raises(fp.StoreError, match=r"there is no folder .*missing$"):
            fp.Library(place)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("truth", [np.True_, np.False_])
def test_the_truth_values_of_numpy_are_taken(truth: np.bool_) -> None:
    plain = bool(truth)
    assert fp.Settings(jacoby=truth) == fp.Settings(jacoby=plain)
    assert fp.Settings(jacoby=truth).jacoby is plain
    assert fp.CheckerMove(8, 5, 3, truth).hit is plain
    assert fp.Score(crawford_game=truth).crawford_game is plain
    assert fp.variants["dutch"].with_options({"bar_priority": truth}).bar_priority is plain
    assert fp.CubeContext(jacoby=truth).jacoby is plain
    assert fp.draw(START, pips=truth) == fp.draw(START, pips=plain)


def test_the_fractions_of_numpy_are_taken() -> None:
    half = np.float32(0.5)
    assert repr(fp.SearchLimits(seconds=half, nodes=np.int64(5))) == repr(fp.SearchLimits(seconds=0.5, nodes=5))
    assert repr(fp.StoppingRule(np.int64(36), half)) == repr(fp.StoppingRule(36, 0.5))
    assert fp.Settings(stake=np.float32(2.5)) == fp.Settings(stake=2.5)
    assert fp.Settings(stake=np.int64(5)) == fp.Settings(stake=5)


@pytest.mark.parametrize("nonsense", [3, None, ("a",), "a\0b", "missing.mat", ""])
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
