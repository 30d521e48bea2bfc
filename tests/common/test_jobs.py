"""The queue: limits, fair shares, stopping, and what is kept."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator

import pytest

from fullprime.common.jobs import Job, JobError, Jobs, JobState, QueueLimits
from fullprime.rules.errors import FullprimeError


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    queue = Jobs(1, QueueLimits(waiting=6, per_visitor=3))
    yield queue
    queue.close()


class Gate:
    """Work that waits to be let through, and a note of whose work was done when."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.begun = threading.Event()
        self.order: list[str] = []

    def work(self, name: str) -> Callable[[Job], str]:
        def work(_job: Job) -> str:
            self.begun.set()
            assert self.open.wait(60)
            self.order.append(name)
            return name

        return work


def test_a_newcomer_does_not_wait_behind_all_that_another_has_asked(jobs: Jobs) -> None:
    gate = Gate()
    mine = [jobs.submit("ann", "x", gate.work(f"ann {number}")) for number in range(3)]
    assert gate.begun.wait(60)
    his = jobs.submit("bob", "x", gate.work("bob"))
    assert jobs.count_ahead(his) == 0
    assert jobs.count_ahead(mine[2]) == 2
    gate.open.set()
    assert all(job.wait(60) for job in (*mine, his))
    assert gate.order == ["ann 0", "bob", "ann 1", "ann 2"]
    assert [job.result for job in mine] == ["ann 0", "ann 1", "ann 2"]


def test_there_are_limits_for_one_and_for_all(jobs: Jobs) -> None:
    gate = Gate()
    first = jobs.submit("a", "x", gate.work("first"))
    assert gate.begun.wait(60)
    for owner in "bcdefg":
        jobs.submit(owner, "x", gate.work(owner))
    with pytest.raises(JobError, match="too much is waiting") as full:
        jobs.submit("h", "x", gate.work("h"))
    assert full.value.code == "busy"
    gate.open.set()
    assert first.wait(60)
    other = Jobs(1, QueueLimits(per_visitor=2))
    closed = Gate()
    for _ in range(2):
        other.submit("a", "x", closed.work("a"))
    with pytest.raises(JobError, match="2 of your analyses"):
        other.submit("a", "x", closed.work("a"))
    other.submit("b", "x", closed.work("b"))
    closed.open.set()
    other.close()


def test_a_full_queue_makes_room_for_a_visitor_who_has_less(jobs: Jobs) -> None:
    gate = Gate()
    running = jobs.submit("a", "x", gate.work("a 0"))
    assert gate.begun.wait(60)
    crowd = [jobs.submit(owner, "x", gate.work(owner)) for owner in ("b", "b", "a", "c", "b", "a")]
    newcomer = jobs.submit("d", "x", gate.work("d"))
    assert [job.state for job in crowd] == [JobState.WAITING] * 5 + [JobState.STOPPED]
    assert "others have waited for less" in (crowd[5].error or "")
    second = jobs.submit("d", "x", gate.work("d"))
    assert crowd[4].is_over, "b had most"
    with pytest.raises(JobError, match="too much is waiting"):
        jobs.submit("d", "x", gate.work("d"))  # nobody has two more
    gate.open.set()
    assert all(job.wait(60) for job in (running, newcomer, second))


def test_a_short_job_does_not_wait_for_the_end_of_a_long_one(jobs: Jobs) -> None:
    long, short = Gate(), Gate()
    running = jobs.submit("ann", "review", long.work("ann"), seconds=3600)
    assert long.begun.wait(60)
    mine = jobs.submit("ann", "analyse", long.work("ann too"), seconds=60)
    other = jobs.submit("cid", "review", long.work("cid"), seconds=3600)
    short.open.set()
    assert jobs.submit("bob", "analyse", short.work("bob"), seconds=60).wait(60)
    assert [job.state for job in (running, mine, other)] == [JobState.RUNNING, JobState.WAITING, JobState.WAITING]
    long.open.set()
    assert all(job.wait(60) for job in (running, mine, other))


def test_stopping_waiting_and_running_jobs(jobs: Jobs) -> None:
    begun = threading.Event()

    def patient(job: Job) -> str:
        begun.set()
        while not job.stopped:
            threading.Event().wait(0.005)
        return "half"

    running = jobs.submit("a", "x", patient)
    waiting = jobs.submit("a", "x", lambda _job: "never")
    assert begun.wait(60)
    jobs.stop(waiting.id)
    assert (waiting.state, waiting.result) == (JobState.STOPPED, None)
    jobs.stop(running.id)
    assert running.wait(60)
    assert (running.state, running.result, running.error) == (JobState.STOPPED, "half", None)


def test_a_job_may_not_take_longer_than_its_time(jobs: Jobs) -> None:
    def long(job: Job) -> int:
        steps = 0
        while not job.stopped:
            steps += 1
        return steps

    job = jobs.submit("a", "x", long, seconds=0.01)
    assert job.wait(60)
    assert job.state is JobState.STOPPED
    assert "the most that one job may take" in str(job.error)
    assert job.result > 0


