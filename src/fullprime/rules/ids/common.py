"""Shared parts of all identifiers: the results of reading and writing, and the game built from an identifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IdError
from fullprime.rules.game import BEAVER, DOUBLE, RACCOON, Game, Phase, resign
from fullprime.rules.position import HAND, OFF, Position
from fullprime.rules.score import LEVEL_NAMES, Player, Result, Score, Settings
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Settlement
from fullprime.rules.words import format_score

Offer = Literal["double", "beaver", "raccoon"]


@dataclass(frozen=True, slots=True)
class IdReading:
    """The result of reading an identifier: the game at that moment.

    ``notes`` name the facts that the identifier does not give and the values taken instead.
    """

    kind: str
    """A key of ``IDS``."""
    game: Game
    notes: tuple[str, ...] = ()
    names: tuple[str, str] | None = None
    """X's and O's name, when the identifier carries them."""


@dataclass(frozen=True, slots=True)
class WrittenId:
    """The result of writing an identifier: its text, and the facts of the game that it does not carry."""

    text: str
    lost: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class IdFormat:
    """One kind of identifier: the functions that recognise, read and write it.

    ``read`` takes the text and the settings for missing facts, and raises IdError (or another error of the
    rules) without repeating the text; ``write`` raises IdError for a position that it cannot carry at all.
    """

    name: str
    title: str
    matches: Callable[[str], bool]
    read: Callable[[str, Settings | None], IdReading]
    write: Callable[[Game], WrittenId]


# -- reading ----------------------------------------------------------------------------------------------
def number(text: str, name: str, high: int, low: int = 0) -> int:
    """A whole number in ASCII digits; raises IdError that names the expected value."""
    digits = text.removeprefix("-") if low < 0 else text
    if digits.isascii() and digits.isdigit() and len(digits) <= 6 and low <= int(text) <= high:
        return int(text)
    raise IdError(f"{name} is {text[:20]!r} instead of a number from {low} to {high}")


def full_row(counts: Sequence[int], checkers: int, player: Player) -> tuple[int, ...]:
    """27 counts from 0 and 1-25 with the checkers that are missing borne off."""
    total = sum(counts)
    if total > checkers:
        raise IdError(f"{player.name} has {total} checkers instead of {checkers}")
    row = [0] * 27
    row[: len(counts)] = counts
    row[OFF] = checkers - total
    return tuple(row)


def settings_from(
    base: Settings | None,
    length: int,
    *,
    jacoby: bool | None = None,
    beavers: bool | None = None,
    raccoons: bool | None = None,
    cube_cap: int | None = None,
) -> Settings:
    """The settings of an identifier: its own, and for the rest (None) those of ``base``."""
    base = base or Settings()
    common = {
        "variant": base.variant,
        "length": length,
        "cube": base.cube,
        "cube_cap": base.cube_cap if cube_cap is None else cube_cap,
        "crawford": base.crawford,
        "backgammon": base.backgammon,
    }
    if length:
        return Settings(**common)  # type: ignore[arg-type]
    money = not base.is_match
    has_beavers = base.beavers and money if beavers is None else beavers
    return Settings(
        **common,  # type: ignore[arg-type]
        stake=base.stake if money else Decimal(1),
        jacoby=base.jacoby and money if jacoby is None else jacoby,
        beavers=has_beavers,
        raccoons=has_beavers and (base.raccoons and money if raccoons is None else raccoons),
        automatic_doubles=base.automatic_doubles if money else 0,
    )


def score_from(settings: Settings, points: tuple[int, int], crawford_game: bool) -> tuple[Settings, Score]:
    """The score, and the settings with the Crawford rule on when the identifier says that this is its game."""
    if not settings.is_match:
        return settings, Score(points)
    if max(points) >= settings.length:
        raise IdError(f"a match to {settings.length} is over at {format_score(points)}")
    at_match_point = settings.length > 1 and max(points) == settings.length - 1
    if crawford_game and not at_match_point:
        if settings.length == 1:
            return settings, Score(points)
        raise IdError(f"at {format_score(points)} in a match to {settings.length} there is no Crawford game")
    if crawford_game:
        settings = replace(settings, crawford=True)
    played = settings.crawford and at_match_point and not crawford_game
    return settings, Score(points, crawford_game=crawford_game, post_crawford=played)


def build_game(
    *,
    settings: Settings,
    rows: tuple[tuple[int, ...], tuple[int, ...]],
    on_roll: Player,
    points: tuple[int, int] = (0, 0),
    crawford_game: bool = False,
    dice: Roll | None = None,
    cube: Cube = Cube(),  # noqa: B008 - frozen
    offer: Offer | None = None,
    resignation: int = 0,
    opening: bool = False,
    licences: tuple[bool, bool] = (False, False),
) -> Game:
    """A game from the facts of an identifier; raises an error of the rules for impossible ones.

    ``rows`` are X's and O's counts, ``cube`` is the cube before any offer. The phase follows from the rest.
    """
    settings, cube, multiplier = _automatic(settings, cube)
    settings, score = score_from(settings, points, crawford_game)
    position = Position(rows[on_roll], rows[on_roll.other], licences[on_roll], licences[on_roll.other])
    position.check(settings.variant.checkers)
    game = Game(
        settings=settings,
        score=score,
        position=position,
        on_roll=on_roll,
        phase=Phase.ROLL,
        cube=cube,
        multiplier=multiplier,
        ties=multiplier.bit_length() - 1,
    )
    if position.is_over:
        if dice or offer or resignation:
            raise IdError("one side has borne off all its checkers, so there is nothing to roll, play or answer")
        return finish_game(game)
    if opening and position == settings.variant.starting_position and dice is None:
        return replace(game, phase=Phase.OPENING_ROLL)
    if dice is not None:
        if offer:
            raise IdError(f"a {offer} cannot be pending while the roll {dice.words} is to be played")
        game = replace(game, phase=Phase.PLAY, dice=dice)
    elif game.may_double:
        game = replace(game, phase=Phase.CUBE_DECISION)
    if offer:
        game = _offer(game, offer)
    return game.act(resign(resignation)) if resignation else game


def _automatic(settings: Settings, cube: Cube) -> tuple[Settings, Cube, int]:
    """A centred cube of more than 1 is the mark of automatic doubles: they double the stake without a turned cube."""
    if cube.owner is not None or cube.value == 1:
        return settings, cube, 1
    if settings.is_match:
        raise IdError(f"a cube of {cube.value} lies in the middle, and a match has no automatic doubles")
    doubles = cube.value.bit_length() - 1
    if settings.automatic_doubles is not None:
        settings = replace(settings, automatic_doubles=max(doubles, settings.automatic_doubles))
    return settings, Cube(), cube.value


def _offer(game: Game, offer: Offer) -> Game:
    if not game.may_double:
        raise IdError(f"{game.on_roll.name} cannot have doubled: the cube is not free for that")
    game = replace(game, phase=Phase.CUBE_DECISION).act(DOUBLE)
    if offer != "double":
        game = game.act(BEAVER)
    return game.act(RACCOON) if offer == "raccoon" else game


def finish_game(game: Game) -> Game:
    """The game as it is over, its winner on roll, once one side has borne off its last checker."""
    if game.position.opponent[OFF] == game.position.checkers:
        game = replace(game, position=game.position.swapped, on_roll=game.on_roll.other)
    settings, loser = game.settings, game.position.opponent
    if settings.variant.settlement is not Settlement.GAMES:
        result = Result(game.on_roll, settings.checkers_to_pay(loser) * game.multiplier, None, "bear-off")
    else:
        level = settings.level(loser, game.cube.turned)
        result = Result(game.on_roll, level * game.stake_value, level, "bear-off")
    return replace(game, phase=Phase.OVER, result=result, dice=None)


def rules_notes(game: Game, stated: Sequence[str] = ()) -> tuple[str, ...]:
    """Notes on the rules that were taken for granted; ``stated`` names the facts that the identifier gives."""
    settings, notes = game.settings, []
    if "variant" not in stated and settings.variant != BACKGAMMON:
        notes.append(f"does not name the game: read as {settings.variant.title}")
    if settings.is_match:
        if game.score.post_crawford and "crawford" not in stated:
            notes.append("one point away and not the Crawford game: read as after it")
    else:
        silent = [name for name in ("jacoby", "beavers") if name not in stated and settings.variant.cube]
        if silent:
            on = [name for name in silent if getattr(settings, name)]
            notes.append(
                f"does not say whether {' and '.join(silent)} are in force: read as {' and '.join(on) or 'neither'}"
            )
    if game.multiplier > 1:
        notes.append(f"a cube of {game.multiplier} in the middle: read as automatic doubles")
    return tuple(notes)


# -- writing ----------------------------------------------------------------------------------------------
def need_no_hand(game: Game, title: str) -> None:
    """Raise IdError for checkers in hand, which only our text form can carry."""
    for player in Player:
        if in_hand := game.position_of(player).player[HAND]:
            raise IdError(f"{title} has no place for the {in_hand} checkers that {player.name} has in hand")


def exponent_of(value: int, high: int, title: str) -> int:
    """The exponent of the cube's value; raises IdError when the identifier has no room for it."""
    power = value.bit_length() - 1
    if power > high:
        raise IdError(f"{title} has no room for a cube of {value}")
    return power


