"""Blocks of text below identifiers, and the analyses printed in them: by form, never by words.

The programs write in many languages; numbers are read by where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from fullprime.formats.analysis import CandidatePlay, Chances, CubeAnalysis, PlayAnalysis
from fullprime.formats.recording import text as texts
from fullprime.formats.recording import walk
from fullprime.formats.recording.units import NORMAL_95
from fullprime.rules.game import Game, Phase
from fullprime.rules.ids import IDS, within
from fullprime.rules.score import Player

_ID_LABEL = r"\b(?:Position|Match)?s?[ -]?ID\b[ \w]{0,20}?(?:\s*+:){0,2}\s*+"
"""``Position ID:``, or what GNU Backgammon calls it in other languages: ``ID de position:``, ``Positions ID: :`` …"""
_POSITION = re.compile(rf"{_ID_LABEL}(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{{14}})(?![A-Za-z0-9+/])", re.IGNORECASE)
_MATCH = re.compile(rf"{_ID_LABEL}(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{{12}})(?![A-Za-z0-9+/])", re.IGNORECASE)
_LABEL = re.compile(
    r"[^\w=]*+(?:(?:[^\W\d_]{1,12}\.?\s*+\#?+)?+\d{1,4}(?:[.:)]\W*+|\s++))?+"
    r"(?:position\s++(?:xgid|gnubgid|ogid)?+\s*+)?+(?:(?:GNU ?bg|GNU|XG|OG|Position)?+[ -]?+ID\s*+[:=]?+\s*+)?+$",
    re.IGNORECASE,
)
"""The only words that may stand before an identifier that begins another position."""
NAMES = re.compile(r"^\s*+X:(.*?)\sO:(.*)$")
_SIDE = re.compile(r"\s([XO]): (\S(?:.*?\S)??)(?:(?:\s{2,}|\u3000)\d+|\s*\([^()]*\d\))?\s*$")
"""The name beside a board, of one letter or more; GNU Backgammon writes the cube behind it, in brackets, BGBlitz the
pips, after two blanks or a wide one."""
BULLET = "\N{BULLET}"
MARK = rf"[*{BULLET}]"
"""What stands before what was done: a star in a text, a bullet on a page."""
NUMBER = r"[-+\N{MINUS SIGN}]?\d{1,9}[.,]\d{1,9}"
_MOVE = rf"(?:{walk.PLACE})(?:\*?/(?:{walk.PLACE})\*?){{1,8}}+(?:\(\d\))?\*?,?\s*+"
"""One move of a play. What was read is never read in another way, or a line of a few letters could take for ever."""
ROW = re.compile(
    rf"^\s*+(?:\*\s*+)?(\d{{1,3}})\.\s++(?P<level>.*?)(?P<play>(?:{_MOVE}){{1,8}}+)"
    rf"[^\W\d]{{1,12}}(?:-[^\W\d]{{1,12}})?\.?\s*+:\s*+(?P<equity>{NUMBER})",
    re.IGNORECASE,
)
_BLITZ_ROW = re.compile(
    rf"^\s*(\d{{1,3}})\.\s+{NUMBER} \S+ /\s+(?P<equity>{NUMBER})\s+(?:\({NUMBER}\)\s+)?(?P<play>\S.*?)\s*$"
)
_PAGE_ROW = re.compile(
    rf"^\s*+(?:{MARK}\s*+)?\d{{1,3}}\s++(?P<level>\d|[^\W\d]{{1,12}})\s++(?P<play>(?:{_MOVE}){{1,8}}+)"
    rf"(?P<equity>{NUMBER})\s*+(?:\({NUMBER}\)\s*+)?$",
    re.IGNORECASE,
)
"""A candidate on a page of GNU Backgammon: its number, plies, play and equity in cells of a table."""
PERCENT = re.compile(rf"({NUMBER})%\s*\(G:\s*({NUMBER})%\s*B:\s*({NUMBER})%\)")
_SIX = re.compile(rf"^\s*({NUMBER})\s+({NUMBER})\s+({NUMBER})\s+-\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})\s*$")
_THREE = re.compile(rf"^\s++\S.*?\s({NUMBER})\s++({NUMBER})\s++({NUMBER})\s*+$")
_LAST_NUMBER = re.compile(rf":\s*+({NUMBER})\s*+(?:\({NUMBER}\)\s*+)?$")
_EMG = re.compile(rf"^(.*?):\s*{NUMBER}\s*\(\s*{NUMBER}\)\s+({NUMBER})\s*\(\s*{NUMBER}\)\s*$")
_CUBELESS = re.compile(rf"^\s+\S.*?:\s*({NUMBER})\s+\S.*?:\s*{NUMBER}\s*$")
_GNU_CUBE = re.compile(rf"^\s*+[123]\.\s++(\S.*?)\s*({NUMBER})\s*+(?:\(?{NUMBER}\)?\s*+)?$")
_COMMA = re.compile("[,\u3001]")
_DROPPED = re.compile(r"pass|drop|ablehn|rifiut|rechaz")
FOOTNOTE_MARKS = "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
LEVEL = re.compile(rf"(\d-pl(?:y|is|ies)|XG Roller\+{{0,2}}|Rollout[{FOOTNOTE_MARKS}]*|Book)", re.IGNORECASE)
_ROLLOUT = "rollout"
_GAMES = re.compile(rf"(?:\s++|(?=[{FOOTNOTE_MARKS}]))([{FOOTNOTE_MARKS}]*+)\s*+(\d{{1,9}})\s++[^\W\d]")
"""How many games were rolled out: below a cube decision, or in the footnote of a candidate."""
_CONFIDENCE = re.compile(rf"\N{{PLUS-MINUS SIGN}}\s*+({NUMBER})")
_PLIES = re.compile(r"(\d)-[^\W\d]+")
TWO_EQUITIES = re.compile(rf"=({NUMBER}),.*=({NUMBER})\s*$")
_DRAWN = re.compile(r"\+[-+\d]{12}")
"""The edge of a board."""
_NEAR = 6
"""Fewer lines than this are between a Position ID and its Match ID."""
_LONGEST = 1_000
"""Characters of a line that are looked at: no row of an analysis is this long."""


def holds_identifier(head: bytes) -> bool:
    """True if the text holds an identifier that can be read."""
    text = within.unescape(texts.squeeze_blanks(texts.plain(head)))
    if "GID" in text.upper():  # without this look millions of blank lines take seconds
        text = "\n".join(join_cut(text.split("\n")))
    text = walk.plain_signs(text)
    if within.find_identifier(text) or _POSITION.search(text):
        return True
    first = text.lstrip().partition("\n")[0].strip()
    return len(first) < 300 and any(identifier.matches(first) for identifier in IDS.values())


@dataclass(slots=True)
class Block:
    """An identifier and the lines that belong to it."""

    line: int
    identifier: str
    lines: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    full_lines: list[str] = field(default_factory=list)
    """The same lines, however long they are."""
    above: list[str] = field(default_factory=list)
    """The lines above the first identifier of a text, and the words beside an identifier."""
    by_extreme_gammon: bool = False
    """The identifier is an XGID alone, which BGBlitz never writes."""
    is_inline: bool = False
    """The identifier stands in the middle of a line: in a table, a list or a sentence."""
    has_board: bool = False
    """A board or candidates are below an identifier in the middle of a line."""


def split_blocks(lines: Sequence[str]) -> list[Block]:
    """Split the text at its identifiers; names stand above or below, and boards may stand before."""
    blocks: list[Block] = []
    alone: list[tuple[int, str]] = []
    position: tuple[int, str] | None = None
    names: dict[str, str] = {}
    above: list[str] = []
    for number, text in enumerate(lines, 1):
        line = _plain_line(text)
        names = _names_in(text[:_LONGEST], names, blocks[-1:], number)
        identifier, xgid = None, within.XGID.search(line)
        match = within.find_identifier(line)
        beside = match is not None and not _LABEL.fullmatch(line[: match.start()])
        if match and beside and blocks and not _is_listed(match, blocks[-1]):
            xgid = None  # An identifier in the middle of a line is part of a remark.
        elif xgid:
            identifier = within.text_of(xgid)
            if position is not None and blocks and blocks[-1].line >= number - 2:
                blocks[-1].identifier = identifier  # BGBlitz gives both; the XGID says more.
                continue
        elif match:
            identifier = within.text_of(match)
        else:
            if start := _POSITION.search(line):
                position = number, start[1]
                alone.append(position)
            if (end := _MATCH.search(line)) and position is not None and number - position[0] < _NEAR:
                identifier = f"{position[1]}:{end[1]}"
        if identifier is not None:
            block = Block(number, identifier, names=dict(names), by_extreme_gammon=xgid is not None, is_inline=beside)
            if match and (xgid or beside):
                block.above = [*above, *_beside(text, line, match)]
            blocks.append(block)
            if xgid and beside:
                others = dict.fromkeys(map(within.text_of, within.XGID.finditer(line)))
                blocks += [Block(number, other, is_inline=True) for other in others if other != identifier]
            above = []
            position = position if position and position[0] == number else None
        elif blocks:
            last = blocks[-1]
            last.lines.append(line[:_LONGEST])
            last.full_lines.append(text)
            last.has_board = last.has_board or (last.is_inline and _shows(last.lines[-1]))
        else:
            above.append(text)
    # Without any other identifier: boards without a score.
    return blocks or [Block(*board, names=names if len(alone) == 1 else {}) for board in alone]


def join_cut(lines: Sequence[str]) -> list[str]:
    """The lines, with XGIDs in one piece that a mail has cut at the end of a line; as many lines as there were."""
    joined = list(lines)
    for number in range(len(joined) - 1):
        joined[number : number + 2] = within.join_cut(*joined[number : number + 2]) or joined[number : number + 2]
    return joined


def _plain_line(text: str) -> str:
    """The line as identifiers are looked for in it; of a longer one than any analysis has only those are of use."""
    if len(text) > _LONGEST and within.XGID.search(text) is None:
        text = text[:_LONGEST]
    return walk.plain_signs(within.unescape(text))


def _is_listed(match: re.Match[str], last: Block) -> bool:
    """True if an identifier in the middle of a line is another one of a table or list, and not of a remark."""
    return last.is_inline and not last.has_board and within.text_of(match) != last.identifier


def _shows(line: str) -> bool:
    """True if this line is of a board or of candidates, and not of a table, list or sentence."""
    return _DRAWN.search(line) is not None or ROW.match(line) is not None


def _names_in(line: str, names: dict[str, str], last: Sequence[Block], number: int) -> dict[str, str]:
    """The names known after this line, which the ``last`` block takes where they are its own."""
    if pair := NAMES.match(line):
        names = {"X": pair[1].strip(), "O": pair[2].strip()}
        if last and last[0].line >= number - _NEAR:
            last[0].names = names
    elif "X-O:" not in line and (side := _SIDE.search(line)):
        names = {**names, side[1]: side[2]}
        if last and not {"X", "O"} <= set(last[0].names):
            last[0].names = {**last[0].names, side[1]: side[2]}
    return names


def _beside(text: str, line: str, identifier: re.Match[str]) -> list[str]:
    """The words on the line of an identifier, the identifier with them; none where it stands alone."""
    before, after = line[: identifier.start()], line[identifier.end() :]
    return [] if _LABEL.fullmatch(before) and not re.search(r"\w", after) else [text]


def is_by_bgblitz(lines: Sequence[str]) -> bool:
    """True if the figures stand as BGBlitz prints them; its name is nowhere in its texts."""
    return any(_BLITZ_ROW.match(line) or _EMG.match(line) for line in lines)


def number(text: str) -> float:
    """A printed number; the comma of some languages is a point."""
    return float(text.replace(",", ".").replace("\N{MINUS SIGN}", "-"))


def indented(lines: Sequence[str]) -> Sequence[str]:
    """The lines, with a blank before each where a page has taken it from all of them."""
    lost = not any(line[:1].isspace() for line in lines if line.strip())
    return [f" {line}" for line in lines] if lost else lines


def _share(percent: str) -> float:
    """A printed percentage as a share, without the noise of the division."""
    return round(number(percent) / 100, 6)


def play_analysis(lines: Sequence[str], game: Game) -> PlayAnalysis | None:
    """The candidates printed in these lines; None when there are none or no roll is to be played."""
    if game.phase is not Phase.PLAY or game.dice is None:
        return None
    lines = indented([line for line in lines if line.strip()])
    candidates = [ROW.match(line) or _BLITZ_ROW.match(line) or _PAGE_ROW.match(line) for line in lines]
    games, deviations = _games_rolled_out(lines), _deviations(lines, candidates)
    rows: list[CandidatePlay] = []
    played = None
    for index, (line, row) in enumerate(zip(lines, candidates, strict=True)):
        if row is None:
            continue
        text = row["play"].strip().rstrip(",")
        hops = walk.hops(text)
        play = walk.find_play(game, hops, "*" in text) if hops is not None else None
        plies = (row.groupdict().get("level") or "").strip()
        level = f"{plies}-ply" if plies.isdigit() else _level(plies, games)
        chances = _chances_below(lines[index + 1 : index + 4])
        if line.lstrip().startswith(("*", BULLET)):
            played = len(rows)
        moves = play.moves if play else None
        rows.append(CandidatePlay(moves, text, number(row["equity"]), chances, level, deviations[index]))
    return PlayAnalysis(tuple(rows), played) if rows else None


def _chances_below(lines: Sequence[str]) -> Chances | None:
    """The two percentage lines of eXtreme Gammon, or the six numbers of the others."""
    shares = []
    for line in lines:
        if six := _SIX.match(line):
            values = [number(six[i]) for i in range(1, 7)]
            return values[0], values[1], values[2], values[4], values[5]
        if percent := PERCENT.search(line):
            shares.append([_share(percent[i]) for i in range(1, 4)])
        elif ROW.match(line):
            break
    if len(shares) < 2:
        return None
    mine, theirs = shares[0], shares[1]
    return mine[0], mine[1], mine[2], theirs[1], theirs[2]


def cube_analysis(lines: Sequence[str], game: Game) -> CubeAnalysis | None:
    """The equities of a cube decision printed in these lines; None when there are none."""
    if game.phase not in (Phase.CUBE_DECISION, Phase.ROLL, Phase.DOUBLE_OFFERED, Phase.PLAY):
        return None
    lines = indented([line for line in lines if line.strip()])
    words = next((match[1] for line in lines if (match := LEVEL.search(line))), "")
    level = _level(words, _games_rolled_out(lines))
    blitz = [(match[1], number(match[2])) for line in lines if (match := _EMG.match(line))]
    if len(blitz) == 3:
        return _blitz_cube(blitz, lines, game, level)
    gnu = [(match[1].lower(), number(match[2])) for line in lines if (match := _gnu_action(line))]
    chances = _chances_below(lines)
    if len(gnu) == 3:
        return _gnu_cube(gnu, chances, level)
    at = next((i for i, line in enumerate(lines) if TWO_EQUITIES.search(line)), None)
    if at is None:
        return None
    cubeless = TWO_EQUITIES.search(lines[at])
    values = [number(match[1]) for line in lines[at + 1 : at + 8] if (match := _LAST_NUMBER.search(line))]
    if len(values) < 3 or cubeless is None:
        return None
    deviation = None
    if level.startswith(_ROLLOUT):
        deviation = _deviations(lines, [ROW.match(line) for line in lines])[at]
    stay, take, drop = values[:3]
    return CubeAnalysis(stay, take, drop, chances, cubeless=number(cubeless[1]), level=level, deviation=deviation)


def _gnu_action(line: str) -> re.Match[str] | None:
    match = _GNU_CUBE.match(line)
    return match if match and not ROW.match(line) else None


def _gnu_cube(rows: list[tuple[str, float]], chances: Chances | None, level: str) -> CubeAnalysis | None:
    """GNU Backgammon's three actions in its order of merit; those that double are written with a comma."""
    stay = next((equity for words, equity in rows if not _COMMA.search(words)), None)
    doubles = [(words, equity) for words, equity in rows if _COMMA.search(words)]
    if stay is None or len(doubles) != 2:
        return None
    dropped = next((row for row in doubles if _DROPPED.search(row[0])), None)
    dropped = dropped or next((row for row in doubles if abs(row[1]) == 1.0), doubles[0])
    take = doubles[1] if dropped is doubles[0] else doubles[0]
    analysis = CubeAnalysis(stay, take[1], dropped[1], chances, level=level)
    # Where the double waits for its answer the program writes the figures of the player who answers.
    return analysis if dropped[1] > 0 else _flip_to_doubler(analysis)


