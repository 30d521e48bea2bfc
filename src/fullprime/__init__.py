"""Fullprime: backgammon, complete. ``import fullprime as fp`` is all that a first day needs.

The values, which print as players read them and never change::

    fp.Position   a board                 fp.Position.start().plays("31")
    fp.Game       a game at one moment    fp.Game.new().opening(3, 1).play("8/5 6/5")
    fp.Match      games and a score       fp.Match.new(7).opening(3, 1)
    fp.Settings   what is played for      fp.Settings(length=7, variant="nackgammon")
    fp.Variant    the rules of a game     fp.variants["dutch"].with_options({"bar_priority": "no"})
    also Roll, Play, CheckerMove, Action, ActionKind, Phase, Cube, Score, Player, Result, GameRecord, Setup, and the
    words of their fields: Backgammon, FollowUp, HitLicence, OpeningDice, Settlement

The engine, one for the whole process::

    fp.hint       the best plays, or what to do with the cube     print(fp.hint("XGID=…"))
    fp.evaluate   how good a position is                          fp.evaluate(position).equity
    fp.evaluate_many, the same for arrays of positions            fp.evaluate_many(array).equity
    fp.rollout    played out many times, with errors              print(fp.rollout("XGID=…", trials=324))
    fp.play_match two bots against each other                     print(fp.play_match("1-ply", "heuristic"))
    fp.duel       who is stronger, without the luck of the dice   print(fp.duel("0-ply", "heuristic", games=100))
    also Bot (what a player of one's own is), Engine, SearchLimits, StoppingRule (of a rollout), CubeContext, CubeOwner
    and the answers: Ranking, RankedPlay, CubeDecision, CubeAction, Reply, CubeAnswer, RaiseReply, Evaluation,
    Evaluations, Rollout, RolledPlay, DuelResult, Review, Reviews, Decision, ReviewedDecision

Files and pictures::

    fp.read       every match of a file or folder      fp.read("match.xg")[0].match
    fp.write      a match into a file                  fp.write(match, "match.mat")
    fp.convert    a position as another identifier     fp.convert("XGID=…", "gnuid")
    fp.draw       a board with arrows, SVG or PNG      fp.draw("XGID=…", "board.png", plays="8/5 6/5")
    fp.review     what the engine says of a match      print(fp.review("match.xg")[0])
    fp.Library    matches kept and searched            fp.Library().search("6:2+ * / 24:2 *")
    fp.connect    a running server, as a player        fp.connect("http://127.0.0.1:8000", token)
    fp.connect_async, the same for asyncio

Every error of ours is a ``fp.FullprimeError`` whose message says what was wrong. Of the rules: RulesError, and its
kinds PositionError, IllegalAction, IllegalPlay, SettingsError, NotationError, IdError. Of the engine: EngineError,
LevelError, NetError, EquityError, RolloutError, PlayerError, DuelError, ReviewError, ReviewLevelError. Of files and
servers: FormatError, FileError, StoreError, DiagramError, SvgError, ClientError. Where a library of an extra is not
installed: MissingExtra.

Whatever takes a roll, a play, a position, a level or a variant takes the value, or what people write for it. Importing
this loads nothing: each name is loaded when it is first used. ``docs/first-hour-python.md`` is a tour.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fullprime.version import __version__

if TYPE_CHECKING:
    from fullprime.analysis.diagrams import DiagramError
    from fullprime.client import ClientError, connect, connect_async
    from fullprime.db.errors import StoreError
    from fullprime.drawing.board import SvgError
    from fullprime.engine.bots.batch import PlayerError
    from fullprime.engine.cube.action import CubeAction, CubeAnswer, CubeDecision, RaiseReply, Reply
    from fullprime.engine.cube.equity import CubeContext, CubeOwner, EquityError
    from fullprime.engine.duel import DuelError, DuelResult
    from fullprime.engine.engine import Engine, EngineError, SearchLimits
    from fullprime.engine.nets.net import NetError
    from fullprime.engine.rollouts.result import RolledPlay, Rollout, RolloutError
    from fullprime.engine.rollouts.rollout import StoppingRule
    from fullprime.engine.search.batches import Evaluations
    from fullprime.engine.search.levels import LevelError
    from fullprime.engine.search.results import Evaluation, RankedPlay, Ranking
    from fullprime.formats.document import FormatError
    from fullprime.front.asking import duel, evaluate, evaluate_many, hint, rollout
    from fullprime.front.files import convert, read, write
    from fullprime.front.library import Library
    from fullprime.front.pictures import draw
    from fullprime.front.players import Bot
    from fullprime.front.playing import play_match
    from fullprime.front.reviewing import Reviews, review
    from fullprime.reviews.decision import Decision, ReviewError
    from fullprime.reviews.levels import ReviewLevelError
    from fullprime.reviews.matches.files import FileError
    from fullprime.reviews.review import Review
    from fullprime.reviews.reviewed_decision import ReviewedDecision
    from fullprime.rules.actions import Action, ActionKind
    from fullprime.rules.cube import Cube
    from fullprime.rules.dice import Roll
    from fullprime.rules.errors import (
        FullprimeError,
        IdError,
        IllegalAction,
        IllegalPlay,
        MissingExtra,
        NotationError,
        PositionError,
        RulesError,
        SettingsError,
    )
    from fullprime.rules.game import Game, Phase
    from fullprime.rules.plays import CheckerMove, Play
    from fullprime.rules.position import Position
    from fullprime.rules.record import GameRecord, Match, Setup
    from fullprime.rules.score import Player, Result, Score, Settings
    from fullprime.rules.variants import VARIANTS as variants  # noqa: N811 - the word that users type
    from fullprime.rules.variants.variant import Backgammon, FollowUp, HitLicence, OpeningDice, Settlement, Variant

__all__ = [
    "Action",
    "ActionKind",
    "Backgammon",
    "Bot",
    "CheckerMove",
    "ClientError",
    "Cube",
    "CubeAction",
    "CubeAnswer",
    "CubeContext",
    "CubeDecision",
    "CubeOwner",
    "Decision",
    "DiagramError",
    "DuelError",
    "DuelResult",
    "Engine",
    "EngineError",
    "EquityError",
    "Evaluation",
    "Evaluations",
    "FileError",
    "FollowUp",
    "FormatError",
    "FullprimeError",
    "Game",
    "GameRecord",
    "HitLicence",
    "IdError",
    "IllegalAction",
    "IllegalPlay",
    "LevelError",
    "Library",
    "Match",
    "MissingExtra",
    "NetError",
    "NotationError",
    "OpeningDice",
    "Phase",
    "Play",
    "Player",
    "PlayerError",
    "Position",
    "PositionError",
    "RaiseReply",
    "RankedPlay",
    "Ranking",
    "Reply",
    "Result",
    "Review",
    "ReviewError",
    "ReviewLevelError",
    "ReviewedDecision",
    "Reviews",
    "Roll",
    "RolledPlay",
    "Rollout",
    "RolloutError",
    "RulesError",
    "Score",
    "SearchLimits",
    "Settings",
    "SettingsError",
    "Settlement",
    "Setup",
    "StoppingRule",
    "StoreError",
    "SvgError",
    "Variant",
    "__version__",
    "connect",
    "connect_async",
    "convert",
    "draw",
    "duel",
    "evaluate",
    "evaluate_many",
    "hint",
    "play_match",
    "read",
    "review",
    "rollout",
    "variants",
    "write",
]

_VALUES = {
    "fullprime.rules.actions": ("Action", "ActionKind"),
    "fullprime.rules.cube": ("Cube",),
    "fullprime.rules.dice": ("Roll",),
    "fullprime.rules.errors": (
        "FullprimeError",
        "IdError",
        "IllegalAction",
        "IllegalPlay",
        "MissingExtra",
        "NotationError",
        "PositionError",
        "RulesError",
        "SettingsError",
    ),
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
"""The values of the rules, the words of their fields and the errors: they are loaded together, so that
``eval(repr(value), vars(fullprime))`` is the value again."""

_LOADED_ALONE = {
    name: module
    for module, names in {
        "fullprime.reviews.decision": ("Decision", "ReviewError"),
        "fullprime.reviews.reviewed_decision": ("ReviewedDecision",),
        "fullprime.reviews.levels": ("ReviewLevelError",),
        "fullprime.reviews.review": ("Review",),
        "fullprime.analysis.diagrams": ("DiagramError",),
        "fullprime.reviews.matches.files": ("FileError",),
        "fullprime.client": ("ClientError", "connect", "connect_async"),
        "fullprime.drawing.board": ("SvgError",),
        "fullprime.engine.bots.batch": ("PlayerError",),
        "fullprime.engine.cube.action": ("CubeAction", "CubeAnswer", "CubeDecision", "RaiseReply", "Reply"),
        "fullprime.engine.cube.equity": ("CubeContext", "CubeOwner", "EquityError"),
        "fullprime.engine.duel": ("DuelError", "DuelResult"),
        "fullprime.engine.engine": ("Engine", "EngineError", "SearchLimits"),
        "fullprime.engine.nets.net": ("NetError",),
        "fullprime.engine.rollouts.result": ("RolledPlay", "Rollout", "RolloutError"),
        "fullprime.engine.rollouts.rollout": ("StoppingRule",),
        "fullprime.engine.search.batches": ("Evaluations",),
        "fullprime.engine.search.levels": ("LevelError",),
        "fullprime.engine.search.results": ("Evaluation", "RankedPlay", "Ranking"),
        "fullprime.formats.document": ("FormatError",),
        "fullprime.front.asking": ("duel", "evaluate", "evaluate_many", "hint", "rollout"),
        "fullprime.front.files": ("convert", "read", "write"),
        "fullprime.front.library": ("Library",),
        "fullprime.front.pictures": ("draw",),
        "fullprime.front.players": ("Bot",),
        "fullprime.front.playing": ("play_match",),
        "fullprime.front.reviewing": ("Reviews", "review"),
        "fullprime.db.errors": ("StoreError",),
    }.items()
    for name in names
}


_ANSWERS = {
    "fullprime.reviews.decision": ("CubeEquities", "Decision", "GameStage", "Kind", "Option"),
    "fullprime.reviews.reviewed_decision": ("ReviewedDecision",),
    "fullprime.reviews.luck": ("RollLuck",),
    "fullprime.reviews.review": ("LeftOut", "Review"),
    "fullprime.engine.cube.action": ("CubeAction", "CubeAnswer", "CubeDecision", "RaiseReply", "Reply"),
    "fullprime.engine.cube.equity": ("CubeContext", "CubeOwner"),
    "fullprime.engine.cube.met": ("MatchEquityTable",),
    "fullprime.engine.duel": ("DuelResult",),
    "fullprime.engine.rollouts.result": ("RolledPlay", "Rollout", "RolloutState"),
    "fullprime.engine.search.results": ("Evaluation", "RankedPlay", "Ranking"),
    "fullprime.front.reviewing": ("Reviews",),
}
"""The answers of the engine and the words of their fields: loaded together for the same reason, when one is used."""
_ASKING = ("duel", "evaluate", "hint", "review", "rollout", *(name for names in _ANSWERS.values() for name in names))


def name_answers() -> None:
    """Give the package the names by which the ``repr`` of answers evaluates; functions that ask the engine call it."""
    if "RolloutState" not in globals():
        for module, wanted in _ANSWERS.items():
            globals().update({name: getattr(import_module(module), name) for name in wanted})


if not TYPE_CHECKING:  # a checker that saw this would take any name for one of ours

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module 'fullprime' has no attribute {name!r}")
        names = globals()
        if "Position" not in names:
            for module, wanted in _VALUES.items():
                names.update({value: getattr(import_module(module), value) for value in wanted})
            names["variants"] = import_module("fullprime.rules.variants").VARIANTS
        if name in _ASKING:
            name_answers()
        if name in _LOADED_ALONE:
            names[name] = getattr(import_module(_LOADED_ALONE[name]), name)
        if name in names:
            return names[name]
        raise AttributeError(f"fullprime has no {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
