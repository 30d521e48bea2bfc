"""A sentence of the program: English text that remembers its template and its facts, so that it can be translated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Self

NOTE: Final = " // "
"""Stands in a template before a note, which tells two texts apart that are one word in English."""


class Message(str):
    """A sentence for people: a ``str`` in English, made of a template with named places and of the facts in them.

    The template is the message id of gettext. A fact may be a message of its own. Whatever takes a ``str`` takes a
    message; :func:`fullprime.messages.render` gives it in another language.

    >>> message = Message("{name} rolls {dice}", name="Ann", dice="3-1")
    >>> message, message.template, dict(message.facts)
    ('Ann rolls 3-1', '{name} rolls {dice}', {'name': 'Ann', 'dice': '3-1'})
    """

    __slots__ = ("facts", "plural", "template")

    template: str
    """The English template, with places such as ``{name}``; of a text by number that for one."""
    plural: str | None
    """The template for several, of a text whose form depends on the fact ``n``."""
    facts: Mapping[str, Any]
    """What stands in the places, by their names."""

    def __new__(cls, template: str, /, **facts: Any) -> Self:
        """Make a message of a template and its facts; a template without facts is the text itself."""
        text = template if NOTE not in template else template.partition(NOTE)[0]
        self = str.__new__(cls, text.format_map(facts) if facts else text)
        self.template, self.plural, self.facts = template, None, facts
        return self

    @classmethod
    def by_number(cls, n: int, one: str, several: str, /, **facts: Any) -> Self:
        """A message whose form depends on a number, which stands in the place ``{n}``.

        >>> Message.by_number(1, "{n} point", "{n} points"), Message.by_number(3, "{n} point", "{n} points")
        ('1 point', '3 points')
        """
        facts = {**facts, "n": n}
        self = str.__new__(cls, (one if n == 1 else several).partition(NOTE)[0].format_map(facts))
        self.template, self.plural, self.facts = one, several, facts
        return self

    @classmethod
    def join_all(cls, separator: str, parts: Iterable[str]) -> Self:
        """Several texts, one after another, as one message.

        >>> Message.join_all("; ", [Message("a draw"), Message("the end")])
        'a draw; the end'
        """
        facts = {f"part{number}": part for number, part in enumerate(parts)}
        return cls(separator.join(f"{{{name}}}" for name in facts), **facts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles keep the template and the facts."""
        return from_parts, (self.template, self.plural, dict(self.facts))


def from_parts(template: str, plural: str | None, facts: Mapping[str, Any]) -> Message:
    """The message with this template and these facts."""
    if plural is None:
        return Message(template, **facts)
    return Message.by_number(
        facts["n"], template, plural, **{name: fact for name, fact in facts.items() if name != "n"}
    )


def label(text: str) -> Message:
    """A text that is data, such as the name of a game, as a message: the catalogues list those of such texts."""
    return Message(text)
