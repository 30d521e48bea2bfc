"""What part of each room's statements the tests have run; exit code 1 where a room has less than ``fail_under`` asks.

``make coverage`` measures (``[tool.coverage]`` in pyproject.toml says what) and calls this; the rows below the rooms
are the modules with the most statements that no test runs.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path, PurePath

from coverage import Coverage

MODULES = 12
"""How many of the modules with the most statements left are named."""


def main() -> int:
    """Print the table."""
    measured = Coverage()
    measured.load()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(file))
        files = json.loads(file.read_text(encoding="utf-8"))["files"]
    threshold = float(str(measured.get_option("report:fail_under")))
    rooms, run, missing = Counter[str](), Counter[str](), dict[str, list[int]]()
    for name, figures in files.items():
        inside = PurePath(name).parts
        inside = inside[len(inside) - inside[::-1].index("fullprime") :]
        room = inside[0] if len(inside) > 1 else "fullprime"
        rooms[room] += figures["summary"]["num_statements"]
        run[room] += figures["summary"]["covered_lines"]
        missing["/".join(inside)] = figures["missing_lines"]
    below = [room for room in rooms if 100 * run[room] < threshold * rooms[room]]
    for room in sorted(rooms):
        print(f"{room:12} {share(run[room], rooms[room])} of {rooms[room]:6,} statements")
    print(f"{'together':12} {share(run.total(), rooms.total())} of {rooms.total():6,} statements")
    for name, lines in sorted(missing.items(), key=lambda item: -len(item[1]))[:MODULES]:
        print(f"  {len(lines):4} left in {name}: {ranges(lines)}")
    if below:
        print(f"less than {threshold:.0f} %: {', '.join(below)}", file=sys.stderr)
    return int(bool(below))


def share(part: int, total: int) -> str:
    """A percentage; of nothing, all is there."""
    return f"{100 * part / total if total else 100:5.1f} %"


def ranges(lines: list[int]) -> str:
    """``1-3, 7``."""
    spans: list[list[int]] = []
    for line in lines:
        if spans and line - spans[-1][-1] == 1:
            spans[-1] = [spans[-1][0], line]
        else:
            spans.append([line])
    return ", ".join("-".join(map(str, span)) for span in spans)


if __name__ == "__main__":
    sys.exit(main())
