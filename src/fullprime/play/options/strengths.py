"""The strength of each bot: its words, and its PR as measured in docs/engine.md."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.rules.errors import SettingsError

MEASURED_PR = {
    "random": 137.9,
    "heuristic": 18.4,
    "beginner": 19.0,
    "casual": 14.6,
    "intermediate": 11.7,
    "advanced": 8.9,
    "seasoned": 7.0,
    "expert": 4.90,
    "master": 3.41,
    "champion": 2.54,
    "fast": 2.08,
    "0-ply": 1.34,
    "1-ply": 0.94,
    "2-ply": 1.00,
    "3-ply": 0.95,
}
"""PR at backgammon, 500 times the mean loss of a decision. Bots that play by rules and levels that misjudge were
measured over whole reviewed games, the others over rolled-out decisions, which are harder. A test compares it with
docs/engine.md."""

MEASURED_ERROR = {
    "random": 7.2,
    "heuristic": 3.7,
    "beginner": 0.7,
    "casual": 0.7,
    "intermediate": 0.5,
    "advanced": 0.4,
    "seasoned": 0.3,
    "expert": 0.2,
    "master": 0.2,
    "champion": 0.1,
    "0-ply": 0.14,
    "1-ply": 0.12,
    "2-ply": 0.14,
    "3-ply": 0.13,
}
"""One standard error of each PR, from the same table."""

MEASURED_MS = {"0-ply": 0.113, "1-ply": 2.29, "2-ply": 20.4, "3-ply": 223.0}
"""The median time of a play in milliseconds, from docs/engine.md; a test compares them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisLevel:
    """A level at which the engine analyses."""

    level: str
    """The name by which it is asked for."""
    about: str
    """How it looks, in words."""
    pr: float | None
    """Its PR at backgammon, as measured; None where it was not."""
    error: float | None
    """One standard error of that."""
    ms: float | None
    """Milliseconds that a play takes, the median on the machine that measured it."""


def analysis_levels() -> list[AnalysisLevel]:
    """The levels of the analysis board, the quickest first."""
    from fullprime.engine.search.levels import LEVELS

    return [
        AnalysisLevel(
            level=name, about=LEVELS[name].about, pr=MEASURED_PR.get(name), error=MEASURED_ERROR.get(name), ms=ms
        )
        for name, ms in MEASURED_MS.items()
    ]


_WORDS = {"random": "any legal play, never doubles", "heuristic": "rules set by hand, no net; ready at once"}


@dataclass(frozen=True, slots=True)
class BotStrength:
    """A bot by name, its style in words, and its PR at backgammon (None: not measured)."""

    name: str
    about: str
    pr: float | None

    @property
    def text(self) -> str:
        """Strength and words in a line."""
        return self.about if self.pr is None else f"{pr_words(self.pr)}, {self.about}"


def pr_words(pr: float) -> str:
    """A PR as docs/engine.md writes it: ``PR 14.3``, ``PR 0.90``."""
    return f"PR {pr:.1f}" if pr >= 5 else f"PR {pr:.2f}"


def bot_strengths() -> tuple[BotStrength, ...]:
    """Every bot, those made of rules first, then the levels in their order."""
    from fullprime.engine.bots.bots import BOTS
    from fullprime.engine.search.levels import LEVELS

    return tuple(
        BotStrength(name, LEVELS[name].about if name in LEVELS else _WORDS[name], MEASURED_PR.get(name))
        for name in BOTS
    )


def check_bot(name: str) -> str:
    """The name of a bot as it is registered; raises SettingsError, which lists all bots with their PR."""
    strengths = {strength.name: strength for strength in bot_strengths()}
    key = name.strip().lower()
    if key not in strengths:
        names = (
            strength.name if strength.pr is None else f"{strength.name} ({pr_words(strength.pr)})"
            for strength in strengths.values()
        )
        raise SettingsError(f"there is no bot {name[:40]!r}; there are {', '.join(names)}")
    return key
