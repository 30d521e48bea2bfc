"""The commands of a court: ``court stock``, ``court judge``, ``court table``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.options import Json, Seed, seed_number
from fullprime.cli.progress import show_progress_bar
from fullprime.cli.terminal import say, say_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fullprime_lab.court.stock import CourtDecision
    from fullprime_lab.court.table import Contestant, CourtTable, FamilyLoss, FamilySpread, JudgeLine

Stock = Annotated[Path, typer.Argument(metavar="STOCK", help="The file of decisions, .jsonl.")]
Trials = Annotated[int, typer.Option("--trials", "-t", min=36, max=100_000, help="Trials of each play.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, max=1024, help="How many processes roll out.")]
Plies = Annotated[int, typer.Option("--plies", min=0, max=2, help="Plies behind the plays of our own trials.")]
_HEAD = 24
"""Characters of a name at the head of a column."""


def add_to(app: typer.Typer) -> None:
    """Add the group."""
    example = "fullprime court table court.jsonl 0-ply 2-ply gnubg-nn:0"
    group = add_group(app, "court", "Hold a court on hard decisions, judged by several engines.", example)
    add(group, "stock", stock, "fullprime court stock court.jsonl", "fullprime court stock court.jsonl --family snake")
    add(group, "judge", judge, "fullprime court judge court.jsonl --jobs 4", "fullprime court judge court.jsonl gnubg")
    add(
        group, "table", table, example, 'fullprime court table court.jsonl 1-ply "engine: fullprime engine" "ubgi: bot"'
    )


def stock(
    path: Stock,
    decisions: Annotated[
        int, typer.Option("--decisions", min=1, max=10_000, help="How many decisions of each family.")
    ] = 40,
    family: Annotated[list[str] | None, typer.Option("--family", help="Only this family; may be given again.")] = None,
    level: Annotated[
        list[str] | None,
        typer.Option("--level", "-l", help="A level whose best play is a candidate; may be given again."),
    ] = None,
    seed: Seed = "1",
    json: Json = False,
) -> None:
    """Make the decisions of a court, of each family as many. Stopped and started again it goes on."""
    from collections import Counter

    from fullprime_lab.court.families import FAMILIES
    from fullprime_lab.court.stock import LEVELS, make_stock

    families = tuple(family or FAMILIES)
    with show_progress_bar() as progress:
        stock = make_stock(path, decisions, families, seed_number(seed), tuple(level or LEVELS), progress)
    counts = Counter(decision.family for decision in stock)
    if json:
        say_json({"stock": str(path), "decisions": len(stock), "families": {name: counts[name] for name in FAMILIES}})
        return
    for name in families:
        say(f"  {name:<26}{counts[name]:>5}" + ("" if counts[name] >= decisions else f" of {decisions}"))


def judge(
    path: Stock,
    judges: Annotated[
        list[str] | None, typer.Argument(metavar="JUDGE", help="fullprime, gnubg, bgsage; all that are installed.")
    ] = None,
    trials: Trials = 324,
    plies: Plies = 1,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Roll out the plays of a stock by every judge, into a file beside it. Stopped and started again it goes on.

    The first pass over the stock has 36 trials of each play, and each further one adds to three times as many.
    """
    from fullprime_lab.court.judges import installed_judges
    from fullprime_lab.court.judging import find_missing_cases, judge_cases, make_notes
    from fullprime_lab.court.verdicts import Verdicts, verdicts_beside

    names = list(dict.fromkeys(judges or installed_judges()))
    notes = make_notes(names, plies)
    decisions, verdicts = _read(path), Verdicts(verdicts_beside(path))
    cases = find_missing_cases(verdicts, decisions, names, trials)
    with show_progress_bar() as progress:
        judge_cases(verdicts, cases, notes, jobs, progress)
    counts = {name: sum(name in verdicts.get_equities(decision.name) for decision in decisions) for name in names}
    if json:
        say_json({"verdicts": str(verdicts.path), "decisions": len(decisions), "judged": counts})
        return
    for name, count in counts.items():
        say(f"  {name:<12}{count:>5} of {len(decisions)} decisions")


