from tests.store.conftest import any_database, postgresql

__all__ = ["any_database", "postgresql"]
