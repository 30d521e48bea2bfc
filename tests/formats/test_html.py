"""The report of a review: complete, offline, and the same for those who do not see it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from tests.analysis.matches import random_match, small_engine

from fullprime.analysis.decision import GNU, XG, Kind, Verdict
from fullprime.analysis.review import review
from fullprime.drawing.report import html
from fullprime.drawing.report_graph import course, places
from fullprime.formats.analysis import CandidatePlay, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.rules.record import Match
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
    found = random_match(Settings(length=9), seed=12, games=2, doubles=0.1)
    return Match(found.settings, ("Ann & Co", "<Bob>"), found.games, found.info)


@pytest.fixture(scope="module")
def reviewed(match):
    return review(match, small_engine(), "fast")


@pytest.fixture(scope="module")
def text(match, reviewed) -> str:
    return html(match, reviewed)


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
    for each, article in zip(reviewed.decisions, articles, strict=True):
        assert article["data-player"] == each.player.name
        wrong = each.verdict(XG) in (Verdict.ERROR, Verdict.BLUNDER, Verdict.DOUBTFUL)
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
    assert any("<Bob>" in each for each in page.text)
    assert "Ann &amp; Co" in text


def test_boards_are_told_in_words_and_tables_have_heads(page, text) -> None:
    assert text.count("<desc id=") >= len(page.all("article"))
    assert page.all("html", lang="en")
    assert page.all("span", role="status")
    assert all(a.get("scope") in ("col", "row") or a.get("class") == "words" for t, a in page.elements if t == "th")
    assert {"Player ", "Kind ", "Verdict "} <= set(page.text)


def test_arrows_show_what_was_played_and_what_was_best(match, reviewed, text) -> None:
    for each in reviewed.decisions:
        if each.kind is not Kind.PLAY:
            continue
        start = text.index(f'<article id="d{each.game + 1}-{each.event + 1}"')
        article = text[start : text.index("</article>", start)]
        assert ("fp-arrow fp-best" in article) == (each.best.moves != ())
        if each.loss > 0.08:
            assert "fp-arrow fp-blunder" in article
        assert f"{each.played.text}" in article.replace("&#x27;", "'")


def test_the_course_is_a_chance_and_stands_in_order(match, reviewed) -> None:
    line = course(match, reviewed)
    assert len(line) == len(reviewed.rolls)
    assert all(0 <= value <= 1 for _, _, value in line)
    where = places(reviewed)
    assert sorted(where, key=lambda key: where[key]) == sorted(where)


def test_money_has_a_course_of_points() -> None:
    match = random_match(Settings(), seed=3, games=2)
    found = review(match, small_engine(), "fast")
    page = Page(html(match, found))
    assert any("points, won and expected" in each for each in page.text)
    assert any("luck (points)" in each for each in page.text)


def test_marks_player_and_the_files_own_analysis(match, reviewed) -> None:
    first = next(each for each in reviewed.decisions if each.kind is Kind.PLAY)
    analysis = FileAnalysis(
        "Another Program",
        {(first.game, first.event): EventAnalysis(play=PlayAnalysis(
            (CandidatePlay(None, "13/7 8/7", 0.25, level="XG Roller+"), CandidatePlay(None, "24/18", 0.1)), 1))},
    )  # fmt: skip
    text = html(match, reviewed, thresholds=GNU, player=Player.O, other=analysis)
    assert "Another Program says: best 13/7 8/7 (XG Roller+); the play made loses 0.150." in text
    assert '<option value="O" selected>' in text


def test_what_was_left_out_is_said(match, reviewed) -> None:
    from dataclasses import replace

    from fullprime.analysis.review import LeftOut

    text = html(match, replace(reviewed, left_out=(LeftOut(0, 6, "an <illegal> play"),), complete=False))
    assert "Game 1, event 7: an &lt;illegal&gt; play" in text
    assert "stopped after" in text
