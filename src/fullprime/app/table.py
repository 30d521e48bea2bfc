"""A table: one match or session in play, who sits there, its dice, and where it is kept.

Whatever is done is stored before it is told. Between two decisions of a person the table goes on by itself: it throws
when there is nothing to decide, plays what is forced, and lets the bots act.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from fullprime.app import happenings, rulings
from fullprime.app.dice import TableDice
from fullprime.app.entering import moves_entered, written
from fullprime.app.happenings import Happening
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction, RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import CheckerMove, Play, RollPlays, State
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Player, Score, Settings

if TYPE_CHECKING:
    from fullprime.engine.bots import Bot
    from fullprime.store.games import GameStore, Later, SavedMatch

HUMAN = "human"

_text = lru_cache(8192)(format_play)
"""Texts of plays: the same few are made again and again."""
_THROWN_IN = (Phase.OPENING_ROLL, Phase.CUBE_DECISION, Phase.ROLL)


class Table:
    """A match in play. Methods that do something give what happened, in order, and raise before anything changes."""

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
        self.seats = seats
        """``human`` or the name of a bot, X's first."""
        self.dice = dice if dice is not None else TableDice()
        self.number = number
        """Under which number it is stored; None when it is not."""
        self.automatic = automatic
        """Throw without a decision, and play forced plays."""
        self.confirm = confirm
        """A play entered checker by checker waits for :meth:`finish_play`."""
        self.bots_wait = False
        """Stop before every choice of a bot: somebody else asks the bot and hands its choice to :meth:`answer`."""
        self.on_change: Callable[[Table], None] | None = None
        self.deadline: Callable[[Game, datetime], datetime | None] | None = None
        """Tells when the flag of whoever must act in a game falls, which comes about at that time; it is stored."""
        self.bot_seed: str | None = None
        """When set, every choice of a bot follows from this and the number of the event alone, so that it can be
        checked later; otherwise a bot's chances follow from the seed of the dice."""
        self._info = match.info
        self._finished = list(match.games[:-1])
        self._start = match.games[-1].start
        self._events: list[Event] = list(match.games[-1].events)
        self.game: Game = match.games[-1].final
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
        self._bots: dict[Player, Bot] = {}
        self._waiting_for_dice = False
        """A bot wants to throw, and people throw its dice."""
        self._forced: Game | None = None
        """The game before the play that was last played automatically."""
        self._news: list[Happening] = []
        self._plays: dict[str, Play] | None = None

    @classmethod
    def resume(cls, saved: SavedMatch, store: GameStore, *, automatic: bool = True, confirm: bool = False) -> Table:
        """The table at which a stored match was left."""
        dice, number = TableDice.from_text(saved.dice, saved.drawn), saved.number
        table = cls(
            saved.match, seats=saved.seats, dice=dice, store=store, number=number, automatic=automatic, confirm=confirm
        )
        table.times = list(saved.times)
        return table

    # -- reading ------------------------------------------------------------------------------------------
    @property
    def match(self) -> Match:
        """Everything that has happened."""
        record = GameRecord(self._start, tuple(self._events))
        return Match(self.settings, self.names, (*self._finished, record), self._info)

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
        """Which game of the match is on the board, from 1."""
        return len(self._finished) + 1

    @property
    def game_is_new(self) -> bool:
        """Whether nothing has happened in the game on the board."""
        return not self._events

    @property
    def turn(self) -> Player | None:
        """Whose decision it is; None for the opening roll and between games."""
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
    def plays(self) -> Mapping[str, Play]:
        """The legal plays of the roll by their texts, worked out once; none while there is nothing to play."""
        if self._plays is None:
            self._plays = {_text(play.moves): play for play in self.game.legal_plays}
        return self._plays

    @property
    def state(self) -> State:
        """The board and the dice after the moves entered so far; raises IllegalAction when nothing is to play."""
        ways = self.game.ways
        state = ways.start
        for move in self.moves:
            state = ways.step(state, move)
        return state

    @property
    def actions_kept(self) -> int:
        """How many events of the match have happened, and are stored where it is stored."""
        return self._stored

    @property
    def news(self) -> tuple[Happening, ...]:
        """What the action that is being done has led to so far; for :attr:`on_change`."""
        return tuple(self._news)

    def is_human(self, player: Player | None) -> bool:
        """Whether a person sits there; nobody in particular counts as one."""
        return player is None or self.seats[player] == HUMAN

    # -- going on -----------------------------------------------------------------------------------------
    def go_on(self) -> list[Happening]:
        """Do everything that needs no decision of a person; gives what happened."""
        while not self.game.is_over and self._automatic_step():
            pass
        return self._told()

    def _automatic_step(self) -> bool:
        game = self.game
        if game.phase is Phase.OPENING_ROLL:
            return self.automatic and self._throw_unless_typed()
        if game.phase is Phase.PLAY and self.automatic and not self.moves:
            plays = self.plays
            if len(plays) == 1:
                (play,) = plays.values()
                self._do(acts.play(play), automatic=True, play=play)
                self._forced = game
                return True
        if self.is_human(game.turn):
            return self.automatic and game.phase is Phase.ROLL and self._throw_unless_typed()
        if self._waiting_for_dice or self.bots_wait:
            return False
        return self._bot_does(self.bot.choose(game))

    @property
    def bot_is_due(self) -> bool:
        """Whether nothing happens until a bot has chosen."""
        game = self.game
        return not (game.is_over or self.is_human(game.turn) or self._waiting_for_dice)

    @property
    def bot(self) -> Bot:
        """The bot whose turn it is."""
        player = self.game.turn
        assert player is not None
        return self._bot(player)

    def answer(self, action: Action) -> list[Happening]:
        """Do what the bot whose turn it is has chosen, and everything that follows from it without a decision."""
        self._bot_does(action)
        return self.go_on()

    def _bot_does(self, action: Action) -> bool:
        if action.kind is not ActionKind.ROLL:
            self._do(action)
            return True
        self._waiting_for_dice = self.dice.manual
        return self._throw_unless_typed()

    def _throw_unless_typed(self) -> bool:
        if self.dice.manual:
            return False
        self._throw(self.dice.die(), self.dice.die())
        return True

    def _bot(self, player: Player) -> Bot:
        from fullprime.engine.bots import bot_named

        if self.bot_seed is not None:
            return bot_named(self.seats[player], f"{self.bot_seed}:{self._stored}")
        if player not in self._bots:
            self._bots[player] = bot_named(self.seats[player], f"{self.dice.seed or ''}:{player.name}:{self._stored}")
        return self._bots[player]

    # -- what people do -----------------------------------------------------------------------------------
    def act(self, action: Action) -> list[Happening]:
        """Do one thing and everything that follows from it without a decision."""
        self._mine()
        self._do(action)
        return self.go_on()

    def throw(self, dice: tuple[int, int] | None = None) -> list[Happening]:
        """Throw: with the dice of the program, or those that a person has thrown and typed.

        In the opening the first is X's die and the second O's. Raises IllegalAction when it is not the time, and for
        typed dice where the program throws (or none where it does not).
        """
        if self.game.is_over:
            if self.is_over:
                raise IllegalAction("the match is over")
            self._begin_next()
        if self.game.phase not in _THROWN_IN:
            self.game.act(Action(ActionKind.ROLL))  # raises with the reason
        if not self._waiting_for_dice:
            self._mine()
        if dice is None:
            if self.dice.manual:
                raise IllegalAction("type the dice you have thrown, for example: roll 31")
            dice = (self.dice.die(), self.dice.die())
        elif not self.dice.manual:
            raise IllegalAction("the program throws the dice here: type roll alone (--dice manual is for real dice)")
        self._throw(*dice)
        return self.go_on()

    def play(self, text: str) -> list[Happening]:
        """Make a play given as text; what has been entered of it already may be left out or repeated.

        Raises NotationError or IllegalPlay with the rule that it breaks.
        """
        game = self.game
        if game.phase is not Phase.PLAY or game.dice is None:
            if self._forced is not None and (already := self._already_played(text)):
                return [already]
            game.act(Action(ActionKind.PLAY))  # raises with the reason
        assert game.dice is not None
        self._mine()
        variant = self.settings.variant
        known = None if self.moves or self._plays is None else self._plays.get(text)
        if known is not None:
            self._do(acts.play(known), play=known)
            return self.go_on()
        if self.moves:
            try:
                play = read_play(f"{written(self.moves)} {text}", game.position, game.dice, variant)
            except RulesError:
                play = read_play(text, game.position, game.dice, variant)
        else:
            play = read_play(text, game.position, game.dice, variant)
        self._do(acts.play(play))
        return self.go_on()

    def step(self, text: str) -> list[Happening]:
        """Make some checker moves of a play; when they complete it, it is played (or waits for confirmation)."""
        game = self.game
        ways = game.ways
        self._mine()
        made = moves_entered(game, self.moves, text)
        self.moves = made
        state = self.state
        left = "".join(map(str, state.dice))
        complete = not ways.steps(state)
        if complete and not self.confirm:
            self._do(acts.play(made))
            return self.go_on()
        what = "type done, or undo" if complete else f"{left} left to play" if left else ""
        data = {"moves": [str(move) for move in made], "left": list(state.dice), "complete": complete}
        return [Happening("step", f"{format_play(made)} ... {what}", game.turn, data)]

    def finish_play(self) -> list[Happening]:
        """Confirm a play entered checker by checker; raises IllegalPlay while more must be played."""
        if not self.moves:
            raise IllegalAction("there is no play to confirm")
        self._do(acts.play(self.moves))
        return self.go_on()

    def undo(self) -> list[Happening]:
        """Take the last checker move of an unfinished play back, or dice that were typed wrongly."""
        if self.moves:
            self.moves = self.moves[:-1]
            done = format_play(self.moves) + " ..." if self.moves else "nothing played yet"
            return [Happening("undo", f"Taken back: {done}", self.turn, {"moves": [str(move) for move in self.moves]})]
        before = self._before_typed_dice()
        if before is None:
            raise IllegalAction("there is nothing to take back: a confirmed play stands, and so do dice")
        game = self.game
        self._do(Setup(before, f"the dice {game.dice} were typed wrongly"))
        self._waiting_for_dice = not self.is_human(before.turn)
        return [Happening("undo", f"Taken back: the dice {game.dice}", game.turn)]

    def next_game(self) -> list[Happening]:
        """Begin the next game; raises IllegalAction when one is in play or the match is over."""
        if not self.game.is_over:
            raise IllegalAction("the game is not over yet")
        if self.is_over:
            raise IllegalAction("the match is over")
        self._begin_next()
        return self.go_on()

    def rule(self, setup: Setup) -> list[Happening]:
        """Do what ``rulings`` gives: take back (the dice then come again as they were thrown), or end the game."""
        if rulings.kept_by(setup) is not None:
            record = GameRecord(self._start, (*self._events, setup))
            self.dice.go_to(2 * sum(rulings.throws(each.events) for each in (*self._finished, record)))
        self._do(setup)
        return self.go_on()

    def catch_up(self, later: Later) -> None:
        """Take over what another process has stored; what has been done here and is not stored is forgotten."""
        self.moves, self._waiting_for_dice, self._news = (), False, []
        if not self._events and self._finished:
            last = self._finished.pop()
            self._start, self._events, self.game, self._plays = last.start, list(last.events), last.final, None
        for (game_no, event), at in zip(later.events, later.times, strict=True):
            if game_no > self.game_number:
                self._begin_next()
            if isinstance(event, Action) and event.kind is ActionKind.PLAY and self.game.phase is Phase.PLAY:
                ways = self.game.ways
                forced = self.automatic and _is_only_one(ways)
                self._do(event, automatic=forced, keep=False, at=at, play=ways.play(event.moves))
            else:
                self._do(event, keep=False, at=at)
        self._news = []
        self.dice = TableDice.from_text(self.dice.text, later.drawn)

    def close(self) -> None:
        """Let go of the place where the game is stored."""
        if self._store is not None:
            self._store.close()

    # -- inside -------------------------------------------------------------------------------------------
    def _mine(self) -> None:
        if not self.is_human(self.game.turn):
            assert self.game.turn is not None
            raise IllegalAction(f"it is {self.names[self.game.turn]} who must act now")

    def _throw(self, first: int, second: int) -> None:
        if self.game.phase is Phase.OPENING_ROLL:
            self._do(acts.opening(first, second))
        else:
            self._do(acts.roll(Roll(first, second)))

    def _do(
        self,
        event: Event,
        *,
        automatic: bool = False,
        keep: bool = True,
        at: datetime | None = None,
        play: Play | None = None,
    ) -> None:
        """``play`` is the one that the event makes, where it was found among the legal plays."""
        before = self.game
        after = event.game if isinstance(event, Setup) else before.played(play) if play else before.act(event)
        if self._store is not None and keep:
            assert self.number is not None
            over = after.result is not None and (
                after.score.after(after.result, self.settings).match_winner(self.settings) is not None
            )
            place, drawn, falls = self._stored + 1, self.dice.drawn, self.deadline and partial(self.deadline, after)
            at = self._store.append(self.number, place, self.game_number, event, drawn, over=over, falls=falls)
        self.times.append(at)
        self._stored += 1
        self._events.append(event)
        self.game, self.moves, self._forced, self._waiting_for_dice = after, (), None, False
        self._plays = None
        if isinstance(event, Action):
            self._news.append(happenings.describe(before, event, after, self.names, automatic))
        elif (ruling := happenings.describe_ruling(event, self.names)) is not None:
            self._news.append(ruling)
        if after.result is not None:
            score = self.score.points
            self._news.append(happenings.game_over(after.result, self.settings, score, self.names))
            winner = self.score.match_winner(self.settings)
            if winner is not None:
                self._news.append(happenings.match_over(winner, score, self.names))
        if self.on_change is not None:
            self.on_change(self)

    def _begin_next(self) -> None:
        score = self.score
        self._finished.append(GameRecord(self._start, tuple(self._events)))
        self._start = self.game = Game.new(self.settings, score)
        self._events, self.moves, self._forced, self._bots, self._plays = [], (), None, {}, None
        crawford = ": the Crawford game, no doubling" if score.crawford_game else ""
        data = {"game": self.game_number, "score": list(score.points), "crawford": score.crawford_game}
        self._news.append(Happening("new_game", f"Game {self.game_number}{crawford}", None, data))

    def _told(self) -> list[Happening]:
        news, self._news = self._news, []
        return news

    def _already_played(self, text: str) -> Happening | None:
        before = self._forced
        assert before is not None
        assert before.dice is not None
        variant = self.settings.variant
        play = read_play(text, before.position, before.dice, variant)
        shown = format_play(play)
        return Happening("info", f"{shown} was the only legal play and has been played already", before.turn)

    def _before_typed_dice(self) -> Game | None:
        """The game before dice that a person typed, while their roll is still to be played."""
        last = self._events[-1] if self._events else None
        typed = isinstance(last, Action) and last.kind in (ActionKind.ROLL, ActionKind.OPENING)
        if not (self.dice.manual and typed and self.game.phase is Phase.PLAY):
            return None
        return GameRecord(self._start, tuple(self._events[:-1])).final


def _is_only_one(ways: RollPlays) -> bool:
    """Whether a roll can be played in one way only; to make all plays takes longer."""
    ends: set[State] = set()
    seen, walk = {ways.start}, [ways.start]
    while walk and len(ends) < 2:
        state = walk.pop()
        steps = ways.steps(state)
        if not steps:
            ends.add(state)
        after = [state for _, state in steps if state not in seen]
        seen.update(after)
        walk += after
    return len(ends) == 1
