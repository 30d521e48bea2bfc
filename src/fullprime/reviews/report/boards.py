"""Boards of a report: each a few references to shapes that the page holds once, coloured by its style sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from fullprime.drawing.arrows import Arrow
from fullprime.drawing.board import BAR_WIDTH, COLUMN, HALF, RADIUS, SIDE, SPOTS, WIDTH, Drawing
from fullprime.drawing.scene import Scene
from fullprime.drawing.svg import empty_board, labels_of
from fullprime.drawing.theme import THEMES
from fullprime.rules.game import Game
from fullprime.rules.position import BAR, HAND, OFF, pip_words
from fullprime.rules.score import Player

_USED = re.compile(r'href="#(fp-[a-z0-9-]+)"')


def board(game: Game, bottom: Player, names: tuple[str, str], arrows: Sequence[Arrow]) -> str:
    """The board of a game for a page that also has :func:`shapes`; in words in its label."""
    scene = Scene.of(game, Player.X, None, None, names)
    return _Compact(scene, bottom, scene.on_roll, "right", THEMES["classic"], True, True).picture(arrows)


def shapes(pictures: Iterable[str]) -> str:
    """The shapes to which boards refer, and no others; to stand once on their page."""
    names = sorted({name for picture in pictures for name in _USED.findall(picture)})
    parts = sorted({part for name in names for part in _USED.findall(_shape(name))} - set(names))
    return "".join(f'<g id="{name}">{_shape(name)}</g>' for name in (*parts, *names))


@dataclass(frozen=True, slots=True)
class _Compact(Drawing):
    """A drawing whose parts are references."""

    def picture(self, arrows: Sequence[Arrow]) -> str:
        body = "".join([*self._checkers(), *self._dice(), *self._cube(), *self._arrows(tuple(arrows)), *self._lines()])
        labels = "near" if self.numbers is self.bottom else "far"
        return (
            f'<svg viewBox="0 0 {WIDTH} {round(self.height)}" class="fp-board" role="img"'
            f' aria-label="{escape(self.scene.words)}">{_use("table")}{_use(labels)}{body}</svg>'
        )

    def _checkers(self) -> list[str]:
        parts = []
        for player in Player:
            row, side = self.scene.row(player), "xo"[player]
            for slot in (*range(1, 26), HAND, OFF):
                if slot >= len(row) or not row[slot]:
                    continue
                x, y = self._seat(player, slot, 1)
                upwards = y > self.top + HALF
                way = "u" if upwards else "d"
                if slot in (OFF, HAND):
                    parts.append(_use(f"{side}p{row[slot]}{way}", x, y))
                    x, y = self._seat(player, slot, row[slot])
                    parts.append(_text("n c", x, y + (-12 if player is self.bottom else 22), str(row[slot])))
                    continue
                shown = 4 if slot == BAR else 5
                if slot == BAR:
                    way = "u" if player is self.bottom else "d"
                # The number of a stack lies on a checker without marks.
                parts.append(_use(f"{side}{min(row[slot], shown)}{way}{'n' if row[slot] > shown else ''}", x, y))
                if row[slot] > shown:
                    x, y = self._seat(player, slot, shown)
                    parts.append(_text(f"k{side}", x, y + 6, str(row[slot])))
        return parts

    def _dice(self) -> list[str]:
        dice, player = self.scene.dice, self.scene.on_roll
        if dice is None:
            return []
        middle = SIDE + 9 * COLUMN + BAR_WIDTH if player is self.bottom else SIDE + 3 * COLUMN
        side, y = "xo"[player], self.top + HALF
        return [_use(f"{side}die{die}", self._x(middle) + by, y) for die, by in ((dice.high, -23), (dice.low, 23))]

    def _cube(self) -> list[str]:
        placed = self.cube_place()
        parts = [] if placed is None else [_use(f"cube{placed[2]}", placed[0], placed[1])]
        return parts + self._flag()

    def _arrow(self, begin: tuple[float, float], end: tuple[float, float], arrow: Arrow) -> str:
        line, head, words = self.arrow_paths(begin, end, arrow)
        return (
            f'<g class="fp-arrow fp-{arrow.severity}"><title>{words}</title>'
            f'<path class="l" d="{line}"/><path d="{head}"/></g>'
        )

    def _lines(self) -> list[str]:
        parts = []
        for player in Player:
            y = round(self.height) - 10 if player is self.bottom else 21
            if player is self.scene.turn:
                parts.append(_use("turn", 0, y))
            words = [self.scene.names[player][:32]]
            if self.scene.away[player]:
                words.append(self.scene.away[player])
            parts.append(_use(f"{'xo'[player]}s", SIDE + 7, y - 5))
            parts.append(_text("n", SIDE + 20, y, ", ".join(words)))
            parts.append(_text("e", WIDTH - SIDE, y, pip_words(self.scene.row(player))))
        if self.scene.notes:
            parts.append(_text("m", WIDTH / 2 + 40, round(self.height) - 10, ", ".join(self.scene.notes)))
        return parts


def _use(name: str, x: float = 0, y: float = 0) -> str:
    place = "".join(f' {axis}="{value:g}"' for axis, value in (("x", x), ("y", y)) if value)
    return f'<use href="#fp-{name}"{place}/>'


def _text(part: str, x: float, y: float, words: str) -> str:
    return f'<text class="{part}" x="{x:g}" y="{y:g}">{escape(words)}</text>'


def _shape(name: str) -> str:
    """What a reference stands for, drawn around 0, 0."""
    kind = name.removeprefix("fp-")
    if kind == "table":
        return empty_board()
    if kind in ("near", "far"):
        return labels_of(far=kind == "far")
    if kind == "turn":
        return f'<path class="fp-turn" d="M{SIDE - 22} -12l12 6.5l-12 6.5z"/>'
    if kind.startswith("cube"):
        shown = kind.removeprefix("cube")
        size = "" if len(shown) < 3 else ' class="s"'
        return (
            '<g class="fp-cube"><rect x="-19" y="-19" width="38" height="38" rx="6"/>'
            f'<text y="7"{size}>{shown}</text></g>'
        )
    side, piece = kind[0], kind[1:]
    if piece.startswith("die"):
        spots = "".join(f'<circle class="s" cx="{10 * x}" cy="{10 * y}" r="3.6"/>' for x, y in SPOTS[int(piece[3:])])
        return f'<g class="fp-die {side}"><rect x="-18" y="-18" width="36" height="36" rx="6"/>{spots}</g>'
    if piece in ("s", "c", "r", "b"):
        return _slice(side) if piece == "r" else _disc(side, 8 if piece == "s" else RADIUS - 1, marked=piece != "b")
    # A stack of checkers, or a pile of those that lie on their sides; it grows upwards or downwards.
    pile, way = piece.startswith("p"), piece.rstrip("n")
    count, by = int(piece.strip("pudn")), (9 if pile else 2 * RADIUS) * (-1 if way.endswith("u") else 1)
    kinds = ["r" if pile else "c"] * count
    if way != piece:
        kinds[-1] = "b"
    return "".join(_use(f"{side}{kind}", 0, by * number) for number, kind in enumerate(kinds))


def _disc(side: str, radius: float, *, marked: bool = True) -> str:
    marks = ""
    if marked and side == "o":
        marks = f'<circle class="fp-ring" r="{radius - 5:g}"/><circle class="fp-dot" r="{radius / 3:.3g}"/>'
    elif marked:
        rings = (radius - 5, radius / 2) if radius > 10 else (radius / 2,)
        marks = "".join(f'<circle class="fp-mark" r="{ring:g}"/>' for ring in rings)
    return f'<circle class="fp-{side}" r="{radius:g}"/>{marks}'


def _slice(side: str) -> str:
    return f'<rect class="fp-{side}" x="-19" y="-4" width="38" height="8" rx="2"/>'
