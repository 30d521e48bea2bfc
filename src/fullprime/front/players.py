"""Players for matches and duels: bots by name, and bots of one's own, which are functions or objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fullprime.engine.bots.bots import HeuristicBot, NamedBot, bot_named
from fullprime.rules import actions as acts
from fullprime.rules.actions import Action, ActionKind
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import read_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Settings
from fullprime.rules.taking import short_value
from fullprime.rules.variants import Variant

if TYPE_CHECKING:
    from fullprime.engine.bots.batch import BatchPlayer, Dice
    from fullprime.engine.nets.evaluator import Boards
    from fullprime.engine.search.searcher import Ends

Choice = Action | Play | str
"""An action, a play, or what people type for it: ``8/5 6/5``, ``double``, ``take``, ``roll``."""


class Bot(Protocol):
    """A bot of one's own: an object that is asked for every decision of its side.

    An attribute ``name``, a text, stands in records; without one the name of the class does.
    """

    def choose(self, game: Game) -> Choice:
        """The choice of the player whose turn it is: ``game.turn``. ``game.actions()`` are the kinds that are legal."""
        ...


PlayFunction = Callable[[Game], Play | str]
"""A function that chooses a play of ``game.plays()``; all else is left to the bot ``heuristic``."""

AnyPlayer = str | Path | Bot | PlayFunction
"""Everything that plays: a bot's name, in duels also a net file, an object with ``choose``, or a function."""


class OwnBot:
    """A function or an object of a user as a bot of ours: its choices become actions."""

    def __init__(self, player: Bot | PlayFunction) -> None:
        # Arrays and NumPy's numbers have a method `choose` of another meaning.
        choose = None if isinstance(player, type) or hasattr(player, "__array__") else getattr(player, "choose", None)
        chooses = _takes_a_game(choose)
        if not chooses and (isinstance(player, type) or not _takes_a_game(player)):
            raise SettingsError(f"{short_value(player)} is no player: give a name, a function or an object with choose")
        self._choose: Callable[[Game], object] = choose if chooses else player  # type: ignore[assignment]
        self._fallback = None if chooses else HeuristicBot()
        name = getattr(player, "name", None)
        self.name = name if isinstance(name, str) else str(getattr(player, "__name__", type(player).__name__))

    def choose(self, game: Game) -> Action:
        """The action chosen. Raises SettingsError for a choice that is none; the game judges whether it is legal."""
        if self._fallback is not None and game.phase is not Phase.PLAY:
            return self._fallback.choose(game)
        choice = self._choose(game)
        if isinstance(choice, Action):
            return choice
        if isinstance(choice, Play):
            return acts.play(choice)
        if isinstance(choice, str):
            return _read_action(choice, game)
        raise SettingsError(f"{self.name} chose {short_value(choice)}, which is no action and no play")


def _takes_a_game(function: object) -> bool:
    """True for a function of one argument."""
    try:
        signature(function).bind(None)  # type: ignore[arg-type]  # raises TypeError for what cannot be called
    except Exception:  # noqa: BLE001 - the message of that error has the repr of theirs, which may fail in any way
        return False
    return True


def _read_action(text: str, game: Game) -> Action:
    """The action that a text means: a word such as ``double``, or a play."""
    word = text.strip().lower()
    if word in set(ActionKind):
        return Action(ActionKind(word))
    roll_plays = game.roll_plays
    return acts.play(read_play(text, roll_plays.start.position, roll_plays.roll, roll_plays.variant))


def match_player(player: AnyPlayer, seed: str) -> tuple[NamedBot, str]:
    """A player of whole games, and its name in records. Raises SettingsError for one that there is not."""
    if isinstance(player, str):
        return bot_named(player, seed), player
    bot = OwnBot(player) if not isinstance(player, Path) else _no_net(player)
    return bot, bot.name


def _no_net(path: Path) -> OwnBot:
    raise SettingsError(f"{path}: a net plays duels; a match needs a bot that turns the cube, too")


def batch_player(player: AnyPlayer, variant: Variant, seed: str) -> BatchPlayer:
    """A player of cubeless games. Raises PlayerError for a name that there is not, SettingsError for what is none."""
    from fullprime.engine.bots.players import player_named

    if isinstance(player, str | Path):
        return player_named(str(player), variant, seed=seed)
    return OwnBatchPlayer(OwnBot(player), variant)


class OwnBatchPlayer:
    """A bot of one's own in a duel: asked for the turn of every board, one after the other."""

    in_batches = False

    def __init__(self, bot: OwnBot, variant: Variant) -> None:
        self.name = bot.name
        self._bot = bot
        self._start = Game.new(Settings(variant=variant, cube=False))

    def choose(self, boards: Boards, dice: Dice) -> Ends:
        """The boards after the turns, seen by the next to roll."""
        from fullprime.engine.bots.players import play_turns

        return play_turns(boards, dice, self._turn)

    def _turn(self, position: Position, roll: Roll) -> tuple[Position, bool]:
        """The board after a whole turn, seen by the next to roll, and whether that is the same player."""
        game = replace(self._start, position=position, phase=Phase.ROLL, on_roll=Player.X).roll(roll)
        while game.on_roll is Player.X and game.phase in (Phase.PLAY, Phase.CHOOSE_DOUBLE):
            action = self._bot.choose(game)
            if action.kind not in (ActionKind.PLAY, ActionKind.CHOOSE):
                raise IllegalAction(f"{self._bot.name} chose {action}: duels are played to the end, without a cube")
            game = game.act(action)
        if game.is_over:
            return game.position.swapped, False
        return game.position, game.on_roll is Player.X
