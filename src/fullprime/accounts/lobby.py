"""The lobby: open challenges and those to one account, and the news of their acceptance.

A challenge is a session that waits for its second player; the player who accepts it takes the free seat. The session
exists from the beginning, so that the creator can wait in it and give its link away as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from fullprime.accounts.challenge_limits import USUAL_MINUTES, ChallengeRequest, check_minutes
from fullprime.accounts.model import (
    AccountGame,
    AccountMessage,
    ChallengeMessage,
    GameMessage,
    LobbyMessage,
    MyChallenges,
    OwnChallenge,
)
from fullprime.accounts.notifications import Notifications
from fullprime.accounts.pairing import Pool
from fullprime.accounts.ratings import RatingService, rating_kind, to_seated_game, why_not_rated
from fullprime.accounts.service import Accounts
from fullprime.accounts.store.accounts import Account
from fullprime.accounts.store.challenges import Challenge, ChallengeStore, ChallengeTerms
from fullprime.accounts.store.games import Played
from fullprime.common.json_values import to_json
from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.messages import Message
from fullprime.play.commands import ClosingWay
from fullprime.play.events import Seat
from fullprime.play.keys import new_id
from fullprime.play.naming import EXPECTED, seat_name
from fullprime.play.options.houses import under_its_name
from fullprime.play.options.rulebook import describe_length
from fullprime.play.server import pubsub
from fullprime.play.server.agreement import BOT, FRIEND
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.play.table.table_events import SIDES
from fullprime.rules.errors import FullprimeError, SettingsError
from fullprime.rules.score import Settings

MOST_ABORTED = 3
"""The most rated matches that an account may abort within a day."""
_LISTED = 100


class Lobby:
    """The challenges of one database; ``topics`` carries the messages about them."""

    def __init__(
        self,
        game_server: GameServer,
        people: Accounts,
        rating_service: RatingService,
        notifications: Notifications | None = None,
    ) -> None:
        self.topics = pubsub.PubSub(people.engine)
        self._notifications = notifications
        self.people = self._people = people
        self._game_server, self._rating_service = game_server, rating_service
        self._challenges = ChallengeStore(people.engine)

    def close(self) -> None:
        """Send the messages that wait, and close."""
        self.topics.close()

    # -- making and taking away ---------------------------------------------------------------------------
    def challenge(
        self,
        creator: Account | None,
        *,
        name: str,
        target: Account | None = None,
        rated: bool = False,
        minutes: int = USUAL_MINUTES,
        address: str | None = None,
        pool: Pool | None = None,
        **options: Any,
    ) -> tuple[OwnChallenge, str, str]:
        """A new challenge, with the key of the creator's seat and the invitation for a link.

        ``options`` are the arguments of :meth:`GameServer.create`, ``address`` is that of the creator, if addresses are
        counted. In a ``pool`` the challenge is not listed, and stands as long as the pool says. Raises SettingsError,
        and Refusal where it is not allowed.
        """
        check_minutes(minutes, is_guest=creator is None)
        self._may_challenge(creator, target, rated=rated)
        ids = None if creator is None else creator.id, None if target is None else target.id
        self.delete_expired()
        ChallengeRequest(*ids).check(self._challenges.count(*ids, address))
        name = self.check_name(creator, name)
        options = {field: value for field, value in options.items() if value is not None}
        other = EXPECTED if target is None else target.name
        other = other if other != name else "Opponent"
        handle, key, invitation = self._game_server.create(
            opponent=FRIEND, name=name, other_name=other, rated=rated, account=creator is not None, **options
        )
        settings = handle.session.terms.settings
        if rated:
            self._check_rated(handle, options)
        assert invitation is not None
        if creator is not None:
            self._rating_service.played.add_seat(to_seated_game(handle.session), "X", creator.id, rated=rated)
        at = utc_now()
        lifetime = timedelta(minutes=minutes) if pool is None else pool.lifetime(is_guest=creator is None)
        challenge = Challenge(
            id=new_id(10),
            session_id=handle.id,
            invitation=invitation,
            creator=ids[0],
            target=ids[1],
            name=name,
            rated=rated,
            created=at,
            expires=at + lifetime,
            terms=self._terms(creator, target, settings, handle, options),
            address=address,
            pool=None if pool is None else pool.name,
        )
        try:
            self._challenges.add(challenge, ChallengeRequest(*ids).check)
        except Refusal:
            self._game_server.delete_waiting(handle.id)
            raise
        self._announce(challenge)
        return OwnChallenge(challenge), key, invitation

    def _check_rated(self, handle: SessionHandle, options: dict[str, Any]) -> None:
        """Forget a session whose match cannot count for the rating; raises SettingsError for it."""
        why = why_not_rated(handle.session.terms.settings, options.get("position"), options.get("clock"))
        if why is not None:
            self._game_server.delete_waiting(handle.id)
            raise SettingsError(why)

    def check_name(self, account: Account | None, name: str) -> str:
        """The name at the board: that of the account, or the one that a guest gives; raises Refusal, SettingsError."""
        if account is not None:
            return account.name
        self._people.check_guest_name(name)
        return seat_name(name)

    def _announce(self, challenge: Challenge) -> None:
        """Tell the account that is challenged, or the lobby."""
        if challenge.target is None:
            if challenge.pool is None:
                self.topics.publish(pubsub.LOBBY, {"type": "changed"})
            return
        self._tell_account(challenge.target, ChallengeMessage("challenge", challenge))
        if self._notifications is not None:
            self._notifications.notify_challenged(challenge.target, challenge)

    def _tell_account(self, account: int, message: AccountMessage) -> None:
        self.topics.publish(pubsub.account_topic(account), to_json(message))

    def _may_challenge(self, creator: Account | None, target: Account | None, *, rated: bool) -> None:
        """Raise SettingsError or Refusal for a challenge that is not allowed."""
        if rated and creator is None:
            raise Refusal(Message("rated matches are between two accounts: sign in first"), "unknown")
        if creator is not None and target is not None and target.id == creator.id:
            raise SettingsError(Message("you cannot challenge yourself: play with somebody at your screen instead"))
        if rated and creator is not None and target is not None:
            self._rating_service.check_may_rate(creator.id, target.id)

    def accept(self, name: str, account: Account | None, guest: str) -> tuple[SessionHandle, str]:
        """Take the free seat; gives the session and the key of the seat. Raises Refusal where this is not allowed."""
        challenge = self._one(name)
        if challenge.pool is not None:
            raise Refusal(Message("this one waits to be paired: look for an opponent at that length"), "forbidden")
        self._can_count(self._rating_service.played.find(challenge.session_id))
        if challenge.target is not None and (account is None or account.id != challenge.target):
            raise Refusal(Message("this challenge is meant for somebody else"), "forbidden")
        if account is not None and account.id == challenge.creator:
            raise Refusal(Message("this is your own challenge"), "forbidden")
        if challenge.rated and account is None:
            raise Refusal(Message("rated matches are between two accounts: sign in first"), "unknown")
        if challenge.rated and account is not None:
            self._rating_service.check_may_rate(challenge.creator, account.id)
        if account is None:
            self._people.check_guest_name(guest)
        try:
            if account is None:
                return self.take_seat(challenge, None, guest)
            return self.take_seat(challenge, account.id, account.name)
        except Refusal as error:
            self._gone(challenge)
            raise Refusal(Message("somebody else has accepted this challenge"), "stale") from error

    def take_seat(self, challenge: Challenge, account: int | None, name: str) -> tuple[SessionHandle, str]:
        """Sit down at the board of a challenge; gives its handle and the key. Raises Refusal for a taken seat."""
        handle = self._game_server.get_handle(challenge.session_id)
        key = handle.join(challenge.invitation, name, account=account is not None)
        if account is not None:
            self._rating_service.played.add_seat(to_seated_game(handle.session), "O", account)
        self._gone(challenge)
        self._sat_down(handle)
        return handle, key

    def decline(self, name: str, account: Account) -> None:
        """Decline a challenge for the account that was challenged; raises Refusal."""
        challenge = self._one(name)
        if challenge.target != account.id:
            raise Refusal(Message("this challenge is not meant for you"), "forbidden")
        if not self._challenges.delete(challenge.id):
            return
        self._game_server.delete_waiting(challenge.session_id)
        if challenge.creator is not None:
            self._tell_account(challenge.creator, ChallengeMessage("challengeDeclined", challenge))

    def withdraw(self, name: str, account: Account | None, key: str | None) -> None:
        """Take a challenge back for its creator, known by the account or (a guest) by the key of the seat."""
        challenge = self._one(name)
        mine = account is not None and account.id == challenge.creator
        if not mine and (key is None or self._game_server.get_handle(challenge.session_id).seat_of(key) != "X"):
            raise Refusal(Message("this challenge is not yours"), "forbidden")
        self._gone(challenge)
        self._game_server.delete_waiting(challenge.session_id)

    def withdraw_all(self, account: Account) -> None:
        """Take back all challenges that an account has made, before it is forgotten."""
        for challenge in self._challenges.list_for_account(account.id):
            if challenge.creator == account.id:
                self.withdraw(challenge.id, account, None)

    def delete_expired(self) -> None:
        """Forget the challenges that have expired, and their sessions unless a guest has sat down by the link."""
        for session_id in self._challenges.delete_expired():
            self._game_server.delete_waiting(session_id)

    # -- games without a challenge ------------------------------------------------------------------------
    def create_session(self, account: Account | None, **options: Any) -> tuple[SessionHandle, str, str | None]:
        """Create a session by :meth:`GameServer.create`, in which the account (if any) sits under its name."""
        if account is None:
            with Refusal.about("name"):
                self._people.check_guest_name(options["name"])
        else:
            options["name"] = account.name
        if options.get("opponent") != BOT and options.get("other_name") is not None:
            with Refusal.about("other_name"):
                self._people.check_guest_name(options["other_name"])
        handle, key, invitation = self._game_server.create(**options, account=account is not None)
        if account is not None:
            self._rating_service.played.add_seat(to_seated_game(handle.session), "X", account.id)
        return handle, key, invitation

    def join(self, handle: SessionHandle, account: Account | None, invitation: str, name: str) -> str:
        """Sit down by an invitation; gives the key. The challenge that led to the session is over."""
        game = self._rating_service.played.find(handle.id)
        self._can_count(game)
        if account is None:
            if game is not None and game.rated:
                raise Refusal(Message("this match is rated, between two accounts: sign in first"), "unknown")
            self._people.check_guest_name(name)
        elif game is not None and game.sides(account.id):
            raise Refusal(Message("you sit at this table already"), "forbidden")
        elif game is not None and game.rated:
            self._rating_service.check_may_rate(game.accounts[0], account.id)
        key = _sit_down(handle, invitation, account, name)
        if account is None:
            self._rating_service.played.set_names(handle.id, handle.session.names)
        else:
            self._rating_service.played.add_seat(to_seated_game(handle.session), "O", account.id)
        for challenge in self._challenges.list_for_session(handle.id):
            self._gone(challenge)
        self._sat_down(handle)
        return key

    # -- the end of a game, and the next ------------------------------------------------------------------
    def close_game(self, handle: SessionHandle, seat: Seat | None, how: ClosingWay) -> None:
        """End a game that is not played out, as :meth:`SessionHandle.close`.

        Raises Refusal for too many aborted matches.
        """
        if not (how == "abort" and seat in SIDES and self._note_abort(handle, SIDES.index(seat))):
            handle.close(seat, how)
        else:
            try:
                handle.close(seat, how)
            except FullprimeError:
                self._rating_service.played.delete_abort(handle.id)
                raise
        if handle.session.game is None and handle.is_closed:
            for challenge in self._challenges.list_for_session(handle.id):
                self._gone(challenge)

    def _note_abort(self, handle: SessionHandle, side: int) -> bool:
        """Note that a match is about to be aborted, where that counts; raises Refusal for too many.

        A match that has not begun may be called off any number of times.
        """
        game = None if handle.session.game is None else self._rating_service.played.find(handle.id)
        account = None if game is None or not game.rated else game.accounts[side]
        if account is None:
            return False
        since = utc_now() - timedelta(days=1)
        if not self._rating_service.played.note_abort(handle.id, side, account, since, MOST_ABORTED):
            raise Refusal(
                Message("you have aborted {count} rated matches within a day: play, or leave", count=MOST_ABORTED),
                "busy",
            )
        return True

    def leave_game(self, account: Account, game: Played) -> None:
        """Leave a match for an account that is to be forgotten, which loses it, or calls it off before it has begun."""
        handle = self._game_server.get_handle(game.session_id)
        for side in game.sides(account.id):
            handle.close("X" if side == 0 else "O", "leave")
        if handle.session.game is None:
            self._rating_service.played.mark_unrated(game.session_id)
        self.settle(game.session_id)

    def offer_rematch(self, handle: SessionHandle, seat: Seat | None) -> str | None:
        """Offer a rematch; once both have, gives the new game, in which the accounts have the same seats.

        It is rated as the old one was, if both accounts still exist and it has a clock.
        """
        played = self._rating_service.played
        finished = played.find(handle.id)
        rated = finished is not None and finished.rated and None not in finished.accounts
        rated = rated and handle.session.terms.clock is not None
        if finished is not None and rated and handle.is_closed and handle.session.rematch is None:
            self._rating_service.check_may_rate(*finished.accounts)
        rematch = handle.offer_rematch(seat, rated=rated)
        if rematch is None or finished is None or played.find(rematch) is not None:
            return rematch
        new = self._game_server.get_handle(rematch)
        for side, account in zip(SIDES, finished.accounts, strict=True):
            if account is not None:
                played.add_seat(to_seated_game(new.session), side, account, rated=rated)
        self.announce_begin(new)
        return rematch

    # -- reading ------------------------------------------------------------------------------------------
    def list_open(self) -> tuple[Challenge, ...]:
        """The open challenges, the latest first."""
        return tuple(self._challenges.list_open(_LISTED))

    def build_message(self, gone: str | None = None) -> LobbyMessage:
        """The open challenges, as a message to the lobby; ``gone`` is the id of one that has ended."""
        return LobbyMessage(challenges=self.list_open(), gone=gone)

    def list_for_account(self, account: Account) -> MyChallenges:
        """Challenges meant for an account, and those it has made (with the id of their game)."""
        challenges = self._challenges.list_for_account(account.id)
        return MyChallenges(
            incoming=tuple(challenge for challenge in challenges if challenge.target == account.id),
            outgoing=tuple(OwnChallenge(challenge) for challenge in challenges if challenge.creator == account.id),
        )

    # -- games that begin and end -------------------------------------------------------------------------
    def _sat_down(self, handle: SessionHandle) -> None:
        """Announce that the second player has come to a session in which the first waits."""
        self.announce_begin(handle)
        if self._notifications is not None:
            self._notifications.notify_accepted(handle)

    def announce_begin(self, handle: SessionHandle) -> None:
        """Tell the accounts that sit there that their game can begin."""
        game = self._rating_service.played.find(handle.id)
        if game is not None:
            self._tell(game, over=False)

    def settle(self, session_id: str | None = None, account: Account | None = None) -> None:
        """Settle games that are over (see :meth:`RatingService.settle`), and send messages to their accounts."""
        for game in self._rating_service.settle(session_id, account):
            self._tell(game, over=True)

    def _tell(self, game: Played, *, over: bool) -> None:
        for side in (0, 1):
            account = game.accounts[side]
            if account is not None:
                message = GameMessage("gameFinish" if over else "gameStart", AccountGame.of(game, side))
                self._tell_account(account, message)

    # -- inside -------------------------------------------------------------------------------------------
    @staticmethod
    def _can_count(game: Played | None) -> None:
        """Raise Refusal for a seat at a rated match that cannot count, because the other account no longer exists."""
        if game is not None and game.rated and game.accounts == (None, None):
            raise Refusal(Message("this match is rated, and the account that offered it is gone"), "forbidden")

    def _one(self, name: str) -> Challenge:
        challenge = self._challenges.find(name)
        if challenge is None:
            raise Refusal(Message("this challenge has been accepted, withdrawn or forgotten"), "missing")
        return challenge

    def _gone(self, challenge: Challenge) -> None:
        if not self._challenges.delete(challenge.id) or challenge.pool is not None:
            return
        if challenge.target is None:
            self.topics.publish(pubsub.LOBBY, {"type": "changed", "gone": challenge.id})
            return
        self._tell_account(challenge.target, ChallengeMessage("challengeCanceled", challenge))

    def _terms(
        self,
        creator: Account | None,
        target: Account | None,
        settings: Settings,
        handle: SessionHandle,
        options: Mapping[str, Any],
    ) -> ChallengeTerms:
        rating = None
        if creator is not None:
            today = self._rating_service.find_rating(creator.id, rating_kind(settings.variant.name, settings.length))
            if today is not None:
                rating = round(today.rating), round(today.deviation)
        return ChallengeTerms(
            account=creator is not None,
            bot=creator is not None and creator.bot,
            target=None if target is None else target.name,
            variant=settings.variant.name,
            title=settings.variant.title,
            length=settings.length,
            played_for=under_its_name(options.get("house"), describe_length(settings)),
            clock=options.get("clock"),
            spectators=handle.session.terms.spectators,
            rating=rating,
        )


def _sit_down(handle: SessionHandle, invitation: str, account: Account | None, guest: str) -> str:
    return handle.join(invitation, guest if account is None else account.name, account=account is not None)
