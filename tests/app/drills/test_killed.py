"""Drills survive ``kill -9`` at any moment: everything that was confirmed is there, and nothing is torn."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fullprime.app.drills.learners import Who
from fullprime.app.drills.training import Training
from fullprime.store.database import open_database

ANSWERS = """
import itertools, sys
from fullprime.app.drills.learners import Who
from fullprime.app.drills.training import Training
from fullprime.store.database import open_database
training = Training(open_database(sys.argv[1]))
for seed in itertools.count(int(sys.argv[2])):
    training.answer(Who(key="me"), "equities", seed, "50", 1.0)
    print(seed, flush=True)
"""


@pytest.mark.slow
@pytest.mark.posix
def test_what_was_confirmed_survives_being_killed(tmp_path: Path) -> None:
    database, confirmed = str(tmp_path / "drills.db"), 0
    for least in (3, 8, 1, 5):
        command = [sys.executable, "-c", ANSWERS, database, str(confirmed)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            for line in running.stdout:
                confirmed = int(line) + 1
                least -= 1
                if not least:
                    running.send_signal(signal.SIGKILL)
                    break
            confirmed = max([confirmed, *(int(line) + 1 for line in running.stdout)])
        engine = open_database(database)
        tries = Training(engine).history(Who(key="me"), "equities")["trainer"]["tries"]
        engine.dispose()
        # The answer that was under way may be stored and not confirmed.
        assert confirmed <= tries <= confirmed + 1
        confirmed = tries
