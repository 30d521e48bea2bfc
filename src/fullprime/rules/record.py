"""Records: games and matches as facts. No engine, no opinion.

A record keeps actions; the boards between them follow by replay. A fact that no rule produces, such as an
illegal play in a transcribed match, is kept as a ``Setup`` between the actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, cast

from fullprime.rules import late_binding
from fullprime.rules.acting import Acting
from fullprime.rules.actions import ActionKind
from fullprime.rules.errors import RulesError
from fullprime.rules.frozen_mapping import FrozenMapping
from fullprime.rules.game import Action, Game
from fullprime.rules.plays import RollPlays
from fullprime.rules.printing import short_repr
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.taking import is_tuple_of, short_value, to_kind, whole_number
from fullprime.rules.words import format_score

if TYPE_CHECKING:
    from fullprime.rules.late_binding import Review


@dataclass(frozen=True, slots=True, repr=False)
class Setup:
    """The board was set to something else than the rules lead to: the whole game at that moment, and why."""

    game: Game
    note: str = ""

    def __post_init__(self) -> None:
        to_kind(Game, "what is set up", self.game, RulesError)
        to_kind(str, "the note", self.note, RulesError)

    def __repr__(self) -> str:
        return short_repr(self)


Event = Action | Setup


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of a game: the game before it, the event, the game after it, and the player who acted."""

    before: Game
    event: Event
    after: Game
    move: int
    """The number of the move in its game, from 1. A roll belongs to its play, a double and its answer to the play after
    them.
    """

    @property
    def ends_a_move(self) -> bool:
        """True for a play, also for one that was kept as it was written, against the rules."""
        if isinstance(self.event, Setup):
            return self.before.dice is not None and self.after.dice is None
        return self.event.kind is ActionKind.PLAY

    @property
    def player(self) -> Player | None:
        """The player who acted; None for the opening roll and for a set-up."""
        return None if isinstance(self.event, Setup) else self.before.turn


@dataclass(frozen=True, slots=True, repr=False)
class GameRecord:
    """One game: its start and all its events.

    ``stated`` is the result that a file states when it does not follow from the actions (a settlement, a clock).
    """

    start: Game
    events: tuple[Event, ...] = ()
    stated: Result | None = None
    comments: Mapping[int, str] = field(default_factory=FrozenMapping)
    """Remarks by number of the event they follow; -1 for the game as a whole."""

    def __post_init__(self) -> None:
        to_kind(Game, "the start of a record", self.start, RulesError)
        if not is_tuple_of((Action, Setup), self.events):
            raise RulesError(f"the events of a record are actions and set-ups, not {short_value(self.events)}")
        if self.stated is not None:
            to_kind(Result, "the stated result", self.stated, RulesError)
        to_kind(Mapping, "the comments", self.comments, RulesError)
        if not (is_tuple_of(int, tuple(self.comments)) and is_tuple_of(str, tuple(self.comments.values()))):
            raise RulesError(f"comments are texts by the number of an event, not {short_value(self.comments)}")
        object.__setattr__(self, "comments", FrozenMapping(self.comments))

    def __repr__(self) -> str:
        return short_repr(self)

    def __str__(self) -> str:
        """The game as a score sheet: rolls and plays of both sides, two columns."""
        return late_binding.game_text(self)

    def _repr_html_(self) -> str:
        """The score sheet in a notebook."""
        return f"<pre>{escape(str(self))}</pre>"

    def entries(self) -> Iterator[Entry]:
        """Replay the game step by step; raises RulesError with the move in which an event cannot have happened."""
        game, move = self.start, 1
        for event in self.events:
            try:
                after = event.game if isinstance(event, Setup) else game.act(event)
            except RulesError as error:
                raise RulesError(f"move {move}: {error}") from error
            entry = Entry(game, event, after, move)
            yield entry
            move += entry.ends_a_move
            game = after

    @property
    def moves(self) -> tuple[int, ...]:
        """The number of the move to which each event belongs; see :class:`Entry`."""
        return tuple(entry.move for entry in self.entries())

    @property
    def final(self) -> Game:
        """The game after its last event."""
        game = self.start
        for entry in self.entries():
            game = entry.after
        return game

    @property
    def result(self) -> Result | None:
        """The result of the game, or None while it goes on."""
        return self.stated or self.final.result

    def with_event(self, event: Event) -> GameRecord:
        """The record with one more event, which is not checked: :meth:`entries` raises for an impossible one."""
        return replace(self, events=(*self.events, event))


