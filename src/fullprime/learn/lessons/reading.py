"""Lessons read from TOML. Every fault is one line: the file, the step, and the reason.

`docs/how-to/write-a-lesson.md` describes the form.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from fullprime.learn.glossary import UnknownTerm, look_up
from fullprime.learn.lessons import texts
from fullprime.learn.lessons.lesson import ANY, HIT, Board, Do, Lesson, LessonError, LessonStep
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError, NotationError
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.position_facts import MAPS, check_fact
from fullprime.rules.variants import option_names, variant_named
from fullprime.rules.variants.variant import Variant

_LESSON = {"title", "about", "minutes", "game", "rules", "leads_to", "step"}
_BOARD = {
    "position", "dice", "score", "cube", "owner", "offered", "crawford", "rules", "game", "marks", "choose_double",
    "beavered", "throw", "stake",
}  # fmt: skip
_STEP = {
    "do", "say", "quiz", "right", "wrong", "hint", "accept", "within", "answers", "line", "choices", "answer", "number",
    "rolls", "holds",
}  # fmt: skip
_NEEDS = {Do.TRY: "line", Do.TURN: "line", Do.CHOOSE: "choices", Do.COUNT: "number"}
_ONLY = {"accept": (Do.PLAY,), "answers": (Do.PLAY,), "line": (Do.TRY, Do.TURN), "choices": (Do.CHOOSE,),
         "answer": (Do.CHOOSE,), "number": (Do.COUNT,), "within": (Do.PLAY, Do.CUBE, Do.COUNT)}  # fmt: skip
_WITHIN = {Do.PLAY: 0.02, Do.CUBE: 0.02}
"""The losses that still count as right, unless a lesson gives another."""
_MOST_STEPS = 60
_ARGUMENTS = re.compile(r"^[a-z_]+( .+)?$")

Known = TypeVar("Known")
Table = Mapping[str, object]


def read_lesson(text: str, file: str = "lesson.toml") -> Lesson:
    """Read a lesson from TOML; raises LessonError unless it is complete, legal and consistent."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LessonError(f"{file}: {error}") from None
    try:
        return _lesson(data, file)
    except _Fault as fault:
        raise LessonError(f"{file}: {fault}") from None


class _Fault(Exception):
    """A fault, without the name of the file."""


def _lesson(data: Table, file: str) -> Lesson:
    _check_keys(data, _LESSON)
    tables: list[object] = _get(data, "step", list, [])
    if not tables:
        raise _Fault("a lesson needs at least one [[step]]")
    if len(tables) > _MOST_STEPS:
        raise _Fault(f"{len(tables)} steps: at most {_MOST_STEPS} are one lesson")
    steps: list[LessonStep] = []
    board: Board | None = None
    for number, table in enumerate(tables, 1):
        try:
            if not isinstance(table, dict):
                raise _Fault("a step is a table: [[step]]")
            board = _board(table, data, board)
            steps.append(_step(table, board))
        except (FullprimeError, ValueError, KeyError, _Fault) as error:
            raise _Fault(f"step {number}: {_words(error)}") from None
    leads_to = _get(data, "leads_to", str, "")
    if leads_to not in ("", "game"):
        raise _Fault(f"leads_to is 'game' or left out, not {leads_to!r}")
    return Lesson(
        name=_name(file),
        title=_text(data, "title"),
        about=_text(data, "about"),
        minutes=_get(data, "minutes", int, 3),
        steps=tuple(steps),
        leads_to=leads_to,
        file=file,
    )


def _name(file: str) -> str:
    stem = file.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".toml")
    name = re.sub(r"^\d+[-_]", "", stem)
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise _Fault("the name of the file has small letters, digits and hyphens, such as 03-the-five-point.toml")
    return name


