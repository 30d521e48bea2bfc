"""Match text as people type, paste, mail and join it: what is meant is read, and what cannot be told is said."""

from __future__ import annotations

from importlib import import_module

import pytest

from fullprime import formats
from fullprime.formats.recording import walk
from fullprime.rules.record import Setup
from fullprime.rules.score import Player

HEAD = " 5 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
ROW = "  1) 31: 8/5 6/5                62: 24/18 13/11\n"
NEXT = "  2) 64: 24/14\n"
PLAYED = ["opening 13", "8/5 6/5", "roll 62", "24/18 13/11"]


def read(text: str | bytes, name: str | None = None) -> formats.Document:
    (document,) = formats.read(text.encode() if isinstance(text, str) else text, name=name).documents
    return document


def events(document: formats.Document, game: int = 0) -> list[str]:
    return [f"set: {e.note}" if isinstance(e, Setup) else str(e) for e in document.match.games[game].events]


def words(document: formats.Document) -> list[str]:
    return [problem.words for problem in document.report]


def results(document: formats.Document) -> list[tuple[Player, int]]:
    return [(game.result.winner, game.result.points) for game in document.match.games if game.result]


# -- what stands around the text -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "mark", "after"),
    [
        ("", "> ", ""),
        ("", ">> ", ""),
        ("", "> > ", ""),
        ("[code]\n", "", "[/code]\n"),
        ("[code]", "", "[/code]"),
        ("```text\n", "", "```\n"),
        ("<pre>\n", "", "</pre>\n"),
        ("=========\n", "", "---------\n"),
        ("\u200e", "", "\u200b"),
    ],
)
def test_wrappers_of_mails_and_forums_say_nothing(before: str, mark: str, after: str) -> None:
    text = before + "".join(f"{mark}{line}\n" for line in (HEAD + ROW).splitlines()) + after
    document = read(text)
    assert (document.match.names, document.match.settings.length, events(document)) == (("Bob", "Ann"), 5, PLAYED)
    assert (document.report, document.match.games[0].comments, document.match.info) == ((), {}, {})


def test_a_page_of_the_web() -> None:
    page = "<!DOCTYPE html><html><head><title>1 &amp; 2</title></head><body><pre>{}</pre></body></html>"
    text = (HEAD.replace("Ann", "Ann &amp; Co") + ROW + "  2)  Doubles =&gt; 2&nbsp;      Takes\n").replace(
        "\n", "<br>\n"
    )
    document = read(page.format(text))
    assert document.match.names == ("Bob", "Ann & Co")
    assert events(document) == [*PLAYED, "double", "take"]
    assert document.match.info == {"Comment": "1 & 2"}


@pytest.mark.parametrize("name", ["<Bob>", "<b>", "Bob <3", "<Main>"])
def test_names_like_tags_in_a_text_that_is_only_preformatted(name: str) -> None:
    document = read("<pre>\n" + HEAD.replace("Bob", name) + ROW + "</pre>\n")
    assert document.match.names == (name, "Ann")
    assert (events(document), document.report, document.match.info) == (PLAYED, (), {})


def test_a_name_like_a_tag_in_a_page() -> None:
    document = read("<html><body><pre><b>" + HEAD.replace("Bob", "<Bob>") + "</b>" + ROW + "</pre></body></html>")
    assert (document.match.names, events(document)) == (("<Bob>", "Ann"), PLAYED)


def test_files_that_were_joined_are_two_matches() -> None:
    first, second = HEAD + ROW, (HEAD + ROW).replace("Ann", "Cy").replace("Bob", "Di")
    for mark, head in (("\ufeff", " 5 point match"), ("", " Unlimited match"), ("\x1a", " 5 point match")):
        text = mark + (first + mark + second).replace(" 5 point match", head)
        documents = formats.read(text.encode()).documents
        assert [document.match.names for document in documents] == [("Bob", "Ann"), ("Di", "Cy")]
        assert [events(document) for document in documents] == [PLAYED, PLAYED]


@pytest.mark.parametrize("line", ["Match to 7", "money game", "Unlimited match!"])
def test_a_length_within_a_game_is_a_remark(line: str) -> None:
    document = read(HEAD + ROW + line + "\n" + NEXT)
    assert (document.match.settings.length, events(document)) == (5, [*PLAYED, "roll 64", "24/14*"])
    assert document.match.games[0].comments == {3: line}
    assert words(document) == [f"not understood: {line!r}"]


