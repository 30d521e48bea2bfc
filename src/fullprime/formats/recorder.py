"""From what a file says, line by line, to the record of a match.

Every reader tells a ``Recorder`` who rolled, played, doubled and won; the recorder follows the game on two rows of
counts and writes the actions down. What the rules do not allow is kept as a ``Setup`` and reported; what is missing
but certain (a dance, a forced play, the answer to a double that the next roll proves) is filled in.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from fullprime.formats import walk
from fullprime.formats.document import Problem
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
from fullprime.rules.record import Event, GameRecord, Setup
from fullprime.rules.score import LEVEL_NAMES, Player, Result, Score, Settings
from fullprime.rules.variants.variant import HitLicence, Variant

_BEFORE_ROLL = (Phase.CUBE_DECISION, Phase.ROLL)
_OFFERED = (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED)

_ROLLS = {(a, b): roll(Roll(a, b)) for a in range(1, 7) for b in range(1, 7)}
_OPENINGS = {(a, b): opening(a, b) for a in range(1, 7) for b in range(1, 7)}


@lru_cache(maxsize=1 << 14)
def _play_action(moves: tuple[CheckerMove, ...]) -> Action:
    return Action(ActionKind.PLAY, moves=moves)


def follows(variant: Variant) -> bool:
    """Whether the recorder can follow games of this variant."""
    return (
        not variant.has_hand
        and variant.hit_licence is HitLicence.FREE
        and variant.bar_priority
        and not variant.exact_bearoff
        and not variant.after_double
        and not variant.after_acey_deucey
    )


class Recorder:
    """Follows one match. ``problems`` collects what was wrong; readers add their own to the same list."""

    def __init__(self, settings: Settings, problems: list[Problem] | None = None) -> None:
        self.settings = settings
        self.problems: list[Problem] = [] if problems is None else problems
        self.games: list[GameRecord] = []
        self.in_game = False
        self.score = Score()
        self.illegal = 0
        """How many plays the rules do not allow."""
        self.jacoby_shows = False
        """A gammon with the cube in the middle was counted as one game although the rule is not known to be on."""
        self.crawford_doubled = False
        """Somebody doubled in what would be the Crawford game."""
        self._next_score: Score | None = Score.start(settings)

    # -- games ----------------------------------------------------------------------------------------------
    def begin(
        self,
        points: tuple[int, int] | None = None,
        *,
        crawford: bool | None = None,
        start: Game | None = None,
        multiplier: int = 1,
        line: int | None = None,
    ) -> None:
        """A new game at X's and O's points; ends the one before, whose result the new score may reveal."""
        if self.in_game:
            self._infer_result(points, line)
        if start is not None:
            score = start.score
        else:
            score = self._score_at(points, line)
            if crawford is not None and crawford != score.crawford_game:
                score = replace(score, crawford_game=crawford)
            start = replace(Game.new(self.settings, score), multiplier=multiplier)
        self.score = score
        self.start = start
        self.events: list[Event] = []
        self.comments: dict[int, str] = {}
        self.in_game = True
        self.stated: Result | None = None
        self._load(start)

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

    def _score_at(self, points: tuple[int, int] | None, line: int | None) -> Score:
        expected = self._next_score
        if points is None:
            return expected or Score()
        if expected is not None and expected.points == points:
            if self.settings.is_match and max(points) >= self.settings.length:
                self.report(f"a game begins at {_score_text(points)} although the match is over", line)
            return expected
        if expected is not None and self.games:
            if (doubled := self._automatic_doubles(points, line)) is not None:
                return doubled
            self.report(f"the score is given as {_score_text(points)}; {_score_text(expected.points)} follows", line)
        settings = self.settings
        if settings.is_match and max(points) >= settings.length:
            self.report(f"a game begins at {_score_text(points)} although the match is over", line)
            return Score(points)
        last = self.games[-1].start.score if self.games else Score()
        if settings.crawford and (last.crawford_game or last.post_crawford):
            return Score(points, post_crawford=True)
        return Score.start(settings, points)

    def _automatic_doubles(self, points: tuple[int, int], line: int | None) -> Score | None:
        """A money score that rose by a power of two times the result: the stake was doubled before the game."""
        last = self.games[-1]
        result = last.stated or self.result
        if result is None or self.settings.is_match or result.points < 1:
            return None
        before = last.start.score.points
        factor, rest = divmod(points[result.winner] - before[result.winner], result.points)
        loser = result.winner.other
        if rest or factor < 2 or factor & (factor - 1) or points[loser] != before[loser]:
            return None
        self.report(
            f"the score rises by {factor * result.points} after a win of {result.points}: read as automatic doubles",
            line,
        )
        start = replace(last.start, multiplier=last.start.multiplier * factor)
        stated = last.stated and replace(last.stated, points=last.stated.points * factor)
        self.games[-1] = replace(last, start=start, stated=stated)
        return last.start.score.after(replace(result, points=result.points * factor), self.settings)

    def _infer_result(self, points: tuple[int, int] | None, line: int | None) -> None:
        if self.result is None and points is not None:
            gained = [points[player] - self.score.points[player] for player in Player]
            if sorted(map(bool, gained)) == [False, True] and max(gained) > 0:
                winner = Player.X if gained[0] else Player.O
                self.finish(winner, gained[winner], line)
                return
            self.report("the game has no result and the next score does not tell it", line)
        self.close()

    def close(self) -> None:
        """Put the game in hand away, finished or not; the score after it stands at the stated result, if any."""
        if not self.in_game:
            return
        record = GameRecord(self.start, tuple(self.events), self.stated, MappingProxyType(self.comments))
        self.games.append(record)
        self.in_game = False
        result = self.stated or self.result
        self._next_score = None if result is None else self.score.after(result, self.settings)

    @property
    def points(self) -> tuple[int, int]:
        """The score after the last finished game, X first."""
        return (self._next_score or self.score).points

    # -- what happens ---------------------------------------------------------------------------------------
    @property
    def last(self) -> int:
        """Number of the last event of the game in hand; -1 before the first."""
        return len(self.events) - 1

    def roll(self, player: Player, first: int, second: int, line: int | None = None) -> bool:
        """The player threw these dice; False when the game was already over."""
        if self.phase is Phase.PLAY:
            self.close_roll(line)
        if self.phase in _OFFERED:
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
        if self.phase in _BEFORE_ROLL and player is self.on_roll:
            self._begin_turn(player.other)
            self.events.append(Setup(self.game(), note))

    def dance(self, player: Player, line: int | None = None) -> None:
        """The player said that the roll cannot be played."""
        self.play(player, "", line, ())

    def double(self, player: Player, value: int | None = None, line: int | None = None) -> bool:
        """The player offered the cube, at this value when the file says so."""
        if self.phase is Phase.PLAY:
            self.close_roll(line)
        if self.phase in _OFFERED and player is not self.answerer:
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
        if self.phase not in _OFFERED:
            self.report(f"{player.name} takes, but no cube was offered", line)
            return
        if player is not self.answerer:
            self.report(f"{player.name} takes the cube that {player.name} offered", line)
        self.events.append(TAKE)
        self.cube, self.phase = self.cube.taken_by(self.on_roll.other), Phase.ROLL

    def drop(self, player: Player, line: int | None = None) -> None:
        """The player declined the cube; the game is over."""
        if self.phase not in _OFFERED:
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
        if self.phase in (*_BEFORE_ROLL, Phase.PLAY) and player is self.on_roll and 1 <= level <= 3:
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

    def finish(self, winner: Player, points: int | None, line: int | None = None, *, how: str | None = None) -> None:
        """The file says who won the game and how much; that is compared with what happened, or explains it."""
        if points is not None and points < 1:
            self.report(f"a win of {points} points cannot be", line)
            points = None
        known = self.stated or self.result
        if known is None and points is not None:
            self._explain(winner, points, how)
        elif known is None:
            self.stated = Result(winner, self.stake, None, how or "settlement")
        elif known.winner is not winner or (points is not None and known.points != points):
            level = self._level(points or known.points)
            if points == self.stake and not self.cube.turned and not self.settings.is_match:
                self.jacoby_shows = True
            self.report(
                f"the file says that {winner.name} wins {points or known.points}; the moves say "
                f"{known.winner.name} wins {known.points}",
                line,
            )
            self.stated = Result(winner, points or known.points, level, how or known.how)
        self.close()

    def comment(self, words: str) -> None:
        """A remark about the last event, or about the game when nothing has happened yet."""
        if words:
            before = self.comments.get(self.last)
            self.comments[self.last] = f"{before}\n{words}" if before else words

    def report(self, words: str, line: int | None = None) -> None:
        """Add to the list of problems."""
        self.problems.append(Problem(words if line is not None else f"game {len(self.games) + 1}: {words}", line))

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

    def _explain(self, winner: Player, points: int, how: str | None) -> None:
        """The game stopped before its end: a drop that was not written, a resignation, or a settlement."""
        if self.phase in _OFFERED and winner is self.answerer.other and points == self.stake:
            self.drop(self.answerer)
            return
        if self.phase is Phase.BEAVER_OFFERED and winner is self.on_roll.other and points % (self.stake * 2) == 0:
            self.take(self.answerer)  # The doubler accepted the beaver and then resigned.
        if self.phase is Phase.PLAY and self.on_roll is winner and not self._must_choose():
            self.close_roll(None)  # A dance or a forced play; then the other side resigned.
        if self.phase is Phase.OVER:
            self.finish(winner, points, how=how)
            return
        level = self._level(points)
        plain = level is not None and not (level > 1 and self.settings.jacoby and not self.cube.turned)
        loser_acts = self.on_roll is winner.other and self.phase in (*_BEFORE_ROLL, Phase.PLAY)
        if how is None and plain and loser_acts and level is not None:
            self.resign(winner.other, level, accepted=True)
        else:
            self.stated = Result(winner, points, level, how or ("resignation" if level else "settlement"))


def _score_text(points: tuple[int, int]) -> str:
    return f"X {points[0]}, O {points[1]}"
