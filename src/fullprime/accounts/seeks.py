"""Seeks: an opponent found by length, clock and rating, among people who look for one at the same time.

A seek is a challenge in a pool. It is taken by one claim in the database, so that of two people who seek at the same
time, in one process or in two, one sits down at the board of the other.
"""

from __future__ import annotations

from fullprime.accounts.lobby import Lobby
from fullprime.accounts.model import OwnChallenge, PoolNow, Seek
from fullprime.accounts.pairing import POOLS, UNRATED, VARIANT, Pool, Seeker, find_opponents, to_seeker
from fullprime.accounts.ratings import RatingService, rating_kind
from fullprime.accounts.store.accounts import Account
from fullprime.accounts.store.challenges import Challenge, ChallengeStore
from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.messages import Message
from fullprime.play.server.game_server import GameServer
from fullprime.rules.errors import SettingsError


class Seeks:
    """The seeks of one database. Methods may be called from any thread."""

    def __init__(self, lobby: Lobby, game_server: GameServer, rating_service: RatingService) -> None:
        self._lobby, self._game_server, self._rating_service = lobby, game_server, rating_service
        self._challenges = ChallengeStore(rating_service.engine)

    def list_pools(self) -> tuple[PoolNow, ...]:
        """Every pool, with the people who wait in it and the games of it that are played now."""
        waiting, playing = self._challenges.count_by_pool()
        return tuple(PoolNow(pool, waiting.get(name, 0), playing.get(name, 0)) for name, pool in POOLS.items())

    def seek(self, account: Account | None, pool: Pool, *, name: str, address: str | None = None) -> Seek:
        """Sit down opposite a person of that pool, or wait in it; the limits of challenges hold.

        An account waits in one live pool at a time. Raises Refusal and SettingsError as :meth:`Lobby.challenge`.
        """
        if account is not None and account.bot:
            raise Refusal(Message("pools are for people: a program makes a challenge"), "forbidden")
        name = self._lobby.check_name(account, name)
        if pool.rated and account is None:
            raise Refusal(Message("rated matches are between two accounts: sign in first"), "unknown")
        if account is not None:
            self._withdraw_of(account, pool)
        seek = self._find(self._seeker(account, pool, name), pool, None)
        if seek is not None:
            return seek
        own_challenge, key, _ = self._lobby.challenge(
            account, name=name, rated=pool.rated, address=address, pool=pool,
            variant=VARIANT, rules={"length": pool.length}, clock=pool.clock,
        )  # fmt: skip
        # A person who pressed at the same moment has not seen this seek, but is seen now.
        seek = self._find(to_seeker(own_challenge.challenge), pool, own_challenge.challenge)
        return seek or self._waiting(own_challenge.challenge, key)

    def renew(self, game: str, key: str | None) -> Seek:
        """Renew a seek, and look for an opponent again, because its band is wider now.

        Raises Refusal without the key of the seat, and for a seek that has lapsed.
        """
        handle = self._game_server.get_handle(game, key)
        if handle.seat_of(key) != "X":
            raise Refusal(Message("this challenge is not yours"), "forbidden")
        own_seek = next(iter(self._challenges.list_for_session(game)), None)
        pool = None if own_seek is None else POOLS.get(own_seek.pool or "")
        if own_seek is not None and pool is not None:
            self._challenges.extend(own_seek.id, utc_now() + pool.lifetime(is_guest=own_seek.creator is None))
            seek = self._find(to_seeker(own_seek), pool, own_seek)
            if seek is not None:
                return seek
            if self._challenges.find(own_seek.id) is not None:
                return self._waiting(own_seek, None)
        if handle.session.is_seat_free:
            raise Refusal(Message("this challenge has been accepted, withdrawn or forgotten"), "missing")
        return Seek(game=game, key=None, commitment=handle.commitment, waiting=None)

    # -- inside -------------------------------------------------------------------------------------------
    def _waiting(self, own_seek: Challenge, key: str | None) -> Seek:
        commitment = self._game_server.get_handle(own_seek.session_id).commitment
        return Seek(game=own_seek.session_id, key=key, commitment=commitment, waiting=OwnChallenge(own_seek))

    def _find(self, seeker: Seeker, pool: Pool, own_seek: Challenge | None) -> Seek | None:
        """Sit down at the board of the nearest opponent who waits; None without one, or if ``own_seek`` is taken."""
        waiting = self._challenges.list_for_pool(pool.name)
        for seek in find_opponents(seeker, waiting, pool, utc_now(), own_seek):
            if not self._may_play(seeker, seek):
                continue
            claimed = (seek.id,) if own_seek is None else (seek.id, own_seek.id)
            if not self._challenges.claim(claimed):
                continue
            try:
                handle, key = self._lobby.take_seat(seek, seeker.account, seeker.name)
            except (Refusal, SettingsError):  # the board is gone, or the names are too much alike
                if own_seek is not None:
                    self._challenges.add(own_seek)
                continue
            if own_seek is not None:
                self._game_server.delete_waiting(own_seek.session_id)
            return Seek(game=handle.id, key=key, commitment=handle.commitment, waiting=None)
        return None

    def _may_play(self, seeker: Seeker, seek: Challenge) -> bool:
        """True unless the two have played as many rated matches as they may."""
        if not seek.rated:
            return True
        try:
            self._rating_service.check_may_rate(seek.creator, seeker.account)
        except Refusal:
            return False
        return True

    def _seeker(self, account: Account | None, pool: Pool, name: str) -> Seeker:
        if account is None:
            return Seeker(None, name)
        rating = self._rating_service.find_rating(account.id, rating_kind(VARIANT, pool.length))
        return Seeker(account.id, account.name, UNRATED if rating is None else round(rating.rating))

    def _withdraw_of(self, account: Account, pool: Pool) -> None:
        """Take back the seek of an account in the same pool, and those in live pools: a player plays one at a time."""
        for challenge in self._challenges.list_for_account(account.id):
            is_own = challenge.creator == account.id and challenge.pool in POOLS
            if is_own and (challenge.pool == pool.name or not POOLS[str(challenge.pool)].is_slow):
                self._lobby.withdraw(challenge.id, account, None)
