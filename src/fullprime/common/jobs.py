"""Long work for many visitors: a queue with limits and fair shares, done by threads; progress, stopping, results."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from fullprime.common.processors import count_cores
from fullprime.rules.errors import ErrorCode, FullprimeError

log = logging.getLogger(__name__)

Work = Callable[["Job"], object]
"""The work of a job. It looks at ``job.stopped`` from time to time, and reports its progress with ``job.report``."""


class JobError(FullprimeError):
    """A job that the queue refuses (``code`` is ``busy``), or that does not exist (``missing``)."""

    def __init__(self, message: str, code: ErrorCode) -> None:
        super().__init__(message)
        self.code = code


class JobState(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    """Stopped by a person or by its time limit; there may be a result all the same."""
    FAILED = "failed"


_FULL = "too much is waiting to be analysed: try again in a little while"
_FULL_OF_FILES = "too many files wait to be read: try again in a little while"
_ENDED = (JobState.DONE, JobState.STOPPED, JobState.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLimits:
    """The limits of the queue. ``seconds`` is for one job unless it is given its own."""

    waiting: int = 64
    """Jobs that wait in all."""
    per_visitor: int = 4
    """Jobs of one visitor that wait or run."""
    sent: int = 64 << 20
    """Bytes of files that were sent and whose jobs wait or run, in all."""
    seconds: float = 600.0
    short: float = 120.0
    """Seconds of a short job. One more thread does these while all others are busy with longer ones."""
    keep: float = 3600.0
    """Seconds for which a result can be fetched."""
    results: int = 100
    """Results kept in all; the oldest goes first of the visitor who has most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFacts:
    """Work in the queue. Every visitor who knows its id may read and stop it."""

    id: str
    """The id with which the job is read and stopped."""
    kind: str
    """The kind of work: ``analyse``, ``rollout``, ``compare``, ``rolls``, ``scores``, ``review``, ``library`` or
    ``lab``."""
    state: JobState
    """The state of the job. There may be a result when it was stopped."""
    ahead: int
    """The number of other jobs that will be begun before it."""
    error: str | None
    """The reason why it failed or was stopped."""
    progress: object
    """The progress, in the form of its kind of work; None where that kind tells none."""
    result: object
    """The result, in the form of its kind of work; None until the job is over, and when it failed."""


class Job:
    """One piece of work of one visitor. Every visitor who knows its id may read and stop it; it cannot be guessed."""

    def __init__(self, owner: str, kind: str, work: Work, seconds: float, sent: int = 0) -> None:
        self.id = secrets.token_urlsafe(16)
        self.owner, self.kind = owner, kind
        self.state = JobState.WAITING
        self.progress: object = None
        self.result: object = None
        self.error: str | None = None
        self.listeners: set[Callable[[], None]] = set()
        self.sent = sent
        self._work: Work | None = work
        self.seconds = seconds
        self._stop = threading.Event()
        self._over = threading.Event()
        self._deadline = float("inf")
        self.began: float | None = None
        self.ended: float | None = None

    @property
    def stopped(self) -> bool:
        """True if the work should end: a visitor stopped it, or its time is up."""
        return self._stop.is_set() or time.monotonic() > self._deadline

    @property
    def is_over(self) -> bool:
        """True if nothing will change any more."""
        return self.state in _ENDED

    def report(self, progress: object) -> None:
        """Report the progress of the work, a JSON value."""
        self.progress = progress
        self._notify_listeners()

    def start_clock(self) -> None:
        """Start the time limit of the job now; earlier work, such as compiling the engine, does not count."""
        self._deadline = time.monotonic() + self.seconds

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; False when it has not come in that time."""
        return self._over.wait(seconds)

    def facts(self, ahead: int = 0) -> JobFacts:
        """The job as an answer shows it; ``ahead``: how many others wait before it."""
        return JobFacts(
            id=self.id,
            kind=self.kind,
            state=self.state,
            ahead=ahead,
            error=self.error,
            progress=self.progress,
            result=self.result,
        )

    # -- for the queue ------------------------------------------------------------------------------------
    def stop(self) -> None:
        """Ask the work to end."""
        self._stop.set()

    def run(self) -> None:
        """Do the work; an exception that it raises becomes the job's error."""
        self.began = time.monotonic()
        self.start_clock()
        self.state = JobState.RUNNING
        self._notify_listeners()
        assert self._work is not None
        try:
            self.result = self._work(self)
            self.end(JobState.STOPPED if self.stopped else JobState.DONE)
        except FullprimeError as error:
            self.end(JobState.STOPPED if self.stopped else JobState.FAILED, str(error))
        except Exception:
            log.exception("a job of kind %s failed", self.kind)
            self.end(JobState.FAILED, "something went wrong inside; the server's log says what")

    def end(self, state: JobState, error: str | None = None) -> None:
        """Set the final state, and the error if there is one."""
        if state is JobState.STOPPED and not self._stop.is_set():
            error = f"stopped after {self.seconds:.0f} s, the most that one job may take"
        self.state, self.error, self.ended = state, error, time.monotonic()
        self._work, self.sent = None, 0  # a file of some megabytes is not kept for as long as the result
        self._over.set()
        self._notify_listeners()

    def _notify_listeners(self) -> None:
        for listener in tuple(self.listeners):
            with suppress(RuntimeError):  # the listener's event loop is closed
                listener()


