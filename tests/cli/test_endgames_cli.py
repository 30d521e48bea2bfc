"""The command that makes exact endgame tables, without waiting for one of three checkers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.cli.commandline import CommandLine

from fullprime.engine import endgames
from fullprime.engine.core.pack import pack
from fullprime.engine.endgames import Endgames
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
    monkeypatch.setattr(endgames, "PACKED", 0)
    rows = pack([Position.of({6: 1}, {2: 1}, 3), Position.of({6: 2}, {2: 1}, 3)])
    covered, outputs = Endgames(HYPERGAMMON).probabilities(rows)
    assert covered.tolist() == [True, False]
    assert np.abs(outputs[0, 0] - 27 / 36) < 1e-4


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(("nothing",), "nothing"), (("hypergammon", "--threads", "-2"), "at least one")],
)
def test_what_cannot_be_made_is_refused_in_one_line(
    fullprime: CommandLine, arguments: tuple[str, ...], reason: str
) -> None:
    done = fullprime.run("endgames", *arguments)
    assert done.code != 0
    assert reason in done.err
    assert "Traceback" not in done.err
