"""Files of matches: their contents, and the same in another format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fullprime import formats
from fullprime.common.atomic_write import atomic_write
from fullprime.common.json_values import LEFT_OUT, MERGED
from fullprime.formats import FORMATS, Document, FormatError
from fullprime.formats.files import INPUT, MAX_ARCHIVE, Format
from fullprime.formats.ours import form as our_json
from fullprime.play.dice_counts import DiceCounts, dice_of_match
from fullprime.play.table.dice_table import dice_text
from fullprime.play.table.scorecard import ScoreCard, card_text, score_card
from fullprime.rules.dates import format_date
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import GameRecord, Setup
from fullprime.rules.score import Result
from fullprime.rules.taking import short_path, short_value

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
@dataclass(frozen=True, slots=True)
class FileGame:
    """One game of a file."""

    score: tuple[int, int]
    """The score before it, X's points first."""
    crawford: bool
    """True if it is the Crawford game."""
    rolls: int
    """The number of rolls thrown, that of the opening with them."""
    set_up: int
    """Boards that were set up because the file went on from another one: illegal plays among them."""
    result: Result | None
    """Its result; None for a game that is not over, or cannot be followed to its end."""


@dataclass(frozen=True, slots=True)
class FileAnalysisFacts:
    """The analysis that a file carries."""

    program: str
    """The program that made it."""
    events: int
    """The number of events it covers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFacts:
    """A match: its people, rules and games."""

    names: tuple[str, str]
    """The names of X and O."""
    variant: str
    """The game."""
    game: str
    """The game, in words."""
    length: int
    """Points of the match; 0 for money."""
    info: Mapping[str, str]
    """Further facts in the file: event, date, place …"""
    date: str
    """The date, as ``2026-11-21`` where it is sure, else as the file writes it; empty for none."""
    score: tuple[int, int]
    """The score at the end, X's points first."""
    games: tuple[FileGame, ...]
    """The games in their order."""
    rolls: int
    """Rolls in all games."""
    illegal: int
    """Illegal plays and set-ups, kept as they are written."""
    comments: int
    """Comments in all games."""
    analysis: FileAnalysisFacts | None
    """The analysis in the file; None in a file without one."""


