"""Every game of the tests played twice: by rooms and tables, and by the pure pair ``decide`` and ``evolve``.

The fixture ``games_are_played_twice`` wraps the methods of tables and rooms that act. Each call is also a command to
the session of the same moment; both must refuse with the same words, or come to the same session. A table and a room
are read into a session by ``session_of_table`` and ``session_of_room``, event by event where there are events.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from fullprime.app.choices.positions import game_from_id
from fullprime.app.live import at_table, looks, resigning, room_copy, room_dice, room_parts
from fullprime.app.live import room as room_module
from fullprime.app.live.resigning import Offer, _is_same_turn
from fullprime.app.live.room import Room
from fullprime.app.live.room_copy import GoneOn
from fullprime.app.live.room_parts import Absences, Clockwork, part
from fullprime.app.live.room_view import BOTH, HELPED
from fullprime.app.table import commands, proof
from fullprime.app.table.commands import resignation_level
from fullprime.app.table.events import SIDES
from fullprime.app.table.table import HUMAN, Table
from fullprime.play import beside, dice, rulings
from fullprime.play.commands import (
    Act,
    AnswerResignation,
    BeginChain,
    BeginNextGame,
    ChooseLook,
    ClaimWin,
    CloseSession,
    Command,
    Continue,
    GiveLink,
    GiveSeed,
    OfferRematch,
    OfferResignation,
    TakeBack,
    Throw,
    UseHelp,
    WithdrawRoll,
)
from fullprime.play.decide import Decision, decide
from fullprime.play.draft import Inputs
from fullprime.play.events import (
    ActionTaken,
    ChainBegun,
    GameBegun,
    GameForfeited,
    LogEntry,
    LookChosen,
    ResignationAccepted,
    RollWithdrawn,
    SeedGiven,
    SessionClosed,
    SessionEvent,
    SessionOpened,
    TakenBack,
)
from fullprime.play.evolve import evolve
from fullprime.play.session import GameSession, OfferAge, ResignationOffer
from fullprime.play.terms import GRACE, Terms
from fullprime.rules import game as acts
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, ActionKind, Phase
from fullprime.rules.record import Event
from fullprime.rules.score import Player
from fullprime.store.errors import StoreError
from fullprime.store.times import utc_now

EPOCH = datetime(2026, 1, 1, tzinfo=UTC).replace(tzinfo=None)
COMPARED = (
    "names", "seats", "is_seat_free", "finished", "start", "record", "game", "throws", "furthest", "is_throw_decided",
    "resignation", "resignations", "end_offers", "rematch", "closed", "look", "is_helped",
)  # fmt: skip


# -- a session from a table -------------------------------------------------------------------------------------
def event_of(event: Event, links: Any) -> SessionEvent:
    """The event of a session that an event of the record is."""
    if isinstance(event, Action):
        return ActionTaken(event, links={Player[side]: link for side, link in links.items()})
    kept, loser, resigned = rulings.kept_by(event), rulings.forfeited_by(event), rulings.resigned_by(event)
    if kept is not None:
        return TakenBack(kept)
    if loser is not None and event.game.result is not None:
        return GameForfeited(loser, event.game.result.how)
    if resigned is not None:
        return ResignationAccepted(*resigned)
    assert "typed wrongly" in event.note, event.note
    return RollWithdrawn()


def terms_of_table(table: Table) -> Terms:
    """The terms of the session at a table, as far as a table knows them."""
    dice = "links" if table.links is not None else "typed" if table.dice.manual else "seed"
    people = table.seats == (HUMAN, HUMAN)
    is_apart = table.links is not None and table.links.givers[1] is Player.O
    opponent = "bot" if not people else "friend" if is_apart else "screen"
    start = (*table.match.games, None)[0]
    return Terms(
        settings=table.settings,
        opponent=opponent,  # type: ignore[arg-type]
        dice=dice,  # type: ignore[arg-type]
        automatic=table.automatic,
        start=None if start is None else start.start,
    )


class Follower:
    """The session at a table, followed event by event."""

    def __init__(self, table: Table) -> None:
        self.terms = terms_of_table(table)
        self.session: GameSession | None = None
        self.known: list[Event] = []
        self._begin(table)

    def _add(self, event: SessionEvent, at: datetime | None = None) -> None:
        number = 1 if self.session is None else self.session.sequence + 1
        self.session = evolve(self.session, LogEntry(number, at or EPOCH, event))

    def _begin(self, table: Table) -> None:
        self._add(SessionOpened("shadow", self.terms, table._names, table.seats))
        if table.links is not None:
            for side, seed in table.links.seeds.items():
                if seed:
                    self._add(SeedGiven(Player[side], seed))
        self._add_chains(table)
        self._add(GameBegun(1))

    def _add_chains(self, table: Table) -> None:
        links, session = table.links, self.session
        assert session is not None
        if links is None:
            return
        begun = [(chain.first, None, chain.anchor) for chain in links._mine]
        begun += [(chain.first, Player[side], chain.anchor) for side in SIDES for chain in links._theirs.get(side, [])]
        known = {(chain.first, chain.whose, chain.anchor) for chain in session.chains}
        for first, whose, anchor in begun:
            if (first, whose, anchor) not in known:
                self._add(ChainBegun(whose, first, anchor))

    def follow(self, table: Table) -> GameSession:
        """The session as the table is now."""
        events = [event for record in table.match.games for event in record.events]
        games = [number for number, record in enumerate(table.match.games, 1) for _ in record.events]
        if terms_of_table(table) != self.terms or events[: len(self.known)] != self.known:
            self.__init__(table)  # type: ignore[misc]
        self._add_chains(table)
        for place in range(len(self.known), len(events)):
            self._reach(games[place])
            self._add(event_of(events[place], table.thrown_with[place]), table.times[place])
        self._reach(table.game_number)
        self.known = events
        assert self.session is not None
        session = self.session
        now = {}
        if table.links is not None:
            links, number = session.links, session.throws + 1
            for side in Player:
                told = table.links._told(side.name, number)
                if told is not None and links.link_of(side, number) is None:
                    links = links.with_link(side, number, told)
            now["links"] = links
        waits = table._waiting_for_dice or table._waiting_for_link
        return replace(session, is_throw_decided=waits, **now)

    def _reach(self, game: int) -> None:
        assert self.session is not None
        while self.session.game_number < game:
            self._add(GameBegun(self.session.game_number + 1))


_FOLLOWERS: weakref.WeakKeyDictionary[Table, Follower] = weakref.WeakKeyDictionary()


def session_of_table(table: Table) -> GameSession:
    """The session that a table holds."""
    follower = _FOLLOWERS.get(table)
    if follower is None:
        follower = _FOLLOWERS[table] = Follower(table)
    return follower.follow(table)


def inputs_of(table: Table) -> Inputs:
    """The secret of a table's dice."""
    return Inputs(secret=table.links.secret if table.links is not None else table.dice.seed or "")


