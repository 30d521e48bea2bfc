"""The analysis board over HTTP: identifiers, setups, questions to the engine, limits."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator
from typing import Any, cast

import httpx
import pytest
from tests.web.conftest import Server

from fullprime.analysis import service, setups
from fullprime.analysis.rollouts import RolloutOptions
from fullprime.analysis.setups import AnalysisSetup, game_of
from fullprime.common.jobs import Job
from fullprime.engine.nets.net import manifest
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError, SettingsError
from fullprime.rules.ids import IDS, write_id
from fullprime.rules.score import Player
from fullprime.rules.variants import VARIANTS
from fullprime.web.models.analysis import EngineQuestion
from fullprime.web.routes.analysis import _work

MATCH = {
    "rules": {"length": "7"},
    "position": "24:2 13:4 8:4 6:5 / 24:2 13:5 8:3 6:5",
    "on_roll": "O",
    "score": [3, 2],
    "cube": 2,
    "owner": "O",
    "dice": [5, 2],
}


@pytest.fixture
def client(warm_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=warm_server.url, timeout=120) as client:
        yield client


def post(client: httpx.Client, path: str, body: Any, code: int = 200) -> Any:
    answer = client.post(f"/api/analysis/{path}", json=body)
    assert answer.status_code == code, answer.text
    return answer.json()


def finished(client: httpx.Client, job: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The job when it is over, and all that its stream told."""
    with client.stream("GET", f"/api/analysis/jobs/{job['id']}/stream") as answer:
        lines_read = [json.loads(line) for line in answer.iter_lines() if line.strip()]
    return lines_read[-1], lines_read


def asked(client: httpx.Client, **question: Any) -> Any:
    """The result of a question."""
    job, _ = finished(client, post(client, "jobs", {"setup": {}, **question}, 202))
    assert (job["state"], job["error"]) == ("done", None)
    return job["result"]


# -- setups -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_setup_leads_back_to_its_game_in_every_variant(variant: str) -> None:
    board = setups.board(setups.game_of(AnalysisSetup(variant=variant)))
    for line in ("roll 21", None, "roll 66", None, "roll 43", None):
        setup = board.setup
        game = setups.game_of(setup)
        assert setups.setup_of(game) == setup
        if line is None:
            assert game.dice is not None
            line = str(game.legal_plays[0].moves and " ".join(map(str, game.legal_plays[0].moves))) or "no play"
        elif board.scene.facts.phase == "choose_double":
            line = "choose 5"
        elif "roll" not in board.scene.actions:
            continue
        board = setups.act(game, line)
        assert sum(board.scene.points["X"]) == sum(board.scene.points["O"]) == board.scene.checkers


