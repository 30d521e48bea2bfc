"""Places of the opening explorer as JSON values, and as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fullprime.analysis.model import PlayOnBoard, play_on_board
from fullprime.analysis.previews import Preview, of_setup
from fullprime.analysis.setups import DeskSetup, board, game_of
from fullprime.learn.book.node import Node, NodeKey
from fullprime.learn.book.scores import SCORES, BookScore, scores_of
from fullprime.learn.book.tree import opening_rolls
from fullprime.learn.openings.fields import LineStep, NamedChoice, OpeningJson, OpeningPlay, OpeningRoll
from fullprime.learn.openings.lines import Line, book_of, first_play, follow, searched
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.position import Position
from fullprime.rules.variants import VARIANTS
from fullprime.rules.variants.variant import Settlement, Variant
from fullprime.rules.words import signed, thrown

if TYPE_CHECKING:
    from fullprime.rules.game import Game

SEARCHED = "Search, 2-ply: the book has no rollout of this yet"


def place(game: str, score: str, steps: Sequence[str]) -> OpeningJson:
    """A place of the explorer. Raises errors of the rules, or BookError, for a line that cannot be."""
    line = follow(game, score, steps)
    variant, key = line.variant, line.asked
    found: OpeningJson = {
        "game": {"name": variant.name, "title": variant.title},
        "score": {"name": line.score.name, "title": line.score.title},
        "about": SCORES[line.score_there].about if variant.cube else "",
        "games": [{"name": each.name, "title": each.title} for each in VARIANTS.values()],
        "scores": [_named(each) for each in scores_of(variant)],
        "line": [_step(line, number) for number in range(len(line.steps))],
        "title": title_of(line),
        "board": board(game_at(line)),
        "source": "rolls",
        "way": "",
        "trials": None,
        "settled": False,
        "per_checker": variant.settlement is not Settlement.GAMES,
        "rolls": [],
        "plays": [],
    }
    if key is None:
        found["rolls"] = _rolls(line)
        return found
    node = book_of(variant).find(key)
    if node is not None and node.best is not None:
        found |= {"source": "book", "way": node.way.text, "trials": node.trials, "settled": node.is_settled}
        found["plays"] = _of_book(node, line)
    else:
        found |= {"source": "search", "way": SEARCHED}
        found["plays"] = _of_search(key, line)
    return found


def title_of(line: Line) -> str:
    """A place in words."""
    words = [f"{thrown(map(int, step.key.dice))}: {step.choice.play}" for step in line.made if step.choice is not None]
    if line.asked is not None:
        words.append(f"{thrown(map(int, line.asked.dice))}, to play")
    return ", ".join(words) if words else "The first roll"


def game_at(line: Line) -> Game:
    """The game at the end of a line; the player on roll is X."""
    return game_of(setup_at(line))


def setup_at(line: Line) -> DeskSetup:
    """The setup of an analysis board at the end of a line."""
    roll = None if line.asked is None else line.asked.roll
    return setup_of_node(line.variant, line.score_there, line.board, roll)


def setup_of_node(variant: Variant, score: str, position: Position, roll: Roll | None) -> DeskSetup:
    """The setup of a position at a score of the book."""
    away = SCORES[score].away
    length = 0 if away is None else max(away)
    points = (0, 0) if away is None else (length - away[0], length - away[1])
    return DeskSetup(
        variant=variant.name,
        rules={"length": str(length)} if length else {},
        position=position.text,
        on_roll="X",
        score=points,
        crawford=SCORES[score].crawford if length > 1 and SCORES[score].crawford else None,
        dice=None if roll is None else (roll.high, roll.low),
    )


def preview_of(game: str, score: str, steps: Sequence[str]) -> tuple[Preview, list[tuple[str, str]]]:
    """The words that stand for a place elsewhere, and the address fields of its picture: the best play as arrows.

    The book alone is asked: no address makes the engine think.
    """
    line = follow(game, score, steps, ask_engine=False)
    node = None if line.asked is None else book_of(line.variant).find(line.asked)
    best = None if node is None else node.best
    setup = setup_at(line)
    found = of_setup(setup, (best.choice.play.split(";", maxsplit=1)[0],) if best is not None else ())
    title = f"{line.variant.title}, {line.score.title.lower()}: {title_of(line)}"
    facts = found.facts
    if best is not None and node is not None:
        facts = (
            f"Best: {best.choice.play}, {signed(best.equity)} ± {best.half:.3f}", f"{node.trials} trials", *found.facts
        )  # fmt: skip
    return replace(found, title=title, facts=facts), address_of(setup, found.plays)


def address_of(setup: DeskSetup, plays: Sequence[str] = ()) -> list[tuple[str, str]]:
    """The fields of an analysis board's address, as ``static/analysis/setup.js`` writes them."""
    found = [("variant", setup.variant), ("position", setup.position or "")]
    found += [(f"rule.{name}", value) for name, value in setup.rules.items()]
    if any(setup.score):
        found.append(("score", "-".join(map(str, setup.score))))
    if setup.crawford:
        found.append(("crawford", "yes"))
    if setup.dice is not None:
        found.append(("dice", "".join(map(str, setup.dice))))
    return found + [("play", each) for each in plays]


