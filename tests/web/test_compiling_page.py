"""A machine for which the package has no machine code: the page and the terminal say how far the compiling is."""

import os
import re
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.browsing import at_table, sit, until, window
from tests.web.conftest import chromium
from tests.web.seat import create

from fullprime.play.options.opponents import CHARACTERS, SIMPLE_BOT

PIPPA = next(character for character in CHARACTERS if character.bot == SIMPLE_BOT)
STEP = r"[^.]+, step \d of \d+"
"""As the server says it."""


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are looked up as Linux tells them")
def test_the_page_and_the_terminal_tell_how_far_the_compiling_is_and_stop_stops(tmp_path: Path, browser: Any) -> None:
    """Nothing is waited for: the first step takes longer than the test, which sees it and stops the server."""
    code = {"FULLPRIME_MACHINE_CODE": "off", "FULLPRIME_KERNEL_CACHE": str(tmp_path / "kernels")}
    command = [sys.executable, "-c", "from fullprime.cli.main import main; main()", "serve", "--port", "0"]
    serving = subprocess.Popen(
        [*command, "--db", str(tmp_path / "games.db")],
        env=os.environ | code, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert serving.stdout is not None
    assert serving.stderr is not None
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+", serving.stdout.readline())
        assert address is not None
        line = next(line for line in serving.stderr if "compiling" in line)
        assert re.fullmatch(rf"note: compiling the engine: {STEP}\n", line)
        with httpx.Client(base_url=address[0], timeout=60) as client:
            ready = [
                opponent["bot"] for opponent in client.get("/api/options").json()["opponents"] if opponent["ready"]
            ]
            assert sorted(ready) == [SIMPLE_BOT, "random"], "those that need no engine"
            compiling = client.get("/api/health").json()["compiling"]
            assert re.fullmatch(STEP, compiling)
            seat, _ = create(client, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 5})
            seat.does("roll")
            with window(browser) as page:
                sit(page, seat)
                page.locator(".checker.movable").first.wait_for()
                page.locator("[data-act=hint]:enabled").click()
                waits = re.compile(rf"being compiled for this computer, once: {STEP}")
                page.get_by_text(waits).first.wait_for()
                page.goto(f"{address[0]}/analysis")
                page.get_by_text(waits).first.wait_for()
                page.goto(address[0])
                page.get_by_text("Ready now; the others as soon as the engine is compiled").wait_for()
                assert page.inner_text("#play-bot strong") == f"Play {PIPPA.name}"
                until(page, "document.querySelector('#bot-face').naturalWidth > 0")
                assert page.locator("#faces .chosen h3").inner_text() == PIPPA.name
                assert f"{PIPPA.name} plays without it" in page.inner_text("#compiling")
                page.locator("#play-bot").click()
                at_table(page)
                page.locator("#player-top").get_by_text(PIPPA.name).wait_for()
                until(page, "document.querySelector('#player-top img.face').naturalWidth > 0")
            ends = [os.pidfd_open(number) for number in _compilers(serving.pid)]
    finally:
        serving.terminate()
        _, rest = serving.communicate(timeout=120)
    assert "Traceback" not in rest
    assert "a request was cut off: the server stops" in rest
    assert len(ends) == 1
    assert select.select(ends, [], [], 60)[0] == ends, "the compiling ends with the server"


def _compilers(server: int) -> list[int]:
    children = Path(f"/proc/{server}/task").glob("*/children")
    numbers = {int(number) for file in children for number in file.read_text().split()}
    return [number for number in numbers if b"compile_all" in Path(f"/proc/{number}/cmdline").read_bytes()]