# -- comparing --------------------------------------------------------------------------------------------------
def differences(session: GameSession, other: GameSession, names: tuple[str, ...] = COMPARED) -> Iterator[str]:
    """The fields in which two sessions differ."""
    for name in names:
        one, two = getattr(session, name), getattr(other, name)
        if name == "rematch_offers":
            one, two = set(one), set(two)
        if one != two:
            yield f"{name}: {one!r} decided, {two!r} in the room"


@dataclass
class Outcome:
    """What a call came to."""

    result: Any = None
    error: FullprimeError | None = None


def compare(
    before: GameSession, command: Command, seat: Any, outcome: Outcome, after: GameSession, *, inputs: Inputs,
    now: datetime | None = None, version: int | None = None, names: tuple[str, ...] = COMPARED,
) -> Decision | None:  # fmt: skip
    """Have the pure pair decide about a command, and hold it to what the room or table has come to."""
    where, refusal, decision = f"{command} by {seat} at {before.game!r}", None, None
    try:
        decision = decide(before, command, seat, now or utc_now(), inputs, board_version=version)
    except FullprimeError as error:
        refusal = error
    if decision is None:
        assert outcome.error is not None, f"{where}: refused by decide alone: {refusal}"
        assert str(refusal) == str(outcome.error), f"{where}: other words of refusal"
        assert getattr(refusal, "code", None) == getattr(outcome.error, "code", None), f"{where}: {refusal}"
        return None
    if outcome.error is not None:
        assert decision.refusal is not None, f"{where}: refused by the room alone: {outcome.error}"
        assert str(decision.refusal) == str(outcome.error), where
    found = list(differences(decision.session, after, names))
    assert not found, f"{where}:\n" + "\n".join(found)
    return decision


