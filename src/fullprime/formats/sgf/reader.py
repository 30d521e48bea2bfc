"""Smart Game Format for backgammon (``GM[6]``) as GNU Backgammon and Gibbon write it, with GNU's analysis.

White is GNU's player 0 and our O, Black is X. One game tree is one game; trees of one match follow each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType

from fullprime.formats.analysis import EventAnalysis, FileAnalysis
from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.recording.boards import game_at
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.recording.tags import hypergammon_of
from fullprime.formats.sgf import analysis as analyses
from fullprime.formats.sgf.setting import COLOURS, Setting
from fullprime.formats.sgf.tree import SgfNode, decode, read_trees, unescape
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.game import Phase
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import BACKGAMMON, LONGGAMMON, NACKGAMMON, Variant

_MOVE = re.compile(r"([1-6])([1-6])\s*([a-z]*)$", re.IGNORECASE)
_RESULT = re.compile(
    r"(?P<winner>[WB])\s*\+\s*(?P<points>\d{1,9})?\s*(?:(?P<resigned>R\w*)|(?P<clock>[TF]\w*))?$", re.IGNORECASE
)
"""Points, and ``Resign``, ``Time`` or ``Forfeit``, of which each may be a letter or left out."""
INFO = {"EV": "Event", "RO": "Round", "PC": "Site", "AN": "Transcriber", "GC": "Comment", "US": "User", "SO": "Source"}
_SET_UP = frozenset(("AE", "AW", "AB", "PL", "CV", "CP", "CO"))
_CUBE_WORDS = ("double", "redouble", "beaver", "raccoon", "take", "accept", "drop", "pass", "reject")
_RESIGN = re.compile(r"resigns?(?:\s*:\s*(\d{1,6}))?$")
"""Gibbon's resignation, with the points that are given up; the other side's ``accept`` or ``reject`` follows."""


def recognises(head: bytes) -> bool:
    """True if a file that begins like this is a backgammon SGF."""
    return re.match(rb"[\s\xef\xbb\xbf]*\(\s*;", head) is not None and re.search(rb"GM\s*\[\s*6\s*\]", head) is not None


@dataclass(slots=True)
class _File:
    """One match while it is read."""

    settings: Settings
    names: tuple[str, str]
    recorder: Recorder
    info: dict[str, str] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=dict)
    events: dict[tuple[int, int], EventAnalysis] = field(default_factory=dict)
    program: str = ""
    last_game: int = -1


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """Every match of the collection; raises FormatError when it holds no backgammon game."""
    problems: list[Problem] = []
    files: list[tuple[_File, list[Problem]]] = []
    games = read_trees(decode(data), problems)
    raises = _raises(games)
    for nodes in games:
        root = nodes[0]
        if (root.one("GM") or "6").strip() != "6":
            problems.append(Problem("a game that is not backgammon is left out", root.line))
            continue
        _add_game(files, nodes, problems, raises)
        problems = files[-1][1]
    if not files:
        raise FormatError(f"{name or 'the text'} holds no backgammon game")
    return tuple(_document(file, report, name) for file, report in files)


def _document(file: _File, problems: list[Problem], name: str) -> Document:
    file.recorder.close()
    match = Match(file.settings, file.names, tuple(file.recorder.games), MappingProxyType(file.info))
    review = None
    if file.events or file.figures:
        review = FileAnalysis(file.program, MappingProxyType(file.events), MappingProxyType(file.figures))
    return Document(match, review, tuple(problems), "sgf", name)


def _add_game(
    files: list[tuple[_File, list[Problem]]], nodes: list[SgfNode], pending: list[Problem], raises: int
) -> None:
    root = nodes[0]
    facts = _match_facts(root)
    names = unescape(root.one("PB") or ""), unescape(root.one("PW") or "")
    settings = _settings(root, facts, pending, raises)
    number = facts.get("game")
    last = files[-1][0] if files else None
    continues = (
        last is not None
        and last.names == names
        and last.settings.length == settings.length
        and last.settings.variant == settings.variant
        and (number > last.last_game if number is not None else _follows(last.recorder, _points(facts)))
    )
    if last is None or not continues:
        problems = pending if not files else []
        last = _File(settings, names, Recorder(settings, problems))
        files.append((last, problems))
        _head(root, last)
    last.last_game = last.last_game + 1 if number is None else number
    _Game(last, nodes, facts).read()


def _match_facts(root: SgfNode) -> dict[str, int]:
    facts = {}
    for value in root.properties.get("MI", []):
        name, _, text = value.partition(":")
        if re.fullmatch(r"-?\d{1,9}", text.strip()):
            facts[name.strip().lower()] = int(text.strip())
    return facts


def _points(facts: dict[str, int]) -> tuple[int, int] | None:
    """X's and O's points before the game; None where the file does not give them."""
    if "bs" not in facts and "ws" not in facts:
        return None
    return max(0, facts.get("bs", 0)), max(0, facts.get("ws", 0))


def _follows(recorder: Recorder, points: tuple[int, int] | None) -> bool:
    """True if a game at this score may be the next one of the match, whose games have no numbers."""
    recorder.close()
    return points == recorder.points if points is not None else recorder.goes_on


def _settings(root: SgfNode, facts: dict[str, int], problems: list[Problem], raises: int) -> Settings:
    rules = {word.strip().lower() for value in root.properties.get("RU", []) for word in value.split(":")}
    length = facts.get("length", 0)
    if not 0 <= length <= 10_000:
        problems.append(Problem(f"a match to {length} is taken as money play", root.line))
        length = 0
    variant: Variant = NACKGAMMON if "nackgammon" in rules else BACKGAMMON
    if "longgammon" in rules:
        variant = LONGGAMMON  # Ours: to other programs each of its games is a position that is set up.
    for checkers in (1, 2, 3):
        if f"hypergammon{checkers}" in rules:
            variant = hypergammon_of(checkers)
    money = length == 0
    cube = "nocube" not in rules
    return Settings(
        variant=variant,
        length=length,
        cube=cube,
        crawford=length < 2 or "crawford" in rules or "crawfordgame" in rules,
        jacoby=money and cube and "jacoby" in rules,
        beavers=money and cube and raises > 0,
        raccoons=money and cube and raises > 1,
    )


def _raises(games: list[list[SgfNode]]) -> int:
    """The number of times in a row that a double was doubled at once: 0 never, 1 by a beaver, 2 by a raccoon too."""
    most = run = 0
    for nodes in games:
        for node in nodes:
            values = [value for key in COLOURS for value in node.properties.get(key, [])]
            for value in values:
                run = run + 1 if value.strip().lower() in ("double", "redouble", "beaver", "raccoon") else 0
                most = max(most, run)
        run = 0
    return most - 1


def _head(root: SgfNode, file: _File) -> None:
    for key, name in INFO.items():
        if value := root.one(key):
            file.info[name] = unescape(value)
    if date := root.one("DT"):
        file.info["EventDate"] = unescape(date).replace("-", ".")
    for key, name in (("WR", "Left Rating"), ("BR", "Right Rating")):
        if value := root.one(key):
            file.info[name] = unescape(value)
    file.program = unescape(root.one("AP") or "").replace(":", " ").strip()


class _Game:
    """One game tree."""

    def __init__(self, file: _File, nodes: list[SgfNode], facts: dict[str, int]) -> None:
        self.file = file
        self.nodes = nodes
        self.facts = facts
        self.recorder = file.recorder
        self.number = len(file.recorder.games) + int(file.recorder.in_game)
        self.setting = Setting()
        self.line = nodes[0].line
        self.resigning: tuple[Player, int] | None = None
        """The player who offers to resign, and the points offered."""

    def read(self) -> None:
        root = self.nodes[0]
        points = _points(self.facts)
        rules = {word.strip().lower() for value in root.properties.get("RU", []) for word in value.split(":")}
        crawford = "crawfordgame" in rules if self.file.settings.is_match and self.file.settings.length > 1 else None
        multiplier = self._power(root.one("CV")) or 1
        self.recorder.begin(points, crawford=crawford, multiplier=multiplier, line=root.line)
        for statistics in root.properties.get("GS", []):
            key, _, values = statistics.partition(":")
            self.file.figures[f"game {self.number + 1} {key}"] = values
        for index, node in enumerate(self.nodes):
            self.line = node.line
            self._node(node, index == 0)
        self._apply_setting()
        self._result(root.one("RE"))
        if self.resigning is not None and self.recorder.in_game and self.recorder.phase is not Phase.OVER:
            self.recorder.comment(f"{self.resigning[0].name} resigns {self.resigning[1]}; no answer is given")

    def _node(self, node: SgfNode, is_root: bool) -> None:
        properties = node.properties
        if not is_root and not _SET_UP.isdisjoint(properties):
            self.setting.collect(node, self._power(node.one("CV")))
        for key, player in COLOURS.items():
            for value in properties.get(key, []):
                self._apply_setting(player)
                self._move(player, value.strip(), node)
        if not is_root and "DI" in properties and not ("W" in properties or "B" in properties):
            self._dice(node)
        for value in properties.get("C", []):
            self.recorder.comment(unescape(value).strip())

    # -- set-ups --------------------------------------------------------------------------------------------
    def _apply_setting(self, following: Player | None = None) -> None:
        """Set what has been collected; ``following`` acts next, where something follows."""
        setting, recorder = self.setting, self.recorder
        self.setting = Setting()
        if not setting:
            return
        if setting.dice is not None and setting.rows is None:
            recorder.roll(setting.player if setting.player is not None else recorder.on_roll, *setting.dice, self.line)
            return
        game = recorder.game
        player = setting.player if setting.player is not None else game.on_roll
        rows = setting.rows or (list(game.position_of(Player.X).player), list(game.position_of(Player.O).player))
        checkers = recorder.settings.variant.checkers
        if setting.rows is not None:
            if any(sum(row) > checkers for row in rows):
                recorder.report("the board that is set has too many checkers; it is left out", self.line)
                return
            for row in rows:
                row[0] += checkers - sum(row)
        named = recorder.settings.variant is LONGGAMMON and recorder.phase is Phase.OPENING_ROLL
        if named and rows == recorder.rows and setting.dice is None:
            return  # The start of the game, set up for programs that do not know it.
        if setting.rows is not None and self._was_played_illegally(setting, following):
            if setting.dice is not None and setting.roller is not None:
                recorder.roll(setting.roller, *setting.dice, self.line)
            recorder.set_rows(rows, "illegal play", self.line)
            return
        cube = game.cube
        if setting.cube is not None or setting.owner_known:
            owner = setting.owner if setting.owner_known else cube.owner
            cube = Cube(setting.cube or cube.value, owner)
        try:
            set_game = game_at(recorder.settings, game.score, rows, player, dice=setting.dice, cube=cube)
        except FormatError as error:
            recorder.report(f"the board cannot be set: {error}", self.line)
            return
        if recorder.last < 0 and not recorder.comments:
            recorder.begin_at(set_game)
        else:
            recorder.set_up(set_game, "")

    def _was_played_illegally(self, setting: Setting, following: Player | None) -> bool:
        """True if the board that is set is where a roll left it, because the other player acts next.

        The player who acts next shows it, not ``PL``: GNU Backgammon names White there in any case.
        """
        pending = self.recorder.on_roll if self.recorder.phase is Phase.PLAY else None
        roller = setting.roller if setting.dice is not None else pending
        if roller is None:
            return False
        if following is None and self.nodes[0].one("RE"):
            return True  # Nothing follows, and the game is over: a player resigned.
        return (following if following is not None else setting.player) is roller.other

    def _power(self, text: str | None) -> int | None:
        if text is None or not re.fullmatch(r"\d{1,9}", text.strip()):
            return None
        value = int(text.strip())
        if value < 1 or value & (value - 1):
            self.recorder.report(f"{value} is no value of a cube", self.line)
            return None
        return value

    def _dice(self, node: SgfNode) -> None:
        match = re.fullmatch(r"\s*([0-6])([0-6])\s*", node.one("DI") or "")
        named = COLOURS.get((node.one("PL") or "").strip().upper()[:1])
        if match is None or "0" in (match[1], match[2]):
            self._apply_setting()
            return
        if self.recorder.last < 0 and self.recorder.phase is Phase.OPENING_ROLL and self.setting.rows is None:
            # Before the first move the board may still follow (Gibbon writes it last).
            self.setting.dice, self.setting.player = (int(match[1]), int(match[2])), named
            self.setting.roller = named
            return
        self._apply_setting(named)
        recorder = self.recorder
        player = named if named is not None else recorder.on_roll
        if recorder.last < 0 and recorder.phase is not Phase.OPENING_ROLL:
            recorder.set_dice(int(match[1]), int(match[2]))
        elif recorder.roll(player, int(match[1]), int(match[2]), node.line):
            self._note_roll(node, recorder.last)

    # -- moves ----------------------------------------------------------------------------------------------
    def _move(self, player: Player, value: str, node: SgfNode) -> None:
        recorder = self.recorder
        word = value.lower()
        if resigns := _RESIGN.match(word):
            self.resigning = player, int(resigns[1] or recorder.stake)
            return
        if self.resigning is not None and self._answer(player, word):
            return
        if word in _CUBE_WORDS:
            self._cube(player, word, node)
            return
        match = _MOVE.match(value)
        if match is None:
            recorder.report(f"{value!r:.40} is no move", node.line)
            return
        first, second, letters = int(match[1]), int(match[2]), match[3].lower()
        hops = analyses.hops_of(letters, player)
        thrown = recorder.phase is Phase.PLAY and player is recorder.on_roll and recorder.dice == Roll(first, second)
        if not thrown:  # Else ``DI`` has told the roll.
            if not recorder.roll(player, first, second, node.line):
                return
            self._note_roll(node, recorder.last)
        if hops is None:
            recorder.report(f"{value!r:.40} is no move", node.line)
            hops = ()
        if not letters and node is self.nodes[-1] and not recorder.game.roll_plays.allows(()):
            return  # GNU Backgammon writes a roll that waits for its play when the game is saved without moves.
        before = recorder.game
        recorder.play(player, letters, node.line, hops)
        if values := node.properties.get("A"):
            play = analyses.play_analysis(values, before, player)
            if play is not None:
                self.file.events[self.number, recorder.last] = EventAnalysis(play=play)

    def _answer(self, player: Player, word: str) -> bool:
        """Answer the resignation that is offered; False when this is something else, and the offer lapses."""
        resigning, self.resigning = self.resigning, None
        if resigning is None or player is resigning[0] or word not in ("accept", "take", "reject", "drop"):
            return False
        level = min(max(1, resigning[1] // self.recorder.stake), 3)
        self.recorder.resign(resigning[0], level, accepted=word in ("accept", "take"))
        return True

    def _cube(self, player: Player, word: str, node: SgfNode) -> None:
        recorder = self.recorder
        before = recorder.last
        if word in ("double", "redouble", "beaver", "raccoon"):
            if recorder.phase in (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED) and player is recorder.answerer:
                recorder.beaver(player, node.line)
            else:
                recorder.double(player, None, node.line)
        elif word in ("take", "accept"):
            recorder.take(player, node.line)
        else:
            recorder.drop(player, node.line)
        if recorder.last > before:
            self._note_cube(node, recorder.last)

    def _note_roll(self, node: SgfNode, event: int) -> None:
        luck = analyses.number(node.one("LU") or "")
        cube = node.one("DA")
        analysis = analyses.cube_analysis(cube, self.file.settings.is_match) if cube else None
        if luck is not None or analysis is not None:
            self.file.events[self.number, event] = EventAnalysis(cube=analysis, luck=luck)

    def _note_cube(self, node: SgfNode, event: int) -> None:
        cube = node.one("DA")
        analysis = analyses.cube_analysis(cube, self.file.settings.is_match) if cube else None
        if analysis is not None:
            self.file.events[self.number, event] = EventAnalysis(cube=analysis)

    def _result(self, text: str | None) -> None:
        if text is None:
            return
        match = _RESULT.match(text.strip())
        if match is None:
            if text.strip() not in ("", "?", "Void", "0"):
                self.recorder.report(f"{text!r:.30} is no result", self.nodes[0].line)
            return
        points = int(match["points"]) if match["points"] else None
        how = "clock" if match["clock"] else "resignation" if match["resigned"] and points is None else None
        self.recorder.finish(COLOURS[match["winner"].upper()], points, self.nodes[0].line, how=how)
