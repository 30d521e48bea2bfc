"""Error rates out of the columns of decisions: PR and its interval, for a whole and for all groups of a column at once.

Groups are added up by their codes, not taken apart: a page shows some 150 rates of the same hundred thousand decisions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from fullprime.library.store.figures import DecisionFigures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Decisions added up by the counting rule of eXtreme Gammon; None for a figure without decisions."""

    __json_digits__: ClassVar[int] = 4

    counted: int
    """The number of decisions that count."""
    loss: float
    """The loss in decisions that count, in points of equity."""
    errors: int
    """The number of them that are errors."""
    blunders: int
    """The number of them that are blunders."""
    pr: float | None
    """The performance rating: 500 times the mean loss; None where nothing counts."""
    interval: tuple[float, float] | None
    """The interval in which the PR lies with 95 %; None for fewer than ten decisions."""


NOTHING = ErrorRate(0, 0.0, 0, 0, None, None)
"""The rate of no decisions."""
FEWEST = 10
"""The fewest decisions for which an interval is given, as in a review."""
MANY = 60
"""The number of decisions from which on the quantiles are computed: they are then as far from those of 2,000 samples
as another 2,000 samples would be."""
_Z = 1.959964
"""The normal quantile of 97.5 %."""


def rate(counted: DecisionFigures) -> ErrorRate:
    """Decisions that count, added up: PR is 500 times their mean loss."""
    import numpy as np

    return rates(counted, np.zeros(len(counted.loss), np.uint8), 1).get(0, NOTHING)


def rates(
    counted: DecisionFigures, codes: NDArray[np.integer], size: int, wanted: Sequence[int] | None = None
) -> dict[int, ErrorRate]:
    """The rate of the decisions of each code from 0 up to ``size``, those without any left out.

    ``codes``: of each row; a code of ``size`` belongs nowhere. ``wanted``: these codes alone, in this order.
    """
    import numpy as np

    from fullprime.reviews.decision import Verdict
    from fullprime.reviews.rating import PR_FACTOR

    def sum_by_code(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(codes, weights, size + 1).astype(np.float64, copy=False)

    def number(verdict: Verdict) -> NDArray[np.int64]:
        return np.bincount(codes[counted.rows_with("verdict", str(verdict))], minlength=size + 1)

    numbers = np.bincount(codes, minlength=size + 1)
    squares = counted.loss * counted.loss
    first, second, third = sum_by_code(counted.loss), sum_by_code(squares), sum_by_code(squares * counted.loss)
    errors, blunders = number(Verdict.ERROR), number(Verdict.BLUNDER)
    few = _losses_of_few(counted.loss, codes, numbers)
    rates_by_code = {}
    for code in range(size) if wanted is None else wanted:
        count = int(numbers[code])
        if not count:
            continue
        interval: tuple[float, float] | None = None
        if count >= MANY:
            interval = _find_interval(count, float(first[code]), float(second[code]), float(third[code]))
        elif count >= FEWEST:
            interval = _resample(few[code])
        loss = float(first[code])
        rates_by_code[code] = ErrorRate(
            count, loss, int(errors[code]), int(blunders[code]), PR_FACTOR * loss / count, interval
        )
    return rates_by_code


def _losses_of_few(
    losses: NDArray[np.float64], codes: NDArray[np.integer], numbers: NDArray[np.int64]
) -> Mapping[int, NDArray[np.float64]]:
    """The losses of each code that has an interval and too few decisions to compute it."""
    import numpy as np

    indices = np.flatnonzero(((numbers >= FEWEST) & (numbers < MANY))[codes])
    indices = indices[np.argsort(codes[indices], kind="stable")]
    ends = np.flatnonzero(np.diff(codes[indices])) + 1
    return {int(codes[rows[0]]): losses[rows] for rows in np.split(indices, ends) if len(rows)}


def pr_interval(losses: Sequence[float] | NDArray[np.float64]) -> tuple[float, float] | None:
    """The interval in which the PR lies with 95 %: the percentile bootstrap of a review (Efron 1979).

    For many decisions its quantiles come from the Cornish-Fisher expansion of the resampled mean (Hall 1992, 3.5),
    which knows the skewness of the losses. None below ten decisions.
    """
    import numpy as np

    values = np.asarray(losses, dtype=np.float64)
    if len(values) < FEWEST:
        return None
    if len(values) < MANY:
        return _resample(values)
    return _find_interval(len(values), *(float((values**power).sum()) for power in (1, 2, 3)))


def _resample(values: NDArray[np.float64]) -> tuple[float, float]:
    import numpy as np

    from fullprime.reviews.rating import PR_FACTOR

    low, high = np.quantile(values.take(_picks(len(values))).mean(axis=1), (0.025, 0.975))
    return float(PR_FACTOR * low), float(PR_FACTOR * high)


@lru_cache(maxsize=MANY)
def _picks(count: int) -> NDArray[np.uint8]:
    """The samples of this number of decisions: those of a review, drawn once."""
    import numpy as np

    from fullprime.reviews.rating import RESAMPLES

    return np.random.default_rng(1979).integers(0, count, (RESAMPLES, count)).astype(np.uint8)


def _find_interval(count: int, first: float, second: float, third: float) -> tuple[float, float]:
    """The interval by the sums of the losses, of their squares and of their cubes."""
    from fullprime.reviews.rating import PR_FACTOR

    mean = first / count
    variance = second / count - mean * mean
    # Losses that are all alike leave nothing but rounding.
    if variance <= 1e-12 * second / count or not variance > 0:
        return PR_FACTOR * mean, PR_FACTOR * mean
    spread = math.sqrt(variance)
    skewness = (third / count - 3 * mean * second / count + 2 * mean**3) / spread**3
    error = spread / math.sqrt(count)
    bend = skewness * (_Z * _Z - 1) / (6 * math.sqrt(count))
    return PR_FACTOR * max(0.0, mean + error * (bend - _Z)), PR_FACTOR * (mean + error * (bend + _Z))
