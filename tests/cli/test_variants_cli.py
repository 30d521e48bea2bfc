"""Every game through every command that thinks: what comes back has the right form and agrees with the rules."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine
from tests.reviews.matches import random_match

from fullprime.formats import Document, write
from fullprime.reviews.matches import reviewing
from fullprime.rules.dice import Roll
from fullprime.rules.plays import legal_plays
from fullprime.rules.score import Settings
from fullprime.rules.variants import VARIANTS, Variant
from fullprime.rules.variants.variant import Settlement
from fullprime.rules.words import format_signed


@pytest.fixture(params=list(VARIANTS))
def variant(request: pytest.FixtureRequest) -> Variant:
    return VARIANTS[request.param]


def right(outputs: list[float], variant: Variant) -> bool:
    """Whether five outputs can be: chances, a backgammon being a gammon and a gammon a win."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = outputs
    if variant.settlement is not Settlement.GAMES:
        return all(0 <= output <= 1 for output in outputs)
    return 0 <= backgammon <= gammon <= win <= 1 and 0 <= lose_backgammon <= lose_gammon <= 1 - win + 1e-6


@pytest.mark.parametrize("dice", ["31", "21", "55"])
def test_hint_ranks_the_plays_of_a_roll(fullprime: CommandLine, variant: Variant, dice: str) -> None:
    start = variant.starting_position
    arguments = ("hint", start.text, dice, "--variant", variant.name, "--level", "0-ply")
    done = fullprime.run(*arguments, "--json")
    assert done.code == 0, done.err
    plays = done.json["plays"]
    legal = legal_plays(start, Roll(int(dice[0]), int(dice[1])), variant)
    assert sorted(play["position"] for play in plays) == sorted(play.position.text for play in legal)
    assert [play["rank"] for play in plays] == list(range(1, len(legal) + 1))
    losses = [play["loss"] for play in plays]
    assert losses[0] == 0
    assert losses == sorted(losses)
    assert all(right(play["probabilities"], variant) for play in plays)
    text = fullprime.run(*arguments, "--most", "2").out
    assert re.search(rf"\n +1\. 0-ply \(static\) +{re.escape(plays[0]['play'])}  ", text)


def test_hint_about_the_cube_or_why_there_is_none(fullprime: CommandLine, variant: Variant) -> None:
    done = fullprime.run("hint", variant.starting_position.text, "-v", variant.name, "-l", "0-ply", "--json")
    if variant.cube:
        assert done.code == 0, done.err
        assert done.json["no_double"] > done.json["double_take"]
        assert done.json["action"] == "no double, take"
    else:
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert "has no cube" in done.err


def test_evaluate_judges_the_start(fullprime: CommandLine, variant: Variant) -> None:
    done = fullprime.run("evaluate", variant.starting_position.text, "-v", variant.name, "-l", "0-ply", "--json")
    assert done.code == 0, done.err
    answer = done.json
    assert right(answer["probabilities"], variant)
    win, gammon, backgammon, lose_gammon, lose_backgammon = answer["probabilities"]
    if variant.settlement is Settlement.GAMES:
        cubeless = 2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon
        assert answer["cubeless"] == pytest.approx(cubeless, abs=1e-5)
    assert (answer["depth"], answer["exact"]) == (0, False)
    text = fullprime.run("evaluate", variant.starting_position.text, "-v", variant.name, "-l", "0-ply")
    assert f"equity {format_signed(answer['equity'], 4)}" in text.out


def test_rollout_of_plays_and_of_a_position(fullprime: CommandLine, variant: Variant) -> None:
    start = ("rollout", variant.starting_position.text, "-v", variant.name, "--threads", "1", "-t", "36", "--json")
    done = fullprime.run(*start, "42", "--truncate", "2", "--most", "2", "--cubeless")
    assert done.code == 0, done.err
    candidates = done.json["candidates"]
    # With all checkers in hand there may be one way only.
    assert len(candidates) == min(2, len(legal_plays(variant.starting_position, Roll(4, 2), variant)))
    assert len({candidate["name"] for candidate in candidates}) == len(candidates)
    assert candidates[0]["equity"] == max(candidate["equity"] for candidate in candidates)
    assert all(candidate["error"] > 0 for candidate in candidates)
    done = fullprime.run(*start, "--truncate", "2", "--cubeless")
    assert done.code == 0, done.err
    (only,) = done.json["candidates"]
    assert only["interval"][0] < only["equity"] < only["interval"][1]
    again = fullprime.run(*start, "--truncate", "2", "--cubeless")
    assert again.json == done.json


@pytest.mark.broad
def test_review_judges_a_match(
    fullprime: CommandLine, variant: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviewing, "user_cache_path", lambda _: tmp_path / "cache")
    match = random_match(Settings(variant=variant, length=3 if variant.cube else 0), seed=4, games=1)
    match = replace(match, games=tuple(replace(game, events=game.events[:20]) for game in match.games))
    file, page = tmp_path / "match.json", tmp_path / "report.html"
    file.write_bytes(write(Document(match), "json")[0])
    done = fullprime.run("review", str(file), "--level", "fast", "--threads", "1", "--json", "--html", str(page))
    assert done.code == 0, done.err
    (found,) = done.json["matches"]
    assert found["variant"] == variant.name
    decisions = found["review"]["decisions"]
    assert len(decisions) >= 5
    assert all(decision["loss"] >= 0 for decision in decisions)
    assert found["review"]["left_out"] == []
    assert any(decision["loss"] > 0 for decision in decisions), "random plays lose something"
    assert sum(found["ratings"][side]["counted"] for side in "XO") == sum(decision["counts"] for decision in decisions)
    assert variant.title in page.read_text(encoding="utf-8")
    shown = fullprime.run("review", str(file), "--level", "fast", "--worst", "1")
    assert "decisions that count" in shown.out
    assert "loses " in shown.out


def test_selfplay_plays_games_to_their_end(fullprime: CommandLine, variant: Variant) -> None:
    arguments = ("selfplay", "-v", variant.name, "--bot", "0-ply", "--against", "heuristic", "--games", "1", "--json")
    done = fullprime.run(*arguments)
    assert done.code == 0, done.err
    answer = done.json
    assert (answer["variant"], answer["games"], sum(answer["wins"])) == (variant.name, 1, 1)
    assert answer["plies_per_game"] > 3
    again = fullprime.run(*arguments).json
    assert again["points"] == answer["points"]
