"""The rules of a game in our own words, made from the data of its variant and the options in force."""

from __future__ import annotations

from collections.abc import Iterator

from fullprime.messages import Message, format_decimal, label
from fullprime.rules.position import HAND
from fullprime.rules.score import Settings
from fullprime.rules.variants.variant import Backgammon, FollowUp, HitLicence, OpeningDice, Settlement, Variant

_STAGES = {
    FollowUp.CHOOSE_DOUBLE: Message(
        "names a double from 1 to 6 and plays it as if it had been thrown // the player does"
    ),
    FollowUp.COMPLEMENT: Message(
        "plays the double of the opposite faces (7 minus the number) four times // the player does"
    ),
    FollowUp.ROLL_AGAIN: Message("throws again, which is a new turn // the player does"),
}
_IN_SHORT = {
    FollowUp.CHOOSE_DOUBLE: Message("name any double and play it"),
    FollowUp.COMPLEMENT: Message("play the double of the opposite faces"),
    FollowUp.ROLL_AGAIN: Message("throw again"),
}


def rulebook(settings: Settings) -> Message:
    """The rules as paragraphs of one line, each under a heading, and a list of the options that are set.

    The caller breaks the lines, because only it knows the width.
    """
    text = [Message.join_all(", ", [label(settings.variant.title), describe_length(settings)])]
    for title, sentences in sections(settings):
        text.append(Message.join_all("\n  ", [title, Message.join_all(" ", sentences)]))
    options = Message.join_all("\n  ", [Message("Options in force"), *options_in_force(settings)])
    return Message.join_all("\n\n", [*text, options])


def sections(settings: Settings) -> list[tuple[Message, list[Message]]]:
    """The rules as headings, each with its sentences."""
    variant = settings.variant
    parts = [
        (Message("The game"), _game(variant)),
        (Message("Beginning"), _beginning(settings)),
        (Message("Moving"), _moving(variant)),
        (Message("Hitting and entering"), _hitting(variant)),
        (Message("Special rolls"), _special(variant)),
        (Message("Bearing off"), _bearing_off(variant)),
        (Message("What a game is worth"), _explain_worth(settings)),
        (Message("The cube"), _cube(settings)),
        (Message("The match") if settings.is_match else Message("Money play"), _match(settings)),
    ]
    return [(title, sentences) for title, sentences in parts if sentences]


def list_reminders(variant: Variant) -> dict[str, Message]:
    """The special rules of a game for the board, a short sentence each, because a phone held sideways has three lines.

    The keys are ``licence``, ``acey_deucey`` and ``double``, as far as the game has these rules.
    """
    lines = {}
    if variant.hit_licence is HitLicence.PERMANENT:
        lines["licence"] = Message("Bring a checker home first.")
    elif variant.hit_licence is HitLicence.CURRENT:
        lines["licence"] = Message("It needs a checker at home or borne off.")
    for name, stages in _gains(variant):
        gains = _one_after_another([_IN_SHORT[stage] for stage in stages])
        if name == "double":
            lines[name] = Message("A double gives more: play all of it, then {gains}.", gains=gains)
        else:
            lines[name] = Message("A 2-1 gives more: play all of it, then {gains}.", gains=gains)
    return lines


def describe_length(settings: Settings) -> Message:
    """The length or the stake, in a few words: ``a match to 5 points``, ``money, 1 a point, Jacoby, beavers``."""
    if settings.is_match:
        parts = [Message.by_number(settings.length, "a match to {n} point", "a match to {n} points")]
        if settings.cube and not settings.crawford and settings.length > 1:
            parts.append(Message("no Crawford rule"))
    else:
        parts = [Message("money, {stake}", stake=stake_words(settings))]
        parts += [Message("Jacoby")] if settings.jacoby else []
        parts += [Message("beavers")] if settings.beavers else []
        parts += [Message("raccoons")] if settings.raccoons else []
        if settings.automatic_doubles is None:
            parts.append(Message("every opening tie doubles the stake"))
        elif settings.automatic_doubles:
            parts.append(Message("up to {count} automatic doubles", count=settings.automatic_doubles))
    if settings.variant.cube and not settings.cube:
        parts.append(Message("no cube"))
    if settings.cube_cap is not None:
        parts.append(Message("cube up to {limit}", limit=settings.cube_cap))
    return parts[0] if len(parts) == 1 else Message.join_all(", ", parts)


