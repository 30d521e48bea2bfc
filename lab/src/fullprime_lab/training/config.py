"""One TOML file says everything about a run: the variant, and the stages in order.

variant = "backgammon"
workers = 1                     # processes of self-play beside the one that fits
rare = 20000                    # rare starts to draw (0: none)

[[stage]]
name = "small"
ahead = false                   # targets from the plays made; true: averages over the 21 rolls
trace = 0.8
positions = 20000               # in each shard
shape = {hidden1 = 128, hidden2 = 32, hand = 0}
exploration = {chance = 0.04, heat = 0.03, wild = 0.12, usual = 1.0, calm = 0.2}
fitting = {minutes = 5, rate = 2e-3, last_rate = 2e-4, replay = 400000, publish = 1.0}
start = "…"                     # an earlier stage whose net this one starts from, or package:backgammon
joined = "…"                    # another one beside it: what starts has all columns of both and says what they say
judges = true                   # labels by all judges of the package: games that they play, with the trace; trace = 0:
                                # one ply of look-ahead for every player
player = "…"                    # one whose net plays and judges instead of the one that learns: a teacher
filter = "…"                    # one whose small net looks at all plays first, or package:backgammon/small
back_games = "…"                # one whose net judges the back games met in look-ahead, or package:backgammon/back_game
sources = ["…"]                 # earlier stages whose shards are learnt from too
phase = "back_game"             # a net for back games alone, the player judges everything else; or "deep" or "deep_2"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import reduce
from pathlib import Path
from typing import Any

from fullprime.engine.nets.net import DEEP, Net, manifest
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Variant
from fullprime_lab.training.errors import ConfigError
from fullprime_lab.training.fit import Fitting
from fullprime_lab.training.joining import join_side_by_side
from fullprime_lab.training.learning import Exploration
from fullprime_lab.training.masters import net_file
from fullprime_lab.training.model import Shape
from fullprime_lab.training.phase_play import BACK_GAME

_PACKAGE = "package:"


@dataclass(frozen=True, slots=True)
class TrainingStage:
    """One net: the making of its positions, and its fitting."""

    name: str
    shape: Shape
    fitting: Fitting
    exploration: Exploration
    ahead: bool = True
    trace: float = 0.9
    positions: int = 5000
    start: str = ""
    joined: str = ""
    judges: bool = False
    player: str = ""
    filter: str = ""
    back_games: str = ""
    sources: tuple[str, ...] = ()
    phase: str = "contact"


@dataclass(frozen=True, slots=True)
class Run:
    """A whole run."""

    variant: Variant
    stages: tuple[TrainingStage, ...]
    workers: int = 1
    rare: int = 0
    seed: int = 1

    def net_path(self, name: str, folder: Path) -> Path | None:
        """The file of the net of a stage of this run, or a net of the package (``package:backgammon``,
        ``package:backgammon/small``); None for no name.
        """
        if name.startswith(_PACKAGE):
            variant, _, phase = name.removeprefix(_PACKAGE).partition("/")
            if (phase or "contact") not in manifest().get(variant, {}):
                raise ConfigError(f"{name}: the package has no {phase or 'contact'} net for {variant!r}")
            return net_file(manifest()[variant][phase or "contact"])
        return folder / name / "net.npz" if name else None

    def start_net(self, stage: TrainingStage, folder: Path) -> Net | None:
        """The net that a stage starts from, None for one from nothing; raises NetError."""
        nets = [Net.read(path) for name in (stage.start, stage.joined) if (path := self.net_path(name, folder))]
        return reduce(join_side_by_side, nets) if nets else None

    def stage(self, name: str) -> TrainingStage:
        """The stage of that name; raises ConfigError."""
        for stage in self.stages:
            if stage.name == name:
                return stage
        raise ConfigError(f"there is no stage {name!r}; there are {', '.join(stage.name for stage in self.stages)}")


def read_config(path: Path) -> Run:
    """A run from its file; raises ConfigError."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    stages: list[TrainingStage] = []
    for number, table in enumerate(values.pop("stage", []), 1):
        where = f"{path}, stage {number}"
        parts = {
            "shape": _record(Shape, table.pop("shape", {}), f"{where}, shape"),
            "fitting": _record(Fitting, table.pop("fitting", {}), f"{where}, fitting"),
            "exploration": _record(Exploration, table.pop("exploration", {}), f"{where}, exploration"),
            "sources": tuple(table.pop("sources", ())),
        }
        stage = _record(TrainingStage, {**table, **parts}, where)
        names = {earlier.name for earlier in stages}
        others = (stage.start, stage.joined, stage.player, stage.filter, stage.back_games)
        for name in filter(None, (*others, *stage.sources)):
            if name not in names and (name in stage.sources or not name.startswith(_PACKAGE)):
                raise ConfigError(f"{where}: {name!r} is no earlier stage")
        if stage.phase not in ("contact", *DEEP, BACK_GAME) or (stage.phase == BACK_GAME and not stage.player):
            raise ConfigError(
                f'{where}: phase is "contact", "deep", "deep_2", or "{BACK_GAME}" with a player for everything else'
            )
        if stage.name in names:
            raise ConfigError(f"{where}: there is another stage {stage.name!r}")
        stages.append(stage)
    if not stages:
        raise ConfigError(f"{path}: no [[stage]]")
    run: Run = _record(
        Run, {**values, "variant": variant_named(values.get("variant", "")), "stages": tuple(stages)}, path
    )
    return run


def _record(kind: type[Any], values: Mapping[str, Any], where: object) -> Any:
    names = {field.name for field in fields(kind)}
    unknown = sorted(set(values) - names)
    if unknown:
        raise ConfigError(f"{where}: unknown {', '.join(unknown)}; known are {', '.join(sorted(names))}")
    try:
        return kind(**values)
    except TypeError as error:
        raise ConfigError(f"{where}: {error}") from None
