"""Bodies that are too large: with their length, with a wrong one, and in chunks without any; endless trailers."""

from __future__ import annotations

from tests.attack.client import Target, answer

_HEAD = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
_CHUNK = b"10000\r\n" + b"a" * 65_536 + b"\r\n"


async def attack(target: Target) -> None:
    async def one(kind: int) -> None:
        if kind % 3 == 0:
            await target.ask("POST", "/api/games", b"a" * 200_000, attacker=kind)
            return
        reader, writer = await target.connect(kind)
        try:
            if kind % 3 == 1:
                writer.write(_HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
                pieces = [_CHUNK] * 200
            else:
                writer.write(_HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n")
                pieces = [b"X: " + b"a" * 65_536] * 200
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
            status, _ = await answer(reader)
            target.seen[str(status)] += 1
        finally:
            writer.close()

    await target.flood(6, one)
