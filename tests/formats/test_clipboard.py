"""Texts from the clipboard: positions by their identifiers, numbers by where they stand, in any language."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.formats.shared import shared

from fullprime import formats
from fullprime.formats import FormatError
from fullprime.rules.game import Game, Phase, opening
from fullprime.rules.ids import write_id
from fullprime.rules.record import Setup
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON

XG = """XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:9:10

X:{x}   O:{o}
Score is X:2 O:4 9 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+

    1. 3-{ply}       8/5 6/5                      {eq}:{plus}0{point}152
      {player}: 55{point}00% (G:16{point}00% B:1{point}00%)
      {other}: 45{point}00% (G:12{point}00% B:0{point}50%)

    2. XG Roller+  24/23 13/10                  eq:-0{point}012 (-0{point}164)
      {player}: 49{point}00% (G:13{point}00% B:0{point}50%)
      {other}: 51{point}00% (G:14{point}00% B:0{point}50%)

eXtreme Gammon Version: 2.10, MET: Kazaross XG2
"""

XG_CUBE = """XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:0:9:10

X:Ann   O:Bob

{analysed} XG Roller++
{player}:   61.38% (G:24.55% B:1.88%)
{other}: 38.62% (G:13.14% B:0.46%)

Cubeless: No=+0.365, Yes=+0.791

Cubeful:
       A:    +0.580 (-0.109)
       B: +0.689
       C: +1.000 (+0.311)
"""

BLITZ = """ +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Green  167
 +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: Red  167

 Position-ID: 4HPwATDgc/ABMA    Match-ID: QYkqASAAIAAE
 XGID=-b----E-C---eE---c-e----B-:0:0:1:31:1:1:0:5:10

 Green - 1 Red - 1 in a 5 point match.

  1.   0.560 mwp /   0.150            8/5, 6/5
       0.550  0.160  0.010  -  0.450  0.120  0.005

  2.   0.500 mwp /  -0.010  (-0.160)  24/20
       0.490  0.130  0.005  -  0.510  0.140  0.005
"""

GNU = """The score (after 0 games) is: Bob 0, Ann 0 (match to 7 points)

Date: 2024-01-02
Move number 1:  Bob to play 51

 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : MIDmAAAAAAAE
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: Bob
 | X           O    |   | O              X |     0 points
 +13-14-15-16-17-18------19-20-21-22-23-24-+     X: Ann

* Bob {moves} 24/23 13/8

Rolled 51:
*    1. Cubeful 0-ply    24/23 13/8                   Eq.: +0.002
       0.501 0.136 0.007 - 0.499 0.138 0.005
     2. Cubeful 0-ply    24/18                        Eq.: -0.035 (-0.037)
       0.495 0.123 0.005 - 0.505 0.141 0.005


Move number 2:  Ann on roll

 GNU Backgammon  Position ID: 4PPgASjgc/ABMA
                 Match ID   : cAngAAAAAAAE
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: Bob
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: Ann

* Ann {doubles}

Cube analysis
0-ply cubeless equity -0.002 (Money: -0.002)
  0.499 0.138 0.005 - 0.501 0.136 0.007
1. {no}           -0.002
2. {double}, pass        +1.000  (+1.002)
3. {double}, take        -0.347  (-0.345)


Move number 3:  Bob answers

 GNU Backgammon  Position ID: 4PPgASjgc/ABMA
                 Match ID   : cBHgAAAAAAAE
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: Bob
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: Ann

* Bob {rejects}

