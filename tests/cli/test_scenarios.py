"""The scenarios of cube, match, score and variant, driven as anybody would: by `play --script --json`."""

from __future__ import annotations

import pytest
from tests.cli.commandline import CommandLine

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
LAST = "2 off:14"
"""X bears the last checker off with any roll."""


def result(states: list[dict]) -> dict:
    assert states[-1]["game_over"], states[-1]
    return states[-1]["result"]


# -- what a game is worth ---------------------------------------------------------------------------------------
LOSERS = {
    "S02": ("1:15", 2, 2, 2),
    "S03": ("24 1:14", 3, 2, 3),
    "S04": ("19 1:14", 3, 2, 3),
    "S06": ("bar 1:14", 3, 3, 4),
    "S08": ("off bar 1:13", 1, 1, 1),
    "S09": ("off 24 1:13", 1, 1, 1),
}


@pytest.mark.parametrize("name", LOSERS)
def test_the_worth_of_a_game(fullprime: CommandLine, name: str) -> None:
    loser, *expected = LOSERS[name]
    for rule, points in zip(("home_or_bar", "bar_only", "bar_four"), expected, strict=True):
        states = fullprime.script("--money", "--no-store", "--backgammon", rule, f"{LAST} / {loser}", lines=["roll 65"])
        assert (result(states)["winner"], result(states)["points"]) == ("X", points)


# -- the cube ---------------------------------------------------------------------------------------------------
def cube(fullprime: CommandLine, *options: str, lines: list[str], position: str = START) -> list[dict]:
    return fullprime.script("--no-store", position, *options, lines=lines)


def test_c02_a_drop_loses_the_old_value(fullprime: CommandLine) -> None:
    states = cube(fullprime, "--money", lines=["double", "drop"])
    assert states[0]["cube"] == {"value": 1, "owner": None, "offered": 2, "in_use": True}
    assert (result(states)["winner"], result(states)["points"]) == ("X", 1)


def test_c05_c06_no_double_after_the_dice(fullprime: CommandLine) -> None:
    opening = fullprime.script("--money", lines=["roll 31", "double"])
    assert "error" not in opening[0]
    assert opening[1]["error"] == "the dice are cast: a double is offered before rolling"
    later = cube(fullprime, "--money", lines=["roll 31", "double"])
    assert "cast" in later[1]["error"]
    assert later[1]["position"] == later[0]["position"]


def test_c07_c08_beavers(fullprime: CommandLine) -> None:
    taken = cube(fullprime, "--money", "--beavers", lines=["double", "beaver", "take"])
    assert taken[-1]["cube"] == {"value": 4, "owner": "O", "offered": None, "in_use": True}
    dropped = cube(fullprime, "--money", "--beavers", lines=["double", "beaver", "drop"])
    assert (result(dropped)["winner"], result(dropped)["points"]) == ("O", 2)


def test_c09_c10_c11_raccoons(fullprime: CommandLine) -> None:
    options = ("--money", "--beavers", "--raccoons")
    taken = cube(fullprime, *options, lines=["double", "beaver", "raccoon", "accept"])
    assert (taken[-1]["cube"]["value"], taken[-1]["cube"]["owner"]) == (8, "O")
    dropped = cube(fullprime, *options, lines=["double", "beaver", "raccoon", "drop"])
    assert (result(dropped)["winner"], result(dropped)["points"]) == ("X", 4)
    without = cube(fullprime, "--money", "--beavers", lines=["double", "beaver", "raccoon"])
    assert "raccoons are not played" in without[-1]["error"]


def test_c12_c13_no_late_beaver_and_none_in_a_match(fullprime: CommandLine) -> None:
    late = cube(fullprime, "--money", "--beavers", lines=["double", "take", "roll 31", "beaver"])
    assert "before the dice" in late[-1]["error"]
    match = cube(fullprime, "--length", "7", lines=["double", "beaver"])
    assert match[-1]["error"] == "beavers are for money play, not for a match"
    refused = fullprime.run("play", "--length", "7", "--beavers")
    assert (refused.code, refused.err) == (2, "error: beavers are for money play, not for a match to 7\n")


def test_c14_c15_c25_c27_jacoby(fullprime: CommandLine) -> None:
    lost = f"{LAST} / 1:15"
    unturned = cube(fullprime, "--money", "--jacoby", lines=["roll 65"], position=lost)
    assert result(unturned)["points"] == 1
    turned = cube(fullprime, "--money", "--jacoby", lines=["double", "take", "roll 65"], position=lost)
    assert result(turned)["points"] == 4
    dropped = cube(fullprime, "--money", "--jacoby", lines=["double", "drop"])
    assert result(dropped)["points"] == 1
    resigned = cube(fullprime, "--money", "--jacoby", lines=["resign g", "accept"])
    assert (result(resigned)["winner"], result(resigned)["points"]) == ("O", 1)


