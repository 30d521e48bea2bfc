"""The texts of the pages: one catalogue, nothing forgotten, and room for longer words."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import httpx
import polib
import pytest
from scripts import write_texts
from scripts.script_texts import forgotten, forgotten_in, texts_of_script
from tests.web import pseudo_language
from tests.web.browsing import SECONDS, window
from tests.web.conftest import Server, chromium
from tests.web.foreign import RENDERED, SEEN, forget_languages, known_texts, not_translated, told_by, untold
from tests.web.pseudo_language import template
from tests.web.sample_server import PLACES, fill_server
from tests.web.seat import create

from fullprime.messages import LOCALE, catalogues
from fullprime.web.languages import COOKIE, language_for, script_texts
from fullprime.web.markup import MarkupError, texts_of_page, translate_page
from fullprime.web.pages import STATIC, STATIC_VERSION, page_text

PAGES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.html"))


# -- the catalogues ------------------------------------------------------------------------------------------------
@pytest.mark.broad
def test_the_template_and_every_language_have_all_texts() -> None:
    """`make texts` writes them."""
    texts = write_texts.template()
    assert write_texts.TEMPLATE.read_text(encoding="utf-8") == f"{texts}", "run `make texts`"
    for path in LOCALE.glob("*.po"):
        catalogue = polib.pofile(str(path), encoding="utf-8")
        assert path.read_text(encoding="utf-8") == f"{write_texts.merged(catalogue, texts)}", (
            f"{path.name}: run `make texts`"
        )


def test_no_script_shows_a_text_that_is_not_in_the_catalogue() -> None:
    """Write t("Roll") or t`${name} won`; a literal that nobody reads has `// not a text` at the end of its line."""
    assert forgotten_in(STATIC) == []


LARGE = re.compile(r"[^<>]*(?<![\d.#/])[1-9]\d{3,}(?!\d)[^<>]*</(?:option|p|li|label|span|th|td)>")
"""A number of four figures or more without a separator, in a text of a page."""


def test_numbers_have_one_format_that_of_the_language_of_the_page() -> None:
    """Not that of the browser, which may have another language: `number` of texts.js writes them, for `t` as well."""
    pages = [page for page in PAGES if LARGE.search((STATIC / page).read_text(encoding="utf-8"))]
    assert pages == [], "1000 is written 1,000"
    lines = [line for path in STATIC.rglob("*.js") for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if "toLocaleString" in line and "new Date(" not in line] == []


COUNTED = re.compile(
    r"(?<!of )\{\d\} (matches|games|rolls|decisions|errors|blunders|reviews|periods|positions|cards|puzzles|files)\b"
)
"""A number and things of which there can be one."""


def test_no_text_says_one_matches() -> None:
    """What is counted has its forms by number: plural(n, "{n} match", "{n} matches")."""
    assert [entry.msgid for entry in template() if not entry.msgid_plural and COUNTED.search(entry.msgid)] == []


@pytest.mark.parametrize(
    "script",
    [
        'byId("x").textContent = "roll";',
        "place.title = `${name} rolls`;",
        'el("p", {}, "done");',
        'el("p", {}, open ? "open" : t("closed"));',
        'el("input", { placeholder: "a name" });',
        'button("x", { "aria-label": `Remove ${name}` });',
        "box.append(`${count} games`);",
        'problem("Give it a name first.");',
        'const WAYS = { left: "On the left" };',
        'x = `${t`Game ${1}`} ${n === 1 ? "one more thing" : ""}`;',
    ],
)
def test_a_forgotten_text_is_found(script: str) -> None:
    assert len(list(forgotten(script))) == 1, script


@pytest.mark.parametrize(
    "script",
    [
        'byId("title").className = "quiet apart";',
        'el("p", { class: "hint soft" }, t("Done"));',
        "el('path', { d: `M${x} ${y}L${a} ${b}` });",
        'if (state === "Not begun") x = /Some words here/.test(text);',
        "call(`/games/${id}/act`, { line });",
        '// "A comment with words"\nlet a = 1; /* `and another` */',
        "t`${name} won`; plural(n, '{n} game', '{n} games');",
        'act("resign now", t("Resign"));',
        'write("no play at all"); // not a text',
    ],
)
def test_what_nobody_reads_is_left_alone(script: str) -> None:
    assert list(forgotten(script)) == []


def test_texts_of_a_script_are_found_with_their_values_and_forms() -> None:
    script = 'a = t`${f(x, `in ${y}`)} won \\u2212${b}`; t("Roll // the button"); plural(n, "{n} game", "{n} games");'
    first, second, third = texts_of_script(script)
    assert (first.key, first.values) == ("{1} won \u2212{2}", ("f(x, `in ${y}`)", "b"))
    assert (second.key, third.key, third.one) == ("Roll // the button", "{n} games", "{n} game")


# -- pages in another language -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_english_stays_as_it_is(name: str) -> None:
    text = page_text(name)
    assert translate_page(text, lambda key: key.partition(" // ")[0]) == text


def test_marks_move_with_the_words_and_attributes_are_texts() -> None:
    page = (
        '<p title="Go on">Press <kbd>Tab</kbd>\n  or <a href="/x">go</a> &amp; on</p><th data-note="a play">Play</th>'
    )
    keys = texts_of_page(page)
    assert keys == ["Go on", "Press <kbd>Tab</kbd> or <a>go</a> & on", "Play // a play"]
    german = {keys[0]: 'Weiter "so"', keys[1]: "<a>Geh</a> & <kbd>Tab</kbd> drücken", keys[2]: "Zug"}
    assert translate_page(page, lambda key: german[key]) == (
        '<p title="Weiter &quot;so&quot;"><a href="/x">Geh</a> &amp; <kbd>Tab</kbd> drücken</p>'
        '<th data-note="a play">Zug</th>'
    )
    with pytest.raises(MarkupError, match="there is no <b>"):
        translate_page(page, lambda _: "<b>x</b>")


def test_what_is_not_to_be_translated_stays() -> None:
    page = '<p>Run <code translate="no">make it</code> now</p><script>a < b</script><p translate="no">Ann</p>'
    assert texts_of_page(page) == ["Run <code> now"]
    assert '<code translate="no">make it</code> los' in translate_page(page, lambda _: "<code> los")


def test_the_language_is_that_of_the_setting_else_of_the_browser(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for tag in ("de", "pt-BR"):
        head = f'msgid ""\nmsgstr "X-Language-Name: {tag}\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"'
        (tmp_path / f"{tag}.po").write_text(f'{head}\n\nmsgid "Roll"\nmsgstr "Los"\n')
    monkeypatch.setenv("FULLPRIME_TEXTS", str(tmp_path))
    forget_languages()
    try:
        assert list(catalogues()) == ["en", "de", "pt-BR"]
        assert language_for(None, "fr;q=0.9, de-CH;q=0.8, en;q=0.5") == "de"
        assert language_for(None, "en-GB, de") == "en"
        assert language_for(None, "pt-br") == "pt-BR"
        assert language_for("de", "en") == "de"
        assert language_for("xx", "nonsense;;q=1, de;q=0, *") == "en"
        assert catalogues()["de"].text("Roll // the button") == "Roll"
        assert b'learn({"Roll":"Los"}, (n) => Number((n != 1)));' in script_texts("de")
    finally:
        forget_languages()


# -- the pages in a language that nobody speaks ------------------------------------------------------------------------
@pytest.mark.broad
def test_pages_come_in_the_language_of_whoever_asks(foreign: Server, shared_server: Server) -> None:
    with httpx.Client(base_url=foreign.url, timeout=60) as client:
        english = client.get("/learn", headers={"Accept-Language": "fr, en;q=0.5"})
        assert english.headers["content-language"] == "en"
        assert english.headers["vary"] == "Accept-Language, Cookie"
        other = client.get("/learn", headers={"Accept-Language": pseudo_language.TAG})
        assert f'<html lang="{pseudo_language.TAG}" dir="ltr">' in other.text
        assert pseudo_language.to_pseudo("Learn to play") in other.text
        client.cookies.set(COOKIE, pseudo_language.TAG)
        assert client.get("/learn").text == other.text
        script = re.search(r'src="(/static/\w+/texts/en-XA\.js)\?v=\w+"', other.text)
        assert script is not None
        texts = client.get(script[0].removeprefix('src="').removesuffix('"'))
        assert texts.headers["content-type"].startswith("text/javascript")
        assert "immutable" in texts.headers["cache-control"]
        assert client.get(f"{script[1]}?v=old").headers["cache-control"] == "no-cache"
        assert client.get(script[1].replace(pseudo_language.TAG, "xx")).status_code == 404
        manifest = re.search(r'<link rel="manifest" href="([^"]+)">', other.text)
        assert manifest is not None
        installed = client.get(manifest[1])
        assert installed.headers["content-type"] == "application/manifest+json"
        assert (installed.json()["lang"], installed.json()["id"]) == (pseudo_language.TAG, "/")
        assert installed.json()["shortcuts"][0]["name"] == pseudo_language.to_pseudo("Learn")
        assert client.get(manifest[1].replace(pseudo_language.TAG, "xx")).status_code == 404
        assert f'href="/static/{STATIC_VERSION}/parts/manifest.webmanifest"' in english.text
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        alone = client.get("/learn", headers={"Accept-Language": pseudo_language.TAG})
        assert 'lang="en"' in alone.text
        assert "texts/en" not in alone.text


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_a_language_is_chosen_in_the_settings_kept_and_given_back(foreign: Server, browser: Any) -> None:
    def choose(settings: str, label: str, tag: str) -> None:
        page.get_by_role("button", name=settings, exact=True).click()
        page.get_by_label(label, exact=True).select_option(tag)
        page.locator(f'html[lang="{tag}"]').wait_for(state="attached")
        page.wait_for_load_state()  # a press before that is lost: what it does is not there yet

    translated = pseudo_language.to_pseudo
    with window(browser) as page:
        page.goto(f"{foreign.url}/drill")
        choose("Settings", "Language", pseudo_language.TAG)
        assert page.get_by_role("heading", level=1).inner_text() == translated("Drills")
        page.get_by_role(
            "link", name=translated("Match equities")
        ).wait_for()  # a text of the server, shown by a script
        (cookie,) = page.context.cookies()
        assert (cookie["name"], cookie["value"], cookie["path"], cookie["sameSite"]) == (
            COOKIE,
            pseudo_language.TAG,
            "/",
            "Lax",
        )
        assert cookie["expires"] > time.time() + 300 * 24 * 3600, "the next visit finds it"
        page.goto(f"{foreign.url}/rules")
        assert page.evaluate("document.documentElement.lang") == pseudo_language.TAG, "on every page"
        choose(translated("Settings"), translated("Language"), "en")
        page.get_by_role("button", name="Settings", exact=True).click()
        chosen = page.get_by_label("Language", exact=True)
        assert chosen.evaluate("(list) => [...list.options].map(({ text }) => text)") == [
            "as the browser", "English", "Deutsch", "Pseudo",
        ]  # fmt: skip
        assert chosen.input_value() == "en"
        chosen.select_option("")
        page.get_by_role("dialog").wait_for(state="hidden")
        assert page.context.cookies() == []


CUT = """() => {
  const found = [];
  const parts = 'button, a, th, label, summary, legend, h1, h2, h3, .field, li, p, dt, dd';
  for (const element of document.querySelectorAll(parts)) {
    const style = getComputedStyle(element);
    if (!element.checkVisibility() || style.textOverflow === 'ellipsis' || element.closest('.brand')) continue;
    const box = element.getBoundingClientRect();
    if (box.width < 2 || !element.textContent.trim()) continue;
    const hides = style.overflowX !== 'visible' && style.overflowX !== 'auto';
    const cut = hides && element.scrollWidth > element.clientWidth + 1;
    const scroller = element.closest('.wide, .scroll, pre, [tabindex="0"], .places, svg');
    const out = !scroller && (box.right > document.documentElement.clientWidth + 1 || box.left < -1);
    const words = element.textContent.trim().slice(0, 60);
    if (cut || out) found.push(`${element.localName}#${element.id}.${element.className}: ${words}`);
  }
  return found;
}"""
WIDER = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1).slice(0, 6)
  .map((each) => `${each.localName}#${each.id}.${each.className}: ${each.textContent.trim().slice(0, 30)}`)"""


