"""The dice on the page: links without `crypto.subtle`, another device, and verifiers that hold to the vectors."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from tests.loading import load_module
from tests.web.browsing import MOVED, until, window
from tests.web.conftest import Server, chromium

from fullprime.client import connect
from fullprime.client.dice_proof import OwnShare
from fullprime.client.links_proof import OwnChains, check_links
from fullprime.client.wire import JsonFields
from fullprime.rules.links import LinkChain, linked_dice
from fullprime.rules.score import Player
from fullprime.web.pages import STATIC

ROOT = Path(__file__).parent.parent.parent
VECTORS: dict[str, Any] = json.loads((ROOT / "docs" / "dice-vectors.json").read_text(encoding="utf-8"))
PROOFS = [pytest.param(proof["proof"], proof["holds"], id=proof["name"]) for proof in VECTORS["proofs"]]
PLAIN_HTTP = "Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})"
NEAR = "1:2 3 off:12 / 13:15"
"""Three checkers left, and a bot that has far to go."""

needs_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


@pytest.fixture(scope="module")
def verify_dice() -> ModuleType:
    return load_module(STATIC / "verify" / "verify_dice.py")


# -- the vectors ------------------------------------------------------------------------------------------------
def test_the_vectors_of_chains_and_throws(verify_dice: ModuleType) -> None:
    chain, values = LinkChain(VECTORS["chain"]["secret"]), VECTORS["chain"]
    assert (chain.anchor, chain.length) == (values["anchor"], values["length"])
    for number, link in values["links"].items():
        assert chain.link(int(number)) == link
        assert verify_dice.link_hash(link, int(number)) == values["anchor"]
    for throw in VECTORS["throws"]:
        assert list(linked_dice(throw["number"], throw["server"], throw["x"], throw["o"])) == throw["dice"]
        text = f"fullprime-2:{throw['number']}:{throw['server']}:{throw['x']}:{throw['o']}"
        assert verify_dice.dice_of(text, 2) == throw["dice"]


@pytest.mark.parametrize(("proof", "holds"), PROOFS)
def test_the_program_of_one_file(verify_dice: ModuleType, proof: Any, holds: bool) -> None:
    assert (not verify_dice.check(proof, [])) is holds
    if holds:
        assert verify_dice.check(proof, ["ab" * 32])
        assert verify_dice.check(proof, [proof["commitment"]]) == []


@pytest.mark.parametrize(("proof", "holds"), PROOFS)
def test_the_client(proof: Any, holds: bool) -> None:
    fields, share = JsonFields(proof, "here"), OwnShare(proof["commitment"], None, None, ())
    assert check_links(fields, share, OwnChains(Player.X, (), {})).holds is holds


def test_vectors_are_made_anew_when_the_protocol_changes(verify_dice: ModuleType) -> None:
    renewed = load_module(ROOT / "scripts" / "write_dice_vectors.py").vectors()
    assert [(proof["name"], proof["holds"]) for proof in renewed["proofs"]] == [
        (proof["name"], proof["holds"]) for proof in VECTORS["proofs"]
    ]
    for proof in json.loads(json.dumps(renewed["proofs"])):
        assert (not verify_dice.check(proof["proof"], [])) is proof["holds"], proof["name"]


def test_another_formula_is_refused_in_one_line(
    verify_dice: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (other,) = (proof["proof"] for proof in VECTORS["proofs"] if proof["name"] == "another formula")
    path = tmp_path / "proof.json"
    for proof in (other, {**VECTORS["proofs"][0]["proof"], "formula": "fullprime-1"}):
        path.write_text(json.dumps(proof), encoding="utf-8")
        assert verify_dice.main([str(path), "--know", "ab" * 32]) == 1
        assert capsys.readouterr().out == "the formula 'fullprime-1' is unknown: only fullprime-2 is checked\n"
        share = OwnShare(proof["commitment"], None, None, ())
        verdict = check_links(JsonFields(proof, "here"), share, OwnChains(Player.X, ("ab" * 32,), {}))
        assert str(verdict) == "the server has another formula, 'fullprime-1': only fullprime-2 is checked"


def test_the_server_begins_no_chain_in_the_middle_of_the_last_game(verify_dice: ModuleType) -> None:
    """The moment would be a choice between two throws, where no opening comes after it any more."""
    first, second = LinkChain("1" * 64), 2050
    late = LinkChain(verify_dice.text_hash(f"{first.secret}:{second}"), second)
    throws = []
    for number in range(1, second + 3):
        server, by = (late if number >= second else first).link(number), "X" if number > 1 else "both"
        throws.append({"number": number, "by": by, "server": server, "x": "ab", "o": "cd", "links": [], "without": []})
        throws[-1]["dice"] = list(linked_dice(number, server, "ab", "cd"))
    chains = [{"whose": "server", "first": chain.first, "anchor": chain.anchor} for chain in (first, late)]
    links = {"length": 4096, "givers": ["X", "O"], "seats": ["human", "human"], "chains": chains, "throws": throws}
    proof = {"formula": "fullprime-2", "commitment": first.anchor, "seeds": {"X": "ab", "O": "cd"}, "links": links}
    fault = f"the server had no reason to begin a chain at throw {second}"
    assert verify_dice.check(proof, []) == [fault]
    share = OwnShare(first.anchor, None, None, ())
    assert check_links(JsonFields(proof, "here"), share, OwnChains(Player.X, (), {})).faults == (fault,)
    throws[second - 1]["by"] = "both"
    assert verify_dice.check(proof, []) == []


def test_what_one_noted_is_looked_for_where_it_counts(verify_dice: ModuleType) -> None:
    """A chain that somebody else began for this seat is found by who noted one's own."""
    (anew,) = (proof["proof"] for proof in VECTORS["proofs"] if proof["name"] == "a chain begun anew")
    mine, others = [chain["anchor"] for chain in anew["links"]["chains"] if chain["whose"] == "X"]
    assert "the chain of X from throw" in verify_dice.check(anew, [mine])[0]
    assert verify_dice.check(anew, [mine, others]) == []


