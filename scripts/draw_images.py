"""Draw docs/images/*.svg and the boards in README.md and docs/variants again: `make images`."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import tempfile
from pathlib import Path

from rich.console import Console

from fullprime.cli.terminal import board_text
from fullprime.drawing.svg import Arrow, svg
from fullprime.rules.board import WIDTH, BoardView, draw_board
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.ids import read_id
from fullprime.rules.position import Position
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON, VARIANTS

ROOT = Path(__file__).resolve().parents[1]

VIEWS = {
    "board": BoardView(
        BACKGAMMON.starting_position,
        turn=Player.X,
        dice=Roll(3, 1),
        cube=Cube(),
        names=("you", "bot"),
        scores=(2, 4),
        length=7,
    ),
    "dutch": BoardView(
        Position.from_text("hand:9 24:3 22:2 19 / hand:6 24:4 23:2 20:3"),
        dice=Roll(5, 2),
        names=("Ada", "Ben"),
        on_roll=Player.O,
        turn=Player.O,
    ),
}


def main() -> None:
    """Write the pictures, and the boards of the pages."""
    images = ROOT / "docs" / "images"
    images.mkdir(parents=True, exist_ok=True)
    for name, view in VIEWS.items():
        console = Console(record=True, width=WIDTH + 2, file=io.StringIO(), color_system="truecolor")
        console.print(board_text(view))
        svg = console.export_svg(title="fullprime play", unique_id=f"fullprime-{name}")
        (images / f"{name}.svg").write_text(svg, encoding="utf-8")
    (images / "diagram.svg").write_text(diagram(), encoding="utf-8")
    (images / "ten-lines.svg").write_text(ten_lines(), encoding="utf-8")
    redraw(ROOT / "README.md", VIEWS["board"])
    for variant in VARIANTS.values():
        redraw(ROOT / "docs" / "variants" / f"{variant.name}.md", BoardView(variant.starting_position))


def diagram() -> str:
    """The picture of docs/diagrams.md: the best play, and another one that loses 0.05."""
    game = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:42:0:0:0:7:10").game
    arrows = [
        Arrow(*move, loss) for loss, moves in ((0.0, ((8, 4), (6, 4))), (0.05, ((24, 20), (13, 11)))) for move in moves
    ]
    return svg(game, names=("Ann", "Bob"), arrows=arrows)


def ten_lines() -> str:
    """The picture that the program of the README draws."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    program = "".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    example = doctest.DocTestParser().get_doctest(program, {}, "README.md", "README.md", 0)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        doctest.DebugRunner().run(example, clear_globs=False)
        return Path("board.svg").read_text(encoding="utf-8")


def redraw(page: Path, view: BoardView) -> None:
    """Put a board between the marks of a page."""
    old = page.read_text(encoding="utf-8")
    new = re.sub(r"(<!-- board -->\n```text\n)[^`]*(```)", lambda m: f"{m[1]}{draw_board(view)}\n{m[2]}", old)
    page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
