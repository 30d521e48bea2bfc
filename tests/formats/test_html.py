"""The report of a review: complete, offline, and the same for those who do not see it."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.reviews.matches import random_match, small_engine

from fullprime.formats.analysis import CandidatePlay, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.reviews.decision import GNU, XG, Kind, Verdict
from fullprime.reviews.report import render_page, rest_of
from fullprime.reviews.report.decision import render_article as report_article
from fullprime.reviews.report.graph import chance_curve, place_decisions
from fullprime.reviews.report.places import places_of
from fullprime.reviews.review import review
from fullprime.rules.record import Match, Setup
from fullprime.rules.score import Player, Settings

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """Elements with their attributes; fails on tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [a for t, a in self.elements if t == tag and all(a.get(k) == v for k, v in wanted.items())]


@pytest.fixture(scope="module")
def match() -> Match:
    match = random_match(Settings(length=9), seed=12, games=2, doubles=0.1)
    return Match(match.settings, ("Ann & Co", "<Bob>"), match.games, match.info)


@pytest.fixture(scope="module")
def reviewed(match):
    return review(match, small_engine(), "fast")


@pytest.fixture(scope="module")
def text(match, reviewed) -> str:
    return render_page(match, reviewed)


@pytest.fixture(scope="module")
def page(text) -> Page:
    return Page(text)