@pytest.mark.parametrize(
    ("above", "length"), [("Match to 5\n\n", 5), ("Match length: 5\n", 5), ("Money session\n\n 0 point match\n\n", 0)]
)
def test_a_length_that_is_told_twice_heads_one_match(above: str, length: int) -> None:
    document = read(above + (HEAD.partition("\n\n")[2] if "0" in above else HEAD) + ROW)
    assert (document.match.settings.length, events(document), document.report) == (length, PLAYED, ())


@pytest.mark.parametrize("tag", ["", '; [Event "Final"]\n'])
@pytest.mark.parametrize(
    ("head", "length"), [("Match to 7", 7), ("Money session", 0), ("Money game\n\n7 point match", 7)]
)
def test_a_length_above_another_game_begins_another_match(head: str, length: int, tag: str) -> None:
    second = HEAD.partition("\n\n")[2] + ROW
    one, two = formats.read((HEAD + ROW + f"\n{head}\n{tag}\n{second}").encode()).documents
    assert [document.match.settings.length for document in (one, two)] == [5, length]
    assert (one.report, two.report) == ((), ())


@pytest.mark.parametrize("head", ["5 point match\n", ""])
def test_too_many_matches_are_refused_however_they_begin(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("fullprime.formats.mat.reader"), "MOST_MATCHES", 3)
    matches = [f"{head}Game 1\nAnn{n} : 0  Bob{n} : 0\n{ROW}\n" for n in range(4)]
    assert len(formats.read("".join(matches[:3]).encode(), format="mat").documents) == 3
    with pytest.raises(formats.FormatError, match="over 3 matches"):
        formats.read("".join(matches).encode(), format="mat")


def test_other_players_at_nothing_begin_another_match() -> None:
    second = (HEAD + ROW).replace("Ann", "Cy").replace("Bob", "Di").partition("\n")[2]
    one, two = formats.read((HEAD + ROW + "      Wins 1 point\n" + second).encode()).documents
    assert (one.match.names, two.match.names) == (("Bob", "Ann"), ("Di", "Cy"))
    assert "the length of the match is not given" in words(two)[0]
    # One of the players stays: a name was written in another way.
    (document,) = formats.read((HEAD + ROW + "      Wins 1 point\n" + second.replace("Di", "Bob")).encode()).documents
    assert len(document.match.games) == 2


@pytest.mark.parametrize(("ends", "letter"), [("\r", b"\x9f"), ("\r\n", b"\x81"), ("\n", b"\xfc")])
def test_names_of_a_macintosh_of_dos_and_of_windows(ends: str, letter: bytes) -> None:
    data = (HEAD + ROW).replace("\n", ends).encode().replace(b"Ann", b"J" + letter + b"rgen")
    assert read(data).match.names == ("Bob", "Jürgen")


def test_a_head_far_down_and_no_head_at_all() -> None:
    prose = "A long story about the tournament.\n" * 400
    assert read(prose + HEAD + ROW, "a.txt").match.names == ("Bob", "Ann")
    assert events(read(ROW + NEXT, "a.txt")) == [*PLAYED, "roll 64", "24/14*"]


# -- heads and scores ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "length"),
    [
        ("Match to 7", 7),
        ("Match to 7 points", 7),
        ("match length: 7", 7),
        ("7 pt match", 7),
        ("7-Punkte-Match", 7),
        ("Match en 7 points", 7),
        ("Partita a 7 punti", 7),
        ("unlimited match", 0),
        ("Money session", 0),
    ],
)
def test_lengths_in_other_words(line: str, length: int) -> None:
    document = read(HEAD.replace(" 5 point match", line) + ROW)
    assert (document.match.settings.length, document.report) == (length, ())


