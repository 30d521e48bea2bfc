"""Bots of one's own: functions and objects play matches and duels, and their faults are told as faults of theirs."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.broadly import broadly

import fullprime as fp


def first(game: fp.Game) -> fp.Play:
    return game.plays()[0]


class ByWords:
    """Types everything, and doubles whenever it may."""

    def __init__(self) -> None:
        self.phases: list[fp.Phase] = []

    def choose(self, game: fp.Game) -> str:
        self.phases.append(game.phase)
        match game.phase:
            case fp.Phase.PLAY:
                return str(game.plays()[-1])
            case fp.Phase.CUBE_DECISION:
                return "double"
            case fp.Phase.DOUBLE_OFFERED:
                return "take"
        return "roll"


@pytest.mark.parametrize("variant", list(fp.variants))
def test_a_function_chooses_the_plays_of_its_side(variant: str) -> None:
    match = fp.play_match(first, "random", length=0, variant=variant, seed=2)
    assert match.names == ("first", "random")
    assert match.games[0].result is not None
    mine = [
        (entry.before, entry.after)
        for entry in match.games[0].entries()
        if entry.player is fp.Player.X and entry.before.phase is fp.Phase.PLAY
    ]
    assert mine
    assert all(before.play(before.plays()[0]) == after for before, after in mine)


def test_an_object_is_asked_for_the_cube_too() -> None:
    bot = ByWords()
    match = fp.play_match(bot, bot, length=5, seed=1)
    assert match.names == ("ByWords", "ByWords")
    assert match.is_over
    assert {fp.Phase.PLAY, fp.Phase.CUBE_DECISION, fp.Phase.DOUBLE_OFFERED} <= set(bot.phases)
    assert match.game.cube.value >= 4


@pytest.mark.parametrize("variant", broadly(["backgammon", "dutch", "acey_deucey"], "backgammon", "dutch"))
def test_a_bot_that_plays_as_another_does_duels_as_it_does(variant: str) -> None:
    """The bot ``heuristic``, asked one board after the other as a bot of one's own, gets the same points."""
    from fullprime.engine.bots.bots import HeuristicBot

    heuristic = HeuristicBot()
    own = fp.duel(heuristic, "random", games=6, seed=3, variant=variant)
    named = fp.duel("heuristic", "random", games=6, seed=3, variant=variant)
    assert (own.points, own.wins, own.plies) == (named.points, named.wins, named.plies)
    assert own.names == ("heuristic", "random")


def test_a_duel_of_functions_repeats_itself() -> None:
    def plays(seed: int) -> Callable[[fp.Game], fp.Play]:
        numbers = random.Random(seed)
        return lambda game: numbers.choice(game.plays())

    one, other = (fp.duel(plays(1), first, games=4, seed=9) for _ in range(2))
    assert one.points == other.points


@pytest.mark.parametrize(
    ("bot", "error", "words"),
    [
        (lambda game: 31, fp.FullprimeError, "31"),
        (lambda game: None, fp.FullprimeError, "None"),
        (lambda game: "1/24", fp.FullprimeError, "1/24"),
        (lambda game: fp.Action("double"), fp.IllegalAction, "double"),
        (lambda game: fp.Position.start().plays("66")[0], fp.IllegalAction, "not possible"),
        (5, fp.FullprimeError, "5 is no player"),
        (None, fp.FullprimeError, "None is no player"),
        ("nobody", fp.FullprimeError, "nobody"),
    ],
)
def test_a_choice_that_is_none_is_told(bot: object, error: type[Exception], words: str) -> None:
    for play in (lambda: fp.play_match(bot, first, seed=1), lambda: fp.duel(bot, first, games=2)):  # type: ignore[arg-type]
        with pytest.raises(error, match=words):
            play()


def test_the_errors_of_a_bot_come_through() -> None:
    def broken(game: fp.Game) -> fp.Play:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fp.play_match(broken, "random", seed=1)
    with pytest.raises(KeyError, match="mine"):
        fp.duel(broken, "random", games=2)


def test_two_bots_that_never_end_a_game_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Resigning:
        def choose(self, game: fp.Game) -> str | fp.Action:
            return "refuse" if game.phase is fp.Phase.RESIGNATION_OFFERED else fp.Action("resign", number=1)

    monkeypatch.setattr("fullprime.front.playing.LONGEST_GAME", 50)
    with pytest.raises(fp.FullprimeError, match="50 actions"):
        fp.play_match(Resigning(), Resigning(), seed=1)
