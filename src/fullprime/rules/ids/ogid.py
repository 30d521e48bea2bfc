"""OpenGammon's position identifier.

``white:black:cube[:dice[:colour[:state[:score W[:score B[:length[:move[:checkers]]]]]]]]``. One character for each
checker, ``0`` to ``9`` and ``a`` to ``p`` for 0 to 25, in one absolute frame: white's bar is 0, black's is 25. White is
our O, black our X. Programs disagree on the colour: OpenGammon means the side that moved last, others the side to
move. An ID with a move number is read in the first way, one without in the second; ``last_mover`` overrides that.
"""

from __future__ import annotations

import re
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
    exponent_of,
    full_row,
    need_no_hand,
    number,
    pending_offer,
    rules_notes,
    settings_from,
    to_written_id,
)
from fullprime.rules.position import OFF
from fullprime.rules.score import SINGLE, Player, Result, Settings
from fullprime.rules.variants.standard import BACKGAMMON, HYPERGAMMON

TITLE = "an OGID"
_DIGITS = "0123456789abcdefghijklmnop"
_LOOK = re.compile(r"[0-9a-p]*:[0-9a-p]*:[BWND?][0-9]+[OTPN](:|$)")
_CUBE = re.compile(r"([BWND?])([0-9]{1,2})([OTPN])")
_LENGTH = re.compile(r"([0-9]*)([LCG]?)([0-9]*)")
_COLOURS = {"W": Player.O, "B": Player.X}
_LARGEST = 99_999


def ogid(game: Game) -> WrittenId:
    """The OGID of a game, with the side to move as its colour; raises IdError for checkers in hand."""
    need_no_hand(game, TITLE)
    settings, cube, score = game.settings, cube_before_offer(game), game.score
    x, o = game.position_of(Player.X).player, game.position_of(Player.O).player
    black = "".join(_DIGITS[place] * x[place] for place in range(1, 26))
    white = "".join(_DIGITS[place] * o[25 - place] for place in range(25))
    owner = "N" if cube.owner is None else _colour(cube.owner)
    passed = game.result is not None and game.result.how == "drop"
    action = "O" if pending_offer(game) else "P" if passed else "N"
    points = score.points if settings.is_match or max(score.points) <= _LARGEST else (0, 0)
    stage = "C" if score.crawford_game else "L" if score.post_crawford else ""
    checkers = settings.variant.checkers
    fields = [
        white,
        black,
        f"{owner}{exponent_of(cube.value, 30, TITLE)}{action}",
        str(game.dice or ""),
        _colour(game.on_roll),
        f"I{_colour(game.on_roll)}" if game.phase is Phase.OPENING_ROLL else "",
        str(points[Player.O]),
        str(points[Player.X]),
        f"{settings.length}{stage}",
        "",
    ]
    if checkers != 15:
        fields.append(str(checkers))
    return to_written_id(":".join(fields), game, read_ogid)


def read_ogid(text: str, settings: Settings | None = None, *, last_mover: bool | None = None) -> IdReading:
    """Read an OGID. ``last_mover``: True if its colour is the side that moved last; None to tell by the move number."""
    fields = text.split(":")
    if not 3 <= len(fields) <= 11:
        raise IdError(f"an OGID has 3 to 11 fields with ':' between them, not {len(fields)}")
    white, black, cube_text, dice, colour, state, w_score, b_score, length_text, move, count = (
        *fields,
        *[""] * (11 - len(fields)),
    )
    notes: list[str] = []
    base = _base(settings, count)
    length, stage = _length(length_text, notes)
    if stage and base is not None and not base.crawford:
        base = replace(base, crawford=True)
    if move:
        number(move, "the number of the move", 999_999)
    cube, action = _cube(cube_text, notes)
    on_roll = _on_roll(colour, action, bool(move) if last_mover is None else last_mover, notes)
    _check_state(state, notes)
    chosen = settings_from(base, length)
    checkers = chosen.variant.checkers
    game = build_game(
        settings=chosen,
        rows=(_row(black, checkers, Player.X), _row(white, checkers, Player.O)),
        on_roll=on_roll,
        points=(_score(b_score, "black's score"), _score(w_score, "white's score")),
        crawford_game=stage == "C",
        dice=Roll.from_text(dice) if dice else None,
        cube=cube,
        offer="double" if action == "O" else None,
        opening=state in ("IW", "IB"),
    )
    if action == "P":
        game = _pass_turn(game)
    stated = ["variant"] if count and chosen.variant != BACKGAMMON else []
    stated += ["crawford"] if stage else []
    return IdReading("ogid", game, (*rules_notes(game, stated), *notes))


