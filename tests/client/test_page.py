"""Every Python example of docs/client.md runs against a server, in order."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from tests.client.conftest import new_token
from tests.web.conftest import Server

PAGE = Path(__file__).resolve().parents[2] / "docs" / "client.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.broad
def test_the_examples_of_the_page_run(running: Server) -> None:
    names: dict[str, object] = {"token": new_token(running, "Page")}
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        for block in BLOCKS:
            assert "http://127.0.0.1:8000" in block
            exec(compile(block.replace("http://127.0.0.1:8000", running.url), str(PAGE), "exec"), names)
    text = output.getvalue()
    assert len(BLOCKS) == 5
    assert "Page" in text
    assert "X: good luck" in text
    assert text.splitlines()[-1].endswith("throws follow from the links, yours among them.")
    assert "Ann" in str(names["text"])
