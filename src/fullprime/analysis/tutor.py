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
from fullprime.messages import Message, label
from fullprime.reviews.decision import THRESHOLDS, CubeEquities, Decision, Kind, Option, Verdict, stage_of
from fullprime.reviews.explain import Explanation, explanation
from fullprime.rules.errors import FullprimeError, IllegalAction
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import Play

if TYPE_CHECKING:
    from fullprime.engine.cube.action import CubeDecision
    from fullprime.engine.search.results import RankedPlay, Ranking
    from fullprime.rules.position import Position

LEVELS = ("0-ply", "1-ply", "2-ply")
"""The depths to which advice at the board may look."""
USUAL = "1-ply"
SECONDS = 8.0
"""Seconds after which advice is given from the search so far."""
MOST = 8
"""The number of plays shown."""

_CUBE = (Phase.CUBE_DECISION, Phase.DOUBLE_OFFERED)
_DEFINITE = ("roll", "double", "take", "drop")
_XG = THRESHOLDS["xg"]

_kept: dict[tuple[Game, str, Position | None], api.Hint] = {}
_lock = threading.Lock()
_KEPT = 64


class AdviceError(FullprimeError):
    """Advice that cannot be given."""


def advise(game: Game, level: str = USUAL, most: int = MOST) -> TableAdvice:
    """The best choice for the player who must decide. Raises AdviceError, IllegalAction."""
    if game.turn is None:
        raise IllegalAction(Message("there is nothing to decide now"))
    _check_level(level)
    if not api.can_advise(game):
        bot = "heuristic"
        return WordsAdvice(
            level=bot, text=Message("The heuristic bot would: {advice}.", advice=label(api.advice_of_bot(game, bot)))
        )
    if game.phase not in api.DECISIONS or (game.phase in _CUBE and not _has_cube(game)):
        return WordsAdvice(
            level=level, text=Message("The engine would: {advice}.", advice=label(api.advice_of_bot(game, level)))
        )
    advice = _hint(game, level)
    text, short, reasons = advice.text(3), advice.short, explain_hint(game, advice, level)
    if advice.ranking is not None:
        plays = tuple(map(BoardPlay.of, advice.ranking.plays[:most]))
        return PlayAdvice(level=level, text=text, short=short, plays=plays, why=reasons.first, reasons=reasons.reasons)
    if advice.cube is not None:
        return replace(_cube(advice, advice.cube, level, text), why=reasons.first, reasons=reasons.reasons)
    return DoubleAdvice(level=level, text=text, short=short, number=advice.number)


def judge(game: Game, line: str, level: str = USUAL) -> JudgedChoice | None:
    """The loss of a choice, before it is made; None where the engine has nothing to say about it.

    ``line`` is a play, or one of the words roll, double, take and drop. Raises AdviceError, IllegalPlay, NotationError.
    """
    _check_level(level)
    word = line.strip().lower()
    if game.turn is None or not api.can_advise(game):
        return None
    if game.phase is Phase.PLAY and game.dice is not None:
        play = read_play(line, game.position, game.dice, game.settings.variant)
        if len(game.legal_plays) == 1:
            return None
        ranking = _hint(game, level).ranking
        decision = None if ranking is None else _decision_about(game, ranking, play.after, level)
        if ranking is None or decision is None:
            return None
        return replace(_judge(decision, game, level), moves=tuple(map(str, ranking.best.play.moves)))
    if game.phase in _CUBE and word in _DEFINITE and _has_cube(game):
        cube_decision = _hint(game, level).cube
        cube = None if cube_decision is None else _cube_decision(game, cube_decision, word)
        return None if cube is None else _judge(cube, game, level)
    return None


def _judge(decision: Decision, game: Game, level: str) -> JudgedChoice:
    verdict, reasons = decision.verdict(_XG), _explain(decision, game)
    return JudgedChoice(
        choice=decision.played.text,
        best=decision.best.text,
        loss=round(decision.loss, 4),
        verdict=str(verdict),
        blunder=verdict is Verdict.BLUNDER,
        why=reasons.first,
        reasons=reasons.reasons,
        more=tuple(reasons.more),
        level=level,
    )


def why_play(game: Game, best: Play, other: Play, level: str = "1-ply") -> str:
    """One sentence with the reason why a play is better, by the engine's chances and replies; empty where it is not so
    sure: where the engine itself prefers the other play, or knows one of them not.
    """
    from fullprime.engine import shared

    # Both plays are looked at as deeply: the figures of one that search dropped early come from less look-ahead.
    ranking = shared.engine_for(game.settings.variant).rank_plays(game, level=level, played=other.after)
    first, second = (ranking.find(play.after) for play in (best, other))
    if first is None or second is None or first.equity <= second.equity:
        return ""
    return _explain(_decide_between(game, first, second), game).first


def why_hint(game: Game, hint: api.Hint, level: str) -> str:
    """One sentence with the reason for the engine's answer; empty where nothing else would be an error."""
    return explain_hint(game, hint, level).first


def explain_hint(game: Game, hint: api.Hint, level: str) -> Explanation:
    """The reason for the engine's answer; empty where nothing else would be an error."""
    if hint.ranking is not None:
        return _explain_best(game, hint.ranking, level)
    return Explanation() if hint.cube is None else _explain_cube(game, hint.cube)


