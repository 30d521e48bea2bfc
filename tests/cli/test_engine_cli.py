"""hint, evaluate, duel and the lines of JSON, with a net that knows nothing: form, defaults, refusals."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commandline import CommandLine
from tests.engine.random_nets import random_engine

from fullprime.analysis.engine_lines import LONGEST, answer, answer_lines
from fullprime.engine import api, shared
from fullprime.rules.ids import read_gnu_position
from fullprime.rules.variants import BACKGAMMON, VARIANTS

START = "4HPwATDgc/ABMA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10"


@pytest.fixture(autouse=True)
def knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines with random nets in the place of those of the package."""
    engines = {name: random_engine(VARIANTS[name], bearoff=name == "backgammon") for name in ("backgammon", "dutch")}

    def engine_for(variant: Any, threads: int = 1) -> Any:
        return engines[variant.name]

    monkeypatch.setattr(shared, "engine_for", engine_for)


def ask(**request: Any) -> dict[str, Any]:
    return json.loads(answer(json.dumps(request)))


# -- hint and evaluate --------------------------------------------------------------------------------------------
def test_a_hint_ranks_the_plays_of_a_roll(fullprime: CommandLine) -> None:
    done = fullprime.run("hint", START, "31", "--level", "1-ply", "--most", "3")
    assert done.code == 0
    lines = done.out.splitlines()
    assert len(lines) == 7
    assert lines[0].split() == ["#", "looked", "ahead", "play", "equity", "(behind", "the", "best)"]
    assert lines[1].startswith("  1. 1-ply ")
    assert "win " in lines[2]
    assert "(gammon " in lines[2]
    assert "says nothing but the board" in done.err


def test_a_hint_looks_at_the_best_plays_equally_far(fullprime: CommandLine) -> None:
    depths = [
        [play["depth"] for play in fullprime.run("hint", START, "31", "-l", "1-ply", "--json", *more).json["plays"]]
        for more in ((), ("--same-depth", "6"))
    ]
    assert depths[0][5] == 0
    assert depths[1][:7] == [1, 1, 1, 1, 1, 1, 0]


def test_a_hint_as_json_has_every_play(fullprime: CommandLine) -> None:
    answer = fullprime.run("hint", XGID, "--level", "0-ply", "--json").json
    assert answer["dice"] == [3, 1]
    assert answer["away"] == [5, 3]
    assert [play["rank"] for play in answer["plays"]] == list(range(1, 17))
    assert answer["plays"][0]["loss"] == 0
    assert all(read_gnu_position(play["position_id"]).text == play["position"] for play in answer["plays"])
    assert 0 < answer["plays"][0]["value"] < 1


def test_options_come_before_the_id(fullprime: CommandLine) -> None:
    money = fullprime.run("hint", XGID, "--level", "0-ply", "--json", "--length", "0", "--jacoby").json
    assert (money["away"], money["jacoby"]) == (None, True)
    other = fullprime.run("hint", XGID, "66", "-l", "0-ply", "--json", "--cubeless").json
    assert (other["dice"], other["cubeful"]) == ([6, 6], False)
    cube = fullprime.run("hint", START, "-l", "0-ply", "--json", "-n", "9", "--score", "2-4", "--cube-at", "2:X").json
    assert (cube["away"], cube["cube"]) == ([7, 5], {"value": 2, "owner": "mover"})
    assert cube["action"].startswith(("redouble", "no redouble", "too good"))


def test_without_a_roll_a_hint_is_about_the_cube(fullprime: CommandLine) -> None:
    text = fullprime.run("hint", "5:1 2:1 / 1:1", "--level", "1-ply").out
    assert text.splitlines()[0] == "Double, take"
    assert "No double        +0.0556" in text
    crawford = fullprime.run("hint", START, "-n", "7", "--score", "6-2", "-l", "0-ply", "--json").json
    assert (crawford["crawford"], crawford["double_take"]) == (True, None)


def test_an_evaluation_says_what_it_knows(fullprime: CommandLine) -> None:
    assert fullprime.run("evaluate", "1:4 / 1:4", "-l", "0-ply").out.startswith("exact: equity")
    answer = fullprime.run("evaluate", START, "-l", "1-ply", "--json").json
    assert (answer["depth"], answer["exact"], answer["cubeful"]) == (1, False, True)
    assert len(answer["probabilities"]) == 5


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("hint", START, "--level", "9-ply"), "there is no level"),
        (("hint", START, "77"), "77"),
        (("hint", "rubbish"), "rubbish"),
        (("hint", START, "-n", "3", "--score", "3-0"), "is over"),
        (("hint", START, "--seconds", "-1"), "limits"),
        (("duel", "0-ply", "nobody"), "there is no player"),
        (("duel", "random", "heuristic", "-g", "4", "--seconds", "1"), "one of the two"),
    ],
)
def test_what_cannot_be_asked_is_refused(fullprime: CommandLine, arguments: tuple[str, ...], reason: str) -> None:
    done = fullprime.run(*arguments)
    assert done.code == 2
    assert reason in done.err
    assert done.err.splitlines()[-1].startswith("error: ")


