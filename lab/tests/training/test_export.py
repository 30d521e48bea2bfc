"""Nets that are put into a package, and its manifest."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import numpy as np
import pytest

from fullprime.engine.nets.net import Net
from fullprime_lab.training.export import export
from fullprime_lab.training.model import Model, Shape


@pytest.fixture(scope="module")
def net():
    return Model(Shape(128, 32, 128), seed=3).net("backgammon", origin="a test")


def test_export_replaces_the_net_before(net, tmp_path):
    first = export(net, tmp_path)
    second = export(replace(net, bias3=net.bias3 + np.float32(1)), tmp_path)
    race = export(replace(net, phase="race"), tmp_path)
    assert not first.exists()
    assert sorted(path.name for path in (tmp_path / "nets").iterdir()) == sorted([second.name, race.name])
    manifest = (tmp_path / "manifest.toml").read_text()
    assert second.name in manifest
    assert race.name in manifest
    assert first.name not in manifest


def test_the_net_goes_into_the_package_in_16_bits_and_to_its_master(net, tmp_path):
    masters = tmp_path / "masters"
    first = export(net, tmp_path, masters)
    assert Net.load(first).master == net.hash
    assert Net.load(masters / first.name).master == ""
    second = export(replace(net, bias3=net.bias3 + np.float32(1)), tmp_path, masters)
    assert [path.name for path in masters.iterdir()] == [second.name]


def test_a_game_with_a_net_of_its_own_shares_none(net, tmp_path):
    (tmp_path / "manifest.toml").write_text(
        '[nets.backgammon]\ncontact = "x.npz"\n[shared]\nnackgammon = "backgammon"\nlonggammon = "backgammon"\n'
    )
    path = export(replace(net, variant="nackgammon"), tmp_path)
    assert tomllib.loads((tmp_path / "manifest.toml").read_text()) == {
        "nets": {"backgammon": {"contact": "x.npz"}, "nackgammon": {"contact": path.name}},
        "shared": {"longgammon": "backgammon"},
    }


def test_the_phases_of_the_wide_nets_stay_declared(net, tmp_path):
    (tmp_path / "manifest.toml").write_text(
        '[nets.backgammon]\ncontact = "x.npz"\n[wide]\nbackgammon = ["back_game", "race"]\n'
    )
    export(replace(net, variant="nackgammon"), tmp_path)
    assert tomllib.loads((tmp_path / "manifest.toml").read_text())["wide"] == {"backgammon": ["back_game", "race"]}
