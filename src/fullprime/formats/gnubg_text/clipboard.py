"""Texts that programs put on the clipboard or export: eXtreme Gammon, BGBlitz, GNU Backgammon.

The programs write them in many languages, so nothing depends on words: positions come from the identifiers, numbers
from where they stand. GNU Backgammon's export of a game is followed move by move; of other texts each position that
an identifier gives becomes a document, with the candidates and equities printed below it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from types import MappingProxyType

from fullprime.formats.analysis import EventAnalysis, FileAnalysis
from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.gnubg_text import reader as gnubg_text
from fullprime.formats.gnubg_text.blocks import (
    Block,
    cube_analysis,
    holds_identifier,
    is_by_bgblitz,
    join_cut,
    play_analysis,
    split_blocks,
)
from fullprime.formats.gnubg_text.drawings import drawn_blocks, has_drawing
from fullprime.formats.gnubg_text.remarks import remarks
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.game_recorder import MOST_REMARKS
from fullprime.formats.recording.tags import YOU
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.ids import IDS, read_id
from fullprime.rules.position import pip_count
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player


def recognises(head: bytes) -> bool:
    """True if the text holds an identifier that can be read, or a board that is drawn."""
    return holds_identifier(head) or has_drawing(texts.plain(head))


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """One document for each position; raises FormatError when there is none."""
    problems: list[Problem] = []
    documents = []
    lines = join_cut([texts.unwrapped(line) for line in texts.lines(data)])
    blocks = split_blocks(lines)
    if not blocks:
        blocks = drawn_blocks(lines) or _bare_blocks(lines)
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
    documents[-1] = replace(documents[-1], report=(*documents[-1].report, *problems))
    return tuple(documents)


def _bare_blocks(lines: list[str]) -> list[Block]:
    """Identifiers of other kinds, each alone on its line: the first, and those right below it."""
    written = [Block(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    others = takewhile(lambda block: any(kind.matches(block.identifier) for kind in IDS.values()), written[1:])
    return [*written[:1], *others]


def _document(block: Block, game: Game, problems: list[Problem], name: str) -> Document:
    x, o = (_name(block.names.get(player.name, player.name), player, game) for player in Player)
    words = remarks(block) if block.by_extreme_gammon or block.is_inline else ""
    if len(words) > MOST_REMARKS:
        problems.append(Problem(f"the remarks have at most {MOST_REMARKS:,} letters: the rest is left out", block.line))
    record = GameRecord(game, comments={-1: words[:MOST_REMARKS]} if words else {})
    review = None
    play = play_analysis(block.lines, game)
    cube = None if play is not None else cube_analysis(block.lines, game)
    if play is not None or cube is not None:
        # The decision has not been made: its analysis belongs to the first event that may follow.
        review = FileAnalysis(_program(block.lines), MappingProxyType({(0, 0): EventAnalysis(play=play, cube=cube)}))
    return Document(Match(game.settings, (x, o), (record,)), review, tuple(problems), source=name)


def _name(words: str, player: Player, game: Game) -> str:
    """The name beside a board without the pips behind it, which only their number tells where blanks are lost.

    ``You`` is how programs call the player who looks at the board: then the letter of the side stands for the name.
    """
    pips = pip_count(game.position_of(player).player)
    name = re.sub(rf"\s{pips}$", "", words).rstrip()
    return player.name if name == YOU else name


def _program(lines: list[str]) -> str:
    for line in lines:
        for program in ("eXtreme Gammon", "GNU Backgammon", "BGBlitz"):
            if program in line:
                return line.strip()
    return "BGBlitz" if is_by_bgblitz(lines) else ""


__all__ = ["read", "recognises"]
