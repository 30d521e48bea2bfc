"""The making of a command: its options from records, its numbers read in our words, examples in its help.

A command is a function. A parameter that is a record (a frozen dataclass whose fields are annotated as Typer's are)
stands for an option a field; the function is called with the record made. So options that several commands share are
written once, in ``options``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Mapping
from copy import copy
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, cast, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from fullprime.cli.usage import number_reader

Function = Callable[..., None]


def add(app: typer.Typer, name: str, function: Function, *examples: str) -> None:
    """Add a command with examples for its help, written as in a shell."""
    app.command(name, cls=_with_examples(Command, examples))(flat(function))


def add_group(app: typer.Typer, name: str, about: str, *examples: str) -> typer.Typer:
    """Add a command that has commands of its own, and give it."""
    group = typer.Typer(
        help=about, no_args_is_help=True, rich_markup_mode=None, cls=_with_examples(CommandGroup, examples)
    )
    app.add_typer(group, name=name)
    return group


# -- help ----------------------------------------------------------------------------------------------------------
class Command(TyperCommand):
    """A command whose help ends with examples, and with the bots where it takes one."""

    examples: tuple[str, ...] = ()

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the line of the usage: arguments first, in brackets where they may be left out."""
        taken = [each for each in self.params if each.param_type_name == "argument"]
        names = [str(each.metavar or each.name).upper() for each in taken]
        shown = [name if each.required else f"[{name}]" for each, name in zip(taken, names, strict=True)]
        formatter.write_usage(ctx.command_path, " ".join([*shown, "[OPTIONS]"]))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options, without the types by which Python knows them."""
        arguments = [each for each in self.params if each.param_type_name == "argument"]
        if arguments:
            with formatter.section("Arguments" if len(arguments) > 1 else "Argument"):
                rows = [
                    (str(each.metavar or each.name).upper(), getattr(each, "help", None) or "") for each in arguments
                ]
                formatter.write_dl(rows)
        options = [each.get_help_record(ctx) for each in self.get_params(ctx) if each.param_type_name == "option"]
        with formatter.section("Options"):
            formatter.write_dl([each for each in options if each is not None])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - Typer hands it over
        """Write the text after the options."""
        if any(each.name == "bot" for each in self.params):
            _write_bots(formatter)
        _write_examples(formatter, self.examples)


class CommandGroup(TyperGroup):
    """A command of commands, with examples too, and with each command's first sentence whole."""

    examples: tuple[str, ...] = ()
    panels: Mapping[str, tuple[str, ...]] = {}
    """The parts of the list of commands and the commands of each; without any, the list has one part."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the list of commands, part by part; their sentences begin in one column."""
        placed = {name for names in self.panels.values() for name in names}
        others = tuple(name for name in self.commands if name not in placed)
        panels = {**self.panels, "Others" if self.panels else "Commands": others}
        width = max(map(len, self.commands))
        for title, names in panels.items():
            # A command that another distribution adds has its place in the list also where it is not installed.
            rows = [
                (f"{name:<{width}}", first_sentence(self.commands[name].help))
                for name in names
                if name in self.commands
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - Typer hands it over
        """Write the text after the commands."""
        _write_examples(formatter, self.examples)


def examples_group(*examples: str, panels: Mapping[str, tuple[str, ...]]) -> type[Any]:
    """The class of a command of commands whose help shows these examples, and its commands in these parts."""
    return type(CommandGroup.__name__, (CommandGroup,), {"examples": examples, "panels": panels})


def _with_examples(kind: type[Any], examples: tuple[str, ...]) -> type[Any]:
    return type(kind.__name__, (kind,), {"examples": examples})


def first_sentence(text: str | None) -> str:
    """The first sentence of a help, in one line and without its full stop."""
    return " ".join((text or "").split("\n\n")[0].split()).split(". ")[0].rstrip(".")


def _write_examples(formatter: Any, examples: tuple[str, ...]) -> None:
    if examples:
        with formatter.section("Examples" if len(examples) > 1 else "Example"):
            for each in examples:
                formatter.write(f"  {each}\n")


def _write_bots(formatter: Any) -> None:
    from fullprime.play.options.strengths import bot_strengths

    with formatter.section("Bots (PR: what they lose by their errors, 0 is perfect play)"):
        formatter.write_dl([(each.name, each.text) for each in bot_strengths()])


# -- records -------------------------------------------------------------------------------------------------------
def flat(function: Function) -> Function:
    """The function with a parameter for every option of its records, as Typer wants it."""
    hints = get_type_hints(function, include_extras=True)
    records: dict[str, type[Any]] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if is_dataclass(hints[name]):
            records[name] = hints[name]
            parameters.extend(_options_of(cast("Hashable", hints[name])))
        else:
            parameters.append(_parameter(name, hints[name], parameter.default))

    @functools.wraps(function)
    def called(**given: Any) -> None:
        made = {name: _made(record, given) for name, record in records.items()}
        function(**made, **given)

    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    return called


def changed(record: Any) -> list[str]:
    """The options of a record that have been given, by their names: those that differ from their defaults."""
    hints = _hints(type(record))
    found = []
    for each in fields(record):
        value = getattr(record, each.name)
        if is_dataclass(value):
            found += changed(value)
        elif value != each.default:
            found.append(_option_name(each.name, hints[each.name]))
    return found


def _hints(record: Any) -> dict[str, Any]:
    return _read_hints(record)


@functools.cache
def _read_hints(record: Hashable) -> dict[str, Any]:
    return get_type_hints(record, include_extras=True)


@functools.cache
def _options_of(record: Hashable) -> tuple[inspect.Parameter, ...]:
    """The parameters of a record, read once for all its commands: starting up is waited for."""
    found: list[inspect.Parameter] = []
    for each in fields(cast("type[Any]", record)):
        kind = _hints(record)[each.name]
        if is_dataclass(kind):
            found.extend(_options_of(cast("Hashable", kind)))
        else:
            default = inspect.Parameter.empty if each.default is MISSING else each.default
            found.append(_parameter(each.name, kind, default))
    return tuple(found)


def _made(record: type[Any], given: dict[str, Any]) -> Any:
    """The record of the options; they are taken out of the values given."""
    hints = _hints(record)
    values = {}
    for each in fields(record):
        kind = hints[each.name]
        if is_dataclass(kind) and isinstance(kind, type):
            values[each.name] = _made(kind, given)
        else:
            value = given.pop(each.name)
            # An option that may be given several times and was not given comes as an empty list.
            values[each.name] = None if isinstance(value, (list, tuple)) and not value else value
    return record(**values)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=_told(name, annotation))