def test_c17_c18_automatic_doubles(fullprime: CommandLine) -> None:
    options = ("--money", "--jacoby", "--automatic-doubles", "unlimited", "--no-store")
    states = fullprime.script(*options, lines=["roll 33", "roll 55", "roll 14", "resign g", "accept"])
    assert [state["multiplier"] for state in states] == [2, 4, 4, 4, 4]
    assert states[2]["cube"]["value"] == 1
    assert states[2]["cube"]["owner"] is None
    assert states[2]["on_roll"] == "O"
    assert result(states)["points"] == 4
    turned = fullprime.script(
        *options,
        lines=["roll 33", "roll 55", "roll 14", "24/23 13/9", "double", "take", "roll 31", "resign g", "accept"],
    )
    assert result(turned)["points"] == 16


def test_c21_c22_the_limit_of_the_cube(fullprime: CommandLine) -> None:
    at_64 = ("--money", "--cube-at", "64:X")
    limited = cube(fullprime, *at_64, "--cube-cap", "64", lines=["double"])
    assert limited[-1]["error"] == "the cube's limit is 64"
    free = cube(fullprime, *at_64, lines=["double", "take"])
    assert (free[-1]["cube"]["value"], free[-1]["cube"]["owner"]) == (128, "O")
    by_xgid = cube(fullprime, lines=["double"], position="XGID=-b----E-C---eE---c-e----B-:6:1:1:00:0:0:0:0:10")
    assert by_xgid[-1]["cube"]["offered"] == 128


def test_c23_no_automatic_doubles_in_a_match(fullprime: CommandLine) -> None:
    states = fullprime.script("--length", "5", lines=["roll 33", "roll 41"])
    assert states[-1]["multiplier"] == 1
    assert fullprime.run("play", "--length", "5", "--automatic-doubles", "1").code == 2


def test_c28_a_backgammon_with_the_bar_at_cube_two(fullprime: CommandLine) -> None:
    states = cube(
        fullprime,
        *("--money", "--backgammon", "bar_four", "--cube-at", "2:O"),
        lines=["roll 65"],
        position=f"{LAST} / bar 1:14",
    )
    assert result(states)["points"] == 8


# -- the match --------------------------------------------------------------------------------------------------
def test_m02_m03_the_crawford_game_comes_once(fullprime: CommandLine) -> None:
    lines = ["roll 31", "double", "8/5 6/5", "double", "roll 43", "resign", "accept"]
    lose = ["roll 31", "resign n", "accept"]
    crawford = fullprime.script("--length", "9", "--score", "8-3", lines=[*lines[:4], "roll 43"])
    assert all(state["crawford"] for state in crawford)
    assert "Crawford" in crawford[3]["error"]
    assert crawford[3]["legal_actions"] == ["roll", "resign"]
    after = fullprime.script("--length", "9", "--score", "8-3", lines=[*lose, "roll 31", "8/5 6/5", "double"])
    assert (after[2]["score"], after[2]["game_over"], after[2]["next_game"]) == ([8, 4], True, {"crawford": False})
    assert not after[3]["crawford"]
    assert after[3]["post_crawford"]
    assert after[-1]["phase"] == "double_offered"
    both = fullprime.script(
        *("--length", "5", "--score", "4-0"), lines=[*lose, "roll 31", "resign b", "accept", "next", "roll 31"]
    )
    assert both[-3]["score"] == [4, 4]
    assert not both[-1]["crawford"]


def test_m04_m06_match_point_reached_in_one_leap(fullprime: CommandLine) -> None:
    states = fullprime.script(
        "--length", "5", lines=["roll 13", "24/23 13/10", "double", "take", "roll 41", "resign g", "accept", "roll 31"]
    )
    assert not states[0]["crawford"]
    assert sorted(states[-2]["score"]) == [0, 4]
    assert states[-2]["next_game"] == {"crawford": True}
    assert states[-1]["crawford"]


def test_m08_m09_m10_who_may_double(fullprime: CommandLine) -> None:
    for who in ("X", "O"):
        crawford = cube(fullprime, "--length", "5", "--score", "4-2", "--on-roll", who, lines=["double"])
        assert "neither player may double" in crawford[-1]["error"]
    leader = cube(fullprime, "--length", "5", "--score", "4-2", "--post-crawford", lines=["double"])
    assert leader[-1]["phase"] == "double_offered"
    dead = cube(fullprime, "--length", "7", "--score", "5-5", "--cube-at", "4:X", lines=["double"])
    assert dead[-1]["cube"]["offered"] == 8


def test_m11_no_jacoby_in_a_match(fullprime: CommandLine) -> None:
    states = cube(fullprime, "--length", "5", lines=["roll 65"], position=f"{LAST} / 1:15")
    assert result(states) == {"winner": "X", "points": 2, "level": 2, "how": "bear-off", "money": None}


def test_the_match_is_won(fullprime: CommandLine) -> None:
    states = fullprime.script("--length", "1", lines=["roll 31", "resign", "refuse", "resign", "accept", "roll 31"])
    assert states[1]["turn"] == "O"
    assert states[2]["phase"] == "play"
    assert (states[4]["match_over"], states[4]["match_winner"], states[4]["legal_actions"]) == (True, "O", [])
    assert states[5]["error"] == "the match is over"


