"""The clock of the program: even, whatever becomes of the clock of the machine."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest

from fullprime.db.times import SteadyClock, share_clock, utc_now


class Machine:
    """A machine whose clock is set now and then."""

    def __init__(self) -> None:
        self.passed, self.wall = 500.0, 1_000_000.0

    def wait(self, seconds: float) -> None:
        self.passed += seconds
        self.wall += seconds

    def clock(self) -> SteadyClock:
        return SteadyClock(lambda: self.wall, lambda: self.passed)


@pytest.mark.parametrize("jump", [3600.0, -3600.0, 400 * 86400.0])
def test_a_minute_stays_a_minute_when_the_clock_is_set(jump: float, caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    clock = machine.clock()
    assert clock.now() == 1_000_000.0
    machine.wait(30)
    machine.wall += jump
    with caplog.at_level(logging.WARNING, "fullprime.db.times"):
        assert [clock.now(), clock.now()] == [1_000_030.0] * 2
    assert [record.getMessage() for record in caplog.records] == [
        f"the system's clock has jumped by {jump:+.0f} seconds: this process goes by the time before it"
    ]
    machine.wait(60)
    assert clock.now() == 1_000_090.0
    machine.wall -= jump
    assert clock.now() == 1_000_090.0
    assert machine.clock().now() == 1_000_090.0, "who starts now goes by the system's time"


def test_time_asleep_has_passed() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.wait(7 * 3600)
    assert clock.now() == 1_000_000.0 + 7 * 3600


def test_processes_that_are_started_go_by_the_same_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLPRIME_CLOCK", "")
    monkeypatch.setattr("fullprime.db.times._clock.ahead", time.time() + 1_000_000)
    share_clock()
    code = "from fullprime.db.times import utc_now; print(utc_now().isoformat())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert abs(datetime.fromisoformat(told.stdout.strip()) - utc_now()) < timedelta(seconds=60)
    monkeypatch.setenv("FULLPRIME_CLOCK", "noon")
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    by_the_system = datetime.now(UTC).replace(tzinfo=None)
    assert abs(datetime.fromisoformat(told.stdout.strip()) - by_the_system) < timedelta(seconds=60)


def test_it_is_the_time_of_the_system() -> None:
    assert abs((utc_now().replace(tzinfo=UTC) - datetime.now(UTC)).total_seconds()) < 60
