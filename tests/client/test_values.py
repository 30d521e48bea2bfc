"""The parts of the client that need no server: words, JSON, the proof of the dice, a missing HTTPX."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from fullprime.client.dice_proof import DiceVerdict, OwnShare
from fullprime.client.errors import ClientError
from fullprime.client.links_proof import OwnChains, check_links
from fullprime.client.wire import JsonFields, read_json
from fullprime.client.words import to_command_line
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.links import LinkChain, linked_dice
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON

START = BACKGAMMON.starting_position


def opening_play() -> Play:
    return next(play for play in legal_plays(START, Roll(3, 1)) if {move.target for move in play.moves} == {5})


@pytest.mark.parametrize(
    ("action", "line"),
    [
        ("  8/5   6/5 ", "8/5 6/5"),
        ("", "fan"),
        (opening_play(), "8/5 6/5"),
        (acts.play(opening_play()), "8/5 6/5"),
        (Play((), START), "fan"),
        (acts.TAKE, "take"),
        (ActionKind.ROLL, "roll"),
        (ActionKind.OPENING, "roll"),
        (acts.choose(5), "choose 5"),
        (acts.resign(), "resign"),
        (acts.resign(3), "resign b"),
    ],
)
def test_actions_in_words(action: Any, line: str) -> None:
    assert to_command_line(action) == line


@pytest.mark.parametrize("action", [Roll(3, 1), acts.roll(Roll(3, 1)), acts.opening(3, 1), 31, None, acts.resign(7)])
def test_what_no_player_does_is_refused(action: Any) -> None:
    with pytest.raises(IllegalAction):
        to_command_line(action)


# -- the dice ---------------------------------------------------------------------------------------------------
SECRET = "5ec2e7" + "0" * 58
COMMITMENT = LinkChain(SECRET).anchor


def proof(throws: int = 6) -> dict[str, Any]:
    """A proof that holds, of a game at one screen without links of a player."""
    chain, rows = LinkChain(SECRET), []
    for number in range(1, throws + 1):
        server, by = chain.link(number), "X" if number > 1 else "both"
        rows.append({"number": number, "by": by, "server": server, "x": "ab", "o": "cd", "links": [], "without": []})
        rows[-1]["dice"] = list(linked_dice(number, server, "ab", "cd"))
    begun = [{"whose": "server", "first": 1, "anchor": chain.anchor}]
    return {
        "formula": "fullprime-2",
        "commitment": COMMITMENT,
        "seeds": {"X": "ab", "O": "cd"},
        "secret": SECRET,
        "throws": [row["dice"] for row in rows],
        "drawn": list(range(0, 2 * throws, 2)),
        "links": {
            "length": 4096,
            "givers": ["X", "X"],
            "seats": ["human", "human"],
            "chains": begun,
            "throws": rows,
        },
    }


def own(record: dict[str, Any]) -> OwnShare:
    thrown = [("roll" if number else "opening", tuple(throw)) for number, throw in enumerate(record["throws"])]
    return OwnShare(COMMITMENT, Player.X, "ab", thrown)


def check(record: dict[str, Any], known: OwnShare | None = None) -> DiceVerdict:
    share = known if known is not None else own(record)
    return check_links(JsonFields(record, "here"), share, OwnChains(Player.X, (), {}))


def test_a_proof_that_holds() -> None:
    verdict = check(proof())
    assert verdict == DiceVerdict(6, is_own=True, without=6)
    assert verdict
    alone = "6 of them were made without a link of a player."
    assert str(verdict) == f"6 throws follow from the links, yours among them. {alone}"
    assert check(proof(), OwnShare(COMMITMENT, None, None, ())).is_own is False


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"secret": SECRET[:-1] + "1"}, "not that of the server's chain"),
        ({"commitment": "0" * 64}, "committed to"),
        ({"formula": "fullprime-1"}, "another formula"),
        ({"formula": "fullprime-1", "links": None}, "another formula"),
        ({"links": None}, "an object is expected"),
        ({"seeds": {"X": "ba", "O": "cd"}}, "X's part is not the newest"),
        ({"seeds": {"X": "ab", "O": "ce"}}, "O's part is not the newest"),
        ({"drawn": [0, 2, 4, 6, 8]}, "not those of the links"),
        ({"drawn": [0, 2, 4, 6, 8, 12]}, "not those of the links"),
        ({"drawn": [0, 2, 4, 6, 8, 8]}, "not those of the links"),
    ],
)
def test_a_proof_that_does_not_hold(change: dict[str, Any], fault: str) -> None:
    verdict = check({**proof(), **change}, own(proof()))
    assert not verdict
    assert fault in str(verdict)


def test_one_changed_die_is_found() -> None:
    for number in range(6):
        changed = proof()
        throw = changed["throws"][number]
        throw[0] = throw[0] % 6 + 1
        assert len(check(changed, own(proof())).faults) == 2, "it is not what the links give, nor what was seen"
        assert len(check(changed).faults) == 1, "it is not what the links give"


def test_the_dice_of_the_opening_have_an_order() -> None:
    changed = proof()
    changed["throws"][0].reverse()
    assert changed["throws"][0] != proof()["throws"][0], "a secret whose first dice differ"
    assert "throw 1" in str(check(changed))


def test_after_a_takeback_the_same_dice_come_again() -> None:
    again = proof()
    for row in (again["throws"], again["drawn"], again["links"]["throws"]):
        row.insert(4, row[3])
    share = own(again)
    assert check(again, replace(share, takebacks=1)).holds
    assert "came again 1 times, with 0 takebacks" in str(check(again, share))


# -- JSON -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["", "[]", "<html>", "null", "[" * 100_000])
def test_what_is_no_json_object(text: str) -> None:
    with pytest.raises(ClientError) as refused:
        read_json(text, "http://there")
    assert refused.value.url == "http://there"


def test_fields_of_another_kind_are_named() -> None:
    fields = JsonFields(json.loads('{"a": "1", "b": true, "c": [1, "x"], "d": null, "e": 1.5}'), "there")
    for read in (
        lambda: fields.whole("a"),
        lambda: fields.whole("b"),
        lambda: fields.wholes("c"),
        lambda: fields.text("d"),
        lambda: fields.pair("c"),
        lambda: fields.texts("a"),
        lambda: fields.whole("e"),
        lambda: fields.part("a"),
        lambda: fields.number("b"),
        lambda: fields.flag("a"),
    ):
        with pytest.raises(ClientError):
            read()  # type: ignore[no-untyped-call]
    assert fields.maybe_text("d") is None
    assert (fields.flag("b"), fields.flag("d"), fields.number("e")) == (True, False, 1.5)


# -- HTTPX ------------------------------------------------------------------------------------------------------
def test_without_httpx_the_client_says_how_to_install_it() -> None:
    code = (
        "import sys; sys.modules['httpx'] = None\n"
        "from fullprime.client import ClientError, connect, connect_async\n"
        "for join in (connect, connect_async):\n"
        "    try:\n"
        "        join('http://127.0.0.1:1')\n"
        "    except ClientError as error:\n"
        "        print(error)"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert (
        output.splitlines() == ["http://127.0.0.1:1: joining a server needs HTTPX: pip install 'fullprime[client]'"] * 2
    )


def test_importing_the_client_loads_no_httpx_and_nothing_else_that_is_heavy() -> None:
    code = "import sys, fullprime.client; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"httpx", "numpy", "sqlalchemy", "fullprime.play", "fullprime.engine"} & set(loaded)


def test_an_action_of_another_kind_is_refused_before_it_is_sent() -> None:
    with pytest.raises(IllegalAction, match="throws them"):
        to_command_line(Action(ActionKind.ROLL, dice=(3, 1)))
