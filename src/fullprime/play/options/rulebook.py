"""The rules of a game in our own words, with the options in force: a variant's data, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from fullprime.rules.position import HAND
from fullprime.rules.score import Settings
from fullprime.rules.variants.variant import Backgammon, FollowUp, HitLicence, OpeningDice, Settlement, Variant

_STAGES = {
    FollowUp.CHOOSE_DOUBLE: "names a double from 1 to 6 and plays it as if it had been thrown",
    FollowUp.COMPLEMENT: "plays the double of the opposite faces (7 minus the number) four times",
    FollowUp.ROLL_AGAIN: "throws again, which is a new turn",
}
_IN_SHORT = {
    FollowUp.CHOOSE_DOUBLE: "name any double and play it",
    FollowUp.COMPLEMENT: "play the double of the opposite faces",
    FollowUp.ROLL_AGAIN: "throw again",
}


def rulebook(settings: Settings) -> str:
    """The rules as paragraphs of one line, each under a heading, and a list of the options that are set.

    The page that shows them breaks the lines: only the page knows its width.
    """
    text = [f"{settings.variant.title}, {in_short(settings)}"]
    text += [f"{title}\n  {' '.join(sentences)}" for title, sentences in sections(settings)]
    return "\n\n".join([*text, "Options in force\n  " + "\n  ".join(options_in_force(settings))])


def sections(settings: Settings) -> list[tuple[str, list[str]]]:
    """The rules as headings, each with its sentences."""
    variant = settings.variant
    parts = [
        ("The game", _game(variant)),
        ("Beginning", _beginning(settings)),
        ("Moving", _moving(variant)),
        ("Hitting and entering", _hitting(variant)),
        ("Special rolls", _special(variant)),
        ("Bearing off", _bearing_off(variant)),
        ("What a game is worth", _worth(settings)),
        ("The cube", _cube(settings)),
        ("The match" if settings.is_match else "Money play", _match(settings)),
    ]
    return [(title, sentences) for title, sentences in parts if sentences]


def bites(variant: Variant) -> dict[str, str]:
    """What is special in a game, in one short sentence each, for the board: a phone held sideways has three lines.

    By ``licence``, ``acey_deucey``, ``double``; only those that the game has.
    """
    found = {}
    if variant.hit_licence is HitLicence.PERMANENT:
        found["licence"] = "Bring a checker home first."
    elif variant.hit_licence is HitLicence.CURRENT:
        found["licence"] = "It needs a checker at home or borne off."
    for name, roll, stages in _gains(variant):
        gains = ", then ".join(_IN_SHORT[stage] for stage in stages)
        found[name] = f"{roll.capitalize()} gives more: play all of it, then {gains}."
    return found


def in_short(settings: Settings) -> str:
    """The length or the stake, in a few words: ``a match to 5 points``, ``money, 1 a point, Jacoby, beavers``."""
    if settings.is_match:
        points = "1 point" if settings.length == 1 else f"{settings.length} points"
        crawford = "" if settings.crawford or settings.length == 1 or not settings.cube else ", no Crawford rule"
        parts = [f"a match to {points}{crawford}"]
    else:
        parts = [f"money, {stake_words(settings)}"]
        parts += ["Jacoby"] if settings.jacoby else []
        parts += ["beavers"] if settings.beavers else []
        parts += ["raccoons"] if settings.raccoons else []
        if settings.automatic_doubles is None:
            parts.append("every opening tie doubles the stake")
        elif settings.automatic_doubles:
            parts.append(f"up to {settings.automatic_doubles} automatic doubles")
    if settings.variant.cube and not settings.cube:
        parts.append("no cube")
    if settings.cube_cap is not None:
        parts.append(f"cube up to {settings.cube_cap}")
    return ", ".join(parts)


def stake_words(settings: Settings) -> str:
    """The stakes of money games: ``5 a point (a gammon 10, a backgammon 15)``, ``1 a checker``."""
    stake = settings.stake
    if settings.variant.settlement is not Settlement.GAMES:
        return f"{stake} a checker"
    if stake == 1:
        return f"{stake} a point"
    return f"{stake} a point (a gammon {2 * stake}, a backgammon {3 * stake})"


def options_in_force(settings: Settings) -> list[str]:
    """``name = value`` for the settings and for every option of the variant."""
    doubles = "unlimited" if settings.automatic_doubles is None else str(settings.automatic_doubles)
    values = {
        "length": str(settings.length) if settings.is_match else "0 (money)",
        "stake": str(settings.stake),
        "cube": _yes(bool(settings.cube)),
        "cube_cap": "none" if settings.cube_cap is None else str(settings.cube_cap),
        "crawford": _yes(settings.crawford),
        "jacoby": _yes(settings.jacoby),
        "beavers": _yes(settings.beavers),
        "raccoons": _yes(settings.raccoons),
        "automatic_doubles": doubles,
        "backgammon": str(settings.backgammon),
        **settings.variant.options,
    }
    return [f"{name} = {value}" for name, value in values.items()]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _game(variant: Variant) -> list[str]:
    return [
        f"Two sides with {variant.checkers} checkers each move round the 24 points in opposite directions.",
        "Each counts the points for itself, from 24, the farthest, to 1; points 1 to 6 are its home board.",
        "Who first bears off every checker wins.",
    ]


def _beginning(settings: Settings) -> list[str]:
    variant = settings.variant
    if variant.has_hand:
        places = f"All {variant.start[HAND]} checkers of both sides start in hand, off the board."
    else:
        stacks = [f"{count} on {slot}" for slot, count in reversed(list(enumerate(variant.start))) if count]
        places = f"Each side starts with {', '.join(stacks)}."
    tie = "A tie is thrown again"
    if settings.automatic_doubles is None:
        tie += ", and each one doubles the stake; the cube stays in the middle"
    elif settings.automatic_doubles:
        tie += f", and the first {settings.automatic_doubles} of a game double the stake; the cube stays in the middle"
    first = (
        "begins with those two numbers" if variant.opening_dice is OpeningDice.PLAY else "throws both dice and begins"
    )
    sentences = [places, f"Each side throws one die; the higher {first}. {tie}."]
    if variant.reroll_opening_acey_deucey:
        sentences.append("A 2-1 does not count in the opening and is thrown again.")
    return sentences


def _moving(variant: Variant) -> list[str]:
    sentences = [
        "Each die moves one checker down by its number; a double is played four times.",
        "One checker may play several dice if it can land on every point between.",
        "A point with two or more checkers of the opponent is blocked.",
        "As many dice as possible must be played; if only one of two can be, it must be the larger.",
    ]
    if variant.enter_all_first:
        sentences.append("No checker on the board moves while the side has one in hand.")
    return sentences


def _hitting(variant: Variant) -> list[str]:
    waiting = "on the bar or in hand" if variant.has_hand else "on the bar"
    sentences = ["A single checker of the opponent on a point is hit by landing there, and goes to the bar."]
    licence = _licence(variant)
    if licence:
        sentences.append(licence)
        if variant.hit_licence is HitLicence.PERMANENT:
            sentences.append("The right stays for the rest of the game. Until then a single checker blocks its point.")
        else:
            sentences.append("The right is lost with that checker. Without it a single checker blocks its point.")
    sentences.append(f"A checker {waiting} enters with a die n on the point 25 \N{MINUS SIGN} n, if that is open.")
    if variant.bar_priority:
        sentences.append("While a checker is on the bar, no other checker of that side moves.")
    else:
        sentences.append("Other checkers may move while some are on the bar.")
    return sentences


def _licence(variant: Variant) -> str:
    """The rule about the right to hit; empty where every checker may hit."""
    if variant.hit_licence is HitLicence.FREE:
        return ""
    until = "has been moved into its home board" if variant.hit_licence is HitLicence.PERMANENT else "is home or off"
    itself = "that very move may hit" if variant.entering_move_may_hit else "that very move may not hit yet"
    return f"A side may hit only once one of its checkers {until} ({itself})."


def _gains(variant: Variant) -> Iterator[tuple[str, str, tuple[FollowUp, ...]]]:
    """The rolls that give more: by name, in words, and what they give."""
    for name, roll, stages in (
        ("acey_deucey", "a 2-1", variant.after_acey_deucey),
        ("double", "a double", variant.after_double),
    ):
        if stages:
            yield name, roll, stages


def _special(variant: Variant) -> list[str]:
    sentences = []
    for _, roll, stages in _gains(variant):
        gains = ", then ".join(_STAGES[stage] for stage in stages)
        sentences.append(f"After {roll} that is played in full, the player {gains}.")
    if sentences:
        sentences.append("A stage that cannot be played completely ends the turn.")
    if variant.acey_deucey_doubles_stake:
        sentences.append("Every 2-1 thrown, by either side, doubles the stake.")
    return sentences


def _bearing_off(variant: Variant) -> list[str]:
    sentences = ["With every checker home, a die takes one off from its own point; bearing off is never compulsory."]
    if variant.exact_bearoff:
        sentences.append("Only the exact number bears a checker off.")
    else:
        sentences.append("A die higher than every checker takes one off from the highest point.")
    return sentences


def _worth(settings: Settings) -> list[str]:
    settlement = settings.variant.settlement
    if settlement is Settlement.CHECKERS:
        return ["The loser pays for every checker not borne off, wherever it is."]
    if settlement is Settlement.CHECKERS_ON_BOARD:
        return ["The loser pays for every checker that stands on a point."]
    sentences = ["A game counts 1; a gammon, in which the loser has borne off nothing, 2."]
    behind = "on the bar or in hand" if settings.variant.has_hand else "on the bar"
    sentences += {
        Backgammon.HOME_OR_BAR: [
            f"It is a backgammon, 3, if the loser also has a checker in the winner's home or {behind}."
        ],
        Backgammon.BAR_ONLY: [f"It is a backgammon, 3, if the loser also has a checker {behind}."],
        Backgammon.BAR_FOUR: [
            f"With a checker in the winner's home it is a backgammon, 3; with one {behind} it counts 4."
        ],
    }[settings.backgammon]
    if settings.jacoby:
        sentences.append("Jacoby: gammons and backgammons count 1 unless the cube has been turned in that game.")
    sentences.append("All this times the cube. A side may resign any of them; the other may refuse.")
    return sentences


def _cube(settings: Settings) -> list[str]:
    if not settings.cube:
        return ["There is no doubling cube."]
    if settings.length == 1:
        return ["A match to one point is played without the cube."]
    sentences = [
        "Before throwing, the side on roll may double; the other drops, losing the cube's old value, or takes",
        "and owns the cube: only the owner may double again. The first throw of a game cannot be doubled.",
    ]
    if settings.cube_cap is not None:
        sentences.append(f"The cube goes no higher than {settings.cube_cap}.")
    if settings.beavers:
        sentences.append("Beaver: a player who is doubled may at once double again and keep the cube.")
    if settings.raccoons:
        sentences.append("Raccoon: the doubler may answer a beaver by doubling once more; the beaverer keeps the cube.")
    return sentences


def _match(settings: Settings) -> list[str]:
    if not settings.is_match:
        times = ", times the cube" if settings.cube else ""
        return [f"Every game stands for itself and is played for {stake_words(settings)}{times}."]
    length = settings.length
    sentences = [f"Who first has {length} point{'s' if length > 1 else ''} wins the match."]
    if settings.cube and settings.crawford and settings.length > 1:
        sentences.append("Crawford rule: the first game in which a side is one point away is played without the cube.")
    return sentences
