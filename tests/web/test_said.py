"""Sentences of the program in another language: found in its modules, read by their templates, put into answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripts.python_texts import templates_in
from tests.web.inside import TestClient
from tests.web.pseudo import pseudo_sentence

from fullprime.learn.puzzles.service import reason_of, stock_of
from fullprime.reviews.reasons.counts import count
from fullprime.reviews.reasons.facts import Fact, FactKind, Pair
from fullprime.reviews.reasons.features import Theme
from fullprime.reviews.reasons.phrases import phrases
from fullprime.rules.variants import VARIANTS
from fullprime.web.connections.answers import AnswersTold
from fullprime.web.connections.pieces import InPieces
from fullprime.web.connections.strangers import StrangersInTurn
from fullprime.web.said import InLanguage, in_words
from fullprime.web.server import Application
from fullprime.web.streams import MEDIA
from fullprime.web.texts import sentences
from fullprime.web.texts.catalogue import COOKIE, FOLDER, catalogues, read_catalogue
from fullprime.web.texts.markup import with_texts
from fullprime.web.texts.sentences import Sentences

GERMAN = Sentences({
    "{1} rolls {2}": "{1} würfelt {2}",
    "You roll {1}": "Du würfelst {1}",
    "{1} wins {2} ({3}).": "{2} für {1}: {3}.",
    "a gammon, {1} points": "ein Gammon, {1} Punkte",
    "a gammon": "ein Gammon",
    "bear-off": "Auswürfeln",
    "Score: {1}": "Stand: {1}",
    "{1}: {2} is blocked by {3} checkers": "{1}: {2} ist von {3} Steinen blockiert",
    "thrown again": "noch einmal",
    "no double": "nicht doppeln",
    "the opponent may move": "der Gegner darf ziehen",
    "{1}, then {2}": "{1}, dann {2}",
    "not translated yet": "",
})  # fmt: skip


# -- the sentences of a module --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("source", "keys"),
    [
        ('x = f"{name} rolls {dice[0]}{dice[1]}"', ["{1} rolls {2}"]),
        ('raise Refusal("there is no such game")', ["there is no such game"]),
        ("x = f\"{name} {'is' if one else 'are'} away\"", ["{1} is away", "{1} are away"]),
        ('x = "You win " + what + "."', ["You win {1}."]),
        ('x = "at most {most} letters".format(most=3)', ["at most {1} letters"]),
        ('x = f"one line\\n{n} more lines"', ["one line", "{1} more lines"]),
        ("x = f\"said ({', '.join(f'{each} of them' for each in y)})\"", ["said ({1})", "{1} of them"]),
        ('x = " or ".join(words)', ["{1} or {2}"]),
        ('def f():\n    """What it does."""\n    return "It is done."', ["It is done."]),
    ],
)
def test_sentences_are_found_in_a_module(source: str, keys: list[str]) -> None:
    assert [each.key for each in templates_in(source)] == keys


@pytest.mark.parametrize(
    "source",
    [
        'x = {"kind": "game_over"}',
        'x = re.compile("one or two")',
        'if text == "some words here": pass',
        'db.execute("SELECT name FROM games WHERE id = ?")',
        'log.warning("the server began")',
        'raise AssertionError("nobody sees this")',
        'x: Annotated[int, Query(description="the number of games")]',
        'x = "application/json"',
    ],
)
def test_what_is_for_the_machine_is_no_sentence(source: str) -> None:
    assert templates_in(source) == []


def test_the_texts_between_marks_are_found_in_a_module_that_makes_a_page() -> None:
    source = """x = f'<p title="Go {way}" class="soft big">Luck of {name}</p><b>{one}</b> <td>depth</td>'"""
    assert [each.key for each in templates_in(source, markup=True)] == ["Luck of {1}", "depth", "Go {1}"]
    assert templates_in(source) == []


def test_choices_beyond_a_number_are_places() -> None:
    source = 'x = f"' + "".join("{'aa bb' if a else 'cc dd'} " for _ in range(6)) + 'end of it"'
    keys = [each.key for each in templates_in(source)]
    assert keys == ["{1} {2} {3} {4} {5} {6} end of it", "aa bb", "cc dd"]


# -- reading --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Nora rolls 3-1", "Nora würfelt 3-1"),
        ("You roll 3-1", "Du würfelst 3-1"),
        ("Nora wins a gammon, 2 points (bear-off).", "ein Gammon, 2 Punkte für Nora: Auswürfeln."),
        ("Nora rolls 3-1. Score: Nora 2, Emil 0", "Nora würfelt 3-1. Stand: Nora 2, Emil 0"),
        ("24/19: 19 is blocked by 5 checkers; thrown again", "24/19: 19 ist von 5 Steinen blockiert; noch einmal"),
        ("13/7 8/7 (thrown again)", "13/7 8/7 (noch einmal)"),
        ("Thrown again", "Noch einmal"),
        ("a gammon, then no double, then a gammon", "ein Gammon, dann nicht doppeln, dann ein Gammon"),
        ("two lines: no double\n\n  a gammon", "two lines: nicht doppeln\n\n  ein Gammon"),
        ("nobody has said this", "nobody has said this"),
        ("not translated yet", "not translated yet"),
        ("bar/22*/18(2) 6/off", "bar/22*/18(2) 6/off"),
        ("", ""),
    ],
)
def test_a_text_is_read_by_its_templates(english: str, german: str) -> None:
    assert GERMAN.said(english) == german


def test_places_change_their_order_and_the_reading_with_the_fewest_unread_letters_counts() -> None:
    said = Sentences({"{1} of {2}": "{2}: {1}", "the best of {1}": "{1} am besten", "two games": "zwei Spiele"}).said
    assert said("the best of two games") == "zwei Spiele am besten"
    assert said("1 of two games") == "zwei Spiele: 1"


def test_sentences_of_the_program_are_read_within_half_of_their_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that takes more would be shown half in English; every fourth is tried."""
    monkeypatch.setattr(sentences, "_TRIES", sentences._TRIES // 2)
    keys = list(read_catalogue(FOLDER / "en.toml").templates)
    every = Sentences({key: pseudo_sentence(key) for key in keys})
    assert [key for key in keys[::4] if every.said(key) == key] == []


def test_every_reason_of_a_play_is_read_whole() -> None:
    every = Sentences({key: pseudo_sentence(key) for key in read_catalogue(FOLDER / "en.toml").templates})
    variant, start = VARIANTS["backgammon"], VARIANTS["backgammon"].starting_position
    pair = Pair(start, count(start, variant), count(start, variant), variant.name)
    facts = [
        Fact(kind, Theme.BACK, size, best, played, point)
        for kind, size in product(FactKind, (-0.05, 0.05))
        for best, played, point in product(range(5), range(5), (0, 5, 20))
        if best != played and (best or kind is not FactKind.STACK)  # the highest stack has a checker
    ]
    unread = {}
    for fact in facts:
        for words in phrases(fact, pair, "13/8"):
            if every.reading(words).unread:
                unread[words] = every.said(words)
    assert not unread


NOTATION = re.compile(r"(?<![\w⟦])(?:bar|hand|off|it|the|a)(?!\w)")
"""Words of plays, and small words that stand beside a place."""


@pytest.mark.parametrize("variant", ["backgammon", "dutch"])
def test_reasons_of_puzzles_are_read_whole(variant: str) -> None:
    """Those that are offered first, and one in twenty of the others; they have a dozen figures and more."""
    every = Sentences({key: pseudo_sentence(key) for key in read_catalogue(FOLDER / "en.toml").templates})
    stock = stock_of(variant).puzzles
    first = sorted(stock, key=lambda puzzle: abs(puzzle.rating - 1500))[:12]
    reasons = [reason_of(puzzle, play) for puzzle in first for play in puzzle.plays]
    reasons += [reason_of(puzzle, puzzle.trap) for puzzle in stock[::20]]
    unread = {}
    for reason in reasons:
        left = NOTATION.sub("", re.sub("⟦[^⟧]*⟧", "", every.figures(reason)))
        if re.search("[a-z]{3}", left):
            unread[reason] = left
    assert not unread
    assert len(reasons) > 30


def test_a_sentence_that_is_not_known_stays_english_and_does_not_become_a_salad() -> None:
    said = Sentences({"{1} of {2}": "{2}: {1}", "{1} has won": "{1} hat gewonnen", "three": "drei"}).said
    assert said("three of theirs have no anchor") == "three of theirs have no anchor"
    assert said("Nora the Great has won") == "Nora the Great hat gewonnen"
    assert said("three of 'their own words'") == "'their own words': drei"


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("a gammon rolls 3-1", "a gammon würfelt 3-1"),
        ("a gammon wins a gammon, 2 points (bear-off).", "ein Gammon, 2 Punkte für a gammon: Auswürfeln."),
        ("no double, then Nora rolls 3-1", "nicht doppeln, dann Nora würfelt 3-1"),
        ("a gammon", "a gammon"),
        ("You roll 3-1", "Du würfelst 3-1"),
        ("thrown again rolls 1.5", "thrown again würfelt 1.5"),
        ("thrown", "thrown"),
    ],
)
def test_names_stay_as_they_are(english: str, german: str) -> None:
    """Also those that are words of the sentences, and words of the sentence that are somebody's name."""
    names = ["a gammon", "You", "thrown", "thrown again", "double"]
    assert GERMAN.keeping(names)(english) == german
    assert GERMAN.keeping(names, figures=True)(english) == german
    assert GERMAN.keeping(["Nora", "You"]) == GERMAN.said, "names that are no words cost nothing"


