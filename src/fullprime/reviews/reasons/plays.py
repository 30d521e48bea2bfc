"""The reasons for a play: facts chosen by their size, put into one sentence, and more sentences on demand."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from fullprime.reviews.decision import Decision, board_after
from fullprime.reviews.reasons.chances import chance_words, components, gained, gammon_words
from fullprime.reviews.reasons.counts import count_board
from fullprime.reviews.reasons.facts import Fact, FactKind, Pair, facts
from fullprime.reviews.reasons.numbers import numbers_words
from fullprime.reviews.reasons.phrases import cheap_hits, phrases, pick
from fullprime.reviews.reasons.plans import plan_words
from fullprime.reviews.reasons.reason import FigureKind, Reason, Sentence, to_reason
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.game import Game
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.variants.variant import Variant

LEAST = 0.01
"""Facts of a smaller size are not spoken of."""
SHARE = 0.2
"""A reason must be worth at least this share of the loss."""
AGAINST = 0.2
"""A fact against the better play is conceded if it has at least this share of the greatest fact for it."""
MOST = 2
PLAIN = 6
"""Where no fact is worth that much, a smaller one is named if it is as plain as this number of throws or pips."""

_OWN_NUMBER = re.compile(r"(, \d+ (?:more|fewer)) and ")
_A_POINT = r"the (?:[\w']+ ){1,3}?point"
_SAME_VERB = re.compile(rf"\b(makes|takes|keeps|holds|breaks|fills) ({_A_POINT}) and \1 (?={_A_POINT})")
_UP = 1
_DIRECTION: dict[FactKind, int] = {
    FactKind.DEEP: -1,
    FactKind.STACK: -1,
    FactKind.BACK: -1,
    FactKind.OPENS: -1,
    FactKind.CROSSOVERS: -1,
    FactKind.SHOTS: -1,
    FactKind.RISK: -1,
    FactKind.BLOCKS: -1,
    FactKind.TWICE: -1,
    FactKind.DUEL: -1,
}
"""Kinds of which less is better; of the others more is. A fact that the weights judge otherwise is not spoken of."""


_COUNTED = frozenset(
    {
        FactKind.DANCES, FactKind.SHOTS, FactKind.RISK, FactKind.BUILDERS, FactKind.RETURNS, FactKind.OPENS,
        FactKind.TIMING, FactKind.ESCAPES, FactKind.BLOCKS, FactKind.TWICE, FactKind.DUEL,
    }
)  # fmt: skip
"""Kinds of throws and pips, which must differ by :data:`PLAIN`; of the others every difference is plain."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The facts that a sentence about two plays names."""

    pair: Pair
    reasons: tuple[Fact, ...]
    against: Fact | None
    rest: tuple[Fact, ...]
    """Smaller facts for the better play."""
    plain: Fact | None = None
    """Where there is no reason: the largest fact for the better play that is too small for one, and yet plain."""


def pair_of(decision: Decision, game: Game) -> Pair | None:
    """The boards of a decision about a play, counted; None for any other, and where the same player goes on."""
    best, played = decision.best, decision.played
    if best.moves is None or played.moves is None or best is played or game.follow_ups:
        return None
    variant, before = game.settings.variant, game.position
    boards = [count_board(board_after(before, moves, variant), variant) for moves in (best.moves, played.moves)]
    return Pair(before, boards[0], boards[1], variant.name)


def pair_of_plays(before: Position, best: Play, other: Play, variant: Variant) -> Pair:
    """The boards of two plays of a roll, counted."""
    boards = [count_board(play.after, variant) for play in (best, other)]
    return Pair(before, boards[0], boards[1], variant.name)


