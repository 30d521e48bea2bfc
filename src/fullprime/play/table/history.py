"""The events of a match so far, in words."""

from __future__ import annotations

from collections.abc import Iterator

from fullprime.play.table import event_texts
from fullprime.play.table.table_events import Event
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import Entry, Match


def history(match: Match, *, automatic: bool = False) -> list[Event]:
    """The events of a match so far, in words; with ``automatic`` forced plays were made by themselves."""
    return [event for _, event in history_by_event(match, automatic=automatic)]


def history_by_event(match: Match, *, automatic: bool = False) -> list[tuple[int, Event]]:
    """The same, each with the number of the event in the whole match, from 0, that led to it."""
    lines: list[tuple[int, Event]] = []
    index = 0
    for number, record in enumerate(match.games, 1):
        if number > 1:
            lines.append((index, event_texts.new_game_event(number, record.start.score)))
        for entry in record.entries():
            lines += [(index, event) for event in _events_of_entry(entry, match, automatic=automatic)]
            index += 1
    return lines


def _events_of_entry(entry: Entry, match: Match, *, automatic: bool) -> Iterator[Event]:
    if isinstance(entry.event, Action):
        is_play = entry.event.kind is ActionKind.PLAY
        forced = automatic and is_play and len(entry.before.legal_plays) == 1
        yield event_texts.render_action(entry.before, entry.event, entry.after, match.names, forced)
    elif (ruling := event_texts.render_ruling(entry.event, match.names)) is not None:
        yield ruling
    if entry.after.result is not None:
        score = entry.after.score.after(entry.after.result, match.settings)
        winner = score.match_winner(match.settings)
        yield from event_texts.render_end(entry.after, entry.after.result, score.points, match.names, winner)
