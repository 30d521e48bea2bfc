"""The values of options and arguments that take one word of a closed list, for the completion of shells.

They stand here as plain words, because the modules that define them import NumPy and the engine, which take too long
for a Tab. A test holds each list equal to its source.
"""

from __future__ import annotations

VARIANTS = (
    "backgammon", "nackgammon", "hypergammon", "longgammon", "dutch", "acey_deucey", "acey_deucey_european",
)  # fmt: skip
LEVELS = (
    "beginner", "casual", "intermediate", "advanced", "seasoned", "expert", "master", "champion", "fast",
    "0-ply", "1-ply", "2-ply", "3-ply", "roller", "roller+",
)  # fmt: skip
BOTS = ("random", "heuristic", *LEVELS)
REVIEW_LEVELS = ("fast", "standard", "deep")
READ = (
    "xg", "xgp", "ogxm", "bgblitz", "json", "jellyfish", "sgf", "bgroom", "party", "javafibs", "gmd", "snowie", "tmg",
    "sgg", "oldmoves", "mat", "clipboard", "gam", "bgammon",
)  # fmt: skip
WRITTEN = ("xg", "xgp", "ogxm", "json", "sgf", "snowie", "mat", "snowietxt", "text", "csv")
IDS = ("xgid", "gnuid", "ogid", "fibs", "text")
SHELLS = ("bash", "zsh", "fish", "powershell")
SIDES = ("X", "O")
BOOK_SCORES = ("money", "dmp", "gammon-go", "gammon-save", "2-away")
LESSONS = (
    "first-game", "other-rules", "what-a-play-costs", "two-key-points", "blots-and-shots", "cost-of-a-hit", "anchors",
    "primes", "edge-of-the-prime", "running", "holding", "priming", "blitz", "back-game", "opening-moves", "replies",
    "when-to-break", "bearing-in", "bearing-off", "bear-off-contact", "counting-pips", "take-points", "market-losers",
    "too-good", "gammons-and-recubes", "the-score", "nackgammon", "hypergammon", "longgammon", "dutch",
    "dutch-strategy", "acey-deucey", "acey-deucey-strategy", "acey-deucey-european", "money", "matches",
    "the-sample-game", "claims", "history",
)  # fmt: skip
TRAINERS = (
    "pips", "race-cube", "bear-off", "openings", "second-rolls", "ace-point", "shots", "takes", "gammons", "equities",
)  # fmt: skip
ERROR_THEMES = (
    "breaks an anchor too early", "misses an anchor", "breaks a point", "misses a point", "gives up a prime",
    "misses a hit", "hits when it costs too much", "leaves too many shots", "plays too safely", "buries checkers",
    "stacks checkers", "leaves checkers back", "brings too few builders", "leaves too few return shots",
    "clears badly", "runs out of time", "races badly", "other plays", "doubles too late", "misses a cash",
    "doubles too early", "doubles when too good", "takes what is a drop", "drops what is a take",
    "other cube actions", "resignations",
)  # fmt: skip

VALUES: dict[str, tuple[str, ...]] = {
    "--variant": VARIANTS,
    "VARIANT": VARIANTS,
    "--level": LEVELS,
    "--bot": BOTS,
    "--against": BOTS,
    "--from": READ,
    "--to": WRITTEN,
    "--preset": ("tournament", "money", "masters-traditional"),
    "--backgammon": ("home_or_bar", "bar_only", "bar_four"),
    "--on-roll": SIDES,
    "--bottom": SIDES,
    "--numbers": SIDES,
    "--dice": ("random", "manual"),
    "--numbering": ("own", "fixed"),
    "--log": ("debug", "info", "warning", "error"),
    "--mode": ("rated", "day", "streak", "storm"),
    "--marks": ("xg", "gnubg"),
    "--by": ("year", "month", "day", "match"),
    "--crawford-game": ("now", "played"),
    "--stage": ("opening", "middle game", "bear-off against contact", "race", "bear-off"),
    "--verdict": ("ok", "too close to call", "doubtful", "error", "blunder"),
    "--plan": ("race", "running game", "holding game", "priming game", "blitz", "back game"),
    "LESSON": LESSONS,
    "TRAINER": TRAINERS,
    "FIRST": BOTS,
    "SECOND": BOTS,
    "SHELL": SHELLS,
}
"""Values by the option's long name, or by the argument as the usage shows it, wherever it stands."""

VALUES_OF: dict[tuple[str, str], tuple[str, ...]] = {
    ("id", "--to"): IDS,
    ("rollout", "--level"): ("roller", "roller+"),
    ("review", "--level"): REVIEW_LEVELS,
    ("library review", "--level"): REVIEW_LEVELS,
    ("library search", "--level"): REVIEW_LEVELS,
    ("library stats", "--level"): REVIEW_LEVELS,
    ("diagram", "--theme"): ("classic", "dark", "print"),
    ("puzzles solve", "--theme"): (
        "opening", "entering", "attack", "back game", "prime", "bearing in", "bear-off", "race", "holding",
        "middle game",
    ),
    ("library search", "--theme"): ERROR_THEMES,
    ("library search", "--kind"): ("checker play", "double", "take"),
    ("cards add", "--kind"): ("play", "double", "take"),
    ("book show", "--score"): BOOK_SCORES,
    ("book extend", "--score"): BOOK_SCORES,
    ("book reference", "THEME"): (
        "race", "last-rolls", "window", "holding", "blitz", "primes", "containing", "too-good",
    ),
}  # fmt: skip
"""Values of an option or argument of one command, before those above."""


def values_of(path: str, name: str) -> tuple[str, ...]:
    """The values of an option (its long name) or an argument of a command (its path without ``fullprime``)."""
    return VALUES_OF.get((path, name), VALUES.get(name, ()))
