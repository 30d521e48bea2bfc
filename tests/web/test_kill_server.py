"""Servers killed under load: what was confirmed is stored, every game goes on, and the dice are those that were due."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.web.conftest import Server
from tests.web.playing_clients import PlayingClients

from fullprime.play.server.game_server import GameServer

MONEY = {"rules": {"length": 0}}
GAMES = (
    {"opponent": "bot", "bot": "random", **MONEY},
    {"opponent": "bot", "bot": "heuristic", **MONEY},
    {"opponent": "friend", "name": "Ann", **MONEY},
    # Who doubles by chance ends a match in its first game: without the cube it lasts for a thousand actions.
    {"opponent": "friend", "name": "Ann", "rules": {"length": 25, "cube": False}},
    {"opponent": "screen", "variant": "hypergammon", **MONEY},
    {"opponent": "screen", "variant": "acey_deucey", **MONEY},
)


@pytest.fixture
def servers(any_database: str) -> Iterator[list[Server]]:
    """One server on SQLite, two on PostgreSQL."""
    running = [Server(any_database, "--no-limits") for _ in range(2 if any_database.startswith("postgresql") else 1)]
    yield running
    for server in running:
        server.close()


@pytest.mark.broad
@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
def test_killed_under_load(servers: list[Server], any_database: str, kills: int) -> None:
    chance = random.Random(kills)
    clients = PlayingClients(lambda: [server.url for server in servers])
    clients.sit(GAMES)
    clients.wait_for_each(1)
    try:
        for number in range(kills):
            clients.wait_for(chance.randint(3, 12))
            server = servers[number % len(servers)]
            server.kill()
            server.start()
        clients.wait_for_each(2)
    finally:
        clients.leave()
    with closing(GameServer(any_database)) as game_server:
        confirmed = clients.check(game_server)
        verdicts = [game_server.verify(player.game) for player in clients.players]
    assert [verdict.faults for verdict in verdicts] == [()] * len(GAMES)
    throws = sum(verdict.throws for verdict in verdicts)
    sys.stdout.write(f"{kills} kills: {confirmed} confirmed actions are stored, {throws} throws are proved\n")
