"""Real files: the right games, scores, dice and plays, and the same match equal in every format."""

from __future__ import annotations

import struct

import pytest
from tests.formats.shared import shared

from fullprime import formats
from fullprime.formats.xg import container
from fullprime.formats.xg.reader import RECORD
from fullprime.rules.game import ActionKind, Phase
from fullprime.rules.record import Match, Setup

MATCH_TEXT = {
    # file: (X, O, length, games, X's points, O's points, problems)
    "galaxy_blank_name_8320876.txt": ("lasse", "", 0, 1, 2, 0, 0),  # A money game.
    "galaxy_losses_2900236.txt": ("canoz", "lasse", 3, 2, 3, 0, 0),
    "galaxy_losses_nomoves_3831101.txt": ("kelsy", "lasse", 3, 1, 0, 3, 0),
    "gbf_test.mat": ("Maxence Job", "Kévin Unger", 7, 7, 4, 7, 0),
    "hedgehog_illegal_excerpt.mat": ("Dana Ellery", "Owen Talbot", 9, 1, 0, 6, 1),
    "ipe_sam_11p.txt": ("sam", "ipe", 11, 10, 12, 7, 0),
    "lazybg_match1.txt": ("Johan HUYCK Michael LARSEN", "Kévin UNGER Nicolas HARMAND", 7, 4, 7, 1, 0),
    "osaka_tanaka_ueda_11p.txt": ("Hideaki Ueda", "Junichi Tanaka", 11, 6, 4, 12, 0),
    "playok_bg176365983.txt": ("martial", "ziro927", 5, 4, 6, 3, 0),
    "studio_00qqqq_31.txt": ("FB", "yokooo", 15, 17, 17, 14, 0),
    "studio_anezka_21pt.txt": ("mj", "anezka", 21, 17, 10, 21, 0),
    "studio_concedes_50.txt": ("ipetani", "Livermore", 13, 10, 9, 13, 0),
    "studio_concedes_52.txt": ("Hirnakrobat", "takadaleft", 13, 14, 13, 12, 0),
    "xg_abc_11pt_SCL6KH.mat": ("m.adel", "halheinrich", 11, 10, 8, 12, 0),
    "xg_bower_simborg.txt": ("Phil Simborg", "Chuck Bower", 11, 7, 3, 15, 0),
    "xg_mochy_soren_9p.txt": ("Masayuki Mochizuki", "Soren Larsen", 9, 5, 2, 11, 0),
}

GENERATED = (
    "m13_seed5_noise",
    "m1_seed2",
    "m5_nack_seed9",
    "m7_seed11",
    "m7_seed21_noise",
    "money_jacoby_beaver_seed77",
)


def only(*parts: str) -> formats.Document:
    (document,) = formats.read(shared(*parts)).documents
    return document


def replayed(match: Match) -> list[object]:
    """Every state of every game, found by the rules and not by the reader."""
    return [entry.after for game in match.games for entry in game.entries()]


@pytest.mark.parametrize("name", MATCH_TEXT)
def test_match_text(name: str) -> None:
    document = only("corpus", "mat", name)
    match = document.match
    summary = (*match.names, match.settings.length, len(match.games), *match.score.points, len(document.report))
    assert summary == MATCH_TEXT[name]
    assert document.format == "mat"
    assert all(game.result for game in match.games)
    for game, following in zip(match.games, match.games[1:], strict=False):
        assert game.result is not None
        assert following.start.score == game.start.score.after(game.result, match.settings)
    setups = sum(isinstance(event, Setup) for game in match.games for event in game.events)
    assert setups == (1 if name.startswith("hedgehog") else 0)
    assert replayed(match) or name == "galaxy_losses_nomoves_3831101.txt"


@pytest.mark.parametrize("name", GENERATED)
@pytest.mark.parametrize("ending", [".mat", ".snowie.txt"])
def test_generated_match_text(name: str, ending: str) -> None:
    document = only("generated", name + ending)
    assert not any(isinstance(event, Setup) for game in document.match.games for event in game.events)
    words = " ".join(map(str, document.report))
    assert not words or "automatic doubles" in words or "only Nackgammon" in words
    assert replayed(document.match)


@pytest.mark.parametrize("name", GENERATED)
def test_generated_sgf_equals_its_match_text(name: str) -> None:
    first, second = only("generated", name + ".sgf"), only("generated", name + ".mat")
    assert first.report == ()
    assert first.match.names == second.match.names
    assert [game.events for game in first.match.games] == [game.events for game in second.match.games]
    # The last game of the session began with an automatic double, which only the SGF says.
    compared = -1 if name == "money_jacoby_beaver_seed77" else len(first.match.games)
    for one, other in zip(first.match.games[:compared], second.match.games[:compared], strict=True):
        assert one.result == other.result
        assert one.start.score.points == other.start.score.points
    assert first.review is not None
    assert all(c.moves for e in first.review.events.values() if e.play for c in e.play.candidates)


