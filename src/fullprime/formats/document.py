"""What a file holds once read, what was wrong with it, and what a file cannot hold."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.formats.analysis import FileAnalysis
from fullprime.rules.errors import FullprimeError
from fullprime.rules.record import Match


class FormatError(FullprimeError, ValueError):
    """Bytes from which nothing can be read, or a document that a format cannot carry at all."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that is wrong, contradicts itself or was passed over, and where it stands."""

    words: str
    line: int | None = None
    """Line of a text file, from 1."""
    offset: int | None = None
    """Byte of a binary file, from 0."""

    def __str__(self) -> str:
        if self.line is not None:
            return f"line {self.line}: {self.words}"
        if self.offset is not None:
            return f"byte {self.offset}: {self.words}"
        return self.words


@dataclass(frozen=True, slots=True)
class Document:
    """One match (or one position: a match whose only game begins there) with the analysis its file carries.

    ``report`` says what was wrong; it is empty for a sound file. ``source`` names the file inside an archive or folder.
    """

    match: Match
    review: FileAnalysis | None = None
    report: tuple[Problem, ...] = ()
    format: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class LossReport:
    """What the written file does not say although the document does; empty when nothing is lost."""

    losses: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.losses)

    def __str__(self) -> str:
        return "; ".join(self.losses) or "nothing is lost"


__all__ = ["Document", "FormatError", "LossReport", "Problem"]
