"""Machine code made ahead of time: it is that of these sources or it is not used, and it gives what Numba's gives."""

from __future__ import annotations

import copy
import importlib
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine.random_nets import random_net
from tests.reference.tables import shared_bearoff

from fullprime.engine.core import jit, prepared
from fullprime.engine.core.entries import ENTRIES
from fullprime.engine.core.lookahead import turn_search
from fullprime.engine.core.moves import plays, turns
from fullprime.engine.core.nets import network
from fullprime.engine.core.pack import legal_plays, pack, rules_array, swap
from fullprime.engine.cube.context import CUBELESS, CubeContext
from fullprime.engine.engine import Engine
from fullprime.engine.nets import encoding
from fullprime.engine.nets.evaluator import NetEvaluator, find_outcomes
from fullprime.engine.search.tree import value_weights
from fullprime.engine.tables import endgames
from fullprime.engine.tables.bearoff import Bearoff, build_tables
from fullprime.engine.tables.cubes import LiveCubes
from fullprime.rules.dice import Roll
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, HYPERGAMMON, VARIANTS
from fullprime_lab.training.learning import Exploration, SelfPlayer, follow_ups_array
from fullprime_lab.training.model import AVERAGE_EVERY, Model, Shape

ROOT = Path(__file__).parents[3]
CORE = ROOT / "src" / "fullprime" / "engine" / "core"
PREPARED = pytest.mark.skipif(prepared.library() is None, reason="there is no prepared code for this machine")


