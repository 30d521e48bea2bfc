"""Routes that answer with values: the annotation names the type, and its form in JSON is the answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from inspect import isclass
from operator import or_
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from fastapi.datastructures import DefaultPlaceholder
from fastapi.responses import Response
from fastapi.routing import APIRoute

from fullprime.common.documented import parts_of
from fullprime.web.models.described import answer_with
from fullprime.web.streams import ValueResponse


class ValueRoute(APIRoute):
    """A route that answers with the value that it gives: the document has the value's form in JSON."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """The arguments of :class:`APIRoute`; a ``response_model`` that is given is taken as it is.

        A response among the types of the annotation is no value: it is sent as it was made. A ``ValueResponse`` says
        which value it holds.
        """
        if isinstance(options.get("response_model"), DefaultPlaceholder):
            kind = _without_responses(get_type_hints(endpoint, include_extras=True).get("return"))
            if get_origin(kind) is ValueResponse:
                (kind,) = get_args(kind)
            if next(parts_of(kind), None) is not None:
                options["response_model"] = answer_with(kind)
        super().__init__(path, endpoint, **options)


def _without_responses(kind: Any) -> Any:
    if get_origin(kind) not in (Union, UnionType):
        return kind
    values = [part for part in get_args(kind) if not (isclass(part) and issubclass(part, Response))]
    return reduce(or_, values) if values else Response
