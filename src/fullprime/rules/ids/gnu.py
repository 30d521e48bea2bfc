"""GNU Backgammon's Position ID (14 characters) and Match ID (12 characters).

Layout as in the manual of GNU Backgammon, with facts from experiments with version 1.07: the first half of a Position
ID is the player who is NOT on roll, and bit 66 of a Match ID says that the Jacoby rule is off. GNU Backgammon's
player 0 is O, its player 1 is X. While a double waits for its answer the position is still the doubler's.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, replace

from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IdError
from fullprime.rules.game import Game, Phase
from fullprime.rules.ids.common import (
    IdFormat,
    IdReading,
    Offer,
    WrittenId,
    build_game,
    exponent_of,
    full_row,
    need_no_hand,
    pending_offer,
    rules_notes,
    score_from,
    settings_from,
    to_written_id,
)
from fullprime.rules.position import HAND, Position
from fullprime.rules.score import SINGLE, Player, Result, Settings
from fullprime.rules.words import format_score

TITLE = "a GNU Backgammon ID"
_POSITION = re.compile(r"[A-Za-z0-9+/]{14}(==)?")
_MATCH = re.compile(r"[A-Za-z0-9+/]{12}")
_KEY = re.compile(r"[A-P]{20}")
_LABELS = re.compile(r"(gnubg|gnu)\s*id\s*:?\s*|(position|match)[ -]?id\s*:\s*", re.IGNORECASE)

_PLAYERS = (Player.O, Player.X)
"""By GNU Backgammon's numbers."""
_NUMBERS = {Player.O: 0, Player.X: 1}
_CENTRED = 3
_NO_GAME, _PLAYING, _OVER, _RESIGNED, _DROPPED = range(5)
_LARGEST_SCORE = (1 << 15) - 1

_FIELDS = (
    ("cube", 0, 4),
    ("owner", 4, 2),
    ("move", 6, 1),
    ("crawford", 7, 1),
    ("state", 8, 3),
    ("turn", 11, 1),
    ("doubled", 12, 1),
    ("resigned", 13, 2),
    ("die_1", 15, 3),
    ("die_2", 18, 3),
    ("length", 21, 15),
    ("score_0", 36, 15),
    ("score_1", 51, 15),
    ("no_jacoby", 66, 1),
)


@dataclass(frozen=True, slots=True)
class _MatchBits:
    """The fields of a Match ID; players by GNU Backgammon's numbers."""

    cube: int = 0
    owner: int = _CENTRED
    move: int = 1
    crawford: int = 0
    state: int = _PLAYING
    turn: int = 1
    doubled: int = 0
    resigned: int = 0
    die_1: int = 0
    die_2: int = 0
    length: int = 0
    score_0: int = 0
    score_1: int = 0
    no_jacoby: int = 0


# -- positions --------------------------------------------------------------------------------------------
def gnu_position_id(position: Position) -> str:
    """The Position ID of a board seen by the player on roll; raises IdError for checkers in hand.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> gnu_position_id(BACKGAMMON.starting_position)
    '4HPwATDgc/ABMA'
    """
    bits, at = 0, 0
    for row in (position.opponent, position.player):
        if row[HAND]:
            raise IdError(f"a GNU Position ID has no place for checkers in hand: {position.text}")
        for count in row[1:26]:
            bits |= ((1 << count) - 1) << at
            at += count + 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode()[:14]


def read_gnu_position(text: str, checkers: int = 15) -> Position:
    """The board of a Position ID, or of its 20-letter key, as the player on roll sees it; raises IdError."""
    bits = _key_bits(text) if _KEY.fullmatch(text) else _base64_bits(text.removesuffix("=="), 14, "a Position ID")
    counts: list[int] = []
    for _ in range(50):
        count = 0
        while bits & 1:
            count, bits = count + 1, bits >> 1
        bits >>= 1
        counts.append(count)
    if bits:
        raise IdError("a Position ID has 50 groups of checkers, and something stands after the last")
    opponent = full_row([0, *counts[:25]], checkers, Player.O)
    player = full_row([0, *counts[25:]], checkers, Player.X)
    position = Position(player, opponent)
    position.check(checkers)
    return position


def _base64_bits(text: str, length: int, name: str) -> int:
    if len(text) != length or not re.fullmatch(r"[A-Za-z0-9+/]+", text):
        raise IdError(f"{name} has {length} letters, digits, '+' and '/', not {text[:20]!r}")
    raw = base64.b64decode(text + "=" * (-length % 4))
    if base64.b64encode(raw).decode()[:length] != text:
        raise IdError(f"the last character of {name} cannot be {text[-1]!r}")
    return int.from_bytes(raw, "little")


