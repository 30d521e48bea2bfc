"""What the people at a session are told of its events: JSON values with words, in the order of the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from fullprime.messages import Message, label
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
from fullprime.play.server.chat import phrase_words
from fullprime.play.server.facts import epoch_of
from fullprime.play.session import GameSession
from fullprime.play.table.events import SIDES, ChatLine, Event, Side
from fullprime.play.table.happenings import Happening, refusal_words, resignation_words, tell_in_game, told
from fullprime.play.table.naming import as_messages
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
    names, settings = as_messages(after.names), after.terms.settings
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
        name = as_messages(session.names)[side]
        if side in now and side not in before:
            events.append(
                {"kind": "away", "player": SIDES[side], "text": Message("{name} has lost the connection", name=name)}
            )
        elif side in before and side not in now:
            events.append({"kind": "back", "player": SIDES[side], "text": Message("{name} is back", name=name)})
    return events


_COLOURS = {"light": Message("light // the checkers"), "dark": Message("dark // the checkers")}
_HOMES = {"left": Message("left // the side of the board"), "right": Message("right // the side of the board")}


# -- what is told -----------------------------------------------------------------------------------------------
def tell_joined(name: str) -> Event:
    """A player has sat down in the free seat."""
    return _info("O", Message("{name} has joined", name=name))


def tell_begun(settings: Settings) -> Event:
    """The first game begins."""
    return _info(None, Message("{game} begins", game=label(settings.variant.title)))


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
    name = names[side]
    text = Message("{name} would end the session without a result", name=name)
    if settings.is_match:
        text = Message("{name} would end the match without a result", name=name)
    return _info(SIDES[side], text)


def tell_closed(how: ClosingReason, name: str | None, settings: Settings) -> Event:
    """Nothing more is played; ``name`` is that of the player who ended, aborted or left, where it was one alone."""
    is_match = settings.is_match
    if how == "aborted" and name is not None:
        aborted = Message("{name} has aborted the session: it has no result", name=name)
        text = Message("{name} has aborted the match: it has no result", name=name) if is_match else aborted
    elif how == "agreed":
        agreed = Message("The session is ended by both, without a result")
        text = Message("The match is ended by both, without a result") if is_match else agreed
    else:
        text = Message("The match is over") if is_match else Message("The session is over")
    return {"kind": "closed", "player": None, "text": text}


def tell_rematch_offered(side: Player, names: tuple[str, str]) -> Event:
    """A player would play again."""
    return _info(SIDES[side], Message("{name} would play again", name=names[side]))


def tell_look(look: LookChosen, names: tuple[str, str], settings: Settings) -> Event:
    """The opener has chosen how the board is shown."""
    name, colour, home = names[look.side], _COLOURS[look.colour], _HOMES[look.home]
    facts = {"name": name, "colour": colour, "home": home}
    text = Message("{name} chooses the {colour} checkers, and has the home board on the {home}", **facts)
    if settings.variant.has_hand:
        text = Message("{name} chooses the {colour} checkers, and enters on the table on the {home}", **facts)
    return _info(SIDES[look.side], text)


def tell_line(line: ChatLine, names: tuple[str, str]) -> Event:
    """A player has said something."""
    name, said = names[SIDES.index(line["side"])], phrase_words(line["said"])
    text = Message("{name}: {line}", name=name, line=said)
    return {
        "kind": "chat", "player": line["side"], "text": text,
        "number": line["number"], "side": line["side"], "said": said, "at": line["at"],
    }  # fmt: skip


def _info(side: Side | None, text: Message) -> Event:
    return {"kind": "info", "player": side, "text": text}
