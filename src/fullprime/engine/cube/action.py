"""Cube actions: the equity of each to the player on roll, and the right one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from fullprime.common.json_values import JsonFields, json_names
from fullprime.engine.cube.equity import (
    CubeContext,
    CubeOwner,
    EquityError,
    answer_beaver,
    cube_equities,
    cubeless_equities,
    has_exact_equities,
)
from fullprime.engine.cube.model import CONTACT_EFFICIENCY
from fullprime.engine.cube.probabilities import chances_text, probabilities_of, swap_sides
from fullprime.rules.printing import Record, Word, html_table
from fullprime.rules.words import format_signed

Floats = npt.NDArray[np.float64]

_TIE = 1e-6
"""Two equities this close are equal: the exact tables hold single precision."""


class CubeAction(Word):
    """Every verdict on a cube decision, the mover's part first, then the opponent's answer to a double."""

    NO_DOUBLE = "no double, take"
    NO_DOUBLE_BEAVER = "no double, beaver"
    DOUBLE_TAKE = "double, take"
    DOUBLE_DROP = "double, drop"
    DOUBLE_BEAVER = "double, beaver"
    TOO_GOOD_DROP = "too good to double, drop"
    TOO_GOOD_TAKE = "too good to double, take"
    OPTIONAL_TAKE = "optional double, take"
    OPTIONAL_DROP = "optional double, drop"
    OPTIONAL_BEAVER = "optional double, beaver"
    DEAD_CUBE = "dead cube, no double"
    CRAWFORD = "no double in the Crawford game"
    NOT_AVAILABLE = "no cube to turn"


class Reply(Word):
    """The opponent's answer to a double."""

    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"


class RaiseReply(Word):
    """The answer to a beaver or a raccoon."""

    TAKE = "take"
    DROP = "drop"
    RACCOON = "raccoon"


