"""Matches of both versions of OGXM, followed by the rules: steps of games, decisions that were judged.

White is our O, Black our X. Points are numbered as Black sees them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType

from fullprime.formats.analysis import CandidatePlay, Chances, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.recording import walk
from fullprime.formats.recording.boards import Rows, game_at
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.recording.units import difference_in_points
from fullprime.rules.cube import Cube
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.game import Game, Phase
from fullprime.rules.position import BAR, OFF, SLOTS
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.words import format_dice

WHITE, BLACK = Player.O, Player.X
SEATS = (WHITE, BLACK)
DICE = sorted((roll.low, roll.high) for roll in ALL_ROLLS)
"""The roll, low die first, of an action from 0 to 20."""
DOUBLE, TAKE, DROP, BEAVER, RACCOON = 21, 22, 23, 32, 33
RESIGN, SET_POSITION, SETTLE, CUBE_SET, ESCAPE = (27, 28), 31, 34, 36, 63
_MARKERS = (24, 25, 26, 29, 30, 37)
MATCH_SCOPE, GAME_SCOPE, PLY_SCOPE = 0, 1, 2
_Events = dict[tuple[int, int], EventAnalysis]


@dataclass(slots=True)
class Ply:
    """One step of a game: an action and its seat, the play, and further fields."""

    action: int
    player: Player
    hops: tuple[walk.Hop, ...] = ()
    dice: tuple[int, int] | None = None
    value: int | None = None
    board: tuple[int, ...] | None = None
    owner: int | None = None


@dataclass(slots=True)
class Steps:
    """One game: its beginning, its steps, its end."""

    winner: int | None = None
    points: int | None = None
    board: tuple[int, ...] | None = None
    cube: int = 1
    owner: int = 0
    automatic: int = 0
    plies: list[Ply] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Alternative:
    """A play that the program looked at; its steps are as the file has them."""

    steps: bytes
    equity: float
    chances: Chances | None = None
    level: str = ""
    deviation: float | None = None


@dataclass(slots=True)
class StepAnalysis:
    """The file's analysis of one step."""

    alternatives: tuple[Alternative, ...] = ()
    played: int | None = None
    cube: CubeAnalysis | None = None
    luck: float | None = None
    error: float | None = None


@dataclass(slots=True)
class OgxmContents:
    """The contents of a file."""

    settings: Settings | None = None
    names: tuple[str, str] = ("", "")
    """X's and O's."""
    info: dict[str, str] = field(default_factory=dict)
    start: tuple[int, int] = (0, 0)
    after_crawford: bool = False
    """The Crawford game was played before the first game of the file."""
    games: list[Steps] = field(default_factory=list)
    judged: dict[int, StepAnalysis] = field(default_factory=dict)
    """By the number of the step in the match, from 0."""
    unit: str = "points"
    """The unit of the equities of plays and of luck."""
    cube_unit: str = "points"
    program: str = ""
    level: str = ""
    """The method of evaluation of the block, for decisions that do not name one."""
    remarks: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    """By scope and the number of the game or step, from 0; of the whole match, by the scope and 0."""

    def remark(self, scope: int, number: int, words: str) -> None:
        """Keep a remark about the match, a game or a step."""
        self.remarks.setdefault((scope, 0 if scope == MATCH_SCOPE else number), []).append(words)

    def remarks_about(self, scope: int, number: int = 0) -> list[str]:
        """The remarks about the match, a game or a step, in the order of the file."""
        return self.remarks.get((scope, number), [])


def hop(step: int, player: Player) -> walk.Hop:
    """A checker move: its start in Black's numbering in five bits, its pips in three."""
    start, pips = step & 0x1F, step >> 5
    source = start if player is BLACK else 25 - start
    return source, max(OFF, source - pips)


def hops_of(action: int, steps: bytes, player: Player) -> tuple[walk.Hop, ...]:
    """The checker moves of a roll; a zero ends them."""
    low, high = DICE[action]
    used = steps[: 4 if low == high else 2]
    return tuple(hop(step, player) for step in used.partition(b"\0")[0])


