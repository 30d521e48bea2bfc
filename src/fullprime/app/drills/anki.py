"""Cards for Anki: the board as a picture on the front; the answer, the costs and the reason on the back."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape

from fullprime.app.drills.card_fields import CardBody
from fullprime.app.drills.cards import game_at
from fullprime.drawing.svg import svg
from fullprime.rules.words import signed, standing

_ASKS = {"double": "Double, or roll?", "take": "Take, or drop?"}


def anki_deck(bodies: Iterable[CardBody]) -> str:
    """A file for Anki's import of text: front, back and tags, separated by tabs. It needs no other file."""
    lines = ["#separator:tab", "#html:true", "#columns:Position\tAnswer\tTags", "#tags column:3"]
    lines += [_line(body) for body in bodies]
    return "\n".join(lines) + "\n"


def _line(body: CardBody) -> str:
    game = game_at(body)
    picture = base64.b64encode(svg(game).encode()).decode()
    mine, theirs = body["setup"].score
    score = f"{standing((mine, theirs))} to {game.settings.length}" if game.settings.length else "money"
    roll = "" if game.dice is None else f" {game.dice.words}"
    ask = _ASKS.get(body["kind"]) or f"You are X. Play{roll}."
    front = f'<img src="data:image/svg+xml;base64,{picture}" alt="{escape(game.position.text)}"><br>{ask} ({score})'
    rows = [f"<b>{escape(body['options'][0]['text'])}</b>"]
    rows += [f"{escape(each['text'])}: {signed(-each['loss'])}" for each in body["options"][1:5]]
    rows += [
        f"Played: {escape(body['made'])} ({signed(-body['cost'])})",
        escape(body["reason"]),
        escape(body["source"]),
    ]
    back = "<br>".join(row for row in rows if row)
    tags = f"fullprime {game.settings.variant.name} {body['kind']}"
    return "\t".join(part.replace("\t", " ").replace("\n", " ") for part in (front, back, tags))
