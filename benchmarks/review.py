"""Our reviews beside other programs' and how far a loss moves when one looks further.

python benchmarks/review.py compare FOLDER [--level standard]     decision by decision with the analyses in the files
python benchmarks/review.py xg FOLDER                             PR beside eXtreme Gammon's own errors in .xg files
python benchmarks/review.py gnubg FOLDER [--plies 0 1 2]          PR and time beside GNU Backgammon's `analyse match`
python benchmarks/review.py verdicts FOLDER [--level standard] [--half even] [--list]
                                                                  right, error or blunder: as often as .xg files say
python benchmarks/review.py uncertainty FOLDER [--plays 60] [--plies 3]    figures for reviews/levels.py
python benchmarks/review.py reading FOLDER                        files that are read in a second
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.engine import Engine
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.cube_search import judge_cubes
from fullprime.engine.search.deepening import deepen
from fullprime.engine.search.levels import Deepening, Sieve
from fullprime.engine.warmup import prepare
from fullprime.formats import Document, FormatError, read, write
from fullprime.formats.analysis import EventAnalysis
from fullprime.reviews import plays
from fullprime.reviews.decision import XG, Decision, Kind, Verdict
from fullprime.reviews.judge import Judge
from fullprime.reviews.levels import ReviewLevel
from fullprime.reviews.rating import rating
from fullprime.reviews.review import Review, program_of, review
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.ids.xgid import xgid
from fullprime.rules.position import Position
from fullprime.rules.record import Match, Setup
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON

DEPTHS = {
    0: ReviewLevel("0-ply", 0, wrong_ply=0),
    1: ReviewLevel("1-ply", 1, (Sieve(6, 0.16),), wrong_ply=1),
    2: ReviewLevel("2-ply", 2, (Sieve(8, 0.16), Sieve(4, 0.10)), 2),
}
"""Reviews that look as deep everywhere as GNU Backgammon does with the same plies."""


# -- what files say --------------------------------------------------------------------------------------------------
def theirs(decision: Decision, analysis: EventAnalysis, match: Match) -> float | None:
    """The loss that the file's own analysis gives the same decision; None where it says nothing of it."""
    if decision.kind is Kind.PLAY:
        if analysis.play is None or analysis.play.played is None or not analysis.play.candidates:
            return None
        chosen = analysis.play.candidates[analysis.play.played].equity
        equities = [candidate.equity for candidate in analysis.play.candidates if candidate.equity is not None]
        return max(0.0, max(equities) - chosen) if chosen is not None else None
    figures = cube_figures(analysis, match, decision.game, decision.event)
    if figures is None or decision.played.text == "beaver":
        return None
    no_double, take, drop = figures
    if decision.kind is Kind.DOUBLE:
        doubled = decision.played.text in ("double", "redouble")
        chosen = min(take, drop) if doubled else no_double
        return max(0.0, max(no_double, min(take, drop)) - chosen)
    chosen = take if decision.played.text == "take" else drop
    return max(0.0, chosen - min(take, drop))


def cube_figures(analysis: EventAnalysis, match: Match, game: int, event: int) -> tuple[float, float, float] | None:
    """No double, double and take, double and drop, in points; None where the file does not say them."""
    cube = analysis.cube
    if cube is None or cube.no_double is None or cube.double_take is None or cube.double_pass is None:
        return None
    figures = cube.no_double, cube.double_take, cube.double_pass
    if cube.unit == "mwc":
        context = context_of(list(match.games[game].entries())[event].before)
        stay, take, drop = (float(context.equity(figure)) for figure in figures)
        return stay, take, drop
    return figures


def documents(folder: Path, *patterns: str) -> Iterator[tuple[Path, Document]]:
    """The matches of backgammon in the files of a folder; damaged files are passed over."""
    for path in sorted(path for pattern in patterns for path in folder.rglob(pattern)):
        try:
            contents = read(path).documents
        except FormatError as error:
            print(f"passed over: {error}")
            continue
        for document in contents:
            if document.match.settings.variant == BACKGAMMON and any(game.events for game in document.match.games):
                yield path, document