# -- the board of a step ---------------------------------------------------------------------------------------------
def _board(table: Table, lesson: Table, before: Board | None) -> Board | None:
    """The board of a step; where the step names none, the board of the step before."""
    if not _BOARD & set(table):
        return None if table.get("do") is None and before is None else before
    variant, rules = _variant(table, lesson)
    place = _get(table, "position", str, "")
    if place:
        position = variant.starting_position if place == "start" else Position.from_text(place, variant.checkers)
    elif before is not None and before.variant == variant:
        position = before.position
    else:
        raise _Fault('a board needs a position, such as "start" or "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"')
    if position.is_over:
        raise _Fault("one side has borne off all its checkers: there is nothing to play")
    dice = _get(table, "dice", str, "")
    score: list[object] = _get(table, "score", list, [0, 0])
    points = [number for number in score if isinstance(number, int) and not isinstance(number, bool) and number >= 0]
    if len(score) != 2 or len(points) != 2:
        raise _Fault("score is the points of the learner and of the opponent, such as [2, 4]")
    owner = _get(table, "owner", str, "") or None
    if owner not in (None, "you", "opponent"):
        raise _Fault(f"owner is 'you' or 'opponent', not {owner!r}")
    marked: list[object] = _get(table, "marks", list, [])
    marks = [point for point in marked if isinstance(point, int) and 0 <= point <= 26]
    if len(marks) != len(marked):
        raise _Fault("marks are points, such as [5, 7]")
    cube = _get(table, "cube", int, 1)
    if cube < 1 or cube & (cube - 1) or (cube > 1) != (owner is not None):
        raise _Fault(f"a cube is 1, 2, 4, 8 …, and has an owner from 2 on; not {cube}, {owner or 'nobody'}")
    throw = _get(table, "throw", str, "")
    stake = _get(table, "stake", int, 1)
    if stake < 1 or stake & (stake - 1):
        raise _Fault(f"a stake is 1, 2, 4, 8 …, not {stake}")
    return Board(
        variant=variant,
        position=position,
        dice=Roll.from_text(dice) if dice else None,
        rules=rules,
        score=(points[0], points[1]),
        cube=cube,
        owner=owner,
        offered=_get(table, "offered", bool, False),
        crawford=cast("bool | None", _get(table, "crawford", bool, None)),
        marks=tuple(marks),
        choose=_get(table, "choose_double", bool, False),
        beavered=_get(table, "beavered", bool, False),
        throw=Roll.from_text(throw) if throw else None,
        stake=stake,
    )


def _variant(table: Table, lesson: Table) -> tuple[Variant, tuple[tuple[str, str], ...]]:
    variant = variant_named(_get(table, "game", str, "") or _get(lesson, "game", str, "") or "backgammon")
    usual: dict[str, object] = _get(lesson, "rules", dict, {})
    step_rules: dict[str, object] = _get(table, "rules", dict, {})
    rules = {**usual, **step_rules}
    if not all(isinstance(value, str) for value in rules.values()):
        raise _Fault('rules are written as text, such as { length = "5", jacoby = "no" }')
    options = {name: value for name, value in rules.items() if name in option_names()}
    return variant.with_options(options), tuple(sorted((str(name), str(value)) for name, value in rules.items()))


# -- a step ----------------------------------------------------------------------------------------------------------
def _step(table: Table, board: Board | None) -> LessonStep:
    _check_keys(table, _STEP | _BOARD)
    word = _get(table, "do", str, "read")
    if word not in set(Do):
        raise _Fault(f"do is one of {', '.join(Do)}, not {word!r}")
    do = Do(word)
    for name, kinds in _ONLY.items():
        if name in table and do not in kinds:
            raise _Fault(f"{name} belongs to a step that does {' or '.join(kinds)}, not {do}")
    need = _NEEDS.get(do)
    if need is not None and need not in table:
        raise _Fault(f"a step that does {do} needs {need}")
    accept = table.get("accept", [])
    if not isinstance(accept, str | list) or not all(isinstance(play, str) for play in accept):
        raise _Fault('accept is "any", "hit", or a list of plays such as ["8/5 6/5"]')
    accepted = (accept,) if isinstance(accept, str) else tuple(map(str, accept))
    choices: list[object] = _get(table, "choices", list, [])
    claimed: list[object] = _get(table, "holds", list, [])
    answers: dict[str, object] = _get(table, "answers", dict, {})
    step = LessonStep(
        do=do,
        say=_text(table, "say"),
        board=board,
        quiz=_get(table, "quiz", bool, False),
        right=_get(table, "right", str, "").strip(),
        wrong=_get(table, "wrong", str, "").strip(),
        hint=_get(table, "hint", str, "").strip(),
        accept=accepted,
        within=_get(table, "within", float, _WITHIN.get(do, 0.0)),
        answers=tuple((str(play), " ".join(str(words).split())) for play, words in answers.items()),
        line=_get(table, "line", str, ""),
        choices=tuple(map(str, choices)),
        answer=_get(table, "answer", int, 0),
        number=_get(table, "number", str, ""),
        rolls=_get(table, "rolls", str, ""),
        holds=tuple(" ".join(str(claim).split()) for claim in claimed),
    )
    _check(step)
    return step


