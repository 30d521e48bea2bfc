"""A session as each of its viewers knows it: the fold of the events that are for the viewer.

Pure. Mostly all know the same, and then all have the same value; an event that some may not know parts them for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from fullprime.play.events import LogEntry, Seat, is_in
from fullprime.play.evolve import evolve, fold
from fullprime.play.session import GameSession, SessionStep

Viewer: TypeAlias = Seat | None
"""The seat of a person; None is a spectator."""
VIEWERS: Final[tuple[Viewer, ...]] = ("both", "X", "O", None)
"""Everyone who may see a session."""
KnownSessions: TypeAlias = Mapping[Viewer, GameSession]
"""The session that each viewer knows."""


def know_log(session: GameSession, log: Sequence[LogEntry]) -> KnownSessions:
    """The sessions that viewers know; ``session`` is the fold of the whole log."""
    return {viewer: _fold_visible(session, log, viewer) for viewer in VIEWERS}


def know_step(known: KnownSessions, before: GameSession, step: SessionStep) -> KnownSessions:
    """The sessions that viewers know after a step; ``before`` is the whole session before it."""
    return {viewer: _evolve_visible(session, before, step, viewer) for viewer, session in known.items()}


def _fold_visible(session: GameSession, log: Sequence[LogEntry], viewer: Viewer) -> GameSession:
    visible = [entry for entry in log if is_in(viewer, entry.event.audience)]
    if len(visible) == len(log):
        return session
    return fold(replace(entry, sequence=number) for number, entry in enumerate(visible, 1))


def _evolve_visible(session: GameSession, before: GameSession, step: SessionStep, viewer: Viewer) -> GameSession:
    if not is_in(viewer, step.entry.event.audience):
        return session
    if session is before:
        return step.after
    return evolve(session, replace(step.entry, sequence=session.sequence + 1))
