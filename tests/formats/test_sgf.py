"""Smart Game Format: what GNU Backgammon writes, its analysis, set-ups, and the round trip of what we write."""

from __future__ import annotations

import random

import pytest
from tests.formats.generate import random_match

from fullprime import formats
from fullprime.formats import FormatError
from fullprime.formats.analysis import CandidatePlay, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.sgf import reader as sgf
from fullprime.rules.game import ActionKind, Phase
from fullprime.rules.record import Setup
from fullprime.rules.score import Player, Settings

HEAD = "(;FF[4]GM[6]CA[UTF-8]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"
CHANCES = (0.5, 0.125, 0.0, 0.25, 0.0)


def read(text: str) -> formats.Document:
    (document,) = sgf.read(text.encode())
    return document


def kinds(document: formats.Document) -> list[str]:
    return [e.kind.value if not isinstance(e, Setup) else "setup" for e in document.match.games[0].events]


def test_white_is_o_and_letters_are_whites_points() -> None:
    document = read(HEAD + ";W[31hefe];B[42qusu])")
    assert document.match.names == ("Bob", "Ann")
    first, second = (document.match.games[0].events[i] for i in (1, 3))
    assert not isinstance(first, Setup)
    assert not isinstance(second, Setup)
    assert [str(move) for move in first.moves] == ["8/5", "6/5"]
    assert [str(move) for move in second.moves] == ["8/4", "6/4"]
    assert document.match.games[0].events[0].dice == (1, 3)  # type: ignore[union-attr]
    assert not document.report


def test_the_cube_and_a_beaver() -> None:
    text = HEAD.replace("length:5", "length:0").replace("Crawford", "Jacoby")
    document = read(text + ";W[31hefe];B[double];W[double];B[take];B[61lrqr])")
    assert kinds(document) == ["opening", "play", "double", "beaver", "take", "roll", "play"]
    assert document.match.settings.beavers
    assert not document.match.settings.raccoons
    assert document.match.settings.jacoby


def test_only_the_result_tells_a_resignation() -> None:
    document = read(HEAD + "RE[W+2R];W[31hefe];PL[B]DI[62])")
    assert kinds(document) == ["opening", "play", "roll", "resign", "accept"]


def test_a_roll_that_waits_for_its_play_is_no_illegal_play() -> None:
    document = read(HEAD + ";W[31hefe];PL[B]DI[62];B[62])")
    assert kinds(document) == ["opening", "play", "roll"]
    assert document.report == ()
    assert read(HEAD + ";W[31hefe];B[62];W[64xn])").report


@pytest.mark.parametrize(("points", "level"), [(1, 1), (2, 2), (9, 3)])
def test_gibbon_writes_resignations_and_their_answers(points: int, level: int) -> None:
    document = read(HEAD + f";W[31hefe];B[resign:{points}];W[reject];B[62agln];W[42hdfd];B[resign:{points}];W[accept])")
    assert document.report == ()
    assert kinds(document)[2:4] == ["resign", "refuse"]
    assert kinds(document)[-2:] == ["resign", "accept"]
    result = document.match.games[0].result
    assert result is not None
    assert (result.winner, result.level, result.how) == (Player.O, level, "resignation")


def test_gibbon_counts_the_points_of_a_resignation_with_the_cube() -> None:
    document = read(HEAD + "RE[W+2Resign];W[31hefe];B[double];W[take];B[62agln];W[42hdfd];B[resign:2];W[accept])")
    assert document.report == ()
    assert str(document.match.games[0].result) == "O wins a single game, 2 points (resignation)"


def test_a_resignation_without_an_answer_lapses() -> None:
    document = read(HEAD + ";W[31hefe];B[resign:1];B[62agln])")
    assert kinds(document) == ["opening", "play", "roll", "play"]
    document = read(HEAD + ";W[31hefe];B[resign:1])")
    assert document.match.games[0].comments == {1: "X resigns 1; no answer is given"}


