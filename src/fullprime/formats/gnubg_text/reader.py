"""GNU Backgammon's text export of a game: followed block by block through its identifiers, in any language.

A block is one decision: an identifier, a line ``* name …`` that names the action, and the analysis. The words of
that line are not read: a play stands in it or not, and the next block shows the answer to a double.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType

from fullprime.formats.analysis import EventAnalysis, FileAnalysis
from fullprime.formats.document import Document, Problem
from fullprime.formats.gnubg_text.blocks import MARK, Block, cube_analysis, play_analysis
from fullprime.formats.recording import walk
from fullprime.formats.recording.boards import variant_begun
from fullprime.formats.recording.game_recorder import OFFERED
from fullprime.formats.recording.recorder import Recorder
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game, Phase
from fullprime.rules.ids import read_id
from fullprime.rules.position import OFF, Position
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import Variant

_DID = re.compile(rf"^{MARK}[ .](\S.*)")
"""German has a full stop there. A name may begin with a figure; behind the marks of candidates stand more blanks."""
_PAIR = re.compile(r"^[^:]{1,60}+:\s++(\S.*?) \d{1,9}, (\S.*?) \d{1,9}(?: \(|$)")
"""O's and X's name before their score or pips, in the head of a game."""
_FACT = re.compile(r"^\s*(Date|Event|Round|Place|Annotator|Comments)(?:\s*+: |  )\s*+(.*\S)\s*$")
_NAMED = {"Date": "EventDate", "Place": "Site", "Annotator": "Transcriber", "Comments": "Comment"}


def is_game(blocks: Sequence[Block]) -> bool:
    """True if the blocks are the decisions of one game; a single one is a game where its result ends it."""
    if len(blocks) == 1 and not _ends_with_result(blocks[0]):
        return False
    return sum(_action(block) is not None for block in blocks) > len(blocks) // 2


def _ends_with_result(block: Block) -> bool:
    """True if the last line says who wins how many points; a remark above it may begin with a name, too."""
    last = [line for line in block.lines if line.strip()][-1:]
    return any(_points_of(name, replace(block, lines=last)) is not None for name in block.names.values())


def _action(block: Block) -> str | None:
    return next((match[1] for line in block.lines if (match := _DID.match(line))), None)


def read_game(blocks: Sequence[Block], head: Sequence[str], name: str) -> Document | None:
    """The game that the blocks describe; None when the first of them cannot be read."""
    problems: list[Problem] = []
    decisions: list[tuple[Block, Game]] = []
    for block in blocks:
        try:
            decisions.append((block, read_id(block.identifier).game))
        except FullprimeError as error:
            problems.append(Problem(str(error)[:160], block.line))
    if not decisions:
        return None
    follower = _Follower(decisions, problems)
    recorder = follower.recorder
    names = _names(blocks[0], head)
    for decided in _games(follower.decisions):
        follower.begin(*decided[0])
        for number, (block, game) in enumerate(decided):
            follower.block(block, game, decided[number + 1 : number + 2])
        _result(recorder, decided[-1][0], names)
    recorder.close()
    info = {}
    for line in head:
        if fact := _FACT.match(line):
            info[_NAMED.get(fact[1], fact[1])] = fact[2]
    match = Match(recorder.settings, names, tuple(recorder.games), MappingProxyType(info))
    review = FileAnalysis("GNU Backgammon text export", MappingProxyType(follower.events)) if follower.events else None
    return Document(match, review, tuple(problems), source=name)


def _names(first: Block, head: Sequence[str]) -> tuple[str, str]:
    """X's and O's name: beside the first board, else in the head of the game."""
    pair = next((match for line in head if (match := _PAIR.match(line))), None) if not first.names else None
    o, x = (pair[1], pair[2]) if pair is not None else ("O", "X")
    return first.names.get("X", x), first.names.get("O", o)


def _games(decisions: Sequence[tuple[Block, Game]]) -> Iterator[list[tuple[Block, Game]]]:
    """The decisions of each game: exports that were joined go on at another score, or with the first board again."""
    decided: list[tuple[Block, Game]] = []
    for block, game in decisions:
        first = decided[0][1] if decided else game
        again = game.phase is Phase.PLAY and game.position == first.position and len(decided) > 1
        if again or game.score.points != first.score.points:
            yield decided
            decided = []
        decided.append((block, game))
    yield decided


def _result(recorder: Recorder, block: Block, names: tuple[str, str]) -> None:
    """The winner and his points, where the last block tells them."""
    for player in Player:
        if recorder.in_game and (points := _points_of(names[player], block)) is not None:
            recorder.finish(player, points, block.line)


def _points_of(name: str, block: Block) -> int | None:
    """The only number in a line that begins with a player's name."""
    for line in block.lines:
        if name and line.startswith(name + " "):
            numbers = re.findall(r"\d{1,9}", line[len(name) :])
            if len(numbers) == 1:
                return int(numbers[0])
    return None


