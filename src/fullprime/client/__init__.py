"""A client of a running server: join it as a player, from Python. It needs the extra ``client`` (HTTPX)."""

from __future__ import annotations

from fullprime.client.aio import AsyncClient, AsyncRemoteGame, connect_async
from fullprime.client.dice_proof import DiceProof
from fullprime.client.errors import ClientError, ServerGone, StaleAction
from fullprime.client.listing import (
    AccountNews,
    ChatLine,
    ListedGame,
    NewGameOptions,
    OfferedVariant,
    RemoteChallenge,
    ServerAccount,
    ServerOptions,
)
from fullprime.client.plain import Client, RemoteGame, connect
from fullprime.client.state import RemoteClock, RemoteEvent, RemoteState

__all__ = [
    "AccountNews",
    "AsyncClient",
    "AsyncRemoteGame",
    "ChatLine",
    "Client",
    "ClientError",
    "DiceProof",
    "ListedGame",
    "NewGameOptions",
    "OfferedVariant",
    "RemoteChallenge",
    "RemoteClock",
    "RemoteEvent",
    "RemoteGame",
    "RemoteState",
    "ServerAccount",
    "ServerGone",
    "ServerOptions",
    "StaleAction",
    "connect",
    "connect_async",
]
