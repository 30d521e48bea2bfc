"""The recorder: the events of a file, line by line, become the record of a match.

Every reader tells a ``Recorder`` the rolls, plays, doubles and results; the recorder follows the game by the rules
and writes the actions down. Boards that the rules do not allow are kept as a ``Setup`` and reported; events that are
missing but certain (a dance, a forced play, the answer to a double that the next roll proves) are filled in.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from fullprime.formats.document import FormatError, Problem
from fullprime.formats.recording import walk
from fullprime.formats.recording.game_recorder import BEFORE_ROLL, OFFERED, GameRecorder
from fullprime.rules.game import Game, Phase
from fullprime.rules.position import OFF
from fullprime.rules.record import GameRecord
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.variants.variant import HitLicence, Variant

MOST_GAMES, MOST_IN_MATCH = 10_000, 500_000
"""Games and events of one match or session."""
MOST_MATCHES = 20_000
"""Matches of one file."""
LEVELS = 3
"""Single game, gammon, backgammon: the most a game is worth, in stakes."""
COUNTED = "Points Counted"
"""The name in a match's facts for the points that a file counts for the last game, where they are fewer."""
_CODE = 1000
"""Backgammon Studio writes 1004 times the cube for a match that was given up."""


def can_follow(variant: Variant) -> bool:
    """True if the recorder can follow games of this variant."""
    return (
        not variant.has_hand
        and variant.hit_licence is HitLicence.FREE
        and variant.bar_priority
        and not variant.exact_bearoff
        and not variant.after_double
        and not variant.after_acey_deucey
    )


