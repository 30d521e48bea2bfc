"""Positions with the match around them: a board or an identifier, and the score, length and cube that are given."""

from __future__ import annotations

from dataclasses import replace

from fullprime.rules.coercion import AnyPosition, to_game, variant_of
from fullprime.rules.cube import Cube
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.position import Position
from fullprime.rules.score import Score, Settings
from fullprime.rules.taking import short_value, to_kind, whole_number
from fullprime.rules.variants import Variant, variant_named

Points = Score | tuple[int, int]
"""A score, or X's points and O's."""
CubeValue = Cube | int
"""A cube, or the value of one in the middle."""


def game_of(
    position: AnyPosition,
    variant: str | Variant | None = None,
    *,
    length: int | None = None,
    score: Points | None = None,
    cube: CubeValue | None = None,
    settings: Settings | None = None,
) -> Game:
    """The game of a position or an identifier, with the rules, the score and the cube that are given.

    Raises IdError, SettingsError for a score or a cube that cannot be, PositionError for a board that the game has not.
    """
    rules = None if variant is None else Settings(variant=variant_named(variant))
    if settings is not None:
        to_kind(Settings, "settings", settings, SettingsError)
        if variant is not None or length is not None:
            raise SettingsError("settings say the variant and the length: give one or the other")
        rules = settings
    if isinstance(position, Position):
        position.check((rules.variant if rules else variant_of(position)).checkers)
    game = to_game(position, rules)
    if length is None and score is None and cube is None and settings is None:
        return game
    if length is not None:
        rules = Settings(variant=game.settings.variant, length=length)
    elif settings is None or rules is None:
        rules = game.settings
    if rules.variant != game.settings.variant:
        titles = game.settings.variant.title, rules.variant.title
        raise SettingsError(f"the position is of {titles[0]}, the settings are of {titles[1]}")
    return _set_score(game, rules, score, cube, keeps_score=rules == game.settings)


def _set_score(game: Game, rules: Settings, score: object, cube: object, *, keeps_score: bool) -> Game:
    if game.phase not in (Phase.CUBE_DECISION, Phase.ROLL, Phase.PLAY):
        raise SettingsError(f"a score and a cube are given for a player on roll, not for the phase {game.phase}")
    if isinstance(score, Score):
        match_score = score
        Score.start(rules, score.points)
    elif score is not None:
        match_score = Score.start(rules, score)  # type: ignore[arg-type]  # it refuses what is no score
    else:
        match_score = game.score if keeps_score else Score.start(rules)
    changed = replace(game, settings=rules, score=match_score, cube=game.cube if cube is None else _cube(cube))
    value = changed.cube.value
    if value > 1 and changed.cube.owner is None and rules.is_match:
        raise SettingsError(f"in a match one side holds a cube at {value}: Cube({value}, 'X')")
    if changed.phase is Phase.PLAY:
        return changed
    return replace(changed, phase=Phase.CUBE_DECISION if changed.may_double else Phase.ROLL)


def _cube(cube: object) -> Cube:
    if isinstance(cube, Cube):
        if cube.offered is not None:
            raise SettingsError(f"{cube}: a cube that is offered waits for its answer, nobody is on roll")
        return cube
    if whole_number(cube) is None:
        raise SettingsError(f"a cube is a Cube or its value, not {short_value(cube)}")
    return Cube(whole_number(cube) or 0)
