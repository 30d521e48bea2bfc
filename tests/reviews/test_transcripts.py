"""Games written down at a real board become a record, or are refused with the line that cannot be."""

from __future__ import annotations

import pytest

from fullprime.common.json_values import to_json
from fullprime.formats import read
from fullprime.play.options.houses import HOUSE_TAG
from fullprime.reviews.matches.transcripts import Sheet, Transcript, TranscriptError, boards_of, file_of, match_of
from fullprime.rules.errors import SettingsError

LINES = ("33", "31", "8/5 6/5", "52", "13/11 13/8", "double", "take", "64", "24/14", "62", "bar/23 24/18")


def written(*games: Sheet, variant: str = "backgammon", length: int = 3, **rules: str) -> Transcript:
    return Transcript(
        variant=variant,
        rules={"length": str(length)} | rules,
        names=("Ann", "Bob"),
        games=games,
        house="Garden",
        date="2026-11-23",
    )


def test_a_record_is_what_was_written_down_and_is_read_back() -> None:
    dropped = Sheet(lines=(*LINES, "41", "13/8", "double", "drop"), winner="O", level=1, points=2, how="drop")
    resigned = Sheet(lines=("12", "13/11 6/5"), winner="X", level=2, points=2, how="resignation")
    match = match_of(written(dropped, resigned, Sheet(lines=("61", "13/7 8/7"))))
    assert [points for _, _, points in match.score_sheet] == [(0, 2), (2, 2)]
    assert match.games[0].stated is None, "the rules say the same"
    assert match.games[1].start.score.crawford_game
    assert match.games[0].final.cube.value == 2
    again = read(file_of(written(dropped, resigned)), name="record.json").documents[0].match
    assert again.score.points == (2, 2)
    assert again.info[HOUSE_TAG] == "Garden"
    assert again.info["EventDate"] == "2026-11-23"


def test_acey_deucey_names_a_double_and_throws_again() -> None:
    lines = ("42", "hand/21 hand/23", "21", "hand/23 hand/24", "choose 5", "hand/20(4)", "65", "hand/19 hand/20")
    sheet = Sheet(lines=lines, winner="O", points=9)
    match = match_of(written(sheet, variant="acey_deucey", length=0))
    assert match.score_sheet[0][1].points == 9
    assert match.games[0].final.turn is not None, "the record stops before the end: what was written down counts"


@pytest.mark.parametrize(
    ("sheets", "why"),
    [
        ([Sheet(lines=("31", "8/5 6/4"))], "game 1, line 2 (8/5 6/4)"),
        ([Sheet(lines=("31", "hint"))], "game 1, line 2 (hint)"),
        ([Sheet(lines=("31", "8/5 6/5", "take"))], "game 1, line 3 (take)"),
        ([Sheet(lines=()), Sheet(lines=())], "game 1 has no result"),
        ([Sheet(lines=(), winner="X", points=3), Sheet(lines=("31",))], "game 2: the match was over"),
        ([Sheet(lines=(), winner="X", points=None)], "the points won"),
        ([Sheet(lines=("31",) * 4001)], "at most 4000 lines"),
    ],
)
def test_what_cannot_have_been_is_refused_with_its_place(sheets: list[Sheet], why: str) -> None:
    with pytest.raises(TranscriptError, match=why.replace("(", r"\(").replace(")", r"\)")):
        match_of(written(*sheets))


def test_the_board_after_each_line_is_told_up_to_the_first_that_cannot_be() -> None:
    won = Sheet(lines=(), winner="O", level=1, points=2)
    told = boards_of(written(won, Sheet(lines=(*LINES[:5], "64", "bar/21 8/2"))))
    assert len(told.boards) == 6
    assert told.wrong is not None
    assert "bar" in told.wrong
    board = to_json(boards_of(written(won, Sheet(lines=LINES[:3]))).boards[-1])
    assert (board["on_roll"], board["phase"], board["winner"]) == ("O", "roll", None)
    assert board["rows"]["X"][5] == 2, "the Crawford game has no cube, and the position is that after the play"


def test_rules_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(SettingsError, match="Jacoby"):
        match_of(written(Sheet(lines=()), jacoby="yes"))
