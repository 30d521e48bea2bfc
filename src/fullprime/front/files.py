"""Files of matches and identifiers of positions, in one call each."""

from __future__ import annotations

from pathlib import Path

from fullprime.formats import Document, FormatError, LossReport
from fullprime.formats import read as read_source
from fullprime.formats import write as write_bytes
from fullprime.formats.files import FilesRead
from fullprime.play.options.positions import id_kind
from fullprime.reviews.matches import files
from fullprime.reviews.matches.files import FileError
from fullprime.rules.coercion import to_game
from fullprime.rules.game import Game
from fullprime.rules.ids import write_id
from fullprime.rules.position import Position
from fullprime.rules.record import Match
from fullprime.rules.taking import short_value, to_kind

AnyMatch = Match | Document


def read(source: str | Path | bytes, *, format: str | None = None) -> FilesRead:  # noqa: A002 - the field's word
    """Every match of a file, an archive or a folder, in any format: ``read("m.xg")[0].match``.

    ``source``: a path, or the bytes of a file. Of a folder, files that cannot be read are listed in ``unread``.
    Raises FormatError for a single file from which nothing can be read, FileError where there is none.
    """
    _check_format(format)
    if not isinstance(source, bytes):
        source = files.existing(source)
    return read_source(source, format=format)


def write(match: AnyMatch, where: str | Path, *, format: str | None = None) -> LossReport:  # noqa: A002
    """Write a match into a file, in the format of its extension or the one that is named; gives the facts not carried.

    Raises FileError, also where there is no such folder, FormatError.
    """
    path = to_path(where)
    _check_format(format)
    target = files.format_for(format, path)
    data, losses = write_bytes(_document(match), target.name)
    files.save(path, data)
    return losses


def convert(what: str | Position | Game | AnyMatch, to: str) -> str:
    """A position as another identifier (``xgid``, ``gnuid``, ``ogid``, ``fibs``, ``text``), or a match as a text.

    >>> convert("4HPwATDgc/ABMA", "xgid")
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'
    >>> convert("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "text")
    '24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5'

    For files there are :func:`read` and :func:`write`. Raises IdError, SettingsError for an unknown kind,
    FormatError for a match in a format that is no text.
    """
    if isinstance(what, Match | Document):
        data, _ = write_bytes(_document(what), to)
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise FormatError(f"{to} is not text: write the match into a file") from None
    return write_id(to_game(what), id_kind(to)).text


def to_path(where: object) -> Path:
    """The path that a text or a path names; raises FileError."""
    if not isinstance(where, str | Path) or "\0" in str(where):
        raise FileError(f"{short_value(where)} is no path of a file")
    return Path(where)


def _check_format(name: object) -> None:
    if name is not None:
        to_kind(str, "the format", name, FormatError)


def _document(match: AnyMatch) -> Document:
    if isinstance(match, Document):
        return match
    to_kind(Match, "what is written", match, FormatError)
    return Document(match)