def _flip_to_doubler(analysis: CubeAnalysis) -> CubeAnalysis:
    """The figures of the player who answers a double, turned into those of the player who doubled."""
    equities = analysis.no_double, analysis.double_take, analysis.double_pass
    stay, take, drop = (None if equity is None else -equity for equity in equities)
    chances = analysis.chances
    if chances is not None:
        win, gammon, backgammon, lost_gammon, lost_backgammon = chances
        chances = (round(1 - win, 6), lost_gammon, lost_backgammon, gammon, backgammon)
    return replace(analysis, no_double=stay, double_take=take, double_pass=drop, chances=chances)


def _level(words: str, games: Mapping[str, str]) -> str:
    """The level without its footnote's mark: plies in English, for a text in any language, and a rollout's games."""
    level = words.rstrip(FOOTNOTE_MARKS).rstrip()
    if plies := _PLIES.fullmatch(level):
        return f"{plies[1]}-ply"
    if level.lower() != _ROLLOUT:
        return level
    mark = words[len(level) :].strip()
    return f"{_ROLLOUT} {games[mark]}" if mark in games else _ROLLOUT


def _games_rolled_out(lines: Sequence[str]) -> dict[str, str]:
    """How many games were rolled out, by the mark of the footnote that says it first."""
    games: dict[str, str] = {}
    for line in lines:
        if match := _GAMES.match(line):
            games.setdefault(match[1], match[2])
    return games


