"""Making nets: the steps of training as services, one for each command of ``fullprime train``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Settlement

if TYPE_CHECKING:
    from fullprime.engine.duel import DuelResult
    from fullprime_lab.training.dataset import ShardsSummary
    from fullprime_lab.training.gate import GateVerdict

Report = Callable[[str], None]

CONFIGS = "package:"
"""``package:backgammon`` names the configuration that comes with the package."""


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
    from fullprime_lab.training.run import run as run_stages

    path = config_path(config)
    run_stages(path, folder, until, report, device, pace)
    return folder / (until or read_config(path).stages[-1].name) / "net.npz"


def selfplay(config: str, folder: Path, stage: str, number: int, shards: int, report: Report) -> None:
    """Write ``shards`` shards for a stage."""
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


def dataset(folders: list[Path], out: Path | None, room: int) -> ShardsSummary:
    """The contents of shards; with ``out`` they are also joined to one shard in that folder."""
    from fullprime_lab.training.dataset import collect, write_dataset

    replay, summary = collect(folders, room)
    if out is None:
        return summary
    path = out / "0-000000.npz"
    write_dataset(replay, path)
    return replace(summary, written=str(path))


def fit(config: str, folder: Path, stage: str, device: str, report: Report) -> Path:
    """Fit the net of a stage to the shards that are there; where it lies."""
    from fullprime_lab.training.config import read_config
    from fullprime_lab.training.run import fit_stage

    plan = read_config(config_path(config))
    fit_stage(plan, plan.stage(stage), folder, report, device)
    return folder / stage / "net.npz"


def export(net: Path, phase: str | None, origin: str, data: Path | None = None) -> Path:
    """Put a net into the package (or another folder of nets); gives its path."""
    from fullprime.engine.nets.net import DATA, Net
    from fullprime_lab.training.export import export as export_net

    network = Net.read(net)
    return export_net(replace(network, phase=phase or network.phase, origin=origin or network.origin), data or DATA)


def efficiency(folder: Path, variant: str, positions: int, seed: int, ply: int, install: bool, report: Report) -> str:
    """Learn how live the cube is from ``positions``, with ``install`` into the package; gives the result in words."""
    from fullprime.engine.cube.learnt import DATA
    from fullprime.engine.engine import Engine
    from fullprime.engine.nets.net import judging_game
    from fullprime_lab.training.efficiency import collect, fit

    game = variant_named(variant)
    if game.settlement is not Settlement.GAMES:
        raise SettingsError(f"{variant} is played without a cube")
    judge = judging_game(game.name)
    if install and judge != game.name:
        raise SettingsError(f"{variant} shares the cube of {judge}, and nothing would read its own: leave --export out")
    collect(Engine.open(game), folder, positions, seed, ply, report)
    fitted = fit(folder)
    path = (DATA if install else folder / "learnt") / f"{variant}.npz"
    fitted.efficiency.save(path, f"from {fitted.positions} positions of self-play, looked {ply} plies ahead")
    return f"{fitted}\nwritten: {path}"


def gate(
    first: str, second: str, variant: str, games: int, seed: int, progress: Callable[[DuelResult], None] | None = None
) -> GateVerdict:
    """Play two generations against each other, and judge if the one beats the other."""
    from fullprime_lab.training.gate import gate as judge

    return judge(first, second, variant_named(variant), games, seed, progress)
