"""Files of the book: one file of JSON lines a game. The newest line of a node counts; a line cut off does not.

The first line says what the file is. Every other line is a node with all its trials. A node that is extended is
written again at the end, so that a process killed at any moment loses at most the line it was writing; ``tidy`` leaves
the newest line of each node, in a file that appears whole or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from fullprime.common.atomic_write import atomic_write
from fullprime.common.file_lock import FileLocked, exclusive_lock
from fullprime.learn.opening_book.node import COLUMNS, BookNode, BookPlay, NodeKey, TrialMethod
from fullprime.learn.opening_book.scores import BookError
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime.rules.variants.variant import Variant

FORMAT = "fullprime book 1"
DATA = Path(__file__).parent / "data"
"""The folder of the package's own book."""


def own_folder() -> Path:
    """The folder of the user's own trials, beside those of the package."""
    import platformdirs

    return Path(os.environ.get("FULLPRIME_BOOK") or platformdirs.user_data_path("fullprime", appauthor=False) / "book")


def file_of(game: str, folder: Path = DATA) -> Path:
    """The file of a game's book."""
    return folder / f"{game}.jsonl"


class Nodes(MutableMapping[NodeKey, BookNode]):
    """The nodes of a file, each read at its first use. Raises BookError for a line that is no node."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._all: dict[NodeKey, BookNode | _Line] = {}

    def __getitem__(self, key: NodeKey) -> BookNode:
        node = self._all[key]
        if isinstance(node, _Line):
            node = self._all[key] = _node(node, key, self._variant)
        return node

    def __setitem__(self, key: NodeKey, node: BookNode) -> None:
        self._all[key] = node

    def __delitem__(self, key: NodeKey) -> None:
        del self._all[key]

    def __iter__(self) -> Iterator[NodeKey]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def add_line(self, line: str, place: str) -> None:
        """Add a line; the newest of a node counts. Raises BookError for a line without a question."""
        try:
            fields = json.loads(line)
            key = NodeKey(self._variant.name, str(fields["score"]), str(fields["board"]), str(fields["dice"]))
            self._all[key] = _Line(fields, str(fields["nets"]), int(fields["groups"]), place)
        except (ValueError, KeyError, TypeError) as error:
            raise BookError(f"{place}: this is no node of the book ({error})") from None

    def outdo(self, other: Nodes) -> None:
        """Take from ``other`` the nodes that are missing here, have fewer trials here, or other nets."""
        for key, node in other._all.items():
            node_here = self._all.get(key)
            if node_here is None or node_here.nets != node.nets or node_here.groups < node.groups:
                self._all[key] = node

    def copy(self) -> Nodes:
        """A copy, to be changed by itself."""
        copy = Nodes(self._variant)
        copy._all = dict(self._all)
        return copy


class Book:
    """The nodes of one game, as they have been read."""

    def __init__(self, variant: Variant, nodes: Nodes | None = None) -> None:
        self.game, self.nodes = variant.name, Nodes(variant) if nodes is None else nodes

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[BookNode]:
        return iter(self.nodes.values())

    def find(self, key: NodeKey) -> BookNode | None:
        """The node of a question, None where the book has nothing yet."""
        return self.nodes.get(key)

    @property
    def nets(self) -> frozenset[str]:
        """The hashes of the nets that have judged the nodes."""
        return frozenset(node.nets for node in self)

    def join(self, variant: Variant, other: Book) -> Book:
        """Both books; where both have a node, the one with more trials, that of ``other`` where the nets differ."""
        nodes = self.nodes.copy()
        nodes.outdo(other.nodes)
        return Book(variant, nodes)


def read(variant: Variant, folder: Path = DATA) -> Book:
    """The book of a game in a folder; an empty one where there is no file. Raises BookError for anything else."""
    path = file_of(variant.name, folder)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Book(variant)
    except (OSError, UnicodeDecodeError) as error:
        raise BookError(f"{path}: it cannot be read ({error})") from None
    head, *lines = text[: text.rfind("\n") + 1].splitlines() or [""]
    if _head(head) != variant.name:
        raise BookError(f"{path}: this is no book of {variant.title}")
    nodes = Nodes(variant)
    for number, line in enumerate(lines, 2):
        nodes.add_line(line, f"{path}, line {number}")
    return Book(variant, nodes)


def line_of(node: BookNode) -> str:
    """A node as a line, without its end."""
    fields = {
        "score": node.key.score,
        "board": node.key.board,
        "dice": node.key.dice,
        "nets": node.nets,
        "cut": node.method.cut,
        "ply": node.method.ply,
        "groups": node.groups,
        "plays": [_choice_out(choice) for choice in node.choices],
        "means": [[_short(mean, 7) for mean in figures] for figures in node.means],
        "spread": [_short(number, 10) for number in node.spread],
    }
    return json.dumps(fields, separators=(",", ":"), allow_nan=False)


class Writer:
    """Adds nodes to a file of the book; every one is on the disk before :meth:`put` returns."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, node: BookNode) -> None:
        """Write a node with all its trials."""
        self._file.write(f"{line_of(node)}\n".encode())
        self._file.flush()
        os.fsync(self._file.fileno())


