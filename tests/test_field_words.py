"""Names: words of the field and of web work lead to a path, a class or a function; methods of stores are verbs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import fullprime

PACKAGE = Path(fullprime.__file__).parent
WORDS = (
    "account", "analysis_board", "archive", "atomic", "background_rollouts", "backup", "batch", "bear_off", "beaver",
    "blunder", "cache", "challenge", "chat", "claim", "clock", "commitment", "comment",
    "cookie", "crawford", "cube", "dance", "database", "delay", "dice", "doubling", "drag", "draw", "drill",
    "drop", "endgame", "engine", "equity", "evaluation", "event_stream", "export", "file_lock", "flashcard", "flip",
    "follow_up", "game_record", "glicko", "glossary", "gnubg", "health", "heartbeat", "hint", "import_files",
    "jacoby", "job", "keyboard", "language", "legal_plays", "lesson", "library", "live", "lobby", "locale", "login",
    "luck", "match_equity", "metrics", "middleware", "note", "notification", "offer", "offline", "opening",
    "opening_book", "openapi", "orientation", "outbox", "pairing", "password", "picture", "pip", "pool",
    "position", "preferences", "preview", "prime", "probabilities", "profile", "progress", "proof", "push", "puzzle",
    "queue", "quota", "rate_limit", "rating", "refusal", "rematch", "report", "resign", "review", "roll", "rollout",
    "route", "sandbox", "schema", "score_sheet", "scope", "search", "seed", "session", "settings", "sgf",
    "share", "shot", "sign_out", "sound", "spectator", "statistics", "stream", "study", "subscription", "svg",
    "takeback", "theme", "token", "trainer", "translation", "tutor", "undo", "upload", "variant", "verify",
    "websocket", "worker", "xgid",
)  # fmt: skip
"""What a person types into a search who knows backgammon programs, lila, python-chess or Starlette."""


VERBS = (
    "get", "find", "list", "count", "has", "check", "load", "read", "select",
    "create", "add", "store", "append", "change", "set", "update", "replace", "mark", "note", "delete",
    "adopt", "claim", "close", "expire", "extend", "finish", "flag", "follow", "merge", "move", "open",
    "rehash", "revoke", "settle", "share", "split", "unfollow", "begin", "clear",
)  # fmt: skip
"""The first words of a store's methods. CONTRIBUTING.md says what the usual ones mean."""
STORES = re.compile(r"\w+Store|Collections|LibraryMarks|Search")


CLASS_OR_FUNCTION = re.compile(r"^\s*(?:async )?(?:class|def) (\w+)", re.MULTILINE)
FUNCTION_OF_A_SCRIPT = re.compile(r"^\s*(?:export )?(?:async )?(?:class |function )?(\w+)[ (].*\{$", re.MULTILINE)


def in_words(name: str) -> str:
    """A name in lower case with underscores: ``OpeningBook`` and ``opening-book`` are ``opening_book``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()


def names_of_the_package() -> Iterator[str]:
    """Every path, class and function of the package, with those of the pages' scripts."""
    for path in PACKAGE.rglob("*"):
        if "__pycache__" in path.parts:
            continue
        yield path.stem
        if path.suffix == ".py":
            yield from CLASS_OR_FUNCTION.findall(path.read_text(encoding="utf-8"))
        elif path.suffix == ".js":
            yield from FUNCTION_OF_A_SCRIPT.findall(path.read_text(encoding="utf-8"))


def test_each_word_leads_to_a_path_a_class_or_a_function() -> None:
    names = {in_words(name) for name in names_of_the_package()}
    assert len(WORDS) >= 80
    assert [word for word in WORDS if not any(word in name for name in names)] == []


def methods_of_stores() -> Iterator[tuple[str, str]]:
    """The class and the name of every public method of a store; attributes are left out."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and STORES.fullmatch(node.name):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                        decorators = {ast.unparse(decorator) for decorator in method.decorator_list}
                        if not decorators & {"property", "cached_property"}:
                            yield node.name, method.name


def test_methods_of_stores_begin_with_a_verb() -> None:
    methods = list(methods_of_stores())
    assert len(methods) > 130
    assert [f"{store}.{name}" for store, name in methods if name.split("_")[0] not in VERBS] == []
