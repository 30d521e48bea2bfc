"""Writing SGF as GNU Backgammon reads it: one game tree per game, analyses in its properties."""

from __future__ import annotations

import re
from dataclasses import replace

from fullprime.formats.analysis import CandidatePlay, CubeAnalysis, EventAnalysis
from fullprime.formats.document import Document, FormatError, LossReport
from fullprime.formats.recording.recorder import can_follow
from fullprime.formats.recording.tags import settings_losses
from fullprime.formats.recording.units import to_mwc, to_points
from fullprime.formats.sgf.reader import INFO
from fullprime.formats.sgf.tree import escape
from fullprime.rules.cube import Cube
from fullprime.rules.errors import FullprimeError, RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.plays import CheckerMove
from fullprime.rules.record import GameRecord, Setup
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, LONGGAMMON, NACKGAMMON
from fullprime.version import __version__

COLOUR = {Player.O: "W", Player.X: "B"}
_RULES = {
    BACKGAMMON.name: "",
    LONGGAMMON.name: "Longgammon",
    NACKGAMMON.name: "Nackgammon",
    HYPERGAMMON.name: "Hypergammon3",
    "hypergammon_2": "Hypergammon2",
    "hypergammon_1": "Hypergammon1",
}
_PLIES = re.compile(r"(\d{1,2})-ply")
_CUBE_VALUES = {
    ActionKind.DOUBLE: "double",
    ActionKind.BEAVER: "double",
    ActionKind.RACCOON: "double",
    ActionKind.TAKE: "take",
    ActionKind.DROP: "drop",
}


def write(document: Document) -> tuple[bytes, LossReport]:
    """The match as a collection of game trees; raises FormatError for a game that SGF cannot describe."""
    match = document.match
    if match.settings.variant.name not in _RULES or not can_follow(match.settings.variant):
        raise FormatError(f"SGF cannot describe games of {match.settings.variant.title}")
    writer = _Writer(document)
    trees = [writer.game(number, record) for number, record in enumerate(match.games)]
    if not trees:
        trees = [writer.tree(0, writer.head(0, (0, 0), match.settings, None), [])]
    return "".join(trees).encode(), LossReport(tuple(dict.fromkeys(writer.losses)))


def letter(place: int, player: Player) -> str:
    """The letter of a place in the player's own numbering: White's (O's) points a to x, y the bar, z off."""
    if place in (0, 25):
        return "z" if place == 0 else "y"
    return chr(96 + place) if player is Player.O else chr(121 - place)


def _letters(moves: tuple[CheckerMove, ...], player: Player) -> str:
    return "".join(letter(move.source, player) + letter(move.target, player) for move in moves)


