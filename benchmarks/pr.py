"""PR of levels and peers on decisions with rolled-out candidates.

    python benchmarks/pr.py FILE [--net FILE ...] [--level NAME ...] [--peers]

PR is 500 times the mean equity given up by a decision. FILE has one JSON object a line: ``position_id`` (a GNU
Position ID, the player to move on roll), ``dice`` and ``candidates``, each with the ``position_id`` after the play
(the other player on roll) and its ``equity`` for the player who moves. A play that is not among the candidates is
charged the loss of the worst one. The file is for measuring, never for training.
"""

from __future__ import annotations

import argparse
import base64
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.core.pack import legal_plays, pack, swap
from fullprime.engine.evaluator import Boards, NetEvaluator
from fullprime.engine.nets import Net
from fullprime.engine.players import Player, player_named
from fullprime.engine.probabilities import equity
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON

Judge = Callable[[Boards], NDArray[np.float64]]
"""Equities of positions (n, 32) for the player on roll."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Every legal play of every decision: boards seen by the other player, and what choosing each one costs."""

    boards: Boards
    losses: NDArray[np.float64]
    first: NDArray[np.int64]
    before: Boards
    dice: NDArray[np.int8]

    @classmethod
    def read(cls, path: Path) -> Decisions:
        """Read a file of decisions."""
        lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
        before = pack([position_from_id(line["position_id"]) for line in lines])
        dice = np.array([line["dice"] for line in lines], np.int8)
        rows, first = legal_plays(before, dice)
        boards = swap(rows)
        losses = np.empty(len(boards))
        for index, line in enumerate(lines):
            after = pack([position_from_id(candidate["position_id"]) for candidate in line["candidates"]])
            equities = [float(candidate["equity"]) for candidate in line["candidates"]]
            known = {row.tobytes(): max(equities) - value for row, value in zip(after, equities, strict=True)}
            for row in range(first[index], first[index + 1]):
                losses[row] = known.pop(boards[row].tobytes(), max(equities) - min(equities))
            if known:
                raise ValueError(f"{path}, line {index + 1}: {len(known)} candidates are no legal plays")
        return cls(boards, losses, first, before, dice)

    def losses_of_player(self, player: Player) -> NDArray[np.float64]:
        """What each decision costs when the player chooses."""
        found = np.empty(len(self.before))
        for index, (row, pair) in enumerate(zip(self.before, self.dice, strict=True)):
            after = player.choose(row[np.newaxis], pair[np.newaxis]).boards[0]
            start, stop = self.first[index], self.first[index + 1]
            same = (self.boards[start:stop] == after).all(axis=1)
            found[index] = self.losses[start + int(np.flatnonzero(same)[0])]
        return found

    def losses_of(self, judge: Judge) -> NDArray[np.float64]:
        """What each decision costs when the play with the least equity for the other player is chosen."""
        values = judge(self.boards)
        spans = zip(self.first[:-1], self.first[1:], strict=True)
        return np.array([self.losses[start + int(np.argmin(values[start:stop]))] for start, stop in spans])


def position_from_id(text: str) -> Position:
    """A GNU Position ID: for each side, points 1-24 and the bar, that many ones and a zero; little-endian bits.

    The side not on roll comes first.
    """
    bits = np.unpackbits(np.frombuffer(base64.b64decode(text + "=="), np.uint8), bitorder="little")
    sides: list[dict[int | str, int]] = [{}, {}]
    at = 0
    for side in sides:
        for slot in range(1, 26):
            while bits[at]:
                side[slot] = side.get(slot, 0) + 1
                at += 1
            at += 1
    return Position.of(sides[1], sides[0])


def our_judge(net: Path | None) -> Judge:
    """A net file, or the nets of the package."""
    evaluator = NetEvaluator(BACKGAMMON, {"contact": Net.read(net)} if net else None)
    return lambda boards: equity(evaluator.evaluate(boards), BACKGAMMON)


def gnubg_judge(boards: Boards) -> NDArray[np.float64]:
    """The static evaluation of gnubg-nn."""
    import gnubg_nn

    values = np.empty(len(boards))
    for index, row in enumerate(boards):
        own = [max(int(row[point]), 0) for point in range(1, 26)]
        other = [max(-int(row[25 - point]), 0) for point in range(1, 26)]
        win, gammon, backgammon, lost, badly = gnubg_nn.probabilities([other, own], 0)
        values[index] = 2 * win - 1 + gammon + backgammon - lost - badly
    return values


def bgsage_judge(boards: Boards) -> NDArray[np.float64]:
    """The static evaluation of bgsage, which sees a position after the play: the player on roll is its opponent."""
    import bgsage

    # bgsage: 26 numbers, [0] the opponent's bar, [25] the player's; positive is the player who has just played
    rows = [
        [abs(int(row[25 - slot])) if slot in (0, 25) else -int(row[25 - slot]) for slot in range(26)] for row in boards
    ]
    found = bgsage.batch_post_move_evaluate([{"board": row} for row in rows], eval_level="1ply")
    return -np.array([one.cubeless_equity for one in found])


def main() -> None:
    """Print the PR of everything asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--net", type=Path, action="append", default=[], help="net files beside the package's own")
    parser.add_argument("--no-default", action="store_true", help="leave the package's own nets out")
    parser.add_argument("--level", action="append", default=[], help="levels, or peers such as gnubg-nn:2, bgsage:2ply")
    parser.add_argument("--peers", action="store_true", help="also gnubg-nn and bgsage, where they are installed")
    options = parser.parse_args()
    decisions = Decisions.read(options.file)
    judges: dict[str, Judge] = {} if options.no_default else {"fullprime 0-ply": our_judge(None)}
    judges |= {f"{net.parent.name}/{net.name}": our_judge(net) for net in options.net}
    if options.peers:
        judges |= {"gnubg-nn 0-ply": gnubg_judge, "bgsage 0-ply": bgsage_judge}
    count = len(decisions.first) - 1
    print(f"{count} decisions of {options.file.name}, {len(decisions.boards)} plays")
    for name in options.level:
        player = player_named(name, BACKGAMMON)
        start = time.process_time()
        losses = 500 * decisions.losses_of_player(player)
        seconds = time.process_time() - start
        print(
            f"{name:28} PR {losses.mean():5.2f} ± {losses.std() / count**0.5:.2f}"
            f"   {1000 * seconds / count:.2f} ms a play (processor, mean)",
            flush=True,
        )
    reference: NDArray[np.float64] | None = None
    for name, judge in judges.items():
        judge(decisions.boards[:8])
        start = time.perf_counter()
        try:
            losses = 500 * decisions.losses_of(judge)
        except ImportError as error:
            print(f"{name:28} not installed ({error})")
            continue
        seconds = time.perf_counter() - start
        line = f"{name:28} PR {losses.mean():5.2f} ± {losses.std() / count**0.5:.2f}"
        if reference is None:
            reference = losses
        else:
            difference = losses - reference
            line += f"   against the first {difference.mean():+.2f} ± {difference.std() / count**0.5:.2f}"
        print(f"{line}   {1e6 * seconds / len(decisions.boards):.2f} µs an evaluation")


if __name__ == "__main__":
    main()