Ann {wins} 1
"""


@pytest.mark.parametrize(
    ("words", "point"),
    [
        ({"x": "Ann", "o": "Bob", "player": "Player", "other": "Opponent", "plus": "+", "eq": "eq", "ply": "ply"}, "."),
        (
            {
                "x": "Änne",
                "o": "Bob Z.",
                "player": "Spieler",
                "other": "Gegner",
                "plus": "+",
                "eq": "Eq.",
                "ply": "ply",
            },
            ",",
        ),
        (
            {
                "x": "名人",
                "o": "Bob",
                "player": "プレーヤー",
                "other": "対戦相手",
                "plus": "",
                "eq": "eq",
                "ply": "ply",
            },
            ".",
        ),
        ({"x": "A", "o": "B", "player": "Joueur", "other": "Adversaire", "plus": "", "eq": "éq", "ply": "plis"}, "."),
    ],
)
def test_extreme_gammon_in_any_language(words: dict[str, str], point: str) -> None:
    (document,) = formats.read(XG.format(**words, point=point).encode()).documents
    assert document.format == "clipboard"
    assert document.match.names == (words["x"], words["o"])
    game = document.match.game
    assert (game.phase, str(game.dice), game.score.points) == (Phase.PLAY, "31", (2, 4))
    assert document.review is not None
    play = document.review.events[0, 0].play
    assert play is not None
    best, second = play.candidates
    assert (best.equity, best.chances, best.level) == (0.152, (0.55, 0.16, 0.01, 0.12, 0.005), "3-ply")
    assert [str(move) for move in best.moves or ()] == ["8/5", "6/5"]
    assert (second.equity, second.level) == (-0.012, "XG Roller+")


def test_extreme_gammon_cube() -> None:
    text = XG_CUBE.format(analysed="Analysiert in", player="Spieler", other="Gegner")
    (document,) = formats.read(text.encode()).documents
    assert document.review is not None
    cube = document.review.events[0, 0].cube
    assert cube is not None
    assert (cube.no_double, cube.double_take, cube.double_pass) == (0.58, 0.689, 1.0)
    assert (cube.cubeless, cube.level) == (0.365, "XG Roller++")
    assert cube.chances == pytest.approx((0.6138, 0.2455, 0.0188, 0.1314, 0.0046))


def test_bgblitz() -> None:
    (document,) = formats.read(BLITZ.encode()).documents
    assert document.match.names == ("Red", "Green")
    assert document.review is not None
    play = document.review.events[0, 0].play
    assert play is not None
    assert document.review.program == "BGBlitz"
    assert [c.equity for c in play.candidates] == [0.15, -0.01]
    assert play.candidates[1].chances == (0.49, 0.13, 0.005, 0.14, 0.005)
    assert all(c.moves for c in play.candidates)


BLITZ_CUBE = """ Position-ID: 4TcAALDeAAAAAA    Match-ID: UQngAAAAIAAE
 XGID=---BADB------------bf---a-:1:1:1:00:4:0:0:7:10

 Verte - 0 Rossa - 4 in a 7 point match.

              {wins}
 Verte        28.8  0.0   0.0
 Rossa        71.2  0.5   0.1
 {cubeless}: 0.423  Dev. st.: 0.184
 {cubeful}     :  0.847

 {title}               :  {no} / {take}  EMG
{rows}
"""


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
@pytest.mark.parametrize(
    ("no", "take", "drop"),
    [
        ("Pas de double", "Double / Prendre", "Double / Refuser"),
        ("ダブルせず", "ダブル / 受ける", "ダブル / 降りる"),
        ("Kein Doppel", "Doppeln / Annehmen", "Doppeln / Ablehnen"),
    ],
)
def test_bgblitz_prints_the_cube_in_order_of_merit(order: tuple[int, ...], no: str, take: str, drop: str) -> None:
    lines = [
        f" {no:<22}:  0.847   ( 0.000)      0.518   ( 0.000)",
        f" {take:<22}:  0.712   (-0.135)     -0.504   (-1.022)",
        f" {drop:<22}:  0.911   ( 0.064)      1.000   ( 0.482)",
    ]
    text = BLITZ_CUBE.format(
        wins="G", cubeless="Eq", cubeful="EQ", title="Cube", no=no, take=take, rows="\n".join(lines[i] for i in order)
    )
    (document,) = formats.read(text.encode()).documents
    assert document.review is not None
    cube = document.review.events[0, 0].cube
    assert cube is not None
    assert (cube.no_double, cube.double_take, cube.double_pass) == (0.518, -0.504, 1.0)
    assert cube.chances == pytest.approx((0.712, 0.005, 0.001, 0.0, 0.0))
    assert cube.cubeless == 0.423


@pytest.mark.parametrize(
    "words",
    [
        {
            "moves": "moves",
            "doubles": "doubles",
            "rejects": "rejects",
            "wins": "wins",
            "no": "No double",
            "double": "Double",
        },
        {
            "moves": "zieht",
            "doubles": "doppelt",
            "rejects": "passt",
            "wins": "gewinnt",
            "no": "Nicht",
            "double": "Doppel",
        },
    ],
)
def test_a_game_exported_by_gnubg_is_one_match(words: dict[str, str]) -> None:
    (document,) = formats.read(GNU.format(**words).encode()).documents
    assert document.report == ()
    assert document.match.names == ("Ann", "Bob")
    record = document.match.games[0]
    kinds = [event.kind.value for event in record.events if not isinstance(event, Setup)]
    assert kinds == ["opening", "play", "double", "drop"]
    assert record.result is not None
    assert (record.result.winner, record.result.points) == (Player.X, 1)
    assert document.match.info["EventDate"] == "2024-01-02"
    assert document.review is not None
    play, cube = document.review.events[0, 1].play, document.review.events[0, 2].cube
    assert play is not None
    assert play.played == 0
    assert cube is not None
    assert (cube.no_double, cube.double_take, cube.double_pass) == (-0.002, -0.347, 1.0)


ONE_MOVE = """Move number 1:  {name} to play 31

 GNU Backgammon  {label}: {board}
                 Match ID   : MIBlAAAAAAAE
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: {name} (Cube: 1)
 +13-14-15-16-17-18------19-20-21-22-23-24-+     X: Bob

