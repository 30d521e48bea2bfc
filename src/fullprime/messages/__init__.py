"""Sentences of the program in the language of their reader.

What happens at a table, what is refused, and the rules are :class:`Message` values: English text with a template and
facts. The place that answers a reader renders them. English needs no catalogue; other languages stand in ``locale``.
"""

from fullprime.messages.catalogue import (
    ENGLISH,
    LOCALE,
    MORE,
    Catalogue,
    CatalogueError,
    catalogue,
    catalogues,
    read_catalogue,
)
from fullprime.messages.numbers import format_decimal
from fullprime.messages.rendering import (
    Fact,
    error_message,
    facts_of,
    messages_from_json,
    messages_to_json,
    render,
    render_all,
    render_error,
)
from fullprime.rules.message import NOTE, Message, label

__all__ = [
    "ENGLISH",
    "LOCALE",
    "MORE",
    "NOTE",
    "Catalogue",
    "CatalogueError",
    "Fact",
    "Message",
    "catalogue",
    "catalogues",
    "error_message",
    "facts_of",
    "format_decimal",
    "label",
    "messages_from_json",
    "messages_to_json",
    "read_catalogue",
    "render",
    "render_all",
    "render_error",
]  # fmt: skip