def test_what_follows_an_acey_deucey_is_carried_along() -> None:
    start = setups.board(setups.game_of(AnalysisSetup(variant="acey_deucey")))
    rolled = setups.act(setups.game_of(start.setup), "roll 21")
    assert rolled.setup.follow_ups
    played = setups.act(setups.game_of(rolled.setup), "hand/24 hand/23")
    assert (played.scene.facts.phase, played.scene.actions) == ("choose_double", ("choose",))
    named = setups.act(setups.game_of(played.setup), "choose 5")
    assert named.scene.facts.dice == Roll(5, 5)
    assert named.setup.follow_ups == ("roll_again",)
    assert named.scene.facts.on_roll is Player.X


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"position": "24:2 13:5 8:3 6:6 / 24:2 13:5 8:3 6:5"}, "15"),
        ({"cube": 3, "owner": "X"}, "cube"),
        ({"cube": 2}, "owner"),
        ({"rules": {"length": "5"}, "score": (5, 0)}, "over"),
        ({"rules": {"length": "5"}, "score": (2, 0), "crawford": True}, "Crawford"),
        ({"offered": True, "dice": (3, 1)}, "cannot have doubled"),
        ({"choose": True}, "nobody names a double"),
        ({"position": "off:15 / 24:2 13:5 8:3 6:5"}, "over"),
        ({"rules": {"length": "5", "jacoby": "yes"}}, "Jacoby"),
        ({"variant": "chess"}, "variant"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(FullprimeError, match=why):
        setups.game_of(AnalysisSetup(**changes))


def test_the_crawford_game_follows_from_the_score_or_from_what_is_said() -> None:
    rules = {"length": "5"}
    assert setups.game_of(AnalysisSetup(rules=rules, score=(4, 1))).score.crawford_game
    after = setups.game_of(AnalysisSetup(rules=rules, score=(4, 1), crawford=False))
    assert (after.score.crawford_game, after.score.post_crawford, after.may_double) == (False, True, True)


# -- the board over HTTP ----------------------------------------------------------------------------------------
@pytest.mark.broad
def test_every_kind_of_identifier_gives_the_same_board(client: httpx.Client) -> None:
    board = post(client, "board", MATCH)
    assert set(board["ids"]) == set(IDS)
    for kind in ("xgid", "gnuid", "ogid"):
        board_read = post(client, "read", {"text": board["ids"][kind]})
        assert board_read["setup"] == board["setup"], kind
    fibs = post(client, "read", {"text": board["ids"]["fibs"]})
    assert fibs["points"][fibs["on_roll"]] == board["points"]["O"]
    text = post(client, "read", {"text": board["ids"]["text"]})
    assert text["notes"][0] == "says nothing but the board: no score, cube or dice"
    error = post(client, "read", {"text": "XGID=nonsense"}, 400)["error"]
    assert "XGID" in error
    assert "\n" not in error


def test_playing_on_from_a_position(client: httpx.Client) -> None:
    rolled = post(client, "act", {"setup": {}, "line": "roll 31"})
    assert rolled["happened"] == "X rolls 3-1"
    played = post(client, "act", {"setup": rolled["setup"], "line": "8/5 6/5"})
    assert (played["on_roll"], played["actions"]) == ("O", ["roll", "double"])
    doubled = post(client, "act", {"setup": played["setup"], "line": "double"})
    assert (doubled["turn"], doubled["cube"]["offered"]) == ("X", 2)
    taken = post(client, "act", {"setup": doubled["setup"], "line": "take"})
    assert taken["cube"] == {"value": 2, "owner": "X", "offered": None, "in_use": True}
    thrown = post(client, "act", {"setup": taken["setup"], "line": "roll"})
    assert thrown["tree"]["steps"]
    for line, why in (("8/5 6/5", "no roll"), ("roll 71", "no roll"), ("drop", "not possible"), ("choose 9", "choose")):
        assert why in post(client, "act", {"setup": taken["setup"], "line": line}, 400)["error"]
    assert "8/3" in post(client, "act", {"setup": rolled["setup"], "line": "8/3 6/5"}, 400)["error"]
    last = {"position": "1 off:14 / 23:2 13:5 8:3 6:5", "dice": [6, 5]}
    assert "ends the game" in post(client, "act", {"setup": last, "line": "1/off"}, 400)["error"]


def test_a_picture_has_arrows(client: httpx.Client) -> None:
    answer = client.post("/api/analysis/picture", json={"setup": {"dice": [3, 1]}, "plays": ["8/5 6/5", "24/20"]})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")
    assert answer.text.count('class="fp-arrow') == 3


# -- the engine -------------------------------------------------------------------------------------------------
def test_plays_are_ranked_with_what_a_board_needs(client: httpx.Client) -> None:
    result = asked(client, kind="analyse", setup={"dice": [3, 1]}, level="1-ply")
    best = result["plays"][0]
    assert (result["kind"], best["play"], best["mark"], best["arrows"]) == (
        "plays",
        "8/5 6/5",
        "best",
        [[8, 5], [6, 5]],
    )
    assert best["after"][0][5] == 2
    losses = [play["loss"] for play in result["plays"] if play["depth"] == 1]
    assert losses == sorted(losses)
    cube = asked(client, kind="analyse", setup={"position": "6:3 5:3 4:3 off:6 / 1:2 off:13"}, level="0-ply")
    assert cube["cube"]["action"] == "no double, take"
    assert cube["evaluation"]["probabilities"][0] < 0.1


def test_two_plays_are_compared_over_the_36_rolls(client: httpx.Client) -> None:
    result = asked(client, kind="compare", setup={"dice": [3, 1]}, plays=["8/5 6/5", "24/20"])
    assert len(result["rolls"]) == 21
    assert sum(roll["weight"] for roll in result["rolls"]) == 36
    mean = sum(roll["weight"] * roll["difference"] for roll in result["rolls"]) / 36
    assert math.isclose(mean, result["difference"], abs_tol=1e-5)
    assert result["difference"] > 0.02, "the five point is better"
    match = asked(client, kind="compare", setup=MATCH, plays=["13/8 13/11", "13/11 13/8"])
    assert all(roll["difference"] == 0 for roll in match["rolls"])
    assert "both" in post(client, "jobs", {"kind": "compare", "setup": {"dice": [3, 1]}}, 400)["error"]


def test_a_map_of_rolls(client: httpx.Client) -> None:
    rolls = asked(client, kind="rolls")
    assert abs(sum(roll["weight"] * roll["gain"] for roll in rolls["rolls"])) < 1e-5


def test_a_map_by_score_tells_what_is_known_and_can_be_stopped(client: httpx.Client) -> None:
    question = {"kind": "scores", "setup": {"dice": [3, 1]}, "length": 3}
    job, _ = finished(client, post(client, "jobs", question, 202))
    assert (job["state"], job["result"]["done"], job["result"]["asked"]) == ("done", 30, 30)
    assert {(cell["sign"], cell["best"]) for cell in job["result"]["cells"] if cell["cube"] == "middle"} == {
        ("A", "8/5 6/5")
    }
    cubes = asked(client, kind="scores", setup={"rules": {"length": "5"}}, length=2, level="0-ply")
    assert [cell["away"] for cell in cubes["cells"][:5]] == [None, [1, 1], [1, 2], [2, 1], [2, 2]]
    assert {cell["sign"] for cell in cubes["cells"]} <= {"-", "DT", "DP"}
    deep = post(client, "jobs", {**question, "length": 15, "level": "3-ply"}, 202)
    with client.stream("GET", f"/api/analysis/jobs/{deep['id']}/stream") as lines:
        progress = next(
            message for line in lines.iter_lines() if line.strip() and (message := json.loads(line))["progress"]
        )
    assert 0 < len(progress["progress"]["cells"]) < progress["progress"]["asked"]
    post(client, f"jobs/{deep['id']}/stop", {})
    stopped = finished(client, deep)[0]
    assert (stopped["state"], stopped["result"]["kind"]) == ("stopped", "scores")
    assert len(stopped["result"]["cells"]) >= len(progress["progress"]["cells"])


def test_a_rollout_tells_how_far_it_is_and_can_be_stopped(client: httpx.Client) -> None:
    question = {"kind": "rollout", "setup": {"dice": [3, 1]}, "plays": ["8/5 6/5", "24/20"], "truncate": 5}
    job, messages = finished(client, post(client, "jobs", {**question, "trials": 324}, 202))
    assert job["state"] == "done"
    assert [candidate["name"] for candidate in job["result"]["candidates"]] == ["8/5 6/5", "24/20"]
    assert job["result"]["candidates"][0]["error"] > 0
    assert any(message["progress"] for message in messages), "the running equities"
    long = post(client, "jobs", {**question, "trials": 5184, "truncate": None, "ply": 1}, 202)
    post(client, f"jobs/{long['id']}/stop", {})
    assert finished(client, long)[0]["state"] == "stopped"
    assert client.get(f"/api/analysis/jobs/{long['id']}").json()["state"] == "stopped"


def test_a_rollout_has_every_setting_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but what is the server's own: the threads and the cluster."""
    options_seen: list[RolloutOptions] = []
    monkeypatch.setattr(service, "roll_out_plays", lambda _game, _plays, options, _job: options_seen.append(options))
    question = {
        "trials": 648, "seed": 7, "truncate": 9, "ply": 1, "cube_ply": 1, "variance_reduction": False, "apart": 2.5,
        "error": 0.01, "cubeful": False, "like": "roller",
    }  # fmt: skip
    job = cast("Job", None)  # nobody works
    _work(EngineQuestion.model_validate({"kind": "rollout", "setup": {}, **question}), game_of(AnalysisSetup()), None)(
        job
    )
    (options,) = options_seen
    level = question.pop("like")
    assert options == RolloutOptions(**question, level=level, threads=1)  # type: ignore[arg-type]
    usual = RolloutOptions(threads=1)
    for field in dataclasses.fields(RolloutOptions):
        assert field.name in ("threads", "cluster") or getattr(options, field.name) != getattr(usual, field.name)


def test_questions_beyond_the_limits_are_refused(client: httpx.Client) -> None:
    long = {"kind": "rollout", "setup": {}, "trials": 5184, "ply": 1}
    begun = [post(client, "jobs", long, 202) for _ in range(4)]
    try:
        assert "under way" in post(client, "jobs", long, 429)["error"]
        assert client.get(f"/api/analysis/jobs/{begun[3]['id']}").json()["ahead"] >= 2
    finally:
        for job in begun:
            post(client, f"jobs/{job['id']}/stop", {})
    assert all(finished(client, job)[0]["state"] == "stopped" for job in begun)
    bad = ({**long, "trials": 10**6}, {**long, "level": "9-ply"}, {**long, "kind": "mine"}, {"kind": "rolls"})
    for question in bad:
        post(client, "jobs", question, 422)
    assert client.get("/api/analysis/jobs/guessed").status_code == 404
    assert client.post("/api/analysis/jobs/guessed/stop", json={}).status_code == 404


def test_a_game_without_nets_says_so(client: httpx.Client) -> None:
    without = [name for name in VARIANTS if not _has_nets(name)]
    for name in without:
        job, _ = finished(client, post(client, "jobs", {"kind": "analyse", "setup": {"variant": name}}, 202))
        assert job["state"] == "failed"
        assert f"no net for {name}" in job["error"]


def _has_nets(variant: str) -> bool:
    return variant in manifest()


def test_identifiers_are_those_of_the_rules() -> None:
    game = setups.game_of(AnalysisSetup(dice=(6, 5)))
    assert setups.board(game).scene.facts.ids["xgid"] == write_id(game, "xgid").text
    with pytest.raises(SettingsError):
        setups.read_setup(write_id(setups.game_of(AnalysisSetup()), "xgid").text, "chess")
