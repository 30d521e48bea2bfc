"""Label positions anew: values by one ply of look-ahead with a better net, for shards that are there already.

    fullprime train label SHARDS OUT NET [--filter NET] [--variant NAME]

With the word ``package`` for NET all judges of the package judge together, and the tables where they know: no noise.
Shards that OUT has already are passed over, so that the step can be stopped and started again. A stage learns from OUT
when OUT is ``RUN/<name>/shards`` and its configuration names it in ``sources``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from fullprime.engine.nets.net import Net
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Variant
from fullprime_lab.training.dataset import write_shard
from fullprime_lab.training.judges import Judges
from fullprime_lab.training.learning import SelfPlayer

PACKAGE = "package"
"""The word for all judges of the package in the place of a net."""


def relabel(
    variant: Variant,
    shards: Path,
    out: Path,
    large: Net | None,
    small: Net | None = None,
    report: Callable[[str], None] = print,
) -> int:
    """Write a shard of new labels for every shard that has none yet; returns the number written.

    Without a large net all judges of the package judge.
    """
    player = Judges(variant) if large is None else SelfPlayer(variant, large, small)
    written = 0
    for path in sorted(shards.glob("[0-9]*-*[0-9].npz")):
        if (out / path.name).exists():
            continue
        with np.load(path) as shard:
            boards, before = shard["boards"], shard["targets"]
        targets = player.label(np.ascontiguousarray(boards))
        write_shard(out / path.name, boards, targets)
        written += 1
        report(f"{path.name}: {len(boards)} positions, labels moved by {np.abs(targets - before).mean():.4f}")
    return written


def judge_named(net: Path) -> Net | None:
    """The net of a file, or None for all judges of the package; raises NetError."""
    return None if str(net) == PACKAGE else Net.read(net)


def main() -> None:
    """Label the shards that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("net", type=Path, help=f"a net, or the word {PACKAGE}")
    parser.add_argument("--filter", type=Path, help="a small net that looks at every play first")
    parser.add_argument("--variant", default="backgammon")
    options = parser.parse_args()
    small = Net.read(options.filter) if options.filter else None
    report = partial(print, flush=True)
    relabel(variant_named(options.variant), options.shards, options.out, judge_named(options.net), small, report)


if __name__ == "__main__":
    main()
