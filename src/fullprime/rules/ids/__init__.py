"""Position and match identifiers, both ways.

``read_id`` recognises the kind of a text; the notes of the reading name the facts that an identifier lacks, and
``WrittenId.lost`` names the facts that a written one cannot carry. docs/ids.md has a table of the facts in each kind.
"""

from __future__ import annotations

import re

from fullprime.rules.errors import IdError, RulesError
from fullprime.rules.game import Game
from fullprime.rules.ids.common import IdFormat, IdReading, WrittenId
from fullprime.rules.ids.fibs import FIBS, fibs_board
from fullprime.rules.ids.gnu import GNU, find_gnu_position_id, gnu_id, gnu_match_id, gnu_position_id, read_gnu_position
from fullprime.rules.ids.ogid import OGID, ogid, read_ogid
from fullprime.rules.ids.text import TEXT, text_id
from fullprime.rules.ids.xgid import XGID, xgid
from fullprime.rules.score import Settings

IDS: dict[str, IdFormat] = {id_format.name: id_format for id_format in (XGID, GNU, OGID, FIBS, TEXT)}
"""Every kind of identifier by name; also the order in which they are recognised."""

_LONGEST = 600


def read_id(text: str, *, settings: Settings | None = None, kind: str | None = None) -> IdReading:
    """Read an identifier of any kind; ``settings`` fill in the facts that it lacks (backgammon for money by default).

    >>> reading = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
    >>> reading.kind, reading.game.position.text, str(reading.game.dice)
    ('xgid', '24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5', '31')
    >>> read_id("4HPwATDgc/ABMA").notes[0]
    'says nothing but the board: no score, cube or dice'

    Raises IdError for a text that is none, or that describes an impossible game.
    """
    stripped = re.sub(r"[ \t\r\n]+", " ", text).strip(" ")
    shown = repr(stripped if len(stripped) <= 120 else stripped[:117] + "...")
    if len(stripped) > _LONGEST:
        raise IdError(f"{shown}: no identifier has {len(stripped)} characters")
    if kind is not None and kind not in IDS:
        raise IdError(f"there is no identifier {kind[:40]!r}; there are {', '.join(IDS)}")
    found = IDS[kind] if kind else next((known for known in IDS.values() if known.matches(stripped)), None)
    if found is None or not stripped.isprintable():
        raise IdError(f"{shown} is no identifier that we read ({', '.join(known.title for known in IDS.values())})")
    try:
        return found.read(stripped, settings)
    except RulesError as error:
        raise IdError(f"{shown} as {found.title}: {error}") from error


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
