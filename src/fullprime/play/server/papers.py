"""What can be had of a session as a whole: its record as a file, its score card, and the proof of its dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fullprime.common.refusals import Refusal
from fullprime.play.events import LogEntry
from fullprime.play.options.houses import HOUSE_TAG
from fullprime.play.proof import LinkedThrow, linked_throws
from fullprime.play.rulings import as_played
from fullprime.play.server.facts import chains_begun
from fullprime.play.server.fields import DiceProof, ProvedThrow
from fullprime.play.session import GameSession
from fullprime.play.table.events import SIDES
from fullprime.play.table.scorecard import ScoreCard, empty_card, score_card
from fullprime.rules.links import FORMULA, LENGTH
from fullprime.rules.record import Match
from fullprime.rules.score import Player


def match_of(session: GameSession) -> Match:
    """The match as it was played, without the actions taken back; raises Refusal before the game has begun."""
    if session.game is None:
        raise Refusal("the game has not begun", "missing")
    return as_played(session.match)


def card_of(session: GameSession) -> ScoreCard:
    """The score card; before the game has begun one that can be filled in by hand."""
    if session.game is not None:
        return score_card(match_of(session))
    names = session.names
    return empty_card(session.terms.settings, (names[0], "" if session.is_seat_free else names[1]))


def record_of(session: GameSession, name: str = "mat") -> tuple[bytes, str]:
    """The match so far as a file of the format of that name, and the name of the file.

    Raises Refusal before the game has begun, FormatError for a format that cannot carry it.
    """
    from fullprime.formats import FORMATS, Document, write

    match, house = match_of(session), session.terms.house
    if house:
        match = replace(match, info={**match.info, HOUSE_TAG: house})
    data, _ = write(Document(match), name)
    known = FORMATS.get(name)
    extension = known.extensions[0] if known is not None and known.extensions else f".{name}"
    return data, f"fullprime-{session.session_id}{extension}"


def proof_of(session: GameSession, log: Iterable[LogEntry], secret: str) -> DiceProof:
    """The proof of the dice: the secret is None until the session is over; links are told with each throw."""
    throws = list(linked_throws(log, secret)) if session.game is not None else []
    is_over = session.is_over
    return {
        "formula": FORMULA,
        "commitment": session.chains[0].anchor,
        "seeds": {SIDES[side]: session.links.seeds.get(side, "") for side in Player},
        "secret": secret if is_over else None,
        "throws": [list(throw.dice) for throw in throws] if is_over else None,
        "drawn": [2 * throw.number - 2 for throw in throws] if is_over else None,
        "links": {
            "game": session.session_id,
            "names": list(session.names),
            "seats": list(session.seats),
            "length": LENGTH,
            "givers": [SIDES[giver] for giver in session.givers],
            "chains": chains_begun(session.chains),
            "throws": [_proved_throw(throw) for throw in throws],
        },
    }


def _proved_throw(throw: LinkedThrow) -> ProvedThrow:
    return {
        "number": throw.number,
        "by": throw.by,
        "server": throw.server,
        "x": throw.parts[0],
        "o": throw.parts[1],
        "links": [SIDES[side] for side in throw.links],
        "without": [SIDES[side] for side in throw.without],
        "dice": list(throw.dice),
    }