# -- inside --------------------------------------------------------------------------------------------------------
def _named(score: BookScore) -> NamedChoice:
    return {"name": score.name, "title": score.title}


def _step(line: Line, number: int) -> LineStep:
    step = line.steps[number]
    play = None if step.choice is None else step.choice.play
    return {"dice": _dice(step.key.roll), "play": play, "step": step.text}


def _dice(roll: Roll) -> list[int]:
    return [roll.high, roll.low]


def _rolls(line: Line) -> list[OpeningRoll]:
    book = book_of(line.variant)
    rolls = sorted(ALL_ROLLS, reverse=True) if line.steps else opening_rolls(line.variant)
    found: list[OpeningRoll] = []
    for roll in rolls:
        node = book.find(NodeKey(line.variant.name, line.score_there, line.board.text, str(roll)))
        best = None if node is None else node.best
        found.append(
            {
                "dice": _dice(roll),
                "step": str(roll),
                "play": None if best is None else best.choice.play,
                "equity": None if best is None else best.equity,
                "half": None if best is None else best.half,
                "trials": None if node is None or best is None else node.trials,
                "settled": node is not None and (node.is_settled or len(node.choices) == 1),
            }
        )
    return found


def _of_book(node: Node, line: Line) -> list[OpeningPlay]:
    return [
        {
            "rank": each.rank,
            "play": each.choice.play,
            "step": f"{node.key.dice}:{each.choice.play}",
            "equity": each.equity,
            "half": each.half,
            "loss": each.loss,
            "loss_half": 2 * each.loss_error if each.rank > 1 else None,
            "tied": each.is_tied and not node.is_settled,
            "probabilities": list(each.probabilities),
            "depth": None,
            **_drawn(each.choice.play, node.key, line, each.loss),
        }
        for each in node.estimates
    ]


def _of_search(key: NodeKey, line: Line) -> list[OpeningPlay]:
    return [
        {
            "rank": rank,
            "play": each.choice.play,
            "step": f"{key.dice}:{each.choice.play}",
            "equity": each.equity,
            "half": None,
            "loss": each.loss,
            "loss_half": None,
            "tied": False,
            "probabilities": list(each.probabilities),
            "depth": each.depth,
            **_drawn(each.choice.play, key, line, each.loss),
        }
        for rank, each in enumerate(searched(key), 1)
    ]


def _drawn(text: str, key: NodeKey, line: Line, loss: float) -> PlayOnBoard:
    return play_on_board(first_play(text, line.board, key.roll, line.variant).moves, loss)
