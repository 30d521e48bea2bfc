"""Ratings of accounts, for each variant and class of match lengths, and the settling of games that are over."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

from fullprime.accounts.account_traces import AccountTraces
from fullprime.accounts.glicko import GlickoRating, age_rating, initial_rating, rate_by_glicko
from fullprime.accounts.model import RatingShown
from fullprime.accounts.service import Accounts
from fullprime.accounts.store.accounts import Account
from fullprime.accounts.store.games import Played, SeatedGame, SessionEnd
from fullprime.accounts.store.played import PlayedStore
from fullprime.accounts.store.ratings import Meetings, RatingLimits
from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.messages import Message, label
from fullprime.play.dice_counts import DiceCounts, dice_of_match
from fullprime.play.options.options import make_settings
from fullprime.play.server.view import way_of_end
from fullprime.play.session import GameSession
from fullprime.play.store import SessionStore
from fullprime.reviews.match_facts import facts_of
from fullprime.rules.errors import FullprimeError, RulesError
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import VARIANTS

CLASSES = {"single": (1, 1), "short": (2, 5), "medium": (6, 11), "long": (12, 10**6)}
"""Classes of match lengths with their shortest and longest: chance decides less in longer matches."""

CERTAIN = 110.0
"""With a larger deviation a rating is provisional."""
PLAYS = 10
"""The plays that each side must have made for a match to count for its winner, where no game was borne off."""
MOST_OF_PAIR = 10
"""Matches of two accounts, begun within a day, that change ratings."""
MOST_OVER_NEW = 10
"""Wins within a day over accounts that are not established by which a rating rises."""
DAYS, OPPONENTS = 7, 5
"""The days with matches, and the opponents, by which a player is established in any case."""
DAYS_WITH_KNOWN, KNOWN_OPPONENTS = 3, 3
"""The same against opponents whose ratings are not provisional."""
DAY = timedelta(days=1)


def length_class(length: int) -> str | None:
    """The class of a match to that many points; None for money."""
    return next((name for name, (least, most) in CLASSES.items() if least <= length <= most), None)


def rating_kind(variant: str, length: int) -> str:
    """The kind of a rating: ``backgammon:short``."""
    return f"{variant}:{length_class(length) or 'money'}"


def list_rating_kinds() -> list[str]:
    """Every kind of rating."""
    return [f"{variant}:{name}" for variant in VARIANTS for name in CLASSES]


def why_not_rated(settings: Settings, position: str | None, clock: str | None) -> Message | None:
    """The reason why such a match cannot be rated; None when it can. All rated matches have the same rules."""
    if not settings.length:
        return Message("money play is not rated: choose the length of a match")
    if position is not None:
        return Message("a match that begins with a position of your own is not rated")
    name = settings.variant.name
    if settings != make_settings(name, rules=(f"length={settings.length}",)):
        return Message("rated matches have the usual rules of {game}", game=label(settings.variant.title))
    if clock is None:
        return Message("a rated match has a clock: choose one, or days for each turn such as 3d")
    return None


# -- the numbers -----------------------------------------------------------------------------------------------------
def rate_rated_match(
    x: GlickoRating, o: GlickoRating, winner: int, at: datetime, gains: bool = True
) -> tuple[GlickoRating, GlickoRating]:
    """Compute both ratings after a rated match: an uncertain rating of an opponent moves the other one less.

    A winner who does not gain (``gains``) keeps the rating as it was.
    """
    before = (x, o)
    new = rate_by_glicko(x, o, winner, at)
    moved = [
        _interpolate(age_rating(mine, at), after, opponent_weight(age_rating(theirs, at).deviation))
        for mine, after, theirs in zip(before, new, reversed(before), strict=True)
    ]
    if not gains:
        moved[winner] = before[winner]
    return moved[0], moved[1]


def opponent_weight(deviation: float) -> float:
    """The weight of a result against an opponent by the deviation of that rating; 1 unless it is provisional."""
    return min(1.0, (CERTAIN / deviation) ** 2)


def _interpolate(old: GlickoRating, new: GlickoRating, weight: float) -> GlickoRating:
    return replace(
        new,
        rating=old.rating + weight * (new.rating - old.rating),
        deviation=old.deviation + weight * (new.deviation - old.deviation),
        volatility=old.volatility + weight * (new.volatility - old.volatility),
    )


def gives_standing(meetings: Meetings) -> bool:
    """True if these opponents and days make a player established, as the list of the best requires.

    Accounts that make each other certain must so play on for a week, while a newcomer among known players needs days.
    """
    in_any_case = meetings.days >= DAYS and meetings.opponents >= OPPONENTS
    with_known = meetings.days_with_known >= DAYS_WITH_KNOWN and meetings.known_opponents >= KNOWN_OPPONENTS
    return in_any_case or with_known


LIMITS = RatingLimits(
    of_pair=MOST_OF_PAIR, over_new=MOST_OVER_NEW, within=DAY, certain=CERTAIN, is_established=gives_standing
)
"""The limits of all rated matches."""


def is_provisional(rating: GlickoRating) -> bool:
    """True for a rating that the list of the best leaves out: it is uncertain, or its player is not established."""
    return rating.deviation > CERTAIN or rating.established is None


def show_rating(rating: GlickoRating) -> RatingShown:
    """A rating as people see it now: whole points, with its uncertainty (one standard deviation)."""
    today = age_rating(rating, utc_now())
    return RatingShown(
        rating=round(today.rating),
        deviation=round(today.deviation),
        provisional=is_provisional(today),
        matches=rating.matches,
    )


# -- the end of games ------------------------------------------------------------------------------------------------
class RatingService:
    """Settle games of people with accounts: store each result once, and change the ratings."""

    def __init__(self, people: Accounts, traces: AccountTraces | None = None) -> None:
        engine = self.engine = people.engine
        self._traces = traces if traces is not None else AccountTraces(engine)
        self.played = PlayedStore(engine)
        self._sessions = SessionStore(engine)

    def find_rating(self, account: int, kind: str) -> GlickoRating | None:
        """The rating of an account as it is today; None where it has none of that kind."""
        stored = self.played.get_ratings(account).get(kind)
        return None if stored is None else age_rating(stored, utc_now())

    def check_may_rate(self, one: int | None, other: int | None) -> None:
        """Raise Refusal ("busy") for two accounts that have played ``MOST_OF_PAIR`` rated matches within a day."""
        if one is None or other is None or one == other:
            return
        if self.played.count_rated_pair_matches((one, other), utc_now() - DAY) >= MOST_OF_PAIR:
            words = Message(
                "you two have begun {count} rated matches within a day: play an unrated one, or wait until tomorrow",
                count=MOST_OF_PAIR,
            )
            raise Refusal(words, "busy")

    def settle(self, session_id: str | None = None, account: Account | None = None) -> list[Played]:
        """Store the results of games that are over (of one session or account, or all); gives those stored just now.

        It may be called any number of times, from any process, because a match counts once.
        """
        settled = []
        for name in self.played.list_unsettled(session_id, None if account is None else account.id):
            stored = self._sessions.load(name)
            session, settings = stored.session, stored.session.terms.settings
            end = to_session_end(session, stored.log[-1].at)
            kind = rating_kind(settings.variant.name, settings.length)
            finished = self.played.finish(name, end, kind, initial_rating(end.at), rate_rated_match, LIMITS)
            if finished is not None:
                self._traces.flag_if_shared(finished)
                settled.append(finished)
        return settled


def was_contested(match: Match) -> bool:
    """True if a game was borne off, or each side has made ``PLAYS`` plays in the match.

    A match that is left, resigned or won by drops earlier costs its loser rating but brings its winner none. Otherwise
    it would pay to make accounts that lose at once.
    """
    plays: Counter[Player | None] = Counter()
    for record in match.games:
        result = record.start.result
        for entry in record.entries():
            plays[entry.player] += isinstance(entry.event, Action) and entry.event.kind is ActionKind.PLAY
            result = entry.after.result
        if record.stated is None and result is not None and result.how == "bear-off":
            return True
    return min(plays[Player.X], plays[Player.O]) >= PLAYS


def to_session_end(session: GameSession, at: datetime) -> SessionEnd:
    """The result of a session in which nothing more is played; ``at`` is the time of its end."""
    match, score = session.match, session.score
    winner = score.match_winner(session.terms.settings)
    ending, ender = way_of_end(session)
    is_between_people = session.is_between_people
    is_set_up = session.terms.start is not None and not is_between_people
    try:
        facts: str | None = facts_of(match).hash
    except FullprimeError:
        facts = None
    return SessionEnd(
        points=(score.points[0], score.points[1]),
        winner=None if winner is None else int(winner),
        at=at,
        names=session.names,
        facts=facts,
        ending=ending if is_between_people else None,
        ended_by=None if ender is None else int(ender),
        helped=session.has_takeback or session.is_helped or is_set_up,
        dice=_dice_of(session),
        contested=was_contested(match),
    )


def _dice_of(session: GameSession) -> DiceCounts | None:
    """The counts of dice that the server threw; None for others, and for a record that cannot be followed."""
    if session.terms.dice != "links":
        return None
    try:
        return dice_of_match(session.match).match
    except RulesError:
        return None


def to_seated_game(session: GameSession) -> SeatedGame:
    """The facts of a session that are kept when an account sits down in it."""
    settings = session.terms.settings
    return SeatedGame(
        session_id=session.session_id,
        names=session.names,
        variant=settings.variant.name,
        length=settings.length,
        public=session.terms.spectators,
    )
