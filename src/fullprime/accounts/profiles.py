"""Profiles: the games of an account, its results and its ratings, as far as a viewer may see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from fullprime.accounts.lobby import Lobby
from fullprime.accounts.model import (
    AccountGame,
    GameList,
    PlayedGame,
    Profile,
    RatedAccount,
    SeatedAccount,
    SeatedAccounts,
)
from fullprime.accounts.ratings import CERTAIN, RatingService, rating_kind, show_rating, to_seated_game
from fullprime.accounts.store.accounts import Account
from fullprime.accounts.store.games import GameFilter
from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreRefused
from fullprime.messages import Message
from fullprime.play.events import Seat
from fullprime.play.server.agreement import SCREEN
from fullprime.play.server.handle import SessionHandle
from fullprime.play.session import GameSession
from fullprime.play.table.table_events import SIDES
from fullprime.rules.errors import SettingsError

MOST = 100
"""Games in one answer."""
_CHANGES = 200
"""The number of changes of ratings that a profile shows."""


@dataclass(frozen=True, slots=True)
class Profiles:
    """The games that accounts have played, as far as a viewer may see them."""

    rating_service: RatingService
    lobby: Lobby

    def get_profile(self, account: Account, viewer: Account | None) -> Profile:
        """The profile of an account; raises Refusal where it is private."""
        is_own = _check_visible(account, viewer)
        self.lobby.settle(account=account)
        played = self.rating_service.played
        public_filter = None if is_own else True
        reviewed, losses = played.list_losses(account.id, public=public_filter)
        return Profile(
            name=account.name,
            bot=account.bot,
            public=account.public,
            since=account.created,
            ratings={kind: show_rating(rating) for kind, rating in played.get_ratings(account.id).items()},
            changes=tuple(played.list_rating_changes(account.id, _CHANGES, public=public_filter)),
            tallies=tuple(played.list_tallies(account.id, public=public_filter)),
            endings=played.count_endings(account.id),
            reviewed=reviewed,
            pr=performance(losses),
            decisions=len(losses),
            dice=played.get_dice(account.id, public=public_filter),
        )

    def list_games(
        self,
        account: Account,
        viewer: Account | None,
        *,
        opponent: str | None = None,
        variant: str | None = None,
        since: str | None = None,
        until: str | None = None,
        rated: bool | None = None,
        ended: bool | None = None,
        page: int = 1,
    ) -> GameList:
        """Games of an account, the latest first, as far as the viewer may see them; dates are ``2026-11-21``, UTC.

        Raises SettingsError for a text that is no date, Refusal as :meth:`get_profile`.
        """
        is_own = _check_visible(account, viewer)
        self.lobby.settle(account=account)
        last = _day(until)
        game_filter = GameFilter(
            account=account.id,
            opponent=opponent or None,
            variant=variant or None,
            since=_day(since),
            until=None if last is None else last + timedelta(days=1),
            rated=rated,
            ended=ended,
            public=None if is_own else True,
        )
        from fullprime.formats import FORMATS, writable

        played = self.rating_service.played
        page_of_games = played.list_games(game_filter, MOST, MOST * (page - 1))
        changes, count = (
            played.find_rating_changes((game.session_id for game in page_of_games), account.id),
            played.count_games(game_filter),
        )
        return GameList(
            games=tuple(
                PlayedGame(game, "XO"[game.sides(account.id)[0]], changes.get(game.session_id))
                for game in page_of_games
            ),
            found=count,
            page=page,
            pages=-(-count // MOST),
            formats={name: FORMATS[name].title for name in writable(matches=True)},
        )

    def list_unfinished(self, account: Account) -> tuple[AccountGame, ...]:
        """Games of an account that are not over, the latest first."""
        self.lobby.settle(account=account)
        games = self.rating_service.played.list_games(GameFilter(account=account.id, ended=False), MOST)
        return tuple(AccountGame.of(game, game.sides(account.id)[0]) for game in games)

    def list_best(self, kind: str) -> tuple[RatedAccount, ...]:
        """The accounts with the highest ratings of a kind, without provisional ratings."""
        best: list[RatedAccount] = []
        offset = 0
        while len(best) < MOST:
            page = self.rating_service.played.list_best(kind, CERTAIN, MOST, offset)
            rows = [RatedAccount(name, bot, show_rating(rating)) for name, bot, rating in page]
            best += [row for row in rows if not row.rating.provisional]
            offset += MOST
            if len(page) < MOST:
                break
        return tuple(best[:MOST])

    def find_seat(self, session: GameSession, account: Account) -> Seat | None:
        """The seat of an account in a session."""
        game = self.rating_service.played.find(session.session_id)
        sides = () if game is None else game.sides(account.id)
        if not sides:
            return None
        return "both" if session.terms.opponent == SCREEN else SIDES[sides[0]]

    def get_seated_accounts(self, session: GameSession, seat: Seat | None) -> SeatedAccounts:
        """The accounts at a board with their ratings, as a player (or a spectator, None) sees them."""
        session_id, settings = session.session_id, session.terms.settings
        if session.is_over:
            self.lobby.settle(session_id)
        game = self.rating_service.played.find(session_id)
        numbers = (None, None) if game is None else game.accounts
        accounts = self.lobby.people.store.find_many(number for number in numbers if number is not None)
        kind = rating_kind(settings.variant.name, settings.length)

        def seated(number: int | None) -> SeatedAccount | None:
            account = None if number is None else accounts.get(number)
            if account is None:
                return None
            played, is_shown = self.rating_service.played, account.public or seat is not None
            stored = played.get_ratings(account.id).get(kind) if is_shown else None
            return SeatedAccount(
                name=account.name,
                bot=account.bot,
                rating=None if stored is None else show_rating(stored),
                change=played.find_rating_changes([session_id], account.id).get(session_id) if is_shown else None,
            )

        return SeatedAccounts(x=seated(numbers[0]), o=seated(numbers[1]))

    def delete_account(self, account: Account, password: str) -> None:
        """Forget an account; raises as :meth:`Accounts.sign_in`.

        Rated matches that it plays are left, and so lost, because else the winner would get nothing.
        """
        people = self.lobby.people
        people.sign_in(account.name, password)
        self.lobby.withdraw_all(account)
        game_filter = GameFilter(account=account.id, ended=False, rated=True)
        left: set[str] = set()
        while games := [
            game for game in self.rating_service.played.list_games(game_filter, MOST) if game.session_id not in left
        ]:
            for game in games:
                self.lobby.leave_game(account, game)
                left.add(game.session_id)
        people.store.delete(account.id)

    def claim_game(self, handle: SessionHandle, key: str, account: Account) -> Seat:
        """Give a game that was begun without an account to an account, by the key of the seat.

        The player may have chosen it after it went well, so it stands in the list of the account's games but counts
        neither in its results nor for its PR.

        Gives the seat; raises Refusal where the key opens none, or the seat belongs to another account.
        """
        seat = handle.seat_of(key)
        if seat is None:
            raise Refusal(Message("this key opens no seat"), "forbidden")
        try:
            self.rating_service.played.add_seat(
                to_seated_game(handle.session), "X" if seat == "both" else seat, account.id, adopted=True
            )
        except StoreRefused as error:
            raise Refusal(error.args[0], "forbidden") from error
        return seat


def performance(losses: list[float]) -> float | None:
    """The PR of decisions: 500 times their mean loss; None where there are none."""
    from fullprime.reviews.rating import PR_FACTOR

    return round(PR_FACTOR * sum(losses) / len(losses), 2) if losses else None


def _check_visible(account: Account, viewer: Account | None) -> bool:
    is_own = viewer is not None and viewer.id == account.id
    if not is_own and not account.public:
        raise Refusal(Message("{name} keeps the profile private", name=account.name), "forbidden")
    return is_own


def _day(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d")  # noqa: DTZ007 - stored without a zone, all in UTC
    except ValueError:
        raise SettingsError(Message("{text} is no date: write 2026-11-21", text=repr(text[:20]))) from None
