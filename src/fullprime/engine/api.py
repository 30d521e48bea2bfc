"""Asking the engine: hints, evaluations and duels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from fullprime.common.json_values import LEFT_OUT, MERGED, JsonFields, json_names
from fullprime.engine import shared
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.score import LEVEL_NAMES
from fullprime.rules.variants import variant_named

if TYPE_CHECKING:
    from fullprime.engine.bots.batch import BatchPlayer
    from fullprime.engine.cube.action import CubeAnswer, CubeDecision
    from fullprime.engine.duel import DuelResult
    from fullprime.engine.search.levels import Level
    from fullprime.engine.search.results import Evaluation, Ranking
    from fullprime.rules.position import Position
    from fullprime.rules.variants.variant import Variant

HINT_LEVEL = "2-ply"

DECISIONS = (Phase.PLAY, Phase.CUBE_DECISION, Phase.DOUBLE_OFFERED, Phase.CHOOSE_DOUBLE)
"""The things that :func:`hint` advises about."""


def can_advise(game: Game) -> bool:
    """True if there are nets for this game."""
    from fullprime.engine.nets.net import manifest

    return game.settings.variant.name in manifest()


def advice_of_bot(game: Game, bot: str) -> str:
    """Describe in words what a bot would do now."""
    from fullprime.engine.bots.bots import bot_named

    action = bot_named(bot).choose(game)
    match action.kind:
        case ActionKind.PLAY:
            return format_play(action.moves)
        case ActionKind.CHOOSE:
            return f"choose {action.number}"
        case ActionKind.RESIGN:
            return f"resign a {LEVEL_NAMES[action.number or 1]}"
        case _:
            return str(action.kind)


@dataclass(frozen=True, slots=True)
class Hint:
    """The engine's advice: ranked plays, a cube decision, the answer to a cube, or the double to name."""

    __json__: ClassVar[JsonFields] = json_names("level", "ranking", "cube", "answer", choose="number")

    ranking: Ranking | None = field(default=None, metadata=MERGED)
    cube: CubeDecision | None = field(default=None, metadata=MERGED)
    number: int | None = field(default=None, metadata=LEFT_OUT)
    """The number on both dice of the best double (Acey Deucey)."""
    level: str = HINT_LEVEL
    """The level of the engine that was asked for."""
    answer: CubeAnswer | None = field(default=None, metadata=LEFT_OUT)
    """The cube decision as the player sees it who answers a double, a beaver or a raccoon."""

    def text(self, most: int | None = 5) -> str:
        """The advice as a table for people, with the first ``most`` plays."""
        if self.ranking is not None:
            return self.ranking.text(most)
        if self.answer is not None:
            return str(self.answer)
        return str(self.cube) if self.cube is not None else f"Name the double {self.number}-{self.number}."

    @property
    def short(self) -> str:
        """The advice in a word or two."""
        if self.ranking is not None:
            return self.ranking.best.text
        if self.answer is not None:
            return str(self.answer.reply)
        return self.cube.verdict if self.cube is not None else f"choose {self.number}"


def hint(
    game: Game,
    level: str = HINT_LEVEL,
    *,
    dice: Roll | None = None,
    cubeful: bool = True,
    threads: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    played: Position | None = None,
    same_depth: int = 1,
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Hint:
    """Advise the player to act: rank the plays of the roll (or of ``dice``), or judge the cube decision.

    While a double, a beaver or a raccoon waits, the advice holds the right answer to it.

    ``played`` is the board after a play that is looked at as far as the best, seen by its player. The best
    ``same_depth`` plays are looked at as far as the best, too.
    ``progress`` is called with the part that is done, and all: candidates at one depth, or trials.
    A search that is stopped, or comes to a limit, gives its best answer so far.
    Raises IllegalAction when there is nothing to decide, NetError where there are no nets for the game.
    """
    from fullprime.engine.cube.context import context_of
    from fullprime.engine.engine import SearchLimits
    from fullprime.engine.search.levels import level_named

    if game.is_over or (game.phase is Phase.OPENING_ROLL and dice is None):
        raise IllegalAction("there is nothing to decide now")
    level = level_named(level).name
    engine = shared.engine_for(game.settings.variant, threads)
    limits = SearchLimits(seconds, nodes)
    if dice is not None or game.dice is not None:
        ranking = engine.rank_plays(
            game, dice, cubeful=cubeful, level=level, limits=limits, played=played, same_depth=same_depth,
            progress=progress, stop=stop,
        )  # fmt: skip
        return Hint(ranking=ranking, level=level)
    if game.phase is Phase.CHOOSE_DOUBLE:
        number = engine.choose_double(game.position, game.follow_ups, context_of(game), level)
        return Hint(number=number, level=level)
    if engine.per_checker:
        raise IllegalAction(f"{game.settings.variant.title} has no cube: there is nothing to decide before the roll")
    if game.phase in (Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED):
        return Hint(level=level, answer=engine.answer_raise(game, level=level, limits=limits, stop=stop))
    cube = engine.cube_decision(game, level=level, limits=limits, progress=progress, stop=stop)
    return Hint(cube=cube, level=level, answer=cube.answer if game.phase is Phase.DOUBLE_OFFERED else None)


def evaluate(
    game: Game,
    level: str = HINT_LEVEL,
    *,
    cubeful: bool = True,
    threads: int = 1,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> Evaluation:
    """Evaluate a game for the player on roll, before the roll; dice that have been thrown are left out."""
    from fullprime.engine.engine import SearchLimits

    if game.is_over:
        raise IllegalAction("the game is over")
    engine = shared.engine_for(game.settings.variant, threads)
    return engine.evaluate(game, cubeful=cubeful, level=level, limits=SearchLimits(seconds), stop=stop)


def duel(
    first: str | BatchPlayer,
    second: str | BatchPlayer,
    *,
    variant: str | Variant = "backgammon",
    games: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    luck: bool = True,
    progress: Callable[[DuelResult], None] | None = None,
) -> DuelResult:
    """Mirrored pairs of games between two players, by name or as they are, with ``luck`` also without that of the dice.

    Raises PlayerError or DuelError.
    """
    from fullprime.engine.bots.players import make_luck_judge, player_named
    from fullprime.engine.duel import duel as fight

    game = variant_named(variant)
    players = [
        player_named(player, game, seed=f"{seed}:{side}") if isinstance(player, str) else player
        for side, player in enumerate((first, second))
    ]
    judge = make_luck_judge(game) if luck else None
    return fight(*players, variant=game, games=games, seconds=seconds, seed=seed, luck=judge, progress=progress)


def levels() -> tuple[Level, ...]:
    """Every level, the weakest first."""
    from fullprime.engine.search.levels import LEVELS

    return tuple(LEVELS.values())