def python(code: str, folder: Path = ROOT / "src", **environment: str) -> str:
    """What a fresh interpreter prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "FULLPRIME_MACHINE"))}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**kept, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_every_library_was_made_from_these_sources() -> None:
    libraries = sorted(prepared.FOLDER.glob("*.so"))
    assert libraries, "the package has machine code"
    for library in libraries:
        assert prepared.stamp().encode() in library.read_bytes(), f"{library.name}: run `make code`"
        assert b"site-packages" not in library.read_bytes(), f"{library.name} names the folders of its maker"


@PREPARED
def test_every_entry_has_prepared_code() -> None:
    for name in ENTRIES:
        module, _, function = name.rpartition(".")
        kernel = getattr(importlib.import_module(f"fullprime.engine.core.{module}"), function)
        assert kernel.is_prepared, name


PLAY = """
import sys
from fullprime.engine.engine import Engine
from fullprime.rules.dice import Roll
engine = Engine.open("{game}", bearoff=False)
print(engine.best_play(engine.variant.starting_position, Roll(3, 1), level="1-ply"))
print([name for name in ("numba", "llvmlite") if name in sys.modules])
"""


@PREPARED
@pytest.mark.parametrize("game", ["backgammon", "acey_deucey"])
def test_a_play_needs_no_compiler(game: str, tmp_path: Path) -> None:
    printed = python(PLAY.format(game=game), FULLPRIME_KERNEL_CACHE=str(tmp_path / "cache")).splitlines()
    assert printed[-1] == "[]"
    assert not (tmp_path / "cache").exists(), "nothing is compiled, nothing is kept"


ROLLED_OUT = """
import sys
from fullprime.engine.engine import Engine
engine = Engine.open("{game}", bearoff=False)
found = engine.rollout(engine.variant.starting_position, (3, 1), trials=36, most=2, threads=1)
print([name for name in ("numba", "llvmlite") if name in sys.modules])
"""


@pytest.mark.broad
@PREPARED
@pytest.mark.parametrize("game", ["backgammon", "acey_deucey"])
def test_a_rollout_needs_no_compiler(game: str) -> None:
    assert python(ROLLED_OUT.format(game=game), FULLPRIME_MACHINE_CODE="only") == "[]"


@pytest.mark.broad
@PREPARED
def test_boards_that_cannot_be_written_are_not_compiled_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLPRIME_MACHINE_CODE", "only")
    rows, dice = pack([HYPERGAMMON.starting_position] * 2), np.array([[3, 1], [6, 6]], np.int8)
    nets, tables = NetEvaluator(HYPERGAMMON), endgames.Endgames(HYPERGAMMON)
    bearoff = shared_bearoff()
    ways = (
        nets.evaluate, swap, lambda boards: find_outcomes(boards, HYPERGAMMON), tables.probabilities,
        bearoff.probabilities, bearoff.equities, bearoff.mean_rolls,
        lambda boards: legal_plays(boards, fixed(dice), HYPERGAMMON),
    )  # fmt: skip
    for ask in ways:
        assert repr(ask(fixed(rows))) == repr(ask(rows))


def in_steps(table: endgames.EndgameTable) -> endgames.EndgameTable:
    """A table as those of three checkers a side are kept: in 16 bits, to be read alone."""
    return replace(table, values=fixed(np.rint(table.values * 65_535).astype(np.uint16)))


@PREPARED
def test_a_table_of_16_bits_is_not_compiled_for(monkeypatch: pytest.MonkeyPatch) -> None:
    table = endgames.solve(BACKGAMMON, 1)
    rows = pack([Position.from_text("4 off:14 / 3 off:14"), Position.from_text("3 2 off:13 / 4 off:14")])
    monkeypatch.setenv("FULLPRIME_MACHINE_CODE", "only")
    (covered, outputs), (expected_covered, expected) = in_steps(table).look_up(rows), table.look_up(rows)
    assert covered.tolist() == expected_covered.tolist() == [True, False]
    np.testing.assert_allclose(outputs, expected, atol=1 / 65_535)


def fixed(array: Any) -> Any:
    """The same array, which cannot be written."""
    copied = array.copy()
    copied.flags.writeable = False
    return copied


@PREPARED
def test_what_would_be_compiled_raises_where_prepared_code_alone_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLPRIME_MACHINE_CODE", "only")
    rows = pack([BACKGAMMON.starting_position])
    with pytest.raises(RuntimeError, match=r"plays.swap_rows has no prepared code for \(int8 \(1, 32\) .*read-only"):
        plays.swap_rows(rows, fixed(rows))
    with pytest.raises(RuntimeError, match=r"swap_rows has no prepared code"):
        plays.swap_rows(rows=rows, out=rows.copy())


USED = "from fullprime.engine.core import prepared; print(prepared.library() is not None)"


@PREPARED
def test_code_of_other_sources_is_never_used(tmp_path: Path) -> None:
    package = tmp_path / "src" / "fullprime"
    shutil.copytree(CORE, package / "engine" / "core", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (package, package / "engine"):
        (folder / "__init__.py").write_text("")
    assert python(USED, tmp_path / "src") == "True"
    assert python(USED, tmp_path / "src", FULLPRIME_MACHINE_CODE="off") == "False"
    assert python(USED, tmp_path / "src", NUMBA_CPU_NAME="generic") == "False"
    edited = package / "engine" / "core" / "moves" / "steps.py"
    edited.write_text(edited.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert python(USED, tmp_path / "src") == "False"


@PREPARED
def test_what_does_not_fit_is_left_to_the_compiler() -> None:
    code: Any = plays.swap_rows._prepared
    rows, out = pack([BACKGAMMON.starting_position] * 2), np.zeros((2, 32), np.int8)
    fixed, wide = out.copy(), rows.astype(np.int64)
    fixed.flags.writeable = False
    refused = [(rows,), (rows, out, out), (rows, 3), (rows, None), (rows, fixed), (wide, out), (rows[0], out)]
    refused += [(rows[:, ::-1], out), (np.asfortranarray(rows), out)]
    for arguments in refused:
        assert code(*arguments) is NotImplemented
    assert not out.any(), "nothing is done before everything fits"
    assert code(rows.view(np.memmap), out) is None
    assert out.any()
    count: Any = network.settle_batch._prepared
    good = (rows, True, np.zeros(2, np.bool_), np.zeros((2, 5), np.float32))
    assert count(*good) is None
    assert count(good[0], 1, *good[2:]) is NotImplemented
    nets: Any = network.evaluate_phases._prepared
    assert nets((1, 2), rows, np.zeros((2, 5), np.float32)) is NotImplemented


@PREPARED
def test_numbers_of_every_kind_are_taken_as_numba_takes_them() -> None:
    from fullprime.engine.core.tables.bearoff import rank_of_code

    code: Any = rank_of_code._prepared
    assert code(5, 15) == code(np.int64(5), 15)
    for other in (np.int32(5), 5.0, True, 1 << 70, "5", None):
        assert code(other, 15) is NotImplemented


@PREPARED
def test_what_a_kernel_raises_is_raised() -> None:
    row, rules = pack([BACKGAMMON.starting_position])[0], rules_array(BACKGAMMON)
    with pytest.raises(ValueError, match="out has fewer than MAX_PLAYS rows"):
        plays.legal_plays_into(row, 3, 1, rules, np.empty((10, 32), np.int8), np.empty(plays.SCRATCH, np.int64))


@PREPARED
def test_arrays_that_a_kernel_makes_can_be_written() -> None:
    from fullprime.engine.core.tables import bearoff

    codes = bearoff.all_codes(2)
    assert (codes.dtype, codes.shape, codes.flags.writeable) == (np.dtype(np.int64), (28,), True)
    mean, rolls = bearoff.solve_one_sided(codes, 2, False, False)
    assert (mean.shape, rolls.shape[0], mean[0], rolls[0, 0]) == ((28,), 28, 0.0, 1.0)


# -- held to what Numba compiles --------------------------------------------------------------------------------
FAST = {name for name in ENTRIES if name.startswith("nets.training.")}
"""Kernels with fast math: sums may be made in another order where vectors are wider."""


class Checked:
    """In the place of `Kernel.__call__`: each call is made twice, and everything it gives or writes is compared."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    def __call__(self, kernel: Any, *arguments: Any) -> Any:
        name = f"{kernel.__module__.removeprefix('fullprime.engine.core.')}.{kernel.__name__}"
        self.seen[name] = self.seen.get(name, 0) + 1
        others = copy.deepcopy(arguments)
        prepared_result = kernel._prepared(*arguments)
        assert prepared_result is not NotImplemented, (
            f"{name} was not made for {[type(argument) for argument in arguments]}"
        )
        result = None if prepared_result is None else prepared.result_of(prepared_result)
        expected = kernel.dispatcher(*others)
        self.compare(name, (result, arguments), (expected, others))
        return result

    def compare(self, name: str, one: Any, two: Any) -> None:
        if isinstance(one, tuple):
            assert len(one) == len(two)
            for item, other in zip(one, two, strict=True):
                self.compare(name, item, other)
        elif isinstance(one, np.ndarray):
            assert (one.dtype, one.shape) == (two.dtype, two.shape)
            if name in FAST and one.dtype.kind == "f":
                assert np.allclose(one, two, rtol=1e-4, atol=1e-5), name
            else:
                assert one.tobytes() == two.tobytes(), name
        else:
            assert one == two, name


