"""The refusal of a command that somebody may not give, or gives too late. Errors of the rules stay what they are."""

from __future__ import annotations

from typing import Literal, TypeAlias

from fullprime.rules.errors import FullprimeError

RefusalCode: TypeAlias = Literal["forbidden", "stale", "busy"]
"""``forbidden``: not for this person. ``stale``: the session has gone on. ``busy``: too much at once."""


class Refusal(FullprimeError):
    """A command that is not carried out; nothing has changed."""

    def __init__(self, message: str, code: RefusalCode) -> None:
        super().__init__(message)
        self.code: RefusalCode = code
