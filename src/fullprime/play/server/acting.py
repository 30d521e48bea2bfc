"""What the people at a table of a server do, where it takes more than one command."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.commands import AnswerResignation, OfferResignation, SessionCommand, UseHelp
from fullprime.play.decide import StaleBoard
from fullprime.play.events import Seat
from fullprime.play.server.lines import NO_ROLL, QUESTIONS, ReadLine, read_line, word_of
from fullprime.play.server.live_session import LiveSession, SessionStep
from fullprime.play.server.service import TRIES, SessionService
from fullprime.play.server.telling import render_step, tell_resignation_offered, tell_resignation_refused
from fullprime.play.session import GameSession
from fullprime.play.table.events import Event
from fullprime.rules.errors import FullprimeError, IllegalAction


def tell_steps(steps: Iterable[SessionStep]) -> list[Event]:
    """The events of steps, in words."""
    return [event for step in steps for event in render_step(step.before, step.entry.event, step.after, step.entry.at)]


async def act(
    service: SessionService,
    live: LiveSession,
    seat: Seat | None,
    line: str,
    *,
    moves: Iterable[str] = (),
    sequence: int | None = None,
    link: str | None = None,
) -> tuple[list[Event], list[str]]:
    """Carry out a line; gives the events, and the checker moves of a play that is not complete.

    ``moves`` are those already made of it on this person's board. With ``sequence``, Refusal ("stale") is raised when
    the board has changed since. ``link`` is the player's link for the throw that the line makes. The answers of bots
    come later.
    """
    moves = tuple(moves)
    for _ in range(TRIES):
        if live.is_behind or (sequence is not None and sequence > live.session.board_version):
            await service.refresh(live)
        session = live.session
        _check_sequence(session, sequence)
        word = word_of(session, line, live.view.roll)
        if word in QUESTIONS:
            if link is not None:
                raise IllegalAction(NO_ROLL)
            return list((await _answer(service, live, seat, line, word)).events), []
        try:
            read = read_line(session, seat, line, moves=moves, link=link, roll=live.view.roll)
        except FullprimeError:
            # Perhaps another process has gone on, and only this one does not know it yet.
            await service.refresh(live)
            if live.session is session:
                raise
            continue
        if read.command is None:
            return list(read.events), list(read.moves)
        version = session.board_version
        try:
            steps = await service.perform(live, read.command, seat, board_version=version)
            return tell_steps(steps) or _tell_again(live.session, read.command), []
        except StaleBoard:
            # The line was read for a board that has changed meanwhile: it is read again for the new one.
            if sequence is not None:
                raise
    raise Refusal(Message("too many do the same at once"), "stale")


def _tell_again(session: GameSession, command: SessionCommand) -> list[Event]:
    """The event of words about a resignation that were said before: the answer to them may have been lost."""
    offer, names = session.resignation, session.names
    if offer is not None and isinstance(command, OfferResignation):
        return [tell_resignation_offered(offer.side, offer.level, names, session.terms.settings)]
    if offer is not None and isinstance(command, AnswerResignation) and offer.is_refused:
        return [tell_resignation_refused(offer.side.other, names)]
    return []


def _check_sequence(session: GameSession, sequence: int | None) -> None:
    if session.game is not None and sequence is not None and sequence != session.board_version:
        raise StaleBoard(session.board_version, sequence)


async def _answer(
    service: SessionService, live: LiveSession, seat: Seat | None, line: str, word: str | None
) -> ReadLine:
    """The answer to a question; the engine thinks in a thread."""
    if word == "hint" and seat is not None and live.session.game is not None:
        if live.session.is_between_people:
            raise Refusal(Message("there are no hints in a game between two people"), "forbidden")
        await service.perform(live, UseHelp(), seat)
    return await asyncio.to_thread(read_line, live.session, seat, line)