def counted_reason(pair: Pair, best: str, other: str, loss: float) -> str:
    """The first sentence without chances: what can be counted for the better play, with the fact against it.

    Empty where no count speaks for it.
    """
    chosen = choose(pair, loss)
    turn = zlib.crc32(f"{pair.before.text} {best} {other}".encode())
    main_facts = chosen.reasons or _plain_facts(chosen)
    reasons = [words for words in (pick(phrases(fact, pair, other), turn) for fact in main_facts) if words]
    if not reasons:
        return ""
    return _sentence(best, other, reasons, _concession(chosen, other, turn), "", turn)


def _sentence(best: str, other: str, reasons: list[str], against: str, tail: str, turn: int) -> str:
    """One or two reasons, the concession if there is one, and the tail in a form that names both plays."""
    named = any(other in clause for clause in (*reasons, against))
    shell = pick((_SHELLS if named else _NAMING)[bool(against), len(reasons)], turn >> 3)
    words = shell.format(best=best, other=other, first=reasons[0], second=reasons[-1], against=against, tail=tail)
    return _read_aloud(words)


def choose(pair: Pair, loss: float) -> Chosen:
    """The facts to tell of two plays of which the other costs ``loss``."""
    sure = [fact for fact in facts(pair) if _agrees(fact) and _differs(fact)]
    positive = [fact for fact in sure if fact.size >= LEAST]
    reasons = [fact for fact in positive if fact.size >= SHARE * loss][:MOST]
    negative = sorted((fact for fact in sure if fact.size <= -LEAST), key=lambda fact: fact.size)
    weighty = bool(negative) and -negative[0].size >= AGAINST * (reasons[0].size if reasons else loss)
    against = negative[0] if weighty else None
    plain = None if reasons else next((fact for fact in sure if fact.size > 0 and _is_plain(fact)), None)
    rest = tuple(fact for fact in positive if fact not in reasons and fact is not plain)
    return Chosen(pair, tuple(reasons), against, rest, plain)


def _differs(fact: Fact) -> bool:
    """A single throw or pip is no reason, and no concession either: 35 rolls that hit are as bad as 36."""
    return fact.kind not in _COUNTED or abs(fact.best - fact.played) > 1


def _yet(chosen: Chosen, best: str, other: str, turn: int) -> Sentence:
    """What speaks against the better play, in a sentence of its own: first of all that it is hit by more rolls."""
    hit, fewer = chosen.pair.best.shots.ways, chosen.pair.played.shots.ways
    if hit > fewer + 1:
        cheap = cheap_hits(chosen.pair)
        but = f", but {pick(cheap, turn)}" if cheap else ""
        words = f" Yet {best} can be hit by {hit} rolls of 36, {other} by {fewer or 'none'}{but}."
        if chosen.pair.hits_at_home:
            words = f" Yet {best} leaves {hit} shots outside the opponent's home board, {other} {fewer or 'none'}{but}."
        return Sentence(words, (Reason(kind=FactKind.SHOTS, favours="other", value=hit, beside=fewer),))
    against = _concession(chosen, other, turn)
    return Sentence(f" Yet {best} {against}.", _conceded(chosen)) if against else Sentence()


def _conceded(chosen: Chosen) -> tuple[Reason, ...]:
    return () if chosen.against is None else (to_reason(chosen.against),)


def _plain_facts(chosen: Chosen) -> tuple[Fact, ...]:
    return () if chosen.plain is None else (chosen.plain,)


def _is_plain(fact: Fact) -> bool:
    return fact.kind not in _COUNTED or abs(fact.best - fact.played) >= PLAIN


