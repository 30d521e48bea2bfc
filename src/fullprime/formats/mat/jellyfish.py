"""Jellyfish positions (``.pos``), versions 124 to 126. Player 1, whose checkers are the negative ones, is our O."""

from __future__ import annotations

import struct

from fullprime.formats.document import Document, FormatError
from fullprime.formats.recording.boards import game_at, rows_from_counts
from fullprime.rules.cube import Cube
from fullprime.rules.errors import SettingsError
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player, Score, Settings

_CHECKERS = 15


def recognises(head: bytes) -> bool:
    """True for a version from 124 to 126 and too few bytes to be anything else."""
    return len(head) >= 100 and head[0] in (124, 125, 126) and head[1] == 0 and len(head) < 800


class _Bytes:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self) -> int:
        if self.at + 2 > len(self.data):
            raise FormatError(f"the position is cut off at byte {self.at}")
        self.at += 2
        return int(struct.unpack_from("<h", self.data, self.at - 2)[0])

    def text(self) -> str:
        if self.at >= len(self.data):
            raise FormatError(f"the position is cut off at byte {self.at}")
        length = self.data[self.at]
        start, self.at = self.at + 1, self.at + 1 + length
        return self.data[start : self.at].decode("cp1252", errors="replace")


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """Read the position; raises FormatError."""
    source = _Bytes(data)
    version = source.number()
    if version not in (124, 125, 126):
        raise FormatError(f"{name or 'the file'} is no Jellyfish position: version {version}")
    if version == 126:
        source.number()
        source.number()
    use_cube = jacoby = beavers = 1
    if version >= 125:
        use_cube, jacoby, beavers = source.number(), source.number(), source.number()
    cube, owner, on_roll = source.number(), source.number(), source.number()
    for _ in range(3):
        source.number()
    is_match = source.number() == 1
    for _ in range(2):
        source.number()
    length, o_points, x_points = source.number(), source.number(), source.number()
    o_name, x_name = source.text(), source.text()
    source.number()
    crawford = source.number()
    source.number()
    source.text()
    dice = source.number(), source.number()
    counts = []
    for _ in range(26):
        counts.append(20 - source.number())
        source.number()
    if cube < 1 or cube & (cube - 1) or owner not in (0, 1, 2):
        raise FormatError(f"{name or 'the file'}: a cube of {cube} owned by {owner} cannot be")
    rows = rows_from_counts(counts, _CHECKERS)
    money = not is_match and bool(use_cube)
    try:
        settings = Settings(
            length=length if is_match else 0,
            cube=bool(use_cube),
            jacoby=money and bool(jacoby),
            beavers=money and bool(beavers),
        )
    except SettingsError as error:
        raise FormatError(f"{name or 'the file'}: {error}") from error
    score = Score(
        (x_points, o_points), crawford_game=is_match and crawford == 2, post_crawford=is_match and crawford == 3
    )
    mover = Player.O if on_roll in (1, 3) else Player.X
    cube_now = Cube(cube, {0: None, 1: Player.O, 2: Player.X}[owner])
    rolled = dice if on_roll in (1, 2) and all(1 <= die <= 6 for die in dice) else None
    game = game_at(settings, score, (rows[1], rows[0]), mover, dice=rolled, cube=cube_now)
    return (Document(Match(settings, (x_name, o_name), (GameRecord(game),)), source=name),)
