"""Messages: English text that keeps its template and its facts, and the catalogues that translate it."""

from __future__ import annotations

import ast
import copy
import json
import pickle
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from scripts.message_texts import texts_of_module

import fullprime
from fullprime.messages import (
    CatalogueError,
    Message,
    catalogues,
    messages_from_json,
    messages_to_json,
    read_catalogue,
    render,
    render_all,
    render_error,
)
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalPlay

PACKAGE = Path(fullprime.__file__).parent

HEAD = """
msgid ""
msgstr ""
"X-Language-Name: Polski\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"
"""
POLISH = f"""{HEAD}
msgid "{{name}} rolls {{dice}}"
msgstr "{{name}} rzuca {{dice}}"

msgid "{{name}} wins {{what}}"
msgstr "{{what}} dla {{name}}"

msgid "{{n}} point"
msgid_plural "{{n}} points"
msgstr[0] "{{n}} punkt"
msgstr[1] "{{n}} punkty"
msgstr[2] "{{n}} punktów"

msgctxt "a play"
msgid "Play"
msgstr "Zagranie"

#, fuzzy
msgid "a guess"
msgstr "nie wiadomo"

msgid "You"
msgstr "Ty"
"""


@pytest.fixture
def polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "pl.po").write_text(POLISH, encoding="utf-8")
    monkeypatch.setenv("FULLPRIME_TEXTS", str(tmp_path))
    catalogues.cache_clear()
    yield "pl"
    catalogues.cache_clear()


ROLL = Message("{name} rolls {dice}", name="Ann", dice="3-1")


def test_a_message_is_its_english_text() -> None:
    assert ROLL == "Ann rolls 3-1"
    assert json.dumps({"text": ROLL}) == '{"text": "Ann rolls 3-1"}'
    assert Message("Play // a play") == "Play"
    assert Message("a {brace}") == "a {brace}", "without facts a template is taken as it stands"
    assert Message.by_number(1, "{n} point", "{n} points") == "1 point"
    assert Message.by_number(0, "{n} point", "{n} points") == "0 points"


@pytest.mark.parametrize("message", [ROLL, Message.by_number(2, "{n} point", "{n} points"), Message("the end")])
def test_copies_keep_the_template_and_the_facts(message: Message) -> None:
    for other in (
        pickle.loads(pickle.dumps(message)),
        copy.deepcopy(message),
        messages_from_json(json.loads(_dumped(message))),
    ):
        assert (other, other.template, other.plural, other.facts) == (
            message, message.template, message.plural, message.facts,
        )  # fmt: skip


def _dumped(message: Message) -> str:
    return json.dumps(messages_to_json(message))


def test_an_error_carries_its_message(polish: str) -> None:
    error = pickle.loads(pickle.dumps(IllegalPlay(Message("{name} rolls {dice}", name="Ann", dice="3-1"))))
    assert str(error) == "Ann rolls 3-1"
    assert render_error(error, polish) == "Ann rzuca 3-1"
    assert render_error(IllegalPlay("plain English"), polish) == "plain English"
    assert render_error(KeyError(), polish) == ""


def test_messages_are_rendered_with_those_among_their_facts(polish: str) -> None:
    points = [Message.by_number(number, "{n} point", "{n} points") for number in (1, 2, 5, 22)]
    assert [render(count, polish) for count in points] == ["1 punkt", "2 punkty", "5 punktów", "22 punkty"]
    assert render(Message("{name} wins {what}", name=Message("You"), what=points[1]), polish) == "2 punkty dla Ty"
    assert render(Message("Play // a play"), polish) == "Zagranie"
    assert render(Message("Play"), polish) == "Play", "without its note it is another text"
    assert render(Message("a guess"), polish) == "a guess", "what is uncertain is shown in English"
    assert render(Message("{name} has gone", name="{dice}"), polish) == "{dice} has gone", "names are no templates"
    assert render(Message.join_all("; ", [ROLL, points[0]]), polish) == "Ann rzuca 3-1; 1 punkt"
    assert render(ROLL, "xx") == "Ann rolls 3-1"
    assert render("Play", polish) == "Play", "a text that is no message stays"