def look_at(page: Any, address: str, covered: set[str], ready: str, rendered: frozenset[str]) -> list[str]:
    """What is wrong with a page at the widths of a phone and of a screen."""
    requests: list[Any] = []

    def listen(request: Any) -> None:
        requests.append(request)

    heard: list[Any] = []

    def hear(frame: str | bytes) -> None:
        heard.append(json.loads(frame))

    def follow(socket: Any) -> None:
        socket.on("framereceived", hear)

    page.on("websocket", follow)
    page.on("requestfinished", listen)  # not before: the body of a stream that goes on never ends
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    page.locator(ready).first.wait_for(state="attached")
    end = time.monotonic() + SECONDS
    while forgotten := not_translated(
        page.evaluate(SEEN),
        "\n".join(untold([heard, *(told_by(request) for request in requests)], rendered=rendered)),
        covered,
    ):
        if time.monotonic() > end:
            break
        page.wait_for_timeout(50)  # the page shows what came before it is said here that it has come
    page.remove_listener("requestfinished", listen)
    page.remove_listener("websocket", follow)
    wrong = [f"not translated: {text}" for text in forgotten]
    for width, height in ((390, 844), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        wrong += [f"at {width} it scrolls sideways: {fault}" for fault in page.evaluate(WIDER)]
        wrong += [f"at {width} cut off: {fault}" for fault in page.evaluate(CUT)]
    return wrong


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_the_first_pages_forget_no_text_and_have_room_for_longer_words(foreign: Server, browser: Any) -> None:
    look_at_all(foreign, browser, {"/": "#start:enabled", "/lobby": "#none, #open li", "/analysis": "div.wide table"})


SESSIONS = {
    "/": "#start:enabled",
    "/lobby": "#none, #open li",
    "/analysis": "div.wide table",
    "/learn": "main li",
    "/learn/primes": ".checker",
    "/rules": "main h2",
    "/house": "#options select",
    "/lab": "#rules-words:not(:empty)",
    "/account": "main form",
    "/profile?name=nobody": "#problem:not(:empty), main",
    "/library": "main",
    "/library/search": ".checker, main form",
    "/library/players": "main",
    "/library/player?player=x": "main",
    "/library/notes": "main",
    "/library/collections": "main",
    "/review": "main",
    "/drill": "main li",
    "/drill/cards": "#meanwhile .checker",
    "/drill/puzzles": "main",
    "/drill/pips": "main",
    "/openings/backgammon": ".checker",
    "/reference": "main li",
    "/real": "#house option",
    "/offline": "main",
    "/nowhere": "main",
}


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_no_page_forgets_a_text_or_cuts_longer_words(foreign: Server, browser: Any) -> None:
    with httpx.Client(base_url=foreign.url, timeout=60) as client:
        seat = create(client, variant="backgammon", rules={"length": 5})[0]
        games = {f"/game/{seat.game}#key={seat.key}": ".checker", f"/game/{seat.game}/card": "#games table"}
        look_at_all(foreign, browser, {**SESSIONS, **games})


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_no_place_with_something_in_it_forgets_a_text(foreign: Server, browser: Any) -> None:
    """The printable report is in English as a whole: test_translated_pages."""
    values = fill_server(foreign.url)
    translated = [place for place in PLACES if place.name != "report"]
    look_at_all(foreign, browser, {place.address.format(**values): place.ready for place in translated}, WRITTEN)


WRITTEN = re.compile(
    r"not translated: '(Ada|Ben|Pippa|Primes|Boards to know by heart|Which of the two hits|mat|http|study)\b"
    r"|cut off: a#\.skip"
)
"""Words of people on the sample server, the name of a format, and the link that is seen by Tab alone."""


OF_PLAYERS = ("/", "/lobby", "/rules", "/house", "/account", "/profile?name=nobody")
"""The pages that a player meets around a game: the server's sentences on them are translated, too."""
NOT_RENDERED: frozenset[str] = frozenset()
"""Of all other pages: the sentences of lessons, reviews and drills are in English until they are translated."""


def look_at_all(foreign: Server, browser: Any, addresses: dict[str, str], fine: re.Pattern[str] | None = None) -> None:
    covered = known_texts()
    cookie = {"name": COOKIE, "value": pseudo_language.TAG, "url": foreign.url}
    wrong: dict[str, list[str]] = {}
    with window(browser) as page:
        page.context.add_cookies([cookie])
        for address, ready in addresses.items():
            rendered = RENDERED if address in OF_PLAYERS or address.startswith("/game/") else NOT_RENDERED
            faults = look_at(page, foreign.url + address, covered, ready, rendered)
            faults = [fault for fault in faults if fine is None or not fine.search(fault)]
            if faults:
                wrong[address] = faults
    assert not wrong, "\n".join(f"{address}\n  " + "\n  ".join(fault) for address, fault in wrong.items())
