"""What a person sees at the prompt, and that leaving in any way loses nothing."""

from __future__ import annotations

import builtins
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine, Done

from fullprime.rules.actions import opening
from fullprime.rules.game import Game
from fullprime.rules.score import Settings

Talk = Callable[..., Done]


@pytest.fixture
def talk(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """``talk("play", …, says=[…])``: the lines a person types; then the input ends, or an exception is raised."""

    def run(*arguments: str, says: list[str], end: type[BaseException] = EOFError) -> Done:
        lines = iter(says)

        def answer(prompt: str = "") -> str:
            sys.stdout.write(prompt)
            line = next(lines, None)
            if line is None:
                raise end
            sys.stdout.write(line + "\n")
            return line

        monkeypatch.setattr(builtins, "input", answer)
        return fullprime.run(*arguments)

    return run


def test_a_first_game(talk: Talk) -> None:
    done = talk("play", "--seed", "7", says=["13/5", "quit"])
    assert done.code == 0
    assert "Backgammon, a match to 5 points: You (●) \N{EN DASH} heuristic (○)." in done.out
    assert "Opening roll: you throw 6, heuristic throws 2; you begin" in done.out
    assert "You to play 6-2 > 13/5" in done.out
    assert "You play 6-2: 13/5" in done.out
    assert "heuristic plays" in done.out
    assert done.out.endswith("Your game is stored. Go on with it: fullprime play --resume 1\n")
    assert done.out.count("24/18/13") == 0
    assert len(re.findall("▶", done.out)) == 2, "one board for each decision"


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_leaving_in_any_way(talk: Talk, end: type[BaseException]) -> None:
    left = talk("play", "--two-players", "--dice", "manual", "--name", "Ann", says=["31", "8/5"], end=end)
    assert (left.code, left.err) == (0, "")
    assert "--resume 1" in left.out
    again = talk("play", "--resume", says=["8/5 6/5"])
    assert "Resumed game 1." in again.out
    assert "Ann to play 3-1 > 8/5 6/5" in again.out
    assert "Ann plays 3-1: 8/5 6/5" in again.out


def test_hints_are_for_newcomers_and_come_once(talk: Talk) -> None:
    options = ("play", "-2", "--dice", "manual")
    first = talk(*options, says=["31", "8/5 6/5", "52", "13/8 24/22", "31"])
    hint = "Type your play as from/to"
    assert first.out.count(hint) == 1
    for _ in range(3):
        talk(*options, says=["31"])
    assert hint not in talk(*options, says=["31"]).out


def test_enter_rolls_confirms_and_goes_on_but_answers_no_offer(talk: Talk) -> None:
    done = talk("play", "-2", "--seed", "7", "--no-store", says=["13/5", "", "double", "", "plays", "drop", ""])
    assert "O rolls" in done.out
    steps = talk("play", "-2", "--seed", "7", "--no-store", says=["24/18", "", "13/11", "", "double", "", "drop", ""])
    assert "X plays 6-2: 24/18 13/11" in steps.out
    assert "Game 2" in steps.out
    assert steps.out.count("take, drop (cube 2) >") == 2


def test_the_board_turns_to_who_must_act(talk: Talk) -> None:
    options = ("play", "-2", "--dice", "manual", "--no-store", "--ascii")
    turned = talk(*options, says=["31", "8/5 6/5"]).out.splitlines()
    bottoms = [line[8:12] for line in turned if line[8:10] in ("> ", "  ") and "pips" in line]
    assert bottoms[-2:] == ["  X ", "> O "] or bottoms[-1].strip() in ("> O", ">")
    fixed = talk(*options, "--fixed-board", says=["31", "8/5 6/5"]).out
    assert fixed != "\n".join(turned)


def test_points_have_each_players_numbers_or_those_of_x_for_both(talk: Talk) -> None:
    options = ("play", "-2", "--dice", "manual", "--no-store", "--ascii")
    says = ["31", "8/5 6/5", "52", "12/18", "plays", "1/3 12/17"]
    fixed = talk(*options, "--numbering", "fixed", says=says).out
    assert "'12/18': " in fixed
    assert "O plays 5-2: 1/3 12/17" in fixed
    own = talk(*options, says=["31", "8/5 6/5", "52", "13/8 24/22"]).out
    assert "O plays 5-2: 24/22 13/8" in own
    below_o = "19  20  21  22  23  24\n        > O "
    assert below_o in fixed
    assert below_o not in own
    words = talk("play", "-2", "--dice", "manual", "--no-store", "--words", "--numbering", "fixed", says=says[:2]).out
    assert "O: 2 on 1, 5 on 12, 3 on 17, 5 on 19. 167 pips." in words
    assert talk(*options, "--numbering", "both", says=[]).err.startswith("error: --numbering is own")


def test_a_wrong_line_is_explained_and_the_prompt_comes_again(talk: Talk) -> None:
    done = talk("play", "-2", "--dice", "manual", "--no-store", says=["31", "8/7 6/5", "roll 52", "zzz"])
    assert "X to play 3-1 > 8/7 6/5" in done.out
    assert "'8/7 6/5': " in done.out
    assert done.out.count("X to play 3-1 > ") == 4
    assert "the roll must be played" in done.out
    assert "'zzz' is neither a command nor a play" in done.out
    assert done.out.rstrip().endswith("This game was not stored.")


def test_the_end_of_a_match(talk: Talk) -> None:
    done = talk("play", "-2", "--length", "1", "--dice", "manual", says=["31", "resign", "accept"])
    assert done.code == 0
    assert "O wins the match 1\u20130" in done.out
    assert talk("play", "--resume", says=[]).err == "error: there is no unfinished game to resume\n"
    assert "O wins" not in talk("play", "--resume", "1", says=[]).out


def test_the_record_is_kept(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    talk("play", "-2", "--dice", "manual", "--record", str(path), says=["31", "8/5 6/5"])
    events = json.loads(path.read_text(encoding="utf-8"))["matches"][0]["match"]["games"][0]["events"]
    assert events == [{"opening": [3, 1]}, {"play": [[8, 5, 3], [6, 5, 1]]}]


def test_other_unfinished_games_are_named(talk: Talk) -> None:
    talk("play", says=[])
    assert "Game 1 is unfinished: fullprime play --resume 1" in talk("play", says=[]).out


def test_undo_takes_back_a_confirmed_play_and_the_same_dice_come_again(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "game.mat"
    options = ("play", "--seed", "7", "--bot", "heuristic", "--record", str(path))
    output = talk(*options, says=["24/18 13/11", "undo", "undo", "13/5", "quit"]).out
    assert "You take the game back to the roll 6-2" in output
    assert "there is nothing to take back in this game" in output
    replies = [line.split(":")[0] for line in output.splitlines() if line.startswith("heuristic plays")]
    assert len(replies) == 2
    assert replies[0] == replies[1], "the bot throws what it threw before"
    assert "62: 13/7 7/5" in path.read_text()
    assert "24/18 13/11" not in path.read_text(), "the record has the match as it was played in the end"


# -- a real terminal --------------------------------------------------------------------------------------------
@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    import pty

    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)


@pytest.mark.posix
def test_in_a_pseudo_terminal(terminal: tuple[int, int]) -> None:
    import select

    ours, theirs = terminal
    code = "from fullprime.cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "play", "--seed", "7"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
    )
    os.close(theirs)
    output = b""
    try:
        for expected, typed in (
            (b"You to play 6-2 > ", b"13/5\n"),
            (b" > ", b"pip\n"),
            (b"You:", b"quit\n"),
            (b"--resume 1", b""),
        ):
            start = len(output)
            while expected not in output[start:]:
                assert select.select([ours], [], [], 60)[0], output.decode()
                output += os.read(ours, 65536)
            os.write(ours, typed)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
    assert b"\x1b[" in output, "in colour"
    assert b"Your game is stored" in output


def test_a_hint_has_the_reason_that_the_pages_give(talk: Talk) -> None:
    from fullprime.analysis.tutor import advise

    place = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
    out = talk("play", place, "31", "--length", "5", "--no-store", says=["hint", "quit"]).out
    why = advise(Game.new(Settings(length=5)).act(opening(3, 1))).why
    assert why
    assert out.count(why) == 1


def test_the_tutor_warns_before_a_costly_play_and_lets_it_pass_when_it_is_typed_again(talk: Talk) -> None:
    begin = ("play", "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "31", "--money", "--tutor", "0.1", "--no-store")
    done = talk(*begin, says=["help", "24/20", "why", "24/20", "quit"])
    assert "The tutor: 24/20 costs 0.2" in done.out
    assert "or why for more" in " ".join(done.out.split())
    assert "Its chances: wins" in done.out
    assert "8/5 6/5 is best" in done.out
    assert done.out.count("The tutor:") == 1
    assert "You play 3-1: 24/20" in done.out
    assert "The tutor:" not in talk(*begin, says=["8/5 6/5", "quit"]).out
    assert "The tutor:" not in talk(*begin[:4], "--no-store", says=["24/20", "quit"]).out


@pytest.mark.parametrize(
    ("board", "says", "answer"),
    [
        (("31",), ["m 24/20", "quit"], "24/20 costs"),
        (("31",), ["24 23 23 20", "quit"], "24/20 costs"),
        (("31",), ["step 24/23", "23/20", "quit"], "24/20 costs"),
        (("31",), ["step 24/23", "23/20", "23/20", "quit"], "24/20 costs"),
        ((), ["d", "quit"], "double costs"),
        ((), ["dou", "quit"], "double costs"),
    ],
)
def test_the_tutor_hears_a_choice_in_whatever_words_it_is_typed(
    talk: Talk, board: tuple[str, ...], says: list[str], answer: str
) -> None:
    """Once a word before the play, pairs of points, a play in steps and a short form passed in silence."""
    begin = ("play", "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", *board, "--tutor", "0.1", "--no-store", "--money")
    out = talk(*begin, says=says).out
    assert out.count("The tutor:") == 1
    assert answer in out
