"""Training a net in one call, from nothing, for as long as one likes to wait."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import Variant, variant_named
from fullprime_lab.training import steps

_CONFIG = """\
variant = "{variant}"
workers = {workers}
seed = {seed}

[[stage]]
name = "net"        # learns from the ends of games that it plays with itself
ahead = false
trace = 0.8
positions = 5000
shape = {{hidden1 = {hidden}, hidden2 = 32, hand = 0, squared = true}}
exploration = {{chance = 0.04, heat = 0.03, wild = 0.12}}
fitting = {{minutes = {minutes}, rate = 2e-3, last_rate = 2e-4, replay = 400000, publish = 0.2}}
"""


def train(
    variant: str | Variant = "backgammon",
    *,
    seconds: float = 60.0,
    folder: str | Path | None = None,
    hidden: int = 128,
    workers: int = 1,
    seed: int = 7,
    report: Callable[[str], None] | None = None,
) -> Path:
    """Let a small net learn a game from nothing by playing with itself; gives the path of its file.

    ``seconds``: the time that it learns; ``workers``: processes that play beside the one that learns; ``folder``: the
    place of all files, by default a new one that is not cleared away. The net can play at once:
    ``duel(net, "random")``. ``docs/training.md`` has the way to strong nets. Raises SettingsError, ConfigError.
    """
    rules = variant_named(variant)
    if not 1 <= seconds <= 1_000_000:
        raise SettingsError(f"a net learns for 1 to 1000000 seconds here, not {seconds}")
    home = Path(folder) if folder is not None else Path(tempfile.mkdtemp(prefix="fullprime-net-"))
    home.mkdir(parents=True, exist_ok=True)
    config = home / "run.toml"
    text = _CONFIG.format(variant=rules.name, workers=workers, seed=seed, hidden=hidden, minutes=seconds / 60)
    config.write_text(text, encoding="utf-8")
    return steps.run(str(config), home, "", "numpy", 1.0, report or (lambda _: None))
