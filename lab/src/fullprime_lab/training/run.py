"""A whole run: every stage in order, self-play in processes of its own beside the fitting.

    fullprime train run CONFIG FOLDER [--until STAGE] [--device cuda] [--pace 0.2]
    python -m fullprime_lab.training.run CONFIG FOLDER --worker STAGE NUMBER      (what it starts for self-play)

FOLDER/STAGE gets ``shards/``, ``current.npz`` (the net as it stands), ``state.npz`` (to go on from),
``net.npz`` and ``done``. Stopped at any moment and started again, a run goes on where it was; a minute of fitting and
the shards that were not finished are done again.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from fullprime.engine.nets.net import Net
from fullprime_lab.training.config import Run, TrainingStage, read_config
from fullprime_lab.training.families import draw_rare_starts
from fullprime_lab.training.fit import fit, make_model
from fullprime_lab.training.partial_files import delete_partial_files, partial_path
from fullprime_lab.training.selfplay import run_worker

RARE = "rare.npy"


def run(
    config: Path,
    folder: Path,
    until: str = "",
    report: Callable[[str], None] = print,
    device: str = "numpy",
    pace: float = 1.0,
) -> Net:
    """Do every stage that is not done yet, fitting on a device of `fit.make_model`; returns the net of the last one.

    Each stage takes ``pace`` times the minutes that the configuration gives it.
    """
    plan = scale_pace(read_config(config), pace)
    if until:
        plan.stage(until)
    prepare(plan, folder)
    for stage in plan.stages:
        home = folder / stage.name
        if (home / "done").exists():
            report(f"{stage.name}: done before")
        else:
            report(f"{stage.name}: {stage.fitting.minutes:g} minutes")
            _run_stage(plan, stage, config, folder, report, device)
        net = Net.read(home / "net.npz")
        if stage.name == until:
            break
    return net


def scale_pace(plan: Run, pace: float) -> Run:
    """The same run with ``pace`` times the minutes in every stage; a shorter one waits for fewer positions, too."""
    stages = []
    for stage in plan.stages:
        fitting = stage.fitting
        fewer = max(fitting.batch, int(fitting.at_least * min(1.0, pace)))
        stages.append(replace(stage, fitting=replace(fitting, minutes=fitting.minutes * pace, at_least=fewer)))
    return replace(plan, stages=tuple(stages))


def prepare(plan: Run, folder: Path) -> None:
    """The folder of a run, with its rare starts."""
    folder.mkdir(parents=True, exist_ok=True)
    if plan.rare and not (folder / RARE).exists():
        with partial_path(folder / RARE) as beside:
            np.save(beside, draw_rare_starts(plan.rare, plan.seed))


def _run_stage(
    plan: Run, stage: TrainingStage, config: Path, folder: Path, report: Callable[[str], None], device: str
) -> None:
    home = folder / stage.name
    (home / "shards").mkdir(parents=True, exist_ok=True)
    for place in (folder, home, home / "shards"):
        delete_partial_files(place)
    command = [sys.executable, "-m", "fullprime_lab.training.run", str(config), str(folder), "--worker", stage.name]
    workers = [subprocess.Popen([*command, str(number)]) for number in range(plan.workers)]  # noqa: S603 - our own
    try:
        fit_stage(
            plan, stage, folder, lambda text: report(f"{stage.name}: {text}"), device, lambda: _are_all_running(workers)
        )
        (home / "done").touch()
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait()


def _are_all_running(workers: list[subprocess.Popen[bytes]]) -> bool:
    return all(worker.poll() is None for worker in workers)


def fit_stage(
    plan: Run,
    stage: TrainingStage,
    folder: Path,
    report: Callable[[str], None] = print,
    device: str = "numpy",
    alive: Callable[[], bool] = lambda: False,
) -> Net:
    """Fit the net of a stage to its shards, those that are there and, while ``alive``, those that come."""
    return fit(
        folder / stage.name,
        stage.shape,
        stage.fitting,
        plan.variant.name,
        start=plan.start_net(stage, folder),
        sources=tuple(folder / name / "shards" for name in stage.sources),
        alive=alive,
        report=report,
        device=device,
        phase=stage.phase,
    )


def work(
    config: Path,
    folder: Path,
    name: str,
    number: int,
    shards: int | None = None,
    report: Callable[[str], None] = lambda _text: None,
) -> None:
    """One process of self-play for a stage, until the stage is done or its ``shards`` are written.

    With a number of shards it also begins a stage: the first games are played by the net that the stage starts from.
    """
    plan = read_config(config)
    stage = plan.stage(name)
    prepare(plan, folder)
    current = folder / name / "current.npz"
    if shards is not None and not current.exists():
        model = make_model("numpy", stage.shape, stage.fitting.seed)
        start = plan.start_net(stage, folder)
        if start is not None:
            model.adopt(start)
        model.net(plan.variant.name, stage.phase, origin=f"{folder.name}/{name}").write(current)
    run_worker(
        plan.variant,
        folder / name,
        number,
        ahead=stage.ahead,
        trace=stage.trace,
        exploration=stage.exploration,
        positions=stage.positions,
        seed=plan.seed,
        player=plan.net_path(stage.player, folder),
        small=plan.net_path(stage.filter, folder),
        back_games=plan.net_path(stage.back_games, folder),
        starts=folder / RARE if plan.rare else None,
        phase=stage.phase,
        judges=stage.judges,
        shards=shards,
        report=report,
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--until", default="", metavar="STAGE", help="stop after this stage")
    parser.add_argument("--device", default="numpy", help="numpy, or PyTorch on cpu or cuda")
    parser.add_argument("--pace", type=float, default=1.0, help="times the minutes of every stage")
    parser.add_argument("--worker", nargs=2, metavar=("STAGE", "NUMBER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that workers are stopped, too
    if options.worker:
        work(options.config, options.folder, options.worker[0], int(options.worker[1]))
    else:
        run(options.config, options.folder, options.until, partial(print, flush=True), options.device, options.pace)


if __name__ == "__main__":
    main()
