"""A session as its people see it: one state that all may see, and the few fields that differ from seat to seat.

It is the one way from a session to what anyone gets: each viewer's state is made of the session that the viewer knows
(see ``viewers``), and the viewer reads the events whose audience the viewer is in.

The fields of these values (see ``fields``) are the JSON that goes to pages and programs, once it is rendered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal

from fullprime.db.times import utc_now
from fullprime.play.clocks import Clock
from fullprime.play.events import ForfeitWay, GameForfeited
from fullprime.play.naming import names_for_seat, to_messages
from fullprime.play.options.houses import under_its_name
from fullprime.play.options.opponents import face_of
from fullprime.play.options.rulebook import describe_length
from fullprime.play.presence import NOT_ABSENT, Absences
from fullprime.play.rulings import forfeited_points
from fullprime.play.server.fields import (
    AgreedFacts,
    Away,
    BegunState,
    ClockState,
    EndingState,
    EndingWay,
    GameState,
    LinksState,
    RematchState,
    ResignationOffer,
    SessionState,
    StateMessage,
    WaitingState,
)
from fullprime.play.session import GameSession
from fullprime.play.table.board import PlaysByText, board_view, possible_words
from fullprime.play.table.fields import PossibleActions
from fullprime.play.table.table_events import SIDES, Event, events_for_seat
from fullprime.play.viewers import KnownSessions, Viewer
from fullprime.rules.game import ActionKind, Phase
from fullprime.rules.links import FORMULA, LENGTH
from fullprime.rules.score import Player

BOTH: Final = "both"
"""The seat of two people at one screen."""

_RESIGNABLE = (Phase.CUBE_DECISION, Phase.ROLL, Phase.PLAY, Phase.CHOOSE_DOUBLE)
"""The phases in which a game may be resigned."""
NO_ACTIONS: Final = PossibleActions(legal_actions=())
"""The actions of a person who may not act now."""
_FORFEITS: Mapping[ForfeitWay, EndingWay] = {"on time": "time", "by absence": "absence", "by leaving": "left"}


class SessionView:
    """A session at one moment: the part that all may see, and the ways to play, for the player who must play.

    Finding the ways takes long, so it is done once, when a reader first asks for them; the game may have gone on by
    then. A view that was made ``earlier`` lends the parts that are still the same.
    """

    def __init__(
        self,
        session: GameSession,
        absent: Absences = NOT_ABSENT,
        *,
        earlier: SessionView | None = None,
        known: KnownSessions = MappingProxyType({}),
    ) -> None:
        self.session: GameSession = session
        self._absent, self._known = absent, known
        self._apart: dict[Viewer, SessionView] = {}
        """The views of those who know less, made when one of them first asks."""
        is_agreed = earlier is not None and earlier.session.names is session.names
        self.agreed: AgreedFacts = earlier.agreed if earlier is not None and is_agreed else agreed_facts(session)
        """What was agreed before the first throw."""
        self.shared = shared_state(session, absent, self.agreed)
        self.roll: PlaysByText | None = None
        """The plays of the roll, where a person must play it."""
        game = session.game
        if game is not None and game.phase is Phase.PLAY and session.is_human(game.turn):
            is_same_board = earlier is not None and earlier.session.game is game
            self.roll = (earlier.roll if earlier is not None and is_same_board else None) or PlaysByText(game)

    def session_for(self, viewer: Viewer) -> GameSession:
        """The session as a viewer knows it."""
        return self._known.get(viewer, self.session)

    def state(self, seat: Viewer, *, tree: bool = True) -> GameState:
        """The state for one person; without ``tree`` the plays stand there as text alone."""
        known = self.session_for(seat)
        if known is self.session:
            return self._render_state(seat, tree)
        if seat not in self._apart:
            self._apart[seat] = SessionView(known, self._absent)
        return self._apart[seat].state(seat, tree=tree)

    def _render_state(self, seat: Viewer, tree: bool) -> GameState:
        session, shared = self.session, self.shared
        agreed, names = shared.agreed, names_for_seat(session.names, seat)
        if names != session.names:
            agreed = replace(agreed, names=names)
        if isinstance(shared, WaitingState):
            return replace(shared, agreed=agreed, you=seat)
        actions = shared.actions
        if not (seat == BOTH or (seat is not None and shared.board.facts.turn in (None, Player[seat]))):
            actions = NO_ACTIONS
        elif self.roll is not None:
            plays = tuple(self.roll.all)
            actions = replace(actions, plays=plays, moves=(), tree=self.roll.tree if tree else None)
        return BegunState(
            agreed=agreed,
            session=shared.session,
            board=shared.board,
            actions=actions,
            you=seat,
            status=shared.status,
            beside_actions=self._beside(seat),
        )

    def _beside(self, seat: Viewer) -> tuple[str, ...]:
        """The words about a resignation that a player may say in either side's turn.

        They have a list of their own, because a program acts where there are legal actions, and must not take these
        for its turn.
        """
        session, game, offer = self.session, self.session.game, self.shared.session.resigning
        if seat is None or seat == BOTH or not session.is_between_people or session.is_over:
            return ()
        if game is None or game.phase not in _RESIGNABLE:
            return ()
        return ("resign",) if offer is None else () if offer.by is Player[seat] else ("accept", "refuse")

    def message(self, events: Sequence[Event], seat: Viewer, *, tree: bool = True) -> StateMessage:
        """The message of these events, and of the state after them, for one person."""
        state = self.state(seat, tree=tree)
        return StateMessage(events=events_for_seat(events, seat), state=state, now=utc_now())


# -- what all may see -------------------------------------------------------------------------------------------
def agreed_facts(session: GameSession) -> AgreedFacts:
    """The facts of a session that change only when a player sits down."""
    terms = session.terms
    return AgreedFacts(
        id=session.session_id,
        opponent=terms.opponent,
        title=terms.settings.variant.title,
        played_for=under_its_name(terms.house, describe_length(terms.settings)),
        names=to_messages(session.names),
        seats=session.seats,
        guests=tuple(
            session.is_human(side) and side not in session.accounts and not (side is Player.O and session.is_seat_free)
            for side in Player
        ),
        faces=tuple(map(face_of, session.seats)),
        free_seat=session.is_seat_free,
        rated=terms.rated,
        grace=None if session.grace is None else round(session.grace.total_seconds()),
        help=not session.is_between_people,
        late=terms.late,
    )


def shared_state(session: GameSession, absent: Mapping[Player, datetime], agreed: AgreedFacts) -> GameState:
    """The state of a session that all may see, without the ways to play a roll."""
    terms, is_over, game = session.terms, session.is_over, session.game
    is_between_people, clock, resigning = session.is_between_people, session.clock, _resigning(session)
    state = SessionState(
        missing_seeds=() if game is not None else session.missing_seeds,
        commitment=session.chains[0].anchor if session.chains else "",
        clock=None if clock is None else clock_state(replace(clock, running=None, since=None) if is_over else clock),
        away=Away(**{SIDES[side]: at for side, at in absent.items()}) if is_between_people else Away(),
        overdue=session.overdue_at,
        rematch=RematchState(
            offered=tuple(sorted(["both" if side is None else SIDES[side] for side in session.rematch_offers])),
            game=session.rematch,
        ),
        takebacks=not is_between_people and not is_over and _is_anything_decided(session),
        ending=_ending(session),
        links=_links(session) if terms.dice == "links" else None,
        look=session.look,
        chooser=None if is_over else session.chooser,
        resigning=resigning,
    )
    if game is None:
        settings = terms.settings
        return WaitingState(agreed=agreed, session=state, variant=settings.variant.name, length=settings.length)
    words = () if session.closed is not None else possible_words(session)
    if resigning is not None:
        words = tuple([word for word in words if word != "resign"])
    return BegunState(
        agreed=agreed,
        session=state,
        board=board_view(session, None if resigning is None else resigning.level),
        actions=PossibleActions(legal_actions=words),
        status="over" if is_over else "playing",
    )


def _resigning(session: GameSession) -> ResignationOffer | None:
    """The offer to resign that waits for an answer, in the game or beside it."""
    game, offer = session.game, session.resignation
    if game is not None and game.resignation is not None:
        return ResignationOffer(by=game.on_roll, level=game.resignation)
    if offer is None or offer.is_refused or session.is_over:
        return None
    return ResignationOffer(by=offer.side, level=offer.level)


def _is_anything_decided(session: GameSession) -> bool:
    """True if there may be something to take back."""
    actions = () if session.stands is None else session.stands.events
    return any(action.kind is not ActionKind.OPENING for action in actions)


def clock_state(clock: Clock) -> ClockState:
    """A clock as people see it."""
    return ClockState(
        words=clock.control.words,
        delay=clock.control.delay,
        days=clock.control.days,
        left=tuple([round(seconds, 3) for seconds in clock.left]),
        running=clock.running,
        since=clock.since,
        falls=clock.falls,
    )


# -- ends -------------------------------------------------------------------------------------------------------
def _ending(session: GameSession) -> EndingState:
    """The ways to end a session that is not played out, or the way in which it ended."""
    if session.is_over:
        how, by = way_of_end(session)
        return EndingState(how=how, by=by)
    game, settings = session.game, session.terms.settings
    if game is None:
        return EndingState(alone="abort")
    is_between_games = session.is_between_games
    if session.terms.opponent == "screen" or (not settings.is_match and is_between_games):
        alone: Literal["abort", "end"] | None = "end"
    else:
        alone = "abort" if session.is_young else None
    if settings.is_match:
        costs = tuple([settings.length - points for points in reversed(session.score.points)])
    elif is_between_games:
        costs = (0, 0)
    else:
        costs = tuple([forfeited_points(game, loser, "by leaving")[0] for loser in (Player.X, Player.O)])
    return EndingState(offered=tuple(session.end_offers), alone=alone, costs=costs)


def way_of_end(session: GameSession) -> tuple[EndingWay, Player | None]:
    """The way in which a session ended, and the side that aborted or left it, was absent or lost on time."""
    closed, ended_by = session.closed, session.ended_by
    if closed is not None:
        return closed.how, closed.side
    return (_FORFEITS[ended_by.how], ended_by.loser) if isinstance(ended_by, GameForfeited) else ("played", None)


# -- the dice ---------------------------------------------------------------------------------------------------
def _links(session: GameSession) -> LinksState:
    """The chains and the links that are awaited."""
    number = session.throws + 1
    awaits = () if session.is_over else tuple(session.awaited)
    return LinksState(
        formula=FORMULA,
        length=LENGTH,
        chains=session.chains,
        number=number,
        needed=tuple([side for side in session.needed if not session.links.has_thrown(side, number)]),
        awaits=awaits,
        since=session.link_awaited_since if awaits else None,
    )
