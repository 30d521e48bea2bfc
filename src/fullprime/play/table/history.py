"""The events of a match, told again."""

from __future__ import annotations

from collections.abc import Iterator

from fullprime.play.table import happenings
from fullprime.play.table.happenings import Happening
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import Entry, Match


def history(match: Match, *, automatic: bool = False) -> list[Happening]:
    """The events of a match, told again; ``automatic`` where forced plays were not played by hand."""
    return [happening for _, happening in history_by_event(match, automatic=automatic)]


def history_by_event(match: Match, *, automatic: bool = False) -> list[tuple[int, Happening]]:
    """The same, each with the number of the event (from 0, through the whole match) with which it was told."""
    told: list[tuple[int, Happening]] = []
    index = 0
    for number, record in enumerate(match.games, 1):
        if number > 1:
            told.append((index, happenings.new_game(number, record.start.score)))
        for entry in record.entries():
            told += [(index, happening) for happening in _of_entry(entry, match, automatic=automatic)]
            index += 1
    return told


def _of_entry(entry: Entry, match: Match, *, automatic: bool) -> Iterator[Happening]:
    if isinstance(entry.event, Action):
        is_play = entry.event.kind is ActionKind.PLAY
        forced = automatic and is_play and len(entry.before.legal_plays) == 1
        yield happenings.tell_action(entry.before, entry.event, entry.after, match.names, forced)
    elif (ruling := happenings.tell_ruling(entry.event, match.names)) is not None:
        yield ruling
    if entry.after.result is not None:
        score = entry.after.score.after(entry.after.result, match.settings)
        winner = score.match_winner(match.settings)
        yield from happenings.tell_end(entry.after, entry.after.result, score.points, match.names, winner)
