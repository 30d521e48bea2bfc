"""The page of the front door: every name of ``fullprime.__all__``, from its docstring.

Sphinx reads this as an extension (``conf.py``). The page ``reference/python.md`` holds the words; the entries take
the place of its mark when the site is built, so that a name that comes or goes changes the page by itself.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import fullprime

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE = "reference/python"
PLACE = "<!-- front door -->"
DATA = {"variants": "Every game by its name: ``variants['dutch']`` is the ``Variant`` of Dutch Backgammon."}
"""Constants have no docstring of their own: these are theirs."""
KINDS = ("Values and classes", "Functions", "Errors", "Modules and constants")


def names() -> tuple[str, ...]:
    """The names of the front door, in its own order; the version is no entry of a reference."""
    return tuple(name for name in getattr(fullprime, "__all__", ()) if not name.startswith("__"))


def kind(thing: object) -> str:
    """The heading under which a thing of the front door stands."""
    if isinstance(thing, type):
        return "Errors" if issubclass(thing, BaseException) else "Values and classes"
    return "Functions" if callable(thing) else "Modules and constants"


def directive(name: str, thing: object) -> str:
    """What autodoc is asked for a name."""
    if isinstance(thing, type):
        # An error says what it means and what it is a kind of; its members are those of every exception.
        option = "show-inheritance" if issubclass(thing, BaseException) else "members"
        return f".. autoclass:: fullprime.{name}\n   :{option}:\n"
    if inspect.ismodule(thing):
        return f".. automodule:: {thing.__name__}\n   :members:\n"
    if callable(thing):
        return f".. autofunction:: fullprime.{name}\n"
    if name in DATA:
        return f".. py:data:: fullprime.{name}\n\n   {DATA[name]}\n"
    return f".. autodata:: fullprime.{name}\n"


def entries() -> str:
    """All entries as MyST, one section a kind."""
    found: dict[str, list[str]] = {heading: [] for heading in KINDS}
    for name in names():
        thing = getattr(fullprime, name)
        found[kind(thing)].append(f"```{{eval-rst}}\n{directive(name, thing)}```\n")
    return "\n".join(f"## {heading}\n\n" + "\n".join(parts) for heading, parts in found.items() if parts)


def fill(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the entries into their page."""
    if docname == PAGE:
        source[0] = source[0].replace(PLACE, entries())


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", fill)
    return {"parallel_read_safe": True}