class Recorder(GameRecorder):
    """Follows one match, game by game. ``problems`` collects the faults; readers add their own to the same list."""

    def __init__(self, settings: Settings, problems: list[Problem] | None = None) -> None:
        super().__init__(settings, problems)
        self.games: list[GameRecord] = []
        self.events_before = 0
        """In the games that are put away."""
        self.in_game = False
        self.jacoby_shows = False
        """A gammon with the cube in the middle was counted as one game although the rule is not known to be on."""
        self.counted: int | None = None
        """The points that the file counts for the last game, where it counts no more than its winner needed."""
        self._scores_stay = True
        """Every score that the file has given is 0 : 0."""
        self._summed = False
        self._next_score: Score | None = Score.start(settings)
        self._unsure: tuple[Player, int, int | None, str | None] | None = None
        """A stated result that no game can have: winner, points, line, how. The score that follows explains it."""

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
        """Begin a game at X's and O's points, and end the one before, whose result the new score may reveal."""
        if self._unsure is not None:
            self._explain_unsure(points, last=False)
        if self.in_game:
            self._infer_result(points, line)
        if start is not None:
            score = start.score
        else:
            score = self._score_at(points, line)
            if crawford is not None and crawford != score.crawford_game:
                # One point away, and not the Crawford game: that one has been played.
                score = replace(score, crawford_game=crawford, post_crawford=score.post_crawford or not crawford)
            start = replace(Game.new(self.settings, score), multiplier=multiplier)
        self.score = score
        self.start, self.stated = start, None
        self.events, self.comments = [], {}
        self.in_game = True
        self._load(start)

    def _score_at(self, points: tuple[int, int] | None, line: int | None) -> Score:
        expected = self._next_score
        if points is None:
            return expected or Score()
        self._scores_stay &= not any(points)
        if self._scores_stay and not self.settings.is_match and expected is not None and any(expected.points):
            # A money session whose program carries no score from game to game.
            if not self._summed:
                self.report("the score stays 0 : 0 after a result; the results are summed", line)
            self._summed = True
            return expected
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
        factor, remainder = divmod(points[result.winner] - before[result.winner], result.points)
        loser = result.winner.other
        if remainder or factor < 2 or factor & (factor - 1) or points[loser] != before[loser]:
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
                self._finish(winner, gained[winner], line, None)
                return
            self.report("the game has no result and the next score does not tell it", line)
        self.close()

    def close(self) -> None:
        """Add the game in hand to the match, finished or not; the score after it counts the stated result, if any."""
        if self._unsure is not None:
            self._explain_unsure(None, last=True)
        if not self.in_game:
            return
        comments = {event: "\n".join(remarks) for event, remarks in self.comments.items()}
        record = GameRecord(self.start, tuple(self.events), self.stated, MappingProxyType(comments))
        self.games.append(record)
        self.events_before += len(record.events)
        if len(self.games) > MOST_GAMES or self.events_before > MOST_IN_MATCH:
            raise FormatError(
                f"game {self.number}: a match has at most {MOST_GAMES:,} games and {MOST_IN_MATCH:,} events"
            )
        self.number = len(self.games) + 1
        self.in_game = False
        result = self.stated or self.result
        self._next_score = None if result is None else self.score.after(result, self.settings)

    @property
    def points(self) -> tuple[int, int]:
        """The score after the last finished game, X first."""
        return (self._next_score or self.score).points

    def forget(self) -> None:
        """Leave out the game in hand, which has not begun."""
        self.in_game = False

    @property
    def goes_on(self) -> bool:
        """True unless the match is over."""
        return not self.settings.is_match or max(self.points) < self.settings.length

    def finish(self, winner: Player, points: int | None, line: int | None = None, *, how: str | None = None) -> None:
        """Record the winner and the points that the file states; they are compared with the game or explain its end."""
        if points is not None and points < 1:
            self.report(f"a win of {points} points cannot be", line)
            points = None
        if points is not None and self._impossible(winner, points):
            self._unsure = winner, points, line, how
            return
        self._finish(winner, points, line, how)

    def _finish(self, winner: Player, points: int | None, line: int | None, how: str | None) -> None:
        result = self.stated or self.result
        more = result is None or (result.winner is winner and result.points > (points or 0))
        if points is not None and points == self._needed(winner) and more:
            self._finish_at_need(winner, points, how)
            return
        if result is None and points is not None:
            self._explain(winner, points, how)
        elif result is None:
            self.stated = Result(winner, self.stake, None, how or "settlement")
        elif result.winner is not winner or (points is not None and result.points != points):
            level = self._level(points or result.points)
            if points == self.stake and not self.cube.turned and not self.settings.is_match:
                self.jacoby_shows = True
            self.report(
                f"the file says that {winner.name} wins {points or result.points}; the moves say "
                f"{result.winner.name} wins {result.points}",
                line,
            )
            self.stated = Result(winner, points or result.points, level, how or result.how)
        self.close()

    # -- results that are not the points of the game --------------------------------------------------------
    def _needed(self, winner: Player) -> int | None:
        """Points that the player needs to win the match; None in money play and after the match."""
        needed = self.settings.length - self.score.points[winner]
        return needed if self.settings.is_match and needed > 0 else None

    def _impossible(self, winner: Player, points: int) -> bool:
        """More points than a backgammon that do not just end the match: a code (Backgammon Studio), or a cube left out.

        In money play the stake may have been doubled before the game, so only a code of a thousand tells.
        """
        if points <= LEVELS * self.stake:
            return False
        needed = self._needed(winner)
        return points >= _CODE * self.stake if needed is None else points != needed

    def _explain_unsure(self, points: tuple[int, int] | None, *, last: bool) -> None:
        """Finish a game whose stated result cannot be, by the score that follows; else the match was given up."""
        assert self._unsure is not None
        winner, stated, line, how = self._unsure
        self._unsure = None
        words = f"the file says that {winner.name} wins {stated}, which no game at a cube of {self.stake} can be worth"
        gained = points[winner] - self.score.points[winner] if points is not None else 0
        result, needed = self.stated or self.result, self._needed(winner)
        if gained == stated:
            self._finish(winner, stated, line, how)
        elif gained > 0 and points is not None and points[winner.other] == self.score.points[winner.other]:
            self.report(f"{words}; the next score says {gained}", line)
            self._finish(winner, gained, line, how)
        elif result is not None and result.winner is winner:
            self.report(f"{words}; the moves say {result.points}", line)
            self.close()
        elif needed is not None and stated < needed:
            self.report(f"{words}; no score tells it otherwise: kept as it is", line)
            self._finish(winner, stated, line, how)
        elif last and needed is not None:
            self.report(f"{words}; no score follows: taken as the end of the match, {needed} away", line)
            self._finish(winner, needed, line, how)
            self.counted = None
        else:
            self.report(f"{words}; no score tells the points: taken as a single game, {self.stake}", line)
            self.stated = Result(winner, self.stake, None, how or "resignation")
            self.close()

    def _finish_at_need(self, winner: Player, needed: int, how: str | None) -> None:
        """The file counts what the winner needed: the moves tell the points, or the least level that wins the match."""
        if self.phase in OFFERED and winner is self.answerer.other and self.stake >= needed:
            self.drop(self.answerer)
        so_far = self.stated or self.result
        if so_far is None:
            level = -(-needed // self.stake)
            off = self.game.position_of(winner.other).player[OFF]
            if how is not None or level > (1 if off else LEVELS):
                self._explain(winner, needed, how)  # No result of this board wins the match: it was given up.
            else:
                self._explain(winner, level * self.stake, how)
        result = self.stated or self.result
        if result is not None and result.points > needed:
            self.counted = needed
        self.close()

    def _explain(self, winner: Player, points: int, how: str | None) -> None:
        """The game stopped before its end: a drop that was not written, a resignation, or a settlement."""
        if self.phase in OFFERED and winner is self.answerer.other and points == self.stake:
            self.drop(self.answerer)
            return
        if self.phase is Phase.BEAVER_OFFERED and winner is self.on_roll.other and points % (self.stake * 2) == 0:
            self.take(self.answerer)  # The doubler accepted the beaver and then resigned.
        if self.phase is Phase.PLAY and self.on_roll is winner:
            last = walk.with_bear_offs(self.game, ())
            if last is not None and not any(last.after.player[1:]):
                self.make(last)  # The last bear-off is not always written.
            elif (forced := self.game.roll_plays.forced) is not None:
                self.make(forced)  # A dance or a forced play; then the other side resigned.
        if self.phase is Phase.OVER:
            self._finish(winner, points, None, how)
            return
        level = self._level(points)
        plain = level is not None and not (level > 1 and self.settings.jacoby and not self.cube.turned)
        loser_acts = self.on_roll is winner.other and self.phase in (*BEFORE_ROLL, Phase.PLAY)
        if how is None and plain and loser_acts and level is not None:
            self.resign(winner.other, level, accepted=True)
        else:
            self.stated = Result(winner, points, level, how or ("resignation" if level else "settlement"))


def _score_text(points: tuple[int, int]) -> str:
    return f"X {points[0]}, O {points[1]}"