@pytest.mark.parametrize(
    ("score", "crawford", "post"),
    [
        (" Ann : 4              Bob : 0 (Crawford)", True, False),
        (" Ann : 4              Bob : 0  Crawford game", True, False),
        (" Ann : 4              Bob : 0 (post-Crawford)", False, True),
        (" Ann 4                Bob 0", True, False),
        (" Ann: 4   Bob: 0*", True, False),
    ],
)
def test_scores_with_words_and_without_colons(score: str, crawford: bool, post: bool) -> None:
    document = read(HEAD.replace(" Ann : 0                        Bob : 0", score) + ROW)
    start = document.match.games[0].start
    assert (document.match.names, start.score.points) == (("Bob", "Ann"), (0, 4))
    assert (start.score.crawford_game, start.score.post_crawford) == (crawford, post)
    assert document.report == ()


@pytest.mark.parametrize("names", [("bob", "ANN"), ("Bob", "Anna"), ("Robert", "Ann")])
def test_players_who_change_columns_and_spelling(names: tuple[str, str]) -> None:
    second = f"\n Game 2\n {names[0]} : 0                        {names[1]} : 1\n"
    document = read(HEAD + ROW + "      Wins 1 point\n" + second + ROW)
    assert document.match.names == ("Bob", "Ann")
    assert document.match.games[1].start.score.points == (0, 1)
    assert events(document, 1)[0] == "opening 31"
    assert words(document) == ["the players change columns"]


@pytest.mark.parametrize("rating", [" (1612)", " [1612.34]", ",1612,34", " (1612,3)"])
def test_ratings_behind_names(rating: str) -> None:
    document = read(HEAD.replace("Ann", "Ann" + rating).replace("Bob", "Bob (1500)") + ROW)
    assert document.match.names == ("Bob", "Ann")
    assert document.match.info == {"Left Rating": rating.strip(" ,()[]"), "Right Rating": "1500"}


def test_names_that_only_figures_tell_apart_are_kept() -> None:
    document = read(HEAD.replace("Ann", "Guest (101)").replace("Bob", "Guest (102)") + ROW)
    assert (document.match.names, document.match.info) == (("Guest (102)", "Guest (101)"), {})


def test_a_head_names_the_crawford_game() -> None:
    head = HEAD.replace("Ann : 0", "Ann : 4")
    for name, crawford in (("Game 6 (Crawford)", True), ("Game 6: post-Crawford", False)):
        assert read(head.replace("Game 1", name) + ROW).match.games[0].start.score.crawford_game is crawford


def test_scores_below_nothing_are_summed() -> None:
    head = HEAD.replace("5 point", "0 point")
    second = head.replace("Game 1", "Game 2").replace("Ann : 0", "Ann : +1").replace("Bob : 0", "Bob : -1")
    document = read(head + ROW + "      Wins 1 point\n\n" + second.partition("\n\n")[2] + ROW)
    assert document.match.names == ("Bob", "Ann")
    assert [game.start.score.points for game in document.match.games] == [(0, 0), (0, 1)]
    assert words(document) == ["a score below zero is left out; the results are summed"]


def test_a_text_that_begins_after_the_crawford_game() -> None:
    rows = "  1) 31: 8/5 6/5                Doubles => 2\n  2)  Takes                      62: 24/18 13/11\n"
    document = read(HEAD.replace("Ann : 0", "Ann : 4").replace("Bob : 0", "Bob : 3") + rows)
    assert document.match.settings.crawford
    assert document.match.games[0].start.score.post_crawford
    assert events(document) == ["opening 13", "8/5 6/5", "double", "take", "roll 62", "24/18 13/11"]
    assert words(document) == ["the first game has a double one point away: read as after the Crawford game"]


def test_rows_that_begin_again_are_another_game() -> None:
    document = read(HEAD + ROW + "      Wins 1 point\n\n" + ROW + "                               Wins 2 points\n")
    assert [events(document, game)[:4] for game in (0, 1)] == [PLAYED, PLAYED]
    assert results(document) == [(Player.O, 1), (Player.X, 2)]
    assert words(document) == ["a game begins without a head"]


