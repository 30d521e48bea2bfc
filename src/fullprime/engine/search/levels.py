"""Playing strengths by name, from beginner to strongest.

A level sets the plies of look-ahead, the number of plays taken further at each ply, and the misjudgement. The weak
levels see everything the nets see, but their view of each position is off by a fixed amount, drawn by the position
itself: like a person they are wrong about the same position in the same way every time, and a game can be played
again. They err more where people do (``engine.search.level_noise``). ``docs/engine.md`` has the measured strengths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from fullprime.common.json_values import JsonFields, json_names
from fullprime.rules.errors import FullprimeError
from fullprime.rules.taking import short_value


class LevelError(FullprimeError):
    """A level that does not exist."""


@dataclass(frozen=True, slots=True)
class Sieve:
    """The plays that are looked at one ply further: the best ``most``, none farther than ``near`` from the best."""

    most: int
    near: float


class DeepeningStep(NamedTuple):
    """One step of deepening: its plies, the sieve of the plays that take it, and whether it needs several plays."""

    depth: int
    sieve: Sieve
    several: bool = False


@dataclass(frozen=True, slots=True)
class Deepening:
    """How far the plays of a roll are looked at: see ``engine.search.deepening``.

    Every play is judged statically, by the wide nets with ``joint``, and off by ``noise``; then come the ``steps``. The
    best ``same_depth`` plays pass every sieve, so that they are all looked at equally far.
    """

    steps: tuple[DeepeningStep, ...] = ()
    joint: bool = False
    noise: float = 0.0
    same_depth: int = 1


@dataclass(frozen=True, slots=True)
class Roller:
    """Rollouts behind the look-ahead of a level: see ``engine.rollouts.adaptive_rollout``."""

    trials: int
    """The most that a candidate gets."""
    first: int = 1
    """Groups of 36 trials in the first round; every further round doubles the trials."""
    least_gain: float = 0.00007
    """Trials go on while they are expected to gain more equity than this by changing the choice, in points."""
    cut: int | None = 5
    """Plies after which a trial ends with the judgement of the wide nets; None for none."""
    opening: tuple[int, ...] = (2, 1)
    """Look-ahead behind the plays and the cube decisions of the first plies of a trial; later ones are static."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Level:
    """One playing strength. ``sieves[k]`` chooses the plays that go from k plies to k + 1.

    Where the level's last ply leaves several plays too close to tell apart, those that pass ``close`` are looked at one
    ply further; not in games of whole turns.
    """

    __json__: ClassVar[JsonFields] = json_names("name", "ply", "noise", "about")

    name: str
    """The name, as ``--level`` and ``--bot`` take it."""
    ply: int
    """The number of plies it looks ahead."""
    sieves: tuple[Sieve, ...] = ()
    noise: float = 0.0
    """Standard deviation of the misjudgement of an ordinary middle game, in points of equity."""
    about: str = ""
    """The strength in words."""
    close: Sieve | None = None
    joint: bool = False
    """Without look-ahead: the mean of the wide nets decides, not the usual nets alone."""
    roller: Roller | None = None
    """Rollouts of what the look-ahead leaves unsettled; None for none."""

    def __post_init__(self) -> None:
        if len(self.sieves) != self.ply:
            raise LevelError(f"level {self.name}: {self.ply} plies need as many sieves, not {len(self.sieves)}")

    def __str__(self) -> str:
        return self.name

    def deepening(self, *, whole_turns: bool, same_depth: int = 1) -> Deepening:
        """How far plays are looked at; in games of whole turns close ones no further than others."""
        steps = [DeepeningStep(depth, sieve) for depth, sieve in enumerate(self.sieves, start=1)]
        if self.close is not None and not whole_turns:
            steps.append(DeepeningStep(self.ply + 1, self.close, several=True))
        return Deepening(tuple(steps), self.joint, self.noise, same_depth)


def ply_word(depth: int) -> str:
    """The word for a depth beside a number.

    >>> ply_word(0), ply_word(2)
    ('0-ply (static)', '2-ply')
    """
    return "0-ply (static)" if depth == 0 else f"{depth}-ply"


def depth_word(depth: int, trials: int = 0) -> str:
    """The words for a depth and the trials joined with it.

    >>> depth_word(3, 216)
    '3-ply, 216 trials'
    """
    return f"{ply_word(depth)}, {trials:,} trials" if trials else ply_word(depth)


_FIRST, _SECOND, _THIRD = Sieve(8, 0.16), Sieve(4, 0.08), Sieve(3, 0.05)

LEVELS: dict[str, Level] = {
    level.name: level
    for level in (
        Level("beginner", 0, noise=0.106, about="knows the rules and little more"),
        Level("casual", 0, noise=0.0887, about="plays now and then"),
        Level("intermediate", 0, noise=0.081, about="a club player"),
        Level("advanced", 0, noise=0.0695, about="a good club player"),
        Level("seasoned", 0, noise=0.0588, about="the best of many a club"),
        Level("expert", 0, noise=0.046, about="a tournament player"),
        Level("master", 0, noise=0.0339, about="wins tournaments"),
        Level("champion", 0, noise=0.026, about="plays like the best people"),
        Level("fast", 0, about="the usual nets alone, without looking ahead"),
        Level("0-ply", 0, about="the judgement of the best nets, without looking ahead", joint=True),
        Level("1-ply", 1, (Sieve(5, 0.10),), about="every answer; one ply more for close plays", close=Sieve(2, 0.012)),
        Level("2-ply", 2, (_FIRST, _SECOND), about="every answer, and every answer to it"),
        Level("3-ply", 3, (_FIRST, _SECOND, _THIRD), about="one ply more; for analysis"),
        Level(
            "roller",
            3,
            (_FIRST, _SECOND, _THIRD),
            about="3-ply joined with rollouts, as many trials as a decision needs",
            roller=Roller(trials=288),
        ),
        Level(
            "roller+",
            3,
            (_FIRST, _SECOND, _THIRD),
            about="the same with more trials, cut later",
            roller=Roller(trials=1152, least_gain=0.00003, cut=7),
        ),
    )
}
"""All levels, the weakest first. A new one stands in ``play.options.strengths`` and ``play.options.opponents`` (with a
face), in ``cli.values`` and in docs/engine.md, too.
"""

DEFAULT = "2-ply"

_WORDS = {"static": "0-ply", "strongest": "roller+"}


def level_named(name: str | Level) -> Level:
    """The level of that name; ``0``, ``0ply`` and ``static`` are understood. Raises LevelError.

    >>> level_named("1ply").name
    '1-ply'
    """
    if isinstance(name, Level):
        return name
    if not isinstance(name, str):
        raise LevelError(f"there is no level {short_value(name)!r:.60}; there are {', '.join(LEVELS)}")
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    key = _WORDS.get(key, key)
    if key not in LEVELS and key.removesuffix("ply").rstrip("-") in "0123":
        key = f"{key[:1]}-ply"
    if key not in LEVELS:
        raise LevelError(f"there is no level {name[:40]!r}; there are {', '.join(LEVELS)}")
    return LEVELS[key]
