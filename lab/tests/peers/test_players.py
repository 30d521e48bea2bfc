"""Programs that are asked about decisions: UBGI, and GNU Backgammon's own rollouts."""

from __future__ import annotations

import sys

import pytest

from fullprime.engine.bots.batch import PlayerError
from fullprime.engine.engine import Engine
from fullprime.rules.dice import Roll
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.peers.gnubg import GnubgProgram, find_gnubg
from fullprime_lab.peers.players import UbgiPlayer, open_player
from fullprime_lab.peers.questions import money_question

UBGI = """\
import sys
answers = {{"ubgi": "id name test\\nubgiok", "isready": "readyok", "go role chequer": {answer!r}, "quit": ""}}
for line in sys.stdin:
    line = line.strip()
    print(answers[line] if line in answers else f"info {{line}}", flush=True)
    if line == "quit":
        break
"""


def ubgi(tmp_path, answer):
    program = tmp_path / "ubgi.py"
    program.write_text(UBGI.format(answer=answer))
    return open_player(f"ubgi: {sys.executable} {program}")


def test_a_program_that_speaks_ubgi_is_asked(tmp_path):
    question = money_question("start", "4HPwATDgc/ABMA", (3, 1))
    player = ubgi(tmp_path, "info depth 1\nbestmove 8/5 6/5")
    assert isinstance(player, UbgiPlayer)
    assert player.play(question) == read_play("8/5 6/5", BACKGAMMON.starting_position, Roll(3, 1)).position
    assert player.play(question) == read_play("8/5 6/5", BACKGAMMON.starting_position, Roll(3, 1)).position
    assert player.cube(question) is None
    player.close()
    with pytest.raises(PlayerError, match="has ended"):
        player.play(question)


@pytest.mark.parametrize(
    ("answer", "says"),
    [("bestmove 8/2", "start"), ("error no_position what now", "no_position"), ("bestmove ?", "start")],
)
def test_an_answer_that_is_no_play_is_refused_in_one_line(tmp_path, answer, says):
    player = ubgi(tmp_path, answer)
    with pytest.raises(PlayerError, match=says) as refused:
        player.play(money_question("start", "4HPwATDgc/ABMA", (3, 1)))
    assert "\n" not in str(refused.value)
    player.close()


def test_gnubg_rolls_positions_out_for_the_player_who_moved():
    path = find_gnubg()
    if path is None:
        pytest.skip("gnubg is not installed")
    boards = [Position.from_text(text) for text in ("6:2 3:2 off:11 / 6:2 5:2 off:11", "1:1 off:14 / 6:5 5:5 4:5")]
    rollouts = GnubgProgram(path).roll_out(boards, 36, 5)
    exact = [-Engine.open(level="0-ply").evaluate(board).equity for board in boards]
    assert [equity for equity, _ in rollouts] == pytest.approx(exact, abs=0.05)
    assert rollouts[1][0] == pytest.approx(exact[1], abs=1e-3)
    (stay, _), (take, _) = GnubgProgram(path).roll_out_cube(Position.from_text("3:2 off:13 / 2:2 off:13"), 36, 5)
    # The game ends before the other one could double again: a double is worth twice as much.
    assert (stay, take) == pytest.approx((0.0031, 0.0062), abs=0.0002)
    with pytest.raises(PlayerError, match="nowhere"):
        GnubgProgram("/nowhere/gnubg")
