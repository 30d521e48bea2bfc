"""``review`` and ``diagram`` as a shell sees them: output, files, exit codes, and going on where one stopped."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine
from tests.reviews.matches import random_match, small_engine

from fullprime.engine import shared
from fullprime.engine.engine import Engine
from fullprime.formats import Document, write
from fullprime.reviews.matches import reviewing, reviewing_many
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


@pytest.fixture(autouse=True)
def weak(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """A small engine, counted, and a cache of the test's own."""
    calls: list[int] = []
    engine = small_engine()

    def engine_for(*_: object) -> Engine:
        calls.append(1)
        return engine

    monkeypatch.setattr(shared, "engine_for", engine_for)
    monkeypatch.setattr(reviewing, "user_cache_path", lambda _: tmp_path / "cache")
    return calls


@pytest.fixture(scope="module")
def match():
    return random_match(Settings(length=5), seed=6, games=2)


@pytest.fixture
def file(match, tmp_path: Path) -> Path:
    path = tmp_path / "match.mat"
    path.write_bytes(write(Document(match), "mat")[0])
    return path


@pytest.mark.broad
def test_the_summary_fits_a_terminal_and_the_worst_have_boards(fullprime: CommandLine, file: Path) -> None:
    done = fullprime.run("review", str(file), "--level", "fast", "--worst", "2")
    assert done.code == 0, done.err
    table = done.out.split("Game ")[0]
    assert all(len(line) <= 80 for line in table.splitlines()[2:])
    assert "decisions that count" in table
    assert done.out.count("bar  │") == 2 or done.out.count("bar  |") == 2
    losses = re.findall(r"loses \d\.\d{3}\)\n(.*)", done.out)
    assert len(losses) == 2
    assert all(reason == "" or len(reason) <= 80 for reason in losses)
    more = fullprime.run("review", str(file), "--level", "fast", "--worst", "2", "--why").out
    assert len(more) >= len(done.out)


@pytest.mark.broad
def test_json_has_ratings_and_the_whole_review(fullprime: CommandLine, file: Path) -> None:
    done = fullprime.run("review", str(file), "--level", "fast", "--json", "--marks", "gnubg")
    (match,) = done.json["matches"]
    assert match["names"] == ["Ann", "Bob"]
    assert match["thresholds"] == "gnubg"
    for side in "XO":
        mine = [
            decision for decision in match["review"]["decisions"] if decision["player"] == side and decision["counts"]
        ]
        rating = match["ratings"][side]
        assert rating["counted"] == len(mine)
        assert rating["pr"] == pytest.approx(500 * sum(decision["loss"] for decision in mine) / len(mine), abs=1e-3)
    assert match["review"]["complete"]


@pytest.mark.broad
def test_text_has_a_line_for_each_decision_of_the_player(fullprime: CommandLine, file: Path) -> None:
    (match,) = fullprime.run("review", str(file), "--level", "fast", "--json").json["matches"]
    done = fullprime.run("review", str(file), "--level", "fast", "--text", "--player", "ann")
    lines = [line for line in done.out.splitlines() if line[:5].strip()[:2].rstrip(".").isdigit() and "Ann  " in line]
    assert len(lines) == sum(decision["player"] == "X" for decision in match["review"]["decisions"])
    assert "Bob  " not in "".join(lines)


