"""Cards for Anki: the board as a picture on the front; the answer, the costs and the reason on the back.

A package (``.apkg``) contains its pictures and its own note type; a text file has no pictures and uses Anki's own type.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from html import escape

from fullprime.drawing.svg import svg
from fullprime.learn.flashcards.model import CardBody
from fullprime.learn.flashcards.service import game_at, options_of
from fullprime.rules.words import format_score, format_signed

_ASKS = {"double": "Double, or roll?", "take": "Take, or drop?"}
_DECK = "Fullprime"
_NOTES = "Fullprime decision"
_MODEL, _DECK_ID = 1_700_018_001, 1_700_018_002
_SCHEMA = """
create table col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
  ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null,
  models text not null, decks text not null, dconf text not null, tags text not null);
create table notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
  usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null,
  flags integer not null, data text not null);
create table cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
  mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null,
  ivl integer not null, factor integer not null, reps integer not null, lapses integer not null,
  left integer not null, odue integer not null, odid integer not null, flags integer not null, data text not null);
create table revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null,
  ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null,
  type integer not null);
create table graves (usn integer not null, oid integer not null, type integer not null);
"""
"""The tables of a collection of Anki, version 11, which every Anki since 2012 imports."""
_CSS = ".card { font-family: sans-serif; font-size: 18px; text-align: center; } .card img { max-width: 100%; }"


@dataclass(frozen=True, slots=True)
class _Note:
    """A card as it is written for Anki; ``name`` follows from the decision, so that Anki recognises it."""

    name: str
    picture: str
    alt: str
    question: str
    back: str
    tags: str

    def front(self, source: str) -> str:
        return f'<img src="{source}" alt="{self.alt}"><br>{self.question}'


def anki_deck(bodies: Iterable[CardBody]) -> str:
    """A file for Anki's import of text: front, back and tags, separated by tabs. It needs no other file."""
    lines = ["#separator:tab", "#html:true", f"#deck:{_DECK}", "#notetype:Basic", "#columns:Front\tBack\tTags"]
    lines += ["#tags column:3"]
    for note in map(_note, bodies):
        picture = base64.b64encode(note.picture.encode()).decode()
        parts = (note.front(f"data:image/svg+xml;base64,{picture}"), note.back, note.tags)
        lines.append("\t".join(part.replace("\t", " ").replace("\n", " ") for part in parts))
    return "\n".join(lines) + "\n"


def anki_package(bodies: Iterable[CardBody], now: datetime) -> bytes:
    """A package for Anki (``.apkg``) with its own deck. Importing it again adds new cards and updates changed ones."""
    notes = list({note.name: note for note in map(_note, bodies)}.values())
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("collection.anki2", _collection(notes, int(now.timestamp())))
        package.writestr("media", json.dumps({str(place): _picture(note) for place, note in enumerate(notes)}))
        for place, note in enumerate(notes):
            package.writestr(str(place), note.picture)
    return file.getvalue()


def _note(body: CardBody) -> _Note:
    game = game_at(body)
    mine, theirs = body.setup.score
    score = f"{format_score((mine, theirs))} to {game.settings.length}" if game.settings.length else "money"
    roll = "" if game.dice is None else f" {game.dice.words}"
    ask = _ASKS.get(body.kind) or f"You are X. Play{roll}."
    best, *others = map(escape, options_of(body))
    rows = [f"<b>{best}</b>", *others]
    rows += [
        f"Played: {escape(body.made)} ({format_signed(-body.cost)})",
        escape(body.reason),
        escape(body.source),
    ]
    identity = f"{body.kind} {body.setup!r} {body.made}"
    return _Note(
        name=hashlib.sha256(identity.encode()).hexdigest()[:16],
        picture=svg(game),
        alt=escape(game.position.text),
        question=f"{ask} ({score})",
        back="<br>".join(row for row in rows if row),
        tags=f"fullprime {game.settings.variant.name} {body.kind.replace(' ', '-')}",
    )


def _picture(note: _Note) -> str:
    return f"fullprime-{note.name}.svg"


def _collection(notes: list[_Note], now: int) -> bytes:
    """The database of a package: a note type, a deck, and one new card for each note."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(_SCHEMA)
        fields = [
            {"name": name, "ord": place, "sticky": False, "rtl": False, "font": "Arial", "size": 18, "media": []}
            for place, name in enumerate(("Position", "Answer"))
        ]
        template = {
            "name": "Card 1", "ord": 0, "qfmt": "{{Position}}", "afmt": "{{FrontSide}}<hr id=answer>{{Answer}}",
            "bqfmt": "", "bafmt": "", "did": None,
        }  # fmt: skip
        model = {
            "id": _MODEL, "name": _NOTES, "type": 0, "mod": now, "usn": -1, "sortf": 0, "did": _DECK_ID,
            "tmpls": [template], "flds": fields, "css": _CSS, "latexPre": "", "latexPost": "",
            "req": [[0, "any", [0]]], "tags": [], "vers": [],
        }  # fmt: skip
        decks = {str(number): _deck(number, name, now) for number, name in ((1, "Default"), (_DECK_ID, _DECK))}
        conf = {"curDeck": _DECK_ID, "activeDecks": [_DECK_ID], "curModel": _MODEL, "nextPos": len(notes) + 1}
        base.execute(
            "insert into col values (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')",
            (now, 1000 * now, 1000 * now, *map(json.dumps, (conf, {str(_MODEL): model}, decks, _CONF))),
        )
        for place, note in enumerate(notes):
            front = note.front(_picture(note))
            csum = int(hashlib.sha1(note.question.encode(), usedforsecurity=False).hexdigest()[:8], 16)
            number = 1000 * now + place
            base.execute(
                "insert into notes values (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
                (number, note.name, _MODEL, now, f" {note.tags} ", f"{front}\x1f{note.back}", note.question, csum),
            )
            base.execute(
                "insert into cards values (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')",
                (number, number, _DECK_ID, now, place + 1),
            )
        base.commit()
        return base.serialize()


def _deck(number: int, name: str, now: int) -> dict[str, object]:
    return {
        "id": number, "name": name, "mod": now, "usn": -1, "desc": "", "dyn": 0, "conf": 1, "collapsed": False,
        "browserCollapsed": False, "extendNew": 10, "extendRev": 50, "newToday": [0, 0], "revToday": [0, 0],
        "lrnToday": [0, 0], "timeToday": [0, 0],
    }  # fmt: skip


_CONF = {
    "1": {
        "id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": True, "timer": 0, "replayq": True,
        "dyn": False,
        "new": {"bury": True, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 7], "order": 1, "perDay": 20},
        "rev": {"bury": True, "ease4": 1.3, "ivlFct": 1, "maxIvl": 36500, "perDay": 100, "hardFactor": 1.2},
        "lapse": {"delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0},
    }
}  # fmt: skip