def summary(name: str, ours: Sequence[float], others: Sequence[float]) -> None:
    a, b = np.array(ours), np.array(others)
    r = np.corrcoef(a, b)[0, 1] if len(a) > 2 else float("nan")
    print(
        f"{name}: {len(a)} players: correlation {r:.3f}, mean difference {(a - b).mean():+.2f}, "
        f"mean absolute {np.abs(a - b).mean():.2f}"
    )


def compare(folder: Path, level: str) -> None:
    engine = Engine.open(threads=2)
    prepare(engine)
    print(program_of(engine), "level", level)
    print(f"{'file':<28}{'program':<26}{'player':<18}{'n':>5}{'PR ours':>9}{'theirs':>9}{'r':>7}{'mean':>9}")
    ours_pr: list[float] = []
    theirs_pr: list[float] = []
    ours_all: list[float] = []
    theirs_all: list[float] = []
    for path, document in documents(folder, "*.sgf", "*.xg"):
        if document.review is None:
            continue
        begun = time.perf_counter()
        judged = review(document.match, engine, level)
        seconds = time.perf_counter() - begun
        for player in Player:
            pairs = []
            for decision in judged.decisions:
                event = document.review.events.get((decision.game, decision.event))
                if decision.player is player and decision.counts and event is not None:
                    loss = theirs(decision, event, document.match)
                    if loss is not None:
                        pairs.append((decision.loss, loss))
            if len(pairs) < 10:
                continue
            a, b = np.array(pairs).T
            r = np.corrcoef(a, b)[0, 1] if a.std() and b.std() else float("nan")
            print(
                f"{path.name[:27]:<28}{document.review.program[:25]:<26}{document.match.names[player][:17]:<18}"
                f"{len(a):>5}{500 * a.mean():>9.2f}{500 * b.mean():>9.2f}{r:>7.2f}{(a - b).mean():>+9.4f}"
                f"  {seconds:.1f} s"
            )
            ours_pr.append(500 * a.mean())
            theirs_pr.append(500 * b.mean())
            ours_all.extend(a)
            theirs_all.extend(b)
    summary("PR", ours_pr, theirs_pr)
    a, b = np.array(ours_all), np.array(theirs_all)
    print(
        f"{len(a)} decisions: correlation of losses {np.corrcoef(a, b)[0, 1]:.3f}, "
        f"mean difference {(a - b).mean():+.4f}"
    )


# -- eXtreme Gammon's own figures ------------------------------------------------------------------------------------
@dataclass
class Own:
    """What eXtreme Gammon's file says of a player: its errors, counted by its own rule."""

    counted: int = 0
    lost: float = 0.0

    @property
    def pr(self) -> float:
        return 500 * self.lost / self.counted


def own_figures(document: Document) -> dict[Player, Own]:
    """Errors as the file states them, of the decisions that eXtreme Gammon counts; nothing of ours is in it."""
    assert document.review is not None
    totals = {player: Own() for player in Player}
    for number, game in enumerate(document.match.games):
        for event, entry in enumerate(game.entries()):
            analysis = document.review.events.get((number, event))
            if analysis is None or not isinstance(entry.event, Action):
                continue
            kind, player = entry.event.kind, entry.before.turn
            if kind is ActionKind.PLAY:
                equities = (
                    [candidate.equity for candidate in analysis.play.candidates if candidate.equity is not None]
                    if analysis.play
                    else []
                )
                counts = len(equities) > 1 and max(equities) - min(equities) > 0.001
            elif kind is ActionKind.ROLL:
                figures = cube_figures(analysis, document.match, number, event)
                counts = figures is not None and figures[0] > 0 and figures[0] - min(figures[1:]) < 0.200
            else:
                counts = kind in (ActionKind.DOUBLE, ActionKind.TAKE, ActionKind.DROP)
            if counts and player is not None:
                totals[player].counted += 1
                totals[player].lost += analysis.error or 0.0
    return totals


