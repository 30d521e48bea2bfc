"""Plays as text, without a board: the canonical writer and the tolerant parser.

``notation`` finds the meaning of the text on a board, and judges if it is legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from fullprime.rules.errors import NotationError
from fullprime.rules.message import Message
from fullprime.rules.plays import CheckerMove, Play
from fullprime.rules.position import BAR, HAND, OFF, slot_name

FAN = "fan"
"""The text for a roll that cannot be played."""

NO_PLAY = frozenset(
    (
        "",
        FAN,
        "fans",
        "no play",
        "noplay",
        "cannot move",
        "can't move",
        "no move",
        "dance",
        "dances",
        "pass",
        "none",
        "-",
    )
)
"""The texts that are read as a roll that cannot be played."""

_LONGEST = 200
_PLACES = {"off": OFF, "bar": BAR, "hand": HAND}
_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<place>[0-9]+|[a-z]+)|(?P<sep>[/-])|(?P<star>\*)|\((?P<times>[0-9])\)|(?P<comma>[,;]))"
)
_ROLL = re.compile(r"[ \t]*([1-6])[ \t]?-?([1-6])[ \t]*:")


class WrittenMove(NamedTuple):
    """A move as it stands in text: one checker from ``source`` to ``target``, by one die or by several.

    Places are those of ``Position`` in the numbering of the side that moves; ``star`` says that a hit is marked.
    """

    source: int
    target: int
    star: bool = False

    def __str__(self) -> str:
        return f"{slot_name(self.source)}/{slot_name(self.target)}{'*' if self.star else ''}"


# -- writing ----------------------------------------------------------------------------------------------
def format_play(play: Play | Iterable[CheckerMove]) -> str:
    """The canonical text of a play: descending, moves of one checker joined, hits marked once, repeats counted.

    >>> format_play([CheckerMove(8, 5, 3), CheckerMove(6, 5, 1)])
    '8/5 6/5'
    >>> format_play([CheckerMove(24, 18, 6, hit=True), CheckerMove(18, 13, 5)])
    '24/18*/13'
    >>> format_play([])
    'fan'
    """
    moves = play.moves if isinstance(play, Play) else tuple(play)
    if not moves:
        return FAN
    if len(moves) == 2:  # as in most plays
        return _format_two(*moves)
    in_order = sorted(moves, key=attrgetter("source", "target"), reverse=True)
    chains: list[list[int]] = []
    for move in in_order:
        for chain in chains:
            if chain[-1] == move.source:
                chain.append(move.target)
                break
        else:
            chains.append([move.source, move.target])
    if len(chains) > 1:
        chains.sort(key=lambda chain: (chain[0], chain[-1], chain), reverse=True)
    hits = {move.target for move in moves if move.hit}
    marked_chains = _with_hits(chains, hits) if hits else [(chain, hits) for chain in chains]
    return " ".join(_write_repeats([_chain_text(chain, places) for chain, places in marked_chains]))


def _format_two(first: CheckerMove, second: CheckerMove) -> str:
    """The text of two moves, without the lists of the general way: a roll has some twenty such plays."""
    if first.source < second.source or (first.source == second.source and first.target < second.target):
        first, second = second, first
    source, middle, target = slot_name(first.source), slot_name(first.target), slot_name(second.target)
    end = f"{target}*" if second.hit else target
    if first.target == second.source:
        return f"{source}/{middle}*/{end}" if first.hit else f"{source}/{end}"
    if first.target != second.target:
        return f"{source}/{middle}{'*' if first.hit else ''} {slot_name(second.source)}/{end}"
    star = "*" if first.hit or second.hit else ""
    if first.source == second.source:
        return f"{source}/{middle}{star}(2)"
    return f"{source}/{middle}{star} {slot_name(second.source)}/{target}"


def _with_hits(chains: list[list[int]], hits: set[int]) -> list[tuple[list[int], set[int]]]:
    """Each chain with the hits to be shown in it: where a chain ends if one does, else where one passes."""
    hits_by_chain: list[set[int]] = [set() for _ in chains]
    for hit in hits:
        first = next((n for n, chain in enumerate(chains) if chain[-1] == hit), None)
        if first is None:
            first = next(n for n, chain in enumerate(chains) if hit in chain[1:])
        hits_by_chain[first].add(hit)
    return list(zip(chains, hits_by_chain, strict=True))


def _chain_text(chain: list[int], hits: set[int]) -> tuple[str, bool]:
    """The chain with its intermediate hits; True if it ends in one."""
    middle = "".join(f"/{slot_name(place)}*" for place in chain[1:-1] if place in hits) if hits else ""
    return f"{slot_name(chain[0])}{middle}/{slot_name(chain[-1])}", chain[-1] in hits


def _write_repeats(chains: list[tuple[str, bool]]) -> list[str]:
    counted: dict[str, tuple[int, bool]] = {}
    for text, star in chains:
        count, starred = counted.get(text, (0, False))
        counted[text] = (count + 1, starred or star)
    return [
        f"{text}{'*' if star else ''}{f'({count})' if count > 1 else ''}" for text, (count, star) in counted.items()
    ]


# -- reading ----------------------------------------------------------------------------------------------
def read_moves(text: str) -> tuple[WrittenMove, ...]:
    """The moves that stand in the text, repeats and chains written out, in the numbering of the side that moves.

    Text in which the moves run upwards is in the other side's numbering (source 001, line 13) and is turned round.
    No board is needed, so that illegal plays of a record can be read as facts. Raises NotationError.

    >>> [str(move) for move in read_moves("1/5*9* 19/23(2)")]
    ['24/20*', '20/16*', '6/2', '6/2']
    """
    return parse_play(text).moves


class ParsedPlay(NamedTuple):
    """The moves of a text, and the roll that it names in front of them."""

    moves: tuple[WrittenMove, ...]
    roll: str | None
    otherwise: tuple[WrittenMove, ...] | None
    """The moves in the other numbering, when nothing but ``bar`` and ``off`` tells which of the two is meant."""
    upwards: bool
    """True if the text was read in the other side's numbering, and ``moves`` are turned round."""