* {name} {action}

{result}
"""


@pytest.mark.parametrize(
    ("label", "action"),
    [("Position ID", "moves 24/20"), ("ID de position", "joue 24/20"), ("ID pozice", "24/20 oynuyor")],
)
def test_a_game_of_one_move_is_a_game_for_gnubg(label: str, action: str) -> None:
    name = "3rd Ann (Ulm)"
    text = ONE_MOVE.format(
        label=label, name=name, board="4HPwATDgc/ABMA", action=action, result=f"{name} gagne 1 {label}"
    )
    (document,) = formats.read(text.encode()).documents
    (record,) = document.match.games
    assert document.match.names == ("Bob", name)
    assert [str(event) for event in record.events] == ["opening 13", "24/20", "resign 1", "accept"]
    assert (record.result and record.result.winner) is Player.O
    assert document.report == ()


def test_the_board_tells_gnubg_s_variant_and_its_pending_roll() -> None:
    start = NACKGAMMON.starting_position
    board = write_id(Game.new(Settings(variant=NACKGAMMON)).act(opening(1, 3)), "gnuid").text.split(":")[0]
    text = ONE_MOVE.format(
        label="Position ID", name="Ann", board=board, action="cannot move", result="Bob wins 1 point"
    )
    (document,) = formats.read(text.encode()).documents
    assert document.match.settings.variant is NACKGAMMON
    assert document.match.games[0].start.position == start
    assert [str(event) for event in document.match.games[0].events][:1] == ["opening 13"]
    assert document.report == ()


@pytest.mark.parametrize("between", ["\n", " "])
def test_labels_of_identifiers_without_a_colon(between: str) -> None:
    text = f"Position ID 4HPwATDgc/ABMA{between}Match ID cAkAAAAAAAAA\n"
    (document,) = formats.read(text.encode()).documents
    assert document.match.games[0].start.position == BACKGAMMON.starting_position


def test_a_damaged_board_in_a_text_of_hypergammon_spoils_no_other() -> None:
    game = Game.new(Settings(variant=HYPERGAMMON, length=3)).act(opening(3, 1))
    board, match = write_id(game, "gnuid").text.split(":")
    text = "".join(
        f" GNU Backgammon  Position ID: {place}\n                 Match ID   : {match}\n\n* X moves {play}\n\n"
        for place, play in ((board, "24/21 23/22"), ("4HPwATDgc/ABMA", "8/5 6/5"))
    )
    (document,) = formats.read(text.encode()).documents
    assert document.match.settings.variant is HYPERGAMMON
    assert "24/21 23/22" in [str(event) for event in document.match.games[0].events]
    assert document.report


def test_a_remark_above_the_last_line_is_no_result() -> None:
    board = "Position ID: 4HPwATDgc/ABMA\nMatch ID: cAkAAAAAAAAA\n"
    text = f"X:Joe   O:Tim\n{board}\n* Joe moves 8/5 6/5\nJoe has 3 good plays here\nIt is early.\n"
    (document,) = formats.read(text.encode()).documents
    assert document.match.games[0].events == ()


def test_a_name_that_looks_like_a_play_is_none() -> None:
    text = ONE_MOVE.format(
        label="Position ID", name="10-4", board="4HPwATDgc/ABMA", action="moves 24/20", result="10-4 wins 1 point"
    )
    (document,) = formats.read(text.replace("10-4 moves 24/20", "10-4 cannot move").encode()).documents
    assert "10-4" not in " ".join(problem.words for problem in document.report)


def test_identifiers_alone() -> None:
    text = "see 4HPwATDgc/ABMA:cAkAAAAAAAAA and XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n"
    assert formats.read(text.encode()).documents
    with pytest.raises(FormatError, match="no position"):
        formats.read(b"XGID=-b----E-C---eE---c-e---ZB-:0:0:1:00:0:0:0:7:10", format="clipboard")


@pytest.mark.parametrize(
    "text",
    [
        "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0",
        "4HPwATDgc/ABMA",
        "4HPwATDgc/ABMA:cAkAAAAAAAAA",
        "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10",
        "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5",
    ],
)
def test_a_file_with_one_identifier_of_any_kind(text: str) -> None:
    (document,) = formats.read(f"  {text}\n".encode()).documents
    game = document.match.game
    assert game.position == game.settings.variant.starting_position


def test_a_fibs_board_brings_its_names_and_may_stand_far_down() -> None:
    counts = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    board = f"board:You:Opp:7:0:0:{counts}:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
    (document,) = formats.read(("chat\n" * 5000 + board).encode()).documents
    assert document.match.names == ("Opp", "O")
    assert str(document.match.game.dice) == "31"


@pytest.mark.parametrize(
    ("path", "program"),
    [
        ("xg_txt/01_checkerPosition_DE.txt", 5),
        ("xg_txt/01_checkerPosition_EN.txt", 5),
        ("xg_txt/01_checkerPosition_JP.txt", 5),
        ("xg_txt/03_DT_DE.txt", 0),
        ("bgblitz_txt/01_checkerPosition_DE.txt", 5),
        ("bgblitz_txt/03_DT_EN.txt", 0),
    ],
)
def test_real_texts(path: str, program: int) -> None:
    (document,) = formats.read(shared("corpus", path)).documents
    assert document.report == ()
    assert document.review is not None
    analysis = document.review.events[0, 0]
    if program:
        assert analysis.play is not None
        assert len(analysis.play.candidates) == program
        assert all(candidate.moves and candidate.chances for candidate in analysis.play.candidates)
    else:
        assert analysis.cube is not None
        assert analysis.cube.chances is not None


def test_a_real_export_of_gnubg() -> None:
    (document,) = formats.read(shared("corpus", "gnubg_txt", "boardlord_game1_0ply.txt")).documents
    assert document.report == ()
    assert document.match.names == ("Llabba", "BoardLord")
    assert document.match.score.points == (0, 4)
    assert document.review is not None
    plays = [(key, analysis.play) for key, analysis in document.review.events.items() if analysis.play]
    assert len(plays) == 41
    for (game, event), play in plays:
        action = document.match.games[game].events[event]
        assert play.played is not None
        assert not isinstance(action, Setup)
        assert play.candidates[play.played].moves == action.moves
    cubes = [analysis.cube for analysis in document.review.events.values() if analysis.cube]
    assert len(cubes) > 20
    # Under a take the program writes the figures of the player who takes; ours are always the doubler's.
    assert {cube.double_pass for cube in cubes} == {1.0}
    answered = next(
        analysis.cube
        for analysis in document.review.events.values()
        if analysis.cube and analysis.cube.double_take == 0.809
    )
    assert (answered.no_double, answered.chances) == (0.712, (0.743, 0.003, 0.0, 0.001, 0.0))
    takes = [cube for cube in cubes if (cube.no_double, cube.double_take) == (0.712, 0.809)]
    assert len(takes) == 2


def test_every_identifier_of_a_transcript_is_found() -> None:
    count = 0
    for path in sorted(shared("generated").glob("*.transcript.txt")):
        count += len(formats.read(path))
    assert count == 1648


@pytest.mark.parametrize(
    ("o", "x"), [("緑", "赤"), ("A", "B"), ("Grün", "Rot"), ("gnubg 2", "Player 1"), ("緑 の 人", "7")]
)
def test_names_beside_a_board_lose_their_pips_in_any_language(o: str, x: str) -> None:
    text = BLITZ.replace("O: Green  167", f"O: {o}  167").replace("X: Red  167", f"X: {x}  167")
    (document,) = formats.read(text.encode()).documents
    assert document.match.names == (x, o)
    (document,) = formats.read(text.replace("  167", "\N{IDEOGRAPHIC SPACE}167").encode()).documents
    assert document.match.names == (x, o)
    (document,) = formats.read(text.replace("  167", "").encode()).documents
    assert document.match.names == (x, o)


def test_a_real_text_in_japanese() -> None:
    (document,) = formats.read(shared("corpus", "bgblitz_txt", "03_DT_JP.txt")).documents
    assert document.match.names == ("赤", "緑")
    assert document.review is not None
    assert document.review.program == "BGBlitz"


def test_exports_of_two_games_that_were_joined_are_two_games() -> None:
    words = {
        "moves": "moves",
        "doubles": "doubles",
        "rejects": "rejects",
        "wins": "wins",
        "no": "No",
        "double": "Double",
    }
    text = GNU.format(**words)
    (document,) = formats.read((text + text).encode()).documents
    first, second = document.match.games
    kinds = [event.kind.value for event in first.events if not isinstance(event, Setup)]
    assert kinds == ["opening", "play", "double", "drop"]
    assert second.events == first.events
    assert [game.result and game.result.winner for game in (first, second)] == [Player.X, Player.X]
    assert document.review is not None
    assert document.review.events[1, 1].play == document.review.events[0, 1].play


@pytest.mark.parametrize(
    ("written", "count"),
    [
        ("position xgid {}\nposition xgid {}\n", 2),
        ("<html><body><p>{}<br>X:Ann   O:Bob</p><p>{}</p></body></html>", 2),
        ("xgid={}\n", 1),
        ("XGID: {}\n", 1),
        ("> {}\n> X:Ann   O:Bob\n", 1),
        ("Some words\n\nxgid = {}\nX:Ann   O:Bob\n", 1),
    ],
)
def test_identifiers_as_pages_and_people_write_them(written: str, count: int) -> None:
    board = "-b----E-C---eE---c-e----B-:0:0:{}:31:2:4:0:9:10"
    prefix = "" if "xgid" in written.lower().replace("position xgid", "") else "XGID="
    for sign in ("-", "\N{EN DASH}", "\N{NON-BREAKING HYPHEN}"):
        text = written.format(*((prefix + board.format(turn)).replace("-", sign) for turn in ("1", "-1")))
        documents = formats.read(text.encode()).documents
        assert [document.match.game.on_roll for document in documents] == [Player.X, Player.O][:count]
        assert all(document.match.settings.length == 9 for document in documents)


GNU_PAGE = """<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' "xhtml1-strict.dtd">
<html lang="en"><head><title>The score</title><style>.a {{ color: red }}</style></head><body>
<h2>The score (after 0 games) is: Bob B 0, Ann 0 (match to 7 points)</h2>
<table><tr><td style="x">Date</td><td>2024-01-02</td></tr></table>
<p>Pip counts: Bob B 167, Ann 167</p>
<p>Position ID: <tt>4HPwATDgc/ABMA</tt> Match ID: <tt>MIDmAAAAAAAE</tt></p>
<p>{mark} Bob B moves 24/23 13/8</p>
<table>
<tr><th colspan="2">#</th><th>Ply</th><th>Move</th><th>Equity</th></tr>
<tr>
<td>&nbsp;</td>
<td>1</td>
<td>2</td>
<td>24/18</td>
<td>+0.002</td>
</tr>
<tr>
<td colspan="3">&nbsp;</td>
<td>0.501 0.136 0.007 - 0.499 0.138 0.005</td>
</tr>
<tr>
<td>{mark} </td>
<td>2</td>
<td>0</td>
<td>24/23 13/8</td>
<td>-0.035 (-0.037)</td>
</tr>
</table>
<p>Position ID: <tt>4PPgASjgc/ABMA</tt> Match ID: <tt>cAngAAAAAAAE</tt></p>
<p>{mark} Ann doubles</p>
<table><tr><td>1.</td><td>No double</td><td>-0.002</td><td>&nbsp;</td></tr>
<tr><td>2.</td><td>Double, pass</td><td>+1.000</td><td>+1.002</td></tr>
<tr><td>3.</td><td>Double, take</td><td>-0.347</td><td>-0.345</td></tr></table>
<p>Position ID: <tt>4PPgASjgc/ABMA</tt> Match ID: <tt>cBHgAAAAAAAE</tt></p>
<p>{mark} Bob B rejects</p>
<p class="result">Ann wins 1 point</p></body></html>
"""


@pytest.mark.parametrize("mark", ["*", "&bull;"])
def test_a_page_exported_by_gnubg_is_a_match(mark: str) -> None:
    (document,) = formats.read(GNU_PAGE.format(mark=mark).encode(), name="a.html").documents
    assert document.report == ()
    assert document.match.names == ("Ann", "Bob B")
    assert document.match.info == {"EventDate": "2024-01-02"}
    (record,) = document.match.games
    assert [str(event) for event in record.events] == ["opening 15", "24/23 13/8", "double", "drop"]
    assert record.result is not None
    assert (record.result.winner, record.result.points) == (Player.X, 1)
    assert document.review is not None
    play, cube = document.review.events[0, 1].play, document.review.events[0, 2].cube
    assert play is not None
    assert [(one.text, one.equity, one.level) for one in play.candidates] == [
        ("24/18", 0.002, "2-ply"), ("24/23 13/8", -0.035, "0-ply")
    ]  # fmt: skip
    assert play.played == 1
    assert play.candidates[0].chances == (0.501, 0.136, 0.007, 0.138, 0.005)
    assert cube is not None
    assert (cube.no_double, cube.double_take, cube.double_pass) == (-0.002, -0.347, 1.0)


@pytest.mark.parametrize("lines", [0, 2, 4])
def test_both_parts_of_gnubg_s_identifier_may_stand_apart(lines: int) -> None:
    between = "\n" + "some words\n" * lines
    document = formats.read(f"Position ID: 4HPwATDgc/ABMA{between}Match ID: 8AngAFAAMAAE\n".encode()).documents[0]
    assert (document.match.settings.length, document.match.game.score.points) == (7, (6, 5))


def test_a_board_without_a_score_somewhere_in_a_text() -> None:
    (document,) = formats.read(b"one\ntwo\nPosition ID: 4HPwATDgc/ABMA\nthree\n").documents
    assert document.match.game.position == BACKGAMMON.starting_position


WORDS = {
    "x": "Ann",
    "o": "Bob",
    "player": "Player",
    "other": "Opponent",
    "plus": "+",
    "eq": "eq",
    "ply": "ply",
    "point": ".",
}
BLITZ_SIDES = " +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Green{gap}167\n +12-+   X: Red{gap}167\n"


@pytest.mark.parametrize(
    "lose",
    [
        lambda text: text.replace("\n", "\n\n"),
        lambda text: "\n".join(line.strip() for line in text.split("\n")),
        lambda text: "\n".join(" ".join(line.split()) for line in text.split("\n")),
        lambda text: "".join(f"<p>{line}</p>\n" for line in text.split("\n")),
        lambda text: "<html>" + text.replace(" ", "&nbsp;").replace("\n", "<br>\n"),
        lambda text: f"```\n{text}\n```\n",
        lambda text: "".join(f"> {line}\n" for line in text.split("\n")),
        lambda text: text.replace("-0.", "\N{EN DASH}0."),
    ],
)
def test_texts_that_lost_their_blanks_or_won_some(lose: Callable[[str], str]) -> None:
    pips = "Pip count  X: 167  O: 167 X-O: 2-4/9\n"
    for text in (XG, XG_CUBE):
        whole = text.format(**WORDS, analysed="Analyzed in").replace("X:Ann   O:Bob\n", f"X:Ann   O:Bob\n{pips}")
        (one,), (other,) = (formats.read(words.encode()).documents for words in (whole, lose(whole)))
        assert other.match.names == ("Ann", "Bob")
        assert one.review is not None
        assert other.review is not None
        assert other.review.events == one.review.events


@pytest.mark.parametrize("gap", ["  ", " ", "\t", "\u3000"])
def test_pips_behind_a_name_are_no_part_of_it(gap: str) -> None:
    text = BLITZ_SIDES.format(gap=gap) + "\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:9:10\n"
    assert formats.read(text.encode()).documents[0].match.names == ("Red", "Green")


def test_a_remark_in_a_text_without_indents_is_kept() -> None:
    text = XG_CUBE.format(**WORDS, analysed="Analyzed in") + "\nWhen ahead, race!\n\neXtreme Gammon Version: 2.10\n"
    (document,) = formats.read("\n".join(line.strip() for line in text.split("\n")).encode()).documents
    assert "When ahead, race!" in document.match.games[0].comments[-1]
