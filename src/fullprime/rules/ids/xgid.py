"""eXtreme Gammon's position identifier, which many programs write.

``XGID=board:cube:owner:turn:dice:score X:score O:rules:length:highest cube``. The board is absolute: 26 characters
from O's bar over X's points 1 to 24 to X's bar, capitals for X. The cubes are exponents of two.
"""

from __future__ import annotations

import re

from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IdError
from fullprime.rules.game import Game
from fullprime.rules.ids.common import (
    IdFormat,
    IdReading,
    Offer,
    WrittenId,
    build_game,
    cube_before_offer,
    exponent_of,
    full_row,
    need_no_hand,
    number,
    pending_offer,
    rules_notes,
    settings_from,
    to_written_id,
)
from fullprime.rules.score import Player, Settings

TITLE = "an XGID"
_PREFIX = "XGID="
_BOARD = re.compile(r"[-A-Za-z]{26}")
_USUAL_HIGHEST = 10
"""The limit that programs write when none was chosen: 1024. Read as no limit."""
_HIGHEST = 62
"""The highest limit that our JSON holds; no game has had that many doubles."""
_OWNERS = {"1": Player.X, "0": None, "-1": Player.O}
_TURNS = {"1": Player.X, "-1": Player.O}
_OFFERS: dict[str, Offer] = {"D": "double", "B": "beaver", "R": "raccoon"}
_LARGEST = 99_999


def xgid(game: Game) -> WrittenId:
    """The XGID of a game; raises IdError for checkers in hand.

    While a double, beaver or raccoon waits for its answer, the cube's fields give its state before the double.
    """
    need_no_hand(game, TITLE)
    settings, cube, offer = game.settings, cube_before_offer(game), pending_offer(game)
    points = game.score.points if settings.is_match or max(game.score.points) <= _LARGEST else (0, 0)
    cube_field = exponent_of(cube.value, 30, TITLE)
    if not settings.cube:
        highest = 0
    elif settings.cube_cap is None:
        highest = _USUAL_HIGHEST
    else:
        highest = exponent_of(settings.cube_cap, _HIGHEST, TITLE)
    rules = int(game.score.crawford_game) if settings.is_match else settings.jacoby + 2 * settings.beavers
    dice = str(game.dice) if game.dice else "00"
    fields = (
        _board_text(game),
        cube_field,
        next(text for text, owner in _OWNERS.items() if owner is cube.owner),
        1 if game.on_roll is Player.X else -1,
        dice if offer is None else offer[0].upper(),
        points[Player.X],
        points[Player.O],
        rules,
        settings.length,
        highest,
    )
    return to_written_id(_PREFIX + ":".join(map(str, fields)), game, read_xgid)


def read_xgid(text: str, settings: Settings | None = None) -> IdReading:
    """Read an XGID, with or without its prefix."""
    body = text[len(_PREFIX) :] if text[: len(_PREFIX)].upper() == _PREFIX else text
    fields = body.split(":")
    if len(fields) not in (9, 10):
        raise IdError(f"an XGID has 10 fields with ':' between them, not {len(fields)}")
    board, cube_text, owner_text, turn_text, dice_text, x_text, o_text, rules_text, length_text = fields[:9]
    if owner_text not in _OWNERS:
        raise IdError(f"the cube's owner is {owner_text[:20]!r} instead of 1 (X), 0 or -1 (O)")
    if turn_text not in _TURNS:
        raise IdError(f"the player on roll is {turn_text[:20]!r} instead of 1 (X) or -1 (O)")
    length = number(length_text, "the length of the match", 10_000)
    points = (number(x_text, "X's score", _LARGEST), number(o_text, "O's score", _LARGEST))
    cube = Cube(1 << number(cube_text, "the cube's exponent", 30), _OWNERS[owner_text])
    rules = number(rules_text, "the rules", 1 if length else 3)
    dice, offer = _dice(dice_text)
    cap, notes = _highest(fields[9] if len(fields) == 10 else None, cube)
    money = {} if length else {"jacoby": bool(rules & 1), "beavers": bool(rules & 2)}
    if offer in ("beaver", "raccoon"):
        if length:
            raise IdError(f"a {offer} is pending, and beavers are for money play")
        money |= {"beavers": True} | ({"raccoons": True} if offer == "raccoon" else {})
    chosen = settings_from(settings, length, cube_cap=cap, **money)
    x, o = _rows(board, chosen.variant.checkers)
    game = build_game(
        settings=chosen,
        rows=(x, o),
        on_roll=_TURNS[turn_text],
        points=points,
        crawford_game=bool(length and rules),
        dice=dice,
        cube=cube,
        offer=offer,
    )
    if length == 1 and rules:
        notes = (*notes, "a match to one point has no Crawford game")
    return IdReading("xgid", game, (*rules_notes(game, ("jacoby", "beavers")), *notes))


def _board_text(game: Game) -> str:
    x, o = game.position_of(Player.X).player, game.position_of(Player.O).player
    letters = []
    for place in range(26):
        ours, theirs = x[place] if place else 0, o[25 - place] if place < 25 else 0
        letters.append(chr(64 + ours) if ours else chr(96 + theirs) if theirs else "-")
    return "".join(letters)


def _rows(board: str, checkers: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not _BOARD.fullmatch(board):
        raise IdError(f"the board has 26 characters, letters and '-', not {len(board)}")
    x, o = [0] * 26, [0] * 26
    for place, letter in enumerate(board):
        if "A" <= letter <= "Z":
            x[place] = ord(letter) - 64
        elif letter != "-":
            o[25 - place] = ord(letter) - 96
    if x[0]:
        raise IdError("the first character of the board is O's bar, and X stands there")
    if o[0]:
        raise IdError("the last character of the board is X's bar, and O stands there")
    return full_row(x, checkers, Player.X), full_row(o, checkers, Player.O)


def _dice(text: str) -> tuple[Roll | None, Offer | None]:
    if text == "00":
        return None, None
    if text in ("D", "DD", "B", "BB", "R", "RR"):
        return None, _OFFERS[text[0]]
    if len(text) == 2 and all(die in "123456" for die in text):
        return Roll(int(text[0]), int(text[1])), None
    raise IdError(f"the dice are {text[:20]!r} instead of two dice, 00, D, B or R")


def _highest(text: str | None, cube: Cube) -> tuple[int | None, tuple[str, ...]]:
    """The limit of the cube, and the notes about it."""
    if text is None:
        return None, ("does not say how high the cube may go: read as no limit",)
    highest = number(text, "the highest exponent of the cube", 99)
    if highest == 0:
        return None, ("0 for the highest cube: read as no limit (GNU Backgammon means no cube by it)",)
    if highest == _USUAL_HIGHEST:
        return None, ()
    if highest > _HIGHEST:
        return None, (f"{highest} for the highest cube, which no cube comes to: read as no limit",)
    if cube.value > 1 << highest:
        raise IdError(f"the cube shows {cube.value} and may not go beyond {1 << highest}")
    return 1 << highest, ()


def matches(text: str) -> bool:
    """True if this looks like an XGID."""
    return text[: len(_PREFIX)].upper() == _PREFIX or bool(re.match(r"[-A-Za-z]{26}:", text))


XGID = IdFormat("xgid", "XGID of eXtreme Gammon", matches, read_xgid, xgid)