@pytest.mark.parametrize(
    ("result", "winner", "points", "how"),
    [
        ("W+Resign", Player.O, 1, "resignation"),
        ("W+R", Player.O, 1, "resignation"),
        ("B+Time", Player.X, 1, "clock"),
        ("B+2T", Player.X, 2, "clock"),
        ("W + 3 Forfeit", Player.O, 3, "clock"),
    ],
)
def test_a_result_may_be_a_word(result: str, winner: Player, points: int, how: str) -> None:
    document = read(HEAD + f"RE[{result}];W[31hefe])")
    assert document.report == ()
    found = document.match.games[0].result
    assert found is not None
    assert (found.winner, found.points, found.how) == (winner, points, how)


def test_a_board_that_is_set_begins_the_game() -> None:
    document = read(HEAD + ";PL[W]DI[53];CV[2];CO[w];AE[a:y]AB[l][l][s][s][y]AW[a][a:c][x])")
    game = document.match.games[0].start
    assert (game.phase, game.on_roll, str(game.dice)) == (Phase.PLAY, Player.O, "53")
    assert (game.cube.value, game.cube.owner) == (2, Player.O)
    assert game.position_of(Player.X).player[25] == 1
    assert game.position_of(Player.O).player[1:4] == (2, 1, 1)


def test_texts_are_unescaped() -> None:
    document = read("(;GM[6]PW[a\\]b]PB[c\\\\d]GC[one\\: two];W[31hefe]C[well\\]played])")
    assert document.match.names == ("c\\d", "a]b")
    assert document.match.info["Comment"] == "one: two"
    assert document.match.games[0].comments == {1: "well]played"}


def test_variations_are_left_out_and_said() -> None:
    document = read(HEAD + ";W[31hefe](;B[42qusu])(;B[42adln]))")
    assert kinds(document) == ["opening", "play", "roll", "play"]
    assert "variation" in str(document.report[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + ";W[31hexx])", "illegal"),
        (HEAD + ";W[flight])", "no move"),
        (HEAD + ";W[31hefe", "middle of a game"),
        (HEAD + ";W[31hefe];AE[a:y]AW[a][a][a][a][a][a][a][a][a][a][a][a][a][a][a][a];B[42qusu])", "too many checkers"),
        (HEAD + "RE[who knows];W[31hefe])", "no result"),
    ],
)
def test_damage_is_reported(text: str, words: str) -> None:
    assert words in " ".join(map(str, read(text).report))


def test_no_game() -> None:
    for text in ("", "(;GM[1];B[dd])", "hello"):
        with pytest.raises(FormatError):
            sgf.read(text.encode())


def test_analysis_is_keyed_to_the_events() -> None:
    node = (
        ";B[42qusu]DA[E ver 3 2C 1 0.000000 1 0.5 0.125 0 0.25 0 0.01 0.48 0.5 0.125 0 0.25 0 0.01 0.44]"
        "A[1][swuw E ver 3 0.5 0.125 0 0.25 0 -0.1 2C 0 1 0.000000 1]"
        "[qusu X ver 3 Score 0.2 0.1 Trials 1296 Output 0.5 0.125 0 0.25 0 0.1 0.2 StdDev 0 0 0 0 0 0 0.004]LU[0.125]"
    )
    document = read(HEAD + ";W[31hefe]" + node + ")")
    assert document.review is not None
    roll, play = document.review.events[0, 2], document.review.events[0, 3]
    assert roll.luck == 0.125
    assert roll.cube == CubeAnalysis(0.48, 0.44, None, CHANCES, CHANCES, 0.01, "2-ply cubeful", "mwc")
    assert play.play is not None
    assert play.play.played == 1
    assert play.play.candidates[0].equity == -0.1
    rollout = play.play.candidates[1]
    assert (rollout.text, rollout.level, rollout.equity, rollout.deviation) == ("8/4 6/4", "rollout 1296", 0.2, 0.004)


