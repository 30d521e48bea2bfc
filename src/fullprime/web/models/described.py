"""The typed dictionaries of ``app`` in the document of the API, with the description of every field.

What the server sends is made of their types and is not checked once more on its way out.
"""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, with_config

from fullprime.common.documented import field_docs, parts_of, summary_of


def described(*contracts: type) -> None:
    """Put the descriptions of typed dictionaries, and of all that they are made of, into the document."""
    for contract in contracts:
        for each in parts_of(contract):
            with_config(ConfigDict(json_schema_extra=_describe))(each)


def _describe(schema: dict[str, Any], cls: type) -> None:
    schema["description"] = summary_of(cls).replace("``", "`")
    docs = field_docs(cls)
    for name, field in schema["properties"].items():
        field["description"] = docs[name].replace("``", "`")
