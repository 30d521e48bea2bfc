"""Help against bots, and what people do between them, over HTTP and in the pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from tests.web.browsing import open_form, point, wait_until
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create, friends

from fullprime.engine.shared import engine_for
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON
from fullprime.web import live
from fullprime.web.routes import bots

in_a_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

TO_DOUBLE = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
"""The start with X on roll and a cube in the middle: to double now is a blunder whatever the dice will be."""
MARKED_AS_GUESTS = """(names) => import("/static/game/words.js").then(({ isGuest }) =>
  names.map((name) => isGuest({ names: [name, "Ann"], guests: [true, false], you: "O" }, "X")))"""
"""Whether a player of each name, who has no account, is marked as a guest."""


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=120) as client:
        yield client


@pytest.fixture(scope="module")
def thinking() -> None:
    """The kernels are compiled and kept, so that the server need not do it while somebody waits for an answer."""
    engine_for(BACKGAMMON)


def against_bot(client: httpx.Client, **options: Any) -> Seat:
    return create(client, bot="random", position=TO_DOUBLE, rules={"length": 5}, **options)[0]


# -- over HTTP --------------------------------------------------------------------------------------------------
def test_hints_judgements_and_takebacks_against_a_bot(thinking: None, client: httpx.Client) -> None:
    seat = against_bot(client)
    table = seat.post("hint", {"level": "0-ply"}).json()
    assert table["kind"] == "cube"
    assert "plays" not in table
    judgement = seat.post("judge", {"line": "double", "level": "0-ply"}).json()
    assert (judgement["judged"], judgement["blunder"], judgement["best"]) == (True, True, "roll")
    before = seat.state
    assert not before["takebacks"]
    seat.does("roll")
    plays = seat.post("hint", {"level": "0-ply"}).json()["plays"]
    assert plays[0]["loss"] == 0
    worst = plays[-1]
    judged = seat.post("judge", {"line": worst["play"], "level": "0-ply"}).json()
    assert judged["loss"] == pytest.approx(worst["loss"], abs=1e-3)
    dice = seat.state["dice"]
    seat.does(worst["play"])
    while seat.state["turn"] == "O":
        pass
    back = seat.post("takeback", {"steps": 2, "sequence": seat.state["sequence"]})
    assert back.status_code == 200, back.text
    assert back.json()["events"][0]["kind"] == "takeback"
    again = seat.state
    assert (again["phase"], again["position"]) == ("cube_decision", before["position"])
    seat.does("roll")
    assert seat.state["dice"] == dice, "the same dice come again"
    assert seat.post("takeback", {"sequence": 1}).status_code == 409
    assert seat.post("takeback", {"steps": 400}).status_code == 400
    assert seat.post("hint", {"level": "9-ply"}).status_code == 422


def test_nobody_is_helped_against_people(client: httpx.Client) -> None:
    host, guest = friends(client, rules={"length": 3})
    watcher = Seat(client, host.game, None)
    requests: list[tuple[str, dict[str, Any]]] = [("hint", {}), ("judge", {"line": "roll"}), ("takeback", {})]
    for path, body in requests:
        for who in (host, guest, watcher):
            assert who.post(path, body).status_code == 403, path
    bot = against_bot(client)
    assert Seat(client, bot.game, None).post("hint", {}).status_code == 403, "a spectator could tell the player"


def test_the_dice_of_a_game_with_takebacks_are_proved_by_the_published_formula(client: httpx.Client) -> None:
    import hashlib

    seat = create(client, bot="random", rules={"length": 1})[0]
    for _ in range(6):
        if seat.state["turn"] == "X":
            seat.does(seat.state["plays"][-1] if seat.state["plays"] else "no play")
            while seat.state["turn"] == "O":
                pass
            seat.post("takeback", {})
    for line in ("resign", "resign 2", "resign 3"):
        while seat.state["turn"] == "O":
            pass
        if not seat.state["match_over"]:
            seat.does(line)
    while not seat.state["match_over"]:
        if seat.state["turn"] == "X" and seat.state["legal_actions"]:
            state = seat.state
            seat.does("roll" if "roll" in state["legal_actions"] else state["plays"][0])
    proof = seat.get("/proof")
    assert len(proof["throws"]) == len(proof["drawn"])
    for dice, drawn in zip(proof["throws"], proof["drawn"], strict=True):
        # The server's link of a number is its secret, hashed so often; the player has added a seed alone.
        link = bytes.fromhex(proof["secret"])
        for _ in range(proof["links"]["length"] - drawn // 2 - 1):
            link = hashlib.sha256(link).digest()
        text = f"fullprime-2:{drawn // 2 + 1}:{link.hex()}:{proof['seeds']['X']}:{proof['seeds']['O']}:0"
        due = [byte % 6 + 1 for byte in hashlib.sha256(text.encode()).digest() if byte < 252]
        assert dice == due[:2]


def test_talk_reports_and_rematches(client: httpx.Client) -> None:
    host, guest = friends(client, rules={"length": 1})
    watcher = Seat(client, host.game, None)
    assert host.post("chat", {"phrase": "luck"}).status_code == 204
    assert guest.post("chat", {"text": "<b>and you</b>"}).status_code == 204
    assert [line["said"] for line in guest.get("/chat")["said"]] == ["Good luck!", "<b>and you</b>"]
    for bad, status in (({}, 400), ({"text": "x" * 500}, 422), ({"phrase": "no such"}, 400), ({"text": "\n"}, 400)):
        assert host.post("chat", bad).status_code == status
    assert watcher.post("chat", {"text": "hi"}).status_code == 403
    assert client.get(f"/api/games/{host.game}/chat").status_code == 403
    assert "Good luck" not in json.dumps(watcher.get())
    assert guest.post("report", {"reason": "shouts"}).status_code == 204
    assert watcher.post("report", {"reason": "shouts"}).status_code == 403
    assert host.post("claim", {}).status_code == 400
    assert host.post("rematch", {}).status_code == 403
    turn = {"X": host, "O": guest}[host.state["turn"]]
    other = guest if turn is host else host
    turn.does("resign")
    other.does("accept")
    assert host.post("rematch", {}).json() == {"game": None}
    rematch = guest.post("rematch", {}).json()["game"]
    assert host.state["rematch"] == {"offered": ["O", "X"], "game": rematch}
    for old, side in ((host, "X"), (guest, "O")):
        new = Seat(client, rematch, old.key)
        assert new.state["you"] == side
        assert new.post("seed", {"seed": "ab"}).status_code == 204
    assert Seat(client, rematch, host.key).state["status"] == "playing"


def test_clocks_by_name(client: httpx.Client) -> None:
    for name, about in client.get("/api/clocks").json()["clocks"].items():
        seat, _ = create(client, opponent="friend", clock=name, rules={"length": 3})
        assert seat.state["clock"]["words"].split()[0] in about
    for bad in ({"opponent": "friend", "clock": "sundial"}, {"opponent": "bot", "clock": "fast"}):
        assert client.post("/api/games", json=bad).status_code == 400


def test_a_spectator_who_is_late_gets_no_record_early(client: httpx.Client) -> None:
    host, _ = friends(client, rules={"length": 3}, late=600)
    assert host.get()["state"]["sequence"] > 0
    assert client.get(f"/api/games/{host.game}").json()["state"]["sequence"] == 0
    assert client.get(f"/api/games/{host.game}/record").status_code == 403
    assert client.get(f"/api/games/{host.game}/record", headers=host.headers).status_code == 200
    tried = client.post(f"/api/games/{host.game}/act", json={"line": "roll", "sequence": 9})
    watching = (403, "you are watching: only players act")
    assert (tried.status_code, tried.json()["error"]) == watching, "nor how far the game has gone on"


def test_a_program_that_reads_its_stream_is_present_though_the_page_is_closed(tmp_path: Path) -> None:
    """Else the other one could claim a win while the program thinks, once its owner had looked at the game."""
    game_server = GameServer(str(tmp_path / "games.db"))
    handle, _, invitation = game_server.create(opponent="friend", name="Ann")
    handle.join(str(invitation), "Bob")

    async def read() -> list[bool]:
        game_server.begin()
        request = SimpleNamespace(headers={}, cookies={}, query_params={})
        at = SessionHandle(game_server, await game_server.service.get(handle.id)), "O"
        lines = aiter((await bots.stream_game(cast(Any, at), cast(Any, None), cast(Any, request))).body_iterator)
        await anext(lines)
        while_read = game_server.presence.is_present(handle.id, Player.O)
        await lines.aclose()  # type: ignore[attr-defined]
        here = [while_read, game_server.presence.is_present(handle.id, Player.O)]
        await game_server.end()
        return here

    assert asyncio.run(read()) == [True, False]
    game_server.close()


def test_who_closes_the_page_is_away_and_back_with_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_server = GameServer(str(tmp_path / "games.db"))
    monkeypatch.setattr(game_server.presence, "_away_seconds", 0.0)
    created, _, invitation = game_server.create(opponent="friend", name="Ann")
    created.join(str(invitation), "Bob")
    created.add_seed("X", "aa")
    created.add_seed("O", "bb")

    async def kinds_after(watched: Any, wanted: str) -> dict[str, Any]:
        while True:
            frame = json.loads(await asyncio.wait_for(anext(watched), 60))
            if wanted in [event["kind"] for event in frame["events"]]:
                return dict(frame["state"])

    async def come_and_go() -> None:
        game_server.begin()
        handle = SessionHandle(game_server, await game_server.service.get(created.id))
        ann = live.stream_frames(handle, live.Reader("X"))
        assert json.loads(await anext(ann))["state"]["away"] == {}
        bob = live.stream_frames(handle, live.Reader("O"))
        await anext(bob)
        second = live.stream_frames(handle, live.Reader("O"))
        await anext(second)
        await bob.aclose()
        await second.aclose()
        assert list((await kinds_after(ann, "away"))["away"]) == ["O"]
        bob = live.stream_frames(handle, live.Reader("O"))
        await anext(bob)
        assert (await kinds_after(ann, "back"))["away"] == {}
        await bob.aclose()
        await kinds_after(ann, "away")
        await ann.aclose()
        await game_server.end()

    asyncio.run(come_and_go())


# -- in the pages -----------------------------------------------------------------------------------------------
@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with browser.new_context(
        viewport={"width": 1280, "height": 900}, reduced_motion="reduce", service_workers="block"
    ) as context:
        yield new_page(context)


def new_page(context: Any) -> Any:
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    return page


def sit(page: Any, seat: Seat, **settings: Any) -> None:
    base = str(seat.client.base_url).rstrip("/")
    if settings:
        page.goto(f"{base}/static/parts/icon.svg")
        page.evaluate("(chosen) => localStorage.setItem('fullprime.preferences', JSON.stringify(chosen))", settings)
    page.goto(f"{base}/game/{seat.game}#key={seat.key}")
    page.locator(".checker").first.wait_for()


def button(page: Any, name: str) -> Any:
    return page.locator(f"[data-act={name}]:enabled")


@pytest.mark.broad
@in_a_browser
def test_the_tutor_stops_before_a_blunder(thinking: None, page: Any, client: httpx.Client) -> None:
    seat = against_bot(client)
    sit(page, seat, tutor=0.08, level="0-ply")
    button(page, "double").click()
    page.get_by_role("dialog").get_by_role("button", name="Double").click()
    page.get_by_role("dialog").get_by_text("Double loses").wait_for()
    assert "Best is roll" in page.get_by_role("dialog").inner_text()
    page.get_by_role("button", name="Think again").click()
    assert seat.state["phase"] == "cube_decision", "nothing was done"
    button(page, "double").click()
    page.get_by_role("dialog").get_by_role("button", name="Double").click()
    page.get_by_role("button", name="Play it anyway").click()
    page.locator("#log .take").wait_for()
    page.locator("#log .roll").first.wait_for()


def types(page: Any, line: str) -> None:
    page.locator("#line").fill(line)
    page.locator("#line").press("Enter")


@in_a_browser
def test_what_is_typed_goes_the_way_of_what_is_pressed(thinking: None, page: Any, client: httpx.Client) -> None:
    """Once `bar/19` that lost 0.475 passed the tutor in silence, and a typed double was not asked about."""
    seat = against_bot(client)
    sit(page, seat, tutor=0.08, level="0-ply")
    dialog = page.get_by_role("dialog")
    for word in ("d", "double", "redouble"):
        types(page, word)
        dialog.get_by_text("Double to 2?").wait_for()
        page.get_by_role("button", name="Not now").click()
        assert seat.state["phase"] == "cube_decision", word
    types(page, "resign g")
    dialog.get_by_text("Resign?").wait_for()
    page.get_by_role("button", name="Play on").click()
    held: list[tuple[Any, Any]] = []
    page.route("**/act", lambda route: held.append((route, route.fetch())))
    types(page, "r")
    page.locator("#log .roll").first.wait_for()
    plays = seat.post("hint", {"level": "0-ply"}).json()["plays"]
    worst = next(play for play in reversed(plays) if play["loss"] > 0.08)["play"]
    for number, line in enumerate((worst, f"move {worst}", worst.replace("*", ""))):
        types(page, line)
        if not number:  # The server has told of the roll before it answers it: the line waits.
            wait_until(page, lambda: held)
            ((route, answer),) = held
            route.fulfill(response=answer)
            page.unroute("**/act")
        dialog.get_by_role("button", name="Think again").click()
        assert seat.state["phase"] == "play", line
        assert page.locator("#line").input_value() == line, "it stays to be changed"
    types(page, worst)
    page.get_by_role("button", name="Play it anyway").click()
    page.locator("#log .play").first.wait_for()


@pytest.mark.broad
@in_a_browser
def test_a_typed_drop_is_asked_about(page: Any, client: httpx.Client) -> None:
    seat, _ = create(client, opponent="screen", name="Ann", other_name="Bob", position=TO_DOUBLE, rules={"length": 5})
    seat.does("double")
    sit(page, seat)
    for word in ("drop", "pass", "no", "dr"):
        types(page, word)
        page.get_by_role("dialog").get_by_text("Drop?").wait_for()
        page.get_by_role("button", name="Think again").click()
        assert seat.state["phase"] == "double_offered", word
    types(page, "t")
    page.locator("#log .take").wait_for()


@pytest.mark.broad
@in_a_browser
def test_hints_show_arrows_and_a_takeback_goes_back(thinking: None, page: Any, client: httpx.Client) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    seat = against_bot(client)
    sit(page, seat, level="0-ply")
    page.keyboard.press("h")
    page.locator("#advice caption", has_text="The cube").wait_for()
    button(page, "roll").click()
    page.locator(".spot.source").first.wait_for()
    assert not page.locator("#advice").is_visible(), "old advice goes"
    button(page, "hint").click()
    page.locator("#advice caption", has_text="Plays").wait_for()
    rows = page.locator("#advice tbody button")
    assert page.locator("g.arrow").count() > 0
    rows.nth(1).click()
    assert rows.nth(1).get_attribute("aria-pressed") == "true"
    text = rows.nth(1).inner_text()
    moves = sum(int(part[-2]) if part.endswith(")") else part.count("/") for part in text.split())
    assert page.locator("g.arrow").count() >= min(moves, 2)
    assert page.locator("g.arrow.also").count() == 0
    for theme in ("club", "clear", "print"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        violations = axe.run(page)
        assert violations.violations_count == 0, violations.generate_report()
    page.get_by_role("button", name="Close").click()
    assert page.locator("g.arrow").count() == 0
    page.keyboard.press("b")
    page.locator("#log .takeback").wait_for()
    button(page, "roll").wait_for()
    assert seat.state["phase"] == "cube_decision"


@pytest.mark.broad
@in_a_browser
def test_a_checker_that_has_moved_can_be_sent_elsewhere(page: Any, client: httpx.Client) -> None:
    seat, _ = create(client, opponent="screen", name="Ann", other_name="Bob", rules={"length": 3})
    sit(page, seat, turn=True, sound=1)
    state = seat.state
    side = state["turn"]
    assert page.locator("#player-bottom").inner_text().startswith("Ann" if side == "X" else "Bob"), (
        "the board is turned"
    )
    tree = state["tree"]
    source, target = tree["steps"][0][0][:2]
    others = [step[1] for step in tree["steps"][0] if step[0] == source and step[1] != target]

    def at(slot: int) -> Any:
        return page.locator(f'[data-spot="{side}{slot}"]')

    def count(slot: int) -> str:
        return str(at(slot).get_attribute("aria-label"))

    before = count(source)
    at(source).press("Enter")
    at(target).press("Enter")
    assert count(source) != before
    assert page.locator("html").get_attribute("data-sound") in ("move", "hit")
    at(target).press("Enter")
    assert "can go here instead" in count(source)
    at(others[0] if others else source).press("Enter")
    if others:
        assert "empty" not in count(others[0])
        at(others[0]).press("Enter")
        at(source).press("Enter")
    assert count(source) == before, "where it came from is one of the places"
    assert button(page, "undo").count() == 0


@in_a_browser
def test_nothing_sounds_unless_it_was_asked_for(page: Any, client: httpx.Client) -> None:
    sit(page, against_bot(client))
    button(page, "roll").click()
    page.locator("#log .roll").wait_for()
    assert page.locator("html").get_attribute("data-sound") is None


@pytest.mark.broad
@in_a_browser
def test_a_clock_runs_out_and_both_play_again(browser: Any, client: httpx.Client) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    contexts = [browser.new_context(viewport=size, reduced_motion="reduce", service_workers="block") for size in (
        {"width": 1280, "height": 900}, {"width": 390, "height": 844}, {"width": 1280, "height": 900},
    )]  # fmt: skip
    ann, bob, watcher = map(new_page, contexts)
    open_form(ann, str(client.base_url))
    ann.get_by_label("a friend, by a link").check()
    ann.locator("#clock option[value=usbgf]").wait_for(state="attached")
    ann.select_option("#clock", "bullet")
    ann.select_option("#length", "1")
    ann.fill("#name", "Ann")
    ann.get_by_role("button", name="Start").click()
    bob.goto(ann.locator("#invite").input_value())
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Join").click()
    for player_page in (ann, bob):
        player_page.locator(".clock.running").wait_for()
    watcher.goto(bob.url)
    watcher.locator(".checker").first.wait_for()

    ann.select_option("#phrase", "luck")
    bob.locator("#said", has_text="Ann (guest): Good luck!").wait_for()
    bob.locator("#words").fill("<i>thanks</i>")
    bob.get_by_role("button", name="Say", exact=True).click()
    ann.locator("#said", has_text="Bob (guest): <i>thanks</i>").wait_for()
    assert ann.evaluate(MARKED_AS_GUESTS, ["Guest", "Guest 2", "Guesthouse"]) == [False, False, True]
    ann.get_by_role("button", name="Mute").click()
    assert not ann.locator("#said .theirs").is_visible()
    assert not watcher.locator("#talk").is_visible()
    for player_page in (ann, bob):
        violations = axe.run(player_page)
        assert violations.violations_count == 0, violations.generate_report()

    for player_page in (ann, bob, watcher):
        player_page.locator("#log .forfeit").wait_for()
        assert "Out of time" in player_page.locator("#log .forfeit").inner_text()
    old = ann.url
    ann.locator("#main-action [data-act=rematch]:enabled").click()
    bob.locator("[data-act=rematch]", has_text="Accept").click()
    for player_page in (ann, bob):
        player_page.wait_for_url(lambda url: url != old)
        player_page.locator(".clock.running").wait_for()
    assert ann.url == bob.url
    for context in contexts:
        context.close()


BLUNDERED = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10"
"""The opening roll 31."""


@pytest.mark.broad
@in_a_browser
def test_the_quiet_tutor_lets_a_checker_glow_says_the_loss_and_holds_nothing_up_twice(
    thinking: None, page: Any, client: httpx.Client
) -> None:
    seat = create(client, bot="random", position=BLUNDERED, rules={"length": 5})[0]
    sit(page, seat, tutor=0.02, tutorWay="glow", level="0-ply")
    for source, target in ((13, 10), (6, 5)):
        point(page, source).click()
        point(page, target).click()
    button(page, "done").click()
    alert = page.get_by_role("alert").filter(has_text="13/10 6/5 loses 0.")
    alert.wait_for()
    assert page.get_by_role("dialog").count() == 0
    # The one on the five point stands where the best play, 8/5 6/5, puts it.
    assert page.locator(".checker.glow").count() == 1
    assert "stands better elsewhere" in str(point(page, 10).get_attribute("aria-label"))
    assert "stands better elsewhere" not in str(point(page, 5).get_attribute("aria-label"))
    motion = "getComputedStyle(document.querySelector('.glow .disc')).animationName"
    assert page.evaluate(motion) == "none", "these tests want no motion"
    alert.get_by_role("button", name="Why?").click()
    page.get_by_role("dialog").get_by_text("Best is 8/5 6/5").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert seat.state["phase"] == "play", "nothing was done"
    page.keyboard.press("u")
    page.locator(".checker.glow").wait_for(state="detached")
    assert not alert.is_visible()
    point(page, 6).click()
    point(page, 5).click()
    button(page, "done").click()
    alert.wait_for()
    button(page, "done").click()
    page.locator("#log .play").first.wait_for()
    # The page shows a play before the server has it.
    wait_until(page, lambda: seat.state["sequence"] > 2)


def test_a_game_is_told_ply_by_ply_without_what_was_taken_back(client: httpx.Client) -> None:
    """Spectators have it too, but not of a game that they see late."""
    seat, _ = create(client, opponent="screen")
    while "move" not in seat.state["legal_actions"]:
        seat.does("roll")
    first = seat.does(seat.state["plays"][0])["events"][0]
    plies = seat.get("/plies")["plies"]
    assert (plies[0]["text"], plies[0]["dice"], plies[0]["player"]) == (first["play"], first["dice"], first["player"])
    assert Seat(client, seat.game, None).get("/plies")["plies"] == plies
    assert seat.post("takeback", {}).status_code == 200
    assert seat.get("/plies")["plies"] == []
    late, _ = create(client, opponent="screen", late=60)
    assert late.get("/plies")["rounds"]
    refused = client.get(f"/api/games/{late.game}/plies")
    assert refused.status_code == 403
    assert "step through it when it is over" in refused.json()["error"]
