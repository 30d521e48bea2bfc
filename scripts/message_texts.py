"""The messages in a module of Python: the literals that it gives to ``Message``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

BESIDE = ("rules/message.py",)
"""The modules that make messages of templates which stand elsewhere."""


@dataclass(frozen=True)
class MessageText:
    """A text of a message; ``one`` is its form for one, of a text by number, whose key is the form for several."""

    key: str
    one: str | None = None


def texts_of_module(source: str, name: str = "") -> Iterator[MessageText]:
    """The texts of the messages in a module, in order; raises ValueError for one that is no literal."""
    if "Message" not in source or name in BESIDE:
        return
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        match call.func:
            case ast.Name("Message"):
                yield MessageText(_literal(call, 0, name))
            case ast.Attribute(ast.Name("Message"), "by_number"):
                yield MessageText(_literal(call, 2, name), _literal(call, 1, name))


def _literal(call: ast.Call, number: int, name: str) -> str:
    argument = call.args[number] if len(call.args) > number else None
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value
    raise ValueError(f"{name}, line {call.lineno}: the text of a message is a literal, so that it can be translated")
