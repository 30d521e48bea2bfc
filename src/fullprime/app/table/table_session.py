"""A game session as a table keeps it: each event of the board is stored, then put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from fullprime.app.table.dice import TableDice
from fullprime.app.table.events import SIDES, Side
from fullprime.app.table.happenings import Happening, tell_in_game
from fullprime.app.table.naming import seen_names
from fullprime.app.table.roll_plays import PlaysByText
from fullprime.play.draft import SessionInputs
from fullprime.play.events import (
    BOARD_CHANGES,
    ActionTaken,
    ChainBegun,
    GameBegun,
    LogEntry,
    SeedGiven,
    SessionEvent,
    SessionOpened,
    ThrowDecided,
)
from fullprime.play.evolve import evolve, from_record
from fullprime.play.session import GameSession
from fullprime.play.terms import HUMAN, Opponent, Terms
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.links import new_secret
from fullprime.rules.plays import CheckerMove, Play, RollPlays, RollState
from fullprime.rules.record import Event, Match
from fullprime.rules.score import Player, Score, Settings
from fullprime.store.times import utc_now

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import Bot
    from fullprime.store.games.games import GameStore, Later, SavedMatch

Links = Mapping[str, str]
"""The links of sides (``X``, ``O``) that a throw was made with."""
NO_LINKS: Links = {}


class TableSession:
    """A session with the place where it is stored, its names for those who play, and the news not told yet."""

    def __init__(
        self,
        match: Match,
        *,
        seats: tuple[str, str] = (HUMAN, HUMAN),
        dice: TableDice | None = None,
        store: GameStore | None = None,
        number: int | None = None,
        automatic: bool = True,
        confirm: bool = False,
    ) -> None:
        if not match.games:
            match = match.next_game()
        self.settings: Settings = match.settings
        self.names = match.names
        """The names, X's first; those of the match, unless one person alone sees them."""
        self.seats = seats
        """The players, X's first: ``human`` or the name of a bot."""
        self.dice = dice if dice is not None else TableDice()
        if self.dice.kind == "seed" and self.dice.seed is None:
            self.dice.seed = new_secret()
        self.number = number
        """The number under which it is stored; None when it is not."""
        self.automatic = automatic
        """True: throw without a decision, and play forced plays."""
        self.confirm = confirm
        """A play entered checker by checker waits for :meth:`finish_play`."""
        self.on_change: Callable[[Any], None] | None = None
        """Called with the table whenever an event has been added; it may look at :attr:`news`."""
        self.deadline: Callable[[Game, datetime], datetime | None] | None = None
        """Gives the time at which the flag of the player who must act falls, for a game and its time; it is stored."""
        self.bot_seed: str | None = None
        """When set, every choice of a bot follows from this and the number of the event alone, so that it can be
        checked later; otherwise a bot's chances follow from the seed of the dice."""
        self.moves: tuple[CheckerMove, ...] = ()
        """Checker moves entered of a play that is not complete yet."""
        self._info, self._store, self._inputs = match.info, store, SessionInputs(self.dice.seed or "")
        self._bots: dict[Player, Bot] = {}
        self._news: list[Happening] = []
        self._roll: PlaysByText | None = None
        stored = sum(len(record.events) for record in match.games)
        self.times: list[datetime | None] = [None] * stored
        """When each event of the match was stored (UTC, without a zone); None where nobody has noted it."""
        self.thrown_with: list[Links] = [NO_LINKS] * stored
        """The links with which each event of the match was thrown."""
        self.session = self._fold(match, self._terms(match, "screen" if HUMAN == seats[0] == seats[1] else "bot"))
        """The session that is played here."""
        if store is not None and number is None:
            if stored:
                raise RulesError("a match is stored from its first event on")
            self.number = store.create(match, seats, self.dice.text)

    @classmethod
    def resume(cls, saved: SavedMatch, store: GameStore, *, automatic: bool = True, confirm: bool = False) -> Self:
        """The table at which a stored match was left."""
        dice, number = TableDice.from_text(saved.dice, saved.drawn), saved.number
        table = cls(
            saved.match, seats=saved.seats, dice=dice, store=store, number=number, automatic=automatic, confirm=confirm
        )
        table.times = list(saved.times)
        table.thrown_with = [_by_side(links) for links in saved.links]
        return table

    def _terms(self, match: Match, opponent: Opponent) -> Terms:
        start = match.games[0].start
        return Terms(
            settings=match.settings, opponent=opponent, dice=self.dice.kind, automatic=self.automatic, start=start
        )

    def _fold(self, match: Match, terms: Terms, begun: Iterable[SessionEvent] = ()) -> GameSession:
        """The session of a match so far; ``begun`` are the events of its dice before the first throw."""
        opened = SessionOpened("", terms, match.names, self.seats)
        session = evolve(None, LogEntry(1, utc_now(), opened))
        is_linked, place = bool(begun), 0
        for event in begun:
            session = _after(session, event)
        for number, record in enumerate(match.games, 1):
            session = _after(session, GameBegun(number))
            for stored in record.events:
                links = self.thrown_with[place] if is_linked else NO_LINKS
                session = _after(session, from_record(stored, _by_player(links)), self.times[place])
                place += 1
        return session

    def show_to_the_only_person(self) -> None:
        """From now on tell everything as the one person at the table sees it, where there is but one."""
        people = [side for side, seat in zip(SIDES, self.seats, strict=True) if seat == HUMAN]
        if len(people) == 1:
            self.names = seen_names(self.session.names, people[0])

    # -- reading ------------------------------------------------------------------------------------------
    @property
    def game(self) -> Game:
        """The game on the board."""
        game = self.session.game
        assert game is not None  # a table begins with its first game
        return game

    @property
    def match(self) -> Match:
        """All games and events so far."""
        return replace(self.session.match, info=self._info)

    @property
    def score(self) -> Score:
        """The score, with the game that has just ended in it."""
        return self.session.score

    @property
    def is_over(self) -> bool:
        """True when the match has been won; a money session never ends by itself."""
        return self.session.is_won

    @property
    def game_number(self) -> int:
        """The number of the game on the board, from 1."""
        return self.session.game_number

    @property
    def game_is_new(self) -> bool:
        """True if nothing has happened in the game on the board."""
        return not self.session.record

    @property
    def events(self) -> Sequence[Event]:
        """The events of the game on the board; ``match`` puts the whole record together, which takes longer."""
        return self.session.record

    @property
    def is_young(self) -> bool:
        """True if fewer than two plays have been made in the whole match: it may still be aborted."""
        return self.session.is_young

    def plays_since(self, sequence: int) -> int:
        """The plays made since so many events were stored; 2 and more where another game has begun since."""
        new, events = self.actions_kept - sequence, self.events
        if new > len(events):
            return 2
        since = islice(events, len(events) - new, None)
        return sum(isinstance(event, Action) and event.kind is ActionKind.PLAY for event in since)

    @property
    def turn(self) -> Player | None:
        """The player who must decide; None for the opening roll and between games."""
        return self.session.turn

    @property
    def throws(self) -> int:
        """The number of throws of the match that stand."""
        return self.session.throws

    @property
    def waits_for_dice(self) -> bool:
        """True when a bot wants to throw and a person must type its dice."""
        return self.dice.manual and self.session.is_throw_decided

    @property
    def ways(self) -> RollPlays:
        """The ways to play the roll."""
        return self.game.ways

    @property
    def plays(self) -> Mapping[str, tuple[CheckerMove, ...]]:
        """The moves of the legal plays by their texts, worked out once; none while there is nothing to play."""
        return self.roll.all

    @property
    def roll(self) -> PlaysByText:
        """The plays of the roll, which stay those of the game as it stands now."""
        if self._roll is None:
            self._roll = PlaysByText(self.game)
        return self._roll

    @property
    def state(self) -> RollState:
        """The board and the dice after the moves entered so far; raises IllegalAction when nothing is to play."""
        ways = self.game.ways
        state = ways.start
        for move in self.moves:
            state = ways.step(state, move)
        return state

    @property
    def actions_kept(self) -> int:
        """The number of events of the match so far; they are stored where the match is stored."""
        return self.session.board_version

    @property
    def news(self) -> tuple[Happening, ...]:
        """The news that the current action has led to so far; for :attr:`on_change`."""
        return tuple(self._news)

    def is_human(self, player: Player | None) -> bool:
        """True if a person sits there; nobody in particular counts as one."""
        return self.session.is_human(player)

    # -- links --------------------------------------------------------------------------------------------
    @property
    def is_linked(self) -> bool:
        """True if the chains of the links are known here; without them nothing can be thrown."""
        return bool(self.session.links.server)

    def follow_links(
        self, secret: str, opponent: Opponent, seeds: Mapping[Player, str], chains: Iterable[ChainBegun]
    ) -> None:
        """From now on throw with links of these chains, which take over those of the throws so far."""
        match = self.match
        begun: list[SessionEvent] = [*(SeedGiven(side, seed) for side, seed in seeds.items()), *chains]
        self._inputs = SessionInputs(secret)
        self.session = self._fold(match, self._terms(match, opponent), begun)

    def hear_chains(self, chains: Iterable[ChainBegun]) -> None:
        """Take over chains that have been begun; those that are known already stay as they are."""
        for chain in chains:
            if chain not in self.session.chains:
                self.session = _after(self.session, chain)

    def hear_link(self, side: Player, link: str) -> None:
        """Take a side's link for the next throw; raises IllegalAction where it does not fit its chain."""
        session = self.session
        self.session = replace(session, links=session.links.with_link(side, session.throws + 1, link))

    @property
    def awaited(self) -> tuple[Side, ...]:
        """The sides whose link is awaited for a throw about which nobody has anything to decide."""
        return tuple(SIDES[side] for side in self.session.awaited)

    def expect_link(self) -> None:
        """A bot has decided to throw, elsewhere: its throw waits for a link."""
        if not self.game.is_over and not self.is_human(self.turn):
            self.session = _after(self.session, ThrowDecided())

    # -- events -------------------------------------------------------------------------------------------
    def catch_up(self, later: Later) -> None:
        """Take over the events that another process has stored; actions done here and not stored are forgotten."""
        self.moves, self._news = (), []
        self.session = replace(self.session, is_throw_decided=False)
        for (game_number, stored), at, given in zip(later.events, later.times, later.links, strict=True):
            if game_number > self.game_number:
                self._add(GameBegun(self.game_number + 1))
            links = _by_player(_by_side(given)) if self.is_linked else {}
            event = from_record(stored, links)
            play = None
            if isinstance(event, ActionTaken) and event.action.kind is ActionKind.PLAY:
                ways = self.game.ways
                play = ways.play(event.action.moves)
                event = replace(event, automatic=self.automatic and ways.forced is not None)
            self._add(event, at=at, is_stored=True, play=play)
        self._news = []
        self.dice.drawn = later.drawn

    def begin_next(self) -> None:
        """Another process has begun the next game, of which no event is stored yet; nothing is told."""
        self._add(GameBegun(self.game_number + 1))
        self._news = []

    def close(self) -> None:
        """Let go of the place where the game is stored."""
        if self._store is not None:
            self._store.close()

    def _take(self, steps: Iterable[tuple[SessionEvent, GameSession]]) -> None:
        """Store and tell events, each with the session after it."""
        for event, after in steps:
            self._add(event, after)

    def _add(
        self,
        event: SessionEvent,
        after: GameSession | None = None,
        *,
        at: datetime | None = None,
        is_stored: bool = False,
        play: Play | None = None,
    ) -> None:
        """Add an event; one of the board is stored first, unless that has been done."""
        before = self.session
        if after is None:
            after = evolve(before, LogEntry(before.sequence + 1, at or utc_now(), event), play=play)
        if isinstance(event, BOARD_CHANGES):
            links = _by_side({side.name: link for side, link in getattr(event, "links", {}).items()})
            if not self.dice.manual:
                self.dice.drawn = 2 * after.throws
            if not is_stored:
                at = self._keep(before, after, links)
            after = replace(after, changed_at=at)
            self.times.append(at)
            self.thrown_with.append(links)
        self.session, self.moves, self._roll = after, (), None
        self._tell(before, event, after)
        if self.on_change is not None and isinstance(event, BOARD_CHANGES):
            self.on_change(self)

    def _keep(self, before: GameSession, after: GameSession, links: Links) -> datetime | None:
        if self._store is None:
            return None
        if self.number is None or after.game is None:
            raise RulesError("a match that is stored has a number, and this one has none")
        falls = self.deadline and partial(self.deadline, after.game)
        return self._store.append(
            self.number,
            after.board_version,
            before.game_number,
            after.record[-1],
            self.dice.drawn,
            over=after.is_won,
            falls=falls,
            links=links,
        )

    def _tell(self, before: GameSession, event: SessionEvent, after: GameSession) -> None:
        """Put an event into words."""
        if isinstance(event, GameBegun):
            self._bots = {}
        self._news += tell_in_game(before, event, after, self.names)

    def _told(self) -> list[Happening]:
        news, self._news = self._news, []
        return news


def _after(session: GameSession, event: SessionEvent, at: datetime | None = None) -> GameSession:
    """The session after an event that is stored elsewhere."""
    return evolve(session, LogEntry(session.sequence + 1, at or utc_now(), event))


def side_of(player: Player | None) -> Side | None:
    """The name of a side; None for nobody."""
    return None if player is None else SIDES[player]


def _by_side(links: Mapping[str, str]) -> Links:
    return {side: links[side] for side in SIDES if side in links} if links else NO_LINKS


def _by_player(links: Links) -> Mapping[Player, str]:
    return {Player[side]: link for side, link in links.items()}
