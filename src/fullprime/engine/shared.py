"""The engines of this process: one for each game, which bots, advice, reviews and the library share with its cache."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fullprime.engine.engine import Engine
    from fullprime.rules.variants.variant import Variant

_engines: dict[tuple[Variant, int], Engine] = {}
_lock = threading.Lock()


def engine_for(variant: Variant, threads: int = 1) -> Engine:
    """The engine for a game, ready to think; one for each game and number of threads. Raises NetError without nets.

    Importing this module loads neither NumPy nor Numba; the first call does, and may compile the kernels.
    """
    from fullprime.engine.engine import Engine
    from fullprime.engine.warmup import prepare

    with _lock:
        engine = _engines.get((variant, threads))
        if engine is None:
            engine = Engine.open(variant, threads=threads)
            prepare(engine)
            _engines[variant, threads] = engine
    return engine
