"""Reviews and lessons: over HTTP, and on the pages in a real browser at desktop and phone size."""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from tests.web.browsing import PASTE, point, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create, friends

from fullprime.common.jobs import Jobs
from fullprime.common.json_values import to_json
from fullprime.formats import FormatError, read
from fullprime.learn import match_lessons
from fullprime.reviews.matches.reviewing import page as report_of
from fullprime.reviews.matches.reviewing import thresholds_named
from fullprime.reviews.matches.uploads import LIMITS, UploadLimits
from fullprime.reviews.review import current_program

MATCH = b""" 5 point match

 Game 1
 Ann : 0                            Bob : 0
  1) 31: 8/5 6/5                     42: 8/4 6/4
  2) 65: 24/13                       Doubles => 2
  3)  Takes                          61: 8/2 8/7
  4) 21: 6/4 6/5                     54: 24/15
  5) 66: 13/7(3) 8/2                 31: 6/5 6/3
  6)  Doubles => 4                    Drops
      Wins 2 points

 Game 2
 Ann : 2                            Bob : 0
  1)                                 52: 13/8 13/11
  2) 64: 24/14                       63: 24/15
  3) 41: 6/2 6/5                     Doubles => 2
  4)  Drops
                                     Wins 1 point
"""
in_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


@pytest.fixture
def client(warm_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=warm_server.url, timeout=120) as client:
        yield client


