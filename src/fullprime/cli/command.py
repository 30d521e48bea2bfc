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
from typer.main import get_command_from_info
from typer.models import CommandInfo

from fullprime.cli.usage import number_reader

Function = Callable[..., None]


def add(app: typer.Typer, name: str, function: Function, *examples: str) -> None:
    """Add a command with examples for its help, written as in a shell. Its options are read when they are needed."""

    def stand_in() -> None:
        """Stand for the function in the list of commands."""

    stand_in.__doc__ = function.__doc__
    members = {"examples": examples, "function": staticmethod(function)}
    app.command(name, cls=type(Command.__name__, (Command,), members))(stand_in)


def add_group(app: typer.Typer, name: str, about: str, *examples: str) -> typer.Typer:
    """Add a command that has commands of its own, and give it."""
    group = typer.Typer(
        help=about, no_args_is_help=True, rich_markup_mode=None, cls=_with_examples(CommandGroup, examples)
    )
    app.add_typer(group, name=name)
    return group


# -- help ----------------------------------------------------------------------------------------------------------
class Command(TyperCommand):
    """A command whose help ends with examples, and with the bots where it takes one.

    Its options are read from its function when they are needed, because reading those of all commands takes
    longer than most commands do.
    """

    examples: tuple[str, ...] = ()
    function: Callable[..., None]

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        del self.params, self.callback

    @functools.cached_property
    def params(self) -> Any:  # type: ignore[override]
        """The arguments and options."""
        return self._read.params

    @functools.cached_property
    def callback(self) -> Any:  # type: ignore[override]
        """The function with its options filled in."""
        return self._read.callback

    @functools.cached_property
    def _read(self) -> Any:
        info = CommandInfo(self.name, callback=flatten_options(self.function))
        return get_command_from_info(info, pretty_exceptions_short=False, rich_markup_mode=None)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the line of the usage: arguments first, in brackets where they may be left out."""
        taken = [argument for argument in self.params if argument.param_type_name == "argument"]
        names = [str(argument.metavar or argument.name).upper() for argument in taken]
        shown = [name if argument.required else f"[{name}]" for argument, name in zip(taken, names, strict=True)]
        formatter.write_usage(ctx.command_path, " ".join([*shown, "[OPTIONS]"]))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options, without the types by which Python knows them."""
        arguments = [argument for argument in self.params if argument.param_type_name == "argument"]
        if arguments:
            with formatter.section("Arguments" if len(arguments) > 1 else "Argument"):
                rows = [
                    (str(argument.metavar or argument.name).upper(), getattr(argument, "help", None) or "")
                    for argument in arguments
                ]
                formatter.write_dl(rows)
        options = [option.get_help_record(ctx) for option in self.get_params(ctx) if option.param_type_name == "option"]
        with formatter.section("Options"):
            formatter.write_dl([row for row in options if row is not None])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - Typer hands it over
        """Write the text after the options."""
        if any(parameter.name == "bot" for parameter in self.params):
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
            for example in examples:
                formatter.write(f"  {example}\n")


def _write_bots(formatter: Any) -> None:
    from fullprime.play.options.strengths import bot_strengths

    with formatter.section("Bots (PR: what they lose by their errors, 0 is perfect play)"):
        formatter.write_dl([(bot.name, bot.text) for bot in bot_strengths()])


# -- records -------------------------------------------------------------------------------------------------------
def flatten_options(function: Function) -> Function:
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
    def call_function(**options: Any) -> None:
        filled = {name: _make_record(record, options) for name, record in records.items()}
        function(**filled, **options)

    call_function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call_function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call_function


def find_changed_options(record: Any) -> list[str]:
    """The options of a record that have been given, by their names: those that differ from their defaults."""
    hints = _hints(type(record))
    names = []
    for field in fields(record):
        value = getattr(record, field.name)
        if is_dataclass(value):
            names += find_changed_options(value)
        elif value != field.default:
            names.append(_option_name(field.name, hints[field.name]))
    return names


def _hints(record: Any) -> dict[str, Any]:
    return _read_hints(record)


@functools.cache
def _read_hints(record: Hashable) -> dict[str, Any]:
    return get_type_hints(record, include_extras=True)


@functools.cache
def _options_of(record: Hashable) -> tuple[inspect.Parameter, ...]:
    """The parameters of a record, read once for all its commands: starting up is waited for."""
    parameters: list[inspect.Parameter] = []
    for field in fields(cast("type[Any]", record)):
        kind = _hints(record)[field.name]
        if is_dataclass(kind):
            parameters.extend(_options_of(cast("Hashable", kind)))
        else:
            default = inspect.Parameter.empty if field.default is MISSING else field.default
            parameters.append(_parameter(field.name, kind, default))
    return tuple(parameters)


def _make_record(record: type[Any], options: dict[str, Any]) -> Any:
    """The record of the options; they are taken out of the values given."""
    hints = _hints(record)
    values = {}
    for field in fields(record):
        kind = hints[field.name]
        if is_dataclass(kind) and isinstance(kind, type):
            values[field.name] = _make_record(kind, options)
        else:
            value = options.pop(field.name)
            # An option that may be given several times and was not given comes as an empty list.
            values[field.name] = None if isinstance(value, (list, tuple)) and not value else value
    return record(**values)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=_adapt_annotation(name, annotation))


def _adapt_annotation(name: str, annotation: Any) -> Any:
    """The annotation of an option with the name of its value in the help, and for a number with a reader of ours."""
    if get_origin(annotation) is not Annotated:
        return annotation
    kind, info = get_args(annotation)
    kinds = _kinds(kind)
    if bool in kinds:
        return annotation
    adapted = copy(info)
    number = next((candidate for candidate in (int, float) if candidate in kinds), None)
    if number is not None:
        adapted.parser = number_reader(_option_name(name, annotation), number, info.min, info.max)
        adapted.min = adapted.max = None
    argument = type(info).__name__ == "ArgumentInfo"
    adapted.metavar = info.metavar or (name.upper() if argument else _value_name(number, kinds))
    return Annotated[kind, adapted]


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
    forms = [form for form in (info.default, *(info.param_decls or ())) if isinstance(form, str)]
    long = next((form for form in forms if form.startswith("--")), f"--{name.replace('_', '-')}")
    return long.split("/")[0]
