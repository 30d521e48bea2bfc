"""The overview for the first page and the lobby: people who are present, games to watch, and the leaders.

It is read once for all requests within a few seconds, so that its cost does not grow with their number.
"""

from __future__ import annotations

import threading
import time

from fullprime.accounts.model import LobbyNow, PresentAccount, WatchedGame
from fullprime.accounts.pairing import LIVE_POOLS
from fullprime.accounts.profiles import Profiles
from fullprime.accounts.ratings import RatingService, show_rating
from fullprime.accounts.store.present import PresentStore
from fullprime.common.refusals import Refusal
from fullprime.play.server.game_server import GameServer
from fullprime.rules.score import Player

KIND = "backgammon:short"
"""The kind of the ratings that are shown."""
MOST_PEOPLE, MOST_GAMES, MOST_LEADERS = 24, 6, 5
KEPT_SECONDS = 4.0


class Overview:
    """The people of one database as they are now. Methods may be called from any thread."""

    def __init__(self, game_server: GameServer, rating_service: RatingService, profiles: Profiles) -> None:
        self._game_server, self._rating_service, self._profiles = game_server, rating_service, profiles
        self._present = PresentStore(rating_service.engine, LIVE_POOLS)
        self._lock = threading.Lock()
        self._now: tuple[float, LobbyNow] | None = None

    def get_lobby(self) -> LobbyNow:
        """The people who are present, games to watch and the leaders, a few seconds old at most."""
        with self._lock:
            at = time.monotonic()
            if self._now is None or at - self._now[0] >= KEPT_SECONDS:
                self._now = at, self._read_lobby()
            return self._now[1]

    def _read_lobby(self) -> LobbyNow:
        return LobbyNow(
            present=self._present.count(),
            people=self._people(),
            games=self._games(),
            leaders=self._profiles.list_best(KIND)[:MOST_LEADERS],
        )

    def _people(self) -> tuple[PresentAccount, ...]:
        people = self._present.list_accounts(MOST_PEOPLE)
        ratings = self._rating_service.played.find_ratings((account.id for account in people), KIND)
        return tuple(
            PresentAccount(
                name=account.name,
                bot=account.bot,
                short_rating=show_rating(ratings[account.id]) if account.id in ratings else None,
            )
            for account in people
        )

    def _games(self) -> tuple[WatchedGame, ...]:
        games = []
        for name in self._present.list_paired_games(MOST_GAMES):
            try:
                session = self._game_server.find_watchable(name)
            except Refusal:  # it has been forgotten meanwhile
                continue
            if session is not None and session.game is not None:
                game = session.game
                games.append(
                    WatchedGame(
                        id=name,
                        names=session.names,
                        score=session.score.points,
                        length=session.terms.settings.length,
                        x=game.position_of(Player.X).player,
                        o=game.position_of(Player.O).player,
                    )
                )
        return tuple(games)
