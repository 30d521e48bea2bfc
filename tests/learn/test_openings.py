"""Lines of the explorer, one's own games beside the book, and reference positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fullprime.learn.opening_book.files import own_folder, read, writing
from fullprime.learn.opening_book.reference import FILE, read_references, write_references
from fullprime.learn.opening_book.reference_search import neighbours_of
from fullprime.learn.opening_book.scores import BookError
from fullprime.learn.opening_book.tree import openings
from fullprime.learn.openings.explorer import address_of, make_place, setup_of_node
from fullprime.learn.openings.lines import book_of, follow
from fullprime.learn.openings.making import stages_of
from fullprime.learn.openings.model import OwnPlays
from fullprime.learn.openings.references import make_references, references, stale_references
from fullprime.library.own_openings import load_own_plays
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON

MATCH = """\
 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                   52: 13/11 13/8
  2) 64: 24/18 13/9                Doubles => 2
  3)  Drops                         Wins 1 point

 Game 2
 Ann : 0                          Bob : 1
  1)                               42: 8/4 6/4
  2) 31: 8/5 6/5                   Doubles => 2
  3)  Drops                         Wins 1 point
"""


def test_a_line_is_followed_with_plays_or_with_the_best() -> None:
    line = follow("backgammon", "gammon-go", ["31:8/5,6/5", "64"])
    best = follow("backgammon", "gammon-go", ["31", "64"], ask_engine=False) if book_knows("gammon-go") else line
    assert line.board.text == best.board.text == "24:2 13:5 8:3 6:5 / 24:2 13:5 8:2 6:4 5:2"
    assert line.score_there == "gammon-save"
    assert line.question is not None
    assert [step.step for step in line.steps] == ["31:8/5 6/5", "64"]


def book_knows(score: str) -> bool:
    return book_of(BACKGAMMON).find(next(key for key in openings(BACKGAMMON, score) if key.dice == "31")) is not None


def test_a_place_carries_the_analysis_board_of_its_score() -> None:
    here = make_place("backgammon", "2-away", ["31"])
    assert here.board.scene.facts.length == 2
    save = make_place("backgammon", "gammon-save", [])
    assert (save.board.scene.facts.score, save.board.scene.crawford) == ((1, 0), True)
    setup = setup_of_node(BACKGAMMON, "dmp", BACKGAMMON.starting_position, None)
    assert ("rule.length", "1") in address_of(setup)


def test_own_trials_stand_beside_those_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLPRIME_BOOK", str(tmp_path))
    assert own_folder() == tmp_path
    key = next(iter(read(HYPERGAMMON)))
    from dataclasses import replace

    with writing(HYPERGAMMON, tmp_path) as writer:
        writer.write(replace(key, groups=key.groups + 1))
    assert book_of(HYPERGAMMON).nodes[key.key].groups == key.groups + 1


def test_plans_are_checked() -> None:
    assert [(stage.score, stage.rolls) for stage in stages_of("dutch", [], 2, None)] == [
        ("money", 1), ("dmp", 1), ("money", 2), ("dmp", 2),
    ]  # fmt: skip
    for options in ({"scores": ["7-away"]}, {"rolls": 4}, {"until": 0.0}):
        with pytest.raises(BookError):
            stages_of("dutch", **{"scores": [], "rolls": 1, "until": None, **options})  # type: ignore[arg-type]
    with pytest.raises(BookError, match="without a cube"):
        stages_of("acey_deucey", ["dmp"], 1, None)


def test_own_games_are_counted_with_their_results(tmp_path: Path) -> None:
    from fullprime.library.service import import_files, open_library

    file, url = tmp_path / "match.mat", f"sqlite:///{tmp_path / 'library.sqlite'}"
    file.write_text(MATCH)
    store = open_library(url)
    list(import_files(store, [file]))
    store.close()
    own = load_own_plays("backgammon", "money", ["31"], "Ann", url)
    assert own.plays == (OwnPlays("8/5 6/5", times=1, won=0, lost=1, points=-1),)
    assert load_own_plays("backgammon", "money", ["42"], "Ann", url).plays == ()
    reply = load_own_plays("backgammon", "money", ["42:8/4 6/4", "31"], None, url)
    assert (reply.plays[0].times, reply.games) == (1, 1)
    with pytest.raises(BookError, match="last roll"):
        load_own_plays("backgammon", "money", [], "Ann", url)
    with pytest.raises(FullprimeError):
        load_own_plays("backgammon", "money", ["31"], "Zoe", url)


# -- reference positions -------------------------------------------------------------------------------------------
def test_neighbours_differ_by_one_pip_and_can_be() -> None:
    board = Position.from_text("6:2 5:2 1 off:10 / 4:3 2:2 off:10")
    neighbours = neighbours_of(board)
    assert neighbours
    for _, neighbour in neighbours:
        neighbour.check(15)
        assert abs(sum(neighbour.pips) - sum(board.pips)) == 1
    contact = Position.from_text("13 off:14 / 13 off:14")
    assert all(not (neighbour.player[12] and neighbour.opponent[13]) for _, neighbour in neighbours_of(contact)), (
        "no point of two"
    )


def test_reference_positions_are_of_these_nets_and_their_neighbours_turn_them(tmp_path: Path) -> None:
    assert stale_references() == [], "take the file away and run `fullprime book reference --make 4`"
    stored = read_references()
    assert stored
    for reference in stored:
        assert reference.neighbours
        assert all(other.cube.verdict != reference.cube.verdict for other in reference.neighbours), reference.name
        for cube in (reference.cube, *(other.cube for other in reference.neighbours)):
            assert cube.trials >= 36
    assert len({reference.name for reference in stored}) == len(stored)
    sentences = [position.sentence for theme in references().themes for position in theme.positions]
    assert len(set(sentences)) == len(sentences)
    again = tmp_path / "reference.jsonl"
    write_references(stored, again)
    assert read_references(again) == stored
    assert again.read_bytes() == FILE.read_bytes()
    enough = make_references(1, again, stop=lambda: True)
    assert set(enough) == set(stored), "a stopped search keeps what there is"
    alone = [replace(stored[0], nets="0000000000000000+0000000000000000")]
    write_references(alone, again)
    assert stale_references(again) == [stored[0].name]
    again.write_text("{}\n")
    with pytest.raises(BookError, match="no file of reference positions"):
        read_references(again)
