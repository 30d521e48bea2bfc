"""Static judgement against our own rollouts: how far nets and peers are off, by kind of position.

    python benchmarks/static_error.py FILE [--positions 30] [--trials 1296] [--net NET.npz ...] [--peers]
    python benchmarks/static_error.py --published FILE [FILE ...] [--net NET.npz ...] [--peers]

Positions are drawn from games that the package's net plays against itself (contact; half of the back games) and from
sketches of back games (the other half), and rolled out cubeless at 1-ply. FILE keeps the rollouts, one JSON object a
line; what it holds already is not rolled out again, so that a run may be stopped, and other nets judged later.

``--published``: positions with the chances that another engine's rollouts gave them, for measuring only. A line holds
26 counts of the board after a play, seen by the player who made it (0 the other's bar, 1 to 24 with the other's
checkers negative, 25 his own bar), and his five chances.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.core.pack import pack, pack_counts, unpack
from fullprime.engine.cube.probabilities import equity
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards, Evaluator, NetEvaluator
from fullprime.engine.nets.net import DATA, Floats, Net, manifest, nets_with
from fullprime.engine.rollouts.trials import TrialPolicy
from fullprime.rules.ids.gnu import gnu_position_id, read_gnu_position
from fullprime.rules.variants import BACKGAMMON
from fullprime.rules.variants.variant import Variant
from fullprime_lab.peers.programs import peer_named
from fullprime_lab.training.families import draw_rare_starts
from fullprime_lab.training.learning import Exploration, SelfPlayer

PLAYED, SKETCHED = 30_000, 4_000
"""Positions of self-play, and sketches of rare families, that those of the test are drawn from."""
KINDS = ("contact", "back game")


def in_contact(row: Boards) -> bool:
    own, other = np.flatnonzero(row[1:26] > 0), np.flatnonzero(row[:25] < 0)
    return len(own) > 0 and len(other) > 0 and bool(own[-1] + 1 > other[0])


def is_back_game(row: Boards) -> bool:
    """The player on roll holds two points or more in the other's home and has borne nothing off."""
    return bool((row[19:25] >= 2).sum() >= 2 and row[26] == 0 and in_contact(row))


def drawn(count: int) -> Iterator[tuple[str, Boards]]:
    """Up to ``count`` positions of each kind, in turns, always the same ones for the same nets."""
    nets = manifest()["backgammon"]
    large, small = (Net.read(DATA / "nets" / nets[phase]) for phase in ("contact", "small"))
    rows, _, _ = SelfPlayer(BACKGAMMON, large, small).play(PLAYED, 4242, 0.6, Exploration(chance=0, heat=0, wild=0))
    rows = rows[np.random.default_rng(7).permutation(len(rows))]
    contact = [row for row in rows if in_contact(row)]
    played = [row for row in contact if is_back_game(row)]
    sketched = [row for row in draw_rare_starts(SKETCHED, 99) if is_back_game(row)]
    back = chain.from_iterable(zip_longest(played[: -(-count // 2)], sketched[: count // 2]))
    pairs = zip(contact[:count], (row for row in back if row is not None), strict=False)
    return ((kind, row) for pair in pairs for kind, row in zip(KINDS, pair, strict=True))


def roll_out(file: Path, count: int, trials: int) -> None:
    """Add to the file what it lacks of ``count`` rollouts of each kind."""
    done = len(file.read_text().splitlines()) if file.exists() else 0
    engine = Engine.open("backgammon", level="0-ply")
    with file.open("a") as out:
        for kind, row in list(drawn(count))[done:]:
            (position,) = unpack(np.ascontiguousarray(row[None]))
            best = engine.rollout(position, cubeful=False, trials=trials, policy=TrialPolicy(ply=1)).best
            entry = {"kind": kind, "position_id": gnu_position_id(position), "equity": best.equity}
            print(json.dumps({**entry, "error": best.error, "trials": trials}), file=out, flush=True)
            print(f"{kind:10} {entry['position_id']} {best.equity:+.4f} ± {best.error:.4f}", flush=True)


@dataclass
class Wide:
    """The judgement of ``0-ply``: the mean of the wide nets."""

    variant: Variant = BACKGAMMON

    def evaluate(self, boards: Boards) -> Floats:
        """Five outputs for each packed position."""
        nets = NetEvaluator(self.variant)
        outputs = [nets.evaluate_deep(boards, number) for number in range(nets.deep_nets)]
        return np.asarray(np.mean(outputs, axis=0, dtype=np.float64), np.float32)


def published(file: Path) -> tuple[Boards, NDArray[np.float64]]:
    """The boards of a file for their players on roll, and the equities of its chances to them."""
    numbers = np.loadtxt(file)
    counts, chances = numbers[:, :26].astype(np.int8), numbers[:, 26:]
    own, other = np.zeros((2, len(counts), 27), np.int8)
    own[:, 1:25], own[:, 25] = np.maximum(-counts[:, 24:0:-1], 0), counts[:, 0]
    other[:, 1:26] = np.maximum(counts[:, 1:26], 0)
    for side in (own, other):
        side[:, 0] = BACKGAMMON.checkers - side.sum(axis=1)
    return pack_counts(own, other), -equity(chances, BACKGAMMON)


def main() -> None:
    """Roll out what is missing; print the mean absolute and the mean error of each judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--published", type=Path, nargs="+", default=[], help="files of positions with their chances")
    parser.add_argument("--positions", type=int, default=30, help="of each kind")
    parser.add_argument("--trials", type=int, default=1296)
    parser.add_argument("--net", type=Path, action="append", default=[], help="net files beside the package's own")
    parser.add_argument("--peers", action="store_true", help="also gnubg-nn and bgsage")
    options = parser.parse_args()
    if (options.file is None) == (not options.published):
        parser.error("either FILE or --published FILE")
    judges: dict[str, Evaluator] = {"fullprime 0-ply": Wide(), "fullprime fast": NetEvaluator(BACKGAMMON)}
    judges |= {net.name: NetEvaluator(BACKGAMMON, nets_with(Net.read(net))) for net in options.net}
    judges |= {name: peer_named(name) for name in ("gnubg-nn:0", "bgsage:1ply") if options.peers}
    if options.published:
        for file in options.published:
            boards, equities = published(file)
            print_errors(judges, boards, equities, [file.stem] * len(boards))
        return
    roll_out(options.file, options.positions, options.trials)
    entries = [json.loads(line) for line in options.file.read_text().splitlines()]
    boards = pack([read_gnu_position(entry["position_id"]) for entry in entries])
    print_errors(judges, boards, np.array([entry["equity"] for entry in entries]), [entry["kind"] for entry in entries])


def print_errors(
    judges: Mapping[str, Evaluator], boards: Boards, equities: NDArray[np.float64], kinds: Sequence[str]
) -> None:
    """A line for each judge: how far it is off from the known equities, by the kind of each board."""
    for name, judge in judges.items():
        off = equity(judge.evaluate(boards), BACKGAMMON) - equities
        parts = []
        for kind in dict.fromkeys(kinds):
            here = off[[other == kind for other in kinds]]
            spread = np.abs(here).std(ddof=1) / len(here) ** 0.5
            parts.append(f"{kind} {np.abs(here).mean():.4f} ± {spread:.4f} (mean {here.mean():+.4f}, {len(here)})")
        print(f"{name:28} {'; '.join(parts)}")


if __name__ == "__main__":
    main()
