"""GamesGrid and GridGammon (``.sgg``). Every roll is logged twice; player 1, named first, is our O."""

from __future__ import annotations

import re

from fullprime.formats.document import Document, Problem
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.recording.tags import flag, variant_of
from fullprime.formats.sites.common import allow_raises, finish_document, length_of
from fullprime.rules.game import Phase
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import BACKGAMMON

_NAMES = re.compile(r"\s*+(.+?)\svs\.?\s++(\S.*)$")
_GAME = re.compile(r"\s*Game\s+\d+\.\s*(\d{1,9})(\*?)-(\d{1,9})(\*?)(?:/(\d{1,9}))?")
_ROW = re.compile(r"\s*+\d{1,9}+(?:\t(\t?)|( {2,99}))(.*)$")
_SECOND = 12
"""Where tabs have become blanks, the second column begins behind this one, the first before it."""
_UNPLACED = re.compile(r"\s*+\d{1,9} (?:[1-6][1-6]:|Double|Accept|Pass)")
_ROLL = re.compile(r"([1-6])([1-6]):\s*(.*)$")
_VALUE = re.compile(r"to (\d{1,9})")
_WINS = re.compile(r"(.+?) wins (\d{1,9}) points?")
_HEAD = re.compile(
    r"\s*(ELO|Jacoby|Automatic Doubles|Crawford|Beavers|Raccoons|Doubling Cube|Rated|Match Length|Variant)"
    r"\s*:\s*(.*?)\s*$"
)


def recognises(head: bytes) -> bool:
    """True if the text is such a log."""
    text = texts.decode(head)
    return _NAMES.match(text.lstrip().partition("\n")[0]) is not None and (
        "GamesGrid" in text or _GAME_LINE.search(text) is not None
    )


_GAME_LINE = re.compile(r"^Game\s+\d+\.\s*\d+\*?-\d+\*?/\d+", re.MULTILINE)


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The match of the log; raises FormatError when it holds no game."""
    reader = _Reader("\n".join(texts.lines(data)))
    for number, line in enumerate(texts.lines(data), 1):
        if line.strip():
            reader.line(number, line)
    return (finish_document(reader.recorder, reader.names, reader.head, name),)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.problems: list[Problem] = []
        self.head: dict[str, str] = {}
        self.names = ("", "")
        self.recorder: Recorder | None = None
        self.doubled: tuple[Player, int, int] | None = None

    def line(self, number: int, line: str) -> None:
        """Read one line."""
        if game := _GAME.match(line):
            self._game(number, game)
        elif self.recorder is None:
            if not self.names[0] and (names := _NAMES.match(line)):
                self.names = names[2].rstrip(), names[1].rstrip()
            elif fact := _HEAD.match(line):
                self.head[fact[1]] = fact[2]
            elif line.strip() != "GamesGrid":
                self.head.setdefault("EventDate", line.strip())
        elif wins := _WINS.match(line.strip()):
            self._wins(number, wins[1], int(wins[2]), self.recorder)
        elif row := _ROW.match(line):
            right = row[1] or (row[2] and row.start(3) > _SECOND)
            self._row(number, Player.X if right else Player.O, row[3], self.recorder)
        elif self.recorder.in_game:
            if _UNPLACED.match(line):
                self.problems.append(Problem(f"the column is lost: {line.strip()!r:.60}", number))
            self.recorder.comment(line.strip())

    def _game(self, number: int, game: re.Match[str]) -> None:
        if self.recorder is None:
            self.recorder = Recorder(self._settings(game[5], number), self.problems)
        crawford = bool(game[2] or game[4]) if self.recorder.settings.length > 1 else None
        self.recorder.begin((int(game[3]), int(game[1])), crawford=crawford, line=number)

    def _settings(self, length_text: str | None, number: int) -> Settings:
        head = self.head
        length = length_of(head.get("Match Length") or length_text or "0", self.problems, number)
        variant = variant_of(head.get("Variant", "Backgammon"))
        if variant is None:
            self.problems.append(Problem(f"the variation {head['Variant']!r:.30} is not known; read as Backgammon"))
        cube = flag(head.get("Doubling Cube")) is not False
        money = length == 0 and cube
        settings = Settings(
            variant=variant or BACKGAMMON,
            length=length,
            cube=cube,
            crawford=length < 2 or flag(head.get("Crawford")) is not False,
            jacoby=money and flag(head.get("Jacoby")) is True,
            beavers=money and flag(head.get("Beavers")) is True,
            automatic_doubles=None if money and flag(head.get("Automatic Doubles")) else 0,
        )
        return allow_raises(settings, self.text.partition("Game 1")[2])

    def _wins(self, number: int, winner: str, points: int, recorder: Recorder) -> None:
        if winner not in self.names:
            self.problems.append(Problem(f"{winner!r:.40} is none of the players", number))
        elif recorder.in_game:
            recorder.finish(Player(self.names.index(winner)), points, number)

    def _row(self, number: int, player: Player, text: str, recorder: Recorder) -> None:
        words = text.strip()
        if not recorder.in_game:
            self.problems.append(Problem(f"nothing is being played: {words!r:.50}", number))
        elif roll := _ROLL.match(words):
            self._roll(number, player, roll, recorder)
        elif words in ("-", ""):
            if recorder.phase is Phase.PLAY and player is recorder.on_roll:
                recorder.dance(player, number)
            elif recorder.phase is Phase.PLAY:
                recorder.close_roll(number)
                recorder.pass_turn(player, "shut out: the dice were not thrown")
            else:
                recorder.pass_turn(player, "shut out: the dice were not thrown")
        elif (low := words.lower()).startswith(("double", "redouble")):
            value = _VALUE.search(low)
            if recorder.phase is not Phase.DOUBLE_OFFERED or player is not recorder.on_roll:
                recorder.double(player, int(value[1]) if value else None, number)
        elif low.startswith(("accept", "take")):
            recorder.take(player, number)
        elif low.startswith(("pass", "drop", "reject")):
            recorder.drop(player, number)
        elif low.startswith(("beaver", "raccoon")):
            recorder.beaver(player, number)
        elif not low.startswith("resign"):
            recorder.comment(words)

    def _roll(self, number: int, player: Player, roll: re.Match[str], recorder: Recorder) -> None:
        first, second, rest = int(roll[1]), int(roll[2]), roll[3].strip()
        dice = recorder.dice
        again = (
            recorder.phase is Phase.PLAY
            and player is recorder.on_roll
            and dice is not None
            and (dice.high, dice.low) == (max(first, second), min(first, second))
        )
        if not again and not recorder.roll(player, first, second, number):
            return
        if rest.upper() == "O-O":
            recorder.dance(player, number)
        elif rest:
            recorder.play_upwards(player, rest, number)
