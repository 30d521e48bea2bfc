"""The IDs, lines of files and dice that captions of the glossary quote, as the program writes or makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fullprime.formats.document import Document
from fullprime.formats.mat import reader, writer
from fullprime.formats.sgf import writer as sgf_writer
from fullprime.learn.glossary import Term
from fullprime.rules.game import Game
from fullprime.rules.ids import gnu_position_id, xgid
from fullprime.rules.ids.fibs import fibs_board
from fullprime.rules.links import LinkChain, linked_dice
from fullprime.rules.record import Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON

_SHOWN = 8
"""Letters that are shown of a link."""
SERVER, PLAYER = LinkChain("07" * 32), LinkChain("2f" * 32)
"""The chains from whose first links the throw of three terms follows."""


def _game(term: Term) -> Game:
    return replace(Game.new(Settings()), position=term.position)


def _match(term: Term) -> Match:
    """A match that begins with the roll and the play of a term."""
    assert term.roll is not None, term.name
    assert term.position == BACKGAMMON.starting_position, term.name
    begun = Match.new(5).opening(term.roll.high, term.roll.low)
    return begun.play(term.play) if term.play else begun


def _text_line(term: Term) -> str:
    """The line of the first turn in a match text."""
    lines = writer.write(Document(_match(term)))[0].decode().splitlines()
    return " ".join(next(line for line in lines if line.strip().startswith("1)")).split())


def _node(term: Term) -> str:
    """The node of the first turn in an SGF file."""
    return sgf_writer.write(Document(_match(term)))[0].decode().strip().splitlines()[-1].removesuffix(")")


def _document(term: Term) -> Iterator[str]:
    """The words of the document about an illegal play, after which it has the answer to it."""
    turn = f"  1) {term.roll}: 8/6"
    text = f" 5 point match\n\n Game 1\n X : 0{' ' * 31}O : 0\n{turn:<37}64: 24/14\n"
    (read,) = reader.read(text.encode(), "a.mat")
    (problem,) = read.report
    assert str(read.match.games[0]).splitlines()[-1].endswith("64: 24/14")
    yield f"reports that {problem.words},"


def _links(term: Term) -> None:
    assert term.roll is not None
    assert linked_dice(1, SERVER.link(1), PLAYER.link(1), "") == (term.roll.high, term.roll.low)


def _shown_links(term: Term) -> Iterator[str]:
    _links(term)
    yield from (chain.link(1)[:_SHOWN] + "…" for chain in (SERVER, PLAYER))


def _commitment(term: Term) -> Iterator[str]:
    _links(term)
    yield SERVER.anchor[:_SHOWN] + "…"


QUOTES: dict[str, Callable[[Term], Iterator[str]]] = {
    "commitment": _commitment,
    "link": _shown_links,
    "provable dice": _shown_links,
    "document": _document,
    "FIBS": lambda term: iter([":".join(fibs_board(_game(term)).text.split(":")[7:31]) + ","]),
    "eXtreme Gammon": lambda term: iter([xgid(_game(term)).text.split(":")[0].removeprefix("XGID=") + ","]),
    "GNU Backgammon": lambda term: iter([gnu_position_id(term.position) + "."]),
    "format": lambda term: iter([_text_line(term).removeprefix("1) ") + " in", _node(term) + " in"]),
    "match text": lambda term: iter([_text_line(term) + "."]),
    "SGF": lambda term: iter([_node(term) + ","]),
}
"""The terms that quote, each with what has to stand in its caption."""
