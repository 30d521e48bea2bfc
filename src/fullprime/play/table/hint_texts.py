"""The engine's advice as an answer at the table: a few sentences, which the reader's language may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullprime.messages import Message, format_decimal, label
from fullprime.rules.words import format_signed

if TYPE_CHECKING:
    from fullprime.engine.api import Hint
    from fullprime.engine.search.results import RankedPlay


def describe_hint(hint: Hint, most: int) -> Message:
    """The best plays with their equities and losses, at most ``most``; or the actions of the cube."""
    if hint.ranking is not None:
        best = hint.ranking.best
        return Message.join_all("\n", [_describe_play(play, best) for play in hint.ranking.plays[:most]])
    decision = hint.cube if hint.answer is None else hint.answer
    if decision is None:
        return Message("Name the double {number}-{number}.", number=hint.number)
    actions = [_describe_option(label(name), equity, loss) for name, equity, loss in decision.actions]
    win, gammon, _, lost, _ = (format_decimal(f"{100 * chance:.1f}") for chance in decision.probabilities)
    chances = Message(
        "You win {win} %, a gammon {gammon} %, and lose a gammon {lost} %.", win=win, gammon=gammon, lost=lost
    )
    return Message.join_all("\n", [Message("Best is {choice}.", choice=label(hint.short)), *actions, chances])


def _describe_play(play: RankedPlay, best: RankedPlay) -> Message:
    depth = Message("{depth}-ply", depth=play.depth) if play.depth else Message("static")
    sign = "" if play.depth == best.depth else "≈ "
    option = _describe_option(label(play.text), play.equity, play.loss, sign)
    return Message("{rank}. {option} ({depth})", rank=play.rank, option=option, depth=depth)


def _describe_option(name: str, equity: float, loss: float, sign: str = "") -> Message:
    facts = {"name": name, "equity": format_decimal(format_signed(equity))}
    if not loss:
        return Message("{name}: {equity}", **facts)
    return Message("{name}: {equity}, loses {loss}", **facts, loss=_join(sign, format_decimal(f"{loss:.3f}")))


def _join(sign: str, number: str) -> str:
    return Message.join_all("", [sign, number]) if sign else number
