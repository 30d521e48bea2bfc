"""Profiles: the games of an account, their results and its strength, as others may see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from fullprime.accounts.fields import EndingTally, GameList, PlayedGame, Profile, Rated, RatingMoved
from fullprime.accounts.lobby import Lobby, epoch
from fullprime.accounts.ratings import CERTAIN, Results, rating_json, seated_game
from fullprime.accounts.store.accounts import Account
from fullprime.accounts.store.played import Endings, GamesWanted, Played
from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreRefused
from fullprime.messages import Message
from fullprime.play.events import Seat
from fullprime.play.server.rooms import SCREEN, Room
from fullprime.play.session import GameSession
from fullprime.play.table.events import SIDES
from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import VARIANTS

MOST = 100
"""Games in one answer."""
_CHANGES = 200
"""The number of changes of ratings that a profile shows."""
LEAST_MATCHES = 3
"""Rated matches that an account needs to stand in the list of the best."""


@dataclass(frozen=True, slots=True)
class Profiles:
    """The games that accounts have played, for everybody who may see them."""

    results: Results
    lobby: Lobby

    def profile(self, account: Account, viewer: Account | None) -> Profile:
        """Everything about an account; raises Refusal when it keeps its profile to itself."""
        own = _own(account, viewer)
        self.lobby.settle(account=account)
        played = self.results.played
        shown = None if own else True
        reviewed, losses = played.losses(account.id, public=shown)
        return {
            "name": account.name,
            "bot": account.bot,
            "public": account.public,
            "since": epoch(account.created),
            "ratings": {kind: rating_json(rating) for kind, rating in played.ratings(account.id).items()},
            "changes": [
                {
                    "game": change.game, "kind": change.kind, "deviation": change.deviation,
                    "made": epoch(change.made), **_rounded(change.before, change.after),
                }
                for change in played.changes(account.id, _CHANGES)
            ],
            "tallies": [
                {
                    "variant": tally.variant, "title": VARIANTS[tally.variant].title, "games": tally.games,
                    "won": tally.won, "lost": tally.lost, "points": tally.points,
                }
                for tally in played.tallies(account.id, public=shown)
            ],
            "endings": _endings(played.endings(account.id)),
            "reviewed": reviewed,
            "pr": performance(losses),
            "decisions": len(losses),
        }  # fmt: skip

    def games(
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

        Raises SettingsError for a text that is no date, Refusal as :meth:`profile`.
        """
        own = _own(account, viewer)
        self.lobby.settle(account=account)
        last = _day(until)
        asked = GamesWanted(
            account=account.id,
            opponent=opponent or None,
            variant=variant or None,
            since=_day(since),
            until=None if last is None else last + timedelta(days=1),
            rated=rated,
            ended=ended,
            public=None if own else True,
        )
        from fullprime.formats import FORMATS, writable

        played = self.results.played
        found = played.find(asked, MOST, MOST * (page - 1))
        changes = played.changes_of((game.room for game in found), account.id)
        return {
            "games": [_game_json(game, account, changes.get(game.room)) for game in found],
            "found": played.count(asked),
            "page": page,
            "pages": -(-played.count(asked) // MOST),
            "formats": {name: FORMATS[name].title for name in writable(matches=True)},
        }

    def playing(self, account: Account) -> list[tuple[Played, int]]:
        """Games of an account that are not over, with its side (0 for X), the latest first."""
        self.lobby.settle(account=account)
        found = self.results.played.find(GamesWanted(account=account.id, ended=False), MOST)
        return [(game, game.sides(account.id)[0]) for game in found]

    def best(self, kind: str) -> list[Rated]:
        """The accounts with the highest ratings of a kind; provisional ones do not stand among them."""
        best: list[Rated] = []
        offset = 0
        while len(best) < MOST:
            page = self.results.played.best(kind, LEAST_MATCHES, CERTAIN, MOST, offset)
            rows: list[Rated] = [{"name": name, "bot": bot, **rating_json(rating)} for name, bot, rating in page]
            best += [row for row in rows if not row["provisional"]]
            offset += MOST
            if len(page) < MOST:
                break
        return best[:MOST]

    def seat(self, session: GameSession, account: Account) -> Seat | None:
        """The seat of an account in a session."""
        game = self.results.played.one(session.session_id)
        sides = () if game is None else game.sides(account.id)
        if not sides:
            return None
        return "both" if session.terms.opponent == SCREEN else SIDES[sides[0]]

    def remove(self, account: Account, password: str) -> None:
        """Forget an account; raises as :meth:`People.sign_in`.

        Rated matches that it plays are left, and so lost: else a loser would go like this, and the winner get nothing.
        """
        people = self.lobby.people
        people.sign_in(account.name, password)
        self.lobby.withdraw_all(account)
        wanted = GamesWanted(account=account.id, ended=False, rated=True)
        seen: set[str] = set()
        while found := [each for each in self.results.played.find(wanted, MOST) if each.room not in seen]:
            for game in found:
                self.lobby.leave_for(account, game)
                seen.add(game.room)
        people.store.remove(account.id)

    def claim(self, room: Room, key: str, account: Account) -> str:
        """A game that was begun without an account becomes that of an account, by the key of the seat.

        It may be one that was chosen after all went well, so it stands in the list of the account's games and counts
        neither in its results nor for its PR.

        Gives the seat; raises Refusal when the key opens none or the seat is somebody else's.
        """
        seat = room.seat_of(key)
        if seat is None:
            raise Refusal(Message("this key opens no seat"), "forbidden")
        try:
            self.results.played.sit(seated_game(room.session), "X" if seat == "both" else seat, account.id, kept=True)
        except StoreRefused as error:
            raise Refusal(error.args[0], "forbidden") from error
        return seat


def performance(losses: list[float]) -> float | None:
    """The PR of decisions: 500 times their mean loss; None where there are none."""
    from fullprime.reviews.rating import PR_FACTOR

    return round(PR_FACTOR * sum(losses) / len(losses), 2) if losses else None


def _own(account: Account, viewer: Account | None) -> bool:
    own = viewer is not None and viewer.id == account.id
    if not own and not account.public:
        raise Refusal(Message("{name} keeps the profile private", name=account.name), "forbidden")
    return own


def _endings(found: Endings) -> EndingTally:
    return {
        "games": found.games,
        "left": found.left,
        "absent": found.absent,
        "late": found.late,
        "aborted": found.aborted,
    }


def _game_json(game: Played, account: Account, change: tuple[float, float] | None) -> PlayedGame:
    sides = game.sides(account.id)
    return {
        "id": game.room,
        "names": list(game.names),
        "side": "XO"[sides[0]],
        "variant": game.variant,
        "title": VARIANTS[game.variant].title,
        "length": game.length,
        "rated": game.rated,
        "public": game.public,
        "begun": epoch(game.begun),
        "ended": None if game.ended is None else epoch(game.ended),
        "points": None if game.points is None else list(game.points),
        "winner": None if game.winner is None else "XO"[game.winner],
        "ending": game.ending,
        "ended_by": None if game.ended_by is None else "XO"[game.ended_by],
        "change": None if change is None else _rounded(*change),
    }


def _rounded(before: float, after: float) -> RatingMoved:
    return {"before": round(before), "after": round(after)}


def _day(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d")  # noqa: DTZ007 - stored without a zone, all in UTC
    except ValueError:
        raise SettingsError(Message("{text} is no date: write 2026-11-21", text=repr(text[:20]))) from None
