"""One game as a file tells it, followed on two rows of counts: who rolled, played, doubled, and what that led to."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from fullprime.formats.document import Problem
from fullprime.formats.recording import walk
from fullprime.rules.dice import Roll
from fullprime.rules.game import (
    ACCEPT,
    BEAVER,
    DOUBLE,
    DROP,
    RACCOON,
    REFUSE,
    TAKE,
    Action,
    ActionKind,
    Game,
    Phase,
    opening,
    resign,
    roll,
)
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import BAR, OFF, Position
from fullprime.rules.record import Event, Setup
from fullprime.rules.score import LEVEL_NAMES, Player, Result, Score, Settings

BEFORE_ROLL = (Phase.CUBE_DECISION, Phase.ROLL)
OFFERED = (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED)

_ROLLS = {(a, b): roll(Roll(a, b)) for a in range(1, 7) for b in range(1, 7)}
_OPENINGS = {(a, b): opening(a, b) for a in range(1, 7) for b in range(1, 7)}


@lru_cache(maxsize=1 << 14)
def _play_action(moves: tuple[CheckerMove, ...]) -> Action:
    return Action(ActionKind.PLAY, moves=moves)


class GameRecorder:
    """The game in hand. ``problems`` collects what was wrong with it."""

    start: Game
    events: list[Event]
    comments: dict[int, str]
    stated: Result | None

    def __init__(self, settings: Settings, problems: list[Problem] | None = None) -> None:
        self.settings = settings
        self.problems: list[Problem] = [] if problems is None else problems
        self.number = 1
        """Of the game in the match."""
        self.score = Score()
        self.illegal = 0
        """How many plays the rules do not allow."""
        self.crawford_doubled = False
        """Somebody doubled in what would be the Crawford game."""

    def _load(self, game: Game) -> None:
        mine, theirs = list(game.position.player), list(game.position.opponent)
        self.rows = [mine, theirs] if game.on_roll is Player.X else [theirs, mine]
        self.on_roll = game.on_roll
        self.phase = game.phase
        self.dice = game.dice
        self.cube = game.cube
        self.multiplier = game.multiplier
        self.ties = game.ties
        self.result = game.result

    # -- what happens ---------------------------------------------------------------------------------------
    @property
    def last(self) -> int:
        """Number of the last event of the game in hand; -1 before the first."""
        return len(self.events) - 1

    def roll(self, player: Player, first: int, second: int, line: int | None = None) -> bool:
        """The player threw these dice; False when the game was already over."""
        if self.phase is Phase.PLAY:
            self.close_roll(line)
        if self.phase in OFFERED:
            self._implied_answer(player, line)
        phase = self.phase
        if phase is Phase.OVER:
            self.report(f"{player.name} rolls {first}{second} after the end of the game", line)
            return False
        if phase is Phase.OPENING_ROLL:
            if first != second:
                high, low = (first, second) if first > second else (second, first)
                self.events.append(_OPENINGS[(high, low) if player is Player.X else (low, high)])
                self.on_roll, self.dice, self.phase = player, Roll(high, low), Phase.PLAY
                return True
            self._set_up(player, Phase.ROLL, f"the first roll of the game is {first}{second}", line)
        elif player is not self.on_roll:
            self._set_up(player, Phase.ROLL, f"{player.name} rolls out of turn", line)
        self.events.append(_ROLLS[first, second])
        self.dice, self.phase = Roll(first, second), Phase.PLAY
        return True

    def play(
        self, player: Player, text: str, line: int | None = None, hops: tuple[walk.Hop, ...] | None = None
    ) -> None:
        """The player moved as the text says (or as ``hops`` say); an empty play is a dance."""
        if self.phase is not Phase.PLAY or player is not self.on_roll or self.dice is None:
            self.report(f"{player.name} plays {text!r:.60} without a roll", line)
            return
        if hops is None:
            hops = walk.hops(text)
            if hops is None:
                hops, strange = walk.salvage(text)
                self.report(f"{' '.join(strange)!r:.60} is no play", line)
        own, other = self.rows[player], self.rows[1 - player]
        marked = "*" in text
        made = walk.resolve(own, other, hops, self.dice.high, self.dice.low, marked)
        if made is None:
            self._illegal(hops, text, line)
            return
        if marked and not any(move.hit for move in made[2]):
            self.report(f"{text!r:.60} marks a hit, but no blot is hit", line)
        self._played(made)

    def make(self, made: walk.Played) -> None:
        """The player on roll made this play, which is known to be legal."""
        self._played(made)

    def turned_play(self, player: Player, text: str, line: int | None = None) -> None:
        """As ``play``, for files that count one side's points upwards."""
        hops = walk.hops(text)
        if hops is None:
            hops, strange = walk.salvage(text)
            self.report(f"{' '.join(strange)!r:.60} is no play", line)
        self.play(player, text.replace("*", ""), line, walk.downhill(hops))

    def pass_turn(self, player: Player, note: str) -> None:
        """The player did not even roll: its checkers on the bar were shut out."""
        if self.phase in BEFORE_ROLL and player is self.on_roll:
            self._begin_turn(player.other)
            self.events.append(Setup(self.game(), note))

    def dance(self, player: Player, line: int | None = None) -> None:
        """The player said that the roll cannot be played."""
        self.play(player, "", line, ())

    def double(self, player: Player, value: int | None = None, line: int | None = None) -> bool:
        """The player offered the cube, at this value when the file says so."""
        if self.phase is Phase.PLAY:
            self.close_roll(line)
        if self.phase in OFFERED and player is not self.answerer:
            self._implied_answer(player, line)
        if self.phase is Phase.OVER:
            self.report(f"{player.name} doubles after the end of the game", line)
            return False
        if self.phase is not Phase.CUBE_DECISION or player is not self.on_roll:
            self.crawford_doubled |= self.score.crawford_game
            self._set_up(player, Phase.CUBE_DECISION, f"{player.name} doubles although the rules do not allow it", line)
        offered = self.cube.value * 2 * self.multiplier
        if value is not None and value != offered:
            self.report(f"the cube is offered at {value}; {offered} follows", line)
            if value >= 2 and not value & (value - 1):
                self.cube = replace(self.cube, value=max(1, value // 2 // self.multiplier))
                self.events.append(Setup(self.game(), f"the cube is offered at {value}"))
        self.events.append(DOUBLE)
        self.cube, self.phase = self.cube.double(), Phase.DOUBLE_OFFERED
        return True

    def beaver(self, player: Player, line: int | None = None) -> None:
        """The player answered a double with a beaver, or a beaver with a raccoon."""
        if self.phase not in (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED) or player is not self.answerer:
            self.report(f"{player.name} redoubles at once, but there was no offer to answer", line)
            return
        raccoon = self.phase is Phase.BEAVER_OFFERED
        after = Phase.RACCOON_OFFERED if raccoon else Phase.BEAVER_OFFERED
        cube = self.cube.redouble_by(self.on_roll.other)
        if self.settings.raccoons if raccoon else self.settings.beavers:
            self.events.append(RACCOON if raccoon else BEAVER)
            self.cube, self.phase = cube, after
        else:
            self.cube = cube
            self._set_up(self.on_roll, after, "a beaver or raccoon although they are not played here", line)

    def take(self, player: Player, line: int | None = None) -> None:
        """The player accepted the cube."""
        if self.phase not in OFFERED:
            self.report(f"{player.name} takes, but no cube was offered", line)
            return
        if player is not self.answerer:
            self.report(f"{player.name} takes the cube that {player.name} offered", line)
        self.events.append(TAKE)
        self.cube, self.phase = self.cube.taken_by(self.on_roll.other), Phase.ROLL

    def drop(self, player: Player, line: int | None = None) -> None:
        """The player declined the cube; the game is over."""
        if self.phase not in OFFERED:
            self.report(f"{player.name} drops, but no cube was offered", line)
            return
        if player is not self.answerer:
            self.report(f"{player.name} drops the cube that {player.name} offered", line)
        answerer = self.answerer
        self.events.append(DROP)
        single = 1
        self._over(Result(answerer.other, self.stake, single, "drop"))
        self.cube = replace(self.cube, offered=None)

    def resign(self, player: Player, level: int, accepted: bool) -> None:
        """The player offered to lose a single game, a gammon or a backgammon, and the other accepted or refused."""
        if self.phase in (*BEFORE_ROLL, Phase.PLAY) and player is self.on_roll and 1 <= level <= 3:
            self.events.append(resign(level))
            self.events.append(ACCEPT if accepted else REFUSE)
            if accepted:
                counted = 1 if self.settings.jacoby and not self.cube.turned else level
                self._over(Result(player.other, counted * self.stake, counted, "resignation"))
        elif accepted and self.phase is not Phase.OVER:
            self.stated = Result(player.other, level * self.stake, level, "resignation")
            self.phase = Phase.OVER
        else:
            self.comment(f"{player.name} resigns a {LEVEL_NAMES.get(level, 'game')}; it is refused")

    def comment(self, words: str) -> None:
        """A remark about the last event, or about the game when nothing has happened yet."""
        if words:
            before = self.comments.get(self.last)
            self.comments[self.last] = f"{before}\n{words}" if before else words

    def report(self, words: str, line: int | None = None) -> None:
        """Add to the list of problems."""
        self.problems.append(Problem(words if line is not None else f"game {self.number}: {words}", line))

    def begin_at(self, game: Game) -> None:
        """The game in hand begins with this position."""
        self.start = game
        self._load(game)

    def set_dice(self, first: int, second: int) -> None:
        """The game in hand begins with this roll to play."""
        self.start = replace(self.start, phase=Phase.PLAY, dice=Roll(first, second))
        self._load(self.start)

    def set_up(self, game: Game, note: str) -> None:
        """The file sets the board (a fact of the file, not a problem)."""
        self.events.append(Setup(game, note))
        self._load(game)

    # -- the state ------------------------------------------------------------------------------------------
    @property
    def stake(self) -> int:
        """Points of a single game now."""
        return self.cube.value * self.multiplier

    @property
    def answerer(self) -> Player:
        """Who answers the cube that is offered."""
        return self.on_roll if self.phase is Phase.BEAVER_OFFERED else self.on_roll.other

    def game(self) -> Game:
        """The game as it stands."""
        mine, theirs = self.rows[self.on_roll], self.rows[1 - self.on_roll]
        return Game(
            settings=self.settings,
            score=self.score,
            position=Position(tuple(mine), tuple(theirs)),
            on_roll=self.on_roll,
            phase=self.phase,
            dice=self.dice if self.phase is Phase.PLAY else None,
            cube=self.cube,
            multiplier=self.multiplier,
            ties=self.ties,
            result=self.result,
        )

    @property
    def may_double(self) -> bool:
        """Whether the player on roll may offer the cube before rolling (as ``Game.may_double``)."""
        settings, cube = self.settings, self.cube
        return (
            bool(settings.cube)
            and settings.length != 1
            and not self.score.crawford_game
            and cube.owner in (None, self.on_roll)
            and (settings.cube_cap is None or cube.value * 2 <= settings.cube_cap)
        )

    def set_rows(self, rows: tuple[list[int], list[int]] | None, note: str, line: int | None = None) -> None:
        """The player on roll left the board like this (X's row, O's row) by a play that is not legal."""
        if rows is None or self.phase is not Phase.PLAY:
            self.report(f"{note}: the board cannot be read", line)
            return
        self.report(note, line)
        self.rows = [rows[0], rows[1]]
        self._after_turn(self.rows[self.on_roll], self.rows[1 - self.on_roll])
        self.events.append(Setup(self.game(), note))

    def _set_up(self, player: Player, phase: Phase, note: str, line: int | None) -> None:
        self.report(note, line)
        self.on_roll, self.phase, self.dice = player, phase, None
        self.events.append(Setup(self.game(), note))

    def _begin_turn(self, player: Player) -> None:
        self.on_roll, self.dice = player, None
        self.phase = Phase.CUBE_DECISION if self.may_double else Phase.ROLL

    def _played(self, made: walk.Played) -> None:
        player = self.on_roll
        own, other, moves = made
        self.events.append(_play_action(moves))
        self.rows[player], self.rows[1 - player] = own, other
        self._after_turn(own, other)

    def _after_turn(self, own: list[int], other: list[int]) -> None:
        if own[OFF] == sum(own):
            level = self.settings.level(tuple(other), self.cube.turned)
            self._over(Result(self.on_roll, level * self.stake, level, "bear-off"))
        else:
            self._begin_turn(self.on_roll.other)

    def _illegal(self, hops: tuple[walk.Hop, ...], text: str, line: int | None) -> None:
        player, dice = self.on_roll, self.dice
        self.illegal += 1
        own, other, left_out = walk.force(self.rows[player], self.rows[1 - player], hops)
        self.rows[player], self.rows[1 - player] = own, other
        words = f"{dice}: {text.strip()[:60] or 'nothing played'} is illegal"
        if left_out:
            words += f"; {' '.join(f'{a}/{b}' for a, b in left_out)} cannot be made at all"
        self._after_turn(own, other)
        self.report(words, line)
        self.events.append(Setup(self.game(), words))

    def tie(self, die: int) -> None:
        """Both players threw the same die before the first move."""
        if self.phase is not Phase.OPENING_ROLL:
            self.report(f"an opening roll of {die}{die} in the middle of a game is left out")
            return
        self.events.append(_OPENINGS[die, die])
        limit = self.settings.automatic_doubles
        self.multiplier *= 2 if limit is None or self.ties < limit else 1
        self.ties += 1

    def stake_doubled(self) -> None:
        """An automatic double before the first roll."""
        if self.last < 0 and self.phase is Phase.OPENING_ROLL:
            self.multiplier *= 2
            self.start = replace(self.start, multiplier=self.multiplier)
        else:
            self.report("an automatic double in the middle of a game is left out")

    def close_roll(self, line: int | None) -> None:
        """The dice were thrown and nothing was written: a dance, a forced play, or a play left out."""
        assert self.dice is not None
        own, other = self.rows[self.on_roll], self.rows[1 - self.on_roll]
        if own[BAR] and other[self.dice.high] > 1 and other[self.dice.low] > 1:
            self._played((own, other, ()))
            return
        _, plays = walk.search(own, other, self.dice.high, self.dice.low)
        if len(plays) == 1:
            self._played(plays[0])
        else:
            self._illegal((), "", line)

    def _must_choose(self) -> bool:
        assert self.dice is not None
        own, other = self.rows[self.on_roll], self.rows[1 - self.on_roll]
        return len(walk.search(own, other, self.dice.high, self.dice.low)[1]) > 1

    def _implied_answer(self, player: Player, line: int | None) -> None:
        """A roll although the cube was not answered: it has been accepted."""
        if self.phase is Phase.DOUBLE_OFFERED:
            self.report(f"{player.name} goes on although the double was not answered: taken as accepted", line)
        self.take(self.answerer, line)

    def _over(self, result: Result) -> None:
        self.result, self.phase, self.dice = result, Phase.OVER, None

    def _level(self, points: int) -> int | None:
        level, rest = divmod(points, self.stake)
        return level if not rest and 1 <= level <= 3 else None
