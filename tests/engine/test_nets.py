"""Net files, the manifest and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from tests.engine.random_nets import random_net

from fullprime.engine.nets import net as nets
from fullprime.engine.nets.net import DATA, Net, NetError, nets_with
from fullprime.rules.variants import VARIANTS
from fullprime_lab.training.model import Model, Shape


@pytest.fixture(scope="module")
def net():
    return Model(Shape(128, 32, 128), seed=3).net("backgammon", origin="a test")


def test_a_net_comes_back_as_it_was(net, tmp_path):
    path = net.save(tmp_path)
    again = Net.load(path)
    assert path.name == f"backgammon-contact-{net.hash}.npz"
    assert again.hash == net.hash
    assert again.origin == "a test"
    assert all(np.array_equal(again.arrays[name], array) for name, array in net.arrays.items())


def test_a_net_in_16_bits_keeps_its_name_and_is_rounded_once(net, tmp_path):
    path = net.save_rounded(tmp_path / "rounded")
    again = Net.load(path)
    assert (path.name, again.name, again.master) == (net.name, net.name, net.hash)
    assert path.stat().st_size < 0.6 * net.save(tmp_path).stat().st_size
    assert again.content != net.content
    for name, array in net.arrays.items():
        assert np.abs(again.arrays[name] - array).max() <= 0.51 * np.abs(array).max() / 32766, name
    with pytest.raises(NetError, match="in 16 bits already"):
        again.save_rounded(tmp_path)
    assert Net.load(again.save(tmp_path / "as it is")).content == again.content


def test_a_damaged_net_in_16_bits_is_refused(net, tmp_path):
    path = net.save_rounded(tmp_path)
    with np.load(path) as stored:
        arrays = dict(stored)
    arrays["units"][0, 0, 0] += 1
    with path.open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(NetError, match="damaged"):
        Net.load(path)


def test_the_hash_depends_on_every_array_and_on_the_variant(net):
    hashes = {net.hash, replace(net, variant="dutch").hash, replace(net, phase="race").hash}
    for name, array in net.arrays.items():
        changed = array.copy()
        changed.flat[0] += 1
        hashes.add(replace(net, **{name: changed}).hash)
    assert len(hashes) == 3 + len(net.arrays)


def test_a_damaged_or_misnamed_file_is_refused(net, tmp_path):
    path = net.save(tmp_path)
    other = tmp_path / "backgammon-contact-0123456789abcdef.npz"
    path.rename(other)
    with pytest.raises(NetError, match="damaged or misnamed"):
        Net.load(other)
    other.write_bytes(other.read_bytes()[:1000])
    with pytest.raises(NetError, match="not a net file"):
        Net.load(other)
    with pytest.raises(NetError, match="no such net"):
        Net.load(tmp_path / "nothing.npz")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"encoding": 99}, "encoding version 99"),
        ({"phase": "middle"}, "'middle' is not one of"),
        ({"bias1": np.zeros(100, np.float32)}, "bias1 is float32"),
        ({"bias3": np.zeros(5)}, "bias3 is float64"),
        ({"bias3": np.full(5, np.nan, np.float32)}, "not numbers"),
    ],
)
def test_a_net_that_does_not_fit_is_refused(net, change, words):
    with pytest.raises(NetError, match=words):
        replace(net, **change)


def test_every_declared_net_is_there_and_is_what_it_says():
    names = set()
    for variant, phases in nets.manifest().items():
        assert variant in VARIANTS
        chosen = nets.nets_for(variant)
        assert set(chosen) == set(phases)
        names |= set(phases.values())
    files = {path.name: path.stat().st_size for path in (DATA / "nets").iterdir()}
    assert set(files) == names, "a net that the manifest does not name"
    assert sum(files.values()) < 6_000_000, "the wheel grows by all of it"


def test_a_variant_without_nets_says_so():
    with pytest.raises(NetError, match="no net for nothing"):
        nets.nets_for("nothing")


def test_nackgammon_is_judged_by_the_nets_of_backgammon():
    assert nets.judging_game("nackgammon") == "backgammon"
    assert nets.manifest()["nackgammon"] == nets.manifest()["backgammon"]
    assert {net.variant for net in nets.nets_for("nackgammon").values()} == {"backgammon"}


def test_a_net_for_back_games_takes_its_place_among_the_others():
    back, contact = random_net(phase="back_game"), random_net()
    assert nets_with(contact) == {"contact": contact}
    chosen = nets_with(back)
    assert chosen.pop("back_game") is back
    assert {phase: net.name for phase, net in chosen.items()} == {
        phase: name for phase, name in nets.manifest()["backgammon"].items() if phase != "back_game"
    }