def cube_before_offer(game: Game) -> Cube:
    """The cube as it lay before the double that waits for an answer, with the automatic doubles in its value."""
    halvings = {Phase.BEAVER_OFFERED: 1, Phase.RACCOON_OFFERED: 2}.get(game.phase, 0)
    if not halvings:
        return Cube(game.stake_value, game.cube.owner)
    value = game.cube.value >> halvings
    return Cube(value * game.multiplier, game.on_roll if value > 1 else None)


def pending_offer(game: Game) -> Offer | None:
    """The offer of the cube that waits for an answer."""
    offers: dict[Phase, Offer] = {
        Phase.DOUBLE_OFFERED: "double",
        Phase.BEAVER_OFFERED: "beaver",
        Phase.RACCOON_OFFERED: "raccoon",
    }
    return offers.get(game.phase)


def to_written_id(text: str, game: Game, read: Callable[[str, Settings | None], IdReading]) -> WrittenId:
    """The identifier with its losses: it is read back, and every fact that does not come back is a loss."""
    back = read(text, Settings(variant=game.settings.variant)).game
    lost = [] if _names_game(game, text, read) else [f"the game: {game.settings.variant.title}"]
    return WrittenId(text, (*lost, *_list_lost_rules(game, back), *_list_lost_state(game, back)))


