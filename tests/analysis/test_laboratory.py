"""The laboratory: games by the rules of a house, counted by these rules, and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from fullprime.analysis.laboratory import LabProgress, laboratory
from fullprime.engine.engine import Engine
from fullprime.engine.house_games import HouseGames, HouseGamesError, play_house_games
from fullprime.engine.search.budget import Stopped
from fullprime.play.options.options import make_settings
from fullprime.rules.errors import SettingsError


def played(variant: str, *rules: str, games: range = range(100), seed: int = 3) -> HouseGames:
    settings = make_settings(variant, rules=rules, default_length=0)
    return play_house_games(Engine.open(settings.variant, "fast"), settings, games, seed)


def test_a_game_depends_on_its_seed_and_number_alone() -> None:
    at_once = played("hypergammon", games=range(60))
    parts = [played("hypergammon", games=range(25)), played("hypergammon", games=range(25, 60))]
    assert np.array_equal(at_once.points, np.concatenate([part.points for part in parts]))
    assert np.array_equal(at_once.plies, np.concatenate([part.plies for part in parts]))
    assert not np.array_equal(at_once.points, played("hypergammon", games=range(60), seed=4).points)


def test_results_are_counted_by_the_rules_of_the_house() -> None:
    plain = played("backgammon", "cube=no")
    assert not plain.dropped.any()
    assert set(np.abs(plain.points)) <= {1, 2, 3}
    assert np.array_equal(np.abs(plain.points), plain.levels)
    assert 0.15 < (plain.levels >= 2).mean() < 0.45
    assert 45 < plain.plies.mean() < 66, "random dice and plain strong play: 55.6 in 20,055 games of another program"
    capped = played("backgammon", "cube_cap=2", "jacoby=yes")
    assert capped.cubes.max() == 2
    worth = np.where(capped.dropped, capped.cubes, capped.levels * capped.cubes)
    assert np.array_equal(np.abs(capped.points), worth)
    ties = played("hypergammon", "cube=no", "automatic_doubles=1", games=range(150))
    doubled = np.abs(ties.points) == 2 * ties.levels
    assert 0.08 < doubled.mean() < 0.27, "one opening in six is a tie"
    acey = played("acey_deucey", "acey_deucey_doubles_stake=yes", games=range(20))
    assert (acey.levels == 0).all()
    assert np.abs(acey.points).max() > 15, "more than all checkers: stakes were doubled"


def test_a_match_and_a_stop_end_it() -> None:
    with pytest.raises(HouseGamesError, match="not in a match to 3"):
        played("backgammon", "length=3")
    settings = make_settings("hypergammon", default_length=0)
    with pytest.raises(Stopped):
        play_house_games(Engine.open("hypergammon", "fast"), settings, range(10), 1, stop=lambda: True)


def test_the_laboratory_compares_with_and_without_and_tells_its_progress() -> None:
    progress: list[LabProgress] = []
    answer = laboratory("hypergammon", {"cube": "no"}, games=300, progress=progress.append)
    assert [step.done for step in progress] == [250, 500, 550, 600]
    assert answer.rules == {"cube": "no"}
    assert answer.usual.games == answer.house.games == 300
    assert answer.house.drops.value == 0 < answer.usual.drops.value
    drops = next(finding for finding in answer.findings if finding.name == "drops")
    assert drops.clear
    assert drops.words.startswith("Fewer games end with a drop, by ")
    stake = answer.findings[-1]
    sizes = answer.usual.size.value / answer.house.size.value
    assert stake.change.value == pytest.approx(sizes, abs=1e-5)


def test_what_is_played_by_a_stop_is_compared() -> None:
    progress: list[LabProgress] = []
    rules = {"automatic_doubles": "1"}
    answer = laboratory("hypergammon", rules, games=5000, progress=progress.append, stop=lambda: len(progress) > 2)
    assert answer.house.games == 250


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({}, "these are the usual rules"),
        ({"stake": "5"}, "these are the usual rules"),
        ({"length": "7"}, "leave the length"),
        ({"raccoons": "yes"}, "raccoons answer beavers"),
        ({"jacoby": "perhaps"}, "neither yes nor no"),
    ],
)
def test_rules_that_say_nothing_are_refused(rules: dict[str, str], why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        laboratory("backgammon", rules, games=100)
