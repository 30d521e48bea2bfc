"""Takebacks and forfeits: events of their own, that a record can be read without."""

from __future__ import annotations

import pytest

from fullprime.app.table import happenings, proof
from fullprime.app.table.dice import TableDice
from fullprime.app.table.seating import new_table
from fullprime.app.table.table import Table
from fullprime.formats import Document, write
from fullprime.play import rulings
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import DOUBLE, TAKE, Game, Phase, opening, play
from fullprime.rules.links import LinkChain, linked_dice
from fullprime.rules.notation import format_play
from fullprime.rules.record import GameRecord, Setup
from fullprime.rules.score import Player, Settings
from fullprime.store.games.games import GameStore
from fullprime.store.games.rooms import SavedRoom

SECRET = "5ec2e7" + "0" * 58


def room(of: Table) -> SavedRoom:
    """The room of a table, against a bot: X has added a seed alone."""
    options = {**proof.new_options(SECRET), "opponent": "bot"}
    return SavedRoom(
        id="room",
        settings=of.settings,
        names=of.names,
        seats=of.seats,
        secret=SECRET,
        seeds={"X": "a1"},
        options=options,
    )


def with_links(of: Table) -> Table:
    of.follow_links(SECRET, "bot", {Player.X: "a1"}, proof.chains(room(of)))
    return of


def table(store: GameStore | None = None, **rules: int) -> Table:
    settings = Settings(**{"length": 5, **rules})
    made = with_links(new_table(settings, bot="random", dice=TableDice(linked=True), store=store))
    made.bot_seed = "room"
    made.go_on()
    return made


def decide(at: Table, last: bool = False) -> None:
    """The first (or last) legal play, or a throw."""
    if at.game.phase is Phase.CUBE_DECISION:
        at.throw()
    elif at.game.phase is Phase.PLAY:
        at.play(format_play(at.game.legal_plays[-1 if last else 0]))
    elif at.game.phase is Phase.DOUBLE_OFFERED:
        at.act(TAKE)
    else:
        raise AssertionError(at.game.phase)


def record(at: Table) -> GameRecord:
    return at.match.games[-1]


def throws(at: Table) -> list[tuple[int, tuple[int, int]]]:
    return [(2 * each.number - 2, each.dice) for each in proof.throws_of(room(at), at.match, at.thrown_with)]


def test_a_takeback_sets_the_game_back_and_the_dice_come_again() -> None:
    at = table()
    for _ in range(6):
        decide(at)
    before, drawn = [at.game], at.dice.drawn
    first = throws(at)
    told = at.rule(rulings.takeback(record(at), [Player.X], 5))
    assert told[0].kind == "takeback"
    assert at.turn is Player.X
    assert at.dice.drawn < drawn
    while at.dice.drawn < drawn and not at.game.is_over:
        decide(at, last=True)
    again = [throw for throw in throws(at) if throw not in first]
    assert again == [], "the same numbers give the same dice, whatever is played"
    assert before[0] != at.game


def test_dice_without_a_seed_come_again_because_the_table_has_drawn_one() -> None:
    at = new_table(Settings(length=5), bot="random", dice=TableDice())
    at.go_on()
    while len(rulings.choices(record(at), [Player.X])) < 4:
        decide(at)
    first = [each.event for each in record(at).entries()]
    at.take_back(3)
    assert at.turn is Player.X
    while at.dice.drawn < 2 * rulings.throws(first):
        decide(at, last=True)
    thrown = [getattr(event, "dice", None) for event in (*first, *rulings.standing(record(at).events))]
    dice = [each for each in thrown if each is not None]
    assert dice[: rulings.throws(first)] == dice[rulings.throws(first) :][: rulings.throws(first)]
    other = new_table(Settings(length=5), bot="random", dice=TableDice())
    assert len(str(at.dice.seed)) == 64
    assert other.dice.seed != at.dice.seed
    assert TableDice.from_text(at.dice.text, at.dice.drawn) == at.dice, "a resumed game goes on with the same dice"


def test_as_far_back_as_one_likes_and_no_farther() -> None:
    at = table()
    start = at.game
    for _ in range(8):
        decide(at)
    mine = rulings.choices(record(at), [Player.X])
    for left in range(len(mine), 0, -1):
        at.rule(rulings.takeback(record(at), [Player.X]))
        assert len(rulings.choices(record(at), [Player.X])) == left - 1
    assert at.game.turn is Player.X
    assert at.game.score == start.score
    with pytest.raises(IllegalAction, match="nothing to take back"):
        rulings.takeback(record(at), [Player.X])
    with pytest.raises(IllegalAction, match="nothing to take back"):
        rulings.takeback(record(at), [Player.X], 0)


