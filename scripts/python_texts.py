"""The sentences that Python makes for people, as templates: ``f"{name} has won"`` is ``{1} has won``.

A module is read, not run. Every literal of text counts with what is joined to it: an expression in an f-string is a
place, a choice between two texts gives a template for each, and texts that are added to each other are one. What is
written for the machine is told from sentences by where it stands and by its looks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from itertools import product
from pathlib import Path

from fullprime.web.texts.markup import ATTRIBUTE

_MOST = 16
"""Templates that one expression may give; beyond that its choices are places."""
_WORD = r"[^\W\d_]{2,}(?:'[a-z])?"
_PROSE = re.compile(
    rf"{_WORD}[,.;:!?…)”'`\u2019]* +[(“`'{{\d]*({_WORD}|\{{|a\b)|\}}[^\w{{]{{0,4}} +[(“]?(a )?{_WORD}|\d [^\W\d_]{{2,}}"
)
"""Two words, or a word beside a place."""
_TECHNICAL = re.compile(
    r"^[\w./*-]+$|^<|\w=.\{\}|^Accept-|^(SELECT|PRAGMA|CREATE|INSERT|UPDATE|DELETE|ALTER) |</|\\d|%s"
    "|text/|application/"
)
_MARK = re.compile(r"<[^<>]*>")
_TECHNICAL_CALLS = {
    "compile", "getattr", "setattr", "hasattr", "Field", "Query", "Path", "text", "debug", "info_log", "warning",
    "error", "exception", "log", "split", "startswith", "endswith", "removeprefix", "removesuffix", "encode",
    "fullmatch", "search", "match", "sub", "findall", "TypeVar", "NewType", "gauge", "counter", "histogram",
    "Counter", "Gauge", "Histogram", "execute", "strftime", "CheckConstraint", "Thread", "deprecated", "warn",
}  # fmt: skip
"""Functions whose texts are for the machine, or for the operator."""
_UNTOLD = {"AssertionError", "NotImplementedError", "RuntimeError", "TypeError", "AttributeError"}
"""Errors that no page shows."""


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence, or a part of one, with ``{1}``, ``{2}`` for what is put in, and the source of each."""

    key: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    source: str


_Parts = tuple["str | _Place", ...]


def templates_in(source: str, *, markup: bool = False) -> list[Template]:
    """The templates of a module, in order, each once; with ``markup`` those between the marks of HTML, too."""
    reader = _Reader()
    reader.visit(ast.parse(source))
    said = (template for parts in reader.found for each in _paragraphs(parts) if (template := _template(each)))
    shown = (text for parts in reader.found for text in _between_marks(parts)) if markup else ()
    return list(dict.fromkeys((*said, *shown)))


def templates_of(paths: Iterable[Path]) -> Iterator[tuple[Path, Template]]:
    """The templates of modules."""
    for path in paths:
        for template in templates_in(path.read_text(encoding="utf-8")):
            yield path, template


class _Reader(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found: list[_Parts] = []

    def visit(self, node: ast.AST) -> None:
        """Take a text with all that belongs to it, or look for texts within."""
        if isinstance(node, ast.expr) and (between := _between(node)) is not None:
            self.found.append((_Place("one"), between, _Place("another")))
        if isinstance(node, ast.expr) and _is_text(node):
            inside: list[ast.expr] = []
            self.found += _alternatives(node, inside)
            for each in inside:
                self.visit(each)
            return
        super().visit(node)

    def _body(self, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for each in node.body:
            if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)):  # what explains, is not said
                self.visit(each)

    def visit_Module(self, node: ast.Module) -> None:
        self._body(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._body(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for each in (*node.args.defaults, *node.args.kw_defaults):
            if each is not None:
                self.visit(each)
        self._body(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)  # type: ignore[arg-type]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and ast.unparse(node.annotation) != "TypeAlias":
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """What is compared is for the machine."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """What is asserted nobody is told."""

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node.func)
        if name in _UNTOLD or _between(node) is not None:
            for each in node.args if name == "join" else ():
                self.visit(each)
            return
        if isinstance(node.func, ast.Attribute):
            self.visit(node.func.value)
        if name in _TECHNICAL_CALLS:
            return
        for each in (*node.args, *(word.value for word in node.keywords)):
            self.visit(each)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _between(node: ast.expr) -> str | None:
    """The words that ``" or ".join(...)`` puts between others; None for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="join")) if re.search(_WORD, text):
            return text
    return None


