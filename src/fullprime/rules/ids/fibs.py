"""The ``board:`` line of FIBS, the First Internet Backgammon Server (board style 3): 52 fields after the word.

FIBS's X (negative numbers, colour -1) is our X, its O (positive, 1) our O. The line is written for one player, who is
named first. It does not say that a game is the Crawford game: as GNU Backgammon does, a side one point away with both
of the last two fields 0 is taken for it.
"""

from __future__ import annotations

from dataclasses import replace

from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IdError
from fullprime.rules.game import Game, Phase
from fullprime.rules.ids.common import (
    IdFormat,
    IdReading,
    WrittenId,
    build_game,
    cube_before_offer,
    full_row,
    need_no_hand,
    number,
    pending_offer,
    rules_notes,
    settings_from,
    to_written_id,
)
from fullprime.rules.plays import RollPlays
from fullprime.rules.position import BAR, OFF
from fullprime.rules.score import Player, Settings
from fullprime.rules.words import format_score

TITLE = "a FIBS board line"
_PREFIX = "board:"
_FIELDS = 52
_UNLIMITED = 9999
_COLOURS = {-1: Player.X, 1: Player.O}
_SIGNS = {player: sign for sign, player in _COLOURS.items()}
_LARGEST = 999_999
_YOU = "You"
"""As FIBS calls the player for whom it writes the line: no name."""


def fibs_board(game: Game, names: tuple[str, str] = ("X", "O")) -> WrittenId:
    """The board line of a game for X, or for the player who must answer a double; ``names`` are X's and O's.

    Raises IdError for checkers in hand and for names that the line cannot hold.
    """
    need_no_hand(game, TITLE)
    for name in names:
        if not name or ":" in name or not name.isprintable():
            raise IdError(f"{TITLE} cannot hold the name {name!r}")
    settings, cube, offered = game.settings, cube_before_offer(game), pending_offer(game) is not None
    viewer = game.on_roll.other if offered else Player.X
    other = viewer.other
    own, theirs = game.position_of(viewer).player, game.position_of(other).player
    sign = _SIGNS[viewer]
    board = [
        sign * (own[place] if place else 0) - sign * (theirs[25 - place] if place < 25 else 0) for place in range(26)
    ]
    dice = (game.dice.high, game.dice.low) if game.dice else (0, 0)
    turn = 0 if game.phase is Phase.OVER and game.position.is_over else _SIGNS[viewer if offered else game.on_roll]
    points = game.score.points if settings.is_match or max(game.score.points) <= _LARGEST else (0, 0)
    may_double = {player: int(cube.owner in (None, player)) for player in Player}
    movable = 0
    if game.dice is not None and game.on_roll is viewer:
        movable = RollPlays(game.position, game.dice, settings.variant).dice_playable
    fields = (
        names[viewer],
        names[other],
        settings.length or _UNLIMITED,
        points[viewer],
        points[other],
        *board,
        turn,
        *(dice if game.on_roll is viewer else (0, 0)),
        *(dice if game.on_roll is other else (0, 0)),
        cube.value,
        may_double[viewer],
        may_double[other],
        int(offered),
        sign,
        -1,
        OFF,
        BAR,
        own[OFF],
        theirs[OFF],
        own[BAR],
        theirs[BAR],
        movable,
        0,
        int(game.score.post_crawford),
        int(not settings.crawford),
    )
    return to_written_id(_PREFIX + ":".join(map(str, fields)), game, read_fibs)


