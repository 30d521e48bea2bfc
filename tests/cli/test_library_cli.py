"""`fullprime library`, `convert` and `info` as a shell meets them."""

from __future__ import annotations

import random
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from tests.cli.commandline import CommandLine
from tests.formats.generate import random_match

from fullprime.cli.matches.files import match_lines
from fullprime.formats import Document, read, write
from fullprime.reviews.matches.files import match_facts
from fullprime.rules.score import Settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "matches"
    path.mkdir()
    for seed, ending in enumerate(("mat", "sgf", "json")):
        match = random_match(random.Random(seed), Settings(length=5), games=2)
        info = MappingProxyType({"Event": "Open", "EventDate": f"2026.0{seed + 1}.01"})
        match = replace(match, names=("Ann", ("Bob", "Cy", "bob77")[seed]), info=info)
        (path / f"{seed}.{ending}").write_bytes(write(Document(match), ending)[0])
    return path


def test_from_files_to_questions_and_back(fullprime: CommandLine, folder: Path, tmp_path: Path) -> None:
    done = fullprime.run("library", "add", str(folder))
    assert (done.code, done.err) == (0, "")
    assert "3 files: 3 new matches" in done.out
    again = fullprime.run("library", "add", str(folder), "--json").lines
    assert [line["status"] for line in again[:-1]] == ["seen"] * 3
    assert again[-1]["summary"]["matches"] == 3
    listed = fullprime.run("library", "list", "--json").json
    assert [row["names"][1] for row in listed] == ["Bob", "Cy", "bob77"]  # type: ignore[index]
    text = fullprime.run("library", "list", "--limit", "1").out
    assert "2026-01-01" in text
    assert "1 of 3 matches" in text
    merged = fullprime.run("library", "merge-players", "Bob", "bob77")
    assert "Bob: Bob, bob77 (2 matches)" in merged.out
    assert fullprime.run("library", "list", "--player", "bob77").out.count("Ann \N{EN DASH} ") == 2
    assert "also bob77" in fullprime.run("library", "players").out
    shown = fullprime.run("library", "show", "1")
    assert "0.mat (mat)" in shown.out
    assert "Ann (X) \N{EN DASH} Bob (O), a match to 5" in shown.out
    hits = fullprime.run("library", "search", "24:2 13:5 8:3 6:5 / *", "--player", "Ann", "--json").json
    assert hits
    assert {hit["player"] for hit in hits} == {"X"}  # type: ignore[index]
    drawn = fullprime.run("library", "search", "24:2 13:5 8:3 6:5 / *", "--boards", "--limit", "1").out
    assert "┌" in drawn
    assert "the first 1" in drawn
    stats = fullprime.run("library", "stats", "ann")
    assert "Ann: 3 matches" in stats.out
    assert "no match has been reviewed" in stats.out
    out = tmp_path / "out"
    assert "3 matches in 3 files" in fullprime.run("library", "export", str(out), "--to", "mat").out
    assert {read(path).documents[0].match.names[0] for path in out.iterdir()} == {"Ann"}
    assert "1 match and 1 file removed; 2 left" in fullprime.run("library", "remove", "1").out
    assert fullprime.run("library", "split-player", "bob77").out == "bob77 (1 match)\n"


