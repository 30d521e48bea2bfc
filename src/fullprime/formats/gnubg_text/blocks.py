"""Blocks of text below identifiers, and the analyses printed in them: by form, never by words.

The programs write in many languages; numbers are read by where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fullprime.formats.analysis import CandidatePlay, Chances, CubeAnalysis, PlayAnalysis
from fullprime.formats.recording import text as texts
from fullprime.formats.recording import walk
from fullprime.formats.recording.units import NORMAL_95
from fullprime.rules.game import Game, Phase
from fullprime.rules.ids import IDS
from fullprime.rules.score import Player

_XGID = re.compile(r"XGID=([A-Pa-p-]{26}(?::-?[0-9A-Z]{1,9}){2,12})")
_POSITION = re.compile(r"Position[ -]?ID\s*(?::\s*)?([A-Za-z0-9+/]{14})\b", re.IGNORECASE)
_MATCH = re.compile(r"Match[ -]?ID\s*(?::\s*)?([A-Za-z0-9+/]{12})\b", re.IGNORECASE)
_BARE = re.compile(r"(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{14}):([A-Za-z0-9+/]{12})(?![A-Za-z0-9+/])")
_OGID = re.compile(
    r"(?<![0-9A-Za-z:])([0-9a-p]{0,15}:[0-9a-p]{0,15}:[BWND?]\d+[OTPN]:\d{0,2}:[WB?]?(?::[0-9A-Za-z]*){0,6})"
)
_LABEL = re.compile(
    r"[^\w=]*+(?:\d{1,3}[.:)]\W*+)?+(?:(?:GNU ?bg|GNU|XG|OG|Position)?+[ -]?+ID\s*+[:=]?+\s*+)?+$", re.IGNORECASE
)
"""The only words that may stand before an identifier that begins another position."""
_FIBS = re.compile(r"\b(board:[^\s:]{1,40}:[^\s:]{1,40}(?::-?\d{1,9}){50})")
NAMES = re.compile(r"^\s*+X:(.*?)\s\sO:(.*)$")
_SIDE = re.compile(r"\s([XO]): (\S(?:.*?\S)??)(?:(?:\s{2,}|\u3000)\d+|\s*\(.*\))?\s*$")
"""The name beside a board, of one letter or more; BGBlitz writes the pips behind it, after two blanks or a wide one."""
NUMBER = r"[-+\N{MINUS SIGN}]?\d{1,9}[.,]\d{1,9}"
_MOVE = rf"(?:{walk.PLACE})(?:\*?/(?:{walk.PLACE})\*?){{1,8}}+(?:\(\d\))?\*?,?\s*+"
"""One move of a play. What was read is never read in another way, or a line of a few letters could take for ever."""
ROW = re.compile(
    rf"^\s*+(?:\*\s*+)?(\d{{1,3}})\.\s++(?P<level>.*?)(?P<play>(?:{_MOVE}){{1,8}}+)"
    rf"[^\W\d]{{1,12}}\.?\s*+:\s*+(?P<equity>{NUMBER})",
    re.IGNORECASE,
)
_BLITZ_ROW = re.compile(
    rf"^\s*(\d{{1,3}})\.\s+{NUMBER} \S+ /\s+(?P<equity>{NUMBER})\s+(?:\({NUMBER}\)\s+)?(?P<play>\S.*?)\s*$"
)
PERCENT = re.compile(rf"({NUMBER})%\s*\(G:\s*({NUMBER})%\s*B:\s*({NUMBER})%\)")
_SIX = re.compile(rf"^\s*({NUMBER})\s+({NUMBER})\s+({NUMBER})\s+-\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})\s*$")
_THREE = re.compile(rf"^\s++\S.*?\s({NUMBER})\s++({NUMBER})\s++({NUMBER})\s*+$")
_LAST_NUMBER = re.compile(rf":\s*+({NUMBER})\s*+(?:\({NUMBER}\)\s*+)?$")
_EMG = re.compile(rf"^(.*?):\s*{NUMBER}\s*\(\s*{NUMBER}\)\s+({NUMBER})\s*\(\s*{NUMBER}\)\s*$")
_CUBELESS = re.compile(rf"^\s+\S.*?:\s*({NUMBER})\s+\S.*?:\s*{NUMBER}\s*$")
_GNU_CUBE = re.compile(rf"^\s*+[123]\.\s++(.*?)\s({NUMBER})\s*+(?:\({NUMBER}\)\s*+)?$")
_DROPPED = re.compile(r"pass|drop|ablehn|rifiut|rechaz")
FOOTNOTE_MARKS = "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
LEVEL = re.compile(rf"(\d-pl(?:y|is|ies)|XG Roller\+{{0,2}}|Rollout[{FOOTNOTE_MARKS}]*|Book)", re.IGNORECASE)
_ROLLOUT = "rollout"
_GAMES = re.compile(rf"(?:\s++|(?=[{FOOTNOTE_MARKS}]))([{FOOTNOTE_MARKS}]*+)\s*+(\d{{1,9}})\s++[^\W\d]")
"""How many games were rolled out: below a cube decision, or in the footnote of a candidate."""
_CONFIDENCE = re.compile(rf"\N{{PLUS-MINUS SIGN}}\s*+({NUMBER})")
_PLIES = re.compile(r"(\d)-[^\W\d]+")
TWO_EQUITIES = re.compile(rf"=({NUMBER}),.*=({NUMBER})\s*$")
_LONGEST = 1_000
"""Characters of a line that are looked at: no row of an analysis is this long."""


def recognises(head: bytes) -> bool:
    """True if the text holds an identifier that can be read."""
    text = texts.squeezed(texts.decode(head))
    if any(known.search(text) for known in (_XGID, _POSITION, _BARE, _OGID, _FIBS)):
        return True
    first = text.lstrip().partition("\n")[0].strip()
    return len(first) < 300 and any(known.matches(first) for known in IDS.values())


@dataclass(slots=True)
class Block:
    """An identifier and the lines that belong to it."""

    line: int
    identifier: str
    lines: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    whole: list[str] = field(default_factory=list)
    """The same lines, however long they are."""
    above: list[str] = field(default_factory=list)
    """The lines above the first identifier of a text, and the words beside an identifier."""
    by_extreme_gammon: bool = False
    """The identifier is an XGID alone, which BGBlitz never writes."""


def split(lines: Sequence[str]) -> list[Block]:
    """Split the text at its identifiers; names stand above or below, and boards may stand before."""
    blocks: list[Block] = []
    position: tuple[int, str] | None = None
    names: dict[str, str] = {}
    above: list[str] = []
    for number, text in enumerate(lines, 1):
        line = text[:_LONGEST]  # Longer ones are remarks.
        if pair := NAMES.match(line):
            names = {"X": pair[1].strip(), "O": pair[2].strip()}
            if blocks and blocks[-1].line >= number - 3:
                blocks[-1].names = names
        elif side := _SIDE.search(line):
            names = {**names, side[1]: side[2]}
            if blocks and not {"X", "O"} <= set(blocks[-1].names):
                blocks[-1].names = {**blocks[-1].names, side[1]: side[2]}
        found, xgid = None, _XGID.search(line)
        whole = xgid or _BARE.search(line) or _OGID.search(line) or _FIBS.search(line)
        if whole and blocks and not _LABEL.fullmatch(line[: whole.start()]):
            xgid = None  # An identifier in the middle of a line is part of a remark.
        elif xgid:
            found = xgid[0]
            if position is not None and blocks and blocks[-1].line >= number - 2:
                blocks[-1].identifier = found  # BGBlitz gives both; the XGID says more.
                continue
        elif whole:
            found = whole[0] if whole.re is _BARE else whole[1]
        else:
            if start := _POSITION.search(line):
                position = number, start[1]
            if (end := _MATCH.search(line)) and position is not None and number - position[0] < 3:
                found = f"{position[1]}:{end[1]}"
        if found is not None:
            block = Block(number, found, names=dict(names), by_extreme_gammon=xgid is not None)
            if xgid:
                block.above = [*above, *_beside(text, xgid)]
            blocks.append(block)
            above = []
            position = position if position and position[0] == number else None
        elif blocks:
            blocks[-1].lines.append(line)
            blocks[-1].whole.append(text)
        else:
            above.append(text)
    return blocks


def _beside(text: str, identifier: re.Match[str]) -> list[str]:
    """The words on the line of an identifier, the identifier with them; none where it stands alone."""
    before, after = text[: identifier.start()], text[identifier.end() :]
    return [] if _LABEL.fullmatch(before) and not re.search(r"\w", after) else [text]


def by_bgblitz(lines: Sequence[str]) -> bool:
    """True if the figures stand as BGBlitz prints them; its name is nowhere in its texts."""
    return any(_BLITZ_ROW.match(line) or _EMG.match(line) for line in lines)


def number(text: str) -> float:
    """A printed number; the comma of some languages is a point."""
    return float(text.replace(",", ".").replace("\N{MINUS SIGN}", "-"))


def _share(percent: str) -> float:
    """A printed percentage as a share, without the noise of the division."""
    return round(number(percent) / 100, 6)


def play_analysis(lines: Sequence[str], game: Game) -> PlayAnalysis | None:
    """The candidates printed in these lines; None when there are none or no roll is to be played."""
    if game.phase is not Phase.PLAY or game.dice is None:
        return None
    rows: list[CandidatePlay] = []
    played = None
    for index, line in enumerate(lines):
        row = ROW.match(line) or _BLITZ_ROW.match(line)
        if row is None:
            continue
        text = row["play"].strip().rstrip(",")
        hops = walk.hops(text)
        made = walk.resolve(game, hops, "*" in text) if hops is not None else None
        level = _level((row.groupdict().get("level") or "").strip(), lines)
        chances = _chances_below(lines[index + 1 : index + 4])
        if line.lstrip().startswith("*"):
            played = len(rows)
        moves = made.moves if made else None
        rows.append(CandidatePlay(moves, text, number(row["equity"]), chances, level, _deviation(lines[index + 1 :])))
    return PlayAnalysis(tuple(rows), played) if rows else None


def _chances_below(lines: Sequence[str]) -> Chances | None:
    """The two percentage lines of eXtreme Gammon, or the six numbers of the others."""
    found = []
    for line in lines:
        if six := _SIX.match(line):
            values = [number(six[i]) for i in range(1, 7)]
            return values[0], values[1], values[2], values[4], values[5]
        if percent := PERCENT.search(line):
            found.append([_share(percent[i]) for i in range(1, 4)])
        elif ROW.match(line):
            break
    if len(found) < 2:
        return None
    mine, theirs = found[0], found[1]
    return mine[0], mine[1], mine[2], theirs[1], theirs[2]


def cube_analysis(lines: Sequence[str], game: Game) -> CubeAnalysis | None:
    """The equities of a cube decision printed in these lines; None when there are none."""
    if game.phase not in (Phase.CUBE_DECISION, Phase.ROLL, Phase.DOUBLE_OFFERED, Phase.PLAY):
        return None
    level = _level(next((found[1] for line in lines if (found := LEVEL.search(line))), ""), lines)
    blitz = [(found[1], number(found[2])) for line in lines if (found := _EMG.match(line))]
    if len(blitz) == 3:
        return _blitz_cube(blitz, lines, game, level)
    gnu = [(found[1].lower(), number(found[2])) for line in lines if (found := _gnu_action(line))]
    chances = _chances_below(lines)
    if len(gnu) == 3:
        return _gnu_cube(gnu, chances, level)
    at = next((i for i, line in enumerate(lines) if TWO_EQUITIES.search(line)), None)
    if at is None:
        return None
    cubeless = TWO_EQUITIES.search(lines[at])
    values = [number(found[1]) for line in lines[at + 1 : at + 8] if (found := _LAST_NUMBER.search(line))]
    if len(values) < 3 or cubeless is None:
        return None
    deviation = _deviation(lines[at:]) if level.startswith(_ROLLOUT) else None
    stay, take, drop = values[:3]
    return CubeAnalysis(stay, take, drop, chances, cubeless=number(cubeless[1]), level=level, deviation=deviation)


def _gnu_action(line: str) -> re.Match[str] | None:
    found = _GNU_CUBE.match(line)
    return found if found and not ROW.match(line) else None


def _gnu_cube(rows: list[tuple[str, float]], chances: Chances | None, level: str) -> CubeAnalysis | None:
    """GNU Backgammon's three actions in its order of merit; those that double are written with a comma."""
    stay = next((equity for words, equity in rows if "," not in words), None)
    doubles = [(words, equity) for words, equity in rows if "," in words]
    if stay is None or len(doubles) != 2:
        return None
    dropped = next((row for row in doubles if _DROPPED.search(row[0])), None)
    dropped = dropped or next((row for row in doubles if abs(row[1]) == 1.0), doubles[0])
    take = doubles[1] if dropped is doubles[0] else doubles[0]
    found = CubeAnalysis(stay, take[1], dropped[1], chances, level=level)
    # Where the double waits for its answer the program writes the figures of the player who answers.
    return found if dropped[1] > 0 else _of_the_doubler(found)


