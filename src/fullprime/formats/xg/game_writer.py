"""One game as records of eXtreme Gammon: its head, a record for each decision, its end."""

from __future__ import annotations

import re
from dataclasses import replace

from fullprime.formats.analysis import CandidatePlay, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.document import FormatError
from fullprime.formats.recording.units import to_points
from fullprime.formats.xg.analysis import ROLLED_OUT, i32, level_number
from fullprime.formats.xg.records import (
    CANDIDATES,
    DOUBLED,
    INVALID,
    NOT_ASKED,
    OPEN,
    STAYED,
    XgRecord,
    add_candidates,
    board_counts,
    cube_record,
    move_record,
    number,
    numbers,
    rollout_record,
)
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.plays import make_moves
from fullprime.rules.position import Position
from fullprime.rules.record import GameRecord, Setup
from fullprime.rules.score import Player, Result

_ANSWERS = {ActionKind.DROP: 0, ActionKind.TAKE: 1, ActionKind.BEAVER: 2, ActionKind.RACCOON: 2}
_SLOTS = {Phase.DOUBLE_OFFERED: 20, Phase.BEAVER_OFFERED: 24, Phase.RACCOON_OFFERED: 28}
_PLIES = re.compile(r"(\d{1,2})-ply(?: cubeful)?")


class SharedParts:
    """Everything of a file that games add to: comments, rollouts, losses; and the analyses that are written."""

    def __init__(self, losses: list[str], review: FileAnalysis | None) -> None:
        self.losses = losses
        self.comments: list[str] = []
        self.rollouts: list[bytes] = []
        self.events = review.events if review is not None else {}
        self.counts_from_0 = review is not None and not review.program.startswith("eXtreme Gammon")
        """Other programs call a static evaluation 0-ply, eXtreme Gammon 1-ply."""
        if review is not None and review.figures:
            losses.append("statistics of the analysis are not written")

    def comment(self, words: str) -> int:
        """Add a comment; gives its number, or -1 for an empty one."""
        words = words.strip("\x00 \n\t")
        if not words:
            return -1
        self.comments.append(words)
        return len(self.comments) - 1

    def level(self, words: str) -> int:
        """The number of a level of analysis, by its words."""
        if self.counts_from_0 and (plies := _PLIES.fullmatch(words)):
            words = f"{int(plies[1]) + 1}-ply"
        number = level_number(words)
        if number is None:
            self.losses.append("levels of analysis that eXtreme Gammon does not have are written as 1-ply")
            return 0
        return number

    def add_rollout(
        self, words: str, deviation: float | None, first: tuple[float, ...], second: tuple[float, ...]
    ) -> int:
        """Add the rollout behind an analysis; gives its number, or -1 for none."""
        if level_number(words) != ROLLED_OUT:
            return -1
        self.rollouts.append(rollout_record(words, deviation, first, second))
        return len(self.rollouts) - 1


