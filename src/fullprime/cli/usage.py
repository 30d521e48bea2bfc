"""Errors of the command line in our words: the option, the values that it takes, and the place to read on."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from fullprime.rules.errors import FullprimeError


class WrongUsage(FullprimeError):
    """A command line that says something that cannot be: an option, an argument or a number."""


def number_reader(
    option: str, kind: type[int | float], least: float | None, most: float | None
) -> Callable[[Any], Any]:
    """A reader of the numbers of an option, which raises WrongUsage with the option's name and its range."""

    def read(text: Any) -> Any:
        if not isinstance(text, str):
            return text  # a default, or one that has been read already
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not math.isfinite(value) or _beyond(value, least, most):
            raise WrongUsage(f"{option} takes {_takes(kind, least, most)}, not {text[:40]!r}")
        return value

    return read


def _beyond(value: float, least: float | None, most: float | None) -> bool:
    return (least is not None and value < least) or (most is not None and value > most)


def _takes(kind: type, least: float | None, most: float | None) -> str:
    noun = "a whole number" if kind is int else "a number"
    if least is not None and most is not None:
        return f"{noun} from {least} to {most}"
    return noun if least is None else f"{noun} of at least {least}"


def reword_usage_error(error: Exception) -> str | None:
    """A usage error of Typer in our words; None for another error.

    Typer's own errors are those of the Click that it brings or imports: their attributes tell the kinds apart.
    """
    explain = getattr(error, "format_message", None)
    if explain is None:
        return None
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "fullprime"
    name, message = path.split()[-1], str(explain())
    kind = type(error).__name__
    if kind == "NoSuchOption":
        option = error.option_name  # type: ignore[attr-defined]
        options = context.command.params if context is not None else ()
        names = [name for parameter in options for name in (*parameter.opts, *parameter.secondary_opts)]
        return f"{name} has no option {option[:40]}{near(option, names)}; {path} --help lists them"
    if kind == "MissingParameter":
        return _missing(error, name, path)
    if kind == "BadOptionUsage":
        where = f"; {path} --help says which" if context is not None else ""
        return f"{error.option_name} needs a value{where}"  # type: ignore[attr-defined]
    if match := re.match(r"No such command '?(.*?)'?\.", message):
        commands = context.command.commands if context is not None else {}
        return f"there is no command {match[1][:40]!r}{near(match[1], commands)}; {path} --help lists them"
    if match := re.match(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", message):
        return f"{match[1][:40]!r} is too much; {path} --help shows what {name} takes"
    return message


def near(word: str, names: Iterable[str]) -> str:
    """Near names: ``; near it: --dice``, or nothing."""
    matches = get_close_matches(word, [name for name in names if len(name) > 2], 3, 0.7)
    return f"; near it: {', '.join(matches)}" if matches else ""


def _missing(error: Any, name: str, path: str) -> str:
    parameter = error.param
    option = parameter.param_type_name == "option"
    missing = parameter.opts[0] if option else (parameter.metavar or parameter.name.upper())
    examples = getattr(error.ctx.command, "examples", ())
    shown = f"for example {examples[0]}" if examples else f"{path} --help says more"
    return f"{name} needs {missing.strip('[].')}: {shown}"