def _base(settings: Settings | None, count: str) -> Settings | None:
    """The settings for the number of checkers that the ID names: without any given, three mean hypergammon."""
    if not count:
        return settings
    checkers = number(count, "the number of checkers a side", 15, 1)
    if settings is None and checkers == HYPERGAMMON.checkers:
        return Settings(variant=HYPERGAMMON)
    variant = (settings or Settings()).variant
    if checkers != variant.checkers:
        raise IdError(f"{variant.title} is played with {variant.checkers} checkers a side, not {checkers}")
    return settings


def _length(text: str, notes: list[str]) -> tuple[int, str]:
    """The length of the match, and C for the Crawford game, L for one after it."""
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise IdError(f"the length of the match is {text[:20]!r} instead of a number with C, L or nothing")
    length = number(match[1], "the length of the match", 10_000) if match[1] else 0
    if match[2] == "G" or match[3]:
        notes.append(f"{match[2] + match[3]!r} after the length of the match is not read")
    stage = "" if match[2] == "G" else match[2]
    if stage and not length:
        raise IdError("money play has no Crawford game")
    return length, stage


def _cube(text: str, notes: list[str]) -> tuple[Cube, str]:
    match = _CUBE.fullmatch(text)
    if match is None:
        raise IdError(f"the cube is {text[:20]!r} instead of its owner (W, B or N), its exponent and N, O, T or P")
    value = 1 << number(match[2], "the cube's exponent", 30)
    if match[1] in "D?":
        if value > 1:
            raise IdError(f"nobody knows who owns the cube of {value}: {text!r}")
        notes.append(f"{match[1]!r} for the owner of the cube: read as in the middle")
    return Cube(value, _COLOURS.get(match[1])), match[3]


def _on_roll(colour: str, action: str, last_mover: bool, notes: list[str]) -> Player:
    """The player on roll; while a double waits for its answer that is the doubler, who was also the last to act."""
    if not colour:
        notes.append("does not say who is on roll: read as X")
        return Player.X
    if colour not in _COLOURS:
        raise IdError(f"the colour is {colour[:20]!r} instead of W or B")
    if action == "O" or not last_mover:
        return _COLOURS[colour]
    notes.append("has the number of a move: its colour is read as the side that moved last")
    return _COLOURS[colour].other


def _check_state(state: str, notes: list[str]) -> None:
    if not re.fullmatch(r"[A-Z0-9]{0,4}", state):
        raise IdError(f"the state is {state[:20]!r} instead of a few capitals")
    if state and state not in ("IW", "IB"):
        notes.append(f"state {state!r} is not read")


def _pass_turn(game: Game) -> Game:
    """The game is over: the side that is not on roll has passed a double."""
    if game.phase is Phase.OVER or game.dice is not None:
        raise IdError("a double has been passed, but the board or the dice say otherwise")
    return replace(game, phase=Phase.OVER, result=Result(game.on_roll, game.stake_value, SINGLE, "drop"))


def _row(text: str, checkers: int, player: Player) -> tuple[int, ...]:
    """One side's counts in its own numbering, from its places in the common frame."""
    counts = [0] * 26
    if len(text) > checkers:
        raise IdError(f"{player.name} has {len(text)} checkers instead of {checkers}")
    for letter in text:
        place = _DIGITS.find(letter)
        own = place if player is Player.X else 25 - place
        if place < 0 or own == OFF:
            raise IdError(f"{letter!r} is no place for a checker of {player.name}")
        counts[own] += 1
    return full_row(counts, checkers, player)


def _score(text: str, name: str) -> int:
    return number(text, name, _LARGEST) if text else 0


def _colour(player: Player) -> str:
    return "W" if player is Player.O else "B"


def matches(text: str) -> bool:
    """True if this looks like an OGID."""
    return bool(_LOOK.match(text))


OGID = IdFormat("ogid", "OGID of OpenGammon", matches, read_ogid, ogid)
