"""WebSockets: without a word, with too many words, with words that unpack to more than was sent, without a pong."""

from __future__ import annotations

import os
import struct
import zlib

from tests.attack.client import HOST, Target

WEIGHT = 1.5
_KEY = b"dGhlIHNhbXBsZSBub25jZQ=="


def _frame(data: bytes, opcode: int = 1, *, packed: bool = False, last: bool = True) -> bytes:
    mask = os.urandom(4)
    first = (0x80 if last else 0) | (0x40 if packed else 0) | opcode
    length = len(data)
    size = bytes([0x80 | length]) if length < 126 else b"\xfe" + struct.pack(">H", length)
    if length > 65_535:
        size = b"\xff" + struct.pack(">Q", length)
    return bytes([first]) + size + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))


def _bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -12)
    data = packer.compress(b" " * (20 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH)
    return _frame(data.removesuffix(b"\0\0\xff\xff"), packed=True)


async def attack(target: Target) -> None:
    bomb, hello, word = _bomb(), _frame(b'{"key": null}'), _frame(b"x" * 100)
    _, created = await target.ask("POST", "/api/games", {"opponent": "bot"})
    game = created["id"] if created else "x"

    async def one(attacker: int) -> None:
        reader, writer = await target.connect(attacker % 30)
        try:
            writer.write(
                f"GET /api/games/{game}/live HTTP/1.1\r\nHost: {HOST}:{target.port}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {_KEY.decode()}\r\n"
                "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n".encode()
            )
            head = await reader.readuntil(b"\r\n\r\n")
            target.seen[head[9:12].decode("latin-1")] += 1
            if attacker % 4 == 1:
                writer.write(bomb)
            elif attacker % 4 == 2:
                writer.write(hello)
                for _ in range(200):
                    writer.write(word * 20)
                    await writer.drain()
                    target.seen["20 words"] += 1
            elif attacker % 4 == 3:
                writer.write(hello + _frame(b"y" * 3000, last=False) + _frame(b"y" * 3000, 0, last=False) * 100)
            await target.hold(reader)
        finally:
            writer.close()
        await target.rest(2)

    await target.flood(300, one)
