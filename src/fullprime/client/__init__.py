"""A client of a running server: join it as a player, from Python. It needs the extra ``client`` (HTTPX)."""

from __future__ import annotations

from fullprime.client.aio import AsyncClient, AsyncRemoteGame, connect_async
from fullprime.client.dice_proof import DiceVerdict
from fullprime.client.errors import ClientError, ServerGone, StaleAction
from fullprime.client.listing import (
    AccountNews,
    ListedGame,
    NewGameOptions,
    OfferedVariant,
    RemoteChallenge,
    RemoteChatLine,
    RemoteFriend,
    ServerAccount,
    ServerOptions,
)
from fullprime.client.plain import Client, RemoteGame, connect
from fullprime.client.state import RemoteClock, RemoteEvent, RemoteState

__all__ = [
    "AccountNews",
    "AsyncClient",
    "AsyncRemoteGame",
    "Client",
    "ClientError",
    "DiceVerdict",
    "ListedGame",
    "NewGameOptions",
    "OfferedVariant",
    "RemoteChallenge",
    "RemoteChatLine",
    "RemoteClock",
    "RemoteEvent",
    "RemoteFriend",
    "RemoteGame",
    "RemoteState",
    "ServerAccount",
    "ServerGone",
    "ServerOptions",
    "StaleAction",
    "connect",
    "connect_async",
]
