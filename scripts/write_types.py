"""Write the TypeScript types of what the server tells the pages, from its values.

``python scripts/write_types.py`` writes; ``--check`` only says whether the file is up to date (exit code 1 if not). The
pages' scripts name the types in their comments, and ``tsc`` checks them; nothing of it is served to a browser.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from dataclasses import is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin

from fullprime.accounts.model import FriendList, LobbyNow
from fullprime.accounts.store.challenges import Challenge
from fullprime.common.documented import field_docs, field_types, parts_of, summary_of
from fullprime.common.json_values import json_form
from fullprime.play.events import Seat
from fullprime.play.server.fields import DiceProof, GameState, OpponentKind, StateMessage, TalkLog
from fullprime.play.table.fields import PhaseName, TreeStep
from fullprime.play.table.scorecard import ScoreCard
from fullprime.play.table.table_events import Event, Side
from fullprime.reviews.score_maps import CubePlace, ScoreMap

PAGE = Path(__file__).resolve().parents[1] / "src" / "fullprime" / "web" / "static" / "parts" / "state.d.ts"
HEAD = """\
// Written by scripts/write_types.py from the values that it names: change those, then run it again.
/* What the server tells the pages. Fields that may be missing have a question mark. */
"""
ALIASES = {
    "Side": (Side, "One of the two sides."),
    "Seat": (Seat, "Where a person sits: `both` are two people at one screen."),
    "OpponentKind": (OpponentKind, "Against whom a game is played."),
    "CubePlace": (CubePlace, "Where the cube is, seen by the player on roll."),
    "PhaseName": (PhaseName, "What a game waits for."),
    "TreeStep": (TreeStep, "One checker move of a tree: from, to, whether it hits (1 or 0), and the node after it."),
    "GameState": (GameState, "The state of a game as one person sees it; `status` tells the two apart."),
    "GameEvent": (Event, "Whatever may happen, told apart by `kind`."),
}
"""Names for types that stand in many places."""
CONTRACTS = (StateMessage, DiceProof, TalkLog, ScoreCard, ScoreMap, LobbyNow, FriendList, Challenge)
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def written(kind: Any, *, but: str | None = None) -> str:
    """A type in TypeScript; ``but`` is the alias that is just being defined."""
    for name, (alias, _) in ALIASES.items():
        if name != but and kind == alias:
            return name
    if kind in PLAIN:
        return PLAIN[kind]
    form = json_form(kind)
    if form is not None:
        return written(form.kind)
    if isinstance(kind, type) and is_dataclass(kind):
        return kind.__name__
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(f'"{choice}"' for choice in inside)
    if origin in (Union, UnionType):
        return " | ".join(_of_union(inside, but))
    if origin is list or (origin is tuple and inside[-1] is ...):
        item = written(inside[0])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if origin is tuple:
        return f"[{', '.join(map(written, inside))}]"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"Record<{written(inside[0])}, {written(inside[1])}>"
    raise TypeError(f"no TypeScript is known for {kind!r}")


def _of_union(inside: tuple[Any, ...], but: str | None) -> list[str]:
    """The members of a union; aliases that it contains whole are named."""
    parts: list[str] = []
    rest = list(inside)
    for name, (alias, _) in ALIASES.items():
        members = get_args(alias) if get_origin(alias) in (Union, UnionType) else ()
        if name != but and members and all(member in rest for member in members):
            parts.append(name)
            rest = [member for member in rest if member not in members]
    return parts + [written(member) for member in rest]


def alias(name: str, kind: Any) -> str:
    """A name for a type, in one line or, when that is too long, in some more."""
    text = f"export type {name} = {written(kind, but=name)};"
    return "\n".join(textwrap.wrap(text, 120, subsequent_indent="  "))


def interface(contract: type) -> str:
    """A value with the description of each field."""
    lines = [comment(summary_of(contract)), f"export interface {contract.__name__} {{"]
    docs = field_docs(contract)
    for name, kind in field_types(contract).items():
        missing = get_origin(kind) is NotRequired
        kind = get_args(kind)[0] if missing else kind
        lines += [comment(docs[name], "  "), f"  {name}{'?' if missing else ''}: {written(kind)};"]
    return "\n".join([*lines, "}"])


def comment(text: str, indent: str = "") -> str:
    """A comment of 120 columns."""
    text = " ".join(text.replace("``", "`").split())
    if len(indent) + len(text) + 7 <= 120:
        return f"{indent}/** {text} */"
    lines = textwrap.wrap(text, 117 - len(indent))
    return "\n".join([f"{indent}/**", *(f"{indent} * {line}" for line in lines), f"{indent} */"])


def page() -> str:
    """The whole file."""
    aliases = [f"{comment(about)}\n{alias(name, kind)}" for name, (kind, about) in ALIASES.items()]
    contracts = {kind.__name__: kind for contract in CONTRACTS for kind in parts_of(contract)}
    return "\n\n".join([HEAD.rstrip(), *aliases, *(interface(kind) for kind in contracts.values())]) + "\n"


def main() -> int:
    """Write the file, or check it."""
    new = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != new:
            print(f"{PAGE.name} is not up to date: run python scripts/write_types.py")
            return 1
        return 0
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
