"""The refusal of something that a visitor may not do, or asks for too late. Errors of the rules stay what they are."""

from __future__ import annotations

from fullprime.rules.errors import ErrorCode, FullprimeError


class Refusal(FullprimeError):
    """A request that is refused; nothing has changed."""

    retry_after = 10
    """The seconds after which one that is ``busy`` may be tried again."""

    def __init__(self, message: str, code: ErrorCode) -> None:
        super().__init__(message)
        self.code = code
