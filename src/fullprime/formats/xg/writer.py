"""Writing eXtreme Gammon's files: matches (``.xg``) and positions (``.xgp``), with analyses and comments."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from fullprime.formats.analysis import FileAnalysis
from fullprime.formats.document import Document, FormatError, LossReport
from fullprime.formats.recording.tags import NO_LIMIT, RULE_TAGS, settings_losses
from fullprime.formats.xg import container
from fullprime.formats.xg.game_writer import GameWriter, SharedParts
from fullprime.formats.xg.reader import DAY_ZERO, UNLIMITED, VARIANTS
from fullprime.formats.xg.records import MAGIC, VERSION, XgRecord
from fullprime.rules.game import Game
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player, Settings

_VARIATIONS = {variant.name: number for number, variant in VARIANTS.items()}
_TEXTS = {"Event": (622, 136), "Site": (1396, 283), "Round": (1654, 417)}
"""The places of a text: in UTF-16, and in one byte a letter."""
_RATINGS = {"Left Rating": (104, 120), "Right Rating": (112, 124)}
_WRITTEN = {*_TEXTS, *_RATINGS, "EventDate", "EventTime", "Transcriber", "Comment"}


def write(document: Document) -> tuple[bytes, LossReport]:
    """The match as an ``.xg`` file; raises FormatError for a game that eXtreme Gammon does not play."""
    return _write(document, _title(document.match))


def write_position(document: Document) -> tuple[bytes, LossReport]:
    """The last position of the document, with its analysis, as an ``.xgp`` file; raises FormatError."""
    match, review = document.match, document.review
    if len(match.games) == 1 and not match.games[0].events:
        return _write(document, _position_title(match.games[0].start))
    game = match.game if match.games else Game.new(match.settings)
    if game.is_over:
        raise FormatError("the game is over: there is no position to decide about")
    last = len(match.games) - 1
    open_analysis = (
        review.events.get((last, len(match.games[last].events))) if review is not None and last >= 0 else None
    )
    analysis = FileAnalysis(review.program, {(0, 0): open_analysis}) if review is not None and open_analysis else None
    alone = replace(document, match=replace(match, games=(GameRecord(game),)), review=analysis)
    data, losses = _write(alone, _position_title(game))
    return data, LossReport(("only the last position is written, not the moves before it", *losses.losses))


def _title(match: Match) -> str:
    length = f"{match.settings.length} point match" if match.settings.is_match else "Unlimited Game"
    return f"{match.names[Player.O]} vs. {match.names[Player.X]}, {length}"


def _position_title(game: Game) -> str:
    settings, points = game.settings, game.score.points
    if not settings.is_match:
        return "Position:  Unlimited Game" + (", Jacoby" if settings.jacoby else "")
    return f"Position: {settings.length} point match {points[Player.O]}-{points[Player.X]}"


def _write(document: Document, title: str) -> tuple[bytes, LossReport]:
    match = document.match
    if match.settings.variant.name not in _VARIATIONS:
        raise FormatError(f"eXtreme Gammon does not play {match.settings.variant.title}")
    losses = _losses(match.settings)
    shared = SharedParts(losses, document.review)
    records = [_head(match, losses, shared)]
    for number, record in enumerate(match.games):
        records += GameWriter(number, record, shared).records()
    if match.games and (result := match.games[-1].result) is not None:
        records.append(_footer(match, match.games[-1].start.score.after(result, match.settings).points))
    data = b"".join(records)
    members = {"temp.xg": data, "temp.xgr": b"".join(shared.rollouts), "temp.xgi": records[0] + records[-1]}
    members["temp.xgc"] = b"".join(container.rich_text(words).encode("ascii") + b"\r\n" for words in shared.comments)
    packed = container.pack(title, {name: content for name, content in members.items() if content})
    return packed, LossReport(tuple(dict.fromkeys(losses)))


def _losses(settings: Settings) -> list[str]:
    losses: list[str] = []
    settings_losses(replace(settings, automatic_doubles=0), losses)
    if settings.automatic_doubles:
        losses.append("the limit of automatic doubles is not written")
    if settings.beavers and not settings.raccoons:
        losses.append("raccoons are allowed wherever beavers are")
    return losses


def _head(match: Match, losses: list[str], shared: SharedParts) -> bytes:
    settings, info, head = match.settings, match.info, XgRecord(0)
    for wide, short, name in ((880, 9, match.names[Player.O]), (1138, 50, match.names[Player.X])):
        _text(head, wide, short, 40, name, losses)
    head.ints(92, settings.length or UNLIMITED, _VARIATIONS[settings.variant.name])
    automatic = settings.automatic_doubles != 0
    head.data[100:104] = bytes((settings.crawford, settings.jacoby, settings.beavers, automatic))
    for name, (wide, short) in _TEXTS.items():
        _text(head, wide, short, 128, info.get(name, ""), losses)
    _text(head, 1960, None, 0, info.get("Transcriber", ""), losses)
    for name, (rating, played) in _RATINGS.items():
        _rating(head, rating, played, name, info, losses)
    _date(head, info, losses)
    head.ints(268, zlib.crc32(repr((match.names, info.get("EventDate"))).encode()) & 0x7FFFFFFF, -1, -1)
    head.ints(548, 1, VERSION, MAGIC)
    head.ints(576, shared.comment(info.get("Comment", "")), -1)
    head.ints(608, -1, _exponent(settings))
    if lost := sorted(set(info) - _WRITTEN - RULE_TAGS):
        losses.append(f"facts about the match are not written: {', '.join(lost)}")
    return head.bytes()


def _exponent(settings: Settings) -> int:
    """The highest cube as a power of two; 0 is play without a cube."""
    if not settings.cube:
        return 0
    return min(settings.cube_cap or NO_LIMIT, NO_LIMIT).bit_length() - 1


def _text(head: XgRecord, wide: int, short: int | None, size: int, text: str, losses: list[str]) -> None:
    plain = text.replace("\0", "")
    if plain != text or len(plain.encode("utf-16-le", errors="replace")) > 256:
        losses.append(f"{text[:30]!r} is cut to 128 letters")
    head.wide(wide, plain)
    if short is not None:
        head.short(short, plain, size)


def _rating(head: XgRecord, at: int, played: int, name: str, info: Mapping[str, str], losses: list[str]) -> None:
    if name not in info:
        return
    match = re.fullmatch(r"(\d{1,4}(?:\.\d{1,9})?)(?:/(\d{1,9}))?", info[name].strip().replace(",", "."))
    if match is None:
        losses.append(f"{name}, {info[name][:20]!r}, is not written")
        return
    head.doubles(at, float(match[1]))
    head.ints(played, int(match[2] or 0))


def _date(head: XgRecord, info: Mapping[str, str], losses: list[str]) -> None:
    day, time = info.get("EventDate", ""), info.get("EventTime", "")
    if not day:
        if time:
            losses.append("a time without a day is not written")
        return
    hour = re.fullmatch(r"(\d{1,2})[.:](\d{2})(?:[.:]\d{2})?", time.strip())
    date = re.fullmatch(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})", day.strip())
    try:
        if date is None:
            raise ValueError(day)
        clock = (int(hour[1]), int(hour[2])) if hour else (0, 0)
        when = datetime(int(date[1]), int(date[2]), int(date[3]), *clock, 1)  # noqa: DTZ001 - days have no zone
    except ValueError:
        losses.append(f"the day {day[:20]!r} is not written")
        return
    if time and hour is None:
        losses.append(f"the time {time[:20]!r} is not written")
    head.doubles(128, (when - DAY_ZERO).total_seconds() / 86400)


def _footer(match: Match, points: tuple[int, int]) -> bytes:
    foot = XgRecord(5)
    foot.ints(12, points[Player.O], points[Player.X], 0)
    if match.settings.is_match and max(points) >= match.settings.length:
        foot.ints(20, 1 if points[Player.O] > points[Player.X] else -1)
    return foot.bytes()
