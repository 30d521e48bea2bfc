"""What is done while nobody waits for it goes on after a failure, and ends when it is told to."""

from __future__ import annotations

import threading

import pytest

from fullprime.library.idle_thread import IdleThread
from fullprime.rules.errors import FullprimeError


@pytest.mark.logs_errors
@pytest.mark.parametrize(("error", "level"), [(FullprimeError("busy"), "WARNING"), (ZeroDivisionError(), "ERROR")])
def test_a_look_that_fails_is_logged_and_the_next_one_made(
    error: Exception, level: str, caplog: pytest.LogCaptureFixture
) -> None:
    looks, again = [], threading.Event()

    def work() -> None:
        looks.append(1)
        if len(looks) == 1:
            raise error
        again.set()

    idle = IdleThread("looks", work, every=0.001)
    for _ in range(2):  # it can be begun anew
        idle.start()
        assert again.wait(60)
        idle.close()
        assert idle.is_closed
        again.clear()
    done = len(looks)
    assert [(each.levelname, each.name) for each in caplog.records] == [(level, "fullprime.library.idle_thread")]
    assert not any(thread.name == "looks" for thread in threading.enumerate())
    assert len(looks) == done