TABLE = tuple(name for name in COMPARED if name not in ("names", "is_seat_free", "end_offers", "closed"))


def _draws_from_system(table: Table) -> bool:
    return table.links is None and not table.dice.manual and table.dice.seed is None


# -- tables -----------------------------------------------------------------------------------------------------
def _wrap_table(patched: pytest.MonkeyPatch, name: str, to_command: Callable[..., tuple[Command | None, Any]]) -> None:
    original = getattr(Table, name)

    @functools.wraps(original)
    def shadowed(self: Table, *args: Any, **options: Any) -> Any:
        if getattr(self, "_shadow_depth", 0) or (self._store is None and self.number is not None):
            return original(self, *args, **options)
        before, turn, moves = session_of_table(self), self.game.turn, self.moves
        self._shadow_depth = 1  # type: ignore[attr-defined]
        outcome = Outcome()
        try:
            outcome.result = original(self, *args, **options)
        except StoreError:
            raise
        except FullprimeError as error:
            outcome.error = error
        finally:
            self._shadow_depth = 0  # type: ignore[attr-defined]
        after = session_of_table(self)
        command, seat = to_command(self, before, after, turn, moves, outcome, *args, **options)
        is_open = self.links is not None and self.links.alone == before.throws + 1
        if command is not None and not _draws_from_system(self) and not is_open:
            compare(before, command, seat, outcome, after, inputs=inputs_of(self), names=TABLE)
        if outcome.error is not None:
            raise outcome.error
        return outcome.result

    patched.setattr(Table, name, shadowed)


def _person(turn: Player | None, before: GameSession) -> str:
    if before.is_between_people:
        return (turn or Player.X).name
    people = [side for side in Player if before.is_human(side)]
    return "both" if len(people) == 2 else (people or [Player.X])[0].name


def _first_new(before: GameSession, after: GameSession) -> Event | None:
    """The first event of the record after ``before``."""
    known = (*(record.events for record in before.finished), before.record)
    games = (*(record.events for record in after.finished), after.record)
    count = sum(map(len, known))
    events = [event for record in games for event in record]
    return events[count] if len(events) > count else None


