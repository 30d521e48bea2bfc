"""Texts of eXtreme Gammon: the user's own words become comments; identifiers in them begin no other position."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.shared import shared
from tests.formats.test_clipboard import BLITZ, GNU, XG, XG_CUBE

from fullprime import formats

DATA = Path(__file__).parent / "data"
LATIN = {"x": "Ann", "o": "Bob", "player": "Spieler", "other": "Gegner", "plus": "+", "eq": "eq", "ply": "Züge"}
PLAY = XG.format(**LATIN, point=",")
CUBE = XG_CUBE.format(analysed="Analysiert in", player="Spieler", other="Gegner")
VERSION = "\neXtreme Gammon Version: 2.10, MET: Kazaross XG2\n"
OTHER = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10"


def comment(text: str) -> str:
    (document,) = formats.read(text.encode()).documents
    assert document.report == ()
    return document.match.games[0].comments.get(-1, "")


NOTES = [
    "When ahead in the race, race!",
    "Zwei Sätze. Der zweite: so.\n\n  eingerückt",
    "キューブ: 2 と 60%",
    f"compare with {OTHER} from last week",
    "the same as 4HPwATDgc/ABMA:cAkAAAAAAAAA",
    "Take / pass: close",
    "won 55% of 36 games",
    "long " * 400,
]


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("text", [PLAY, CUBE + "\nBeste Aktion Doppeln / Annehmen\n"], ids=["play", "cube"])
def test_a_note_below_an_analysis_is_a_comment(text: str, note: str) -> None:
    """With and without the program's last line, on any side of it."""
    head = text.partition("\neXtreme Gammon")[0]
    assert comment(f"{head}\n{note}\n{VERSION}") == note.rstrip()
    assert comment(f"{head}\n{note}\n") == note.rstrip()
    assert comment(f"{head}{VERSION}\n{note}\n") == note.rstrip()


@pytest.mark.parametrize("note", NOTES[:3])
def test_words_about_a_position_that_is_not_analysed_are_a_comment(note: str) -> None:
    head = PLAY.partition("\n    1.")[0]
    assert comment(f"{head}\n{note}\n{VERSION}") == note
    assert comment(f"{OTHER}\n{note}\n") == note
    assert comment(f"{note}\n{head}") == note


def test_a_text_without_words_of_the_user_has_no_comment() -> None:
    for text in (PLAY, CUBE, BLITZ, GNU.format(moves="zieht", doubles="x", no="y", double="z", rejects="r", wins="w")):
        assert comment(text) == ""


def test_words_beside_an_identifier_are_kept_with_it() -> None:
    assert comment(f"From round 3: {OTHER} (hard)\n") == f"From round 3: {OTHER} (hard)"
    assert comment(f"> {OTHER}\n") == ""


@pytest.mark.parametrize("lead", ["", "  ", "> ", "1. ", "12) ", "* ", "(", "ID: "])
def test_each_identifier_that_begins_its_line_is_a_position(lead: str) -> None:
    documents = formats.read(f"{OTHER}\nfirst\n\n{lead}{OTHER}\nsecond\n".encode()).documents
    assert [document.match.games[0].comments[-1] for document in documents] == ["first", "second"]


def test_a_note_in_a_real_text_is_all_that_is_kept() -> None:
    assert comment((DATA / "xg_note.txt").read_text()) == "When ahead in the race, race!"
    for path in sorted(shared("corpus", "xg_txt").iterdir()):
        assert comment(path.read_text()) == "", path.name


@pytest.mark.parametrize("name", sorted(set(formats.writable()) - {"text"}))
def test_a_note_is_written_or_its_loss_is_named(name: str) -> None:
    (document,) = formats.read(DATA / "xg_note.txt").documents
    data, losses = formats.write(document, name)
    if "comments are not written" not in losses.losses:
        (again,) = formats.read(data, format=name).documents
        assert again.match.games[0].comments == document.match.games[0].comments


def test_a_rollout_keeps_its_games_and_its_error_and_no_mark() -> None:
    (document,) = formats.read(DATA / "xg_rollout_levels.txt").documents
    assert document.review is not None
    play = document.review.events[0, 0].play
    assert play is not None
    assert [candidate.level for candidate in play.candidates] == ["rollout 1296", "Book", "XG Roller++"]
    assert [candidate.deviation for candidate in play.candidates] == [
        pytest.approx(0.0043 / 1.96, abs=1e-6),
        None,
        None,
    ]
    assert document.match.games[0].comments == {}


def test_a_rollout_of_the_cube_keeps_its_games_and_its_error() -> None:
    rolled = "Rollout:\n  1296 Partien mit Varianzreduktion.\n  Züge: 3-ply\n  Konfidenz: ± 0,006 (+0,57..+0,59)\n"
    text = CUBE.replace("XG Roller++", "Rollout") + f"\nBeste Aktion Doppeln / Annehmen\n\n{rolled}\na note\n"
    (document,) = formats.read(text.encode()).documents
    assert document.review is not None
    cube = document.review.events[0, 0].cube
    assert cube is not None
    assert cube.level == "rollout 1296"
    assert cube.deviation == pytest.approx(0.006 / 1.96, abs=1e-6)
    assert comment(text) == "a note"