# -- other games ------------------------------------------------------------------------------------------------
def variant(fullprime: CommandLine, name: str, position: str, *lines: str, options: tuple[str, ...] = ()) -> list[dict]:
    return fullprime.script("--no-store", "-v", name, position, *options, lines=lines)


def test_d01_d03_d05_all_enter_first(fullprime: CommandLine) -> None:
    states = variant(fullprime, "dutch", "hand:15 / hand:15", "roll 53", "board")
    assert states[0]["position"] == "hand:15 / hand:13 22 20"
    stuck = variant(fullprime, "dutch", "hand:3 24:12 / 6:13 5:2", "roll 56")
    assert stuck[0]["events"][1]["play"] == "fan"
    assert stuck[0]["on_roll"] == "O"
    moving = variant(
        fullprime, "dutch", "hand:2 24:3 22:6 20:4 / hand:15", "roll 61", "24/18 hand/24", options=("--no-auto",)
    )
    assert "enter all your checkers" in moving[1]["error"]


def test_d08_d09_the_right_to_hit(fullprime: CommandLine) -> None:
    unearned = variant(fullprime, "dutch", "14:14 8 / 20 1:14", "roll 31", "8/5* 6/5")
    assert "error" in unearned[-1]
    assert not any("*" in play for play in unearned[0]["plays"])
    earned = variant(fullprime, "dutch", "bar 13:14 licence / 4 1:14", "roll 42")
    assert any(play.startswith("bar/21*") for play in earned[0]["plays"])


def test_a01_a02_acey_deucey_stages(fullprime: CommandLine) -> None:
    first = variant(fullprime, "acey_deucey", "hand:15 / hand:15", "roll 63")
    assert sorted(first[0]["plays"]) == ["hand/16", "hand/22 hand/19"]
    lines = ("roll 21", "hand/24 hand/23", "choose 5", "hand/20(4)", "roll 61")
    states = variant(fullprime, "acey_deucey", "hand:13 24 23 / hand:15", *lines)
    assert [state["phase"] for state in states] == ["play", "choose_double", "play", "roll", "play"]
    assert {state["on_roll"] for state in states} == {"X"}


def test_a04_a05_a06_what_must_be_played_completely(fullprime: CommandLine) -> None:
    blocked = variant(fullprime, "acey_deucey", "20 off:14 / 8:2 6:2 hand:11", "roll 12")
    assert blocked[-1]["on_roll"] == "O"
    assert blocked[-1]["phase"] == "roll"
    full = variant(fullprime, "acey_deucey", "10 1:14 / 17:2 hand:13", "roll 12", "9 7", "choose 6", "roll 31")
    assert full[0]["phase"] == "choose_double"  # 10/9/7 was forced
    lines = ("roll 21", "choose 1")
    partly = variant(fullprime, "acey_deucey", "12 off:14 / 22:2 19:2 hand:11", *lines)
    assert [state["phase"] for state in partly] == ["choose_double", "roll"]
    assert partly[-1]["on_roll"] == "O"
    won = variant(fullprime, "acey_deucey", "12 off:14 / 22:2 19:2 hand:11", "roll 21", "choose 4")
    assert result(won)["winner"] == "X"


def test_a07_a08_what_the_loser_pays(fullprime: CommandLine) -> None:
    loser = f"{LAST} / hand bar:2 20:4 off:8"
    whole = variant(fullprime, "acey_deucey", loser, "roll 65", options=("--stake", "2"))
    assert (result(whole)["points"], result(whole)["money"]) == (7, 14)
    on_board = variant(
        fullprime, "acey_deucey", loser, "roll 65", options=("--stake", "2", "--rule", "settlement=checkers_on_board")
    )
    assert result(on_board)["money"] == 8
    twice = ("roll 21", "choose 1", "roll 12", "choose 1", "roll 66")
    for rule, points in (("no", 5), ("yes", 20)):
        option = ("--rule", f"acey_deucey_doubles_stake={rule}")
        states = variant(fullprime, "acey_deucey", "15 off:14 / 1:5 off:10", *twice, options=option)
        assert result(states)["points"] == points, states[-1]


def test_a09_a12_further_throws(fullprime: CommandLine) -> None:
    chain = variant(
        fullprime, "acey_deucey", "hand:15 / hand:15", "roll 21", "hand/24 hand/23", "choose 1", "hand/24(4)", "roll 12"
    )
    assert chain[-1]["phase"] == "play"
    assert chain[-1]["on_roll"] == "X"
    natural = variant(fullprime, "acey_deucey", "hand:14 24 / hand:15", "roll 44", "hand/21(4)")
    assert natural[-1]["on_roll"] == "O"
    european = variant(fullprime, "acey_deucey_european", "hand:14 24 / hand:15", "roll 44", "hand/21(4)")
    assert (european[-1]["on_roll"], european[-1]["dice"]) == ("X", [3, 3])


def test_doubling_is_no_part_of_acey_deucey(fullprime: CommandLine) -> None:
    states = variant(fullprime, "acey_deucey", "hand:15 / hand:15", "double")
    assert states[0]["error"] == "doubling is not part of Acey Deucey"