def sentences(decision: Decision, game: Game, pair: Pair) -> tuple[Sentence, list[str]]:
    """The sentence with the reasons, then more: the rolls that decide, further facts, ideas about numbers, the worth of
    gammons, all the chances.

    Where no count speaks for the better play the rolls that decide stand first.
    """
    chosen = choose(pair, decision.loss)
    turn = zlib.crc32(f"{game.position.text} {decision.best.text} {decision.played.text}".encode())
    turning = turning_rolls(decision, pair)
    rolls = reply_words(turning, decision.best.text, decision.played.text, turn) if turning is not None else ""
    if turning is not None and not chosen.reasons:
        # The rolls that decide could be taken for the whole: the play that they favour may be hit by more of them.
        yet = _yet(chosen, decision.best.text, decision.played.text, turn)
        share = Reason(kind=FigureKind.REPLIES, value=round(turning.share, 4), rolls=turning.rolls)
        first, rolls = Sentence(rolls + yet.text, (share, *yet.reasons)), ""
    else:
        first = _first(decision, game, chosen, turn)
    return first, [
        rolls,
        numbers_words(pair, decision.best.text, decision.played.text, turn),
        plan_words(pair.best, pair.played, decision.best.text, decision.played.text),
        _format_smaller_facts(decision, chosen, turn),
        gammon_words(decision, game),
        chance_words(decision, game),
    ]


def _first(decision: Decision, game: Game, chosen: Chosen, turn: int) -> Sentence:
    """One sentence: the reasons for the better play, the fact against it, and the sort of chances that it gains."""
    best, other = decision.best.text, decision.played.text
    clauses = {
        fact: words
        for fact in chosen.reasons or _plain_facts(chosen)
        if (words := pick(phrases(fact, chosen.pair, other), turn))
    }
    against, gain = _concession(chosen, other, turn), gained(components(decision, game), turn)
    conceded = _conceded(chosen) if against else ()
    if clauses:
        tail = f": {gain.text}" if gain.text else ""
        words = _sentence(best, other, list(clauses.values()), against, tail, turn)
        return Sentence(words, (*map(to_reason, clauses), *conceded, *gain.reasons))
    if not gain.text:
        return Sentence()
    if against:
        words = pick(_BARE_AGAINST, turn).format(best=best, against=against, gained=gain.text)
        return Sentence(words, (*conceded, *gain.reasons))
    return Sentence(pick(_BARE, turn).format(best=best, other=other, gained=gain.text), gain.reasons)


def _read_aloud(sentence: str) -> str:
    """A pause where a clause ends with a number of its own, and no verb twice.

    >>> _read_aloud("A has 30 rolls that hit next, 13 more and makes the 12 point and makes the 8 point.")
    'A has 30 rolls that hit next, 13 more, and makes the 12 point and the 8 point.'
    """
    sentence = _OWN_NUMBER.sub(r"\1, and ", sentence)
    return _SAME_VERB.sub(r"\1 \2 and ", sentence)


def _format_smaller_facts(decision: Decision, chosen: Chosen, turn: int) -> str:
    """Smaller facts for the better play."""
    clauses = [pick(phrases(fact, chosen.pair, decision.played.text), turn >> 7) for fact in chosen.rest[:MOST]]
    clauses = [clause for clause in clauses if clause]
    return _read_aloud(f"It also {' and '.join(clauses)}.") if clauses else ""


_SHELLS: dict[tuple[bool, int], tuple[str, ...]] = {
    (False, 1): ("{best} {first}{tail}.",),
    (False, 2): ("{best} {first} and {second}{tail}.", "{best} {first}; it also {second}{tail}."),
    (True, 1): (
        "{best} {first}, although it {against}{tail}.",
        "Although it {against}, {best} {first}{tail}.",
        "{best} {against}, but it {first}{tail}.",
    ),
    (True, 2): (
        "{best} {first} and {second}, although it {against}{tail}.",
        "Although it {against}, {best} {first} and {second}{tail}.",
        "{best} {against}, but it {first} and {second}{tail}.",
    ),
}
"""Forms by whether there is a concession and by the number of reasons, where a clause names the other play."""
_NAMING: dict[tuple[bool, int], tuple[str, ...]] = {
    (False, 1): ("Better than {other} is {best}, which {first}{tail}.", "Compared with {other}, {best} {first}{tail}."),
    (False, 2): (
        "Better than {other} is {best}, which {first} and {second}{tail}.",
        "Compared with {other}, {best} {first} and {second}{tail}.",
    ),
    (True, 1): (
        "Better than {other} is {best}, which {first}, although it {against}{tail}.",
        "Compared with {other}, {best} {first}, although it {against}{tail}.",
    ),
    (True, 2): (
        "Better than {other} is {best}, which {first} and {second}, although it {against}{tail}.",
        "Compared with {other}, {best} {first} and {second}, although it {against}{tail}.",
    ),
}
"""The same where no clause does."""


