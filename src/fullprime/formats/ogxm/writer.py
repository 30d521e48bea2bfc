"""Writing OGXM version 2 (``.ogxm``): the match, its games step by step, and remarks. White is our O, Black our X."""

from __future__ import annotations

import re
import struct
from datetime import UTC, datetime

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
_LONGEST = 4096
"""Bytes of a text that readers take."""


def write(document: Document) -> tuple[bytes, LossReport]:
    """The match as an OGXM file; raises FormatError for a game that OGXM does not know."""
    match = document.match
    if match.settings.variant.name not in _NUMBERS:
        raise FormatError(f"OGXM does not know {match.settings.variant.title}")
    losses: list[str] = []
    settings_losses(match.settings, losses)
    if document.review is not None:
        losses.append("the analysis is not written")
    writer = _Writer(losses)
    parts = [_section(b"MTCH", _head(match, losses))]
    writer.remark(MATCH_SCOPE, 0, match.info.get("Comment", ""))
    for number, record in enumerate(match.games):
        parts.append(_section(b"GAME", writer.game(number, record)))
        following = match.games[number + 1].start.score.points if number + 1 < len(match.games) else None
        result = record.result
        if following is not None and (
            result is None or following != record.start.score.after(result, match.settings).points
        ):
            losses.append("a score that does not follow from the results is not written")
    if writer.remarks:
        parts.append(_section(b"ANNO", writer.annotations(), critical=False))
    content = b"".join(parts) + b"END!"
    data = struct.pack("<4sHHHHI", MAGIC, 2, 0, 2, 0, 16 + len(content)) + content
    return data, LossReport(tuple(dict.fromkeys(losses)))


# -- bytes --------------------------------------------------------------------------------------------------
def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _text(words: str, losses: list[str]) -> bytes:
    data = words.encode("utf-8", errors="replace")
    if len(data) > _LONGEST:
        losses.append(f"a text is cut to {_LONGEST} bytes")
        data = data[:_LONGEST].decode("utf-8", errors="ignore").encode()
    return _varint(len(data)) + data


def _record(fixed: bytes, fields: dict[int, bytes]) -> bytes:
    mask = sum(1 << bit for bit in fields)
    body = _varint(mask) + fixed + b"".join(fields[bit] for bit in sorted(fields))
    return _varint(len(body)) + body


def _section(name: bytes, content: bytes, critical: bool = True) -> bytes:
    return struct.pack("<4sIB", name, len(content), critical) + content


def _seat(player: Player) -> int:
    return 0 if player is WHITE else 1


def _board(game: Game) -> bytes:
    """26 counts in Black's numbering, White's positive: 0 is White's bar, 25 Black's."""
    white, black = game.position_of(WHITE).player, game.position_of(BLACK).player
    counts = [white[25], *(white[25 - point] - black[point] for point in range(1, 25)), -black[25]]
    return struct.pack("<26b", *counts)


def _step(move: CheckerMove, player: Player) -> int:
    """The start in five bits, the pips in three."""
    return (move.source if player is BLACK else 25 - move.source) | move.die << 5


# -- the head -----------------------------------------------------------------------------------------------
def _head(match: Match, losses: list[str]) -> bytes:
    settings, info = match.settings, match.info
    rules = settings.crawford | settings.jacoby << 1 | settings.beavers << 2 | settings.raccoons << 3
    fields = {
        0: _text(match.names[WHITE], losses),
        1: _text(match.names[BLACK], losses),
        2: _varint(rules),
    }
    if not settings.cube:
        fields[3] = _varint(1)
    elif settings.cube_cap is not None:
        fields[3] = _varint(settings.cube_cap)
    score = match.games[0].start.score if match.games else Score()
    if any(score.points):
        fields[4] = _varint(score.points[WHITE]) + _varint(score.points[BLACK])
    if score.post_crawford:
        fields[11] = b""  # The Crawford game was played before.
    if (seconds := _seconds(info.get("EventDate", ""))) is not None:
        fields[8] = _varint(seconds * 1000)
    if event := info.get("Event"):
        fields[12] = _text(event, losses)
    dated = {"EventDate"} if 8 in fields else set()
    if lost := sorted(set(info) - RULE_TAGS - {"Event", "Comment", *dated}):
        losses.append(f"facts about the match are not written: {', '.join(lost)}")
    return _record(_varint(settings.length) + _varint(_NUMBERS[settings.variant.name]), fields)


