"""Cubeful equities: money and match, any score, any cube, from five cubeless probabilities.

Every number belongs to the player on roll before he rolls. Equities are in units of the present cube: +1 is a
single game won with it, also in a match, where the scale runs through winning and losing one such game ("EMG").
:meth:`CubeContext.value` turns them into points or match winning chances. The model is that of
:mod:`~fullprime.engine.cube.model`; ``docs/equity.md`` derives and measures it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from fullprime.common.json_values import JsonFields, json_names
from fullprime.engine.cube.met import USUAL_POINTS, MatchEquityTable
from fullprime.engine.cube.model import CONTACT_EFFICIENCY, CubeLevel, CubeLevels, CubeModel
from fullprime.rules.errors import FullprimeError
from fullprime.rules.printing import Word, short_repr
from fullprime.rules.taking import (
    is_pair_of_numbers,
    make_plain,
    real_number,
    short_value,
    to_bool,
    to_kind,
    to_member,
    whole_number,
)
from fullprime.rules.variants.variant import Backgammon

Floats = npt.NDArray[np.float64]
Value = TypeVar("Value", float, Floats)


class EquityError(FullprimeError):
    """An impossible cube, score or probability."""


POINTS = {
    Backgammon.HOME_OR_BAR: USUAL_POINTS,
    Backgammon.BAR_ONLY: (1, 2, 2, 3),
    Backgammon.BAR_FOUR: (1, 2, 3, 4),
}
"""What a single game, a gammon and a backgammon count; where the bar matters, a backgammon without it and with it."""


class CubeOwner(Word):
    """On whose side the cube is; ``None`` stands for the middle."""

    MOVER = "mover"
    OPPONENT = "opponent"


@dataclass(frozen=True, slots=True)
class CubeAt:
    """The cube, seen by the player on roll."""

    value: int
    """Points at stake: 1, 2, 4 …"""
    owner: CubeOwner | None
    """``mover`` (the player on roll) or ``opponent``; None while the cube is in the middle."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CubeContext:
    """Cube, score and rules: all on which cube equities depend besides the position, seen by the player on roll.

    ``away``: points (mover, opponent) still need; None is money. ``crawford``: this is the Crawford game; a match
    in which a side needs one point is past it otherwise. ``cap``: the cube goes no higher; 1 means no cube at
    all. ``stake``: automatic doubles multiply the stake and nothing else. Raises EquityError for impossible values.
    ``backgammon``: what a backgammon is and counts; where a checker on the bar makes a difference, the chances are
    those of seven outcomes, see :mod:`~fullprime.engine.cube.bar_share`.
    """

    __json__: ClassVar[JsonFields] = json_names(
        "cubeful", "cube", "away", "crawford", "jacoby", "beavers", cubeful="has_live_cube", cube="cube_at"
    )

    cube: int = 1
    owner: CubeOwner | None = None
    away: tuple[int, int] | None = None
    """Points that the player on roll, and then the opponent, needs to win the match; None for money."""
    crawford: bool = False
    """True if this is the Crawford game."""
    jacoby: bool = False
    """True if gammons count only once the cube has been turned (money)."""
    beavers: bool = False
    """True if the player who is doubled may double again at once (money)."""
    raccoons: bool = False
    """True if the doubler may answer that by one more turn of the cube, which stays with the opponent (money)."""
    backgammon: Backgammon = Backgammon.HOME_OR_BAR
    cap: int | None = None
    stake: int = 1
    table: MatchEquityTable = field(default_factory=MatchEquityTable.named)

    def __post_init__(self) -> None:
        self._take()
        if self.cube < 1 or self.cube & (self.cube - 1):
            raise EquityError(f"cube at {short_value(self.cube)}: it shows 1, 2, 4, 8 …")
        if self.cap is not None and (self.cap < self.cube or self.cap & (self.cap - 1)):
            raise EquityError(f"cube cap {short_value(self.cap)}: a power of two not below the cube ({self.cube})")
        if self.stake < 1:
            raise EquityError(f"stake {short_value(self.stake)}: at least 1")
        if self.raccoons and not self.beavers:
            raise EquityError("raccoons answer beavers: they cannot be without them")
        if self.away is None:
            if self.crawford:
                raise EquityError("the Crawford game is part of a match, not of a money game")
            return
        if min(self.away) < 1:
            raise EquityError(f"away {short_value(self.away)}: both sides of a match going on need at least one point")
        if self.jacoby or self.beavers or self.stake != 1:
            raise EquityError("Jacoby, beavers and automatic doubles belong to money games, not to a match")
        if self.owner is None and self.cube != 1:
            raise EquityError(f"a cube at {self.cube} in the middle: in a match somebody owns it")
        if self.crawford and (min(self.away) != 1 or self.cube != 1):
            raise EquityError(f"away {self.away}, cube {self.cube}: not a Crawford game")

    def _take(self) -> None:
        """Put plain values in the place of words and NumPy's numbers; refuse what is neither."""
        for name in ("cube", "stake", "cap"):
            number = getattr(self, name)
            if whole_number(number) is None and not (name == "cap" and number is None):
                raise EquityError(f"{name}: {short_value(number)} is not a whole number")
        make_plain(self, "cube", "stake", "cap")
        if self.owner is not None:
            object.__setattr__(self, "owner", to_member(CubeOwner, "owner", self.owner, EquityError))
        if self.away is not None:
            if not is_pair_of_numbers(self.away):
                raise EquityError(f"away: {short_value(self.away)} are no points that two sides need")
            object.__setattr__(self, "away", (int(self.away[0]), int(self.away[1])))
        object.__setattr__(self, "backgammon", to_member(Backgammon, "backgammon", self.backgammon, EquityError))
        for name in ("crawford", "jacoby", "beavers", "raccoons"):
            if not isinstance(getattr(self, name), bool):
                object.__setattr__(self, name, to_bool(name, getattr(self, name), EquityError))
        to_kind(MatchEquityTable, "the table", self.table, EquityError)

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def is_match(self) -> bool:
        """True in a match, False for money."""
        return self.away is not None

    @property
    def cube_at(self) -> CubeAt:
        """The cube as it lies."""
        return CubeAt(self.cube, self.owner)

    @property
    def has_live_cube(self) -> bool:
        """True unless the cube has reached its cap, where a cap of 1 means no cube.

        It says nothing of the Crawford game, nor of a dead cube: see ``may_double`` and ``is_dead``.
        """
        return self.cap is None or self.cap > self.cube

    def equity_lost(self, points: int) -> float:
        """The equity of the player on roll when he loses this game at ``points``: 1, 2, 3, or 4 where these count."""
        possible = POINTS[self.backgammon]
        if whole_number(points) not in possible:
            raise EquityError(f"points: {short_value(points)} is not one of {', '.join(map(str, possible))}")
        lost = self.cube_levels.levels[0].lose[possible.index(points)]
        return float(self.equity(lost)) if self.is_match else lost

    @property
    def swapped(self) -> CubeContext:
        """The context as the opponent sees it; this object itself where both see it alike."""
        if self.owner is None and (self.away is None or self.away[0] == self.away[1]):
            return self
        owners = {CubeOwner.MOVER: CubeOwner.OPPONENT, CubeOwner.OPPONENT: CubeOwner.MOVER, None: None}
        away = None if self.away is None else (self.away[1], self.away[0])
        return replace(self, owner=owners[self.owner], away=away)

    def flip(self, value: Value) -> Value:
        """A value of one player as the other player's: points change their sign, chances to win the match add up to 1.

        >>> CubeContext().flip(0.25), CubeContext(away=(5, 7)).flip(0.25)
        (-0.25, 0.75)
        """
        _check_numbers(value)
        return 1.0 - value if self.is_match else -value

    @property
    def doubled(self) -> CubeContext:
        """The context after a double and a take. Raises EquityError where the mover may not double."""
        if not self.may_double:
            raise EquityError(f"no double: {self.why_not}")
        return replace(self, cube=2 * self.cube, owner=CubeOwner.OPPONENT)

    @property
    def after_beaver(self) -> CubeContext | None:
        """The context after a double and an accepted beaver; None where the rules allow none."""
        return self._raise_cube(4) if self.beavers else None

    @property
    def after_raccoon(self) -> CubeContext | None:
        """The context after a double, a beaver and an accepted raccoon; None where the rules allow none."""
        return self._raise_cube(8) if self.raccoons else None

    def _raise_cube(self, factor: int) -> CubeContext | None:
        value = factor * self.cube
        if not self.may_double or (self.cap is not None and value > self.cap):
            return None
        return replace(self, cube=value, owner=CubeOwner.OPPONENT)

    @property
    def may_double(self) -> bool:
        """True if the rules let the mover double now."""
        return self.why_not is None

    @property
    def why_not(self) -> str | None:
        """The reason why the mover may not double, in words; None where he may."""
        if self.crawford:
            return "Crawford game"
        if self.owner is CubeOwner.OPPONENT:
            return "the opponent owns the cube"
        if self.cap is not None and self.cube >= self.cap:
            return "no cube" if self.cap == 1 else "the cube is at its limit"
        return None

    @property
    def is_dead(self) -> bool:
        """True if a double could gain the mover nothing, since a single game with this cube wins him the match."""
        return self.away is not None and self.cube >= self.away[0]

    @property
    def cube_levels(self) -> CubeLevels:
        """The values of all results with this cube and the higher ones."""
        base = replace(self, owner=None, jacoby=False, beavers=False, raccoons=False, stake=1, cube=1)
        return _ladder(base, self.cube)

    @property
    def counts_bar(self) -> bool:
        """True if it matters whether a backgammon ends with a checker on the bar."""
        return self.backgammon is not Backgammon.HOME_OR_BAR

    def value(self, equity: Floats | float) -> Floats | float:
        """An equity as the chance to win the match, or as points of the stake for money."""
        _check_numbers(equity)
        if self.away is None:
            return equity * (self.cube * self.stake)
        cube_level = self.cube_levels.levels[0]
        return cube_level.lose[0] + 0.5 * (equity + 1.0) * (cube_level.win[0] - cube_level.lose[0])

    def equity(self, value: Floats | float) -> Floats | float:
        """The inverse of :meth:`value`."""
        _check_numbers(value)
        if self.away is None:
            return value / (self.cube * self.stake)
        cube_level = self.cube_levels.levels[0]
        return 2.0 * (value - cube_level.lose[0]) / (cube_level.win[0] - cube_level.lose[0]) - 1.0