def beside_xg(folder: Path) -> None:
    engine = Engine.open(threads=2)
    prepare(engine)
    print(program_of(engine))
    print(f"{'file':<28}{'player':<18}{'n XG':>6}{'n':>5}{'PR XG':>8}{'fast':>8}{'standard':>10}")
    columns: dict[str, list[float]] = {"xg": [], "fast": [], "standard": []}
    for path, document in documents(folder, "*.xg"):
        if document.review is None:
            continue
        figures = own_figures(document)
        levels = {level: review(document.match, engine, level) for level in ("fast", "standard")}
        for player in Player:
            ratings = {level: rating(judged, player) for level, judged in levels.items()}
            prs = {level: player_rating.pr or 0.0 for level, player_rating in ratings.items()}
            print(
                f"{path.name[:27]:<28}{document.match.names[player][:17]:<18}{figures[player].counted:>6}"
                f"{ratings['standard'].overall.counted:>5}{figures[player].pr:>8.2f}{prs['fast']:>8.2f}"
                f"{prs['standard']:>10.2f}"
            )
            columns["xg"].append(figures[player].pr)
            columns["fast"].append(prs["fast"])
            columns["standard"].append(prs["standard"])
    summary("fast", columns["fast"], columns["xg"])
    summary("standard", columns["standard"], columns["xg"])


# -- verdicts of eXtreme Gammon --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Beside:
    """A decision that counts, judged by us and by eXtreme Gammon."""

    decision: Decision
    theirs: float
    """The loss that the file states."""
    method: str
    """How closely eXtreme Gammon looked."""
    context: str
    """The identifier of the position, with score, cube and dice."""

    @property
    def verdicts(self) -> tuple[Verdict, Verdict]:
        """Ours and eXtreme Gammon's; what is too close to call is not called wrong."""
        ours = self.decision.verdict()
        return (Verdict.OK if ours is Verdict.UNCLEAR else ours), XG.verdict(self.theirs)

    def __str__(self) -> str:
        decision, (ours, xg) = self.decision, self.verdicts
        depths = f"{decision.best.depth}-ply" + (" and trials" if decision.rolled_out else "")
        return (
            f"  {decision.kind.value}, {decision.stage.value}: {decision.words}; {ours} {decision.loss:.3f} ({depths}, "
            f"± {decision.uncertainty:.3f}), XG {xg} {self.theirs:.3f} ({self.method}); {self.context}"
        )


def judged_beside(document: Document, judged: Review) -> list[Beside]:
    """The decisions of a review that count and that the file says something of."""
    assert document.review is not None
    together = []
    entries = {
        (number, event): entry
        for number, game in enumerate(document.match.games)
        for event, entry in enumerate(game.entries())
    }
    for decision in judged.decisions:
        event = document.review.events.get((decision.game, decision.event))
        loss = theirs(decision, event, document.match) if event is not None and decision.counts else None
        if event is None or loss is None:
            continue
        if decision.kind is Kind.PLAY:
            assert event.play is not None
            method = event.play.candidates[0].level
        else:
            method = event.cube.level if event.cube is not None else ""
        together.append(Beside(decision, loss, method, xgid(entries[decision.game, decision.event].before).text))
    return together


def verdicts(folder: Path, level: str, half: str | None, listed: bool) -> None:
    engine = Engine.open(threads=2)
    print(program_of(engine), "level", level, half or "")
    everything: list[Beside] = []
    begun = time.process_time()
    for path, document in documents(folder, "*.xg"):
        if document.review is None:
            continue
        together = judged_beside(document, review(document.match, engine, level))
        together = together[half == "odd" :: 2] if half else together
        _agreement(path.name, together)
        everything += together
        for beside in together:
            if listed and beside.verdicts[0] != beside.verdicts[1]:
                print(beside)
    _agreement("all", everything)
    for kind in (Kind.PLAY, Kind.DOUBLE, Kind.TAKE):
        _agreement(kind.value, [beside for beside in everything if beside.decision.kind is kind])
    for depth in range(4):
        _agreement(f"judged at {depth}-ply", [beside for beside in everything if beside.decision.best.depth == depth])
    print(f"{time.process_time() - begun:.0f} s of processor time")