def parse_play(text: str) -> ParsedPlay:
    """Read a play such as ``31: 8/5, 6/5``; raises NotationError with the place that cannot be read."""
    if len(text) > _LONGEST:
        raise NotationError(
            Message(
                "{text}...: a play has at most {longest} characters, not {count}",
                text=repr(text[:40]),
                longest=_LONGEST,
                count=len(text),
            )
        )
    lowered = text.strip().lower() if text.isascii() else text.strip()
    roll = None
    if head := _ROLL.match(lowered):
        roll, lowered = head[1] + head[2], lowered[head.end() :].strip()
    if lowered in NO_PLAY:
        return ParsedPlay((), roll, None, upwards=False)
    moves = [move for chain in _chains(lowered, text) for move in chain]
    if len(moves) > 4:
        raise NotationError(
            Message("{text}: a play has at most four moves, not {count}", text=repr(text), count=len(moves))
        )
    return _turn_to_mover(moves, roll, text)


def _chains(text: str, quoted: str) -> list[list[_PlacePair]]:
    """Chains of moves of one checker, each as often as it is repeated."""
    chains: list[list[_PlacePair]] = []
    chain = _Chain(quoted)
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise NotationError(
                Message(
                    "{quoted}: cannot read {strip}; write plays like 13/7* 8/7",
                    quoted=repr(quoted),
                    strip=repr(text[at:].strip()[:20]),
                )
            )
        if word := token["place"]:
            if not chain.goes_on(touching=token.start("place") == at):
                chains.extend(chain.close())
                chain = _Chain(quoted)
            chain.add(_Place(word, _slot(word, quoted)))
        elif token["comma"]:
            chains.extend(chain.close())
            chain = _Chain(quoted)
        else:
            chain.mark(token)
        at = token.end()
    chains.extend(chain.close())
    if not chains:
        raise NotationError(Message("{quoted} is no play; write plays like 13/7* 8/7", quoted=repr(quoted)))
    return chains