def stake_words(settings: Settings) -> Message:
    """The stakes of money games: ``5 a point (a gammon 10, a backgammon 15)``, ``1 a checker``."""
    stake = settings.stake
    if settings.variant.settlement is not Settlement.GAMES:
        return Message("{stake} a checker", stake=format_decimal(str(stake)))
    if stake == 1:
        return Message("{stake} a point", stake=format_decimal(str(stake)))
    sums = {name: format_decimal(str(times * stake)) for times, name in enumerate(("stake", "gammon", "backgammon"), 1)}
    return Message("{stake} a point (a gammon {gammon}, a backgammon {backgammon})", **sums)


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


def _game(variant: Variant) -> list[Message]:
    return [
        Message(
            "Two sides with {count} checkers each move round the 24 points in opposite directions.",
            count=variant.checkers,
        ),
        Message("Each counts the points for itself, from 24, the farthest, to 1; points 1 to 6 are its home board."),
        Message("Who first bears off every checker wins."),
    ]


def _beginning(settings: Settings) -> list[Message]:
    variant = settings.variant
    if variant.has_hand:
        count = variant.start[HAND]
        places = Message("All {count} checkers of both sides start in hand, off the board.", count=count)
    else:
        stacks = [
            Message("{count} on {point}", count=count, point=slot)
            for slot, count in reversed(list(enumerate(variant.start)))
            if count
        ]
        places = Message("Each side starts with {stacks}.", stacks=Message.join_all(", ", stacks))
    first = Message("Each side throws one die; the higher throws both dice and begins.")
    if variant.opening_dice is OpeningDice.PLAY:
        first = Message("Each side throws one die; the higher begins with those two numbers.")
    tie = Message("A tie is thrown again.")
    if settings.automatic_doubles is None:
        tie = Message("A tie is thrown again, and each one doubles the stake; the cube stays in the middle.")
    elif settings.automatic_doubles:
        tie = Message(
            "A tie is thrown again, and the first {count} of a game double the stake; the cube stays in the middle.",
            count=settings.automatic_doubles,
        )
    sentences = [places, first, tie]
    if variant.reroll_opening_acey_deucey:
        sentences.append(Message("A 2-1 does not count in the opening and is thrown again."))
    return sentences


def _moving(variant: Variant) -> list[Message]:
    sentences = [
        Message("Each die moves one checker down by its number; a double is played four times."),
        Message("One checker may play several dice if it can land on every point between."),
        Message("A point with two or more checkers of the opponent is blocked."),
        Message("As many dice as possible must be played; if only one of two can be, it must be the larger."),
    ]
    if variant.enter_all_first:
        sentences.append(Message("No checker on the board moves while the side has one in hand."))
    return sentences


def _hitting(variant: Variant) -> list[Message]:
    sentences = [Message("A single checker of the opponent on a point is hit by landing there, and goes to the bar.")]
    if variant.hit_licence is not HitLicence.FREE:
        sentences.append(_licence(variant))
        if variant.hit_licence is HitLicence.PERMANENT:
            sentences.append(
                Message("The right stays for the rest of the game. Until then a single checker blocks its point.")
            )
        else:
            sentences.append(
                Message("The right is lost with that checker. Without it a single checker blocks its point.")
            )
    if variant.has_hand:
        sentences.append(
            Message(
                "A checker on the bar or in hand enters with a die n on the point 25 \N{MINUS SIGN} n, if that is open."
            )
        )
    else:
        sentences.append(
            Message("A checker on the bar enters with a die n on the point 25 \N{MINUS SIGN} n, if that is open.")
        )
    if variant.bar_priority:
        sentences.append(Message("While a checker is on the bar, no other checker of that side moves."))
    else:
        sentences.append(Message("Other checkers may move while some are on the bar."))
    return sentences


def _licence(variant: Variant) -> Message:
    """The rule about the right to hit, where a side must earn it."""
    until = Message("A side may hit only once one of its checkers is home or off ({itself}).", itself=_itself(variant))
    if variant.hit_licence is HitLicence.PERMANENT:
        return Message(
            "A side may hit only once one of its checkers has been moved into its home board ({itself}).",
            itself=_itself(variant),
        )
    return until


def _itself(variant: Variant) -> Message:
    if variant.entering_move_may_hit:
        return Message("that very move may hit")
    return Message("that very move may not hit yet")