@pytest.mark.broad
def test_reports_go_into_a_file_or_a_folder(fullprime: CommandLine, file: Path, tmp_path: Path) -> None:
    done = fullprime.run("review", str(file), "--level", "fast", "--html", str(tmp_path / "one.html"))
    assert done.code == 0
    assert (tmp_path / "one.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    other = tmp_path / "other.mat"
    other.write_bytes(file.read_bytes())
    done = fullprime.run("review", str(file), str(other), "--level", "fast", "--html", str(tmp_path / "all"))
    assert done.code == 0
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["001-match.mat.html", "002-other.mat.html"]


@pytest.fixture
def folder(match, file: Path, tmp_path: Path) -> Path:
    """Two matches of Ann and Bob, one of the other way round with Zoe, and a file that is none."""
    place = tmp_path / "matches"
    (place / "deep").mkdir(parents=True)
    (place / "a.mat").write_bytes(file.read_bytes())
    other = random_match(Settings(length=3), seed=9, games=2)
    (place / "deep" / "b.json").write_bytes(write(Document(other), "json")[0])
    swapped = replace(random_match(Settings(length=1), seed=12, games=1), names=("Zoe", " ann"))
    (place / "deep" / "c.json").write_bytes(write(Document(swapped), "json")[0])
    (place / "notes.txt").write_text("no match")
    return place


@pytest.mark.broad
def test_several_matches_have_a_table_and_the_players_totals(fullprime: CommandLine, folder: Path) -> None:
    done = fullprime.run("review", str(folder), "--level", "fast", "--worst", "3", "--threads", "2")
    assert done.code == 1
    assert done.err.count("error: notes.txt") == 1
    tables, players, *boards = done.out.split("\n\n")
    assert all(len(line) <= 80 for line in done.out.splitlines())
    assert [line.split()[:4] for line in tables.splitlines()[1:]] == [
        ["1", "a.mat", "Ann", tables.splitlines()[1].split()[3]],
        ["2", "b.json", "Ann", tables.splitlines()[2].split()[3]],
        ["3", "c.json", "Zoe", tables.splitlines()[3].split()[3]],
    ]
    assert [line.split()[:2] for line in players.splitlines()[1:]] == [["Ann", "3"], ["Bob", "2"], ["Zoe", "1"]]
    assert "".join(boards).count("bar  │") + "".join(boards).count("bar  |") == 3
    one = fullprime.run("review", str(folder), "--level", "fast", "--worst", "3", "--threads", "1")
    assert one.out == done.out


@pytest.mark.broad
def test_totals_are_those_of_the_matches(fullprime: CommandLine, folder: Path) -> None:
    answer = fullprime.run("review", str(folder), "--level", "fast", "--json", "--threads", "2").json
    assert [match["name"] for match in answer["matches"]] == ["a.mat", "b.json", "c.json"]
    assert [file["name"] for file in answer["unread"]] == ["notes.txt"]
    sides = {"Ann": ("X", "X", "O"), "Bob": ("O", "O", None), "Zoe": (None, None, "X")}
    for total in answer["players"]:
        pairs = [
            (match["ratings"][side], match["ratings"]["O" if side == "X" else "X"], match, side)
            for match, side in zip(answer["matches"], sides[total["name"]], strict=True)
            if side is not None
        ]
        assert total["matches"] == len(pairs)
        for key in ("counted", "errors", "blunders", "unclear"):
            assert total[key] == sum(mine[key] for mine, _, _, _ in pairs)
        lost = sum(mine["loss"] for mine, _, _, _ in pairs)
        assert total["pr"] == pytest.approx(500 * lost / total["counted"])
        assert total["interval"][0] < total["pr"] < total["interval"][1]
        assert total["luck"] == pytest.approx(sum(a["luck"] - b["luck"] for a, b, _, _ in pairs) / len(pairs))
        won = [m["result"]["actual"] == (side == "X") for _, _, m, side in pairs if m["result"] is not None]
        assert (total["won"], total["lost"]) == (won.count(True), won.count(False))


@pytest.mark.broad
def test_patterns_and_the_same_file_twice(fullprime: CommandLine, folder: Path) -> None:
    def names(*arguments: str) -> list[str]:
        done = fullprime.run("review", *arguments, "--level", "fast", "--json")
        assert done.code == 0, done.err
        return [match["name"] for match in done.json["matches"]]

    assert names(f"{folder}/**/*.json", f"{folder}/[a-b].mat", f"{folder}/deep/b.json") == ["b.json", "c.json", "a.mat"]
    done = fullprime.run("review", f"{folder}/*.sgf", "--level", "fast")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "cannot be opened" in done.err


@pytest.mark.broad
def test_the_same_match_in_two_files_counts_once(fullprime: CommandLine, match, folder: Path) -> None:
    before = fullprime.run("review", str(folder), "--level", "fast", "--json").json
    (folder / "copy.sgf").write_bytes(write(Document(match), "sgf")[0])
    after = fullprime.run("review", str(folder), "--level", "fast", "--json").json
    assert len(after["matches"]) == len(before["matches"]) + 1
    assert after["players"] == before["players"]


@pytest.mark.broad
def test_text_and_reports_of_one_player_in_several_matches(
    fullprime: CommandLine, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "reports"
    done = fullprime.run(
        *("review", f"{folder}/**/*.json", "--level", "fast", "--text", "--player", "Zoe", "--html", str(out))
    )
    assert done.code == 0, done.err
    lines = [line for line in done.out.splitlines() if re.match(r" +\d+\.\d+ ", line)]
    assert lines
    assert all(" Zoe " in line or "Zoe  " in line for line in lines)
    assert sorted(path.name for path in out.iterdir()) == ["001-b.json.html", "002-c.json.html"]


def test_whoever_stops_asking_stops_the_reviews(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews that have begun are told to stop, others do not begin."""
    begun, progress = [], []

    def slow(document: Document, name: str, *_: object, stop, **__: object) -> reviewing.Unread:
        begun.append(name)
        if name == "a.mat":
            return reviewing.Unread(name, "done")
        while not stop():
            time.sleep(0.001)
        progress.append(name)
        return reviewing.Unread(name, "stopped")

    monkeypatch.setattr(reviewing_many, "review_document", slow)
    for number in range(6):
        (folder / "deep" / f"d{number}.json").write_bytes((folder / "deep" / "b.json").read_bytes())
    reviewed = reviewing_many.review_files([folder], "fast", threads=2)
    assert next(reviewed).name == "a.mat"
    reviewed.close()
    assert set(progress) == set(begun) - {"a.mat"}
    assert len(begun) < 9


@pytest.mark.broad
def test_exit_codes_say_what_could_be_reviewed(fullprime: CommandLine, file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.mat"
    bad.write_bytes(b"\x00\x01\x02 nothing")
    assert fullprime.run("review", str(file), "--level", "fast").code == 0
    done = fullprime.run("review", str(file), str(bad), "--level", "fast")
    assert done.code == 1
    assert done.err.count("error: bad.mat") == 1
    assert "decisions that count" in done.out
    assert fullprime.run("review", str(bad)).code == 2
    assert fullprime.run("review", str(tmp_path / "nowhere.mat")).code == 2


@pytest.mark.broad
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--level", "thorough"], "there are fast, standard, deep"),
        (["--marks", "mine"], "there are xg, gnubg"),
        (["--threads", "0"], "at least 1"),
        (["--marks", "0.1/0.05"], "rising losses"),
        (["--level", "fast", "--player", "Zoe"], "nobody is called 'Zoe'; there are Ann, Bob"),
        (["--level", "fast", "--html", "/nowhere/at/all.html"], "No such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(fullprime: CommandLine, file: Path, options, words) -> None:
    done = fullprime.run("review", str(file), *options)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err


def test_a_review_is_kept_and_taken_up_again(
    fullprime: CommandLine, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fullprime.run("review", str(file), "--level", "fast", "--json").out
    (cached,) = (tmp_path / "cache" / "reviews").iterdir()
    stored = json.loads(cached.read_text(encoding="utf-8"))
    assert stored["complete"]

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr(reviewing, "review", refused)
    assert fullprime.run("review", str(file), "--level", "fast", "--json").out == first
    monkeypatch.undo()


@pytest.mark.broad
def test_a_kept_review_that_is_damaged_is_made_anew(fullprime: CommandLine, file: Path, tmp_path: Path) -> None:
    first = fullprime.run("review", str(file), "--level", "fast", "--json").out
    (cached,) = (tmp_path / "cache" / "reviews").iterdir()
    cached.write_text(cached.read_text(encoding="utf-8")[:200], encoding="utf-8")
    assert fullprime.run("review", str(file), "--level", "fast", "--json").out == first


# -- diagrams ---------------------------------------------------------------------------------------------------
def test_a_diagram_is_printed_or_written(fullprime: CommandLine, tmp_path: Path) -> None:
    printed = fullprime.run("diagram", START).out
    assert printed.startswith("<svg ")
    place = tmp_path / "board.svg"
    assert fullprime.run("diagram", START, "-o", str(place)).code == 0
    assert place.read_text(encoding="utf-8").strip() == printed.strip()
    assert fullprime.run("diagram", START, "-o", str(place), "--theme", "dark", "--mirror").code == 0
    assert place.read_text(encoding="utf-8").strip() != printed.strip()


def test_a_diagram_shows_plays_as_arrows(fullprime: CommandLine) -> None:
    printed = fullprime.run("diagram", START, "--play", "8/5 6/5", "--play", "24/23 13/10").out
    assert printed.count("fp-arrow fp-best") == 2
    assert printed.count("fp-arrow fp-error") == 2


def test_a_diagram_as_png(fullprime: CommandLine, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    place = tmp_path / "board.png"
    done = fullprime.run("diagram", START, "--size", "320", "-o", str(place))
    assert done.code == 0, done.err
    data = place.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 320


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-o", "board.gif"], "pictures end in .svg or .png"),
        (["--size", "3"], "from 16 to 8192"),
        (["--theme", "pink"], "no theme 'pink'"),
        (["--bottom", "Z"], "'Z' is neither X nor O"),
        (["--colour", "sky=#fff"], "write part=colour"),
        (["--colour", 'felt="><script>'], "write part=colour"),
        (["--play", "13/12"], "13/12"),
    ],
)
def test_a_diagram_that_cannot_be_drawn(fullprime: CommandLine, options, words) -> None:
    done = fullprime.run("diagram", START, *options)
    assert done.code == 2
    assert words in done.err


def test_maps_of_rolls_and_of_scores(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = small_engine()
    monkeypatch.setattr(shared, "engine_for", lambda *_: engine)
    rolls = fullprime.run("maps", START)
    assert rolls.code == 0, rolls.err
    table, ranked = rolls.out.split("mean ")
    assert len(table.splitlines()) == 7
    assert len(ranked.splitlines()) == 22
    roll_map = json.loads(fullprime.run("maps", START, "--json").out)
    assert sum(roll["weight"] for roll in roll_map["rolls"]) == 36
    best = max(roll_map["rolls"], key=lambda roll: roll["equity"])
    assert f"{best['dice'][0]}{best['dice'][1]}: {best['play']}" in ranked.splitlines()[1]
    cubes = fullprime.run("maps", BACKGAMMON.starting_position.text, "--scores", "3", "--level", "0-ply")
    assert cubes.out.startswith("cube action at every score")
    assert cubes.out.count("\n   3 ") == 3
    plays = json.loads(fullprime.run("maps", START, "31", "--scores", "2", "--level", "0-ply", "--json").out)
    assert (plays["kind"], plays["dice"], len(plays["cells"])) == ("scores", [3, 1], 15)
    wrong = fullprime.run("maps", START, "--scores", "99")
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)
