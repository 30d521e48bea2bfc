"""Reviews as JSON values and back: the form that is kept beside a match and given to scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fullprime.reviews.decision import CubeFigures, Decision, GameStage, Kind, Option
from fullprime.reviews.fields import StoredDecision, StoredOption, StoredReview, StoredRoll
from fullprime.reviews.luck import RollLuck
from fullprime.reviews.review import LeftOut, Review, ReviewError
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import CheckerMove
from fullprime.rules.score import Player

FORMAT = 1
"""Version of the JSON form."""


def review_json(review: Review) -> StoredReview:
    """The review as JSON values; numbers keep seven digits after the point."""
    return {
        "format": FORMAT,
        "level": review.level,
        "program": review.program,
        "variant": review.variant,
        "length": review.length,
        "games": review.games,
        "complete": review.complete,
        "decisions": [_decision(each) for each in review.decisions],
        "rolls": [_roll(each) for each in review.rolls],
        "left_out": [{"game": each.game, "event": each.event, "why": each.why} for each in review.left_out],
    }


def review_from_json(data: Mapping[str, Any]) -> Review:
    """The inverse of :func:`review_json`. Raises ReviewError for anything else."""
    try:
        if data["format"] != FORMAT:
            raise ReviewError(f"a stored review of version {data['format']!r:.20}; this is {FORMAT}")
        return Review(
            str(data["level"]),
            str(data["program"]),
            str(data["variant"]),
            int(data["length"]),
            int(data["games"]),
            bool(data["complete"]),
            tuple(_read_decision(each) for each in data["decisions"]),
            tuple(_read_roll(each) for each in data["rolls"]),
            tuple(LeftOut(int(each["game"]), int(each["event"]), str(each["why"])) for each in data["left_out"]),
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        if isinstance(error, ReviewError):
            raise
        raise ReviewError(f"this is no stored review: {type(error).__name__} {error!s:.60}") from error


def decision_in(stored: str, game: int, event: int) -> Decision | None:
    """The decision at an event (both from 0) in the compact JSON of a review, of which nothing else is read; None where
    none is found.
    """
    at = stored.find(f'{{"game":{game},"event":{event},', max(stored.find('"decisions":['), 0))
    if at < 0:
        return None
    found = json.JSONDecoder().raw_decode(stored, at)[0]
    return _read_decision(found) if "options" in found else None


def _decision(each: Decision) -> StoredDecision:
    found: StoredDecision = {
        "game": each.game,
        "event": each.event,
        "player": each.player.name,
        "kind": str(each.kind),
        "stage": str(each.stage),
        "options": [_option(option) for option in each.options],
        "chosen": each.chosen,
        "loss": _round(each.loss),
        "value_loss": _round(each.value_loss),
        "uncertainty": _round(each.uncertainty),
        "verdict": str(each.verdict()),
        "counts": each.counts,
        "counts_gnu": each.counts_gnu,
        "legal": each.legal,
    }
    if each.mistake:
        found["mistake"] = each.mistake
    if each.dice is not None:
        found["dice"] = [each.dice.high, each.dice.low]
    if each.cube is not None:
        cube = each.cube
        found["cube"] = {
            "no_double": _round(cube.no_double),
            "double_take": _round(cube.double_take),
            "double_drop": cube.double_drop,
            "proper": cube.proper,
            "cubeless": _round(cube.cubeless),
            "chances": list(cube.chances),
        }
        if cube.losers is not None:
            found["cube"]["losers"] = _round(cube.losers)
    if each.replies is not None:
        found["replies"] = [list(row) for row in each.replies]
    return found


def _option(option: Option) -> StoredOption:
    found: StoredOption = {
        "text": option.text,
        "equity": _round(option.equity),
        "loss": _round(option.loss),
        "value": _round(option.value),
        "depth": option.depth,
    }
    if option.chances is not None:
        found["chances"] = list(option.chances)
    if option.moves is not None:
        found["moves"] = [[move.source, move.target, move.die, int(move.hit)] for move in option.moves]
    if option.deviation is not None:
        found["deviation"] = _round(option.deviation)
    return found


def _roll(each: RollLuck) -> StoredRoll:
    return {
        "game": each.game,
        "event": each.event,
        "player": each.player.name,
        "dice": [each.dice.high, each.dice.low],
        "luck": _round(each.luck),
        "value": _round(each.value),
        "before": _round(each.before),
    }


def _round(number: float) -> float:
    return round(number, 7)


def _read_decision(data: Mapping[str, Any]) -> Decision:
    cube = data.get("cube")
    dice = data.get("dice")
    return Decision(
        game=int(data["game"]),
        event=int(data["event"]),
        player=Player[data["player"]],
        kind=Kind(data["kind"]),
        stage=GameStage(data["stage"]),
        options=tuple(_read_option(each) for each in data["options"]),
        chosen=int(data["chosen"]),
        uncertainty=float(data["uncertainty"]),
        counts=bool(data["counts"]),
        counts_gnu=bool(data["counts_gnu"]),
        mistake=str(data.get("mistake", "")),
        cube=None
        if cube is None
        else CubeFigures(
            float(cube["no_double"]),
            float(cube["double_take"]),
            float(cube["double_drop"]),
            str(cube["proper"]),
            float(cube["cubeless"]),
            _five(cube["chances"]),
            None if cube.get("losers") is None else float(cube["losers"]),
        ),
        dice=None if dice is None else Roll(*dice),
        legal=int(data["legal"]),
        replies=_replies(data.get("replies")),
    )


def _replies(rows: Any) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    if rows is None:
        return None
    best, played = (tuple(float(each) for each in row) for row in rows)
    if len(best) != len(ALL_ROLLS) or len(played) != len(ALL_ROLLS):
        raise ValueError("replies are to 21 rolls")
    return best, played


def _read_option(data: Mapping[str, Any]) -> Option:
    chances, moves, deviation = data.get("chances"), data.get("moves"), data.get("deviation")
    return Option(
        str(data["text"]),
        float(data["equity"]),
        float(data["loss"]),
        float(data["value"]),
        int(data["depth"]),
        None if chances is None else _five(chances),
        None if moves is None else tuple(CheckerMove(a, b, die, bool(hit)) for a, b, die, hit in moves),
        None if deviation is None else float(deviation),
    )


def _read_roll(data: Mapping[str, Any]) -> RollLuck:
    return RollLuck(
        int(data["game"]),
        int(data["event"]),
        Player[data["player"]],
        Roll(*data["dice"]),
        float(data["luck"]),
        float(data["value"]),
        float(data["before"]),
    )


def _five(numbers: Any) -> tuple[float, float, float, float, float]:
    win, gammon, backgammon, lose_gammon, lose_backgammon = (float(each) for each in numbers)
    return win, gammon, backgammon, lose_gammon, lose_backgammon
