"""A player that asks the engine: plays, doubles, takes and resignations at one level."""

from __future__ import annotations

from fullprime.engine import shared
from fullprime.engine.cube.action import Reply
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.engine import Engine
from fullprime.engine.search.levels import Level, level_named
from fullprime.rules import game as acts
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.variants.variant import Settlement

THROW = Action(ActionKind.ROLL)


class EngineBot:
    """One of the engine's levels as a player; it makes the same choices in the same positions every time."""

    def __init__(self, level: str | Level, seed: int | str = 0) -> None:
        del seed  # weak levels err by the position, not by chance
        self.level = level_named(level)
        self.name = self.level.name

    def choose(self, game: Game) -> Action:
        """The action that the engine thinks best for the player whose turn it is."""
        engine = shared.engine_for(game.settings.variant)
        match game.phase:
            case Phase.PLAY:
                return acts.play(engine.best_play(game, level=self.level))
            case Phase.CHOOSE_DOUBLE:
                number = engine.choose_double(game.position, game.follow_ups, context_of(game), self.level)
                return acts.choose(number)
            case Phase.CUBE_DECISION:
                decision = engine.cube_decision(game, level=self.level)
                return acts.DOUBLE if decision.should_double else THROW
            case Phase.DOUBLE_OFFERED:
                reply = engine.cube_decision(game, level=self.level).reply
                if reply is Reply.BEAVER and ActionKind.BEAVER in game.actions():
                    return acts.BEAVER
                return acts.DROP if reply is Reply.DROP else acts.TAKE
            case Phase.BEAVER_OFFERED | Phase.RACCOON_OFFERED:
                return self._answer_raise(engine, game)
            case Phase.RESIGNATION_OFFERED:
                return acts.ACCEPT if self._resignation_suffices(engine, game) else acts.REFUSE
            case _:
                return THROW

    def _answer_raise(self, engine: Engine, game: Game) -> Action:
        """A beaver or a raccoon: going on at the offered value against dropping the cube at the accepted one."""
        assert game.cube.offered is not None
        offered = game.cube.offered
        owner = CubeOwner.MOVER if game.cube.owner is game.on_roll else CubeOwner.OPPONENT
        settings = game.settings
        cap, backgammon = settings.cube_cap, settings.backgammon

        def value(cube: int) -> float:
            context = CubeContext(cube=cube, owner=owner, jacoby=settings.jacoby, cap=cap, backgammon=backgammon)
            rolling = float(engine.evaluate(game.position, context, level=self.level).value)
            return rolling if game.turn is game.on_roll else -rolling

        mine = value(offered)
        if mine < -game.cube.value:
            return acts.DROP
        if ActionKind.RACCOON in game.actions() and min(value(2 * offered), offered) > mine:
            return acts.RACCOON
        return acts.TAKE

    def _resignation_suffices(self, engine: Engine, game: Game) -> bool:
        """True if the level offered is worth no less than playing on (the player on roll is the one who resigns)."""
        if game.settings.variant.settlement is not Settlement.GAMES:
            evaluation = engine.evaluate(game, level=self.level)
            return -evaluation.equity <= game.settings.checkers_to_pay(game.position.player)
        if len(game.resignation_levels) == 1:
            return True
        level = game.resignation or 1
        if game.phase is Phase.PLAY or game.dice is not None:
            ranked = engine.rank_plays(game.position, game.dice, context_of(game), level=self.level)
            return -ranked.best.equity <= level
        return -engine.evaluate(game, level=self.level).equity <= level
