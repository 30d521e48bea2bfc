"""Lines of words from the people at a session: each is read as a command or a question, and carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play import checks
from fullprime.play.commands import (
    Act,
    AnswerResignation,
    BeginNextGame,
    OfferResignation,
    SessionCommand,
    ThrowDice,
    UseHelp,
)
from fullprime.play.decide import StaleBoard
from fullprime.play.events import Seat
from fullprime.play.server.live_session import LiveSession
from fullprime.play.server.rendering import render_resignation_offered, render_resignation_refused
from fullprime.play.server.service import TRIES, SessionService
from fullprime.play.session import GameSession
from fullprime.play.table.board import PlaysByText
from fullprime.play.table.line_reader import ACTIONS, LineMeaning, LineReader, read_typed_moves
from fullprime.play.table.questions import Asker, answer_question
from fullprime.play.table.table_events import Event
from fullprime.play.table.words import WORDS, read_words
from fullprime.rules import game as acts
from fullprime.rules.errors import FullprimeError, IllegalAction


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
    if seat is None:  # before anything is said of the board, which spectators may see late
        raise Refusal(checks.PLAYERS_ACT, "forbidden")
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
            return list(read.events), [str(move) for move in read.moves]
        version = session.board_version
        try:
            _, events = await service.perform(live, read.command, seat, board_version=version)
            return events or _tell_again(live.session, read.command), []
        except StaleBoard:
            # The line was read for a board that has changed meanwhile: it is read again for the new one.
            if sequence is not None:
                raise
    raise Refusal(checks.TOO_MANY_TRIES, "stale")


def _tell_again(session: GameSession, command: SessionCommand) -> list[Event]:
    """The event of a resignation command that is sent again, because the first answer may have been lost."""
    offer, names = session.resignation, session.names
    if offer is not None and isinstance(command, OfferResignation):
        return [render_resignation_offered(offer.side, offer.level, names, session.terms.settings)]
    if offer is not None and isinstance(command, AnswerResignation) and offer.is_refused:
        return [render_resignation_refused(offer.side.other, names)]
    return []


async def _answer(
    service: SessionService, live: LiveSession, seat: Seat | None, line: str, question: str
) -> list[Event]:
    """The answer to a question; the engine thinks in a thread."""
    if question == "hint":
        if live.session.is_between_people:
            raise Refusal(Message("there are no hints in a game between two people"), "forbidden")
        await service.perform(live, UseHelp(), seat)
    session = live.session
    word, rest = read_words(session, line)
    return await asyncio.to_thread(answer_question, Asker(session, session.names), word, rest)


# -- reading ------------------------------------------------------------------------------------------------------
def read_line(
    session: GameSession, seat: Seat, line: str, *,
    moves: Sequence[str] = (), link: str | None = None, roll: PlaysByText | None = None,
) -> LineMeaning:  # fmt: skip
    """Read the line of a person in a seat.

    ``moves`` are those already made of the play on this person's board. ``link`` is the player's link for the throw
    that the line makes, ``roll`` the plays of the game on the board where they are at hand. Raises Refusal and errors
    of the rules, with the rule that is broken.
    """
    checks.game_of(session)
    command = None if moves else _command_of(session, line, roll)
    word, others, unreadable = line, "", None
    if command is None:
        try:
            word, others = read_words(session, line)
        except FullprimeError as error:
            word, unreadable = "", error
    when = WORDS[word].when if word in WORDS else "turn"
    if when == "always":
        if link is not None:
            raise IllegalAction(checks.LINK_WITH_ROLL)
        return LineMeaning(question=word)
    # Whose turn it is comes before anything about the line.
    checks.check_open(session)
    if when == "turn":
        checks.check_turn(session, seat)
    if unreadable is not None:
        raise unreadable
    if command is None and not (moves or others):
        command = _command_of(session, word, None)
    meaning = LineMeaning(command)
    if command is None:
        meaning = LineReader(session, read_typed_moves(session, moves), roll).read(word, others)
    if link is None:
        return meaning
    if not isinstance(meaning.command, ThrowDice):
        raise IllegalAction(checks.LINK_WITH_ROLL)
    return replace(meaning, command=replace(meaning.command, link=link))


def _command_of(session: GameSession, line: str, roll: PlaysByText | None) -> SessionCommand | None:
    """The command of a line that needs no reading: the word of an action alone, or a legal play as we write it."""
    if line == "roll":
        return BeginNextGame() if session.game is not None and session.game.is_over else ThrowDice()
    if line in ACTIONS:
        return Act(ACTIONS[line])
    play = None if roll is None else roll.find(line)
    return None if play is None else Act(acts.play(play), play)


def describe_command(session: GameSession, seat: Seat | None, line: str, moves: Sequence[str]) -> str:
    """What a line of a player would do, in one form, without doing it. ``moves`` are those made of the play already.

    Raises Refusal for spectators and before the game has begun, NotationError for a line that means nothing.
    """
    if seat is None:
        raise Refusal(checks.PLAYERS_ACT, "forbidden")
    checks.game_of(session)
    return LineReader(session, read_typed_moves(session, moves)).describe(line)
