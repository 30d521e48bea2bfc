"""Keys that open seats: told once to the player in the seat, kept as hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_key() -> str:
    """A new key to a seat; nobody can guess it."""
    return secrets.token_urlsafe(24)


def new_id(length: int = 12) -> str:
    """An id, such as that of a room: made of nothing that looks alike, and nobody can guess it."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def hashed(key: str) -> str:
    """The form of a key that is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def opens(key: str, kept: str | None) -> bool:
    """True if a key is the one that was hashed."""
    return is_hash(hashed(key), kept)


def is_hash(mine: str, kept: str | None) -> bool:
    """True if the hash of a key is the one that is kept, for a caller that asks about several."""
    return kept is not None and hmac.compare_digest(mine, kept)
