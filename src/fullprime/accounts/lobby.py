"""The lobby: challenges to everybody or to one account, and the news of their acceptance.

A challenge is a room that waits for its second player; the player who accepts it takes the free seat. The room exists
from the beginning, so that the creator can wait in it and give its link to somebody as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from fullprime.accounts.challenge_limits import Newcomer, check_minutes
from fullprime.accounts.fields import (
    AccountGame,
    ChallengeMessage,
    GameMessage,
    LobbyMessage,
    MyChallenges,
    OpenChallenge,
    OwnChallenge,
)
from fullprime.accounts.pushes import Pushes
from fullprime.accounts.ratings import Results, aged, kind_of, seated_game, why_not_rated
from fullprime.accounts.service import People
from fullprime.accounts.store.accounts import Account
from fullprime.accounts.store.challenges import Challenge, ChallengeFacts, ChallengeStore
from fullprime.accounts.store.played import Played
from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.messages import Message
from fullprime.play.commands import ClosingWay
from fullprime.play.events import Seat
from fullprime.play.options.houses import under_its_name
from fullprime.play.options.rulebook import in_short
from fullprime.play.server import news
from fullprime.play.server.keys import new_id
from fullprime.play.server.rooms import BOT, FRIEND, Room, Rooms
from fullprime.play.table.events import SIDES
from fullprime.play.table.naming import seat_name
from fullprime.rules.errors import FullprimeError, SettingsError
from fullprime.rules.score import Settings

MOST_ABORTED = 3
"""Rated matches that an account aborts within a day."""
_LISTED = 100


class Lobby:
    """The challenges of one database; ``news`` tells the listeners."""

    def __init__(self, rooms: Rooms, people: People, results: Results, pushes: Pushes | None = None) -> None:
        self.news = news.Newsroom(people.engine)
        self._pushes = pushes
        self.people = self._people = people
        self._rooms, self._results = rooms, results
        self._challenges = ChallengeStore(people.engine)

    def close(self) -> None:
        """Tell nothing more."""
        self.news.close()

    # -- making and taking away ---------------------------------------------------------------------------
    def challenge(
        self,
        creator: Account | None,
        *,
        name: str,
        target: Account | None = None,
        rated: bool = False,
        minutes: int = 30,
        address: str | None = None,
        **asked: Any,
    ) -> tuple[OwnChallenge, str, str]:
        """A new challenge, as JSON values, with the key of the creator's seat and the invitation for a link.

        ``asked`` are the arguments of :meth:`Rooms.create`, ``address`` is where it comes from, if that is counted.
        Raises SettingsError; Refusal where it is not allowed.
        """
        check_minutes(minutes, is_guest=creator is None)
        self._may_challenge(creator, target, rated=rated)
        ids = None if creator is None else creator.id, None if target is None else target.id
        self.sweep()
        Newcomer(*ids).check(self._challenges.count(*ids, address))
        if creator is None:
            self._people.free_for_guests(name)
        name = seat_name(name) if creator is None else creator.name
        asked = {field: value for field, value in asked.items() if value is not None}
        other = "Friend" if target is None else target.name
        other = other if other != name else "Opponent"
        room, key, invitation = self._rooms.create(
            opponent=FRIEND, name=name, other_name=other, rated=rated, account=creator is not None, **asked
        )
        settings = room.session.terms.settings
        why = why_not_rated(settings, asked.get("position"), asked.get("clock")) if rated else None
        if why is not None:
            self._rooms.forget(room.id)
            raise SettingsError(why)
        assert invitation is not None
        if creator is not None:
            self._results.played.sit(seated_game(room.session), "X", creator.id, rated=rated)
        at = utc_now()
        made = Challenge(
            id=new_id(10),
            room=room.id,
            invitation=invitation,
            creator=ids[0],
            target=ids[1],
            name=name,
            rated=rated,
            created=at,
            expires=at + timedelta(minutes=minutes),
            facts=self._facts(creator, target, settings, room, asked),
            address=address,
        )
        try:
            self._challenges.add(made, Newcomer(*ids).check)
        except Refusal:
            self._rooms.forget(room.id)
            raise
        self._announce(made)
        return own_challenge_json(made), key, invitation

    def _announce(self, challenge: Challenge) -> None:
        """Tell the account that is challenged, or the lobby."""
        if challenge.target is None:
            self.news.tell(news.LOBBY, {"type": "changed"})
            return
        message: ChallengeMessage = {"type": "challenge", "challenge": challenge_json(challenge)}
        self.news.tell(news.of_account(challenge.target), message)
        if self._pushes is not None:
            self._pushes.challenged(challenge.target, message["challenge"])

    def _may_challenge(self, creator: Account | None, target: Account | None, *, rated: bool) -> None:
        """Refuse a challenge that is not allowed: raises SettingsError or Refusal."""
        if rated and creator is None:
            raise Refusal(Message("rated matches are between two accounts: sign in first"), "unknown")
        if creator is not None and target is not None and target.id == creator.id:
            raise SettingsError(Message("you cannot challenge yourself: play with somebody at your screen instead"))
        if rated and creator is not None and target is not None:
            self._results.may_rate(creator.id, target.id)

    def accept(self, name: str, account: Account | None, guest: str) -> tuple[Room, str]:
        """Take the free seat; gives the room and the key of the seat. Raises Refusal where this is not allowed."""
        challenge = self._one(name)
        self._can_count(self._results.played.one(challenge.room))
        if challenge.target is not None and (account is None or account.id != challenge.target):
            raise Refusal(Message("this challenge is meant for somebody else"), "forbidden")
        if account is not None and account.id == challenge.creator:
            raise Refusal(Message("this is your own challenge"), "forbidden")
        if challenge.rated and account is None:
            raise Refusal(Message("rated matches are between two accounts: sign in first"), "unknown")
        if challenge.rated and account is not None:
            self._results.may_rate(challenge.creator, account.id)
        if account is None:
            self._people.free_for_guests(guest)
        room = self._rooms.room(challenge.room)
        try:
            key = room.join(
                challenge.invitation, guest if account is None else account.name, account=account is not None
            )
        except Refusal as error:
            self._gone(challenge)
            raise Refusal(Message("somebody else has accepted this challenge"), "stale") from error
        if account is not None:
            self._results.played.sit(seated_game(room.session), "O", account.id)
        self._gone(challenge)
        self._sat_down(room)
        return room, key

    def decline(self, name: str, account: Account) -> None:
        """The challenged account does not want to play; raises Refusal."""
        challenge = self._one(name)
        if challenge.target != account.id:
            raise Refusal(Message("this challenge is not meant for you"), "forbidden")
        if not self._challenges.remove(challenge.id):
            return
        self._rooms.forget(challenge.room)
        if challenge.creator is not None:
            told: ChallengeMessage = {"type": "challengeDeclined", "challenge": challenge_json(challenge)}
            self.news.tell(news.of_account(challenge.creator), told)

    def withdraw(self, name: str, account: Account | None, key: str | None) -> None:
        """The creator takes a challenge back: by the account, or (a guest) by the key of the seat."""
        challenge = self._one(name)
        mine = account is not None and account.id == challenge.creator
        if not mine and (key is None or self._rooms.room(challenge.room).seat_of(key) != "X"):
            raise Refusal(Message("this challenge is not yours"), "forbidden")
        self._gone(challenge)
        self._rooms.forget(challenge.room)

    def withdraw_all(self, account: Account) -> None:
        """Take back all challenges that an account has made: it is to be forgotten."""
        for challenge in self._challenges.of_account(account.id):
            if challenge.creator == account.id:
                self.withdraw(challenge.id, account, None)

    def sweep(self) -> None:
        """Forget the challenges that have expired, and their rooms unless somebody has sat down by the link."""
        for room in self._challenges.forget_expired():
            self._rooms.forget(room)

    # -- games without a challenge ------------------------------------------------------------------------
    def create(self, account: Account | None, **asked: Any) -> tuple[Room, str, str | None]:
        """A new room as :meth:`Rooms.create` makes it, in which the account (if any) sits under its name."""
        if account is None:
            with Refusal.about("name"):
                self._people.free_for_guests(asked["name"])
        else:
            asked["name"] = account.name
        if asked.get("opponent") != BOT and asked.get("other_name") is not None:
            with Refusal.about("other_name"):
                self._people.free_for_guests(asked["other_name"])
        room, key, invitation = self._rooms.create(**asked, account=account is not None)
        if account is not None:
            self._results.played.sit(seated_game(room.session), "X", account.id)
        return room, key, invitation

    def join(self, room: Room, account: Account | None, invitation: str, name: str) -> str:
        """Sit down by an invitation; gives the key. The challenge that led to the room is over."""
        game = self._results.played.one(room.id)
        self._can_count(game)
        if account is None:
            if game is not None and game.rated:
                raise Refusal(Message("this match is rated, between two accounts: sign in first"), "unknown")
            self._people.free_for_guests(name)
        elif game is not None and game.sides(account.id):
            raise Refusal(Message("you sit at this table already"), "forbidden")
        elif game is not None and game.rated:
            self._results.may_rate(game.accounts[0], account.id)
        key = _sit_down(room, invitation, account, name)
        if account is None:
            self._results.played.rename(room.id, room.session.names)
        else:
            self._results.played.sit(seated_game(room.session), "O", account.id)
        for challenge in self._challenges.of_room(room.id):
            self._gone(challenge)
        self._sat_down(room)
        return key

    # -- the end of a game, and the next ------------------------------------------------------------------
    def close_game(self, room: Room, seat: Seat | None, how: ClosingWay) -> None:
        """End a game that is not played out, as :meth:`Room.close`; raises Refusal for too many aborted matches."""
        if not (how == "abort" and seat in SIDES and self._note_abort(room, SIDES.index(seat))):
            room.close(seat, how)
        else:
            try:
                room.close(seat, how)
            except FullprimeError:
                self._results.played.forget_abort(room.id)
                raise
        if room.session.game is None and room.is_closed:
            for challenge in self._challenges.of_room(room.id):
                self._gone(challenge)

    def _note_abort(self, room: Room, side: int) -> bool:
        """Note that a match is about to be aborted, where that counts; raises Refusal for too many.

        One that has not begun is called off, as often as it happens.
        """
        game = None if room.session.game is None else self._results.played.one(room.id)
        account = None if game is None or not game.rated else game.accounts[side]
        if account is None:
            return False
        since = utc_now() - timedelta(days=1)
        if not self._results.played.note_abort(room.id, side, account, since, MOST_ABORTED):
            raise Refusal(
                Message("you have aborted {count} rated matches within a day: play, or leave", count=MOST_ABORTED),
                "busy",
            )
        return True

    def leave_for(self, account: Account, game: Played) -> None:
        """End a match for an account that is to be forgotten: it is lost, or called off where it has not begun."""
        room = self._rooms.room(game.room)
        for side in game.sides(account.id):
            room.close("X" if side == 0 else "O", "leave")
        if room.session.game is None:
            self._results.played.unrated(game.room)
        self.settle(game.room)

    def rematch(self, room: Room, seat: Seat | None) -> str | None:
        """Offer to play the same again; once both have, the new game, in which the accounts have the same seats.

        It is rated as the old one was, if both accounts are still there and it has a clock.
        """
        played = self._results.played
        known = played.one(room.id)
        rated = known is not None and known.rated and None not in known.accounts
        rated = rated and room.session.terms.clock is not None
        if known is not None and rated and room.is_closed and room.session.rematch is None:
            self._results.may_rate(*known.accounts)
        rematch = room.offer_rematch(seat, rated=rated)
        if rematch is None or known is None or played.one(rematch) is not None:
            return rematch
        new = self._rooms.room(rematch)
        for side, account in zip(SIDES, known.accounts, strict=True):
            if account is not None:
                played.sit(seated_game(new.session), side, account, rated=rated)
        self.began(new)
        return rematch

    # -- reading ------------------------------------------------------------------------------------------
    def open_ones(self) -> list[OpenChallenge]:
        """The challenges to everybody, the latest first."""
        return [challenge_json(each) for each in self._challenges.open_ones(_LISTED)]

    def message(self, gone: str | None = None) -> LobbyMessage:
        """The challenges to everybody, for people who look at them; ``gone`` is the id of one that has ended."""
        return {"type": "lobby", "challenges": self.open_ones(), "gone": gone}

    def of_account(self, account: Account) -> MyChallenges:
        """Challenges meant for an account, and those it has made (with the id of their game)."""
        found = self._challenges.of_account(account.id)
        made = [each for each in found if each.creator == account.id]
        return {
            "incoming": [challenge_json(each) for each in found if each.target == account.id],
            "outgoing": [own_challenge_json(each) for each in made],
        }

    # -- games that begin and end -------------------------------------------------------------------------
    def _sat_down(self, room: Room) -> None:
        """Somebody has come to the one who waits."""
        self.began(room)
        if self._pushes is not None:
            self._pushes.accepted(room)

    def began(self, room: Room) -> None:
        """Tell the accounts that sit there that their game can begin."""
        game = self._results.played.one(room.id)
        if game is not None:
            self._tell(game, over=False)

    def settle(self, room: str | None = None, account: Account | None = None) -> None:
        """Note the end of games that are over (see :meth:`Results.settle`), and tell the accounts that sat there."""
        for game in self._results.settle(room, account):
            self._tell(game, over=True)

    def _tell(self, game: Played, *, over: bool) -> None:
        for side in (0, 1):
            account = game.accounts[side]
            if account is not None:
                self.news.tell(news.of_account(account), game_message(game, side, over=over))

    # -- inside -------------------------------------------------------------------------------------------
    @staticmethod
    def _can_count(game: Played | None) -> None:
        """Refuse a seat at a rated match whose other player has no account any more: it could not count."""
        if game is not None and game.rated and game.accounts == (None, None):
            raise Refusal(Message("this match is rated, and the account that offered it is gone"), "forbidden")

    def _one(self, name: str) -> Challenge:
        found = self._challenges.one(name)
        if found is None:
            raise Refusal(Message("this challenge has been accepted, withdrawn or forgotten"), "missing")
        return found

    def _gone(self, challenge: Challenge) -> None:
        if not self._challenges.remove(challenge.id):
            return
        if challenge.target is None:
            self.news.tell(news.LOBBY, {"type": "changed", "gone": challenge.id})
            return
        told: ChallengeMessage = {"type": "challengeCanceled", "challenge": challenge_json(challenge)}
        self.news.tell(news.of_account(challenge.target), told)

    def _facts(
        self, creator: Account | None, target: Account | None, settings: Settings, room: Room, asked: Mapping[str, Any]
    ) -> ChallengeFacts:
        facts: ChallengeFacts = {
            "account": creator is not None,
            "bot": creator is not None and creator.bot,
            "target": None if target is None else target.name,
            "variant": settings.variant.name,
            "title": settings.variant.title,
            "length": settings.length,
            "played_for": under_its_name(asked.get("house"), in_short(settings)),
            "clock": asked.get("clock"),
            "spectators": room.session.terms.spectators,
            "rating": None,
        }
        if creator is not None:
            kind = kind_of(settings.variant.name, settings.length)
            rating = self._results.played.ratings(creator.id).get(kind)
            if rating is not None:
                rating = aged(rating, utc_now())
                facts["rating"] = [round(rating.rating), round(rating.deviation)]
        return facts


def _sit_down(room: Room, invitation: str, account: Account | None, guest: str) -> str:
    return room.join(invitation, guest if account is None else account.name, account=account is not None)


def challenge_json(challenge: Challenge) -> OpenChallenge:
    """A challenge as JSON values, without the key of its seat; times are seconds since 1970, UTC."""
    return {
        "id": challenge.id,
        "name": challenge.name,
        **challenge.facts,
        "rated": challenge.rated,
        "created": epoch(challenge.created),
        "expires": epoch(challenge.expires),
    }


def own_challenge_json(challenge: Challenge) -> OwnChallenge:
    """The same as its creator sees it."""
    return {**challenge_json(challenge), "game": challenge.room}


def game_message(game: Played, side: int, *, over: bool = False) -> GameMessage:
    """The message that a game begins (or goes on), or is over, for the account on that side."""
    return {"type": "gameFinish" if over else "gameStart", "game": game_event(game, side)}


def game_event(game: Played, side: int) -> AccountGame:
    """A game as the account on that side (0 for X) sees it."""
    return {
        "id": game.room,
        "side": "XO"[side],
        "name": game.names[side],
        "opponent": game.names[1 - side],
        "variant": game.variant,
        "length": game.length,
        "rated": game.rated,
        "points": None if game.points is None else list(game.points),
        "winner": None if game.winner is None else "XO"[game.winner],
    }


def epoch(at: datetime) -> float:
    """A time of the store as seconds since 1970, UTC."""
    return at.replace(tzinfo=UTC).timestamp()
