"""The analysis board: a game set up freely, its legal actions, and the game after an action. It is kept nowhere.

A :class:`AnalysisSetup` says everything in plain values, so that a page can carry it in its address and send it back.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated

from fullprime.common.bounds import Bounds, Name, RuleTexts
from fullprime.common.json_values import LEFT_OUT, MERGED
from fullprime.play.options.options import make_settings
from fullprime.play.options.positions import GameFacts, describe_game, game_from_id
from fullprime.play.table.board import cube_state, play_tree
from fullprime.play.table.fields import CubeState, PlayTree
from fullprime.play.table.table_events import SIDES, Side
from fullprime.rules import game as acts
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position, Row
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import FollowUp, HitLicence

_HIGHEST = 1 << 12
"""The highest cube that can be set up."""
_Points = Annotated[int, Bounds(ge=0, le=10_000)]
_Power = Annotated[int, Bounds(ge=1, le=_HIGHEST)]
_Die = Annotated[int, Bounds(ge=1, le=6)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisSetup:
    """A game at one moment, as plain values."""

    variant: Name = "backgammon"
    """The game."""
    rules: RuleTexts = field(default_factory=dict)
    """Options by name that differ from the usual ones; ``length`` 0 (or none) is money."""
    position: Annotated[str, Bounds(max_length=600)] | None = None
    """Our text form, the player on roll first; None for the start of the game."""
    on_roll: Side = "X"
    """``X`` or ``O``."""
    score: tuple[_Points, _Points] = (0, 0)
    """Points won so far, X's first."""
    crawford: bool | None = None
    """True if this is the Crawford game; None to follow the score."""
    cube: _Power = 1
    """Points at stake: 1, 2, 4 …"""
    owner: Side | None = None
    """``X`` or ``O``; None while the cube is in the middle."""
    offered: bool = False
    """A double waits for its answer; ``cube`` is its value before."""
    dice: tuple[_Die, _Die] | None = None
    """The roll to be played; None before it is thrown."""
    choose: bool = False
    """Acey Deucey: a double must be named."""
    follow_ups: Annotated[tuple[Name, ...], Bounds(max_length=3)] | None = None
    """The parts of the turn that still come after this roll; None to follow the rules."""
    multiplier: _Power = 1
    """The factor by which the stake has been doubled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardScene:
    """Everything that a page shows of a game."""

    facts: GameFacts = field(metadata=MERGED)
    """The game in words, as values, and as IDs."""
    variant: str
    """The game."""
    title: str
    """Its name in words."""
    turn: Player | None
    """The player who must act, ``X`` or ``O``."""
    points: Mapping[str, Row]
    """The checkers of ``X`` and ``O``: 0 off, 1-24, 25 bar, 26 hand, each side's in its own numbers."""
    pips: Mapping[str, int]
    """The pips of ``X`` and ``O``."""
    licences: Mapping[str, bool]
    """True for a side that has earned the right to hit (Dutch Backgammon) although no checker shows it."""
    checkers: int
    """The number of checkers of each side."""
    has_hand: bool
    """True if checkers begin in hand."""
    licensed: bool
    """True if the right to hit must be earned."""
    crawford: bool
    """True if this is the Crawford game."""
    cube: CubeState
    """The cube."""
    actions: tuple[ActionKind, ...]
    """The actions that are allowed: ``roll``, ``double``, ``take``, ``beaver``, ``play``, ``choose``."""
    tree: PlayTree | None = field(default=None, metadata=LEFT_OUT)
    """The ways to play the roll; left out where there is none to play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisBoard:
    """A scene with the setup that leads back to it."""

    scene: BoardScene = field(metadata=MERGED)
    """The scene."""
    setup: AnalysisSetup
    """The setup to send back to go on from here."""
    notes: tuple[str, ...]
    """Notes on the values that were taken where an ID does not give them."""
    happened: str
    """The action just done, in words; empty for a board that was set up."""


def game_of(setup: AnalysisSetup) -> Game:
    """The game that was set up. Raises an error of the rules for a board that cannot be."""
    rules = {"length": "0", **setup.rules}
    settings = make_settings(setup.variant, rules=[f"{name}={value}" for name, value in rules.items()])
    variant = settings.variant
    position = variant.starting_position
    if setup.position is not None:
        position = Position.from_text(setup.position, variant.checkers)
    if position.is_over:
        raise SettingsError("one side has borne off all its checkers: the game is over")
    cube = Cube(_power("cube", setup.cube), _player(setup.owner) if setup.owner is not None else None)
    if (cube.value > 1) != (cube.owner is not None):
        raise SettingsError("a cube that has been turned has an owner, and only that one")
    game = Game(
        settings=settings,
        score=_score(setup, settings),
        position=position,
        on_roll=_player(setup.on_roll),
        phase=Phase.ROLL,
        cube=cube,
        multiplier=_power("multiplier", setup.multiplier),
    )
    if setup.dice is not None:
        game = _roll(game, Roll(*setup.dice), setup.follow_ups)
    elif setup.choose:
        if FollowUp.CHOOSE_DOUBLE not in variant.after_acey_deucey:
            raise SettingsError(f"in {variant.title} nobody names a double")
        game = replace(game, phase=Phase.CHOOSE_DOUBLE, follow_ups=_stages(setup.follow_ups or ()))
    elif game.may_double:
        game = replace(game, phase=Phase.CUBE_DECISION)
    if not setup.offered:
        return game
    if game.phase is not Phase.CUBE_DECISION:
        raise SettingsError(f"{game.on_roll.name} cannot have doubled here")
    return game.act(acts.DOUBLE)


def setup_of(game: Game) -> AnalysisSetup:
    """The inverse of :func:`game_of`; raises IllegalAction for a game that waits for something else."""
    if game.phase is Phase.OPENING_ROLL:
        game = replace(game, phase=Phase.ROLL)
    offered = game.phase is Phase.DOUBLE_OFFERED
    if game.phase not in (Phase.ROLL, Phase.CUBE_DECISION, Phase.PLAY, Phase.CHOOSE_DOUBLE) and not offered:
        raise IllegalAction(f"the analysis board has no place for this: {str(game.phase).replace('_', ' ')}")
    settings = game.settings
    usual = Settings(variant=variant_named(settings.variant.name))
    rules = {
        field.name: _text(getattr(settings, field.name))
        for field in fields(Settings)
        if field.name != "variant" and getattr(settings, field.name) != getattr(usual, field.name)
    }
    rules |= {name: value for name, value in settings.variant.options.items() if value != usual.variant.options[name]}
    return AnalysisSetup(
        variant=settings.variant.name,
        rules=rules,
        position=game.position.text,
        on_roll=SIDES[game.on_roll],
        score=game.score.points,
        crawford=game.score.crawford_game if settings.is_match else None,
        cube=game.cube.value,
        owner=SIDES[game.cube.owner] if game.cube.owner is not None else None,
        offered=offered,
        dice=(game.dice.high, game.dice.low) if game.dice is not None else None,
        choose=game.phase is Phase.CHOOSE_DOUBLE,
        follow_ups=tuple(map(str, game.follow_ups)),
        multiplier=game.multiplier,
    )


def read_setup(text: str, variant: str = "backgammon", rules: Mapping[str, str] | None = None) -> AnalysisBoard:
    """The board that any ID describes; ``variant`` and ``rules`` fill in where the ID does not say."""
    settings = make_settings(variant, rules=[f"{name}={value}" for name, value in (rules or {}).items()],
                             default_length=0)  # fmt: skip
    game, notes = game_from_id(text, settings)
    if game.is_over:
        raise SettingsError("this game is over: there is nothing to analyse")
    if game.phase is Phase.PLAY and game.dice is not None and not game.follow_ups:
        game = _roll(replace(game, phase=Phase.ROLL, dice=None), game.dice, None)
    return board(game, notes)


def board(game: Game, notes: tuple[str, ...] = (), happened: str = "") -> AnalysisBoard:
    """The scene of a game with the setup that leads back to it; raises IllegalAction where there is none."""
    return AnalysisBoard(scene=scene(game), setup=setup_of(game), notes=notes, happened=happened)


def scene(game: Game, *, tree: bool = True) -> BoardScene:
    """Everything that a page shows of a game, without the ways to play its roll where no ``tree`` is wanted."""
    sides = {player.name: game.position_of(player) for player in Player}
    variant = game.settings.variant
    return BoardScene(
        facts=describe_game(game),
        variant=variant.name,
        title=variant.title,
        turn=game.turn,
        points={name: position.player for name, position in sides.items()},
        pips={name: position.pips[0] for name, position in sides.items()},
        licences={name: position.player_licence for name, position in sides.items()},
        checkers=game.position.checkers,
        has_hand=variant.has_hand,
        licensed=variant.hit_licence is not HitLicence.FREE,
        crawford=game.score.crawford_game,
        cube=cube_state(game),
        actions=tuple(kind for kind in game.actions() if kind not in (ActionKind.RESIGN, ActionKind.DROP)),
        tree=play_tree(game.roll_plays) if tree and game.phase is Phase.PLAY else None,
    )


def act(game: Game, line: str) -> AnalysisBoard:
    """The board after ``roll``, ``roll 31``, ``double``, ``take``, ``choose 5`` or a play.

    Raises IllegalAction, NotationError or IllegalPlay; IllegalAction too when the game is over then.
    """
    word, _, rest = line.strip().partition(" ")
    word = word.lower()
    if word == "roll":
        dice = _read_roll(rest) if rest.strip() else Roll(*(secrets.randbelow(6) + 1 for _ in range(2)))
        if game.phase not in (Phase.ROLL, Phase.CUBE_DECISION):
            raise IllegalAction("there is nothing to roll for now")
        after, happened = game.act(acts.roll(dice)), f"{game.on_roll.name} rolls {dice.words}"
    elif word == "choose":
        after, happened = game.act(acts.choose(int(rest) if rest.strip().isdecimal() else 0)), f"the double is {rest}"
    elif word in ("double", "take", "beaver"):
        turn = game.turn
        after = game.act(Action(ActionKind(word)))
        happened = f"{turn.name if turn is not None else 'nobody'} {word}s"
    elif game.phase is Phase.PLAY and game.dice is not None:
        play = read_play(line, game.position, game.dice, game.settings.variant)
        after, happened = game.act(acts.play(play)), f"{game.on_roll.name} plays {line.strip()}"
    else:
        raise IllegalAction(f"{line.strip()[:40]!r} is not possible here: there is no roll to play")
    if after.is_over:
        raise IllegalAction("that ends the game: there is nothing more to analyse")
    return board(after, happened=happened)


# -- inside -----------------------------------------------------------------------------------------------------
def _roll(game: Game, dice: Roll, stages: tuple[str, ...] | None) -> Game:
    """The game with a roll to play; earlier throws have doubled the stake already."""
    thrown = replace(game, phase=Phase.ROLL).act(acts.roll(dice))
    thrown = replace(thrown, multiplier=game.multiplier)
    return thrown if stages is None else replace(thrown, follow_ups=_stages(stages))


def _stages(names: tuple[str, ...]) -> tuple[FollowUp, ...]:
    if len(names) > 3 or not all(name in set(FollowUp) for name in names):
        raise SettingsError(f"what follows a roll is one of {', '.join(FollowUp)}")
    return tuple(FollowUp(name) for name in names)


def _score(setup: AnalysisSetup, settings: Settings) -> Score:
    score = Score.start(settings, setup.score)
    if setup.crawford is None or not settings.is_match:
        return score
    at_match_point = settings.crawford and settings.length > 1 and max(setup.score) == settings.length - 1
    if setup.crawford and not at_match_point:
        raise SettingsError("the Crawford game is the first in which somebody is one point away")
    return replace(score, crawford_game=setup.crawford, post_crawford=at_match_point and not setup.crawford)


def _power(name: str, value: int) -> int:
    if not 1 <= value <= _HIGHEST or value & (value - 1):
        raise SettingsError(f"{name}: 1, 2, 4, 8 … {_HIGHEST}, not {value}")
    return value


def _player(name: str) -> Player:
    if name not in ("X", "O"):
        raise SettingsError(f"{name[:40]!r} is neither X nor O")
    return Player[name]


def _read_roll(text: str) -> Roll:
    digits = [letter for letter in text if not letter.isspace() and letter not in "-,"]
    if len(digits) != 2 or not all(digit in "123456" for digit in digits):
        raise IllegalAction(f"{text.strip()[:40]!r} is no roll; write two dice, for example 31")
    return Roll(int(digits[0]), int(digits[1]))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unlimited" if value is None else str(value)


__all__ = ["AnalysisBoard", "AnalysisSetup", "BoardScene", "act", "board", "game_of", "read_setup", "scene", "setup_of"]
