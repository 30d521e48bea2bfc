"""The PR of the levels as opponents: whole games of each against itself, reviewed.

    python benchmarks/opponents.py [--level NAME ...] [--bot NAME ...] [--games N] [--review fast|standard|deep]
        [--noise X ...] [--variant NAME] [--seed S] [--keep FILE]

Games for money, with the cube, without Jacoby's rule; their dice depend on the seed and on the number of the game
alone. PR is counted as in every review (docs/review.md), over both players; ± is one standard error over games. Its
parts are those of the plays, the doubles and the answers, and of the stages of a game. ``--noise`` tries other
misjudgements with each level. With ``--keep`` the sums of every game are kept in a file as soon as it is judged, one
JSON object a line: games that stand there are not played again. Levels take turns, ten games each. ``--bot`` is for the
bots made of rules, ``random`` and ``heuristic``.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fullprime.engine import shared
from fullprime.engine.bots.bots import BOTS, NamedBot, bot_named
from fullprime.engine.bots.engine_bot import EngineBot
from fullprime.engine.search.levels import LEVELS, Level, level_named
from fullprime.reviews.rating import PR_FACTOR
from fullprime.reviews.review import review
from fullprime.rules import actions as acts
from fullprime.rules.dice import Roll, SeededDice
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import Variant, variant_named

EVERY = 10
Parts = dict[str, tuple[float, int]]
"""What was lost, and in how many decisions that count, by part."""


def game_of(bot: NamedBot, variant: Variant, seed: str) -> Match:
    """One game for money of a bot against itself."""
    dice = SeededDice(seed)
    match = Match(Settings(variant=variant, length=0, jacoby=False), (bot.name, bot.name))
    start = game = match.next_game().game
    events: list[Action] = []
    while not game.is_over:
        action = acts.opening(dice.die(), dice.die()) if game.turn is None else bot.choose(game)
        if action.kind is ActionKind.ROLL:
            action = acts.roll(Roll(dice.die(), dice.die()))
        game = game.act(action)
        events.append(action)
    return Match(match.settings, match.names, (GameRecord(start, tuple(events)),))


def parts_of(bot: NamedBot, variant: Variant, depth: str, seed: str) -> Parts:
    """What both players lost in one game."""
    judged = review(game_of(bot, variant, seed), shared.engine_for(variant), depth)
    parts: Parts = {}
    for decision in judged.decisions:
        if decision.counts:
            for name in ("all", str(decision.kind), str(decision.stage)):
                lost, counted = parts.get(name, (0.0, 0))
                parts[name] = (lost + decision.loss, counted + 1)
    return parts


@dataclass(frozen=True)
class Question:
    """What is measured: a level, one with another misjudgement, or the name of a bot made of rules."""

    level: Level | str
    variant: Variant
    depth: str
    seed: str

    @property
    def name(self) -> str:
        """All that the sums of a game depend on, but for its number."""
        who = self.level if isinstance(self.level, str) else f"{self.level.name} {self.level.noise:g}"
        return f"{who}, {self.variant.name}, {self.depth}, {self.seed}"

    def parts(self, number: int) -> Parts:
        """What both players lost in the game of that number."""
        seed = f"{self.seed}:{number}"
        bot = bot_named(self.level, seed) if isinstance(self.level, str) else EngineBot(self.level)
        return parts_of(bot, self.variant, self.depth, seed)


def kept(path: Path | None) -> dict[tuple[str, int], Parts]:
    """The games in a file; a line that was cut off is passed over."""
    games: dict[tuple[str, int], Parts] = {}
    for text in path.read_text().splitlines() if path is not None and path.exists() else ():
        if text.endswith("}"):
            line = json.loads(text)
            games[line["of"], line["game"]] = {name: (lost, count) for name, (lost, count) in line["parts"].items()}
    return games


def measured(questions: list[Question], games: int, path: Path | None) -> Iterator[tuple[Question, list[Parts]]]:
    """Every question with all its games so far, after every ten of them."""
    stored = kept(path)
    for start in range(0, games, EVERY):
        for question in questions:
            for number in range(start, min(games, start + EVERY)):
                if (question.name, number) not in stored:
                    stored[question.name, number] = parts = question.parts(number)
                    if path is not None:
                        with path.open("a") as file:
                            file.write(json.dumps({"of": question.name, "game": number, "parts": parts}) + "\n")
                            file.flush()
                            os.fsync(file.fileno())
            yield question, [stored[question.name, number] for number in range(min(games, start + EVERY))]


def figures(games: list[Parts], part: str) -> tuple[float, float, int]:
    """The PR of a part, its standard error (of a ratio, over games), and the decisions that count."""
    pairs = np.array([game.get(part, (0.0, 0)) for game in games])
    lost, counted = pairs[:, 0], pairs[:, 1]
    total = counted.sum()
    if not total:
        return 0.0, 0.0, 0
    pr = PR_FACTOR * lost.sum() / total
    return pr, float(np.sqrt(((PR_FACTOR * lost - pr * counted) ** 2).sum()) / total), int(total)


def told(question: Question, games: list[Parts]) -> str:
    """A line about a question."""
    names = sorted({name for game in games for name in game})
    parts = (
        f"{name} {pr:.2f} ± {error:.2f} ({count})" for name in names for pr, error, count in [figures(games, name)]
    )
    return f"{question.name}, {len(games)} games: {', '.join(parts)}"


def main() -> None:
    """Print a line for every ten games of each level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", action="append", default=[])
    parser.add_argument("--bot", action="append", default=[], choices=[name for name in BOTS if name not in LEVELS])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--review", default="standard")
    parser.add_argument("--noise", type=float, action="append", default=[])
    parser.add_argument("--variant", default="backgammon")
    parser.add_argument("--seed", default="opponents")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    usual = [] if options.bot else [name for name, level in LEVELS.items() if level.noise]
    levels = [level_named(name) for name in options.level or usual]
    if options.noise:
        levels = [replace(level, noise=noise) for level in levels for noise in options.noise]
    variant = variant_named(options.variant)
    questions = [Question(player, variant, options.review, options.seed) for player in (*levels, *options.bot)]
    for question, games in measured(questions, options.games, options.keep):
        print(told(question, games), flush=True)


if __name__ == "__main__":
    main()
