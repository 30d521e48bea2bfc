"""Advice at the board: the best choice now, and the loss of a choice before it is made.

It knows the game on the table and nothing of the dice to come.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from fullprime.analysis.model import (
    AdvisedAction,
    BoardPlay,
    CubeAdvice,
    DoubleAdvice,
    JudgedChoice,
    PlayAdvice,
    TableAdvice,
    WordsAdvice,
)
from fullprime.engine import api
from fullprime.reviews.decision import THRESHOLDS, CubeFigures, Decision, Kind, Option, Verdict, stage_of
from fullprime.reviews.explain import explanation
from fullprime.rules.errors import FullprimeError, IllegalAction
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import Play

if TYPE_CHECKING:
    from fullprime.engine.cube.action import CubeDecision
    from fullprime.engine.search.results import RankedPlay, Ranking

LEVELS = ("0-ply", "1-ply", "2-ply")
"""The depths to which advice at the board may look."""
USUAL = "1-ply"
SECONDS = 8.0
"""Seconds after which advice is given from the search so far."""
MOST = 8
"""So many plays are shown."""

_CUBE = (Phase.CUBE_DECISION, Phase.DOUBLE_OFFERED)
_DEFINITE = ("roll", "double", "take", "drop")
_XG = THRESHOLDS["xg"]

_kept: dict[tuple[Game, str], api.Hint] = {}
_lock = threading.Lock()
_KEPT = 64


class AdviceError(FullprimeError):
    """Advice that cannot be given."""


def advise(game: Game, level: str = USUAL, most: int = MOST) -> TableAdvice:
    """The best choice for the player who must decide. Raises AdviceError, IllegalAction."""
    if game.turn is None:
        raise IllegalAction("there is nothing to decide now")
    _checked(level)
    if not api.can_advise(game):
        bot = "heuristic"
        return WordsAdvice(level=bot, text=f"The heuristic bot would: {api.advice_of_bot(game, bot)}.")
    if game.phase not in api.DECISIONS or (game.phase in _CUBE and not _has_cube(game)):
        return WordsAdvice(level=level, text=f"The engine would: {api.advice_of_bot(game, level)}.")
    found = _hint(game, level)
    text, short = found.text(3), found.short
    if found.ranking is not None:
        plays = tuple(map(BoardPlay.of, found.ranking.plays[:most]))
        return PlayAdvice(level=level, text=text, short=short, plays=plays)
    if found.cube is not None:
        return _cube(found, found.cube, level, text)
    return DoubleAdvice(level=level, text=text, short=short, number=found.number)


def judge(game: Game, line: str, level: str = USUAL) -> JudgedChoice | None:
    """The loss of a choice, before it is made; None where the engine has nothing to say about it.

    ``line`` is a play, or one of the words roll, double, take and drop. Raises AdviceError, IllegalPlay, NotationError.
    """
    _checked(level)
    word = line.strip().lower()
    if game.turn is None or not api.can_advise(game):
        return None
    if game.phase is Phase.PLAY and game.dice is not None:
        play = read_play(line, game.position, game.dice, game.settings.variant)
        if len(game.legal_plays) == 1:
            return None
        ranking = _hint(game, level).ranking
        made = None if ranking is None else ranking.find(play.after)
        if ranking is not None and made is not None and made is not ranking.best:
            # As a review: the play that is judged is looked at as far as the best.
            ranking = api.hint(game, level, seconds=SECONDS, made=play.after).ranking
            made = None if ranking is None else ranking.find(play.after)
        if ranking is None or made is None:
            return None
        decision = _play_decision(game, ranking, made)
        return replace(_judged(decision, game, level), moves=tuple(map(str, ranking.best.play.moves)))
    if game.phase in _CUBE and word in _DEFINITE and _has_cube(game):
        found = _hint(game, level).cube
        cube = None if found is None else _cube_decision(game, found, word)
        return None if cube is None else _judged(cube, game, level)
    return None


def _judged(decision: Decision, game: Game, level: str) -> JudgedChoice:
    verdict, reasons = decision.verdict(_XG), explanation(_looked_into(decision, game), game)
    return JudgedChoice(
        choice=decision.played.text,
        best=decision.best.text,
        loss=round(decision.loss, 4),
        verdict=str(verdict),
        blunder=verdict is Verdict.BLUNDER,
        why=reasons.first,
        more=tuple(reasons.more),
        level=level,
    )


def why_play(game: Game, best: Play, other: Play, level: str = "1-ply") -> str:
    """One sentence with the reason why a play is better, by the engine's chances and replies; empty where it is not so
    sure: where the engine itself prefers the other play, or knows one of them not.
    """
    from fullprime.engine import shared

    # Both looked at as deeply: a play that was left behind early is told by another judgement.
    ranking = shared.engine_for(game.settings.variant).rank_plays(game, level=level, made=other.after)
    pair = [ranking.find(each.after) for each in (best, other)]
    first, second = pair
    if first is None or second is None or first.equity <= second.equity:
        return ""
    options = tuple(map(_option, (first, second)))
    loss = first.equity - second.equity
    decision = _decision(game, Kind.PLAY, (replace(options[0], loss=0.0), replace(options[1], loss=loss)), 1)
    return explanation(_looked_into(decision, game), game).first


def _looked_into(decision: Decision, game: Game) -> Decision:
    """The decision with what explanations ask of the engine: the replies to a play, the market of a double."""
    from fullprime.engine import shared
    from fullprime.reviews.exchanges import with_exchanges

    return with_exchanges(shared.engine_for(game.settings.variant), decision, game)


def _hint(game: Game, level: str) -> api.Hint:
    """The engine's answer, kept for the next question about the same game."""
    with _lock:
        found = _kept.get((game, level))
    if found is None:
        found = api.hint(game, level, seconds=SECONDS)
        with _lock:
            _kept[game, level] = found
            while len(_kept) > _KEPT:
                del _kept[next(iter(_kept))]
    return found


