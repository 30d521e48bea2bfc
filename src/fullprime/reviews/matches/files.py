"""Files of matches: their contents, and the same in another format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fullprime import formats
from fullprime.common.atomic_write import atomic_write
from fullprime.formats import FORMATS, Document, FormatError
from fullprime.formats.files import INPUT, MAX_ARCHIVE, Format
from fullprime.formats.ours import form as our_json
from fullprime.play.table.scorecard import ScoreCard, card_text, score_card
from fullprime.reviews.matches.fields import FileGame, FileJson, FileMatch, FileResult, MatchFacts
from fullprime.rules.dates import told_date
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import GameRecord, Setup
from fullprime.rules.score import Result
from fullprime.rules.taking import short_value

MOST_BYTES = MAX_ARCHIVE
"""Bytes of the largest file or archive that is read."""


class FileError(FullprimeError):
    """A file that cannot be converted or written, and the way out."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file that was written, and the facts of its source that it does not carry."""

    path: Path | None
    """None for bytes that were asked for, not written."""
    format: str
    losses: tuple[str, ...]
    data: bytes = b""


# -- descriptions ----------------------------------------------------------------------------------------------------
def describe(path: Path | bytes, known: str | None = None) -> Iterator[FileJson]:
    """A description of every file of a file, folder or archive: one JSON value each."""
    for name, found in _each_of(path, known):
        if isinstance(found, FormatError):
            yield {"file": name or INPUT, "error": str(found), "matches": []}
            continue
        format_name = found[0].format if found else ""
        title = FORMATS[format_name].title if format_name in FORMATS else format_name
        yield {
            "file": name or INPUT, "format": format_name, "title": title,
            "matches": [describe_document(document) for document in found],
        }  # fmt: skip


def _each_of(path: Path | bytes, known: str | None) -> Iterator[tuple[str, tuple[Document, ...] | FormatError]]:
    """Every file of a file, folder or archive, and what was read in it; raises FileError where there is no file."""
    empty = True
    for name, found in formats.read_each(_existing(path), format=known):
        yield name, found
        empty = False
    if empty:
        raise FileError(f"there is no file in {path}" if isinstance(path, Path) else "there is no file in the input")


def cards(path: Path | bytes, known: str | None = None) -> Iterator[tuple[ScoreCard, str] | str]:
    """The score card of every match of a file, folder or archive, as a JSON value and as text; or a line of error."""
    for name, found in _each_of(path, known):
        if isinstance(found, FormatError):
            yield f"{name or 'the input'}: {found}"
            continue
        for document in found:
            try:
                card = score_card(document.match)
            except FullprimeError as error:
                yield f"{name or 'the input'}: {error}"
                continue
            yield card, card_text(card)


def describe_document(document: Document) -> FileMatch:
    """A match described: people, rules, games with their results, and the faults of its file."""
    return {**match_facts(document), "problems": [str(problem) for problem in document.report]}


def match_facts(document: Document) -> MatchFacts:
    """A match described: people, rules, games with their results."""
    match = document.match
    games = [_game(record) for record in match.games]
    review = document.review
    return {
        "names": list(match.names),
        "variant": match.settings.variant.name,
        "game": match.settings.variant.title,
        "length": match.settings.length,
        "info": dict(match.info),
        "date": told_date(match.info),
        "score": _final_score(document),
        "games": games,
        "rolls": sum(game["rolls"] for game in games),
        "illegal": sum(game["set_up"] for game in games),
        "comments": sum(len(record.comments) for record in match.games),
        "analysis": None if review is None else {"program": review.program, "events": len(review.events)},
    }


def _game(record: GameRecord) -> FileGame:
    result: Result | None = None
    try:
        result = record.result
    except FullprimeError:
        # The record cannot be followed to its end; the problems of the file say where.
        result = None
    kinds = [event.kind for event in record.events if isinstance(event, Action)]
    return {
        "score": list(record.start.score.points),
        "crawford": record.start.score.crawford_game,
        "rolls": sum(kind in (ActionKind.ROLL, ActionKind.OPENING) for kind in kinds),
        "set_up": sum(isinstance(event, Setup) and bool(event.note) for event in record.events),
        "result": None if result is None else _result(result),
    }


def _result(result: Result) -> FileResult:
    return {"winner": result.winner.name, "points": result.points, "level": result.level, "how": result.how}


def _final_score(document: Document) -> list[int]:
    try:
        return list(document.match.score.points)
    except FullprimeError:
        return list(document.match.games[-1].start.score.points) if document.match.games else [0, 0]


