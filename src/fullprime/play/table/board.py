"""The board of a game: its position and state, the commands that are possible, the plays of a roll."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache

from fullprime.play.session import GameSession
from fullprime.play.table.event_texts import result_facts, to_json_number
from fullprime.play.table.fields import (
    BoardFacts,
    BoardState,
    CubeState,
    ExtraTurn,
    GameEnd,
    NextGame,
    PhaseName,
    PlayTree,
    SpecialRule,
    TreeStep,
)
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.plays import CheckerMove, Play, RollPlays, RollState
from fullprime.rules.position import BAR, HAND, has_licence
from fullprime.rules.score import Player
from fullprime.rules.variants.variant import HitLicence

PHASES: dict[Phase, PhaseName] = {
    Phase.OPENING_ROLL: "opening_roll",
    Phase.CUBE_DECISION: "cube_decision",
    Phase.ROLL: "roll",
    Phase.DOUBLE_OFFERED: "double_offered",
    Phase.BEAVER_OFFERED: "beaver_offered",
    Phase.RACCOON_OFFERED: "raccoon_offered",
    Phase.PLAY: "play",
    Phase.CHOOSE_DOUBLE: "choose_double",
    Phase.RESIGNATION_OFFERED: "resignation_offered",
    Phase.OVER: "over",
}
"""The name of each phase."""


def board_facts(session: GameSession, *, is_stored: bool = True, resignation: int | None = None) -> BoardFacts:
    """The facts common to all states of a game in play; ``resignation`` is the level of an offer beside the game."""
    game, settings, score = session.game, session.terms.settings, session.score
    assert game is not None  # it has begun
    winner, end = score.match_winner(settings), None
    if game.result is not None:
        following = None if session.is_won else NextGame(crawford=score.crawford_game)
        end = GameEnd(result=result_facts(game.result, settings), next_game=following)
    return BoardFacts(
        variant=settings.variant.name,
        position=game.position.text,
        on_roll=None if game.phase is Phase.OPENING_ROLL else game.on_roll,
        turn=game.turn,
        phase=PHASES[game.phase],
        dice=(game.dice.high, game.dice.low) if game.dice else None,
        cube=cube_state(game),
        stake=to_json_number(settings.stake * game.multiplier),
        multiplier=game.multiplier,
        length=settings.length,
        score=score.points,
        crawford=game.score.crawford_game,
        post_crawford=game.score.post_crawford,
        game=session.game_number,
        stored=session.board_version if is_stored else None,
        resignation=game.resignation if resignation is None else resignation,
        end=end,
        game_over=game.is_over,
        match_over=settings.is_match and winner is not None,
        match_winner=winner,
    )


def cube_state(game: Game) -> CubeState:
    """The doubling cube of a game."""
    cube, settings = game.cube, game.settings
    in_use = bool(settings.cube) and settings.length != 1 and not game.score.crawford_game
    return CubeState(value=cube.value, owner=cube.owner, offered=cube.offered, in_use=in_use)


def board_view(session: GameSession, resignation: int | None) -> BoardState:
    """The board of a session that has begun, the checkers of each side in its own numbering (0 off, 25 bar, 26 hand).

    ``resignation`` is the level of an offer beside the game.
    """
    game = session.game
    assert game is not None  # it has begun
    position = game.position
    mine, theirs = position.player, position.opponent
    pips, other_pips = position.pips
    x_rolls = game.on_roll is Player.X
    return BoardState(
        facts=board_facts(session, resignation=resignation),
        sequence=session.board_version,
        points={"X": mine, "O": theirs} if x_rolls else {"X": theirs, "O": mine},
        pips={"X": pips, "O": other_pips} if x_rolls else {"X": other_pips, "O": pips},
        checkers=position.checkers,
        has_hand=game.settings.variant.has_hand,
        special=special_rules(game),
        follow_ups=extra_turns(game),
        resign_levels=game.resignation_levels,
    )


def special_rules(game: Game) -> tuple[SpecialRule, ...]:
    """The special rules that bind the player on roll on this board."""
    variant, row = game.settings.variant, game.position.player
    waiting = row[HAND] + row[BAR] > 0
    holds = {
        "enter_all_first": variant.enter_all_first and row[HAND] > 0,
        "may_not_hit": variant.hit_licence is not HitLicence.FREE
        and not has_licence(row, game.position.player_licence),
        "bar_may_wait": not variant.bar_priority and row[BAR] > 0,
        "exact_bearoff": variant.exact_bearoff and not waiting and not any(row[7:BAR]),
    }
    rules: tuple[SpecialRule, ...] = ("enter_all_first", "may_not_hit", "bar_may_wait", "exact_bearoff")
    return tuple([rule for rule in rules if holds[rule]])


def extra_turns(game: Game) -> tuple[ExtraTurn, ...]:
    """The extras that the player on roll still gets once the roll has been played in full, the next one first."""
    names: dict[str, ExtraTurn] = {
        "choose_double": "choose_double", "complement": "complement", "roll_again": "roll_again",
    }  # fmt: skip
    return tuple([names[str(stage)] for stage in game.follow_ups])


def possible_words(session: GameSession) -> tuple[str, ...]:
    """The actions that are allowed now, in the words that do them; none before the first game."""
    game = session.game
    if game is None or game.is_over:
        return () if game is None or session.is_won else ("next",)
    words = {ActionKind.OPENING: "roll", ActionKind.PLAY: "move"}
    return tuple([words.get(kind, str(kind)) for kind in game.actions()])


# -- plays ------------------------------------------------------------------------------------------------------
_text = lru_cache(32_768)(format_play)
"""The text of a play, kept because the same plays come again and again."""


class PlaysByText:
    """The legal plays of one game as it stands. Any thread may use it, also when the game has gone on."""

    __slots__ = ("_found", "_game", "_lock", "_tree")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lock = threading.Lock()
        self._tree: PlayTree | None = None
        self._found: Mapping[str, tuple[CheckerMove, ...]] | None = {} if game.phase is not Phase.PLAY else None

    @property
    def all(self) -> Mapping[str, tuple[CheckerMove, ...]]:
        """The moves of the legal plays by their texts; none while there is nothing to play."""
        plays = self._found
        if plays is None:
            with self._lock:
                plays = self._found
                if plays is None:
                    plays = self._found = {_text(moves): moves for moves in self._game.roll_plays.lines()}
        return plays

    @property
    def tree(self) -> PlayTree:
        """All ways to play the roll, checker by checker. :meth:`find` does not wait for this walk."""
        if self._tree is None:
            self._tree = play_tree(self._game.roll_plays)
        return self._tree

    def find(self, text: str) -> Play | None:
        """The play of that text; None where there is none."""
        moves = self.all.get(text)
        return None if moves is None else self._game.roll_plays.play(moves)


def play_tree(ways: RollPlays) -> PlayTree:
    """All ways to play a roll, checker by checker."""
    numbers: dict[RollState, int] = {ways.start: 0}
    nodes = [ways.start]
    steps: list[tuple[TreeStep, ...]] = []
    for node in nodes:
        here: list[TreeStep] = []
        for move, after in ways.steps(node):
            if after not in numbers:
                numbers[after] = len(nodes)
                nodes.append(after)
            here.append((move.source, move.target, int(move.hit), numbers[after]))
        steps.append(tuple(here))
    return PlayTree(steps=tuple(steps), dice=tuple([node.dice for node in nodes]))