def test_texts_that_differ_by_their_figures_are_read_once() -> None:
    german = Sentences({"wins {1} ({2})": "gewinnt {2} von {1}", "{1} of 36": "{1} von 36", "on {1}": "auf {1}"})
    assert german.figures("wins 36.9 (9.0)") == "gewinnt 9.0 von 36.9"
    assert german.figures("wins 41.2 (8.5)") == "gewinnt 8.5 von 41.2"
    assert german.reading.cache_info().misses == 1
    assert german.figures("11 of 36") == "11 von 36", "a number of the sentence itself is read"
    board = "on 1, on 2, on 3, on 4, on 5, on 6, on 7, on 8. on 9, on 10, on 11, on 12."
    assert german.figures(board) == board.replace("on", "auf")
    assert german.figures("\ue000 on 7") == german.said("\ue000 on 7")


def test_a_page_that_the_program_makes_is_told_text_by_text() -> None:
    page = (
        '<html lang="en"><style>a > b {}</style><script>if (a < b) said("no");</script><h1 title="one &amp; two">'
        'it is <b>so</b> &lt; x</h1><!-- not this --><code>XGID</code><p id="y" data-text="{1} of {2}">\n a\n b\n</p>'
    )
    assert with_texts(page, str.upper) == (
        '<html lang="en"><style>a > b {}</style><script>if (a < b) said("no");</script><h1 title="ONE &amp; TWO">'
        'IT IS <b>SO</b> &lt; x</h1><!-- not this --><code>XGID</code><p id="y" data-text="{1} OF {2}">\n a\n b\n</p>'
    )
    assert with_texts("<p>you</p>", lambda _: "<i>") == "<p>&lt;i&gt;</p>", "a translation is no markup"