@contextmanager
def writing(variant: Variant, folder: Path) -> Iterator[Writer]:
    """Open the file of a game to add nodes, one process at a time. Raises BookError where it cannot be written."""
    path = file_of(variant.name, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(path.with_name(f".{path.name}.lock")):
            _mend(path, variant)
            with path.open("ab") as file:
                yield Writer(file)
            tidy(variant, folder)
    except FileLocked:
        raise BookError(f"{path}: another process extends this book") from None
    except OSError as error:
        raise BookError(f"{path}: it cannot be written ({error.strerror or error})") from None


def tidy(variant: Variant, folder: Path) -> None:
    """Leave the newest line of each node, in the order in which they were begun."""
    write(read(variant, folder), variant, folder)


def write(nodes: Iterable[BookNode], variant: Variant, folder: Path) -> None:
    """Write a file of these nodes, atomically."""
    atomic_write(file_of(variant.name, folder), "\n".join([_head_line(variant), *map(line_of, nodes), ""]))


# -- inside --------------------------------------------------------------------------------------------------------
def _mend(path: Path, variant: Variant) -> None:
    """Begin the file, or cut off an unfinished last line."""
    if not path.exists() or not path.stat().st_size:
        path.write_text(f"{_head_line(variant)}\n", encoding="utf-8")
        return
    with path.open("r+b") as file:
        data = file.read()
        if not data.endswith(b"\n"):
            file.truncate(data.rfind(b"\n") + 1)
            if not data.rfind(b"\n") + 1:
                file.seek(0)
                file.write(f"{_head_line(variant)}\n".encode())


def _head_line(variant: Variant) -> str:
    return json.dumps({"format": FORMAT, "game": variant.name}, separators=(",", ":"))


def _head(line: str) -> str | None:
    """The game of a file by its first line, None for something else."""
    try:
        head = json.loads(line)
        return str(head["game"]) if head["format"] == FORMAT else None
    except (ValueError, KeyError, TypeError):
        return None


def _choice_out(choice: BookPlay) -> list[Any]:
    """A candidate with the board after it, so that a reader of the book need not play it."""
    return [choice.play, choice.board.text, *([True] if choice.again else [])]


def _read_choice(fields: object, variant: Variant) -> BookPlay:
    if not isinstance(fields, list) or not 2 <= len(fields) <= 3:
        raise BookError(f"{fields!r:.60} is no candidate")
    play, board, *again = fields
    return BookPlay(str(play), Position.from_text(board, variant.checkers), bool(again and again[0]))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that has not been read as a node yet, with the values from the file."""

    fields: Mapping[str, Any]
    nets: str
    groups: int
    place: str


def _node(line: _Line, key: NodeKey, variant: Variant) -> BookNode:
    fields = line.fields
    try:
        choices = tuple(_read_choice(choice, variant) for choice in fields["plays"])
        means = tuple(tuple(map(float, figures)) for figures in fields["means"])
        spread = tuple(map(float, fields["spread"]))
        count, groups = len(choices), line.groups
        fits = len(spread) == count * (count + 1) // 2 and len(means) == count
        if groups < 0 or (groups and not fits) or any(len(figures) != COLUMNS for figures in means):
            raise BookError("the sums do not fit the plays")
        return BookNode(key, line.nets, TrialMethod(fields["cut"], fields["ply"]), choices, groups, means, spread)
    except (ValueError, KeyError, TypeError, FullprimeError) as error:
        raise BookError(f"{line.place}: this is no node of the book ({error})") from None


def _short(number: float, digits: int) -> float:
    """A number with ``digits`` digits after the point; a small one with as many significant digits."""
    return float(f"{number:.{digits}g}") if abs(number) < 1e-3 else round(number, digits)
