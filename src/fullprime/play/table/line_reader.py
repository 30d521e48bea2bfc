"""Read the lines that players type: commands, questions, and the parts of a play that is entered by hand. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from fullprime.messages import Message
from fullprime.play.checks import game_of
from fullprime.play.commands import (
    Act,
    AnswerResignation,
    BeginNextGame,
    OfferResignation,
    SessionCommand,
    TakeBack,
    ThrowDice,
    WithdrawRoll,
)
from fullprime.play.session import GameSession
from fullprime.play.table.board import PlaysByText
from fullprime.play.table.entering import complete_moves, format_moves, no_roll
from fullprime.play.table.event_texts import info_event
from fullprime.play.table.table_events import Event, StepEvent, UndoEvent
from fullprime.play.table.words import WORDS, read_words
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction, NotationError, RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import CheckerMove, RollState

ACTIONS: Final = {
    "double": acts.DOUBLE, "take": acts.TAKE, "drop": acts.DROP, "beaver": acts.BEAVER, "raccoon": acts.RACCOON,
}  # fmt: skip
"""Words that are one action each, with nothing after them."""
_PAIRS = re.compile(r"^\d+(\s+\d+)+$")
_LEVELS = {
    **dict.fromkeys(("n", "normal", "s", "single", "1", "game"), 1),
    **dict.fromkeys(("g", "gammon", "2"), 2),
    **dict.fromkeys(("b", "backgammon", "3"), 3),
    **dict.fromkeys(("4", "bar", "quadruple"), 4),
}


@dataclass(frozen=True, slots=True)
class LineMeaning:
    """What a line means. Without a command nothing in the session changes."""

    command: SessionCommand | None = None
    events: tuple[Event, ...] = ()
    """The answer where there is no command."""
    moves: tuple[CheckerMove, ...] = ()
    """The checker moves of a play that is not complete, or not confirmed."""
    question: str | None = None
    """The word of a question, not answered yet because the engine may have to think about it."""


@dataclass(frozen=True, slots=True)
class LineReader:
    """Reads the lines of one person, who may enter a play checker by checker."""

    session: GameSession
    """The session, which has begun."""
    moves: tuple[CheckerMove, ...] = ()
    """The checker moves that are made of a play already."""
    plays: PlaysByText | None = None
    """The plays of the roll on the board, where they are at hand."""
    confirms: bool = True
    """True where a play that is entered checker by checker waits for ``done``."""
    takes_back: bool = False
    """True where ``undo`` takes back confirmed decisions too, because no opponent could object."""

    @property
    def game(self) -> Game:
        """The game on the board."""
        return game_of(self.session)

    @property
    def state(self) -> RollState:
        """The board and the dice after the moves made so far; raises IllegalAction where nothing is to play."""
        return _state_after(self.game, self.moves)

    def read(self, word: str, rest: str) -> LineMeaning:
        """The meaning of a word that is no question, and of the rest of its line.

        Raises a FullprimeError with the reason for a line that means nothing or breaks a rule.
        """
        check_rest(word, rest)
        match word:
            case "roll":
                return LineMeaning(self._read_throw(rest))
            case "resign":
                return LineMeaning(OfferResignation(resignation_level(rest)))
            case "accept" | "refuse":
                return LineMeaning(AnswerResignation(word == "accept"))
            case "move":
                return self._read_move(_to_moves(rest))
            case "step":
                return self._read_step(rest)
            case "done":
                return self._read_done()
            case "undo":
                return self._read_undo()
            case "choose":
                return LineMeaning(_read_choice(rest))
            case "next":
                return LineMeaning(BeginNextGame())
        return LineMeaning(Act(ACTIONS[word]))

    def describe(self, text: str) -> str:
        """What a line means, in one form, without doing it.

        A complete play is given as a whole, with the moves of it that are made already, also for ``done``; the
        beginning of a play follows the word ``step``. Other lines are the word of their command and the rest of the
        line. Raises as :meth:`read`.
        """
        word, rest = read_words(self.session, text)
        check_rest(word, rest)
        game, moves = self.game, format_moves(self.moves)
        if game.phase is Phase.PLAY and game.dice is not None and word in ("move", "step", "done"):
            rest = _to_moves(rest)
            candidates = (f"{moves} {rest}".strip(), rest) if rest else (moves,) if word == "done" else ()
            for line in filter(None, candidates):
                with suppress(RulesError):
                    return format_play(read_play(line, game.position, game.dice, game.settings.variant))
            word = "step" if word == "move" and rest and self.confirms else word
        if word == "resign":
            return f"resign {resignation_level(rest)}"
        return f"{word} {rest}".strip()

    # -- plays --------------------------------------------------------------------------------------------
    def _read_move(self, text: str) -> LineMeaning:
        if not self.confirms:
            return self._read_play(text)
        # A person may enter a play in parts: what can be continued is a beginning, not a mistake.
        first, second = (self._read_step, self._read_play) if self.moves else (self._read_play, self._read_step)
        try:
            return first(text)
        except RulesError as error:
            try:
                return second(text)
            except RulesError:
                raise error from None

    def _read_play(self, text: str) -> LineMeaning:
        """A whole play; moves of it that are made already may be left out or repeated."""
        game, dice, variant = self.game, self.game.dice, self.game.settings.variant
        if game.phase is not Phase.PLAY or dice is None:
            if self.session.before_forced_play is not None:
                return LineMeaning(events=(_find_already_played(text, self.session.before_forced_play),))
            game.act(Action(ActionKind.PLAY))  # raises with the reason
            raise no_roll(text)
        if not self.moves:
            legal = (self.plays or PlaysByText(game)).find(text)
            return LineMeaning(Act(acts.play(legal or read_play(text, game.position, dice, variant)), legal))
        try:
            play = read_play(f"{format_moves(self.moves)} {text}", game.position, dice, variant)
        except RulesError:
            play = read_play(text, game.position, dice, variant)
        return LineMeaning(Act(acts.play(play)))

    def _read_step(self, text: str) -> LineMeaning:
        """Some checker moves of a play; when they complete it, it is played (or waits for confirmation)."""
        game = self.game
        moves = complete_moves(game, self.moves, text)
        state = _state_after(game, moves)
        left = "".join(map(str, state.dice))
        complete = not game.roll_plays.steps(state)
        if complete and not self.confirms:
            return LineMeaning(Act(acts.play(moves)))
        words: str = f"{format_play(moves)} ... "
        if complete:
            words = Message("{play} ... type done, or undo", play=format_play(moves))
        elif left:
            words = Message("{play} ... {left} left to play", play=format_play(moves), left=left)
        written_moves = tuple(map(str, moves))
        step = StepEvent(player=game.turn, text=words, moves=written_moves, left=state.dice, complete=complete)
        return LineMeaning(events=(step,), moves=moves)

    def _read_done(self) -> LineMeaning:
        if not self.moves:
            raise IllegalAction(Message("there is no play to confirm"))
        return LineMeaning(Act(acts.play(self.moves)))

    def _read_undo(self) -> LineMeaning:
        """Take back the last checker move of an unfinished play, dice that were typed wrongly, or a decision."""
        if not self.moves:
            return LineMeaning(TakeBack() if self.takes_back and not self.session.has_typed_roll else WithdrawRoll())
        moves = self.moves[:-1]
        text = Message("Taken back: nothing played yet")
        if moves:
            text = Message("Taken back: {play} ...", play=format_play(moves))
        undone = UndoEvent(player=self.session.turn, text=text, moves=tuple(map(str, moves)))
        return LineMeaning(events=(undone,), moves=moves)

    # -- other commands -----------------------------------------------------------------------------------
    def _read_throw(self, rest: str) -> SessionCommand:
        if not rest:
            return BeginNextGame() if self.game.is_over else ThrowDice()
        Roll.from_text(rest.replace("[", "(").replace("]", ")"))
        dice = [int(character) for character in rest if character.isdigit()]
        return ThrowDice((dice[0], dice[1]))


def read_typed_moves(session: GameSession, texts: Sequence[str]) -> tuple[CheckerMove, ...]:
    """The checker moves that a person has made of a play, from their texts.

    Raises NotationError, IllegalPlay with the rule they break, IllegalAction where there is no roll to play.
    """
    moves: tuple[CheckerMove, ...] = ()
    for text in texts:
        moves = complete_moves(game_of(session), moves, text)
    return moves


def check_rest(word: str, rest: str) -> None:
    """Raise NotationError where more follows a word that stands alone."""
    if rest and not WORDS[word].takes_more:
        raise NotationError(Message("{word} stands alone: {rest} has no meaning after it", word=word, rest=repr(rest)))


def resignation_level(rest: str) -> int:
    """The level that follows the word ``resign``, by default a single game; raises NotationError."""
    level = _LEVELS.get(rest.lower() or "n")
    if level is None:
        raise NotationError(
            Message("resign {rest}: resign n (single game), g (gammon) or b (backgammon)", rest=repr(rest))
        )
    return level


def _state_after(game: Game, moves: Sequence[CheckerMove]) -> RollState:
    ways = game.roll_plays
    state = ways.start
    for move in moves:
        state = ways.step(state, move)
    return state


def _to_moves(rest: str) -> str:
    """A play given as pairs of points in the usual notation; any other text as it is."""
    if not _PAIRS.match(rest):
        return rest
    numbers = rest.split()
    if len(numbers) % 2:
        raise NotationError(Message("{rest}: the points of a play come in pairs, from and to", rest=repr(rest)))
    return " ".join(f"{source}/{target}" for source, target in zip(numbers[::2], numbers[1::2], strict=True))


def _read_choice(rest: str) -> SessionCommand:
    number = rest.strip("sS ")
    if not (number.isascii() and number.isdigit() and len(number) <= 2 and len(set(number)) == 1):
        raise NotationError(Message("choose {rest}: name a double from 1 to 6, for example choose 5", rest=repr(rest)))
    return Act(acts.choose(int(number[0])))


def _find_already_played(text: str, before: Game) -> Event:
    if before.dice is None:
        raise IllegalAction(Message("there was no roll to play as {text}", text=repr(text)))
    play = format_play(read_play(text, before.position, before.dice, before.settings.variant))
    return info_event(Message("{play} was the only legal play and has been played already", play=play), before.turn)