def test_all_messages_of_an_answer_are_rendered_and_nothing_else(polish: str) -> None:
    value = {"events": [{"text": ROLL, "player": "X", "dice": [3, 1]}], "name": "You", "seats": ("X", None), "n": 1.5}
    assert render_all(value, "en") is value
    assert render_all(value, polish) == {
        "events": [{"text": "Ann rzuca 3-1", "player": "X", "dice": [3, 1]}],
        "name": "You", "seats": ("X", None), "n": 1.5,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A value with a message in it."""

    lines: tuple[str, ...]
    roll: Roll


def test_a_value_is_rendered_as_a_value_of_its_class(polish: str) -> None:
    value = Told((ROLL, "You"), Roll(3, 1))
    assert render_all(value, "en") is value
    assert render_all([value], polish) == [Told(("Ann rzuca 3-1", "You"), Roll(3, 1))]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('msgid "Roll"\nmsgstr "Los"\nand more\n', "Syntax error"),
        ('msgid "Roll"\nmsgstr "Los"\n', "X-Language-Name"),
        (HEAD.replace("Polski", "Polski\\nX-Direction: up"), "X-Direction that is ltr or rtl"),
        (HEAD.replace("nplurals=3", "nplurals=x"), "Plural-Forms"),
        (HEAD.replace("plural=(n==1", "plural=(alert(1)==1"), "Plural-Forms"),
        (f'{HEAD}\nmsgid "{{name}} rolls"\nmsgstr "{{nam}} rzuca"\n', "have other places"),
        (f'{HEAD}\nmsgid "{{name}} rolls"\nmsgstr "{{name.x}} rzuca"\n', "have other places"),
        (f'{HEAD}\nmsgid "{{name}} rolls"\nmsgstr "{{name}} {{name.x}} rzuca"\n', "have other places"),
        (f'{HEAD}\nmsgid "<a>Go</a> on"\nmsgstr "<b>Dalej</b>"\n', "have other marks"),
        (f'{HEAD}\nmsgid "{{n}} x"\nmsgid_plural "{{n}} y"\nmsgstr[0] "a"\nmsgstr[1] "b"\n', "has 3 forms"),
    ],
)
def test_a_catalogue_that_is_wrong_says_where(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "pl.po"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CatalogueError, match=why) as raised:
        read_catalogue(path)
    assert str(path) in str(raised.value)


def test_a_file_has_the_name_of_a_language(tmp_path: Path) -> None:
    path = tmp_path / "fullprime_of_pl.po"
    path.write_text(POLISH, encoding="utf-8")
    with pytest.raises(CatalogueError, match="not that of a language"):
        read_catalogue(path)


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('x = Message("{name} rolls {dice}", name=name, dice=dice)', [("{name} rolls {dice}", None)]),
        ('x = Message.by_number(n, "{n} point", "{n} points")', [("{n} points", "{n} point")]),
        ('x = Message("one " "and two")', [("one and two", None)]),
        ('x = "no Message"', []),
        ('x = {"a": Message("first"), "b": [Message("second")]}', [("first", None), ("second", None)]),
    ],
)
def test_the_texts_of_messages_are_found_in_a_module(source: str, texts: list[tuple[str, str | None]]) -> None:
    assert [(text.key, text.one) for text in texts_of_module(source)] == texts


@pytest.mark.parametrize("source", ["Message(text)", 'Message(f"{name} rolls")', "Message.by_number(n, one, several)"])
def test_the_text_of_a_message_is_a_literal(source: str) -> None:
    with pytest.raises(ValueError, match="is a literal"):
        list(texts_of_module(source))


def calls_of_messages() -> Iterator[tuple[str, ast.Call]]:
    """The calls in the package that make a message, each with its place."""
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if "Message" in source else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Message", "Message.by_number"):
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node


def test_a_refusal_is_a_message_and_no_bare_text() -> None:
    """A bare text would be English in every language."""
    bare, count = [], 0
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if "Refusal(" in source else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Refusal" and node.args:
                count += 1
                if isinstance(node.args[0], ast.Constant | ast.JoinedStr):
                    bare.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert count > 50
    assert bare == []


def test_every_message_has_the_facts_that_its_template_names() -> None:
    """A place without a fact raises where the message is made, which may be a refusal that no other test meets."""
    wrong, count = [], 0
    for place, call in calls_of_messages():
        facts = {keyword.arg for keyword in call.keywords}
        if None in facts:  # **facts
            continue
        by_number = ast.unparse(call.func) == "Message.by_number"
        for argument in call.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str) and (facts or by_number):
                fields = [field for _, field, _, _ in string.Formatter().parse(argument.value) if field is not None]
                count += 1
                is_right = set(fields) <= {*facts, "n"} if by_number else set(fields) == facts
                wrong += [] if is_right else [f"{place}: {fields}, {facts}"]
    assert count > 200
    assert wrong == []
