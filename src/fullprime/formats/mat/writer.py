"""Writing match text in the form that most programs read: no byte order mark, every die one move, ``25`` and ``0``."""

from __future__ import annotations

import re

from fullprime.formats.document import Document, FormatError, LossReport
from fullprime.formats.mat.snowie import position_line
from fullprime.formats.recording.boards import counts_of
from fullprime.formats.recording.recorder import can_follow
from fullprime.formats.recording.tags import NO_LIMIT, settings_losses
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.record import GameRecord, Match, Setup
from fullprime.rules.score import Player, Result
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, LONGGAMMON, NACKGAMMON

LEFT, RIGHT = Player.O, Player.X
UNNAMED = "Anonymous"
_WIDTH = 27
_VARIATIONS = {
    BACKGAMMON.name: "Backgammon",
    NACKGAMMON.name: "NackGammon",
    HYPERGAMMON.name: "HyperGammon",
    LONGGAMMON.name: "LongGammon",
    "hypergammon_1": "HyperGammon (1)",
    "hypergammon_2": "HyperGammon (2)",
}
SET_POSITION = "; Set Pos"
"""The line that sets the board of a game begins so."""
_KEPT = ("Variation", "Crawford", "Jacoby", "Beaver", "Raccoon", "CubeLimit", "Cubelimit", "Comment")
"""Tags that are written from the settings, not from the tags of a file."""


def write(document: Document) -> tuple[bytes, LossReport]:
    """The match as text; raises FormatError for a game that this format cannot describe."""
    match = document.match
    losses: list[str] = []
    lines = [*_head(match, losses), ""]
    names = tuple(_name(name, losses) for name in match.names)
    for number, record in enumerate(match.games, 1):
        game = _GameText(record, number, (names[Player.X], names[Player.O]), losses)
        points = record.start.score.points
        lines.append(f" Game {number}")
        left = f"{names[LEFT]} : {points[LEFT]}"
        lines.append(f" {left:<{_WIDTH + 3}} {names[RIGHT]} : {points[RIGHT]}")
        lines += game.rows()
        lines.append("")
    if document.review is not None:
        losses.append("the analysis is not written")
    return ("\n".join(lines) + "\n").encode(), LossReport(tuple(dict.fromkeys(losses)))


def _name(name: str, losses: list[str]) -> str:
    plain = re.sub(r"\s+", " ", name.replace(":", ".")).strip().lstrip(";# ")
    if not plain:
        losses.append(f"an empty name is written as {UNNAMED!r}")
        return UNNAMED
    if plain != name:
        losses.append(f"the name {name!r} is written as {plain!r}")
    return plain


def _head(match: Match, losses: list[str]) -> list[str]:
    settings = match.settings
    variation = _VARIATIONS.get(settings.variant.name)
    if variation is None or not can_follow(settings.variant):
        raise FormatError(f"match text cannot describe games of {settings.variant.title}")
    settings_losses(settings, losses)
    tags = {name: value for name, value in match.info.items() if name not in _KEPT and _plain_tag(name)}
    if "Comment" in match.info or len(tags) < len([name for name in match.info if name not in _KEPT]):
        losses.append("remarks about the match are not written")
    tags.setdefault("Player 1", match.names[LEFT])
    tags.setdefault("Player 2", match.names[RIGHT])
    tags["Variation"] = variation
    if settings.is_match:
        tags["Crawford"] = "On" if settings.crawford else "Off"
    else:
        tags["Jacoby"] = "On" if settings.jacoby else "Off"
        tags["Beaver"] = "On" if settings.beavers else "Off"
        if settings.raccoons:
            tags["Raccoon"] = "On"
    tags["CubeLimit"] = str(settings.cube_cap or NO_LIMIT) if settings.cube else "1"
    lines = [f'; [{name} "{_one_line(value)}"]' for name, value in tags.items()]
    return [*lines, "", f" {settings.length} point match"]


def _plain_tag(name: str) -> bool:
    return re.fullmatch(r"[^\s\"\]\[][^\"\]\[\n]*", name) is not None


def _one_line(value: str) -> str:
    return re.sub(r"[\r\n]+", " ", value)


