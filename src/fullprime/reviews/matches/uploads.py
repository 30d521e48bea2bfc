"""Files that are sent to a server: their matches, within limits on number and size. Importing this loads no engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fullprime.formats import Document, FormatError, files, read


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """The limits of one file that is sent, and of the process that reads it."""

    most_bytes: int = 8 << 20
    """Bytes of one file, also of one in an archive."""
    most_unpacked: int = 64 << 20
    """Bytes that come out of one archive."""
    most_files: int = 500
    """Files of one archive that are looked at."""
    most_matches: int = 50
    """Matches that are taken."""
    cpu_seconds: int = 20
    """Processor time of the process."""
    seconds: float = 60.0
    """Time by the clock, its start included."""
    memory: int = 1 << 30
    """Bytes of address space."""
    most_document: int = 16 << 20
    """Bytes of one match with its analysis, as our JSON."""
    most_output: int = 64 << 20
    """Bytes that the process may say in all."""

    originals: bool = False
    """The bytes of each file are given, too, before its matches."""


LIMITS = UploadLimits()


def documents(data: bytes, name: str, limits: UploadLimits = LIMITS) -> Iterator[tuple[str, Document | str]]:
    """Every match of a file or archive with its name, or why there is none; no more than the limits allow."""
    for member, part in parts(data, name, limits):
        if not isinstance(part, bytes):
            yield member, part


def parts(data: bytes, name: str, limits: UploadLimits = LIMITS) -> Iterator[tuple[str, Document | str | bytes]]:
    """The same, and with ``limits.originals`` the bytes of each file before its matches."""
    members = files.archive_members(data, name) if files.is_archive(data) else iter([(name, data)])
    unpacked = matches = 0
    for count, (member, content) in enumerate(members, 1):
        if count > limits.most_files:
            yield name, f"it holds more than {limits.most_files} files; the rest is left out"
            return
        if isinstance(content, FormatError):
            yield member, files.reason(member, content)
            continue
        unpacked += len(content)
        if unpacked > limits.most_unpacked:
            yield name, f"more than {limits.most_unpacked:,} bytes come out of it; the rest is left out"
            return
        if len(content) > limits.most_bytes:
            yield member, f"it has {len(content):,} bytes; no file of a match is that large"
            continue
        if limits.originals:
            yield member, content
        try:
            documents = read(content, name=member).documents
        except FormatError as error:
            yield member, files.reason(member, error)
            continue
        for number, document in enumerate(documents, 1):
            matches += 1
            if matches > limits.most_matches:
                yield name, f"it holds more than {limits.most_matches} matches; the rest is left out"
                return
            yield member if len(documents) == 1 else f"{member}, match {number}", document