def test_a_duel_reports_both_sides(fullprime: CommandLine) -> None:
    answer = fullprime.run("duel", "heuristic", "random", "-g", "6", "--json").json
    assert answer["games"] == 6
    assert sum(answer["wins"]) == 6
    assert answer["names"] == ["heuristic", "random"]
    again = fullprime.run("duel", "heuristic", "random", "-g", "6", "--json").json
    assert again["points"] == answer["points"]


def test_a_rollout_shows_its_errors_and_can_be_gone_on_with(fullprime: CommandLine, tmp_path: Path) -> None:
    kept_file = str(tmp_path / "kept.json")
    text = fullprime.run("rollout", "2:2 / 1:4", "--cubeless", "-t", "36", "--save", kept_file).out
    assert text.startswith("36 of 36 trials")
    assert "+0.9074" in text  # 10 rolls of 36 miss, then 6 of 36 win for the other side
    more = fullprime.run("rollout", "2:2 / 1:4", "-t", "72", "--load", kept_file, "--json").json
    assert (more["trials"], more["complete"]) == (72, True)
    assert more["candidates"][0]["equity"] == pytest.approx(1 - 2 * 10 / 36 / 6)


def test_a_rollout_of_plays_and_of_the_cube(fullprime: CommandLine) -> None:
    plays = fullprime.run(
        "rollout", START, "31", "-p", "8/5 6/5", "-p", "24/20", "-t", "36", "--truncate", "3", "--json"
    ).json
    assert {candidate["name"] for candidate in plays["candidates"]} == {"8/5 6/5", "24/20"}
    assert plays["truncate"] == 3
    text = fullprime.run("rollout", "5:1 2:1 / 1:1", "-t", "36").out
    assert "Double, take" in text
    assert fullprime.run("rollout", START, "-p", "8/5 6/5").code == 2


def test_a_rollout_plays_its_trials_as_a_level_does(fullprime: CommandLine) -> None:
    race = "6:2 5:2 2:3 off:8 / 6:3 5:2 3:3 off:7"
    answer = fullprime.run("rollout", race, "21", "--level", "roller", "-t", "36", "--most", "1", "--json").json
    assert (answer["truncate"], answer["opening"], answer["joint"], answer["trials"]) == (5, [2, 1], True, 36)
    wrong = fullprime.run("rollout", race, "21", "--level", "2-ply")
    assert wrong.code == 2
    assert wrong.err.endswith("error: level 2-ply plays no trials; these do: roller, roller+\n")


def test_levels_are_listed_from_weak_to_strong(fullprime: CommandLine) -> None:
    names = [level["name"] for level in json.loads(fullprime.run("levels", "--json").out)]
    assert names[0] == "beginner"
    assert names[-3:] == ["3-ply", "roller", "roller+"]


def test_a_hint_in_a_game_comes_from_the_engine(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "can_advise", lambda game: True)
    states = fullprime.script(lines=["31", "hint", "hint heuristic", "hint 9-ply"])
    best = api.hint(study_game(), "1-ply").short
    assert states[1]["event"]["hint"] == best
    assert "1-ply" in states[1]["event"]["text"]
    assert states[2]["event"]["hint"] == "8/5 6/5"
    assert "there is no level" in json.dumps(states[3])


def study_game() -> Any:
    from fullprime.rules import game as acts
    from fullprime.rules.game import Game
    from fullprime.rules.score import Settings

    return Game.new(Settings(length=5)).act(acts.opening(3, 1))


# -- lines of JSON ------------------------------------------------------------------------------------------------
def test_plays_come_best_first_with_the_other_players_position() -> None:
    reply = ask(id="a", position=START, dice=[3, 1], level="0-ply")
    assert list(reply) == ["id", "plays"]
    assert reply["id"] == "a"
    assert len(reply["plays"]) == 16
    assert list(reply["plays"][0]) == [
        "rank", "play", "position_id", "position", "equity", "loss", "probabilities", "depth", "value", "trials",
        "error",
    ]  # fmt: skip
    equities = [play["equity"] for play in reply["plays"]]
    assert equities == sorted(equities, reverse=True)
    best = next(play for play in reply["plays"] if play["play"] == "8/5 6/5")
    assert best["position_id"] == "sGfwATDgc/ABMA"
    win, gammon, backgammon, lose_gammon, lose_backgammon = best["probabilities"]
    assert best["equity"] == pytest.approx(2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon)


def test_without_dice_the_cube_is_judged() -> None:
    reply = ask(id=7, position=START, level="0-ply")
    assert list(reply) == ["id", "probabilities", "equity", "cube"]
    assert list(reply["cube"]) == [
        "cubeful", "cube", "away", "crawford", "jacoby", "beavers", "no_double", "double_take",
        "double_drop", "action", "reply", "cubeless", "probabilities", "depth", "exact", "trials", "error",
        "take_error",
    ]  # fmt: skip
    assert reply["cube"]["double_drop"] == 1
    cubeful = ask(id=7, position=START, level="0-ply", cubeful=True)
    assert cubeful["equity"] == pytest.approx(
        max(cubeful["cube"]["no_double"], min(cubeful["cube"]["double_take"], 1.0))
    )