def _names_game(game: Game, text: str, read: Callable[[str, Settings | None], IdReading]) -> bool:
    if game.settings.variant == BACKGAMMON:
        return True
    try:
        return read(text, None).game.settings.variant == game.settings.variant
    except ValueError:
        return False


def _list_lost_rules(game: Game, back: Game) -> list[str]:
    rules, other = game.settings, back.settings
    lost = []
    if rules.length != other.length:
        lost.append(f"the length of the match: {rules.length}")
    if rules.stake != other.stake:
        lost.append(f"the stake: {rules.stake}")
    if rules.cube != other.cube:
        lost.append("that no doubling cube is used")
    if rules.cube_cap != other.cube_cap:
        lost.append(f"the limit of the cube: {rules.cube_cap}" if rules.cube_cap else "that the cube has no limit")
    if rules.crawford != other.crawford:
        lost.append("that the Crawford rule is off")
    lost.extend(
        f"{name}: {'on' if getattr(rules, name) else 'off'}"
        for name in ("jacoby", "beavers", "raccoons")
        if getattr(rules, name) != getattr(other, name)
    )
    if rules.automatic_doubles != other.automatic_doubles:
        count = rules.automatic_doubles
        lost.append(f"automatic doubles: {'no limit' if count is None else count}")
    if rules.backgammon != other.backgammon:
        lost.append(f"what a backgammon is: {rules.backgammon.replace('_', ' ')}")
    return lost


def _list_lost_state(game: Game, back: Game) -> list[str]:
    lost = []
    mine, theirs = game.score, back.score
    if mine.points != theirs.points:
        lost.append(f"the score: {format_score(mine.points)}")
    if mine.crawford_game != theirs.crawford_game:
        lost.append("that this is the Crawford game")
    elif mine.post_crawford != theirs.post_crawford and game.settings.crawford == back.settings.crawford:
        lost.append("whether the Crawford game has been played")
    if game.on_roll is not back.on_roll and game.phase is not Phase.OPENING_ROLL:
        lost.append(f"that {game.on_roll.name} is on roll")
    for name, ours, read in zip("XO", _licences(game), _licences(back), strict=True):
        if ours != read and game.on_roll is back.on_roll:
            lost.append(f"that {name} has earned the right to hit")
    if game.dice is not None and game.dice != back.dice:
        lost.append(f"the roll: {game.dice.words}")
    if (game.cube.value * game.multiplier, game.cube.owner) != (back.cube.value * back.multiplier, back.cube.owner):
        holder = f", owned by {game.cube.owner.name}" if game.cube.owner is not None else ""
        lost.append(f"the cube: {game.cube.value}{holder}")
    elif game.multiplier != back.multiplier:
        lost.append(f"that automatic doubles made {game.multiplier} of the stake (they are merged into the cube)")
    if game.phase is not back.phase and (words := _PHASES.get(game.phase)):
        lost.append(words + _detail(game))
    elif game.phase is Phase.RESIGNATION_OFFERED and game.resignation != back.resignation:
        lost.append(f"the resignation offered{_detail(game)}")
    elif game.result != back.result:
        lost.append(f"the result{_detail(game)}")
    if game.follow_ups != back.follow_ups:
        lost.append(f"what the special roll still gives: {', then '.join(game.follow_ups).replace('_', ' ')}")
    if game.phase is Phase.OPENING_ROLL and game.ties != back.ties:
        lost.append(f"opening rolls that were ties: {game.ties}")
    return lost


def _licences(game: Game) -> tuple[bool, bool]:
    position = game.position_of(Player.X)
    return position.player_licence, position.opponent_licence


def _detail(game: Game) -> str:
    if game.resignation:
        return f": {LEVEL_NAMES[game.resignation]}"
    if game.result:
        return f": {game.result.winner.name} wins {game.result.points} ({game.result.how})"
    return ""


_PHASES = {
    Phase.OPENING_ROLL: "that the opening roll is still to be thrown",
    Phase.ROLL: "that there is no cube decision before this roll",
    Phase.DOUBLE_OFFERED: "the double that waits for an answer",
    Phase.BEAVER_OFFERED: "the beaver that waits for an answer",
    Phase.RACCOON_OFFERED: "the raccoon that waits for an answer",
    Phase.CHOOSE_DOUBLE: "that a double is to be named",
    Phase.RESIGNATION_OFFERED: "the resignation that waits for an answer",
    Phase.OVER: "that the game is over",
}
