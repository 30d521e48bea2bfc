"""The learner of a request: an account by its browser, the user of this machine, or a guest by a browser's secret.

A browser on the machine of a server that was started for its own user has the cards, the puzzles and the trainers of
the terminal, as it has its library. The first drill that a learner does after signing in, or at this machine, takes
over what the same browser did before as a guest.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Response
from starlette.concurrency import run_in_threadpool

from fullprime.common.refusals import Refusal
from fullprime.learn.learners import GUEST, HERE, LearnerId, Learners, key_of, new_secret
from fullprime.messages import Message
from fullprime.web.addresses import client_key
from fullprime.web.rate_limits import RequestRate, TokenBuckets
from fullprime.web.routes.callers import MaybeCaller, refuse_token
from fullprime.web.routes.cookies import SecretCookie
from fullprime.web.routes.local_user import is_local_user

LEARNER_COOKIE = "fullprime_learner"
KNOWN_GUEST = SecretCookie(LEARNER_COOKIE, 400 * 24 * 3600, GUEST)
NEW_GUESTS = RequestRate(40, 0.02)
"""New guests of one address whose drills are stored: at once, and a second after that."""


class GuestThrottle:
    """The rate limit of new guests, by address."""

    def __init__(self) -> None:
        self._buckets = TokenBuckets(NEW_GUESTS)

    def count_new_guest(self, address: str) -> None:
        """Count a new guest; raises Refusal ("busy") when too many come from one address."""
        if not self._buckets.take(address):
            raise Refusal(Message("too many new guests from your address: sign in, or come back later"), "busy")


async def _learner_of(request: Request, response: Response, caller: MaybeCaller) -> LearnerId:
    """The learner that asks; a guest of whom nothing is stored has no number yet."""
    secret = KNOWN_GUEST.read(request)
    refuse_token(caller)
    here = is_local_user(request)
    if caller is None and not here:
        return LearnerId(key=key_of(secret)) if secret else LearnerId()
    learner_id = LearnerId(key=HERE) if here or caller is None else LearnerId(account=caller.account.id)
    if secret:
        learners: Learners = request.app.state.learners
        await run_in_threadpool(learners.adopt, secret, learner_id)
        KNOWN_GUEST.delete(request, response)
    return learner_id


Learner = Annotated[LearnerId, Depends(_learner_of)]
"""A learner whose request only reads."""


async def _storing_learner_of(request: Request, response: Response, learner_id: Learner) -> LearnerId:
    """The learner that asks; a new guest is given a secret."""
    if learner_id != LearnerId():
        return learner_id
    throttle: GuestThrottle = request.app.state.guest_throttle
    throttle.count_new_guest(client_key(request.scope))
    secret = new_secret()
    KNOWN_GUEST.set(request, response, secret)
    return LearnerId(key=key_of(secret))


StoringLearner = Annotated[LearnerId, Depends(_storing_learner_of)]
"""A learner whose drill is stored."""