def test_a_bots_choices_and_forced_plays_are_nobodys_to_take_back() -> None:
    at = table()
    for _ in range(10):
        decide(at)
    stand = list(GameRecord(record(at).start, rulings.standing(record(at).events)).entries())
    for number in rulings.choices(record(at), [Player.X]):
        entry = stand[number]
        assert entry.player is Player.X
        assert entry.before.phase is not Phase.PLAY or len(entry.before.legal_plays) > 1


def test_what_was_taken_back_is_stored_and_gone_from_the_files(tmp_path: object) -> None:
    store = GameStore(f"sqlite:///{tmp_path}/games.db")
    at = table(store)
    for _ in range(5):
        decide(at)
    at.rule(rulings.takeback(record(at), [Player.X], 2))
    decide(at, last=True)
    assert at.number is not None
    saved = store.load(at.number)
    assert saved.match.game == at.game
    assert saved.drawn == at.dice.drawn
    resumed = with_links(Table.resume(saved, store))
    due = [each.session.links.dice(SECRET, each.throws + 1, {}) for each in (resumed, at)]
    assert due == [due[0]] * 2, "a resumed game goes on with the dice it would have had"
    plain = rulings.as_played(saved.match)
    assert plain.game == at.game
    assert not any(isinstance(event, Setup) for event in plain.games[-1].events)
    assert b"takeback" not in write(Document(plain), "mat")[0]
    store.close()


def test_the_proof_holds_after_takebacks_and_not_after_other_changes(tmp_path: object) -> None:
    store = GameStore(f"sqlite:///{tmp_path}/games.db")
    at = table(store)
    for steps in (3, 1, 2):
        for _ in range(5):
            decide(at, last=steps == 1)
        at.rule(rulings.takeback(record(at), [Player.X], steps))
    decide(at)
    assert at.number is not None
    found = proof.verify(room(at), store.load(at.number))
    assert found.faults == ()
    assert found.throws == len(throws(at))
    assert found.choices > 5
    chain = LinkChain(SECRET)
    for before, dice in throws(at):
        number = before // 2 + 1
        assert dice == linked_dice(number, chain.link(number), "a1", ""), "the published formula, in its order"

    forged = Setup(at.game, "takeback: 2 events stand")
    store.append(at.number, at.actions_kept + 1, at.game_number, forged, at.dice.drawn)
    assert "set by hand" in proof.verify(room(at), store.load(at.number)).faults[0]
    store.close()


@pytest.mark.parametrize(
    ("settings", "points"), [(Settings(length=7), 7), (Settings(length=0), 2), (Settings(length=0, cube=False), 1)]
)
def test_a_forfeit_ends_a_match_or_a_game(settings: Settings, points: int) -> None:
    game = Game.new(settings).act(opening(3, 1))
    game = game.act(play(game.legal_plays[0]))
    if settings.length == 0 and settings.cube:
        game = game.act(DOUBLE).act(TAKE)
    loser = game.turn
    assert loser is not None
    ruling = rulings.forfeit(game, loser, rulings.ON_TIME)
    assert rulings.forfeited_by(ruling) is loser
    assert ruling.game.is_over
    assert ruling.game.result is not None
    assert (ruling.game.result.winner, ruling.game.result.points) == (loser.other, points)
    told = happenings.describe_ruling(ruling, ("Ann", "Bob"))
    assert told is not None
    assert told.text == f"Out of time: {('Ann', 'Bob')[loser]}"


def test_a_forfeited_match_is_written_with_its_result() -> None:
    at = table(length=3)
    decide(at)
    at.rule(rulings.forfeit(at.game, Player.X, rulings.BY_ABSENCE))
    assert at.is_over
    plain = rulings.as_played(at.match)
    assert plain.is_over
    assert plain.games[-1].stated is not None
    assert plain.score.points == (0, 3)
    assert b"Wins 3 points and the match" in write(Document(plain), "mat")[0]


def test_other_set_ups_are_no_rulings() -> None:
    game = Game.new(Settings(length=3))
    for note in ("", "the dice 31 were typed wrongly", "takeback: -1 events stand", "forfeit: Z lost on time"):
        other = Setup(game, note)
        assert rulings.kept_by(other) is None
        assert rulings.forfeited_by(other) is None
        assert happenings.describe_ruling(other, ("Ann", "Bob")) is None
