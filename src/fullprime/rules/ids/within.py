"""Identifiers within other text: in sentences, tables and links, and in what mails and pages made of them."""

from __future__ import annotations

import re
from urllib.parse import unquote

XGID = re.compile(
    r"(?i:XGID)\s*+[=:](?:3D)?+\s*+([A-Pa-p-]{26}(?:\s?+:\s?+-?[0-9A-Z]{1,9}){2,12})"
    r"|(?<![\w:-])([A-Pa-p-]{26}(?::-?[0-9A-Z]{1,9}){8,9})(?![\w:])"
)
"""An XGID, also with the mark that a mail has for its sign, or as a link and a table have it, without a label."""
GNU = re.compile(r"(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{14})(?:==)?:([A-Za-z0-9+/]{12})(?![A-Za-z0-9+/])")
"""A Position ID and its Match ID."""
OGID = re.compile(
    r"(?<![0-9A-Za-z:])([0-9a-p]{0,15}:[0-9a-p]{0,15}:[BWND?]\d+[OTPN]:\d{0,2}:[WB?]?(?::[0-9A-Za-z]*){0,6})"
)
FIBS = re.compile(r"\b(board:[^\s:]{1,40}:[^\s:]{1,40}(?::-?\d{1,9}){50})")
_CUT = re.compile(r"(?i:XGID)\s*+[=:](?:3D)?+\s*+[A-Pa-p-]{1,26}(?::[-\d:]{0,40})?=?\s*+$")
_REST = re.compile(r"[\s>]*+([A-Pa-p:\d-]{1,60})(?!\w)")
"""An XGID at the end of a line, and what may be its end on the next."""
_ESCAPED = re.compile(r"%3[AD]", re.IGNORECASE)
_LONGEST = 1_000
"""Characters at the end of a line in which the beginning of an XGID is looked for."""


def find_identifier(line: str) -> re.Match[str] | None:
    """The first identifier in a line: an XGID before any other."""
    return XGID.search(line) or GNU.search(line) or OGID.search(line) or FIBS.search(line)


def text_of(match: re.Match[str]) -> str:
    """The identifier of a match, without its label and the blanks in it."""
    if match.re is XGID:
        return "XGID=" + "".join((match[1] or match[2]).split())
    return f"{match[1]}:{match[2]}" if match.re is GNU else match[1]


def only_identifier(text: str) -> str | None:
    """The whole identifier in a text that has one and no other of its kind; None when there is none, or several."""
    first = find_identifier(text)
    if first is None:
        return None
    matches = list(first.re.finditer(text))
    if any(text[match.end() :].startswith(":") or (match.re is XGID and not _is_whole(match[0])) for match in matches):
        return None
    all_texts = {text_of(match) for match in matches}
    return all_texts.pop() if len(all_texts) == 1 else None


def unescape(text: str) -> str:
    """Undo the escapes of colons in links."""
    return unquote(text) if _ESCAPED.search(text) else text


def join_cut(line: str, following: str) -> tuple[str, str] | None:
    """Join an XGID that is cut at the end of a line: the line with it, and the rest of the next; None without."""
    if "GID" not in line[-_LONGEST:].upper():
        return None
    cut, rest = _CUT.search(line, max(0, len(line) - _LONGEST)), _REST.match(following)
    if cut is None or rest is None or _is_whole(cut[0].rstrip()):
        return None
    identifier = cut[0].rstrip().rstrip("=") + rest[1]
    return (line[: cut.start()] + identifier, following[rest.end() :]) if _is_whole(identifier) else None


def _is_whole(text: str) -> bool:
    """True if a text is an XGID with nine fields or ten."""
    xgid = XGID.fullmatch(text)
    return xgid is not None and text_of(xgid).count(":") in (8, 9)