@pytest.mark.parametrize(
    "lines",
    [
        ["1) 31: was better"],
        ["1. 31: 8/5 6/5"],
        ["1. 62: 24/18 13/11", "2. 62: 24/16", "3. 62: 13/5"],
        ["1. 44: 24/20(2)", "2. 44: 13/9(2)"],
    ],
)
def test_numbered_remarks_within_a_game_begin_none(lines: list[str]) -> None:
    after = "  3) 31: 8/5 6/5                62: 24/18 13/11\n"
    rows = ROW + "  2) 64: 24/14                   62: bar/23 24/18\n"
    document = read(HEAD + rows + "".join(f"{line}\n" for line in lines) + after)
    assert len(document.match.games) == 1
    assert document.match.games[0].comments == {7: "\n".join(lines)}
    without = read(HEAD + rows + after)
    assert events(document) == events(without)
    assert [line for line in words(document) if "understood" in line] == [f"not understood: {line!r}" for line in lines]


def test_rows_begin_again_without_a_result() -> None:
    document = read(HEAD + ROW + NEXT + ROW + NEXT)
    assert [events(document, game) for game in (0, 1)] == [[*PLAYED, "roll 64", "24/14*"]] * 2


# -- columns ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "first",
    [
        "1)\t\t31: 8/5 6/5",
        "  1) ...  31: 8/5 6/5",
        "  1) ---  31: 8/5 6/5",
        "  1) \N{HORIZONTAL ELLIPSIS}  31: 8/5 6/5",
    ],
)
def test_the_right_player_opens(first: str) -> None:
    head = "5 point match\nGame 1\nAnn : 0\t\t\t\tBob : 0\n"
    document = read(head + first + "\n2) 62: 24/18 13/11\t\t64: 24/14\n")
    assert events(document) == ["opening 31", "8/5 6/5", "roll 62", "24/18 13/11", "roll 64", "24/14*"]
    assert document.report == ()


def test_a_table_with_a_tab_between_its_cells() -> None:
    text = (
        "Match to 3\nGame 1\nAnn : 0\tBob : 0\n1)\t31: 8/5 6/5\t62: 24/18 13/11\n2)\tDoubles => 2\tDrops\n"
        "\tWins 1 point\nGame 2\nAnn : 1\tBob : 0\n1)\t\t31: 8/5 6/5\n2)\tDoubles => 2\tTakes\n"
        "3)\t64: 24/14\n\t\tWins 2 points\n"
    )
    document = read(text)
    assert events(document, 1)[:4] == ["opening 31", "8/5 6/5", "double", "take"]
    assert results(document) == [(Player.O, 1), (Player.X, 2)]
    assert document.report == ()


def test_tabs_before_the_left_cell_of_some_rows() -> None:
    rows = "1) 31: 8/5 6/5\t62: 24/18 13/11\n2)\tDoubles => 2\tTakes\n3) 42: 8/4 6/4\t64: 24/14\n"
    assert events(read(HEAD + rows))[4:7] == ["double", "take", "roll 42"]


def test_a_page_that_lost_its_blanks() -> None:
    """Moves, the turn and the next score tell what the columns did."""
    text = (
        "7 point match\nGame 1\nAnn : 0 Bob : 0\n1) 31: 8/5 6/5\n2) 62: 24/18 13/11 64: 24/14\n3) Doubles => 2 Drops\n"
        "Wins 1 point\nGame 2\nAnn : 1 Bob : 0\n1) 31: 8/5 6/5 62: 24/18 13/11\n2) 64: 24/14 Doubles => 2\n3) Drops\n"
        "Wins 1 point\nGame 3\nAnn : 1 Bob : 1\n1) 31: 8/5 6/5 62: 24/18 13/11\nWins 2 points\n"
        "Game 4\nAnn : 1 Bob : 3\n1) 31: 8/5 6/5 62: 24/18 13/11\nWins 1 point\n"
    )
    document = read(text)
    assert events(document)[:4] == ["opening 31", "8/5 6/5", "roll 62", "24/18 13/11"]
    assert results(document) == [(Player.O, 1), (Player.X, 1), (Player.X, 2), (Player.X, 1)]
    assert words(document) == ["who wins is not told; O was to act: taken as the loser"]


def test_rows_that_a_mail_has_cut() -> None:
    rows = "  1) 31: 8/5 6/5\n62: 24/18 13/11\n  2) 33: 24/21 24/21 13/10\n13/10   64: 24/14\n"
    document = read(HEAD + rows)
    assert events(document) == [*PLAYED, "roll 33", "24/21(2) 13/10(2)", "roll 64", "24/14"]
    assert document.report == ()


