"""Shared parts of the readers of the old servers' texts: numbers, yes and no, and the document at the end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.recording.tags import YOU
from fullprime.rules.record import Match
from fullprime.rules.score import Settings

MAX_LENGTH = 10_000


def length_of(text: str, problems: list[Problem], line: int | None = None) -> int:
    """The length of a match; text that is no number from 0 to 10,000 is reported and read as money play."""
    digits = text.strip()
    if re.fullmatch(r"\d{1,9}", digits) and int(digits) <= MAX_LENGTH:
        return int(digits)
    problems.append(Problem(f"a match to {text.strip()!r:.20} is taken as money play", line))
    return 0


def allow_raises(settings: Settings, words: str) -> Settings:
    """Allow beavers or raccoons in money play where the words name one."""
    if settings.is_match or not settings.cube:
        return settings
    beavers, raccoons = re.search("beaver", words, re.IGNORECASE), re.search("raccoon", words, re.IGNORECASE)
    return replace(
        settings,
        beavers=settings.beavers or bool(beavers or raccoons),
        raccoons=settings.raccoons or bool(raccoons),
    )


def without_you(names: tuple[str, str]) -> tuple[str, str]:
    """X's and O's name, none for the player whom the log calls ``You``."""
    x, o = ("" if name == YOU else name for name in names)
    return x, o


def finish_document(recorder: Recorder | None, names: tuple[str, str], info: Mapping[str, str], name: str) -> Document:
    """The document of the recorded games; raises FormatError when there is none."""
    if recorder is None:
        raise FormatError(f"{name or 'the text'} holds no game")
    recorder.close()
    match = Match(recorder.settings, without_you(names), tuple(recorder.games), MappingProxyType(dict(info)))
    return Document(match, None, tuple(recorder.problems), source=name)
