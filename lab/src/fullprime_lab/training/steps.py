"""Making nets: the steps of training as services, one for each command of ``fullprime train``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired

from typing_extensions import TypedDict

from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Settlement

if TYPE_CHECKING:
    from fullprime.engine.duel import DuelResult
    from fullprime_lab.training.gate import GateVerdict

Report = Callable[[str], None]

CONFIGS = "package:"
"""``package:backgammon`` names the configuration that comes with the package."""


class ShardsJson(TypedDict):
    """The contents of folders of shards."""

    shards: int
    """The number of shards."""
    positions: int
    """Positions in all of them."""
    different: int
    """Positions that are not the same as another one."""
    races: int
    """Positions without contact."""
    means: list[float]
    """The five targets on average."""
    in_hand: int
    """Positions with checkers in hand."""
    text: NotRequired[str]
    """The same in words."""
    written: str | None
    """The shard into which they were joined; None where nobody asked for it."""


def config_path(name: str) -> Path:
    """The configuration of that name or path; raises SettingsError."""
    path = Path(name)
    if name.startswith(CONFIGS):
        import fullprime_lab.training

        path = Path(fullprime_lab.training.__file__).parent / "configs" / f"{name.removeprefix(CONFIGS)}.toml"
    if not path.is_file():
        raise SettingsError(f"{name}: there is no such configuration")
    return path


def run(config: str, folder: Path, until: str, device: str, pace: float, report: Report) -> Path:
    """Every stage that is not done yet; where the last net lies."""
    from fullprime_lab.training.config import read_config
    from fullprime_lab.training.run import run as whole

    path = config_path(config)
    whole(path, folder, until, report, device, pace)
    return folder / (until or read_config(path).stages[-1].name) / "net.npz"


def selfplay(config: str, folder: Path, stage: str, number: int, shards: int, report: Report) -> None:
    """Write so many shards for a stage."""
    from fullprime_lab.training.run import work

    work(config_path(config), folder, stage, number, shards, report)


def label(shards: Path, out: Path, net: Path, small: Path | None, variant: str, report: Report) -> int:
    """Label shards anew; gives the number written."""
    from fullprime.engine.nets.net import Net
    from fullprime_lab.training.label import judge_named, relabel

    if not shards.is_dir():
        raise SettingsError(f"{shards}: there is no such folder")
    filter_net = Net.read(small) if small is not None else None
    return relabel(variant_named(variant), shards, out, judge_named(net), filter_net, report)


def dataset(folders: list[Path], out: Path | None, room: int) -> ShardsJson:
    """The contents of shards; with ``out`` they are also joined to one shard in that folder."""
    from fullprime_lab.training.dataset import collect, write_dataset

    replay, found = collect(folders, room)
    path = None
    if out is not None:
        path = out / "0-000000.npz"
        write_dataset(replay, path)
    return {
        "shards": found.shards,
        "positions": found.positions,
        "different": found.different,
        "races": found.races,
        "means": list(found.means),
        "in_hand": found.in_hand,
        "text": str(found),
        "written": None if path is None else str(path),
    }


def fit(config: str, folder: Path, stage: str, device: str, report: Report) -> Path:
    """Fit the net of a stage to the shards that are there; where it lies."""
    from fullprime_lab.training.config import read_config
    from fullprime_lab.training.run import fit_stage

    plan = read_config(config_path(config))
    fit_stage(plan, plan.stage(stage), folder, report, device)
    return folder / stage / "net.npz"


def export(net: Path, phase: str | None, made: str, data: Path | None = None) -> Path:
    """Put a net into the package (or another folder of nets); gives its path."""
    from dataclasses import replace

    from fullprime.engine.nets.net import DATA, Net
    from fullprime_lab.training.export import export as put

    found = Net.read(net)
    return put(replace(found, phase=phase or found.phase, made=made or found.made), data or DATA)


def efficiency(folder: Path, variant: str, positions: int, seed: int, ply: int, put: bool, report: Report) -> str:
    """Learn how live the cube is from so many positions; with ``put`` into the package. What was learnt, in words."""
    from fullprime.engine.cube.learnt import DATA
    from fullprime.engine.engine import Engine
    from fullprime.engine.nets.net import judged_as
    from fullprime_lab.training.efficiency import collect, fit

    game = variant_named(variant)
    if game.settlement is not Settlement.GAMES:
        raise SettingsError(f"{variant} is played without a cube")
    if put and judged_as(game.name) != game.name:
        raise SettingsError(
            f"{variant} shares the cube of {judged_as(game.name)}, and nothing would read its own: leave --export out"
        )
    collect(Engine.open(game), folder, positions, seed, ply, report)
    found = fit(folder)
    path = (DATA if put else folder / "learnt") / f"{variant}.npz"
    found.efficiency.save(path, f"from {found.positions} positions of self-play, looked {ply} plies ahead")
    return f"{found}\nwritten: {path}"


def gate(
    first: str, second: str, variant: str, games: int, seed: int, progress: Callable[[DuelResult], None] | None = None
) -> GateVerdict:
    """Play two generations against each other, and judge if the one beats the other."""
    from fullprime_lab.training.gate import gate as judge

    return judge(first, second, variant_named(variant), games, seed, progress)
