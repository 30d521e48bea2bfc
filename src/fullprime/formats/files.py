"""Files, archives and folders: the format is found by the bytes, every match is read, no stated size is trusted."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from fullprime.formats.document import Document, FormatError, LossReport
from fullprime.rules.errors import FullprimeError, RulesError
from fullprime.rules.record import Match

HEAD = 8192
INPUT = "the input"
"""The name of bytes that came from no file."""
MAX_BYTES = 32 << 20
"""No single file of a match is this large; a member of an archive stops being read here."""
MAX_ARCHIVE = 512 << 20
"""Bytes read from one archive in all."""
MAX_MEMBERS = 20_000
MAX_STREAMS = 100
"""Parts of one file, each packed by gzip."""
GZIP, ZIP = b"\x1f\x8b", (b"PK\x03\x04", b"PK\x05\x06")
"""The first bytes of what gzip has packed, and of zip archives."""
_CLUTTER = re.compile(r"(?:^|/)(?:__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
"""What file managers put beside files, and what is never a match."""
MOST_PROBLEMS = 1_000
"""Faults of one match that are listed."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format: the functions that recognise it, read it and, where that makes sense, write it."""

    name: str
    title: str
    extensions: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    reader: Callable[[bytes, str], tuple[Document, ...]]
    write: Callable[[Document], tuple[bytes, LossReport]] | None = None
    written_extension: str = ".txt"
    """The extension of a file in a format that is known by no extension of its own."""

    @property
    def extension(self) -> str:
        """The extension of a file that is written in this format."""
        return self.extensions[0] if self.extensions else self.written_extension

    def read(self, data: bytes, name: str) -> tuple[Document, ...]:
        """The matches in bytes that came from ``name``; raises FormatError, also for values that no game can have."""
        try:
            return self.reader(data, name)
        except RulesError as error:
            raise FormatError(f"{name or 'the data'}: {error}") from error


@dataclass(frozen=True, slots=True)
class FilesRead:
    """The documents of a file, an archive or a folder, and the files in it that could not be read."""

    documents: tuple[Document, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    """Names of files from which nothing could be read, each with the reason."""

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, index: int) -> Document:
        return self.documents[index]

    @property
    def matches(self) -> tuple[Match, ...]:
        """The matches alone, without the other facts of their files."""
        return tuple(document.match for document in self.documents)

    def __str__(self) -> str:
        lines = [str(document) for document in self.documents] + [f"{name}: {why}" for name, why in self.unread]
        return "\n".join(lines) or "nothing"


def reason(name: str, error: FullprimeError) -> str:
    """The reason why a file cannot be read, without its name, which stands before it wherever files are listed."""
    return str(error).removeprefix(name).lstrip(": ") if name else str(error)


def members(path: Path | bytes, name: str = INPUT) -> Iterator[tuple[str, bytes | FormatError]]:
    """Name and bytes of every file of a folder, of an archive, or of the file itself; ``name`` is that of bytes."""
    if isinstance(path, bytes):
        yield from archive_members(path, name) if is_archive(path) else [_unpack(name, path)]
        return
    if path.is_dir():
        for child in files_of(path):
            yield from members(child)
        return
    data = _bytes(path)
    if isinstance(data, bytes) and is_archive(data):
        yield from archive_members(data, path.name)
    else:
        yield _unpack(path.name, data)


def _unpack(name: str, data: bytes | FormatError) -> tuple[str, bytes | FormatError]:
    """The name and bytes of a file, unpacked where gzip has packed it."""
    if isinstance(data, FormatError) or not data.startswith(GZIP):
        return name, data
    content = bytearray()
    left, streams = data, 0
    while left.startswith(GZIP) and len(content) <= MAX_BYTES:
        streams += 1
        unpacker = zlib.decompressobj(wbits=31)
        try:
            content += unpacker.decompress(left, MAX_BYTES + 1 - len(content))
        except zlib.error as error:
            return name, FormatError(f"{name or 'the data'} cannot be unpacked: {error!s:.80}")
        if not unpacker.eof:
            if len(content) <= MAX_BYTES:
                return name, FormatError(f"{name or 'the data'} cannot be unpacked: its end is missing")
            break
        left = unpacker.unused_data
        if streams == MAX_STREAMS and left:
            return name, FormatError(f"{name or 'the data'} has more than {MAX_STREAMS} parts that gzip has packed")
    else:
        if left.strip(b"\0"):
            return name, FormatError(f"{name or 'the data'} cannot be unpacked: more follows what gzip has packed")
    if content.startswith((GZIP, *ZIP)):
        return name, FormatError(f"{name or 'the data'} is an archive inside an archive")
    return name.removesuffix(".gz"), bytes(content)


def files_of(path: Path) -> list[Path]:
    """The files of a folder and of the folders in it, or the file itself."""
    if path.is_dir():
        children = (child for child in path.rglob("*") if child.is_file())
        return sorted(child for child in children if not _CLUTTER.search(child.relative_to(path).as_posix()))
    return [path]


def count_files(paths: Iterable[Path | bytes]) -> int:
    """The number of files in files, folders, archives and bytes; nothing is unpacked for it."""
    return sum(
        _count(file) for path in paths for file in ([io.BytesIO(path)] if isinstance(path, bytes) else files_of(path))
    )


def _count(path: Path | io.BytesIO) -> int:
    try:
        with path.open("rb") if isinstance(path, Path) else nullcontext(path) as stream:
            if not is_archive(stream.read(4)):
                return 1
        with zipfile.ZipFile(path) as archive:
            return sum(not info.is_dir() and not _CLUTTER.search(info.filename) for info in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return 1


def _bytes(path: Path) -> bytes | FormatError:
    try:
        size = path.stat().st_size
        if size > MAX_ARCHIVE:
            return FormatError(f"{path.name} has {size:,} bytes; no file of matches is that large")
        return path.read_bytes()
    except OSError as error:
        return FormatError(f"{path.name} cannot be opened: {error.strerror or error}")


def is_archive(data: bytes) -> bool:
    """True if the bytes are a zip archive."""
    return data.startswith(ZIP)


def archive_members(data: bytes, name: str) -> Iterator[tuple[str, bytes | FormatError]]:
    """Name and bytes of each file in a zip archive, within limits on number and size."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        infos = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError, UnicodeDecodeError) as error:
        yield name, FormatError(f"{name} is a damaged archive: {error!s:.80}")
        return
    if len(infos) > MAX_MEMBERS:
        yield name, FormatError(f"{name} holds {len(infos):,} files; at most {MAX_MEMBERS:,} are read from an archive")
        return
    left = MAX_ARCHIVE
    for info in infos:
        if info.is_dir() or _CLUTTER.search(info.filename):
            continue
        inner = f"{name}/{info.filename}"
        inner, content = _unpack(inner, _member(archive, info, inner, min(left, MAX_BYTES)))
        if isinstance(content, bytes):
            left -= len(content)
        yield inner, content
        if left <= 0:
            yield name, FormatError(f"{name} holds more than {MAX_ARCHIVE:,} bytes; the rest is not read")
            return


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, limit: int) -> bytes | FormatError:
    try:
        with archive.open(info) as stream:
            content = stream.read(limit + 1)
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, RuntimeError, NotImplementedError) as error:
        return FormatError(f"{name} cannot be unpacked: {error!s:.80}")
    if len(content) > limit:
        return FormatError(f"{name} unpacks to more than {limit:,} bytes")
    if is_archive(content):
        return FormatError(f"{name} is an archive inside an archive")
    return content