@pytest.mark.parametrize("line", ["24/18", "12/25", "13/11 24/20"])
def test_moves_alone_below_a_whole_play_are_a_remark(line: str) -> None:
    document = read(HEAD + ROW + line + "\n" + NEXT + line + "\n")
    assert events(document) == [*PLAYED, "roll 64", "24/14*"]
    assert document.match.games[0].comments == {3: line, 5: line}


@pytest.mark.parametrize(("play", "rest"), [("24/18", "13/11"), ("", "24/18 13/11"), ("24/18", "13/11   64: 24/14")])
def test_moves_alone_below_a_part_of_a_play_belong_to_it(play: str, rest: str) -> None:
    document = read(HEAD + f"  1) 31: 8/5 6/5                62: {play}\n{rest}\n")
    assert events(document)[:4] == PLAYED
    assert document.report == ()


def test_a_score_that_a_mail_has_cut() -> None:
    head = HEAD.replace("Bob", "Robert Archibald Montgomery\nMiller")
    document = read(head + ROW)
    assert document.match.names == ("Robert Archibald Montgomery Miller", "Ann")
    assert (events(document), document.report) == (PLAYED, ())


@pytest.mark.parametrize("cell", ["----", "Cannot Move", "..."])
def test_a_turn_that_is_passed_without_a_roll(cell: str) -> None:
    document = read(HEAD + ROW + f"  2) {cell}                 64: 24/14\n")
    assert events(document) == [*PLAYED, f"set: {cell}", "roll 64", "24/14"]
    assert words(document) == ["O does not roll"]


@pytest.mark.parametrize(
    "cell", ["Can\N{RIGHT SINGLE QUOTATION MARK}t move", "no legal moves", "Kann nicht ziehen", "Fan"]
)
def test_dances_in_other_words(cell: str) -> None:
    board = "; Set Pos=------------------cbbbbbbA/0\n"
    document = read(HEAD + board + f"  1) 64: {cell}                         66: 7/1(3) 6/0\n")
    assert events(document) == ["set: Set Pos", "opening 46", "fan", "roll 66", "7/1(3) 6/off"]
    assert document.report == ()


def test_a_board_that_is_set_above_its_game() -> None:
    board = "; Set Pos=------------------cbbbbbbA/0\n"
    rows = "  1) 64:                         66: 7/1(3) 6/0\n"
    one, other = read(board + HEAD + rows), read(HEAD + board + rows)
    assert one.match == other.match
    assert (one.report, other.report) == ((), ())


def test_cells_one_below_the_other() -> None:
    assert events(read(HEAD + "31: 8/5 6/5\n62: 24/18 13/11\n64: 24/14\n")) == [*PLAYED, "roll 64", "24/14*"]


# -- cells -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "row",
    [
        "  1) 31: 8\N{EN DASH}5 6\N{EN DASH}5                6\N{EN DASH}2: 24\N{MINUS SIGN}18 13\N{EM DASH}11",
        "  1) 31 8/5 6/5                62 24/18 13/11",
        "  1) 31 8/5, 6/5               62 24 / 18 13 / 11",
        "  1) 3 1: 8/5 6/5                6/2: 24/18 13/11",
        "  1) 31: 8\N{RIGHTWARDS ARROW}5 6>5             62: 24->18 13/11",
        "  1) 31: 8\N{FRACTION SLASH}5 6\N{DIVISION SLASH}5             62: 24/18 13/11",
        "  1) 31: 8/5 6/5 [10:12]            62: 24/18 13/11 00:07",
        "  (1) 31: 8/5 6/5                62: 24/18 13/11",
    ],
)
def test_rows_as_people_type_them(row: str) -> None:
    document = read(HEAD + row + "\n")
    assert events(document) == PLAYED
    assert document.report == ()


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("8/7 (2) 6/5x2", "8/7(2) 6/5(2)"),
        ("8/7(2)6/5(2)", "8/7(2) 6/5(2)"),
        ("8/7 (2x) 6/5(x2)", "8/7(2) 6/5(2)"),
        ("8\u279c7 6\u27945", "8/7 6/5"),
        ("8/7 x2, 6/5 \N{MULTIPLICATION SIGN}2", "8/7(2) 6/5(2)"),
        ("13/7x 8/7", "13/7* 8/7"),
        ("6/out 5/Out", "6/off 5/Out"),
    ],
)
def test_repeats_hits_and_bearing_off(text: str, moves: str) -> None:
    assert walk.hops(walk.plain_play(text)) == walk.hops(moves)


