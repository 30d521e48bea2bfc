"""Written plays made on a board by the rules; every reader of matches needs this about 300 times a file.

``Game.legal_plays`` lists every play; here the play is known already. The written play is cut into single moves by the
dice, on any board; ``rules.plays.make_moves`` makes them, and only a play that uses fewer dice than
were thrown is checked for more dice that it had to use.

The result is canonical: plays that lead to the same board are the same moves, in any order or grouping that the file
wrote. Higher sources come first; a checker that uses both dice plays the larger one first unless that changes the
board. The order of moves is that of games in which a checker on the bar enters first and nothing starts in hand.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise

from fullprime.rules.game import Game
from fullprime.rules.plays import Play, make_moves
from fullprime.rules.position import BAR, OFF, Position

Hop = tuple[int, int]
"""From a point (25: the bar) to a point (0: off), possibly with several dice."""
Step = tuple[int, int]
"""Source and die of one checker move."""

PLACE = r"(?:bar|off|out|b|o|\d{1,2})"
_TOKEN = re.compile(rf"\(?({PLACE}(?:\*?[/\-]{PLACE})+)\*?(?:\((\d)\))?\*?[.!?]*\)?", re.IGNORECASE)
"""A move, with the marks that annotators write behind it."""
_SEPARATORS = re.compile(r"[\s,;]+")
_WIDE_STROKE = re.compile(rf"\s+/\s*+(?!{PLACE}\*?/)|(?<=[^\s/])/\s+", re.IGNORECASE)
_WORDS = {"bar": BAR, "b": BAR, "off": OFF, "out": OFF, "o": OFF}


@lru_cache(maxsize=1 << 15)
def hops(text: str) -> tuple[Hop, ...] | None:
    """The moves of a written play, or None when the text is no play.

    Understands ``13/7*``, ``bar/24``, ``6/off(2)``, ``5/4*(4)``, ``13/7*/5``, ``13-7``, commas, ``25/20``, ``5/0``.
    A die that no checker is left for may stand as ``0/0``.

    >>> hops("bar/24* 13/7*/5, 6/off(2)")
    ((25, 24), (13, 7), (7, 5), (6, 0), (6, 0))
    """
    moves: list[Hop] = []
    for token in _SEPARATORS.split(_WIDE_STROKE.sub("/", text.strip())):
        if token in ("", "/"):
            continue
        match = _TOKEN.fullmatch(token)
        if match is None:
            return None
        places = [_place(word) for word in re.split(r"[/\-]", match[1].replace("*", ""))]
        if any(place > BAR for place in places):
            return None
        steps = [step for step in pairwise(places) if step != (OFF, OFF)]
        for _ in range(int(match[2] or 1)):
            moves.extend(steps)
        if len(moves) > 8:
            return None
    return tuple(moves)


_SIGNS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u2044\u2215\uff0f", "/")
    | {
        "\N{MULTIPLICATION SIGN}": "x",
        "\u2217": "*",
        "\uff0a": "*",
        "\uff1a": ":",
        **dict.fromkeys("\u2192\u21d2\u2794\u279c\u27a1", ">"),
    }
)
_TIMES = re.compile(r"(?<=[\w*])\s?x\s?(\d)(?![\d/-])|\s{1,3}(?=\(\d\))", re.IGNORECASE)
_BRACKETED = re.compile(r"\s?\((?:x\s?)?(\d)\s?x?\)(?=(\w)?)", re.IGNORECASE)
"""How often a move is made, in brackets, and what follows without a blank."""
_ARROW = re.compile(r"(?<=\w)\s?-{0,2}>\s?(?=\w)")
_MARKED = re.compile(r"(?<=\d)x(?=[\s,;/]|$)", re.IGNORECASE)


def plain_signs(text: str) -> str:
    """The text with the signs of a keyboard for those of a printer: dashes, strokes, stars, colons."""
    return text if text.isascii() else text.translate(_SIGNS)


def plain_play(text: str) -> str:
    """A play as programs write it, where a person wrote ``8/5 x2``, ``8/5 (2)``, ``13/7x``.

    >>> plain_play("13\N{EN DASH}7x 8/5 x2")
    '13-7* 8/5(2)'
    """
    text = _TIMES.sub(lambda match: f"({match[1]})" if match[1] else "", plain_signs(text))
    if "(" in text:
        text = _BRACKETED.sub(lambda match: f"({match[1]}) " if match[2] else f"({match[1]})", text)
    return _ARROW.sub("/", _MARKED.sub("*", text))


def read_moves_of_no_play(text: str) -> tuple[tuple[Hop, ...], list[str]]:
    """The moves that can be read in a text that is no play, and the words that cannot."""
    readable: list[Hop] = []
    strange: list[str] = []
    for token in _SEPARATORS.split(text.strip()):
        moves = hops(token)
        if moves is None or len(readable) + len(moves) > 8:
            strange.append(token)
        else:
            readable.extend(moves)
    return tuple(readable), strange


def turn_downwards(moves: tuple[Hop, ...]) -> tuple[Hop, ...]:
    """The moves in the mover's own numbering, whichever way the file counts (FIBS counts one side upwards)."""
    if not any(_climbs(*hop) for hop in moves):
        return moves
    return tuple(
        (source if source in (OFF, BAR) else 25 - source, target if target in (OFF, BAR) else 25 - target)
        for source, target in moves
    )


