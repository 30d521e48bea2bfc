"""Fullprime: backgammon, complete. ``import fullprime as fp`` is all that a first day needs.

The values, which print as players read them and never change::

    fp.Position   a board                 fp.Position.start().plays("31")
    fp.Game       a game at one moment    fp.Game.new().opening(3, 1).play("8/5 6/5")
    fp.Match      games and a score       fp.Match.new(7).opening(3, 1)
    fp.Settings   what is played for      fp.Settings(length=7, variant="nackgammon")
    fp.Variant    the rules of a game     fp.variants["dutch"].with_options({"bar_priority": "no"})
    also Roll, Play, Action, Cube, Score, Player, Result

The engine, one for the whole process::

    fp.hint       the best plays, or what to do with the cube     print(fp.hint("XGID=…"))
    fp.evaluate   how good a position is                          fp.evaluate(position).equity
    fp.rollout    played out many times, with errors              print(fp.rollout("XGID=…", trials=324))
    fp.play_match two bots against each other                     print(fp.play_match("1-ply", "heuristic"))
    fp.duel       who is stronger, without the luck of the dice   print(fp.duel("0-ply", "heuristic", games=100))
    fp.train      a net of one's own                              fp.train(seconds=60)
    also Engine, Ranking, CubeDecision, Evaluation, Rollout, Review

Files and pictures::

    fp.read       every match of a file or folder      fp.read("match.xg")[0].match
    fp.write      a match into a file                  fp.write(match, "match.mat")
    fp.convert    a position as another identifier     fp.convert("XGID=…", "gnuid")
    fp.draw       a board with arrows, SVG or PNG      fp.draw("XGID=…", "board.png", plays="8/5 6/5")
    fp.review     what the engine says of a match      print(fp.review("match.xg")[0])
    fp.Library    matches kept and searched            fp.Library().search("6:2+ * / 24:2 *")
    fp.connect    a running server, as a player        fp.connect("http://127.0.0.1:8000", token)
    fp.connect_async, the same for asyncio

Whatever takes a roll, a play, a position, a level or a variant takes the value, or what people write for it; every
error of ours is a ``fp.FullprimeError`` whose message says what was wrong. Importing this loads nothing: each name is
loaded when it is first used. ``docs/first-hour-python.md`` is a tour.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fullprime.version import __version__

if TYPE_CHECKING:
    from fullprime.analysis.review import Review
    from fullprime.client import connect, connect_async
    from fullprime.engine.cube.action import CubeDecision
    from fullprime.engine.engine import Engine
    from fullprime.engine.rollouts.result import Rollout
    from fullprime.engine.search.results import Evaluation, Ranking
    from fullprime.front.asking import duel, evaluate, hint, rollout
    from fullprime.front.files import convert, read, write
    from fullprime.front.library import Library
    from fullprime.front.pictures import draw
    from fullprime.front.playing import play_match
    from fullprime.front.reviewing import review
    from fullprime.front.training import train
    from fullprime.rules.actions import Action
    from fullprime.rules.cube import Cube
    from fullprime.rules.dice import Roll
    from fullprime.rules.errors import FullprimeError
    from fullprime.rules.game import Game
    from fullprime.rules.plays import Play
    from fullprime.rules.position import Position
    from fullprime.rules.record import Match
    from fullprime.rules.score import Player, Result, Score, Settings
    from fullprime.rules.variants import VARIANTS as variants  # noqa: N811 - the word that users type
    from fullprime.rules.variants.variant import Variant

__all__ = [
    "Action",
    "Cube",
    "CubeDecision",
    "Engine",
    "Evaluation",
    "FullprimeError",
    "Game",
    "Library",
    "Match",
    "Play",
    "Player",
    "Position",
    "Ranking",
    "Result",
    "Review",
    "Roll",
    "Rollout",
    "Score",
    "Settings",
    "Variant",
    "__version__",
    "connect",
    "connect_async",
    "convert",
    "draw",
    "duel",
    "evaluate",
    "hint",
    "play_match",
    "read",
    "review",
    "rollout",
    "train",
    "variants",
    "write",
]

_VALUES = {
    "fullprime.rules.actions": ("Action", "ActionKind"),
    "fullprime.rules.cube": ("Cube",),
    "fullprime.rules.dice": ("Roll",),
    "fullprime.rules.errors": ("FullprimeError",),
    "fullprime.rules.game": ("Game", "Phase"),
    "fullprime.rules.plays": ("CheckerMove", "Play"),
    "fullprime.rules.position": ("Position",),
    "fullprime.rules.record": ("GameRecord", "Match", "Setup"),
    "fullprime.rules.score": ("Player", "Result", "Score", "Settings"),
    "fullprime.rules.variants.variant": (
        "Backgammon",
        "FollowUp",
        "HitLicence",
        "OpeningDice",
        "Settlement",
        "Variant",
    ),
}
"""The values of the rules and the words of their fields: ``eval(repr(value), vars(fullprime))`` is the value again."""

_LOADED_ALONE = {
    "CubeDecision": "fullprime.engine.cube.action",
    "Engine": "fullprime.engine.engine",
    "Evaluation": "fullprime.engine.search.results",
    "Library": "fullprime.front.library",
    "Ranking": "fullprime.engine.search.results",
    "Review": "fullprime.analysis.review",
    "Rollout": "fullprime.engine.rollouts.result",
    "connect": "fullprime.client",
    "connect_async": "fullprime.client",
    "convert": "fullprime.front.files",
    "draw": "fullprime.front.pictures",
    "duel": "fullprime.front.asking",
    "evaluate": "fullprime.front.asking",
    "hint": "fullprime.front.asking",
    "play_match": "fullprime.front.playing",
    "read": "fullprime.front.files",
    "review": "fullprime.front.reviewing",
    "rollout": "fullprime.front.asking",
    "train": "fullprime.front.training",
    "write": "fullprime.front.files",
}


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'fullprime' has no attribute {name!r}")
    names = globals()
    if "Position" not in names:
        for module, wanted in _VALUES.items():
            names.update({each: getattr(import_module(module), each) for each in wanted})
        names["variants"] = import_module("fullprime.rules.variants").VARIANTS
    if name in _LOADED_ALONE:
        names[name] = getattr(import_module(_LOADED_ALONE[name]), name)
    if name in names:
        return names[name]
    raise AttributeError(f"fullprime has no {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
