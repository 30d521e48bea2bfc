"""The record of a table: the match in play, event by event, the place where it is kept, and the source of its dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from fullprime.app.table import happenings
from fullprime.app.table.dice import TableDice
from fullprime.app.table.events import SIDES
from fullprime.app.table.happenings import Happening
from fullprime.app.table.links import NO_LINKS, Links, ThrowLinks
from fullprime.app.table.naming import seen_names
from fullprime.app.table.roll_plays import PlaysByText
from fullprime.play import rulings
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.plays import CheckerMove, Play, RollPlays, RollState
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Player, Score, Settings

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import Bot
    from fullprime.store.games.games import GameStore, Later, SavedMatch

HUMAN = "human"


class TableRecord:
    """A match in play, to which events are added: each is stored before it is told."""

    takes_back = False
    """``undo`` goes back over confirmed decisions too: nobody plays here who could mind."""
    bots_wait = False
    """Stop before every choice of a bot: somebody else asks the bot and hands its choice to :meth:`answer`."""

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
        self._names = self.names = match.names
        """The names, X's first; those of the match, unless one person alone sees them."""
        self.seats = seats
        """The players, X's first: ``human`` or the name of a bot."""
        self.dice = dice if dice is not None else TableDice()
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
        self._info = match.info
        self._finished, last = list(match.games[:-1]), match.games[-1]
        self._start, self._events, self.game = last.start, list(last.events), last.final
        self.moves: tuple[CheckerMove, ...] = ()
        """Checker moves entered of a play that is not complete yet."""
        self._store = store
        self._stored = sum(len(record.events) for record in match.games)
        self.times: list[datetime | None] = [None] * self._stored
        """When each event of the match was stored (UTC, without a zone); None where nobody has noted it."""
        if store is not None and number is None:
            if self._stored:
                raise RulesError("a match is stored from its first event on")
            self.number = store.create(match, seats, self.dice.text)
        self.throws = sum(rulings.throws(record.events) for record in match.games)
        """The number of throws of the match that stand."""
        self.links: ThrowLinks | None = None
        """The links that the throws need, where each needs some."""
        self.thrown_with: list[Links] = [NO_LINKS] * self._stored
        """The links with which each event of the match was thrown."""
        self._bots: dict[Player, Bot] = {}
        self._waiting_for_dice = self._waiting_for_link = False
        """A bot wants to throw, and people throw its dice, or a link is missing."""
        self._forced: Game | None = None
        """The game before the play that was last played automatically."""
        self._news: list[Happening] = []
        self._roll: PlaysByText | None = None

    @classmethod
    def resume(cls, saved: SavedMatch, store: GameStore, *, automatic: bool = True, confirm: bool = False) -> Self:
        """The table at which a stored match was left."""
        dice, number = TableDice.from_text(saved.dice, saved.drawn), saved.number
        table = cls(
            saved.match, seats=saved.seats, dice=dice, store=store, number=number, automatic=automatic, confirm=confirm
        )
        table.times = list(saved.times)
        table.thrown_with = [_by_side(each) for each in saved.links]
        return table

    def show_to_the_only_person(self) -> None:
        """From now on tell everything as the one person at the table sees it, where there is but one."""
        people = [side for side, seat in zip(SIDES, self.seats, strict=True) if seat == HUMAN]
        if len(people) == 1:
            self.names = seen_names(self._names, people[0])

    # -- reading ------------------------------------------------------------------------------------------
    @property
    def match(self) -> Match:
        """All games and events so far."""
        record = GameRecord(self._start, tuple(self._events))
        return Match(self.settings, self._names, (*self._finished, record), self._info)

    @property
    def score(self) -> Score:
        """The score, with the game that has just ended in it."""
        result = self.game.result
        return self.game.score.after(result, self.settings) if result else self.game.score

    @property
    def is_over(self) -> bool:
        """True when the match has been won; a money session never ends by itself."""
        return self.score.match_winner(self.settings) is not None

    @property
    def game_number(self) -> int:
        """The number of the game on the board, from 1."""
        return len(self._finished) + 1

    @property
    def game_is_new(self) -> bool:
        """True if nothing has happened in the game on the board."""
        return not self._events

    @property
    def events(self) -> Sequence[Event]:
        """The events of the game on the board; ``match`` puts the whole record together, which takes longer."""
        return self._events

    @property
    def is_young(self) -> bool:
        """True if fewer than two plays have been made in the whole match: it may still be aborted."""
        return not (self._finished or self.game.is_over) and self._plays_of(self._events) < 2

    def plays_since(self, sequence: int) -> int:
        """The plays made since so many events were stored; 2 and more where another game has begun since."""
        new = self._stored - sequence
        return 2 if new > len(self._events) else self._plays_of(self._events[len(self._events) - new :])

    def _plays_of(self, events: list[Event]) -> int:
        """The number of plays among events, counted to 2."""
        plays = (event for event in events if isinstance(event, Action) and event.kind is ActionKind.PLAY)
        return sum(1 for _ in islice(plays, 2))

    @property
    def turn(self) -> Player | None:
        """The player who must decide; None for the opening roll and between games."""
        return self.game.turn

    @property
    def waits_for_dice(self) -> bool:
        """True when a bot wants to throw and a person must type its dice."""
        return self._waiting_for_dice

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
        return self._stored

    @property
    def news(self) -> tuple[Happening, ...]:
        """The news that the current action has led to so far; for :attr:`on_change`."""
        return tuple(self._news)

    def is_human(self, player: Player | None) -> bool:
        """True if a person sits there; nobody in particular counts as one."""
        return player is None or self.seats[player] == HUMAN

    # -- events -------------------------------------------------------------------------------------------
    def catch_up(self, later: Later) -> None:
        """Take over the events that another process has stored; actions done here and not stored are forgotten."""
        self.moves, self._waiting_for_dice, self._waiting_for_link, self._news = (), False, False, []
        undone = self.links is None and bool(later.events) and later.events[0][0] < self.game_number
        if not self._events and self._finished and undone:
            last = self._finished.pop()
            self._start, self._events, self.game, self._roll = last.start, list(last.events), last.final, None
        for (game_no, event), at, given in zip(later.events, later.times, later.links, strict=True):
            if game_no > self.game_number:
                self._begin_next()
            if isinstance(event, Action) and event.kind is ActionKind.PLAY and self.game.phase is Phase.PLAY:
                ways = self.game.ways
                forced = self.automatic and ways.forced is not None
                self._do(event, automatic=forced, keep=False, at=at, play=ways.play(event.moves))
            else:
                links = _by_side(given)
                if links and self.links is not None:
                    self.links.made(self.throws + 1, links)
                self._do(event, keep=False, at=at, links=links)
        self._news = []
        self.dice = TableDice.from_text(self.dice.text, later.drawn)

    def begin_next(self) -> None:
        """Another process has begun the next game, of which no event is stored yet; nothing is told."""
        self._begin_next()
        self._news = []

    def follow_links(self, links: ThrowLinks) -> None:
        """From now on throw with these links, which take over those of the throws so far."""
        self.links, number, place = links, 0, 0
        for record in self.match.games:
            before = number
            for index, event in enumerate(record.events, 1):
                if isinstance(event, Action):
                    number += event.kind in (ActionKind.OPENING, ActionKind.ROLL)
                elif rulings.kept_by(event) is not None:
                    number = before + rulings.throws(record.events[:index])
                links.made(number, self.thrown_with[place])
                place += 1

    def close(self) -> None:
        """Let go of the place where the game is stored."""
        if self._store is not None:
            self._store.close()

    def _do(
        self,
        event: Event,
        *,
        automatic: bool = False,
        keep: bool = True,
        at: datetime | None = None,
        play: Play | None = None,
        links: Links = NO_LINKS,
    ) -> None:
        """``play`` is the one that the event makes, where it was found among the legal plays."""
        before = self.game
        after = event.game if isinstance(event, Setup) else before.played(play) if play else before.act(event)
        if self._store is not None and keep:
            if self.number is None:
                raise RulesError("a match that is stored has a number, and this one has none")
            over = after.result is not None and (
                after.score.after(after.result, self.settings).match_winner(self.settings) is not None
            )
            place, drawn, falls = self._stored + 1, self.dice.drawn, self.deadline and partial(self.deadline, after)
            at = self._store.append(
                self.number, place, self.game_number, event, drawn, over=over, falls=falls, links=links
            )
        self.times.append(at)
        self.thrown_with.append(links)
        self._stored += 1
        self._events.append(event)
        if isinstance(event, Action):
            self.throws += event.kind in (ActionKind.OPENING, ActionKind.ROLL)
        elif rulings.kept_by(event) is not None:
            played = (*(record.events for record in self._finished), self._events)
            self.throws = sum(map(rulings.throws, played))
        self.game, self.moves, self._forced = after, (), None
        self._waiting_for_dice = self._waiting_for_link = False
        self._roll = None
        if isinstance(event, Action):
            self._news.append(happenings.tell_action(before, event, after, self.names, automatic))
        elif (ruling := happenings.tell_ruling(event, self.names)) is not None:
            self._news.append(ruling)
        if after.result is not None:
            score = self.score.points
            self._news += happenings.tell_end(
                after, after.result, score, self.names, self.score.match_winner(self.settings)
            )
        if self.on_change is not None:
            self.on_change(self)

    def _begin_next(self) -> None:
        score = self.score
        self._finished.append(GameRecord(self._start, tuple(self._events)))
        self._start = self.game = Game.new(self.settings, score)
        self._events, self.moves, self._forced, self._bots, self._roll = [], (), None, {}, None
        self._news.append(happenings.new_game(self.game_number, score))

    def _told(self) -> list[Happening]:
        news, self._news = self._news, []
        return news


def _by_side(links: Mapping[str, str]) -> Links:
    return {side: links[side] for side in SIDES if side in links} if links else NO_LINKS
