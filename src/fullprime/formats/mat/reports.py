"""Texts made from a match for people and other programs: plain text, CSV of events, Snowie's text.

They are written, not read back (Snowie's text is match text without its head and is read as such).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from fullprime.formats.analysis import EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.document import Document, FormatError, LossReport
from fullprime.formats.mat import writer as mat_writer
from fullprime.formats.mat.writer import SET_POSITION
from fullprime.rules.errors import FullprimeError, IdError
from fullprime.rules.foreign_text import clean_line
from fullprime.rules.game import ActionKind, Game
from fullprime.rules.ids import write_id
from fullprime.rules.notation import format_play
from fullprime.rules.record import Entry, Match, Setup
from fullprime.rules.score import LEVEL_NAMES, Result
from fullprime.rules.words import format_players, format_score

COLUMNS = (
    "game", "event", "player", "score", "opponent_score", "length", "crawford", "cube", "cube_owner", "kind", "dice",
    "action", "position", "luck", "best", "best_equity", "equity", "loss", "level",
)  # fmt: skip


def identifier(game: Game) -> str:
    """The XGID of a game, or our own text form for a board that an XGID cannot carry."""
    try:
        return write_id(game, "xgid").text
    except IdError:
        return write_id(game, "text").text


def _steps(document: Document) -> Iterator[tuple[int, int, Entry, EventAnalysis]]:
    """Game, number, entry and analysis of every event; raises FormatError for a record that cannot be replayed."""
    events = document.review.events if document.review is not None else {}
    for game, record in enumerate(document.match.games):
        try:
            for number, entry in enumerate(record.entries()):
                yield game, number, entry, events.get((game, number), EventAnalysis())
        except FullprimeError as error:
            raise FormatError(f"game {game + 1}: {error}") from error


def _words(entry: Entry) -> str:
    """The event as players write it."""
    event = entry.event
    if isinstance(event, Setup):
        return event.note or "set-up"
    if event.kind is ActionKind.PLAY:
        return format_play(event.moves) if event.moves else "cannot move"
    if event.kind in (ActionKind.CHOOSE, ActionKind.RESIGN):
        return f"{event.kind.value} {event.number}"
    return "" if event.kind in (ActionKind.ROLL, ActionKind.OPENING) else event.kind.value


_FORMULA = re.compile(r"[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


def write_csv(document: Document) -> tuple[bytes, LossReport]:
    """One line for each event with the board before it, its roll, and its analysis."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game, number, entry, analysis in _steps(document):
        writer.writerow([_cell(value) for value in _row(document.match, game, number, entry, analysis)])
    losses = ["names of the match's event and place are not written"] if document.match.info else []
    if any(record.comments for record in document.match.games):
        losses.append("comments are not written")
    if has_more_candidates(document.review):
        losses.append("of the candidates only the best and the one played are written")
    return out.getvalue().encode(), LossReport(tuple(losses))


def _cell(value: object) -> object:
    """A value as a cell. Text that a spreadsheet would take for a formula begins with an apostrophe."""
    if not isinstance(value, str):
        return value
    is_formula = _FORMULA.match(value) and not _NUMBER.fullmatch(value)
    return f"'{clean_line(value)}" if is_formula else clean_line(value)


def has_more_candidates(review: FileAnalysis | None) -> bool:
    """True if any decision has more candidates than two."""
    return review is not None and any(e.play and len(e.play.candidates) > 2 for e in review.events.values())


