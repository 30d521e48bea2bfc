"""The stored figures of a lesson, by the engine and the rules, with the hash of the nets.

They lie beside the lesson as JSON and are made by ``fullprime learn --compute``. A lesson whose boards or placeholders
have changed since, or whose nets have, is stale: :meth:`LessonFigures.why_stale` says why.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fullprime.learn.lessons.lesson import Do, Lesson, LessonStep
from fullprime.learn.lessons.reading import facts_of
from fullprime.learn.lessons.texts import Value
from fullprime.rules.errors import FullprimeError

VERSION = 1


class FiguresError(FullprimeError):
    """LessonFigures that are missing, unreadable or stale."""


@dataclass(frozen=True, slots=True)
class PlayFigures:
    """A legal play as the engine judges it; chances are shares of 1, those of the player who makes it."""

    play: str
    loss: float
    equity: float
    win: float
    gammons: float
    lost: float
    shots: int
    """The rolls of 36 by which the opponent can hit after it."""


@dataclass(frozen=True, slots=True)
class StepCube:
    """A cube decision as the engine judges it. Equities are those of the player who could double."""

    no_double: float
    double_take: float
    double_drop: float
    verdict: str
    win: float
    gammons: float
    lost: float

    def losses(self, *, offered: bool) -> dict[str, float]:
        """The cost of each answer to the player who decides: ``double`` and ``roll``, or ``take`` and ``drop``."""
        if offered:
            worth = {"take": -self.double_take, "drop": -self.double_drop}
        else:
            worth = {"double": min(self.double_take, self.double_drop), "roll": self.no_double}
        best = max(worth.values())
        return {word: best - value for word, value in worth.items()}


@dataclass(frozen=True, slots=True)
class StepFigures:
    """The figures of one step; ``board`` is the key of the board they were made for."""

    board: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    plays: tuple[PlayFigures, ...] = ()
    """Every legal play of a step that is graded, the best first."""
    cube: StepCube | None = None
    rolls: tuple[str, ...] = ()
    """The rolls of the map, such as ``31``."""
    rolled: tuple[str, ...] = ()
    """The plays that were rolled out; the others are judged by search."""


@dataclass(frozen=True, slots=True)
class LessonFigures:
    """The figures of a lesson, a :class:`StepFigures` a step. ``nets`` is the hash of the nets by game, and of the net
    of the cube by a name such as ``backgammon cube``. ``rollouts``: the way of its rollouts in words; empty for none.
    """

    nets: Mapping[str, str]
    level: str
    steps: tuple[StepFigures, ...]
    rollouts: str = ""

    def why_stale(self, lesson: Lesson, nets: Mapping[str, str] | None = None) -> str:
        """The changes since the figures were made, in one line; empty for good figures.

        ``nets``: the hashes of the nets in use by game; None to leave them out.
        """
        if len(self.steps) != len(lesson.steps):
            return f"there are figures for {len(self.steps)} steps, and {len(lesson.steps)} steps"
        for game, nets_hash in self.nets.items():
            if nets is not None and nets.get(game) != nets_hash:
                return f"they are by the nets {nets_hash} of {game}, and those in use are {nets.get(game)}"
        for number, (step, figures) in enumerate(zip(lesson.steps, self.steps, strict=True), 1):
            if reason := _why_stale(step, figures):
                return f"step {number}: {reason}"
        return ""


def _why_stale(step: LessonStep, figures: StepFigures) -> str:
    names = facts_of(step)
    if step.board is not None and (names or step.graded or step.rolls) and figures.board != step.board.key:
        return "the board has changed"
    missing = [fact for fact in names if fact not in figures.values]
    if missing:
        return f"there is no figure for {{{missing[0]}}}"
    if step.do is Do.PLAY and step.graded and not figures.plays:
        return "the plays have not been judged"
    if step.do is Do.CUBE and figures.cube is None:
        return "the cube has not been judged"
    return ""


# -- as text ---------------------------------------------------------------------------------------------------------
def figures_text(figures: LessonFigures) -> str:
    """LessonFigures as JSON, a step and a play a line, so that changes can be read."""
    steps = ",\n".join(_step_text(step) for step in figures.steps)
    fields: dict[str, object] = {"version": VERSION, "nets": dict(sorted(figures.nets.items())), "level": figures.level}
    head = json.dumps(fields | ({"rollouts": figures.rollouts} if figures.rollouts else {}))
    return f'{head[:-1]}, "steps": [\n{steps}\n]}}\n'


def _step_text(step: StepFigures) -> str:
    parts = [f'"board": {json.dumps(step.board)}']
    if step.values:
        values = {name: round(value, 4) if isinstance(value, float) else value for name, value in step.values.items()}
        parts.append(f'"values": {json.dumps(values)}')
    if step.plays:
        lines = ",\n   ".join(json.dumps(_row(play)) for play in step.plays)
        parts.append(f'"plays": [\n   {lines}]')
    if step.cube is not None:
        cube = step.cube
        row = [cube.no_double, cube.double_take, cube.double_drop, cube.win, cube.gammons, cube.lost]
        parts.append(f'"cube": {json.dumps([cube.verdict, *(round(number, 4) for number in row)])}')
    if step.rolls:
        parts.append(f'"rolls": {json.dumps(list(step.rolls))}')
    if step.rolled:
        parts.append(f'"rolled": {json.dumps(list(step.rolled))}')
    return "  {" + ",\n   ".join(parts) + "}"


def _row(play: PlayFigures) -> list[object]:
    numbers = (play.loss, play.equity, play.win, play.gammons, play.lost)
    return [play.play, *(round(number, 4) for number in numbers), play.shots]


def read_figures(text: str, file: str = "figures.json") -> LessonFigures:
    """The inverse of :func:`figures_text`; raises FiguresError."""
    try:
        data = json.loads(text)
        if data["version"] != VERSION:
            raise FiguresError(f"{file}: version {data['version']!r}, and this reads {VERSION}")
        steps = tuple(_read_step(step) for step in data["steps"])
        nets = {str(game): str(nets_hash) for game, nets_hash in data["nets"].items()}
        return LessonFigures(nets, str(data["level"]), steps, str(data.get("rollouts", "")))
    except FiguresError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise FiguresError(f"{file}: these are no figures of a lesson ({error!r:.80})") from None


def _read_step(data: Any) -> StepFigures:
    plays = tuple(_read_play(row) for row in data.get("plays", ()))
    row = data.get("cube")
    cube = None
    if row is not None:
        no_double, double_take, double_drop, win, gammons, lost = map(float, row[1:7])
        cube = StepCube(no_double, double_take, double_drop, str(row[0]), win, gammons, lost)
    values = {str(name): value if isinstance(value, str) else float(value) for name, value in
              data.get("values", {}).items()}  # fmt: skip
    rolls, rolled = (tuple(map(str, data.get(name, ()))) for name in ("rolls", "rolled"))
    return StepFigures(str(data["board"]), values, plays, cube, rolls, rolled)


def _read_play(row: list[Any]) -> PlayFigures:
    loss, equity, win, gammons, lost = map(float, row[1:6])
    return PlayFigures(str(row[0]), loss, equity, win, gammons, lost, int(row[6]))
