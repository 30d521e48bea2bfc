"""Numbers in sentences, as the reader's language writes them."""

from __future__ import annotations

from fullprime.rules.message import Message


def format_decimal(number: str) -> str:
    """A number that is written with a point, with the sign that the reader's language has for it.

    >>> format_decimal("2.50"), format_decimal("5")
    ('2.50', '5')
    """
    whole, point, decimals = number.partition(".")
    return Message("{whole}.{decimals}", whole=whole, decimals=decimals) if point else number
