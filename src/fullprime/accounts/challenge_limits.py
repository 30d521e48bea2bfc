"""Limits of challenges: how many may stand at one time, of one account and from one address, and for how long."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta

from fullprime.accounts.pairing import KEPT_SLOW_OF_GUEST
from fullprime.accounts.store.challenges import Challenge, ChallengeCounts, ChallengeStore
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.rules.errors import SettingsError

MOST = 500
"""The most open challenges at one time."""
MOST_OF_GUESTS = 300
"""The most of these that guests may make, so that some are left to accounts."""
MOST_OWN = 10
"""Challenges of one account at one time."""
MOST_OF_ADDRESS = 30
"""Challenges from one address at one time, of guests and accounts, open ones and those to an account."""
MOST_OF_GUESTS_OF_ADDRESS = 10
"""The most of these that guests may make."""
MOST_OF_GUESTS_OF_SITE = 40
"""The most of these from one site of IPv6, whose owner has 65,536 networks that count as addresses."""
MOST_TO_ONE = 50
"""Challenges to one account at one time."""
USUAL_MINUTES = 30
"""The minutes for which a challenge stands that names no time. home/lobby.html offers the same."""
MOST_MINUTES = 7 * 24 * 60
"""The longest time for which the challenge of an account stands. Seeks: ``accounts.pairing``; games opened by a
link: ``play.server.upkeep.UNBEGUN``.
"""
MOST_MINUTES_OF_GUEST = KEPT_SLOW_OF_GUEST // timedelta(minutes=1)
"""The longest time for which the challenge of a guest stands, because only an open page keeps a guest waiting."""


def check_minutes(minutes: int, *, is_guest: bool) -> None:
    """Check the lifetime of a challenge in minutes; raises SettingsError."""
    if is_guest and not 1 <= minutes <= MOST_MINUTES_OF_GUEST:
        raise SettingsError(
            Message(
                "a guest's challenge stands for 1 to {minutes} minutes: sign in for one of up to a week",
                minutes=MOST_MINUTES_OF_GUEST,
            )
        )
    if not 1 <= minutes <= MOST_MINUTES:
        raise SettingsError(Message("a challenge stands for 1 minute to {minutes} (a week)", minutes=MOST_MINUTES))


@dataclass(frozen=True, slots=True)
class ChallengeRequest:
    """A challenge that is to be added: its maker (None for a guest), and whether it is meant for one account."""

    creator: int | None
    target: int | None

    def check(self, counts: ChallengeCounts) -> None:
        """Check that one more challenge is allowed beside the open ones; raises Refusal ("busy")."""
        if self.creator is not None and counts.of_creator >= MOST_OWN:
            raise Refusal(Message("you have {count} challenges already: withdraw one first", count=MOST_OWN), "busy")
        if counts.of_address >= MOST_OF_ADDRESS:
            raise Refusal(
                Message("there are {count} challenges from your address: withdraw one first", count=MOST_OF_ADDRESS),
                "busy",
            )
        if self.creator is None and counts.of_guests_of_address >= MOST_OF_GUESTS_OF_ADDRESS:
            count = MOST_OF_GUESTS_OF_ADDRESS
            raise Refusal(
                Message(
                    "there are {count} challenges of guests from your address: withdraw one first, or sign in",
                    count=count,
                ),
                "busy",
            )
        if self.creator is None and counts.of_guests_of_site >= MOST_OF_GUESTS_OF_SITE:
            count = MOST_OF_GUESTS_OF_SITE
            raise Refusal(
                Message(
                    "there are {count} challenges of guests from your network: wait a little, or sign in", count=count
                ),
                "busy",
            )
        if self.target is not None:
            if counts.to_target >= MOST_TO_ONE:
                raise Refusal(Message("this account has too many challenges at the moment"), "busy")
            return
        if counts.public >= MOST:
            raise Refusal(Message("there are too many challenges at the moment"), "busy")
        if self.creator is None and counts.public_of_guests >= MOST_OF_GUESTS:
            raise Refusal(Message("there are too many challenges of guests at the moment: sign in to make one"), "busy")


# -- for the operator -----------------------------------------------------------------------------------------------
def list_challenges(url: str | None, most: int) -> list[Challenge]:
    """List all open challenges of a database, the latest first, also those to single accounts."""
    with closing(ChallengeStore(url)) as store:
        return store.list_latest(most)


def remove_challenges(
    url: str | None, *, names: tuple[str, ...] = (), addresses: tuple[str, ...] = (), guests: bool = False
) -> int:
    """End challenges: those of these ids, from these addresses, and of guests; gives their number.

    The server removes their sessions when it sweeps for challenges that have expired.
    """
    with closing(ChallengeStore(url)) as store:
        return store.expire(names, addresses, guests=guests)
