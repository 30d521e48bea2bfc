"""The nets of PureTD as peers: what they read, how they choose, and where their files can be named."""

from __future__ import annotations

import sys
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.cli.commandline import CommandLine

from fullprime.engine.boards.conversion import position_of, row_of
from fullprime.engine.bots.batch import PlayerError
from fullprime.engine.bots.players import player_named
from fullprime.engine.core.pack import pack
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON, DUTCH
from fullprime_lab.measure.curve import PEERS
from fullprime_lab.peers.programs import is_peer, peer_named
from fullprime_lab.peers.puretd import INPUTS, PureTD, encode_boards

START = BACKGAMMON.starting_position
CHANCE = np.random.default_rng(5)


def written(path: Path, *widths: int) -> Path:
    """A file of a net with layers of these widths, as PyTorch lays it out."""
    with zipfile.ZipFile(path, "w") as file:
        for number, (wide, units) in enumerate(pairwise((INPUTS, *widths))):
            weights = CHANCE.normal(0, 0.2, (units, wide)).astype(np.float32)
            file.writestr(f"net/data/{2 * number}", weights.tobytes())
            file.writestr(f"net/data/{2 * number + 1}", np.zeros(units, np.float32).tobytes())
    return path


def test_the_inputs_are_those_of_both_sides_on_the_same_points() -> None:
    position = Position.from_text("24 6:4 off:10 / 24:2 bar off:12")
    x = encode_boards(row_of(position))[0]
    own, other = x[:98], x[98:]
    points = {(place, number): own[4 * (place - 1) + number] for place in range(1, 25) for number in range(4)}
    assert {key: value for key, value in points.items() if value} == {
        (24, 0): 1, (6, 0): 1, (6, 1): 1, (6, 2): 1, (6, 3): 0.5,
    }  # fmt: skip
    assert own[96:].tolist() == pytest.approx([0, 10 / 15])
    assert np.flatnonzero(other[:96]).tolist() == [0, 1], "their 24-point is the ace-point of the player on roll"
    assert other[96:].tolist() == pytest.approx([0.5, 12 / 15])


def test_chances_are_cumulative_and_a_game_that_is_over_is_lost(tmp_path: Path) -> None:
    net = PureTD(written(tmp_path / "five.pt", 8, 5))
    over = [Position.from_text(text) for text in ("6:5 off:10 / off:15", "6:15 / off:15")]
    boards = pack([START, Position.from_text("6:10 8:5 / 24:2 13:5 8:3 6:5"), *over])
    win, gammon, backgammon, lost, badly = net.evaluate(boards).T
    assert (gammon <= win).all()
    assert (backgammon <= gammon).all()
    assert (lost <= 1 - win + 1e-6).all()
    assert (badly <= lost).all()
    assert net.equities(boards)[2:].tolist() == [-1.0, -2.0]


def test_it_plays_to_the_position_that_it_likes_least_for_the_other_side(tmp_path: Path) -> None:
    for widths in ((5,), (16, 8, 1)):
        net = PureTD(written(tmp_path / "net.pt", *widths))
        rolls = [Roll(3, 1), Roll(6, 6), Roll(5, 2)]
        boards = np.concatenate([row_of(START)] * 3)
        ends = net.choose(boards, np.array([[roll.high, roll.low] for roll in rolls], np.int8))
        assert not ends.again.any()
        for row, roll in zip(ends.boards, rolls, strict=True):
            afters = [play.after.swapped for play in legal_plays(START, roll)]
            worth = net.equities(pack(afters))
            assert position_of(row) == afters[int(np.argmin(worth))]


def test_a_net_of_one_output_gives_no_chances(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="equity alone"):
        PureTD(written(tmp_path / "one.pt", 1)).evaluate(row_of(START))


def test_it_is_named_by_its_file_and_plays_backgammon_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "net.pt", 5)
    assert is_peer(str(path))
    assert all(map(is_peer, PEERS))
    assert not is_peer("2-ply")
    assert player_named(str(path), BACKGAMMON).name == "puretd:net"
    with pytest.raises(PlayerError, match="plays backgammon"):
        player_named(str(path), DUTCH)


@pytest.mark.parametrize("widths", [(3,), (4, 0), ()])
def test_what_is_no_such_net_is_refused(tmp_path: Path, widths: tuple[int, ...]) -> None:
    with pytest.raises(PlayerError, match="no net of PureTD"):
        peer_named(str(written(tmp_path / "net.pt", *widths)))


def test_a_file_that_is_not_there_or_damaged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.pt"
    with pytest.raises(PlayerError, match="no net of PureTD"):
        PureTD(path)
    whole = written(tmp_path / "whole.pt", 8, 5).read_bytes()
    for data in (b"", b"PK", whole[: len(whole) // 2]):
        path.write_bytes(data)
        with pytest.raises(PlayerError, match="no net of PureTD"):
            PureTD(path)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("net/data/0", b"123")
        file.writestr("net/data/1", b"1234")
    with pytest.raises(PlayerError, match="no net of PureTD"):
        PureTD(path)


def test_it_plays_a_duel_and_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, command_line = written(tmp_path / "net.pt", 5), CommandLine(monkeypatch, capsys)
    done = command_line.run("duel", str(path), "random", "--games", "4")
    assert done.code == 0, done.err
    assert "puretd:net" in done.out
    done = command_line.run("duel", str(tmp_path / "none.pt"), "random", "--games", "4")
    assert done.code != 0
    assert "no net of PureTD" in done.err
    assert "Traceback" not in done.err


def test_eXtreme_Gammon_judges_its_plays_and_asks_it_about_no_cube(tmp_path: Path) -> None:  # noqa: N802 - its name
    sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
    try:
        import xg
    finally:
        sys.path.pop(0)
    path = written(tmp_path / "net.pt", 5)
    game = Game.new(Settings(length=0)).opening(3, 1)
    request = xg.asked_named(str(path))
    board = request.play(game)
    others = [play.after for play in game.legal_plays if play.after != board]
    judged = xg.PlayJudged(game, {board: 0.1, others[0]: 0.0, others[1]: 0.3})
    figures, lost = xg.measure(request, [judged, xg.CubeJudged(game, 0.5, 0.4, 1.0)])
    assert lost.tolist() == [0.1]
    assert (figures.plays, figures.cubes) == (1, 0)
    assert "PR 50.00" in str(figures)
