"""The events of a match, told again."""

from __future__ import annotations

from fullprime.app.table import happenings
from fullprime.app.table.happenings import Happening
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import Match
from fullprime.rules.score import Player


def history(match: Match, *, automatic: bool = False) -> list[Happening]:
    """The events of a match, told again; ``automatic`` where forced plays were not played by hand."""
    told: list[Happening] = []
    for number, record in enumerate(match.games, 1):
        if number > 1:
            told.append(Happening({"kind": "new_game", "player": None, "text": f"Game {number}", "game": number}))
        for entry in record.entries():
            if isinstance(entry.event, Action):
                is_play = entry.event.kind is ActionKind.PLAY
                forced = automatic and is_play and len(entry.before.legal_plays) == 1
                told.append(happenings.describe(entry.before, entry.event, entry.after, match.names, forced))
            elif (ruling := happenings.describe_ruling(entry.event, match.names)) is not None:
                told.append(ruling)
        final = record.final
        if final.result is not None:
            score = final.score.after(final.result, match.settings)
            told.append(happenings.game_over(final.result, match.settings, score.points, match.names))
            winner = score.match_winner(match.settings)
            if winner is not None:
                told.append(happenings.match_over(Player(winner), score.points, match.names))
    return told
