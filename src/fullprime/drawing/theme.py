"""Colours of boards that are drawn as pictures, by name, and the style of the arrows.

The sets of the pages stand in ``web/static/parts/tokens.css`` and ``preferences.js``.
"""

from __future__ import annotations

from typing import Literal

Severity = Literal["neutral", "best", "fine", "error", "blunder"]

ARROW_STYLES: dict[Severity, str] = {
    "neutral": "",
    "best": "",
    "fine": "16 5",
    "error": "9 6",
    "blunder": "3 5",
}
"""Dashes of the lines, so that arrows differ without their colours."""

_CLUB = {
    "ground": "#f7f3ec", "frame": "#5a3723", "felt": "#245757", "tray": "#20130b", "point-light": "#efe0bf",
    "point-dark": "#c3644a", "x": "#fffaf0", "x-edge": "#8c7449", "x-mark": "#b79a63", "x-ink": "#3b2e17",
    "o": "#2b2622", "o-edge": "#000000", "ring": "#9d8f84", "ink": "#221c16", "tray-ink": "#f6f3ec",
    "cube": "#fffdf6", "cube-edge": "#2b1c0c", "arrow-neutral": "#8fbce8", "arrow-best": "#3ddc7f",
    "arrow-fine": "#b8c0c8", "arrow-error": "#f5b921", "arrow-blunder": "#ff6b5e", "arrow-edge": "#1c1c1c",
}  # fmt: skip
"""The set *Club*, on the paper of the pages."""

THEMES: dict[str, dict[str, str]] = {
    "classic": _CLUB,
    "dark": {**_CLUB, "ground": "#17130f", "ink": "#f3eade"},
    "print": {
        "ground": "#ffffff", "frame": "#ffffff", "felt": "#ffffff", "tray": "#ffffff", "point-light": "#f0f0f0",
        "point-dark": "#c4c4c4", "x": "#ffffff", "x-edge": "#000000", "x-mark": "#777777", "x-ink": "#000000",
        "o": "#333333", "o-edge": "#000000", "ring": "#ffffff", "ink": "#000000", "tray-ink": "#000000",
        "cube": "#ffffff", "cube-edge": "#000000",
        "arrow-neutral": "#555555", "arrow-best": "#000000", "arrow-fine": "#555555", "arrow-error": "#333333",
        "arrow-blunder": "#000000", "arrow-edge": "#000000",
    },
}  # fmt: skip
"""Colours by part.

``classic`` is the board of the pages as they come, ``dark`` the same board on a dark page; ``print`` is grey on white
for paper.
"""


def style_sheet(colours: dict[str, str]) -> str:
    """The style that attributes cannot set: lines around the felt of a board whose frame has the colour of the page."""
    if colours["frame"] != colours["ground"]:
        return ""
    return f".fp-frame,.fp-felt,.fp-tray{{stroke:{colours['ink']};stroke-width:1.5}}"