@pytest.mark.parametrize("text", ["8/5 (12s)", "8/5 (2nd best)", "(2) 13/11", "13/11 (2 6/4"])
def test_other_brackets_repeat_nothing(text: str) -> None:
    assert walk.hops(walk.plain_play(text)) is None


@pytest.mark.parametrize(
    ("offer", "answer", "kind"),
    [
        ("Doubles -> 2", "Takes", "take"),
        ("Doubles (2)", "Passes", "drop"),
        ("Doubles: 2", "Drops", "drop"),
        ("Verdoppelt => 2", "Nimmt an", "take"),
        ("Doppelt => 2", "Lehnt ab", "drop"),
        ("Double => 2", "Accepte", "take"),
        ("Raddoppia => 2", "Rifiuta", "drop"),
    ],
)
def test_the_cube_in_other_words(offer: str, answer: str, kind: str) -> None:
    document = read(HEAD + ROW + f"  2)  {offer}               {answer}\n")
    assert events(document) == [*PLAYED, "double", kind]
    assert document.report == ()


def test_automatic_doubles_are_no_doubles() -> None:
    for line in ("Automatic double", "  1) Automatic double => 2", "auto-doubles"):
        document = read(HEAD.replace("5 point", "0 point") + line + "\n" + ROW.replace("1)", "2)"))
        assert (events(document), document.match.games[0].start.multiplier) == (PLAYED, 2)


def test_a_double_at_once_in_money_play_is_a_beaver() -> None:
    rows = "  1) 31: 8/5 6/5                 Doubles => 2\n  2) Redoubles => 4               Takes\n"
    document = read('; [Beaver "On"]\n' + HEAD.replace("5 point", "0 point") + rows)
    assert events(document) == ["opening 13", "8/5 6/5", "double", "beaver", "take"]


# -- results ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "winner", "points"),
    [
        ("bob wins 2 points", Player.X, 2),
        ("Bob Miller wins 2 points", Player.X, 2),
        ("Bob: won 2 pts", Player.X, 2),
        ("                              Wins 2 points (gammon)", Player.X, 2),
        ("      Gewinnt 2 Punkte", Player.O, 2),
        ("Bob wins a gammon", Player.X, 2),
        ("                              Wins the match", Player.X, 5),
        ("      Won single game", Player.O, 1),
        ("                              Gagne 5 points et le match", Player.X, 5),
        ("      Vince 5 punti e la partita", Player.O, 5),
    ],
)
def test_results_in_other_words(line: str, winner: Player, points: int) -> None:
    document = read(HEAD + ROW + line + "\n")
    assert results(document) == [(winner, points)]
    assert document.report == ()


def test_a_result_without_a_column_belongs_to_the_player_to_whom_the_next_score_gives_it() -> None:
    head = HEAD.replace("Game 1", "Game 2").replace("Bob : 0", "Bob : 1").partition("\n\n")[2]
    document = read(HEAD + ROW + "Wins 1 point\n\n" + head + ROW)
    assert results(document) == [(Player.X, 1)]
    assert document.report == ()


@pytest.mark.parametrize(("words_of_row", "points"), [("64: Resigns", 1), ("Resigns gammon", 2), ("Concedes", 1)])
def test_a_resignation_at_the_end_has_a_winner(words_of_row: str, points: int) -> None:
    document = read(HEAD + ROW + f"  2) {words_of_row}\n")
    assert results(document) == [(Player.X, points)]
    assert document.report == ()


@pytest.mark.parametrize(
    ("line", "winner", "points"),
    [
        ("Ann resigns", Player.X, 1),
        ("Ann resigns a gammon", Player.X, 2),
        ("Ann loses on time", Player.X, 1),
        ("Ann resigns\n Wins 2 points", Player.X, 2),
        ("Bob resigns", Player.O, 1),
        ("      Resigns", Player.X, 1),
        ("                                Resigns", Player.O, 1),
    ],
)
def test_a_name_or_a_column_tells_who_resigns(line: str, winner: Player, points: int) -> None:
    document = read(HEAD + ROW + NEXT + line + "\n")
    assert results(document) == [(winner, points)]
    assert document.report == ()


