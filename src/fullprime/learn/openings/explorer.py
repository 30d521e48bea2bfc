"""Places of the opening explorer, and their previews for other sites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fullprime.analysis.model import PlayOnBoard, play_on_board
from fullprime.analysis.previews import Preview, of_setup
from fullprime.analysis.setups import AnalysisSetup, board, game_of
from fullprime.learn.opening_book.node import BookNode, NodeKey
from fullprime.learn.opening_book.scores import SCORES, BookScore, scores_of
from fullprime.learn.opening_book.tree import opening_rolls
from fullprime.learn.openings.lines import OpeningLine, book_of, first_play, follow, search_plays
from fullprime.learn.openings.model import NamedChoice, OpeningPlace, OpeningPlay, OpeningRoll
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.position import Position
from fullprime.rules.variants import VARIANTS
from fullprime.rules.variants.variant import Settlement, Variant
from fullprime.rules.words import format_dice, format_signed

if TYPE_CHECKING:
    from fullprime.rules.game import Game

SEARCHED = "Search, 2-ply: the book has no rollout of this yet"


def make_place(game: str, score: str, steps: Sequence[str]) -> OpeningPlace:
    """A place of the explorer. Raises errors of the rules, or BookError, for a line that is not possible."""
    line = follow(game, score, steps)
    variant, key = line.variant, line.question
    here = OpeningPlace(
        game=NamedChoice(variant.name, variant.title),
        score=_to_choice(line.score),
        about=SCORES[line.score_there].about if variant.cube else "",
        games=tuple(NamedChoice(variant.name, variant.title) for variant in VARIANTS.values()),
        scores=tuple(map(_to_choice, scores_of(variant))),
        line=line.steps,
        title=title_of(line),
        board=board(game_at(line)),
        per_checker=variant.settlement is not Settlement.GAMES,
    )
    if key is None:
        return replace(here, rolls=tuple(_rolls(line)))
    node = book_of(variant).find(key)
    if node is None or node.best is None:
        return replace(here, source="search", way=SEARCHED, plays=tuple(_plays_of_search(key, line)))
    return replace(
        here, source="book", way=node.method.text, trials=node.trials, settled=node.is_settled,
        plays=tuple(_plays_of_book(node, line)),
    )  # fmt: skip


def title_of(line: OpeningLine) -> str:
    """A place in words."""
    words = [
        f"{format_dice(map(int, step.key.dice))}: {step.choice.play}"
        for step in line.played_steps
        if step.choice is not None
    ]
    if line.question is not None:
        words.append(f"{format_dice(map(int, line.question.dice))}, to play")
    return ", ".join(words) if words else "The first roll"


def game_at(line: OpeningLine) -> Game:
    """The game at the end of a line; the player on roll is X."""
    return game_of(setup_at(line))


def setup_at(line: OpeningLine) -> AnalysisSetup:
    """The setup of an analysis board at the end of a line."""
    roll = None if line.question is None else line.question.roll
    return setup_of_node(line.variant, line.score_there, line.board, roll)


def setup_of_node(variant: Variant, score: str, position: Position, roll: Roll | None) -> AnalysisSetup:
    """The setup of a position at a score of the book."""
    away = SCORES[score].away
    length = 0 if away is None else max(away)
    points = (0, 0) if away is None else (length - away[0], length - away[1])
    return AnalysisSetup(
        variant=variant.name,
        rules={"length": str(length)} if length else {},
        position=position.text,
        on_roll="X",
        score=points,
        crawford=SCORES[score].crawford if length > 1 and SCORES[score].crawford else None,
        dice=None if roll is None else (roll.high, roll.low),
    )


def preview_of(game: str, score: str, steps: Sequence[str]) -> tuple[Preview, list[tuple[str, str]]]:
    """The preview of a place for other sites, and the address fields of its picture, with the best play as arrows.

    Only the book is used, so that no address makes the engine think.
    """
    line = follow(game, score, steps, ask_engine=False)
    node = None if line.question is None else book_of(line.variant).find(line.question)
    best = None if node is None else node.best
    setup = setup_at(line)
    preview = of_setup(setup, (best.choice.play.split(";", maxsplit=1)[0],) if best is not None else ())
    title = f"{line.variant.title}, {line.score.title.lower()}: {title_of(line)}"
    facts = preview.facts
    if best is not None and node is not None:
        facts = (
            f"Best: {best.choice.play}, {format_signed(best.equity)} ± {best.half:.3f}",
            f"{node.trials} trials",
            *preview.facts
        )  # fmt: skip
    return replace(preview, title=title, facts=facts), address_of(setup, preview.plays)


def address_of(setup: AnalysisSetup, plays: Sequence[str] = ()) -> list[tuple[str, str]]:
    """The fields of an analysis board's address, as ``static/analysis/setup.js`` writes them."""
    fields = [("variant", setup.variant), ("position", setup.position or "")]
    fields += [(f"rule.{name}", value) for name, value in setup.rules.items()]
    if any(setup.score):
        fields.append(("score", "-".join(map(str, setup.score))))
    if setup.crawford:
        fields.append(("crawford", "yes"))
    if setup.dice is not None:
        fields.append(("dice", "".join(map(str, setup.dice))))
    return fields + [("play", play) for play in plays]


# -- inside --------------------------------------------------------------------------------------------------------
def _to_choice(score: BookScore) -> NamedChoice:
    return NamedChoice(score.name, score.title)


def _rolls(line: OpeningLine) -> Iterator[OpeningRoll]:
    book = book_of(line.variant)
    for roll in sorted(ALL_ROLLS, reverse=True) if line.steps else opening_rolls(line.variant):
        node = book.find(NodeKey(line.variant.name, line.score_there, line.board.text, str(roll)))
        if node is None or node.best is None:
            settled = node is not None and len(node.choices) == 1
            yield OpeningRoll(dice=roll, step=str(roll), settled=settled)
            continue
        best, settled = node.best, node.is_settled or len(node.choices) == 1
        yield OpeningRoll(
            dice=roll, step=str(roll), play=best.choice.play, equity=best.equity, half=best.half, trials=node.trials,
            settled=settled,
        )  # fmt: skip


def _plays_of_book(node: BookNode, line: OpeningLine) -> Iterator[OpeningPlay]:
    for estimate in node.estimates:
        play = estimate.choice.play
        yield OpeningPlay(
            rank=estimate.rank,
            play=play,
            step=f"{node.key.dice}:{play}",
            equity=estimate.equity,
            half=estimate.half,
            loss=estimate.loss,
            loss_half=2 * estimate.loss_error if estimate.rank > 1 else None,
            tied=estimate.is_tied and not node.is_settled,
            probabilities=estimate.probabilities,
            drawn=_draw_play(play, node.key, line, estimate.loss),
        )


def _plays_of_search(key: NodeKey, line: OpeningLine) -> Iterator[OpeningPlay]:
    for rank, judged in enumerate(search_plays(key), 1):
        play = judged.choice.play
        yield OpeningPlay(
            rank=rank,
            play=play,
            step=f"{key.dice}:{play}",
            equity=judged.equity,
            loss=judged.loss,
            probabilities=judged.probabilities,
            depth=judged.depth,
            drawn=_draw_play(play, key, line, judged.loss),
        )


def _draw_play(text: str, key: NodeKey, line: OpeningLine, loss: float) -> PlayOnBoard:
    return play_on_board(first_play(text, line.board, key.roll, line.variant).moves, loss)