words = st.sampled_from(
    ["rolls", "Nora", "a gammon", "is blocked by", "(bear-off).", ", then ", ". ", "; ", "31", "(", "wins"]
)


@settings(max_examples=40)
@given(
    st.one_of(
        st.text(max_size=4000),
        st.lists(words, max_size=400).map(" ".join),
        st.tuples(words, words).map(lambda two: "".join(two) * 200),
    )
)
def test_no_text_takes_more_than_its_tries(text: str) -> None:
    """Some of what is read comes from strangers."""
    looked, near = [0], sentences.Sentences._near

    def counted(self: Sentences, text: str, budget: Any) -> Any:
        looked[0] += text not in budget.near and budget.left > 0
        assert looked[0] <= sentences._MOST_TRIES
        return near(self, text, budget)

    budget = sentences._Budget(text)
    assert budget.left <= sentences._MOST_TRIES
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences.Sentences, "_near", counted)
        said = GERMAN._read_whole(text).text
    assert said.count("\n") == text.count("\n")


# -- answers --------------------------------------------------------------------------------------------------------
def loud(text: str) -> str:
    return text.upper()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"text": "a roll", "name": "Nora", "n": 1}, {"text": "A ROLL", "name": "Nora", "n": 1}),
        ({"lines": ["one", "two"], "plays": ["8/5"]}, {"lines": ["ONE", "TWO"], "plays": ["8/5"]}),
        ({"events": [{"text": "x y", "kind": "roll"}]}, {"events": [{"text": "X Y", "kind": "roll"}]}),
        ({"text": "Ann: hello", "said": "hello"}, {"text": "Ann: hello", "said": "hello"}),
        ({"text": "Ann: Good luck!", "said": "Good luck!"}, {"text": "Ann: Good luck!", "said": "GOOD LUCK!"}),
        ({"said": [{"said": "Oops"}]}, {"said": [{"said": "OOPS"}]}),
        ({"phrases": {"oops": "Oops"}}, {"phrases": {"oops": "OOPS"}}),
        ({"note": "mine", "star": False}, {"note": "mine", "star": False}),
        ({"note": "Crawford game", "game": 3}, {"note": "CRAWFORD GAME", "game": 3}),
        ({"about": "my boards", "items": 3, "name": "x"}, {"about": "my boards", "items": 3, "name": "x"}),
        ({"title": "Ann - Bob", "judges": []}, {"title": "Ann - Bob", "judges": []}),
        ({"words": {"kind": ["double"]}}, {"words": {"kind": ["double"]}}),
        ({"error": 0.25, "text": None}, {"error": 0.25, "text": None}),
    ],
)  # fmt: skip
def test_only_sentences_of_the_program_are_put_into_a_language(told: Any, said: Any) -> None:
    assert in_words(told, loud) == said