def test_the_same_match_is_equal_in_every_format() -> None:
    text, tree = only("corpus", "mat", "gbf_test.mat"), only("corpus", "sgf", "gbf_test.sgf")
    assert text.match.games == tree.match.games
    assert text.match.names == tree.match.names
    assert text.match.settings == tree.match.settings


@pytest.mark.parametrize("name", ["charlot_7p.sgf", "gbf_test.sgf"])
def test_the_play_marked_as_played_is_the_play_made(name: str) -> None:
    document = only("corpus", "sgf", name)
    assert document.report == ()
    assert document.review is not None
    for (game, event), analysis in document.review.events.items():
        if analysis.play is not None and analysis.play.played is not None:
            action = document.match.games[game].events[event]
            assert not isinstance(action, Setup)
            assert analysis.play.candidates[analysis.play.played].moves == action.moves
    data, losses = formats.write(document, "sgf")
    assert "statistics" in str(losses)
    (again,) = formats.read(data).documents
    assert again.review is not None
    assert (again.match.games, again.review.events) == (document.match.games, document.review.events)


@pytest.mark.parametrize(
    "name",
    ["bar_redbl_m5", "beaver_money", "crawford", "cube4_O_roll", "race_cubeO", "start31_m7", "start_money", "toogood"],
)
def test_positions(name: str) -> None:
    tree = only("generated", "positions", name + ".sgf").match.game
    line = only("generated", "positions", name + ".snowie.txt")
    assert line.format == "snowie"
    snowie = line.match.game
    assert (snowie.position, snowie.on_roll, snowie.dice) == (tree.position, tree.on_roll, tree.dice)
    assert (snowie.cube, snowie.score.points) == (tree.cube, tree.score.points)
    assert snowie.score.crawford_game == tree.score.crawford_game
    written, _ = formats.write(line, "snowie")
    assert written.decode().strip() == shared("generated", "positions", name + ".snowie.txt").read_text().strip()


def test_extreme_gammon_equals_match_text_and_sgf() -> None:
    binary, text = only("corpus", "xg", "gbf_test.xg"), only("corpus", "mat", "gbf_test.mat")
    assert binary.match.games == text.match.games
    assert binary.match.names == text.match.names
    assert binary.match.settings == text.match.settings
    assert binary.report == ()


@pytest.mark.parametrize(
    ("name", "names", "points", "games"),
    [
        ("gbf_test.xg", ("Maxence Job", "Kévin Unger"), (4, 7), 7),
        ("aachen_r2_7pt.xg", ("Susanne LAHME", "Kévin UNGER"), (7, 5), 8),
        ("gbf_match_with_comment.xg", ("Kévin UNGER", "Nicolas HARMAND"), (10, 4), 8),
    ],
)
def test_extreme_gammon(name: str, names: tuple[str, str], points: tuple[int, int], games: int) -> None:
    document = only("corpus", "xg", name)
    assert document.report == ()
    assert (document.match.names, document.match.score.points, len(document.match.games)) == (names, points, games)
    assert replayed(document.match)
    assert document.review is not None
    for (game, event), analysis in document.review.events.items():
        if analysis.play is not None:
            assert all(candidate.moves is not None for candidate in analysis.play.candidates)
            action = document.match.games[game].events[event]
            assert not isinstance(action, Setup)
            if action.kind is ActionKind.RESIGN:  # The roll was analysed and given up.
                assert analysis.play.played is None
                continue
            assert analysis.play.played is not None
            assert analysis.play.candidates[analysis.play.played].moves == action.moves
    assert any(game.comments for game in document.match.games) == ("comment" in name)


@pytest.mark.parametrize(
    ("name", "level", "equities", "deviation"),
    [
        ("BothAnalysis.xgp", "XG Roller++", (0.0243, -0.3251, 1.0), None),
        ("TooGoodAndTake.xgp", "rollout 1296", (1.1711, 0.6004, 1.0), 0.0045),
    ],
)
def test_positions_of_extreme_gammon(
    name: str, level: str, equities: tuple[float, float, float], deviation: float | None
) -> None:
    document = only("corpus", "xg", name)
    assert document.report == ()
    (game,) = document.match.games
    assert game.events == ()
    assert game.start.phase is Phase.CUBE_DECISION
    assert document.review is not None
    ((key, analysis),) = document.review.events.items()
    assert key == (0, 0)
    assert analysis.cube is not None
    assert analysis.cube.level == level
    assert (analysis.cube.no_double, analysis.cube.double_take, analysis.cube.double_pass) == pytest.approx(
        equities, abs=1e-4
    )
    assert analysis.cube.deviation == (None if deviation is None else pytest.approx(deviation, abs=1e-4))