def read_fibs(text: str, settings: Settings | None = None) -> IdReading:
    """Read a board line; the player whom it calls ``You`` has the letter of the side for a name."""
    fields = text[len(_PREFIX) :].split(":")
    if len(fields) != _FIELDS:
        raise IdError(f"{TITLE} has {_FIELDS} fields with ':' between them, not {len(fields)}")
    names, numbers = fields[:2], [number(field, f"field {n}", _LARGEST, -99) for n, field in enumerate(fields[2:], 3)]
    field = dict(enumerate(numbers, 3))
    if field[41] not in _COLOURS or field[42] not in (-1, 1):
        raise IdError(f"field 41 (colour) and 42 (direction) are 1 or -1, not {field[41]} and {field[42]}")
    viewer = _COLOURS[field[41]]
    length = field[3] if field[3] != _UNLIMITED else 0
    points = (field[4], field[5])
    if not 0 <= length <= 10_000 or min(points) < 0:
        raise IdError(f"no match is {format_score(points)} to {field[3]}")
    base = settings_from(settings, length)
    own, theirs = _rows([field[n] for n in range(6, 32)], field, viewer, base.variant.checkers)
    if length and field[52] and not field[51]:
        base = replace(base, crawford=False)
    elif length and field[51]:
        base = replace(base, crawford=True)
    away = length - max(points)
    crawford = base.crawford and length > 1 and away == 1 and not field[51]
    on_roll, dice = _turn(field, viewer)
    cube, doubled = _cube(field, viewer, dice is not None)
    if doubled is not None:
        on_roll = doubled
    rows = (own, theirs) if viewer is Player.X else (theirs, own)
    game = build_game(
        settings=base,
        rows=rows,
        on_roll=on_roll,
        points=points if viewer is Player.X else (points[1], points[0]),
        crawford_game=crawford,
        dice=dice,
        cube=cube,
        offer="double" if doubled is not None else None,
    )
    if not field[32] and not game.is_over:
        raise IdError("field 32 says that the game is over, and the board does not show it")
    notes = rules_notes(game, ("crawford",))
    if crawford:
        notes = (*notes, "one point away and not said to be after the Crawford game: read as the Crawford game")
    if names[0] == _YOU:
        names[0] = viewer.name
    ordered = (names[0], names[1]) if viewer is Player.X else (names[1], names[0])
    return IdReading("fibs", game, notes, ordered)


def _rows(
    board: list[int], field: dict[int, int], viewer: Player, checkers: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The viewer's and the other side's counts."""
    home, bar = (OFF, BAR) if field[42] == -1 else (BAR, OFF)
    if (field[43], field[44]) != (home, bar):
        raise IdError(f"fields 43 and 44 put home on {field[43]} and the bar on {field[44]}, against the direction")
    own, theirs = [0] * 26, [0] * 26
    for place, count in enumerate(board):
        ours = place if field[42] == -1 else 25 - place
        count *= _SIGNS[viewer]
        if count > 0:
            own[ours] = count
        else:
            theirs[25 - ours] = -count
    if own[OFF] or theirs[OFF]:
        raise IdError("a checker stands on the other side's bar")
    if (own[BAR], theirs[BAR]) != (field[47], field[48]):
        raise IdError(
            f"fields 47 and 48 have {field[47]} and {field[48]} on the bar, the board {own[BAR]} and {theirs[BAR]}"
        )
    rows = full_row(own, checkers, viewer), full_row(theirs, checkers, viewer.other)
    if (rows[0][OFF], rows[1][OFF]) != (field[45], field[46]):
        raise IdError(
            f"fields 45 and 46 have {field[45]} and {field[46]} borne off, the board {rows[0][OFF]} and {rows[1][OFF]}"
        )
    return rows


def _turn(field: dict[int, int], viewer: Player) -> tuple[Player, Roll | None]:
    own, theirs = (field[33], field[34]), (field[35], field[36])
    if any(own) and any(theirs):
        raise IdError(f"both sides have dice: {own[0]}{own[1]} and {theirs[0]}{theirs[1]}")
    if field[32] not in (-1, 0, 1):
        raise IdError(f"field 32 (turn) is -1, 0 or 1, not {field[32]}")
    on_roll = _COLOURS.get(field[32], Player.X)
    dice = own if on_roll is viewer else theirs
    if not any(dice):
        if any(own + theirs):
            raise IdError(f"{on_roll.name} is on roll, and the other side has dice")
        return on_roll, None
    return on_roll, Roll(*dice)


def _cube(field: dict[int, int], viewer: Player, rolled: bool) -> tuple[Cube, Player | None]:
    """The cube before any offer, and the player who has doubled."""
    value, own, theirs, was_doubled = (field[n] for n in range(37, 41))
    if value < 1 or value & (value - 1):
        raise IdError(f"the cube shows a power of two, not {value}")
    if not {own, theirs, was_doubled} <= {0, 1}:
        raise IdError("fields 38 to 40 are 0 or 1")
    if was_doubled:
        return Cube(value, viewer.other if value > 1 and not (own and theirs) else None), viewer.other
    if own == theirs:
        if own or value == 1:
            return Cube(value), viewer if not own and not rolled else None
        return Cube(value, viewer), viewer
    return Cube(value, viewer if own else viewer.other), None


def matches(text: str) -> bool:
    """True if this looks like a board line."""
    return text.startswith(_PREFIX)


FIBS = IdFormat("fibs", "board line of FIBS", matches, read_fibs, fibs_board)
