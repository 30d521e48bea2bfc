"""The parts of a drawn board as SVG elements: the place and the look of each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from html import escape
from typing import Literal

from fullprime.drawing.arrows import Arrow
from fullprime.drawing.scene import Scene
from fullprime.drawing.theme import ARROW_STYLES, style_sheet
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import BAR, HAND, OFF, mirror, pip_words, slot_name
from fullprime.rules.score import Player

COLUMN, RADIUS, BAR_WIDTH, SIDE, HALF = 42, 20, 46, 56, 220
LABELS, LINES = 20, 30
WIDTH = 2 * SIDE + 12 * COLUMN + BAR_WIDTH
INNER = 2 * HALF

Home = Literal["right", "left"]


class SvgError(FullprimeError, ValueError):
    """A picture that cannot be drawn."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A scene, and the options of its picture."""

    scene: Scene
    bottom: Player
    numbers: Player
    home: Home
    colours: dict[str, str]
    coordinates: bool
    pips: bool

    # -- where things are ---------------------------------------------------------------------------------
    @property
    def top(self) -> float:
        """The upper edge of the felt."""
        return LINES + (LABELS if self.coordinates else 4)

    @property
    def height(self) -> float:
        """The height of the picture, which is ``WIDTH`` wide."""
        return 2 * self.top + INNER

    def _x(self, x: float) -> float:
        return x if self.home == "right" else WIDTH - x

    def _column(self, point: int) -> float:
        """The middle of a point of the bottom player."""
        place = 12 - point if point <= 12 else point - 13
        return self._x(SIDE + place * COLUMN + (BAR_WIDTH if place >= 6 else 0) + COLUMN / 2)

    def _seat(self, player: Player, slot: int, count: int) -> tuple[float, float]:
        """The middle of the highest of ``count`` checkers in a slot of a player."""
        mine = player is self.bottom
        step = 2 * RADIUS
        if slot in (OFF, HAND):
            x = self._x(WIDTH - SIDE / 2 if slot == OFF else SIDE / 2)
            depth = 8 + 9 * max(count - 1, 0) + (42 if slot == HAND else 0)
            return x, self.top + (INNER - depth if mine else depth)
        if slot == BAR:
            # Next to the home board into which the checker must enter.
            reach = 26 + RADIUS + step * (min(max(count, 1), 4) - 1)
            return self._x(WIDTH / 2), self.top + HALF + (-reach if mine else reach)
        point = slot if mine else mirror(slot)
        height = RADIUS + 1 + step * (min(max(count, 1), 5) - 1)
        return self._column(point), self.top + (INNER - height if point <= 12 else height)

    # -- parts --------------------------------------------------------------------------------------------
    def document(self, arrows: tuple[Arrow, ...], size: int | None, title: str | None, ident: str | None) -> str:
        """The whole picture; arguments as for :func:`fullprime.drawing.svg.svg`."""
        words = self.scene.words
        title = title if title is not None else "Backgammon board"
        body = "".join(
            [*self.table(), *self.labels(), *self._checkers(), *self._dice(), *self._cube(), *self._arrows(arrows)]
        )
        body += "".join(self._lines())
        name = ident or "b" + hashlib.sha256((body + words + title).encode()).hexdigest()[:10]
        high = round(self.height)
        wide = "" if size is None else f' width="{size}" height="{round(size * high / WIDTH)}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}"{wide} class="fp-board" role="img"'
            f' aria-labelledby="{name}-t {name}-d" font-family="{_FONTS}">'
            f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(words)}</desc>'
            f"<style>{style_sheet(self.colours)}</style>{body}</svg>"
        )

    def table(self) -> list[str]:
        """The board without anything on it."""
        c, top = self.colours, self.top
        parts = [
            _rect("ground", 0, 0, WIDTH, round(self.height), c["ground"]),
            _rect("frame", 0, top - 3, WIDTH, INNER + 6, c["frame"], 6),
        ]
        halves = (SIDE, SIDE + 6 * COLUMN + BAR_WIDTH)
        parts += [_rect("felt", left, top, 6 * COLUMN, INNER, c["felt"]) for left in halves]
        corners = [(x, y) for x in (5, WIDTH - SIDE + 5) for y in (top, top + HALF + 22)]
        parts += [_rect("tray", x, y, SIDE - 10, HALF - 22, c["tray"], 4) for x, y in corners]
        for point in range(1, 25):
            x, half = self._column(point), COLUMN / 2
            base, tip = (top + INNER, top + INNER - 190) if point <= 12 else (top, top + 190)
            kind = "dark" if point % 2 else "light"
            shape, fill = f"M{x - half:g} {base:g}L{x:g} {tip:g}L{x + half:g} {base:g}Z", c[f"point-{kind}"]
            parts.append(f'<path class="fp-point-{kind}" d="{shape}" fill="{fill}"/>')
        return parts

    def labels(self) -> list[str]:
        """The numbers of the points."""
        if not self.coordinates:
            return []
        parts = []
        for point in range(1, 25):
            number = point if self.numbers is self.bottom else mirror(point)
            y = self.top + INNER + 17 if point <= 12 else self.top - 7
            parts.append(self._text(self._column(point), y, str(number), "label", 13))
        return parts

    def _checkers(self) -> list[str]:
        parts = []
        for player in Player:
            row = self.scene.row(player)
            for slot in (*range(1, 26), HAND, OFF):
                if not row[slot]:
                    continue
                if slot in (OFF, HAND):
                    parts.extend(self._pile(player, slot, row[slot]))
                    continue
                most = 4 if slot == BAR else 5
                seats = [self._seat(player, slot, number) for number in range(1, min(row[slot], most) + 1)]
                counted = row[slot] > most
                parts += [self._disc(player, *seat) for seat in seats[: len(seats) - counted]]
                if counted:
                    parts.append(self._disc(player, *seats[-1], marked=False))
                    x, y = self._seat(player, slot, most)
                    parts.append(self._text(x, y + 6, str(row[slot]), f"count-{'xo'[player]}", 17, bold=True))
        return parts

    def _disc(self, player: Player, x: float, y: float, radius: float = RADIUS - 1, *, marked: bool = True) -> str:
        """A checker, with two rings (X) or a ring and a dot (O), so that nothing hangs on the colour alone."""
        c, side = self.colours, "xo"[player]
        disc = _circle(side, x, y, radius, c[side], c[f"{side}-edge"])
        if not marked:
            return disc
        if player is Player.O:
            return disc + _circle("ring", x, y, radius - 5, "none", c["ring"]) + _dot(x, y, radius / 3, c["ring"])
        rings = (radius - 5, radius / 2) if radius > 10 else (radius / 2,)
        return disc + "".join(_circle("mark", x, y, ring, "none", c["x-mark"]) for ring in rings)

    def _pile(self, player: Player, slot: int, count: int) -> list[str]:
        c, side = self.colours, "xo"[player]
        parts = []
        for number in range(1, count + 1):
            x, y = self._seat(player, slot, number)
            parts.append(_rect(side, x - 19, y - 4, 38, 8, c[side], 2, c[f"{side}-edge"]))
        x, y = self._seat(player, slot, count)
        inward = -12 if player is self.bottom else 22
        parts.append(self._text(x, y + inward, str(count), "tray-count", 14, bold=True))
        return parts

    def _dice(self) -> list[str]:
        dice, player = self.scene.dice, self.scene.on_roll
        if dice is None:
            return []
        mine = player is self.bottom
        middle = SIDE + 3 * COLUMN if not mine else SIDE + 9 * COLUMN + BAR_WIDTH
        parts = []
        for die, offset in ((dice.high, -23), (dice.low, 23)):
            parts.append(self._die(die, self._x(middle) + offset, self.top + HALF, "xo"[player]))
        return parts

    def _die(self, number: int, x: float, y: float, side: str) -> str:
        c = self.colours
        ink = c["x-ink"] if side == "x" else c["ring"]
        spots = "".join(
            f'<circle cx="{x + 10 * dx:g}" cy="{y + 10 * dy:g}" r="3.6" fill="{ink}"/>' for dx, dy in SPOTS[number]
        )
        return (
            f'<g class="fp-die"><rect x="{x - 18:g}" y="{y - 18:g}" width="36" height="36" rx="6" fill="{c[side]}"'
            f' stroke="{c[side + "-edge"] if side == "x" else ink}" stroke-width="2"/>{spots}</g>'
        )

    def cube_place(self) -> tuple[float, float, int] | None:
        """The middle of the cube and the number on it; None where no cube is played."""
        cube = self.scene.cube
        if cube is None:
            return None
        x, y, value = self._x(SIDE / 2), self.top + HALF, cube.value if cube.value > 1 else 64
        if cube.offered:
            # A double lies on the side of the player who must answer it.
            x = self._x(SIDE + 3 * COLUMN if self.scene.turn is not self.bottom else SIDE + 9 * COLUMN + BAR_WIDTH)
            value = cube.offered
        elif cube.owner is not None:
            y = self.top + (INNER - 22 if cube.owner is self.bottom else 22)
        return x, y, value

    def _cube(self) -> list[str]:
        parts, placed = [], self.cube_place()
        if placed is not None:
            x, y, value = placed
            parts.append(
                f'<g class="fp-cube"><rect x="{x - 19:g}" y="{y - 19:g}" width="38" height="38" rx="6"'
                f' fill="{self.colours["cube"]}" stroke="{self.colours["cube-edge"]}" stroke-width="2"/>'
                + self._text(x, y + 7, str(value), "cube-text", 20 if value < 100 else 13, bold=True)
                + "</g>"
            )
        return parts + self._flag()

    def _flag(self) -> list[str]:
        if self.scene.resignation is None:
            return []
        x, y = self._x(WIDTH - SIDE / 2), self.top + HALF
        return [
            f'<path class="fp-flag" d="M{x - 14:g} {y + 19:g}V{y - 19:g}H{x + 16:g}V{y + 4:g}H{x - 12:g}"'
            f' fill="{self.colours["x"]}" stroke="{self.colours["x-edge"]}" stroke-width="2"/>'
            + self._text(x + 2, y - 1, str(self.scene.resignation), "flag", 16, bold=True)
        ]

    def _arrows(self, arrows: tuple[Arrow, ...]) -> list[str]:
        parts = []
        landed: dict[tuple[Player, int], int] = {}
        left: dict[tuple[Player, int], int] = {}
        for arrow in arrows:
            player = arrow.player if arrow.player is not None else self.scene.on_roll
            row = self.scene.row(player)
            for place in (arrow.source, arrow.target):
                if not 0 <= place < len(row):
                    raise SvgError(f"an arrow from {arrow.source} to {arrow.target}: places are 0 to {HAND}")
            gone = left.get((player, arrow.source), 0)
            come = landed.get((player, arrow.target), 0)
            left[player, arrow.source], landed[player, arrow.target] = gone + 1, come + 1
            begin = self._seat(player, arrow.source, max(1, row[arrow.source] - gone))
            end = self._seat(player, arrow.target, min(row[arrow.target] + come + 1, 15))
            parts.append(self._arrow(begin, end, arrow))
        return parts

    def _arrow(self, begin: tuple[float, float], end: tuple[float, float], arrow: Arrow) -> str:
        line, head, words = self.arrow_paths(begin, end, arrow)
        colour, dashes = self.colours["arrow-" + arrow.severity], ARROW_STYLES[arrow.severity]
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        return (
            f'<g class="fp-arrow fp-{arrow.severity}"><title>{words}</title>'
            f'<path d="{line}" stroke="{colour}" stroke-width="7" stroke-opacity=".9"'
            f' stroke-linecap="butt" fill="none"{dashed}/>'
            f'<path d="{head}" fill="{colour}" stroke="{self.colours["arrow-edge"]}" stroke-width=".8"/></g>'
        )

    @staticmethod
    def arrow_paths(begin: tuple[float, float], end: tuple[float, float], arrow: Arrow) -> tuple[str, str, str]:
        """The line of an arrow, its head, and its words."""
        (x1, y1), (x2, y2) = begin, end
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1.0)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        # The line ends where the head begins.
        bx, by = x2 - 15 * ux, y2 - 15 * uy
        words = f"{slot_name(arrow.source)}/{slot_name(arrow.target)}"
        words += "" if arrow.loss is None else " (best)" if arrow.severity == "best" else f" (loses {arrow.loss:.3f})"
        head = f"M{x2:.1f} {y2:.1f}L{bx - 9 * uy:.1f} {by + 9 * ux:.1f}L{bx + 9 * uy:.1f} {by - 9 * ux:.1f}Z"
        return f"M{x1:.1f} {y1:.1f}L{bx:.1f} {by:.1f}", head, words

    def _lines(self) -> list[str]:
        """Name, score and pips of each side, above and below the board, and further notes."""
        parts = []
        for player in Player:
            y = self.height - 10 if player is self.bottom else 21
            if player is self.scene.turn:
                parts.append(
                    f'<path class="fp-turn" d="M{SIDE - 22} {y - 12}l12 6.5l-12 6.5z" fill="{self.colours["ink"]}"/>'
                )
            parts.append(self._disc(player, SIDE + 7, y - 5, 8))
            words = [self.scene.names[player][:32]]
            if self.scene.away[player]:
                words.append(self.scene.away[player])
            parts.append(self._text(SIDE + 20, y, ", ".join(words), "name", 15, anchor="start", bold=True))
            if self.pips:
                pips = pip_words(self.scene.row(player))
                parts.append(self._text(WIDTH - SIDE, y, pips, "pips", 15, anchor="end"))
        if self.scene.notes:
            parts.append(self._text(WIDTH / 2 + 40, self.height - 10, ", ".join(self.scene.notes), "note", 14))
        return parts

    def _text(
        self, x: float, y: float, words: str, part: str, size: int, *, anchor: str = "middle", bold: bool = False
    ) -> str:
        weight = ' font-weight="bold"' if bold else ""
        return (
            f'<text class="fp-{part}" x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}"{weight}'
            f' fill="{self.colours[_INK.get(part, "ink")]}">{escape(words)}</text>'
        )


def _rect(
    part: str, x: float, y: float, width: float, height: float, fill: str, round_by: int = 0, edge: str = ""
) -> str:
    corners = f' rx="{round_by}"' if round_by else ""
    line = f' stroke="{edge}"' if edge else ""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect class="fp-{part}" {place}{corners} fill="{fill}"{line}/>'


def _circle(part: str, x: float, y: float, radius: float, fill: str, edge: str) -> str:
    place = f'cx="{x:g}" cy="{y:g}" r="{radius:g}"'
    return f'<circle class="fp-{part}" {place} fill="{fill}" stroke="{edge}" stroke-width="2"/>'


def _dot(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle class="fp-dot" cx="{x:g}" cy="{y:g}" r="{radius:.3g}" fill="{fill}"/>'


_FONTS = "Liberation Sans, Arial, Helvetica, DejaVu Sans, sans-serif"
_INK = {
    "count-x": "x-ink",
    "count-o": "ring",
    "cube-text": "cube-edge",
    "tray-count": "tray-ink",
    "flag": "x-ink",
}
SPOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
