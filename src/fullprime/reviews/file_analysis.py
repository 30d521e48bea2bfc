"""Our own review in the form in which analyses stand in files, so that every writer can carry it."""

from __future__ import annotations

from types import MappingProxyType

from fullprime.formats.analysis import CandidatePlay, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.reviews.decision import NOTHING, Decision, Kind
from fullprime.reviews.review import Review


def file_analysis(review: Review) -> FileAnalysis:
    """The review as a ``FileAnalysis``: equities of plays in points; of the cube in a match as match winning chances.

    Our own facts are left behind: verdicts, uncertainty, the stage of the game.
    """
    events: dict[tuple[int, int], EventAnalysis] = {}
    luck = {(roll.game, roll.event): roll.luck for roll in review.rolls}
    for decision in review.decisions:
        key = decision.game, decision.event
        play = _play(decision) if decision.kind is Kind.PLAY else None
        cube = _cube(decision, review.length > 0) if decision.kind in (Kind.DOUBLE, Kind.TAKE) else None
        error = decision.played.loss if decision.played.loss > NOTHING else 0.0
        events[key] = EventAnalysis(play, cube, luck.pop(key, None), error)
    for key, value in luck.items():
        events[key] = EventAnalysis(luck=value)
    return FileAnalysis(review.program, MappingProxyType(events), MappingProxyType({"level": review.level}))


def _play(decision: Decision) -> PlayAnalysis:
    candidates = tuple(
        CandidatePlay(option.moves, option.text, option.equity, option.chances, f"{option.depth}-ply", option.deviation)
        for option in decision.options
    )
    return PlayAnalysis(candidates, decision.chosen)


def _cube(decision: Decision, is_match: bool) -> CubeAnalysis | None:
    figures = decision.cube
    if figures is None:
        return None
    level = f"{decision.options[0].depth}-ply"
    equities = figures.no_double, figures.double_take, figures.double_drop
    if not is_match:
        return CubeAnalysis(*equities, figures.chances, cubeless=figures.cubeless, level=level)
    # Normalised equity is a straight line in match winning chances; two options that differ give the line.
    first = decision.options[0]
    other = next((option for option in decision.options if abs(option.equity - first.equity) > 1e-4), None)
    if other is None:
        return CubeAnalysis(*equities, figures.chances, cubeless=figures.cubeless, level=level)
    slope = (other.value - first.value) / (other.equity - first.equity)
    # The options of an answer are seen by the player who answers, the figures by the one who doubled.
    sign = -1.0 if decision.kind is Kind.TAKE else 1.0
    chances = [first.value + slope * (sign * equity - first.equity) for equity in equities]
    stay, take, drop = (1.0 - chance if sign < 0 else chance for chance in chances)
    return CubeAnalysis(stay, take, drop, figures.chances, cubeless=figures.cubeless, level=level, unit="mwc")
