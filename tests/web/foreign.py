"""Pages in the pseudo-language (`pseudo_language.py`): the texts on them that are not in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.web.pseudo_language import template

from fullprime.messages import catalogues
from fullprime.messages.catalogue import key_of
from fullprime.web.languages import language_for, script_mark, script_texts
from fullprime.web.pages import page_text

SEEN = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, at = node.parentElement;
    if (!node.textContent.trim() || at.closest('script, style, code, kbd, noscript, [translate=no]')) continue;
    if (!at.closest('head, option') && !at.checkVisibility()) continue;
    found.push(node.textContent);
  }
  for (const name of ['title', 'aria-label', 'placeholder', 'alt'])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (element.getAttribute(name)) found.push(element.getAttribute(name));
  return found;
}"""
KNOWN_WORDS = re.compile(
    r"Fullprime|XGID|OGID|OGXM|PR|Mia|Pippa|Otto|Nora|Emil|Hugo|Ida|Theo|Vera|Atlas|UTC|You|Guest|fast|roller\+?|random|heuristic|\d-ply"
    r"|[\w-]+\.npz|fast|static|Kleinman|Keith|Trice|Isight|Kazaross|Ann|Bob"
)
"""Names, which are the same in every language."""


_PLAY = re.compile(r"\b(?:(?:bar|hand|\d+)\*?(?:/(?:bar|off|\d+)\*?)+(?:\(\d\))?)")

_QUOTED = re.compile(r"(?<!\w)'[^']*'(?!\w)")
"""What somebody has written, in a refusal."""


def known_texts() -> set[str]:
    """Every text of the catalogue in English, but for names, which are the same in every language."""
    return {key for key in map(key_of, template()) if not KNOWN_WORDS.fullmatch(key)}


RENDERED = frozenset((
    "consequence", "error", "lines", "next", "note", "phrases", "played_for", "question", "refused", "reason",
    "sentences",
    "settlement", "strength", "text", "title", "words",
))  # fmt: skip
"""The fields of answers about a game that the server renders in the reader's language."""


def untold(told: Any, field: str = "", rendered: frozenset[str] = RENDERED) -> Iterator[str]:
    """The texts of an answer of the server that are not ``rendered``: names, and what people wrote."""
    if isinstance(told, str):
        if field not in rendered:
            yield told
    elif isinstance(told, dict):
        for name, value in told.items():
            yield from untold(value, name, rendered)
    elif isinstance(told, list):
        for item in told:
            yield from untold(item, field, rendered)


def not_translated(shown: list[str], texts_sent: str, covered: set[str]) -> list[str]:
    """Texts of the catalogue (``covered``) as they are, and words outside all brackets that the server did not send."""
    texts, lines = [], frozenset(texts_sent.splitlines())
    for text in shown:
        if " ".join(text.split()) in covered and text.strip() not in lines:
            texts.append(repr(text))
            continue
        left = _QUOTED.sub("|", _PLAY.sub("|", text))
        while left != (left := re.sub(r"⟦[^⟦⟧]*⟧", "|", left)):
            pass
        for piece in re.split(r"[|:;()·\u2013—/“”]|[.,] |\.$", left):
            words = " ".join(piece.split()).strip(" .,")
            if not re.search(r"[^\W\d_]{2,}", KNOWN_WORDS.sub("", words)):
                continue
            if words not in texts_sent and words[:1].lower() + words[1:] not in texts_sent:
                texts.append(f"{words!r} in {text.strip()[:80]!r}")
    return texts


def told_by(request: Any) -> list[Any]:
    """What the server answered, a value a line; nothing where it was no data."""
    answer = request.response() if "/api/" in request.url else None
    if answer is None or "json" not in answer.headers.get("content-type", ""):
        return []
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    try:
        text = answer.text()
    except api.Error:
        return []  # asked by the page before, which was left meanwhile: nothing of it is shown here
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def forget_languages() -> None:
    """Have the catalogues read again, and all that was made of them."""
    for cached in (catalogues, language_for, script_texts, script_mark, page_text):
        cached.cache_clear()