def _install_table(patched: pytest.MonkeyPatch) -> None:
    def act(table, before, after, turn, moves, outcome, action):  # type: ignore[no-untyped-def]
        if before.is_between_people and action.kind in (ActionKind.RESIGN, ActionKind.ACCEPT, ActionKind.REFUSE):
            return None, None  # a room does not ask this of its table
        return Act(action), _person(turn, before)

    def throw(table, before, after, turn, moves, outcome, dice=None):  # type: ignore[no-untyped-def]
        if before.is_throw_decided:
            return Throw(dice), before.turn.name
        return Throw(dice), _person(turn, before)

    def played(table, before, after, turn, moves, outcome, *_):  # type: ignore[no-untyped-def]
        event = _first_new(before, after)
        if outcome.error is not None or not isinstance(event, Action):
            return None, None
        return Act(event), _person(turn, before)

    def undo(table, before, after, turn, moves, outcome):  # type: ignore[no-untyped-def]
        if moves:
            return None, None
        typed = before.terms.dice == "typed" and before.record and before.game.phase is Phase.PLAY
        if typed and isinstance(before.record[-1], Action):
            return WithdrawRoll(), _person(turn, before)
        if table.takes_back:
            return None, None
        return WithdrawRoll(), _person(turn, before)

    def next_game(table, before, after, turn, moves, outcome):  # type: ignore[no-untyped-def]
        return BeginNextGame(), _person(turn, before)

    def go_on(table, before, after, turn, moves, outcome):  # type: ignore[no-untyped-def]
        return (Continue(), None) if table.bots_wait or before.seats == (HUMAN, HUMAN) else (None, None)

    def answer(table, before, after, turn, moves, outcome, action):  # type: ignore[no-untyped-def]
        return (Throw() if action.kind is ActionKind.ROLL else Act(action)), turn.name

    _wrap_table(patched, "act", _unless_bots_play(act))
    _wrap_table(patched, "throw", _unless_bots_play(throw))
    for name in ("play", "step", "finish_play"):
        _wrap_table(patched, name, _unless_bots_play(played))
    _wrap_table(patched, "undo", undo)
    _wrap_table(patched, "next_game", _unless_bots_play(next_game))
    _wrap_table(patched, "go_on", go_on)
    _wrap_table(patched, "answer", _unless_bots_play(answer))


def _unless_bots_play(to_command: Any) -> Any:
    """A table at which bots play in the midst of an action does more than one decision."""

    def wrapped(table: Table, *args: Any, **options: Any) -> Any:
        if table.seats != (HUMAN, HUMAN) and not table.bots_wait:
            return None, None
        return to_command(table, *args, **options)

    return wrapped


# -- rooms ------------------------------------------------------------------------------------------------------
def terms_of_room(room: Room) -> Terms:
    """The terms that are stored with a room."""
    saved, table = room.saved, room.table
    options = saved.options
    start = None
    if table is not None:
        start = table.match.games[0].start
    elif options.get("position"):
        start = game_from_id(options["position"], saved.settings, override=True)[0]
    return Terms(
        settings=saved.settings,
        opponent=options["opponent"],
        automatic=options["automatic"],
        clock=options.get("clock"),
        grace=int(options.get("grace", GRACE)),
        rated=bool(options.get("rated")),
        spectators=options["spectators"],
        late=int(options.get("late", 0)),
        house=options.get("house"),
        start=start,
    )


def session_of_room(room: Room) -> GameSession:
    """The session that a room holds."""
    saved, table, options = room.saved, room.table, room.saved.options
    terms = terms_of_room(room)
    if table is None:
        session = evolve(None, LogEntry(1, EPOCH, SessionOpened(saved.id, terms, saved.names, saved.seats)))
        events: list[SessionEvent] = [SeedGiven(Player[side], seed) for side, seed in saved.seeds.items()]
        events += [
            ChainBegun(None if chain.whose == "server" else Player[chain.whose], chain.first, chain.anchor)
            for chain in proof.chains(saved)
        ]
        for event in events:
            session = evolve(session, LogEntry(session.sequence + 1, EPOCH, event))
    else:
        session = replace(session_of_table(table), terms=terms, clock=part(room, Clockwork).clock)
    told_at = [
        datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
        for number, _, at in options.get("told", {}).values()
        if number == session.throws + 1
    ]
    ended, look = options.get("ended") or {"how": "ended", "by": None}, options.get("look")
    return replace(
        session,
        session_id=saved.id,
        names=saved.names,
        is_seat_free="invite" in saved.keys,
        link_told_at=max(told_at, default=None),
        **_resignations_of(room),
        end_offers=_end_offers_of(room),
        rematch_offers=tuple(None if side == BOTH else Player[side] for side in options.get("again", ())),
        rematch=options.get("rematch"),
        closed=SessionClosed(ended["how"], Player[ended["by"]] if ended["by"] else None) if saved.closed else None,
        look=LookChosen(Player[look["by"]], look["colour"], look["home"]) if look else None,
        is_helped=bool(options.get(HELPED)),
    )