def _check_numbers(value: object) -> None:
    """Raise EquityError for what is no number and no array of numbers; NaN stands for what is not known."""
    if isinstance(value, np.ndarray):
        right = value.dtype.kind in "fiu"
    else:
        right = isinstance(value, float | np.floating) or real_number(value) is not None
    if not right:
        raise EquityError(f"{short_value(value)} is no equity and no chance")


@lru_cache(maxsize=4096)
def _ladder(base: CubeContext, cube: int) -> CubeLevels:
    points = POINTS[base.backgammon]
    if base.away is not None:
        return base.table.cube_levels(*base.away, cube, crawford=base.crawford, cap=base.cap, points=points)
    if base.cap is None:
        return CubeLevels((_money(1, points), _money(2, points)), endless=True)
    levels = (base.cap // cube).bit_length()
    return CubeLevels(tuple(_money(1 << level, points, last=level == levels - 1) for level in range(levels)))


def _money(cube: int, points: tuple[int, ...], last: bool = False) -> CubeLevel:
    return CubeLevel(
        win=tuple(float(won * cube) for won in points),
        lose=tuple(float(-lost * cube) for lost in points),
        mover_dead=last,
        other_dead=last,
    )


# -- batches --------------------------------------------------------------------------------------------------
def no_double_equities(
    probabilities: Floats,
    context: CubeContext,
    efficiency: float | Floats = CONTACT_EFFICIENCY,
    exact: Floats | None = None,
) -> Floats:
    """Cubeful equities (n,) of rolling with the cube where it is.

    ``probabilities`` (n, 5) of the player on roll; ``efficiency`` 0 (dead cube) to 1 (live), one, n or
    (n, 3) of them, see :class:`CubeModel`; ``exact`` (n, 4) as
    :meth:`fullprime.engine.tables.bearoff.Bearoff.equities` gives it, NaN where it knows nothing: used instead of the
    model where it applies (money without a cube limit).
    """
    model = _model(probabilities, context, efficiency)
    equities = _normalise(_no_double(model, context), context)
    if exact is not None and has_exact_equities(context):
        column = {CubeOwner.MOVER: 1, None: 2, CubeOwner.OPPONENT: 3}[context.owner]
        equities = np.where(np.isnan(exact[:, 0]), equities, exact[:, column])
    return equities


def cube_equities(
    probabilities: Floats,
    context: CubeContext,
    efficiency: float | Floats = CONTACT_EFFICIENCY,
    exact: Floats | None = None,
) -> Floats:
    """Equities (n, 5): no double; double and take; drop; beaver; beaver and raccoon. Arguments as those of
    :func:`no_double_equities`. A column is NaN where the rules do not allow it.
    """
    equities = np.full((len(probabilities), 5), np.nan)
    equities[:, 0] = no_double_equities(probabilities, context, efficiency, exact)
    if not context.may_double:
        return equities
    model = _model(probabilities, context, efficiency)
    equities[:, 1] = _normalise(model.double_take(), context)
    equities[:, 2] = 1.0
    if context.after_beaver is not None:
        equities[:, 3] = _normalise(model.beaver(), context)
    if context.after_raccoon is not None:
        equities[:, 4] = _normalise(model.raccoon(), context)
    if exact is not None and has_exact_equities(context):
        is_exact = ~np.isnan(exact[:, 0])
        equities[is_exact, 1] = 2.0 * exact[is_exact, 3]
        if context.after_beaver is not None:
            equities[is_exact, 3] = 4.0 * exact[is_exact, 3]
        if context.after_raccoon is not None:
            equities[is_exact, 4] = 8.0 * exact[is_exact, 3]
    return equities


def answer_beaver(accepted: Value, raccoon: Value) -> Value:
    """The doubler's equity after a beaver: he accepts it, or answers by a raccoon where that is better.

    A raccoon that is dropped wins him four points; ``raccoon`` is NaN where none are played.

    Without a limit of the cube a raccoon is right only where the beaver was wrong.
    """
    answered: Value = np.fmax(accepted, np.minimum(raccoon, 4.0))
    return answered


def best_equities(
    probabilities: Floats,
    context: CubeContext,
    efficiency: float | Floats = CONTACT_EFFICIENCY,
    exact: Floats | None = None,
) -> Floats:
    """Equities (n,) when both sides take the best cube action now. Arguments: :func:`no_double_equities`."""
    equities = cube_equities(probabilities, context, efficiency, exact)
    beavered = answer_beaver(equities[:, 3], equities[:, 4])
    doubled = np.fmin(np.fmin(equities[:, 1], equities[:, 2]), beavered)
    return np.asarray(np.fmax(equities[:, 0], doubled))


def cubeless_equities(probabilities: Floats, context: CubeContext) -> Floats:
    """Equities (n,) when the cube is never turned again; gammons count (also under Jacoby)."""
    return _normalise(_model(probabilities, context, 0.0).dead(), context)


def _no_double(model: CubeModel, context: CubeContext) -> Floats:
    playing = not context.crawford and context.cap != 1
    return model.no_double(
        mover_may=playing and context.owner is not CubeOwner.OPPONENT,
        other_may=playing and context.owner is not CubeOwner.MOVER,
        gammons=not (context.jacoby and context.owner is None),
    )


def _model(probabilities: Floats, context: CubeContext, efficiency: float | Floats) -> CubeModel:
    probabilities = np.asarray(probabilities, dtype=np.float64)
    if probabilities.ndim != 2 or probabilities.shape[1] not in (5, 7 if context.counts_bar else 5):
        raise EquityError(f"probabilities of shape {probabilities.shape}: n rows of five are needed")
    return CubeModel(probabilities, context.cube_levels, efficiency)


def _normalise(values: Floats, context: CubeContext) -> Floats:
    """Equities from values on the ladder, which is in units of the present cube already for money."""
    return np.asarray(context.equity(values)) if context.is_match else values


def has_exact_equities(context: CubeContext) -> bool:
    """True if the two-sided tables apply: money without a limit of the cube."""
    return not context.is_match and context.cap is None
