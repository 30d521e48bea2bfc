"""The attacks that send files follow their jobs to the end, as a person who waits does."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.attack.attacks import uploads
from tests.attack.client import Target

QUESTIONS = 3
"""Questions about a job, the last of which is answered with its end."""


class Answers(Target):
    """Answers in the place of a server: a job waits, runs and is done."""

    async def ask(
        self, method: str, path: str, body: Any = None, *, attacker: int = 1, timeout: float = 30, **headers: str
    ) -> tuple[int, Any]:
        self.seen[f"{method} of {attacker}"] += 1
        await asyncio.sleep(0)
        if method == "POST":
            return 202, {"id": str(attacker), "state": "waiting"}
        assert path == f"/api/analysis/jobs/{attacker}"
        if self.seen[f"GET of {attacker}"] < QUESTIONS:
            return 200, {"id": str(attacker), "state": "running"}
        self.seconds = 0.0
        return 200, {"id": str(attacker), "state": "done"}


def test_a_hostile_upload_is_followed_until_its_job_ends(monkeypatch: Any) -> None:
    monkeypatch.setattr(uploads, "hostile", lambda: {"a.mat": b"x"})
    target = Answers(port=0, seconds=600.0, poll_seconds=0.0)
    asyncio.run(uploads.attack(target))
    assert max(count for name, count in target.seen.items() if name.startswith("GET")) == QUESTIONS
    assert target.seen["POST of 0"] == 1, "no new job before the last one has ended"
    assert target.seen["job done"] >= 1
