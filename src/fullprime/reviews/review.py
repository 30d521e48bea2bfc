"""A whole match reviewed: every decision and every roll, as facts about the engine's opinion, keyed to the record.

>>> from fullprime.engine.engine import Engine
>>> from fullprime.rules.record import Match
>>> review(Match.new(3).opening(3, 1), Engine.open(level="0-ply"), "fast").rolls[0].dice
Roll(3, 1)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from typing import ClassVar, Literal

from fullprime.common.json_values import JsonFields, json_names
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import EquityError
from fullprime.engine.engine import Engine
from fullprime.engine.nets.net import manifest
from fullprime.engine.search.budget import Stopped
from fullprime.reviews import cubes, plays, resignations
from fullprime.reviews.decision import Decision, ReviewError, Verdict
from fullprime.reviews.judge import Judge
from fullprime.reviews.levels import ReviewLevel, review_level
from fullprime.reviews.luck import RollLuck, Thrown, luck_of
from fullprime.reviews.reviewed_decision import ReviewedDecision
from fullprime.rules import late_binding
from fullprime.rules.dice import Roll
from fullprime.rules.errors import PositionError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.printing import Record, html_table
from fullprime.rules.record import Entry, Event, GameRecord, Match, Setup
from fullprime.rules.taking import short_value, whole_number

JUDGED = 6
"""Goes up when more is judged than before, or deeper: stored reviews are then judged anew."""

Progress = Callable[[int, int], None]
"""Called with the games that are done and those there are."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An event that was not judged; it counts nowhere."""

    game: int
    """The number of the game in the match."""
    event: int
    """The number of the event in the game."""
    why: str
    """The reason."""


@dataclass(frozen=True, slots=True)
class Review:
    """A review: the engine's judgement of a match. Games and events count from 0 and name the event of the record.

    Only facts: ``reviews.rating`` adds them up. In JSON it is kept beside a match and given to scripts; a review of
    another ``format`` is not read.
    """

    __json__: ClassVar[JsonFields] = json_names(
        "format", "level", "program", "variant", "length", "games", "complete", "decisions", "rolls", "left_out"
    )

    level: str
    """The depth of the review: ``fast``, ``standard`` or ``deep``."""
    program: str
    """The engine and its nets."""
    variant: str
    """The game."""
    length: int
    """Points of the match; 0 for money."""
    games: int
    """The number of games that have been reviewed, from the first."""
    complete: bool
    """True if they are all."""
    decisions: tuple[Decision, ...] = ()
    """In the order of the record. Forced plays are left out, as are rolls before which no player would double."""
    rolls: tuple[RollLuck, ...] = ()
    """The luck of each roll, in the order of the record."""
    left_out: tuple[LeftOut, ...] = ()
    """The events that were not judged."""
    match: Match | None = field(default=None, compare=False, repr=False)
    """The match that was judged, where it is at hand: facts and opinions are kept apart."""
    name: str = field(default="", compare=False)
    """The file or match it is from."""
    format: Literal[1] = field(default=1, repr=False)
    """Version of this form in JSON."""

    @property
    def reviewed_decisions(self) -> tuple[ReviewedDecision, ...]:
        """Every decision with the game before it, in the order of the record; raises ReviewError without the match."""
        if self.match is None:
            raise ReviewError("this review has lost its match: its decisions cannot be shown on a board")
        entries = {
            (number, event): entry
            for number, game in enumerate(self.match.games[: self.games])
            for event, entry in enumerate(game.entries())
        }
        names = self.match.names
        return tuple(
            ReviewedDecision(decision, entry.before, names[decision.player], entry.move, self.name)
            for decision in self.decisions
            for entry in (entries[decision.game, decision.event],)
        )

    @property
    def blunders(self) -> tuple[ReviewedDecision, ...]:
        """The decisions that were blunders, the most costly first."""
        return self._select(Verdict.BLUNDER)

    @property
    def errors(self) -> tuple[ReviewedDecision, ...]:
        """The decisions that were errors or blunders, the most costly first."""
        return self._select(Verdict.ERROR, Verdict.BLUNDER)

    def _select(self, *verdicts: Verdict) -> tuple[ReviewedDecision, ...]:
        decisions = [decision for decision in self.reviewed_decisions if decision.verdict() in verdicts]
        return tuple(sorted(decisions, key=lambda decision: -decision.loss))

    def records(self) -> list[Record]:
        """One row for each decision, in the form that pandas and polars take as it is."""
        return [decision.record() for decision in self.reviewed_decisions]

    def __str__(self) -> str:
        """Each player's rating, and the decisions that cost most."""
        return late_binding.summary(self)

    def _repr_html_(self) -> str:
        """The errors in a notebook."""
        shown = ("game", "event", "name", "dice", "played", "best", "loss", "verdict")
        rows = [{name: row[name] for name in shown} for row in (decision.record() for decision in self.errors)]
        return f"<pre>{escape(str(self))}</pre>{html_table(rows, 'Errors and blunders')}"

    def of(self, game: int, event: int) -> Decision | None:
        """The decision at an event of the record, both counted from 0; None where nothing was decided."""
        for name, number in (("game", game), ("event", event)):
            if whole_number(number) is None:
                raise ReviewError(f"{name}: {short_value(number)} is not a whole number")
        return next((decision for decision in self.decisions if (decision.game, decision.event) == (game, event)), None)