_DOUBLES = {CubeAction.DOUBLE_TAKE, CubeAction.DOUBLE_DROP, CubeAction.DOUBLE_BEAVER}


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """A cube decision of the player on roll: the equity of each action to him, and the right one.

    ``double_take`` is the equity when the opponent goes on in the way that is best for him: by a beaver where
    that is allowed and better than a mere take. ``double_take`` and ``double_drop`` are None where the rules
    allow no double.
    """

    __json__: ClassVar[JsonFields] = json_names(
        "no_double", "double_take", "double_drop", "action", "reply", "cubeless", "probabilities", "depth",
        "exact", "trials", "error", "take_error", merged=["context"], action="verdict",
    )  # fmt: skip

    context: CubeContext
    """The cube and the score that the equities were made for."""
    probabilities: tuple[float, float, float, float, float]
    """The chances of each end of the game, of the player on roll."""
    efficiency: float
    cubeless: float
    """Equity without a cube."""
    no_double: float
    """Equity without a double."""
    double_take: float | None
    """Equity of a double that is taken (or beavered, where that is better); None where the rules allow no double."""
    double_drop: float | None
    """Equity of a double that is dropped; None where the rules allow no double."""
    action: CubeAction
    reply: Reply | None
    """The right answer to a double; None where none can be made."""
    exact: bool = False
    """True if the equities come from an exact table."""
    depth: int = 0
    """Plies of look-ahead behind the equities; 0 is static."""
    trials: int = 0
    """Trials of a rollout that were joined with the look-ahead; 0 for none."""
    error: float = 0.0
    """Where trials were played: standard error of the difference between doubling and rolling."""
    take_error: float = 0.0
    """Where trials were played: standard error of the equity after a double that is taken."""
    mere_take: float | None = None
    """The equity after a double that is taken without a beaver, also where one is right; None where none is allowed."""

    @property
    def should_double(self) -> bool:
        """True if doubling is better than not (an optional double is not)."""
        return self.action in _DOUBLES

    @property
    def equity(self) -> float:
        """The equity of the player on roll when both sides act rightly."""
        if self.double_take is None or self.double_drop is None:
            return self.no_double
        return max(self.no_double, min(self.double_take, self.double_drop))

    @property
    def cost_of_doubling(self) -> float | None:
        """The mover's loss by doubling, None where he may not."""
        if self.double_take is None or self.double_drop is None:
            return None
        return self.equity - min(self.double_take, self.double_drop)

    @property
    def cost_of_not_doubling(self) -> float:
        """The mover's loss by rolling."""
        return self.equity - self.no_double

    @property
    def cost_of_wrong_reply(self) -> float | None:
        """The opponent's loss by dropping a take or taking a drop; where a beaver is right, by dropping. None without a
        double.
        """
        if self.double_take is None or self.double_drop is None:
            return None
        return abs(self.double_take - self.double_drop)

    @property
    def actions(self) -> tuple[tuple[str, float, float], ...]:
        """Each action that the rules allow, its equity, and what the player on roll loses by it; the loss of doubling
        stands beside the right answer to it.
        """
        rolling = ("no double", self.no_double, self.cost_of_not_doubling)
        if self.double_take is None or self.double_drop is None:
            return (rolling,)
        cost, dropped = self.cost_of_doubling or 0.0, self.reply is Reply.DROP
        return (
            rolling,
            ("double, take", self.double_take, 0.0 if dropped else cost),
            ("double, drop", self.double_drop, cost if dropped else 0.0),
        )

    @property
    def verdict(self) -> str:
        """The right action in words; a turn of one's own cube is a redouble."""
        words = self.action.value
        if self.action is CubeAction.NOT_AVAILABLE:
            words = f"no double: {self.context.why_not}"
        return words.replace("double", "redouble") if self.context.owner is CubeOwner.MOVER else words

    @property
    def answer(self) -> CubeAnswer | None:
        """The decision of the player to whom the cube is offered; None where no double is allowed."""
        if self.reply is None or self.double_take is None or self.double_drop is None:
            return None
        return CubeAnswer(
            reply=self.reply,
            accept=-self.double_take,
            drop=-self.double_drop,
            probabilities=probabilities_of(swap_sides(np.array(self.probabilities))),
            depth_text=self.depth_text,
        )

    def records(self) -> list[Record]:
        """One row for each action that the rules allow, in the form that pandas and polars take as it is."""
        actions = (
            ("no double", self.no_double),
            ("double, take", self.double_take),
            ("double, drop", self.double_drop),
        )
        return [
            {"action": name, "equity": equity, "loss": self.equity - equity}
            for name, equity in actions
            if equity is not None
        ]

    def _repr_html_(self) -> str:
        """The table in a notebook, under the verdict."""
        return html_table(self.records(), f"{self.verdict[0].upper()}{self.verdict[1:]} ({self.depth_text})")

    @property
    def depth_text(self) -> str:
        """How far the engine looked, in words."""
        if self.exact:
            return "exact"
        plies = "0-ply (static)" if self.depth == 0 else f"{self.depth}-ply"
        if not self.trials:
            return plies
        errors = f"double ± {self.error:.4f}, take ± {self.take_error:.4f}"
        return f"{plies}, {self.trials:,} trials ({errors})"

    def __str__(self) -> str:
        """The table for a player to read: each action, its equity and its loss."""
        again = "Redouble" if self.context.owner is CubeOwner.MOVER else "Double"
        goes_on = f"{again}, {self.reply}" if self.reply is Reply.BEAVER else f"{again}, take"
        lines = [
            ("No " + again.lower(), self.no_double),
            (goes_on, self.double_take),
            (f"{again}, drop", self.double_drop),
        ]
        text = [f"{self.verdict[0].upper()}{self.verdict[1:]}"]
        for name, equity in lines:
            if equity is None:
                continue
            loss = equity - self.equity
            chance = f"  {100 * float(self.context.value(equity)):6.2f} %" if self.context.is_match else ""
            text.append(
                f"  {name:<17}{format_signed(equity, 4)}{chance}"
                + (f"  ({format_signed(loss, 4)})" if abs(loss) > _TIE else "")
            )
        text.append(f"  Cubeless         {format_signed(self.cubeless, 4)}")
        text.append(f"  {chances_text(self.probabilities).capitalize()}")
        text.append(f"  Depth            {self.depth_text}")
        return "\n".join(text)


@dataclass(frozen=True, slots=True)
class CubeAnswer:
    """The answer to a double, a beaver or a raccoon, seen by the player who gives it.

    Equities are in units of the cube before the double.
    """

    reply: Reply | RaiseReply
    """The right answer."""
    accept: float
    """His equity when he takes; of a double that he should beaver, his equity when he beavers."""
    drop: float
    """His equity when he drops: the stake is lost."""
    probabilities: tuple[float, float, float, float, float]
    """His chances, without a cube: win, gammon, backgammon, lose gammon, lose backgammon."""
    depth_text: str
    """How far the engine looked, in words."""
    raccoon: float | None = None
    """His equity when he answers a beaver by a raccoon; None where he may not."""

    @property
    def actions(self) -> tuple[tuple[str, float, float], ...]:
        """Each answer, its equity and its loss, the right one first."""
        accepting = str(Reply.BEAVER if self.reply is Reply.BEAVER else Reply.TAKE)
        equities = [(accepting, self.accept), (str(Reply.DROP), self.drop)]
        if self.raccoon is not None:
            equities.append((str(RaiseReply.RACCOON), self.raccoon))
        best = max(equity for _, equity in equities)
        answers = [(name, equity, best - equity) for name, equity in equities]
        return tuple(sorted(answers, key=lambda answer: answer[0] != str(self.reply)))

    def __str__(self) -> str:
        """The table for the player who answers."""
        text = [str(self.reply).capitalize()]
        for name, equity, loss in self.actions:
            text.append(
                f"  {name.capitalize():<17}{format_signed(equity, 4)}"
                + (f"  ({format_signed(-loss, 4)})" if loss > _TIE else "")
            )
        text.append(f"  {chances_text(self.probabilities).capitalize()}")
        text.append(f"  Depth            {self.depth_text}")
        return "\n".join(text)


