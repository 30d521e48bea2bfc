"""The words and marks of match text: its heads, scores, rows and cells."""

from __future__ import annotations

import re

_POINTS = r"(?:points?|pts?|punkte?n?|puntos?|punti|punto|pontos?|punten|poäng|poeng)"
_MATCH = r"(?:match|partie|partita|partida|wedstrijd)"
LENGTH = re.compile(
    rf"\s*+(?P<first>-?\d{{1,9}})\s*+(?:-\s*+)?{_POINTS}[\s-]+{_MATCH}\b"
    rf"|\s*+{_MATCH}\s*+(?:(?:to|length|of|à|en|a|al|auf|bis|de|tot)\b\s*+:?|:)\s*+(?P<last>\d{{1,9}})"
    rf"(?:\s*+{_POINTS})?\s*+\.?$",
    re.IGNORECASE,
)
UNLIMITED = re.compile(r"\s*(?:unlimited|money)\s+(?:match|session|game|play)\W*$", re.IGNORECASE)
GAME = re.compile(r"\s*+(?:game|spiel|partie|partita|partida|juego)\s*+[#:]?\s*+(\d{1,9})\b", re.IGNORECASE)
CRAWFORD = re.compile(r"(?P<post>post[\s-]*)?crawford(?:\s+game)?\W*$", re.IGNORECASE)
"""Words that tell which game is the Crawford game, alone on a line or behind a score."""
SCORE = re.compile(
    r"((?:[^:]|:(?!\s*+[-+]?\d{1,9}\s))*+):\s*+([-+]?\d{1,9})\s++(.*):\s*+([-+]?\d{1,9})\s*+"
    r"(\*?\s*+(?:[\[(][^\[\]()\d:]*+[\])]|(?:post[\s-]*)?crawford(?:\s+game)?)?)\s*+$",
    re.IGNORECASE,
)
"""Two names with their points: the first colon that points and a blank follow, and the last colon; then a remark."""
PLAIN_SCORE = re.compile(r"\s*+(\S++(?:\s\S++)*?)\s+(\d{1,3})\s{2,}(\S++(?:\s\S++)*?)\s+(\d{1,3})\s*+$")
"""The same without colons, which only the words before it tell from a remark."""
ROW = re.compile(r"\s*\(?(\d{1,9})(?:\)|\.(?=\s))")
CLOCK = re.compile(
    r"[\[({]\s*(?:\d{1,2}:)?\d{1,2}:\d\d(?:[.,]\d+)?\s*[\])}]|(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:/*-])(?=\s|$)"
)
"""Times that some sites write behind a play."""
NOTHING = re.compile(r"[.\s*_\N{HORIZONTAL ELLIPSIS}-]+")
"""Marks that stand where the left player had nothing to do."""
ELEMENT = re.compile(
    r"(?P<dice>[0-9?]-?[0-9?]|(?<![\d/*-])[1-6][/, ][1-6]):(?!\d\d?(?:[\s\]):]|$))"
    r"|(?<![\d(/])(?P<row>\d{1,9}\))"
    r"|(?P<auto>\bauto(?:matic)?[\s-]+doubles?)\b(?:\s*={1,2}>\s*\d{1,9})?"
    r"|(?P<word>\b(?:re-?)?double[sd]?|\bverdoppelt|\bdoppelt|\braddoppia|\bdobla|\bbeavers?|\braccoons?)\b"
    r"(?:\s*(?:={0,2}>|->|[=:]|to\b|at\b|(?=\())\s*\(?(?P<value>\d{1,9})(?![\d:/])\)?)?"
    r"|(?P<answer>\b(?:takes?|taken|accept(?:s|ed|e)?|akzeptiert|nimmt(?:\s+an)?|prend|accetta|acepta"
    r"|drop(?:s|ped)?|pass(?:es|ed|e|t)?|reject(?:s|ed)?|refuse[sd]?|decline[sd]?|lehnt(?:\s+ab)?|rifiuta|pasa|rechaza))\b"
    rf"|\b(?:wins|won|win|gewinnt|gagne|vince|gana|ganha|wint)\s+(?P<wins>\d{{1,9}})(?:\s*{_POINTS}(?:\(s\))?)?"
    r"(?:\s*\(?(?:with\s+a\s+)?(?:single\s+game|(?:back)?gammon)\)?)?"
    rf"(?P<match>\s*(?:and|und|et|e|y|en|&)\s+(?:the\s+|das\s+|le\s+|la\s+|il\s+|el\s+|o\s+|de\s+)?{_MATCH}\b)?"
    r"|\b(?:wins|won)\s+(?:the\s+|a\s+)?(?P<level>(?:back)?gammon|single\s+game|game|match)\b"
    r"|(?:losses|loses|lost)\s+(?P<losses>\d{1,9})(?:\s*points?)?"
    r"|(?P<end>\b(?:concede[sd]?|resign(?:s|ed)?|forfeit(?:s|ed)?|los(?:es|t)\s+on\s+time)\b"
    r"(?:\s*(?:a\s+|the\s+)?(?:normal|single|game|(?:back)?gammon|match)\b){0,2}|(?<![\w*])\?{2,})",
    re.IGNORECASE,
)
NO_MOVE = re.compile(
    r"(?:can ?not|can['\N{RIGHT SINGLE QUOTATION MARK}]?t|no)\s+(?:legal\s+)?(?:moves?|plays?)|dances?|-+$"
    r"|fan(?:s|ned)?$|kann nicht ziehen|kein zug|ne peut pas jouer|aucun coup|non pu\w muovere|no puede mover",
    re.IGNORECASE,
)
ILLEGAL = re.compile(r"illegal play\s*+\(((?:[^;]*+;){39}[^;()]*+;?)\s*+\)|illegal play\s*+\((.*?)\)", re.IGNORECASE)
"""With a Snowie position, whose names may hold any word and bracket, or with something else."""
_TAKES = ("tak", "acc", "akz", "nimmt", "prend", "ace")


def is_take(answer: str) -> bool:
    """True if this answer to a double accepts the cube."""
    return answer.lower().startswith(_TAKES)