class Jobs:
    """The queue and its threads.

    Next is always a job of the visitor who has fewest jobs running, then of the one who has used least time since he
    came; a newcomer is set equal to the one who has used least, so that no visitor saves up time or has to catch up.
    """

    def __init__(self, threads: int | None = None, limits: QueueLimits | None = None) -> None:
        self.limits = limits or QueueLimits()
        self._threads = threads
        self._jobs: dict[str, Job] = {}
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._used: dict[str, float] = {}
        self._workers: list[threading.Thread] = []
        self._notify_listeners = threading.Condition()
        self._closed = False

    def submit(
        self,
        owner: str,
        kind: str,
        work: Work,
        *,
        seconds: float | None = None,
        sent: int = 0,
    ) -> Job:
        """Put work into the queue. ``sent``: the bytes of a file that the work holds.

        A full queue makes room for a visitor who has less in it: it stops the last jobs of the one who has most. Raises
        JobError ("busy") when too much is waiting, of this visitor or in all.
        """
        with self._notify_listeners:
            self._forget_old()
            active = {job.owner for job in (*self._waiting, *self._running)}
            mine = sum(job.owner == owner for job in (*self._waiting, *self._running))
            if mine >= self.limits.per_visitor:
                raise JobError(f"{mine} of your analyses are under way: wait for them or stop one", "busy")
            if self._closed:
                raise JobError(_FULL, "busy")
            displaced = _find_displaced(self._waiting, self._running, self.limits, owner, sent)
            for other in displaced:
                self._waiting.remove(other)
            self._used = {name: used for name, used in self._used.items() if name in active}
            if owner not in active:
                self._used[owner] = min(self._used.values(), default=0.0)
            job = Job(owner, kind, work, seconds or self.limits.seconds, sent)
            self._jobs[job.id] = job
            self._waiting.append(job)
            self._start_workers()
            self._notify_listeners.notify_all()
        for other in displaced:
            other.stop()
            other.end(JobState.STOPPED, "others have waited for less: ask again in a little while")
        return job

    def job(self, job_id: str) -> Job:
        """The job of that id; raises JobError ("missing")."""
        with self._notify_listeners:
            self._forget_old()
            job = self._jobs.get(job_id)
        if job is None:
            raise JobError("there is no such analysis, or its result is no longer kept", "missing")
        return job

    def count_ahead(self, job: Job) -> int:
        """Count the jobs that begin before this one, as things stand."""
        with self._notify_listeners:
            if job not in self._waiting:
                return 0
            waiting, running = list(self._waiting), [job.owner for job in self._running]
            used, count = dict(self._used), 0
            while (following := _next(waiting, running, used)) is not job:
                waiting.remove(following)
                running.append(following.owner)
                count += 1
            return count

    def count_jobs(self) -> dict[str, int]:
        """Count the jobs that are ``waiting`` and ``running``."""
        with self._notify_listeners:
            return {"waiting": len(self._waiting), "running": len(self._running)}

    def stop(self, job_id: str) -> Job:
        """Stop a job: at once when it waits, else when its work next asks :attr:`Job.stopped`."""
        job = self.job(job_id)
        job.stop()
        with self._notify_listeners:
            waited = job in self._waiting
            if waited:
                self._waiting.remove(job)
        if waited:
            job.end(JobState.STOPPED)
        return job

    def close(self, seconds: float = 5.0) -> None:
        """Stop everything, and wait a little for it."""
        with self._notify_listeners:
            self._closed = True
            waiting, self._waiting = self._waiting, []
            for job in (*waiting, *self._running):
                job.stop()
            self._notify_listeners.notify_all()
        for job in waiting:
            job.end(JobState.STOPPED)
        until = time.monotonic() + seconds
        for worker in self._workers:
            worker.join(max(0.0, until - time.monotonic()))

    # -- inside -------------------------------------------------------------------------------------------
    def _start_workers(self) -> None:
        if self._threads is None:
            self._threads = max(1, count_cores() - 1)  # one is left to those who play
        while len(self._workers) <= self._threads:
            number = len(self._workers)
            choose = self._next if number < self._threads else self._next_short
            worker = threading.Thread(target=self._work, args=(choose,), name=f"analysis {number}", daemon=True)
            self._workers.append(worker)
            worker.start()

    def _next(self) -> Job | None:
        return _next(self._waiting, [job.owner for job in self._running], self._used) if self._waiting else None

    def _next_short(self) -> Job | None:
        """A short job of a visitor who has none under way, which would else wait for the end of a long one."""
        busy = {job.owner for job in self._running}
        if len(self._running) < (self._threads or 1) or any(job.seconds <= self.limits.short for job in self._running):
            return None
        waiting = [job for job in self._waiting if job.seconds <= self.limits.short and job.owner not in busy]
        return _next(waiting, [], self._used) if waiting else None

    def _work(self, choose: Callable[[], Job | None]) -> None:
        while True:
            with self._notify_listeners:
                while (job := choose()) is None and not self._closed:
                    self._notify_listeners.wait()
                if self._closed or job is None:
                    return
                self._waiting.remove(job)
                self._running.append(job)
                self._notify_listeners.notify_all()  # the others are all busy now, perhaps
            job.run()
            with self._notify_listeners:
                self._running.remove(job)
                if job.owner in self._used and job.began is not None and job.ended is not None:
                    self._used[job.owner] += job.ended - job.began

    def _forget_old(self) -> None:
        now = time.monotonic()
        over = [job for job in self._jobs.values() if job.ended is not None]
        over.sort(key=lambda job: job.ended or 0.0)
        counts = Counter(job.owner for job in over)
        for job in over:
            # What is too much goes from the visitor who has most.
            beyond = counts.total() > self.limits.results and counts[job.owner] == max(counts.values())
            if beyond or now - (job.ended or now) > self.limits.keep:
                counts[job.owner] -= 1
                del self._jobs[job.id]