def _resignations_of(room: Room) -> dict[str, Any]:
    offer, table = Offer.of(room.saved), room.table
    if offer is None or table is None:
        return {}
    tried = tuple((Player[side], level) for side, level in offer.tried) if _is_same_turn(table, offer.at) else ()
    stands = offer.at == table.actions_kept
    return {
        "resignation": ResignationOffer(Player[offer.by], offer.level, not offer.stands) if stands else None,
        "resignations": tried,
    }


def _end_offers_of(room: Room) -> dict[Player, OfferAge]:
    table, found = room.table, {}
    if table is None:
        return {}
    for side, at in room.saved.options.get("ends", {}).items():
        new = table.actions_kept - int(at)
        plays = table.plays_since(int(at))
        if plays < 2:
            found[Player[side]] = OfferAge(new, plays)
    return found


def inputs_of_room(room: Room) -> Inputs:
    """The secret, the absences and the id of the rematch of a room."""
    absent = {Player[side]: at for side, at in part(room, Absences)._absent.items()}
    return Inputs(room.saved.secret, absent, room.saved.options.get("rematch") or "")


def _wrap_room(
    patched: pytest.MonkeyPatch,
    owner: Any,
    name: str,
    to_command: Callable[..., tuple[Command | None, Any, int | None]],
) -> None:
    original = getattr(owner, name)

    @functools.wraps(original)
    def shadowed(*args: Any, **options: Any) -> Any:
        room = next(argument for argument in args if isinstance(argument, Room))
        with room.lock:
            is_known = room.is_loaded and bool(room.parts)
            is_behind = not is_known or room.stale or room.home.shared or room._lost
            if is_behind or getattr(room, "_shadowed", False):
                return original(*args, **options)
            before, room._shadowed, outcome = session_of_room(room), True, Outcome()  # type: ignore[attr-defined]
            started = _now()
            read = to_command(room, *args, **options)
            try:
                outcome.result = original(*args, **options)
            except StoreError:
                raise
            except FullprimeError as error:
                outcome.error = error
            finally:
                room._shadowed = False  # type: ignore[attr-defined]
            _compare_room(room, before, read, outcome, started)
        if outcome.error is not None:
            raise outcome.error
        return outcome.result

    patched.setattr(owner, name, shadowed)


def _now() -> datetime:
    """The time as the modules of rooms see it; tests have set it forward in some of them."""
    clocks = [module.utc_now for module in (room_parts, room_dice, room_copy)]
    return next((clock for clock in clocks if clock is not utc_now), utc_now)()


