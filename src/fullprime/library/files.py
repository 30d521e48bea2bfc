"""Files in and out of the library: imports that can be broken off, and exports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fullprime import formats
from fullprime.formats import Document, FormatError, files
from fullprime.library.store.library import LibraryStore
from fullprime.reviews.matches.files import FileError, WrittenFile, format_for, join_documents, make_folder, save
from fullprime.rules.errors import FullprimeError


# -- files in --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class FileReport:
    """The result for one file that was imported."""

    file: str
    """Its name."""
    status: str
    """``new``, ``known`` (its matches were there), ``seen`` (the very bytes were imported before) or ``failed``."""
    new: tuple[int, ...] = ()
    """Numbers of the matches that are new."""
    known: tuple[int, ...] = ()
    """Numbers of those that were there."""
    problems: tuple[str, ...] = ()
    """The faults that were found."""


def import_files(
    store: LibraryStore, paths: Iterable[Path | bytes], format_name: str | None = None
) -> Iterator[FileReport]:
    """Import files, folders, archives and bytes, each file in one transaction; a report for each once it is stored.

    A file that is in the library already is known by its bytes and passed over, so that an import that was killed goes
    on when it is started again. A file that cannot be read is reported and stops nothing.
    """
    for path in paths:
        if isinstance(path, bytes):
            for name, data in files.members(path):
                yield _import(store, name, data, format_name)
            continue
        if not path.exists():
            yield FileReport(str(path), "failed", problems=(f"there is no file {path}",))
            continue
        for file in files.files_of(path):
            inside = str(file.relative_to(path.parent)) if path.is_dir() else file.name
            for name, data in files.members(file):
                yield _import(store, _text(inside + name[len(file.name) :]), data, format_name)


def _import(store: LibraryStore, name: str, data: bytes | FormatError, format_name: str | None) -> FileReport:
    if isinstance(data, FormatError):
        return FileReport(name, "failed", problems=(files.reason(name, data),))
    try:
        if store.has(data):
            return FileReport(name, "seen")
        reading = formats.read(data, name=name, format=format_name)
        if not reading.documents:
            return FileReport(name, "failed", problems=("it holds no match",))
        added = store.add(data, name, reading.documents)
    except FullprimeError as error:
        return FileReport(name, "failed", problems=(files.reason(name, error),))
    if added.file_known:
        return FileReport(name, "seen")
    return FileReport(name, "new" if added.new else "known", added.new, added.known, added.problems)


def _text(name: str) -> str:
    """A file name as text: names that are no Unicode get question marks."""
    return name.encode("utf-8", "replace").decode()


# -- files out -------------------------------------------------------------------------------------------------------
def whole_document(store: LibraryStore, number: int) -> Document:
    """A match with our newest review where there is one, else with the analysis of its file."""
    document = store.get_document(number)
    reviews = [review for review in store.list_reviews(number) if review.complete]
    if not reviews:
        return document
    from fullprime.reviews.file_analysis import file_analysis

    return replace(document, review=file_analysis(reviews[0]))


def export(
    store: LibraryStore, numbers: Sequence[int], out: Path, to: str | None, *, original: bool = False,
    force: bool = False,
) -> list[WrittenFile]:  # fmt: skip
    """Write matches to a folder, one file each, or all to one file of our JSON; ``original`` gives the files as they
    were imported. Raises FileError, and FormatError for a match that the format cannot carry.
    """
    if original:
        return _export_originals(store, numbers, out, force=force)
    if to is None and out.suffix.lower() == ".json" and not out.is_dir():
        _free(out, force=force)
        save(out, join_documents([whole_document(store, number) for number in numbers]))
        return [WrittenFile(out, "json", ())]
    target = format_for(to or "json", None)
    make_folder(out)
    written = []
    for number in numbers:
        document = whole_document(store, number)
        path = out / f"{number:05}-{_slug(' '.join(document.match.names))}{target.extension}"
        _free(path, force=force)
        data, losses = formats.write(document, target.name)
        save(path, data)
        written.append(WrittenFile(path, target.name, losses.losses))
    return written


def _export_originals(store: LibraryStore, numbers: Sequence[int], out: Path, *, force: bool) -> list[WrittenFile]:
    make_folder(out)
    written = []
    done: set[int] = set()
    for number in numbers:
        for copy in store.list_copies(number):
            if copy.source in done:
                continue
            done.add(copy.source)
            name, data = store.get_original(copy.source)
            path = out / f"{copy.source:05}-{Path(name).name}"
            _free(path, force=force)
            save(path, data)
            written.append(WrittenFile(path, copy.format, ()))
    return written


def _free(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        raise FileError(f"{path} is there already; --force writes over it")


def _slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text).split())[:60] or "match"