def _seconds(day: str) -> int | None:
    """Noon of the day in seconds since 1970, so that it is the same day in every zone near by."""
    found = re.fullmatch(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})", day.strip())
    try:
        when = datetime(int(found[1]), int(found[2]), int(found[3]), 12, tzinfo=UTC) if found else None
    except ValueError:
        return None
    seconds = int(when.timestamp()) if when is not None else 0
    return seconds if 0 < seconds < 1 << 33 else None


# -- games --------------------------------------------------------------------------------------------------
class _Writer:
    """Writes the games of a match; steps are numbered through all of them."""

    def __init__(self, losses: list[str]) -> None:
        self.losses = losses
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
            _record(_varint(scope) + _varint(number) + _text("\n".join(words), self.losses), {})
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
                self._event(entry.before, entry.event, entry.after)
                final = entry.after
                place = self.written + max(0, len(self.plies) - (self.rolled is None))
                self.remark(PLY_SCOPE, place, record.comments.get(event, ""))
        except RulesError as error:
            raise FormatError(f"game {number + 1}: {error}") from error
        if self.rolled is not None:
            self.losses.append("a roll that was not played is not written")
        result = record.stated or final.result
        fields: dict[int, bytes] = {}
        if result is not None:
            fields = {0: _varint(_seat(result.winner)), 1: _varint(result.points)}
            if record.stated is not None and result.how != "resignation":
                self.losses.append(f"a game that ended by {result.how} is written by its points alone")
        fields |= self._place(start)
        self.written += len(self.plies)
        return _record(b"", fields) + b"".join(self.plies)

    def _place(self, start: Game) -> dict[int, bytes]:
        """The board, the cube and the doubled stake with which the game begins, where they are not the usual ones."""
        found: dict[int, bytes] = {}
        if start.position != start.settings.variant.starting_position:
            found[3] = _board(start)
        if start.cube.value > 1:
            found[4] = _varint(start.cube.value)
        if start.cube.owner is not None:
            found[5] = _varint(_seat(start.cube.owner))
        if start.multiplier > 1:
            found[6] = _varint(start.multiplier.bit_length() - 1)
        if start.ties:
            self.losses.append("ties of the opening roll are not written")
        return found

    def _start(self, start: Game, alone: bool) -> None:
        if alone and start.phase in (Phase.CUBE_DECISION, Phase.ROLL, Phase.PLAY):
            self._ply(SET_POSITION, start.on_roll, _place_record(start, None))  # It tells who is on roll.
        self.rolled = start if start.phase is Phase.PLAY else None
        if start.phase is Phase.DOUBLE_OFFERED:
            self._ply(DOUBLE, start.on_roll)

    def _ply(self, action: int, player: Player, extra: bytes = b"") -> None:
        first = action | _seat(player) << 6 | (_EXTENDED if extra else 0)
        self.plies.append(bytes([first]) + extra)

    def _event(self, before: Game, event: Action | Setup, after: Game) -> None:
        if isinstance(event, Setup):
            self._set_up(before, after)
            return
        match event.kind:
            case ActionKind.OPENING | ActionKind.ROLL:
                if after.phase is Phase.OPENING_ROLL:
                    self.losses.append("ties of the opening roll are not written")
                else:
                    self.rolled = after
            case ActionKind.PLAY:
                self._played(before, event.moves)
            case ActionKind.RESIGN if self.rolled is not None:
                self._played(before, ())
                self._resigns(before, after)
            case ActionKind.RESIGN:
                self._resigns(before, after)
            case ActionKind.REFUSE:
                self.plies.pop()
                if after.phase is Phase.PLAY:
                    self.plies.pop()
                    self.rolled = after
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
        self._ply(RESIGN[0], before.on_roll, _record(b"", {1: _varint(after.resignation or 1)}))

    def _played(self, game: Game, moves: tuple[CheckerMove, ...]) -> None:
        self.rolled = None
        dice = game.dice
        assert dice is not None, "a play follows a roll"
        steps = bytes(_step(move, game.on_roll) for move in moves)
        count = 4 if dice.is_double else 2
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
        owner = {8: _varint(_seat(game.cube.owner))} if game.cube.owner is not None else {}
        self._ply(CUBE_SET, game.on_roll, _record(b"", {2: _varint(game.cube.value), **owner}))


def _place_record(game: Game, dice: Roll | None) -> bytes:
    fields = {6: _board(game)}
    if dice is not None:
        fields[0] = bytes((dice.low, dice.high))
        fields[3] = b""  # Not legal.
    return _record(b"", fields)
