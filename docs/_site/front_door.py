"""The reference: every name of ``fullprime.__all__`` on the page of its subject, from its docstring.

Sphinx reads this as an extension (``conf.py``). A page of ``docs/reference`` holds the words, and marks with the names
whose entries take their place when the site is built; a test holds that no name is missing.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING

import fullprime

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = "reference/"
PLACE = re.compile(r"^<!-- names: ([\w. ]+) -->$", re.MULTILINE)
DATA = {"variants": "Every game by its name: ``variants['dutch']`` is the ``Variant`` of Dutch Backgammon."}
"""Constants have no docstring of their own: these are theirs."""


def names(page: str) -> list[str]:
    """The names whose entries stand on a page, in order."""
    return " ".join(PLACE.findall(page)).split()


def directive(name: str) -> str:
    """What autodoc is asked for a name of the front door, or for one below it with the module: ``client.Client``."""
    module, _, last = f"fullprime.{name}".rpartition(".")
    thing = getattr(fullprime if module == "fullprime" else import_module(module), last)
    if isinstance(thing, type):
        # An error says what it means and what it is a kind of; its members are those of every exception.
        option = "show-inheritance" if issubclass(thing, BaseException) else "members"
        return f".. autoclass:: {module}.{last}\n   :{option}:\n"
    if callable(thing):
        return f".. autofunction:: {module}.{last}\n"
    if name in DATA:
        return f".. py:data:: fullprime.{name}\n\n   {DATA[name]}\n"
    return f".. autodata:: {module}.{last}\n"


def entries(page: str) -> str:
    """The page with its entries, as MyST."""
    return PLACE.sub(
        lambda place: "\n".join(f"```{{eval-rst}}\n{directive(name)}```\n" for name in place[1].split()), page
    )


def fill(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the entries into their pages."""
    if docname.startswith(FOLDER):
        source[0] = entries(source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", fill)
    return {"parallel_read_safe": True}
