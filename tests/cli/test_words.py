"""What the terminal says in words: the board in sentences, the small board, the glossary, rules, stakes, strengths."""

from __future__ import annotations

import builtins
import re
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from rich.console import Console
from tests.cli.commandline import CommandLine

from fullprime.cli.board_words import board_sentences
from fullprime.cli.explain import small_board
from fullprime.cli.terminal import wrap_text
from fullprime.engine.bots.bots import BOTS
from fullprime.learn.glossary import look_up, terms
from fullprime.play.options.rulebook import describe_length
from fullprime.play.options.strengths import MEASURED_ERROR, MEASURED_MS, MEASURED_PR, bot_strengths
from fullprime.rules.board import BoardView
from fullprime.rules.coercion import to_position
from fullprime.rules.cube import Cube
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.notation import format_play
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, VARIANTS

START = "4HPwATDgc/ABMA"
ROOT = Path(__file__).resolve().parents[2]


# -- the board in sentences -----------------------------------------------------------------------------------------
def test_the_board_is_told_in_the_same_order_with_the_numbers_of_the_bottom_player() -> None:
    position = Position.from_text("bar:2 24 13:4 8:3 6:4 2 / 24 16 13:5 8:3 6:3 2:2")
    view = BoardView(
        position, dice=Roll(5, 2), cube=Cube(2, Player.O), names=("Ann", "Bob"), scores=(1, 3), length=7, turn=Player.X
    )
    assert board_sentences(view) == [
        "Ann to play 5-2.",
        "Ann: 2 on the bar, 1 on 24, 4 on 13, 3 on 8, 4 on 6, 1 on 2. 176 pips.",
        "Bob: 1 on 1, 1 on 9, 5 on 12, 3 on 17, 3 on 19, 2 on 23. 151 pips.",
        "Cube at 2, with Bob.",
        "Score: Ann 1, Bob 3 in a match to 7.",
    ]


def test_what_is_in_hand_and_off_is_told() -> None:
    view = BoardView(Position.from_text("hand:12 20:3 / hand:14 24"), names=("Ann", "Bob"), note="stake x2")
    assert board_sentences(view) == [
        "Ann to act.",
        "Ann: 12 in hand, 3 on 20. 360 pips.",
        "Bob: 14 in hand, 1 on 1. 374 pips.",
        "stake x2.",
    ]


def test_an_offered_cube_is_the_first_thing_that_is_told() -> None:
    view = BoardView(BACKGAMMON.starting_position, cube=Cube(1, None, 2), turn=Player.O)
    assert board_sentences(view)[0] == "O to answer a double to 2."
    assert not any(board_sentence.startswith("Cube") for board_sentence in board_sentences(view))


def test_a_game_can_be_played_by_its_sentences_alone(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["31", "8/5 6/5", "quit"])

    def answer(prompt: str = "") -> str:
        sys.stdout.write(prompt + "\n")
        return next(lines)

    monkeypatch.setattr(builtins, "input", answer)
    out = fullprime.run("play", "-2", "--dice", "manual", "--words", "--name", "Ann", "--name", "Bob").out
    assert not re.search("[●○│┌▶]", out)
    assert "The opening roll.\nAnn: 2 on 24, 5 on 13, 3 on 8, 5 on 6. 167 pips.\nBob: 2 on 1, 5 on 12" in out
    assert "Ann to play 3-1.\n" in out
    turned = "Bob to act.\nBob: 2 on 24, 5 on 13, 3 on 8, 5 on 6. 167 pips.\nAnn: 2 on 1, 5 on 12, 2 on 17"
    assert turned in out


# -- the small board and the glossary -------------------------------------------------------------------------------
def test_the_small_board_shows_every_checker_in_forty_columns() -> None:
    for variant in VARIANTS.values():
        drawn = small_board(variant.starting_position, ascii_only=True)
        assert drawn.isascii()
        assert max(map(len, drawn.splitlines())) <= 40
        for letter in "XO":
            counts = [int(number) for number in re.findall(rf"(\d+){letter}", drawn)]
            assert sum(counts) == variant.checkers