def _deviations(lines: Sequence[str], candidates: Sequence[re.Match[str] | None]) -> list[float | None]:
    """For each line the standard error of a rollout, printed below it as half of its 95 % interval.

    What stands below the next candidate is that one's.
    """
    deviations: list[float | None] = [None] * len(lines)
    below = None
    for index in reversed(range(len(lines))):
        deviations[index] = below
        if candidates[index] is not None:
            below = None
        elif half := _CONFIDENCE.search(lines[index]):
            below = number(half[1]) / NORMAL_95
    return deviations


def _blitz_cube(rows: list[tuple[str, float]], lines: Sequence[str], game: Game, level: str) -> CubeAnalysis | None:
    """BGBlitz's three actions in its order of merit; those that double name the answer behind a stroke."""
    stay = [equity for words, equity in rows if "/" not in words]
    doubles = [equity for words, equity in rows if "/" in words]
    if len(stay) != 1 or len(doubles) != 2:
        return None
    # Normalised, a drop costs one point.
    drop, take = sorted(doubles, key=lambda equity: abs(equity - 1.0))
    cubeless = next((number(match[1]) for line in lines if (match := _CUBELESS.match(line))), None)
    return CubeAnalysis(stay[0], take, drop, _blitz_chances(lines, game), cubeless=cubeless, level=level)


def _blitz_chances(lines: Sequence[str], game: Game) -> Chances | None:
    rows = [[_share(match[i]) for i in range(1, 4)] for line in lines if (match := _THREE.match(line))][:2]
    if len(rows) < 2:
        return None
    green, red = rows
    mine, theirs = (red, green) if game.on_roll is Player.X else (green, red)
    return mine[0], mine[1], mine[2], theirs[1], theirs[2]
