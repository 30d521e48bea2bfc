"""Players by chance, plain and asynchronous."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from fullprime.client import AsyncRemoteGame, RemoteGame, RemoteState


def choice(state: RemoteState, chance: random.Random) -> str:
    """Something to do, by chance; nobody gives up, and few double."""
    if state.plays:
        return chance.choice(state.plays)
    words = [word for word in state.legal if word not in ("resign", "drop", "refuse")]
    if "double" in words and chance.random() < 0.9:
        words.remove("double")
    word = chance.choice(words)
    return f"choose {chance.randint(1, 6)}" if word == "choose" else word


def play_out(
    game: RemoteGame, seed: int, watch: Callable[[RemoteState], object] = lambda state: None
) -> list[RemoteState]:
    """Every state of a game that is played to its end by chance."""
    chance, states = random.Random(seed), []
    for state in game:
        states.append(state)
        watch(state)
        if state.is_mine:
            game.act(choice(state, chance))
    return states


def begin_both(one: RemoteGame, other: RemoteGame) -> None:
    """Both follow the game until the opening is thrown, for which each gives a link."""
    with ThreadPoolExecutor(2) as pool:
        for begun in [pool.submit(next, (state for state in game if state.turn is not None)) for game in (one, other)]:
            begun.result(60)


def play_both(one: RemoteGame, other: RemoteGame) -> tuple[list[RemoteState], list[RemoteState]]:
    """Two players, each in a thread."""
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(play_out, one, 1), pool.submit(play_out, other, 2)
        return first.result(60), second.result(60)


async def play_out_async(game: AsyncRemoteGame, seed: int) -> list[RemoteState]:
    chance, states = random.Random(seed), []
    async for state in game:
        states.append(state)
        if state.is_mine:
            await game.act(choice(state, chance))
    return states
