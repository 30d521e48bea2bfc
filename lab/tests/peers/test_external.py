"""Peers behind our protocols: their view of a board is ours, and they play by the rules. Skipped without them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engine.test_duel import check_player

from fullprime.engine.bots.batch import PlayerError
from fullprime.engine.core.pack import pack
from fullprime.engine.cube.probabilities import equity
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON, NACKGAMMON
from fullprime_lab.peers import programs as external
from fullprime_lab.peers.programs import peer_named, peer_version

PEERS = {"gnubg-nn:0": "gnubg_nn", "gnubg-nn:1": "gnubg_nn", "bgsage:1ply": "bgsage"}

LOPSIDED = [
    Position.of({6: 2, 5: 2, 4: 3, 3: 2, 2: 2, 8: 2, 7: 2}, {"bar": 2, 13: 4, 8: 4, 6: 5}),
    Position.of({24: 2, 13: 4, 8: 4, 6: 5}, {6: 3, 5: 2, 4: 2, 8: 3, 13: 3, 24: 2}),
    Position.of({6: 2, 3: 3, 2: 2}, {6: 4, 5: 5, 4: 4}),
]


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_sees_the_board_as_it_is(name: str) -> None:
    pytest.importorskip(PEERS[name])
    peer = peer_named(name)
    assert peer.name == name
    outputs = peer.evaluate(pack([*LOPSIDED, *(position.swapped for position in LOPSIDED)]))
    values = equity(outputs)
    assert outputs.shape == (6, 5)
    assert values[0] > 0.9  # two on the bar against a five-point board
    assert values[2] > 0.9  # far ahead in the race
    assert (values[[0, 2]] > values[[3, 5]] + 0.9).all()  # and so with the other side on roll


def test_peers_agree_with_each_other_about_a_middle_game() -> None:
    pytest.importorskip("gnubg_nn")
    pytest.importorskip("bgsage")
    rows = pack([BACKGAMMON.starting_position, LOPSIDED[1], LOPSIDED[1].swapped])
    first, second = (equity(peer_named(name).evaluate(rows)) for name in ("gnubg-nn:0", "bgsage:1ply"))
    np.testing.assert_allclose(first, second, atol=0.08)


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_plays_by_the_rules(name: str) -> None:
    pytest.importorskip(PEERS[name])
    check_player(peer_named(name), 40 if name.endswith(("0", "1ply")) else 5)


def test_peers_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlayerError, match="plays backgammon"):
        peer_named("gnubg-nn:0", NACKGAMMON)
    monkeypatch.setattr(external, "import_module", missing)
    with pytest.raises(PlayerError, match="not installed"):
        peer_named("bgsage:1ply")
    assert peer_version("no-such-package-at-all") is None


def missing(name: str) -> None:
    raise ImportError(name)
