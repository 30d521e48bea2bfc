"""The page beside a real board: its sums are those of the rules, its dice can be proved, and nothing of it is lost."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from tests.web.browsing import until, window
from tests.web.conftest import Server, chromium

from fullprime.play.links import server_secret
from fullprime.play.options.options import make_settings
from fullprime.play.options.rulebook import options_in_force
from fullprime.play.table.scorecard import settle_points, worth_words
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.links import LinkChain
from fullprime.rules.score import Score, Settings
from fullprime.rules.variants.variant import FollowUp
from fullprime.web.pages import STATIC

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

AGREED = (
    ("backgammon", ("length=5",)),
    ("backgammon", ("length=3", "crawford=no", "cube_cap=4")),
    ("backgammon", ("length=1",)),
    ("backgammon", ("length=0", "jacoby=yes", "beavers=yes", "raccoons=yes", "stake=2.50")),
    ("nackgammon", ("length=0", "automatic_doubles=unlimited", "backgammon=bar_four", "stake=5", "cube_cap=8")),
    ("hypergammon", ("length=0", "automatic_doubles=1", "beavers=yes", "opening_dice=reroll")),
    ("dutch", ("length=0", "cube=no")),
    ("acey_deucey", ("length=0", "acey_deucey_doubles_stake=yes", "reroll_opening_acey_deucey=yes")),
    ("acey_deucey_european", ("length=0", "stake=2")),
)
TRACE = """async ({sittings}) => {
  const {tableOf} = await import('/static/real/sitting.js');
  const {mayDouble, answers} = await import('/static/real/legal-actions.js');
  return sittings.map((sitting) => sitting.events.map((_, at) => {
    const table = tableOf({...sitting, events: sitting.events.slice(0, at + 1)});
    const {phase, turn, cube, multiplier, score, crawford, lines} = table;
    const words = lines.map((line) => line.words);
    return {phase, turn, cube, multiplier, score, crawford, words, may: mayDouble(table), answers: answers(table)};
  }));
}"""
CUPS = """async () => {
  const {tableOf} = await import('/static/real/sitting.js');
  const {nextThrow, proofOf, makePromise} = await import('/static/real/throws.js');
  const {readOptions, checkersOf, levelOf, settlement} = await import('/static/real/worth.js');
  const names = ['Ann', 'Bob', 'Cid'], proof = {...makePromise(), seeds: ['12', '345', '6']};
  const sitting = {names, options: {}, record: false, clock: null, dice: 'phone', proof, events: []};
  const say = (event) => {
    sitting.events.push({at: 0, ...event});
    return tableOf(sitting);
  };
  const thrown = () => say({k: 'throw', dice: nextThrow(sitting)});
  let table = tableOf(sitting);
  while (table.phase === 'opening') table = thrown();
  const before = table.turn;
  table = thrown();
  const counted = table.counts.map((each) => each.rolls);
  table = say({k: 'annul', why: 'cocked'});
  const annulled = table.counts.map((each) => [each.rolls, each.annulled]), turn = table.turn;
  thrown();
  table = say({k: 'over', who: 0, level: 2, how: 'bear-off'});
  const row = Array(27).fill(0);
  row[25] = 2;
  row[3] = 13;
  return {
    before, counted, annulled, turn, balance: table.balance, proof: proofOf(sitting),
    level: levelOf(readOptions({}), row, false), four: levelOf(readOptions({backgammon: 'bar_four'}), row, true),
    single: levelOf(readOptions({jacoby: 'yes'}), row, false), checkers: checkersOf(readOptions({}), row),
    paid: settlement(names, [4, -1, -3], readOptions({stake: '2.50'})),
    even: settlement(['Ann', 'Bob'], [0, 0], readOptions({})),
    apart: settlement(['Ann', 'Bob', 'Cid', 'Dan', 'Eve'], [-5, -4, 4, 3, 2], readOptions({})),
  };
}"""


class Sitting:
    """The cube and the score of some games by chance: as events of the page, and as the rules have it after each."""

    def __init__(self, variant: str, rules: tuple[str, ...], seed: int) -> None:
        self.settings: Settings = make_settings(variant, rules=rules, default_length=0)
        self.chance = random.Random(f"{variant}{rules}{seed}")
        self.events: list[dict[str, Any]] = []
        self.expected: list[tuple[Game, list[str]]] = []
        self.words: list[str] = []
        score = Score.start(self.settings)
        for number in range(5):
            if score.match_winner(self.settings) is not None:
                break
            if number:
                self.say({"k": "next"}, Game.new(self.settings, score))
            game = self.game(Game.new(self.settings, score))
            assert game.result is not None
            score = score.after(game.result, self.settings)

    def json(self) -> dict[str, Any]:
        options = dict(option.split(" = ", 1) for option in options_in_force(self.settings))
        options["length"] = str(self.settings.length)
        names = ["Ann", "Bob"]
        return {
            "names": names,
            "options": options,
            "record": False,
            "clock": None,
            "dice": "hand",
            "events": self.events,
        }

    def say(self, event: dict[str, Any], game: Game) -> None:
        self.events.append({"at": 0, **event})
        self.expected.append((game, list(self.words)))

    def game(self, game: Game) -> Game:
        while game.phase is Phase.OPENING_ROLL:
            dice = (self.chance.randint(1, 6), self.chance.randint(1, 6))
            game = self.thrown(game.act(acts.opening(*dice)), dice, by_opening=True)
        for _ in range(self.chance.randint(0, 6)):
            if game.phase is Phase.CUBE_DECISION and self.chance.random() < 0.5:
                game = self.doubled(game)
                if game.is_over:
                    return game
            dice = (self.chance.randint(1, 6), self.chance.randint(1, 6))
            game = self.thrown(game.act(acts.roll(Roll(*dice))), dice)
        return self.resigned(game)

    def thrown(self, game: Game, dice: tuple[int, int], *, by_opening: bool = False) -> Game:
        """Plays are nothing to cube and score: the turn passes."""
        again = FollowUp.ROLL_AGAIN in game.follow_ups
        after = game.end_turn_at(game.position) if game.phase is Phase.PLAY else game
        self.say(
            {"k": "throw", "dice": dice}, game if again or (by_opening and game.phase is not Phase.PLAY) else after
        )
        if again:
            self.say({"k": "end"}, after)
        return after

    def doubled(self, game: Game) -> Game:
        game = game.act(acts.DOUBLE)
        self.say({"k": "double"}, game)
        while game.phase in (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED):
            kinds = [kind for kind in game.actions() if kind is not ActionKind.DROP or self.chance.random() < 0.3]
            kind = self.chance.choice(kinds)
            game = game.act(acts.Action(kind))
            self.over(game)
            self.say({"k": str(kind)}, game)
        return game

    def resigned(self, game: Game) -> Game:
        assert game.turn is not None
        winner, level = game.turn.other, self.chance.choice(game.resignation_levels)
        game = game.act(acts.resign(level)).act(acts.ACCEPT)
        self.over(game)
        checkers = {} if game.result is None or game.result.level else {"points": game.result.points // game.multiplier}
        self.say({"k": "over", "who": int(winner), "level": level, "how": "resignation", **checkers}, game)
        return game

    def over(self, game: Game) -> None:
        if game.result is not None:
            self.words.append(worth_words(game, game.result))


def compared(traced: dict[str, Any], game: Game, words: list[str]) -> None:
    assert traced["words"] == words
    assert traced["multiplier"] == game.multiplier
    assert traced["may"] == (game.phase is Phase.CUBE_DECISION)
    assert traced["cube"]["value"] == game.cube.value
    assert traced["cube"]["owner"] == (None if game.cube.owner is None else int(game.cube.owner))
    assert traced["crawford"] == game.score.crawford_game
    offers = (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED)
    answers = {str(kind) for kind in game.actions() if kind is not ActionKind.RESIGN}
    assert set(traced["answers"]) == (answers if game.phase in offers else set())
    assert traced["turn"] == (None if game.turn is None else int(game.turn))
    score = game.score if game.result is None else game.score.after(game.result, game.settings)
    assert tuple(traced["score"]) == score.points


@pytest.mark.broad
def test_cube_score_and_worth_are_those_of_the_rules_in_games_by_chance(shared_server: Server, browser: Any) -> None:
    sittings = [Sitting(variant, rules, seed) for variant, rules in AGREED for seed in range(6)]
    with window(browser) as page:
        page.goto(f"{shared_server.url}/real")
        traced = page.evaluate(TRACE, {"sittings": [sitting.json() for sitting in sittings]})
    assert sum(len(steps) for steps in traced) > 400
    for sitting, trace in zip(sittings, traced, strict=True):
        for step, (game, words), event in zip(trace, sitting.expected, sitting.events, strict=True):
            try:
                compared(step, game, words)
            except AssertionError as error:
                raise AssertionError(f"{sitting.settings}: {event}: {step}: {error}") from error


@pytest.mark.broad
def test_annulled_throws_are_not_counted_three_settle_and_the_dice_are_proved(
    shared_server: Server, browser: Any, tmp_path: Path
) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/real")
        page.locator("#house option").first.wait_for(state="attached")
        for game, label in (("acey_deucey", "A checker is worth"), ("backgammon", "A point is worth")):
            page.select_option("#house", game)
            assert page.locator("#stake-label").inner_text() == label
        traced = page.evaluate(CUPS)
    assert sum(traced["counted"]) == 1
    assert [rolls for rolls, _ in traced["annulled"]] == [0, 0, 0]
    assert sum(annulled for _, annulled in traced["annulled"]) == 1
    assert traced["turn"] == traced["before"], "who threw throws again"
    assert traced["balance"] == [4, -2, -2], "the box has won a gammon from both"
    assert (traced["level"], traced["four"], traced["single"], traced["checkers"]) == (3, 4, 1, 15)
    assert traced["paid"] == settle_points(("Ann", "Bob", "Cid"), (4, -1, -3), Decimal("2.50"))
    assert traced["even"] == ["Nobody owes anything."]
    assert traced["apart"] == settle_points(("Ann", "Bob", "Cid", "Dan", "Eve"), (-5, -4, 4, 3, 2), Decimal(1))
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(traced["proof"]))
    checking = [sys.executable, str(STATIC / "verify" / "verify_dice.py"), str(proof)]
    assert subprocess.run(checking, capture_output=True, check=False).returncode == 0
    changed = {**traced["proof"], "throws": [[7 - a, 7 - b] for a, b in traced["proof"]["throws"]]}
    proof.write_text(json.dumps(changed))
    assert subprocess.run(checking, capture_output=True, check=False).returncode != 0


LONG = """async () => {
  const {proofOf, makePromise} = await import('/static/real/throws.js');
  const proof = {...makePromise(), seeds: ['12', '345']}, events = [];
  const how = {options: {}, record: false, clock: null, dice: 'phone'};
  const sitting = {id: 'long', names: ['Ann', 'Bob'], ...how, proof, events};
  const say = (k, more = {}) => events.push({at: 0, k, ...more});
  for (let game = 0; game < 22; game++) {
    for (let number = 0; number < 100; number++) say('throw', {dice: [3, 1]});
    say('over', {who: 0, level: 1, how: 'bear-off'});
    say('next');
  }
  return proofOf(sitting);
}"""


@pytest.mark.broad
def test_in_a_long_sitting_the_device_begins_a_chain_before_an_opening(shared_server: Server, browser: Any) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/real")
        proof = page.evaluate(LONG)
    first, later = LinkChain(proof["secret"]), LinkChain(server_secret(proof["secret"], 2101), 2101)
    chains = [{"whose": "server", "first": chain.first, "anchor": chain.anchor} for chain in (first, later)]
    assert (proof["commitment"], proof["links"]["chains"]) == (first.anchor, chains)
    throws = proof["links"]["throws"]
    assert [throw["number"] for throw in throws if throw["by"] == "both"] == list(range(1, 2201, 100))
    for number in (1, 2100, 2101, 2200):
        assert throws[number - 1]["server"] == (later if number > 2100 else first).link(number)


OLDER = """async () => {
  const {keep} = await import('/static/real/storage.js');
  const {makePromise} = await import('/static/real/throws.js');
  const proof = {...makePromise(), commitment: 'ab'.repeat(32), seeds: ['1', '2']};
  const game = {variant: 'backgammon', title: 'Backgammon', rules: {}, options: {}};
  const how = {dice: 'phone', clock: null, record: false};
  keep({id: 'older', begun: 0, names: ['Ann', 'Bob'], ...game, ...how, proof, events: []}, false);
}"""


@pytest.mark.broad
def test_a_sitting_with_an_older_promise_says_that_it_is_proved_no_more(shared_server: Server, browser: Any) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/real")
        page.evaluate(OLDER)
        page.goto(f"{shared_server.url}/real#older")
        page.reload()
        page.get_by_text("promised by an older formula").wait_for(state="attached")
        page.get_by_role("button", name="Throw").first.click()


def opened(page: Any) -> None:
    """Both dice of the opening, with no tie; the first player begins."""
    for number in (3, 1):
        page.get_by_role("button", name=f"Die {number}").click()


@pytest.mark.broad
def test_a_game_is_played_written_down_reviewed_and_goes_on_without_a_connection(
    shared_server: Server, browser: Any
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with window(browser, "phone", service_workers="allow") as page:
        page.goto(f"{shared_server.url}/real")
        page.locator("#start:enabled").wait_for()
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(page, "navigator.serviceWorker.controller")
        assert axe.run(page).violations_count == 0
        page.reload()
        page.locator("#start:enabled").wait_for()
        page.select_option("#length", "0")
        page.fill("#stake", "5")
        page.select_option("#dice", "hand")
        page.select_option("#clock", "usbgf")
        page.check("#record")
        page.locator("#start").click()
        page.get_by_text("each throws one die").wait_for()
        for name in ("#board", "#undo-move", "#done", "#typed"):
            assert not page.locator(name).is_visible(), f"{name}: nothing is thrown yet"
        assert page.inner_text("#games") == "No game is finished yet"
        opened(page)
        page.get_by_role("button", name="Cocked").click()
        opened(page)
        page.locator(".spot.source").first.wait_for()
        page.fill("#play", "8/5 6/4")
        page.get_by_role("button", name="Write down").click()
        page.get_by_role("alert").get_by_text("6/4").wait_for()
        rules = page.locator("#open-rules").evaluate("one => one.href")
        assert page.get_by_role("alert").get_by_role("link", name="The rules").get_attribute("href") == rules
        page.fill("#play", "8/5 6/5")
        page.get_by_role("button", name="Write down").click()
        page.get_by_text("Bob doubles or throws").wait_for()
        assert axe.run(page).violations_count == 0, axe.run(page).generate_report()
        page.emulate_media(color_scheme="dark")
        assert axe.run(page).violations_count == 0
        page.context.set_offline(True)
        page.reload()
        page.get_by_text("Bob doubles or throws").wait_for()
        page.get_by_role("button", name="Bob doubles to 2").click()
        page.get_by_role("button", name="Take at 2").click()
        opened(page)
        page.get_by_text("No connection: the legal plays come from the server").wait_for()
        page.fill("#play", "8/5 6/5")
        page.get_by_role("button", name="Write down").click()
        page.get_by_role("button", name="The game is over").click()
        page.locator("dialog").get_by_text("gammon", exact=True).click()
        page.get_by_role("button", name="Write it down").click()
        page.get_by_role("cell", name="gammon, cube at 2, stake 5: 20").wait_for()
        assert page.inner_text("#payments") == "Bob pays Ann 20 (4 points at 5)."
        page.get_by_role("button", name="Review and keep the record").click()
        page.get_by_text("the record is kept here").wait_for()
        page.context.set_offline(False)
        page.get_by_role("link", name="The record is in the library").click()
        page.get_by_text("Ann").first.wait_for()
        page.go_back()
        page.get_by_role("cell", name="gammon, cube at 2, stake 5: 20").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.broad
def test_plays_typed_without_a_connection_are_looked_at_when_it_is_back_and_lead_to_the_board(
    shared_server: Server, browser: Any
) -> None:
    def throw(first: int, second: int) -> None:
        for number in (first, second):
            page.get_by_role("button", name=f"Die {number}").click()

    def write(play: str) -> None:
        page.fill("#play", play)
        page.get_by_role("button", name="Write down").click()

    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/real")
        page.locator("#start:enabled").wait_for()
        page.select_option("#length", "0")
        page.select_option("#dice", "hand")
        page.check("#record")
        page.locator("#start").click()
        throw(3, 1)
        page.locator(".spot.source").first.wait_for()
        page.context.set_offline(True)
        write("8/5 6/5")  # the board was known: it is kept all the same
        page.get_by_text("Bob doubles or throws").wait_for()
        throw(6, 5)
        page.get_by_text("No connection: the legal plays come from the server").wait_for()
        write("24/18 13/7")
        page.get_by_text("Ann doubles or throws").wait_for()
        page.context.set_offline(False)
        page.get_by_role("heading", name="A play that cannot be").wait_for()
        page.fill("#again", "24/18 13/8")
        page.locator("dialog").get_by_role("button", name="Write down").click()
        page.locator("dialog").wait_for(state="hidden")
        throw(6, 6)
        page.locator('[data-spot="X24"].source').wait_for()
        assert page.locator('[data-spot="X18"]').is_visible()
        rows = page.evaluate(
            """async () => {
              const {tableOf} = await import('/static/real/sitting.js');
              const {sitting, sittings} = await import('/static/real/storage.js');
              return tableOf(sitting(sittings()[0].id)).desk.rows;
            }"""
        )
        assert (rows["X"][5], rows["O"][18], rows["O"][8]) == (2, 1, 4), "the board after both plays, not a new one"


@pytest.mark.broad
def test_on_a_small_phone_a_play_is_written_down_without_scrolling_and_the_score_fits(
    shared_server: Server, browser: Any
) -> None:
    def inside(*selectors: str) -> list[str]:
        """Those that are not wholly on the screen."""
        boxes = [page.locator(selector).bounding_box() for selector in selectors]
        outside = [box["y"] < 0 or box["y"] + box["height"] > 640 for box in boxes]
        return [selector for selector, is_out in zip(selectors, outside, strict=True) if is_out]

    with window(browser, "phone", viewport={"width": 360, "height": 640}) as page:
        page.goto(f"{shared_server.url}/real")
        page.locator("#start:enabled").wait_for()
        page.locator("#add-player").click()
        page.locator("#fewer-players").click()
        assert page.locator("#players input").count() == 2, "one that was added by mistake can go"
        assert not page.locator("#fewer-players").is_visible()
        page.fill("#player-1", "Wilhelmina van der Berg")
        page.select_option("#dice", "hand")
        page.select_option("#clock", "usbgf")
        page.check("#record")
        page.locator("#start").click()
        opened(page)
        page.locator(".spot.source").first.wait_for()
        assert inside("#done", "#undo", "#pause", "#acts button >> nth=0") == []
        board, done = page.locator("#board").bounding_box(), page.locator("#done").bounding_box()
        assert board["y"] + board["height"] <= done["y"], "the actions lie below the board, not on it"
        page.get_by_role("button", name="The game is over").click()
        assert inside("dialog .primary") == []
        page.locator("dialog .primary").click()
        page.locator("#games td").first.wait_for()
        wide, visible = page.locator("#games").evaluate("(each) => [each.scrollWidth, each.clientWidth]")
        assert wide <= visible


CHOUETTE = """async () => {
  const {tableOf, nextSeats} = await import('/static/real/sitting.js');
  const sitting = {names: ['Ann', 'Bob', 'Cid', 'Dan'], options: {}, record: false, clock: null, dice: 'phone'};
  const opening = {k: 'throw', dice: [5, 3]}, thrown = {k: 'throw', dice: [4, 2]};
  const events = [opening, thrown, {k: 'double'}, {k: 'out', who: 2}, {k: 'take'}];
  const timed = (events) => events.map((each) => ({at: 0, ...each}));
  const end = (who) => tableOf({...sitting, events: timed([...events, {k: 'over', who, level: 1}])});
  return [0, 1].map((who) => ({balance: end(who).balance, ...nextSeats(end(who))}));
}"""


def test_who_drops_alone_in_a_game_of_several_plays_the_next_one(shared_server: Server, browser: Any) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/real")
        boxed, lost = page.evaluate(CHOUETTE)
    assert boxed == {"balance": [5, -2, -1, -2], "box": 0, "team": [3, 2, 1]}
    assert lost == {"balance": [-3, 2, -1, 2], "box": 1, "team": [3, 2, 0]}


@pytest.mark.broad
def test_over_plain_http_the_page_says_that_it_opens_with_a_connection(shared_server: Server, browser: Any) -> None:
    for safe in ("true", "false"):
        with window(browser, "phone") as page:
            page.add_init_script(f"Object.defineProperty(window, 'isSecureContext', {{value: {safe}}})")
            page.goto(f"{shared_server.url}/real")
            page.locator("#start:enabled").wait_for()
            assert page.get_by_text("it needs https").is_visible() == (safe == "false")
