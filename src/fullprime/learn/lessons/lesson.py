"""Lessons as values: their steps, and the board of each step."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime.rules.variants.variant import Variant


class LessonError(FullprimeError):
    """A lesson cannot be read; the message names the file, the step, and the fault."""


class Do(StrEnum):
    """The task of a step."""

    READ = "read"
    """A text, with a board or without one."""
    TRY = "try"
    """A play that the rules refuse, to be tried."""
    PLAY = "play"
    """A play of the roll: one of those the lesson accepts, or a good one by the engine."""
    CUBE = "cube"
    """To double or to roll; with a double offered, to take or to drop."""
    TURN = "turn"
    """A turn of the cube, the name of a double, or a throw for the first move, to be made: it is not judged, the board
    shows its effect. A double that the rules refuse is shown with the reason.
    """
    CHOOSE = "choose"
    """A question with a few answers."""
    COUNT = "count"
    """A question whose answer is a number."""


ANY = "any"
"""Stands for plays in ``accept``: every legal one is right."""
HIT = "hit"
"""Stands for plays in ``accept``: every one that hits is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The board of a step. The learner is X and sees it from below; the position has the learner's row first."""

    variant: Variant
    position: Position
    dice: Roll | None = None
    rules: tuple[tuple[str, str], ...] = ()
    """Options of the game and the match by name, such as ``("length", "5")``."""
    score: tuple[int, int] = (0, 0)
    """Points of the learner and of the opponent."""
    cube: int = 1
    owner: str | None = None
    """``you``, ``opponent``, or None while the cube is in the middle."""
    offered: bool = False
    """True if the opponent has doubled and the learner answers."""
    crawford: bool | None = None
    marks: tuple[int, ...] = ()
    """Points to mark on the board, in the learner's numbers."""
    choose: bool = False
    """Acey Deucey: a double must be named."""
    beavered: bool = False
    """True if the learner has doubled, the opponent has answered with a beaver, and the learner answers that; ``cube``
    is its value before the double.
    """
    throw: Roll | None = None
    """The dice that fall when the first move is thrown for; until then neither side has begun."""
    stake: int = 1
    """The factor by which ties at the first throw have doubled the stake."""

    @property
    def key(self) -> str:
        """The whole board as one line; figures that were made for another line are stale."""
        dice = "" if self.dice is None else f" dice {self.dice}"
        cube = f" cube {self.cube} {self.owner or 'middle'}{' offered' if self.offered else ''}"
        rules = "".join(f" {name}={value}" for name, value in self.rules)
        cube += " beavered" if self.beavered else ""
        cube += "" if self.throw is None else f" throw {self.throw}"
        cube += f" stake {self.stake}" if self.stake > 1 else ""
        crawford = "" if self.crawford is None else f" crawford={'yes' if self.crawford else 'no'}"
        score = f" {self.score[0]}-{self.score[1]}" if any(self.score) else ""
        return f"{self.variant.name} {self.position.text}{dice}{cube}{score}{crawford}{rules}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonStep:
    """One step of a lesson. Texts hold placeholders such as ``{loss 13/9 6/5}`` and terms such as ``[[prime]]``."""

    do: Do
    say: str
    board: Board | None = None
    quiz: bool = False
    """True if the first answer counts."""
    right: str = ""
    wrong: str = ""
    hint: str = ""
    accept: tuple[str, ...] = ()
    """Plays that are right; ``any`` or ``hit`` instead; empty to go by the engine."""
    within: float = 0.0
    """The loss, or the distance from the number, that still counts as right."""
    answers: tuple[tuple[str, str], ...] = ()
    """Plays with the words for each of them."""
    line: str = ""
    """The refused play that is to be tried, as an example; or the turn of the cube that is to be made."""
    choices: tuple[str, ...] = ()
    answer: int = 0
    """The right one of the choices, 1 for the first."""
    number: str = ""
    """The placeholder whose value is the answer to a ``count``."""
    rolls: str = ""
    """The fact of which the rolls are shown as a map, such as ``hits``."""
    holds: tuple[str, ...] = ()
    """Claims of the text as comparisons of placeholders, such as ``loss 13/9 6/5 < 0.03``; tests check them."""

    @property
    def asks(self) -> bool:
        """True if the learner must do something."""
        return self.do is not Do.READ

    @property
    def turns(self) -> tuple[str, ...]:
        """The words of a turn, in the order in which they are shown."""
        if self.do is not Do.TURN or self.board is None:
            return ()
        if self.board.throw is not None:
            return ("throw",)
        if self.board.choose:
            return tuple(f"{face}-{face}" for face in range(1, 7))
        rules = dict(self.board.rules)
        if self.board.beavered:
            return ("take", "drop", *(("raccoon",) if rules.get("raccoons") == "yes" else ()))
        if self.board.offered:
            return ("take", "drop", *(("beaver",) if rules.get("beavers") == "yes" else ()))
        return ("double", "roll")

    @property
    def graded(self) -> bool:
        """True if the answer is judged by the figures of the engine."""
        return self.do is Do.CUBE or (self.do is Do.PLAY and not self.accept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson: steps in order. In JSON it is its entry in the list of lessons."""

    __json__: ClassVar[JsonFields] = json_names("name", "title", "about", "minutes", "quizzes", steps="length")

    name: str
    """Its name in addresses: that of its file, without number and ending."""
    title: str
    """Its title."""
    about: str
    """What it teaches, in a sentence."""
    minutes: int
    """The time that it takes."""
    steps: tuple[LessonStep, ...]
    part: str = ""
    """The name of its part."""
    leads_to: str = ""
    """``game`` if a whole game follows; empty otherwise."""
    file: str = field(default="", compare=False)

    @property
    def length(self) -> int:
        """The number of its steps."""
        return len(self.steps)

    @property
    def quizzes(self) -> int:
        """The number of steps whose first answer counts."""
        return sum(step.quiz for step in self.steps)
