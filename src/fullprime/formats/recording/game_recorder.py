"""One game of a file, followed by the rules: rolls, plays, doubles, and their results."""

from __future__ import annotations

from dataclasses import replace

from fullprime.formats.document import FormatError, Problem
from fullprime.formats.recording import walk
from fullprime.formats.recording.boards import Rows
from fullprime.rules.cube import Cube
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
    Game,
    Phase,
    opening,
    play,
    resign,
    roll,
)
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.record import Event, Setup
from fullprime.rules.score import LEVEL_NAMES, Player, Result, Score, Settings
from fullprime.rules.words import format_dice

MOST_EVENTS = 20_000
"""Events of one game: a hundred times those of a long one."""
MOST_REMARKS = 1 << 20
"""Letters of all remarks of one match."""

BEFORE_ROLL = (Phase.CUBE_DECISION, Phase.ROLL)
OFFERED = (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED)

_ROLLS = {(a, b): roll(Roll(a, b)) for a in range(1, 7) for b in range(1, 7)}
_OPENINGS = {(a, b): opening(a, b) for a in range(1, 7) for b in range(1, 7)}


class GameRecorder:
    """The game in hand. ``problems`` collects its faults."""

    start: Game
    game: Game
    """The game as it stands."""
    events: list[Event]
    comments: dict[int, list[str]]
    stated: Result | None

    def __init__(self, settings: Settings, problems: list[Problem] | None = None) -> None:
        self.settings = settings
        self.problems: list[Problem] = [] if problems is None else problems
        self.number = 1
        """Of the game in the match."""
        self.score = Score()
        self.remarks_left = MOST_REMARKS
        self.illegal = 0
        """The number of plays that the rules do not allow."""
        self.crawford_doubled = False
        """True once a player has doubled in the game that would be the Crawford game."""

    def _load(self, game: Game) -> None:
        """Go on from this game, by the settings and at the score of the match."""
        if game.settings is not self.settings or game.score is not self.score:
            game = replace(game, settings=self.settings, score=self.score)
        self.game = game

    def _act(self, action: Action) -> None:
        self.game = self.game.act(action)
        self.events.append(action)
        if len(self.events) > MOST_EVENTS:
            raise FormatError(f"game {self.number} has over {MOST_EVENTS:,} events; no game is that long")

    # -- what happens ---------------------------------------------------------------------------------------
    @property
    def last(self) -> int:
        """Number of the last event of the game in hand; -1 before the first."""
        return len(self.events) - 1

    def roll(self, player: Player, first: int, second: int, line: int | None = None) -> bool:
        """Record a roll; False when the game was already over."""
        if self.phase is Phase.PLAY:
            self.close_roll(line)
        if self.phase in OFFERED:
            self._implied_answer(player, line)
        phase = self.phase
        if phase is Phase.OVER:
            self.report(f"{player.name} rolls {format_dice((first, second))} after the end of the game", line)
            return False
        if phase is Phase.OPENING_ROLL:
            if first != second:
                high, low = (first, second) if first > second else (second, first)
                self._act(_OPENINGS[(high, low) if player is Player.X else (low, high)])
                return True
            self._set_up(player, Phase.ROLL, f"the first roll of the game is {format_dice((first, second))}", line)
        elif player is not self.on_roll or self.phase not in BEFORE_ROLL:
            self._set_up(player, Phase.ROLL, f"{player.name} rolls out of turn", line)
        self._act(_ROLLS[first, second])
        return True

    def play(
        self, player: Player, text: str, line: int | None = None, hops: tuple[walk.Hop, ...] | None = None
    ) -> None:
        """Record a play by its text, or by its ``hops``; an empty one is a dance."""
        if self.phase is not Phase.PLAY or player is not self.on_roll or self.dice is None:
            self.report(f"{player.name} plays {text!r:.60} without a roll", line)
            return
        if hops is None:
            hops, text = self._hops(text, line)
        marked = "*" in text
        resolved = walk.find_play(self.game, hops, marked) or self._with_bear_offs(hops, text, line)
        if resolved is None:
            self._illegal(hops, text, line)
            return
        if marked and not any(move.hit for move in resolved.moves):
            self.report(f"{text!r:.60} marks a hit, but no blot is hit", line)
        self.make(resolved)

    def make(self, legal_play: Play) -> None:
        """Record a play of the player on roll that is known to be legal."""
        self.game = self.game.apply_play(legal_play)
        self.events.append(play(legal_play))

    def play_upwards(self, player: Player, text: str, line: int | None = None) -> None:
        """Record a play, for files that count one side's points upwards."""
        hops, text = self._hops(text, line)
        self.play(player, text.replace("*", ""), line, walk.turn_downwards(hops))

    def _hops(self, text: str, line: int | None) -> tuple[tuple[walk.Hop, ...], str]:
        """The moves of a written play, and the play as programs write it."""
        hops = walk.hops(text)
        if hops is None:
            text = walk.plain_play(text)
            hops = walk.hops(text)
        if hops is None:
            hops, strange = walk.read_moves_of_no_play(text)
            words = " ".join(strange)
            self.report(f"{words!r:.60} is no play", line)
            if any(letter.isalpha() for letter in words):
                self.comment(words)
        return hops, text

    def pass_turn(self, player: Player, note: str) -> None:
        """Record that the player did not roll, because its checkers on the bar were shut out."""
        if self.phase in BEFORE_ROLL and player is self.on_roll:
            self.game = self.game.end_turn_at(self.game.position)
            self.events.append(Setup(self.game, note))

    def dance(self, player: Player, line: int | None = None) -> None:
        """Record that the roll cannot be played, as the file says."""
        self.play(player, "", line, ())

    def double(self, player: Player, value: int | None = None, line: int | None = None) -> bool:
        """Record a double, to this value when the file says so."""
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
        offered = self.stake * 2
        if value is not None and value != offered:
            self.report(f"the cube is offered at {value}; {offered} follows", line)
            if value >= 2 and not value & (value - 1):
                cube = replace(self.cube, value=max(1, value // 2 // self.game.multiplier))
                self.game = replace(self.game, cube=cube)
                self.events.append(Setup(self.game, f"the cube is offered at {value}"))
        self._act(DOUBLE)
        return True

    def beaver(self, player: Player, line: int | None = None) -> None:
        """Record a beaver in answer to a double, or a raccoon in answer to a beaver."""
        if self.phase not in (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED) or player is not self.answerer:
            self.report(f"{player.name} redoubles at once, but there was no offer to answer", line)
            return
        raccoon = self.phase is Phase.BEAVER_OFFERED
        answer = RACCOON if raccoon else BEAVER
        if answer.kind in self.game.actions():
            self._act(answer)
            return
        self.game = replace(self.game, cube=self.cube.redouble_by(self.on_roll.other))
        after = Phase.RACCOON_OFFERED if raccoon else Phase.BEAVER_OFFERED
        self._set_up(self.on_roll, after, "a beaver or raccoon although they are not played here", line)

    def take(self, player: Player, line: int | None = None) -> None:
        """Record that the player takes the cube."""
        if self.phase not in OFFERED:
            self.report(f"{player.name} takes, but no cube was offered", line)
            return
        if player is not self.answerer:
            self.report(f"{player.name} takes the cube that {player.name} offered", line)
        self._act(TAKE)

    def drop(self, player: Player, line: int | None = None) -> None:
        """Record that the player drops; the game is over."""
        if self.phase not in OFFERED:
            self.report(f"{player.name} drops, but no cube was offered", line)
            return
        if player is not self.answerer:
            self.report(f"{player.name} drops the cube that {player.name} offered", line)
        self._act(DROP)

    def resign(self, player: Player, level: int, accepted: bool) -> None:
        """Record the offer of a resignation (1 single, 2 gammon, 3 backgammon) and the answer to it."""
        if self.phase in (*BEFORE_ROLL, Phase.PLAY) and player is self.on_roll and 1 <= level <= 3:
            self._act(resign(level))
            self._act(ACCEPT if accepted else REFUSE)
        elif accepted and self.phase is not Phase.OVER:
            stated_level = level if 1 <= level <= 3 else None
            how = "resignation" if stated_level else "settlement"
            self.stated = Result(player.other, level * self.stake, stated_level, how)
            self.game = replace(self.game, phase=Phase.OVER, dice=None)
        else:
            self.comment(f"{player.name} resigns a {LEVEL_NAMES.get(level, 'game')}; it is refused")

    def comment(self, words: str) -> None:
        """Add a remark about the last event, or about the game before its first event."""
        if len(words) > self.remarks_left:
            if self.remarks_left:
                self.report(f"the remarks of a match have at most {MOST_REMARKS:,} letters: the rest is left out")
            self.remarks_left = 0
        elif words:
            self.remarks_left -= len(words)
            self.comments.setdefault(self.last, []).append(words)

    def report(self, words: str, line: int | None = None) -> None:
        """Add to the list of problems."""
        self.problems.append(Problem(words if line is not None else f"game {self.number}: {words}", line))

    def begin_at(self, game: Game) -> None:
        """Begin the game in hand with this position, by the settings of the match."""
        self._load(game)
        self.start = self.game

    def restart(self) -> None:
        """Forget the events of the game in hand."""
        self.events = []
        self._load(self.start)

    def set_dice(self, first: int, second: int) -> None:
        """Begin the game in hand with this roll to play."""
        self.start = replace(self.start, phase=Phase.PLAY, dice=Roll(first, second))
        self._load(self.start)

    def set_up(self, game: Game, note: str) -> None:
        """Record that the file sets the board, which is no problem."""
        self.events.append(Setup(game, note))
        self._load(game)

    # -- the state ------------------------------------------------------------------------------------------
    @property
    def phase(self) -> Phase:
        """The action for which the game waits."""
        return self.game.phase

    @property
    def on_roll(self) -> Player:
        """The player on roll."""
        return self.game.on_roll

    @property
    def dice(self) -> Roll | None:
        """The roll to play."""
        return self.game.dice

    @property
    def cube(self) -> Cube:
        """The cube as it lies."""
        return self.game.cube

    @property
    def result(self) -> Result | None:
        """The result that follows from the events."""
        return self.game.result

    @property
    def stake(self) -> int:
        """Points of a single game now."""
        return self.game.stake_value

    @property
    def rows(self) -> Rows:
        """The counts of X and of O."""
        position = self.game.position_of(Player.X)
        return list(position.player), list(position.opponent)

    @property
    def answerer(self) -> Player:
        """The player who answers the cube that is offered."""
        return self.on_roll if self.phase is Phase.BEAVER_OFFERED else self.on_roll.other

    def set_rows(self, rows: Rows | None, note: str, line: int | None = None) -> None:
        """Record an illegal play by the board after it (X's row, O's row)."""
        if rows is None or self.phase is not Phase.PLAY:
            self.report(f"{note}: the board cannot be read", line)
            return
        self.report(note, line)
        self.game = self.game.end_turn_at(Position(tuple(rows[self.on_roll]), tuple(rows[self.on_roll.other])))
        self.events.append(Setup(self.game, note))

    def _set_up(self, player: Player, phase: Phase, note: str, line: int | None) -> None:
        self.report(note, line)
        position = self.game.position_of(player)
        self.game = replace(
            self.game,
            position=position,
            on_roll=player,
            phase=phase,
            dice=None,
            resignation=None,
            resigned_in=None,
        )
        self.events.append(Setup(self.game, note))

    def _illegal(self, hops: tuple[walk.Hop, ...], text: str, line: int | None) -> None:
        self.illegal += 1
        words = f"{self.dice}: {text.strip()[:60] or 'nothing played'} is illegal"
        after, left_out = walk.force_moves(self.game.position, hops)
        if left_out:
            words += f"; {' '.join(f'{a}/{b}' for a, b in left_out)} cannot be made at all"
        self.report(words, line)
        self.game = self.game.end_turn_at(after)
        self.events.append(Setup(self.game, words))

    def tie(self, die: int) -> None:
        """Record a tie of the opening roll: both players rolled the same die."""
        if self.phase is not Phase.OPENING_ROLL:
            self.report(f"an opening roll of {die}{die} in the middle of a game is left out")
            return
        self._act(_OPENINGS[die, die])

    def stake_doubled(self) -> None:
        """Record an automatic double before the first roll."""
        if self.last < 0 and self.phase is Phase.OPENING_ROLL:
            self.game = replace(self.game, multiplier=self.game.multiplier * 2)
            self.start = replace(self.start, multiplier=self.game.multiplier)
        else:
            self.report("an automatic double in the middle of a game is left out")

    def close_roll(self, line: int | None) -> None:
        """End a roll without a written play: a dance, a forced play, or a play left out."""
        only_play = self.game.roll_plays.forced or self._with_bear_offs((), "", line)
        if only_play is not None:
            self.make(only_play)
        else:
            self._illegal((), "", line)

    def _with_bear_offs(self, hops: tuple[walk.Hop, ...], text: str, line: int | None) -> Play | None:
        """The written moves with the only bear-offs that complete them, which a server made by itself."""
        completed = walk.with_bear_offs(self.game, hops)
        if completed is not None:
            words = " ".join(map(str, completed.moves))
            self.report(f"{self.dice}: {text.strip()[:60] or 'nothing'} is completed by bear-offs to {words}", line)
        return completed

    def _implied_answer(self, player: Player, line: int | None) -> None:
        """A roll although the cube was not answered: it has been accepted."""
        if self.phase is Phase.DOUBLE_OFFERED:
            self.report(f"{player.name} goes on although the double was not answered: taken as accepted", line)
        self.take(self.answerer, line)

    def _level(self, points: int) -> int | None:
        level, remainder = divmod(points, self.stake)
        return level if not remainder and 1 <= level <= 3 else None