def _key_bits(text: str) -> int:
    nibbles = ["ABCDEFGHIJKLMNOP".index(letter) for letter in text]
    return int.from_bytes(bytes(16 * a + b for a, b in zip(nibbles[::2], nibbles[1::2], strict=True)), "little")


# -- matches ----------------------------------------------------------------------------------------------
def _match_bits(text: str) -> _MatchBits:
    bits = _base64_bits(text, 12, "a Match ID")
    values = {name: bits >> at & (1 << width) - 1 for name, at, width in _FIELDS}
    if bits >> 67:
        raise IdError("a Match ID has 67 bits, and something stands after the last")
    return _MatchBits(**values)


def _match_text(match: _MatchBits) -> str:
    bits = 0
    for name, at, width in _FIELDS:
        value = getattr(match, name)
        if value >> width:
            raise IdError(f"a Match ID has no room for {name.replace('_', ' ')} {value}")
        bits |= value << at
    return base64.b64encode(bits.to_bytes(9, "little")).decode()


def gnu_match_id(game: Game) -> str:
    """The Match ID of a game; ``gnu_id`` also gives the position and the losses."""
    settings, cube, points = game.settings, game.cube, game.score.points
    result = game.result
    if result is not None:
        points = (
            points[0] + result.points * (result.winner is Player.X),
            points[1] + result.points * (result.winner is Player.O),
        )
    if not settings.is_match and max(points) > _LARGEST_SCORE:
        points = (0, 0)
    on_roll = _NUMBERS[_viewer_of(game)]
    match = _MatchBits(
        cube=exponent_of(game.stake_value, 15, TITLE),
        owner=_CENTRED if cube.owner is None else _NUMBERS[cube.owner],
        move=on_roll,
        turn=on_roll if game.turn is None else _NUMBERS[game.turn],
        crawford=int(game.score.crawford_game and result is None),
        state=_NO_GAME if game.phase is Phase.OPENING_ROLL else _PLAYING,
        doubled=int(pending_offer(game) is not None),
        resigned=min(game.resignation or 0, 3),
        die_1=game.dice.high if game.dice else 0,
        die_2=game.dice.low if game.dice else 0,
        length=settings.length,
        score_0=points[Player.O],
        score_1=points[Player.X],
        no_jacoby=int(not settings.jacoby),
    )
    if result is not None:
        match = _over_bits(match, result)
    return _match_text(match)


def _over_bits(match: _MatchBits, result: Result) -> _MatchBits:
    winner = _NUMBERS[result.winner]
    if result.how == "drop":
        return replace(match, state=_DROPPED, turn=1 - winner)
    if result.how == "resignation":
        return replace(match, state=_RESIGNED, turn=winner, resigned=min(result.level or 1, 3))
    return replace(match, state=_OVER)


def _viewer_of(game: Game) -> Player:
    """Whose view the position is: after a bear-off that of the loser, who would be on roll next."""
    borne_off = game.result is not None and game.result.how == "bear-off"
    return game.on_roll.other if borne_off else game.on_roll


# -- both -------------------------------------------------------------------------------------------------
def gnu_id(game: Game) -> WrittenId:
    """``position:match`` as GNU Backgammon prints it; raises IdError for checkers in hand."""
    need_no_hand(game, TITLE)
    position = game.position_of(_viewer_of(game))
    return to_written_id(f"{gnu_position_id(position)}:{gnu_match_id(game)}", game, read_gnu)


def read_gnu(text: str, settings: Settings | None = None) -> IdReading:
    """Read a Position ID, alone or with its Match ID, in either order and with the labels that programs print."""
    parts = _parts(text)
    if parts is None:
        raise IdError("a GNU Backgammon ID is a Position ID of 14 characters, with or without a Match ID of 12")
    position_text, match_text = parts
    checkers = (settings or Settings()).variant.checkers
    position = read_gnu_position(position_text, checkers)
    if match_text is None:
        rows = (position.player, position.opponent)
        if position.opponent[0] == checkers:
            rows = (position.opponent, position.player)
        game = build_game(settings=settings or Settings(), rows=rows, on_roll=Player.X)
        return IdReading("gnuid", game, ("says nothing but the board: no score, cube or dice", *rules_notes(game)))
    game = _game(position, _match_bits(match_text), settings)
    return IdReading("gnuid", game, rules_notes(game, ("jacoby",)))


def _parts(text: str) -> tuple[str, str | None] | None:
    words = re.split(r"[\s:]+", _LABELS.sub(" ", text).strip(" \t\r\n:"))
    positions = [word for word in words if _POSITION.fullmatch(word) or _KEY.fullmatch(word)]
    matches = [word for word in words if _MATCH.fullmatch(word)]
    if len(positions) != 1 or len(matches) > 1 or len(words) != len(positions) + len(matches):
        return None
    return positions[0], matches[0] if matches else None


