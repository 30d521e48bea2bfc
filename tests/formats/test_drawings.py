"""Boards drawn in letters without an identifier: where each checker stands, and what is said of the board."""

from __future__ import annotations

import re

import pytest
from tests.formats.shared import shared

from fullprime import formats
from fullprime.formats import FormatError
from fullprime.formats.gnubg_text.drawings import drawn_blocks
from fullprime.rules.ids import read_id, write_id

DOWN = "+13-14-15-16-17-18------19-20-21-22-23-24-+", "+12-11-10--9--8--7-------6--5--4--3--2--1-+"
GNU = """ {upper}     O: Ann{owned}
 | X           O    |   | O              X |     2 points
 | X           O    | O | O                | O   {ann}
 | X           O    |   | O                |
 | X                |   | O                |
 |                  |   | O                |
{turn}|                  |BAR|                  |     {match}
 |                  |   | 6                |
 | O                |   | X                |
 | O                |   | X                |
 | O           X    |   | X                | X   {bob}
 | O           X    |   | X              O | X   1 point
 {lower}     X: Bob
"""
BOARD = "aa----F-B---dD---c-e----A-"


def read(text: str, name: str | None = None) -> formats.Document:
    (document,) = formats.read(text.encode(), name=name).documents
    return document


def position(text: str) -> str:
    return write_id(read(text).match.games[0].start, "xgid").text


def gnu(turn: str = "v", ann: str = "", bob: str = "", match: str = "7 points match (Cube: 1)", owned: str = "") -> str:
    """A board as GNU Backgammon draws it, numbered for the player on roll."""
    upper, lower = DOWN if turn == "v" else (DOWN[1], DOWN[0])
    text = GNU.format(upper=upper, lower=lower, turn=turn, ann=ann, bob=bob, match=match, owned=owned)
    return text.replace(
        "| X           O    |   | O              X |     2", "| X           O    |   | O              X |     2"
    )


# -- GNU Backgammon --------------------------------------------------------------------------------------------------
def test_a_board_of_gnu_backgammon() -> None:
    text = gnu(bob="Rolled 52")
    document = read(text)
    assert document.match.names == ("Bob", "Ann")
    assert position(text) == f"XGID={BOARD}:0:0:1:52:1:2:0:7:10"


def test_numbers_and_a_roll_of_the_player_above() -> None:
    assert position(gnu("^", ann="Rolled 63")) == f"XGID={BOARD}:0:0:-1:63:1:2:0:7:10"


@pytest.mark.parametrize(
    ("drawing", "facts"),
    [
        (gnu("^", ann="On roll"), ":0:0:-1:00:1:2:0:7:10"),
        (gnu(match="7 points match", owned=" (Cube: 4)"), ":2:-1:1:00:1:2:0:7:10"),
        (gnu(match="", ann="Cube offered at 2"), ":0:0:1:D:1:2:0:0:10"),
        (gnu(match="(Cube: 1)", bob="On roll"), ":0:0:1:00:1:2:0:0:10"),
        (gnu(match="(Cube: 2)", bob="On roll"), ":1:0:1:00:1:2:0:0:10"),
    ],
    ids=["on-roll", "owned", "offered", "money", "automatic"],
)
def test_cube_and_score(drawing: str, facts: str) -> None:
    assert position(drawing) == f"XGID={BOARD}{facts}"


@pytest.mark.parametrize("remark", ["X plays 24/18 13/9", "O rolled 65, the joker", "X to play 6 5, surely"])
def test_the_roll_beside_a_board_says_more_than_a_remark(remark: str) -> None:
    assert position(f"{gnu(bob='Rolled 31')}{remark}\n").endswith(":0:0:1:31:1:2:0:7:10")


def test_the_points_of_a_play_are_no_roll() -> None:
    assert position(f"{gnu()}X plays 24/18 13/9\n").endswith(":0:0:1:00:1:2:0:7:10")


@pytest.mark.parametrize(
    ("words", "crawford"),
    [("Crawford game", 1), ("Post-Crawford", 0), ("post Crawford", 0), ("PostCrawford", 0)],
)
def test_the_crawford_game_and_those_after_it(words: str, crawford: int) -> None:
    assert position(f"{gnu(match='3 points match')}{words}\n").endswith(f":1:2:{crawford}:3:10")


def test_no_crawford_game_has_a_cube_that_is_turned() -> None:
    text = gnu(match="3 points match", owned=" (Cube: 2)")
    assert position(f"{text}after the Crawford game\n").endswith(":1:-1:1:00:1:2:0:3:10")


