"""Games and matches as score sheets: the rolls and the plays, one line a turn of both sides."""

from __future__ import annotations

from collections.abc import Iterator

from fullprime.rules.actions import Action, ActionKind
from fullprime.rules.record import Entry, GameRecord, Match, Setup
from fullprime.rules.score import Player
from fullprime.rules.words import format_players

_WIDTH = 32
"""Columns of one side."""

_THROWS = (ActionKind.ROLL, ActionKind.OPENING)


def match_text(match: Match) -> str:
    """The settings and the names, every game under the score before it, and the score at the end."""
    parts = [f"{match.settings}: {format_players([f'{match.names[0]} (X)', f'{match.names[1]} (O)'])}"]
    for number, game in enumerate(match.games, 1):
        parts.append(f"\nGame {number}, {_score(match, game.start.score.points)}\n{game_text(game, match.names)}")
    winner = match.score.match_winner(match.settings)
    end = f"{match.names[winner]} wins the match" if winner is not None else "The score"
    return "\n".join([*parts, f"\n{end}: {_score(match, match.score.points)}"])


def game_text(game: GameRecord, names: tuple[str, str] = ("X", "O")) -> str:
    """A game with X on the left and O on the right, as in a match text."""
    lines: list[str] = []
    waiting = ""
    for player, words in _turns(game):
        if player is Player.X:
            if waiting:
                lines.append(waiting)
            waiting = words
        else:
            lines.append(f"{waiting:<{_WIDTH}}{words}")
            waiting = ""
    if waiting:
        lines.append(waiting)
    numbered = [f"{number:>3}) {line}" for number, line in enumerate(lines, 1)]
    if game.result is not None:
        won = str(game.result).replace(str(game.result.winner), names[game.result.winner], 1)
        numbered.append(f"     {won}")
    return "\n".join([f"     {names[0]:<{_WIDTH}}{names[1]}", *numbered])


def _turns(game: GameRecord) -> Iterator[tuple[Player, str]]:
    """Each side's words, one for a turn: ``31: 8/5 6/5``, ``doubles to 2``."""
    rolled = ""
    for entry in game.entries():
        action = entry.event
        if isinstance(action, Setup):
            rolled = ""
            yield entry.before.on_roll, f"[{action.note or 'the board is set up'}]"
        elif action.kind in _THROWS:
            rolled = str(entry.after.dice or "")
        elif action.kind is ActionKind.PLAY:
            yield entry.before.on_roll, f"{rolled or entry.before.dice}: {action}"
            rolled = ""
        elif entry.player is not None:
            yield entry.player, _words(entry, action)


def _words(entry: Entry, action: Action) -> str:
    if action.kind in (ActionKind.DOUBLE, ActionKind.BEAVER, ActionKind.RACCOON):
        return f"{action.kind}s to {entry.after.cube.offered}"
    return f"{action.kind}s" + (f" ({action.number})" if action.number is not None else "")


def _score(match: Match, points: tuple[int, int]) -> str:
    return f"{match.names[0]} {points[0]}, {match.names[1]} {points[1]}"
