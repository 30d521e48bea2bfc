"""What is wrong with a request that its route does not accept, in our words and in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from fullprime.messages import Message, format_decimal

_NO_FACTS: Mapping[str, Message] = MappingProxyType({
    kind: words
    for words, kinds in {
        Message("this is missing"): "missing",
        Message("there is no such field"): "extra_forbidden unexpected_keyword_argument",
        Message("a text is needed"): "string_type string_sub_type",
        Message("a whole number is needed"): "int_type int_parsing int_parsing_size int_from_float",
        Message("a number is needed"): "float_type float_parsing finite_number decimal_type decimal_parsing",
        Message("true or false is needed"): "bool_type bool_parsing",
        Message("a list is needed"): "list_type tuple_type set_type frozen_set_type",
        Message("an object with fields is needed"): "dict_type mapping_type model_type model_attributes_type",
        Message("this is not written as the route reads it"): "string_pattern_mismatch string_unicode",
        Message("this is not JSON"): "json_invalid json_type",
    }.items()
    for kind in kinds.split()
})  # fmt: skip
"""The words for each type of fault that needs no more."""

_BOUNDS: Mapping[str, Callable[[str], Message]] = MappingProxyType({
    "ge": lambda bound: Message("{bound} or more is needed", bound=bound),
    "gt": lambda bound: Message("more than {bound} is needed", bound=bound),
    "le": lambda bound: Message("{bound} or less is needed", bound=bound),
    "lt": lambda bound: Message("less than {bound} is needed", bound=bound),
})  # fmt: skip
"""The words for a number that is too small or too large, by the name of its bound."""


def describe_fault(fault: Mapping[str, Any]) -> Message:
    """A fault of a request, as Pydantic lists it, in a sentence: the field, and what it needs.

    >>> describe_fault({"type": "missing", "loc": ("body", "name"), "msg": "Field required"})
    'name: this is missing'
    >>> describe_fault({"type": "greater_than_equal", "loc": ("query", "seats"), "msg": "", "ctx": {"ge": 2}})
    'seats: 2 or more is needed'
    """
    return Message("{field}: {fault}", field=field_of(fault) or Message("the request"), fault=_words(fault))


def field_of(fault: Mapping[str, Any]) -> str | None:
    """The field of a fault, with the fields around it; None for the request as a whole.

    >>> field_of({"type": "missing", "loc": ("body", "moves", 0)})
    'moves.0'
    >>> field_of({"type": "json_invalid", "loc": ("body", 3)})
    """
    place = () if fault["type"] == "json_invalid" else fault["loc"][1:]
    return ".".join(map(str, place)) or None


def _words(fault: Mapping[str, Any]) -> str:
    kind, context = fault["type"], fault.get("ctx", {})
    if kind in _NO_FACTS:
        return _NO_FACTS[kind]
    for name, words in _BOUNDS.items():
        if name in context:
            return words(format_decimal(str(context[name])))
    if kind in ("literal_error", "enum"):
        return Message("one of these is needed: {choices}", choices=context["expected"].replace(" or ", ", "))
    if "min_length" in context:
        least = context["min_length"]
        if kind == "string_too_short":
            return Message.by_number(least, "{n} letter or more is needed", "{n} letters or more are needed")
        return Message.by_number(least, "{n} entry or more is needed", "{n} entries or more are needed")
    if "max_length" in context:
        most = context["max_length"]
        if kind == "string_too_long":
            return Message.by_number(most, "at most {n} letter is taken", "at most {n} letters are taken")
        return Message.by_number(most, "at most {n} entry is taken", "at most {n} entries are taken")
    return str(fault["msg"])