@pytest.mark.parametrize(
    ("score", "digits"),
    [
        ("X-O: 3-6/7", "X-O: {}-2/7"),
        ("X-O: 3-6/7", "X-O: 3-6/{}"),
        ("Pip count  X: 111  O: 52 X-O: 3-6/7", "X: {} O: 3 4 "),
        ("| | 2 |", "|   {} points"),
        ("| +---+\n |                  |   | X  O", "|   Cube offered at {}\n |                  |   | X  O"),
        ("                  |BAR|                  |", "                  |BAR|                  |  (Cube: {})"),
    ],
)
def test_numbers_without_end_are_none(score: str, digits: str) -> None:
    assert score in EXTREME
    for length in (6, 300, 5_000):
        text = EXTREME.replace("Score is X:3 O:6 7 pt.(s) match.\n", "").replace(score, digits.format("1" * length), 1)
        try:
            read(text)
        except FormatError:
            continue


@pytest.mark.parametrize("before", ["> ", ">> ", "    "])
def test_a_board_in_a_mail(before: str) -> None:
    quoted = "".join(f"{before}{line}\n" for line in gnu(bob="Rolled 52").splitlines())
    text = f"7 point match\n\nHi, what do you play?\n\n{quoted}\nI like 13/8 13/11.\n"
    document = read(text, "mail.txt")
    assert position(text).endswith(":0:0:1:52:1:2:0:7:10")
    assert document.match.games[0].comments[-1].endswith("what do you play?\n\nI like 13/8 13/11.")


def test_several_boards() -> None:
    text = gnu(bob="Rolled 52") + "\nand then\n\n" + gnu("^", ann="Rolled 31")
    dice = [str(match.games[0].start.dice) for match in formats.read(text.encode()).matches]
    assert dice == ["52", "31"]


# -- others ----------------------------------------------------------------------------------------------------------
FIBS = """   +13-14-15-16-17-18-------19-20-21-22-23-24-+ O: bonehead - score: 1
   | X           O    |   |  O              X |
   | X           O    |   |  O                |
   | X           O    |   |  O                |
   | X                |   |  O                |
   | X                |   |  O                |
  v|                  |BAR|                  |    3-point match
   | O                |   |  X                |
   | O                |   |  X                |
   | O           X    |   |  X                |
   | O           X    |   |  X              O |
   | O           X    |   |  X              O |
   +12-11-10--9--8--7--------6--5--4--3--2--1-+ X: marvin - score: 0

   BAR: O-0 X-1   OFF: O-0 X-0   Cube: {cube}  {said}
"""


@pytest.mark.parametrize(
    ("cube", "said", "facts"),
    [
        ("1", "You rolled 6 2.", ":0:0:1:62:0:1:0:3:10"),
        ("2 (owned by bonehead)", "bonehead rolled 4 1.", ":1:-1:-1:41:0:1:0:3:10"),
        ("1", "", ":0:0:1:00:0:1:0:3:10"),
    ],
)
def test_a_board_of_fibs(cube: str, said: str, facts: str) -> None:
    text = FIBS.format(cube=cube, said=said)
    assert position(text) == f"XGID=-b----E-C---eE---c-e----AA{facts}"
    assert read(text).match.names == ("marvin", "bonehead")


def test_the_player_who_looks_at_a_board_of_fibs_is_called_by_no_name() -> None:
    text = FIBS.format(cube="1", said="You rolled 6 2.")
    seen = text.replace("X: marvin", "X: You")
    assert read(seen).match.names == ("X", "bonehead")
    assert position(seen) == position(text)


EXTREME = """X:Ann   O:Bob
Score is X:3 O:6 7 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 |    X           X |   | X  O  O  O  O  O | +---+
 |                  |   | X  O  O  O  O  O | | 2 |
 |                  |   |    O           O | +---+
 |                  |   |                O |
 |                  |   |                  |
 |                  |BAR|                  |
 |                  |   |                  |
 |                  |   |                  |
 |                  |   |          X       |
 |                  |   | X  X  X  X     X |
 |       O          |   | X  X  X  X     X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 111  O: 52 X-O: 3-6/7
Cube: 2, O own cube
X to play 21

    1. 4-ply       19/18 14/12                  eq:-0.491
      Player:   25.45% (G:0.00% B:0.00%)
      Opponent: 74.55% (G:31.09% B:0.09%)
"""


def test_a_text_of_extreme_gammon_that_has_lost_its_identifier() -> None:
    document = read(EXTREME)
    assert position(EXTREME) == "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"
    assert document.match.names == ("Ann", "Bob")
    assert document.review is not None
    assert document.review.events[0, 0].play is not None