class _GameText:
    """The rows of one game."""

    def __init__(self, record: GameRecord, number: int, names: tuple[str, str], losses: list[str]) -> None:
        self.record = record
        self.number = number
        self.names = names
        self.losses = losses
        self.cells: list[tuple[Player, str]] = []
        self.head: list[str] = []

    def rows(self) -> list[str]:
        """Numbered rows and the result."""
        self._start(self.record.start)
        final = self._cells()
        rows: list[list[str]] = []
        for player, text in self.cells:
            if player is LEFT:
                rows.append([text, ""])
            elif not rows or rows[-1][1]:
                rows.append(["", text])
            else:
                rows[-1][1] = text
        result = self.record.stated or final.result
        lines = [_row(number, *cells) for number, cells in enumerate(rows, 1)]
        if result is not None:
            self._add_result(lines, rows, result, final)
        if self.record.comments:
            self.losses.append("comments are not written")
        return [*self.head, *lines]

    def _start(self, start: Game) -> None:
        if start.position != start.settings.variant.starting_position or start.cube.owner is not None:
            letters = _letters_of(start)
            exponent = start.cube.value.bit_length() - 1
            cube = {None: 0, RIGHT: exponent, LEFT: -exponent}[start.cube.owner]
            self.head.append(f"{SET_POSITION}={letters}/{cube}")
        if start.multiplier != 1 or start.ties:
            self.losses.append(f"game {self.number}: the stake was doubled before the game")
        self._roll_of(start)

    def _roll_of(self, game: Game) -> None:
        """The roll that is to be played in a game that was set up."""
        if game.phase is Phase.PLAY and game.dice is not None:
            self.cells.append((game.on_roll, f"{game.dice}:"))

    def _cells(self) -> Game:
        game = self.record.start
        try:
            for number, entry in enumerate(self.record.entries()):
                self._event(number, entry.before, entry.event, entry.after)
                game = entry.after
        except RulesError as error:
            raise FormatError(f"game {self.number}: {error}") from error
        return game

    def _event(self, number: int, before: Game, event: Action | Setup, after: Game) -> None:
        if isinstance(event, Setup):
            self._set_up(number, before, event)
            return
        player = before.turn if before.turn is not None else after.on_roll
        match event.kind:
            case ActionKind.OPENING if after.phase is Phase.OPENING_ROLL:
                self.losses.append(f"game {self.number}: a tie of the opening roll is not written")
            case ActionKind.OPENING | ActionKind.ROLL:
                self.cells.append((player, f"{after.dice}:"))
            case ActionKind.PLAY:
                moves = " ".join(f"{m.source}/{m.target}{'*' if m.hit else ''}" for m in event.moves)
                self.cells[-1] = (player, f"{self.cells[-1][1]} {moves}".rstrip())
            case ActionKind.DOUBLE:
                self.cells.append((player, f" Doubles => {(after.cube.offered or 0) * after.multiplier}"))
            case ActionKind.BEAVER | ActionKind.RACCOON:
                self.cells.append((player, f" Beavers => {(after.cube.offered or 0) * after.multiplier}"))
            case ActionKind.TAKE if before.phase is not Phase.BEAVER_OFFERED:
                self.cells.append((player, " Takes"))
            case ActionKind.DROP:
                self.cells.append((player, " Drops"))
            case ActionKind.REFUSE:
                self.losses.append(f"game {self.number}: a refused resignation is not written")
            case _:
                pass

    def _set_up(self, number: int, before: Game, event: Setup) -> None:
        after = event.game
        illegal = (
            before.phase is Phase.PLAY
            and after.on_roll is before.on_roll.other
            and after.cube == before.cube
            and after.phase in (Phase.ROLL, Phase.CUBE_DECISION)
            and before.settings.variant.checkers == BACKGAMMON.checkers
        )
        if illegal:
            following = self.record.events[number + 1 : number + 2]
            dice = next((action.dice for action in following if isinstance(action, Action)), None)
            line = position_line(after, self.names, in_match=True, dice=dice)
            self.cells[-1] = (before.on_roll, f"{self.cells[-1][1]} Illegal play ({line})")
        else:
            self.losses.append(f"game {self.number}: the board set up after {event.note or 'an event'} is not written")
            self._roll_of(after)

    def _add_result(self, lines: list[str], rows: list[list[str]], result: Result, final: Game) -> None:
        over = final.score.after(result, final.settings).match_winner(final.settings) is not None
        words = f" Wins {result.points} point{'s' if result.points != 1 else ''}{' and the match' if over else ''}"
        if result.winner is RIGHT and rows and not rows[-1][1]:
            lines[-1] = _row(len(rows), rows[-1][0], words)
        else:
            lines.append(f"     {words}" if result.winner is LEFT else f"{'':{_WIDTH + 5}}{words}")


def _letters_of(game: Game) -> str:
    """The board as 26 letters, seen by the left player, whose checkers are in capitals."""
    counts = counts_of(game.position, game.on_roll, LEFT)
    return "".join("-" if not n else chr(64 + n) if n > 0 else chr(96 - n) for n in counts)


def _row(number: int, left: str, right: str) -> str:
    return f"{number:3d}) {left:<{_WIDTH}} {right}".rstrip()
