"""GNU Backgammon's text export of a game: followed block by block through its identifiers, in any language.

A block is one decision: an identifier, a line ``* name …`` that names the action, and the analysis. The words of
that line are not read: a play stands in it or not, and the next block shows the answer to a double.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType

from fullprime.formats.analysis import EventAnalysis, FileAnalysis
from fullprime.formats.document import Document, Problem
from fullprime.formats.gnubg_text.blocks import Block, cube_analysis, play_analysis
from fullprime.formats.recording import walk
from fullprime.formats.recording.recorder import Recorder
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game, Phase
from fullprime.rules.ids import read_id
from fullprime.rules.record import Match
from fullprime.rules.score import Player

_DID = re.compile(r"^\* (?!\s*+\d)(.*\S)")
_FACT = re.compile(r"^\s*(Date|Event|Round|Place|Annotator|Comments)\s*: (.*\S)\s*$")
_NAMED = {"Date": "EventDate", "Place": "Site", "Annotator": "Transcriber", "Comments": "Comment"}


def is_game(blocks: Sequence[Block]) -> bool:
    """True if the blocks are the decisions of one game."""
    return len(blocks) > 1 and sum(_action(block) is not None for block in blocks) > len(blocks) // 2


def _action(block: Block) -> str | None:
    return next((found[1] for line in block.lines if (found := _DID.match(line))), None)


def read_game(blocks: Sequence[Block], head: Sequence[str], name: str) -> Document | None:
    """The game that the blocks tell; None when the first of them cannot be read."""
    follower = _Follower()
    for number, block in enumerate(blocks):
        try:
            game = read_id(block.identifier).game
        except FullprimeError as error:
            follower.problems.append(Problem(str(error)[:160], block.line))
            continue
        follower.block(block, game, last=number == len(blocks) - 1)
    recorder = follower.recorder
    if recorder is None:
        return None
    names = blocks[0].names.get("X", "X"), blocks[0].names.get("O", "O")
    _result(recorder, blocks[-1], names)
    recorder.close()
    info = {}
    for line in head:
        if fact := _FACT.match(line):
            info[_NAMED.get(fact[1], fact[1])] = fact[2]
    match = Match(recorder.settings, names, tuple(recorder.games), MappingProxyType(info))
    review = FileAnalysis("GNU Backgammon text export", MappingProxyType(follower.events)) if follower.events else None
    return Document(match, review, tuple(follower.problems), source=name)


def _result(recorder: Recorder, block: Block, names: tuple[str, str]) -> None:
    """A line that begins with a player's name and holds one number: the winner and his points."""
    for line in block.lines:
        for player in Player:
            if names[player] and line.startswith(names[player] + " ") and recorder.in_game:
                numbers = re.findall(r"\d{1,9}", line[len(names[player]) :])
                if len(numbers) == 1:
                    recorder.finish(player, int(numbers[0]), block.line)


class _Follower:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.recorder: Recorder | None = None
        self.events: dict[tuple[int, int], EventAnalysis] = {}

    def block(self, block: Block, game: Game, *, last: bool) -> None:
        """One decision."""
        recorder = self._agreed(block, game)
        player = game.on_roll
        cube = cube_analysis(block.lines, game)
        action = _action(block)
        if game.phase is Phase.PLAY and game.dice is not None:
            if recorder.phase is not Phase.PLAY:
                if not recorder.roll(player, game.dice.high, game.dice.low, block.line):
                    return
                self._note(EventAnalysis(cube=cube))
            if action is None:
                return
            recorder.play(player, _play_in(action), block.line)
            self._note(EventAnalysis(play=play_analysis(block.lines, game)))
        elif game.phase is Phase.CUBE_DECISION and action is not None:
            if recorder.double(player, None, block.line):
                self._note(EventAnalysis(cube=cube))
        elif game.phase is Phase.DOUBLE_OFFERED and action is not None:
            (recorder.drop if last else recorder.take)(player.other, block.line)
            self._note(EventAnalysis(cube=cube))

    def _agreed(self, block: Block, game: Game) -> Recorder:
        """The recorder, its board held equal to that of the identifier."""
        if self.recorder is None:
            recorder = self.recorder = Recorder(game.settings, self.problems)
            recorder.begin(game.score.points, crawford=game.score.crawford_game if game.settings.length > 1 else None)
            if game.position != game.settings.variant.starting_position or game.phase is not Phase.PLAY:
                recorder.begin_at(game)
            return recorder
        recorder = self.recorder
        if recorder.phase is Phase.PLAY:
            recorder.close_roll(block.line)
        if recorder.phase is not Phase.OVER and recorder.game.position_of(game.on_roll) != game.position:
            recorder.report("the board is not the one the plays lead to; it is set", block.line)
            recorder.set_up(game, "board of the file")
        return recorder

    def _note(self, analysis: EventAnalysis) -> None:
        if self.recorder is not None and analysis != EventAnalysis() and self.recorder.last >= 0:
            self.events[len(self.recorder.games), self.recorder.last] = analysis


def _play_in(words: str) -> str:
    """The play at the end of a sentence; empty when there is none."""
    found: list[str] = []
    for word in reversed(words.split()):
        if not walk.hops(word.rstrip(",.")):
            break
        found.append(word.rstrip(",."))
    return " ".join(reversed(found))
