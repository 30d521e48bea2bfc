"""Dates as files of matches write them, in one form: ``2026-11-21``."""

from __future__ import annotations

import re
from collections.abc import Mapping

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_ISO = re.compile(r"\b((?:1[89]|20)\d\d)[-./](\d{1,2})[-./](\d{1,2})\b")
_WORDS = re.compile(r"\b([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? ((?:1[89]|20)\d\d)\b", re.IGNORECASE)
_WORDS_DAY_FIRST = re.compile(r"\b(\d{1,2})\.? ([a-z]{3})[a-z]*\.?,? ((?:1[89]|20)\d\d)\b", re.IGNORECASE)
_SHORT = re.compile(r"\b(\d{1,2})[-./](\d{1,2})[-./]((?:1[89]|20)\d\d)\b")
DATE_KEYS = ("EventDate", "Date", "Startdate", "Start date")


def date_of(info: Mapping[str, str]) -> str | None:
    """The date that a file states, as ``2026-11-21``; None when it says none, or one that can be read in two ways.

    >>> date_of({"EventDate": "Thursday May 6, 2004"}), date_of({"EventDate": "09/08/2023"})
    ('2004-05-06', None)
    """
    for key in DATE_KEYS:
        date = _date(info.get(key, ""))
        if date is not None:
            return date
    return None


def _date(text: str) -> str | None:
    if match := _ISO.search(text):
        return _ymd(int(match[1]), int(match[2]), int(match[3]))
    if match := _WORDS.search(text):
        return _ymd(int(match[3]), _MONTHS.get(match[1].lower(), 0), int(match[2]))
    if match := _WORDS_DAY_FIRST.search(text):
        return _ymd(int(match[3]), _MONTHS.get(match[2].lower(), 0), int(match[1]))
    if match := _SHORT.search(text):
        one, two, year = int(match[1]), int(match[2]), int(match[3])
        if one > 12 or one == two:
            return _ymd(year, two, one)
        if two > 12:
            return _ymd(year, one, two)
    return None


def _ymd(year: int, month: int, day: int) -> str | None:
    return f"{year:04}-{month:02}-{day:02}" if 1 <= month <= 12 and 1 <= day <= 31 else None


def format_date(info: Mapping[str, str]) -> str:
    """The date for people: as ``2026-11-21`` where it is sure, else as the file writes it; empty for none.

    >>> format_date({"EventDate": "2022.07.10"}), format_date({"EventDate": "09/08/2023"}), format_date({})
    ('2022-07-10', '09/08/2023', '')
    """
    return date_of(info) or next((info[key] for key in DATE_KEYS if info.get(key)), "")


def format_info(name: str, value: str) -> str:
    """A fact of a file for people: a date as ``2026-11-21`` where it is sure, anything else as it is written."""
    return (_date(value) or value) if name in DATE_KEYS else value