def _take_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits that a test has set for rooms hold for decisions too."""
    monkeypatch.setattr(dice, "CHAINS", room_dice.CHAINS)
    monkeypatch.setattr(dice, "CHAINS_AT_ONCE", room_dice.CHAINS_AT_ONCE)
    monkeypatch.setattr(dice, "SPARE", room_module.SPARE)
    monkeypatch.setattr(beside, "OWED", room_parts.OWED)


def _compare_room(room: Room, before: GameSession, read: Any, outcome: Outcome, started: datetime) -> None:
    if room.stale or isinstance(outcome.error, GoneOn):
        return
    after = session_of_room(room)
    command, seat, version = read(before, after, outcome) if callable(read) else read
    if command is None:
        return
    now = started
    if not isinstance(command, ClaimWin) and room.table is not None and after.board_version > before.board_version:
        now = room.table.times[before.board_version] or started
    names = (*COMPARED, "rematch_offers")
    with pytest.MonkeyPatch.context() as patched:
        _take_limits(patched)
        decision = compare(
            before, command, seat, outcome, after, inputs=inputs_of_room(room), now=now, version=version, names=names
        )
    if decision is not None and decision.session.clock is not None and after.clock is not None:
        ours, theirs = decision.session.clock, after.clock
        assert ours.running is theirs.running
        assert ours.left == pytest.approx(theirs.left, abs=1.0)
    if decision is not None:
        _replay(before, decision, now)


def _replay(before: GameSession, decision: Decision, now: datetime) -> None:
    """Folding the events of a decision, as they are stored and read again, gives its session."""
    session = before
    for event in decision.events:
        session = evolve(session, LogEntry(session.sequence + 1, now, event))
    assert session == decision.session


def _line(room: Room, _self: Room, seat: Any, line: str, moves: Any, sequence: int | None, link: str | None) -> Any:
    def read(before: GameSession, after: GameSession, outcome: Outcome) -> Any:
        return _play_of(before, after, outcome), seat, sequence

    if room.table is None or seat is None:
        return (Throw(), seat, sequence)
    try:
        word, rest = commands._read(room.table, line)
    except FullprimeError:
        return (None, None, None)
    is_beside = resigning.is_beside(room, room.table, seat, word)
    try:
        command = _word_command(word, rest, link, is_beside)
    except FullprimeError:
        return (None, None, None)
    return read if command == "play" else (command, seat, sequence)


def _word_command(word: str, rest: str, link: str | None, is_beside: bool) -> Any:
    if is_beside:
        return OfferResignation(resignation_level(rest)) if word == "resign" else AnswerResignation(word == "accept")
    if word == "roll":
        return Throw(link=link) if not rest else None
    if link is not None:
        return None
    if word == "next":
        return BeginNextGame()
    if word in ("move", "step", "done"):
        return "play"
    if word == "resign":
        return Act(acts.resign(resignation_level(rest)))
    simple = {
        "double": acts.DOUBLE, "take": acts.TAKE, "drop": acts.DROP, "beaver": acts.BEAVER, "raccoon": acts.RACCOON,
        "accept": acts.ACCEPT, "refuse": acts.REFUSE,
    }  # fmt: skip
    if word == "choose" and rest.strip("sS ").isdigit():
        return Act(acts.choose(int(rest.strip("sS ")[0])))
    return Act(simple[word]) if word in simple else None


def _play_of(before: GameSession, after: GameSession, outcome: Outcome) -> Command | None:
    event = _first_new(before, after)
    if outcome.error is not None or not isinstance(event, Action):
        return None
    return Act(event)


def _install_rooms(patched: pytest.MonkeyPatch) -> None:
    _wrap_room(patched, Room, "_act", _line)
    _wrap_room(
        patched, Room, "add_seed", lambda room, _, seat, seed, *, links=False: (GiveSeed(seed, links), seat, None)
    )
    _wrap_room(
        patched, Room, "begin_chain", lambda room, _, seat, number, anchor: (BeginChain(number, anchor), seat, None)
    )
    _wrap_room(patched, Room, "give_link", lambda room, _, seat, number, link: (GiveLink(number, link), seat, None))
    _wrap_room(patched, Room, "close", lambda room, _, seat, how="end": (CloseSession(how), seat, None))
    _wrap_room(patched, Room, "wake", lambda room, _: (Continue(), None, None))
    _wrap_room(patched, at_table, "claim", lambda room, _, seat: (ClaimWin(), seat, None))
    _wrap_room(
        patched, at_table, "rematch", lambda room, _rooms, _room, seat, *, rated=False: (OfferRematch(), seat, None)
    )
    _wrap_room(patched, at_table, "note_help", lambda room, _: (UseHelp(), "X", None))
    _wrap_room(
        patched, at_table, "take_back", lambda room, _, seat, steps=1, sequence=None: (TakeBack(steps), seat, sequence)
    )
    _wrap_room(patched, looks, "choose", lambda room, _, seat, colour, home: (ChooseLook(colour, home), seat, None))


def install(patched: pytest.MonkeyPatch) -> None:
    """Until the patch is undone, every game is played twice."""
    _install_table(patched)
    _install_rooms(patched)


@pytest.fixture(autouse=True)
def games_are_played_twice() -> Iterator[None]:
    """Where this fixture is known, a test fails in which the two ways differ."""
    with pytest.MonkeyPatch.context() as patched:
        install(patched)
        yield