def _gains(variant: Variant) -> Iterator[tuple[str, tuple[FollowUp, ...]]]:
    """The rolls that give more, by name, and what they give."""
    for name, stages in (("acey_deucey", variant.after_acey_deucey), ("double", variant.after_double)):
        if stages:
            yield name, stages


def _one_after_another(parts: list[Message]) -> Message:
    sentence = parts[0]
    for part in parts[1:]:
        sentence = Message("{first}, then {second}", first=sentence, second=part)
    return sentence


def _special(variant: Variant) -> list[Message]:
    sentences = []
    for name, stages in _gains(variant):
        gains = _one_after_another([_STAGES[stage] for stage in stages])
        if name == "double":
            sentences.append(Message("After a double that is played in full, the player {gains}.", gains=gains))
        else:
            sentences.append(Message("After a 2-1 that is played in full, the player {gains}.", gains=gains))
    if sentences:
        sentences.append(Message("A stage that cannot be played completely ends the turn."))
    if variant.acey_deucey_doubles_stake:
        sentences.append(Message("Every 2-1 thrown, by either side, doubles the stake."))
    return sentences


def _bearing_off(variant: Variant) -> list[Message]:
    sentences = [
        Message("With every checker home, a die takes one off from its own point; bearing off is never compulsory.")
    ]
    if variant.exact_bearoff:
        sentences.append(Message("Only the exact number bears a checker off."))
    else:
        sentences.append(Message("A die higher than every checker takes one off from the highest point."))
    return sentences


def _explain_worth(settings: Settings) -> list[Message]:
    settlement = settings.variant.settlement
    if settlement is Settlement.CHECKERS:
        return [Message("The loser pays for every checker not borne off, wherever it is.")]
    if settlement is Settlement.CHECKERS_ON_BOARD:
        return [Message("The loser pays for every checker that stands on a point.")]
    sentences = [Message("A game counts 1; a gammon, in which the loser has borne off nothing, 2.")]
    behind = Message("on the bar or in hand") if settings.variant.has_hand else Message("on the bar")
    sentences += {
        Backgammon.HOME_OR_BAR: [
            Message(
                "It is a backgammon, 3, if the loser also has a checker in the winner's home or {behind}.",
                behind=behind,
            )
        ],
        Backgammon.BAR_ONLY: [
            Message("It is a backgammon, 3, if the loser also has a checker {behind}.", behind=behind)
        ],
        Backgammon.BAR_FOUR: [
            Message(
                "With a checker in the winner's home it is a backgammon, 3; with one {behind} it counts 4.",
                behind=behind,
            )
        ],
    }[settings.backgammon]
    if settings.jacoby:
        sentences.append(
            Message("Jacoby: gammons and backgammons count 1 unless the cube has been turned in that game.")
        )
    sentences.append(Message("All this times the cube. A side may resign any of them; the other may refuse."))
    return sentences


def _cube(settings: Settings) -> list[Message]:
    if not settings.cube:
        return [Message("There is no doubling cube.")]
    if settings.length == 1:
        return [Message("A match to one point is played without the cube.")]
    sentences = [
        Message(
            "Before throwing, the side on roll may double; the other drops, losing the cube's old value, or takes"
            " and owns the cube: only the owner may double again."
        ),
        Message("The first throw of a game cannot be doubled."),
    ]
    if settings.cube_cap is not None:
        sentences.append(Message("The cube goes no higher than {limit}.", limit=settings.cube_cap))
    if settings.beavers:
        sentences.append(Message("Beaver: a player who is doubled may at once double again and keep the cube."))
    if settings.raccoons:
        sentences.append(
            Message("Raccoon: the doubler may answer a beaver by doubling once more; the beaverer keeps the cube.")
        )
    return sentences


def _match(settings: Settings) -> list[Message]:
    if not settings.is_match:
        stake = stake_words(settings)
        if settings.cube:
            return [Message("Every game stands for itself and is played for {stake}, times the cube.", stake=stake)]
        return [Message("Every game stands for itself and is played for {stake}.", stake=stake)]
    length = settings.length
    sentences = [
        Message.by_number(length, "Who first has {n} point wins the match.", "Who first has {n} points wins the match.")
    ]
    if settings.cube and settings.crawford and length > 1:
        sentences.append(
            Message("Crawford rule: the first game in which a side is one point away is played without the cube.")
        )
    return sentences
