"""Draw the mark: six points in a row with a checker on each, a full prime. Run by ``make icons``.

It writes ``parts/icon.svg`` of the pages, the icons of the installed app as PNG, and the picture of links (Open Graph).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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


def main() -> None:
    """Write them all."""
    (PARTS / "icon.svg").write_text(icon(), encoding="utf-8")
    folder = PARTS / "icons"
    folder.mkdir(exist_ok=True)
    drawn = {name: icon(size) for name, size in SIZES.items()}
    drawn |= {MASKABLE: icon(512, rounded=False, inset=14), "link": link_picture()}
    for name, svg in drawn.items():
        (folder / f"{name}.png").write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=svg)))


if __name__ == "__main__":
    main()
