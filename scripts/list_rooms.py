"""Write the list of modules in docs/architecture.md from the first line of each module's docstring.

``python scripts/list_rooms.py`` writes; ``--check`` only says whether the page is up to date (exit code 1 if not).
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = ROOT / "src" / "fullprime"
LAB = ROOT / "lab" / "src" / "fullprime_lab"
BEGIN, END = "<!-- modules -->\n", "<!-- end of modules -->\n"
LAYERS = (
    "rules", "common", "engine", "db", "formats", "drawing", "messages", "play", "reviews", "accounts", "analysis",
    "learn", "library", "front", "client", "cli", "web",
)  # fmt: skip


def first_line(module: Path) -> str:
    """The first line of a module's docstring, without its full stop."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return text.split("\n", 1)[0].rstrip(".").replace("``", "`")


def listing() -> str:
    """One table for each layer and one for the laboratory, one row for each module that says something about itself."""
    parts: list[str] = []
    for room in (*(PACKAGE / layer for layer in LAYERS), LAB):
        modules = [path for path in sorted(room.rglob("*.py")) if first_line(path)]
        if not modules:
            continue
        parts.append(f"### {room.name}\n\n| module | what it is |\n|---|---|\n")
        for path in modules:
            name = path.relative_to(room).as_posix()
            parts.append(f"| `{name}` | {first_line(path)} |\n")
        parts.append("\n")
    return "".join(parts)


def page() -> str:
    """The whole page with the list brought up to date."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{listing()}{END}{after}"


def main() -> int:
    """Write or check the page."""
    wanted = page()
    if "--check" in sys.argv:
        same = PAGE.read_text(encoding="utf-8") == wanted
        if not same:
            print("docs/architecture.md does not list the modules as they are: run make rooms", file=sys.stderr)
        return 0 if same else 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