def cube_decision(
    probabilities: Floats | tuple[float, ...],
    context: CubeContext,
    efficiency: float = CONTACT_EFFICIENCY,
    exact: Floats | None = None,
) -> CubeDecision:
    """The cube decision of the player on roll from his five cubeless probabilities.

    ``exact``: the four equities of :meth:`fullprime.engine.tables.bearoff.Bearoff.equities` for this very position; not
    read in a match, nor where the cube has a cap.
    Raises EquityError unless the probabilities are five chances in order.

    >>> print(cube_decision((0.75, 0, 0, 0, 0), CubeContext(owner=CubeOwner.MOVER)).verdict)
    redouble, take
    """
    chances = np.asarray(probabilities, dtype=np.float64)
    if chances.shape != (5,) or not np.all((chances >= -_TIE) & (chances <= 1.0 + _TIE)):
        raise EquityError(f"{tuple(probabilities)}: five probabilities between 0 and 1 are needed")
    win, _, _, lose_gammon, lose_backgammon = chances
    out_of_order = lose_gammon > 1 - win + _TIE or lose_backgammon > lose_gammon + _TIE
    if out_of_order or np.any(chances[[1, 2]] > chances[[0, 1]] + _TIE):
        raise EquityError(f"{tuple(probabilities)}: gammons are among the games won or lost, backgammons among them")
    batch = chances[np.newaxis]
    table = None if exact is None else np.asarray(exact, dtype=np.float64)[np.newaxis]
    equities = cube_equities(batch, context, efficiency, table)[0]
    no_double, take, _, beaver, raccoon = (float(value) for value in equities)
    return decision_from(
        chances,
        context,
        no_double,
        take,
        beaver,
        raccoon,
        efficiency=efficiency,
        exact=table is not None and has_exact_equities(context) and not bool(np.isnan(table[0, 0])),
    )


def decision_from(
    probabilities: Floats,
    context: CubeContext,
    no_double: float,
    double_take: float,
    double_beaver: float = float("nan"),
    double_raccoon: float = float("nan"),
    *,
    cubeless: float | None = None,
    efficiency: float = CONTACT_EFFICIENCY,
    exact: bool = False,
    depth: int = 0,
) -> CubeDecision:
    """The cube decision that follows from equities already known, such as those of a look-ahead or a rollout.

    All in units of the present cube, of the player on roll. An action that the rules forbid is NaN and is not read.
    ``double_take`` is the equity of a take without a beaver; the field of that name is the better of take and beaver.
    A beaver and a raccoon are meant as accepted; the doubler then answers a beaver as is best for him.
    """
    drop = 1.0
    double_beaver = float(answer_beaver(double_beaver, double_raccoon))
    action, reply = _verdict(context, no_double, double_take, drop, double_beaver)
    may = context.may_double
    win, gammon, backgammon, lose_gammon, lose_backgammon = (float(probability) for probability in probabilities)
    return CubeDecision(
        context=context,
        probabilities=(win, gammon, backgammon, lose_gammon, lose_backgammon),
        efficiency=efficiency,
        cubeless=float(cubeless_equities(np.array([probabilities], np.float64), context)[0])
        if cubeless is None
        else cubeless,
        no_double=no_double,
        double_take=(double_beaver if reply is Reply.BEAVER else double_take) if may else None,
        double_drop=drop if may else None,
        action=action,
        reply=reply,
        exact=exact,
        depth=depth,
        mere_take=double_take if may else None,
    )


def _verdict(
    context: CubeContext, no_double: float, take: float, drop: float, beaver: float
) -> tuple[CubeAction, Reply | None]:
    if context.crawford:
        return CubeAction.CRAWFORD, None
    if not context.may_double:
        return CubeAction.NOT_AVAILABLE, None
    if drop <= take:
        reply, doubled = Reply.DROP, drop
    elif beaver < take - _TIE:
        reply, doubled = Reply.BEAVER, beaver
    else:
        reply, doubled = Reply.TAKE, take
    if context.is_dead:
        return CubeAction.DEAD_CUBE, reply
    if abs(no_double - doubled) <= _TIE:
        optional = {Reply.TAKE: CubeAction.OPTIONAL_TAKE, Reply.DROP: CubeAction.OPTIONAL_DROP}
        return optional.get(reply, CubeAction.OPTIONAL_BEAVER), reply
    if doubled > no_double:
        right = {Reply.TAKE: CubeAction.DOUBLE_TAKE, Reply.DROP: CubeAction.DOUBLE_DROP}
        return right.get(reply, CubeAction.DOUBLE_BEAVER), reply
    if reply is Reply.DROP:
        return CubeAction.TOO_GOOD_DROP, reply
    if no_double > drop + _TIE:
        return CubeAction.TOO_GOOD_TAKE, reply
    return (CubeAction.NO_DOUBLE_BEAVER if reply is Reply.BEAVER else CubeAction.NO_DOUBLE), reply