@pytest.mark.parametrize(
    "name", ["gbf_test.xg", "aachen_r2_7pt.xg", "gbf_match_with_comment.xg", "BothAnalysis.xgp", "TooGoodAndTake.xgp"]
)
@pytest.mark.parametrize("kind", ["xg", "xgp"])
def test_extreme_gammon_written_again_is_the_same(name: str, kind: str) -> None:
    document = only("corpus", "xg", name)
    if kind == "xgp" and name.endswith(".xg"):
        with pytest.raises(formats.FormatError, match="the game is over"):
            formats.write(document, kind)
        return
    data, losses = formats.write(document, kind)
    assert not losses
    (again,) = formats.read(data).documents
    assert again.report == ()
    assert again.match == document.match
    assert document.review is not None
    assert again.review is not None
    assert dict(again.review.events) == dict(document.review.events)


def test_any_decision_of_a_real_match_that_is_saved_as_a_position_keeps_its_analysis() -> None:
    # eXtreme Gammon saves a position out of a match as the heads of match and game and the records of the turn.
    rows = records_of(shared("corpus", "xg", "gbf_match_with_comment.xg").read_bytes())
    head, count_of_rows = rows[0], 0
    game = cube = b""
    for row in rows[1:300]:
        if row[8] == 1:
            game = row
        elif row[8] == 2:
            cube = row
        elif row[8] == 3:
            saved = container.pack("Position", {container.RECORDS: head + game + cube + row})
            (document,) = formats.read(saved).documents
            assert document.report == ()
            count = int.from_bytes(row[188:192], "little")
            plays = [] if document.review is None else [e.play for e in document.review.events.values() if e.play]
            assert [len(play.candidates) for play in plays] == [count] * bool(count)
            count_of_rows, cube = count_of_rows + bool(count), b""
    assert count_of_rows > 80


def records_of(data: bytes) -> list[bytes]:
    records = container.unpack(data, []).members[container.RECORDS]
    return [records[at : at + RECORD] for at in range(0, len(records), RECORD)]


def cube_records(data: bytes) -> list[bytes]:
    return [row for row in records_of(data) if row[8] == 2]


@pytest.mark.parametrize("name", ["gbf_test.xg", "aachen_r2_7pt.xg", "gbf_match_with_comment.xg", "TooGoodAndTake.xgp"])
def test_the_cube_is_written_where_extreme_gammon_writes_it(name: str) -> None:
    # Its own decision, its owner, the Jacoby rule, the Crawford game, and the right action (-1: too good to double).
    data = shared("corpus", "xg", name).read_bytes()
    (document,) = formats.read(data).documents
    real, ours = cube_records(data), cube_records(formats.write(document, "xg")[0])
    assert len(real) == len(ours)
    other = [index for index, (a, b) in enumerate(zip(real, ours, strict=True)) if a[112:122] != b[112:122]]
    assert len(other) <= 2  # Two where doubling and not doubling are within what it rounds.
    assert all(a[32:62] == b[32:62] for a, b in zip(real, ours, strict=True))


def test_comments_of_a_real_match_stand_where_they_were_made() -> None:
    document = only("corpus", "xg", "gbf_match_with_comment.xg")
    places = [(game, event) for game, record in enumerate(document.match.games) for event in record.comments]
    assert places == [(0, 5), (0, 9)]  # The footers of games have no comment where theirs was looked for.


def test_losses_are_written_below_zero_as_extreme_gammon_does() -> None:
    data = shared("corpus", "xg", "gbf_test.xg").read_bytes()
    (document,) = formats.read(data).documents
    again = formats.write(document, "xg")[0]
    for kind, at in ((3, 2312), (2, 200), (2, 216)):
        real, ours = (
            # Answers are judged where a double was made.
            [
                struct.unpack_from("<d", row, at)[0]
                for row in records_of(content)
                if row[8] == kind and (at != 216 or row[16] == 1)
            ]
            for content in (data, again)
        )
        assert ours == real
        assert any(loss not in (0, -1000) for loss in real)


def test_a_file_that_only_looks_like_extreme_gammon() -> None:
    with pytest.raises(formats.FormatError, match="do not begin"):
        formats.read(shared("corpus", "invalid", "xgdatatools_example.xg"))


@pytest.mark.parametrize("folder", ["corpus", "generated"])
def test_every_game_that_was_read_can_be_replayed_by_the_rules(folder: str) -> None:
    documents = formats.read(shared(folder)).documents
    ended = 0
    for document in documents:
        for game in document.match.games:
            final = game.final
            final.position.check(document.match.settings.variant.checkers)
            ended += final.is_over
    assert len(documents) > 25
    assert ended > 50
