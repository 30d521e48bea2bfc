"""Other programs behind our protocols, to measure against: gnubg-nn and bgsage, from the dependency group ``peers``.

Each is both an ``Evaluator`` and a ``Player``. They are imported only when asked for. Their plies keep their own
names: ``gnubg-nn:0`` and ``bgsage:1ply`` are static both. A net of PureTD is named by its file (see ``puretd``).
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from fullprime.engine.bots.batch import Dice, PlayerError, end_turns
from fullprime.engine.core.pack import swap
from fullprime.engine.cube.probabilities import swap_sides
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.nets.net import Floats
from fullprime.engine.search.searcher import Ends
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Variant
from fullprime_lab.peers.puretd import PureTD

CHECKERS = 15


class GnubgNN:
    """gnubg-nn, the nets of GNU Backgammon as a Python module, at 0, 1 or 2 plies."""

    in_batches = False

    def __init__(self, ply: int = 0) -> None:
        if ply not in (0, 1, 2):
            raise PlayerError(f"gnubg-nn looks 0, 1 or 2 plies ahead here, not {ply}")
        self.variant = BACKGAMMON
        self.ply = ply
        self.name = f"gnubg-nn:{ply}"
        self.module = _load("gnubg_nn", "gnubg-nn")

    def evaluate(self, boards: Boards) -> Floats:
        """Five outputs (n, 5) of the player on roll."""
        ask = self.module.probabilities
        return np.array([ask(self.board(row), self.ply) for row in boards], np.float32).reshape(-1, 5)

    def choose(self, boards: Boards, dice: Dice) -> Ends:
        """Its best plays: boards (n, 32) seen by the next player."""
        pairs = zip(boards, dice, strict=True)
        return end_turns(np.stack([self.choose_one(self.board(row), *pair) for row, pair in pairs]))

    def choose_one(self, board: list[list[int]], first: int, second: int) -> Boards:
        """The board (32,) after its best play of one roll."""
        _, key = self.module.best_move(board, int(first), int(second), n=self.ply, b=1)
        moved, waiting = self.module.board_from_position_key(key)
        return _row(waiting, moved)

    @staticmethod
    def board(row: Boards) -> list[list[int]]:
        """A packed position as its module wants it: points 1 to 24 and the bar, the opponent first."""
        counts = row.tolist()
        own = [max(count, 0) for count in counts[1:26]]
        return [[max(-count, 0) for count in counts[24::-1]], own]


class Bgsage:
    """bgsage (Open Sage). Its ``1ply`` is static, ``2ply`` our 1-ply, and so on."""

    in_batches = False

    def __init__(self, level: str = "1ply") -> None:
        if level not in ("1ply", "2ply", "3ply", "4ply"):
            raise PlayerError(f"bgsage has the levels 1ply (static), 2ply, 3ply and 4ply here, not {level!r}")
        self.variant = BACKGAMMON
        self.level = level
        self.name = f"bgsage:{level}"
        self.module = _load("bgsage", "bgsage")
        self.analyzer = self.module.BgBotAnalyzer(eval_level=level, cubeful=False, parallel_threads=1)

    def evaluate(self, boards: Boards) -> Floats:
        """Five outputs (n, 5) of the player on roll. It sees a position after a play: that of the other player."""
        questions = [{"board": self.board(row)} for row in swap(boards)]
        answers = self.module.batch_post_move_evaluate(questions, eval_level=self.level, n_threads=1)
        return swap_sides(np.array([answer.probs.to_list() for answer in answers], np.float32)).astype(np.float32)

    def choose(self, boards: Boards, dice: Dice) -> Ends:
        """Its best plays: boards (n, 32) seen by the next player."""
        pairs = zip(boards, dice, strict=True)
        return end_turns(np.stack([self.choose_one(self.board(row), *pair) for row, pair in pairs]))

    def choose_one(self, board: list[int], first: int, second: int) -> Boards:
        """The board (32,) after its best play of one roll."""
        analysis = self.analyzer.checker_play(board, int(first), int(second))
        after = analysis.moves[0].board if analysis.moves else board
        own = [max(after[place], 0) for place in range(1, 25)]
        other = [max(-after[25 - place], 0) for place in range(1, 25)]
        return _row([*other, after[0]], [*own, after[25]])

    @staticmethod
    def board(row: Boards) -> list[int]:
        """A packed position as it wants it: 26 signed counts by the mover's points, both bars positive."""
        counts: list[int] = row.tolist()
        return [-counts[0], *counts[1:26]]


Peer = GnubgNN | Bgsage | PureTD
PEERS = "gnubg-nn:0|1|2, bgsage:1ply|2ply|3ply|4ply and FILE.pt, a net of PureTD"
"""What may be typed for a peer."""
_NET = ".pt"


def is_peer(name: str) -> bool:
    """True for a name that means a peer, installed or not."""
    return name.strip().lower().startswith(("gnubg-nn", "gnubg", "bgsage")) or name.strip().endswith(_NET)


def peer_named(name: str, variant: Variant = BACKGAMMON) -> Peer:
    """A peer by ``gnubg-nn:PLY``, ``bgsage:LEVEL`` or the file of a net of PureTD; raises PlayerError."""
    if variant != BACKGAMMON:
        raise PlayerError(f"{name[:40]} plays backgammon, not {variant.title}")
    if name.strip().endswith(_NET):
        return PureTD(Path(name.strip()))
    program, _, level = name.strip().lower().partition(":")
    if program in ("gnubg-nn", "gnubg") and (not level or level in "012"):
        return GnubgNN(int(level or 0))
    if program == "bgsage":
        return Bgsage(level or "1ply")
    raise PlayerError(f"there is no peer {name[:40]!r}; there are {PEERS}")


class OtherPrograms:
    """The peers as players of ``fullprime duel``: a `PlayerSource` of `fullprime.engine.bots.players`."""

    names = PEERS

    def find(self, name: str, variant: Variant) -> Peer | None:
        """The peer of that name, None for another name; raises PlayerError."""
        return peer_named(name, variant) if is_peer(name) else None


PROGRAMS = OtherPrograms()


def peer_version(package: str) -> str | None:
    """The installed version of a peer, None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _load(module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise PlayerError(f"{package} is not installed: pip install {package} ({error})") from None


def _row(own: list[int] | tuple[int, ...], other: list[int] | tuple[int, ...]) -> Boards:
    """A packed row (32,) from points 1 to 24 and the bar of the player on roll and of the other."""
    row = np.zeros(32, np.int8)
    row[1:26] = own
    row[0:25] -= np.array(other[::-1], np.int8)
    row[26] = CHECKERS - sum(own)
    row[27] = CHECKERS - sum(other)
    return row