def _agreement(name: str, together: Sequence[Beside]) -> None:
    if not together:
        return
    pairs = [beside.verdicts for beside in together]
    same = sum(ours == xg for ours, xg in pairs)
    wrong = sum((ours is Verdict.OK) == (xg is Verdict.OK) for ours, xg in pairs)
    harsh = sum(ours is not Verdict.OK and xg is Verdict.OK for ours, xg in pairs)
    mild = sum(ours is Verdict.OK and xg is not Verdict.OK for ours, xg in pairs)
    count = len(pairs)
    print(
        f"{name:<30}{count:>5} decisions: the same of three verdicts {same / count:.2%}, right or wrong "
        f"{wrong / count:.2%} (wrong by us alone {harsh}, by XG alone {mild})"
    )


# -- GNU Backgammon --------------------------------------------------------------------------------------------------
@dataclass
class Analysed:
    """A match after GNU Backgammon's ``analyse match``."""

    document: Document
    seconds: float
    """On the clock, without start and import."""
    processor: float


def gnubg(match: Match, plies: int) -> Analysed:
    """GNU Backgammon's analysis in text mode with two threads; what start, import and saving take is taken off."""
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        raise SystemExit("gnubg is not installed")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "match.sgf"), Path(folder, "back.sgf")
        source.write_bytes(write(Document(match), "sgf")[0])
        words = [
            "set threads 2", "set analysis luck on",
            f"set analysis chequerplay evaluation plies {plies}", f"set analysis cubedecision evaluation plies {plies}",
            f"load match {source}",
        ]  # fmt: skip
        took = []
        for more in ([], ["analyse match"]):
            lines = "\n".join([*words, *more, f"save match {target}", "y", "exit", "y", ""])
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            begun = time.perf_counter()
            subprocess.run([program, "-t", "-q", "-r"], input=lines, capture_output=True, text=True, check=False)
            seconds = time.perf_counter() - begun
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took.append((seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
        document = read(target).documents[0]
    return Analysed(document, took[1][0] - took[0][0], took[1][1] - took[0][1])


def beside_gnubg(folder: Path, depths: Sequence[int], most: int) -> None:
    engine = Engine.open(threads=2)
    prepare(engine)
    print(program_of(engine), "load", os.getloadavg()[0])
    matches = []
    for path, document in documents(folder, "*.xg", "*.mat", "*.txt"):
        rolls = sum(len(game.events) for game in document.match.games)
        if not document.report and document.match.settings.is_match and rolls > 100:
            matches.append((path, document.match))
    for depth in depths:
        print(
            f"\n{f'{depth}-ply, file':<26}{'player':<21}{'n':>5}{'ours':>8}{'gnubg':>8} "
            f"{'clock':>8}{'gnubg':>8}{'cpu':>8}{'gnubg':>8}"
        )
        ours_pr: list[float] = []
        theirs_pr: list[float] = []
        clock = np.zeros(4)
        for path, match in matches[:most]:
            analysed = gnubg(match, depth)
            begun, spent = time.perf_counter(), time.process_time()
            judged = review(match, engine, DEPTHS[depth])
            times = np.array(
                [time.perf_counter() - begun, analysed.seconds, time.process_time() - spent, analysed.processor]
            )
            clock += times
            for player in Player:
                pairs = same_decisions(judged, analysed.document, player)
                if len(pairs) < 10:
                    continue
                a, b = 500 * np.array(pairs).mean(axis=0)
                ours_pr.append(a)
                theirs_pr.append(b)
                shown = "".join(f"{seconds:>8.2f}" for seconds in times) if player is Player.X else ""
                print(f"{path.name[:25]:<26}{match.names[player][:20]:<21}{len(pairs):>5}{a:>8.2f}{b:>8.2f} {shown}")
        summary(f"{depth}-ply", ours_pr, theirs_pr)
        print(
            f"{depth}-ply, {min(most, len(matches))} matches: on the clock {clock[0]:.1f} s, gnubg {clock[1]:.1f} s; "
            f"processor time {clock[2]:.1f} s, gnubg {clock[3]:.1f} s"
        )


def same_decisions(judged: Review, other: Document, player: Player) -> list[tuple[float, float]]:
    """The losses of a player's decisions that count, by us and by the analysis in a document of the same match."""
    assert other.review is not None
    pairs = []
    for decision in judged.decisions:
        event = other.review.events.get((decision.game, decision.event))
        if decision.player is player and decision.counts and event is not None:
            loss = theirs(decision, event, other.match)
            if loss is not None:
                pairs.append((decision.loss, loss))
    return pairs


# -- how far a loss moves ---------------------------------------------------------------------------------------------
def uncertainty(folder: Path, count: int, plies: int) -> None:
    engine = Engine.open(threads=2)
    judge = Judge(engine)
    uncertainty_of_cubes(judge, folder, plies)
    questions = []
    for _, document in documents(folder, "*.sgf", "*.xg"):
        for number, record in enumerate(document.match.games):
            for event, entry in enumerate(record.entries()):
                before, after = entry.before, entry.after
                if not isinstance(entry.event, Setup) and entry.event.kind is ActionKind.PLAY:
                    reached = after.position if after.on_roll is before.on_roll else after.position.swapped
                    question = plays.open_question(judge, number, event, before, entry.event.moves, reached, 0)
                    if question is not None:
                        questions.append(question)
    chosen = np.random.default_rng(5).permutation(len(questions))[:count]
    questions = [questions[index] for index in chosen]
    candidates = [question.candidates for question in questions]
    deepen(judge.judging, candidates, Deepening(), Budget())
    best = [(group, group.order()[:3]) for group in candidates]
    gaps = []
    for depth in range(plies + 1):
        differences = []
        for group, order in best:
            judged = judge.judging.judge(group.rows[order], np.zeros(len(order), bool), depth, group.context, None)
            equities = [judge.judging.equity(group.context, value.value) for value in judged]
            differences += [equities[0] - other for other in equities[1:]]
        gaps.append(np.array(differences))
    near = np.abs(gaps[0]) < 0.08
    print(f"{program_of(engine)}: {near.sum()} pairs within 0.08 of {count} plays")
    moved = [(gaps[plies] - gaps[depth])[near] for depth in range(plies)]
    for depth, shift in enumerate(moved):
        print(
            f"{depth}-ply against {plies}-ply: root mean square {np.sqrt((shift**2).mean()):.4f}, "
            f"median {np.median(np.abs(shift)):.4f}"
        )
    figures = ", ".join(f"{depth}: {np.sqrt((shift**2).mean()):.3f}" for depth, shift in enumerate(moved))
    print(f"for src/fullprime/reviews/levels.py:\nUNCERTAINTY = {{{figures}}}")


def uncertainty_of_cubes(judge: Judge, folder: Path, plies: int) -> None:
    """How far the differences of cube actions near a decision are from those of ``plies`` plies, and from XG's."""
    xg_gaps: dict[tuple[Position, CubeContext], tuple[float, float] | None] = {}
    for _, document in documents(folder, "*.sgf", "*.xg"):
        events = document.review.events if document.review is not None else {}
        for number, record in enumerate(document.match.games):
            for event, entry in enumerate(record.entries()):
                kind = getattr(entry.event, "kind", None)
                if kind not in (ActionKind.ROLL, ActionKind.DOUBLE) or not entry.before.may_double:
                    continue
                context = context_of(entry.before)
                if not context.may_double or context.is_dead:
                    continue
                analysis = events.get((number, event))
                deep = analysis is not None and analysis.cube is not None and analysis.cube.level.startswith(_DEEP)
                figures = (
                    cube_figures(analysis, document.match, number, event) if analysis is not None and deep else None
                )
                key = (entry.before.position, context)
                xg_gaps[key] = gaps_of(figures[0], figures[1]) if figures is not None else xg_gaps.get(key)
    rows = np.concatenate([row_of(position) for position, _ in xg_gaps])
    contexts = [context for _, context in xg_gaps]
    gaps, solved = [], np.zeros(len(rows), np.bool_)
    for depth in range(plies + 1):
        values = judge_cubes(judge.judging, rows, contexts, depth)
        gaps.append(np.array([gaps_of(value.no_double, value.take) for value in values]))
        solved |= [value.exact for value in values]
    xg = np.array([pair if pair is not None else (np.nan, np.nan) for pair in xg_gaps.values()])
    near = (np.abs(gaps[0]) < 0.08) & ~solved[:, np.newaxis]
    print(f"{program_of(judge.engine)}: {near.sum()} differences of actions within 0.08 in {len(rows)} cubes")
    spreads = []
    for depth, gap in enumerate(gaps):
        moved, apart = (gaps[plies] - gap)[near], (xg - gap)[near & ~np.isnan(xg)]
        spreads.append(f"{depth}: {np.sqrt((apart**2).mean()):.3f}")
        print(
            f"{depth}-ply against {plies}-ply: root mean square {np.sqrt((moved**2).mean()):.4f}, median "
            f"{np.median(np.abs(moved)):.4f}; against XG ({len(apart)}): {np.sqrt((apart**2).mean()):.4f}, "
            f"{np.median(np.abs(apart)):.4f}, mean {apart.mean():+.4f}"
        )
    print(f"for src/fullprime/reviews/levels.py:\nCUBE_UNCERTAINTY = {{{', '.join(spreads[:3])}}}")


_DEEP = ("XG Roller", "rollout", "4-ply", "5-ply")


def gaps_of(no_double: float, take: float) -> tuple[float, float]:
    """Rolling against doubling, taking against dropping: their differences, in units of the cube."""
    return no_double - min(take, 1.0), take - 1.0


# -- reading ----------------------------------------------------------------------------------------------------------
def reading(folder: Path) -> None:
    files = [path for pattern in ("*.mat", "*.txt") for path in sorted(folder.rglob(pattern))]
    best = float("inf")
    for _ in range(7):
        begun = time.process_time()
        games = sum(len(document.match.games) for path in files for document in read(path))
        best = min(best, time.process_time() - begun)
    size = sum(path.stat().st_size for path in files)
    print(
        f"{len(files)} files, {size:,} bytes, {games} games in {best:.3f} s of processor time (best of 7): "
        f"{len(files) / best:.0f} files and {games / best:.0f} games a second"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("compare", "xg", "gnubg", "verdicts", "uncertainty", "reading"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--level", default="standard")
    parser.add_argument("--plays", type=int, default=60)
    parser.add_argument("--plies", type=int, nargs="+", default=None)
    parser.add_argument("--most", type=int, default=1000, help="matches to analyse with gnubg")
    parser.add_argument("--half", choices=("even", "odd"), help="every second decision of each file")
    parser.add_argument("--list", action="store_true", help="name every verdict that is not eXtreme Gammon's")
    options = parser.parse_args()
    match options.what:
        case "compare":
            compare(options.folder, options.level)
        case "xg":
            beside_xg(options.folder)
        case "gnubg":
            beside_gnubg(options.folder, options.plies or (0, 1), options.most)
        case "verdicts":
            verdicts(options.folder, options.level, options.half, options.list)
        case "reading":
            reading(options.folder)
        case _:
            uncertainty(options.folder, options.plays, (options.plies or [3])[0])


if __name__ == "__main__":
    main()