def _row(match: Match, game: int, number: int, entry: Entry, analysis: EventAnalysis) -> list[object]:
    before = entry.before
    event = entry.event
    kind = "setup" if isinstance(event, Setup) else event.kind.value
    player = entry.player if before.turn is not None else (None if isinstance(event, Setup) else entry.after.on_roll)
    points = before.score.points
    dice = before.dice if kind == "play" else entry.after.dice if kind in ("roll", "opening") else None
    owner = before.cube.owner
    best = equity = loss = level = ""
    best_equity = ""
    if analysis.play is not None:
        best, best_equity, equity, loss, level = _play_columns(analysis.play)
    elif analysis.cube is not None:
        best_equity = _format_number(analysis.cube.no_double)
        equity, level = _format_number(analysis.cube.double_take), analysis.cube.level
    if analysis.error is not None:
        loss = f"{analysis.error:.4f}"
    return [
        game + 1, number + 1, "" if player is None else match.names[player],
        "" if player is None else points[player], "" if player is None else points[player.other],
        match.settings.length, int(before.score.crawford_game), before.stake_value,
        "" if owner is None else match.names[owner], kind, dice or "", _words(entry), identifier(before),
        _format_number(analysis.luck), best, best_equity, equity, loss, level,
    ]  # fmt: skip


def _play_columns(play: PlayAnalysis) -> tuple[str, str, str, str, str]:
    first = play.candidates[0]
    played = play.candidates[play.played] if play.played is not None else None
    loss = ""
    if played is not None and played.equity is not None and first.equity is not None:
        loss = f"{max(0.0, first.equity - played.equity):.4f}"
    return first.text, _format_number(first.equity), _format_number(played.equity) if played else "", loss, first.level


def _format_number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def write_text(document: Document) -> tuple[bytes, LossReport]:
    """The match as people read it: the plays of each player, game by game, with results and comments."""
    match = document.match
    length = f"Match to {match.settings.length} points" if match.settings.is_match else "Money play"
    lines = [
        format_players([f"{match.names[0]} (X)", f"{match.names[1]} (O)"]),
        f"{length}, {match.settings.variant.title}",
    ]
    lines += [f"{name}: {value}" for name, value in match.info.items()]
    current = -1
    for game, number, entry, _ in _steps(document):
        if game != current:
            if current >= 0:
                lines += _result_lines(match, current)
            current = game
            record = match.games[game]
            points = record.start.score.points
            crawford = " (Crawford)" if record.start.score.crawford_game else ""
            lines += ["", f"Game {game + 1}, score {format_score(points)}{crawford}"]
            lines += record.comments.get(-1, "").splitlines()
        line = _line(entry)
        if line:
            lines.append(line)
        lines += [f"    {words}" for words in match.games[game].comments.get(number, "").splitlines()]
    if current >= 0:
        lines += _result_lines(match, current)
    losses = ("the analysis is not written",) if document.review is not None else ()
    return ("\n".join(lines) + "\n").encode(), LossReport(losses)


def _line(entry: Entry) -> str:
    event = entry.event
    if isinstance(event, Setup):
        return f"  [{event.note or 'the board is set'}] {identifier(event.game)}"
    side = entry.before.turn if entry.before.turn is not None else entry.after.on_roll
    if event.kind in (ActionKind.ROLL, ActionKind.OPENING):
        return "" if entry.after.dice is not None else f"  both roll {event.dice}"
    if event.kind is ActionKind.PLAY:
        return f"  {side.name} {entry.before.dice}: {_words(entry)}"
    return f"  {side.name} {_words(entry)}"


def _result_lines(match: Match, game: int) -> list[str]:
    record = match.games[game]
    result = record.result
    return [] if result is None else [f"  {_result(match, result)}"]


def _result(match: Match, result: Result) -> str:
    level = f" a {LEVEL_NAMES[result.level]}," if result.level else ""
    return f"{match.names[result.winner] or result.winner.name} wins{level} {result.points} ({result.how})"


def write_snowie(document: Document) -> tuple[bytes, LossReport]:
    """Snowie's match text: match text without its head, which also names the rules."""
    data, losses = mat_writer.write(document)
    lines = data.decode().split("\n")
    text = "\n".join(line for line in lines if not line.startswith(";") or line.startswith(SET_POSITION)).lstrip("\n")
    more = "the facts and rules in the head of match text are not written"
    return text.encode(), LossReport((*losses.losses, more))