def _check(step: LessonStep) -> None:
    if step.quiz and not step.asks:
        raise _Fault("a quiz needs a step in which the learner does something")
    if step.do in (Do.TRY, Do.PLAY):
        _check_plays(step)
    if step.do in (Do.CUBE, Do.TURN) and (step.board is None or step.board.dice is not None):
        raise _Fault(f"a {step.do} step needs a board without dice")
    actions = [word for word in step.turns if word != "roll"]
    if step.do is Do.TURN and step.line not in actions:
        subject = "you can" if step.board is not None and (step.board.choose or step.board.throw) else "the cube allows"
        raise _Fault(f"here {subject} {', '.join(actions)}, not {step.line!r}")
    if step.do is Do.CHOOSE and not (2 <= len(step.choices) <= 6 and 1 <= step.answer <= len(step.choices)):
        raise _Fault(f"a question has two to six choices, and answer is the number of the right one, not {step.answer}")
    for at, choice in enumerate(step.choices, 1):
        if choice.isdecimal() and int(choice) != at and 1 <= int(choice) <= len(step.choices):
            raise _Fault(f"choice {at} is {choice!r}, which is the number of another choice")
    if step.rolls and (step.rolls.split()[0] not in MAPS or step.board is None):
        raise _Fault(f"rolls shows one of {', '.join(sorted(MAPS))} of a board, not {step.rolls!r}")
    check_fact(step.rolls or "pips")
    for text in (step.say, step.right, step.wrong, step.hint, *step.choices, *(words for _, words in step.answers)):
        _check_text(text)
    for claim in step.holds:
        texts.split_claim(claim)
    for fact in facts_of(step):
        _check_fact(fact, step.board)


def _check_plays(step: LessonStep) -> None:
    board = step.board
    if board is None or board.dice is None:
        raise _Fault(f"a step that does {step.do} needs a board with dice")
    if step.do is Do.TRY:
        try:
            read_play(step.line, board.position, board.dice, board.variant)
        except FullprimeError:
            return
        raise _Fault(f"{step.line} is legal: a step that does try needs a play that is refused")
    for play in (*step.accept, *(play for play, _ in step.answers)):
        if play not in (ANY, HIT):
            read_play(play, board.position, board.dice, board.variant)


def _check_text(text: str) -> None:
    for term in texts.terms_in(text):
        try:
            look_up(term)
        except UnknownTerm as error:
            raise _Fault(f"[[{term}]]: {error}") from None


def _check_fact(fact: str, board: Board | None) -> None:
    """Check that a fact is known, and about a legal play of a board."""
    name, _, argument = fact.partition(" ")
    if not _ARGUMENTS.match(fact) or name not in texts.FACTS:
        raise _Fault(f"{{{fact}}}: there is no such figure; there are {', '.join(sorted(texts.FACTS))}")
    check_fact(fact)
    if name == "met" and not (len(argument.split()) == 2 and all(word.isdigit() for word in argument.split())):
        raise _Fault(f"{{{fact}}}: write the points that each still needs, such as {{met 2 4}}")
    if board is None and name != "met":
        raise _Fault(f"{{{fact}}}: a figure needs a board")
    if board is not None and "/" in argument:
        for line in argument.split(" over "):
            if line not in ("best", "second"):
                _read_play(line, board)


def _read_play(line: str, board: Board) -> None:
    if board.dice is None:
        raise NotationError(f"{line}: there are no dice to play it with")
    read_play(line, board.position, board.dice, board.variant)


def facts_of(step: LessonStep) -> dict[str, None]:
    """Every figure that a step needs, in order, once."""
    written = (step.say, step.right, step.wrong, step.hint, *step.choices, *(words for _, words in step.answers))
    facts = [fact for text in written for fact in texts.placeholders(text)]
    if step.number:
        facts.append(" ".join(step.number.strip("{}").split()))
    facts += [fact for claim in step.holds for fact in texts.list_needed_facts(claim)]
    return dict.fromkeys(facts)


# -- values of a table -----------------------------------------------------------------------------------------------
def _get(table: Table, name: str, kind: Callable[..., Known], usual: object) -> Known:
    value = table.get(name, usual)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if value is not usual and (not isinstance(value, cast("type", kind)) or (kind is int and isinstance(value, bool))):
        words = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}
        raise _Fault(f"{name} is {words.get(cast('type', kind), 'a table')}, not {value!r:.40}")
    return cast("Known", value)


def _text(table: Table, name: str) -> str:
    value = _get(table, name, str, "").strip()
    if not value:
        raise _Fault(f"{name} is missing")
    return value


def _check_keys(table: Table, allowed: set[str]) -> None:
    for name in table:
        if name not in allowed:
            raise _Fault(f"{name[:40]!r} is not known here; there are {', '.join(sorted(allowed))}")


def _words(error: Exception) -> str:
    return str(error.args[0]) if isinstance(error, KeyError) else " ".join(str(error).split())
