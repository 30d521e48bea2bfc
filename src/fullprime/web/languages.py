"""The language of a reader: that of the setting, else of the browser, else English; and its texts for scripts."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache, lru_cache

from starlette.requests import HTTPConnection

from fullprime.messages import ENGLISH, catalogue, catalogues

COOKIE = "fullprime_language"
VARIES = "Accept-Language, Cookie"
"""What an answer depends on where there are several languages."""
_COOKIE = re.compile(rf"(?:^|;)\s*{COOKIE}=([^;\s]*)")
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_QUALITY = re.compile(r"\s*q=([01](?:\.\d{0,3})?)\s*")


def language_of(request: HTTPConnection) -> str:
    """The language for a request: by the setting of the browser's pages, else by what the browser accepts."""
    if len(catalogues()) == 1:
        return ENGLISH
    headers = request.headers
    cookie, accepted = headers.get("cookie"), headers.get("accept-language", "")
    chosen = None if cookie is None or COOKIE not in cookie else _COOKIE.search(cookie)
    return language_for(None if chosen is None else chosen[1], accepted[:1000])


@lru_cache(maxsize=500)
def language_for(cookie: str | None, accepted: str) -> str:
    """The language for a reader: that of the setting, else the first of the browser's that there is, else English."""
    there = {tag.lower(): tag for tag in catalogues()}
    if cookie is not None and cookie.lower() in there:
        return there[cookie.lower()]
    for wanted in _by_quality(accepted):
        parts = wanted.split("-")
        for length in range(len(parts), 0, -1):
            tag = "-".join(parts[:length])
            if tag in there:
                return there[tag]
    return ENGLISH


def _by_quality(accepted: str) -> list[str]:
    """The languages of an ``Accept-Language``, the most wanted first; what is unreadable is left out."""
    wanted: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, more = part.strip().partition(";")
        quality = _QUALITY.fullmatch(more)
        if _TAG.fullmatch(tag.strip()) and (quality is not None or not more):
            wanted.append((float(quality[1]) if quality is not None else 1.0, tag.strip().lower()))
    return [tag for quality, tag in sorted(wanted, key=lambda pair: -pair[0]) if quality > 0]


@cache
def script_texts(language: str) -> bytes:
    """The texts that scripts need, as a script of the pages; with them the rule for forms by number.

    The rule is an expression of C in a catalogue, which was read as such; in JavaScript it means the same.
    """
    known = catalogue(language)
    texts = {key: text for key, text in known.texts.items() if key in known.of_scripts}
    written = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    script = f'import {{ learn }} from "/static/parts/texts.js";\nlearn({written}, (n) => Number({known.plural}));\n'
    return script.encode()


@cache
def script_mark(language: str) -> str:
    """A mark that changes when the texts do: part of the script's address, so that a browser may keep it for good."""
    return hashlib.sha256(script_texts(language)).hexdigest()[:12]
