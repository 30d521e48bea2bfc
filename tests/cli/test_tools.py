"""The commands about positions and numbers, their errors, and what they import."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine

from fullprime.rules.dice import Roll
from fullprime.rules.ids import gnu_position_id
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, VARIANTS, Variant
from fullprime_lab.measure.bench import random_decisions

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
SCENARIOS = Path(__file__).resolve().parents[1] / "data" / "scenarios.json"
LEGAL = [
    scenario
    for scenario in json.loads(SCENARIOS.read_text(encoding="utf-8"))["scenarios"]
    if scenario["kind"] == "legal_plays"
]


# -- legal ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("scenario", LEGAL, ids=lambda scenario: scenario["id"])
def test_every_legal_play_with_its_position(fullprime: CommandLine, scenario: dict) -> None:
    position, dice = scenario["gnubg_position_id"], [str(die) for die in scenario["dice"]]
    listed = fullprime.run("legal", position, *dice, "--json").json["plays"]
    if scenario["expected"] is not None:
        expected = {Position.of(play["player"], play["opponent"]).swapped.text for play in scenario["expected"]}
        assert {play["position"] for play in listed} == expected
    assert len(listed) == scenario["n_distinct"]
    ids = fullprime.run("legal", "--stdin", typed=f"{position} {' '.join(dice)}\n").out.split()
    assert ids == (sorted(play["position_id"] for play in listed) or ["-"])


@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON], ids=lambda variant: variant.name)
def test_the_kernels_answer_lines_as_the_rules_do(fullprime: CommandLine, variant: Variant) -> None:
    from fullprime.engine.core.pack import unpack

    rows, dice = random_decisions(variant, 300, 5)
    decisions = [(position, Roll(*pair)) for position, pair in zip(unpack(rows), dice.tolist(), strict=True)]
    typed = "".join(f"{gnu_position_id(position)} {roll.low} {roll.high}\n" for position, roll in decisions)
    lines = fullprime.run("legal", "--stdin", "-v", variant.name, typed=typed).out.splitlines()
    for line, (position, roll) in zip(lines, decisions, strict=True):
        plays = legal_plays(position, roll, variant)
        assert line == (" ".join(sorted(gnu_position_id(play.position) for play in plays if play.moves)) or "-")


def test_bad_lines_are_answered_in_their_place(fullprime: CommandLine) -> None:
    typed = "4HPwATDgc/ABMA 31\n\nnonsense\n4HPwATDgc/ABMA 3 7\n4HPwATDgc/ABM! 3 1\n27YBAAAABoAAAA 6 5"
    done = fullprime.run("legal", "--stdin", typed=typed)
    out = done.out.splitlines()
    assert len(out[0].split()) == 16
    assert [line.startswith("error: ") for line in out] == [False, True, True, True, True, False]
    assert out[5] == "-"
    assert [line.split(":")[1] for line in done.err.splitlines()] == [" line 2", " line 3", " line 4", " line 5"]
    assert done.code == 2


def test_lines_are_answered_as_they_come() -> None:
    code = "from fullprime.cli.main import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "legal", "--stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write("4HPwATDgc/ABMA 6 5\n")
            process.stdin.flush()
            assert len(process.stdout.readline().split()) == 7
        process.stdin.close()
        assert process.wait(60) == 0


# -- other commands ---------------------------------------------------------------------------------------------
def test_an_id_becomes_another_and_what_is_lost_is_reported(fullprime: CommandLine) -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:0:0:7:10"
    for kind in ("xgid", "gnuid", "ogid", "fibs", "text"):
        written = fullprime.run("id", xgid, "--to", kind, "--json").json
        shown = fullprime.run("show", written["id"], "--json").json
        assert shown["position"] == START
        if kind != "text":
            assert shown["dice"] == [3, 1]
    lost = fullprime.run("id", xgid, "--to", "text")
    assert lost.out == START + "\n"
    assert "not carried" in lost.err
    hand = fullprime.run("id", "hand:15 / hand:15", "--to", "gnuid", "-v", "dutch")
    assert hand.code == 2
    assert hand.err.startswith("error: ")


def test_an_xgid_without_its_name_begins_as_an_option_does(fullprime: CommandLine) -> None:
    board = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    alone, named = fullprime.run("legal", board, "--json"), fullprime.run("legal", f"XGID={board}", "--json")
    assert alone.code == 0, alone.err
    assert alone.json == named.json
    assert fullprime.run("legal", "--nonsense").code == 2


def test_the_rules_follow_the_options(fullprime: CommandLine) -> None:
    for name in VARIANTS:
        assert fullprime.run("rules", name).out.startswith(VARIANTS[name].title)
    plain = fullprime.run("rules", "acey_deucey").out
    raised = fullprime.run("rules", "acey_deucey", "--rule", "acey_deucey_doubles_stake=yes").out
    assert "doubles the stake" in raised
    assert "doubles the stake" not in plain
    assert "acey_deucey_doubles_stake = yes" in raised
    assert "Crawford" in fullprime.run("rules", "--preset", "tournament").out
    assert "every one doubles" in fullprime.run("rules", "--preset", "masters-traditional").out.replace("each", "every")


def test_the_dice_cups(fullprime: CommandLine) -> None:
    done = fullprime.run("dice", "--count", "600", "--seed", "1", "--json").json
    assert len(done["rolls"]) == 600
    assert sum(done["statistics"]["X"]["faces"]) == 600
    assert [roll["player"] for roll in done["rolls"][:3]] in (["X", "O", "X"], ["O", "X", "O"])
    assert 80 < sum(done["statistics"][cup]["doubles"] for cup in "XO") < 120
    raised = next(
        answer
        for seed in range(100)
        if (
            answer := fullprime.run(
                *("dice", "-c", "1", "--automatic-doubles", "unlimited", "--json", "--seed"), str(seed)
            ).json
        )["multiplier"]
        > 1
    )
    assert raised["multiplier"] == 2 ** (len(raised["opening"]) - 1)


def test_the_dice_cups_by_hand(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["", "", "x", "zz", "s", "n", "", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(typed))
    out = fullprime.run("dice", "--seed", "4").out
    assert "opening: X 6, O 2: X begins" in out
    assert "  O: 4 1" in out
    assert "  O: 1 roll, 5.00 pips a roll (expected 8.17), 0 doubles" in out


# -- errors -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    [
        "nothing",
        "play --length -1",
        "play --length 1.5",
        "play --length 5 --jacoby",
        "play --length x",
        "play --money --length 5",
        "play --variant chess",
        "play --bot nobody",
        "play --bot random --two-players",
        "play --rule nothing=1",
        "play --rule jacoby",
        "play --rule jacoby=maybe",
        "play --preset mine",
        "play --score 9-9",
        "play --score x",
        "play --post-crawford",
        "play --score 1-1 --length 5 --post-crawford",
        "play nonsense",
        "play 4HPwATDgc/ABMA --cube-at 3:X",
        "play 4HPwATDgc/ABMA --cube-at 2",
        "play 4HPwATDgc/ABMA --on-roll Z",
        "play --on-roll X",
        "play --dice loaded",
        "play --stake 0",
        "play --stake NaN",
        "play --stake abc --script -",
        "play --cube-cap 3",
        "play --automatic-doubles -1",
        "play --json",
        "play --resume",
        "play --resume 7",
        "play --resume x",
        "play --resume --no-store",
        "play --resume --length 7 --jacoby",
        "play --record game.doc",
        "play --script missing.txt",
        "play --script missing.txt --resume",
        "play --script .",
        "play --db /dev/null/games.db",
        "play --variant acey_deucey --cube",
        "play --name A --name A",
        "legal",
        "legal 4HPwATDgc/ABMA",
        "legal 4HPwATDgc/ABMA 77",
        "legal nonsense 31",
        "legal --stdin --json",
        "show",
        "show nonsense",
        "id 4HPwATDgc/ABMA",
        "id 4HPwATDgc/ABMA --to abc",
        "rules chess",
        "dice --count 0",
        "dice --json",
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(fullprime: CommandLine, database: str, line: str) -> None:
    done = fullprime.run(*line.split())
    assert done.code == 2
    assert done.out == "", "the error comes before anything is played"
    assert stored_games(database) == 0
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert len(done.err) > len("error: ") + 10


def stored_games(database: str) -> int:
    """The number of games in a database, which need not exist."""
    if not Path(database).exists():
        return 0
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return int(connection.execute("select count(*) from game_sessions").fetchone()[0])


def test_random_words_make_no_traceback(fullprime: CommandLine) -> None:
    chance = random.Random(1)
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789/*():- +=\t#\x00é"
    words = [
        "roll",
        "31",
        "8/5",
        "6/5",
        "bar",
        "off",
        "double",
        "take",
        "resign",
        "choose",
        "undo",
        "step",
        "move",
        "(2)",
    ]
    lines = ["".join(chance.choices(alphabet, k=chance.randint(1, 30))) for _ in range(150)]
    lines += [" ".join(chance.choices(words, k=chance.randint(1, 4))) for _ in range(150)]
    states = fullprime.script("--no-store", lines=[line.replace("\n", " ") for line in lines])
    assert len(states) > 250
    done = fullprime.run("legal", "--stdin", typed="\n".join(lines))
    assert done.code == 2
    assert len(done.out.splitlines()) == len("\n".join(lines).split("\n"))


# -- start-up ---------------------------------------------------------------------------------------------------
def modules_after(*arguments: str, typed: str = "") -> set[str]:
    """The modules that are loaded once the command has been obeyed in a fresh interpreter."""
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: print('MODULES', *sys.modules))\n"
        "from fullprime.cli.main import main\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ,
    )
    return set(done.stdout.split("MODULES ")[1].split())


def test_help_imports_next_to_nothing() -> None:
    loaded = modules_after("--help")
    assert not loaded & {"numpy", "numba", "sqlalchemy", "rich", "rich.console", "fullprime.rules.game"}
    assert not any(name.startswith(("fullprime.play", "fullprime.engine", "fullprime.db")) for name in loaded)


@pytest.mark.broad
def test_the_first_prompt_needs_no_compiled_kernel() -> None:
    loaded = modules_after("play", "--seed", "1", "--bot", "heuristic")
    assert "sqlalchemy" in loaded
    assert not loaded & {"numpy", "numba", "torch"}


def test_a_game_that_is_not_stored_needs_no_database() -> None:
    loaded = modules_after("play", "--script", "-", "--no-store", "--bot", "random", typed="board\n")
    assert not loaded & {"numpy", "numba", "sqlalchemy", "torch", "rich"}


def test_one_roll_is_answered_without_the_kernels() -> None:
    for arguments, typed in ((("legal", START, "31"), ""), (("legal", "--stdin"), "4HPwATDgc/ABMA 3 1\n")):
        assert not modules_after(*arguments, typed=typed) & {"numba", "sqlalchemy"}