def table(
    path: Stock,
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER", help='A level, gnubg-nn:0, "engine: COMMAND", "ubgi: COMMAND".')
    ],
    complete: Annotated[
        bool, typer.Option("--complete/--no-complete", help="Roll out chosen plays that the stock leaves out.")
    ] = True,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Let engines decide, and print what they give up by family. No engine is judged by its own verdicts."""
    from fullprime_lab.court.judges import installed_judges
    from fullprime_lab.court.judging import judge_cases, notes_as_before
    from fullprime_lab.court.table import cases_to_complete, make_entry, make_table, select_judged
    from fullprime_lab.court.verdicts import Verdicts, verdicts_beside
    from fullprime_lab.peers.players import open_player

    decisions, verdicts = _read(path), Verdicts(verdicts_beside(path))
    entries = []
    with show_progress_bar() as progress:
        for name in players:
            player = open_player(name)
            try:
                entries.append(make_entry(name, player, select_judged(decisions, verdicts), progress))
            finally:
                player.close()
        notes = notes_as_before(verdicts, installed_judges()) if complete else {}
        cases = cases_to_complete(entries, decisions, verdicts, notes)
        judge_cases(verdicts, cases, notes, jobs, lambda name, *counts: progress(f"completed by {name}", *counts))
    result = make_table(path, decisions, verdicts, entries)
    if json:
        say_json(result)
        return
    for line in _lines(result):
        say(line)


def _read(path: Path) -> list[CourtDecision]:
    """The decisions of a stock that is there."""
    from fullprime.rules.errors import FullprimeError
    from fullprime_lab.court.stock import read_stock

    decisions = read_stock(path)
    if not decisions:
        raise FullprimeError(f"{path}: no decisions of a court; fullprime court stock {path} makes them")
    return decisions


def _lines(result: CourtTable) -> list[str]:
    names = [_short(contestant.name) for contestant in result.contestants]
    width = max(23, *(len(name) + 2 for name in names))
    heads = "".join(f"{name:>{width}}" for name in names)
    every = [contestant.every for contestant in result.contestants]
    agreed = [contestant.agreed for contestant in result.contestants]
    return [
        f"{result.stock}: {result.decisions} decisions, {result.judged} of them judged",
        *(_judge(line) for line in result.judges),
        *_spread_lines(result.spreads),
        "",
        "mean loss in points ± its standard error (decisions)",
        *_block(f"all {result.judged} decisions", heads, every, width),
        *_block(f"the {result.agreed} on which the judges agree", heads, agreed, width),
        *map(_note, result.contestants),
    ]


def _short(name: str) -> str:
    """The end of a long name, such as that of a file, at the head of a column."""
    return name if len(name) <= _HEAD else f"…{name[1 - _HEAD :]}"


def _judge(line: JudgeLine) -> str:
    least, most = line.trials
    trials = f"{most}" if least == most else f"{least} to {most}"
    return (
        f"  judge {line.name}: {line.version}, {line.plies} plies, {line.decisions} decisions, "
        f"{trials} trials of a play, its error {line.error:.4f}"
    )


def _spread_lines(spreads: Sequence[FamilySpread]) -> list[str]:
    """How far the judges differ, by family."""
    lines = ["", "the lead of the best play by the judges, its deviation between them, and that which chance makes"]
    lines.append(f"{'':<26}{'decisions':>11}{'agreed':>8}{'lead':>9}{'between':>9}{'chance':>9}")
    for line in spreads:
        if line.decisions:
            figures = "".join(f"{figure:>9.4f}" for figure in (line.lead, line.spread, line.chance))
            lines.append(f"  {line.family:<24}{line.decisions:>11}{line.agreed:>8}{figures}")
    return lines if len(lines) > 3 else []


def _block(title: str, heads: str, columns: list[tuple[FamilyLoss, ...]], width: int) -> list[str]:
    """The lines of the families that have decisions."""
    rows = [row for row in zip(*columns, strict=True) if any(cell.decisions for cell in row)]
    return ["", title, f"{'':<26}{heads}"] + [
        f"  {row[0].family:<24}" + "".join(f"{_cell(cell):>{width}}" for cell in row) for row in rows
    ]


def _cell(cell: FamilyLoss) -> str:
    if cell.loss is None:
        return "-"
    return f"{cell.loss:.4f}" + ("" if cell.error is None else f" ± {cell.error:.4f}") + f" ({cell.decisions})"


def _note(contestant: Contestant) -> str:
    """By whom a contestant is judged, and what was completed for it."""
    count = max(1, contestant.every[-1].decisions)
    words = f"{contestant.name}: judged by {', '.join(contestant.judges) or 'nobody else yet'}"
    words += (
        f"; completed {contestant.completed / count:.1%} of the decisions, {contestant.completed_loss:.1%} of the loss"
    )
    return words + (f"; {contestant.charged} charged what the worst play gives up" if contestant.charged else "")
