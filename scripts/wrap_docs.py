"""Wrap the prose of the documents at 120 columns.

``python scripts/wrap_docs.py`` writes every page of ours; ``--check`` only names those that it would change (exit code
1 if there are any). A paragraph whose lines all fit is left as it is. Code, tables, headings and HTML are never
touched, and inline code is not broken.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 120
ITEM = re.compile(r"( *)([-*+]|\d+[.)]) +")
WORD = re.compile(r"(?:`[^`]*`|\S)+")
# A word that would mean something else at the beginning of a line; it stays with the word before it.
MARKUP = re.compile(r"(?:[-*+>|]|\d+[.)]|#+|=+|`{3}.*|<.*)$")


def pages() -> list[Path]:
    """Every page of ours."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def wrapped(first: str, rest: str, text: str) -> list[str]:
    """Text as lines that fit: the first line begins with ``first``, the others with ``rest``."""
    words: list[str] = []
    for word in WORD.findall(text):
        if words and MARKUP.match(word):
            words[-1] += f" {word}"
        else:
            words.append(word)
    lines, line = [], first + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = rest + word
        else:
            line += f" {word}"
    return [*lines, line]


def groups(lines: list[str]) -> list[tuple[bool, list[str]]]:
    """Lines in groups, each with whether it is prose: a paragraph and an item of a list is one, any other line one."""
    found: list[tuple[bool, list[str]]] = []
    fenced = comment = joins = False
    for line in lines:
        bare = line.strip()
        mark = bare.startswith("```")
        if fenced or mark or comment or not bare or bare[0] in "|#<" or (line.startswith("    ") and not joins):
            found.append((False, [line]))
            fenced ^= mark
            comment = (comment or bare.startswith("<!--")) and not bare.endswith("-->")
            joins = False
        elif joins and not ITEM.match(line):
            found[-1][1].append(line)
        else:
            found.append((True, [line]))
            joins = True
    return found


def wrap(text: str) -> str:
    """A page with its long paragraphs wrapped."""
    lines: list[str] = []
    for prose, group in groups(text.splitlines()):
        if not prose or max(map(len, group)) <= WIDTH:
            lines.extend(group)
            continue
        item = ITEM.match(group[0])
        first = item[0] if item else group[0][: len(group[0]) - len(group[0].lstrip())]
        lines.extend(wrapped(first, " " * len(first), " ".join([group[0][len(first) :], *group[1:]])))
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write or check the pages."""
    changed = []
    for page in pages():
        old = page.read_text(encoding="utf-8")
        if (new := wrap(old)) != old:
            changed.append(page.relative_to(ROOT).as_posix())
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
    if "--check" in sys.argv and changed:
        print(f"lines are too long, run make format: {', '.join(changed)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
