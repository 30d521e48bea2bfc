"""Draw the mark, six points in a row with a checker on each, and the opponents' faces: ``make icons``.

It writes ``parts/icon.svg`` of the pages, the icons of the installed app as PNG, the picture of links (Open Graph) and
``parts/faces``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import resvg_py

PARTS = Path(__file__).parents[1] / "src" / "fullprime" / "web" / "static" / "parts"
FELT, SAND, CLAY, IVORY, EDGE = "#1e4a4a", "#e9d8b4", "#c4694a", "#f6ecd9", "#8c7449"
SIZES = {"icon-180": 180, "icon-192": 192, "icon-512": 512}
MASKABLE = "icon-maskable-512"


def prime(left: float, bottom: float, width: float, height: float) -> Iterator[str]:
    """Six points side by side, light and dark in turn, and a checker at the foot of each."""
    step = width / 6
    radius = step * 0.47
    for index in range(6):
        x = left + index * step
        colour = CLAY if index % 2 else SAND
        yield (
            f'<path d="M{x + step * 0.06:.2f} {bottom:.2f}L{x + step / 2:.2f} {bottom - height:.2f}'
            f'L{x + step * 0.94:.2f} {bottom:.2f}z" fill="{colour}"/>'
        )
    for index in range(6):
        x = left + (index + 0.5) * step
        yield (
            f'<circle cx="{x:.2f}" cy="{bottom - radius:.2f}" r="{radius - 0.3:.2f}" fill="{IVORY}" stroke="{EDGE}"'
            ' stroke-width=".7"/>'
        )


def icon(size: int = 64, *, rounded: bool = True, inset: float = 6) -> str:
    """The mark on felt; ``inset`` is the room round it, larger where a system cuts the icon to its own shape."""
    body = "".join(prime(inset, 32 + (64 - 2 * inset) * 0.4, 64 - 2 * inset, (64 - 2 * inset) * 0.8))
    corner = ' rx="14"' if rounded else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="{size}" height="{size}">'
        f'<rect width="64" height="64"{corner} fill="{FELT}"/>{body}</svg>\n'
    )


def link_picture() -> str:
    """The picture that stands beside a pasted link: 1200 by 630."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">'
        f'<rect width="1200" height="630" fill="{FELT}"/><g transform="translate(90 150) scale(5.2)">'
        f"{''.join(prime(0, 56, 60, 54))}</g>"
        f'<text x="470" y="330" font-family="DejaVu Serif" font-weight="700" font-size="104" fill="{IVORY}">Fullprime'
        f'</text><text x="474" y="400" font-family="DejaVu Sans" font-size="38" fill="{SAND}">'
        "Backgammon, and its whole family</text></svg>"
    )


class Face(NamedTuple):
    """An opponent's face: colours, the hair behind and before the head, and what is worn."""

    ground: str
    skin: str
    hair: str
    coat: str
    behind: str = ""
    before: str = ""
    extra: str = ""


_SHORT = '<path d="M20 27c0-9 5-14 12-14s12 5 12 14c-2-5-5-7-12-7s-10 2-12 7z" fill="{hair}"/>'
_LONG = '<path d="M18 30c0-11 6-18 14-18s14 7 14 18v16h-5V30c0-4-4-8-9-8s-9 4-9 8v16h-5z" fill="{hair}"/>'
_BUN = '<circle cx="32" cy="10" r="5.500" fill="{hair}"/>'
_CURLS = "".join(
    f'<circle cx="{x}" cy="{y}" r="5" fill="{{hair}}"/>' for x, y in ((21, 22), (25, 16), (32, 14), (39, 16), (43, 22))
)
_GLASSES = (
    '<g fill="none" stroke="#2b2320" stroke-width="1.400"><circle cx="27" cy="29" r="4"/>'
    '<circle cx="37" cy="29" r="4"/><path d="M31 29h2"/></g>'
)
_BEARD = '<path d="M22 31c0 9 4 14 10 14s10-5 10-14c-1 4-4 5-10 5s-9-1-10-5z" fill="{hair}"/>'
_CAP = '<path d="M20 23c0-8 5-12 12-12s12 4 12 12z" fill="{coat}"/><path d="M20 23h27c2 0 3 2 1 2H20z" fill="{coat}"/>'
_GREY_BAND = '<path d="M20.500 24c3-3 20-3 23 0l-.5-3.500c-4-3-18-3-22 0z" fill="{coat}"/>'
_FRINGE = '<path d="M19.500 25c-2 4-2 8 .5 11h24c2.500-3 2.500-7 .5-11z" fill="{hair}"/>'
_MOUSTACHE = (
    '<path d="M25.500 35.500c1.500-2.500 4.500-3 6.500-1.500 2-1.500 5-1 6.500 1.500-2.500 1-4.500.5-6.500-.5'
    '-2 1-4 1.500-6.500.5z" fill="{hair}"/>'
)
_CROP = (
    '<path d="M20.500 27c-1.500-10 3.500-15 11.500-15s13 5 11.500 15c-1-4-2-6.500-4-7.500-4-1.500-11-1.500-15 0'
    '-2 1-3 3.500-4 7.500z" fill="{hair}"/>'
)
_GOATEE = '<path d="M27.500 39.500c2 4 7 4 9 0-2.500 1.200-6.500 1.200-9 0z" fill="{hair}"/>'
_BOB = '<path d="M18 30c0-12 6-18.500 14-18.500S46 18 46 30c0 5-1 9.500-3 12H21c-2-2.500-3-7-3-12z" fill="{hair}"/>'
_PARTING = (
    '<path d="M20.500 28c0-9 4-14.500 11.500-14.500S43.500 19 43.500 28c-2-4-5-7-9-8.500-3 4-8 6.500-14 8.500z" '
    'fill="{hair}"/>'
)
_PLAITS = '<path d="M18 32c0-12 6-18.500 14-18.500S46 20 46 32z" fill="{hair}"/>' + "".join(
    f'<ellipse cx="{x}" cy="{y}" rx="3.600" ry="3.200" fill="{{hair}}"/>'
    for y, shift in ((33, 0), (38, 0.6), (43, 1.2), (48, 1.6))
    for x in (18.5 - shift, 45.5 + shift)
)
_MIDDLE_PARTING = (
    '<path d="M19.500 31c-.5-11 4.500-17.500 12.500-17.500S45 20 44.500 31c-3-5-8.500-7-12.500-13.500-4 6.500'
    '-9.500 8.500-12.500 13.500z" fill="{hair}"/>'
)
_FRECKLES = "".join(
    f'<circle cx="{x}" cy="{y}" r=".7" fill="#b8714a"/>'
    for x, y in ((24.5, 33), (26.6, 34.2), (28.2, 32.8), (35.8, 32.8), (37.4, 34.2), (39.5, 33))
)
_EARRINGS = (
    '<g fill="#f6ecd9" stroke="#8c7449" stroke-width=".8"><circle cx="20.500" cy="36.500" r="2"/>'
    '<circle cx="43.500" cy="36.500" r="2"/></g>'
)