@dataclass(frozen=True, slots=True, repr=False)
class Match(Acting):
    """A match or a money session: names, settings, games, and everything else known about it.

    ``info`` holds other facts under the names of the match text format: ``Event``, ``Site``, ``EventDate`` ….
    """

    settings: Settings
    names: tuple[str, str] = ("X", "O")
    """X's name and O's name."""
    games: tuple[GameRecord, ...] = ()
    info: Mapping[str, str] = field(default_factory=FrozenMapping)

    def __post_init__(self) -> None:
        to_kind(Settings, "the settings", self.settings, RulesError)
        if not is_tuple_of(str, self.names, 2):
            raise RulesError(
                f"the names of a match are two texts, such as ('Ann', 'Bob'), not {short_value(self.names)}"
            )
        if not is_tuple_of(GameRecord, self.games):
            raise RulesError(f"the games of a match are records of games, not {short_value(self.games)}")
        to_kind(Mapping, "the facts of a match", self.info, RulesError)
        if not is_tuple_of(str, (*self.info, *self.info.values())):
            raise RulesError(f"the facts of a match are texts by their names, not {short_value(self.info)}")
        object.__setattr__(self, "info", FrozenMapping(self.info))

    @classmethod
    def new(cls, settings: Settings | str | int = Settings(), names: tuple[str, str] = ("X", "O")) -> Match:  # noqa: B008
        """A match with its first game begun: by its settings, a game for money by its name, or the length in points.

        >>> match = Match.new(7).opening(3, 1).play("8/5 6/5")
        >>> match.game.turn
        Player.O
        """
        if whole_number(settings) is not None:
            settings = Settings(length=whole_number(settings) or 0)
        elif not isinstance(settings, Settings):
            settings = Settings(variant=late_binding.variant_named(cast("str", settings)))
        return cls(settings, names).next_game()

    def __repr__(self) -> str:
        return short_repr(self)

    def __str__(self) -> str:
        """The match as a score sheet: the settings, every game, and the score."""
        return late_binding.match_text(self)

    def _repr_html_(self) -> str:
        """The score sheet in a notebook."""
        return f"<pre>{escape(str(self))}</pre>"

    def review(self, level: str = "standard", *, threads: int = 1, keep: bool = True) -> Review:
        """The engine's review of every decision; the options are those of ``fullprime.review``.

        Raises ReviewLevelError, ReviewError.
        """
        return late_binding.review_match(self, level, threads=threads, keep=keep)

    @property
    def score(self) -> Score:
        """The score after the last finished game."""
        if not self.games:
            return Score.start(self.settings)
        last = self.games[-1]
        result = last.result
        return last.start.score.after(result, self.settings) if result else last.start.score

    @property
    def score_sheet(self) -> tuple[tuple[int, Result, tuple[int, int]], ...]:
        """The score card that players keep: (game number, result, score after it) for each finished game."""
        finished = [(number, game, game.result) for number, game in enumerate(self.games, 1)]
        return tuple(
            (number, result, game.start.score.after(result, self.settings).points)
            for number, game, result in finished
            if result is not None
        )

    @property
    def is_over(self) -> bool:
        """True when a match has been won; a money session never ends by itself."""
        return self.score.match_winner(self.settings) is not None

    def next_game(self) -> Match:
        """The match with a new game begun; raises RulesError when one is in play or the match is over."""
        if self.games and self.games[-1].result is None:
            raise RulesError("the game in play has no result yet")
        score = self.score
        if score.match_winner(self.settings) is not None:
            raise RulesError(f"the match is over at {format_score(score.points)}")
        return replace(self, games=(*self.games, GameRecord(Game.new(self.settings, score))))

    @property
    def game(self) -> Game:
        """The game in play, or the last one; raises RulesError when no game has begun."""
        if not self.games:
            raise RulesError("no game has begun")
        return self.games[-1].final

    def with_event(self, event: Event) -> Match:
        """The match with one more event in its last game; raises RulesError when that event is not allowed."""
        if not self.games:
            raise RulesError("no game has begun")
        record = self.games[-1]
        if not isinstance(event, Setup):
            record.final.act(event)
        return replace(self, games=(*self.games[:-1], record.with_event(event)))

    def act(self, action: Action) -> Match:
        """The match with one more action in its last game; a game that is over is followed by the next one.

        Raises IllegalAction with the reason.
        """
        match = self.next_game() if self.games and self.games[-1].result is not None else self
        return match.with_event(action)

    @property
    def roll_plays(self) -> RollPlays:
        """The ways to play the roll on the board; raises IllegalAction when there is none to play."""
        return self.game.roll_plays
