"""A folder's ``README.md`` stands above the pages of its folder in the navigation, in the order of its links to them.

Sphinx reads this as an extension (``conf.py``). GitHub shows a folder by its README, with the links in its text; here
the same page gets the tree of contents that Sphinx asks for, and the page itself stays free of Sphinx's words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LINK = re.compile(r"\]\(([\w-]+)\.md[)#]")


def contents(text: str) -> str:
    """The tree of contents below a README. A page without a link is in no tree, which the strict build refuses."""
    pages = [name for name in dict.fromkeys(LINK.findall(text)) if name != "README"]
    return "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"


def fill(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the folder's other pages below its README."""
    if docname.endswith("/README"):
        source[0] += contents(source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", fill)
    return {"parallel_read_safe": True}
