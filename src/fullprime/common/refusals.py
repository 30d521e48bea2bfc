"""The refusal of something that a visitor may not do, or asks for too late. Errors of the rules stay what they are."""

from __future__ import annotations

from typing import Literal, TypeAlias

from fullprime.rules.errors import FullprimeError

RefusalCode: TypeAlias = Literal["forbidden", "unknown", "missing", "stale", "taken", "busy"]
"""``forbidden``: not for this person. ``unknown``: it is not known who asks. ``missing``: it is not there. ``stale``:
it has gone on. ``taken``: another visitor has it. ``busy``: too much at once."""


class Refusal(FullprimeError):
    """A request that is refused; nothing has changed."""

    retry_after = 10
    """The seconds after which one that is ``busy`` may be tried again."""

    def __init__(self, message: str, code: RefusalCode) -> None:
        super().__init__(message)
        self.code: RefusalCode = code