def program_of(engine: Engine) -> str:
    """The engine and its nets in a line."""
    nets = ", ".join(sorted(net.name for net in engine.searcher.evaluator.nets.values()))
    return f"Fullprime, {nets}"


def current_program(variant: str) -> str:
    """What :func:`program_of` says of the package's own nets for a game; empty for a game without nets."""
    names = sorted(manifest().get(variant, {}).values())
    return f"Fullprime, {', '.join(names)}" if names else ""


def is_dated(review: Review) -> bool:
    """True if the nets that judged are no longer those of the package: it may be judged again, and otherwise."""
    return review.program != current_program(review.variant)


def review(
    match: Match,
    engine: Engine,
    level: str | ReviewLevel = "standard",
    *,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
    so_far: Review | None = None,
    ahead: JudgedMatch | None = None,
    done: Callable[[Review], None] | None = None,
) -> Review:
    """Judge every decision and roll of a match, game by game.

    A review that is stopped comes back with the games that were done and ``complete`` off; given again as ``so_far``
    it is continued. What was judged ``ahead``, at the same level by the same nets, is not judged again. ``done`` is
    called with the review after each game, so that it can be kept. Threads are those of the engine. Raises ReviewError
    for a match of another game than the engine's, RulesError for a record that cannot have happened.
    """
    depth = review_level(level)
    variant = match.settings.variant
    if engine.variant != variant:
        raise ReviewError(f"the engine plays {engine.variant.title}, the match is {variant.title}")
    partial = Review(
        depth.name, program_of(engine), variant.name, match.settings.length, 0, complete=False, match=match
    )
    if so_far is not None:
        same = replace(so_far, games=0, complete=False, decisions=(), rolls=(), left_out=()) == partial
        if not same or so_far.games > len(match.games):
            raise ReviewError(f"the review to go on with is of {so_far.program} at {so_far.level}: not this one")
        partial = so_far
    judge = Judge(engine, stop)
    earlier = ahead.games if ahead is not None and ahead.fits(partial) else ()
    for number in range(partial.games, len(match.games)):
        if progress is not None:
            progress(number, len(match.games))
        try:
            earlier_game = earlier[number] if number < len(earlier) else None
            judged = _game(judge, depth, number, match.games[number], earlier_game)
        except Stopped:
            return partial
        partial = replace(
            partial,
            games=number + 1,
            decisions=(*partial.decisions, *judged.decisions),
            rolls=(*partial.rolls, *judged.rolls),
            left_out=(*partial.left_out, *judged.left_out),
        )
        if done is not None:
            done(partial)
    if progress is not None:
        progress(len(match.games), len(match.games))
    return replace(partial, complete=True)


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """The judgement of the first events of a game, which may still be played."""

    start: Game
    events: tuple[Event, ...] = ()
    decisions: tuple[Decision, ...] = ()
    rolls: tuple[RollLuck, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    def within(self, record: GameRecord) -> JudgedGame:
        """The part of it that holds for a game: what was taken back, or played otherwise, is left away."""
        same = 0
        if self.start == record.start:
            for mine, theirs in zip(self.events, record.events, strict=False):
                if mine != theirs:
                    break
                same += 1
        if same == len(self.events):
            return self
        return JudgedGame(
            self.start,
            self.events[:same],
            tuple(decision for decision in self.decisions if decision.event < same),
            tuple(roll for roll in self.rolls if roll.event < same),
            tuple(omission for omission in self.left_out if omission.event < same),
        )


@dataclass(frozen=True, slots=True)
class JudgedMatch:
    """Judgements of a match while it is played, for the review of its end. They are opinions: no player may see them
    before.
    """

    level: str
    program: str
    variant: str
    games: tuple[JudgedGame, ...] = ()

    def fits(self, review: Review) -> bool:
        """True if it was judged as that review is."""
        return (self.level, self.program, self.variant) == (review.level, review.program, review.variant)


def judge_ahead(
    match: Match, engine: Engine, level: str, before: JudgedMatch | None, stop: Callable[[], bool], most: int = 1000
) -> JudgedMatch:
    """Judge what has been played of a match since ``before``, up to ``most`` events in each of its games.

    Raises Stopped when ``stop`` says so, with nothing gained.
    """
    depth, judge = review_level(level), Judge(engine, stop)
    empty = JudgedMatch(depth.name, program_of(engine), match.settings.variant.name)
    earlier = before.games if before is not None and replace(before, games=()) == empty else ()
    games = []
    for number, record in enumerate(match.games):
        earlier_game = earlier[number] if number < len(earlier) else JudgedGame(record.start)
        upto = len(earlier_game.within(record).events) + most
        games.append(_game(judge, depth, number, replace(record, events=record.events[:upto]), earlier_game))
    return replace(empty, games=tuple(games))


class _Questions:
    """The questions about one game, from the event of the number ``first`` on."""

    def __init__(self, judge: Judge, level: ReviewLevel, number: int, first: int) -> None:
        self.judge, self.level = judge, level
        self.number, self.first = number, first
        self.plays: list[plays.PlayQuestion] = []
        self.cubes: list[cubes.CubeQuestion] = []
        self.resignations: list[resignations.ResignQuestion] = []
        self.throws: list[Thrown] = []
        self.decisions: list[Decision] = []
        self.left_out: list[LeftOut] = []
        self.rolls = 0
        self.doubled_in: Game | None = None
        self.resigned_in: tuple[Game, int] | None = None

    def ask(self, event: int, entry: Entry) -> None:
        """Note the questions of one event."""
        before, action = entry.before, entry.event
        if isinstance(action, Setup):
            self.doubled_in = None
            if (action.note or entry.player is None) and event >= self.first:
                self.left_out.append(LeftOut(self.number, event, action.note or "the board was set up"))
            return
        try:
            self._judge_action(event, before, action, entry.after)
        except (EquityError, PositionError) as error:
            if event >= self.first:
                self.left_out.append(LeftOut(self.number, event, str(error)))

    def _judge_action(self, event: int, before: Game, action: Action, after: Game) -> None:
        kinds = ActionKind
        match action.kind:
            case kinds.OPENING:
                if after.phase is not Phase.OPENING_ROLL:
                    self._note_throw(event, before, action, after)
                    self.rolls += after.phase is Phase.PLAY
            case kinds.ROLL:
                if before.phase is Phase.CUBE_DECISION:
                    self._cube(event, before, action.kind)
                self._note_throw(event, before, action, after)
                self.rolls += 1
            case kinds.DOUBLE:
                self.doubled_in = before
                self._cube(event, before, action.kind)
            case kinds.TAKE | kinds.DROP | kinds.BEAVER | kinds.RACCOON:
                if before.phase is Phase.DOUBLE_OFFERED and self.doubled_in is None:
                    self.doubled_in = before
                if self.doubled_in is not None:
                    self._cube(event, before, action.kind)
            case kinds.RESIGN:
                assert action.number is not None
                self.resigned_in = before, action.number
                self._resignation(event, action.kind)
            case kinds.ACCEPT | kinds.REFUSE:
                self._resignation(event, action.kind)
            case kinds.PLAY:
                if event >= self.first:
                    self._play(event, before, action, after)
            case kinds.CHOOSE if event >= self.first:
                assert action.number is not None
                self.decisions.append(
                    plays.judge_choice(self.judge, self.level, self.number, event, before, action.number, self.rolls)
                )

    def _note_throw(self, event: int, before: Game, action: Action, after: Game) -> None:
        if event >= self.first:
            assert action.dice is not None
            self.throws.append(Thrown(event, before, after, Roll(*action.dice)))

    def _cube(self, event: int, before: Game, action: ActionKind) -> None:
        if self.judge.per_checker or event < self.first:
            return
        where = before if action in (ActionKind.ROLL, ActionKind.DOUBLE) else self.doubled_in or before
        self.cubes.append(cubes.open_question(self.number, event, before, action, self.rolls, where))

    def _resignation(self, event: int, action: ActionKind) -> None:
        if self.resigned_in is None or self.judge.per_checker or self.resigned_in[0].follow_ups:
            return
        offered, level = self.resigned_in
        context_of(offered)
        if event < self.first:
            return
        question = resignations.ResignQuestion(self.number, event, action, offered, level, self.rolls)
        self.resignations.append(question)

    def _play(self, event: int, before: Game, action: Action, after: Game) -> None:
        position = after.position if after.on_roll is before.on_roll else after.position.swapped
        question = plays.open_question(self.judge, self.number, event, before, action.moves, position, self.rolls)
        if question is None:
            return
        self.plays.append(question)


def _game(
    judge: Judge, level: ReviewLevel, number: int, record: GameRecord, earlier: JudgedGame | None = None
) -> JudgedGame:
    prefix = JudgedGame(record.start) if earlier is None else earlier.within(record)
    if earlier is not None and prefix.events == record.events:
        return prefix
    questions = _Questions(judge, level, number, len(prefix.events))
    for event, entry in enumerate(record.entries()):
        questions.ask(event, entry)
    decisions = [
        *prefix.decisions,
        *questions.decisions,
        *plays.judge_plays(judge, level, questions.plays),
        *cubes.judge_cubes(judge, level, questions.cubes),
        *resignations.judge_resignations(judge, level, questions.resignations),
    ]
    return JudgedGame(
        record.start,
        record.events,
        tuple(sorted(decisions, key=lambda decision: decision.event)),
        (*prefix.rolls, *luck_of(judge, number, questions.throws)),
        (*prefix.left_out, *questions.left_out),
    )
