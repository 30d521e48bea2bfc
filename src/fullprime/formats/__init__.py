r"""Bytes to documents and back: one module per format behind one table.

>>> document = read(b" 5 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n").documents[0]
>>> document.match.names, document.match.settings.length
(('B', 'A'), 5)
>>> data, losses = write(document, "mat")
>>> print(losses)
nothing is lost
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fullprime.formats import files
from fullprime.formats.cleaning import cleaned
from fullprime.formats.document import Document, FormatError, LossReport, Problem, says_something
from fullprime.formats.files import FilesRead, Format
from fullprime.formats.recording import text as texts
from fullprime.formats.registry import FORMATS
from fullprime.rules.errors import FullprimeError
from fullprime.rules.taking import to_kind


def sniff(data: bytes, name: str | None = None) -> Format:
    """The format of these bytes: by their contents, and only then by the extension of the name.

    Raises FormatError when nothing fits, or when several formats share the extension.
    """
    head = data[: files.HEAD]
    for known in FORMATS.values():
        if known.recognises(head):
            return known
    extension = Path(name or "").suffix.lower()
    by_name = [known for known in FORMATS.values() if extension and extension in known.extensions]
    if len(by_name) == 1 or (by_name and extension == ".mat"):
        return by_name[0]
    if FORMATS["clipboard"].recognises(data):
        return FORMATS["clipboard"]  # An identifier far down in a text.
    known_names = ", ".join(known.name for known in FORMATS.values() if known.extensions)
    raise FormatError(f"{name or 'the data'}: this is none of the formats we read ({known_names})")


def read(source: bytes | str | Path, *, name: str | None = None, format: str | None = None) -> FilesRead:  # noqa: A002
    """Every match of a file, a zip archive, a folder, or of bytes.

    Of an archive or folder the files that cannot be read are listed in ``unread``; a single file that cannot be read
    raises FormatError. ``format`` names the format instead of looking for it.
    """
    documents: list[Document] = []
    unread: list[tuple[str, FormatError]] = []
    single = True
    for count, (member, found) in enumerate(_each(source, name, format)):
        single = count == 0
        if isinstance(found, FormatError):
            unread.append((member, found))
        else:
            documents.extend(found)
    if unread and not documents and single and not _is_many(source):
        raise unread[0][1]
    return FilesRead(tuple(documents), tuple((member, files.reason(member, error)) for member, error in unread))


def read_each(
    source: bytes | str | Path,
    *,
    name: str | None = None,
    format: str | None = None,  # noqa: A002
) -> Iterator[tuple[str, tuple[Document, ...] | FormatError]]:
    """The same file by file, so that a thousand matches need not be held at once: the name and the result of each.

    The result of a file that cannot be read is the reason alone, without the name.
    """
    for member, found in _each(source, name, format):
        yield member, FormatError(files.reason(member, found)) if isinstance(found, FormatError) else found


def _each(
    source: bytes | str | Path, name: str | None, known: str | None
) -> Iterator[tuple[str, tuple[Document, ...] | FormatError]]:
    parts = files.members(source, name or "") if isinstance(source, bytes) else files.members(Path(source))
    for member, data in parts:
        yield member, data if isinstance(data, FormatError) else _read_bytes(data, member, known)


def _read_bytes(data: bytes, name: str, known: str | None) -> tuple[Document, ...] | FormatError:
    if len(data) > files.MAX_BYTES:
        return FormatError(f"{name or 'the data'} has {len(data):,} bytes; no file of a match is that large")
    try:
        found = _named(known) if known else sniff(data, name)
        documents = found.read(data, name)
        sure = texts.is_text(data) or found.recognises(data[: files.HEAD])
        damaged = any(document.report for document in documents)
        if damaged and not any(says_something(document, sure=sure) for document in documents):
            raise FormatError(f"{name or 'the data'} holds nothing that can be read as {found.title}")
        return tuple(
            cleaned(replace(document, report=_shortened(document.report), format=found.name, source=name))
            for document in documents
        )
    except FormatError as error:
        return error
    except FullprimeError as error:
        return FormatError(f"{name or 'the data'}: {error}")


def _shortened(report: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The faults of a file, the first thousand of them."""
    if len(report) <= files.MOST_PROBLEMS:
        return report
    more = len(report) - files.MOST_PROBLEMS
    return (*report[: files.MOST_PROBLEMS], Problem(f"{more:,} more faults are not listed"))


def write(document: Document, format: str) -> tuple[bytes, LossReport]:  # noqa: A002
    """The document in a format, and the facts that it loses; raises FormatError when it cannot be written."""
    known = _named(format)
    if known.write is None:
        raise FormatError(f"{known.title} is read, not written; written are {', '.join(writable())}")
    try:
        return known.write(document)
    except FormatError:
        raise
    except FullprimeError as error:
        # A record that cannot be followed, or a match beyond our tables.
        raise FormatError(f"{known.title} cannot carry this match: {error}") from error


POSITIONS = ("snowie", "xgp")
"""Formats that hold one position, not a match."""


def writable(*, matches: bool = False) -> tuple[str, ...]:
    """Names of the formats that can be written; with ``matches`` those that hold a whole match."""
    left_out = POSITIONS if matches else ()
    return tuple(name for name, known in FORMATS.items() if known.write is not None and name not in left_out)


def _named(name: str) -> Format:
    to_kind(str, "the name of a format", name, FormatError)
    known = FORMATS.get(name.lower().lstrip("."))
    if known is None:
        known = next((f for f in FORMATS.values() if f".{name.lower().lstrip('.')}" in f.extensions), None)
    if known is None:
        raise FormatError(f"there is no format {name!r:.40}; there are {', '.join(FORMATS)}")
    return known


def _is_many(source: bytes | str | Path) -> bool:
    if isinstance(source, bytes):
        return files.is_archive(source)
    path = Path(source)
    return path.is_dir() or zipfile_like(path)


def zipfile_like(path: Path) -> bool:
    """True if a file begins like a zip archive."""
    try:
        with path.open("rb") as stream:
            return files.is_archive(stream.read(4))
    except OSError:
        return False


__all__ = [
    "FORMATS",
    "POSITIONS",
    "Document",
    "FilesRead",
    "Format",
    "FormatError",
    "LossReport",
    "Problem",
    "read",
    "read_each",
    "sniff",
    "writable",
    "write",
]  # fmt: skip
