"""Documents: the contents of a file once read, its faults, and the losses of a file that is written."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.formats.analysis import FileAnalysis
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import Match
from fullprime.rules.words import format_players


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

    ``report`` names the faults; it is empty for a sound file. ``source`` names the file inside an archive or folder.
    """

    match: Match
    review: FileAnalysis | None = None
    report: tuple[Problem, ...] = ()
    format: str = ""
    source: str = ""

    def __str__(self) -> str:
        names, games = self.match.names, len(self.match.games)
        count = "one game" if games == 1 else f"{games} games"
        return f"{self.source or 'a match'}: {self.match.settings}, {format_players(names)}, {count}"


_ROLLED = (ActionKind.OPENING, ActionKind.ROLL)


def says_something(document: Document, *, sure: bool = True) -> bool:
    """True if the document holds any fact: a play, a cube, a result, a board, a length or names.

    Not ``sure`` that its file is of this format, plays and the cube alone count: among many random bytes some look like
    a roll or a name.
    """
    match = document.match
    for game in match.games:
        if any(isinstance(event, Action) and event.kind not in _ROLLED for event in game.events):
            return True
        if sure and (game.stated or game.start.position != match.settings.variant.starting_position):
            return True
    return sure and (bool(match.settings.length) or any(match.names) or bool(match.info))


@dataclass(frozen=True, slots=True)
class LossReport:
    """The facts of the document that the written file does not hold; empty when nothing is lost."""

    losses: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.losses)

    def __str__(self) -> str:
        return "; ".join(self.losses) or "nothing is lost"