def test_what_is_not_said_has_the_documented_meaning() -> None:
    short = ask(position=START, dice=[3, 1])
    long = ask(
        id=None,
        position=START,
        dice=[3, 1],
        level="1-ply",
        variant="backgammon",
        cubeful=False,
        cube={"value": 1, "owner": None},
        match=None,
        rules={"jacoby": False, "beavers": False},
    )
    assert short == long
    assert short["plays"][0]["depth"] == 1


def test_the_score_and_the_cube_are_taken_from_the_request() -> None:
    match = {"length": 7, "mover": 5, "opponent": 2, "crawford": False}
    reply = ask(position=START, cubeful=True, level="0-ply", match=match, cube={"value": 2, "owner": "opponent"})
    assert reply["cube"]["double_take"] is None
    assert reply["cube"]["action"] == "no double: the opponent owns the cube"
    plain = ask(position=START, level="0-ply", match=match)
    assert plain["equity"] != ask(position=START, level="0-ply")["equity"]  # gammons weigh otherwise at this score


def test_a_board_with_a_hand_is_named_by_our_text_form() -> None:
    reply = ask(position=VARIANTS["dutch"].starting_position.text, variant="dutch", dice=[3, 1], level="0-ply")
    assert reply["plays"][0]["position_id"] is None
    assert "hand" in reply["plays"][0]["position"]
    again = ask(position=reply["plays"][0]["position"], variant="dutch", level="0-ply")
    assert "error" not in again


BAD = [
    ("", "not JSON"),
    ("[]", "JSON object"),
    ("[" * 5000, "at most 100 brackets"),
    ("NaN", "not JSON"),
    ('{"id": 1, "position": 5}', "position is a text"),
    ('{"id": 1}', "no position"),
    ('{"id": 1, "position": null}', "position is a text"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "dices": [1, 2]}', 'no field "dices"'),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "dice": [0, 2]}', "two numbers from 1 to 6"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "dice": [true, 2]}', "two numbers from 1 to 6"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "dice": "31"}', "two numbers from 1 to 6"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "level": "best"}', "there is no level"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "level": 1}', "level is a text"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "variant": "chess"}', "chess"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "cubeful": 1}', "cubeful is true or false"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "cube": {"value": 3}}', "cube at 3"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "cube": {"value": "2"}}', "cube.value is a number"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "cube": {"owner": "me"}}', "cube.owner"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "cube": [1]}', "cube is an object"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "match": {"length": 7, "mover": 7}}', "match.mover"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "match": {}}', "match.length"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "match": {"length": 7, "crawford": true}}', "Crawford"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "match": {"length": 5}, "rules": {"jacoby": true}}', "money"),
    ('{"id": 1, "position": "4HPwATDgc/ABMA", "rules": {"raccoons": true}}', 'no field "raccoons"'),
    ('{"id": 1, "position": "rubbish"}', "rubbish"),
    ('{"id": 1, "position": "1:15 / off:15"}', "over"),
    ('{"id": 1, "position": "\\ud800"}', "identifier"),
]


@pytest.mark.parametrize(("line", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_bad_request_is_answered_with_the_reason(line: str, reason: str) -> None:
    reply = json.loads(answer(line))
    assert list(reply) == ["id", "error"]
    assert reason in reply["error"]
    assert "internal" not in reply["error"]
    assert reply["id"] == (1 if '"id"' in line else None)


def test_an_internal_error_is_told_and_does_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(shared, "engine_for", broken)
    assert ask(id=3, position=START)["error"] == "internal error: ZeroDivisionError: oops"


def chunks(data: bytes, size: int) -> Iterator[bytes]:
    stream = io.BytesIO(data)
    while chunk := stream.read(size):
        yield chunk
    yield b""


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_a_conversation_survives_everything_that_comes_in(size: int) -> None:
    if size == 1:
        lines = [b'{"id":1}', b"", b"\xff\xfe", b'{"id":2}']
    else:
        lines = [b'{"id":1}', b"", b"\xff\xfe", b'{"id":"' + b"x" * (3 * LONGEST) + b'"}', b"\x00", b'{"id":2}']
    source, received = chunks(b"\n".join(lines), size), []
    answer_lines(lambda: next(source), received.append)
    replies = [json.loads(line) for line in received]
    assert all(list(reply) == ["id", "error"] for reply in replies)
    assert (replies[0]["id"], replies[-1]["id"]) == (1, 2)
    assert len(replies) == len(lines) - 1  # the empty line is passed over


def test_the_command_answers_line_by_line(fullprime: CommandLine) -> None:
    request = json.dumps({"id": 1, "position": START, "dice": [3, 1], "level": "0-ply"})
    done = fullprime.run("engine", typed=f"{request}\nnonsense\n{request}")
    assert done.code == 0
    first, second, third = done.lines
    assert first == third
    assert second["error"].startswith("not JSON")


def test_the_board_of_an_id_counts_and_nothing_else_of_it() -> None:
    assert ask(position=XGID, level="0-ply") == ask(position=START, level="0-ply")
    assert read_gnu_position(START) == BACKGAMMON.starting_position