class _Chain:
    """The places of one checker while they are being read: ``24/18*/13(2)``."""

    def __init__(self, quoted: str) -> None:
        self.quoted = quoted
        self.places: list[_Place] = []
        self.times = 0
        self.linked = False

    def goes_on(self, touching: bool) -> bool:
        """True if the next place belongs to this chain: after a slash, or right after a star as in ``1/5*9*``."""
        return self.linked or (touching and not self.times and bool(self.places) and self.places[-1].star)

    def add(self, place: _Place) -> None:
        self.places.append(place)
        self.linked = False

    def mark(self, token: re.Match[str]) -> None:
        """A slash, a star or a count after a place."""
        sign = token[0].strip()
        if not self.places or self.linked:
            raise NotationError(
                Message("{quoted}: {sign} stands where a place should be", quoted=repr(self.quoted), sign=repr(sign))
            )
        if token["sep"]:
            self.linked = True
        elif token["star"]:
            self.places[-1] = self.places[-1]._replace(star=True)
        elif self.times or not 1 <= int(token["times"]) <= 4:
            raise NotationError(
                Message(
                    "{quoted}: a move is made once to four times: {sign}", quoted=repr(self.quoted), sign=repr(sign)
                )
            )
        else:
            self.times = int(token["times"])

    def close(self) -> list[list[_PlacePair]]:
        """The moves of the chain, as often as it is made."""
        if not self.places:
            return []
        if self.linked:
            raise NotationError(
                Message(
                    "{quoted}: where does the checker from {word} go?",
                    quoted=repr(self.quoted),
                    word=self.places[-1].word,
                )
            )
        if len(self.places) == 1:
            word = self.places[0].word
            alone = self.quoted if self.quoted == word else f"{self.quoted!r}: {word}"
            raise NotationError(Message("{alone} alone is no move; write from/to, for example 13/7", alone=alone))
        if self.places[0].star:
            raise NotationError(Message("{quoted}: the place a checker leaves is not hit", quoted=repr(self.quoted)))
        return [list(pairwise(self.places))] * (self.times or 1)


class _Place(NamedTuple):
    word: str
    slot: int
    star: bool = False


_PlacePair = tuple[_Place, _Place]


def _slot(word: str, quoted: str) -> int:
    slot = _PLACES.get(word)
    if slot is None and word.isdigit() and len(word) <= 2 and int(word) <= BAR:
        slot = int(word)
    if slot is None:
        reason = Message(
            "{word} is not a point (1-24), 'bar', 'hand' or 'off'; write from/to, as 13/7", word=repr(word[:20])
        )
        raise NotationError(reason if quoted == word else Message("{play}: {reason}", play=repr(quoted), reason=reason))
    return slot


def _turn_to_mover(moves: list[_PlacePair], roll: str | None, quoted: str) -> ParsedPlay:
    """The moves in the mover's own numbering, whichever they were written in."""
    directions = {_direction(move, quoted) for move in moves} - {None}
    if len(directions) == 2:
        raise NotationError(Message("{quoted}: some moves run upwards and others downwards", quoted=repr(quoted)))
    own = tuple(WrittenMove(source.slot, target.slot, target.star) for source, target in moves)
    turned = tuple(WrittenMove(_turn_slot(source), _turn_slot(target), target.star) for source, target in moves)
    if directions:
        upwards = True in directions
        return ParsedPlay(turned if upwards else own, roll, None, upwards)
    upwards = all(move.target <= 6 if move.source in (BAR, HAND) else move.source >= 19 for move in own)
    return ParsedPlay(turned, roll, own, upwards) if upwards else ParsedPlay(own, roll, turned, upwards)


def _direction(move: _PlacePair, quoted: str) -> bool | None:
    """True for a move upwards, False for one downwards, None when the words ``bar`` and ``off`` do not tell."""
    (from_word, source, _), (to_word, target, _) = move
    if from_word == "off" or to_word in ("bar", "hand") or source == target:
        raise NotationError(
            Message(
                "{quoted}: no checker moves from {from_word} to {to_word}",
                quoted=repr(quoted),
                from_word=from_word,
                to_word=to_word,
            )
        )
    if from_word in _PLACES or to_word in _PLACES:
        return None
    return source < target


def _turn_slot(place: _Place) -> int:
    return place.slot if place.word in _PLACES else BAR - place.slot
