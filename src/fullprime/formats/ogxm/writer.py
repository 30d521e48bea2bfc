"""Writing OGXM version 2 (``.ogxm``): the match, its games step by step, and remarks. White is our O, Black our X."""

from __future__ import annotations

import re
import struct
from datetime import UTC, datetime

from fullprime.formats.analysis import EventAnalysis, FileAnalysis
from fullprime.formats.document import Document, FormatError, LossReport
from fullprime.formats.ogxm.bytes import MAGIC
from fullprime.formats.ogxm.games import (
    BEAVER,
    BLACK,
    CUBE_SET,
    DICE,
    DOUBLE,
    DROP,
    GAME_SCOPE,
    MATCH_SCOPE,
    PLY_SCOPE,
    RACCOON,
    RESIGN,
    SET_POSITION,
    TAKE,
    WHITE,
)
from fullprime.formats.ogxm.judged import JudgedPly, JudgedWriter, step
from fullprime.formats.ogxm.packing import pack_record, section, text, write_varint
from fullprime.formats.ogxm.reader import VARIANTS
from fullprime.formats.recording.tags import RULE_TAGS, settings_losses
from fullprime.rules.dice import Roll
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.plays import CheckerMove
from fullprime.rules.record import GameRecord, Match, Setup
from fullprime.rules.score import Player, Score

_NUMBERS = {variant.name: number for number, variant in VARIANTS.items()}
_ACTIONS = {
    ActionKind.DOUBLE: DOUBLE,
    ActionKind.TAKE: TAKE,
    ActionKind.DROP: DROP,
    ActionKind.BEAVER: BEAVER,
    ActionKind.RACCOON: RACCOON,
}
_EXTENDED = 0x80
NOTHING = EventAnalysis()
_STEPLESS = "the analysis of what is no step of the file is not written"


def write(document: Document) -> tuple[bytes, LossReport]:
    """The match as an OGXM file; raises FormatError for a game that OGXM does not know."""
    match = document.match
    if match.settings.variant.name not in _NUMBERS:
        raise FormatError(f"OGXM does not know {match.settings.variant.title}")
    losses: list[str] = []
    settings_losses(match.settings, losses)
    writer = _Writer(losses, JudgedWriter(document.review or FileAnalysis(""), losses))
    parts = [section(b"MTCH", _head(match, losses))]
    writer.remark(MATCH_SCOPE, 0, match.info.get("Comment", ""))
    for number, record in enumerate(match.games):
        parts.append(section(b"GAME", writer.game(number, record)))
        following = match.games[number + 1].start.score.points if number + 1 < len(match.games) else None
        result = record.result
        if following is not None and (
            result is None or following != record.start.score.after(result, match.settings).points
        ):
            losses.append("a score that does not follow from the results is not written")
    parts += [section(name, content, critical=False) for name, content in writer.judged.sections()]
    if writer.remarks:
        parts.append(section(b"ANNO", writer.annotations(), critical=False))
    content = b"".join(parts) + b"END!"
    data = struct.pack("<4sHHHHI", MAGIC, 2, 0, 2, 0, 16 + len(content)) + content
    return data, LossReport(tuple(dict.fromkeys(losses)))


# -- bytes --------------------------------------------------------------------------------------------------
def _seat(player: Player) -> int:
    return 0 if player is WHITE else 1


def _board(game: Game) -> bytes:
    """26 counts in Black's numbering, White's positive: 0 is White's bar, 25 Black's."""
    white, black = game.position_of(WHITE).player, game.position_of(BLACK).player
    counts = [white[25], *(white[25 - point] - black[point] for point in range(1, 25)), -black[25]]
    return struct.pack("<26b", *counts)


# -- the head -----------------------------------------------------------------------------------------------
def _head(match: Match, losses: list[str]) -> bytes:
    settings, info = match.settings, match.info
    rules = settings.crawford | settings.jacoby << 1 | settings.beavers << 2 | settings.raccoons << 3
    fields = {
        0: text(match.names[WHITE], losses),
        1: text(match.names[BLACK], losses),
        2: write_varint(rules),
    }
    if not settings.cube:
        fields[3] = write_varint(1)
    elif settings.cube_cap is not None:
        fields[3] = write_varint(settings.cube_cap)
    score = match.games[0].start.score if match.games else Score()
    if min(score.points) < 0:
        losses.append("a score below zero is not written")
    elif any(score.points):
        fields[4] = write_varint(score.points[WHITE]) + write_varint(score.points[BLACK])
    if score.post_crawford:
        fields[11] = b""  # The Crawford game was played before.
    if (seconds := _seconds(info.get("EventDate", ""))) is not None:
        fields[8] = write_varint(seconds * 1000)
    if event := info.get("Event"):
        fields[12] = text(event, losses)
    dated = {"EventDate"} if 8 in fields else set()
    if lost := sorted(set(info) - RULE_TAGS - {"Event", "Comment", *dated}):
        losses.append(f"facts about the match are not written: {', '.join(lost)}")
    return pack_record(write_varint(settings.length) + write_varint(_NUMBERS[settings.variant.name]), fields)