_OTHER = EXTREME.partition("\n\n")[0].replace("Ann", "Carl").replace("Bob", "Dave")
_OTHER = (
    _OTHER.replace("X:3 O:6", "X:4 O:5")
    .replace("3-6/7", "4-5/7")
    .replace("O own cube", "X own cube")
    .replace("X to play 21", "O to play 62")
)


@pytest.mark.parametrize("upper", [EXTREME, EXTREME.partition("\n\n")[0] + "\n"], ids=["analysed", "alone"])
@pytest.mark.parametrize("between", ["\n", ""], ids=["a-blank-line", "no-line"])
def test_each_of_two_boards_has_its_own_facts(upper: str, between: str) -> None:
    first, second = formats.read(f"{upper}{between}{_OTHER}\n".encode()).documents
    facts = [write_id(document.match.games[0].start, "xgid").text for document in (first, second)]
    board = "XGID=-B-CBBB---a---A---ABcbbbd-"
    assert facts == [f"{board}:1:-1:1:21:3:6:0:7:10", f"{board}:1:1:-1:62:4:5:0:7:10"]
    assert (first.match.names, second.match.names) == (("Ann", "Bob"), ("Carl", "Dave"))


def test_words_above_each_of_two_boards_are_of_the_board_below_them() -> None:
    text = f"X to play 31\n{gnu(match='')}\nO to play 62\n{gnu(match='')}"
    turns = [
        write_id(match.games[0].start, "xgid").text.split(":")[3:5] for match in formats.read(text.encode()).matches
    ]
    assert turns == [["1", "31"], ["-1", "62"]]


def test_points_without_a_checker_may_have_a_mark() -> None:
    dotted = EXTREME.replace("+-", "+-").splitlines()
    rows = [
        re.sub(r"(?<=  )  (?= )", ". ", row) if row.startswith(" |") and "BAR" not in row else row for row in dotted
    ]
    assert rows != dotted
    assert position("\n".join(rows)) == position(EXTREME)


def test_edges_that_a_word_processor_has_drawn() -> None:
    edges = {"+": "\N{BOX DRAWINGS LIGHT VERTICAL AND HORIZONTAL}", "|": "\N{BOX DRAWINGS LIGHT VERTICAL}"}
    rows = [
        row.translate(str.maketrans(edges)) if row.startswith((" |", " +")) else row for row in EXTREME.splitlines()
    ]
    assert position("\n".join(rows)) == position(EXTREME)


# -- what is none ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "\n".join(EXTREME.splitlines()[:12]),
        EXTREME.replace("--9-", "-99-"),
        EXTREME.replace(" |                  |BAR|                  |\n", "and so on\n"),
        "+-1--2--3--4--5--6--7--8--9-10-11-12-+\n" * 9,
    ],
    ids=["half-a-board", "wrong-numbers", "words-within", "only-edges"],
)
def test_no_board_is_read_where_none_is_drawn(text: str) -> None:
    assert drawn_blocks(text.split("\n")) == []


def test_too_many_checkers_are_refused() -> None:
    with pytest.raises(FormatError, match="X has 16 checkers"):
        read(gnu(bob="Rolled 52").replace("|                  |   | O  ", "| X  X  X          |   | O  "))


def test_an_identifier_says_more_than_its_board() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
    assert position(f"{xgid}\n\n{EXTREME}") == xgid


def test_a_match_that_shows_a_board_stays_a_match() -> None:
    text = " 5 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5    62: 24/18 13/11\n\n" + EXTREME
    assert read(text).format == "mat"


def test_every_board_of_gnu_backgammon_agrees_with_its_identifier() -> None:
    checked = 0
    for path in sorted(shared("generated").glob("*.transcript.txt")):
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        known = {
            number + 3: f"{match[1]}:{lines[number + 1].split()[-1]}"
            for number, line in enumerate(lines)
            if (match := re.search(r"Position ID: (\S{14})", line))
        }
        for block in drawn_blocks(["" if "Position ID" in line or "Match ID" in line else line for line in lines]):
            game = read_id(known[block.line]).game
            if game.settings.beavers:
                continue  # The drawing does not tell a beaver from a double.
            board, *facts = write_id(game, "xgid").text.split(":")
            drawn, *other = block.identifier.split(":")
            if "off:15" not in game.position.text and game.result is None:
                assert drawn == board
                assert sorted(other[3]) == sorted(facts[3])
                assert (other[2], *other[4:6]) == (facts[2], *facts[4:6])
                # While a double waits, the cube's owner and the length of the match are not drawn.
                assert facts[3] == "D" or (other[:2], other[7]) == (facts[:2], facts[7])
                checked += 1
    assert checked > 1_500
