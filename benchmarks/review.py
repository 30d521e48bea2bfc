"""Our reviews beside the analyses that files carry, and how far a loss moves when one looks further.

python benchmarks/review.py compare FOLDER [--level standard]
python benchmarks/review.py uncertainty FOLDER [--plays 45] [--plies 3]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fullprime.analysis import plays
from fullprime.analysis.decision import Decision, Kind
from fullprime.analysis.judge import Judge
from fullprime.analysis.review import program_of, review
from fullprime.engine.context import context_of
from fullprime.engine.engine import Engine
from fullprime.engine.warmup import prepare
from fullprime.formats import Document, FormatError, read
from fullprime.formats.analysis import EventAnalysis
from fullprime.rules.game import ActionKind
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON


def theirs(decision: Decision, found: EventAnalysis, match: Match) -> float | None:
    """The loss that the file's own analysis gives the same decision; None where it says nothing of it."""
    if decision.kind is Kind.PLAY:
        if found.play is None or found.play.played is None or not found.play.candidates:
            return None
        best, made = found.play.candidates[0].equity, found.play.candidates[found.play.played].equity
        equities = [each.equity for each in found.play.candidates if each.equity is not None]
        return max(0.0, max(equities) - made) if best is not None and made is not None else None
    cube = found.cube
    if decision.played.text == "beaver":
        return None
    if cube is None or cube.no_double is None or cube.double_take is None or cube.double_pass is None:
        return None
    figures = [cube.no_double, cube.double_take, cube.double_pass]
    if cube.unit == "mwc":
        record = list(match.games[decision.game].entries())
        before = record[decision.event].before
        context = context_of(before)
        figures = [float(context.equity(each)) for each in figures]
    no_double, take, drop = figures
    if decision.kind is Kind.DOUBLE:
        best = max(no_double, min(take, drop))
        made = (
            min(take, drop)
            if decision.played.text.endswith("double") and decision.played.text[:2] != "no"
            else no_double
        )
        return max(0.0, best - made)
    made = take if decision.played.text == "take" else drop
    return max(0.0, made - min(take, drop))


def documents(folder: Path) -> Iterator[tuple[Path, Document]]:
    """The matches of backgammon in the files of a folder that carry analyses; damaged files are passed over."""
    for path in sorted([*folder.rglob("*.sgf"), *folder.rglob("*.xg")]):
        try:
            found = read(path).documents
        except FormatError as error:
            print(f"passed over: {error}")
            continue
        for document in found:
            if document.match.settings.variant == BACKGAMMON:
                yield path, document


def compare(folder: Path, level: str) -> None:
    engine = Engine.open(threads=2)
    prepare(engine)
    print(program_of(engine), "level", level)
    print(f"{'file':<28}{'program':<26}{'player':<18}{'n':>5}{'PR ours':>9}{'theirs':>9}{'r':>7}{'mean':>9}")
    ours_pr, theirs_pr, ours_all, theirs_all = [], [], [], []
    for path, document in documents(folder):
        if document.review is not None:
            begun = time.perf_counter()
            found = review(document.match, engine, level)
            seconds = time.perf_counter() - begun
            for player in Player:
                pairs = []
                for each in found.decisions:
                    event = document.review.events.get((each.game, each.event))
                    if each.player is player and each.counts and event is not None:
                        loss = theirs(each, event, document.match)
                        if loss is not None:
                            pairs.append((each.loss, loss))
                if len(pairs) < 10:
                    continue
                a, b = np.array(pairs).T
                r = np.corrcoef(a, b)[0, 1] if a.std() and b.std() else float("nan")
                gap = (a - b).mean()
                print(
                    f"{path.name[:27]:<28}{document.review.program[:25]:<26}{document.match.names[player][:17]:<18}"
                    f"{len(a):>5}{500 * a.mean():>9.2f}{500 * b.mean():>9.2f}{r:>7.2f}{gap:>+9.4f}"
                    f"  {seconds:.1f} s"
                )
                ours_pr.append(500 * a.mean())
                theirs_pr.append(500 * b.mean())
                ours_all.extend(a)
                theirs_all.extend(b)
    a, b = np.array(ours_pr), np.array(theirs_pr)
    print(
        f"{len(a)} players: correlation of PR {np.corrcoef(a, b)[0, 1]:.3f}, mean difference {(a - b).mean():+.2f}, "
        f"mean absolute {np.abs(a - b).mean():.2f}"
    )
    a, b = np.array(ours_all), np.array(theirs_all)
    print(
        f"{len(a)} decisions: correlation of losses {np.corrcoef(a, b)[0, 1]:.3f}, "
        f"mean difference {(a - b).mean():+.4f}"
    )


def uncertainty(folder: Path, count: int, plies: int) -> None:
    engine = Engine.open(threads=2)
    judge = Judge(engine)
    questions = []
    for _, document in documents(folder):
        if document.match.games:
            for number, record in enumerate(document.match.games):
                for event, entry in enumerate(record.entries()):
                    before, after = entry.before, entry.after
                    if getattr(entry.event, "kind", None) is ActionKind.PLAY:
                        made = after.position if after.on_roll is before.on_roll else after.position.swapped
                        found = plays.open_question(judge, number, event, before, entry.event.moves, made, 0)
                        if found is not None:
                            questions.append(found)
    chosen = np.random.default_rng(5).permutation(len(questions))[:count]
    questions = [questions[index] for index in chosen]
    plays._deepen(judge, questions, [range(len(each.rows)) for each in questions], 0)
    best = [(each, each.order()[:3]) for each in questions]
    gaps = []
    for depth in range(plies + 1):
        rows = np.stack([each.rows[index] for each, order in best for index in order])
        contexts = [each.context.swapped for each, order in best for _ in order]
        values = iter(judge.values(rows, contexts, depth)[0])
        found = []
        for each, order in best:
            equities = [plays._equity(judge, each, next(values)) for _ in order]
            found += [equities[0] - other for other in equities[1:]]
        gaps.append(np.array(found))
    near = np.abs(gaps[0]) < 0.08
    print(f"{program_of(engine)}: {near.sum()} pairs within 0.08 of {count} plays")
    for depth in range(plies):
        moved = (gaps[plies] - gaps[depth])[near]
        print(
            f"{depth}-ply against {plies}-ply: root mean square {np.sqrt((moved**2).mean()):.4f}, "
            f"median {np.median(np.abs(moved)):.4f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("compare", "uncertainty"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--level", default="standard")
    parser.add_argument("--plays", type=int, default=45)
    parser.add_argument("--plies", type=int, default=3)
    asked = parser.parse_args()
    if asked.what == "compare":
        compare(asked.folder, asked.level)
    else:
        uncertainty(asked.folder, asked.plays, asked.plies)


if __name__ == "__main__":
    main()