def _climbs(source: int, target: int) -> bool:
    if source == BAR:
        return 0 < target < 7
    return source > 18 if target == OFF else 0 < source < target


def _place(word: str) -> int:
    place = _WORDS.get(word.lower())
    return int(word) if place is None else place


@lru_cache(maxsize=1 << 15)
def list_readings(moves: tuple[Hop, ...], high: int, low: int) -> tuple[tuple[Step, ...], ...]:
    """The ways in which written moves may use two dice, on any board; the canonical ones first."""
    if any(not (0 < source <= BAR and 0 <= target < BAR) for source, target in moves):
        return ()
    if high == low:
        steps = [step for source, target in moves for step in _units(source, target, high)]
        return (tuple(sorted(steps, reverse=True)),) if len(steps) <= 4 and _covers(moves, high) else ()
    if len(moves) == 1:
        return _one_hop(*moves[0], high, low)
    if len(moves) != 2:
        return ((),) if not moves else ()
    first, second = sorted(moves, reverse=True)
    if first[1] == second[0]:
        # One checker through a point in between, or two checkers: the board is the same.
        return tuple(route for route in _routes(first[0], second[1], high, low) if route[1][0] == first[1])
    return tuple(
        ((first[0], one), (second[0], other))
        for one, other in ((high, low), (low, high))
        if _fits(*first, one) and _fits(*second, other)
    )


def _one_hop(source: int, target: int, high: int, low: int) -> tuple[tuple[Step, ...], ...]:
    single = tuple(((source, die),) for die in (high, low) if _fits(source, target, die))
    return single + _routes(source, target, high, low)


def _routes(source: int, target: int, high: int, low: int) -> tuple[tuple[Step, Step], ...]:
    return tuple(
        ((source, one), (source - one, other))
        for one, other in ((high, low), (low, high))
        if source - one > OFF and _fits(source - one, target, other)
    )


def _fits(source: int, target: int, die: int) -> bool:
    return source - target == die or (target == OFF and 0 < source <= die)


def _units(source: int, target: int, die: int) -> list[Step]:
    steps = []
    while source > target:
        steps.append((source, die))
        source = max(source - die, OFF)
        if len(steps) > 4:
            break
    return steps


def _covers(moves: tuple[Hop, ...], die: int) -> bool:
    return all(source > target and (target == OFF or (source - target) % die == 0) for source, target in moves)


def find_play(game: Game, moves: tuple[Hop, ...], marked: bool = False) -> Play | None:
    """The legal play of the roll that the written moves mean; None when the rules do not allow it.

    ``marked`` says that the file marks a hit: it decides between two ways for one checker of which only one hits.
    """
    dice = game.dice
    if dice is None:
        return None
    position, variant = game.position, game.settings.variant
    best: tuple[tuple[bool, int], Play] | None = None
    possible = list_readings(moves, dice.high, dice.low)
    for steps in possible:
        play = make_moves(position, steps, variant)
        if play is None or (len(steps) < len(dice.dice) and not game.roll_plays.allows(play.moves)):
            continue
        if len(possible) == 1:
            return _larger_first(game, play)
        # Of two ways that both can be made, take the one whose hits are those the file marks, then the canonical one.
        hits = sum(move.hit for move in play.moves)
        key = bool(hits) != marked, hits
        if best is None or key < best[0]:
            best = key, play
    return None if best is None else _larger_first(game, best[1])


def _larger_first(game: Game, play: Play) -> Play:
    """The same play, its larger die first, when one checker uses both dice and the board stays the same."""
    moves = play.moves
    if len(moves) != 2 or moves[0].target != moves[1].source or moves[0].die >= moves[1].die:
        return play
    for route in _routes(moves[0].source, moves[1].target, moves[1].die, moves[0].die)[:1]:
        other = make_moves(game.position, route, game.settings.variant)
        if other is not None and other.after == play.after:
            return other
    return play


def with_bear_offs(game: Game, moves: tuple[Hop, ...]) -> Play | None:
    """The only legal play of the written moves and of as many bear-offs as there can be; None when there is a choice.

    Servers that bear off by themselves do not always write that down.
    """
    assert game.dice is not None
    places = [place for place in range(1, 7) if game.position.player[place]]
    for count in range(len(game.dice.dice) - len(moves), 0, -1):
        completed = (
            find_play(game, (*moves, *((source, OFF) for source in sources)))
            for sources in combinations_with_replacement(places, count)
        )
        plays = {play.after: play for play in completed if play is not None}
        if plays:
            return next(iter(plays.values())) if len(plays) == 1 else None
    return None


def force_moves(position: Position, moves: tuple[Hop, ...]) -> tuple[Position, tuple[Hop, ...]]:
    """The board after moves that the rules do not allow, as far as checkers can be moved, and the moves left out."""
    own, other, left_out = list(position.player), list(position.opponent), []
    for source, target in moves:
        if not (0 < source <= BAR and 0 <= target <= BAR):
            left_out.append((source, target))
            continue
        if not own[source] or (target not in (OFF, BAR) and other[25 - target] > 1):
            left_out.append((source, target))
            continue
        own[source] -= 1
        own[target] += 1
        if target not in (OFF, BAR) and other[25 - target] == 1:
            other[25 - target] = 0
            other[BAR] += 1
    return Position(tuple(own), tuple(other)), tuple(left_out)
