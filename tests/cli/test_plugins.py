"""Commands that other distributions add to ``fullprime``, and those of fullprime-lab where it is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata

import pytest
import typer
from tests.cli.commandline import CommandLine

from fullprime.cli import main, plugins
from fullprime.cli.command import add
from fullprime.cli.terminal import say


def greet(name: str) -> None:
    """Greet somebody. Twice."""
    say(f"good evening, {name}")


def add_greeting(app: typer.Typer) -> None:
    add(app, "greet", greet, "fullprime greet Ann")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[metadata.EntryPoint]]:
    """The entry points that there are; commands are made anew for each test and again after it."""
    entries: list[metadata.EntryPoint] = []
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: [entry for entry in entries if entry.group == group])
    registered = list(main.app.registered_commands), list(main.app.registered_groups)
    main.app.registered_commands = [
        registered_one for registered_one in registered[0] if registered_one.name not in plugins.LAB_COMMANDS
    ]
    main.app.registered_groups = [
        registered_one for registered_one in registered[1] if registered_one.name not in plugins.LAB_COMMANDS
    ]
    forget()
    yield entries
    main.app.registered_commands, main.app.registered_groups = registered
    forget()


def forget() -> None:
    main.commands.cache_clear()
    plugins.add_to.cache_clear()


def test_a_command_of_another_distribution_stands_among_ours(
    fullprime: CommandLine, installed: list[metadata.EntryPoint]
) -> None:
    installed.append(metadata.EntryPoint("greeting", f"{__name__}:add_greeting", plugins.GROUP))
    assert fullprime.run("greet", "Ann").out == "good evening, Ann\n"
    assert "Others:\n  greet       Greet somebody\n" in fullprime.run("--help").out
    assert fullprime.run("legal", "4HPwATDgc/ABMA", "31").code == 0


@pytest.mark.parametrize("words", [(), ("--help",), ("--games", "3", "x"), ("run", "-d", "cuda")])
@pytest.mark.parametrize("name", plugins.LAB_COMMANDS)
def test_a_command_of_the_lab_says_what_to_install(
    fullprime: CommandLine, installed: list[metadata.EntryPoint], name: str, words: tuple[str, ...]
) -> None:
    done = fullprime.run(name, *words)
    line = f"fullprime {name} comes with fullprime-lab, which is not installed: pip install fullprime-lab"
    assert (done.code, done.out, done.err) == (2, "", f"error: {line}\n")
    assert not installed


def test_help_without_the_lab_lists_what_there_is(fullprime: CommandLine, installed: list[metadata.EntryPoint]) -> None:
    shown = fullprime.run("--help").out
    for name in plugins.LAB_COMMANDS:
        assert f"\n  {name} " not in shown
    assert "\n  duel " in shown
    assert "Others" not in shown
    assert not installed


def test_a_command_of_ours_looks_for_no_others(
    fullprime: CommandLine, installed: list[metadata.EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: looked.append(group) or installed)
    assert fullprime.run("legal", "4HPwATDgc/ABMA", "31").code == 0
    assert not looked
    assert fullprime.run("nonsense").code == 2
    assert looked == [plugins.GROUP]
