"""Who drills: an account by its browser, the user of this machine, or a browser without an account by its secret.

A browser on the machine of a server that was started for its own user drills with the cards, the puzzles and the
trainers of the terminal, as its library is that of the terminal. The first drill that somebody does while signed in, or
at this machine, takes over what the same browser did before as a guest.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Response
from starlette.concurrency import run_in_threadpool

from fullprime.common.refusals import Refusal
from fullprime.learn.learners import GUEST, HERE, Learners, Who, key_of, new_secret
from fullprime.web.addresses import whom
from fullprime.web.guard import Buckets, RequestRate
from fullprime.web.routes.callers import MaybeCaller
from fullprime.web.routes.cookies import SecretCookie
from fullprime.web.routes.own_machine import at_this_machine

LEARNER_COOKIE = "fullprime_learner"
KNOWN_GUEST = SecretCookie(LEARNER_COOKIE, 400 * 24 * 3600, GUEST)
NEW_GUESTS = RequestRate(40, 0.02)
"""Guests of one address whose drills are stored: at once, and a second after that."""


class Guests:
    """The guests that come from one address, counted."""

    def __init__(self) -> None:
        self._buckets = Buckets(NEW_GUESTS)

    def welcome(self, address: str) -> None:
        """Raise Refusal ("busy") when too many new ones come from one address."""
        if not self._buckets.take(address):
            raise Refusal("too many new guests from your address: sign in, or come back later", "busy")


async def _who(request: Request, response: Response, caller: MaybeCaller) -> Who:
    """Who asks; a guest of whom nothing is stored is nobody yet."""
    secret = KNOWN_GUEST.read(request)
    if caller is not None and caller.session is None:
        raise Refusal("a token does not open this: sign in with a browser", "forbidden")
    here = at_this_machine(request)
    if caller is None and not here:
        return Who(key=key_of(secret)) if secret else Who()
    who = Who(key=HERE) if here or caller is None else Who(account=caller.account.id)
    if secret:
        learners: Learners = request.app.state.learners
        await run_in_threadpool(learners.adopt, secret, who)
        KNOWN_GUEST.drop(request, response)
    return who


Learner = Annotated[Who, Depends(_who)]
"""Somebody who reads."""


async def _storing(request: Request, response: Response, who: Learner) -> Who:
    """Who asks, a new guest being given a secret."""
    if who != Who():
        return who
    guests: Guests = request.app.state.guests
    guests.welcome(whom(request.scope))
    secret = new_secret()
    KNOWN_GUEST.give(request, response, secret)
    return Who(key=key_of(secret))


StoringLearner = Annotated[Who, Depends(_storing)]
"""Somebody whose drill is stored."""