@dataclass(frozen=True, slots=True)
class DescribedMatch:
    """One match of a file."""

    facts: MatchFacts = field(metadata=MERGED)
    """Its people, rules and games."""
    problems: tuple[str, ...]
    """The faults of its file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedFile:
    """A file and the matches in it."""

    file: str
    """Its name."""
    error: str | None = field(default=None, metadata=LEFT_OUT)
    """The reason why it could not be read; the format is left out then."""
    format: str | None = field(default=None, metadata=LEFT_OUT)
    """The short name of the format."""
    title: str | None = field(default=None, metadata=LEFT_OUT)
    """The format in words."""
    matches: tuple[DescribedMatch, ...] = ()
    """The matches in it."""


def describe(path: Path | bytes, from_format: str | None = None) -> Iterator[DescribedFile]:
    """A description of every file of a file, folder or archive."""
    for name, documents in _files_of(path, from_format):
        if isinstance(documents, FormatError):
            yield DescribedFile(file=name or INPUT, error=str(documents))
            continue
        format_name = documents[0].format if documents else ""
        title = FORMATS[format_name].title if format_name in FORMATS else format_name
        matches = tuple(describe_document(document) for document in documents)
        yield DescribedFile(file=name or INPUT, format=format_name, title=title, matches=matches)


def _files_of(path: Path | bytes, from_format: str | None) -> Iterator[tuple[str, tuple[Document, ...] | FormatError]]:
    """Every file of a file, folder or archive, and what was read in it; raises FileError where there is no file."""
    empty = True
    for name, documents in formats.read_each(_existing(path), format=from_format):
        yield name, documents
        empty = False
    if empty:
        raise FileError(f"there is no file in {path}" if isinstance(path, Path) else "there is no file in the input")


@dataclass(frozen=True, slots=True)
class CardOfFile:
    """The score card of a match in a file, and the counts of its dice."""

    card: ScoreCard = field(metadata=MERGED)
    """The score card."""
    dice: DiceCounts | None = field(metadata=LEFT_OUT)
    """None where they were not asked for."""

    @property
    def text(self) -> str:
        """Both for a terminal."""
        card = card_text(self.card)
        return card if self.dice is None else f"{card}\n\n{dice_text(self.dice, self.card.names)}"


def cards(path: Path | bytes, from_format: str | None = None, *, dice: bool = False) -> Iterator[CardOfFile | str]:
    """The score card of every match of a file, folder or archive, and the counts of the dice; or a line of error."""
    for name, documents in _files_of(path, from_format):
        if isinstance(documents, FormatError):
            yield f"{name or 'the input'}: {documents}"
            continue
        for document in documents:
            try:
                card = CardOfFile(score_card(document.match), dice_of_match(document.match).match if dice else None)
            except FullprimeError as error:
                yield f"{name or 'the input'}: {error}"
                continue
            yield card


def describe_document(document: Document) -> DescribedMatch:
    """A match described: people, rules, games with their results, and the faults of its file."""
    return DescribedMatch(match_facts(document), tuple(str(problem) for problem in document.report))


def match_facts(document: Document) -> MatchFacts:
    """A match described: people, rules, games with their results."""
    match = document.match
    games = tuple(_file_game(record) for record in match.games)
    review = document.review
    return MatchFacts(
        names=match.names,
        variant=match.settings.variant.name,
        game=match.settings.variant.title,
        length=match.settings.length,
        info=match.info,
        date=format_date(match.info),
        score=_final_score(document),
        games=games,
        rolls=sum(game.rolls for game in games),
        illegal=sum(game.set_up for game in games),
        comments=sum(len(record.comments) for record in match.games),
        analysis=None if review is None else FileAnalysisFacts(review.program, len(review.events)),
    )


def _file_game(record: GameRecord) -> FileGame:
    try:
        result = record.result
    except FullprimeError:
        # The record cannot be followed to its end; the problems of the file say where.
        result = None
    kinds = [event.kind for event in record.events if isinstance(event, Action)]
    return FileGame(
        record.start.score.points,
        record.start.score.crawford_game,
        sum(kind in (ActionKind.ROLL, ActionKind.OPENING) for kind in kinds),
        sum(isinstance(event, Setup) and bool(event.note) for event in record.events),
        result,
    )


def _final_score(document: Document) -> tuple[int, int]:
    try:
        return document.match.score.points
    except FullprimeError:
        return document.match.games[-1].start.score.points if document.match.games else (0, 0)


# -- the same in another format --------------------------------------------------------------------------------------
def format_for(name: str | None, out: Path | None) -> Format:
    """The format to write: the one that is named, else that of the extension; raises FileError with those there are."""
    possible = formats.writable()
    if name is not None:
        key = name.lower().lstrip(".")
        target = FORMATS.get(key) or _by_extension(f".{key}")
        if target is None or target.write is None:
            raise FileError(f"{name[:40]!r} cannot be written; written are {', '.join(possible)}")
        return target
    suffix = out.suffix.lower() if out is not None else ""
    target = _by_extension(suffix)
    if target is None:
        extension = f"the extension {suffix!r}" if suffix else "no extension"
        named = f"name it by to (--to on the command line), one of {', '.join(possible)}"
        raise FileError(f"{extension} says nothing of the format: {named}")
    return target


def _by_extension(suffix: str) -> Format | None:
    """The writable format of an extension; of several the one that holds whole matches."""
    fitting = [fmt for fmt in FORMATS.values() if fmt.write is not None and suffix in fmt.extensions]
    return next((fmt for fmt in fitting if fmt.name == "mat"), fitting[0] if fitting else None)


def convert(
    source: Path | bytes, out: Path | None, to: str | None = None, *, from_format: str | None = None,
    match: int | None = None, folder: bool = False, force: bool = False,
) -> tuple[list[WrittenFile], list[str]]:  # fmt: skip
    """Write every match of a file, folder or archive in another format: the files written, and the faults found.

    ``out`` is a file for one match, a folder for several (one that is there, or ``folder``); None for the bytes alone.
    Raises FileError when there are several matches and no folder, or when a file is there already and not ``force``;
    FormatError for a match that cannot be read, or not be written in that format.
    """
    to_folder = out is not None and (folder or out.is_dir())
    target = format_for(to, None if to_folder else out)
    reading = formats.read(_existing(source), format=from_format)
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
    outputs = [formats.write(document, target.name) for document in documents]
    if out is not None and to_folder:
        make_folder(out)
    written = []
    for path, (data, losses) in zip(paths, outputs, strict=True):
        if path is not None:
            save(path, data)
        written.append(WrittenFile(path, target.name, losses.losses, data if path is None else b""))
    return written, problems


def save(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; raises FileError, also where there is no such folder."""
    _check_folder_of(path)
    try:
        atomic_write(path, data, follow_links=True)
    except OSError as error:
        raise FileError(f"{short_path(path)} cannot be written: {error.strerror or error}") from error


def make_folder(folder: Path) -> None:
    """Make the folder that several files are to be written to, not those above it; raises FileError."""
    _check_folder_of(folder)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise FileError(f"{short_path(folder)} cannot be made: {error.strerror or error}") from error


def _check_folder_of(path: Path) -> None:
    try:
        is_there = path.parent.is_dir()
    except (OSError, ValueError):  # a name that no system takes
        is_there = False
    if not is_there:
        raise FileError(f"{short_path(path)}: there is no folder {short_path(path.parent)}")


def _paths(documents: Sequence[Document], name: str, out: Path, target: Format) -> list[Path]:
    """One path for each match, after the file it comes from."""
    taken: set[Path] = set()
    paths = []
    for document in documents:
        stem = Path(document.source or name).stem or "match"
        path, number = out / f"{stem}{target.extension}", 1
        while path in taken:
            number += 1
            path = out / f"{stem}-{number}{target.extension}"
        taken.add(path)
        paths.append(path)
    return paths


def join_documents(documents: Sequence[Document]) -> bytes:
    """Many matches as one file of our JSON."""
    entries = [json.loads(our_json.write(document)[0])["matches"][0] for document in documents]
    content = {"format": our_json.FORMAT, "version": our_json.VERSION, "matches": entries}
    return (json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


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
        exists = Path(path).exists()
    except (OSError, ValueError):
        exists = False
    if not exists:
        raise FileError(f"there is no file {short_path(path)}")
    return Path(path)


def _existing(path: Path | bytes) -> Path | bytes:
    return existing(path) if isinstance(path, Path) else path
