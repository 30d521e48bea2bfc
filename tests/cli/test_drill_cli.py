"""``fullprime drill`` and ``fullprime puzzles make``."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine
from tests.reviews.matches import SHORT_MATCH

from fullprime.db.database import open_database
from fullprime.learn.puzzles.puzzle import read_stock
from fullprime.learn.puzzles.service import Puzzles
from fullprime.learn.trainers.service import TRAINERS
from fullprime.rules.variants import VARIANTS


def test_a_trainer_asks_marks_and_keeps_the_progress(fullprime: CommandLine, tmp_path: Path) -> None:
    database = ("--db", str(tmp_path / "drills.db"))
    typed = ["help", "nonsense", "50", "0", "quit"]
    done = fullprime.run("drill", "equities", "--number", "1", *database, typed="\n".join(typed) + "\n")
    assert done.code == 0
    assert "Janowski's rule" in done.out
    assert "'nonsense' is no number." in done.out
    assert "of 2 right" in done.out
    listed = fullprime.run("drill", *database).out
    for trainer in TRAINERS.values():
        assert trainer.title in listed
    assert "of 2 right" in listed
    assert max(map(len, (done.out + listed).splitlines())) <= 80
    board = fullprime.run("drill", "pips", "--number", "1", *database, typed="quit\n").out
    assert "pips" not in board.partition("---\n")[2].partition("How many")[0], "the answer is not told"


def test_a_score_is_chosen_at_the_command(fullprime: CommandLine, tmp_path: Path) -> None:
    database = ("--db", str(tmp_path / "drills.db"))
    done = fullprime.run("drill", "takes", "--away", "1-4", *database, typed="20\n")
    assert done.code == 0
    output = " ".join(done.out.split())
    assert "You need 1, the opponent needs 4 and doubles to 2. The Crawford game has been played." in output
    assert "Woolsey's own table" in output
    assert "With a live cube" in output
    done = fullprime.run("drill", "gammons", "--away", "4-1", "--crawford-game", "now", *database, typed="20\n")
    assert "This is the Crawford game." in " ".join(done.out.split())
    for wrong in (
        ("takes", "--away", "4-1"), ("takes", "--away", "3:4"), ("pips", "--away", "3-4"),
        ("takes", "--cube-value", "2"),
        ("takes", "--away", "4-4", "--crawford-game", "never"), ("takes", "--away", "4-4", "--number", "3"),
    ):  # fmt: skip
        refused = fullprime.run("drill", *wrong, *database)
        assert (refused.code, refused.err.count("\n")) == (2, 1), wrong


def test_an_unknown_trainer_is_one_line(fullprime: CommandLine) -> None:
    done = fullprime.run("drill", "nothing")
    assert done.code == 2
    assert done.err.startswith("error: there is no trainer 'nothing'; there are pips")


@pytest.mark.broad
def test_puzzles_are_made_and_the_making_goes_on(fullprime: CommandLine, tmp_path: Path) -> None:
    make = ("puzzles", "make", "hypergammon", "--stock", str(tmp_path))
    assert fullprime.run(*make, "--count", "2").code == 0
    file = tmp_path / "hypergammon.tsv"
    first = file.read_text()
    file.write_text(first + "9\tcut off")
    assert "hypergammon: " in fullprime.run(*make, "--count", "6").out
    assert file.read_text().startswith(first)
    stock = read_stock(VARIANTS["hypergammon"], tmp_path)
    assert len(stock.by_name) == len(stock) >= 6
    for puzzle in stock:
        assert puzzle.loss(puzzle.best) == 0
        assert 0.05 <= puzzle.loss(puzzle.trap) <= 0.6


def test_puzzles_are_solved_and_rated(fullprime: CommandLine, tmp_path: Path) -> None:
    database = ("--db", str(tmp_path / "drills.db"))
    day = Puzzles(open_database(str(tmp_path / "other.db"))).get_daily("hypergammon")
    solve = ("puzzles", "solve", "hypergammon", "--mode", "day", *database)
    typed = f"99/1\n{day.best}\n"
    output = fullprime.run(*solve, typed=typed).out
    assert re.search(r"Right\. .*It tempts: ", " ".join(output.split())), (
        "the day's sentence stands between them, if any"
    )
    assert "1 of 1 solved" in output
    assert "1 of 1 solved" in fullprime.run("puzzles", "standing", *database).out
    assert max(map(len, output.splitlines())) <= 80
    lost = fullprime.run("puzzles", "solve", "hypergammon", "--mode", "streak", *database, typed="skip\nquit\n")
    assert lost.code == 0
    assert fullprime.run("puzzles", "solve", "--mode", "slow", *database).code == 2
    race = fullprime.run("puzzles", "solve", "hypergammon", "--theme", "race", *database, typed="skip\nquit\n")
    assert "--- 1: race, " in race.out
    unknown = fullprime.run("puzzles", "solve", "--theme", "chess", *database)
    assert (unknown.code, "there are no puzzles of the theme 'chess'; there are opening" in unknown.err) == (2, True)


def test_cards_are_added_drilled_exported_and_imported(fullprime: CommandLine, tmp_path: Path) -> None:
    database, file = ("--db", str(tmp_path / "drills.db")), tmp_path / "match.mat"
    file.write_bytes(SHORT_MATCH)
    assert fullprime.run("library", "add", str(file), *database).code == 0
    assert "No cards yet" in fullprime.run("cards", "drill", *database).out
    none = fullprime.run("cards", "add", *database).out
    assert "out of 0 reviewed matches" in none
    assert "fullprime library review" in none, "the next step"
    assert fullprime.run("library", "review", "--level", "fast", *database).code == 0
    added = fullprime.run("cards", "add", "--player", "Ann", *database).out
    assert "new cards out of 1 reviewed match." in " ".join(added.split())
    assert "fullprime cards drill" in added
    count = int(added.split()[0])
    output = fullprime.run("cards", "drill", *database, typed="nonsense\nforget\nquit\n").out
    left = f"{count - 1} card{'s' * (count > 2)}"
    assert left in output
    assert output.index("Words: help") < output.index("○"), "the words are told before the first card"
    assert "'nonsense' is no" in " ".join(output.split())
    assert max(map(len, output.splitlines())) <= 80
    package = tmp_path / "errors.apkg"
    assert left in " ".join(fullprime.run("cards", "anki", str(package), *database).out.split())
    with zipfile.ZipFile(package) as archive:
        assert len(json.loads(archive.read("media"))) == count - 1
    collection = fullprime.run("cards", "anki", str(tmp_path / "errors.colpkg"), *database)
    assert (collection.code, "name it errors.apkg" in collection.err) == (2, True), (
        "it would replace a whole collection"
    )
    out, deck = str(tmp_path / "cards.json"), str(tmp_path / "anki.txt")
    assert fullprime.run("cards", "export", out, *database).code == 0
    assert fullprime.run("cards", "export", out, *database).code == 2, "nothing is written over"
    assert left in " ".join(fullprime.run("cards", "anki", deck, *database).out.split())
    few = " ".join(fullprime.run("cards", "anki", deck, "--force", "--least", "9", *database).out.split())
    assert "0 cards" in few
    assert fullprime.run("cards", "add", "--kind", "nothing", *database).code == 2
    other = ("--db", str(tmp_path / "other.db"))
    assert f"{count - 1} new card" in fullprime.run("cards", "import", out, *other).out
    assert fullprime.run("cards", "import", deck, *other).code == 2


def test_help_at_every_prompt_says_what_can_be_written(fullprime: CommandLine, tmp_path: Path) -> None:
    database = ("--db", str(tmp_path / "drills.db"))
    for command in (("puzzles", "solve"), ("drill", "shots"), ("drill", "pips")):
        done = fullprime.run(*command, *database, typed="help\n?\nhelp prime\nhelp nothing at all\nboard\nquit\n")
        assert done.code == 0, command
        assert done.out.count("Write ") >= 2, command
        assert "help WORD" in done.out
        assert "quit" in done.out
        assert "in a row" in " ".join(done.out.split()), "the glossary's prime"


def test_a_puzzle_tells_the_way_down(fullprime: CommandLine, tmp_path: Path) -> None:
    done = fullprime.run("puzzles", "solve", "--db", str(tmp_path / "drills.db"), typed="0/3\nquit\n")
    assert "plays go down, from the higher point to the lower one" in " ".join(done.out.split())
