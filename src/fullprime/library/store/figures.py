"""The decisions of a review as columns of bytes: read in one piece, statistics over thousands of matches take no time.

A line of JSON says how many decisions there are and the words that the codes of each column stand for; then come the
columns, one after another, little-endian.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fullprime.rules.dice import Roll
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fullprime.reviews.review import Review

WORDS = ("kind", "stage", "verdict", "mistake", "plan", "theme", "opening")
"""Columns of codes, one byte each; the empty word is none."""
NUMBERS = (("player", "B"), ("counts", "B"), ("away", "H"), ("other_away", "H"), ("cube", "H"), ("loss", "d"))
"""Columns of numbers and their types: the player (0 for X), 1 where the decision counts, points that the player and
the opponent still need (0 for money), the cube, points of equity lost."""
_MOST = 255


@dataclass(frozen=True, slots=True)
class DecisionFacts:
    """Facts of a decision beside those that the review itself states."""

    plan: str
    theme: str
    opening: str
    away: tuple[int, int]
    """Points that the player and the opponent still need; 0 for money."""
    cube: int


def facts_of_decisions(review: Review, match: Match) -> list[DecisionFacts]:
    """The plan of the player, the theme of the error, and the score, decision by decision."""
    # Imported here: these modules bring the engine, which takes long to import.
    from fullprime.reviews.decision import Verdict
    from fullprime.reviews.reasons.plans import plan_of
    from fullprime.reviews.themes import theme_of

    openings = [_opening(record) for record in match.games]
    facts = []
    for reviewed in replace(review, match=match).reviewed_decisions:
        decision, game, player = reviewed.decision, reviewed.game, reviewed.decision.player
        lesson = decision.counts and decision.verdict() in (Verdict.DOUBTFUL, Verdict.ERROR, Verdict.BLUNDER)
        theme = theme_of(decision, game) if lesson else None
        plan = plan_of(game.position_of(player))
        points, length = match.games[decision.game].start.score.points, match.settings.length
        away = (length - points[player], length - points[player.other]) if length else (0, 0)
        thrown = openings[decision.game]
        opening = "" if thrown is None else (thrown[1] if thrown[0] is player else f"against {thrown[1]}")
        facts.append(
            DecisionFacts(
                "" if plan is None else str(plan), "" if theme is None else str(theme), opening, away, game.cube.value
            )
        )
    return facts


def _opening(record: GameRecord) -> tuple[Player, str] | None:
    """The player who began a game, and the roll."""
    game = record.start
    for event in record.events:
        if not isinstance(event, Action) or event.kind not in (ActionKind.OPENING, ActionKind.ROLL):
            return None
        if event.dice is None:
            return None
        if event.kind is ActionKind.OPENING:
            first, second = event.dice
            if first == second:
                continue
            return (Player.X if first > second else Player.O), str(Roll(*event.dice))
        return game.on_roll, str(Roll(*event.dice))
    return None


def pack_figures(review: Review, facts: Sequence[DecisionFacts]) -> bytes:
    """The decisions of a review as bytes."""
    columns: dict[str, list[str]] = {name: [] for name in WORDS}
    numbers: dict[str, array[Any]] = {name: array(code) for name, code in NUMBERS}
    for decision, more in zip(review.decisions, facts, strict=True):
        texts = (
            str(decision.kind), str(decision.stage), str(decision.verdict()), decision.mistake, more.plan, more.theme,
            more.opening,
        )  # fmt: skip
        for name, word in zip(WORDS, texts, strict=True):
            columns[name].append(word)
        values = (int(decision.player), int(decision.counts), *more.away, more.cube, decision.loss)
        for (name, code), value in zip(NUMBERS, values, strict=True):
            numbers[name].append(value if code == "d" else min(int(value), 255 if code == "B" else 65535))
    words = {name: sorted(set(column))[:_MOST] for name, column in columns.items()}
    head = json.dumps({"rows": len(review.decisions), "words": words}, separators=(",", ":"))
    parts = [head.encode() + b"\n"]
    for name in WORDS:
        codes = {word: number for number, word in enumerate(words[name])}
        parts.append(bytes(codes[word] for word in columns[name]))
    for name, _ in NUMBERS:
        column = numbers[name]
        if sys.byteorder == "big":
            column.byteswap()
        parts.append(column.tobytes())
    return b"".join(parts)


@dataclass(frozen=True, slots=True)
class DecisionFigures:
    """Decisions of many reviews, a row each. ``words[name][codes[name]]`` are the words of a column."""

    match: NDArray[np.int64]
    """The numbers of the matches."""
    words: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, NDArray[np.uint8]]
    player: NDArray[np.uint8]
    counts: NDArray[np.bool_]
    away: NDArray[np.uint16]
    other_away: NDArray[np.uint16]
    cube: NDArray[np.uint16]
    loss: NDArray[np.float64]

    def only(self, rows: NDArray[np.bool_]) -> DecisionFigures:
        """The rows that are true."""
        import numpy as np

        indices = np.flatnonzero(rows)
        return DecisionFigures(
            self.match[indices], self.words, {name: column[indices] for name, column in self.codes.items()},
            self.player[indices], self.counts[indices], self.away[indices], self.other_away[indices],
            self.cube[indices], self.loss[indices],
        )  # fmt: skip

    def rows_with(self, name: str, word: str) -> NDArray[np.bool_]:
        """True for the rows in which a column has a word."""
        words = self.words[name]
        here: NDArray[np.bool_] = self.codes[name] == (words.index(word) if word in words else len(words))
        return here


def read_figures(blobs: Iterable[tuple[int, bytes]]) -> DecisionFigures:
    """The inverse of :func:`pack_figures` for many matches, each with its number."""
    import numpy as np

    codes_by_column: dict[str, dict[str, int]] = {name: {} for name in WORDS}
    # Many matches have the same words.
    tables: dict[tuple[str, tuple[str, ...]], bytes] = {}
    columns: dict[str, list[bytes]] = {name: [] for name in (*WORDS, *(name for name, _ in NUMBERS))}
    sizes = [(name, np.dtype(code).itemsize) for name, code in NUMBERS]
    matches, counts = [], []
    for match, blob in blobs:
        at = blob.index(b"\n") + 1
        head = json.loads(blob[:at])
        rows = head["rows"]
        matches.append(match)
        counts.append(rows)
        for name in WORDS:
            words = tuple(head["words"][name])
            table = tables.get((name, words))
            if table is None:
                codes = codes_by_column[name]
                table = bytes([codes.setdefault(word, len(codes)) for word in words]).ljust(256, b"\0")
                tables[name, words] = table
            columns[name].append(blob[at : at + rows].translate(table))
            at += rows
        for name, size in sizes:
            columns[name].append(blob[at : at + rows * size])
            at += rows * size
    kinds = {name: np.dtype(code).newbyteorder("<") for name, code in NUMBERS}
    arrays = {
        name: np.frombuffer(b"".join(parts), kinds.get(name, np.dtype(np.uint8))) for name, parts in columns.items()
    }
    return DecisionFigures(
        np.repeat(np.array(matches, np.int64), counts),
        {name: tuple(codes) for name, codes in codes_by_column.items()}, {name: arrays[name] for name in WORDS},
        arrays["player"], arrays["counts"].astype(bool), arrays["away"], arrays["other_away"], arrays["cube"],
        arrays["loss"],
    )  # fmt: skip