def test_an_analysis_is_written_and_read() -> None:
    match = random_match(random.Random(3), Settings(length=5), games=1)
    events = {}
    for number, event in enumerate(match.games[0].events):
        assert not isinstance(event, Setup)
        if event.kind is ActionKind.PLAY:
            text = " ".join(map(str, event.moves))
            candidate = CandidatePlay(event.moves, text, -0.25, CHANCES, "2-ply cubeful")
            events[0, number] = EventAnalysis(play=PlayAnalysis((candidate,), 0))
        elif event.kind is ActionKind.ROLL:
            cube = CubeAnalysis(0.5, 0.625, None, CHANCES, CHANCES, 0.125, "0-ply cubeful", "mwc")
            events[0, number] = EventAnalysis(cube=cube, luck=0.25)
    data, losses = formats.write(formats.Document(match, FileAnalysis("x", events)), "sgf")
    assert not losses
    (document,) = formats.read(data).documents
    assert document.review is not None
    assert document.review.events == events


BOARD = "AE[a:y]AW[e][e][f][f][f][f][h][h][j][m][m][m][m][x][x]AB[s][s][s][s][s][q][q][q][l][l][l][l][l][k][a]"


@pytest.mark.parametrize(
    ("nodes", "events"),
    [
        # GNU Backgammon writes PL[W] whoever is on roll; the colour of the next move tells.
        (f";W[31hefe];B[64aggk];PL[W]DI[52];PL[W]{BOARD};B[61lrqr]", "opening play roll play roll setup"),
        (f";W[31hefe];PL[B]DI[64];PL[W]{BOARD};W[43xtmj]", "opening play roll setup roll play"),
        (f";PL[W]DI[52];PL[W]{BOARD};B[61lrqr]", "opening setup roll play"),
        (f";PL[B]DI[52];PL[W]{BOARD};PL[W]DI[43];W[43xtmj]", "opening setup roll play"),
        (f";W[31hefe];PL[B]DI[64];PL[W]{BOARD};W[double];B[drop]", "opening play roll setup double drop"),
    ],
)
def test_a_board_that_a_roll_leads_to_is_an_illegal_play(nodes: str, events: str) -> None:
    document = read(HEAD + nodes + ")")
    assert [str(problem).split(": ", 1)[1] for problem in document.report] == ["illegal play"]
    assert " ".join(kinds(document)).startswith(events)


def test_a_board_after_which_the_same_player_moves_is_set_before_its_roll() -> None:
    document = read(HEAD + f";PL[B]DI[61];PL[B]{BOARD};B[61lrqr])")
    assert document.report == ()
    assert document.match.games[0].start.position.opponent[13] == 4


GAME = "(;FF[4]GM[6]PB[Ann]PW[Bob]{facts}RU[Crawford]RE[W+1];W[42hdfd])\n"


@pytest.mark.parametrize(
    ("facts", "scores"),
    [
        (["MI[length:5][game:0]", "MI[length:5][game:1]"], [[(0, 0), (0, 1)]]),
        (["MI[length:5][ws:0][bs:0]", "MI[length:5][ws:1][bs:0]"], [[(0, 0), (0, 1)]]),
        (["MI[length:5]", "MI[length:5]"], [[(0, 0), (0, 1)]]),
        (["MI[length:5][ws:0][bs:0]", "MI[length:5][ws:0][bs:0]"], [[(0, 0)], [(0, 0)]]),
        (["MI[length:1]", "MI[length:1]"], [[(0, 0)], [(0, 0)]]),
        (["MI[length:5][game:0]", "MI[length:5][game:0]"], [[(0, 0)], [(0, 0)]]),
    ],
)
def test_games_without_numbers_or_scores_are_one_match(facts: list[str], scores: list[list[tuple[int, int]]]) -> None:
    text = "".join(GAME.format(facts=fact) for fact in facts)
    documents = sgf.read(text.encode())
    assert [[game.start.score.points for game in document.match.games] for document in documents] == scores
    assert not any(document.report for document in documents)