class _Writer:
    """Writes the games of one document and collects the losses."""

    def __init__(self, document: Document) -> None:
        self.match = document.match
        self.events = document.review.events if document.review is not None else {}
        self.losses: list[str] = []
        program = document.review.program if document.review is not None else ""
        self.static = 1 if program.startswith("eXtreme Gammon") else 0
        """The program's name for a static evaluation: 1-ply in eXtreme Gammon, 0-ply in GNU Backgammon."""
        settings_losses(self.match.settings, self.losses)
        if self.match.settings.cube_cap is not None:
            self.losses.append("the limit of the cube is not written")
        if document.review is not None and document.review.figures:
            self.losses.append("statistics of the analysis are not written")
        written = {*INFO.values(), "EventDate", "Left Rating", "Right Rating"}
        if lost := sorted(set(self.match.info) - written - {"Variation", "Crawford", "Jacoby", "Beaver", "CubeLimit"}):
            self.losses.append(f"facts about the match are not written: {', '.join(lost)}")

    def tree(self, number: int, head: str, nodes: list[str]) -> str:
        """One game tree."""
        return f"({head}" + "".join(f"\n;{node}" for node in nodes) + ")\n" + ("\n" if number >= 0 else "")

    def head(self, number: int, points: tuple[int, int], settings: Settings, record: GameRecord | None) -> str:
        """The root node of a game."""
        names = self.match.names
        words = [
            f";FF[4]GM[6]CA[UTF-8]AP[Fullprime:{__version__}]",
            f"MI[length:{settings.length}][game:{number}][ws:{points[Player.O]}][bs:{points[Player.X]}]",
            f"PW[{escape(names[Player.O])}]PB[{escape(names[Player.X])}]",
        ]
        if number == 0:
            info = self.match.info
            words += [f"{key}[{escape(info[name])}]" for key, name in INFO.items() if info.get(name)]
            if date := info.get("EventDate"):
                words.append(f"DT[{escape(date.replace('.', '-'))}]")
            words += [
                f"{key}[{escape(info[name])}]"
                for key, name in (("WR", "Left Rating"), ("BR", "Right Rating"))
                if name in info
            ]
        rules = [_RULES[settings.variant.name]] if _RULES[settings.variant.name] else []
        if not settings.cube:
            rules.insert(0, "NoCube")
        if settings.is_match and settings.crawford:
            rules.append("Crawford")
        if record is not None and record.start.score.crawford_game:
            rules.append("CrawfordGame")
        if settings.jacoby:
            rules.append("Jacoby")
        if rules:
            words.append(f"RU[{':'.join(rules)}]")
        return "".join(words)

    def game(self, number: int, record: GameRecord) -> str:
        """The tree of one game."""
        head = self.head(number, record.start.score.points, self.match.settings, record)
        if record.start.multiplier > 1:
            head += f"CV[{record.start.multiplier}]"
        if record.start.ties:
            self.losses.append("ties of the opening roll are not written")
        nodes = _GameNodes(self, number, record)
        try:
            nodes.run()
        except RulesError as error:
            raise FormatError(f"game {number + 1}: {error}") from error
        result = record.stated or nodes.final.result
        if result is not None:
            resigned = "R" if result.how not in ("bear-off", "drop") else ""
            head += f"RE[{COLOUR[result.winner]}+{result.points}{resigned}]"
        if remark := record.comments.get(-1):
            head += f"C[{escape(remark)}]"
        return self.tree(number, head, nodes.nodes)


