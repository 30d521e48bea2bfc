"""Position and match identifiers, both ways.

``read_id`` recognises the kind of a text; the notes of the reading name the facts that an identifier lacks, and
``WrittenId.lost`` names the facts that a written one cannot carry. docs/ids.md has a table of the facts in each kind.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from fullprime.rules.errors import IdError, RulesError
from fullprime.rules.game import Game
from fullprime.rules.ids.common import IdFormat, IdReading, WrittenId
from fullprime.rules.ids.fibs import FIBS, fibs_board
from fullprime.rules.ids.gnu import GNU, find_gnu_position_id, gnu_id, gnu_match_id, gnu_position_id, read_gnu_position
from fullprime.rules.ids.ogid import OGID, ogid, read_ogid
from fullprime.rules.ids.text import TEXT, text_id
from fullprime.rules.ids.within import join_cut, only_identifier
from fullprime.rules.ids.xgid import XGID, xgid
from fullprime.rules.score import Settings
from fullprime.rules.taking import to_kind

IDS: dict[str, IdFormat] = {id_format.name: id_format for id_format in (XGID, GNU, OGID, FIBS, TEXT)}
"""Every kind of identifier by name; also the order in which they are recognised."""

_LONGEST = 600
_SIGNS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-")
    | {"\uff1a": ":", "\uff1d": "=", "\ufeff": "", "\u200b": "", "\u00a0": " "}
)
"""Signs for which word processors and pages write others, and marks that show nothing."""
_AROUND = " \"'`()[]<>{}.,;\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
"""Signs in which a sentence may hold an identifier."""
_LABEL = re.compile(r"(?:(xg)|og|gnu ?bg|gnu)[ -]?id\s*[:=]?\s*", re.IGNORECASE)


def _as_written(text: str) -> str:
    """The identifier as programs write it, in a text that has been through a page, a mail or a word processor."""
    text = unquote(text) if "%" in text else text
    stripped = re.sub(r"[ \t\r\n]+", " ", text.translate(_SIGNS)).strip(_AROUND)
    label = _LABEL.match(stripped)
    if label is None:
        return stripped
    return ("XGID=" if label[1] else "") + stripped[label.end() :]


def read_id(text: str, *, settings: Settings | None = None, kind: str | None = None) -> IdReading:
    """Read an identifier of any kind; ``settings`` fill in the facts that it lacks (backgammon for money by default).

    >>> reading = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
    >>> reading.kind, reading.game.position.text, str(reading.game.dice)
    ('xgid', '24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5', '31')
    >>> read_id("4HPwATDgc/ABMA").notes[0]
    'says nothing but the board: no score, cube or dice'

    Raises IdError for a text that is none, or that describes an impossible game.
    """
    to_kind(str, "an identifier", text, IdError)
    stripped = _as_written(text) if len(text) <= 4 * _LONGEST else text
    try:
        return _read_whole(stripped, settings, kind)
    except IdError:
        inner = only_identifier(_joined(stripped)) if len(text) <= 4 * _LONGEST else None
        if inner is None or inner == stripped:
            raise
        return _read_whole(inner, settings, kind)


def _joined(text: str) -> str:
    """The text with an XGID in one piece that a line's end has cut."""
    before, cut, after = text.partition(" ")
    while cut and (joined := join_cut(before, after)) is None:
        word, cut, after = after.partition(" ")
        before = f"{before} {word}"
    return " ".join(joined) if cut and joined else text


def _read_whole(stripped: str, settings: Settings | None, kind: str | None) -> IdReading:
    """Read a text that is nothing but an identifier."""
    quoted = repr(stripped if len(stripped) <= 120 else stripped[:117] + "...")
    if len(stripped) > _LONGEST:
        raise IdError(f"{quoted}: no identifier has {len(stripped)} characters")
    if kind is not None and kind not in IDS:
        raise IdError(f"there is no identifier {kind[:40]!r}; there are {', '.join(IDS)}")
    candidates = [IDS[kind]] if kind else [candidate for candidate in IDS.values() if candidate.matches(stripped)]
    identifier = next(iter(candidates), None)
    if identifier is None or not stripped.isprintable():
        titles = ", ".join(candidate.title for candidate in IDS.values())
        raise IdError(f"{quoted} is no identifier that we read ({titles})")
    try:
        return identifier.read(stripped, settings)
    except RulesError as error:
        raise IdError(f"{quoted} as {identifier.title}: {error}") from error


def write_id(game: Game, kind: str) -> WrittenId:
    """The identifier of a kind for a game; raises IdError for an unknown kind or a position it cannot carry."""
    if kind not in IDS:
        raise IdError(f"there is no identifier {kind[:40]!r}; there are {', '.join(IDS)}")
    return IDS[kind].write(game)


def convert(text: str, to: str, *, settings: Settings | None = None) -> WrittenId:
    """One identifier as another.

    >>> convert("4HPwATDgc/ABMA:8AngAFAAMAAE", "xgid").text
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:5:1:7:10'
    """
    return write_id(read_id(text, settings=settings).game, to)


__all__ = [
    "IDS",
    "IdFormat",
    "IdReading",
    "WrittenId",
    "convert",
    "fibs_board",
    "find_gnu_position_id",
    "gnu_id",
    "gnu_match_id",
    "gnu_position_id",
    "ogid",
    "read_gnu_position",
    "read_id",
    "read_ogid",
    "text_id",
    "write_id",
    "xgid",
]
