"""A table: stored before told, automatic where nothing is to decide, untouched by what is refused."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from fullprime.common.refusals import Refusal
from fullprime.formats import read
from fullprime.play.options.options import make_settings
from fullprime.play.table.seating import new_table, record_format, resume_table, write_record
from fullprime.play.table.table import Table
from fullprime.play.table.table_events import InfoEvent
from fullprime.play.table.terminal_store import TerminalStore
from fullprime.rules import game as acts
from fullprime.rules.cube import Cube
from fullprime.rules.errors import FullprimeError, IllegalAction, IllegalPlay, NotationError, SettingsError
from fullprime.rules.game import Action, Game, Phase
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Score, Settings


def typed(settings: Settings | None = None, **options: object) -> Table:
    """Two people with real dice."""
    return new_table(settings or Settings(length=5), bot=None, types_dice=True, **options)  # type: ignore[arg-type]


def tell(table: Table, *lines: str) -> list[str]:
    return [happening.text for line in lines for happening in table.run_command(line)]


# -- by itself --------------------------------------------------------------------------------------------------
def test_the_opening_is_thrown_and_the_same_seed_gives_the_same_game() -> None:
    tables = [new_table(Settings(length=5), seed="7") for _ in range(2)]
    for table in tables:
        table.show_to_the_only_person()
    texts = [[happening.text for happening in table.advance()] for table in tables]
    assert texts[0] == texts[1]
    assert tables[0].game.phase is Phase.PLAY
    assert texts[0][0].startswith("Opening roll: you throw 6, heuristic throws 2")


def test_nothing_is_thrown_where_people_throw_or_where_it_was_switched_off() -> None:
    for table in (typed(), new_table(Settings(), bot=None, automatic=False)):
        assert table.advance() == []
        assert table.game.phase is Phase.OPENING_ROLL


def test_a_roll_without_a_decision_is_thrown() -> None:
    table = new_table(make_settings("acey_deucey"), bot=None, seed="2")
    table.advance()
    for _ in range(5):
        table.run_command((table.game.phase is Phase.CHOOSE_DOUBLE and "6") or f"{plays(table)[0]}")
        assert table.game.phase in (Phase.PLAY, Phase.CHOOSE_DOUBLE)


def plays(table: Table) -> list[str]:
    (answer,) = table.run_command("plays")
    assert isinstance(answer, InfoEvent)
    return list(answer.plays or ())


BAR_TWO = "bar:2 24:2 13:4 8:3 6:4 / 24 16 13:5 8:3 6:3 2:2"


def at(position: str, settings: Settings | None = None, **changes: object) -> Game:
    settings = settings or Settings(length=5)
    return Game(
        settings=settings,
        score=Score.start(settings),
        position=Position.from_text(position, settings.variant.checkers),
        on_roll=Player.X,
        phase=Phase.CUBE_DECISION,
        **changes,  # type: ignore[arg-type]
    )


def test_a_forced_play_is_played_with_a_notice_and_may_be_typed_all_the_same() -> None:
    table = typed(game=at(BAR_TWO))
    texts = tell(table, "roll 52")
    assert texts == ["X rolls 5-2", "X plays 5-2: bar/20 (the only legal play)"]
    assert table.game.on_roll is Player.O
    assert "already" in tell(table, "bar/20")[0]
    with pytest.raises(IllegalPlay):
        table.run_command("bar/23")
    asking = typed(game=at(BAR_TWO), automatic=False)
    assert tell(asking, "52", "bar/20") == ["X rolls 5-2", "X plays 5-2: bar/20"]


def test_a_dance_is_told() -> None:
    table = typed(game=at("bar 13:2 off:12 / 6:2 5:2 4:2 3:2 2:2 1:2 off:3"))
    assert tell(table, "65")[-1] == "X cannot move: 6-5 has no legal play"
    asking = typed(game=at("bar 13:2 off:12 / 6:2 5:2 4:2 3:2 2:2 1:2 off:3"), automatic=False)
    assert tell(asking, "65", "fan")[-1] == "X cannot move: 6-5 has no legal play"


def test_a_bot_plays_until_a_person_must_decide() -> None:
    table = new_table(Settings(length=3), seed="3")
    table.advance()
    for _ in range(400):
        if table.is_over:
            break
        if table.game.is_over:
            table.run_command("next")
            continue
        assert table.turn is Player.X
        table.run_command(
            {"play": "move " + plays(table)[0] if table.game.phase is Phase.PLAY else ""}.get(
                str(table.game.phase), "roll" if "roll" in [str(kind) for kind in table.game.actions()] else "take"
            ),
        )
    assert table.is_over
    assert max(table.session.score.points) >= 3


def test_a_bot_waits_for_the_dice_that_people_throw_for_it() -> None:
    table = new_table(Settings(length=3), types_dice=True)
    tell(table, "roll 31", "8/5 6/5")
    assert table.turn is Player.O
    assert table.waits_for_dice
    with pytest.raises(Refusal, match="it is heuristic who must act"):
        table.run_command("double")
    texts = tell(table, "52")
    assert texts[0] == "heuristic rolls 5-2"
    assert table.turn is Player.X


# -- what people do ---------------------------------------------------------------------------------------------
def test_a_refused_line_changes_nothing() -> None:
    table = typed()
    tell(table, "roll 31")
    before = table.game
    for line in (
        "8/5",
        "8/5 6/4",
        "take",
        "roll 31",
        "roll",
        "31",
        "accept",
        "choose 3",
        "next",
        "undo x y",
        "step 1/1",
        "nonsense",
        "",
        "x" * 300,
        "resign z",
        "8/5 6/5 junk",
        "done",
    ):
        with pytest.raises(FullprimeError):
            table.run_command(line)
        assert table.game is before
    assert not table.moves


def test_checker_by_checker_with_undo() -> None:
    table = typed(confirm=True)
    assert tell(table, "roll 31", "8/5")[-1].startswith("8/5 ...")
    assert table.reader.state.dice == (1,)
    assert "Taken back" in tell(table, "undo")[0]
    tell(table, "6/5", "8/5")
    assert table.game.phase is Phase.PLAY
    assert tell(table, "undo", "8/5", "done")[-1] == "X plays 3-1: 8/5 6/5"
    at_once = typed()
    assert tell(at_once, "31", "step 8/5", "step 6/5")[-1] == "X plays 3-1: 8/5 6/5"
    with pytest.raises(IllegalAction, match="stands"):
        at_once.run_command("undo")


def test_the_rest_of_a_play_may_be_typed_alone() -> None:
    start = at("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")
    table = typed(game=start)
    assert tell(table, "roll 66", "step 24/18(2)", "13/7(2)")[-1] == "X plays 6-6: 24/18(2) 13/7(2)"
    again = typed(game=start)
    assert tell(again, "roll 66", "step 24/18", "24/18(2) 13/7(2)")[-1] == "X plays 6-6: 24/18(2) 13/7(2)"


def test_dice_typed_wrongly_are_taken_back_and_the_record_has_the_right_ones() -> None:
    table = typed()
    tell(table, "roll 31", "8/5 6/5", "roll 62", "undo", "roll 52")
    assert str(table.game.dice) == "52"
    assert [action.dice for action in table.match.games[0].events if isinstance(action, Action) and action.dice] == [
        (3, 1),
        (5, 2),
    ]
    assert table.match.games[0].final == table.game


def test_words_of_other_programs() -> None:
    money = make_settings(jacoby=False, beavers=True, raccoons=True)
    start = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
    for lines, phase in (
        (("redouble",), Phase.DOUBLE_OFFERED),
        (("d", "redouble"), Phase.BEAVER_OFFERED),
        (("d", "b e a", "bea"), Phase.BEAVER_OFFERED),
        (("double", "beaver", "redouble"), Phase.RACCOON_OFFERED),
        (("double", "agree"), Phase.ROLL),
        (("double", "pass"), Phase.OVER),
        (("double", "reject"), Phase.OVER),
        (("double", "decline"), Phase.OVER),
        (("resign b", "agree"), Phase.OVER),
        (("resign 2", "decline"), Phase.CUBE_DECISION),
        (("r 31", "m 8 5 6 5"), Phase.CUBE_DECISION),
        (("31", "8-5 6-5"), Phase.CUBE_DECISION),
    ):
        table = typed(money, game=at(start, money))
        for line in lines:
            if line != "b e a":
                table.run_command(line)
        assert table.game.phase is phase, lines


def test_short_forms_and_what_is_ambiguous() -> None:
    table = typed(game=at("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"))
    assert tell(table, "dou") == ["X doubles to 2"]
    assert tell(table, "ta") == ["O takes; O holds the cube at 2"]
    with pytest.raises(NotationError, match="could mean"):
        table.run_command("p")
    assert tell(table, "re") == ["X offers to resign a single game"]
    table.run_command("refuse")
    with pytest.raises(NotationError, match="neither a command nor a play"):
        table.run_command("castle")
    assert table.run_command("q")[0].kind == "quit"


def test_a_resignation_waits_for_the_other_person() -> None:
    table = typed()
    tell(table, "roll 31", "resign g")
    assert table.turn is Player.O
    with pytest.raises(IllegalAction):
        table.run_command("8/5 6/5")
    assert tell(table, "refuse", "resign g", "accept")[-1].startswith("O wins a gammon, 2 points (resignation)")


def test_points_beyond_the_length_of_a_match_are_not_told() -> None:
    texts = tell(typed(Settings(length=1)), "31", "resign g", "accept")
    assert texts[-2] == "O wins a gammon, 2 points (resignation). Score: X 0, O 1 in the match to 1"
    assert texts[-1] == "O wins the match 1\u20130"


def test_a_match_goes_on_to_its_end() -> None:
    table = typed(Settings(length=2))
    texts = tell(table, "31", "resign", "accept", "next", "31", "resign", "accept")
    assert texts[-1] == "O wins the match 2\u20130"
    assert "Game 2: the Crawford game, no doubling" in texts
    for line in ("next", "roll 31", "resign"):
        with pytest.raises(IllegalAction, match=r"the match is over|game is over"):
            table.run_command(line)
    assert "game 2" in tell(table, "score")[0]


def test_questions_change_nothing() -> None:
    table = typed()
    tell(table, "roll 31")
    before = table.game
    for line in ("board", "pip", "score", "rules", "help", "hint", "save", "plays"):
        assert table.run_command(line)[0].text
    assert table.game is before
    assert tell(table, "pip") == ["Pips: X 167, O 167; level"]
    assert "not stored" in tell(table, "save")[0]
    assert tell(table, "hint heuristic")[0].startswith("The heuristic bot would: 8/5 6/5")


# -- kept -------------------------------------------------------------------------------------------------------
def test_every_action_is_stored_before_it_is_told(tmp_path: Path) -> None:
    store = TerminalStore(str(tmp_path / "games.db"))
    table = new_table(Settings(length=5), seed="11", store=store)
    table.advance()
    for _ in range(6):
        if table.game.is_over:
            break
        table.run_command(plays(table)[0] if table.game.phase is Phase.PLAY else str(table.game.actions()[0]))
        again = resume_table(store)
        assert again.game == table.game
        assert again.match == table.match


def test_a_resumed_game_goes_on_with_the_dice_it_would_have_had(tmp_path: Path) -> None:
    store = TerminalStore(str(tmp_path / "games.db"))
    whole_table = new_table(Settings(length=5), seed="5")
    parts = new_table(Settings(length=5), seed="5", store=store)
    for table in (whole_table, parts):
        table.advance()
    for _ in range(8):
        line = plays(whole_table)[0] if whole_table.game.phase is Phase.PLAY else str(whole_table.game.actions()[0])
        texts = tell(whole_table, line)
        parts = resume_table(store, parts.number)
        assert tell(parts, line) == texts


def test_a_table_that_cannot_store_does_not_move(tmp_path: Path) -> None:
    store = TerminalStore(str(tmp_path / "games.db"))
    first = typed(store=store)
    second = resume_table(store)
    tell(first, "roll 31")
    with pytest.raises(FullprimeError, match="somewhere else"):
        second.run_command("roll 42")
    assert second.game.phase is Phase.OPENING_ROLL


@pytest.mark.parametrize("name", ["game.json", "game.mat"])
def test_the_record_can_be_read_again(tmp_path: Path, name: str) -> None:
    table = typed()
    tell(table, "31", "8/5 6/5", "double", "drop", "next", "64", "24/14", "resign", "accept")
    path = tmp_path / name
    write_record(table, path)
    document = read(path).documents[0]
    assert [record.result for record in document.match.games] == [record.result for record in table.match.games]


def test_a_record_of_no_known_format_is_refused(tmp_path: Path) -> None:
    for name in ("game.doc", "game", "missing/game.json"):
        with pytest.raises(SettingsError):
            record_format(tmp_path / name)


def test_a_table_that_begins_in_the_middle(tmp_path: Path) -> None:
    store = TerminalStore(str(tmp_path / "games.db"))
    settings = make_settings(stake=Decimal("2.5"))
    table = typed(settings, game=at(BAR_TWO, settings, cube=Cube(2, Player.X)), store=store)
    tell(table, "52", "roll 61")
    assert resume_table(store).game == table.game
    assert resume_table(store).match.games[0].start.position.text == BAR_TWO


def test_who_cannot_sit_down() -> None:
    for bad in (
        {"bot": "nobody"},
        {"names": ("A", "A")},
        {"names": ("A", "B", "C")},
        {"names": ("",)},
        {"names": ("x" * 50,)},
    ):
        with pytest.raises(SettingsError):
            new_table(Settings(), **bad)  # type: ignore[arg-type]


def test_typed_dice_belong_to_tables_with_typed_dice() -> None:
    table = new_table(Settings(), bot=None, seed="1", automatic=False)
    with pytest.raises(IllegalAction, match="the program throws"):
        table.run_command("roll 31")
    table.run_command("roll")
    with pytest.raises(IllegalAction, match="type the dice"):
        typed().run_command("roll")
    assert acts.opening(3, 1).dice == (3, 1)
