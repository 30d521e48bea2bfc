"""Documents of a whole session: its record, its plies, its score card, the proof and counts of its dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fullprime.common.refusals import Refusal
from fullprime.play.checks import NOT_BEGUN
from fullprime.play.dice_counts import MatchDice, dice_of_match
from fullprime.play.events import LogEntry
from fullprime.play.options.houses import HOUSE_TAG
from fullprime.play.plies import GamePlies, plies_of_match
from fullprime.play.proof import linked_throws
from fullprime.play.server.fields import DiceProof, LinkedProof
from fullprime.play.session import GameSession
from fullprime.play.table.scorecard import ScoreCard, empty_card, score_card
from fullprime.play.table.table_events import SIDES
from fullprime.rules.links import FORMULA, LENGTH
from fullprime.rules.record import Match
from fullprime.rules.score import Player


def match_of(session: GameSession) -> Match:
    """The match as it was played, without the actions taken back; raises Refusal before the game has begun."""
    if session.game is None:
        raise Refusal(NOT_BEGUN, "missing")
    return session.match


def card_of(session: GameSession) -> ScoreCard:
    """The score card; before the game has begun one that can be filled in by hand."""
    if session.game is not None:
        return score_card(match_of(session))
    names = session.names
    return empty_card(session.terms.settings, (names[0], "" if session.is_seat_free else names[1]))


def dice_of(session: GameSession) -> MatchDice:
    """The dice so far, counted beside what chance gives; those that were taken back come again and count once."""
    return dice_of_match(session.match)


def plies_of(session: GameSession) -> GamePlies:
    """Every ply so far with the board before it; none before the game has begun."""
    return plies_of_match(session.match)


def record_of(session: GameSession, name: str = "mat") -> tuple[bytes, str]:
    """The match so far as a file of the format of that name, and the name of the file.

    Raises Refusal before the game has begun, FormatError for a format that cannot carry it.
    """
    from fullprime.formats import Document, write_file

    match, house = match_of(session), session.terms.house
    if house:
        match = replace(match, info={**match.info, HOUSE_TAG: house})
    data, extension = write_file(Document(match), name)
    return data, f"fullprime-{session.session_id}{extension}"


def proof_of(session: GameSession, log: Iterable[LogEntry], secret: str) -> DiceProof:
    """The proof of the dice: the secret is None until the session is over; links are told with each throw."""
    throws = tuple(linked_throws(log, secret)) if session.game is not None else ()
    is_over = session.is_over
    return DiceProof(
        formula=FORMULA,
        commitment=session.chains[0].anchor,
        seeds={SIDES[side]: session.links.seeds.get(side, "") for side in Player},
        secret=secret if is_over else None,
        throws=tuple(throw.dice for throw in throws) if is_over else None,
        drawn=tuple(2 * throw.number - 2 for throw in throws) if is_over else None,
        links=LinkedProof(
            game=session.session_id,
            names=session.names,
            seats=session.seats,
            length=LENGTH,
            givers=tuple(session.givers),
            chains=session.chains,
            throws=throws,
        ),
    )