def test_time_may_begin_later(jobs: Jobs) -> None:
    def prepared(job: Job) -> bool:
        while not job.stopped:
            pass
        job.start_clock()
        return job.stopped

    job = jobs.submit("a", "x", prepared, seconds=0.2)
    assert job.wait(60)
    assert (job.state, job.result) == (JobState.DONE, False)


@pytest.mark.logs_errors
def test_what_fails_says_why_and_tells_nothing_of_the_inside(jobs: Jobs, caplog: pytest.LogCaptureFixture) -> None:
    def refuse(_job: Job) -> None:
        raise FullprimeError("there is no net for this")

    def broken(_job: Job) -> None:
        raise ZeroDivisionError("secret detail")

    first, second = jobs.submit("a", "x", refuse), jobs.submit("a", "x", broken)
    assert first.wait(60)
    assert second.wait(60)
    assert (first.state, first.error) == (JobState.FAILED, "there is no net for this")
    assert second.state is JobState.FAILED
    assert "secret" not in str(second.error)
    assert "secret detail" in caplog.text


def test_changes_are_told_and_results_forgotten() -> None:
    queue = Jobs(1, QueueLimits(results=1))
    names: list[str] = []

    def work(job: Job) -> dict[str, int]:
        job.report({"done": 1})
        return {"sum": 1}

    gate = Gate()
    before = queue.submit("a", "x", gate.work("before"))
    job = queue.submit("a", "kind", work)
    job.listeners.add(lambda: names.append(job.state.value))
    gate.open.set()
    assert job.wait(60)
    assert names == ["running", "running", "done"]
    assert job.facts().result == {"sum": 1}
    assert queue.job(job.id) is job
    with pytest.raises(JobError, match="no longer kept") as gone:
        queue.job(before.id)
    assert gone.value.code == "missing"
    queue.close()
    with pytest.raises(JobError):
        queue.submit("a", "x", work)


def test_files_that_wait_are_so_many_bytes_at_most() -> None:
    queue, gate = Jobs(1, QueueLimits(sent=100)), Gate()
    try:
        first = queue.submit("ann", "x", gate.work("first"), sent=60)
        with pytest.raises(JobError, match="too many files wait") as full:
            queue.submit("bob", "x", gate.work("second"), sent=41)
        assert full.value.code == "busy"
        queue.submit("bob", "x", gate.work("third"), sent=40)
        queue.submit("bob", "x", gate.work("no file"))
        gate.open.set()
        assert first.wait(60)
        last = queue.submit("ann", "x", gate.work("fourth"), sent=60)
        assert last.wait(60)
    finally:
        gate.open.set()
        queue.close()


def test_files_of_one_visitor_make_room_for_those_of_others() -> None:
    queue, gate = Jobs(1, QueueLimits(sent=100)), Gate()
    try:
        queue.submit("bob", "x", gate.work("bob"))
        assert gate.begun.wait(60)
        files = [queue.submit("ann", "x", gate.work("ann"), sent=30) for _ in range(3)]
        queue.submit("cid", "x", gate.work("cid"), sent=40)
        assert [job.is_over for job in files] == [False, False, True]
        with pytest.raises(JobError, match="too many files wait"):
            queue.submit("dan", "x", gate.work("dan"), sent=40)  # ann would keep less than dan gets
    finally:
        gate.open.set()
        queue.close()


def test_results_of_one_visitor_push_out_no_others() -> None:
    queue, gate = Jobs(1, QueueLimits(results=3)), Gate()
    gate.open.set()
    try:
        done = []
        for owner in ("ann", "bob", "bob", "bob", "bob"):
            done.append(queue.submit(owner, "x", gate.work(owner)))
            assert done[-1].wait(60)
        assert queue.job(done[0].id) is done[0]
        assert queue.job(done[-1].id) is done[-1]
        with pytest.raises(JobError, match="no longer kept"):
            queue.job(done[1].id)
    finally:
        queue.close()


class Upload:
    """Stands for the bytes of a file."""


@pytest.mark.parametrize("outcome", ["done", "failed", "stopped"])
def test_a_job_that_is_over_keeps_nothing_of_what_was_sent(jobs: Jobs, outcome: str) -> None:
    """A hundred results are kept for an hour; with the files that were sent they were a gigabyte."""
    gate, upload = Gate(), Upload()
    reference = weakref.ref(upload)

    def work(job: Job, sent: Upload = upload) -> str:
        assert isinstance(sent, Upload)
        if outcome == "failed":
            raise FullprimeError("no such file")
        return gate.work("mine")(job)

    if outcome == "stopped":
        jobs.submit("ann", "x", gate.work("first"))  # so that the other one waits
        assert gate.begun.wait(60)
    job = jobs.submit("ann", "x", work)
    del upload, work
    if outcome == "stopped":
        jobs.stop(job.id)
    gate.open.set()
    assert job.wait(60)
    assert reference() is None
    assert jobs.job(job.id) is job