def _explain_best(game: Game, ranking: Ranking, level: str) -> Explanation:
    """The reason why the best play is better than the first one that is an error; empty where none is."""
    other = next((play for play in ranking.plays if play.loss >= _XG.error), None)
    decision = None if other is None else _decision_about(game, ranking, other.play.after, level)
    return Explanation() if decision is None or decision.loss < _XG.error else _explain(decision, game)


def _explain_cube(game: Game, cube: CubeDecision) -> Explanation:
    """The reason why the best action is better than one that is an error; empty where none is."""
    for word in ("take", "drop") if game.phase is Phase.DOUBLE_OFFERED else ("roll", "double"):
        decision = _cube_decision(game, cube, word)
        if decision is not None and decision.loss >= _XG.error:
            return _explain(decision, game)
    return Explanation()


def _explain(decision: Decision, game: Game) -> Explanation:
    return explanation(_add_replies_and_market(decision, game), game)


def _add_replies_and_market(decision: Decision, game: Game) -> Decision:
    """The decision with what explanations ask of the engine: the replies to a play, the market of a double."""
    from fullprime.engine import shared
    from fullprime.reviews.exchanges import add_exchanges

    return add_exchanges(shared.engine_for(game.settings.variant), decision, game)


def _hint(game: Game, level: str, made: Position | None = None) -> api.Hint:
    """The engine's answer, kept for the next question about the same game; ``made``: as far about the play to there."""
    with _lock:
        advice = _kept.get((game, level, made))
    if advice is None:
        advice = api.hint(game, level, seconds=SECONDS, played=made)
        with _lock:
            _kept[game, level, made] = advice
            while len(_kept) > _KEPT:
                del _kept[next(iter(_kept))]
    return advice


def _check_level(level: str) -> None:
    if level not in LEVELS:
        raise AdviceError(f"there is no advice at {level[:40]!r}; there is at {', '.join(LEVELS)}")


def _has_cube(game: Game) -> bool:
    return bool(game.settings.cube) and game.settings.variant.cube


def _cube(hint: api.Hint, decision: CubeDecision, level: str, text: str) -> CubeAdvice:
    """The table of a cube decision, with the equities and losses of the player who decides."""
    answer = hint.answer
    actions = decision.actions if answer is None else answer.actions
    chances = decision.probabilities if answer is None else answer.probabilities
    return CubeAdvice(
        level=level,
        text=text,
        short=hint.short,
        actions=tuple(AdvisedAction(*row) for row in actions),
        verdict=hint.short,
        cubeless=decision.cubeless if answer is None else -decision.cubeless,
        probabilities=chances,
        depth=decision.depth,
    )


def _decision_about(game: Game, ranking: Ranking, after: Position, level: str) -> Decision | None:
    """The decision between the best play and the one to a position; None where the engine does not know that one."""
    judged = ranking.find(after)
    if judged is not None and judged is not ranking.best:
        # As a review: the play that is judged is looked at as far as the best.
        deeper = _hint(game, level, after).ranking
        ranking, judged = (ranking, None) if deeper is None else (deeper, deeper.find(after))
    return None if judged is None else _decide_between(game, ranking.best, judged)


def _decide_between(game: Game, best: RankedPlay, judged: RankedPlay) -> Decision:
    """The decision for a play beside a better one, or for the best itself."""
    plays = [best] if judged is best else [best, judged]
    options = tuple(_option(play, best) for play in plays)
    return _decision(game, Kind.PLAY, options, len(options) - 1)


def _option(ranked: RankedPlay, best: RankedPlay) -> Option:
    return Option(
        text=format_play(ranked.play),
        equity=ranked.equity,
        loss=max(0.0, best.equity - ranked.equity),
        value=ranked.value,
        depth=ranked.depth,
        chances=ranked.probabilities,
        moves=ranked.play.moves,
    )


def _cube_decision(game: Game, decision: CubeDecision, word: str) -> Decision | None:
    take, drop = decision.double_take, decision.double_drop
    if take is None or drop is None:
        return None
    answering = game.phase is Phase.DOUBLE_OFFERED
    worth = {"roll": decision.no_double, "double": min(take, drop)}
    if answering:
        worth = {"take": -take, "drop": -drop}
        if str(decision.reply) == "beaver" and decision.mere_take is not None:
            worth = {"take": -decision.mere_take, "drop": -drop, "beaver": -take}
    if word not in worth:
        raise IllegalAction(Message("{word} is not possible now", word=word))
    best = max(worth.values())
    ordered = sorted(worth, key=lambda choice: (-worth[choice], choice != word))
    options = tuple(
        Option(choice, worth[choice], best - worth[choice], worth[choice], decision.depth) for choice in ordered
    )
    figures = CubeEquities(decision.no_double, take, drop, decision.verdict, decision.cubeless, decision.probabilities)
    kind = Kind.TAKE if answering else Kind.DOUBLE
    return _decision(game, kind, options, ordered.index(word), figures)


def _decision(
    game: Game, kind: Kind, options: tuple[Option, ...], chosen: int, figures: CubeEquities | None = None
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