class GameWriter:
    """Writes the records of one game."""

    def __init__(self, index: int, record: GameRecord, shared: SharedParts) -> None:
        self.index = index
        self.record = record
        self.shared = shared
        self.done: list[XgRecord] = []
        self.double: XgRecord | None = None
        """A double that waits for its answer."""
        self.rolled: tuple[Game, EventAnalysis] | None = None
        """A roll that waits for its play, with the facts about the roll."""
        self.remark = ""
        """A comment that waits for the record of its event."""

    def records(self) -> list[bytes]:
        """All records; raises FormatError when the game cannot be followed."""
        start = self.record.start
        final = start
        self._open_start(start)
        try:
            for event, entry in enumerate(self.record.entries()):
                self._event(event, entry.before, entry.event, entry.after)
                final = entry.after
                self._comment(event)
        except RulesError as error:
            raise FormatError(f"game {self.index + 1}: {error}") from error
        result = self.record.stated or final.result
        self._last(final, result)
        records = [self._head(start, result is None), *self.done]
        if result is not None:
            records.append(self._foot(result))
        if self.remark:
            self.shared.losses.append("a comment is not written")
        return [record.bytes() for record in records]

    def _head(self, start: Game, in_progress: bool) -> XgRecord:
        head = XgRecord(1)
        points = start.score.points
        head.ints(12, points[Player.O], points[Player.X])
        head.data[20] = start.score.crawford_game
        head.board(21, board_counts(start.position, start.on_roll, Player.O))
        head.ints(48, self.index + 1, int(in_progress), self.shared.comment(self.record.comments.get(-1, "")), -1)
        head.ints(64, start.multiplier.bit_length() - 1)
        if start.ties:
            self.shared.losses.append("ties of the opening roll are not written")
        return head

    def _foot(self, result: Result) -> XgRecord:
        foot = XgRecord(4)
        after = self.record.start.score.after(result, self.record.start.settings)
        level = result.level if result.level is not None and result.level < 4 else None
        kind = {"drop": 0, "bear-off": level or 1, "resignation": 100 + (level or 4)}.get(result.how)
        if kind is None:
            kind = 1000 + (level or 0)
            if result.how != "settlement":
                self.shared.losses.append(f"a game that ended by {result.how} is written as settled")
        points = after.points
        foot.ints(
            12, points[Player.O], points[Player.X], int(after.crawford_game), number(result.winner), result.points, kind
        )
        foot.doubles(40, -1000.0, -1000.0)
        return foot

    # -- events ---------------------------------------------------------------------------------------------
    def _open_start(self, start: Game) -> None:
        """A game that begins with a roll to play or a double to answer."""
        if start.phase is Phase.PLAY:
            self._cube(start, NOT_ASKED, EventAnalysis())
            self.rolled = start, EventAnalysis()
        elif start.phase is Phase.DOUBLE_OFFERED:
            self._cube(start, DOUBLED, self._facts(0))

    def _facts(self, event: int) -> EventAnalysis:
        return self.shared.events.get((self.index, event), EventAnalysis())

    def _event(self, event: int, before: Game, action: Action | Setup, after: Game) -> None:
        facts = self._facts(event)
        if isinstance(action, Setup):
            self._set_up(before, action)
            return
        match action.kind:
            case ActionKind.OPENING | ActionKind.ROLL:
                if after.phase is Phase.OPENING_ROLL:
                    self.shared.losses.append("ties of the opening roll are not written")
                    return
                self._rolls(before, after, facts)
            case ActionKind.PLAY:
                self._plays(before, action, facts)
            case ActionKind.DOUBLE:
                self._cube(before, DOUBLED, facts)
            case ActionKind.TAKE | ActionKind.DROP | ActionKind.BEAVER | ActionKind.RACCOON:
                self._answers(before, action.kind, facts)
            case ActionKind.RESIGN if self.rolled is not None:
                self._flush(facts.play)
            case ActionKind.RESIGN if facts.cube is not None and self.double is None:
                self._cube(before, STAYED, facts)
            case ActionKind.REFUSE:
                self.shared.losses.append("a refused resignation is not written")
            case _:
                pass

    def _rolls(self, before: Game, after: Game, facts: EventAnalysis) -> None:
        if self.double is not None:
            self._close_double(f"{after.dice}")
            if facts.cube is not None:
                self.shared.losses.append("an analysis of the cube after a double is not written")
        elif before.phase is Phase.CUBE_DECISION or facts.cube is not None:
            self._cube(before if before.turn is not None else after, STAYED, facts)
        else:
            self._cube(after, NOT_ASKED, EventAnalysis())
        self.done[-1].short(208, f"{after.dice}", 2)
        self.rolled = after, facts

    def _cube(self, game: Game, state: int, facts: EventAnalysis) -> None:
        analysis = self._points(facts.cube, game)
        rollout = -1
        if analysis is not None:
            level = self.shared.level(analysis.level)
            first = numbers(analysis.chances, analysis.no_double)
            second = numbers(analysis.double_chances or analysis.chances, analysis.double_take)
            rollout = self.shared.add_rollout(analysis.level, analysis.deviation, first, second)
            analysis = replace(analysis, level=f"level {level}")
        record = cube_record(game, state, analysis, rollout)
        if facts.error is not None and state in (STAYED, DOUBLED):
            record.doubles(200, abs(facts.error))
        self.done.append(record)
        self.double = record if state == DOUBLED else None

    def _answers(self, before: Game, kind: ActionKind, facts: EventAnalysis) -> None:
        if self.double is None:
            self.shared.losses.append("the answer to a double that is not written is left out")
            return
        self.double.ints(_SLOTS[before.phase], _ANSWERS[kind])
        if before.phase is Phase.DOUBLE_OFFERED and facts.error is not None:
            self.double.doubles(216, -abs(facts.error))
        if kind is ActionKind.DROP:
            self._close_double("77")

    def _close_double(self, dice: str) -> None:
        if self.double is not None:
            self.double.short(208, dice, 2)
        self.double = None

    def _plays(self, before: Game, action: Action, facts: EventAnalysis) -> None:
        variant = before.settings.variant
        play = make_moves(before.position, [(move.source, move.die) for move in action.moves], variant)
        assert play is not None, "a play of a replayed game can be made"
        record = move_record(before, play.after, action.moves)
        self._finish_move(record, before, facts.play)
        if facts.error is not None:
            record.doubles(2312, -abs(facts.error))  # What is lost is below zero, but for a decision to double.

    def _finish_move(self, record: XgRecord, game: Game, play: PlayAnalysis | None) -> None:
        rolled, self.rolled = self.rolled, None
        if rolled is not None and rolled[1].luck is not None:
            record.doubles(2320, rolled[1].luck)
        if play is not None:
            add_candidates(record, game, self._candidates(play, game))
        self.done.append(record)
        self._attach()

    def _candidates(self, play: PlayAnalysis, game: Game) -> list[tuple[CandidatePlay, int, int, Position]]:
        candidates = []
        for candidate in play.candidates:
            moves = [(move.source, move.die) for move in candidate.moves or ()]
            played = make_moves(game.position, moves, game.settings.variant) if candidate.moves is not None else None
            if played is None or candidate.equity is None or candidate.chances is None:
                self.shared.losses.append("candidates without a play, an equity or chances are not written")
                continue
            equity = to_points(candidate.equity, game) if play.unit == "mwc" else candidate.equity
            if equity is None:
                continue
            level = self.shared.level(candidate.level)
            values = numbers(candidate.chances, equity)
            rollout = self.shared.add_rollout(candidate.level, candidate.deviation, values, (0.0,) * 7)
            candidates.append((replace(candidate, equity=equity), level, rollout, played.after))
        if len(candidates) > CANDIDATES:
            self.shared.losses.append(f"only {CANDIDATES} candidates of a play are written")
        return candidates[:CANDIDATES]

    def _points(self, cube: CubeAnalysis | None, game: Game) -> CubeAnalysis | None:
        """The analysis in points; None when it says too little."""
        if cube is None:
            return None
        if cube.no_double is None or cube.chances is None:
            self.shared.losses.append("analyses of the cube without chances or equities are not written")
            return None
        if cube.unit != "mwc" or not game.settings.is_match:
            return cube
        stay, take, drop = (
            None if value is None else to_points(value, game)
            for value in (cube.no_double, cube.double_take, cube.double_pass)
        )
        return (
            None if stay is None else replace(cube, no_double=stay, double_take=take, double_pass=drop, unit="points")
        )

    def _set_up(self, before: Game, setup: Setup) -> None:
        """An illegal play is its board; any other board shows in the record that follows it."""
        after = setup.game
        if self.rolled is not None and after.on_roll is before.on_roll.other and before.phase is Phase.PLAY:
            record = move_record(before, after.position.swapped)
            record.ints(2480, INVALID)
            self._finish_move(record, before, None)
        else:
            self._flush()
            self.shared.losses.append("a board set up in a game is written as a board, without its reason")
        if after.phase is Phase.PLAY:
            self._open_start(after)

    # -- ends -----------------------------------------------------------------------------------------------
    def _flush(self, play: PlayAnalysis | None = None) -> None:
        """A roll that was not played: the player resigned, or the game goes no further."""
        if self.rolled is not None:
            game = self.rolled[0]
            self._finish_move(move_record(game, None), game, play)

    def _last(self, final: Game, result: Result | None) -> None:
        """The decision that the record leaves open, with its analysis."""
        facts = self._facts(len(self.record.events))
        if self.rolled is not None:
            self._flush(facts.play)
        elif result is None and final.phase is Phase.CUBE_DECISION and self.double is None:
            self._cube(final, OPEN, facts)
        elif result is None and final.phase is Phase.ROLL:
            self._cube(final, NOT_ASKED, EventAnalysis())
        self._attach()

    def _comment(self, event: int) -> None:
        if words := self.record.comments.get(event):
            self.remark = f"{self.remark}\n{words}" if self.remark else words
            if self.rolled is None and self.done:
                self._attach()

    def _attach(self) -> None:
        """The comment that waits, put into the last record."""
        if not self.remark or not self.done:
            return
        record = self.done[-1]
        at = 2524 if record.data[8] == 3 else 292
        before = i32(bytes(record.data), at)
        if before < 0:
            record.ints(at, self.shared.comment(self.remark))
        else:  # A double and its answer share one record.
            self.shared.comments[before] += f"\n{self.remark}"
        self.remark = ""
