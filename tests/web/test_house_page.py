"""House rules: every option with what it leads to, refused values with their reason, kept, shared, and at the table."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.web.browsing import until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import create

from fullprime.formats import read
from fullprime.play.options.games import RULE_WORDS, own_rules
from fullprime.play.options.houses import HOUSE_TAG, HousePage, consequence, house_page, pairs_of
from fullprime.play.options.options import rule_choices
from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import VARIANTS


@pytest.mark.parametrize("name", VARIANTS)
def test_every_value_of_every_option_says_what_it_leads_to(name: str) -> None:
    page = house_page(name, {})
    assert [option.name for option in page.options] == ["length", *own_rules(name)]
    assert page.rules == {}
    for option in page.options:
        assert option.usual
        assert option.words == RULE_WORDS[option.name]
        for value in rule_choices()[option.name] or [option.value]:
            assert consequence(option.name, value), (option.name, value)


def test_a_game_without_doubling_has_no_options_of_the_cube() -> None:
    for name in ("acey_deucey", "acey_deucey_european"):
        assert not {"cube", "cube_cap", "crawford", "jacoby", "beavers", "automatic_doubles"} & {*own_rules(name)}


def test_values_that_exclude_each_other_say_why() -> None:
    def refused(page: HousePage, option: str, value: str) -> str | None:
        chosen = next(each for each in page.options if each.name == option)
        return next(choice.refused for choice in chosen.choices if choice.value == value)

    match = house_page("backgammon", {"length": "7"})
    assert "for money play, not for a match to 7" in (refused(match, "jacoby", "yes") or "")
    money = house_page("backgammon", {"beavers": "yes", "raccoons": "yes"})
    assert "raccoons answer beavers" in (refused(money, "beavers", "no") or "")
    assert refused(money, "jacoby", "yes") is None
    assert money.rules == {"beavers": "yes", "raccoons": "yes"}
    with pytest.raises(SettingsError, match="Jacoby"):
        house_page("backgammon", {"length": "7", "jacoby": "yes"})
    with pytest.raises(SettingsError, match="name=value"):
        pairs_of(["jacoby"])


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_rules_are_built_kept_shared_and_stand_at_the_table_and_in_the_record(
    browser: Any, shared_server: Server
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/house?variant=dutch")
        page.locator("#rule-jacoby").wait_for()
        weights = "all => [...new Set(all.map((each) => getComputedStyle(each).fontWeight))]"
        assert page.locator(".acts :is(button, a.button):not(.primary)").evaluate_all(weights) == ["400"], "links too"
        page.locator("#name").press_sequentially("K")
        page.locator("#rule-length").click()
        assert page.evaluate("document.activeElement.id") == "rule-length", "the name lets go of the focus"
        page.fill("#name", "")
        page.select_option("#rule-jacoby", "yes")
        page.get_by_text("Otherwise than usual: Jacoby: yes").wait_for()
        assert "rule=jacoby%3Dyes" in page.url
        page.fill("#rule-length", "7")
        page.keyboard.press("Tab")
        page.get_by_role("alert").get_by_text("not for a match to 7").wait_for()
        assert page.input_value("#rule-length") == "0", "what was refused is not shown as chosen"
        assert page.locator("#rule-after_acey_deucey").count() == 0, "only options of this game"
        page.get_by_role("button", name="Save").click()
        page.get_by_role("alert").get_by_text("Give these rules a name").wait_for()
        page.fill("#name", "Garden")
        page.get_by_role("button", name="Save").click()
        page.get_by_text("Saved as Garden").wait_for()
        violations = axe.run(page)
        assert violations.violations_count == 0, violations.generate_report()
        page.emulate_media(color_scheme="dark")
        assert axe.run(page).violations_count == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.goto(page.url)
        assert page.input_value("#name") == "Garden"
        page.goto(f"{shared_server.url}/real?house=Garden")
        page.get_by_text("Garden: Jacoby: yes").wait_for()
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        rules = {"length": 0, "jacoby": True}
        people = {"opponent": "screen", "name": "Ann", "other_name": "Bob"}
        seat, _ = create(client, begin=True, variant="dutch", house="Garden", rules=rules, **people)
        assert seat.state["played_for"] == "money, 1 a point, Jacoby, house rules Garden"
        record = client.get(f"/api/games/{seat.game}/record?format=json", headers=seat.headers)
        assert read(record.content, name="record.json").documents[0].match.info[HOUSE_TAG] == "Garden"


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_the_laboratory_shows_its_progress_can_be_stopped_and_says_what_the_rules_do(
    browser: Any, warm_server: Server
) -> None:
    with httpx.Client(base_url=warm_server.url, timeout=60) as client:
        refused = client.post("/api/house/lab", json={"variant": "backgammon", "rules": {"raccoons": "yes"}})
        assert refused.status_code == 400
        assert "raccoons answer beavers" in refused.json()["error"]
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with window(browser, "phone", locale="fr-FR") as page:
        page.goto(f"{warm_server.url}/lab?variant=hypergammon&name=Quick&rule=cube%3Dno")
        page.get_by_text("Looked at: Cube: no").wait_for()
        assert page.locator("#games option").all_inner_texts() == ["1,000", "3,000", "10,000"]
        page.locator("#run:enabled").click()
        page.locator("#said", has_text="of 20,000 games").wait_for()
        until(page, "document.getElementById('progress').value >= 500")
        page.get_by_role("button", name="Stop").click()
        page.get_by_text("Fewer games end with a drop").wait_for()
        violations = axe.run(page)
        assert violations.violations_count == 0, violations.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_the_laboratory_says_why_it_does_not_begin_and_what_to_do(browser: Any, shared_server: Server) -> None:
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/lab")
        why = page.get_by_text("Everything is as usual here: change an option first.")
        why.wait_for()
        begin, change = page.get_by_role("button", name="Begin"), page.get_by_role("link", name="Change the rules")
        assert begin.is_disabled()
        for button in (begin, change):
            description = button.get_attribute("aria-describedby")
            assert "change an option first" in page.inner_text(f"#{description}"), "a reader of the screen hears why"
        assert "primary" in change.get_attribute("class").split(), "the way on is the one that stands out"
        assert max(why.bounding_box()["y"], change.bounding_box()["y"]) < 844, "both in the first screen"