def test_a_paragraph_with_terms_is_one_sentence_and_its_terms_keep_their_names() -> None:
    pieces = [{"text": "It is a ", "term": None}, {"text": "prime", "term": "prime"}, {"text": " of ", "term": None},
              {"text": "points", "term": "point"}]  # fmt: skip

    def say(text: str) -> str:
        assert text == "It is a [[prime]] of [[point|points]]"
        return "[[point|Punkte]] als [[prime|Kette]]."

    assert in_words({"say": [pieces]}, say) == {
        "say": [[{"text": "Punkte", "term": "point"}, {"text": " als ", "term": None},
                 {"text": "Kette", "term": "prime"}, {"text": ".", "term": None}]]
    }  # fmt: skip


# -- on the way out -------------------------------------------------------------------------------------------------
@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    path = tmp_path / "de.toml"
    path.write_text(
        '[language]\nname = "Deutsch"\n[sentences]\n"{1} rolls {2}" = "{1} würfelt {2}"\n"no game" = "kein Spiel"\n'
    )
    monkeypatch.setenv("FULLPRIME_TEXTS", str(tmp_path))
    catalogues.cache_clear()
    yield
    catalogues.cache_clear()


Sent = list[dict[str, Any]]


def _through(messages: Sent, language: str = "de", names: tuple[str, ...] = (), **scope: Any) -> Sent:
    """What goes out where the application sends these messages; ``names`` are those at the table of game x."""
    sent: Sent = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for message in messages:
            await send(message)

    async def send(message: Any) -> None:
        sent.append(dict(message))

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    headers = [(b"accept-language", language.encode())]
    asked = {"type": "http", "method": "GET", "path": "/api/games", "headers": headers, **scope}
    anyio.run(InLanguage(app, lambda game: names if game == "x" else ()), asked, receive, send)
    return sent


def _answer(media: str, *bodies: bytes, **more: str) -> Sent:
    headers = {"content-type": media, **more}
    start = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
    }
    last = len(bodies) - 1
    return [
        start,
        *({"type": "http.response.body", "body": body, "more_body": at < last} for at, body in enumerate(bodies)),
    ]


def _headers(start: dict[str, Any]) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in start["headers"]}


@pytest.mark.usefixtures("german")
def test_json_is_whole_before_it_goes_and_has_its_new_length() -> None:
    body = json.dumps({"text": "Nora rolls 3-1", "seed": 2**80}).encode()
    begun, told = _through(
        _answer("application/json", body[:9], body[9:], **{"content-length": str(len(body)), "vary": "Cookie"})
    )
    assert json.loads(told["body"]) == {"text": "Nora würfelt 3-1", "seed": 2**80}
    headers = _headers(begun)
    assert headers["content-length"] == str(len(told["body"]))
    assert headers["vary"] == "Cookie, Accept-Language, Cookie"


