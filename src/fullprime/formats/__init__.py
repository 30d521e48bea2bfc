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
from typing import NamedTuple

from fullprime.formats import files
from fullprime.formats.cleaning import clean_document
from fullprime.formats.document import Document, FormatError, LossReport, Problem, says_something
from fullprime.formats.files import FilesRead, Format
from fullprime.formats.mat import reader as mat
from fullprime.formats.recording import text as texts
from fullprime.formats.registry import FORMATS
from fullprime.rules.errors import FullprimeError
from fullprime.rules.taking import to_kind


def sniff(data: bytes, name: str | None = None) -> Format:
    """The format of these bytes: by their contents, and only then by the extension of the name.

    Raises FormatError when nothing fits, or when several formats share the extension.
    """
    return _sniff(data, name).format


_ABOVE = 12
"""Lines above a text that are tried as words of a mail."""
_WITH_WORDS = ("mat", "clipboard")
"""Formats whose readers keep the words above a match themselves."""


class _Sniffed(NamedTuple):
    """The format of a file, and the text or bytes that are in it."""

    format: Format
    data: bytes
    above: int = 0
    """The number of lines above the text."""
    words: int = 0
    """The number of those that say something."""


def _sniff(data: bytes, name: str | None) -> _Sniffed:
    """The format by the contents, also of a text under the words of a mail or in marks of a forum; else by the name."""
    file_format = next((candidate for candidate in FORMATS.values() if candidate.recognises(data[: files.HEAD])), None)
    if file_format is not None:
        return _Sniffed(FORMATS["clipboard"] if _is_position(file_format, data) else file_format, data)
    if texts.is_text(data):
        lines = [texts.unwrapped(line) for line in texts.plain(data).split("\n")]
        starts = [number for number, line in enumerate(lines[: 2 * _ABOVE]) if line.strip()][:_ABOVE]
        for words, above in enumerate(starts):
            text = "\n".join(lines[above:]).encode()
            for candidate in FORMATS.values():
                if (not words or candidate.name not in _WITH_WORDS) and candidate.recognises(text[: files.HEAD]):
                    return _Sniffed(candidate, text, above, words)
    return _Sniffed(_sniff_name(data, name), data)


def _is_position(file_format: Format, data: bytes) -> bool:
    """True if a text that begins like a match (``7 point match``) has no roll of one, but a position."""
    # More lines are refused by every reader of texts, which costs no search through them.
    is_open = file_format.name == "mat" and data.count(b"\n") <= texts.MAX_LINES and not mat.holds_rolls(data)
    return is_open and FORMATS["clipboard"].recognises(data)


def _sniff_name(data: bytes, name: str | None) -> Format:
    """The format by the extension of the name, or by an identifier or rows far down; raises FormatError."""
    extension = Path(name or "").suffix.lower()
    by_name = [file_format for file_format in FORMATS.values() if extension and extension in file_format.extensions]
    if len(by_name) == 1 or (by_name and extension == ".mat"):
        return by_name[0]
    for file_format in (FORMATS["mat"], FORMATS["clipboard"]):
        if file_format.recognises(data):
            return file_format  # A match or an identifier far down in a text.
    if mat.holds_rows(data):
        return FORMATS["mat"]
    known_names = ", ".join(file_format.name for file_format in FORMATS.values() if file_format.extensions)
    raise FormatError(f"{name or 'the data'}: this is none of the formats we read ({known_names})")


def read(source: bytes | str | Path, *, name: str | None = None, format: str | None = None) -> FilesRead:  # noqa: A002
    """Every match of a file, a zip archive, a folder, or of bytes.

    Of an archive or folder the files that cannot be read are listed in ``unread``; a single file that cannot be read
    raises FormatError. ``format`` names the format instead of looking for it.
    """
    documents: list[Document] = []
    unread: list[tuple[str, FormatError]] = []
    single = True
    for count, (member, result) in enumerate(_read_members(source, name, format)):
        single = count == 0
        if isinstance(result, FormatError):
            unread.append((member, result))
        else:
            documents.extend(result)
    if unread and not documents and single and not _is_many(source):
        raise unread[0][1]
    return FilesRead(tuple(documents), tuple((member, files.reason(member, error)) for member, error in unread))