# -- the same in another format --------------------------------------------------------------------------------------
def format_for(name: str | None, out: Path | None) -> Format:
    """The format to write: the one that is named, else that of the extension; raises FileError with those there are."""
    possible = formats.writable()
    if name is not None:
        key = name.lower().lstrip(".")
        found = FORMATS.get(key) or _by_extension(f".{key}")
        if found is None or found.write is None:
            raise FileError(f"{name[:40]!r} cannot be written; written are {', '.join(possible)}")
        return found
    suffix = out.suffix.lower() if out is not None else ""
    found = _by_extension(suffix)
    if found is None:
        what = f"the extension {suffix!r}" if suffix else "no extension"
        named = f"name it by to (--to on the command line), one of {', '.join(possible)}"
        raise FileError(f"{what} says nothing of the format: {named}")
    return found


def _by_extension(suffix: str) -> Format | None:
    """The writable format of an extension; of several the one that holds whole matches."""
    fitting = [known for known in FORMATS.values() if known.write is not None and suffix in known.extensions]
    return next((known for known in fitting if known.name == "mat"), fitting[0] if fitting else None)


def convert(
    source: Path | bytes, out: Path | None, to: str | None = None, *, known: str | None = None,
    match: int | None = None, folder: bool = False, force: bool = False,
) -> tuple[list[WrittenFile], list[str]]:  # fmt: skip
    """Write every match of a file, folder or archive in another format: the files written, and the faults found.

    ``out`` is a file for one match, a folder for several (one that is there, or ``folder``); None for the bytes alone.
    Raises FileError when there are several matches and no folder, or when a file is there already and not ``force``;
    FormatError for a match that cannot be read, or not be written in that format.
    """
    to_folder = out is not None and (folder or out.is_dir())
    target = format_for(to, None if to_folder else out)
    reading = formats.read(_existing(source), format=known)
    documents = list(reading.documents)
    problems = [reason for _, reason in reading.unread]
    name = INPUT if isinstance(source, bytes) else source.name
    problems += [f"{document.source or name}: {problem}" for document in documents for problem in document.report]
    if match is not None:
        if not 1 <= match <= len(documents):
            raise FileError(f"{name} holds {_several(len(documents))}: there is no match {match}")
        documents = [documents[match - 1]]
    if not documents:
        raise FileError(f"{name} holds no match" + (f": {problems[0]}" if problems else ""))
    if len(documents) > 1 and not to_folder:
        hint = "give a folder to write them to, or --match with the number of one"
        raise FileError(f"{name} holds {_several(len(documents))}: {hint}")
    paths: Sequence[Path | None] = [out] if out is None or not to_folder else _paths(documents, name, out, target)
    for path in paths:
        if path is not None and path.exists() and not force:
            raise FileError(f"{path} is there already; --force writes over it")
    # Everything is made before anything is written: a match that cannot be written leaves no half-filled folder.
    made = [formats.write(document, target.name) for document in documents]
    written = []
    for path, (data, losses) in zip(paths, made, strict=True):
        if path is not None:
            save(path, data)
        written.append(WrittenFile(path, target.name, losses.losses, data if path is None else b""))
    return written, problems


def save(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; raises FileError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, data, follow_links=True)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror or error}") from error


def _paths(documents: Sequence[Document], name: str, out: Path, target: Format) -> list[Path]:
    """One path for each match, after the file it comes from."""
    taken: set[Path] = set()
    found = []
    for document in documents:
        stem = Path(document.source or name).stem or "match"
        path, number = out / f"{stem}{target.extensions[0]}", 1
        while path in taken:
            number += 1
            path = out / f"{stem}-{number}{target.extensions[0]}"
        taken.add(path)
        found.append(path)
    return found


def joined(documents: Sequence[Document]) -> bytes:
    """Many matches as one file of our JSON."""
    entries = [json.loads(our_json.write(document)[0])["matches"][0] for document in documents]
    whole = {"format": our_json.FORMAT, "version": our_json.VERSION, "matches": entries}
    return (json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _several(count: int) -> str:
    return "one match" if count == 1 else f"{count} matches"


def existing(path: str | Path) -> Path:
    """The path of a file or folder that is there; raises FileError, also for a text that is no path."""
    if not isinstance(path, str | Path):
        raise FileError(f"{short_value(path)} is no path of a file")
    words = str(path)
    if isinstance(path, str) and (not path or "\n" in path):
        raise FileError(f"{words[:40]!r} is no path of a file; a text is read as bytes: text.encode()")
    try:
        found = Path(path).exists()
    except (OSError, ValueError):
        found = False
    if not found:
        raise FileError(f"there is no file {words if len(words) <= 300 else words[:40] + '…'}")
    return Path(path)


def _existing(path: Path | bytes) -> Path | bytes:
    return existing(path) if isinstance(path, Path) else path
