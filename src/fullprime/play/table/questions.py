"""The answers to questions that people at a session ask: plays, pips, score, rules, hint, help, board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from fullprime.messages import Message, format_decimal, label
from fullprime.play.checks import game_of
from fullprime.play.naming import YOU, to_messages
from fullprime.play.options.rulebook import rulebook
from fullprime.play.session import GameSession
from fullprime.play.table.board import possible_words
from fullprime.play.table.event_texts import end_words, info_event, won_words
from fullprime.play.table.hint_texts import describe_hint
from fullprime.play.table.line_reader import check_rest
from fullprime.play.table.scorecard import settle_points
from fullprime.play.table.table_events import BoardEvent, Event, InfoEvent, QuitEvent
from fullprime.play.table.words import WORDS
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import format_score

if TYPE_CHECKING:
    from fullprime.engine.api import Hint

_HINT_LEVEL, _HINT_PLAYS = "1-ply", 3


class HintReason(Protocol):
    """Gives the reason for a hint in one sentence. A protocol, because the packages that find reasons use this one."""

    def __call__(self, game: Game, hint: Hint, level: str) -> str:
        """The sentence; empty where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Asker:
    """The person, or both people, who ask questions, and what the answers depend on."""

    session: GameSession
    """The session that they ask about; it has begun."""
    names: tuple[str, str]
    """The names as they see them, X's first."""
    number: int | None = None
    """The number under which the terminal keeps the game; None where it does not."""
    why_hint: HintReason | None = None
    """Gives the reason that goes with a hint; hints have no reason where it is None."""

    @property
    def game(self) -> Game:
        """The game on the board."""
        return game_of(self.session)


def answer_question(asker: Asker, word: str, rest: str) -> list[Event]:
    """The answer to a question; the engine may think about it.

    Raises a FullprimeError with the reason for a question that cannot be answered now.
    """
    check_rest(word, rest)
    return _ANSWERS[word](asker, rest)


# -- questions --------------------------------------------------------------------------------------------------
def _plays(asker: Asker, _rest: str) -> list[Event]:
    if asker.game.phase is not Phase.PLAY:
        raise IllegalAction(Message("there is no roll to play"))
    plays = tuple(format_play(play) for play in asker.game.legal_plays)
    text = Message.by_number(len(plays), "{n} legal play: {plays}", "{n} legal plays: {plays}", plays="  ".join(plays))
    return [InfoEvent(player=None, text=text, plays=plays)]


def _pip(asker: Asker, _rest: str) -> list[Event]:
    game = asker.game
    mine, theirs = game.position.pips
    pips = (mine, theirs) if game.on_roll is Player.X else (theirs, mine)
    lead = pips[1] - pips[0]
    ahead = asker.names[0 if lead > 0 else 1]
    more = abs(lead)
    if not lead:
        who = Message("level")
    elif ahead == YOU:
        who = Message("You lead by {count}", count=more)
    else:
        who = Message("{name} leads by {count}", name=ahead, count=more)
    names, (x_pips, o_pips) = to_messages(asker.names), pips
    text = Message(
        "Pips: {x} {x_pips}, {o} {o_pips}; {who}", x=names[0], x_pips=x_pips, o=names[1], o_pips=o_pips, who=who
    )
    return [InfoEvent(player=None, text=text, pips=pips)]


def score_lines(match: Match) -> list[Message]:
    """The score sheet: one line for each finished game, with the score after it."""
    lines, names = [], to_messages(match.names)
    for number, result, points in match.score_sheet:
        facts = {
            "number": number,
            "name": names[result.winner],
            "what": won_words(result),
            "how": end_words(result.how),
        }
        lines.append(Message("game {number}: {name} wins {what} ({how}); {score}", **facts, score=format_score(points)))
    return lines


def _score(asker: Asker, _rest: str) -> list[Event]:
    score, settings = asker.session.score, asker.session.terms.settings
    x, o = score.points
    names = to_messages(asker.names)
    if settings.is_match:
        stake = Message("match to {length}", length=settings.length)
    else:
        stake = Message("money, {stake} a point", stake=format_decimal(str(settings.stake)))
    facts = {"x": names[0], "x_points": x, "o": names[1], "o_points": o, "what": stake}
    text = Message("Score: {x} {x_points}, {o} {o_points} ({what})", **facts)
    if asker.game.score.crawford_game and not asker.game.is_over:
        text = Message("Score: {x} {x_points}, {o} {o_points} ({what}), Crawford game", **facts)
    owed = [] if settings.is_match or not any((x, o)) else settle_points(names, (x, o), settings.stake)
    sheet = Message.join_all("\n  ", [text, *score_lines(asker.session.match), *owed])
    return [InfoEvent(player=None, text=sheet, score=(x, o))]


def _rules(asker: Asker, _rest: str) -> list[Event]:
    return [info_event(rulebook(asker.session.terms.settings))]


def _hint(asker: Asker, rest: str) -> list[Event]:
    game = asker.game
    if game.turn is None:
        raise IllegalAction(Message("there is nothing to decide now"))
    from fullprime.engine import api

    level = rest.strip().lower()
    if level == "heuristic" or not api.can_advise(game):
        text = label(api.advice_of_bot(game, "heuristic"))
        return _to_hint_events(Message("The heuristic bot would: {advice}. (It is no expert.)", advice=text), text)
    level = level or _HINT_LEVEL
    if game.phase in api.DECISIONS:
        advice = api.hint(game, level)
        why = "" if asker.why_hint is None else asker.why_hint(game, advice, level)
        return [*_to_hint_events(describe_hint(advice, _HINT_PLAYS), advice.short), *([info_event(why)] if why else [])]
    text = label(api.advice_of_bot(game, level))
    return _to_hint_events(Message("The engine would: {advice}.", advice=text), text)


def _to_hint_events(text: str, short: str) -> list[Event]:
    return [InfoEvent(player=None, text=text, hint=short)]


def _save(asker: Asker, _rest: str) -> list[Event]:
    if asker.number is None:
        return [info_event(Message("This game is not stored (--no-store)."))]
    number = asker.number
    return [
        info_event(
            Message("Stored after every action as number {number}: fullprime play --resume {number}", number=number)
        )
    ]


def _help(asker: Asker, _rest: str) -> list[Event]:
    now = possible_words(asker.session)
    possible = Message("Now possible: {words}", words=" ".join(now)) if now else Message("Nothing is left to do.")
    lines: list[str] = [possible, ""]
    lines += [Message.join_all(" ", [f"  {word.name:<8}", word.help]) for word in WORDS.values()]
    last = Message("A play may be typed alone: 13/7 8/7, bar/21*, 6/off(2), 24/18/13. Short forms will do: r, d, t, q.")
    return [info_event(Message.join_all("\n", [*lines, "", last]))]


_ANSWERS: Mapping[str, Callable[[Asker, str], list[Event]]] = MappingProxyType(
    {
        "board": lambda asker, _rest: [BoardEvent(player=None, text=asker.game.position.text)],
        "plays": _plays,
        "pip": _pip,
        "score": _score,
        "rules": _rules,
        "hint": _hint,
        "save": _save,
        "help": _help,
        "quit": lambda _asker, _rest: [QuitEvent(player=None, text=Message("Goodbye."))],
    }
)
"""The function that answers each question."""
