"""Workers of a rollout: this thread, other threads, or the workers of any executor play its blocks.

Blocks are numbered and their results are taken in that order, so that nothing depends on who was faster.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from fullprime.engine.cube.efficiency import Efficiency
from fullprime.engine.nets.evaluator import NetEvaluator
from fullprime.engine.nets.net import DATA, Net, manifest
from fullprime.engine.rollouts.task import Sums, Task
from fullprime.engine.rollouts.trials import BLOCK, play_block
from fullprime.engine.search.budget import Stopped
from fullprime.engine.search.searcher import Searcher
from fullprime.engine.tables.bearoff import Bearoff
from fullprime.engine.tables.endgames import Endgames
from fullprime.rules.variants.variant import Variant

AHEAD = 3
"""Blocks handed out for every worker, so that none waits while results are taken in order."""
_SEARCHERS = 4
_PATIENCE = 0.2
"""Seconds between two checks for a stop of the rollout."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe by which a worker makes a searcher equal to ours. Small for the nets of the package.

    ``nets``: by phase the name of a net in the package, or the net itself.
    """

    variant: Variant
    nets: tuple[tuple[str, str | Net], ...]
    bearoff: int | None
    endgames: bool
    most: int
    near: float
    efficiency: Efficiency

    @classmethod
    def of(cls, searcher: Searcher) -> Recipe:
        """The recipe of a searcher."""
        packed = {name for phases in manifest().values() for name in phases.values()}
        nets = ((phase, net, net.name) for phase, net in sorted(searcher.evaluator.nets.items()))
        most, near = searcher.filter
        tables = searcher.tables
        return cls(
            variant=searcher.evaluator.variant,
            nets=tuple((phase, name if name in packed else net) for phase, net, name in nets),
            bearoff=None if tables.bearoff is None else tables.bearoff.checkers,
            endgames=tables.endgames is not None,
            most=most,
            near=near,
            efficiency=searcher.efficiency,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the nets, which are hashes of their computation."""
        return tuple(net if isinstance(net, str) else net.name for _, net in self.nets)

    @property
    def key(self) -> tuple[object, ...]:
        """The key under which a process keeps the searcher: all by which searchers differ."""
        return self.variant, self.names, self.bearoff, self.endgames, self.most, self.near, self.efficiency

    def make(self) -> Searcher:
        """A searcher of this kind; raises NetError where a net is missing."""
        nets = {phase: Net.load(DATA / "nets" / net) if isinstance(net, str) else net for phase, net in self.nets}
        tables = None if self.bearoff is None else Bearoff.open(checkers=self.bearoff)
        return Searcher(
            NetEvaluator(self.variant, nets),
            tables,
            endgames=Endgames(self.variant) if self.endgames else None,
            most=self.most,
            near=self.near,
            efficiency=self.efficiency,
        )


_lock = threading.Lock()
_searchers: OrderedDict[tuple[object, ...], Searcher] = OrderedDict()


def searcher_for(recipe: Recipe) -> Searcher:
    """The searcher of a recipe, made once in every process."""
    with _lock:
        searcher = _searchers.get(recipe.key)
        if searcher is None:
            searcher = _searchers[recipe.key] = recipe.make()
        _searchers.move_to_end(recipe.key)
        while len(_searchers) > _SEARCHERS:
            _searchers.popitem(last=False)
        return searcher


def play_task(recipe: Recipe, task: Task, groups: range) -> list[Sums]:
    """One block, played by a worker."""
    return play_block(searcher_for(recipe), task, groups)


class OrderedResults:
    """An iterator over the results of all blocks, in order; :meth:`close` abandons those still under way.

    Raises Stopped between two blocks, and on our own threads within them, when told to stop.
    """

    def __init__(
        self,
        searcher: Searcher,
        recipe: Recipe,
        task: Task,
        groups: range,
        executor: Executor | None,
        *,
        local: bool,
        stop: Callable[[], bool] | None,
    ) -> None:
        self._searcher, self._recipe, self._task = searcher, recipe, task
        self._executor, self._local, self._stop = executor, local, stop
        self._blocks = _blocks(groups)
        self._waiting: deque[Future[list[Sums]]] = deque()
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[list[Sums]]:
        if self._executor is None:
            for groups in self._blocks:
                yield play_block(self._searcher, self._task, groups, self._stop)
            return
        room = AHEAD * max(2, _size(self._executor))
        for groups in self._blocks:
            self._waiting.append(self._submit(self._executor, groups))
            if len(self._waiting) >= room:
                yield self._next()
        while self._waiting:
            yield self._next()

    def close(self) -> None:
        """Cancel blocks that have not begun; threads of this process abandon theirs."""
        self._closed.set()
        for future in self._waiting:
            future.cancel()

    def _submit(self, executor: Executor, groups: range) -> Future[list[Sums]]:
        if self._local:
            return executor.submit(play_block, self._searcher, self._task, groups, self._is_over)
        return executor.submit(play_task, self._recipe, self._task, groups)

    def _is_over(self) -> bool:
        return self._closed.is_set() or (self._stop is not None and self._stop())

    def _next(self) -> list[Sums]:
        """The result of the oldest block."""
        while True:
            if self._is_over():
                raise Stopped("the rollout was stopped")
            ended = self._waiting[0].done()
            try:
                sums = self._waiting[0].result(timeout=_PATIENCE)
            except FutureTimeoutError:
                if ended:  # the block's own, not that of our waiting, just after which it may have ended
                    raise
                continue
            except CancelledError:
                raise Stopped("the workers have cancelled the rollout") from None
            self._waiting.popleft()
            return sums


def _blocks(groups: range) -> Iterator[range]:
    """Ranges of groups that end at multiples of BLOCK."""
    start = groups.start
    while start < groups.stop:
        end = min(groups.stop, start - start % BLOCK + BLOCK)
        yield range(start, end)
        start = end


def _size(executor: Executor) -> int:
    return int(getattr(executor, "_max_workers", 0) or 8)


@contextmanager
def cluster_executor(address: str) -> Iterator[Executor]:
    """An executor of the Dask cluster at an address such as ``tcp://host:8786``; needs the ``cluster`` extra.

    Blocks of a worker that dies are played again by another one.
    """
    distributed: Any = import_module("distributed")
    with distributed.Client(address) as client:
        yield client.get_executor(pure=False, retries=3)
