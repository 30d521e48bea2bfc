"""Messages in a language: one, all those in an answer, that of an error; and messages as JSON, to be kept."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeAlias, TypeVar, cast

from fullprime.common.json_values import json_form
from fullprime.messages.catalogue import ENGLISH, Catalogue, catalogue
from fullprime.rules.message import NOTE, Message, from_parts

Value = TypeVar("Value")
Fact: TypeAlias = str | int | float | bool | None
"""A fact of a message as JSON has it."""

_TEMPLATE, _PLURAL, _FACTS = "template", "plural", "facts"


def render(message: str, language: str) -> str:
    """A message in a language, with the messages among its facts; in English where it is not translated.

    A text that is no message stays as it is.
    """
    if language == ENGLISH or not isinstance(message, Message):
        return str(message)
    return _render(message, catalogue(language))


def _render(message: Message, translations: Catalogue) -> str:
    facts = {
        name: _render(fact, translations) if isinstance(fact, Message) else fact for name, fact in message.facts.items()
    }
    if message.plural is None:
        template = translations.text(message.template)
        return template.format_map(facts) if facts else template
    forms = translations.texts.get(_plural_key(message))
    n = int(message.facts["n"])
    if isinstance(forms, tuple):
        return forms[translations.form(n)].format_map(facts)
    return (message.template if n == 1 else message.plural).partition(NOTE)[0].format_map(facts)


def _plural_key(message: Message) -> str:
    assert message.plural is not None
    note = message.template.partition(NOTE)[2]
    return f"{message.plural}{NOTE}{note}" if note else message.plural


def render_all(value: Value, language: str) -> Value:
    """A value with every message in it in a language; for English it is the value itself."""
    if language == ENGLISH:
        return value
    return cast("Value", _render_value(value, catalogue(language)))


def _render_value(value: Any, translations: Catalogue) -> Any:
    if isinstance(value, str):
        return _render(value, translations) if isinstance(value, Message) else value
    if isinstance(value, Mapping):
        return {name: _render_value(part, translations) for name, part in value.items()}
    if isinstance(value, list | tuple):
        parts = (_render_value(part, translations) for part in value)
        return list(parts) if isinstance(value, list) else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type) and json_form(type(value)) is None:
        rendered = {part.name: _render_value(getattr(value, part.name), translations) for part in fields(value)}
        return replace(value, **rendered)
    return value


def render_error(error: BaseException, language: str) -> str:
    """The words of an error in a language; in English where it was not raised with a message."""
    return render(error_message(error), language)


def error_message(error: BaseException) -> str:
    """The message that an error was raised with; its English words where that is a plain text."""
    message = error.args[0] if error.args else ""
    return message if isinstance(message, Message) else str(error)


def facts_of(message: str, language: str) -> dict[str, Fact]:
    """The facts of a message for JSON: numbers as they are, the rest as the sentence in that language has it.

    The facts of messages among them stand beside them. A text that is no message has none.
    """
    facts: dict[str, Fact] = {}
    if isinstance(message, Message):
        for fact in message.facts.values():
            facts |= facts_of(fact, language)
        for name, fact in message.facts.items():
            is_plain = fact is None or (isinstance(fact, int | float) and math.isfinite(fact))
            facts[name] = fact if is_plain else render(fact, language)
    return facts


def messages_to_json(value: Any) -> Any:
    """A JSON value in which each message is an object, so that it can be kept; see :func:`messages_from_json`."""
    if type(value) is Message:
        facts = value.facts
        if not facts:
            return {_TEMPLATE: value.template}
        for fact in facts.values():
            if type(fact) is Message:
                facts = {name: messages_to_json(fact) for name, fact in facts.items()}
                break
        if value.plural is None:
            return {_TEMPLATE: value.template, _FACTS: facts}
        return {_TEMPLATE: value.template, _PLURAL: value.plural, _FACTS: facts}
    if type(value) is dict:
        return {name: messages_to_json(part) if type(part) in _WITHIN else part for name, part in value.items()}
    return value


def messages_from_json(value: Any) -> Any:
    """The value that :func:`messages_to_json` has taken apart."""
    if isinstance(value, dict):
        parts = {name: messages_from_json(part) for name, part in value.items()}
        if _TEMPLATE in parts:
            return from_parts(parts[_TEMPLATE], parts.get(_PLURAL), parts.get(_FACTS, {}))
        return parts
    return value


_WITHIN = frozenset((Message, dict))
"""The types of values in which messages are looked for."""
