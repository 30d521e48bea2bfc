from tests.play.shadow import games_are_played_twice
from tests.store.conftest import any_database, postgresql

__all__ = ["any_database", "games_are_played_twice", "postgresql"]