def _of_the_doubler(found: CubeAnalysis) -> CubeAnalysis:
    """The figures of the player who answers a double, turned into those of the player who doubled."""
    stay, take, drop = (
        None if each is None else -each for each in (found.no_double, found.double_take, found.double_pass)
    )
    chances = found.chances
    if chances is not None:
        win, gammon, backgammon, lost_gammon, lost_backgammon = chances
        chances = (round(1 - win, 6), lost_gammon, lost_backgammon, gammon, backgammon)
    return replace(found, no_double=stay, double_take=take, double_pass=drop, chances=chances)


def _level(words: str, lines: Sequence[str]) -> str:
    """The level without its footnote's mark: plies in English, for a text in any language, and a rollout's games."""
    level = words.rstrip(FOOTNOTE_MARKS).rstrip()
    if plies := _PLIES.fullmatch(level):
        return f"{plies[1]}-ply"
    if level.lower() != _ROLLOUT:
        return level
    mark = words[len(level) :].strip()
    games = next((found[2] for line in lines if (found := _GAMES.match(line)) and found[1] == mark), None)
    return f"{_ROLLOUT} {games}" if games is not None else _ROLLOUT


def _deviation(lines: Sequence[str]) -> float | None:
    """The standard error of a rollout, printed as half of its 95 % interval before the next candidate."""
    for line in lines:
        if ROW.match(line):
            break
        if half := _CONFIDENCE.search(line):
            return number(half[1]) / NORMAL_95
    return None


def _blitz_cube(rows: list[tuple[str, float]], lines: Sequence[str], game: Game, level: str) -> CubeAnalysis | None:
    """BGBlitz's three actions in its order of merit; those that double name the answer behind a stroke."""
    stay = [equity for words, equity in rows if "/" not in words]
    doubles = [equity for words, equity in rows if "/" in words]
    if len(stay) != 1 or len(doubles) != 2:
        return None
    # Normalised, a drop costs one point.
    drop, take = sorted(doubles, key=lambda equity: abs(equity - 1.0))
    cubeless = next((number(found[1]) for line in lines if (found := _CUBELESS.match(line))), None)
    return CubeAnalysis(stay[0], take, drop, _blitz_chances(lines, game), cubeless=cubeless, level=level)


def _blitz_chances(lines: Sequence[str], game: Game) -> Chances | None:
    rows = [[_share(found[i]) for i in range(1, 4)] for line in lines if (found := _THREE.match(line))][:2]
    if len(rows) < 2:
        return None
    green, red = rows
    mine, theirs = (red, green) if game.on_roll is Player.X else (green, red)
    return mine[0], mine[1], mine[2], theirs[1], theirs[2]