_BARE = ("{best} brings {gained}.", "{best} is ahead of {other} by {gained}.", "With {best} come {gained}.")
_BARE_AGAINST = (
    "{best} {against}, and yet brings {gained}.",
    "Although {best} {against}, it brings {gained}.",
    "{best} is ahead by {gained}, although it {against}.",
)
"""Forms for plays of which no count speaks."""


def _concession(chosen: Chosen, other: str, turn: int) -> str:
    fact = chosen.against
    if fact is None:
        return ""
    words = pick(phrases(fact, chosen.pair, other), turn >> 5)
    cheap = cheap_hits(chosen.pair) if fact.kind is FactKind.SHOTS else ()
    if not words or not cheap:
        return words
    # One pair of brackets holds both.
    return f"{words[:-1]}; {pick(cheap, turn)})" if words.endswith(")") else f"{words} ({pick(cheap, turn)})"


def _agrees(fact: Fact) -> bool:
    return (fact.best - fact.played) * _DIRECTION.get(fact.kind, _UP) * fact.size > 0


MOST_ROLLS, ENOUGH = 4, 0.5
"""The most rolls that are named, and the share of the difference that they must make up."""
LIKE = 2.0
"""The replies speak only where their sum is the loss within this factor."""


@dataclass(frozen=True, slots=True)
class Turning:
    """The rolls of the opponent that make most of the difference, and their share of it."""

    rolls: tuple[Roll, ...]
    share: float
    hitting: bool
    """True if each of them hits after the play that was made, and none after the better one."""


def turning_rolls(decision: Decision, pair: Pair) -> Turning | None:
    """The few rolls that decide; None where none stand out, or where the replies are not known."""
    if decision.replies is None:
        return None
    best, played = decision.replies
    parts = {roll: roll.weight / 36 * (a - b) for roll, a, b in zip(ALL_ROLLS, best, played, strict=True)}
    total = sum(parts.values())
    if not decision.loss / LIKE <= total <= decision.loss * LIKE:
        return None
    order = sorted(parts, key=lambda roll: -parts[roll])
    chosen: list[Roll] = []
    while len(chosen) < MOST_ROLLS and sum(parts[roll] for roll in chosen) < ENOUGH * total:
        chosen.append(order[len(chosen)])
    share = sum(parts[roll] for roll in chosen) / total
    # Rolls that stand out say more than their number of throws.
    if share < ENOUGH or share < 2 * sum(roll.weight for roll in chosen) / 36:
        return None
    hitting = all(roll in pair.played.shots.rolls and roll not in pair.best.hits.rolls for roll in chosen)
    return Turning(tuple(chosen), share, hitting)


def reply_words(turning: Turning, best: str, other: str, turn: int) -> str:
    """The rolls in a sentence."""
    is_single = len(turning.rolls) == 1
    rolls = _join_words([roll.words for roll in turning.rolls])
    share = f"{100 * turning.share:.0f} %" if turning.share < 1 else "all"
    if turning.hitting:
        verb = "hits" if is_single else "hit"
        return f"The opponent's {rolls} {verb} only after {other}, not after {best}: {share} of the difference."
    forms = (
        f"{best} fares better against {rolls}: {share} of the difference.",
        f"The opponent's {rolls} {'is' if is_single else 'are'} worse after {best}: {share} of the difference.",
        f"Most depends on {rolls} of the opponent, which {'makes' if is_single else 'make'} {share} of the difference.",
    )
    return forms[turn % len(forms)]


def _join_words(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