def _checked(level: str) -> None:
    if level not in LEVELS:
        raise AdviceError(f"there is no advice at {level[:40]!r}; there is at {', '.join(LEVELS)}")


def _has_cube(game: Game) -> bool:
    return bool(game.settings.cube) and game.settings.variant.cube


def _cube(hint: api.Hint, found: CubeDecision, level: str, text: str) -> CubeAdvice:
    """The table of a cube decision, with the equities and losses of the player who decides."""
    answer = hint.answer
    actions = _doubling(found) if answer is None else answer.actions
    chances = found.probabilities if answer is None else answer.probabilities
    return CubeAdvice(
        level=level,
        text=text,
        short=hint.short,
        actions=tuple(AdvisedAction(*row) for row in actions),
        verdict=hint.short,
        cubeless=found.cubeless if answer is None else -found.cubeless,
        probabilities=chances,
        depth=found.depth,
    )


def _doubling(found: CubeDecision) -> list[tuple[str, float, float]]:
    """The actions of the player who may double; the loss of doubling stands beside the right answer to it."""
    rows = [("no double", found.no_double, found.cost_of_not_doubling)]
    if found.double_take is not None and found.double_drop is not None:
        cost = found.cost_of_doubling or 0.0
        dropped = str(found.reply) == "drop"
        rows.append(("double, take", found.double_take, 0.0 if dropped else cost))
        rows.append(("double, drop", found.double_drop, cost if dropped else 0.0))
    return rows


def _play_decision(game: Game, ranking: Ranking, made: RankedPlay) -> Decision:
    shown = [ranking.best] if made is ranking.best else [ranking.best, made]
    options = tuple(map(_option, shown))
    return _decision(game, Kind.PLAY, options, len(options) - 1)


def _option(each: RankedPlay) -> Option:
    return Option(
        text=format_play(each.play),
        equity=each.equity,
        loss=each.loss,
        value=each.value,
        depth=each.depth,
        chances=each.probabilities,
        moves=each.play.moves,
    )


def _cube_decision(game: Game, found: CubeDecision, word: str) -> Decision | None:
    take, drop = found.double_take, found.double_drop
    if take is None or drop is None:
        return None
    answering = game.phase is Phase.DOUBLE_OFFERED
    worth = {"roll": found.no_double, "double": min(take, drop)}
    if answering:
        worth = {"take": -take, "drop": -drop}
        if str(found.reply) == "beaver" and found.mere_take is not None:
            worth = {"take": -found.mere_take, "drop": -drop, "beaver": -take}
    if word not in worth:
        raise IllegalAction(f"{word} is not possible now")
    best = max(worth.values())
    ordered = sorted(worth, key=lambda each: (-worth[each], each != word))
    options = tuple(Option(each, worth[each], best - worth[each], worth[each], found.depth) for each in ordered)
    figures = CubeFigures(found.no_double, take, drop, found.verdict, found.cubeless, found.probabilities)
    kind = Kind.TAKE if answering else Kind.DOUBLE
    return _decision(game, kind, options, ordered.index(word), figures)


def _decision(
    game: Game, kind: Kind, options: tuple[Option, ...], chosen: int, figures: CubeFigures | None = None
) -> Decision:
    assert game.turn is not None
    return Decision(
        game=0,
        event=0,
        player=game.turn,
        kind=kind,
        stage=stage_of(game.position, 99),
        options=options,
        chosen=chosen,
        uncertainty=0.0,
        counts=True,
        counts_gnu=True,
        cube=figures,
        dice=game.dice,
    )