def _seconds(day: str) -> int | None:
    """Noon of the day in seconds since 1970, so that it is the same day in every zone near by."""
    match = re.fullmatch(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})", day.strip())
    try:
        when = datetime(int(match[1]), int(match[2]), int(match[3]), 12, tzinfo=UTC) if match else None
    except ValueError:
        return None
    seconds = int(when.timestamp()) if when is not None else 0
    return seconds if 0 < seconds < 1 << 33 else None


# -- games --------------------------------------------------------------------------------------------------
class _Writer:
    """Writes the games of a match; steps are numbered through all of them."""

    def __init__(self, losses: list[str], judged: JudgedWriter) -> None:
        self.losses, self.judged = losses, judged
        self.waiting: list[JudgedPly] = []
        """Opinions about a roll that waits for its play: both are one step of the file."""
        self.remarks: dict[tuple[int, int], list[str]] = {}
        self.written = 0
        """Steps of earlier games."""
        self.plies: list[bytes] = []
        self.rolled: Game | None = None
        """The game with a roll that waits for its play."""

    def remark(self, scope: int, number: int, words: str) -> None:
        """Keep a remark."""
        if words:
            self.remarks.setdefault((scope, number), []).append(words)

    def annotations(self) -> bytes:
        """All remarks, in the order of their places."""
        return b"".join(
            pack_record(write_varint(scope) + write_varint(number) + text("\n".join(words), self.losses), {})
            for (scope, number), words in sorted(self.remarks.items())
        )

    def game(self, number: int, record: GameRecord) -> bytes:
        """The head and the steps of one game; raises FormatError when it cannot be followed."""
        start = final = record.start
        self.plies = []
        self.remark(GAME_SCOPE, number, record.comments.get(-1, ""))
        self._start(start, alone=not record.events)
        try:
            for event, entry in enumerate(record.entries()):
                opinion = self.judged.analysis.events.get((number, event), NOTHING)
                self._event(entry.before, entry.event, entry.after, opinion)
                final = entry.after
                place = self.written + max(0, len(self.plies) - (self.rolled is None))
                self.remark(PLY_SCOPE, place, record.comments.get(event, ""))
        except RulesError as error:
            raise FormatError(f"game {number + 1}: {error}") from error
        if self.rolled is not None:
            self.losses.append("a roll that was not played is not written")
            self._forget()
        result = record.stated or final.result
        fields: dict[int, bytes] = {}
        if result is not None:
            fields = {0: write_varint(_seat(result.winner)), 1: write_varint(result.points)}
            if record.stated is not None and result.how != "resignation":
                self.losses.append(f"a game that ended by {result.how} is written by its points alone")
        fields |= self._place(start)
        self.written += len(self.plies)
        return pack_record(b"", fields) + b"".join(self.plies)

    def _place(self, start: Game) -> dict[int, bytes]:
        """The board, the cube and the doubled stake with which the game begins, where they are not the usual ones."""
        fields: dict[int, bytes] = {}
        if start.position != start.settings.variant.starting_position:
            fields[3] = _board(start)
        if start.cube.value > 1:
            fields[4] = write_varint(start.cube.value)
        if start.cube.owner is not None:
            fields[5] = write_varint(_seat(start.cube.owner))
        if start.multiplier > 1:
            fields[6] = write_varint(start.multiplier.bit_length() - 1)
        if start.ties:
            self.losses.append("ties of the opening roll are not written")
        return fields

    def _start(self, start: Game, alone: bool) -> None:
        if alone and start.phase in (Phase.CUBE_DECISION, Phase.ROLL, Phase.PLAY):
            self._ply(SET_POSITION, start.on_roll, _place_record(start, None))  # It tells who is on roll.
        self.rolled = start if start.phase is Phase.PLAY else None
        if start.phase is Phase.DOUBLE_OFFERED:
            self._ply(DOUBLE, start.on_roll)

    def _ply(self, action: int, player: Player, extra: bytes = b"") -> None:
        first = action | _seat(player) << 6 | (_EXTENDED if extra else 0)
        self.plies.append(bytes([first]) + extra)

    def _event(self, before: Game, event: Action | Setup, after: Game, opinion: EventAnalysis) -> None:
        judged = self.judged.judged(opinion, before) if opinion != NOTHING else []
        plies = len(self.plies)
        if isinstance(event, Setup):
            self.waiting += judged
            self._forget()
            self._set_up(before, after)
            return
        if event.kind in (ActionKind.OPENING, ActionKind.ROLL):
            self.waiting = judged
        self._act(before, event, after)
        if event.kind in (ActionKind.PLAY, *_ACTIONS) and len(self.plies) == plies + 1:
            self.judged.note(self.written + plies, judged)
        elif judged and event.kind not in (ActionKind.OPENING, ActionKind.ROLL):
            self.losses.append(_STEPLESS)

    def _forget(self) -> None:
        """Report a loss: the analysis of a roll that is no step of the file has no place there."""
        if self.waiting:
            self.losses.append(_STEPLESS)
        self.waiting = []

    def _act(self, before: Game, event: Action, after: Game) -> None:
        match event.kind:
            case ActionKind.OPENING | ActionKind.ROLL:
                if after.phase is Phase.OPENING_ROLL:
                    self.losses.append("ties of the opening roll are not written")
                else:
                    self.rolled = after
            case ActionKind.PLAY:
                self._write_play(before, event.moves)
            case ActionKind.RESIGN if self.rolled is not None:
                self._write_play(before, ())
                self._resigns(before, after)
            case ActionKind.RESIGN:
                self._resigns(before, after)
            case ActionKind.REFUSE:
                self.plies.pop()
                if after.phase is Phase.PLAY:
                    self.plies.pop()
                    self.rolled = after
                    self.waiting = self.judged.take_back(self.written + len(self.plies))
                self.losses.append("a refused resignation is not written")
            case ActionKind.TAKE if before.phase is Phase.RACCOON_OFFERED:
                self._cube_set(after)  # The published codec gives the cube to the other side.
            case ActionKind.TAKE if before.phase is not Phase.DOUBLE_OFFERED:
                pass  # Going on accepts a beaver or a raccoon.
            case ActionKind.DROP if before.phase is not Phase.DOUBLE_OFFERED:
                pass  # OGXM knows no drop of a beaver; the game's result tells it.
            case kind if kind in _ACTIONS:
                self._ply(_ACTIONS[kind], before.turn if before.turn is not None else before.on_roll)
            case _:
                pass

    def _resigns(self, before: Game, after: Game) -> None:
        self._ply(RESIGN[0], before.on_roll, pack_record(b"", {1: write_varint(after.resignation or 1)}))

    def _write_play(self, game: Game, moves: tuple[CheckerMove, ...]) -> None:
        self.rolled = None
        dice = game.dice
        assert dice is not None, "a play follows a roll"
        steps = bytes(step(move, game.on_roll) for move in moves)
        count = 4 if dice.is_double else 2
        self.judged.note(self.written + len(self.plies), self.waiting)
        self.waiting = []
        self._ply(DICE.index((dice.low, dice.high)), game.on_roll)
        self.plies[-1] += steps + (b"\0" if len(steps) < count else b"")

    def _set_up(self, before: Game, after: Game) -> None:
        """An illegal play is its dice and its board; any other board is a board, and the cube as it lies then."""
        illegal = self.rolled is not None and after.on_roll is before.on_roll.other
        dice = before.dice if illegal else None
        self.rolled = None
        self._ply(SET_POSITION, after.on_roll, _place_record(after, dice))
        if after.cube != before.cube:
            self._cube_set(after)
        if after.phase is Phase.PLAY:
            self.rolled = after
        self.losses.append("why a board was set up is not written")

    def _cube_set(self, game: Game) -> None:
        owner = {8: write_varint(_seat(game.cube.owner))} if game.cube.owner is not None else {}
        self._ply(CUBE_SET, game.on_roll, pack_record(b"", {2: write_varint(game.cube.value), **owner}))


def _place_record(game: Game, dice: Roll | None) -> bytes:
    fields = {6: _board(game)}
    if dice is not None:
        fields[0] = bytes((dice.low, dice.high))
        fields[3] = b""  # Not legal.
    return pack_record(b"", fields)