def test_a_term_is_explained_with_its_board(fullprime: CommandLine) -> None:
    done = fullprime.run("help", "back", "game")
    assert done.out.startswith("back game (also backgame)\n  A game in which a side far behind")
    assert "13 14 15 16 17 18 │ 19 20 21 22 23 24" in done.out
    assert "See also: anchor, timing" in done.out
    assert max(map(len, done.out.splitlines())) < 80


@pytest.mark.parametrize("name", ["PR", "FIBS", "eXtreme Gammon", "rollout", "cubeless equity"])
def test_a_board_has_its_caption_below_it(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = fullprime.run("help", *name.split()).out
    assert look_up(name).caption in " ".join(out.split())
    assert out.index("12 11 10") < out.rindex(look_up(name).caption[:12])
    assert max(map(len, out.splitlines())) <= 80


def test_every_term_is_a_topic_and_every_topic_fits(fullprime: CommandLine) -> None:
    out = fullprime.run("help").out
    listed = " ".join(out.split())
    assert [term.name for term in terms() if term.name not in listed] == []
    assert max(map(len, out.splitlines())) < 80


def test_a_word_that_is_a_command_points_to_its_help(fullprime: CommandLine) -> None:
    assert "fullprime rollout --help" in fullprime.run("help", "rollout").out
    assert fullprime.run("help", "verify").out == "verify is a command: fullprime verify --help\n"


# -- rules and stakes -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("name", VARIANTS)
def test_rules_are_broken_at_the_width_of_the_terminal(
    fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch, name: str, columns: int
) -> None:
    wide = " ".join(fullprime.run("rules", name).out.split())
    monkeypatch.setenv("COLUMNS", str(columns))
    out = fullprime.run("rules", name).out
    assert max(map(len, out.splitlines())) < columns + 10 * (columns == 40)
    assert " ".join(out.split()) == wide
    assert out.count("\n\n") >= 7, "a paragraph for each heading"


def test_lines_that_fit_stay_as_they_are() -> None:
    assert wrap_text("  a   b\n\n c", 80) == "  a   b\n\n c"
    assert wrap_text("  one two three four five", 24) == "  one two three four\n  five"


def test_the_stake_is_said_in_words(fullprime: CommandLine) -> None:
    assert describe_length(Settings()) == "money, 1 a point"
    assert describe_length(Settings(stake=Decimal(5))) == "money, 5 a point (a gammon 10, a backgammon 15)"
    assert describe_length(Settings(variant=ACEY_DEUCEY, stake=Decimal(5))) == "money, 5 a checker"
    assert "played for 5 a point (a gammon 10, a backgammon 15), times the cube" in " ".join(
        fullprime.run("rules", "--stake", "5").out.split()
    )
    states = fullprime.script("2 off:14 / 1:15", "--money", "--stake", "5", "--no-store", lines=["roll 65"])
    assert "X wins a gammon, 2 points: gammon, stake 5: 10" in states[-1]["events"][-1]["text"]


# -- strengths ------------------------------------------------------------------------------------------------------
def test_every_bot_has_its_strength_as_it_was_measured(fullprime: CommandLine) -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8").split("## Levels")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([\w+-]+) \|[^|]*\|[^|]*\| \**(\d+\.\d+) ± (\d+\.\d+)", page, re.MULTILINE)
    assert {name: float(pr) for name, pr, _ in rows} == MEASURED_PR
    assert MEASURED_ERROR.items() <= {name: float(error) for name, _, error in rows}.items()
    times = re.findall(r"^\| (\d-ply) \|[^|]*\|[^|]*\|[^|]*\| ([\d.]+) \|", page, re.MULTILINE)
    benchmarks = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    measured = re.findall(r"^\| fullprime (\d-ply) \| [^|]+ \| ([\d.]+) \|", benchmarks, re.MULTILINE)
    assert {name: float(ms) for name, ms in times} == {name: float(ms) for name, ms in measured} == MEASURED_MS
    levels = benchmarks.split("## Levels")[1].split("\n## ")[0]
    assert re.findall(r"^\| ([\w+-]+) \|[^|]*\|[^|]*\| \**(\d+\.\d+) ± (\d+\.\d+)", levels, re.MULTILINE) == rows
    assert [strength.name for strength in bot_strengths()] == list(BOTS)
    help_text = fullprime.run("play", "--help").out
    wrong = fullprime.run("play", "--bot", "nobody").err
    for strength in bot_strengths():
        assert re.search(rf"^  {re.escape(strength.name)} +{re.escape(strength.text)}$", help_text, re.MULTILINE)
        assert strength.name in wrong
    assert "beginner (PR 19.0)" in wrong


# -- the same shape everywhere --------------------------------------------------------------------------------------
@pytest.mark.parametrize("roll", [("31",), ("3", "1"), ("13",)])
def test_a_roll_stands_after_the_position(fullprime: CommandLine, roll: tuple[str, ...]) -> None:
    assert fullprime.run("show", START, *roll, "--json").json["dice"] == [3, 1]
    assert fullprime.run("legal", START, *roll, "--json").json["dice"] == [3, 1]
    assert ":31:" in fullprime.run("id", START, *roll, "--to", "xgid").out
    assert fullprime.run("diagram", START, *roll, "--play", "8/5 6/5").out.count("fp-arrow fp-best") == 2


def test_a_game_begins_with_a_position_and_a_roll(fullprime: CommandLine) -> None:
    (state,) = fullprime.script(START, "31", "--no-store", lines=["board"])
    assert (state["phase"], state["dice"], state["on_roll"]) == ("play", [3, 1], "X")
    again = fullprime.run("play", START, "--resume", "1")
    assert again.err == "error: --resume goes on with a game as it was begun: leave ID out\n"


def test_money_is_length_nought_everywhere(fullprime: CommandLine) -> None:
    (state,) = fullprime.script("--length", "0", "--no-store", lines=["board"])
    assert state["length"] == 0
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10"
    assert fullprime.run("show", xgid, "--money", "--json").json["length"] == 0
    assert fullprime.run("show", xgid, "--json").json["length"] == 7


# -- lines ------------------------------------------------------------------------------------------------------
BUSY = "bar:2 13:4 8:3 6:6 / 24:2 13:3 8:4 6:4 5 4"
"""A position with many plays of a double, two of them beginning on the bar."""


@pytest.mark.parametrize("columns", range(30, 121, 7))
def test_no_line_ends_inside_a_play(columns: int) -> None:
    for variant, text in (("backgammon", START), ("backgammon", BUSY), ("acey_deucey", None)):
        position = VARIANTS[variant].starting_position if text is None else to_position(text)
        for roll in ALL_ROLLS:
            plays = sorted(map(format_play, legal_plays(position, roll, VARIANTS[variant])))
            sentence = f"{len(plays)} legal plays: {'  '.join(plays)}"
            lines = wrap_text(sentence, columns).splitlines()
            head, *listed = [play for line in lines for play in line.replace(": ", ":  ").split("  ")]
            assert (head, listed) == (f"{len(plays)} legal plays:", plays)
            assert max(map(len, lines)) < columns


SENTENCE = "The tutor: bar/24* 13/7(2) costs 0.25, bar/24* 8/2(2) is best; 8/5, 6/5 are two plays."


def test_a_play_in_a_sentence_stays_whole() -> None:
    for columns in range(30, 100):
        sentence = wrap_text(SENTENCE, columns)
        assert "bar/24* 13/7(2)" in sentence
        assert "bar/24* 8/2(2)" in sentence
        assert " ".join(sentence.split()) == SENTENCE


def test_the_plays_at_the_prompt_are_whole(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the prompt of a terminal, whatever its width."""
    monkeypatch.setattr(Console, "is_terminal", True)
    for columns in (40, 57, 80, 100):
        monkeypatch.setenv("COLUMNS", str(columns))
        typed = iter(["plays", "quit"])
        monkeypatch.setattr(builtins, "input", lambda _, typed=typed: next(typed))
        done = fullprime.run("play", START, "31", "--no-store")
        listed = done.out[done.out.index("16 legal plays: ") + len("16 legal plays: ") :].split("This game")[0]
        plays = {play for line in listed.splitlines() for play in line.split("  ")}
        assert plays == set(map(format_play, legal_plays(to_position(START), Roll(3, 1), BACKGAMMON)))