class _GameNodes:
    """The nodes of one game after its root."""

    def __init__(self, writer: _Writer, number: int, record: GameRecord) -> None:
        self.writer = writer
        self.number = number
        self.record = record
        self.nodes: list[str] = []
        self.final = record.start
        self.pending: tuple[Player, str, str] | None = None
        """A roll that has not been played yet: who, the dice, and the properties of its node."""

    def run(self) -> None:
        start = self.record.start
        if start.position != start.settings.variant.starting_position or start.settings.variant is LONGGAMMON:
            self._board(start)
        if start.cube != Cube():
            self._cube(start)
        self._roll_of(start)
        if start.phase in (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED):
            self.writer.losses.append("a double that is pending at the start is not written")
        for number, entry in enumerate(self.record.entries()):
            self._event(number, entry.before, entry.event, entry.after)
            self.final = entry.after
            if remark := self.record.comments.get(number):
                self._remark(remark)
        self._flush()

    def _event(self, number: int, before: Game, event: Action | Setup, after: Game) -> None:
        if isinstance(event, Setup):
            self._flush()
            if event.note:
                self.writer.losses.append("why a board was set up is not written")
            self._board(event.game)
            if event.game.cube != before.cube:
                self._cube(event.game)
            self._roll_of(event.game)
            return
        notes = self.writer.events.get((self.number, number), EventAnalysis())
        player = before.turn if before.turn is not None else after.on_roll
        kind = event.kind
        if kind in (ActionKind.OPENING, ActionKind.ROLL):
            if after.phase is not Phase.OPENING_ROLL:
                self.pending = (player, str(after.dice), self._cube_notes(notes, before))
        elif kind is ActionKind.PLAY:
            properties = self.pending[2] if self.pending is not None else ""
            self.pending = None
            plays = self._play_notes(notes, player, before)
            self.nodes.append(f"{COLOUR[player]}[{before.dice}{_letters(event.moves, player)}]{plays}{properties}")
        elif kind in _CUBE_VALUES:
            self._flush()
            self.nodes.append(f"{COLOUR[player]}[{_CUBE_VALUES[kind]}]{self._cube_notes(notes, before)}")
        elif kind is ActionKind.REFUSE:
            self.writer.losses.append("a refused resignation is not written")

    def _roll_of(self, game: Game) -> None:
        """The roll that is to be played in a game that was set up."""
        if game.phase is Phase.PLAY and game.dice is not None:
            self.pending = (game.on_roll, str(game.dice), "")

    def _flush(self) -> None:
        """A roll that was never played."""
        if self.pending is not None:
            player, dice, properties = self.pending
            self.nodes.append(f"PL[{COLOUR[player]}]DI[{dice}]{properties}")
            self.pending = None

    def _remark(self, words: str) -> None:
        if self.pending is not None:
            player, dice, properties = self.pending
            self.pending = (player, dice, f"{properties}C[{escape(words)}]")
        elif self.nodes and "]C[" not in self.nodes[-1]:
            self.nodes[-1] += f"C[{escape(words)}]"
        else:
            self.writer.losses.append("a comment is not written")

    def _board(self, game: Game) -> None:
        words = [f"PL[{COLOUR[game.on_roll]}]AE[a:y]"]
        for player, key in ((Player.O, "AW"), (Player.X, "AB")):
            row = game.position_of(player).player
            places = "".join(f"[{letter(place, player)}]" * row[place] for place in range(1, 26))
            words.append(f"{key}{places}" if places else "")
        self.nodes.append("".join(words))

    def _cube(self, game: Game) -> None:
        owner = "c" if game.cube.owner is None else COLOUR[game.cube.owner].lower()
        self.nodes += [f"CV[{game.cube.value}]", f"CP[{owner}]"]

    # -- analyses -------------------------------------------------------------------------------------------
    def _cube_notes(self, notes: EventAnalysis, before: Game) -> str:
        words = ""
        if notes.cube is not None:
            words = self._da(notes.cube, before)
        if notes.luck is not None:
            words += f"LU[{notes.luck:.5f}]"
        return words

    def _da(self, cube: CubeAnalysis, before: Game) -> str:
        stayed, doubled = cube.no_double, cube.double_take
        if cube.chances is None or stayed is None or doubled is None:
            self.writer.losses.append("analyses of the cube without chances or equities are not written")
            return ""
        if self.writer.match.settings.is_match and cube.unit == "points":
            # GNU Backgammon keeps winning chances in a match; a pending double is judged by the cube before it.
            try:
                stayed, doubled = to_mwc(stayed, before), to_mwc(doubled, before)
            except FullprimeError:
                self.writer.losses.append("analyses in matches that our tables do not reach are not written")
                return ""
        stay = _numbers((*cube.chances, cube.cubeless or 0.0, stayed))
        taken = _numbers((*(cube.double_chances or cube.chances), cube.cubeless or 0.0, doubled))
        return f"DA[E ver 3 {self._plies(cube.level)} 1 0.000000 1 {stay} {taken}]"

    def _play_notes(self, notes: EventAnalysis, player: Player, before: Game) -> str:
        if notes.play is None:
            return ""
        mwc = notes.play.unit == "mwc"
        try:
            candidates = [_to_points(c, before) if mwc else c for c in notes.play.candidates]
        except FullprimeError:
            self.writer.losses.append("analyses in matches that our tables do not reach are not written")
            return ""
        complete = [c for c in candidates if c.moves and c.equity is not None and c.chances]
        if len(complete) < len(notes.play.candidates):
            self.writer.losses.append("candidates without a play, an equity or chances are not written")
        played = candidates[notes.play.played] if notes.play.played is not None else None
        index = complete.index(played) if played in complete else 0
        return f"A[{index}]" + "".join(f"[{self._candidate(c, player)}]" for c in complete) if complete else ""

    def _candidate(self, candidate: CandidatePlay, player: Player) -> str:
        values = _numbers((*(candidate.chances or ()), candidate.equity or 0.0))
        plies = self._plies(candidate.level)
        return f"{_letters(candidate.moves or (), player)} E ver 3 {values} {plies} 0 1 0.000000 1"

    def _plies(self, level: str) -> str:
        match = _PLIES.match(level)
        if match is None or not level:
            self.writer.losses.append("levels of analysis other than plies are written as 0-ply")
            return "0C"
        return f"{max(0, int(match[1]) - self.writer.static)}{'C' if 'cubeless' not in level else ''}"


def _to_points(candidate: CandidatePlay, before: Game) -> CandidatePlay:
    """A candidate whose equity is a match winning chance, in points."""
    if candidate.equity is None:
        return candidate
    return replace(candidate, equity=to_points(candidate.equity, before))


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.6f}" for value in values)