FACES = {
    "mia": Face("#f3c98b", "#f2c9a4", "#7a3d1d", "#2f7d57", behind=_LONG, before=_SHORT),
    "pippa": Face("#dccbe6", "#f5d3b6", "#c2703a", "#c9962e", behind=_PLAITS, before=_MIDDLE_PARTING, extra=_FRECKLES),
    "otto": Face("#bcd6d1", "#e9b892", "#c9a25a", "#b4573a", before=_CAP),
    "nora": Face("#e8b7a4", "#a9714b", "#2a1a14", "#24577a", before=_CURLS),
    "emil": Face("#c9d3ea", "#f0c8a6", "#4a3a30", "#5b3b6e", before=_SHORT, extra=_BEARD + _GLASSES),
    "hugo": Face("#e6d3a8", "#eebf9d", "#8f8983", "#7c3b2f", behind=_FRINGE, extra=_MOUSTACHE),
    "ida": Face("#d9e3c3", "#d79f77", "#b9b4ae", "#1e4a4a", behind=_BUN, before=_SHORT, extra=_GLASSES),
    "theo": Face("#f0b99a", "#7d4f35", "#1d1512", "#e9d8b4", before=_CROP, extra=_GOATEE),
    "vera": Face("#b9d2e0", "#f3cfb1", "#a5432a", "#3b3145", behind=_BOB, before=_PARTING, extra=_EARRINGS),
    "atlas": Face("#20343a", "#9fb4b4", "#5b7478", "#e9d8b4", before=_GREY_BAND),
}
"""The opponents of `fullprime.play.options.opponents`, each a few flat shapes."""


def face(drawn: Face) -> str:
    """A face in a circle."""
    mouth = '<path d="M28 36.500c2.500 2.500 5.500 2.500 8 0" fill="none" stroke="#7c2f22" stroke-width="1.600" '
    body = (
        f'<circle cx="32" cy="32" r="32" fill="{drawn.ground}"/>{drawn.behind}'
        f'<path d="M8 64c1-12 10-17 24-17s23 5 24 17z" fill="{drawn.coat}"/>'
        f'<path d="M27 40h10v8c0 4-10 4-10 0z" fill="{drawn.skin}"/><ellipse cx="32" cy="29" rx="11" ry="13" '
        f'fill="{drawn.skin}"/>{drawn.extra}{drawn.before}<circle cx="27.500" cy="29" r="1.500" fill="#2b2320"/>'
        f'<circle cx="36.500" cy="29" r="1.500" fill="#2b2320"/>{mouth}stroke-linecap="round"/>'
    )
    clip = '<clipPath id="round"><circle cx="32" cy="32" r="32"/></clipPath>'
    shapes = body.format(hair=drawn.hair, coat=drawn.coat)
    start = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    return f'{start}{clip}<g clip-path="url(#round)">{shapes}</g></svg>\n'


def main() -> None:
    """Write them all."""
    faces = PARTS / "faces"
    faces.mkdir(exist_ok=True)
    for name, drawn_face in FACES.items():
        (faces / f"{name}.svg").write_text(face(drawn_face), encoding="utf-8")
    (PARTS / "icon.svg").write_text(icon(), encoding="utf-8")
    folder = PARTS / "icons"
    folder.mkdir(exist_ok=True)
    drawn = {name: icon(size) for name, size in SIZES.items()}
    drawn |= {MASKABLE: icon(512, rounded=False, inset=14), "link": link_picture()}
    for name, svg in drawn.items():
        (folder / f"{name}.png").write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=svg)))


if __name__ == "__main__":
    main()
