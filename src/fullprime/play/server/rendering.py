"""The events of a session in words for its people, in the order of the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from fullprime.messages import Message, label
from fullprime.play.events import (
    ActionTaken,
    ChainBegun,
    ChatSent,
    ClosingReason,
    EndOffered,
    GameBegun,
    GameForfeited,
    HelpUsed,
    LinkGiven,
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
from fullprime.play.naming import to_messages
from fullprime.play.server.chat import phrase_words
from fullprime.play.session import GameSession
from fullprime.play.table.event_texts import (
    info_event,
    refusal_words,
    render_for_all,
    render_in_game,
    resignation_words,
)
from fullprime.play.table.table_events import (
    ChatEvent,
    ChatLine,
    ClosedEvent,
    Event,
    PresenceEvent,
    ResignationOfferEvent,
    ResignationRefusalEvent,
)
from fullprime.rules.score import Player, Settings


def render_log(entries: Iterable[LogEntry]) -> list[Event]:
    """The events of a whole log in words, in order; raises RulesError where the log is not that of a session."""
    events: list[Event] = []
    session: GameSession | None = None
    for entry in entries:
        after = evolve(session, entry)
        events += render_step(session, entry.event, after, entry.at)
        session = after
    return events


def render_step(before: GameSession | None, event: SessionEvent, after: GameSession, at: datetime) -> list[Event]:
    """One event of a session in words for its audience, given the session before and after it."""
    rendered, audience = _render(before, event, after, at), event.audience
    return rendered if audience is None else [replace(words, audience=audience) for words in rendered]


def _render(before: GameSession | None, event: SessionEvent, after: GameSession, at: datetime) -> list[Event]:
    names, settings = to_messages(after.names), after.terms.settings
    match event:
        case SessionOpened() | SeedGiven() | ChainBegun() | LinkGiven() | ThrowDecided() | RematchBegun() | HelpUsed():
            return []
        case SeatTaken():
            return [render_joined(names[Player.O])]
        case GameBegun() if before is None or before.game is None:
            return [render_begun(settings)]
        case GameBegun() | ActionTaken() | RollWithdrawn() | TakenBack() | GameForfeited() | ResignationAccepted():
            return [] if before is None else render_in_game(before, event, after, names)
        case ResignationOffered():
            return [render_resignation_offered(event.side, event.level, names, settings)]
        case ResignationRefused():
            return [render_resignation_refused(event.by, names)]
        case EndOffered():
            return [render_end_offered(event.side, names, settings)]
        case SessionClosed():
            return [render_closed(event.how, None if event.side is None else names[event.side], settings)]
        case RematchOffered():
            return [] if event.side is None else [render_rematch_offered(event.side, names)]
        case LookChosen():
            return [render_look(event, names, settings)]
        case ChatSent():
            return [render_chat_line(to_chat_line(event, after.sequence, at), names)]


def render_presence(
    session: GameSession, before: Mapping[Player, datetime], now: Mapping[Player, datetime]
) -> list[Event]:
    """A change of the absences of a session in words: the sides that have gone, and those that are back."""
    events: list[Event] = []
    if session.is_over or not session.is_between_people:
        return events
    for side in Player:
        name = to_messages(session.names)[side]
        if side in now and side not in before:
            lost = Message("{name} has lost the connection", name=name)
            events.append(PresenceEvent(kind="away", player=side, text=lost))
        elif side in before and side not in now:
            events.append(PresenceEvent(kind="back", player=side, text=Message("{name} is back", name=name)))
    return events


_COLOURS = {"light": Message("light // the checkers"), "dark": Message("dark // the checkers")}
_HOMES = {"left": Message("left // the side of the board"), "right": Message("right // the side of the board")}


# -- events in words --------------------------------------------------------------------------------------------
def render_joined(name: str) -> Event:
    """A player has sat down in the free seat."""
    return info_event(Message("{name} has joined", name=name), Player.O)


def render_begun(settings: Settings) -> Event:
    """The first game begins."""
    return info_event(Message("{game} begins", game=label(settings.variant.title)))


def render_resignation_offered(side: Player, level: int, names: tuple[str, str], settings: Settings) -> Event:
    """A player offers to lose, beside the game."""

    def describe(seen_names: tuple[str, str]) -> Event:
        words = resignation_words(seen_names[side], settings, level)
        return ResignationOfferEvent(player=side, text=words, level=level)

    return render_for_all(names, describe)


def render_resignation_refused(side: Player, names: tuple[str, str]) -> Event:
    """A player refuses the other one's offer to lose."""

    def describe(seen_names: tuple[str, str]) -> Event:
        return ResignationRefusalEvent(player=side, text=refusal_words(seen_names[side]))

    return render_for_all(names, describe)


def render_end_offered(side: Player, names: tuple[str, str], settings: Settings) -> Event:
    """A player offers to end the session without a result."""
    name = names[side]
    text = Message("{name} would end the session without a result", name=name)
    if settings.is_match:
        text = Message("{name} would end the match without a result", name=name)
    return info_event(text, side)


def render_closed(how: ClosingReason, name: str | None, settings: Settings) -> Event:
    """The session is closed; ``name`` is that of the player who alone ended, aborted or left it."""
    is_match = settings.is_match
    if how == "aborted" and name is not None:
        aborted = Message("{name} has aborted the session: it has no result", name=name)
        text = Message("{name} has aborted the match: it has no result", name=name) if is_match else aborted
    elif how == "agreed":
        agreed = Message("The session is ended by both, without a result")
        text = Message("The match is ended by both, without a result") if is_match else agreed
    else:
        text = Message("The match is over") if is_match else Message("The session is over")
    return ClosedEvent(player=None, text=text)


def render_rematch_offered(side: Player, names: tuple[str, str]) -> Event:
    """A player offers to play again."""
    return info_event(Message("{name} would play again", name=names[side]), side)


def render_look(look: LookChosen, names: tuple[str, str], settings: Settings) -> Event:
    """The opener has chosen how the board is shown."""
    name, colour, home = names[look.side], _COLOURS[look.colour], _HOMES[look.home]
    facts = {"name": name, "colour": colour, "home": home}
    text = Message("{name} chooses the {colour} checkers, and has the home board on the {home}", **facts)
    if settings.variant.has_hand:
        text = Message("{name} chooses the {colour} checkers, and enters on the table on the {home}", **facts)
    return info_event(text, look.side)


def to_chat_line(event: ChatSent, number: int, at: datetime) -> ChatLine:
    """A line of talk as its readers see it."""
    return ChatLine(number=number, side=event.side, said=phrase_words(event.text), at=at)


def render_chat_line(line: ChatLine, names: tuple[str, str]) -> Event:
    """A player has said something."""
    text = Message("{name}: {line}", name=names[line.side], line=line.said)
    return ChatEvent(player=line.side, text=text, line=line)
