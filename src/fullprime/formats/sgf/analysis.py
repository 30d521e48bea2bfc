"""The analysis properties that GNU Backgammon writes into its SGF files: ``A``, ``DA``, ``LU``."""

from __future__ import annotations

import math
import re

from fullprime.formats.analysis import CandidatePlay, Chances, CubeAnalysis, PlayAnalysis
from fullprime.formats.recording import walk
from fullprime.rules.game import Game
from fullprime.rules.score import Player

_PLIES = re.compile(r"(\d{1,2})(C?)$")


def read_point(letter: str, player: Player) -> int | None:
    """The player's own number of a point; letters are White's (O's) points, ``y`` the bar, ``z`` off, for both."""
    if letter == "y":
        return 25
    if letter == "z":
        return 0
    if not "a" <= letter <= "x":
        return None
    index = ord(letter) - ord("a")
    return index + 1 if player is Player.O else 24 - index


def hops_of(letters: str, player: Player) -> tuple[walk.Hop, ...] | None:
    """The moves that pairs of letters mean; None when they are no moves."""
    if len(letters) % 2 or len(letters) > 8:
        return None
    hops = []
    for i in range(0, len(letters), 2):
        source, target = read_point(letters[i], player), read_point(letters[i + 1], player)
        if source is None or target is None:
            return None
        hops.append((source, target))
    return tuple(hops)


def number(text: str) -> float | None:
    """A finite number, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _numbers(words: list[str]) -> list[float] | None:
    numbers = [number(word) for word in words]
    return None if None in numbers else [value for value in numbers if value is not None]


def _chances(values: list[float]) -> Chances:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = values[:5]
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


def _level(words: list[str]) -> str:
    for word in words:
        if plies := _PLIES.match(word):
            return f"{plies[1]}-ply{' cubeful' if plies[2] else ''}"
    return ""


def _numbers_after(words: list[str], name: str, count: int) -> list[float] | None:
    """``count`` numbers after the word ``name``; None where they are missing."""
    if name not in words:
        return None
    at = words.index(name) + 1
    values = _numbers(words[at : at + count])
    return values if values is not None and len(values) == count else None


def play_analysis(values: list[str], game: Game, player: Player) -> PlayAnalysis | None:
    """The candidates of an ``A`` property for the roll of this game; None when it holds none."""
    if not values:
        return None
    played: int | None = None
    candidates = []
    if re.fullmatch(r"\d{1,4}", values[0].strip()):
        played = int(values[0].strip())
        values = values[1:]
    for value in values:
        words = value.split()
        if len(words) < 3:
            continue
        candidate = _candidate(words, game, player)
        if candidate is not None:
            candidates.append(candidate)
    if played is not None and played >= len(candidates):
        played = None
    return PlayAnalysis(tuple(candidates), played) if candidates else None


def _candidate(words: list[str], game: Game, player: Player) -> CandidatePlay | None:
    if words[0] in ("E", "X"):
        words = ["", *words]  # A dance has no letters.
    hops = hops_of(words[0], player)
    play = walk.find_play(game, hops) if hops is not None else None
    moves = play.moves if play is not None else None
    text = " ".join(map(str, moves)) if moves is not None else words[0]
    kind, rest = words[1], words[2:]
    if rest[:1] == ["ver"]:
        rest = rest[2:]
    if kind == "E":
        values = _numbers(rest[:6])
        if values is None or len(values) != 6:
            return CandidatePlay(moves, text, None)
        return CandidatePlay(moves, text, values[5], _chances(values), _level(rest[6:]))
    score = _numbers_after(rest, "Score", 1)
    output = _numbers_after(rest, "Output", 7)
    spread = _numbers_after(rest, "StdDev", 7)
    trials = _numbers_after(rest, "Trials", 1)
    return CandidatePlay(
        moves,
        text,
        score[0] if score else None,
        _chances(output) if output else None,
        f"rollout {int(trials[0])}" if trials else "rollout",
        spread[6] if spread else None,
    )


def cube_analysis(value: str, is_match: bool) -> CubeAnalysis | None:
    """The cube analysis of a ``DA`` property; None when it cannot be read."""
    words = value.split()
    if not words:
        return None
    kind, rest = words[0], words[1:]
    if rest[:1] == ["ver"]:
        rest = rest[2:]
    unit, drop = ("mwc", None) if is_match else ("points", 1.0)
    if kind == "E":
        values = _numbers(rest[-14:])
        if values is None or len(values) != 14:
            return None
        no_double, take = values[:7], values[7:]
        level = _level(rest[:1])
        return CubeAnalysis(no_double[6], take[6], drop, _chances(no_double), _chances(take), no_double[5], level, unit)
    first = rest.index("NoDouble") if "NoDouble" in rest else len(rest)
    second = rest.index("DoubleTake") if "DoubleTake" in rest else len(rest)
    stay, taken = _numbers_after(rest[first:], "Output", 7), _numbers_after(rest[second:], "Output", 7)
    if stay is None or taken is None:
        return None
    trials = _numbers_after(rest, "Trials", 1)
    level = f"rollout {int(trials[0])}" if trials else "rollout"
    spread = _numbers_after(rest[first:second], "StdDev", 7)
    return CubeAnalysis(
        stay[6], taken[6], drop, _chances(stay), _chances(taken), stay[5], level, unit, spread[6] if spread else None
    )
