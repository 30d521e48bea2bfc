"""The answers of the server in the reader's language: the sentences in them, which the program makes in English.

What happens in the program stays in English: the terminal, the records and programs that play here see no difference.
On its way out an answer of the API is read once more for readers of another language, and the sentences in the fields
that hold sentences are put into it. With English alone none of this is there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fullprime.play.server.chat import PHRASES
from fullprime.web.pages import VARIES, language_of
from fullprime.web.streams import MEDIA, text
from fullprime.web.texts.catalogue import ENGLISH, catalogue, catalogues
from fullprime.web.texts.sentences import Sentences

Say = Callable[[str], str]
"""Puts a sentence into a language."""
NamesIn = Callable[[str], Iterable[str]]
"""The names of the people at the table of a game, by its id."""

FIELDS = frozenset((
    "about", "also", "caption", "change", "choices", "compiling", "consequence", "error", "failed", "faults",
    "happened", "hint", "lines", "more", "next", "note", "notes", "phrases", "played_for", "problems", "question",
    "reason", "refused", "say", "sentence", "sentences", "settlement", "short", "strength", "summary", "teaches",
    "text", "title", "uncounted", "unit", "way", "why", "words",
))  # fmt: skip
"""The fields of answers that hold sentences of the program, lists of them, or (``phrases``) them by name."""
_TALK = "said"
"""The field of what people said to each other: in their own words, or by a phrase of ours."""
_OWN = {"note": "star", "about": "items", "title": "judges", "text": _TALK}
"""Fields that hold a person's own words, or names, where another field stands beside them: the note of a mark, what a
collection is about, the players of a match, a line of the chat."""
_PHRASES = frozenset(PHRASES.values())
_DOCUMENT = "/api/openapi.json"
_LARGE = 32_768
"""Bytes of an answer that is read in a thread of its own, since it would hold up everybody."""
_GAME = re.compile(r"/api/games/([^/]+)")
_NAMES = "names"
"""The field of the names of people, wherever there is one: X's first."""
_TERM = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]\]")


def in_words(told: Any, say: Say, field: str = "") -> Any:
    """An answer with its sentences in a language; all else, and what people wrote, stays."""
    if isinstance(told, str):
        return say(told) if field in FIELDS or (field == _TALK and told in _PHRASES) else told
    if isinstance(told, list):
        if told and all(isinstance(each, dict) and each.keys() == {"text", "term"} for each in told):
            return _pieces(say(_marked(told)))
        return [in_words(each, say, field) for each in told]
    if isinstance(told, dict):
        return {
            name: value if _OWN.get(name) in told else in_words(value, say, field if field == "phrases" else name)
            for name, value in told.items()
        }
    return told


def _marked(pieces: Iterable[dict[str, str | None]]) -> str:
    """A paragraph of a lesson as one text, its terms marked as in the lesson's file."""
    said = ""
    for piece in pieces:
        words, term = piece["text"], piece["term"]
        said += f"{words}" if term is None else f"[[{term}]]" if term == words else f"[[{term}|{words}]]"
    return said


def _pieces(said: str) -> list[dict[str, str | None]]:
    """The paragraph in pieces again."""
    found: list[dict[str, str | None]] = []
    at = 0
    for term in _TERM.finditer(said):
        if term.start() > at:
            found.append({"text": said[at : term.start()], "term": None})
        found.append({"text": term[2] or term[1], "term": term[1]})
        at = term.end()
    if at < len(said):
        found.append({"text": said[at:], "term": None})
    return found


class InLanguage:
    """An ASGI application around all others: what leaves the server for somebody of another language is put into it."""

    def __init__(self, app: ASGIApp, names_in: NamesIn = lambda _: ()) -> None:
        self._app, self._names_in = app, names_in
        for each in catalogues().values():
            each.sentences.prepare()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        if scope["type"] == "http" and scope["method"] != "HEAD" and _has_sentences(scope["path"]):
            language = language_of(HTTPConnection(scope))
            send = _Answer(send, None if language == ENGLISH else self._words(language, scope["path"])).send
        elif scope["type"] == "websocket":
            language = language_of(HTTPConnection(scope))
            send = send if language == ENGLISH else _frames(send, self._words(language, scope["path"]))
        await self._app(scope, receive, send)

    def _words(self, language: str, path: str) -> _Words:
        game = _GAME.match(path)
        return _Words(catalogue(language).sentences, partial(self._names_in, game[1]) if game is not None else tuple)


