"""Previews of addresses: the words and the picture that stand for a position, a play, a game or a review elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fullprime.analysis.setups import AnalysisSetup, game_of, read_setup
from fullprime.drawing.png import PngError, png
from fullprime.drawing.preview import HIGH, WIDE, preview
from fullprime.drawing.svg import Arrow, play_arrows
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import read_play
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import format_players, format_score

MOST_KEPT = 128
"""Pictures that are kept; one has about 60 kB."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What stands for an address: a game to be drawn, its title, facts of a line each, and plays as arrows."""

    game: Game
    title: str
    facts: tuple[str, ...]
    names: tuple[str, str] = ("X", "O")
    bottom: Player | None = None
    plays: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The facts in a line."""
        return " · ".join(self.facts)


def of_setup(setup: AnalysisSetup, plays: Sequence[str] = ()) -> Preview:
    """A position of the analysis board, or a play of its roll. Raises errors of the rules."""
    return _of_game(game_of(setup), tuple(plays))


def of_identifier(text: str, variant: str, rules: Mapping[str, str], plays: Sequence[str] = ()) -> Preview:
    """The position that an identifier describes."""
    return of_setup(read_setup(text, variant, rules).setup, plays)


def _of_game(game: Game, plays: tuple[str, ...]) -> Preview:
    if game.dice is not None and plays:
        first = read_play(plays[0], game.position, game.dice, game.settings.variant)
        title = f"{game.dice.words}: {first}?"
    elif plays:
        raise PngError("a play needs its roll")
    else:
        title = _to_do(game, ("X", "O"))
    return Preview(game, title, _facts(game, game.score.points), plays=plays, bottom=game.on_roll)


def of_match(match: Match) -> Preview:
    """A game in play, as everybody may see it."""
    game, names = match.game, match.names
    title = format_players(names)
    return Preview(game, title, (_to_do(game, names), *_facts(game, match.score.points)), names, Player.X)


def _to_do(game: Game, names: tuple[str, str]) -> str:
    if game.is_over:
        return "The game is over"
    who = names[game.turn if game.turn is not None else game.on_roll]
    if game.dice is not None:
        return f"{who} to play {game.dice.words}"
    return {
        Phase.CUBE_DECISION: f"{who}: double, or roll?",
        Phase.DOUBLE_OFFERED: f"{who}: take, or drop?",
        Phase.CHOOSE_DOUBLE: f"{who} names a double",
    }.get(game.phase, f"{who} to roll")


def _facts(game: Game, points: tuple[int, int]) -> tuple[str, ...]:
    settings = game.settings
    facts = [settings.variant.title]
    if settings.is_match:
        first, second = (min(side, settings.length) for side in points)  # those beyond the length do not count
        facts.append(f"Match to {settings.length}, {format_score((first, second))}")
    else:
        facts.append("Money")
    if game.cube.value > 1:
        facts.append(f"Cube {game.cube.value}")
    return tuple(facts)


# -- the picture ----------------------------------------------------------------------------------------------------
@lru_cache(maxsize=MOST_KEPT)
def picture(shown: Preview) -> bytes:
    """The preview as PNG. Raises PngError where no PNG can be drawn, and errors of reading the plays."""
    game = shown.game
    arrows: list[Arrow] = []
    for number, text in enumerate(shown.plays[:2]):
        if game.dice is None:
            raise PngError("a play needs its roll")
        play = read_play(text, game.position, game.dice, game.settings.variant)
        arrows += play_arrows(play, None if number == 0 else 0.05)
    drawn = preview(game, shown.title, shown.facts, names=shown.names, bottom=shown.bottom, arrows=arrows)
    return png(drawn, WIDE)


@lru_cache(maxsize=1)
def can_draw() -> bool:
    """True if pictures can be made here: resvg and a font are installed."""
    try:
        png(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}"/>', 8)
    except PngError:
        return False
    return True


__all__ = ["HIGH", "WIDE", "Preview", "can_draw", "of_identifier", "of_match", "of_setup", "picture"]
