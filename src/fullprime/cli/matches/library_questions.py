"""Questions to the library at the command line: ``search``, ``review`` and ``stats``."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.matches.library_common import (
    PARTLY,
    MatchOptions,
    OfLevel,
    PlayerName,
    match_line,
    open_store,
    to_limit,
)
from fullprime.cli.options import Database, Json, Limit, Player, ReviewLevel, Threads, threads_of
from fullprime.cli.progress import show_progress_bar
from fullprime.cli.terminal import say, say_json
from fullprime.rules.words import count_noun, format_dice, format_score, format_signed, in_game

if TYPE_CHECKING:
    from fullprime.library.service import ErrorRate, Hit, MatchRow, PlayerStatistics
    from fullprime.reviews.error_themes import ThemeTotal


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionOptions:
    """The decisions of a match asked for."""

    kind: Annotated[str | None, typer.Option("--kind", help="checker play, double, take.")] = None
    stage: Annotated[str | None, typer.Option("--stage", help="opening, middle game, race, bear-off …")] = None
    verdict: Annotated[list[str] | None, typer.Option("--verdict", help="error, blunder … as often as you like.")] = (
        None
    )
    mistake: Annotated[str | None, typer.Option("--mistake", help="A kind of cube error: missed double.")] = None
    theme: Annotated[str | None, typer.Option("--theme", help="A sort of error: misses a hit.")] = None
    plan: Annotated[str | None, typer.Option("--plan", help="blitz, priming game, holding game …")] = None
    loss: Annotated[float | None, typer.Option("--loss", help="Decisions that lost so much equity or more.")] = None
    level: OfLevel = None


def search(
    pattern: Annotated[
        str | None, typer.Argument(metavar="PATTERN", help="Boards: '6:3+ 8:* bar * / *'; '*' for any.")
    ] = None,
    roll: Annotated[list[str] | None, typer.Argument(metavar="ROLL", help="With this roll to play: 61.")] = None,
    *,
    player: Player = None,
    which: MatchOptions,
    decisions: DecisionOptions,
    draw: Annotated[bool, typer.Option("--boards", help="Draw the boards.")] = False,
    save: Annotated[str | None, typer.Option("--save-as", help="Keep this search under a name.")] = None,
    saved: Annotated[str | None, typer.Option("--saved", help="Ask a search that was kept.")] = None,
    forget: Annotated[str | None, typer.Option("--forget", help="Forget a search that was kept.")] = None,
    limit: Limit = 50,
    db: Database = None,
    json: Json = False,
) -> None:
    """Boards that fit a pattern, decisions by what they cost; without either, matches."""
    from fullprime.library.service import find_boards, find_matches, make_wanted
    from fullprime.library.studies import forget_search, save_search, saved_search

    wanted = which.to_wanted(
        player,
        pattern=pattern,
        dice=" ".join(roll) if roll else None,
        kind=decisions.kind,
        stage=decisions.stage,
        verdicts=tuple(decisions.verdict or ()),
        mistake=decisions.mistake,
        loss=decisions.loss,
        theme=decisions.theme,
        plan=decisions.plan,
        level=decisions.level,
    )
    with open_store(db) as store:
        if forget is not None:
            forget_search(store, forget)
            return
        if saved is not None:
            wanted = saved_search(store, saved)
        if save is not None:
            save_search(store, save, _question(pattern, roll, player, which, decisions))
        if not wanted.of_boards:
            rows = find_matches(store, wanted, to_limit(limit))
            if json:
                say_json(rows)
            else:
                say("\n".join(map(match_line, rows)) or "no match")
            return
        hits = find_boards(store, wanted, to_limit(limit))
        numbers = tuple(dict.fromkeys(hit.match for hit in hits))
        rows = find_matches(store, make_wanted(numbers=numbers)) if hits else []
    if json:
        say_json(hits)
    else:
        _show_hits(hits, rows, limit, draw=draw)


def _question(
    pattern: str | None, roll: list[str] | None, player: str | None, which: MatchOptions, decisions: DecisionOptions
) -> dict[str, str]:
    """The conditions as texts, in the form in which a search is kept."""
    conditions: dict[str, object] = {
        "pattern": pattern, "dice": " ".join(roll) if roll else None, "player": player, "opponent": which.opponent,
        "event": which.event, "since": which.since, "until": which.until, "length": which.length,
        "variant": which.variant, "score": which.score, "away": which.away, "kind": decisions.kind,
        "stage": decisions.stage, "verdict": ",".join(decisions.verdict or ()), "mistake": decisions.mistake,
        "theme": decisions.theme, "plan": decisions.plan, "loss": decisions.loss, "level": decisions.level,
    }  # fmt: skip
    return {name: str(value) for name, value in conditions.items() if value not in (None, "")}


def _show_hits(hits: Sequence[Hit], rows: Sequence[MatchRow], limit: int, *, draw: bool) -> None:
    by_number = {row.number: row for row in rows}
    for hit in hits:
        say(_hit_line(hit, by_number[hit.match]))
        if draw:
            _draw(hit)
    if not hits:
        say("no board")
    elif len(hits) == limit:
        say(f"the first {limit}; --limit shows more")


def _hit_line(hit: Hit, row: MatchRow) -> str:
    who = row.names[hit.player] or "?"
    where = f"#{hit.match} {in_game(hit.game + 1, hit.move or 1)}, {who}"
    dice = f" {hit.dice}" if hit.dice is not None else ""
    if hit.loss is None:
        return f"{where}: {hit.position.text}{dice}"
    mistake = f", {hit.mistake}" if hit.mistake else ""
    best = "" if hit.best == hit.played else f", best {hit.best}"
    return f"{hit.loss:6.3f} {hit.verdict}{mistake}: {where}: {hit.position.text}{dice}: {hit.played}{best}"


def _draw(hit: Hit) -> None:
    from fullprime.cli.terminal import make_console, needs_ascii, show_board
    from fullprime.library.service import board_of
    from fullprime.rules.board import BoardView

    show_board(make_console(), BoardView.of(board_of(hit), ascii_only=needs_ascii()))


# -- reviews and statistics ------------------------------------------------------------------------------------------
def review(
    numbers: Annotated[list[int] | None, typer.Argument(metavar="NUMBER...", help="Only these matches.")] = None,
    *,
    level: ReviewLevel = "standard",
    player: Player = None,
    which: MatchOptions,
    limit: Limit = 0,
    threads: Threads = None,
    db: Database = None,
    json: Json = False,
) -> None:
    """Review the matches that have no review of this level yet; Ctrl-C loses at most the game in hand."""
    from fullprime.library.service import review_library

    wanted = which.to_wanted(player, numbers=tuple(numbers or ()))
    done = failed = 0
    with open_store(db) as store, show_progress_bar() as progress:
        report = functools.partial(progress, "matches")
        for outcome in review_library(
            store, wanted, level, threads=threads_of(threads), most=to_limit(limit), progress=report
        ):
            if outcome.why is not None:
                failed += 1
                say(f"error: match {outcome.match}: {outcome.why}", file=sys.stderr)
            else:
                done += 1
            if json:
                say_json({"match": outcome.match, "decisions": outcome.decisions, "error": outcome.why})
                sys.stdout.flush()
    if not json:
        say(f"{count_noun(done, 'match', 'matches')} reviewed" + (f", {failed} could not be" if failed else ""))
    if failed:
        raise typer.Exit(PARTLY if done else 2)


def stats(
    player: PlayerName,
    *,
    which: MatchOptions,
    level: OfLevel = None,
    by: Annotated[str, typer.Option("--by", help="PR over time: by year, month, day or match.")] = "month",
    themes: Annotated[bool, typer.Option("--themes", help="Also what the errors were about, and its cost.")] = False,
    db: Database = None,
    json: Json = False,
) -> None:
    """How a player plays: results, PR over time with its interval, by phase, by opponent, the costliest errors."""
    from fullprime.library.service import statistics, update_figures

    wanted = which.to_wanted(player, level=level)
    with open_store(db) as store:
        update_figures(store)
        summary = statistics(store, wanted, by)
    if json:
        say_json(summary)
        return
    say("\n".join(_stats_lines(summary)))
    if themes:
        say("\n".join(_theme_lines(summary.themes)))


def _stats_lines(player: PlayerStatistics) -> Iterator[str]:
    record = player.record
    yield f"{player.name}: {count_noun(record.matches, 'match', 'matches')}, {record.won} won, {record.lost} lost"
    games, points = (
        format_score((record.games_won, record.games_lost)),
        format_score((record.points_won, record.points_lost)),
    )
    yield f"  games {games}, gammons {format_score((record.gammons_won, record.gammons_lost))}, points {points}"
    if not player.reviewed:
        yield "  no match has been reviewed: fullprime library review"
        return
    luck = "" if player.luck is None else f"; luck {format_signed(player.luck)} a match"
    yield f"  {count_noun(player.reviewed, 'match', 'matches')} reviewed{luck}"
    yield ""
    yield f"  {'':<28}{'PR':>7}  {'95 %':<16}{'decisions':>10}{'errors':>8}{'blunders':>10}"
    yield _rate_line("all", player.overall)
    scores = dict(list(player.scores.items())[:10])
    openings = {_roll(name): rate for name, rate in player.openings.items()}
    groups = {
        "": player.kinds, "by phase": player.stages, "by plan": player.plans, "by score": scores,
        "in the opening, by first roll": openings, "over time": player.periods,
    }  # fmt: skip
    for title, rates in groups.items():
        if rates:
            yield f"  {title}" if title else ""
        for name, rate in rates.items():
            yield _rate_line(name, rate)
    yield "  by opponent"
    for name, met in player.opponents.items():
        yield _rate_line(f"{name[:18]} ({format_score((met.record.won, met.record.lost))})", met.rate)
    if player.errors:
        yield ""
        yield f"  {'costliest kinds of error':<46}{'lost':>8}{'times':>7}{'of':>7}"
    for error in player.errors[:10]:
        yield f"    {error.kind[:42]:<44}{error.loss:>8.3f}{error.made:>7}{error.of:>7}"


def _roll(name: str) -> str:
    """A group by the first roll as people read it: "against 3-1"."""
    return f"{name[:-2]}{format_dice(map(int, name[-2:]))}"


def _theme_lines(themes: Sequence[ThemeTotal]) -> Iterator[str]:
    yield ""
    yield f"  {'what the errors were about':<46}{'lost':>8}{'times':>7}"
    for theme in themes:
        yield f"    {theme.theme:<44}{theme.cost:>8.3f}{theme.times:>7}"
    if not themes:
        yield "    no errors in complete reviews"


def _rate_line(name: str, rate: ErrorRate) -> str:
    pr = "-" if rate.pr is None else f"{rate.pr:.2f}"
    span = "-" if rate.interval is None else f"{rate.interval[0]:.2f} to {rate.interval[1]:.2f}"
    return f"    {name[:26]:<26}{pr:>7}  {span:<16}{rate.counted:>10}{rate.errors:>8}{rate.blunders:>10}"
