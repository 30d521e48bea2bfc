"""Files of the book: one file of JSON lines a game. The newest line of a node counts; a line cut off does not.

The first line says what the file is. Every other line is a node with all its trials. A node that is extended is
written again at the end, so that a process killed at any moment loses at most the line it was writing; ``tidy`` leaves
the newest line of each node, in a file that appears whole or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from fullprime.book.node import COLUMNS, Choice, Node, NodeKey, Way
from fullprime.book.scores import BookError
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


class Book:
    """The nodes of one game, as they have been read."""

    def __init__(self, game: str, nodes: Mapping[NodeKey, Node]) -> None:
        self.game, self.nodes = game, dict(nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes.values())

    def find(self, key: NodeKey) -> Node | None:
        """The node of a question, None where the book has nothing yet."""
        return self.nodes.get(key)

    @cached_property
    def nets(self) -> frozenset[str]:
        """The hashes of the nets that have judged."""
        return frozenset(node.nets for node in self)

    def joined(self, other: Book) -> Book:
        """Both books; where both have a node, the one with more trials, those of newer nets first."""
        whole = dict(self.nodes)
        for key, node in other.nodes.items():
            known = whole.get(key)
            if known is None or known.nets != node.nets or known.trials < node.trials:
                whole[key] = node
        return Book(self.game, whole)


def read(variant: Variant, folder: Path = DATA) -> Book:
    """The book of a game in a folder; an empty one where there is no file. Raises BookError for anything else."""
    path = file_of(variant.name, folder)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Book(variant.name, {})
    except (OSError, UnicodeDecodeError) as error:
        raise BookError(f"{path}: it cannot be read ({error})") from None
    head, *lines = text[: text.rfind("\n") + 1].splitlines() or [""]
    if _head(head) != variant.name:
        raise BookError(f"{path}: this is no book of {variant.title}")
    nodes: dict[NodeKey, Node] = {}
    for number, line in enumerate(lines, 2):
        node = _node(line, variant, f"{path}, line {number}")
        nodes[node.key] = node
    return Book(variant.name, nodes)


def line_of(node: Node) -> str:
    """A node as a line, without its end."""
    told = {
        "score": node.key.score,
        "board": node.key.board,
        "dice": node.key.dice,
        "nets": node.nets,
        "cut": node.way.cut,
        "ply": node.way.ply,
        "groups": node.groups,
        "plays": [_choice_out(each) for each in node.choices],
        "means": [[_short(number, 7) for number in each] for each in node.means],
        "spread": [_short(number, 10) for number in node.spread],
    }
    return json.dumps(told, separators=(",", ":"), allow_nan=False)


class Writer:
    """Adds nodes to a file of the book; every one is on the disk before :meth:`put` returns."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def put(self, node: Node) -> None:
        """Write a node with all its trials."""
        self._file.write(f"{line_of(node)}\n".encode())
        self._file.flush()
        os.fsync(self._file.fileno())


@contextmanager
def writing(variant: Variant, folder: Path) -> Iterator[Writer]:
    """The file of a game, open for more; one process at a time. Raises BookError where it cannot be written."""
    path = file_of(variant.name, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.with_name(f".{path.name}.lock").open("a+b") as held:
            if not _locked(held):
                raise BookError(f"{path}: another process extends this book")
            _mend(path, variant)
            with path.open("ab") as file:
                yield Writer(file)
            tidy(variant, folder)
    except OSError as error:
        raise BookError(f"{path}: it cannot be written ({error.strerror or error})") from None


def tidy(variant: Variant, folder: Path) -> None:
    """Leave the newest line of each node, in the order in which they were begun."""
    write(read(variant, folder), variant, folder)


def write(nodes: Iterable[Node], variant: Variant, folder: Path) -> None:
    """Write a file of these nodes; it appears whole or not at all."""
    path = file_of(variant.name, folder)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8") as file:
            file.writelines([f"{_head_line(variant)}\n", *(f"{line_of(node)}\n" for node in nodes)])
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


# -- inside --------------------------------------------------------------------------------------------------------
def _mend(path: Path, variant: Variant) -> None:
    """Begin the file, or cut off a last line that was not finished."""
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
        found = json.loads(line)
        return str(found["game"]) if found["format"] == FORMAT else None
    except (ValueError, KeyError, TypeError):
        return None


def _choice_out(choice: Choice) -> str | list[Any]:
    """A play alone where the board after it follows from it; a turn of several parts with its board."""
    return [choice.play, choice.board.text, choice.again] if ";" in choice.play or choice.again else choice.play


def _choice_in(told: object, key: NodeKey, variant: Variant) -> Choice:
    from fullprime.rules.notation import read_play

    if isinstance(told, list):
        play, board, again = told
        return Choice(str(play), Position.from_text(board, variant.checkers), bool(again))
    position = Position.from_text(key.board, variant.checkers)
    return Choice(str(told), read_play(str(told), position, key.roll, variant).position)


def _node(line: str, variant: Variant, place: str) -> Node:
    try:
        told = json.loads(line)
        key = NodeKey(variant.name, told["score"], told["board"], told["dice"])
        choices = tuple(_choice_in(each, key, variant) for each in told["plays"])
        means = tuple(tuple(map(float, each)) for each in told["means"])
        spread = tuple(map(float, told["spread"]))
        count, groups = len(choices), int(told["groups"])
        fits = len(spread) == count * (count + 1) // 2 and len(means) == count
        if groups < 0 or (groups and not fits) or any(len(each) != COLUMNS for each in means):
            raise BookError("the sums do not fit the plays")
        return Node(key, told["nets"], Way(told["cut"], told["ply"]), choices, groups, means, spread)
    except (ValueError, KeyError, TypeError, FullprimeError) as error:
        raise BookError(f"{place}: this is no node of the book ({error})") from None


def _short(number: float, digits: int) -> float:
    """A number with so many digits behind the point, or as many that matter where it is small."""
    return float(f"{number:.{digits}g}") if abs(number) < 1e-3 else round(number, digits)


def _locked(file: IO[bytes]) -> bool:
    """Lock a file for this process; False if another one has it. The system frees it when a process ends."""
    try:
        import fcntl

        fcntl.lockf(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except (ImportError, OSError):
        return True  # no locks here
    return True
