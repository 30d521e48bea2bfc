"""Our own JSON: complete for every variant, every setting and every fact of a record.

``to_json`` turns a value of the rules layer into plain lists, dicts, strings and numbers; ``from_json`` is its exact
inverse and raises FormatError, naming the place, for anything else. The store keeps the same form.
"""

from __future__ import annotations

import json

from fullprime.formats.analysis import (
    FileAnalysis,
)
from fullprime.formats.document import Document, FormatError, LossReport, Problem
from fullprime.formats.ours.reading import describe, dict_of, from_json, list_of
from fullprime.formats.ours.writing import Json, to_json
from fullprime.rules.errors import FullprimeError
from fullprime.rules.record import Match

FORMAT = "fullprime"
VERSION = 1


def recognises(head: bytes) -> bool:
    """True if a file that begins like this is ours."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"fullprime"' in head[:200]


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The matches of a file of ours; raises FormatError when it is none. Replays every game and reports failures."""
    try:
        plain = dict_of(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{name or 'the file'} is not JSON: {error!s:.100}") from error
    if plain.get("format") != FORMAT:
        raise FormatError(
            f"{name or 'the file'} is not a Fullprime file: its format is {describe(plain.get('format'))}"
        )
    if plain.get("version") != VERSION:
        raise FormatError(f"{name or 'the file'} has version {describe(plain.get('version'))}; we read {VERSION}")
    return tuple(_read_document(entry) for entry in list_of(plain.get("matches")))


def _read_document(data: Json) -> Document:
    data = dict_of(data)
    match = from_json(Match, data.get("match"))
    review = from_json(FileAnalysis, data["analysis"], match.settings) if "analysis" in data else None
    report = []
    for number, record in enumerate(match.games, 1):
        try:
            for _ in record.entries():
                pass
        except FullprimeError as error:
            report.append(Problem(f"game {number}: {error}"))
    return Document(match, review, tuple(report), "json")


def read_game(data: bytes, game: int, events: int) -> Match:
    """The one match of a file that we wrote, with the first events of that game (from 0) alone; nothing is replayed."""
    (entry,) = list_of(dict_of(json.loads(data)).get("matches"))
    plain = dict_of(dict_of(entry)["match"])
    games = [{**record, "events": record["events"][:events]} for record in plain["games"][game : game + 1]]
    return from_json(Match, {**plain, "games": games})


def write(document: Document) -> tuple[bytes, LossReport]:
    """The document as our JSON; nothing is lost but the list of problems its source had."""
    plain: dict[str, Json] = {"match": to_json(document.match)}
    if document.review is not None:
        plain["analysis"] = to_json(document.review)
    content = {"format": FORMAT, "version": VERSION, "matches": [plain]}
    return (json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n").encode(), LossReport()


__all__ = ["FORMAT", "VERSION", "from_json", "read", "read_game", "recognises", "to_json", "write"]
