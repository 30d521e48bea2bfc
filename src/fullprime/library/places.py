"""Places of a library: the game before a decision, its address on the analysis board; questions from typed words."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from fullprime.analysis.setups import AnalysisSetup, setup_of
from fullprime.db.errors import LibraryError
from fullprime.formats import write_file
from fullprime.library.service import LibraryStore, Wanted, make_wanted, whole_document
from fullprime.library.store.moments import moments_of
from fullprime.library.store.search import Hit
from fullprime.reviews.match_facts import replay
from fullprime.reviews.matches.reviewing import ReviewedMatch
from fullprime.rules.game import Game
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import format_players

_TEXTS = (
    "player", "opponent", "event", "since", "until", "variant", "score", "away", "pattern", "dice", "kind", "stage",
    "mistake", "theme", "plan",
)  # fmt: skip
QUESTIONS = (*_TEXTS, "verdict", "level", "length", "loss", "reviewed")
"""The fields of a question, as texts."""
_LONGEST = 600


def read_question(question: Mapping[str, str]) -> Wanted:
    """A question from its fields, each a text; empty ones do not matter. Raises LibraryError, or an error of a part."""
    conditions = {name: text.strip() for name, text in question.items() if text.strip()}
    for name, text in conditions.items():
        if name not in QUESTIONS:
            raise LibraryError(f"there is no condition {name[:40]!r}; there are {', '.join(QUESTIONS)}")
        if len(text) > _LONGEST:
            raise LibraryError(f"{name}: {len(text)} letters are too many")
    values: dict[str, object] = {name: conditions[name] for name in _TEXTS if name in conditions}
    if "verdict" in conditions:
        values["verdicts"] = tuple(verdict.strip() for verdict in conditions["verdict"].split(",") if verdict.strip())
    if "level" in conditions:
        values["level"] = conditions["level"]
    if "length" in conditions:
        values["length"] = _integer(conditions["length"])
    if "loss" in conditions:
        values["loss"] = _decimal(conditions["loss"])
    if "reviewed" in conditions:
        if conditions["reviewed"] not in ("yes", "no"):
            raise LibraryError(f"reviewed: {conditions['reviewed'][:40]!r} is neither yes nor no")
        values["reviewed"] = conditions["reviewed"] == "yes"
    try:
        return make_wanted(**values)
    except LibraryError as error:
        raise LibraryError(str(error).removeprefix("--"), error.code) from error


def _integer(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise LibraryError(f"length: {text[:40]!r} is no number of points; 0 is money")
    return int(text)


def _decimal(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise LibraryError(f"loss: {text[:40]!r} is no number such as 0.1") from None


def game_at(match: Match, game: int, event: int) -> Game:
    """The game before an event (both from 0); raises LibraryError where there is none."""
    if 0 <= game < len(match.games):
        last: Game | None = match.games[game].start
        for step in replay(match.games[game]):
            if step.number == event:
                return step.before
            last = step.after
        if last is not None and event == len(match.games[game].events):
            return last
    raise LibraryError(f"game {game + 1} of the match has no such decision", "missing")


def address_of(setup: AnalysisSetup, play: str = "") -> str:
    """The address of a setup on the analysis board, as the page itself writes it; ``play`` is looked at there."""
    parameters: list[tuple[str, str]] = []
    if setup.variant != "backgammon":
        parameters.append(("variant", setup.variant))
    if setup.position:
        parameters.append(("position", setup.position))
    if setup.on_roll != "X":
        parameters.append(("on_roll", setup.on_roll))
    if setup.dice is not None:
        parameters.append(("dice", f"{setup.dice[0]}{setup.dice[1]}"))
    parameters += [(f"rule.{name}", str(value)) for name, value in setup.rules.items()]
    if any(setup.score):
        parameters.append(("score", f"{setup.score[0]}-{setup.score[1]}"))
    if setup.crawford is not None and any(setup.score):
        parameters.append(("crawford", "yes" if setup.crawford else "no"))
    if setup.cube != 1:
        parameters.append(("cube", str(setup.cube)))
    if setup.owner:
        parameters.append(("owner", setup.owner))
    parameters += [(name, "yes") for name, is_set in (("offered", setup.offered), ("choose", setup.choose)) if is_set]
    if setup.follow_ups:
        parameters.append(("follow_ups", "+".join(setup.follow_ups)))
    if setup.multiplier != 1:
        parameters.append(("multiplier", str(setup.multiplier)))
    if play:
        parameters.append(("play", play))
    return f"/analysis?{urlencode(parameters)}"


def address_at(store: LibraryStore, match: int, game: int, event: int) -> str:
    """The analysis board with the game before a decision (all counted from 0 but the match), and the play made there.

    Raises LibraryError, or IllegalAction for a moment that the analysis board has no place for.
    """
    before = game_at(store.get_document(match).match, game, event)
    move = moments_of(store, [(match, game, event)])[match, game, event].move
    place = urlencode({"from": f"match {match} game {game + 1} event {event + 1}", "move": move})
    return f"{address_of(setup_of(before))}&{place}"


def opening_address(match: int, game: int, event: int) -> str:
    """The page that opens a decision of the library; all are counted from 1."""
    return f"/library/board/{match}/{game}/{event}"


def library_review(store: LibraryStore, match: int) -> ReviewedMatch:
    """A match with its newest complete review; raises LibraryError where there is none."""
    document = store.get_document(match)
    review = next((review for review in store.list_reviews(match) if review.complete), None)
    if review is None:
        raise LibraryError(f"match {match} has not been reviewed", "missing")
    return ReviewedMatch(document, review, format_players(document.match.names))


def export_match(store: LibraryStore, match: int, name: str, *, analysis: bool = True) -> tuple[bytes, str]:
    """A match in a format with our newest review, else with the analysis it came with; and a name for the file.

    Without ``analysis`` it is the match alone.
    """
    document = whole_document(store, match)
    data, extension = write_file(document, name, analysis=analysis)
    return data, f"{match:05}-{'-'.join(document.match.names)}{extension}"


def rows_of(hit: Hit) -> tuple[dict[str, tuple[int, ...]], Player]:
    """The checkers of X and of O, each in their own numbers, and the player on roll."""
    on_roll = hit.player.other if hit.kind == "take" else hit.player
    return {on_roll.name: hit.position.player, on_roll.other.name: hit.position.opponent}, on_roll


__all__ = [
    "QUESTIONS",
    "LibraryError",
    "address_at",
    "address_of",
    "export_match",
    "game_at",
    "library_review",
    "opening_address",
    "read_question",
    "rows_of",
]  # fmt: skip