def test_the_program_says_what_it_found(
    verify_dice: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "proof.json"
    for proof, status in zip(VECTORS["proofs"], (0,) * 6 + (1,) * 50, strict=False):
        path.write_text(json.dumps(proof["proof"]), encoding="utf-8")
        assert verify_dice.main([str(path)]) == status
        assert capsys.readouterr().out
    for text in ("", "[]", "{}", '{"formula": "fullprime-2", "commitment": 1}', "[" * 100_000):
        path.write_text(text, encoding="utf-8")
        assert verify_dice.main([str(path)]) == 2
        assert "is no proof of dice" in capsys.readouterr().out
    assert verify_dice.main([]) == 2


def test_the_program_needs_the_standard_library_alone() -> None:
    text = (STATIC / "verify" / "verify_dice.py").read_text(encoding="utf-8")
    names = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert names <= sys.stdlib_module_names


@pytest.mark.broad
@needs_browser
def test_the_verifier_of_one_page_and_the_games_page(browser: Any, shared_server: Server, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    with window(browser, offline=True) as page:
        page.goto((STATIC / "verify" / "verify.html").as_uri())
        for vector in VECTORS["hashes"]:
            assert page.evaluate("(text) => hex(textHash(text))", vector["text"]) == vector["sha256"]
        for proof in VECTORS["proofs"]:
            fault = page.evaluate("(proof) => check(proof, [])", proof["proof"])
            assert (fault == "") is proof["holds"], proof["name"]
            if proof["name"] == "another formula":
                assert fault == "The formula fullprime-1 is unknown: only fullprime-2 is checked."
            path.write_text(json.dumps(proof["proof"]), encoding="utf-8")
        path.write_text(json.dumps(VECTORS["proofs"][0]["proof"]), encoding="utf-8")
        page.set_input_files("#file", path)
        page.locator("#verdict.good").wait_for()
        assert page.locator("#throws li").count() == len(VECTORS["proofs"][0]["proof"]["throws"])
        (anew,) = (proof["proof"] for proof in VECTORS["proofs"] if proof["name"] == "a chain begun anew")
        mine, others = [chain["anchor"] for chain in anew["links"]["chains"] if chain["whose"] == "X"]
        assert "of X from throw" in page.evaluate("([proof, known]) => check(proof, known)", [anew, [mine]])
        assert page.evaluate("([proof, known]) => check(proof, known)", [anew, [mine, others]]) == ""
        page.fill("#known", "ab" * 32)
        page.locator("#known").blur()
        page.locator("#verdict.bad").wait_for()
        other = tmp_path / "other.json"
        other.write_text("{", encoding="utf-8")
        page.set_input_files("#file", other)
        until(page, "document.querySelector('#verdict').textContent.startsWith('This is no proof')")
    with window(browser) as page:
        page.add_init_script(PLAIN_HTTP)
        page.goto(shared_server.url)
        ours = "([proof]) => import('/static/game/proof.js').then(({check}) => check(proof))"
        for proof in VECTORS["proofs"]:
            verdict, holds = page.evaluate(ours, [proof["proof"]])
            assert holds is proof["holds"], (proof["name"], verdict)


# -- games on the page ------------------------------------------------------------------------------------------
def play(page: Any) -> None:
    """Roll and play until the game is over."""
    may = "document.querySelector('#log .game_over, .spot.source, [data-act=roll]:enabled')"
    for _ in range(200):
        until(page, may)
        if page.locator("#log .game_over").count():
            return
        if page.locator("[data-act=roll]:enabled").count():
            page.locator("[data-act=roll]").click()
            until(page, f"!document.querySelector('[data-act=roll]') && {may}")
            continue
        for _ in range(4):
            if not page.locator(".spot.source").count():
                break
            before = page.evaluate(MOVED)
            page.locator(".spot.source").first.dblclick()
            until(page, f"{MOVED} !== {before!r}")
        done = page.locator("[data-act=done]:enabled")
        if done.count():
            done.click()
            until(page, f"!document.querySelector('[data-act=done]') && {may}")
    raise AssertionError("the game does not end")


@pytest.mark.broad
@needs_browser
def test_a_page_without_subtle_crypto_gives_links_and_checks_them(
    browser: Any, shared_server: Server, tmp_path: Path, verify_dice: ModuleType
) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        game = client.post("/api/games", json={"bot": "random", "position": NEAR, "rules": {"length": 1}}).json()
    with window(browser) as page:
        page.add_init_script(PLAIN_HTTP)
        page.goto(f"{shared_server.url}/game/{game['id']}#key={game['key']}")
        page.locator(".checker").first.wait_for()
        play(page)
        page.locator("#open-proof").click()
        verdict = page.locator("#proof-verdict.good").inner_text()
        assert verdict.startswith(("All ", "The throw so far follows", "The throw follows"))
        assert "before" not in verdict
        assert "nobody can foresee" in page.locator("#dialog").inner_text()
        with page.expect_download() as saved:
            page.get_by_text("Save the proof").click()
        proof = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert verify_dice.check(proof, [game["commitment"]]) == []
    assert all(throw["links"] == ["X"] for throw in proof["links"]["throws"])


@pytest.mark.broad
@needs_browser
def test_the_dice_go_over_to_another_device(browser: Any, shared_server: Server) -> None:
    """The link of the settings takes the links along; without it the new device says so and begins a new chain."""
    with (
        connect(shared_server.url, name="Bob") as bob,
        httpx.Client(base_url=shared_server.url, timeout=60) as client,
        window(browser) as first,
        window(browser, "phone") as second,
        window(browser) as third,
    ):
        made = client.post("/api/games", json={"opponent": "friend", "name": "Ann", "rules": {"length": 3}}).json()
        game = f"{shared_server.url}/game/{made['id']}"
        with first.expect_response("**/seed"):
            first.goto(f"{game}#key={made['key']}")
        seed = first.evaluate("JSON.parse(localStorage.getItem('fullprime.games'))[location.pathname.slice(6)].dice")
        first.goto("about:blank")
        # The invited player sits down; the opening waits for Ann's page.
        joined = bob.join(f"{game}#invite={made['invitation']}")
        for state in joined:
            if state.links is not None and state.links.awaits == (Player.X,):
                break
        second.goto(f"{game}#key={made['key']}")
        here = second.locator("[data-act=here]")
        here.wait_for()
        third.goto(f"{game}#key={made['key']}&dice={seed}")
        third.locator(".checker").first.wait_for()
        # Equal dice are a throw as well; the next one would wait for Bob, who says nothing more.
        until(third, "document.querySelector('#log .opening, #log .tie')")
        until(second, "!document.querySelector('[data-act=here]')")
        chains = client.get(f"/api/games/{made['id']}/proof").json()["links"]["chains"]
        assert [chain["whose"] for chain in chains] == ["server", "X", "O"]