def _game(position: Position, match: _MatchBits, base: Settings | None) -> Game:
    dice = _dice(match)
    on_roll, turn = _PLAYERS[match.move], _PLAYERS[match.turn]
    rows = (position.player, position.opponent)
    if on_roll is Player.O:
        rows = (position.opponent, position.player)
    owner = _PLAYERS[match.owner] if match.owner < 2 else None
    cube = Cube(1 << match.cube, owner)
    offer, cube = _offer(match, cube, on_roll)
    raises: dict[str, bool] = {}
    if offer == "beaver":
        raises = {"beavers": True}
    elif offer == "raccoon":
        raises = {"beavers": True, "raccoons": True}
    if raises and match.length:
        raise IdError("a beaver is pending, and beavers are for money play")
    settings = settings_from(base, match.length, jacoby=None if match.length else not match.no_jacoby, **raises)
    points = (match.score_1, match.score_0)
    if match.state > _PLAYING:
        if dice or offer:
            raise IdError("the game is over, but dice or a double are on the table")
        return _finished_game(settings, rows, on_roll, turn, points, cube, match)
    if match.crawford and not match.length:
        raise IdError("money play has no Crawford game")
    if not offer and bool(match.resigned) != (turn is not on_roll):
        raise IdError(f"{on_roll.name} is on roll, {turn.name} is to decide, and no offer explains that")
    return build_game(
        settings=settings,
        rows=rows,
        on_roll=on_roll,
        points=points,
        crawford_game=bool(match.crawford),
        dice=dice,
        cube=cube,
        offer=offer,
        resignation=match.resigned,
        opening=match.state == _NO_GAME,
    )


def _dice(match: _MatchBits) -> Roll | None:
    if not match.die_1 and not match.die_2:
        return None
    return Roll(match.die_1, match.die_2)


def _offer(match: _MatchBits, cube: Cube, on_roll: Player) -> tuple[Offer | None, Cube]:
    """The pending offer, and the cube before the first of them: a beaver has already raised and moved it."""
    if not match.doubled:
        return None, cube
    if match.resigned:
        raise IdError("a double and a resignation cannot both wait for an answer")
    to_doubler = match.turn == match.move
    if cube.owner is not on_roll.other:
        if to_doubler:
            raise IdError(f"{on_roll.name} has doubled and cannot be the one to answer")
        return "double", cube
    halvings = 1 if to_doubler else 2
    before = cube.value >> halvings
    if not before:
        raise IdError(f"a cube of {cube.value} cannot be what a beaver has made of it")
    return "beaver" if to_doubler else "raccoon", Cube(before, on_roll if before > 1 else None)


def _finished_game(
    settings: Settings,
    rows: tuple[tuple[int, ...], tuple[int, ...]],
    on_roll: Player,
    turn: Player,
    points: tuple[int, int],
    cube: Cube,
    match: _MatchBits,
) -> Game:
    """A finished game: the score of the Match ID already contains its points."""
    game = build_game(settings=settings, rows=rows, on_roll=on_roll, cube=cube)
    if match.state == _OVER and game.result is None:
        raise IdError("the game is over, but neither side has borne off all its checkers")
    if match.state != _OVER:
        if game.result is not None:
            raise IdError("the game ended before the bear-off, but one side has borne off all its checkers")
        game = replace(game, phase=Phase.OVER, result=_early_end(game, turn, match))
    result = game.result
    assert result is not None
    before = (
        points[0] - result.points * (result.winner is Player.X),
        points[1] - result.points * (result.winner is Player.O),
    )
    if min(before) < 0:
        raise IdError(f"the score {format_score(points)} does not contain the {result.points} points just won")
    settings, score = score_from(game.settings, before, crawford_game=False)
    return replace(game, settings=settings, score=score)


def _early_end(game: Game, turn: Player, match: _MatchBits) -> Result:
    """The result of a game that was dropped or resigned; ``turn`` is who dropped, or who accepted."""
    if match.state == _DROPPED:
        return Result(turn.other, game.stake_value, SINGLE, "drop")
    if match.state != _RESIGNED:
        raise IdError(f"a game has no state {match.state}")
    if not match.resigned or turn is game.on_roll:
        raise IdError("the game was resigned, but the ID does not say by whom for how much")
    level = SINGLE if game.settings.jacoby and not game.cube.turned else match.resigned
    return Result(turn, level * game.stake_value, level, "resignation")


GNU = IdFormat(
    "gnuid", "GNU Backgammon Position ID and Match ID", lambda text: _parts(text) is not None, read_gnu, gnu_id
)


def find_gnu_position_id(position: Position) -> str | None:
    """The GNU Backgammon Position ID, or None for a board that it cannot carry."""
    if position.player_licence or position.opponent_licence:
        return None
    try:
        return gnu_position_id(position)
    except IdError:
        return None