@pytest.fixture(params=["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    with window(browser, request.param, permissions=["clipboard-read", "clipboard-write"]) as page:
        yield page


def over(client: httpx.Client, answer: httpx.Response) -> dict[str, Any]:
    """The job of an answer when it is over."""
    assert answer.status_code == 202, answer.text
    with client.stream("GET", f"/api/analysis/jobs/{answer.json()['id']}/stream") as lines:
        return dict([json.loads(line) for line in lines.iter_lines() if line.strip()][-1])


def review(client: httpx.Client, data: bytes = MATCH, name: str = "match.mat") -> dict[str, Any]:
    return over(client, client.post("/api/reviews", params={"name": name, "level": "fast"}, content=data))


# -- over HTTP --------------------------------------------------------------------------------------------------
def test_a_file_is_reviewed_and_its_report_is_that_of_the_command_line(client: httpx.Client) -> None:
    job = review(client)
    assert job["state"] == "done"
    (match,) = job["result"]["matches"]
    assert (match["players"], match["games"], match["complete"]) == (["Bob", "Ann"], 2, True)
    at = f"/api/reviews/{job['id']}/1"
    lesson_list = client.get(at).json()
    assert set(lesson_list["ratings"]) == {"X", "O"}
    report = client.get(f"{at}/file", params={"format": "html"})
    assert report.headers["content-disposition"] == 'attachment; filename="Bob-Ann.html"'
    shown = client.get(f"/review/{job['id']}/1")
    assert "sha256-" in shown.headers["content-security-policy"]
    whole_page = client.get(f"/review/{job['id']}/1", params={"whole": "yes"})
    assert whole_page.text.count('<article id="d') == report.text.count('<article id="d') == match["decisions"]
    rest = client.get(f"/review/{job['id']}/1/right")
    assert (shown.text + rest.text).count('<article id="d') == match["decisions"]
    assert shown.headers["content-encoding"] == rest.headers["content-encoding"] == "gzip"
    plain = client.get(f"/review/{job['id']}/1", headers={"Accept-Encoding": "identity"})
    assert (plain.text, "content-encoding" in plain.headers) == (shown.text, False)
    for name in ("mat", "sgf", "json", "xg", "ogxm"):
        (again,) = read(client.get(f"{at}/file", params={"format": name}).content).documents
        assert set(again.match.names) == {"Ann", "Bob"}
        assert len(again.match.games) == 2
    assert client.get(f"{at}/file", params={"format": "gmd"}).status_code == 400
    assert client.get(at, params={"marks": "nobody"}).status_code == 400
    assert client.get(f"/api/reviews/{job['id']}/2").status_code == 404
    assert client.get("/api/reviews/guessed/1").status_code == 404
    assert client.get("/review/guessed/1").status_code == 404


def test_a_review_names_who_judged_and_is_made_again(client: httpx.Client) -> None:
    job = review(client)
    (match,) = job["result"]["matches"]
    assert match["program"] == current_program("backgammon")
    assert match["dated"] is False
    page = client.get(f"/review/{job['id']}/1").text
    assert match["program"].split(", ")[1] in page
    assert "replaced since" not in page
    again = over(client, client.post(f"/api/reviews/{job['id']}/1/again", json={"level": "fast"}))
    assert again["result"] == job["result"]
    assert again["id"] != job["id"]
    assert client.post(f"/api/reviews/{job['id']}/2/again", json={"level": "fast"}).status_code == 404
    old = match_lessons.load_reviews(job["id"])
    dated = replace(old.matches[0], review=replace(old.matches[0].review, program="Fullprime, an-old-net"))
    match_lessons.store_reviews(replace(old, matches=(dated,)), "a-review-by-older-nets")
    page = client.get("/review/a-review-by-older-nets/1").text
    assert "by nets that have been replaced since" in page
    assert client.get("/api/reviews/a-review-by-older-nets/1/lessons").json()["dated"] is True


def test_a_review_is_kept_for_other_processes(client: httpx.Client) -> None:
    """What a second process, or this one after a restart, reads from the disk gives the same report."""
    answer = client.post(
        "/api/reviews", params={"name": "match.mat", "level": "fast"}, content=MATCH,
        headers={"Accept": "application/x-ndjson"},
    )  # fmt: skip
    job = json.loads(answer.text.strip().splitlines()[-1])
    stored = match_lessons.load_reviews(job["id"])
    assert to_json(stored) == job["result"]
    marks = thresholds_named("xg")
    assert report_of(stored.matches[0], marks) == client.get(f"/api/reviews/{job['id']}/1/file").text
    assert client.get(f"/api/reviews/{job['id']}").json()["result"] == job["result"]
    for name in ("../secret", "guessed-but-not-there", "a"):
        with pytest.raises(FormatError):
            match_lessons.load_reviews(name)


def test_lessons_have_the_board_the_choices_and_the_reason(client: httpx.Client) -> None:
    job = review(client)
    lessons = client.get(f"/api/reviews/{job['id']}/1/lessons").json()["lessons"]
    kinds = {lesson["kind"] for lesson in lessons}
    assert kinds >= {"play", "double"}
    for lesson in lessons:
        assert lesson["options"][lesson["chosen"]]["loss"] >= 0.02
        assert lesson["options"][0]["loss"] == 0
        if lesson["kind"] == "play":
            assert lesson["board"]["tree"]["steps"][0]
            assert all(sum(option["after"][0]) == 15 for option in lesson["options"])
        else:
            assert len(lesson["choices"]) >= 2
            order = ["no double", "no redouble", "double", "redouble", "take", "drop"]
            places = [next(n for n, word in enumerate(order) if text.startswith(word)) for text in lesson["choices"]]
            assert places == sorted(places), "the right answer has no place of its own"
    mine = client.get(f"/api/reviews/{job['id']}/1/lessons", params={"player": "X"}).json()["lessons"]
    assert 0 < len(mine) < len(lessons)
    assert all(lesson["name"] == "Bob" for lesson in mine)


@pytest.mark.broad
def test_archives_are_read_within_limits(client: httpx.Client) -> None:
    def archive(members: dict[str, bytes]) -> bytes:
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for name, data in members.items():
                out.writestr(name, data)
        return archive.getvalue()

    job = review(client, archive({"a.mat": MATCH, "b.mat": MATCH, "c.txt": b"nothing"}), "two.zip")
    assert [match["name"] for match in job["result"]["matches"]] == ["two.zip/a.mat", "two.zip/b.mat"]
    assert len(job["result"]["unread"]) == 1
    bomb = archive({f"{number}.mat": b" 5 point match\n" + b" " * (20 << 20) for number in range(6)})
    assert len(bomb) < 200_000
    queue = Jobs(1)
    waiting = queue.submit("a", "review", lambda job: match_lessons.review_upload(bomb, "bomb.zip", "fast", job))
    assert waiting.wait(60)
    assert waiting.state == "failed"
    assert "no file of a match is that large" in str(waiting.error)
    two = UploadLimits(most_matches=2)
    many = archive({f"{number}.mat": MATCH for number in range(4)})
    send = partial(match_lessons.review_upload, many, "many.zip", "fast", limits=two)
    some = queue.submit("a", "review", lambda job: send(job))
    assert some.wait(120)
    assert (len(some.result.matches), "more than 2 matches" in some.result.unread[-1].why) == (2, True)
    queue.close()


def test_what_is_no_match_is_refused(client: httpx.Client) -> None:
    job = review(client, b"\x00\x01garbage" * 50, "../../etc/passwd")
    assert job["state"] == "failed"
    assert "/" not in job["error"].split(":")[0]
    assert client.post("/api/reviews", content=b"").status_code == 400
    assert client.post("/api/reviews?level=best", content=MATCH).status_code == 400
    assert client.post("/api/reviews", content=b"x" * (LIMITS.most_bytes + 1)).status_code == 413


def play_out(seat: Seat) -> None:
    for _ in range(4000):
        state = seat.state
        if state["game_over"]:
            return
        if [word for word in state["legal_actions"] if word != "resign"]:
            line = "roll" if "roll" in state["legal_actions"] else state["plays"][0]
            seat.does(line, sequence=state["sequence"])
    raise AssertionError("the game does not end")


def test_a_game_is_reviewed_by_who_may_see_it_once_it_is_over(client: httpx.Client) -> None:
    seat, _ = create(client, bot="random", position="6:8 5 off:6 / 13:15", rules={"length": 1}, spectators=False)
    # Nine checkers: throws and forced plays are made at once, and only three double sixes end the game before a choice.
    assert "when it is over" in seat.post("review", {"level": "fast"}).json()["error"]
    play_out(seat)
    assert Seat(client, seat.game, None).post("review", {}).status_code == 403
    job = over(client, seat.post("review", {"level": "fast"}))
    assert job["state"] == "done"
    assert job["result"]["matches"][0]["players"] == ["Guest", "random"]
    host, _guest = friends(client, rules={"length": 3})
    assert host.post("review", {}).status_code == 400, "no advice while a game is under way"


# -- the pages --------------------------------------------------------------------------------------------------
def axe_finds_nothing(page: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    violations = axe.run(page)
    assert violations.violations_count == 0, violations.generate_report()


def url(client: httpx.Client) -> str:
    return str(client.base_url).rstrip("/")


TOO_WIDE = """[...document.querySelectorAll('body *')]
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.wide, svg'))
    .map((e) => e.outerHTML.slice(0, 90))"""


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.broad
@in_browser
def test_a_file_is_sent_and_its_errors_are_learnt_from(page: Any, client: httpx.Client) -> None:
    page.goto(f"{url(client)}/review")
    axe_finds_nothing(page)
    page.get_by_label("How deep").select_option("fast")
    page.route("**/api/reviews?**", lambda route: route.fulfill(status=422, json={"error": "not now"}), times=1)
    with page.expect_request("**/api/reviews?**") as pasted:
        page.evaluate(PASTE, MATCH.decode())
    assert pasted.value.post_data == MATCH.decode()
    page.get_by_text("not now").wait_for()
    page.locator("#file").set_input_files({"name": "match.mat", "mimeType": "text/plain", "buffer": MATCH})
    page.wait_for_url("**/review/*/1/board**")
    page.get_by_role("tab", name="Summary").click()
    page.get_by_role("link", name="The report: themes, every board, saving").click()
    page.get_by_role("heading", name="Bob \N{EN DASH} Ann").wait_for()
    shown = page.locator("article.now")
    shown.wait_for()
    before = shown.get_attribute("id")
    page.keyboard.press("n")
    page.keyboard.press("j")
    assert shown.get_attribute("id") != before
    axe_finds_nothing(page)
    assert fits(page), page.evaluate(TOO_WIDE)
    with page.expect_download() as saved:
        page.locator("#save-as").select_option("sgf")
        page.get_by_role("button", name="Save", exact=True).click()
    assert saved.value.suggested_filename == "Bob-Ann.sgf"
    page.locator("article.now").get_by_role("link", name="On the analysis board").click()
    page.locator(".checker").first.wait_for()
    assert "Analysis board" in page.inner_text("#title")
    page.go_back()
    page.get_by_role("link", name="Bob", exact=True).click()
    page.locator(".checker").first.wait_for()
    axe_finds_nothing(page)
    assert fits(page)
    answer_all(page)
    assert "0 to come" in page.inner_text("#tally")


def named_buttons_are_there(page: Any) -> None:
    """The words of the status name no button that is not to be seen."""
    words = page.inner_text("#status").lower()
    for button in page.locator("#actions button").all():
        if button.inner_text().lower() in words:
            assert button.is_visible(), f"{words!r} names {button.inner_text()!r}"


def answer_all(page: Any) -> None:
    """Some lesson is answered by hand, others shown, until there are no more."""
    for _ in range(40):
        if "these were all" in page.inner_text("#status").lower():
            return
        if page.locator("#choices button").count():
            page.locator("#choices button").first.click()
        elif page.locator(".spot.source").count():
            while page.locator(".spot.source").count():
                page.locator(".spot.source").first.press("Enter")
                page.locator(".spot.target").first.press("Enter")
            page.locator("[data-act=done]").click()
            page.locator("#verdict p").first.wait_for()
        text = page.inner_text("#verdict")
        assert "is right" in text or "loses" in text
        named_buttons_are_there(page)
        if page.locator("[data-act=solution]").is_visible():
            page.locator("[data-act=again]").click()
            page.keyboard.press("s")
            assert page.inner_text("#options")
        page.locator("[data-act=next]").click()
    raise AssertionError("there is no end of lessons")


COLOUR_OF = "((thing) => getComputedStyle(document.querySelector(thing)))"


@pytest.mark.alone
@in_browser
def test_a_report_is_drawn_within_a_second_on_a_slow_phone(browser: Any, client: httpx.Client) -> None:
    """With a processor four times as slow; decisions that were right come afterwards, and can then be stepped to.

    Its boards are those of the set that was chosen, and so is the light of the page.
    """
    job = review(client)
    client.get(f"/review/{job['id']}/1")
    with window(browser, "phone") as page:
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.goto(f"{url(client)}/review/{job['id']}/1")
        until(page, "performance.getEntriesByName('first-contentful-paint').length")
        painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        assert painted < 1000 * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        page.locator(".work li.v-ok a").first.click()
        shown = page.locator('article.now[data-verdict="ok"]')
        shown.get_by_role("link", name="On the analysis board").wait_for()
        page.get_by_label("Verdict").select_option("mistakes")
        page.locator("article.mistake.now").wait_for()
        chosen = {"theme": "bold", "light": "dark"}
        page.evaluate("(chosen) => localStorage.setItem('fullprime.preferences', JSON.stringify(chosen))", chosen)
        page.reload()
        until(page, f"{COLOUR_OF}('.shared .fp-felt').fill === 'rgb(107, 127, 148)'")
        until(page, f"{COLOUR_OF}('body').backgroundColor === 'rgb(23, 19, 15)'")


@in_browser
def test_ones_own_game_is_reviewed_with_one_click(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, bot="random", position="6:4 5 off:10 / 13:15", rules={"length": 1})
    play_out(seat)
    with window(browser) as page:
        page.goto(f"{url(client)}/game/{seat.game}#key={seat.key}")
        page.get_by_role("button", name="Review").click()
        page.get_by_role("heading", name="Guest \N{EN DASH} random").wait_for()
        page.goto(f"{url(client)}/review/gone/1")
        page.get_by_text("no longer kept").wait_for()


@pytest.mark.broad
@in_browser
def test_a_position_is_set_up_by_mouse_and_keyboard(page: Any, client: httpx.Client) -> None:
    page.goto(f"{url(client)}/analysis")
    page.locator(".checker").first.wait_for()
    page.get_by_label("After every change").uncheck()
    page.get_by_role("button", name="Set up").click()
    axe_finds_nothing(page)
    assert fits(page)
    page.get_by_role("button", name="Clear").click()
    until(page, "document.querySelector('#problem').textContent.includes('borne off')")
    point(page, 6).focus()
    for key in ("6", "ArrowRight", "4"):
        page.keyboard.press(key)
    page.keyboard.press("o")
    point(page, 24).focus()
    page.keyboard.press("2")
    until(page, "new URLSearchParams(location.search).get('position')?.startsWith('6:6 5:4 off:5 / 1:2')")
    point(page, 3).click(position={"x": 5, "y": 5}, force=True)
    until(page, "new URLSearchParams(location.search).get('position')?.includes('22')")
    page.keyboard.press("x")
    page.get_by_label("First die").select_option("6")
    page.get_by_label("Second die").select_option("1")
    until(page, "new URLSearchParams(location.search).get('dice') === '61'")
    page.get_by_label("Match to").fill("7")
    page.get_by_label("Match to").press("Tab")
    until(page, "document.querySelector('#title').textContent.includes('match to 7')")
    page.get_by_role("button", name="Set up").click()
    assert page.locator(".spot.source").count() > 0
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.locator(".spot.source").first.wait_for()
    assert page.get_by_role("button", name="X's 6-point, 6 of X's checkers").count() == 1


@pytest.mark.broad
@in_browser
def test_plays_are_listed_compared_rolled_out_and_made(page: Any, client: httpx.Client) -> None:
    page.set_default_timeout(240_000)  # the first rollout waits until its kernels are compiled
    page.goto(f"{url(client)}/analysis?dice=31")
    page.locator("#answer tbody tr").first.wait_for()
    axe_finds_nothing(page)
    assert page.locator(".arrow.ok").count() == 2
    second = page.locator("#answer button.play").nth(2)
    second.click()
    assert second.get_attribute("aria-pressed") == "true"
    until(page, "document.querySelectorAll('.arrow:not(.also)').length")
    assert "wins" in page.inner_text("#chances")
    for number in (0, 2):
        page.locator("#answer input[type=checkbox]").nth(number).check()
    page.get_by_role("button", name="Compare the two chosen").click()
    page.locator("#map .heat td").nth(36).wait_for()
    page.locator("#rollout-settings summary").click()
    page.locator("#trials").fill("5184")
    page.locator("#truncate").select_option("7")
    page.locator("#rollout").click()
    page.locator("#rolled tbody tr").first.wait_for()
    page.get_by_role("button", name="Stop").click()
    until(page, "document.querySelector('#rollout').textContent === 'Roll out'")
    axe_finds_nothing(page)
    assert page.inner_text("#rollout-words") == "5,184 trials, 7 plies, 0-ply, with the cube"
    assert page.locator("#rolled tbody tr").count() == 2
    page.locator("#copy-what").select_option("xgid")
    page.locator("#copy").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("XGID=")
    for kind in ("svg", "png"):
        page.locator("#copy-what").select_option(kind)
        with page.expect_download() as saved:
            page.locator("#save-copy").click()
        assert saved.value.suggested_filename == f"board.{kind}"
    page.locator("#answer button.play").first.dblclick()
    until(page, "document.querySelector('#status').textContent.startsWith('O to roll')")
    page.locator("#answer table").first.wait_for()
    assert "Cubeless" in page.inner_text("#answer")
    page.get_by_role("button", name="Every roll").click()
    page.locator("#map .cell").nth(35).wait_for()
    axe_finds_nothing(page)
    page.get_by_role("button", name="6-6: ").first.click()
    until(page, "document.querySelector('#status').textContent.includes('O to play 6-6')")
    for _ in range(2):
        page.get_by_role("button", name="Back", exact=True).click()
    until(page, "document.querySelector('#status').textContent.includes('X to play 3-1')")


DEPTH_IN_SIGHT = """(() => {
  const edge = (place) => place.getBoundingClientRect().right;
  const cells = [...document.querySelectorAll('#answer tr td:last-child')];
  const most = Math.min(edge(document.querySelector('#answer .wide')), innerWidth) + 0.5;
  return cells.length > 3 && cells.every((cell) => edge(cell) <= most);
})()"""


@pytest.mark.broad
@in_browser
def test_plays_of_one_depth_stand_together(browser: Any, client: httpx.Client) -> None:
    """No play stands above a better one of the same depth; the others are under a head of their own."""
    with window(browser) as page:
        position = "XGID=-a----E-C---fE---c-e----B-:0:0:1:31:0:0:0:3:10"
        page.goto(f"{url(client)}/analysis?{urlencode({'id': position})}")
        page.locator("#answer .depth-group").nth(1).wait_for()
        depths = []
        for group in page.locator("#answer .depth-group").all():
            rows = group.locator("tr:not(.depth-head)").all()
            cells = [row.locator("td").all_inner_texts() for row in rows]
            equities = [float(cell[2].replace("\u2212", "-")) for cell in cells]
            assert equities == sorted(equities, reverse=True)
            (depth,) = {cell[-1] for cell in cells}
            depths.append(depth)
            losses = [cell[3] for cell in cells]
            assert all(loss.startswith("≈") == (depth != depths[0]) for loss in losses if loss)
            assert group.locator(".depth-head th").count() == 1
        assert len(set(depths)) == len(depths) > 1
        assert "best first" not in page.inner_text("#answer caption")
        page.locator("#answer button.play").nth(1).click()
        play = page.locator("#answer button.play").nth(1).inner_text()
        assert parse_qs(urlsplit(page.url).query)["play"] == [play]
        page.reload()
        page.locator('#answer button.play[aria-pressed="true"]').wait_for()
        assert re.search(r"PR \d.\d\d ± \d.\d\d; about \d+ ms a play", page.inner_text("#level-words"))
        for wide, high in ((844, 390), (667, 375), (1280, 600)):
            page.set_viewport_size({"width": wide, "height": high})
            assert page.locator("#board .board").bounding_box()["height"] >= 0.85 * high
            assert fits(page)
        for wide, high in ((844, 390), (667, 375), (1280, 600), (390, 844), (320, 640)):
            page.set_viewport_size({"width": wide, "height": high})
            assert page.evaluate(DEPTH_IN_SIGHT), f"the depth of a play is cut at {wide}x{high}"
        assert page.locator('#answer button.play[aria-pressed="true"]').inner_text() == play


@pytest.mark.broad
@in_browser
def test_an_identifier_is_pasted_and_played_on(page: Any, client: httpx.Client) -> None:
    page.goto(f"{url(client)}/analysis")
    page.locator(".checker").first.wait_for()
    page.get_by_label("Paste any ID").fill("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:0:0:7:10")
    page.get_by_label("Paste any ID").press("Enter")
    until(page, "document.querySelector('#title').textContent.includes('match to 7')")
    page.get_by_label("Paste any ID").fill("rubbish")
    page.get_by_label("Paste any ID").press("Enter")
    until(page, "document.querySelector('#problem').textContent.includes('rubbish')")
    page.get_by_role("button", name="Double", exact=True).click()
    page.get_by_role("button", name="Take").click()
    until(page, "document.querySelector('#player-top').textContent.includes('cube 2')")
    page.get_by_role("button", name="Roll", exact=True).click()
    page.locator(".spot.source").first.wait_for()
    while page.locator(".spot.source").count():
        page.locator(".spot.source").first.press("Enter")
        page.locator(".spot.target").first.press("Enter")
    page.locator("[data-act=done]").press("Enter")
    until(page, "document.querySelector('#status').textContent.startsWith('O to roll')")


@pytest.mark.broad
@in_browser
def test_a_busy_server_is_asked_again_for_the_decisions_that_were_right(browser: Any, client: httpx.Client) -> None:
    job, refused = review(client), []

    def answer(route: Any) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        route.fulfill(status=503, body="busy")

    with window(browser, "desktop") as page:
        page.clock.install()
        page.route("**/right*", answer)
        with page.expect_response("**/right*") as busy:
            page.goto(f"{url(client)}/review/{job['id']}/1")
        assert busy.value.status == 503
        with page.expect_response("**/right*") as answered:
            page.clock.run_for(20_000)
        assert answered.value.status == 200
        until(page, "document.querySelectorAll('article').length === document.querySelectorAll('.work nav li').length")
