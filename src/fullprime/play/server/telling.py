"""What the people at a session are told of its events: JSON values with words, in the order of the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from fullprime.play.events import (
    ActionTaken,
    ChainBegun,
    ClosingReason,
    EndOffered,
    GameBegun,
    GameForfeited,
    HelpUsed,
    LineSaid,
    LinkTold,
    LogEntry,
    LookChosen,
    RematchBegun,
    RematchOffered,
    ResignationAccepted,
    ResignationOffered,
    ResignationRefused,
    RollWithdrawn,
    SeatTaken,
    SeedGiven,
    SessionClosed,
    SessionEvent,
    SessionOpened,
    TakenBack,
    ThrowDecided,
)
from fullprime.play.evolve import evolve
from fullprime.play.server.facts import epoch_of
from fullprime.play.session import GameSession
from fullprime.play.table.events import SIDES, ChatLine, Event, Side
from fullprime.play.table.happenings import Happening, refusal_words, resignation_words, tell_in_game, told
from fullprime.rules.score import Player, Settings


def render_log(entries: Iterable[LogEntry]) -> list[Event]:
    """Everything that the entries of a log tell, in order; raises RulesError for a log that is none."""
    events: list[Event] = []
    session: GameSession | None = None
    for entry in entries:
        after = evolve(session, entry)
        events += render_step(session, entry.event, after, entry.at)
        session = after
    return events


def render_step(before: GameSession | None, event: SessionEvent, after: GameSession, at: datetime) -> list[Event]:
    """What one event of a session tells, given the session before and after it; its reader leaves out what a
    spectator may not know.
    """
    names, settings = after.names, after.terms.settings
    match event:
        case SessionOpened() | SeedGiven() | ChainBegun() | LinkTold() | ThrowDecided() | RematchBegun() | HelpUsed():
            return []
        case SeatTaken():
            return [tell_joined(event.name)]
        case GameBegun() if before is None or before.game is None:
            return [tell_begun(settings)]
        case GameBegun() | ActionTaken() | RollWithdrawn() | TakenBack() | GameForfeited() | ResignationAccepted():
            return [] if before is None else [news.json for news in tell_in_game(before, event, after, names)]
        case ResignationOffered():
            return [tell_resignation_offered(event.side, event.level, names, settings)]
        case ResignationRefused():
            return [tell_resignation_refused(event.by, names)]
        case EndOffered():
            return [tell_end_offered(event.side, names, settings)]
        case SessionClosed():
            return [tell_closed(event.how, None if event.side is None else names[event.side], settings)]
        case RematchOffered():
            return [] if event.side is None else [tell_rematch_offered(event.side, names)]
        case LookChosen():
            return [tell_look(event, names, settings)]
        case LineSaid():
            side = SIDES[event.side]
            return [tell_line({"number": after.sequence, "side": side, "said": event.text, "at": epoch_of(at)}, names)]


def render_presence(
    session: GameSession, before: Mapping[Player, datetime], now: Mapping[Player, datetime]
) -> list[Event]:
    """What a change of the absences of a session tells: the sides that have gone, and those that are back."""
    events: list[Event] = []
    if session.is_over or not session.is_between_people:
        return events
    for side in Player:
        name = session.names[side]
        if side in now and side not in before:
            events.append({"kind": "away", "player": SIDES[side], "text": f"{name} has lost the connection"})
        elif side in before and side not in now:
            events.append({"kind": "back", "player": SIDES[side], "text": f"{name} is back"})
    return events


# -- what is told -----------------------------------------------------------------------------------------------
def tell_joined(name: str) -> Event:
    """A player has sat down in the free seat."""
    return _info("O", f"{name} has joined")


def tell_begun(settings: Settings) -> Event:
    """The first game begins."""
    return _info(None, f"{settings.variant.title} begins")


def tell_resignation_offered(side: Player, level: int, names: tuple[str, str], settings: Settings) -> Event:
    """A player offers to lose, beside the game."""

    def tell(seen: tuple[str, str]) -> Happening:
        words = resignation_words(seen[side], settings, level)
        return Happening({"kind": "resignation_offered", "player": SIDES[side], "text": words, "level": level})

    return told(names, tell).json


def tell_resignation_refused(side: Player, names: tuple[str, str]) -> Event:
    """A player refuses the other one's offer to lose."""

    def tell(seen: tuple[str, str]) -> Happening:
        return Happening({"kind": "resignation_refused", "player": SIDES[side], "text": refusal_words(seen[side])})

    return told(names, tell).json


def tell_end_offered(side: Player, names: tuple[str, str], settings: Settings) -> Event:
    """A player would end the session without a result."""
    return _info(SIDES[side], f"{names[side]} would end the {_what(settings)} without a result")


def tell_closed(how: ClosingReason, name: str | None, settings: Settings) -> Event:
    """Nothing more is played; ``name`` is that of the player who ended, aborted or left, where it was one alone."""
    match how:
        case "aborted" if name is not None:
            text = f"{name} has aborted the {_what(settings)}: it has no result"
        case "agreed":
            text = f"The {_what(settings)} is ended by both, without a result"
        case _:
            text = f"The {_what(settings)} is over"
    return {"kind": "closed", "player": None, "text": text}


def tell_rematch_offered(side: Player, names: tuple[str, str]) -> Event:
    """A player would play again."""
    return _info(SIDES[side], f"{names[side]} would play again")


def tell_look(look: LookChosen, names: tuple[str, str], settings: Settings) -> Event:
    """The opener has chosen how the board is shown."""
    what = "enters on the table" if settings.variant.has_hand else "has the home board"
    text = f"{names[look.side]} chooses the {look.colour} checkers, and {what} on the {look.home}"
    return _info(SIDES[look.side], text)


def tell_line(line: ChatLine, names: tuple[str, str]) -> Event:
    """A player has said something."""
    text = f"{names[SIDES.index(line['side'])]}: {line['said']}"
    return {
        "kind": "chat", "player": line["side"], "text": text,
        "number": line["number"], "side": line["side"], "said": line["said"], "at": line["at"],
    }  # fmt: skip


def _info(side: Side | None, text: str) -> Event:
    return {"kind": "info", "player": side, "text": text}


def _what(settings: Settings) -> str:
    return "match" if settings.is_match else "session"
