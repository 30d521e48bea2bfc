"""Cleaning of documents: every text that a reader found, without control characters (`rules.foreign_text`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from fullprime.formats.analysis import CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.document import Document, Problem
from fullprime.rules.foreign_text import clean_line, clean_text
from fullprime.rules.record import Event, GameRecord, Match, Setup


def clean_document(document: Document) -> Document:
    """The document with clean text: names, facts, remarks, notes, and what other programs said."""
    review = document.review
    return replace(
        document,
        match=_match(document.match),
        review=None if review is None else _review(review),
        report=tuple(_problem(problem) for problem in document.report),
    )


def _match(match: Match) -> Match:
    first, second = match.names
    return replace(
        match,
        names=(clean_line(first), clean_line(second)),
        games=tuple(_game(game) for game in match.games),
        info=_facts(match.info),
    )


def _game(game: GameRecord) -> GameRecord:
    comments = {event: clean_text(remark) for event, remark in game.comments.items()}
    return replace(game, events=tuple(_event(event) for event in game.events), comments=comments)


def _event(event: Event) -> Event:
    if isinstance(event, Setup) and not event.note.isprintable():
        return replace(event, note=clean_line(event.note))
    return event


def _facts(facts: Mapping[str, str]) -> Mapping[str, str]:
    """Facts by name, each on one line; remarks alone may have several."""
    return MappingProxyType(
        {clean_line(name): (clean_text if name == "Comment" else clean_line)(fact) for name, fact in facts.items()}
    )


def _review(review: FileAnalysis) -> FileAnalysis:
    events = {place: _analysis(analysis) for place, analysis in review.events.items()}
    return FileAnalysis(clean_line(review.program), MappingProxyType(events), _facts(review.figures))


def _analysis(analysis: EventAnalysis) -> EventAnalysis:
    play, cube = analysis.play, analysis.cube
    return replace(analysis, play=play and _play(play), cube=cube and _cube(cube))


def _play(play: PlayAnalysis) -> PlayAnalysis:
    if all(candidate.text.isprintable() and candidate.level.isprintable() for candidate in play.candidates):
        return play
    candidates = (
        replace(candidate, text=clean_line(candidate.text), level=clean_line(candidate.level))
        for candidate in play.candidates
    )
    return replace(play, candidates=tuple(candidates))


def _cube(cube: CubeAnalysis) -> CubeAnalysis:
    return cube if cube.level.isprintable() else replace(cube, level=clean_line(cube.level))


def _problem(problem: Problem) -> Problem:
    return problem if problem.words.isprintable() else replace(problem, words=clean_line(problem.words))
