"""The nets of the package in 16 bits beside the same nets in float32, which the clone has."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from fullprime.engine.core.pack import legal_plays, swap
from fullprime.engine.cube.probabilities import equity
from fullprime.engine.nets.evaluator import NetEvaluator
from fullprime.engine.nets.net import DATA, DEEP, Net, manifest, nets_for
from fullprime.rules.variants import VARIANTS
from fullprime_lab.training.config import read_config
from fullprime_lab.training.learning import Exploration, SelfPlayer
from fullprime_lab.training.masters import MASTERS, net_file

NAMES = sorted({name for phases in manifest().values() for name in phases.values()})
OWN = sorted(game for game, phases in manifest().items() if phases["contact"].startswith(f"{game}-"))
DECISIONS = 2_000


@pytest.mark.parametrize("name", NAMES)
def test_a_net_of_the_package_is_its_master_in_16_bits(name, tmp_path):
    master = Net.load(MASTERS / name)
    assert not master.master
    path = master.save_rounded(tmp_path)
    assert path.name == name
    assert Net.load(path).content == Net.load(DATA / "nets" / name).content
    assert (DATA / "nets" / name).stat().st_size < 0.53 * (MASTERS / name).stat().st_size
    assert {path.name for path in MASTERS.glob("*.npz")} == set(NAMES), "a master that no net of the package has"


def test_training_begins_with_masters(tmp_path):
    assert net_file(manifest()["backgammon"]["deep"]).parent == MASTERS
    config = tmp_path / "run.toml"
    config.write_text('variant = "dutch"\n[[stage]]\nname = "on"\nstart = "package:dutch"\nfitting = {minutes = 1}\n')
    run = read_config(config)
    start = run.start_net(run.stage("on"), tmp_path)
    assert start is not None
    assert not start.master


def equities(nets, boards, variant):
    """By every judge that chooses plays: the usual nets, the small one, the mean of the wide ones."""
    evaluator = NetEvaluator(variant, nets)
    outputs = {"usual": evaluator.evaluate(boards)}
    if "small" in nets:
        outputs["small"] = NetEvaluator(variant, {"contact": nets["small"]}).evaluate(boards)
    if set(DEEP) & set(nets):
        outputs["wide"] = np.mean([evaluator.evaluate_deep(boards, at) for at in range(evaluator.deep_nets)], axis=0)
    return {judge: equity(chances, variant) for judge, chances in outputs.items()}


@pytest.mark.broad
@pytest.mark.parametrize("game", OWN)
def test_16_bits_choose_the_same_plays(game):
    """Of 2,000 rolls the wide nets choose the same play of each; the others choose now and then one as good."""
    variant, rounded = VARIANTS[game], nets_for(game)
    masters = {phase: Net.load(MASTERS / net.name) for phase, net in rounded.items()}
    player = SelfPlayer(variant, masters["contact"], masters.get("small"), ahead=False)
    boards, _, _ = player.play(DECISIONS, 11, 0.6, Exploration(chance=0, heat=0.02, wild=0.2))
    dice = np.random.default_rng(5).integers(1, 7, (len(boards), 2)).astype(np.int8)
    rows, first = legal_plays(boards, dice, variant)
    rows = swap(rows)
    before, now = equities(masters, rows, variant), equities(rounded, rows, variant)
    for judge, values in before.items():
        chosen, other = (
            [start + int(np.argmin(part[start:stop])) for start, stop in pairwise(first)]
            for part in (values, now[judge])
        )
        costs = values[other] - values[chosen]
        assert np.count_nonzero(costs) <= (0 if judge == "wide" else 0.004 * DECISIONS), judge
        assert costs.max() < 0.001, judge
        assert (now[judge] - values).std() < 0.0007, judge
