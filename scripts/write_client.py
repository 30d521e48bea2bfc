"""Write the plain client from the asynchronous one, by replacing words and the few blocks that differ.

``python scripts/write_client.py`` writes ``client/plain.py``; ``--check`` only says whether it is up to date (exit code
1 if not). Raises SystemExit when a block that differs is no longer in ``client/aio.py``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CLIENT = Path(__file__).resolve().parents[1] / "src" / "fullprime" / "client"
BLOCKS = {
    '"""The asynchronous client: the methods of ``plain``, awaited."""': '''\
"""The plain client, whose methods wait for their answers.

Written by scripts/write_client.py from aio.py: change that, then run it again.
"""''',
    "import asyncio\nfrom collections.abc import AsyncGenerator, AsyncIterator, Generator\n": (
        "import time\nfrom collections.abc import Generator, Iterator\n"
    ),
    "TYPE_CHECKING, Any, Self": "TYPE_CHECKING, Self",
    "AsyncGenerator[str, None]": "Generator[str, None, None]",
    """
    def __await__(self) -> Generator[Any, None, Self]:
        return self._connect().__await__()

    async def _connect(self) -> Self:
""": "",
    """\
        return self

    async def __aenter__(self) -> Self:
        return self if self.steps.is_connected else await self
""": """
    def __enter__(self) -> Self:
        return self
""",
    """\
    \"\"\"Join a running server asynchronously: the twin of :func:`~fullprime.client.plain.connect`.

    It connects, and may raise, when it is entered (``async with``) or awaited.
""": """\
    \"\"\"Join a running server, as an account by its ``token`` or as a guest of that ``name``.

    ``timeout`` is in seconds, for one request. A connection that breaks in the middle of a game is made again for
    ``patience`` seconds. The client's links for the dice follow from ``seed``, a secret text: to come back to a game in
    another process, give the same; by default it is drawn anew. Raises ServerGone when the server does not answer at
    ``url``, ClientError when the token is not good.
""",
}
"""What differs otherwise than by words; each block stands in ``aio.py`` once."""
WORDS = (
    (r"\bAsyncTransport\b", "PlainTransport"),
    (r"\b(an ``)?async (with|def|for)\b", lambda match: f"a ``{match[2]}" if match[1] else match[2]),
    (r"\bawait ", ""),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bAsync(Client|RemoteGame|Iterator)\b", r"\1"),
    (r"\b__a(iter|enter|exit)__\b", r"__\1__"),
    (r"\ba(closing|close|read|iter_lines)\(", r"\1("),
    (r"\baclosing\b", "closing"),
    (r"\bconnect_async\b", "connect"),
)


def plain(text: str) -> str:
    """The text of ``plain.py`` from that of ``aio.py``."""
    for block, instead in BLOCKS.items():
        if text.count(block) != 1:
            sys.exit(f"client/aio.py has {text.count(block)} times, and not once:\n{block}")
        text = text.replace(block, instead)
    for pattern, word in WORDS:
        text = re.sub(pattern, word, text)
    return text


def main() -> int:
    """Write the file, or compare it."""
    text, target = plain((CLIENT / "aio.py").read_text(encoding="utf-8")), CLIENT / "plain.py"
    if "--check" not in sys.argv[1:]:
        target.write_text(text, encoding="utf-8")
    elif target.read_text(encoding="utf-8") != text:
        print(f"{target.name} is not what aio.py gives: run scripts/write_client.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