def _is_text(node: ast.expr) -> bool:
    """True for an expression that is made of literal text."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(op=ast.Add()):
            return _is_text(node.left) or _is_text(node.right)
        case ast.IfExp():
            return _is_text(node.body) or _is_text(node.orelse)
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return _is_text(value)
    return False


def _alternatives(node: ast.expr, inside: list[ast.expr]) -> list[_Parts]:
    """What an expression may say; expressions that are no literal text are put into ``inside``."""
    match node:
        case ast.Constant(value=str(text)):
            return [(text,)]
        case ast.JoinedStr():
            return _joined([_alternatives(each, inside) for each in node.values], node)
        case ast.FormattedValue(format_spec=None, conversion=-1) if _is_text(node.value):
            return _alternatives(node.value, inside)
        case ast.FormattedValue():
            inside.append(node.value)
            return [(_Place(ast.unparse(node.value)),)]
        case ast.BinOp(op=ast.Add()) if _is_text(node):
            return _joined([_alternatives(each, inside) for each in (node.left, node.right)], node)
        case ast.IfExp() if _is_text(node):
            inside.append(node.test)
            return [*_alternatives(node.body, inside), *_alternatives(node.orelse, inside)]
        case ast.Call(func=ast.Attribute(value=value, attr="format")) if _is_text(value):
            inside += [*node.args, *(word.value for word in node.keywords)]
            return [_formatted(parts) for parts in _alternatives(value, inside)]
    inside.append(node)
    return [(_Place(ast.unparse(node)),)]


def _joined(each: list[list[_Parts]], node: ast.expr) -> list[_Parts]:
    count = 1
    for one in each:
        count *= len(one)
    if count > _MOST:
        return [
            tuple(part for one in each for part in (one[0] if len(one) == 1 else (_Place(ast.unparse(node)[:40]),))),
            *(parts for one in each if len(one) > 1 for parts in one),
        ]
    return [tuple(part for parts in chosen for part in parts) for chosen in product(*each)]


def _formatted(parts: _Parts) -> _Parts:
    """The places of ``str.format`` in a text."""
    made: list[str | _Place] = []
    for part in parts:
        if isinstance(part, _Place):
            made.append(part)
            continue
        for at, piece in enumerate(re.split(r"\{([a-z_][^{}]*|)\}", part)):
            made.append(_Place(piece) if at % 2 else piece)
    return tuple(made)


def _paragraphs(parts: _Parts) -> Iterator[_Parts]:
    """The lines of a text, each of which is one by itself."""
    line: list[str | _Place] = []
    for part in parts:
        if isinstance(part, _Place):
            line.append(part)
            continue
        first, *more = part.split("\n")
        line.append(first)
        for each in more:
            yield tuple(line)
            line = [each]
    yield tuple(line)


def _between_marks(parts: _Parts) -> Iterator[Template]:
    """The texts of markup: what stands between two marks, and in the attributes that people read or hear."""
    places = [part for part in parts if isinstance(part, _Place)]
    numbers = iter(range(len(places)))
    whole = "".join(part if isinstance(part, str) else f"\0{next(numbers)}\0" for part in parts)
    if not re.search(r"</|<[a-z]+ [^<>]*>", whole):
        return
    heard = [found[1] for mark in _MARK.findall(whole) for found in ATTRIBUTE.finditer(mark)]
    for text in (*_MARK.split(whole), *heard):
        pieces = unescape(text).split("\0")
        made = _template(tuple(places[int(each)] if at % 2 else each for at, each in enumerate(pieces)), prose=False)
        if made is not None:
            yield made


def _template(parts: _Parts, *, prose: bool = True) -> Template | None:
    """A template out of its parts; None for what is no sentence, or without ``prose`` for what has no word."""
    key, values, last = "", list[str](), False
    for part in _formatted(parts):
        if isinstance(part, str):
            key, last = key + part, last and not part
        elif last:
            values[-1] += f" {part.source}"  # two places side by side cannot be told apart
        else:
            values.append(part.source)
            key, last = f"{key}{{{len(values)}}}", True
    key = " ".join(key.split()).strip(" ;:,")
    if key.startswith("(") and key.endswith(")") and key.count("(") == 1:
        key = key[1:-1]
    bare = re.sub(r"\{\d+\}", "{}", key)
    if not re.search(_WORD, bare) or (prose and (not _PROSE.search(bare) or _TECHNICAL.search(bare))):
        return None
    return Template(key, tuple(values))
