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
"""The headers on which an answer depends where there are several languages."""
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
    tags = {tag.lower(): tag for tag in catalogues()}
    if cookie is not None and cookie.lower() in tags:
        return tags[cookie.lower()]
    for language in _sort_by_quality(accepted):
        parts = language.split("-")
        for length in range(len(parts), 0, -1):
            tag = "-".join(parts[:length])
            if tag in tags:
                return tags[tag]
    return ENGLISH


def _sort_by_quality(accepted: str) -> list[str]:
    """The languages of an ``Accept-Language``, the most wanted first, without unreadable parts."""
    ranked: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, more = part.strip().partition(";")
        quality = _QUALITY.fullmatch(more)
        if _TAG.fullmatch(tag.strip()) and (quality is not None or not more):
            ranked.append((float(quality[1]) if quality is not None else 1.0, tag.strip().lower()))
    return [tag for quality, tag in sorted(ranked, key=lambda pair: -pair[0]) if quality > 0]


@cache
def script_texts(language: str) -> bytes:
    """The texts that scripts need and the plural rule, as a script of the pages.

    The rule is a C expression of the catalogue, which means the same in JavaScript.
    """
    entries = catalogue(language)
    texts = {key: text for key, text in entries.texts.items() if key in entries.of_scripts}
    written = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    script = f'import {{ learn }} from "/static/parts/texts.js";\nlearn({written}, (n) => Number({entries.plural}));\n'
    return script.encode()


@cache
def script_mark(language: str) -> str:
    """A mark in the script's address that changes when the texts do, so that a browser may keep the script for good."""
    return hashlib.sha256(script_texts(language)).hexdigest()[:12]
