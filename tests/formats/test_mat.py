"""Match text: the dialects, what is wrong in real files, and the round trip of what we write."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.formats.generate import random_match

from fullprime import formats
from fullprime.formats import FormatError
from fullprime.formats.mat import reader as mat
from fullprime.formats.recording import walk
from fullprime.formats.recording.recorder import COUNTED
from fullprime.formats.recording.tags import CUBE_LIMIT_AS_LENGTH
from fullprime.rules.game import ActionKind, Game, Phase, opening, play
from fullprime.rules.notation import format_play
from fullprime.rules.record import Entry, GameRecord, Match, Setup
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant

DATA = Path(__file__).parent / "data"
HEAD = " 5 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"


def read(text: str | bytes) -> formats.Document:
    (document,) = mat.read(text.encode() if isinstance(text, str) else text)
    return document


def kinds(document: formats.Document, game: int = 0) -> list[str]:
    return [e.kind.value if not isinstance(e, Setup) else "setup" for e in document.match.games[game].events]


def test_the_left_column_is_o_and_the_right_one_x() -> None:
    document = read(HEAD + "  1)                             31: 8/5 6/5\n  2) 42: 8/4 6/4\n")
    assert document.match.names == ("Bob", "Ann")
    entries = list(document.match.games[0].entries())
    assert entries[1].player is Player.X
    assert entries[3].player is Player.O
    assert not document.report


@pytest.mark.parametrize(
    ("row", "moves"),
    [
        ("  1) 33: 24/21 21/18 8/5 8/5", "24/21 21/18 8/5 8/5"),
        ("  1) 33: 24/18 8/5(2)", "24/21 21/18 8/5 8/5"),
        ("  1) 33: 8/5(2) 24/21/18", "24/21 21/18 8/5 8/5"),
        ("  1) 41: 24/23, 13/9", "24/23 13/9"),
        ("  1) 14: 13-9 24-23", "24/23 13/9"),
        ("  1) 65: 24/13", "24/18 18/13"),
        ("  1) 65: 24/18 18/13", "24/18 18/13"),
        ("1) 62:24/18 13/11", "24/18 13/11"),
    ],
)
def test_plays_in_every_dialect_become_the_same(row: str, moves: str) -> None:
    document = read(HEAD.replace("5 point", "0 point") + row.replace("33:", "31: 8/5 6/5   33:") + "\n")
    last = document.match.games[0].events[-1]
    assert not isinstance(last, Setup)
    assert " ".join(f"{m.source}/{m.target}" for m in last.moves) == moves
    assert not document.report


@pytest.mark.parametrize(
    "play", ["24/22 13/9!", "24/22?? 13/9", "24/22;13/9.", "(24/22 13/9)", "24 / 22 13 / 9", "24/22, 13/9 ??"]
)
def test_marks_behind_a_play_are_no_part_of_it(play: str) -> None:
    document = read(HEAD + f"  1) 31: 8/5 6/5                42: {play}\n  2) 64: 24/14\n")
    assert [str(event) for event in document.match.games[0].events][3:] == ["24/22 13/9", "roll 64", "24/14"]
    assert document.report == ()


@pytest.mark.parametrize(
    ("answer", "kind"),
    [("Accepted", "take"), ("Taken", "take"), ("Refuses", "drop"), ("Declined", "drop"), ("Dropped", "drop")],
)
def test_the_cube_in_other_words(answer: str, kind: str) -> None:
    document = read(HEAD + f"  1) 31: 8/5 6/5                 Doubled => 2\n  2)  {answer}\n")
    assert kinds(document)[-2:] == ["double", kind]
    assert document.report == ()


def test_a_roll_that_is_passed_is_no_drop() -> None:
    board = "; Set Pos=------------------cbbbbbbA/0\n"
    document = read(HEAD + board + "  1) 64:                         66:\n  2) 55: Passes\n  3) 31:\n")
    assert "drop" not in kinds(document)


def test_players_who_change_columns_keep_their_points() -> None:
    document = read(
        HEAD + "  1) 31: 8/5 6/5                42: 8/4 6/4\n                                  Wins 2 points\n"
        "\n Game 2\n Bob : 2                        Ann : 0\n  1) 3-1: 8/5 6/5               6-2: 24/18 13/11\n"
        "      Wins 1 point\n\n Game 3\n Ann : 0                        Bob : 3\n  1) 64: 24/14\n"
    )
    games = document.match.games
    assert document.match.names == ("Bob", "Ann")
    assert [game.start.score.points for game in games] == [(0, 0), (2, 0), (3, 0)]
    assert [next(game.entries()).after.on_roll for game in games] == [Player.O, Player.X, Player.O]
    assert [str(problem) for problem in document.report] == [
        f"line {line}: the players change columns" for line in (9, 14)
    ]


def test_bear_off_and_bar_words() -> None:
    assert walk.hops("Bar/20 3/Off") == walk.hops("25/20 3/0")


@pytest.mark.parametrize("words", ["Concedes", "????", "Resigns", ""])
def test_a_roll_and_then_nothing_is_a_resignation(words: str) -> None:
    document = read(HEAD + f"  1) 31: 8/5 6/5                62: {words}\n      Wins 2 points\n")
    assert kinds(document) == ["opening", "play", "roll", "resign", "accept"]
    result = document.match.games[0].result
    assert result is not None
    assert (result.winner, result.points, result.level) == (Player.O, 2, 2)
    assert not document.report


def test_losses_of_the_side_that_is_not_to_act_are_stated() -> None:
    row = "  1) 31: 8/5 6/5                  1)  Losses 2 point                         Wins 2 point\n"
    document = read(HEAD + row)
    record = document.match.games[0]
    assert record.stated is not None
    assert (record.stated.winner, record.stated.points, record.stated.level) == (Player.X, 2, 2)


@pytest.mark.parametrize(
    ("blanks", "words", "winner"),
    [
        (1, "Losses 2 points", Player.X),
        (2, "Losses 2 points", Player.X),
        (9, "Losses 2 points", Player.X),
        (10, "Losses 2 points", Player.O),
        (28, "Losses 2 points", Player.O),
        (1, "Wins 2 points", Player.O),
        (9, "Wins 2 points", Player.O),
        (10, "Wins 2 points", Player.X),
        (28, "Wins 2 points", Player.X),
    ],
)
def test_after_a_repeated_row_number_the_blanks_tell_the_column(blanks: int, words: str, winner: Player) -> None:
    """The right cell repeats the number and then holds a row of its own: its left cell may be empty."""
    document = read(HEAD + f"  1) 31: 8/5 6/5                  1){' ' * blanks}{words}\n")
    result = document.match.games[0].result
    assert result is not None
    assert (result.winner, result.points) == (winner, 2)


def test_a_repeated_row_number_tells_who_rolled() -> None:
    document = read(HEAD + "  1) 31: 8/5 6/5                  2)                             42: 8/4 6/4\n")
    entries = list(document.match.games[0].entries())
    assert [entry.player for entry in entries if entry.player is not None] == [Player.O, Player.X, Player.X]
    assert not document.report


def test_a_drop_that_is_only_shown_by_the_result() -> None:
    document = read(
        HEAD + "  1) 31: 8/5 6/5                 Doubles => 2\n  2)                              Wins 1 point\n"
    )
    assert kinds(document) == ["opening", "play", "double", "drop"]


def test_dances_and_forced_plays_are_filled_in() -> None:
    board = "; Set Pos=------------------cbbbbbbA/0\n"
    document = read(HEAD + board + "  1) 64:                         66:\n  2) 55:\n")
    assert kinds(document) == ["setup", "opening", "play", "roll", "play", "roll"]
    dance, forced = document.match.games[0].events[2], document.match.games[0].events[4]
    assert not isinstance(dance, Setup)
    assert not isinstance(forced, Setup)
    assert dance.moves == ()
    assert [str(move) for move in forced.moves] == ["7/1", "7/1", "7/1", "6/off"]
    assert not document.report


_GIVEN_UP = "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Takes                       66: ????\n"


@pytest.mark.parametrize(
    ("ending", "following", "points", "level", "words"),
    [
        ("2008", "\n Game 2\n Ann : 4    Bob : 0\n", 4, 2, "the next score says 4"),
        ("2008", "\n Game 2\n Ann : 2    Bob : 0\n", 2, 1, "the next score says 2"),
        ("4016", "\n Game 2\n Ann : 0    Bob : 0\n", 2, None, "taken as a single game, 2"),
        ("2008", "", 6, 3, "taken as the end of the match, 5 away"),
        ("7", "", 6, 3, "taken as the end of the match, 5 away"),
    ],
)
def test_points_that_no_game_can_have_are_explained_by_the_score_that_follows(
    ending: str, following: str, points: int, level: int | None, words: str
) -> None:
    document = read(HEAD + _GIVEN_UP + f"      Wins {ending} point\n" + following)
    result = document.match.games[0].result
    assert result is not None
    assert (result.winner, result.points, result.level, result.how) == (Player.O, points, level, "resignation")
    assert f"wins {ending}" in str(document.report[0])
    assert words in str(document.report[0])
    assert COUNTED not in document.match.info
    assert max(document.match.score.points) <= points


def test_a_code_in_money_play_is_no_result_either() -> None:
    head = HEAD.replace("5 point", "0 point")
    document = read(head + _GIVEN_UP + "      Wins 2008 point\n\n Game 2\n Ann : 4    Bob : 0\n")
    assert document.match.games[0].result is not None
    assert document.match.games[0].result.points == 4
    document = read(head + _GIVEN_UP + "      Wins 2008 point\n")
    assert document.match.games[0].result is not None
    assert (document.match.games[0].result.points, document.match.games[0].result.level) == (2, None)


def test_a_score_that_confirms_many_points_is_believed() -> None:
    document = read(
        HEAD.replace("5 point", "15 point")
        + "  1) 31: 8/5 6/5                 62: ????\n      Wins 4 point\n\n Game 2\n Ann : 4    Bob : 0\n"
    )
    assert document.match.games[0].result is not None
    assert document.match.games[0].result.points == 4
    assert document.report == ()


def _needs(length: int) -> str:
    return HEAD.replace("5 point", f"{length} point")


@pytest.mark.parametrize(
    ("length", "rows", "stated", "points", "level"),
    [
        # Backgammon Galaxy states no more than what the winner needed.
        (3, "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Takes                       62: ????\n", 3, 4, 2),
        (3, "  1) 31: 8/5 6/5                 62: 24/18 13/11\n", 3, 3, 3),
        (1, "  1) 31: 8/5 6/5                 62:\n", 1, 1, 1),
        (2, "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Takes                       62: ????\n", 2, 2, 1),
        (5, "  1) 31: 8/5 6/5                 62: 24/18 13/11\n", 5, 5, None),
    ],
)
def test_a_last_result_that_is_capped_is_read_as_played(
    length: int, rows: str, stated: int, points: int, level: int | None
) -> None:
    document = read(_needs(length) + rows + f"      Wins {stated} point and the match\n")
    result = document.match.games[0].result
    assert result is not None
    assert (result.winner, result.points, result.level) == (Player.O, points, level)
    assert document.report == ()
    assert document.match.info.get(COUNTED) == (str(stated) if points > stated else None)
    data, _ = formats.write(document, "mat")
    (again,) = formats.read(data).documents
    assert again.match.games[0].result == result
    assert again.match.info.get(COUNTED) == document.match.info.get(COUNTED)


def test_a_board_that_shows_a_gammon_gives_the_level_of_a_capped_result() -> None:
    rng = random.Random(5)
    count = 0
    while count < 4:
        match = random_match(rng, Settings(length=1), games=1, resignations=0)
        result = match.games[0].result
        assert result is not None
        if result.points == 1:
            continue
        count += 1
        data, _ = formats.write(formats.Document(match), "mat")
        words = f"Wins {result.points} points and the match".encode()
        assert words in data
        (document,) = formats.read(data.replace(words, b"Wins 1 point and the match")).documents
        assert document.report == ()
        assert document.match.games[0].stated is None
        assert document.match.games[0].result == result
        assert document.match.info[COUNTED] == "1"


def test_an_illegal_play_is_kept_as_a_fact() -> None:
    document = read(HEAD + "  1) 31: 8/5 6/3                 42: 8/4 6/4\n")
    assert kinds(document) == ["opening", "setup", "roll", "play"]
    assert "line 5" in str(document.report[0])
    assert "8/5 6/3 is illegal" in str(document.report[0])
    setup = document.match.games[0].events[1]
    assert isinstance(setup, Setup)
    assert setup.game.position_of(Player.O).player[3] == 1


def test_a_stated_result_that_contradicts_the_moves_is_kept_beside_them() -> None:
    document = read(
        HEAD + "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Drops                       Wins 2 points\n"
    )
    record = document.match.games[0]
    assert record.final.result is not None
    assert record.final.result.points == 1
    assert record.stated is not None
    assert record.stated.points == 2
    assert "the file says" in str(document.report[0])


def test_a_missing_result_is_told_by_the_next_score() -> None:
    document = read(HEAD + "  1) 31: 8/5 6/5                 62:\n\n Game 2\n Ann : 2    Bob : 0\n")
    assert document.match.games[0].result is not None
    assert document.match.games[0].result.points == 2
    assert len(document.match.games) == 2


def test_several_matches_in_one_file() -> None:
    text = '; [Event "one"]\n' + HEAD + "  1) 31: 8/5 6/5\n\n" + '; [Event "two"]\n' + HEAD.replace("5 p", "7 p")
    first, second = mat.read(text.encode())
    assert (first.match.settings.length, first.match.info["Event"]) == (5, "one")
    assert (second.match.settings.length, second.match.info["Event"]) == (7, "two")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_and_line_ends(ends: str, encoding: str) -> None:
    text = HEAD.replace("Ann", "Jürgen") + "  1) 31: 8/5 6/5\n"
    (document,) = formats.read(text.replace("\n", ends).encode(encoding)).documents
    assert document.match.names == ("Bob", "Jürgen")
    assert not document.report


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("望月正行", "cp932"),
        ("プレーヤー 1", "cp932"),
        ("Иван Петров", "cp1251"),
        ("Dušan Šimon", "cp1252"),
        ("José Ñandú", "cp1252"),
        ("ÆØÅ", "cp1252"),
    ],
)
def test_names_in_the_letters_of_old_programs(name: str, encoding: str) -> None:
    document = read(HEAD.replace("Ann", name).encode(encoding))
    assert document.match.names == ("Bob", name)


def test_a_damaged_letter_does_not_spoil_the_others() -> None:
    data = HEAD.replace("Ann", "Jürgen Öztürk").encode() + "  1) 31: 8/5 6/5  é".encode()[:-1]
    assert read(data).match.names == ("Bob", "Jürgen Öztürk")


def test_ends_of_old_files_and_blanks_of_pages_say_nothing() -> None:
    rows = HEAD.replace("Ann", "Ann B") + "  1) 31: 8/5 6/5\n"
    plain = read(rows)
    for data in (rows.encode() + b"\x1a", rows.encode() + b"\0\0", rows.replace(" ", "\xa0").encode()):
        assert read(data) == plain


def test_names() -> None:
    document = read(HEAD.replace("Ann :", " :"))
    assert document.match.names == ("Bob", "")
    document = read(HEAD.replace("Bob : 0", ": 0"))
    assert document.match.names == ("", "Ann")
    document = read(HEAD.replace("Ann :", "Dr. A: B :"))
    assert document.match.names == ("Bob", "Dr. A: B")
    document = read(HEAD.replace("Ann", "Ann,1612.34"))
    assert document.match.names[1] == "Ann"
    assert document.match.info["Left Rating"] == "1612.34"
    dated = mat.read(HEAD.replace("Ann", "Ann,1612.34").encode(), "ann-bob-20120315-7p.mat")[0]
    assert dated.match.info["EventDate"] == "2012.03.15"


def test_ratings_in_whole_numbers_stand_in_both_names() -> None:
    # GridGammon, by way of Backgammon Studio; a name with a comma of its own is a name.
    document = read(HEAD.replace("Ann", "goldbach7808,1673").replace("Bob", "fairytails,1838"))
    assert document.match.names == ("fairytails", "goldbach7808")
    assert (document.match.info["Left Rating"], document.match.info["Right Rating"]) == ("1673", "1838")
    document = read(HEAD.replace("Ann", "Ann,1985"))
    assert document.match.names == ("Bob", "Ann,1985")


@pytest.mark.parametrize(
    ("site", "length", "end", "settings"),
    [
        ("BackgammonGalaxy", 16, "Wins 2 point", Settings(cube_cap=16)),
        ("BackgammonGalaxy", 2, "Wins 2 point", Settings(cube_cap=2)),
        ("BackgammonGalaxy", 6, "Wins 2 point", Settings()),
        ("BackgammonGalaxy", 2, "Wins 2 point and the match", Settings(length=2)),
        ("BackgammonGalaxy", 7, "Wins 2 point", Settings(length=7)),
        ("eXtreme Gammon", 16, "Wins 2 point", Settings(length=16)),
    ],
)
def test_a_money_game_of_galaxy_has_the_limit_of_its_cube_for_a_length(
    site: str, length: int, end: str, settings: Settings
) -> None:
    head = f'; [Site "{site}"]\n; [Crawford "On"]\n; [CubeLimit "1024"]\n'
    rows = "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Takes                       62: ????\n"
    document = read(head + HEAD.replace("5 point", f"{length} point") + rows + f"      {end}\n")
    assert document.match.settings == settings
    assert document.match.info.get(CUBE_LIMIT_AS_LENGTH) == (None if settings.length else str(length))
    assert document.match.score.points == (0, 2)
    assert document.report == ()
    data, _ = formats.write(document, "mat")
    (again,) = formats.read(data).documents
    assert (again.match.settings, again.match.games) == (settings, document.match.games)


def test_crawford_is_inferred() -> None:
    text = (
        " 3 point match\n\n Game 1\n A : 0   B : 2\n  1) 31: 8/5 6/5\n      Wins 1 point\n\n Game 2\n A : 1   B : 2\n"
    )
    document = read(text)
    assert [game.start.score.crawford_game for game in document.match.games] == [True, False]
    assert document.match.games[1].start.score.post_crawford


def test_one_play_that_only_another_start_explains_names_the_variation() -> None:
    text = (
        " 3 point match\n\n Game 1\n Ann : 0             Bob : 0\n  1)                             52: 23/18 13/11\n"
        "  2)  Doubles => 2                Drops\n"
    )
    document = read(text)
    assert document.match.settings.variant is NACKGAMMON
    assert [str(problem).split("; ")[-1] for problem in document.report] == ["only Nackgammon explains the plays"]


def test_a_match_without_the_crawford_rule_is_known_by_its_doubles() -> None:
    text = (
        " 3 point match\n\n Game 1\n Ann : 0             Bob : 0\n  1)                             31: 8/5 6/5\n"
        "  2)  Doubles => 2                Drops\n\n Game 2\n Ann : 1             Bob : 0\n"
        "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Drops\n\n Game 3\n Ann : 1             Bob : 1\n"
        "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Takes                       42: 8/4 6/4\n"
        "  3) 61: 13/7 8/7                Doubles => 4\n"
    ).replace("Bob : 1\n  1) 31", "Bob : 2\n  1) 31")
    document = read(text)
    assert not document.match.settings.crawford
    assert "without the Crawford rule" in str(document.report[0])
    assert not any(isinstance(event, Setup) for event in document.match.games[1].events)
    named = read('; [Crawford "On"]\n' + text)
    assert named.match.settings.crawford


def test_tabs_singular_words_and_a_name_before_the_result() -> None:
    rows = "  1) 31: 8/5 6/5\t\t\t 62: 24/18 13/11\n  2)  Double => 2\t\t\t Take\n"
    rows += "  3) 11: 24/22 6/5(2)\nBob wins 4 points\n"
    document = read(HEAD + rows)
    assert document.report == ()
    assert kinds(document) == ["opening", "play", "roll", "play", "double", "take", "roll", "play", "roll"][:8]
    result = document.match.games[0].result
    assert result is not None
    assert (result.winner, result.points) == (Player.X, 4)


def test_nothing_in_it() -> None:
    with pytest.raises(FormatError, match="holds no match"):
        mat.read(b"hello\nworld\n")


def test_illegal_plays_survive_the_round_trip() -> None:
    document = read(HEAD + "  1) 31: 8/5 6/3                 42: 8/4 6/4\n  2) 65: 24/13\n")
    data, losses = formats.write(document, "mat")
    (again,) = formats.read(data).documents
    assert not losses
    assert [e.after.position for e in again.match.games[0].entries()] == [
        e.after.position for e in document.match.games[0].entries()
    ]


def test_what_cannot_be_written_is_named() -> None:
    settings = Settings(automatic_doubles=2)
    _, losses = formats.write(formats.Document(Match(settings, ("", "B: 1"))), "mat")
    assert "automatic doubles" in str(losses)
    assert "an empty name" in str(losses)
    assert "B. 1" in str(losses)
    from fullprime.rules.variants import DUTCH

    with pytest.raises(FormatError, match="Dutch"):
        formats.write(formats.Document(Match(Settings(variant=DUTCH))), "mat")


@pytest.mark.alone
def test_reading_speed() -> None:
    """A loose bound against accidents; the figure itself stands in the documentation."""
    match = random_match(random.Random(4), Settings(length=7), games=5, resignations=0)
    data, _ = formats.write(formats.Document(match), "mat")
    mat.read(data)
    begin = time.process_time()
    mat.read(data)
    assert time.process_time() - begin < 0.5


def test_every_action_of_money_play_is_written() -> None:
    kinds: set[ActionKind] = set()
    rng = random.Random(2)
    for _ in range(12):
        match = random_match(rng, Settings(jacoby=True, beavers=True, raccoons=True), resignations=0.02)
        kinds |= {event.kind for game in match.games for event in game.events if not isinstance(event, Setup)}
        (document,) = mat.read(formats.write(formats.Document(match), "mat")[0])
        assert document.match.games == match.games
    assert {ActionKind.BEAVER, ActionKind.RACCOON, ActionKind.RESIGN} <= kinds


def in_the_style_of_studio(match: Match) -> str:
    """Compressed plays, ``bar`` and ``off``, ``Cannot Move``, results in numbered rows, low die first."""
    lines = [f"{match.settings.length} point match", ""]
    for number, game in enumerate(match.games, 1):
        points = game.start.score.points
        lines += [
            "",
            f" Game {number}",
            f" {match.names[1]}: {points[1]}                             {match.names[0]}: {points[0]}",
        ]
        cells: list[tuple[Player, str]] = []
        for entry in game.entries():
            event, before, after = entry.event, entry.before, entry.after
            assert not isinstance(event, Setup)
            player = before.turn if before.turn is not None else after.on_roll
            if event.kind in (ActionKind.OPENING, ActionKind.ROLL):
                assert after.dice is not None
                cells.append((player, f"{after.dice.low}{after.dice.high}:"))
            elif event.kind is ActionKind.PLAY:
                text = format_play(event.moves) if event.moves else "Cannot Move"
                cells[-1] = (player, f"{cells[-1][1]} {text}")
            elif event.kind is ActionKind.DOUBLE:
                cells.append((player, f" Doubles => {after.cube.offered}"))
            elif event.kind in (ActionKind.TAKE, ActionKind.DROP):
                cells.append((player, f" {event.kind.value.title()}s"))
        result = game.result
        assert result is not None
        cells.append((result.winner, f" Wins {result.points} point"))
        rows: list[list[str]] = []
        for player, text in cells:
            if player is Player.O or not rows or rows[-1][1]:
                rows.append([text, ""] if player is Player.O else ["", text])
            else:
                rows[-1][1] = text
        lines += [f"  {index}) {left:<37}{right}" for index, (left, right) in enumerate(rows, 1)]
    return "\ufeff" + "\r\n".join(lines)


@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON], ids=lambda v: v.name)
def test_another_programs_style_reads_the_same(variant: Variant) -> None:
    rng = random.Random(41)
    for _ in range(10):
        settings = Settings(variant=variant, length=rng.choice((1, 5, 7)))
        match = random_match(rng, settings, games=3, resignations=0.01)
        tag = f'; [Variation "{variant.title}"]\r\n'
        (document,) = formats.read((tag + in_the_style_of_studio(match)[1:]).encode()).documents
        assert document.report == ()
        assert [game.events for game in document.match.games] == [game.events for game in match.games]


@pytest.mark.parametrize("name", ["mat", "sgf", "snowietxt"])
def test_a_roll_that_was_set_up_is_written_with_its_play(name: str) -> None:
    rolled = Game.new(Settings(length=5)).act(opening(1, 3))
    record = GameRecord(Game.new(Settings(length=5)), (Setup(rolled, "begins here"), play(rolled.legal_plays[0])))
    data, losses = formats.write(formats.Document(Match(rolled.settings, games=(record,))), name)
    assert losses
    (document,) = formats.read(data).documents
    (played,) = [entry for entry in document.match.games[0].entries() if is_play(entry)]
    assert (played.player, str(played.before.dice)) == (Player.O, "31")
    assert played.after.position == record.final.position


def is_play(entry: Entry) -> bool:
    return not isinstance(entry.event, Setup) and entry.event.kind is ActionKind.PLAY


def test_a_beaver_above_the_limit_of_the_cube_is_a_fact_that_replay_keeps() -> None:
    tags = '; [CubeLimit "2"]\n; [Beaver "On"]\n'
    rows = "  1) 31: 8/5 6/5                 Doubles => 2\n  2) Beavers => 4                Takes\n"
    document = read(tags + HEAD.replace("5 point", "0 point") + rows)
    assert kinds(document) == ["opening", "play", "double", "setup", "take"]
    assert "not played here" in str(document.report[0])
    final = document.match.games[0].final
    assert (final.cube.value, final.cube.owner, final.phase) == (4, Player.O, Phase.ROLL)


ROWS = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n"


@pytest.mark.parametrize(
    ("rows", "winner", "points"),
    [
        # OpenGammon and Foxamon mark a resignation in the winner's column.
        ("  2)                            Resigned Game\n                                 Wins 1 point\n", Player.X, 1),
        (
            "  2)                     Resigned Match\n                          Wins 5 points and the match\n",
            Player.X,
            5,
        ),
        ("  2) Resign gammon               Wins 2 points\n", Player.X, 2),
        ("  2) Forfeits                    Wins 1 point\n", Player.X, 1),
        ("  2) Lost on time                Wins 1 point\n", Player.X, 1),
        ("  2) 43: 24/20 13/10             Concedes the game\n     Wins 1 point\n", Player.O, 1),
        ("  2) 43: 24/20 13/10\n     Wins 2 points with a gammon\n", Player.O, 2),
        ("  2)  Wins 1 point               Losses 1 point\n", Player.O, 1),
        ("  2)  Losses 1 point             Wins 1 point\n", Player.X, 1),
        ("2. 43: 24/20 13/10\n     Wins 1 point\n", Player.O, 1),
        ("  2) Doubles ==> 2               Drops\n     Wins 1 point\n", Player.O, 1),
    ],
)
def test_words_of_other_programs_are_no_problem(rows: str, winner: Player, points: int) -> None:
    document = read(HEAD + ROWS + rows)
    assert document.report == ()
    result = document.match.games[0].result
    assert result is not None
    assert (result.winner, result.points) == (winner, points)


def test_a_frame_of_remarks_above_the_match_is_kept_as_remarks() -> None:
    frame = "+-------------------+\n|  Monte Carlo 1993 |\n|  Final            |\n+-------------------+\n"
    document = read(frame + HEAD + ROWS)
    assert document.report == ()
    assert document.match.info["Comment"] == "Monte Carlo 1993\nFinal"


def test_a_die_for_which_no_checker_is_left_may_be_written() -> None:
    board = "; Set Pos=-A" + "-" * 22 + "a-/0\n"
    document = read(HEAD + board + "  1)" + " " * 30 + "21: 1/0 0/0\n")
    assert document.report == ()
    assert document.match.games[0].result is not None
    assert document.match.games[0].result.winner is Player.X


def test_points_above_a_backgammon_that_no_score_confirms_are_a_problem() -> None:
    document = read(_needs(7) + "  1) 31: 8/5 6/5                 62: ????\n      Wins 4 point\n")
    assert document.match.games[0].result is not None
    assert document.match.games[0].result.points == 4
    assert "wins 4, which no game at a cube of 1 can be worth; no score tells it otherwise" in str(document.report[0])


def test_a_board_that_is_set_with_the_right_player_in_capitals_is_known_by_its_plays() -> None:
    # eXtreme Gammon and GNU Backgammon have the left player's checkers in capitals.
    for letters, orientation in (
        ("-" * 5 + "A" + "-" * 16 + "a" + "-" * 3, 0),
        ("-" * 3 + "A" + "-" * 16 + "a" + "-" * 5, 1),
    ):
        document = read(HEAD + f"; Set Pos={letters}/0\n  1) 61: 5/0\n")
        assert len(document.report) == orientation
        assert document.match.games[0].final.is_over


ILLEGAL = "5;0;1;0;0;Bob;Ann;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-4;5;1;-1;0;-2;0;-4;-2;0;0;0;1;0;6;1;"


def test_the_position_of_an_illegal_play_is_of_the_player_on_roll() -> None:
    """Inside a match 0 is the right column in field 4, the opposite of a line that stands alone."""
    document = formats.read(DATA / "snowie_illegal_play.mat").documents[0]
    assert [str(problem) for problem in document.report] == ["line 6: illegal play"]
    assert kinds(document)[:6] == ["opening", "play", "roll", "play", "roll", "setup"]


@pytest.mark.parametrize(
    ("names", "field"),
    [
        (("Ann", "Bob"), 0),
        (("Pass 3) (Bob", "Takes 61: (x)"), 0),
        (("Ann", "Ann"), 0),
        (("", "Bob"), 0),
        (("Ann", "Bob"), 1),  # The names say who is on roll where the field has the values of a line of its own.
    ],
)
def test_names_in_the_position_of_an_illegal_play_are_no_cells(names: tuple[str, str], field: int) -> None:
    left, right = names
    line = ILLEGAL.replace("Bob;Ann", f"{right};{left}").replace("5;0;1;0;0;", f"5;0;1;0;{field};")
    rows = f"  1) 31: 8/5 6/5                 64: 24/14\n  2) 52: Illegal play ({line}) 61: 13/7 8/7\n"
    document = read(HEAD.replace("Ann", left).replace("Bob", right) + rows)
    assert [str(problem) for problem in document.report] == ["line 6: illegal play"]
    data, _ = formats.write(document, "mat")
    (again,) = formats.read(data).documents
    assert [entry.after.position for entry in again.match.games[0].entries()] == [
        entry.after.position for entry in document.match.games[0].entries()
    ]


def test_an_illegal_play_without_a_position_is_reported() -> None:
    document = read(HEAD + "  1) 31: Illegal play (8/5 (1) 6/5)  61: 13/7 8/7\n")
    assert "the board cannot be read" in " ".join(map(str, document.report))


def test_raccoons_bring_beavers_unless_these_are_off() -> None:
    head = HEAD.replace("5 point", "0 point")
    document = read('; [Raccoon "On"]\n' + head)
    assert (document.match.settings.beavers, document.match.settings.raccoons, document.report) == (True, True, ())
    document = read('; [Beaver "Off"]\n; [Raccoon "On"]\n' + head)
    assert (document.match.settings.beavers, document.match.settings.raccoons) == (False, False)
    assert "read without raccoons" in str(document.report[0])


def test_a_game_of_dailygammon_begins_with_the_board_of_its_variant() -> None:
    (document,) = formats.read(DATA / "dailygammon_nackgammon.mat").documents
    assert document.report == ()
    assert document.match.settings.variant is NACKGAMMON
    first, second = document.match.games
    assert (kinds(document), kinds(document, 1)) == (
        ["opening", "play", "roll", "play", "roll", "play", "double", "drop"],
        ["opening", "play", "roll", "play", "double", "drop"],
    )
    for game, player, roll in ((first, Player.X, "51"), (second, Player.O, "62")):
        opened = next(game.entries()).after
        assert (opened.on_roll, str(opened.dice)) == (player, roll)
        assert game.start.position == NACKGAMMON.starting_position


@pytest.mark.parametrize("head", ["", '; [Variation "Backgammon"]\n', '; [Variation "NackGammon"]\n'])
def test_the_board_decides_about_the_variant(head: str) -> None:
    (document,) = formats.read((head + (DATA / "dailygammon_nackgammon.mat").read_text()).encode()).documents
    assert document.match.settings.variant is NACKGAMMON
    assert document.report == ()


def test_an_illegal_first_play_that_leaves_the_board_of_backgammon_is_one() -> None:
    start = "0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"
    line = f"5;0;1;0;0;Bob;Ann;0;0;0;1;0;{start};6;1;"
    document = read(HEAD + f"  1) 31: Illegal play ({line}) 61: 13/7 8/7\n")
    assert kinds(document) == ["opening", "setup", "roll", "play"]
    assert [str(problem) for problem in document.report] == ["line 5: illegal play"]


def test_the_third_field_of_a_snowie_position_does_not_tell_the_variant() -> None:
    (document,) = formats.read(DATA / "snowie_third_field.txt").documents
    assert document.match.settings.variant is BACKGAMMON
    nack = Match(Settings(variant=NACKGAMMON), games=(GameRecord(Game.new(Settings(variant=NACKGAMMON))),))
    data, losses = formats.write(formats.Document(nack), "snowie")
    assert not losses
    for field in ("0", "1"):
        fields = data.decode().split(";")
        fields[2] = field
        (again,) = formats.read(";".join(fields).encode()).documents
        assert again.match.settings.variant is NACKGAMMON


def test_money_scores_that_stay_at_nothing_are_summed() -> None:
    text = (DATA / "money_scores_not_carried.mat").read_text()
    (document,) = formats.read(text.encode()).documents
    assert [game.start.score.points for game in document.match.games] == [(0, 0), (0, 1)]
    assert document.match.score.points == (3, 1)
    assert [str(problem) for problem in document.report] == [
        "line 11: the score stays 0 : 0 after a result; the results are summed"
    ]
    third = "\n Game 3\n ann : 0          bob : 0\n  1) 31: 8/5 6/5\n                 Wins 2 points\n"
    (document,) = formats.read((text + third).encode()).documents
    assert [game.start.score.points for game in document.match.games][2] == (3, 1)
    assert (document.match.score.points, len(document.report)) == ((5, 1), 1)


def test_a_score_that_goes_back_to_nothing_is_kept_as_the_file_has_it() -> None:
    text = (DATA / "money_scores_not_carried.mat").read_text().replace("ann : 0  ", "ann : 4  ", 1)
    (document,) = formats.read(text.encode()).documents
    assert [game.start.score.points for game in document.match.games] == [(0, 4), (0, 0)]


def set_board(left: dict[int, int], right: dict[int, int]) -> str:
    """The line that sets these checkers, each side in its own numbering."""
    letters = ["-"] * 26
    for point, count in left.items():
        letters[point] = chr(64 + count)
    for point, count in right.items():
        letters[25 - point] = chr(96 + count)
    return f"; Set Pos={''.join(letters)}/0\n"


@pytest.mark.parametrize(
    ("roll", "play"),
    [
        ("65: 6/0", "6/off 5/off"),
        ("65: 5/0", "6/off 5/off"),
        ("65:", "6/off 5/off"),
        ("66: 6/0", "6/off(3) 5/off"),
        ("54: 4/0", "5/off 4/off"),
        ("61: 6/5", "6/5 6/off"),
        ("64: 6/2", "6/2 6/off"),
        ("51: 6/1", None),  # The other die can be used only on the board.
        ("31: 4/3", None),
        ("21:", None),
        ("65: 6/4", None),
    ],
)
def test_bear_offs_that_a_server_made_by_itself_are_filled_in(roll: str, play: str | None) -> None:
    """Where only one thing can have happened; and said so."""
    rows = f"  1) 31: 6/3 6/5                 {roll}\n  2) 21: 6/4 6/5\n"
    document = read(HEAD + set_board({6: 9, 2: 1}, {6: 3, 5: 3, 4: 3}) + rows)
    action = document.match.games[0].events[4]
    if play is None:
        assert isinstance(action, Setup)
        assert "illegal" in str(document.report[0])
    else:
        assert not isinstance(action, Setup)
        assert format_play(action.moves) == play
        assert "is completed by bear-offs to" in str(document.report[0])


def test_the_last_bear_off_that_is_not_written_ends_the_game() -> None:
    rows = "  1) 31: 6/3 6/5                 41:\n                                 Wins 2 points\n"
    document = read(HEAD + set_board({6: 15}, {3: 1, 1: 1}) + rows)
    game = document.match.games[0]
    assert game.stated is None
    assert game.result is not None
    assert (game.result.winner, game.result.points, game.result.how) == (Player.X, 2, "bear-off")
    assert document.report == ()


@pytest.mark.parametrize("play", ["24/22 / 13/9", "24/22  /  13/9", "24/ 22 13 / 9"])
def test_a_stroke_between_moves_parts_them(play: str) -> None:
    document = read(HEAD + f"  1) 31: 8/5 6/5                42: {play}\n")
    assert str(document.match.games[0].events[-1]) == "24/22 13/9"
    assert document.report == ()


@pytest.mark.parametrize("rows", ["  1) 42: (8/4 6/4)??   31: 8/5 6/5", "  1) 42: 8/4 6/4 ??   31: 8/5 6/5"])
def test_a_cell_behind_a_mark_is_the_other_players(rows: str) -> None:
    document = read(HEAD + rows + "\n  2) 52: 13/8 13/11\n")
    plays = [
        entry
        for entry in document.match.games[0].entries()
        if not isinstance(entry.event, Setup) and entry.event.kind is ActionKind.PLAY
    ]
    assert [entry.before.on_roll for entry in plays] == [Player.O, Player.X, Player.O]


def test_a_drop_behind_a_roll_is_reported() -> None:
    document = read(HEAD + "  1) 42: 8/4 6/4   31: 8/5 6/5\n  2) Doubles => 2    Takes\n  3) 52:    Drops\n")
    assert kinds(document).count("drop") == 0
    assert document.report


def test_a_sentence_with_a_word_of_the_cube_is_no_answer() -> None:
    rows = "  1) 42: 8/4 6/4   31: 8/5 6/5\n  2) 42: 8/4 6/4   Doubles => 2\n"
    document = read(HEAD + rows + "After the clock was refused by Ann we went on\n  3) Takes  42: 8/4 6/4\n")
    assert "take" in kinds(document)
    assert "drop" not in kinds(document)
    assert [problem.words for problem in document.report] == [
        "not understood: 'After the clock was refused by Ann we went on'"
    ]


def test_a_score_of_names_that_hold_a_word_of_the_cube_begins_a_game() -> None:
    names = " Dropped Anchor : {}   Bob : 0\n"
    rows = "  1) 42: 8/4 6/4   31: 8/5 6/5\n"
    document = read(" 5 point match\n\n" + names.format(0) + rows + "\n" + names.format(1) + rows)
    assert [record.start.score.points for record in document.match.games] == [(0, 0), (0, 1)]
    assert "drop" not in kinds(document)


@pytest.mark.parametrize(
    "name",
    [
        "1) Bob",
        "1. Bob",
        "7 point match",
        "Unlimited match",
        "|Bob|",
        "+--+",
        "[code]Bob",
        "```",
        "31. 8/5",
        "Game 2",
        "...",
    ],
)
def test_a_name_that_looks_like_another_line_is_a_name(name: str) -> None:
    match = replace(random_match(random.Random(3), Settings(length=5), games=2), names=("Ann", name))
    data, _ = formats.write(formats.Document(match), "mat")
    (document,) = formats.read(data).documents
    assert (document.match.names, document.match.games) == (match.names, match.games)


def test_a_name_that_would_be_a_remark_is_written_as_another() -> None:
    match = replace(random_match(random.Random(3), Settings(length=5), games=1), names=("Ann", "# ; Bob"))
    data, losses = formats.write(formats.Document(match), "mat")
    (document,) = formats.read(data).documents
    assert document.match.names == ("Ann", "Bob")
    assert "the name '# ; Bob' is written as 'Bob'" in losses.losses
