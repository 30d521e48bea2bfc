"""Lists and tables of identifiers: a document for each position, and none for an identifier that words mention."""

from __future__ import annotations

import time

import pytest

from fullprime import formats
from fullprime.rules.ids import write_id

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
REPLY = "XGID=-b----E-C---eE-a-c-d----B-:0:0:1:52:2:0:0:7:10"
CUBE = "XGID=-b----E-C---eE-a-c-d----B-:0:0:-1:00:2:0:0:7:10"
ALL = [OPENING, REPLY, CUBE]
BARE = [identifier.removeprefix("XGID=") for identifier in ALL]
ESCAPED = [identifier.replace(":", "%3A") for identifier in BARE]


def _positions(text: str | bytes, name: str = "positions.txt") -> list[str]:
    data = text.encode() if isinstance(text, str) else text
    return [write_id(match.games[0].start, "xgid").text for match in formats.read(data, name=name).matches]


_TABLE = f"Nr;XGID;Theme\r\n1;{OPENING};opening\r\n2;{REPLY};reply\r\n3;{CUBE};cube\r\n"


@pytest.mark.parametrize(
    "text",
    [
        _TABLE,
        "\ufeff" + _TABLE,
        _TABLE.encode("utf-16"),
        "date,player,id,note\n" + "".join(f'2020-01-0{i},Ann,"{xgid}","a, b"\n' for i, xgid in enumerate(BARE, 1)),
        "id\tanswer\n" + "".join(f"{i}\t{xgid}\t13/8\n" for i, xgid in enumerate(ALL, 1)),
        "| Nr | XGID |\n|---|---|\n" + "".join(f"| {i} | `{xgid}` |\n" for i, xgid in enumerate(ALL, 1)),
        "[" + ",\n".join(f'{{"id": {i}, "xgid": "{xgid}"}}' for i, xgid in enumerate(ALL)) + "]",
        "[" + ",".join(f'{{"id": {i}, "xgid": "{xgid}"}}' for i, xgid in enumerate(ALL)) + "]",
        "<html><table>" + "".join(f"<tr><td>{i}</td><td>{xgid}</td></tr>" for i, xgid in enumerate(ALL)) + "</table>",
        "\n".join(BARE),
        "\n".join(f"Problem {i}: {xgid}" for i, xgid in enumerate(ALL, 1)),
        "\n".join(f"#{i} {xgid}" for i, xgid in enumerate(ALL, 1)),
        "\n".join(f"https://positions.example/?xgid={xgid}" for xgid in ESCAPED),
        f"What do you play in {OPENING}?\n\nAnd here, after {REPLY}?\n\nI'd double in {CUBE}.\n",
    ],
    ids=[
        "semicolons", "mark", "utf-16", "bare", "tabs", "markdown", "json", "json-one-line", "page", "bodies",
        "problems", "numbers", "links", "sentences",
    ],
)  # fmt: skip
def test_each_position_of_a_list_is_read(text: str | bytes) -> None:
    assert _positions(text) == ALL


def test_the_words_of_a_row_are_kept_with_its_position() -> None:
    rows = [match.games[0].comments.get(-1, "") for match in formats.read(_TABLE.encode()).matches]
    assert rows[0].startswith("Nr;XGID;Theme")
    assert [row.rsplit(";", 1)[1] for row in rows] == ["opening", "reply", "cube"]


def test_identifiers_of_gnu_backgammon_are_listed_too() -> None:
    table = "1;4HPwATDgc/ABMA:cInlAAAAAAAE;x\n2;4HPwATDgc/ABMA:cAlgAAAAAAAE;y\n"
    assert [position.split(":")[4] for position in _positions(table)] == ["31", "00"]
    boards = "GNU Position ID: 4HPwATDgc/ABMA\n\nGNU Position ID: 4PPgATDgc/ABMA\n"
    assert len(_positions(boards)) == len(_positions("4HPwATDgc/ABMA\n4PPgATDgc/ABMA\n")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Hi,\n\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:\n0:0:0:7:10 I play 8/5 6/5\n",
        "Hi,\n\n> what about XGID=-b----E-C---eE---c-\n> e----B-:0:0:1:31:0:0:0:7:10?\n",
        "Hi,\n\nXGID=3D-b----E-C---eE---c-e=\n----B-:0:0:1:31:0:0:0:7:10\n",
        "XGID=-b----E-C---eE---c-e----B- : 0 : 0 : 1 : 31 : 0 : 0 : 0 : 7 : 10\n",
    ],
    ids=["fields", "quoted", "printable", "blanks"],
)
def test_an_identifier_that_a_mail_has_cut_is_read(text: str) -> None:
    assert _positions(text) == [OPENING]


