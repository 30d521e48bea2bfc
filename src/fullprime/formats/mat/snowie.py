"""Snowie: a position as one line of 40 fields (its matches are match text without a head)."""

from __future__ import annotations

import re

from fullprime.formats.document import Document, FormatError, LossReport
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.boards import Rows, counts_of, game_at, rows_from_counts
from fullprime.rules.cube import Cube
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import BACKGAMMON, NACKGAMMON

_LINE = re.compile(
    r"^[^\S\n]*+\d+;[01];[^;]*;[^;]*;[^;]*;[^;\n]*;[^;\n]*;(?:\s*-?\d+\s*;){32}(?:\s*\d+\s*;?)?\s*$", re.MULTILINE
)
_CHECKERS = 15
FIELDS = 40


def recognises(head: bytes) -> bool:
    """True if the text begins with such a line."""
    return _LINE.match(texts.plain(head).lstrip()) is not None


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """One document for each position line; raises FormatError when there is none."""
    lines = _LINE.findall(texts.plain(data))
    if not lines:
        raise FormatError(f"{name or 'the text'} holds no Snowie position")
    return tuple(Document(_match(line), format="snowie", source=name) for line in lines)


def _fields(line: str) -> list[str]:
    fields = line.strip().rstrip(";").split(";")
    if len(fields) != FIELDS:
        raise FormatError(f"a Snowie position has {FIELDS} fields, not {len(fields)}")
    return fields


def _number(field: str, lowest: int, highest: int) -> int:
    text = field.strip()
    if not re.fullmatch(r"-?\d{1,9}", text) or not lowest <= int(text) <= highest:
        raise FormatError(f"Snowie position: {field!r:.20} is not a number from {lowest} to {highest}")
    return int(text)


def _counts(fields: list[str]) -> list[int]:
    return [_number(field, -_CHECKERS, _CHECKERS) for field in fields[12:38]]


def rows_in_match(line: str, names: tuple[str, str]) -> Rows | None:
    """X's and O's rows of a position line inside a match between X and O; None when it cannot be read.

    The first of its names is the player on roll. Where the names do not tell the players apart, field 4 does, whose
    values are exchanged inside a match: 0 is X, the right column.
    """
    try:
        fields = _fields(line)
        mine, theirs = rows_from_counts(_counts(fields), _CHECKERS)
        x_on_roll = _number(fields[4], 0, 1) == 0
    except FormatError:
        return None
    named = fields[5].strip(), fields[6].strip()
    x, o = (_field_name(name) for name in names)
    if x != o and named in ((x, o), (o, x)):
        x_on_roll = named == (x, o)
    return (mine, theirs) if x_on_roll else (theirs, mine)


def _match(line: str) -> Match:
    fields = _fields(line)
    length = _number(fields[0], 0, 10_000)
    on_roll = Player.O if _number(fields[4], 0, 1) == 0 else Player.X
    names = (fields[5], fields[6]) if on_roll is Player.X else (fields[6], fields[5])
    mine, theirs = _number(fields[8], 0, 10**6), _number(fields[9], 0, 10**6)
    points = (mine, theirs) if on_roll is Player.X else (theirs, mine)
    crawford = _number(fields[7], 0, 1) == 1
    value, owner = _number(fields[10], 1, 1 << 29), _number(fields[11], -1, 1)
    rows = rows_from_counts(_counts(fields), _CHECKERS)
    if on_roll is Player.O:
        rows = rows[1], rows[0]
    dice = _number(fields[38], 0, 6), _number(fields[39], 0, 6)
    jacoby = length == 0 and _number(fields[1], 0, 1) == 1
    try:
        start = NACKGAMMON.starting_position
        # The third field does not tell the variant: it is 1 in games of backgammon, too.
        variant = NACKGAMMON if (start.player, start.opponent) == tuple(map(tuple, rows)) else BACKGAMMON
        settings = Settings(variant=variant, length=length, jacoby=jacoby)
        at_point = bool(length) and max(points) == length - 1
        score = Score(
            points, crawford_game=crawford and length > 1, post_crawford=at_point and not crawford and length > 1
        )
        holder = None if not owner else on_roll if owner == 1 else on_roll.other
        game = game_at(settings, score, rows, on_roll, dice=dice, cube=Cube(value, holder))
    except SettingsError as error:
        raise FormatError(f"Snowie position: {error}") from error
    return Match(settings, names, (GameRecord(game),))


def write(document: Document) -> tuple[bytes, LossReport]:
    """The last position of the document as one Snowie line."""
    match = document.match
    game = match.game if match.games else Game.new(match.settings)
    losses = []
    if match.settings.variant not in (BACKGAMMON, NACKGAMMON):
        raise FormatError(f"a Snowie position cannot be one of {match.settings.variant.title}")
    if len(match.games) > 1 or (match.games and match.games[0].events):
        losses.append("only the last position is written, not the moves before it")
    if game.phase in (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED):
        losses.append("the pending double is not written")
    if any(record.comments for record in match.games):
        losses.append("comments are not written")
    if game.settings.variant is NACKGAMMON and game.position != NACKGAMMON.starting_position:
        losses.append("a position does not say that the game is Nackgammon")
    if document.review is not None:
        losses.append("the analysis is not written")
    return (position_line(game, match.names) + "\n").encode(), LossReport(tuple(losses))


def _field_name(name: str) -> str:
    """The name as a field holds it."""
    return " ".join(name.replace(";", ",").split())


def position_line(
    game: Game, names: tuple[str, str], *, in_match: bool = False, dice: tuple[int, int] | None = None
) -> str:
    """The 40 fields of a game's position, with ``dice`` where the game waits for its roll.

    Field 4 is 0 for O, the left player, in a line of its own; inside the text of a match, as Snowie and GNU Backgammon
    write it after an illegal play, it is 0 for X.
    """
    settings, mover = game.settings, game.on_roll
    owner = 0 if game.cube.owner is None else 1 if game.cube.owner is mover else -1
    rolled = (game.dice.high, game.dice.low) if game.dice is not None else dice or (0, 0)
    zero = Player.X if in_match else Player.O
    fields: list[object] = [
        settings.length,
        int(settings.jacoby),
        0,
        int(not settings.is_match),
        0 if mover is zero else 1,
        _field_name(names[mover]),
        _field_name(names[mover.other]),
        int(game.score.crawford_game),
        game.score.points[mover],
        game.score.points[mover.other],
        game.stake_value,
        owner,
        *counts_of(game.position, mover, mover),
        *sorted(rolled, reverse=True),
    ]
    return ";".join(map(str, fields)) + ";"