def test_it_needs_nothing_from_anywhere(text, page) -> None:
    for _, attributes in page.elements:
        for name in ("src", "href", "xlink:href"):
            value = attributes.get(name)
            assert value is None or value.startswith("#"), value
    assert "@import" not in text
    assert not re.search(r"url\(", text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_every_decision_has_its_place_in_the_list_and_its_board(page, reviewed) -> None:
    articles = [a for t, a in page.elements if t == "article"]
    assert len(articles) == len(reviewed.decisions)
    ids = [a["id"] for a in articles]
    assert len(set(ids)) == len(ids)
    links = {a["href"] for t, a in page.elements if t == "a" and (a.get("href") or "").startswith("#d")}
    assert {f"#{name}" for name in ids} <= links
    boards = [a for t, a in page.elements if t == "svg" and a.get("class") == "fp-board"]
    assert len(boards) == len(articles)
    for decision, article in zip(reviewed.decisions, articles, strict=True):
        assert article["data-player"] == decision.player.name
        wrong = decision.verdict(XG) in (Verdict.ERROR, Verdict.BLUNDER, Verdict.DOUBTFUL)
        assert ("mistake" in (article["class"] or "")) == wrong


def test_all_ids_are_different_and_all_references_lead_somewhere(page) -> None:
    ids = [a["id"] for _, a in page.elements if a.get("id")]
    assert len(ids) == len(set(ids))
    for _, attributes in page.elements:
        reference = attributes.get("href")
        if reference:
            assert reference[1:] in ids, reference
        for name in (attributes.get("aria-labelledby") or "").split():
            assert name in ids, name


def test_names_are_text_and_never_markup(text, page) -> None:
    assert "<Bob>" not in text
    assert any("<Bob>" in text_part for text_part in page.text)
    assert "Ann &amp; Co" in text


def test_boards_are_told_in_words_and_tables_have_heads(page, text) -> None:
    boards = page.all("svg", role="img")
    assert len(boards) == len([a for t, a in page.elements if t == "article"])
    assert all("pips" in (board["aria-label"] or "") for board in boards)
    assert page.all("html", lang="en")
    assert page.all("span", role="status")
    assert all(
        a.get("scope") in ("col", "row", "rowgroup") or a.get("class") == "words" for t, a in page.elements if t == "th"
    )
    assert {"Player ", "Kind ", "Verdict "} <= set(page.text)


def test_arrows_show_what_was_played_and_what_was_best(match, reviewed, text) -> None:
    places = places_of(match, reviewed)
    for decision in reviewed.decisions:
        if decision.kind is not Kind.PLAY:
            continue
        start = text.index(f'<article id="{places[decision.game, decision.event].anchor}"')
        article = text[start : text.index("</article>", start)]
        assert ("fp-arrow fp-best" in article) == (decision.best.moves != ())
        if decision.loss > 0.08:
            assert "fp-arrow fp-blunder" in article
        assert f"{decision.played.text}" in article.replace("&#x27;", "'")


def test_the_course_is_a_chance_and_stands_in_order(match, reviewed) -> None:
    line = chance_curve(match, reviewed)
    assert len(line) == len(reviewed.rolls)
    assert all(0 <= value <= 1 for _, _, value in line)
    where = {key: float(place.removesuffix("%")) for key, place in place_decisions(reviewed).items()}
    assert sorted(where, key=lambda key: where[key]) == sorted(where)
    assert all(0 < place < 100 for place in where.values())


def test_money_has_a_course_of_points() -> None:
    match = random_match(Settings(), seed=3, games=2)
    reviewed = review(match, small_engine(), "fast")
    page = Page(render_page(match, reviewed))
    assert any("points, won and expected" in text_part for text_part in page.text)
    assert any("luck (points)" in text_part for text_part in page.text)


def test_marks_player_and_the_files_own_analysis(match, reviewed) -> None:
    first = next(decision for decision in reviewed.decisions if decision.kind is Kind.PLAY)
    analysis = FileAnalysis(
        "Another Program",
        {(first.game, first.event): EventAnalysis(play=PlayAnalysis(
            (CandidatePlay(None, "13/7 8/7", 0.25, level="XG Roller+"), CandidatePlay(None, "24/18", 0.1)), 1))},
    )  # fmt: skip
    text = render_page(match, reviewed, thresholds=GNU, player=Player.O, other=analysis)
    assert "Another Program says: best 13/7 8/7 (XG Roller+); the play made loses 0.150." in text
    assert '<option value="O" selected>' in text


def test_what_was_left_out_is_said(match, reviewed) -> None:
    from fullprime.reviews.review import LeftOut

    text = render_page(match, replace(reviewed, left_out=(LeftOut(0, 6, "an <illegal> play"),), complete=False))
    assert "1.4: an &lt;illegal&gt; play" in text
    assert "stopped after" in text


def test_a_decision_has_one_number(match, reviewed, text) -> None:
    """In the list and above its board, the roll of its game; the cube before a roll is called as the play after it."""
    places = places_of(match, reviewed)
    assert len({place.anchor for place in places.values()}) == len(reviewed.decisions)
    for decision in reviewed.decisions:
        place = places[decision.game, decision.event]
        before = match.games[decision.game].events[: decision.event]
        thrown = sum(not isinstance(event, Setup) and event.dice is not None for event in before)
        assert place.roll == thrown + (decision.kind is not Kind.PLAY)
        assert f'<a href="#{place.anchor}"><span class="soft">{place.number}</span>' in text
        assert f'<h3 id="{place.anchor}-h"><span class="no">{place.number}</span>' in text


def test_the_nets_stand_in_a_footnote_alone(reviewed, text) -> None:
    assert reviewed.program.split(", ")[1] in text[text.index("<footer") :]
    assert reviewed.program.split(", ")[1] not in text[: text.index("<footer")]


def test_parts_of_the_pr_stand_in_tables_of_their_own(text) -> None:
    tables = re.findall(r"<caption>([^<]*)</caption>(.*?)</table>", text[text.index("All figures") :])
    rows = {caption: re.findall(r'<th scope="row">(.*?)</th>', body) for caption, body in tables}
    assert rows["PR by kind (and decisions)"] == ["checker play", "doubles", "takes"]
    assert "opening" in rows["PR by phase (and decisions)"]
    assert all("game" in row for row in rows["PR by game (and decisions)"])
    assert not any(re.search("opening|checker play|missed", row) for row in rows["PR by game (and decisions)"])


def test_plays_of_different_depths_stand_in_groups_and_their_losses_are_marked(match, reviewed) -> None:
    """A play judged statically may have a better figure than the best one: it is not in the best one's list."""
    index = next(
        n
        for n, decision in enumerate(reviewed.decisions)
        if decision.kind is Kind.PLAY and len(decision.options) > 3 > decision.chosen
    )
    old = reviewed.decisions[index]
    deeper = [replace(option, depth=2) for option in old.options[:2]]
    lucky = replace(old.options[2], equity=old.best.equity + 0.1, loss=0.0)
    new = replace(old, options=(*deeper, lucky, *old.options[3:]), chosen=0)
    place = places_of(match, reviewed)[new.game, new.event]
    article = report_article(new, place, match, XG, bottom=None, at="1%")
    first, second = re.findall(r"<tbody>.*?</tbody>", article)
    assert "Looked at 2 plies ahead" in first
    assert "static" in second
    assert "≈" not in first
    assert "<td>≈ 0</td>" in second
    assert second.count("≈") == len(new.options) - 2
    assert "the best first" not in article
    assert article.count("<td>2-ply</td>") == 2


def test_a_decision_takes_few_bytes(text, reviewed) -> None:
    """Version 0.1 took 6 kB for each."""
    articles = re.findall(r"<article .*?</article>", text, re.DOTALL)
    assert sum(len(article) for article in articles) / len(articles) < 4000


def test_the_rest_of_a_page_is_what_it_leaves_out(match, reviewed, text) -> None:
    page, rest = render_page(match, reviewed, rest="/there"), rest_of(match, reviewed)
    ids = [re.findall(r'<article id="([^"]+)"', document) for document in (text, page, rest)]
    assert set(ids[1]) | set(ids[2]) == set(ids[0])
    assert len(ids[1]) + len(ids[2]) == len(ids[0])
    assert 'data-rest="/there"' in page
    used = set(re.findall(r'<use href="#([^"]+)"', rest))
    assert used <= set(re.findall(r'<g id="([^"]+)"', rest))
