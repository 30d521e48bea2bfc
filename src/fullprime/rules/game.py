"""One game as a frozen state machine: the actions allowed now, and the game after each.

Dice come in from outside as actions, so that a game can be replayed, resumed and proved. The position is always
seen by the player on roll; while a double is pending that is still the doubler.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fullprime.rules import late_binding
from fullprime.rules.acting import Acting
from fullprime.rules.actions import (
    ACCEPT,
    BEAVER,
    DOUBLE,
    DROP,
    RACCOON,
    REFUSE,
    TAKE,
    Action,
    ActionKind,
    choose,
    opening,
    play,
    resign,
    roll,
)  # fmt: skip
from fullprime.rules.cube import Cube
from fullprime.rules.dice import AnyRoll, Roll
from fullprime.rules.errors import IllegalAction, IllegalPlay, RulesError
from fullprime.rules.message import Message, label
from fullprime.rules.plays import CheckerMove, Play, RollPlays, legal_plays
from fullprime.rules.position import OFF, Position
from fullprime.rules.printing import Word, short_repr
from fullprime.rules.score import LEVEL_NAMES, SINGLE, Player, Result, Score, Settings, to_player
from fullprime.rules.taking import make_plain, short_value, to_kind, whole_number
from fullprime.rules.variants.variant import Backgammon, FollowUp, OpeningDice, Settlement

if TYPE_CHECKING:
    from typing import Unpack

    from fullprime.rules.late_binding import CubeAnswer, CubeDecision, Ranking, Rollout, RolloutKeywords


class Phase(Word):
    """The action for which the game waits."""

    OPENING_ROLL = "opening_roll"
    CUBE_DECISION = "cube_decision"
    """Double or roll."""
    ROLL = "roll"
    """Roll; there is no cube decision."""
    DOUBLE_OFFERED = "double_offered"
    BEAVER_OFFERED = "beaver_offered"
    RACCOON_OFFERED = "raccoon_offered"
    PLAY = "play"
    CHOOSE_DOUBLE = "choose_double"
    RESIGNATION_OFFERED = "resignation_offered"
    OVER = "over"


_WITHOUT_TURN = (Phase.OPENING_ROLL, Phase.OVER)
"""Phases in which neither player decides anything."""
_ANSWERED_BY_OTHER = (Phase.DOUBLE_OFFERED, Phase.RACCOON_OFFERED, Phase.RESIGNATION_OFFERED)
"""Phases in which the opponent of the player on roll answers an offer; a beaver is answered by the player on roll."""


_KINDS: dict[str, type[Any]] = {
    "settings": Settings,
    "score": Score,
    "position": Position,
    "on_roll": Player,
    "phase": Phase,
    "cube": Cube,
    "follow_ups": tuple,
}
_OPTIONAL: dict[str, type[Any]] = {"dice": Roll, "resigned_in": Phase, "result": Result}
"""What the fields of a game hold, and those that may be None."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Game(Acting):
    """A game at one moment; an action gives the next one.

    >>> game = Game.new(Settings(length=7)).opening(4, 1)
    >>> print(game.on_roll, game.phase, len(game.legal_plays))
    X play 14
    >>> print(game.play("24/23 13/9").turn)
    O
    """

    settings: Settings
    score: Score
    position: Position
    on_roll: Player
    phase: Phase
    dice: Roll | None = None
    """The numbers to play now; in Acey Deucey also a named double or a complement."""
    cube: Cube = Cube()  # noqa: RUF009 - frozen
    multiplier: int = 1
    """The stake after automatic doubles, and after acey-deuceys where they double it."""
    ties: int = 0
    """Opening rolls of this game that were ties."""
    follow_ups: tuple[FollowUp, ...] = ()
    """Acey Deucey: the extras that the player still gets when the numbers before them have been played completely."""
    resignation: int | None = None
    """The level offered while a resignation waits for its answer."""
    resigned_in: Phase | None = None
    """The phase to which a refused resignation returns."""
    result: Result | None = None

    def __post_init__(self) -> None:
        # Games are made by the thousand: the types alone are looked at, unless one of them is not the usual one.
        usual = (
            type(self.settings) is Settings
            and type(self.score) is Score
            and type(self.position) is Position
            and type(self.on_roll) is Player
            and type(self.phase) is Phase
            and type(self.cube) is Cube
            and type(self.multiplier) is type(self.ties) is int
            and (self.dice is None or type(self.dice) is Roll)
            and type(self.follow_ups) is tuple
            and not self.follow_ups
            and self.resignation is None
            and self.resigned_in is None
            and self.result is None
        )
        if not usual:
            self._check_fields()

    def _check_fields(self) -> None:
        for name, kind in _KINDS.items():
            to_kind(kind, name, getattr(self, name), RulesError)
        for name, kind in _OPTIONAL.items():
            if getattr(self, name) is not None:
                to_kind(kind, name, getattr(self, name), RulesError)
        for name, least in (("multiplier", 1), ("ties", 0)):
            number = whole_number(getattr(self, name))
            if number is None or number < least:
                raise RulesError(f"{name}: {short_value(getattr(self, name))} is no number from {least} on")
        make_plain(self, "multiplier", "ties")
        if not all(isinstance(follow_up, FollowUp) for follow_up in self.follow_ups):
            raise RulesError(f"follow_ups: {short_value(self.follow_ups)} are no extras of a roll")
        if self.resignation is not None and whole_number(self.resignation) not in LEVEL_NAMES:
            raise RulesError(f"resignation: {short_value(self.resignation)} is no level from 1 to 4")
        make_plain(self, "resignation")

    @classmethod
    def new(cls, settings: Settings | str = Settings(), score: Score | None = None) -> Game:  # noqa: B008 - frozen
        """A game before its opening roll: backgammon for money, a game by its name, or by its settings."""
        if not isinstance(settings, Settings):
            settings = Settings(variant=late_binding.variant_named(settings))
        if score is not None:
            to_kind(Score, "the score", score, RulesError)
        return cls(
            settings=settings,
            score=score if score is not None else Score.start(settings),
            position=settings.variant.starting_position,
            on_roll=Player.X,
            phase=Phase.OPENING_ROLL,
        )

    @classmethod
    def from_id(cls, text: str, settings: Settings | None = None) -> Game:
        """The game that an identifier of any kind describes; ``settings`` fill in the facts that it does not give.

        Raises IdError.

        >>> Game.from_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10").dice
        Roll(3, 1)
        """
        return late_binding.to_game(text, settings)

    def __repr__(self) -> str:
        return short_repr(self)

    def __str__(self) -> str:
        """The board as text."""
        return late_binding.game_board(self)

    def _repr_svg_(self) -> str:
        """The board in a notebook."""
        return late_binding.notebook_picture(self)

    def hint(self, level: str = "2-ply") -> Ranking | CubeDecision | CubeAnswer:
        """The engine's advice: the plays of the roll, the best first, the right cube action, or the answer to a
        beaver or a raccoon that waits.

        Raises IllegalAction when there is nothing to decide.
        """
        return late_binding.hint(self, level=level)

    def rollout(self, **keywords: Unpack[RolloutKeywords]) -> Rollout:
        """The position played out many times; the keywords are those of ``fullprime.rollout``."""
        return late_binding.rollout(self, **keywords)

    # -- reading ------------------------------------------------------------------------------------------
    @property
    def turn(self) -> Player | None:
        """The player who must decide; None for the opening roll and after the end."""
        phase = self.phase
        if phase in _WITHOUT_TURN:
            return None
        return self.on_roll.other if phase in _ANSWERED_BY_OTHER else self.on_roll

    @property
    def is_over(self) -> bool:
        """True when the game has a result."""
        return self.phase is Phase.OVER

    def position_of(self, player: Player) -> Position:
        """The board as that player sees it."""
        player = to_player(player)
        return self.position if player is self.on_roll else self.position.swapped

    @property
    def stake_value(self) -> int:
        """Points of a single game now: the cube and every doubling of the stake."""
        return self.cube.value * self.multiplier

    @property
    def may_double(self) -> bool:
        """True if the player on roll may offer the cube before rolling (dead cubes included: no source forbids it)."""
        return self._may_double(self.on_roll)

    def _may_double(self, player: Player) -> bool:
        return (
            bool(self.settings.cube)
            and self.settings.length != 1
            and not self.score.crawford_game
            and self.cube.owner in (None, player)
            and self._is_within_cap(self.cube.value * 2)
        )

    @property
    def legal_plays(self) -> tuple[Play, ...]:
        """Every legal play of the numbers to play; empty when none are to be played."""
        if self.phase is not Phase.PLAY or self.dice is None:
            return ()
        return legal_plays(self.position, self.dice, self.settings.variant)

    def plays(self, dice: AnyRoll | None = None) -> tuple[Play, ...]:
        """Every legal play of a roll, by default the one to be played; raises IllegalAction where there is none."""
        if dice is not None:
            return legal_plays(self.position, Roll.of(dice), self.settings.variant)
        return self.roll_plays.plays()

    @property
    def roll_plays(self) -> RollPlays:
        """The ways to play the roll checker by checker; raises IllegalAction when there is nothing to play."""
        if self.phase is not Phase.PLAY or self.dice is None:
            raise IllegalAction(Message("there is no roll to play: {waits}", waits=self._waits))
        return RollPlays(self.position, self.dice, self.settings.variant)

    @property
    def resignation_levels(self) -> tuple[int, ...]:
        """The levels of resignation that are worth different points now."""
        if self.settings.variant.settlement is not Settlement.GAMES:
            return (1,)
        if self.settings.jacoby and not self.cube.turned:
            return (1,)
        return (1, 2, 3, 4) if self.settings.backgammon is Backgammon.BAR_FOUR else (1, 2, 3)

    def actions(self) -> tuple[ActionKind, ...]:
        """The kinds of action that are allowed now."""
        kinds = ActionKind
        match self.phase:
            case Phase.OPENING_ROLL:
                return (kinds.OPENING,)
            case Phase.CUBE_DECISION:
                return (kinds.ROLL, kinds.DOUBLE, kinds.RESIGN)
            case Phase.ROLL:
                return (kinds.ROLL, kinds.RESIGN)
            case Phase.PLAY:
                return (kinds.PLAY, kinds.RESIGN)
            case Phase.CHOOSE_DOUBLE:
                return (kinds.CHOOSE, kinds.RESIGN)
            case Phase.DOUBLE_OFFERED:
                return (kinds.TAKE, kinds.DROP, *([kinds.BEAVER] if self._may_raise(self.settings.beavers) else []))
            case Phase.BEAVER_OFFERED:
                return (kinds.TAKE, kinds.DROP, *([kinds.RACCOON] if self._may_raise(self.settings.raccoons) else []))
            case Phase.RACCOON_OFFERED:
                return (kinds.TAKE, kinds.DROP)
            case Phase.RESIGNATION_OFFERED:
                return (kinds.ACCEPT, kinds.REFUSE)
            case Phase.OVER:
                return ()

    # -- acting -------------------------------------------------------------------------------------------
    def act(self, action: Action) -> Game:
        """The game after an action; raises IllegalAction (or IllegalPlay) with the reason and changes nothing."""
        self._check(action)
        match action.kind:
            case ActionKind.OPENING:
                return self._opening(*action.required_dice)
            case ActionKind.ROLL:
                return self._apply_roll(Roll(*action.required_dice))
            case ActionKind.PLAY:
                return self._apply_moves(action.moves)
            case ActionKind.CHOOSE:
                return self._apply_choice(action.number)
            case ActionKind.DOUBLE:
                return replace(self, phase=Phase.DOUBLE_OFFERED, cube=self.cube.double())
            case ActionKind.TAKE:
                return self._apply_take()
            case ActionKind.DROP:
                return self._apply_drop()
            case ActionKind.BEAVER:
                return replace(self, phase=Phase.BEAVER_OFFERED, cube=self.cube.redouble_by(self.on_roll.other))
            case ActionKind.RACCOON:
                return replace(self, phase=Phase.RACCOON_OFFERED, cube=self.cube.redouble_by(self.on_roll.other))
            case ActionKind.RESIGN:
                return self._apply_resignation(action.number)
            case ActionKind.ACCEPT:
                return self._accept_resignation()
            case ActionKind.REFUSE:
                if self.resigned_in is None:
                    raise IllegalAction("refuse: it is not known from which phase the resignation was offered")
                return replace(self, phase=self.resigned_in, resignation=None, resigned_in=None)

    def _check(self, action: object) -> None:
        if not isinstance(action, Action):
            quoted = short_value(action)
            raise IllegalAction(f"{quoted} is no action; game.roll, game.play, game.double … take text too")
        if action.kind not in self.actions():
            raise IllegalAction(self._why_not(action.kind))

    def _opening(self, x_die: int, o_die: int) -> Game:
        settings, variant = self.settings, self.settings.variant
        if x_die == o_die:
            limit = settings.automatic_doubles
            counts = limit is None or self.ties < limit
            return replace(self, ties=self.ties + 1, multiplier=self.multiplier * (2 if counts else 1))
        dice = Roll(x_die, o_die)
        if dice.is_acey_deucey and variant.reroll_opening_acey_deucey:
            return self
        first = Player.X if x_die > o_die else Player.O
        # A board that was set up before the first roll need not look the same to both.
        game = replace(self, position=self.position_of(first), on_roll=first, phase=Phase.ROLL)
        return game if variant.opening_dice is OpeningDice.REROLL else game._apply_roll(dice)

    def _apply_roll(self, dice: Roll) -> Game:
        variant = self.settings.variant
        follow_ups: tuple[FollowUp, ...] = ()
        multiplier = self.multiplier
        if dice.is_acey_deucey:
            follow_ups = variant.after_acey_deucey
            multiplier *= 2 if variant.acey_deucey_doubles_stake else 1
        elif dice.is_double:
            follow_ups = variant.after_double
        return Game(
            settings=self.settings,
            score=self.score,
            position=self.position,
            on_roll=self.on_roll,
            phase=Phase.PLAY,
            dice=dice,
            cube=self.cube,
            multiplier=multiplier,
            ties=self.ties,
            follow_ups=follow_ups,
        )

    def _apply_moves(self, moves: tuple[CheckerMove, ...]) -> Game:
        play = self.roll_plays.play(moves)
        if play is None:
            roll = Message("the roll") if self.dice is None else self.dice.words
            after = " ".join(map(str, moves)) or Message("no move")
            raise IllegalPlay(Message("more of {roll} must be played after {moves}", roll=roll, moves=after))
        return self.apply_play(play)

    def apply_play(self, play: Play) -> Game:
        """The game after one of its :attr:`legal_plays`, which is not checked again: :meth:`act` is for all others."""
        to_kind(Play, "the play", play, IllegalAction)
        after, dice = play.after, self.dice
        if dice is None or not self.follow_ups or len(play.moves) < len(dice.dice) or _is_all_off(after):
            return self.end_turn_at(after)
        stage, follow_ups = self.follow_ups[0], self.follow_ups[1:]
        game = replace(self, position=after, follow_ups=follow_ups)
        match stage:
            case FollowUp.CHOOSE_DOUBLE:
                return replace(game, phase=Phase.CHOOSE_DOUBLE, dice=None)
            case FollowUp.COMPLEMENT:
                return replace(game, phase=Phase.PLAY, dice=Roll(7 - dice.high, 7 - dice.low))
            case FollowUp.ROLL_AGAIN:
                return game._begin_turn(self.on_roll, after)

    def end_turn_at(self, after: Position) -> Game:
        """The game when the player on roll has ended its turn with this board, by a legal play or not.

        The board is still seen by that player. A transcript that holds an illegal play goes on from here.
        """
        to_kind(Position, "the board", after, IllegalAction)
        if _is_all_off(after):
            return self._finish(after)
        return self._begin_turn(self.on_roll.other, after.swapped)

    def _apply_choice(self, number: int | None) -> Game:
        if number is None or not 1 <= number <= 6:
            raise IllegalAction(f"the double to play is one of 1 to 6, not {short_value(number)}")
        return replace(self, phase=Phase.PLAY, dice=Roll(number, number))

    def _begin_turn(self, player: Player, position: Position) -> Game:
        # Only what outlasts a turn goes on. (Written out here and for a roll: ``replace`` takes half as long again, and
        # a reader of files makes two games a play.)
        return Game(
            settings=self.settings,
            score=self.score,
            position=position,
            on_roll=player,
            phase=Phase.CUBE_DECISION if self._may_double(player) else Phase.ROLL,
            cube=self.cube,
            multiplier=self.multiplier,
            ties=self.ties,
        )

    def _apply_take(self) -> Game:
        holder = self.on_roll.other
        return replace(self, phase=Phase.ROLL, cube=self.cube.take_by(holder))

    def _apply_drop(self) -> Game:
        offering = self.on_roll if self.phase in _ANSWERED_BY_OTHER else self.on_roll.other
        result = Result(offering, self.stake_value, self._single, "drop")
        return replace(self, phase=Phase.OVER, result=result, cube=replace(self.cube, offered=None))

    def _apply_resignation(self, level: int | None) -> Game:
        highest = 4 if self.settings.backgammon is Backgammon.BAR_FOUR else 3
        by_checkers = self.settings.variant.settlement is not Settlement.GAMES
        if level is None or not 1 <= level <= (1 if by_checkers else highest):
            if by_checkers:
                title = self.settings.variant.title
                raise IllegalAction(
                    Message("{game} settles by checkers left: resign means just that", game=label(title))
                )
            raise IllegalAction(
                Message(
                    "a resignation is for 1 (single), 2 (gammon) or 3 (backgammon), not {level}",
                    level=short_value(level),
                )
            )
        return replace(self, phase=Phase.RESIGNATION_OFFERED, resignation=level, resigned_in=self.phase)

    def _accept_resignation(self) -> Game:
        level = self.resignation or SINGLE
        if self.settings.variant.settlement is not Settlement.GAMES:
            points = self.settings.checkers_to_pay(self.position.player) * self.multiplier
            return self._end_with(Result(self.on_roll.other, points, None, "resignation"))
        if self.settings.jacoby and not self.cube.turned:
            level = SINGLE
        return self._end_with(Result(self.on_roll.other, level * self.stake_value, level, "resignation"))

    def _finish(self, after: Position) -> Game:
        game = replace(self, position=after)
        if self.settings.variant.settlement is not Settlement.GAMES:
            points = self.settings.checkers_to_pay(after.opponent) * self.multiplier
            return game._end_with(Result(self.on_roll, points, None, "bear-off"))
        level = self.settings.level(after.opponent, self.cube.turned)
        return game._end_with(Result(self.on_roll, level * self.stake_value, level, "bear-off"))

    def _end_with(self, result: Result) -> Game:
        return replace(
            self, phase=Phase.OVER, result=result, dice=None, follow_ups=(), resignation=None, resigned_in=None
        )

    # -- reasons ------------------------------------------------------------------------------------------
    @property
    def _single(self) -> int | None:
        return SINGLE if self.settings.variant.settlement is Settlement.GAMES else None

    def _is_within_cap(self, value: int) -> bool:
        return self.settings.cube_cap is None or value <= self.settings.cube_cap

    def _may_raise(self, allowed: bool) -> bool:
        return allowed and self._is_within_cap((self.cube.offered or self.cube.value) * 2)

    @property
    def _waits(self) -> Message:
        return _WAITING[self.phase]

    def _why_not(self, kind: ActionKind) -> Message:
        if self.is_over:
            return Message("the game is over")
        reason = None
        if kind is ActionKind.DOUBLE:
            reason = self._why_no_double()
        elif kind is ActionKind.BEAVER:
            reason = self._why_no_beaver()
        elif kind is ActionKind.RACCOON:
            reason = self._why_no_raccoon()
        return reason or Message("{action} is not possible now: {waits}", action=kind.value, waits=self._waits)

    def _why_no_double(self) -> Message | None:
        settings = self.settings
        if self.phase is Phase.PLAY:
            return Message("the dice are cast: a double is offered before rolling")
        if self.phase is not Phase.ROLL:
            return None
        if not settings.variant.cube:
            return Message("doubling is not part of {game}", game=label(settings.variant.title))
        if not settings.cube:
            return Message("this game is played without a doubling cube")
        if settings.length == 1:
            return Message("a match to one point is played without the cube")
        if self.score.crawford_game:
            return Message("this is the Crawford game: neither player may double")
        if self.cube.owner is self.on_roll.other:
            owner = self.on_roll.other.name
            return Message("the cube belongs to {side}: only its owner may redouble", side=owner)
        if not self._is_within_cap(self.cube.value * 2):
            return Message("the cube's limit is {limit}", limit=settings.cube_cap)
        return Message("the cube has just been answered, or this is the first throw of the game")

    def _why_no_beaver(self) -> Message:
        if self.settings.is_match:
            return Message("beavers are for money play, not for a match")
        if not self.settings.beavers:
            return Message("beavers are not played in this session")
        if self.phase is Phase.DOUBLE_OFFERED:
            return Message("the cube's limit is {limit}", limit=self.settings.cube_cap)
        return Message("beavers answer a double at once, before the dice are thrown; now {waits}", waits=self._waits)

    def _why_no_raccoon(self) -> Message:
        if self.settings.is_match:
            return Message("raccoons are for money play, not for a match")
        if not self.settings.raccoons:
            return Message("raccoons are not played in this session")
        if self.phase is Phase.BEAVER_OFFERED:
            return Message("the cube's limit is {limit}", limit=self.settings.cube_cap)
        return Message("raccoons answer a beaver at once, before the dice are thrown; now {waits}", waits=self._waits)


def _is_all_off(board: Position) -> bool:
    return board.player[OFF] == board.checkers


_WAITING = {
    Phase.OPENING_ROLL: Message("the opening roll has not been thrown"),
    Phase.CUBE_DECISION: Message("the player on roll doubles or rolls"),
    Phase.ROLL: Message("the player on roll must roll"),
    Phase.DOUBLE_OFFERED: Message("a double waits for its answer"),
    Phase.BEAVER_OFFERED: Message("a beaver waits for its answer"),
    Phase.RACCOON_OFFERED: Message("a raccoon waits for its answer"),
    Phase.PLAY: Message("the roll must be played"),
    Phase.CHOOSE_DOUBLE: Message("a double from 1 to 6 must be chosen"),
    Phase.RESIGNATION_OFFERED: Message("a resignation waits for its answer"),
    Phase.OVER: Message("the game is over"),
}


__all__ = [
    "ACCEPT", "BEAVER", "DOUBLE", "DROP", "RACCOON", "REFUSE", "TAKE", "Action", "ActionKind", "Game", "Phase",
    "choose", "opening", "play", "resign", "roll",
]  # fmt: skip
