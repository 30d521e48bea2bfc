"""Keys that open seats: given once to the player in the seat, and kept as hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from fullprime.play.events import Seat

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True)
class SeatKeys:
    """Hashes of the keys that open the seats of a session, and of the invitation while a seat is free."""

    x: str | None = None
    o: str | None = None
    invitation: str | None = None

    def seat_of(self, key: str) -> Seat | None:
        """The seat that a key opens: ``both`` at one screen, None for a key that opens none."""
        own = hash_key(key)
        opens_x = self.x is not None and hmac.compare_digest(own, self.x)
        opens_o = self.o is not None and hmac.compare_digest(own, self.o)
        return "both" if opens_x and opens_o else "X" if opens_x else "O" if opens_o else None

    def is_invitation(self, key: str) -> bool:
        """True for the key that takes the free seat."""
        return self.invitation is not None and hmac.compare_digest(hash_key(key), self.invitation)


def new_key() -> str:
    """A new key to a seat, which cannot be guessed."""
    return secrets.token_urlsafe(24)


def new_id(length: int = 12) -> str:
    """A new id, such as that of a session, which cannot be guessed and whose letters do not look alike."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def hash_key(key: str) -> str:
    """The form of a key that is stored."""
    return hashlib.sha256(key.encode()).hexdigest()
