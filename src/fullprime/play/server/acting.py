"""What the people at a table of a server do, where it takes more than one command."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.commands import AnswerResignation, OfferResignation, SessionCommand, UseHelp
from fullprime.play.decide import StaleBoard
from fullprime.play.events import Seat
from fullprime.play.server.lines import answer_question, read_line
from fullprime.play.server.live_session import LiveSession
from fullprime.play.server.service import TRIES, SessionService
from fullprime.play.server.telling import tell_resignation_offered, tell_resignation_refused
from fullprime.play.session import GameSession
from fullprime.play.table.events import Event
from fullprime.rules.errors import FullprimeError


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
        if sequence is not None and session.game is not None and sequence != session.board_version:
            raise StaleBoard(session.board_version, sequence)
        try:
            read = read_line(session, seat, line, moves=moves, link=link, roll=live.view.roll)
        except FullprimeError:
            # Perhaps another process has gone on, and only this one does not know it yet.
            await service.refresh(live)
            if live.session is session:
                raise
            continue
        if read.question is not None:
            return await _answer(service, live, seat, line, read.question), []
        if read.command is None:
            return list(read.events), list(read.moves)
        version = session.board_version
        try:
            _, events = await service.perform(live, read.command, seat, board_version=version)
            return events or _tell_again(live.session, read.command), []
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


async def _answer(
    service: SessionService, live: LiveSession, seat: Seat | None, line: str, question: str
) -> list[Event]:
    """The answer to a question; the engine thinks in a thread."""
    if question == "hint":
        if live.session.is_between_people:
            raise Refusal(Message("there are no hints in a game between two people"), "forbidden")
        await service.perform(live, UseHelp(), seat)
    return await asyncio.to_thread(answer_question, live.session, line)
