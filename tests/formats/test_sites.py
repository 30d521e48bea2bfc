"""The logs of old servers and programs: small files of our own in each of them."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest
from tests.formats.shared import shared

from fullprime import formats
from fullprime.formats import FormatError
from fullprime.rules.game import Phase
from fullprime.rules.record import Setup
from fullprime.rules.score import Player

OLDMOVES = """Score is 0-0 in a 5 point match.
ann is X - bob is O

X: (4 2) 8-4 6-4
O: (6 1) 12-18 17-18
X: doubles
O: accepts
X: (5 3) 8-3 6-3
O: wants to resign
X: accepts
X: wins 2 points.

Score is 0-2 in a 5 point match.
bob is X - ann is O

X: (3 1) 8-5 6-5
O: (6 5) 1-7 7-12
X: (1 2) can't move
"""

SGG = """ann vs. bob
Thursday May 6, 2004
GamesGrid
ELO: 1500.00 100 1600.00 200
Jacoby: No
Automatic Doubles: No
Crawford: Yes
Beavers: No
Raccoons: No
Doubling Cube: Yes
Rated: Yes
Match Length: 3
Variant: Backgammon
Game 1.0-0/3
1\t42:
1\t42: 8/4, 6/4
1\t\t61:
1\t\t61: 13/7, 8/7
nice roll
2\tDouble to 2
2\t\tAccept
3\t55:
3\t55: 13/8, 13/8, 13/8, 13/8
3\t\tResign
ann wins 2 points.

Game 2.2*-0*/3
1\t\t31:
1\t\t31: 8/5, 6/5
"""

TMG = """MatchID: 1
Player1: 11 ann 1500.0
Player2: 22 bob 1600.0
Jacoby: 0
Beavers: 0
Crawford: 1
Cube: 1
MaxCube: 64
Length: 3
Variant: 1

Game 1: 0-0
   1 1 42:
   1 4 8/4 6/4
  -1 1 61:
  -1 4 13/7 8/7
   2 5 Double to 2
  -2 7 Take
   3 1 53:
   3 4 8/3 6/3
   3 14 2 ann wins 2 points

Game 2: 2-0
  -1 1 31:
  -1 4 8/5 6/5
"""

EMPIRE = """ann            bob
  1) 42: 8/4 6/4                 61: 13/7 8/7
  2)  Doubles => 2                Drops
      Wins 1 point
"""

PARTY = """BOARDID=12
CREATOR=ann
MATCHLENGTH=3
GAME_1_PLAYER_1=ann
GAME_1_PLAYER_2=bob
GAME_1_GAMEPLAY=1 1 x 42 8/4 6/4#2 1 x 61 13/7 8/7#1 Double#2 Take#1 3 x 53 8/3 6/3#
GAME_1_SCORE1=2
GAME_1_SCORE2=0
GAME_2_PLAYER_1=ann
GAME_2_PLAYER_2=bob
GAME_2_GAMEPLAY=2 1 x 31 8/5 6/5#
"""

BGROOM = """BGF version 1.2
Game 1 - ann (X) vs. bob (0)
Single game
1.X:(4 2)8/4 6/4
2.0:(6 1)13/7 8/7
3.X:Double

