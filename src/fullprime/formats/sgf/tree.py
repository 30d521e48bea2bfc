"""Smart Game Format: the syntax. Game trees, nodes, properties; only the main line is followed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

from fullprime.formats.document import FormatError, Problem
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import MOST_MATCHES

_NEXT = re.compile(r"[();]|([A-Za-z]{1,20}+)\s*+(?=\[)")
_VALUE = re.compile(r"\s*+\[((?:[^\]\\]|\\.)*+)\]", re.DOTALL)
_DEEPEST = 100
"""Game trees inside each other: programs write variations at the depth of a play, if at all."""
_CHARSET = re.compile(rb"CA\[\s*([A-Za-z0-9_.:-]{1,20})\s*\]")
_LETTERS = re.compile(
    r"utf-?(?:8|16|32)[\w-]*|ascii|iso[\w-]+|cp\d+|koi8-\w|mac-\w+|big5\w*|gb\w+|euc\w+|shift\w+|johab|hz"
)
"""Sets of letters; Python also knows codecs that are none, and that take long or make halves of letters."""
_SOFT_BREAK = re.compile(r"\\\r?\n|\\\n?\r")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(slots=True)
class SgfNode:
    """The properties of one node, in order, and the line on which it begins."""

    line: int
    properties: dict[str, list[str]] = field(default_factory=dict)

    def one(self, name: str) -> str | None:
        """The first value of a property, or None."""
        values = self.properties.get(name)
        return values[0] if values else None


def decode(data: bytes) -> str:
    """The text of an SGF file in the character set it names."""
    named = _CHARSET.search(data[:2000])
    if named and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        try:
            codec = codecs.lookup(named[1].decode("ascii")).name
            if _LETTERS.fullmatch(codec):
                return data.decode(codec)
        except (LookupError, UnicodeDecodeError, ValueError):
            pass
    return texts.decode(data)


def unescape(value: str) -> str:
    """A text value without its escapes."""
    return _ESCAPE.sub(r"\1", _SOFT_BREAK.sub("", value))


def escape(value: str) -> str:
    """A text as a property value; a colon means nothing in the values of one part that we write."""
    return value.replace("\\", "\\\\").replace("]", "\\]")


def read_trees(text: str, problems: list[Problem]) -> list[list[SgfNode]]:
    """The main line of every game tree. Text that is no SGF is reported; variations are left out and reported.

    Raises FormatError for game trees that are too many or nested too deeply.
    """
    builder = _Trees(problems)
    line, counted, end = 1, 0, 0
    while (token := _NEXT.search(text, end)) is not None:
        start = token.start()
        line += text.count("\n", counted, start)
        counted = start
        if between := text[end:start].strip():
            problems.append(Problem(f"not understood: {between!r:.60}", line))
        end = token.end()
        values: list[str] = []
        while token[1] and (value := _VALUE.match(text, end)) is not None:
            values.append(value[1])
            end = value.end()
        if token[1] and not values:
            problems.append(Problem(f"the value of {token[1]} has no end: the rest of the file is left out", line))
            end = len(text)
        elif text[start] == "(":
            builder.opens(line)
        elif text[start] == ")":
            builder.closes()
        else:
            builder.says(token[1], values, line)
    if text[end:].strip("\x00 \t\r\n"):
        problems.append(Problem(f"not understood: {text[end:].strip()!r:.60}", line))
    if builder.children:
        problems.append(Problem("the file ends in the middle of a game", line))
    return [nodes for nodes in builder.games if nodes]


class _Trees:
    """The game trees so far."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.games: list[list[SgfNode]] = []
        self.children: list[int] = []
        """Of each tree that is open, how many were in it."""
        self.skipped = 0
        """Open trees of a variation that is left out."""

    def opens(self, line: int) -> None:
        """A tree begins."""
        children = self.children
        if len(children) + self.skipped >= _DEEPEST:
            raise FormatError(f"line {line}: over {_DEEPEST} game trees stand inside each other")
        if not children:
            if len(self.games) >= MOST_MATCHES:
                raise FormatError(f"line {line}: over {MOST_MATCHES:,} game trees stand in one file")
            self.games.append([])
        if not self.skipped and not (children and children[-1]):
            if children:
                children[-1] += 1
            children.append(0)
        else:
            if not self.skipped:
                self.problems.append(Problem("a variation is left out", line))
            self.skipped += 1

    def closes(self) -> None:
        """A tree ends."""
        if self.skipped:
            self.skipped -= 1
        elif self.children:
            self.children.pop()

    def says(self, name: str | None, values: list[str], line: int) -> None:
        """A node, or a property of the last node."""
        if self.children and not self.skipped:
            _add(self.games[-1], name, values, line)


def _add(nodes: list[SgfNode], name: str | None, values: list[str], line: int) -> None:
    """A node, or a property of the last node."""
    if name is None:
        nodes.append(SgfNode(line))
    elif nodes:
        key = "".join(letter for letter in name if letter.isupper())
        nodes[-1].properties.setdefault(key, []).extend(values)
