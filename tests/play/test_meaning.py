"""What a line means before it is done: asked about a choice, one is asked about the choice that is made."""

from __future__ import annotations

import re

import pytest

from fullprime.play.table.seating import new_table
from fullprime.play.table.table import Table
from fullprime.play.table.words import WORDS
from fullprime.rules.errors import FullprimeError
from fullprime.rules.score import Settings

BEFORE = {
    "opening": (),
    "cube": ("52", "24/22 13/8"),
    "offered": ("52", "24/22 13/8", "double"),
    "play": ("31",),
    "begun": ("31", "step 8/5"),
    "resigned": ("52", "resign 2"),
}
"""Lines that lead to each situation: of the opening throw, of a cube, of a play, and of an offer to resign."""
SPOKEN = sorted({form[:n] for word in WORDS.values() for form in (word.name, *word.synonyms) for n in range(1, 12)})
ALSO = [
    "redouble", "pass", "resign g", "res g", "roll 31", "31", "8/5 6/5", "8 5 6 5", "m 8/5 6/5", "play 8/5 6/5",
    "8/5", "step 8/5", "6/5", "13/1", "fan", "nonsense", "double now", "8 5 6",
]  # fmt: skip


def at(situation: str, *, confirm: bool) -> Table:
    table = new_table(Settings(length=5), bot=None, types_dice=True, confirm=confirm)
    for line in BEFORE[situation]:
        table.run_command(line)
    return table


def made(table: Table) -> str:
    return " ".join(map(str, table.moves))


def after(table: Table, line: str) -> object:
    """What a line leads to: the game, the moves of an unfinished play and the words; or that it is refused."""
    try:
        events_told = [(event.kind, event.text) for event in table.run_command(line)]
    except FullprimeError:
        return "refused"
    return table.game, tuple(table.moves), [] if table.moves or "play" in dict(events_told) else events_told


@pytest.mark.parametrize("confirm", [False, True])
@pytest.mark.parametrize("situation", BEFORE)
def test_a_line_means_what_it_does(situation: str, *, confirm: bool) -> None:
    for line in (*SPOKEN, *ALSO):
        table_asked = at(situation, confirm=confirm)
        game, moves = table_asked.game, made(table_asked)
        try:
            means = table_asked.reader.describe(line)
        except FullprimeError as error:
            with pytest.raises(type(error), match=re.escape(str(error))):
                table_asked.run_command(line)
            continue
        assert (table_asked.game, made(table_asked)) == (game, moves), "nothing is done"
        expected = after(at(situation, confirm=confirm), line)
        result = after(table_asked, means)
        if confirm and moves and "/" in means and not means.startswith("step"):
            # A play whose last moves were typed waits for a confirmation, and the whole play is one.
            assert result != "refused"
            continue
        assert result == expected, f"{line!r} means {means!r}"


@pytest.mark.parametrize(
    ("situation", "line", "means"),
    [
        ("cube", "d", "double"),
        ("cube", "redouble", "double"),
        ("offered", "pass", "drop"),
        ("offered", "no", "drop"),
        ("offered", "yes", "take"),
        ("play", "m 8 5 6 5", "8/5 6/5"),
        ("play", "8/5", "step 8/5"),
        ("begun", "6/5", "8/5 6/5"),
        ("play", "resign b", "resign 3"),
    ],
)
def test_short_forms_and_other_words_mean_the_same_choice(situation: str, line: str, means: str) -> None:
    table = at(situation, confirm=True)
    assert table.reader.describe(line) == means
