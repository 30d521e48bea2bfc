"""The score card of a match or a session: what both players write down after each game, and the settlement at its end.

The sources ask for it: "Score cards are provided and should be used by both players by keeping a running score" (000).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from textwrap import wrap

from fullprime.messages import Message, format_decimal, label
from fullprime.play.naming import to_messages
from fullprime.rules.game import Game
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Result, Settings

TIMES = "\u00d7"
MOST_BY_HAND, FEWEST_BY_HAND = 24, 4
"""Rows on paper: no more than fit on a sheet, and some even below many finished games."""
USUAL_BY_HAND = 20
"""Rows on paper for money play, which has no fixed length."""
MOST_APART = 12
"""The most players among whom groups that settle by themselves are looked for; twelve have 4,096 subsets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """One finished game on a score card."""

    game: int
    """The number of the game, from 1."""
    winner: Player
    """``X`` or ``O``."""
    words: str
    """How it was won, and how its worth comes about: ``gammon, cube at 2, stake 5: 20``."""
    points: int
    """The points won."""
    score: tuple[int, ...]
    """The running score after it, X's first."""
    note: str
    """``Crawford game`` where it was; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCard:
    """A score card."""

    names: tuple[str, ...]
    """The players, X first."""
    title: str
    """The game, and the length of the match or money play."""
    length: int
    """The points to which the match is played; 0 for money."""
    lines: tuple[ScoreLine, ...]
    """The finished games in order."""
    score: tuple[int, ...]
    """The score now, X's first."""
    next: str
    """What comes next: who has won, or how many points each still needs."""
    stake: str
    """Money play: the worth of a point, as a decimal number."""
    settlement: tuple[str, ...]
    """Who pays whom what, a sentence each; empty for a match."""
    rows: int
    """Empty rows that stand below the games on paper, to be filled in by hand; 0 once the match is over."""


def score_card(match: Match) -> ScoreCard:
    """The card of a match as it stands."""
    settings, names = match.settings, to_messages(match.names)
    lines: list[ScoreLine] = []
    for number, result, points in match.score_sheet:
        record = match.games[number - 1]
        line = ScoreLine(
            game=number,
            winner=result.winner,
            words=worth_words(record.final, result),
            points=result.points,
            score=points,
            note=Message("Crawford game") if record.start.score.crawford_game else "",
        )
        lines.append(line)
    points = match.score.points
    return ScoreCard(
        names=names,
        title=_title(settings),
        length=settings.length,
        lines=tuple(lines),
        score=points,
        next=_next(match),
        stake=str(settings.stake),
        settlement=() if settings.is_match else tuple(settle_points(names, points, settings.stake)),
        rows=_count_by_hand(match),
    )


def _title(settings: Settings) -> Message:
    game = label(settings.variant.title)
    if settings.is_match:
        return Message("{game}, match to {length}", game=game, length=settings.length)
    return Message("{game}, money play", game=game)


def empty_card(settings: Settings, names: tuple[str, str] = ("", "")) -> ScoreCard:
    """A card before the first game, to be filled in by hand; an empty name is filled in, too."""
    return score_card(Match(settings, names))


def worth_words(final: Game, result: Result) -> Message:
    """How a game's worth is counted: ``gammon, cube at 2, stake 5: 20``; for checkers, how often each is paid.

    ``final`` is the game at its end, with its cube and its stake.
    """
    settings = final.settings
    if result.level is None and result.how != "drop":
        checkers = result.points // final.multiplier
        words = Message.by_number(checkers, "{n} checker", "{n} checkers")
        if final.multiplier > 1:
            words = Message.join_all(" ", [words, f"{TIMES} {final.multiplier} = {result.points}"])
    else:
        parts = [_kind(result)]
        parts += [Message("cube at {value}", value=final.cube.value)] if final.cube.value > 1 else []
        parts += [Message("stake doubled to {times}", times=final.multiplier)] if final.multiplier > 1 else []
        words = parts[0] if len(parts) == 1 else Message.join_all(", ", parts)
    if settings.stake != 1:
        facts = {"stake": _format_amount(settings.stake), "sum": _format_amount(settings.stake * result.points)}
        words = Message("{words}, stake {stake}: {sum}", words=words, **facts)
    return words


_LEVELS = {
    1: Message("single game"),
    2: Message("gammon"),
    3: Message("backgammon"),
    4: Message("backgammon on the bar"),
}


def _kind(result: Result) -> Message:
    if result.how == "drop":
        return Message("double dropped")
    level = _LEVELS.get(result.level or 0, Message("game"))
    return Message("{level} by resignation", level=level) if result.how == "resignation" else level