_BOARD = """X:Ann   O:Bob
Score is X:0 O:0 7 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
"""


@pytest.mark.parametrize(
    "text",
    [
        f"{OPENING}\n{_BOARD}\nI had seen {REPLY} before.\n",
        f"{OPENING}\n\nThe same as {REPLY}, or not?\n",
        f"Look at {OPENING} here.\n{_BOARD}\nNot as in {REPLY}.\n",
        f"Look at {OPENING}.\n\nYes, {OPENING} is it.\n",
        f"{OPENING}\n5 pips behind\n",
    ],
    ids=["below-a-board", "after-a-whole-line", "board-below-words", "again", "a-number-below"],
)
def test_an_identifier_that_words_mention_begins_no_position(text: str) -> None:
    assert _positions(text) == [OPENING]


@pytest.mark.alone
def test_identifiers_mentioned_below_a_board_take_no_time_of_the_lines_above_it() -> None:
    lines = 40_000
    text = f"Look at {OPENING} here.\n" + "\n" * lines + "+------------+\n" + f"As in {REPLY}.\n" * (lines // 100)
    begun = time.process_time()
    assert _positions(text) == [OPENING]
    assert time.process_time() - begun < 4


@pytest.mark.parametrize(
    "text", ["--------------------------:1:2\n", "a-b-c-d-e-f-g-h-i-j-k-l-m-n-:1:2:3:4:5:6:7:8:9:10:11:12\n"]
)
def test_what_only_looks_like_an_identifier_is_none(text: str) -> None:
    with pytest.raises(formats.FormatError):
        formats.read(text.encode(), name="notes.csv")


def test_a_bad_identifier_at_the_end_of_a_list_is_reported() -> None:
    bad = OPENING.replace("-b-", "-c-")
    (document,) = formats.read(f"{OPENING}\n{bad}\n".encode())
    assert "O has" in str(document.report[0])
    assert document.report[0].line == 2


@pytest.mark.parametrize(
    "head",
    [
        "7 point match",
        "Money session",
        "Unlimited match",
        "7-point match, 3-2",
        "Game 3\n Ann : 2    Bob : 1",
        "\n\n7 pt match",
    ],
)
def test_a_length_above_a_position_makes_it_no_match(head: str) -> None:
    text = f"{head}\n\nWhat do you play?\n\n{OPENING}\n\n 1) 8/5 6/5\n 2) 13/10 24/23\n"
    assert _positions(text) == [OPENING]


@pytest.mark.parametrize(
    "row",
    [
        "  1) 31: 8/5 6/5    62: 24/18 13/11",
        "  1)                 31: 8/5 6/5",
        "1. 3-1: 8/5 6/5  62: 24/18 13/11",
        "1) 31 8/5 6/5",
        "1. 31 8/5 6/5   62 24/18 13/11",
        "1) 3/1: 8/5 6/5",
        "1) 3,1: 8/5 6/5",
        "1) 3/1:\n2) 31: 8/5 6/5",
        "1 31: 8/5 6/5",
        "1: 31: 8/5 6/5",
        "1) 31\N{FULLWIDTH COLON} 8/5 6/5",
    ],
)
def test_a_match_that_mentions_a_position_stays_a_match(row: str) -> None:
    text = f" 7 point match\n\n Game 1\n Ann : 0    Bob : 0\n{row}\n\n{OPENING}\n"
    (document,) = formats.read(text.encode()).documents
    assert (document.format, document.match.names) == ("mat", ("Bob", "Ann"))
    assert len(document.match.games[0].events) >= 2


@pytest.mark.parametrize("rows", ["  1)  Doubles => 2                Drops", "  1)  Doubles => 2\n  2)  Takes"])
def test_a_match_of_cube_actions_that_mentions_a_position_stays_a_match(rows: str) -> None:
    text = f"; {OPENING}\n 7 point match\n\n Game 1\n Ann : 0    Bob : 0\n{rows}\n"
    assert formats.read(text.encode()).documents[0].format == "mat"


@pytest.mark.parametrize(
    "row",
    [
        "1. Rollout 24/14 13/11",
        "1. XG Roller+ 8/5 6/5",
        "1. 4-ply 24/18 13/11",
        "1) 6/5 4/3",
        "2) 24/23 6/5: safest",
        "1. 0.31 24/18 13/11",
        "2. Double, take   1.000",
        "3 12:30",
    ],
)
def test_candidates_below_a_position_are_no_rows_of_a_match(row: str) -> None:
    assert _positions(f"7 point match\n\n{OPENING}\n\n{row}\n") == [OPENING]
