"""The commands that make exact tables, without waiting for one of three checkers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.commandline import CommandLine

from fullprime.engine.core.pack import pack
from fullprime.engine.core.tables import bearoff as core
from fullprime.engine.tables import bearoff, endgames
from fullprime.engine.tables.bearoff import Bearoff
from fullprime.engine.tables.endgames import Endgames
from fullprime.rules.position import Position
from fullprime.rules.variants import HYPERGAMMON


def test_a_table_is_made_stored_and_used(
    fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the largest table that of one checker a side, the whole way takes a second."""
    monkeypatch.setattr(endgames, "MOST", 1)
    monkeypatch.setattr(endgames, "data_folder", lambda: tmp_path / "data")
    done = fullprime.run("endgames", "hypergammon", "--threads", "1", "--json")
    assert done.code == 0, done.err
    assert Path(done.json["file"]).stat().st_size == done.json["bytes"]
    assert [path.name for path in (tmp_path / "data").iterdir()] == [Path(done.json["file"]).name]
    rows = pack([Position.of({6: 1}, {2: 1}, 3), Position.of({6: 2}, {2: 1}, 3)])
    covered, outputs = Endgames(HYPERGAMMON).tables[0].look_up(rows)
    assert covered.tolist() == [True, False]
    assert np.abs(outputs[0, 0] - 27 / 36) < 1e-4


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(("nothing",), "nothing"), (("hypergammon", "--threads", "-2"), "at least 1")],
)
def test_what_cannot_be_made_is_refused_in_one_line(
    fullprime: CommandLine, arguments: tuple[str, ...], reason: str
) -> None:
    done = fullprime.run("endgames", *arguments)
    assert done.code != 0
    assert reason in done.err
    assert "Traceback" not in done.err


@pytest.mark.broad
def test_bearoff_tables_are_built_and_the_largest_is_used(
    fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With 2 and 3 checkers a side in the place of 6 and 7; the tables of one side are the same, and computed once."""
    one_sided, known = core.solve_one_sided, dict[tuple[bool, ...], Any]()

    def once(codes: Any, limit: int, *kind: bool) -> Any:
        if kind not in known:
            known[kind] = one_sided(codes, limit, *kind)
        return known[kind]

    monkeypatch.setattr(core, "solve_one_sided", once)
    monkeypatch.setattr(bearoff, "CHECKERS", 2)
    monkeypatch.setattr(bearoff, "cache_folder", lambda: tmp_path / "bearoff")
    for checkers, pairs in ((2, 28**2), (3, 84**2)):
        done = fullprime.run("bearoff", "build", "--checkers", str(checkers), "--json")
        assert done.code == 0, done.err
        assert done.json == {
            "folder": str(tmp_path / "bearoff"),
            "checkers": checkers,
            "one_sided": 54_264,
            "two_sided": pairs,
            "bytes": 54_264 * (8 + 3 * 32 * 4) + pairs * 16,
        }
        assert Bearoff.open().checkers == checkers
    assert Bearoff.open(checkers=2).checkers == 2
    (tmp_path / "bearoff" / "two_sided_3.npy").write_bytes(b"damaged")
    assert Bearoff.open().checkers == 2


@pytest.mark.broad
def test_bearoff_tables_that_cannot_be_made(
    fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = fullprime.run("bearoff", "build", "--checkers", "9")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "1 to 8" in done.err
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(bearoff, "cache_folder", lambda: tmp_path / "file")
    done = fullprime.run("bearoff", "build", "--checkers", "1")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "cannot be written" in done.err