def settle_points(names: tuple[str, ...], points: Sequence[int | Decimal], stake: Decimal) -> list[Message]:
    """Who pays whom at the end of a session, for two players or more: as few payments as the sums need.

    ``points`` are what each has won from the others, in the order of ``names``; one against one the difference counts.
    With a stake of 1 they may be sums of money.

    >>> settle_points(("Ann", "Bob"), (5, 12), Decimal(2))
    ['Ann pays Bob 14 (7 points at 2).']
    """
    if len(names) == 2:
        points = (points[0] - points[1], points[1] - points[0])
    if sum(points):
        raise ValueError(f"what some have won others have lost: {points} do not sum to nothing")
    owed = [-amount for amount in points]
    lines = []
    for group in _apart(owed):
        while any(owed[player] > 0 for player in group):
            payer, taker = max(group, key=lambda player: owed[player]), min(group, key=lambda player: owed[player])
            paid = min(owed[payer], -owed[taker])
            owed[payer] -= paid
            owed[taker] += paid
            facts = {"payer": names[payer], "taker": names[taker], "sum": _format_amount(stake * paid)}
            if stake == 1:
                lines.append(Message("{payer} pays {taker} {sum}.", **facts))
                continue
            points_at = Message.by_number(
                int(paid), "{n} point at {stake}", "{n} points at {stake}", stake=_format_amount(stake)
            )
            lines.append(Message("{payer} pays {taker} {sum} ({points}).", **facts, points=points_at))
    return lines or [Message("Nobody owes anything.")]


def _apart(owed: Sequence[int | Decimal]) -> list[list[int]]:
    """Players in as many groups as can settle among themselves: each such group saves a payment."""
    players = [player for player, amount in enumerate(owed) if amount]
    if len(players) > MOST_APART:
        return [players]
    sums, most, last = list[int | Decimal]([0]), [0], [0]
    for chosen in range(1, 1 << len(players)):
        ways = [at for at in range(len(players)) if chosen >> at & 1]
        at = max(ways, key=lambda at: most[chosen ^ 1 << at])
        sums.append(sums[chosen ^ 1 << at] + owed[players[at]])
        most.append(most[chosen ^ 1 << at] + (not sums[chosen]))
        last.append(at)
    groups, left = list[list[int]](), len(sums) - 1
    while left:
        if not sums[left]:
            groups.append([])
        groups[-1].append(players[last[left]])
        left ^= 1 << last[left]
    return sorted(sorted(group) for group in groups)


def settle_sessions(cards: Iterable[ScoreCard]) -> list[str]:
    """Who pays whom over several sessions of any players, by their names; matches are not for money."""
    sums: dict[str, Decimal] = {}
    for card in cards:
        if card.length:
            continue
        first, second = card.names
        won = Decimal(card.stake) * (card.score[0] - card.score[1])
        sums[first] = sums.get(first, Decimal(0)) + won
        sums[second] = sums.get(second, Decimal(0)) - won
    if not sums:
        return [Message("Nothing was played for money.")]
    return list[str](settle_points(tuple(sums), _balance(list(sums.values())), Decimal(1)))


def _balance(sums: list[Decimal]) -> list[Decimal]:
    """The sums as :func:`settle_points` takes them; for two players their difference counts."""
    return [max(amount, Decimal(0)) for amount in sums] if len(sums) == 2 else sums


def _format_amount(value: Decimal) -> str:
    return format_decimal(f"{value.normalize():f}" if value == value.to_integral_value() else f"{value:f}")


def _next(match: Match) -> str:
    settings, score, names = match.settings, match.score, to_messages(match.names)
    if not settings.is_match:
        count = len(match.score_sheet)
        return Message.by_number(count, "{n} game finished", "{n} games finished")
    if not all(names):
        return ""
    winner = score.match_winner(settings)
    if winner is not None:
        return Message("{name} has won the match", name=names[winner])
    away = [settings.length - amount for amount in score.points]
    return Message("{x} needs {x_away}, {o} needs {o_away}", x=names[0], x_away=away[0], o=names[1], o_away=away[1])


def _count_by_hand(match: Match) -> int:
    settings, games_played = match.settings, len(match.score_sheet)
    if not settings.is_match:
        return max(USUAL_BY_HAND - games_played, FEWEST_BY_HAND)
    if match.score.match_winner(settings) is not None:
        return 0
    points = match.score.points
    return min(2 * settings.length - 1 - sum(points), max(MOST_BY_HAND - games_played, FEWEST_BY_HAND))


# -- shown ----------------------------------------------------------------------------------------------------------
_BLANK = "_" * 14
_WON_BY = 36
_COLUMNS = 80


def card_text(card: ScoreCard) -> str:
    """The card for a terminal: no line is longer than 80 columns.

    Before the first game has ended, the card has rows to be filled in by hand.
    """
    first, second = (name[:14] or _BLANK for name in card.names)
    wide = (max(len(first), 5), max(len(second), 5))
    rows = [card.title, "", f"{'game':>4}  {first:>{wide[0]}}  {second:>{wide[1]}}  won by"]
    for line in card.lines:
        winner = card.names[line.winner][:14]
        note = f" ({line.note})" if line.note else ""
        head = f"{line.game:>4}  {line.score[0]:>{wide[0]}}  {line.score[1]:>{wide[1]}}  "
        words = f"{winner} +{line.points}: {line.words}{note}"
        rows += wrap(words, _COLUMNS, initial_indent=head, subsequent_indent=" " * len(head))
    if not card.lines:
        empty = f"{'_' * wide[0]}  {'_' * wide[1]}  {'_' * _WON_BY}"
        rows += [part for number in range(1, card.rows + 1) for part in ("", f"{number:>4}  {empty}")]
        return "\n".join(rows)
    after = [f"{card.next}.", *card.settlement]
    return "\n".join([*rows, "", *(part for line in after for part in wrap(line, _COLUMNS))])


__all__ = [
    "ScoreCard",
    "ScoreLine",
    "card_text",
    "empty_card",
    "score_card",
    "settle_points",
    "settle_sessions",
    "worth_words",
]
