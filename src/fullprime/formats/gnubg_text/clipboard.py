"""Texts that programs put on the clipboard or export: eXtreme Gammon, BGBlitz, GNU Backgammon.

The programs write them in many languages, so nothing depends on words: positions come from the identifiers, numbers
from where they stand. GNU Backgammon's export of a game is followed move by move; of other texts each position that
an identifier gives becomes a document, with the candidates and equities printed below it.
"""

from __future__ import annotations

from types import MappingProxyType

from fullprime.formats.analysis import EventAnalysis, FileAnalysis
from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.gnubg_text import reader as gnubg_text
from fullprime.formats.gnubg_text.blocks import Block, by_bgblitz, cube_analysis, play_analysis, recognises, split
from fullprime.formats.gnubg_text.remarks import remarks
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.game_recorder import MOST_REMARKS
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.ids import read_id
from fullprime.rules.record import GameRecord, Match


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """One document for each position; raises FormatError when there is none."""
    problems: list[Problem] = []
    documents = []
    lines = texts.lines(data)
    blocks = split(lines)
    if not blocks:
        # An identifier of another kind, alone on its line.
        blocks = [Block(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()][:1]
    if gnubg_text.is_game(blocks) and (game := gnubg_text.read_game(blocks, lines[: blocks[0].line], name)):
        return (game,)
    for block in blocks:
        try:
            reading = read_id(block.identifier)
        except FullprimeError as error:
            problems.append(Problem(str(error)[:160], block.line))
            continue
        if reading.names is not None:
            block.names = {"X": reading.names[0], "O": reading.names[1], **block.names}
        documents.append(_document(block, reading.game, problems, name))
        problems = []
    if not documents:
        reason = f": {problems[0]}" if problems else ""
        raise FormatError(f"{name or 'the text'} holds no position that can be read{reason}")
    return tuple(documents)


def _document(block: Block, game: Game, problems: list[Problem], name: str) -> Document:
    names = block.names.get("X", "X"), block.names.get("O", "O")
    words = remarks(block) if block.by_extreme_gammon else ""
    if len(words) > MOST_REMARKS:
        problems.append(Problem(f"the remarks have at most {MOST_REMARKS:,} letters: the rest is left out", block.line))
    record = GameRecord(game, comments={-1: words[:MOST_REMARKS]} if words else {})
    review = None
    play = play_analysis(block.lines, game)
    cube = None if play is not None else cube_analysis(block.lines, game)
    if play is not None or cube is not None:
        # The decision has not been made: its analysis belongs to the first event that may follow.
        review = FileAnalysis(_program(block.lines), MappingProxyType({(0, 0): EventAnalysis(play=play, cube=cube)}))
    return Document(Match(game.settings, names, (record,)), review, tuple(problems), source=name)


def _program(lines: list[str]) -> str:
    for line in lines:
        for program in ("eXtreme Gammon", "GNU Backgammon", "BGBlitz"):
            if program in line:
                return line.strip()
    return "BGBlitz" if by_bgblitz(lines) else ""


__all__ = ["read", "recognises"]
