"""Opponents: the bots that play a game, those of them that have a name and a face, and the usual one of all faces."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.messages import Message, format_decimal
from fullprime.play.options.strengths import MEASURED_ERROR, MEASURED_PR, bot_strengths, pr_words

READY_BOT, SIMPLE_BOT = "beginner", "heuristic"
"""The usual bot of a player who chose none: the gentlest level of the engine, or, until that is compiled, the bot that
plays by rules."""


@dataclass(frozen=True, slots=True)
class Character:
    """An opponent as people meet it: the name at the board, the level that plays, and a sentence about its style."""

    name: str
    bot: str
    about: str


CHARACTERS = (
    Character("Mia", "beginner", "Knows the rules and little more: good company for your first games."),
    Character("Pippa", SIMPLE_BOT, "Counts every pip and goes by rules of thumb: good in a race, less so at the cube."),
    Character("Otto", "casual", "Plays now and then, and likes to take a risk without seeing it."),
    Character("Nora", "intermediate", "Plays at the club every week: punishes what lies about, and errs herself."),
    Character("Emil", "advanced", "Has read the books: makes his points, and times his doubles well."),
    Character("Hugo", "seasoned", "Among the best of his club for years: gives little away."),
    Character("Ida", "expert", "Plays tournaments: few errors, and none of them large."),
    Character("Theo", "master", "Wins tournaments: makes few errors, and punishes yours."),
    Character("Vera", "champion", "Plays like the best people: her errors are few and small."),
    Character("Atlas", "2-ply", "Looks two plies ahead in every position: to learn from, not to beat."),
)
"""The opponents with a name, the gentlest first. Each plays with all that its level knows of a game, and no more.

``beginner`` stands before ``heuristic``, because its PR is higher and newcomers should meet it first.
"""
_FACES = {entry.bot: f"/static/parts/faces/{entry.name.lower()}.svg" for entry in CHARACTERS}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentChoice:
    """A bot as a page offers it."""

    bot: str
    """The name by which a game is asked for."""
    name: str
    """Its name at the board; that of the bot where it has no other."""
    about: str
    """Its style in a sentence."""
    strength: str
    """Its strength in words, with the PR where that was measured (at backgammon)."""
    pr: float | None
    """500 times the mean loss of its decisions at backgammon; null where it was not measured."""
    error: float | None
    """One standard error of the PR; null where that was not measured."""
    face: str | None
    """The address of its picture; null for an engine level without a face."""
    ready: bool
    """True if it plays at once; false for a level whose engine is still being compiled for this machine."""


def opponents() -> list[OpponentChoice]:
    """Every bot: those with a face first, the gentlest of them at the head, then the levels of the engine."""
    from fullprime.engine import warmup
    from fullprime.engine.search.levels import LEVELS

    compiled = warmup.is_prepared()
    strengths = {entry.name: entry for entry in bot_strengths()}
    characters = {entry.bot: entry for entry in CHARACTERS}
    return [
        OpponentChoice(
            bot=bot,
            name=characters[bot].name if bot in characters else bot,
            about=characters[bot].about if bot in characters else _sentence(strengths[bot].about),
            strength=strength_words(bot),
            pr=MEASURED_PR.get(bot),
            error=MEASURED_ERROR.get(bot),
            face=face_of(bot),
            ready=compiled or bot not in LEVELS,
        )
        for bot in (*characters, *(entry for entry in strengths if entry not in characters))
    ]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def strength_words(bot: str) -> str:
    """The strength of a bot as measured: ``Plays like a PR of 9.7 ± 0.4``; in words where nothing was measured."""
    if bot not in MEASURED_PR:
        return Message("Its strength has not been measured")
    error = MEASURED_ERROR.get(bot)
    shown_error = None if error is None else format_decimal(f"{error:.{2 if MEASURED_PR[bot] < 2 else 1}f}")
    pr = format_decimal(pr_words(MEASURED_PR[bot]).removeprefix("PR "))
    if shown_error is None:
        return Message("Plays like a PR of {pr}", pr=pr)
    return Message("Plays like a PR of {pr} ± {error}", pr=pr, error=shown_error)


def name_of(bot: str) -> str:
    """The name at the board of a bot."""
    return next((entry.name for entry in CHARACTERS if entry.bot == bot), bot)


def face_of(seat: str) -> str | None:
    """The address of the picture of a bot; null for an engine level without a face, and for a person."""
    return _FACES.get(seat)


def bots_for(variant: str) -> tuple[str, ...]:
    """The bots that play a variant: the levels of the engine need nets for it."""
    from fullprime.engine.bots.bots import BOTS
    from fullprime.engine.nets.net import manifest
    from fullprime.engine.search.levels import LEVELS

    return tuple(bot for bot in BOTS if bot not in LEVELS or variant in manifest())


def usual_bot_for(variant: str = "backgammon") -> str:
    """The bot for a player who chose none: a level of the engine where it is compiled and plays that variant."""
    from fullprime.engine import warmup

    return READY_BOT if warmup.is_prepared() and READY_BOT in bots_for(variant) else SIMPLE_BOT