ann Win the Match
"""

JAVAFIBS = """JavaFIBS internal match representation v1.1
8:bob:5
13:bob:
6:You:bob
11:You:4 2
1:You:17-21 19-21
0:bob:6 1
1:bob:13-7 8-7
2:You:
4:bob:
0:You:5 3
1:You:17-22 19-22
3:bob:2
7:You:2
14:ann-2:bob-0
13:bob:
11:bob:3 1
1:bob:8-5 6-5
"""

GMD = """GMD-2 # by hand
Length: 5
Player:W: ann
Player:B: bob
Rule: Crawford
Game:
Roll:-:: 3 3
Roll:-:: 4 2
Move:W:: 8/4 6/4
Roll:B:: 6 1
Move:B:: 12/18 17/18
Double:W:
Take:B:
Roll:W:: 5 3
Move:W:: 8/3 6/3
Resign:B:: 2
Accept:W:
Game:
Roll:B:: 3 1
Move:B:: 17/20 19/20
"""

BGAMMON = """i 1700000000 ann bob 5 0 0 1 2 0
1 r 4-2 8/4 6/4
2 r 6-1 13/7 8/7
1 d 2 1
1 r 5-3 8/3 6/3
2 t
i 1700000001 ann bob 5 2 0 0 1 0
2 r 3-1 8/5 6/5
"""

FILES = {
    "oldmoves": OLDMOVES,
    "sgg": SGG,
    "tmg": TMG,
    "party": PARTY,
    "javafibs": JAVAFIBS,
    "gmd": GMD,
    "bgammon": BGAMMON,
    "gam": EMPIRE,
    "bgroom": BGROOM,
}
LEFT_FIRST = ("sgg", "tmg", "party", "gam")


def plays(document: formats.Document, game: int) -> list[str]:
    return [
        " ".join(map(str, event.moves))
        for event in document.match.games[game].events
        if not isinstance(event, Setup) and event.kind.value == "play"
    ]


@pytest.mark.parametrize("name", FILES)
def test_you_is_no_name(name: str) -> None:
    (document,) = formats.read(FILES[name].replace("ann", "You").encode(), format=name).documents
    you = Player.O if name in LEFT_FIRST else Player.X
    assert document.match.names[you] == ""
    assert document.match.names[you.other] == "bob"
    assert document.match.games[0].result is not None


def test_a_log_of_javafibs_without_a_score_has_a_player_without_a_name() -> None:
    log = "".join(line for line in JAVAFIBS.splitlines(keepends=True) if not line.startswith("14:"))
    (document,) = formats.read(log.encode()).documents
    assert document.match.names == ("", "bob")


@pytest.mark.parametrize("name", FILES)
def test_each_is_recognised_and_read(name: str) -> None:
    (document,) = formats.read(FILES[name].encode()).documents
    assert document.format == name
    ann = Player.O if name in LEFT_FIRST else Player.X
    assert document.match.names[ann] == "ann"
    assert document.match.names[ann.other] == "bob"
    first = document.match.games[0].result
    assert first is not None
    assert first.winner is ann
    assert first.points == (1 if name in ("gam", "bgroom") else 2)
    assert plays(document, 0)[:2] == ["8/4 6/4", "13/7 8/7"]
    if name not in ("gam", "bgroom"):
        assert plays(document, 0)[2] in ("8/3 6/3", "13/8 13/8 13/8 13/8")
        assert document.match.games[1].start.score.points[ann] == 2
        assert plays(document, 1)[0] == "8/5 6/5"
    if name == "oldmoves":
        assert plays(document, 1)[1] == "24/18 18/13"
        assert "illegal" in str(document.report[0])
    else:
        assert document.report == ()


def test_comments_and_crawford_of_gamesgrid() -> None:
    (document,) = formats.read(SGG.encode()).documents
    assert "nice roll" in document.match.games[0].comments.values()
    assert document.match.games[1].start.score.crawford_game


def test_ties_of_the_opening_roll() -> None:
    (document,) = formats.read(GMD.encode()).documents
    assert [e.kind.value for e in document.match.games[0].events[:2] if not isinstance(e, Setup)] == ["opening"] * 2


@pytest.mark.parametrize(
    ("lines", "result"),
    [
        ("Double:W:\nResign:B:: 2\nAccept:W:\n", "X wins a gammon, 2 points (resignation)"),
        ("Double:W:\nResign:B:: 2\nReject:W:\nDrop:B:\n", "X wins a single game, 1 point (drop)"),
        ("Resign:W:: 2\nDouble:W:\nDrop:B:\n", "X wins a single game, 1 point (drop)"),
        ("Resign:B:: 3\nAccept:W:\n", "X wins a backgammon, 3 points (resignation)"),
    ],
)
def test_gibbons_resignations_whenever_they_come(lines: str, result: str) -> None:
    (document,) = formats.read((GMD.partition("Double:")[0] + lines).encode()).documents
    assert document.report == ()
    assert str(document.match.games[0].result) == result


@pytest.mark.parametrize("name", FILES)
def test_a_cut_file_gives_what_it_holds(name: str) -> None:
    data = FILES[name].encode()
    read = formats.FORMATS[name].read
    for cut in range(0, len(data), 7):
        try:
            documents = read(data[:cut], "cut")
        except FormatError:
            continue
        assert documents


def jellyfish(die: int = 5, owner: int = 2) -> bytes:
    def numbers(*values: int) -> bytes:
        return struct.pack(f"<{len(values)}h", *values)

    points = {6: -5, 8: -3, 13: -5, 24: -2, 19: 5, 17: 3, 12: 5, 1: 2}
    board = [20 + points.get(i, 0) for i in range(26) for _ in range(2)]
    head = numbers(126, 0, 0, 1, 1, 0, 2, owner, 2, 0, 0, 0, 1, 2, 7, 5, 1, 4)
    return head + b"\x03bob\x03ann" + numbers(0, 2, 0) + b"\0" + numbers(die, 3, *board)


def test_a_jellyfish_position() -> None:
    (document,) = formats.read(jellyfish()).documents
    game = document.match.game
    assert document.format == "jellyfish"
    assert document.match.names == ("ann", "bob")
    assert (game.phase, game.on_roll, str(game.dice)) == (Phase.PLAY, Player.X, "53")
    assert game.position == game.settings.variant.starting_position
    assert (game.cube.value, game.cube.owner) == (2, Player.X)
    assert game.score.points == (4, 1)
    assert game.score.crawford_game
    with pytest.raises(FormatError):
        formats.read(jellyfish()[:120], format="jellyfish")
    with pytest.raises(FormatError, match="cube"):
        formats.read(jellyfish(owner=7))


@pytest.mark.parametrize(
    ("path", "name", "games", "problems"),
    [
        ("javafibs/gibbon_7point.match", "javafibs", 9, 0),
        ("gibbon/7point.gmd", "gmd", 9, 0),
        ("gibbon/dance-complete0.gmd", "gmd", 1, 0),
        ("gibbon/drop-black-complete.gmd", "gmd", 2, 0),
        ("gibbon/initial-with-two-doubles.gmd", "gmd", 1, 0),
        ("gibbon/reject2-white-complete.gmd", "gmd", 1, 0),
        ("synthetic/bgroom.bgf", "bgroom", 1, 0),
        ("synthetic/empire.gam", "gam", 1, 0),
        ("synthetic/gamesgrid.sgg", "sgg", 2, 1),
        ("synthetic/oldmoves_2games.fibs", "oldmoves", 2, 2),
        ("synthetic/party.gam", "party", 1, 0),
        ("synthetic/tmg_match.tmg", "tmg", 2, 0),
    ],
)
def test_the_shared_files(path: str, name: str, games: int, problems: int) -> None:
    (document,) = formats.read(shared("corpus", path)).documents
    assert (document.format, len(document.match.games), len(document.report)) == (name, games, problems)
    for game in document.match.games:
        assert list(game.entries())


def test_one_match_in_two_of_them_is_equal() -> None:
    (first,) = formats.read(shared("corpus", "javafibs/gibbon_7point.match")).documents
    (second,) = formats.read(shared("corpus", "gibbon/7point.gmd")).documents
    assert first.match.games == second.match.games
    assert first.match.names == second.match.names == ("SnowWhite", "JoeBlack")


@pytest.mark.parametrize(
    "name",
    ["bar_redbl_m5", "beaver_money", "crawford", "cube4_O_roll", "race_cubeO", "start31_m7", "start_money", "toogood"],
)
def test_jellyfish_positions_by_gnubg(name: str) -> None:
    (document,) = formats.read(shared("generated", "positions", name + ".pos")).documents
    (snowie,) = formats.read(shared("generated", "positions", name + ".snowie.txt")).documents
    one, other = document.match.game, snowie.match.game
    assert document.match.names == snowie.match.names
    assert (one.position, one.on_roll, one.dice, one.cube) == (other.position, other.on_roll, other.dice, other.cube)
    assert one.score == other.score


def test_numbers_that_cannot_be() -> None:
    """Found by damaging files: a date in the year 16863, a win of no points."""
    assert formats.read(BGAMMON.replace("i 1700000000", "i 470000000001").encode(), format="bgammon").documents
    text = TMG.replace("Length: 3", "Lengthy").replace("3 14 2 ann", "3 14 0 ann")
    (document,) = formats.read(text.encode(), format="tmg").documents
    assert "a win of 0 points" in " ".join(map(str, document.report))


def test_a_second_match_of_the_same_players_of_fibs_is_a_match_of_its_own() -> None:
    one = OLDMOVES.partition("Score is 0-2")[0].replace("5 point", "1 point").replace("wins 2 points", "wins 1 point")
    one = one.replace("X: doubles\nO: accepts\n", "")
    documents = formats.read((one + one).encode()).documents
    assert [len(document.match.games) for document in documents] == [1, 1]
    assert [document.match.game.result and document.match.game.result.winner for document in documents] == [
        Player.X
    ] * 2
    assert sum(len(document.report) for document in documents) == 0


@pytest.mark.parametrize(("before", "ends"), [("\n\n", "\n"), ("  ", "\r"), ("> ", "\n> ")])
def test_snowies_positions_wherever_they_stand(before: str, ends: str) -> None:
    line = "5;0;0;0;1;Bob;Ann;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;6;1;"
    documents = formats.read((before + line + ends + line).encode()).documents
    assert [document.match.names for document in documents] == [("Bob", "Ann")] * 2


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: "".join(f"> {line}\n" for line in text.split("\n")),
        lambda text: f"[code]\n{text}\n[/code]\n",
        lambda text: f"```\n{text}```\n",
        lambda text: "<html><body><pre>" + text.replace(">", "&gt;") + "</pre></body></html>",
        lambda text: text.replace(" ", "\xa0"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.expandtabs(),
        lambda text: text.encode("utf-16").decode("latin-1"),
    ],
)
def test_each_is_read_out_of_a_mail_a_forum_and_a_page(name: str, wrap: Callable[[str], str]) -> None:
    wrapped = wrap(FILES[name])
    (plain,) = formats.read(FILES[name].encode()).documents
    (document,) = formats.read(wrapped.encode("latin-1" if "\0" in wrapped else "utf-8")).documents
    assert document.format == name
    assert document.match.names == plain.match.names
    assert [game.events for game in document.match.games] == [game.events for game in plain.match.games]
    assert len(document.report) <= len(plain.report) + 2  # The marks, where a log is known by any of its lines.


@pytest.mark.parametrize("name", sorted({*FILES} - {"party", "oldmoves", "tmg"}))
def test_words_above_a_log_are_left_out_and_counted(name: str) -> None:
    """The logs whose first line tells what they are; the others keep such lines or name them."""
    above = "Hi Bob,\n\nhere is our game:\n\n"
    (plain,) = formats.read(FILES[name].encode()).documents
    (document,) = formats.read((above + FILES[name]).encode()).documents
    assert document.match == plain.match
    assert str(document.report[0]) == "line 1: 2 lines above the match are left out"


def test_a_log_of_gamesgrid_without_its_columns_says_so() -> None:
    text = "\n".join(" ".join(line.split()) for line in SGG.split("\n"))
    (document,) = formats.read(text.encode()).documents
    assert "the column is lost: '1 42:'" in str(document.report[0])