def _next(waiting: list[Job], running: list[str], used: dict[str, float]) -> Job:
    """The job whose turn it is; among the jobs of one visitor the first."""
    return min(waiting, key=lambda job: (running.count(job.owner), used.get(job.owner, 0.0)))


def _find_displaced(waiting: list[Job], running: list[Job], limits: QueueLimits, owner: str, sent: int) -> list[Job]:
    """The jobs that make room for one more of that visitor, with a file of that size. Raises JobError.

    They are the last ones of the visitor who has most, who keeps no less than this one gets.
    """
    left, displaced = list(waiting), list[Job]()
    while (crowded := len(left) >= limits.waiting) or sent + sum(job.sent for job in (*left, *running)) > limits.sent:
        shares: Counter[str] = Counter()
        for job in (*left, *running):
            shares[job.owner] += 1 if crowded else job.sent
        spare = [job for job in left if crowded or job.sent]
        last = max(reversed(spare), key=lambda job: shares[job.owner], default=None)
        more, less = (1, 1) if crowded else (sent, 0 if last is None else last.sent)
        if last is None or shares[last.owner] - less < shares[owner] + more:
            raise JobError(_FULL if crowded else _FULL_OF_FILES, "busy")
        left.remove(last)
        displaced.append(last)
    return displaced