def play_everything() -> None:
    """Some plies of every game, each play judged with one ply of look-ahead."""
    for variant in VARIANTS.values():
        engine = Engine.open(variant, bearoff=False)
        position = variant.starting_position
        for roll in (Roll(3, 1), Roll(6, 6), Roll(2, 1), Roll(5, 4)):
            play = engine.best_play(position, roll, level="1-ply")
            position = play.after.swapped
            engine.best_play(position, roll, level="0-ply")
        rows, worth = pack([position]), value_weights(CUBELESS, engine.per_checker)
        engine.searcher.best_boards(rows, np.array([[5, 3]]), worth)
        find_outcomes(rows, variant)


def judge_batches() -> None:
    """Boards given to the kernels as they are."""
    rows = pack([variant.starting_position for variant in VARIANTS.values()])
    outputs, flags = np.zeros((len(rows), 5), np.float32), np.zeros(len(rows), np.bool_)
    weights, masks = NetEvaluator(BACKGAMMON, {"contact": random_net()}).kernel_nets.contact, np.zeros((7, 4), np.int64)
    network.net_outputs(weights, rows, masks, np.arange(7), 7, outputs, network.make_scratch(weights))
    network.hand_feature_batch(rows, np.zeros((len(rows), encoding.FEATURES), np.float32))
    network.mark_back_games(rows, flags)
    boards, again = np.zeros((64 * plays.MAX_PLAYS, 32), np.int8), np.zeros(64 * plays.MAX_PLAYS, np.bool_)
    handle, scratch = np.zeros((2 * plays.MAX_PLAYS, 32), np.int8), np.zeros(plays.SCRATCH, np.int64)
    extras = follow_ups_array(ACEY_DEUCEY)
    turns.list_turns(rows[0], 2, 1, rules_array(ACEY_DEUCEY), extras, boards, again, 0, handle, scratch)
    buffers = turn_search.make_turn_buffers(NetEvaluator(ACEY_DEUCEY).kernel_nets)
    nets = NetEvaluator(ACEY_DEUCEY).kernel_nets
    turn_search.list_roll_turns(nets, rows[0], 2, 1, rules_array(ACEY_DEUCEY), extras, 2, buffers, 0)


def make_tables() -> None:
    """Small exact tables, and cubes solved with them."""
    built = build_tables(2)
    tables = Bearoff(**built, checkers=2)
    homes = pack([Position.from_text("2 1 off:13 / 2 1 off:13"), Position.from_text("3:5 1:4 / 4:4 2:5")])
    for ask in (tables.probabilities, tables.equities, tables.backgammons, tables.mean_rolls):
        ask(homes)
    tables.rank((1, 0, 0, 0, 0, 0))
    LiveCubes(tables, 15).equities(homes[:1], CubeContext())
    endings = pack([Position.from_text("4 off:14 / 3 off:14"), Position.from_text("21 off:14 / 3 off:14")])
    table = endgames.solve(BACKGAMMON, 1)
    table.look_up(endings)
    in_steps(table).look_up(endings)


def learn() -> None:
    """A few positions of self-play, and a few steps of training on labels by one ply."""
    boards = np.repeat(pack([BACKGAMMON.starting_position]), 32, axis=0)
    player = SelfPlayer(BACKGAMMON, random_net())
    player.play(20, 9, 0.6, Exploration())
    targets = player.label(boards)
    model = Model(Shape(128, 32, 128), price=0.01)
    for _ in range(AVERAGE_EVERY):
        model.step(boards, targets, np.arange(32), 1e-3)


@PREPARED
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_prepared_code_gives_the_same_bits_as_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = Checked()
    monkeypatch.setattr(jit.Kernel, "__call__", lambda kernel, *arguments: checked(kernel, *arguments))
    for part in (judge_batches, make_tables, learn, play_everything):
        part()
    assert not set(ENTRIES) - set(checked.seen)
