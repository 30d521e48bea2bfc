"""Bots at the tables of a server: each choice is made in a thread, and comes back as a command from the bot's seat."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreError
from fullprime.play.commands import Act, ThrowDice, command_for
from fullprime.play.server.live_session import LiveSession
from fullprime.play.server.service import SessionService
from fullprime.play.session import GameSession
from fullprime.play.table.table_events import SIDES
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.notation import format_play

THREADS = 2
"""Bots that think at once."""

log = logging.getLogger(__name__)


def choose_for_bot(session: GameSession) -> Act | ThrowDice:
    """The command of the bot whose turn it is.

    Its random numbers follow from the id of the session and the number of board events, so that its choice can be
    checked afterwards.
    """
    from fullprime.engine.bots.bots import bot_named

    assert session.game is not None
    assert session.turn is not None
    bot = bot_named(session.seats[session.turn], f"{session.session_id}:{session.board_version}")
    return command_for(bot.choose(session.game))


def check_bot_choice(session: GameSession, action: Action) -> str | None:
    """The fault in the choice of the bot whose turn it was, found by having it choose again; None for its choice."""
    assert session.turn is not None
    command = choose_for_bot(session)
    due = Action(ActionKind.ROLL) if isinstance(command, ThrowDice) else command.action
    if due == action:
        return None
    words = [format_play(choice.moves) if choice.moves else str(choice.kind) for choice in (action, due)]
    return f"{session.seats[session.turn]} did {words[0]}, but its level and seed give {words[1]}"


class BotMover:
    """Moves the bots of a service, one choice of a session at a time, so that all sessions have their turns."""

    def __init__(self, service: SessionService) -> None:
        self._service = service
        self._threads = ThreadPoolExecutor(THREADS, "bot")
        self._thinking: set[str] = set()
        self._waiting: dict[str, LiveSession] = {}
        self._is_closed = False

    @property
    def is_thinking(self) -> bool:
        """True while a bot of this process chooses."""
        return bool(self._thinking)

    def close(self) -> None:
        """Let no bot begin to think any more; its session continues when it is next asked for."""
        self._is_closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)

    def retry_failed(self) -> None:
        """Move the bots whose choice could not be stored."""
        waiting, self._waiting = self._waiting, {}
        for live in waiting.values():
            self.move(live)

    def move(self, live: LiveSession) -> None:
        """Have the bot of a session choose, if it is due and not thinking already."""
        if live.session.is_bot_due and live.session_id not in self._thinking and not self._is_closed:
            self._thinking.add(live.session_id)
            self._service.start(self._move(live))

    async def _move(self, live: LiveSession) -> None:
        """Carry out choices until a person must act."""
        try:
            while live.session.is_bot_due and not self._is_closed:
                await self._choose(live)
        except Refusal:
            log.debug("the bot of game %s has moved in another process", live.session_id)
        except StoreError as error:
            log.info("the bot of game %s moves later: %s", live.session_id, error)
            self._waiting[live.session_id] = live
        except FullprimeError as error:
            log.warning("the bot of game %s cannot move: %s", live.session_id, error)
        except (asyncio.CancelledError, RuntimeError):
            if not self._is_closed:
                raise
        except Exception:
            log.exception("the bot of game %s cannot move", live.session_id)
        finally:
            self._thinking.discard(live.session_id)

    async def _choose(self, live: LiveSession) -> None:
        session, loop = live.session, asyncio.get_running_loop()
        command = await loop.run_in_executor(self._threads, choose_for_bot, session)
        if live.session.board_version != session.board_version or session.turn is None:
            return  # taken back meanwhile, or another process has moved
        await self._service.perform(live, command, SIDES[session.turn], board_version=session.board_version)