def _told(name: str, annotation: Any) -> Any:
    """The annotation of an option with the name of its value in the help, and for a number with a reader of ours."""
    if get_origin(annotation) is not Annotated:
        return annotation
    kind, info = get_args(annotation)
    kinds = _kinds(kind)
    if bool in kinds:
        return annotation
    told = copy(info)
    number = next((each for each in (int, float) if each in kinds), None)
    if number is not None:
        told.parser = number_reader(_option_name(name, annotation), number, info.min, info.max)
        told.min = told.max = None
    argument = type(info).__name__ == "ArgumentInfo"
    told.metavar = info.metavar or (name.upper() if argument else _value_name(number, kinds))
    return Annotated[kind, told]


def _value_name(number: type | None, kinds: set[Any]) -> str:
    if number is not None:
        return "NUMBER"
    return "FILE" if Path in kinds else "TEXT"


def _kinds(annotation: Any) -> set[Any]:
    """The types within an annotation such as ``list[int] | None``."""
    parts = get_args(annotation)
    return {annotation} if not parts else set().union(*map(_kinds, parts))


def _option_name(name: str, annotation: Any) -> str:
    """An option as it is typed (the long form), an argument as the usage shows it."""
    info = get_args(annotation)[1]
    if type(info).__name__ == "ArgumentInfo":
        return str(info.metavar or name.upper()).strip("[].")
    # In an annotation Typer keeps the first of the given names as the default.
    given = [each for each in (info.default, *(info.param_decls or ())) if isinstance(each, str)]
    long = next((each for each in given if each.startswith("--")), f"--{name.replace('_', '-')}")
    return long.split("/")[0]