def test_a_list_says_that_it_leaves_single_positions_out(fullprime: CommandLine, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n")
    assert fullprime.run("library", "add", str(folder), str(tmp_path / "one.txt")).code == 0
    text = fullprime.run("library", "list").out
    assert text.count(" to 5") == 0
    assert text.splitlines()[-1] == "1 single position left out; --positions lists them too"
    assert "left out" not in fullprime.run("library", "list", "--positions").out
    assert "left out" not in fullprime.run("library", "list", "--player", "Ann").out


def test_what_goes_wrong_is_one_line(fullprime: CommandLine, folder: Path, tmp_path: Path) -> None:
    (folder / "bad.xyz").write_bytes(b"nothing")
    partly = fullprime.run("library", "add", str(folder))
    assert partly.code == 1
    assert "error: matches/bad.xyz: " in partly.err
    assert fullprime.run("library", "add", str(folder / "bad.xyz")).code == 2
    for words in (
        ("show", "99"),
        ("remove", "99"),
        ("stats", "nobody"),
        ("search", "6 7"),
        ("search", "--kind", "x"),
        ("list", "--since", "then"),
        ("review", "--level", "9-ply"),
    ):
        done = fullprime.run("library", *words)
        assert done.code == 2, words
        assert done.err.startswith("error: "), words
        assert len(done.err.splitlines()) == 1, words
    assert fullprime.run("info", str(folder / "bad.xyz")).code == 2
    assert fullprime.run("info", str(folder)).code == 1
    assert fullprime.run("convert", str(folder / "0.mat"), str(tmp_path / "x.gmd")).code == 2


@pytest.mark.parametrize("command", ["info", "card", "review"])
def test_what_cannot_be_read_is_one_line_with_its_name_once(
    fullprime: CommandLine, tmp_path: Path, command: str
) -> None:
    (tmp_path / "no.mat").write_text("nothing of the kind")
    done = fullprime.run(command, str(tmp_path / "no.mat"))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: no.mat: holds no match")
    assert done.err.count("no.mat") == done.err.count("\n") == 1


@pytest.mark.parametrize("command", ["info", "card", "review"])
def test_an_empty_folder_is_an_error(fullprime: CommandLine, tmp_path: Path, command: str) -> None:
    (tmp_path / "empty").mkdir()
    done = fullprime.run(command, str(tmp_path / "empty"))
    assert (done.code, done.out) == (2, "")
    assert "there is no file in" in done.err
    assert "empty" in done.err


def test_convert_and_info(fullprime: CommandLine, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.sgf"
    done = fullprime.run("convert", str(folder / "0.mat"), str(target))
    assert (done.code, done.out) == (0, f"{target} (sgf)\n")
    assert read(target).documents[0].match.names == ("Ann", "Bob")
    answer = fullprime.run("convert", str(folder), f"{tmp_path / 'all'}/", "--to", "mat", "--json").json
    assert len(answer["files"]) == 3
    piped = fullprime.run("convert", "-", "-", "--to", "json", typed=(folder / "0.mat").read_text(encoding="utf-8"))
    assert read(piped.out.encode()).documents[0].match.names == ("Ann", "Bob")
    assert "several" not in fullprime.run("info", str(folder / "1.sgf")).out
    (info,) = fullprime.run("info", str(folder / "1.sgf"), "--json").json
    assert info["matches"][0]["names"] == ["Ann", "Cy"]  # type: ignore[index]


def test_no_name_in_an_archive_leads_out_of_the_folder(fullprime: CommandLine, folder: Path, tmp_path: Path) -> None:
    archive, inside = tmp_path / "deep" / "a.zip", tmp_path / "deep" / "out"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as archive_file:
        for name in ("../../evil.mat", f"{tmp_path}/absolute.mat", "..\\..\\windows.mat", "good.mat"):
            archive_file.writestr(name, (folder / "0.mat").read_bytes())
    before = set(tmp_path.rglob("*"))
    done = fullprime.run("convert", str(archive), f"{inside}/", "--to", "sgf")
    assert done.code == 0, done.err
    new = set(tmp_path.rglob("*")) - before - {inside}
    assert len(new) == 4
    assert {path.parent for path in new} == {inside}


@pytest.mark.slow
def test_reviews_of_the_library(fullprime: CommandLine, folder: Path) -> None:
    fullprime.run("library", "add", str(folder))
    first = fullprime.run("library", "review", "--level", "fast", "--limit", "1", "--threads", "1")
    assert "1 match reviewed" in first.out, first.err
    rest = fullprime.run("library", "review", "--level", "fast", "--threads", "1", "--json").lines
    assert len(rest) == 2
    assert fullprime.run("library", "review", "--level", "fast").out == "0 matches reviewed\n"
    assert fullprime.run("library", "list", "--reviewed").out.count("Ann \N{EN DASH} ") == 3
    hits = fullprime.run("library", "search", "--loss", "0.05", "--player", "Ann", "--json").json
    losses = [hit["loss"] for hit in hits]  # type: ignore[index]
    assert losses == sorted(losses, reverse=True)
    assert min(losses) >= 0.05
    stats = fullprime.run("library", "stats", "Ann", "--json").json
    assert stats["reviewed"] == 3
    assert stats["overall"]["pr"] > 0
    output = fullprime.run("library", "stats", "Ann", "--themes").out
    assert "costliest" in output
    assert "what the errors were about" in output
    assert re.search(r"^    (against )?[1-6]-[1-6] ", output, re.MULTILINE), "first rolls are written as everywhere"
    assert not re.search(r"^    (against )?[1-6]{2} ", output, re.MULTILINE)
    assert re.search(r"games \d+\N{EN DASH}\d+, gammons \d+\N{EN DASH}\d+, points", output)
    themes = fullprime.run("library", "stats", "Ann", "--themes", "--json").json["themes"]
    costs = [theme["cost"] for theme in themes]
    assert costs == sorted(costs, reverse=True)
    assert all(theme["times"] > 0 and theme["theme"] in output for theme in themes)
    assert costs


def test_marks_collections_and_searches_are_kept_by_name(fullprime: CommandLine, folder: Path) -> None:
    fullprime.run("library", "add", str(folder))
    decision = "match 1 game 1 move 1"
    marked = fullprime.run("library", "mark", decision, "--note", "why?", "--star", "--tag", "Club", "--tag", "ask")
    assert (marked.code, marked.out) == (0, f"{decision} * [ask] [club]\nwhy?\n")
    assert fullprime.run("library", "mark", decision, "--untag", "ask", "--json").json["tags"] == ["club"]  # type: ignore[index, call-overload]
    assert fullprime.run("library", "marks", "WHY", "--tag", "club").out.startswith(decision)
    for place, why in (
        ("match 9", "no match 9"),
        ("match 1 game 1 move 999", "game 1 of match 1 has no move 999"),
        ("match 1 game 9 move 1", "no game 9"),
        ("game 1", ""),
    ):
        refused = fullprime.run("library", "mark", place, "--star")
        assert refused.code == 2
        assert refused.err.startswith("error: "), place
        assert why in refused.err
    opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    added = fullprime.run("library", "collection", "Mine", "--add", opening, "--comment", "look", "--arrow", "8/5")
    assert added.code == 0, added.err
    assert "Mine: 1 position" in added.out
    assert "best 8/5 6/5 [8/5]" in added.out
    assert "look" in added.out
    assert "/study/" in fullprime.run("library", "collection", "Mine", "--share").out
    assert (
        fullprime.run("library", "collection", "Mine", "--at", "1", "--drop", "--unshare").out == "Mine: 0 positions\n"
    )
    saved = fullprime.run("library", "search", "24:2 13:5 8:3 6:5 / *", "--player", "Ann", "--save-as", "hers")
    assert saved.code == 0, saved.err
    assert "search hers: pattern 24:2 13:5 8:3 6:5 / *, player Ann" in fullprime.run("library", "collections").out
    hits = fullprime.run("library", "search", "--saved", "hers", "--json").json
    assert {hit["player"] for hit in hits} == {"X"}  # type: ignore[index, union-attr, call-overload]
    assert fullprime.run("library", "search", "--forget", "hers").code == 0
    assert fullprime.run("library", "search", "--saved", "hers").code == 2
    assert "no other program's verdicts" in fullprime.run("library", "judges", "1").out


WRITTEN = """\
; [EventDate "2022.07.10"]

 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 24/23 13/10               52: 13/11 13/8
  2) 64: 24/18 13/9                66: 24/18(2) 13/7(2)
  3) 11: 6/5(4)                    Doubles => 2
  4)  Drops
      Wins 1 point
"""


def test_a_date_and_a_place_are_told_as_on_the_pages(fullprime: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "written.mat").write_text(WRITTEN)
    fullprime.run("library", "add", str(tmp_path / "written.mat"))
    assert "2022-07-10" in fullprime.run("library", "list").out
    assert "EventDate: 2022-07-10" in fullprime.run("library", "show", "1").out
    assert "EventDate: 2022-07-10" in fullprime.run("info", str(tmp_path / "written.mat")).out
    assert "#1 game 1, move 3, Ann" in fullprime.run("library", "search", "23 * / *").out
    facts = match_facts(read(tmp_path / "written.mat").documents[0])
    over = list(match_lines(replace(facts, score=(4, 0))))
    assert over[0].endswith("3\N{EN DASH}0"), "points beyond the length are not counted, as on the pages"


def test_a_card_with_the_counts_of_the_dice(fullprime: CommandLine, folder: Path) -> None:
    plain = fullprime.run("card", str(folder / "0.mat"))
    done = fullprime.run("card", "--counts", str(folder / "0.mat"))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(plain.out.rstrip("\n"))
    assert "rolls that hit" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    card = fullprime.run("card", "--json", str(folder / "0.mat")).lines[0]
    with_dice = fullprime.run("card", "--counts", "--json", str(folder / "0.mat")).lines[0]
    counts = with_dice.pop("dice")
    assert with_dice == card
    assert counts["X"]["rolls"] + counts["O"]["rolls"] > 0
    assert counts["X"]["pips"].keys() == {"count", "expected", "deviation", "standing"}
