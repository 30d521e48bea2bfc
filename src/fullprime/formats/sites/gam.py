"""The two text formats named ``.gam``: Jellyfish's single games (as GammonEmpire wrote them) and PartyGammon's."""

from __future__ import annotations

import re
from dataclasses import replace

from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.mat import reader as mat
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.sites.common import allow_raises, finish_document, length_of, without_you
from fullprime.rules.score import Player, Settings

_NAMES = re.compile(r"^\s*(\S(?:.*?\S)?)\s{2,}(\S(?:.*?\S)?)\s*$")
_FIRST_ROW = re.compile(r"^\s*1\)")


def recognises_empire(head: bytes) -> bool:
    """True for two names on a line with numbered rows after it."""
    lines = [line for line in texts.lines(head)[:20] if line.strip() and not line.lstrip().startswith((";", "#"))]
    return len(lines) > 1 and _names(lines[0]) is not None and _FIRST_ROW.match(lines[1]) is not None


def _names(line: str) -> tuple[str, str] | None:
    match = _NAMES.match(line) or re.match(r"^\s*(\S+)\s+(\S+)\s*$", line)
    return (match[1], match[2]) if match and ":" not in line and not _FIRST_ROW.match(line) else None


def read_empire(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The games of the text as one money session."""
    lines = texts.lines(data)
    out = []
    following = ""
    for line in reversed(lines):
        names = _names(line) if _FIRST_ROW.match(following) else None
        out.append(f" {names[0]} : 0{'':30}{names[1]} : 0" if names else line)
        following = line if line.strip() else following
    documents = mat.read_lines([(0, "0 point match"), *enumerate(reversed(out), 1)], name)
    return tuple(
        replace(document, match=replace(document.match, names=without_you(document.match.names)))
        for document in documents
    )


_LONGEST = 200_000
"""Characters of a line: a whole game stands in one."""
_KEY = re.compile(r"\s*([A-Za-z0-9_]+)\s*=(.*)$")
_GAME_KEY = re.compile(r"GAME_(\d{1,6})_(.+)$", re.IGNORECASE)
_ROLL = re.compile(r"([1-6])([1-6])\s*(.*)$")


def recognises_party(head: bytes) -> bool:
    """True if the text has ``BOARDID=`` and ``CREATOR=``."""
    low = head.lower()
    return b"boardid=" in low and b"creator=" in low


def read_party(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The match of a PartyGammon file; player 1 is our O. Raises FormatError when it holds no game."""
    problems: list[Problem] = []
    facts: dict[str, str] = {}
    games: dict[int, dict[str, tuple[str, int]]] = {}
    for number, line in enumerate(texts.lines(data, _LONGEST), 1):
        if not line.strip():
            continue
        key = _KEY.match(line)
        if key is None:
            problems.append(Problem(f"not understood: {line.strip()!r:.70}", number))
        elif match := _GAME_KEY.match(key[1]):
            games.setdefault(int(match[1]), {})[match[2].upper()] = (key[2].strip(), number)
        else:
            facts[key[1].upper()] = key[2].strip()
    if not games:
        raise FormatError(f"{name or 'the text'} holds no game")
    settings = Settings(length=length_of(facts.get("MATCHLENGTH", "0"), problems))
    words = " ".join(value for game in games.values() for value, _ in game.values())
    recorder = Recorder(allow_raises(settings, words), problems)
    names = ("", "")
    points = (0, 0)
    for number in sorted(games):
        game = games[number]
        here = game.get("PLAYER_2", ("", 0))[0], game.get("PLAYER_1", ("", 0))[0]
        at = game.get("GAMEPLAY", ("", 0))[1] or None
        if recorder.games and here != names:
            problems.append(Problem(f"the players of game {number} are called {here[1]!r:.30} and {here[0]!r:.30}", at))
        names = names if recorder.games else here
        recorder.begin(points, line=at)
        for step in game.get("GAMEPLAY", ("", 0))[0].split("#"):
            _party_step(step.split(), recorder, at)
        points = _party_end(game, points, recorder, at)
    return (finish_document(recorder, names, facts, name),)


def _party_end(
    game: dict[str, tuple[str, int]], before: tuple[int, int], recorder: Recorder, line: int | None
) -> tuple[int, int]:
    scores = [game.get(key, ("", 0))[0] for key in ("SCORE2", "SCORE1")]
    if not all(re.fullmatch(r"\d{1,9}", score) for score in scores):
        recorder.close()
        return recorder.points
    after = int(scores[0]), int(scores[1])
    gained = after[0] - before[0], after[1] - before[1]
    if min(gained) == 0 and max(gained) > 0:
        winner = Player.X if gained[0] else Player.O
        recorder.finish(winner, max(gained), line)
    else:
        recorder.report(f"the score of {after[1]} to {after[0]} does not follow from {before[1]} to {before[0]}", line)
        recorder.close()
    return after


def _party_step(words: list[str], recorder: Recorder, line: int | None) -> None:
    if len(words) < 2 or words[0] not in "12":
        if words:
            recorder.report(f"not understood: {' '.join(words)!r:.50}", line)
        return
    player = Player.O if words[0] == "1" else Player.X
    verb = words[1].lower()
    if verb.startswith(("double", "redouble")):
        recorder.double(player, None, line)
    elif verb.startswith(("take", "accept")):
        recorder.take(player, line)
    elif verb.startswith(("drop", "pass", "reject")):
        recorder.drop(player, line)
    elif verb.startswith(("beaver", "raccoon")):
        recorder.beaver(player, line)
    elif roll := next((match for i in range(1, len(words)) if (match := _ROLL.fullmatch(" ".join(words[i:])))), None):
        if recorder.roll(player, int(roll[1]), int(roll[2]), line) and roll[3]:
            recorder.play_upwards(player, roll[3], line)
    elif not verb.startswith("resign"):
        recorder.report(f"not understood: {' '.join(words)!r:.50}", line)
