"""The page of the modules: each module with the first line of its docstring, from the lowest layer up.

Sphinx reads this as an extension (``conf.py``). Git holds the page with a mark, and the list takes the mark's place
when the site is built; tests hold that it can be built, and that no layer is missing.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "fullprime"
LAB = ROOT / "lab" / "src" / "fullprime_lab"
PAGE = "modules"
MARK = "<!-- modules -->\n"


def layers() -> list[str]:
    """The packages of ``fullprime`` from the lowest layer up, as the contract of the imports orders them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    names = [name for layer in reversed(contract["layers"]) for name in re.findall(r"\w+", layer)]
    return [name for name in names if (PACKAGE / name).is_dir()]


def first_line(module: Path) -> str:
    """The first line of a module's docstring, without its full stop."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return text.split("\n", 1)[0].rstrip(".").replace("``", "`")


def list_modules() -> str:
    """One table for each layer and one for the laboratory, with a row for each module that has a docstring."""
    parts: list[str] = []
    for package in (*(PACKAGE / layer for layer in layers()), LAB):
        parts.append(f"## {package.name}\n\n| module | what it is |\n|---|---|\n")
        lines = {path.relative_to(package): first_line(path) for path in sorted(package.rglob("*.py"))}
        parts += [f"| `{path.as_posix()}` | {line} |\n" for path, line in lines.items() if line]
        parts.append("\n")
    return "".join(parts)


def fill(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the list in the place of its mark."""
    if docname == PAGE:
        source[0] = source[0].replace(MARK, list_modules())


def find_outdated(*_: object) -> list[str]:
    """Have the page read anew each time, because any module may have changed."""
    return [PAGE]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", fill)
    app.connect("env-get-outdated", find_outdated)
    return {"parallel_read_safe": True}
