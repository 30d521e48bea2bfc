"""Atomic writes: a file appears complete or not at all, and after a power cut it holds the old content or the new.

The content goes to a partial file in the same folder, which is flushed to the disk and then renamed. A kill may leave
the partial file: its name is hidden and ends in ``.partial``.

There is no library for this that is typed and kept up: ``atomicwrites`` is archived, and the copies of it that live on
sync no folder or keep no permissions.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PARTIAL = ".partial"
"""The ending of partial files."""
_WINDOWS = os.name == "nt"
_OWNER_ONLY, _BY_UMASK = 0o600, 0o666
_LONGEST = 50
"""Letters of a file's name that the name of its partial file repeats: file systems end names at 255 bytes."""
_WAITS = 0.01, 0.02, 0.05, 0.1, 0.2
"""Seconds between attempts to rename on Windows, where a virus scanner or another writer may hold the file."""
_NO_FOLDER_SYNC = frozenset({errno.EACCES, errno.EINVAL, errno.ENOTSUP, errno.ENOSYS})
"""Errors of file systems that cannot sync a folder, and of folders that may be written and not read."""


def atomic_write(path: Path, data: bytes | str, *, private: bool = False, follow_links: bool = False) -> None:
    """Write a whole file, text as UTF-8 with its line ends as they are; see :func:`atomic_writer`. Raises OSError."""
    with atomic_writer(path, private=private, follow_links=follow_links) as file:
        file.write(data if isinstance(data, bytes) else data.encode())


@contextmanager
def atomic_writer(path: Path, *, private: bool = False, follow_links: bool = False) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces ``path`` when the block ends; an error in the block leaves no trace.

    An existing file keeps its permission bits, not its owner. With ``private`` only the owner may read and write the
    file, whatever was there before. A pipe or a device cannot be replaced and is written into.

    A symbolic link is replaced by the file, so that a link planted in a shared folder leads to nothing. With
    ``follow_links``, for paths that the user names, the link stays and the file that it leads to is replaced.
    Raises OSError.
    """
    target = Path(os.path.realpath(path)) if follow_links else path
    mode = _mode(target)
    if mode is not None and not stat.S_ISREG(mode):
        with target.open("wb") as file:
            yield file
        return
    with atomic_path(target, private=private) as partial, partial.open("wb") as file:
        yield file


@contextmanager
def atomic_path(path: Path, *, private: bool = False) -> Iterator[Path]:
    """As :func:`atomic_writer`, for code that writes to a path: gives the path of the empty partial file.

    The block must have closed the file when it ends. It may look through what was written: an error keeps the old file.
    """
    mode = _mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(code, os.strerror(code), str(path))
    partial = _new_partial(path, _BY_UMASK if mode is None and not private else _OWNER_ONLY)
    try:
        yield partial
        _sync(partial, None if mode is None or private else stat.S_IMODE(mode))
        _replace(partial, path)
    except BaseException:
        with suppress(OSError):
            partial.chmod(_OWNER_ONLY)  # Windows removes no file that is read-only.
            partial.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def atomic_create(path: Path, data: bytes, *, private: bool = False) -> bool:
    """Create a whole file; False, and nothing is written, if there is one, even if another process has just made it.

    Needs a file system with hard links. Raises OSError.
    """
    partial = _new_partial(path, _OWNER_ONLY if private else _BY_UMASK)
    try:
        partial.write_bytes(data)
        _sync(partial)
        os.link(partial, path)
    except FileExistsError:
        return False
    finally:
        with suppress(OSError):
            partial.unlink()
    _sync_folder(path.parent)
    return True


def remove_partials(path: Path) -> None:
    """Remove the partial files of a path that processes of this machine left behind when they ended."""
    begin = _partial_begin(path)
    with suppress(OSError):
        for leftover in path.parent.iterdir():
            if leftover.name.startswith(begin) and leftover.name.endswith(PARTIAL):
                process = leftover.name.removeprefix(begin).partition("-")[0]
                if process.isdecimal() and not _runs(int(process)):
                    leftover.unlink(missing_ok=True)


# -- inside --------------------------------------------------------------------------------------------------------
def _mode(path: Path) -> int | None:
    """The kind and the permissions of a file; None where there is none, and for a link, which will be replaced."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return None
    return None if stat.S_ISLNK(mode) else mode


def _partial_begin(target: Path) -> str:
    return f".{target.name[:_LONGEST]}."


def _new_partial(target: Path, mode: int) -> Path:
    """Create an empty partial file that no other writer has, with the process that writes it in its name."""
    partial = target.with_name(f"{_partial_begin(target)}{os.getpid()}-{os.urandom(6).hex()}{PARTIAL}")
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    return partial


def _sync(partial: Path, mode: int | None = None) -> None:
    """Wait until the content is on the disk, which may only now say that there is no room for it."""
    with partial.open("rb+") as file:
        if mode is not None:
            partial.chmod(mode)
        os.fsync(file.fileno())


def _replace(partial: Path, target: Path) -> None:
    for wait in _WAITS if _WINDOWS else ():
        try:
            partial.replace(target)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    partial.replace(target)


def _sync_folder(folder: Path) -> None:
    """Wait until the new name is on the disk; Windows has no such call, and NTFS logs names by itself."""
    if _WINDOWS:
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise


def _runs(process: int) -> bool:
    """True if this machine has such a process, and where that cannot be asked."""
    if _WINDOWS:  # There ``kill`` with 0 would end it.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
