"""Our own text form: the board of any game, readable by people, the player on roll first."""

from __future__ import annotations

import re

from fullprime.rules.game import Game
from fullprime.rules.ids.common import IdFormat, IdReading, WrittenId, build_game, rules_notes, to_written_id
from fullprime.rules.position import OFF, Position
from fullprime.rules.score import Player, Settings


def text_id(game: Game) -> WrittenId:
    """The text form of a game's board, as the player on roll sees it."""
    return to_written_id(game.position.text, game, read_text)


def read_text(text: str, settings: Settings | None = None) -> IdReading:
    """Read the text form; the first side is taken for X."""
    chosen = settings or Settings()
    position = Position.from_text(text, chosen.variant.checkers)
    if position.opponent[OFF] == position.checkers:
        position = position.swapped  # The winner is X, as the player on roll is.
    game = build_game(
        settings=chosen,
        rows=(position.player, position.opponent),
        on_roll=Player.X,
        licences=(position.player_licence, position.opponent_licence),
    )
    return IdReading("text", game, ("says nothing but the board: no score, cube or dice", *rules_notes(game)))


def matches(text: str) -> bool:
    """True if this looks like the text form."""
    return text.count("/") == 1 and bool(re.fullmatch(r"[A-Za-z0-9: /\t]+", text))


TEXT = IdFormat("text", "text form", matches, read_text, text_id)
