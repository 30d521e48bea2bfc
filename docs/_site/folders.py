"""A folder's ``README.md`` stands above the other pages of its folder in the navigation.

Sphinx reads this as an extension (``conf.py``). GitHub shows a folder by its README, with the links in its text; here
the same page gets the tree of contents that Sphinx asks for, and the page itself stays free of Sphinx's words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

CONTENTS = "\n\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def fill(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the folder's other pages below its README."""
    if docname.endswith("/README"):
        source[0] += CONTENTS


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", fill)
    return {"parallel_read_safe": True}