@pytest.mark.usefixtures("german")
def test_a_stream_goes_on_line_by_line() -> None:
    lines = b'{"text": "Nora rolls 3-1"}\n\n{"text":"no game"}\n{"text": "no'
    begun, first, last = _through(_answer(MEDIA, lines, b' game"}'))
    assert first["body"].decode() == '{"text":"Nora würfelt 3-1"}\n\n{"text":"kein Spiel"}\n'
    assert first["more_body"]
    assert (last["body"], last["more_body"]) == (b'{"text":"kein Spiel"}', False)
    assert _headers(begun)["vary"] == "Accept-Language, Cookie"


@pytest.mark.usefixtures("german")
def test_a_line_that_goes_both_ways_and_the_reason_why_it_was_closed() -> None:
    sent = _through([
        {"type": "websocket.accept"}, {"type": "websocket.send", "text": '{"text": "Nora rolls 3-1"}'},
        {"type": "websocket.close", "code": 1008, "reason": "no game"},
    ], type="websocket", path="/api/games/x/live")  # fmt: skip
    assert sent[0] == {"type": "websocket.accept"}
    assert sent[1]["text"] == '{"text":"Nora würfelt 3-1"}'
    assert sent[2]["reason"] == "kein Spiel"


@pytest.mark.usefixtures("german")
def test_names_at_the_table_and_in_the_answer_stay() -> None:
    line, kept = b'{"text":"no game rolls 3-1"}', "no game würfelt 3-1"
    table = {"names": ("no game", "Nora"), "path": "/api/games/x/act"}
    *_, told = _through(_answer("application/json", line), **table)
    assert json.loads(told["body"]) == {"text": kept}
    *_, told = _through([{"type": "websocket.send", "text": line.decode()}], type="websocket", **table)
    assert json.loads(told["text"]) == {"text": kept}
    *_, told = _through(_answer("application/json", b'{"x":[{"names":["no game"]}],"text":"no game rolls 3-1"}'))
    assert json.loads(told["body"])["text"] == kept
    *_, told = _through(_answer("application/json", line), path="/api/games/y/act")
    assert json.loads(told["body"]) == {"text": "kein Spiel würfelt 3-1"}


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("media", "body", "more"),
    [
        ("text/html", b"<p>no game</p>", {}),
        ("application/json", b'{"text": "no game"}', {"content-disposition": "attachment"}),
        ("image/png", b"\xff\x00", {}),
    ],
)
def test_files_stay_as_they_are(media: str, body: bytes, more: dict[str, str]) -> None:
    messages = _answer(media, body, **more)
    assert _through(messages) == messages


@pytest.mark.usefixtures("german")
def test_english_readers_get_every_byte_as_it_was_and_a_cookie_goes_before_the_browser() -> None:
    body = b'{"text":  "no game"}'
    begun, told = _through(_answer("application/json", body, **{"content-length": str(len(body))}), "en")
    assert told["body"] == body
    assert _headers(begun)["content-length"] == str(len(body))
    assert _headers(begun)["vary"] == "Accept-Language, Cookie"
    headers = [(b"accept-language", b"en"), (b"cookie", f"{COOKIE}=de".encode())]
    *_, told = _through(_answer("application/json", body), headers=headers)
    assert told["body"] == b'{"text":"kein Spiel"}'
    for path in ("/api/openapi.json", "/", "/review/x"):
        assert _through(_answer("application/json", body), path=path) == _answer("application/json", body)


def _has_language(app: Application) -> bool:
    assert isinstance(app.first, AnswersTold)
    strangers = app.first.app
    assert isinstance(strangers, StrangersInTurn)
    assert isinstance(strangers.app, InPieces)
    return isinstance(strangers.app.app, InLanguage)


def test_with_english_alone_nothing_is_put_around_the_server(make_app: Callable[..., Application]) -> None:
    assert len(catalogues()) == 1
    assert not _has_language(make_app())


@pytest.mark.usefixtures("german")
def test_a_server_with_a_language_answers_in_it(make_app: Callable[..., Application], tmp_path: Path) -> None:
    app = make_app(tmp_path / "games.db", hosts=None)
    assert _has_language(app)
    with TestClient(app) as client:
        answer = client.get("/api/options", headers={"Accept-Language": "de"})
        assert answer.status_code == 200
        assert answer.headers["vary"].endswith("Accept-Language, Cookie")
        assert int(answer.headers["content-length"]) == len(answer.content)
        assert answer.json() == client.get("/api/options").json(), "what is not translated stays English"
