"""Plays as text: what is read, what is written, and that reading is the inverse of writing for every legal play."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.errors import FullprimeError, IllegalPlay, NotationError
from fullprime.rules.ids import gnu_position_id
from fullprime.rules.notation import format_play, read_moves, read_play
from fullprime.rules.plays import CheckerMove, Play, legal_plays
from fullprime.rules.position import BAR, HAND, OFF, Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, DUTCH, VARIANTS, Variant

START = BACKGAMMON.starting_position
AFTER_41 = Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:4 9 8:3 6:4 5")


def board(text: str, checkers: int = 15) -> Position:
    return Position.from_text(text, checkers)


def read(text: str, position: Position, roll: str, variant: Variant = BACKGAMMON) -> str:
    return format_play(read_play(text, position, Roll.from_text(roll), variant))


# -- the sample game of source 001 -------------------------------------------------------------------------
def test_the_sample_game_of_source_001() -> None:
    position = START
    played = [("41", "13/9 6/5", "0HPhATDgc/ABMA"), ("44", r"1/5*9* 19/23(2)", "hnPwESDgOXgAbA")]
    for roll, text, position_id in [*played, ("52", "bar/20", "4Dl4QFiGc/ARIA")]:
        position = read_play(text, position, Roll.from_text(roll)).position
        assert gnu_position_id(position) == position_id
    for alternative, position_id in (("12/16(2)", "4HPDESDgOXgAbA"), ("17/21(2)", "mE/wESDgOXgAbA")):
        position = read_play(f"1/5*9* {alternative}", AFTER_41, Roll(4, 4)).position
        assert gnu_position_id(position) == position_id


# -- reading ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "8/5 6/5",
        "6/5 8/5",
        "8-5 6-5",
        "6/5,8/5",
        "6/5, 8/5;",
        " 8/5  6/5 ",
        "8 / 5 6 / 5",
        "31: 8/5 6/5",
        "13: 6/5 8/5",
    ],
)
def test_orders_and_separators(text: str) -> None:
    assert read(text, START, "31") == "8/5 6/5"


@pytest.mark.parametrize(
    "text",
    [
        "24/20*/16* 6/2(2)",
        "24/20* 20/16* 6/2 6/2",
        "6/2(2) 24/16",
        "24/20/16, 6/2(2)",
        "1/5*9* 19/23(2)",
        "1/5/9 19/23 19/23",
    ],
)
def test_the_hits_of_44(text: str) -> None:
    assert read(text, AFTER_41, "44") == "24/20*/16* 6/2(2)"


@pytest.mark.parametrize(
    ("text", "position", "roll", "written"),
    [
        ("25/20 24/22", "bar 24 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "52", "bar/20 24/22"),
        ("BAR/20, 24/22", "bar 24 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "52", "bar/20 24/22"),
        ("24/22 bar/20", "bar 24 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "52", "bar/20 24/22"),
        ("0/5 1/3", "bar 24 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "52", "bar/20 24/22"),
        ("bar/5", "bar:2 24 13:4 8:3 6:5 / 24:2 13:5 8:3 6:3 2:2", "52", "bar/20"),
        ("bar/9", "bar 13:14 / 24:2 13:5 8:3 6:2 2:2", "63", "bar/16"),
        ("bar/5", "bar 13:14 / 24:2 13:5 8:3 6:2 2:2", "55", "bar/5"),
        ("bar/20", "bar:2 24 13:4 8:3 6:5 / 24:2 13:5 8:3 6:3 2:2", "52", "bar/20"),
        ("6/0 5/0", "6:2 5:2 4 / 24:2 13:5", "65", "6/off 5/off"),
        ("6/off 5/OFF", "6:2 5:2 4 / 24:2 13:5", "65", "6/off 5/off"),
        ("19/25 20/off", "6:2 5:2 4 / 24:2 13:5", "65", "6/off 5/off"),
        ("19/off 20/off", "6:2 5:2 4 / 24:2 13:5", "65", "6/off 5/off"),
        ("5/off(2)", "5:2 4 / 24:2 13:5", "65", "5/off(2)"),
        ("2/off", "2 / 24:2 13:5", "21", "2/off"),
        ("2/off 1/off", "2 1 / 22:2 13:5", "65", "2/off 1/off"),
        ("13/7(2)* 8/2(2)", "13:2 8:2 6:11 / 18 13:5 8:3 6:5 23", "66", "13/7*(2) 8/2*(2)"),
        ("13/7*(2) 8/2(2)", "13:2 8:2 6:11 / 18 13:5 8:3 6:5 23", "66", "13/7*(2) 8/2*(2)"),
        ("fan", "bar 13:14 / 6:2 5:2 4:2 3:2 2:2 1:2 13:3", "61", "fan"),
    ],
)
def test_bar_off_and_repeats(text: str, position: str, roll: str, written: str) -> None:
    assert read(text, board(position), roll) == written


@pytest.mark.parametrize(
    "text", ["fan", "FAN", "no play", "Cannot Move", "can't move", "dance", "", "  ", "-", "61: ", "61: no play"]
)
def test_words_for_a_roll_that_cannot_be_played(text: str) -> None:
    closed = board("bar 13:14 / 6:2 5:2 4:2 3:2 2:2 1:2 13:3")
    assert read_play(text, closed, Roll(6, 1)).moves == ()
    with pytest.raises(IllegalPlay, match="6-1 can be played and must be"):
        read_play(text, START, Roll(6, 1))


def test_a_star_decides_between_two_ways() -> None:
    both_open = board("24 / 24 7", 15)
    assert read("24/15", both_open, "63") == "24/15"
    assert read("24/15*", both_open, "63") == "24/18*/15"
    assert read("24/18/15", both_open, "63") == "24/18*/15"
    assert read("24/21/15", both_open, "63") == "24/15"
    assert read("24/15", board("24 / 24 7 4:2", 15), "63") == "24/18*/15"


def test_two_meanings_are_an_error_that_names_them() -> None:
    with pytest.raises(NotationError, match=r"'24/15' could mean 24/18\*/15 or 24/21\*/15"):
        read("24/15", board("24 / 24 7 4"), "63")
    assert read("24/21*/15", board("24 / 24 7 4"), "63") == "24/21*/15"


def test_the_hand() -> None:
    position = board("hand:2 20:13 / hand:14 9")
    assert read("hand/21 hand/20", position, "54", DUTCH) == "hand/21 hand/20"
    assert read("25/21, 25/20", position, "54", DUTCH) == "hand/21 hand/20"
    assert read("bar/20 hand/21", board("bar hand 20:13 / hand:14 9"), "54", DUTCH) == "hand/21 bar/20"
    assert read("hand/16", board("hand:2 20:13 / hand:15"), "54", ACEY_DEUCEY) == "hand/16"


def test_a_licence_earned_by_another_checker_on_the_way() -> None:
    """10/6 earns the right to hit before 18/14* is played, although the text joins the two."""
    position = board("18 12 10:13 / 11 17 1:13")
    moves_made = [CheckerMove(10, 6, 4), CheckerMove(18, 14, 4, True), CheckerMove(14, 10, 4)]
    moves_made.append(CheckerMove(12, 8, 4, True))
    text = format_play(moves_made)
    assert text == "18/14*/6 12/8*"
    assert read(text, position, "44", DUTCH) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("xyz", "'xyz' is not a point"),
        ("13", "13 alone is no move"),
        ("13/", "where does the checker from 13 go"),
        ("/7", "'/' stands where a place should be"),
        ("13//7", "'/' stands where a place should be"),
        ("13/7 *", None),
        ("*13/7", "stands where a place should be"),
        ("13*/7", "the place a checker leaves is not hit"),
        ("26/20", "'26' is not a point"),
        ("130/7", "'130' is not a point"),
        ("13/7(5)", "once to four times"),
        ("13/7(0)", "once to four times"),
        ("13/7(2)(2)", "once to four times"),
        ("13/7(4) 8/2", "at most four moves"),
        ("13/7 1/2", "some moves run upwards"),
        ("off/6", "no checker moves from off"),
        ("6/bar", "no checker moves from 6 to bar"),
        ("6/6", "no checker moves from 6 to 6"),
        ("13/\u0667", "cannot read"),
        ("13.7", "cannot read"),
        ("13/7" * 60, "at most 200 characters"),
        ("65: 13/7", "is a play of 6-5, but the roll is 6-1"),
    ],
)
def test_text_that_is_no_play(text: str, reason: str | None) -> None:
    if reason is None:
        with pytest.raises(IllegalPlay):
            read_play(text, START, Roll(6, 1))
        return
    with pytest.raises(NotationError, match=reason.replace("(", r"\(")):
        read_play(text, START, Roll(6, 1))


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("13/7*(2) bar/24 6/off", ["13/7*", "13/7*", "bar/24", "6/off"]),
        ("24/18/13*", ["24/18", "18/13*"]),
        ("24/13", ["24/13"]),
        ("1/5*9* 19/23(2)", ["24/20*", "20/16*", "6/2", "6/2"]),
        ("bar/4 19/23", ["bar/21", "6/2"]),
        ("bar/4", ["bar/21"]),
        ("21/off", ["4/off"]),
        ("14/8 15/10 6/8", None),
        ("fan", []),
    ],
)
def test_moves_without_a_board(text: str, moves: list[str] | None) -> None:
    if moves is None:
        with pytest.raises(NotationError):
            read_moves(text)
        return
    assert [str(move) for move in read_moves(text)] == moves


# -- writing ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("moves", "written"),
    [
        ([], "fan"),
        ([(6, 5), (8, 5)], "8/5 6/5"),
        ([(24, 18, True), (18, 13)], "24/18*/13"),
        ([(24, 18), (18, 13, True)], "24/13*"),
        ([(24, 18, True), (18, 13, True)], "24/18*/13*"),
        ([(13, 7, True), (13, 7), (8, 2), (8, 2)], "13/7*(2) 8/2(2)"),
        ([(8, 7, True), (13, 7)], "13/7* 8/7"),
        ([(24, 18), (18, 12), (12, 6), (13, 7)], "24/6 13/7"),
        ([(BAR, 24), (6, OFF), (HAND, 20)], "hand/20 bar/24 6/off"),
        ([(3, OFF), (3, OFF)], "3/off(2)"),
    ],
)
def test_the_canonical_form(moves: list[tuple[int, ...]], written: str) -> None:
    moves_made = [CheckerMove(move[0], move[1], 1, hit=len(move) == 3) for move in moves]
    assert format_play(moves_made) == written
    assert format_play(Play(tuple(moves_made), START)) == written


def random_positions(rng: random.Random, variant: Variant) -> Iterator[tuple[Position, Roll, tuple[Play, ...]]]:
    """Positions, rolls and plays of random games."""
    while True:
        position = variant.starting_position
        while not position.is_over:
            roll = rng.choice(ALL_ROLLS)
            plays = legal_plays(position, roll, variant)
            yield position, roll, plays
            position = rng.choice(plays).position


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_legal_play_is_read_as_it_is_written(variant: Variant) -> None:
    rng = random.Random(1)
    source = random_positions(rng, variant)
    for _ in range(40):
        position, roll, plays = next(source)
        for play in plays:
            text = format_play(play)
            play_read = read_play(text, position, roll, variant)
            assert play_read.after == play.after, (text, position, roll)
            assert format_play(play_read) == text


def rendered(play: Play, rng: random.Random) -> str:
    """A play as some program or player might write it: one die at a time, in any order and either numbering."""
    if not play.moves:
        return rng.choice(["fan", "no play", ""])
    separator = rng.choice("/-")
    stars, words, upwards = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.3

    def place(slot: int) -> str:
        if slot == HAND:
            return rng.choice(["hand", "Hand"])
        if words and slot in (BAR, OFF):
            return rng.choice(["bar", "BAR"]) if slot == BAR else rng.choice(["off", "Off"])
        return str(25 - slot if upwards else slot)

    moves = [f"{place(m.source)}{separator}{place(m.target)}{'*' if m.hit and stars else ''}" for m in play.moves]
    rng.shuffle(moves)
    return rng.choice([" ", ", ", "  "]).join(moves)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_way_of_writing_leads_to_the_same_board(variant: Variant) -> None:
    rng = random.Random(2)
    source = random_positions(rng, variant)
    for _ in range(400):
        position, roll, plays = next(source)
        play = rng.choice(plays)
        text = rendered(play, rng)
        assert read_play(text, position, roll, variant).after == play.after, (text, position, roll)


# -- noise ------------------------------------------------------------------------------------------------
NOISE = "0123456789/-*() ,baroffhnd:;\u0663\u00e9"


def check_noise(number: int, seed: int) -> int:
    """Mutated and random plays are refused, or make moves that are a legal play of the roll."""
    rng = random.Random(seed)
    sources = [random_positions(rng, variant) for variant in VARIANTS.values()]
    variants = list(VARIANTS.values())
    accepted = 0
    for n in range(number):
        if n % 10 == 0:
            choice = rng.randrange(len(variants))
            variant = variants[choice]
            position, roll, plays = next(sources[choice])
            boards = {play.after for play in plays}
        if rng.random() < 0.2:
            text = " ".join(f"{rng.randint(0, 26)}/{rng.randint(-1, 25)}" for _ in range(rng.randint(1, 4)))
        else:
            letters = list(rendered(rng.choice(plays), rng) or "fan")
            for _ in range(rng.choice([1, 1, 2, 4])):
                at = rng.randrange(len(letters))
                letters[at] = rng.choice(["", rng.choice(NOISE), letters[at] + rng.choice(NOISE)])
            text = "".join(letters)
        try:
            play = read_play(text, position, roll, variant)
        except FullprimeError as error:
            assert isinstance(error, NotationError | IllegalPlay), (text, position, roll)  # noqa: PT017
            continue
        accepted += 1
        assert play.after in boards, (text, position, roll)
        assert read_play(format_play(play), position, roll, variant).after == play.after, (text, position, roll)
    return accepted


def test_noise_is_refused_or_a_legal_play() -> None:
    assert 50 < check_noise(3_000, seed=1) < 2_500


@pytest.mark.slow
def test_a_hundred_thousand_noisy_plays() -> None:
    assert check_noise(100_000, seed=2) > 2_000


def test_two_moves_are_written_as_the_general_way_writes_them() -> None:
    """Plays of two moves have a way of their own; the general one, written plainly here, is slower."""
    moves = [
        CheckerMove(source, target, 1, hit=hit)
        for source in (26, 25, 24, 8, 5, 3)
        for target in (24, 8, 5, 3, 1, 0)
        for hit in (False, True)
        if target < source and not (hit and target == OFF)
    ]
    for first in moves:
        for second in moves:
            assert format_play([first, second]) == _write_plainly(first, second), (first, second)


def _write_plainly(first: CheckerMove, second: CheckerMove) -> str:
    higher, lower = sorted((first, second), key=lambda move: (move.source, move.target), reverse=True)
    hits = {move.target for move in (first, second) if move.hit}
    if higher.target == lower.source:
        passed = [higher.target] if higher.hit else []
        return _word(higher.source) + "".join(
            f"/{_word(place)}{'*' if place in hits else ''}" for place in (*passed, lower.target)
        )
    texts = []
    for move in (higher, lower):
        star = "*" if move.target in hits else ""
        hits.discard(move.target)  # a hit is marked once
        texts.append(f"{_word(move.source)}/{_word(move.target)}{star}")
    is_repeated = (higher.source, higher.target) == (lower.source, lower.target)
    return f"{texts[0]}(2)" if is_repeated else " ".join(texts)


def _word(place: int) -> str:
    return {BAR: "bar", HAND: "hand", OFF: "off"}.get(place, str(place))
