"""``fullprime drill`` and ``fullprime puzzles make``."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commandline import CommandLine

from fullprime.app.drills.training import TRAINERS
from fullprime.drills.puzzles.puzzle import read_stock
from fullprime.rules.variants import VARIANTS


def test_a_trainer_asks_marks_and_keeps_the_progress(fullprime: CommandLine, tmp_path: Path) -> None:
    database = ("--db", str(tmp_path / "drills.db"))
    typed = ["help", "nonsense", "50", "0", "quit"]
    done = fullprime.run("drill", "equities", "--seed", "1", *database, typed="\n".join(typed) + "\n")
    assert done.code == 0
    assert "Janowski's rule" in done.out
    assert "'nonsense' is no number." in done.out
    assert "of 2 right" in done.out
    listed = fullprime.run("drill", *database).out
    for trainer in TRAINERS.values():
        assert trainer.title in listed
    assert "of 2 right" in listed
    assert max(map(len, (done.out + listed).splitlines())) <= 80
    board = fullprime.run("drill", "pips", "--seed", "1", *database, typed="quit\n").out
    assert "pips" not in board.partition("---\n")[2].partition("How many")[0], "the answer is not told"


def test_an_unknown_trainer_is_one_line(fullprime: CommandLine) -> None:
    done = fullprime.run("drill", "nothing")
    assert done.code == 2
    assert done.err.startswith("error: there is no trainer 'nothing'; there are pips")


def test_puzzles_are_made_and_the_making_goes_on(fullprime: CommandLine, tmp_path: Path) -> None:
    make = ("puzzles", "make", "hypergammon", "--to", str(tmp_path))
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
