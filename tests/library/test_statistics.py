"""Imports that are killed and go on, files out as they went in, statistics against a slow sum."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from tests.formats.generate import random_match
from tests.library.test_library import review_of

from fullprime.common.json_values import to_json
from fullprime.db.errors import StoreError
from fullprime.formats import Document, FormatError, read, write
from fullprime.library import rates
from fullprime.library import service as app
from fullprime.library.match_details import describe_match
from fullprime.library.statistics import theme_sums
from fullprime.library.store.figures import WORDS, DecisionFigures
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.search import Search, Wanted
from fullprime.reviews.error_themes import ErrorTheme
from fullprime.reviews.matches import files as matches
from fullprime.reviews.matches.files import FileError
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import VARIANTS

ENDINGS = ("mat", "sgf", "json")


@pytest.fixture
def library(any_database: str) -> Iterator[LibraryStore]:
    store = app.open_library(any_database)
    yield store
    store.close()


@pytest.fixture
def local(tmp_path: Path) -> Iterator[LibraryStore]:
    store = app.open_library(str(tmp_path / "library.db"))
    yield store
    store.close()


def made(seed: int, games: int = 2, **info: str) -> Match:
    match = random_match(random.Random(seed), Settings(length=7), games=games)
    return replace(match, names=(f"P{seed % 3}", "Zoe"), info=MappingProxyType(info))


def folder_of(path: Path, count: int, games: int = 1) -> list[Match]:
    played_matches = [made(seed, games) for seed in range(count)]
    path.mkdir()
    for seed, match in enumerate(played_matches):
        to = ENDINGS[seed % 3]
        (path / f"{seed:04}.{to}").write_bytes(write(Document(match), to)[0])
    return played_matches


# -- files in ----------------------------------------------------------------------------------------------------
def test_an_import_says_what_came_of_every_file(library: LibraryStore, tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    played_matches = folder_of(folder, 4)
    (folder / "again.sgf").write_bytes(write(Document(played_matches[0]), "sgf")[0])
    (folder / "notes.xyz").write_text("no match at all", encoding="utf-8")
    with zipfile.ZipFile(folder / "more.zip", "w") as archive:
        archive.writestr("deep/one.mat", write(Document(made(90)), "mat")[0])
        archive.writestr("two.mat", (folder / "0000.mat").read_bytes())
    assert app.count_files([folder]) == 8
    reports = {report.file: report for report in app.import_files(library, [folder, tmp_path / "missing"])}
    statuses = {name.removeprefix("matches/"): report.status for name, report in reports.items()}
    assert statuses == {
        "0000.mat": "new", "0001.sgf": "new", "0002.json": "new", "0003.mat": "new", "again.sgf": "known",
        "more.zip/deep/one.mat": "new", "more.zip/two.mat": "seen", "notes.xyz": "failed",
        str(tmp_path / "missing"): "failed",
    }  # fmt: skip
    assert reports["matches/again.sgf"].known == reports["matches/0000.mat"].new
    assert "none of the formats" in reports["matches/notes.xyz"].problems[0]
    assert {report.status for report in app.import_files(library, [folder])} == {"seen", "failed"}
    assert (library.count(), library.count_files()) == (5, 6)


def test_a_damaged_file_is_kept_with_what_can_be_read(library: LibraryStore, tmp_path: Path) -> None:
    text = write(Document(made(1)), "mat")[0].replace(b"6/off", b"3/9").replace(b" 8/", b" 9/")
    path = tmp_path / "damaged.mat"
    path.write_bytes(text)
    (report,) = app.import_files(library, [path])
    assert report.status == "new"
    assert report.problems
    (number,) = report.new
    assert library.get_original(library.list_copies(number)[0].source) == ("damaged.mat", text)
    assert library.list_copies(number)[0].problems == report.problems


COMMAND = [sys.executable, "-c", "from fullprime.cli.main import main; main()", "library", "add", "--json", "--db"]


def killed(url: str, folder: Path, after: int) -> list[str]:
    """Import in another process and kill it after so many files were confirmed: those files."""
    process = subprocess.Popen(
        [*COMMAND, url, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    confirmed = []
    for line in process.stdout:
        values = json.loads(line)
        if "file" in values and values["status"] == "new":
            confirmed.append(Path(values["file"]).name)
        if len(confirmed) == after:
            process.kill()
            break
    process.wait()
    process.stdout.close()
    return confirmed


@pytest.mark.broad
def test_a_killed_import_goes_on(any_database: str, tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    played_matches = folder_of(folder, 40)
    confirmed = killed(any_database, folder, 15)
    assert len(confirmed) == 15
    store = app.open_library(any_database)
    whole(store, played_matches, folder)
    assert len(played_matches) > store.count_files() >= 15
    assert set(confirmed) <= {Path(name).name for name in names(store)}
    reports = list(app.import_files(store, [folder]))
    assert {report.status for report in reports} == {"new", "seen"}
    whole(store, played_matches, folder)
    assert (store.count(), store.count_files()) == (40, 40)
    store.close()


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_thousand_files_killed_half_way(any_database: str, tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    played_matches = folder_of(folder, 1000, games=5)
    assert len(killed(any_database, folder, 500)) == 500
    store = app.open_library(any_database)
    assert 500 <= store.count_files() < 1000
    assert all(report.status in ("new", "seen") for report in app.import_files(store, [folder]))
    whole(store, played_matches, folder)
    assert (store.count(), store.count_files()) == (1000, 1000)
    store.close()


def names(store: LibraryStore) -> list[str]:
    return [copy.name for row in Search(store).list_matches(Wanted()) for copy in store.list_copies(row.number)]


def whole(store: LibraryStore, played_matches: list[Match], folder: Path) -> None:
    """Every file that is in the library is there with all its bytes, its match and its boards."""
    rows = Search(store).list_matches(Wanted())
    copies = [(row.number, copy) for row in rows for copy in store.list_copies(row.number)]
    assert len(copies) == store.count_files()
    boards = {hit.match for hit in Search(store).list_boards(app.make_wanted(pattern="* / *"))}
    for number, copy in copies:
        name, content = store.get_original(copy.source)
        assert content == (folder / Path(name).name).read_bytes()
        match = played_matches[int(Path(name).stem)]
        document_match = store.get_document(number).match
        assert document_match.names == match.names
        assert [game.events for game in document_match.games] == [game.events for game in match.games]
        assert number in boards


# -- files out ---------------------------------------------------------------------------------------------------
def test_a_match_of_a_house_game_is_listed_under_its_own_name(library: LibraryStore, tmp_path: Path) -> None:
    house = replace(VARIANTS["backgammon"], name="house", title="Our house")
    match = random_match(random.Random(5), Settings(length=1, variant=house), 1)
    (tmp_path / "house.json").write_bytes(write(Document(match), "json")[0])
    (report,) = app.import_files(library, [tmp_path / "house.json"])
    (listed,) = app.find_matches(library, Wanted(variant="house"))
    shown = to_json(listed)
    assert (shown["match"], shown["variant"], shown["game"]) == (report.new[0], "house", "house")
    assert describe_match(library, report.new[0]).facts.game == "Our house"


def test_what_is_exported_is_what_was_imported(local: LibraryStore, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    played_matches = folder_of(folder, 3)
    numbers = [report.new[0] for report in app.import_files(local, [folder])]
    (one,) = app.export(local, numbers, tmp_path / "all.json", None)
    assert [document.match.games for document in read(one.path or "").documents] == [
        match.games for match in played_matches
    ]
    written = app.export(local, numbers, tmp_path / "sgf", "sgf")
    assert len(written) == 3
    for written_file, match in zip(written, played_matches, strict=True):
        assert written_file.path is not None
        assert read(written_file.path).documents[0].match.names == match.names
    originals = app.export(local, numbers, tmp_path / "originals", None, original=True)
    assert [original.path.read_bytes() for original in originals if original.path] == [
        path.read_bytes() for path in sorted(folder.iterdir())
    ]
    with pytest.raises(FileError, match="--force"):
        app.export(local, numbers, tmp_path / "all.json", None)


def test_our_review_goes_out_with_the_match(local: LibraryStore, tmp_path: Path) -> None:
    match = made(1)
    number = local.add(b"x", "x.json", [Document(match)]).new[0]
    assert app.whole_document(local, number).review is None
    local.add_review(number, review_of(match, [0.1, 0.0]))
    review = app.whole_document(local, number).review
    assert review is not None
    assert review.program == "Test"
    description = describe_match(local, number)
    assert description.reviews[0].level == "fast"


# -- convert and info --------------------------------------------------------------------------------------------
def test_convert(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    played_matches = folder_of(folder, 3)
    (written,), problems = matches.convert(folder / "0000.mat", tmp_path / "out.sgf")
    assert (written.format, problems) == ("sgf", [])
    assert written.path is not None
    assert read(written.path).documents[0].match.games == played_matches[0].games
    with pytest.raises(FileError, match="--force"):
        matches.convert(folder / "0000.mat", tmp_path / "out.sgf")
    matches.convert(folder / "0001.sgf", tmp_path / "out.sgf", force=True)
    with pytest.raises(FileError, match="3 matches: give a folder"):
        matches.convert(folder, tmp_path / "all.mat")
    several, _ = matches.convert(folder, tmp_path / "all", "mat", folder=True)
    assert [original.path.name for original in several if original.path] == ["0000.mat", "0001.mat", "0002.mat"]
    (second,), _ = matches.convert(folder, None, "json", match=2)
    assert read(second.data).documents[0].match.games == played_matches[1].games
    for bad, why in (
        ((folder, tmp_path / "x", "gmd"), "cannot be written"),
        ((folder, tmp_path / "x"), "says nothing"),
    ):
        with pytest.raises(FileError, match=why):
            matches.convert(*bad)
    with pytest.raises(FileError, match="no match 9"):
        matches.convert(folder, None, "json", match=9)
    with pytest.raises(FileError, match="no file"):
        matches.convert(tmp_path / "none.mat", None, "json")
    (tmp_path / "bad.mat").write_bytes(b"\x00\x01")
    with pytest.raises(FormatError):
        matches.convert(tmp_path / "bad.mat", None, "json")


def test_what_a_target_cannot_carry_is_said(tmp_path: Path) -> None:
    match = made(5)
    record = replace(match.games[0], comments=MappingProxyType({0: "a remark"}))
    source = tmp_path / "remarks.json"
    source.write_bytes(write(Document(replace(match, games=(record, *match.games[1:]))), "json")[0])
    (written,), _ = matches.convert(source, None, "mat")
    assert any("remark" in words or "comment" in words for words in written.losses)


def test_info(tmp_path: Path) -> None:
    match = made(6, games=3, Event="Open")
    path = tmp_path / "a.mat"
    path.write_bytes(write(Document(match), "mat")[0])
    (description,) = matches.describe(path)
    assert description.format == "mat"
    one = to_json(description)["matches"][0]
    assert (one["names"], one["length"]) == (list(match.names), 7)
    assert one["info"]["Event"] == "Open"
    assert one["score"] == list(match.score.points)
    assert [game["score"] for game in one["games"]] == [list(record.start.score.points) for record in match.games]
    for game, record in zip(one["games"], match.games, strict=True):
        assert record.result is not None
        assert (game["result"]["winner"], game["result"]["points"]) == (record.result.winner.name, record.result.points)


# -- questions and figures ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("conditions", "why"),
    [
        ({"since": "01/02/2026"}, "not a day"),
        ({"score": "4"}, "two numbers"),
        ({"kind": "cube"}, "no kind"),
        ({"verdicts": ("bad",)}, "no verdict"),
        ({"stage": "end"}, "no stage"),
        ({"level": "9-ply"}, "no level"),
        ({"loss": float("nan")}, "no loss"),
    ],
)
def test_questions_that_cannot_be_answered(conditions: dict[str, object], why: str) -> None:
    with pytest.raises(StoreError, match=why):
        app.make_wanted(**conditions)


def test_statistics_are_what_adding_up_gives(library: LibraryStore) -> None:
    chance = random.Random(3)
    expected: list[float] = []
    by_month: dict[str, list[float]] = {}
    won = [0, 0]
    for seed in range(6):
        month = f"2026.0{1 + seed % 2}.01"
        match = replace(made(seed, games=9, EventDate=month), names=("Ann", "Bob") if seed % 2 else ("Cy", "Ann"))
        number = library.add(str(seed).encode(), f"{seed}.json", [Document(match)]).new[0]
        side = Player(match.names.index("Ann"))
        winner = match.score.match_winner(match.settings)
        assert winner is not None
        won[winner is side] += 1
        if seed == 5:
            continue
        losses = [chance.choice((0.0, 0.01, 0.05, 0.2)) for _ in range(30)]
        review = review_of(match, losses)
        library.add_review(number, review)
        mine = [decision.loss for decision in review.decisions if decision.player is side]
        expected += mine
        by_month.setdefault(f"2026-0{1 + seed % 2}", []).extend(mine)
    statistics = app.statistics(library, Wanted(player="ann"))
    assert (statistics.record.matches, statistics.record.lost, statistics.record.won) == (6, *won)
    assert statistics.reviewed == 5
    assert statistics.overall.counted == len(expected)
    assert statistics.overall.pr == pytest.approx(500 * sum(expected) / len(expected))
    assert statistics.overall.interval is not None
    assert statistics.overall.interval[0] < statistics.overall.pr < statistics.overall.interval[1]
    assert {name: rate.pr for name, rate in statistics.periods.items()} == {
        name: pytest.approx(500 * sum(some) / len(some)) for name, some in by_month.items()
    }
    assert list(statistics.opponents) == ["Bob", "Cy"]
    assert sum(met.rate.counted for met in statistics.opponents.values()) == len(expected)
    (costliest,) = statistics.errors
    assert (costliest.kind, costliest.of) == ("checker play, opening", len(expected))
    assert costliest.made == sum(loss > 0 for loss in expected)
    assert costliest.loss == pytest.approx(sum(expected))
    assert statistics.luck is not None
    only = app.statistics(library, Wanted(player="ann", opponent="bob"), by="match")
    assert (only.record.matches, len(only.periods)) == (3, 2)


def test_nothing_is_invented_where_nothing_was_reviewed(local: LibraryStore) -> None:
    local.add(b"x", "x.json", [Document(made(1))])
    statistics = app.statistics(local, Wanted(player="Zoe"))
    assert (statistics.record.matches, statistics.reviewed, statistics.overall.pr, statistics.overall.interval) == (
        1,
        0,
        None,
        None,
    )
    assert (statistics.luck, statistics.kinds, statistics.periods, statistics.errors) == (None, {}, {}, ())
    assert json.dumps(to_json(statistics))
    with pytest.raises(StoreError, match="no period"):
        app.statistics(local, Wanted(player="Zoe"), by="moon")


def test_the_interval_for_many_decisions_goes_on_from_that_for_few() -> None:
    chance = random.Random(1)
    losses = [chance.choice((0.0, 0.0, 0.0, 0.0, 0.02, 0.1, 0.4)) for _ in range(rates.MANY)]
    few, many = app.pr_interval(losses[:-1]), app.pr_interval(losses)
    assert few is not None
    assert many is not None
    assert few == pytest.approx(many, rel=0.08)
    assert app.pr_interval(losses[:9]) is None
    assert app.pr_interval([0.1] * 100) == pytest.approx((50, 50))


def test_all_groups_at_once_have_the_rates_that_each_has_alone() -> None:
    chance = np.random.default_rng(2)
    rows = 3 * rates.MANY
    codes = chance.choice(5, rows, p=(0.6, 0.3, 0.07, 0.02, 0.01)).astype(np.uint8)
    nothing = np.zeros(rows, np.uint16)
    words = dict.fromkeys(WORDS, ("ok", "error", "blunder"))
    verdicts = {name: chance.integers(0, 3, rows).astype(np.uint8) for name in WORDS}
    figures = DecisionFigures(
        np.arange(rows), words, verdicts, nothing.astype(np.uint8), nothing == 0, nothing, nothing, nothing,
        chance.choice((0.0, 0.02, 0.3), rows),
    )  # fmt: skip
    together = rates.rates(figures, codes, 6)
    assert set(together) == set(codes.tolist())
    for code, values in together.items():
        alone = figures.only(codes == code)
        assert values.interval == pytest.approx(app.pr_interval(alone.loss))
        assert (values.counted, values.errors) == (len(alone.loss), int(alone.rows_with("verdict", "error").sum()))
        assert values.pr == pytest.approx(500 * alone.loss.mean())
    assert rates.rates(figures, codes, 6, [0, 5]) == {0: together[0]}


def test_themes_are_counted_and_cost_the_costliest_first() -> None:
    themes = ("", ErrorTheme.POINT_MISSED, ErrorTheme.DOUBLES_LATE, ErrorTheme.DOUBLES_EARLY)
    rows = [(1, 0.16), (0, 0.0), (2, 0.2), (1, 0.16), (2, 0.01), (0, 0.3)]
    nothing = np.zeros(len(rows), np.uint16)
    words = dict.fromkeys(WORDS, tuple(map(str, themes)))
    codes = dict.fromkeys(WORDS, np.array([code for code, _ in rows], np.uint8))
    figures = DecisionFigures(
        nothing.astype(np.int64), words, codes, nothing.astype(np.uint8), nothing == 0, nothing, nothing, nothing,
        np.array([loss for _, loss in rows]),
    )  # fmt: skip
    totals = theme_sums(figures)
    assert [(total.theme, total.times) for total in totals] == [
        (ErrorTheme.POINT_MISSED, 2),
        (ErrorTheme.DOUBLES_LATE, 2),
    ]
    assert [total.cost for total in totals] == pytest.approx([0.32, 0.21])