def test_a_resignation_without_a_name_is_taken_for_that_of_the_player_on_roll() -> None:
    document = read(HEAD + ROW + NEXT + "Resigns\n")
    assert results(document) == [(Player.O, 1)]
    assert words(document) == ["who wins is not told; X was to act: taken as the loser"]


# -- remarks ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    [
        "This is a clear double and Bob should drop.",
        "Bob thought for a long time here.",
        "Double is clear now, and so is the pass",
        "1. Bob should double here because he leads",
        "With 31: he would have made his point",
        "Game 3 was lost because of this",
        "Ann should take this, I think.",
    ],
)
def test_words_between_rows_are_remarks(line: str) -> None:
    document = read(HEAD + ROW + line + "\n" + NEXT)
    assert events(document) == [*PLAYED, "roll 64", "24/14*"]
    assert document.match.games[0].comments == {3: line}
    assert words(document) == [f"not understood: {line!r:.70}"]


@pytest.mark.parametrize("line", ["I should drop", "hmm pass?", "Bob: easy take", "Opponent passes"])
@pytest.mark.parametrize(("answer", "kind"), [("Takes", "take"), ("Drops", "drop")])
def test_words_of_a_remark_answer_no_cube(line: str, answer: str, kind: str) -> None:
    document = read(HEAD + ROW + f"  2) 64: 24/14                   Doubles => 2\n{line}\n  3)  {answer}\n")
    assert events(document) == [*PLAYED, "roll 64", "24/14*", "double", kind]
    assert document.match.games[0].comments == {6: line}
    assert words(document) == [f"not understood: {line!r}"]


@pytest.mark.parametrize("line", ["Ann takes", "ann: Takes", "  Takes", "=> Takes"])
def test_an_answer_below_its_row(line: str) -> None:
    document = read(HEAD + ROW + f"  2) 64: 24/14                   Doubles => 2\n{line}\n")
    assert events(document)[-2:] == ["double", "take"]


def test_words_above_the_games_and_behind_a_play_are_kept() -> None:
    document = read("The final in Monte Carlo\n" + HEAD + ROW.replace("24/18 13/11", "24/18 13/11 (a blunder)"))
    assert document.match.info == {"Comment": "The final in Monte Carlo"}
    assert events(document) == PLAYED
    assert document.match.games[0].comments == {2: "(a blunder)"}


def test_tags_without_a_semicolon() -> None:
    assert read('[Event "Final"]\n' + HEAD + ROW).match.info == {"Event": "Final"}


@pytest.mark.parametrize(
    "line", [" Ann : 0                        Bob : 2", "Final score: Ann : 0    Bob : 2", "bob : 2 ann : 0"]
)
@pytest.mark.parametrize("wins", ["                               Wins 2 points\n", ""])
def test_a_score_at_the_end_is_no_game(line: str, wins: str) -> None:
    if "Final" in line and not wins:
        return  # Names that are none do not tell whose score it is.
    for after in ("", "\n Game 2\n Ann : 0                        Bob : 2\n" + ROW):
        document = read(HEAD + ROW + wins + "\n" + line + "\n" + after)
        assert len(document.match.games) == 1 + bool(after)
        assert results(document)[0] == (Player.X, 2)
        assert document.report == ()


def test_figures_of_both_players_within_a_game_are_a_remark() -> None:
    document = read(HEAD + ROW + "Pips: Ann: 150   Bob: 160\n" + NEXT)
    assert events(document) == [*PLAYED, "roll 64", "24/14*"]
    assert document.match.games[0].comments == {3: "Pips: Ann: 150   Bob: 160"}


@pytest.mark.parametrize(
    "line", ["Bob wins the match", "Bob wins the game", "                              Wins the game"]
)
def test_a_word_for_a_result_leaves_the_points_to_the_moves(line: str) -> None:
    document = read(HEAD + ROW + "  2) 64: 24/14                   Doubles => 2\n  3)  Drops\n" + line + "\n")
    assert results(document) == [(Player.X, 1)]
    assert document.report == ()
