"""A net in one call: the program of docs/training.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fullprime.engine.nets.net import Net

PAGE = Path(__file__).resolve().parents[3] / "docs" / "training.md"
PROGRAM = r"<!-- run by lab/tests/training/test_quick.py -->\n```python\n(.*?)```"


@pytest.mark.broad
def test_a_net_learns_and_is_dueled(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (code,) = re.findall(PROGRAM, PAGE.read_text(encoding="utf-8"), re.DOTALL)
    shortened = {"seconds=60": f"seconds=2, folder={str(tmp_path)!r}, seed=3", "games=200": "games=20"}
    for original, shorter in shortened.items():
        assert original in code
        code = code.replace(original, shorter)
    names: dict[str, object] = {}
    exec(compile(code, "program", "exec"), names)
    output, net = capsys.readouterr().out, names["net"]
    assert isinstance(net, Path)
    learnt = Net.read(net)
    assert (learnt.variant, learnt.phase) == ("backgammon", "contact")
    assert net.name in output
    assert "random" in output