def read_each(
    source: bytes | str | Path,
    *,
    name: str | None = None,
    format: str | None = None,  # noqa: A002
) -> Iterator[tuple[str, tuple[Document, ...] | FormatError]]:
    """Read file by file, so that memory never holds a thousand matches: yields the name of each file and its result.

    The result of a file that cannot be read is the reason alone, without the name.
    """
    for member, result in _read_members(source, name, format):
        yield member, FormatError(files.reason(member, result)) if isinstance(result, FormatError) else result


def _read_members(
    source: bytes | str | Path, name: str | None, format_name: str | None
) -> Iterator[tuple[str, tuple[Document, ...] | FormatError]]:
    parts = files.members(source, name or "") if isinstance(source, bytes) else files.members(Path(source))
    for member, data in parts:
        yield member, data if isinstance(data, FormatError) else _read_bytes(data, member, format_name)


def _read_bytes(data: bytes, name: str, format_name: str | None) -> tuple[Document, ...] | FormatError:
    if len(data) > files.MAX_BYTES:
        return FormatError(f"{name or 'the data'} has {len(data):,} bytes; no file of a match is that large")
    try:
        sniffed = _Sniffed(_format_named(format_name), data) if format_name else _sniff(data, name)
        file_format, data = sniffed.format, sniffed.data
        documents = tuple(_moved(document, sniffed) for document in file_format.read(data, name))
        sure = texts.is_text(data) or file_format.recognises(data[: files.HEAD])
        damaged = any(document.report for document in documents)
        if damaged and not any(says_something(document, sure=sure) for document in documents):
            raise FormatError(f"{name or 'the data'} holds nothing that can be read as {file_format.title}")
        return tuple(
            clean_document(replace(document, report=_shorten(document.report), format=file_format.name, source=name))
            for document in documents
        )
    except FormatError as error:
        return error
    except FullprimeError as error:
        return FormatError(f"{name or 'the data'}: {error}")


def _moved(document: Document, sniffed: _Sniffed) -> Document:
    """The document with the lines of its faults as they are in the whole file."""
    if not sniffed.above:
        return document
    report = [replace(fault, line=fault.line and fault.line + sniffed.above) for fault in document.report]
    count = sniffed.words
    words = f"{count} lines above the match are left out" if count != 1 else "a line above it is left out"
    return replace(document, report=(*([Problem(words, 1)] if count else []), *report))


def _shorten(report: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The faults of a file, the first thousand of them."""
    if len(report) <= files.MOST_PROBLEMS:
        return report
    more = len(report) - files.MOST_PROBLEMS
    return (*report[: files.MOST_PROBLEMS], Problem(f"{more:,} more faults are not listed"))


def write(document: Document, format: str) -> tuple[bytes, LossReport]:  # noqa: A002
    """The document in a format, and the facts that it loses; raises FormatError when it cannot be written."""
    file_format = _format_named(format)
    if file_format.write is None:
        raise FormatError(f"{file_format.title} is read, not written; written are {', '.join(writable())}")
    try:
        return file_format.write(document)
    except FormatError:
        raise
    except FullprimeError as error:
        # A record that cannot be followed, or a match beyond our tables.
        raise FormatError(f"{file_format.title} cannot carry this match: {error}") from error


def write_file(document: Document, format: str, *, analysis: bool = True) -> tuple[bytes, str]:  # noqa: A002
    """The document in a format, with or without its analysis, and the extension of its file; raises FormatError."""
    data, _ = write(document if analysis else replace(document, review=None), format)
    return data, _format_named(format).extension


POSITIONS = ("snowie", "xgp")
"""Formats that hold one position, not a match."""


def writable(*, matches: bool = False) -> tuple[str, ...]:
    """Names of the formats that can be written; with ``matches`` those that hold a whole match."""
    left_out = POSITIONS if matches else ()
    formats = FORMATS.items()
    return tuple(name for name, file_format in formats if file_format.write is not None and name not in left_out)


def _format_named(name: str) -> Format:
    to_kind(str, "the name of a format", name, FormatError)
    file_format = FORMATS.get(name.lower().lstrip("."))
    if file_format is None:
        file_format = next((f for f in FORMATS.values() if f".{name.lower().lstrip('.')}" in f.extensions), None)
    if file_format is None:
        raise FormatError(f"there is no format {name!r:.40}; there are {', '.join(FORMATS)}")
    return file_format


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
    "write_file",
]  # fmt: skip