class _Follower:
    """The game of these decisions, of which ``problems`` collects the faults."""

    def __init__(self, decisions: Sequence[tuple[Block, Game]], problems: list[Problem]) -> None:
        first = decisions[0][1]
        settings = _settings(first, {game.phase for _, game in decisions})
        self.decisions = [(block, _fit_to_variant(game, settings.variant)) for block, game in decisions]
        self.events: dict[tuple[int, int], EventAnalysis] = {}
        self.recorder = Recorder(settings, problems)

    def begin(self, block: Block, game: Game) -> None:
        """The game whose first decision this is."""
        recorder, settings = self.recorder, self.recorder.settings
        crawford = game.score.crawford_game if settings.length > 1 else None
        recorder.begin(game.score.points, crawford=crawford, line=block.line)
        if game.position != settings.variant.starting_position or game.phase is not Phase.PLAY:
            recorder.begin_at(game)

    def block(self, block: Block, game: Game, following: Sequence[tuple[Block, Game]]) -> None:
        """One decision; the board of the one ``following``, if any, tells how a double was answered."""
        recorder = self._set_to_identifier(block, game)
        player = game.on_roll
        cube = cube_analysis(block.lines, game)
        action = _action(block)
        if game.phase is Phase.PLAY and game.dice is not None:
            if recorder.phase is not Phase.PLAY:
                if not recorder.roll(player, game.dice.high, game.dice.low, block.line):
                    return
                self._note(EventAnalysis(cube=cube))
            play = _find_play(action, block.names.values()) if action is not None else ""
            if action is None or not (play or following or game.roll_plays.allows(())):
                return  # A roll that waits for its play when the game is exported is said to be no move.
            recorder.play(player, play, block.line)
            self._note(EventAnalysis(play=play_analysis(block.lines, game)))
        elif game.phase is Phase.CUBE_DECISION and action is not None:
            if recorder.double(player, None, block.line):
                self._note(EventAnalysis(cube=cube))
        elif game.phase in OFFERED and action is not None:
            if following and following[0][1].phase in OFFERED:
                recorder.beaver(recorder.answerer, block.line)
            else:
                (recorder.take if following else recorder.drop)(recorder.answerer, block.line)
            self._note(EventAnalysis(cube=cube))

    def _set_to_identifier(self, block: Block, game: Game) -> Recorder:
        """The recorder, its board held equal to that of the identifier."""
        recorder = self.recorder
        if recorder.phase is Phase.PLAY and recorder.last >= 0:
            recorder.close_roll(block.line)
        if recorder.phase is not Phase.OVER and recorder.game.position_of(game.on_roll) != game.position:
            recorder.report("the board is not the one the plays lead to; it is set", block.line)
            recorder.set_up(game, "board of the file")
        return recorder

    def _note(self, analysis: EventAnalysis) -> None:
        if analysis != EventAnalysis() and self.recorder.last >= 0:
            self.events[len(self.recorder.games), self.recorder.last] = analysis


def _settings(game: Game, phases: set[Phase]) -> Settings:
    """The settings of the game, with what only the text shows: its variant, beavers, raccoons."""
    settings = game.settings
    rows = game.position_of(Player.X), game.position_of(Player.O)
    begun = variant_begun((list(rows[0].player), list(rows[1].player)))
    raccoons = settings.raccoons or Phase.RACCOON_OFFERED in phases
    beavers = settings.beavers or raccoons or Phase.BEAVER_OFFERED in phases
    return replace(settings, variant=begun or settings.variant, beavers=beavers, raccoons=raccoons)


def _fit_to_variant(game: Game, variant: Variant) -> Game:
    """The game with as many checkers as the variant has: an identifier does not tell it from those borne off."""
    absent = game.settings.variant.checkers - variant.checkers
    if not absent or min(game.position.player[OFF], game.position.opponent[OFF]) < absent:
        return game
    rows = [(row[OFF] - absent, *row[1:]) for row in (game.position.player, game.position.opponent)]
    return replace(game, position=Position(rows[0], rows[1]))


def _find_play(words: str, names: Iterable[str]) -> str:
    """The last play in a sentence behind the player's name, which may look like one; empty without a play."""
    for name in names:
        words = words.removeprefix(f"{name} ")
    moves: list[str] = []
    for word in reversed(words.split()):
        if walk.hops(word.rstrip(",.")):
            moves.append(word.rstrip(",."))
        elif moves:
            break
    return " ".join(reversed(moves))