class _Words:
    """What puts an answer into a language: the names of the people it is about stay as they are."""

    def __init__(self, sentences: Sentences, at_table: Callable[[], Iterable[str]]) -> None:
        self._sentences, self._at_table = sentences, at_table

    def say(self, told: Any = None) -> Say:
        """For the sentences of an answer: names of its own stay, too."""
        return self._sentences.keeping([*self._at_table(), *_names(told)])


def _names(told: Any) -> Iterator[str]:
    """The names of people in an answer."""
    if isinstance(told, list):
        for each in told:
            yield from _names(each)
    elif isinstance(told, dict):
        for field, value in told.items():
            if field == _NAMES and isinstance(value, list):
                yield from (each for each in value if isinstance(each, str))
            else:
                yield from _names(value)


def _has_sentences(path: str) -> bool:
    return path.startswith("/api/") and path != _DOCUMENT


def _frames(send: Send, words: _Words) -> Send:
    """The sender of a line that goes both ways."""

    async def said(message: Message) -> None:
        if message["type"] == "websocket.close" and message.get("reason"):
            message = {**message, "reason": words.say()(message["reason"])}
        elif message["type"] == "websocket.send":
            raw = message.get("text") or message.get("bytes") or b""
            put = await _put(raw.encode() if isinstance(raw, str) else raw, words)
            message = {**message, "text": put.decode(), "bytes": None}
        await send(message)

    return said


async def _put(raw: bytes, words: _Words) -> bytes:
    """An answer in JSON, or a line of one, in the language."""
    if not raw.strip():
        return raw
    if len(raw) > _LARGE:
        return await run_in_threadpool(_written, raw, words)
    return _written(raw, words)


def _written(raw: bytes, words: _Words) -> bytes:
    told = json.loads(raw)
    return text(in_words(told, words.say(told)))


class _Answer:
    """The sender of one answer: JSON is held back until it is whole, a stream goes on line by line."""

    def __init__(self, send: Send, words: _Words | None) -> None:
        self._send, self._words = send, words
        self._start: Message | None = None
        self._media = ""
        self._held = b""

    async def send(self, message: Message) -> None:
        """Send on what may go."""
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif message["type"] != "http.response.body" or self._words is None or not self._media:
            await self._send(message)
        elif self._media == MEDIA:
            *lines, self._held = (self._held + message.get("body", b"")).split(b"\n")
            put = b"".join([await _put(line, self._words) + b"\n" for line in lines])
            if not message.get("more_body", False):
                put += await _put(self._held, self._words)
            await self._send({**message, "body": put})
        else:
            self._held += message.get("body", b"")
            if not message.get("more_body", False):
                await self._whole(message)

    async def _begin(self, message: Message) -> None:
        kept = [(name, value) for name, value in message["headers"] if name.lower() not in (b"vary", b"content-length")]
        headers = {name.lower(): value for name, value in message["headers"]}
        media = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0]
        if media not in ("application/json", MEDIA) or b"content-disposition" in headers:
            await self._send(message)
            return
        self._media = media
        varies = b", ".join(filter(None, (headers.get(b"vary"), VARIES.encode())))
        length = [] if self._words is not None or b"content-length" not in headers else [
            (b"content-length", headers[b"content-length"])
        ]  # fmt: skip
        message = {**message, "headers": [*kept, *length, (b"vary", varies)]}
        if self._words is None or media == MEDIA:
            await self._send(message)
        else:
            self._start = message

    async def _whole(self, message: Message) -> None:
        assert self._start is not None
        assert self._words is not None
        put = await _put(self._held, self._words)
        self._start["headers"].append((b"content-length", b"%d" % len(put)))
        await self._send(self._start)
        await self._send({**message, "body": put})