def _owner(code: int) -> Player | None:
    return {1: WHITE, 2: BLACK}.get(code)


def _rows(board: tuple[int, ...], checkers: int) -> Rows:
    """X's and O's rows: points in Black's numbering, White's counts positive; 0 is White's bar, 25 Black's."""
    white, black = [0] * SLOTS, [0] * SLOTS
    if len(board) != 26:
        raise FormatError("a board has 26 counts")
    for point in range(1, 25):
        if board[point] > 0:
            white[25 - point] = board[point]
        else:
            black[point] = -board[point]
    white[BAR], black[BAR] = abs(board[0]), abs(board[25])
    for row in (white, black):
        if sum(row) > checkers:
            raise FormatError(f"a side has {sum(row)} checkers; the game has {checkers}")
        row[0] = checkers - sum(row)
    return black, white


def follow(contents: OgxmContents, problems: list[Problem], name: str) -> Document:
    """The document: the games followed step by step; raises FormatError for a file without settings."""
    if contents.settings is None:
        raise FormatError(f"{name or 'the file'} holds no match")
    return _Follower(contents, Recorder(contents.settings, problems)).document(problems, name)


class _Follower:
    """Follows the games of one match."""

    def __init__(self, contents: OgxmContents, recorder: Recorder) -> None:
        self.contents = contents
        self.recorder = recorder
        self.events: _Events = {}

    def document(self, problems: list[Problem], name: str) -> Document:
        """The document."""
        contents, recorder = self.contents, self.recorder
        number = 0
        for game in contents.games:
            self._begin(game)
            for index, ply in enumerate(game.plies):
                if recorder.in_game:
                    following = game.plies[index + 1] if index + 1 < len(game.plies) else None
                    self._step(ply, following, contents.judged.get(number, StepAnalysis()))
                for words in contents.remarks_about(PLY_SCOPE, number):
                    if recorder.in_game:
                        recorder.comment(words)
                number += 1
            self._end(game)
        recorder.close()
        if words := "\n".join(filter(None, [contents.info.get("Comment"), *contents.remarks_about(MATCH_SCOPE)])):
            contents.info["Comment"] = words
        match = Match(recorder.settings, contents.names, tuple(recorder.games), MappingProxyType(contents.info))
        review = FileAnalysis(contents.program, MappingProxyType(self.events)) if self.events else None
        return Document(match, review, tuple(problems), source=name)

    def _begin(self, game: Steps) -> None:
        recorder = self.recorder
        points = self.contents.start if not recorder.games else recorder.points
        multiplier = 2**game.automatic if 0 < game.automatic < 20 and not recorder.settings.is_match else 1
        crawford = False if self.contents.after_crawford and not recorder.games else None
        recorder.begin(points, crawford=crawford, multiplier=multiplier)
        remarks = self.contents.remarks_about(GAME_SCOPE, len(recorder.games))
        if game.board is not None:
            first = next((ply.player for ply in game.plies if ply.action not in _MARKERS), WHITE)
            self._set_board(game.board, first, Cube(max(1, game.cube), _owner(game.owner)))
        recorder.comment("\n".join(remarks))

    def _set_board(self, board: tuple[int, ...], mover: Player, cube: Cube) -> None:
        recorder = self.recorder
        try:
            rows = _rows(board, recorder.settings.variant.checkers)
            game = game_at(recorder.settings, recorder.score, rows, mover, cube=cube)
        except FormatError as error:
            recorder.report(f"a board cannot be set: {error}")
            return
        if recorder.last < 0:
            recorder.begin_at(game)
        else:
            recorder.set_up(game, "")

    def _end(self, game: Steps) -> None:
        if self.recorder.in_game and game.winner in (0, 1) and game.points:
            self.recorder.finish(SEATS[game.winner], game.points)
        else:
            self.recorder.close()

    def _step(self, ply: Ply, following: Ply | None, analysis: StepAnalysis) -> None:
        """One step of a game, and its analysis."""
        recorder = self.recorder
        player, action = ply.player, ply.action
        cube = EventAnalysis(cube=self._cube(analysis), error=analysis.error)
        if action <= 20:
            self._record_roll(ply, following, analysis)
        elif action == SET_POSITION and ply.dice is not None:
            self._illegal(ply)
        elif action == DOUBLE:
            if recorder.double(player):
                self._note(cube)
        elif action in (TAKE, DROP):
            (recorder.take if action == TAKE else recorder.drop)(player)
            self._note(cube)
        elif action in (BEAVER, RACCOON):
            recorder.beaver(player)
        elif action == SET_POSITION and ply.board is not None:
            self._set_board(ply.board, player, recorder.cube)
        elif action == CUBE_SET and ply.value and not ply.value & (ply.value - 1):
            self._set_cube(Cube(ply.value, _owner(ply.owner or 0)))
        elif action not in (*RESIGN, *_MARKERS, SETTLE):
            recorder.report(f"an action of kind {action} is passed over")

    def _record_roll(self, ply: Ply, following: Ply | None, analysis: StepAnalysis) -> None:
        recorder = self.recorder
        player, (low, high) = ply.player, DICE[ply.action]
        if not recorder.roll(player, high, low):
            return
        self._note(EventAnalysis(cube=self._cube(analysis), luck=self._luck(analysis)))
        if not ply.hops and following is not None and following.action in RESIGN:
            return
        before = recorder.game
        recorder.play(player, " ".join(f"{a}/{b}" for a, b in ply.hops), None, ply.hops)
        plays = self._plays(analysis, player, before)
        self._note(EventAnalysis(play=plays, error=analysis.error if plays is not None else None))

    def _illegal(self, ply: Ply) -> None:
        """A set position with dice restates a play that is not legal; its seat is the side on roll after it."""
        recorder = self.recorder
        low, high = sorted(ply.dice or (0, 0))
        if not 1 <= low <= high <= 6 or not recorder.roll(ply.player.other, high, low):
            return
        try:
            rows = _rows(ply.board or (), recorder.settings.variant.checkers)
        except FormatError as error:
            recorder.report(f"a board cannot be set: {error}")
            return
        recorder.set_rows(rows, f"{format_dice((high, low))}: a play that is not legal")

    def _set_cube(self, cube: Cube) -> None:
        recorder = self.recorder
        if recorder.phase in (Phase.CUBE_DECISION, Phase.ROLL):
            game = game_at(recorder.settings, recorder.score, recorder.rows, recorder.on_roll, cube=cube)
            recorder.set_up(game, "the cube is set")

    def _luck(self, analysis: StepAnalysis) -> float | None:
        if analysis.luck is None or self.contents.unit == "points":
            return analysis.luck
        return difference_in_points(analysis.luck, self.recorder.game)

    def _cube(self, analysis: StepAnalysis) -> CubeAnalysis | None:
        if analysis.cube is None:
            return None
        return replace(analysis.cube, unit=self.contents.cube_unit, level=analysis.cube.level or self.contents.level)

    def _plays(self, analysis: StepAnalysis, player: Player, before: Game) -> PlayAnalysis | None:
        """The candidates of a decision of this game."""
        candidates = []
        for alternative in analysis.alternatives:
            hops = tuple(hop(step, player) for step in alternative.steps)
            play = walk.find_play(before, hops)
            moves = play.moves if play is not None else None
            text = " ".join(map(str, moves)) if moves is not None else " ".join(f"{a}/{b}" for a, b in hops)
            level = alternative.level or self.contents.level
            equity, chances, deviation = alternative.equity, alternative.chances, alternative.deviation
            candidates.append(CandidatePlay(moves, text, equity, chances, level, deviation))
        return PlayAnalysis(tuple(candidates), analysis.played, self.contents.unit) if candidates else None

    def _note(self, analysis: EventAnalysis) -> None:
        if analysis != EventAnalysis() and self.recorder.last >= 0:
            self.events[len(self.recorder.games), self.recorder.last] = analysis
