"""Shell completion: ``fullprime completion SHELL`` prints a script, which calls the command for each Tab.

The script calls the command with ``_FULLPRIME_COMPLETE`` set and the words of the line as its arguments, the last one
being the word that is written. The answer has a line for each word that may stand there: the word, a tabulator and what
it means, if that can be said. No line means that the shell completes names of files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from fullprime.cli.command import add, first_sentence
from fullprime.cli.terminal import say
from fullprime.cli.values import SHELLS, values_of

VARIABLE = "_FULLPRIME_COMPLETE"
"""The variable of the environment that names the shell whose user has pressed Tab."""

BASH = """\
# Completion of fullprime for bash. In ~/.bashrc: eval "$(fullprime completion bash)"
_fullprime() {
    local IFS=$'\\n'
    COMPREPLY=($(_FULLPRIME_COMPLETE=bash "$1" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _fullprime fullprime
"""
ZSH = """\
#compdef fullprime
# Completion of fullprime for zsh. In ~/.zshrc, after compinit: eval "$(fullprime completion zsh)"
_fullprime() {
    local line
    local -a found
    for line in "${(@f)$(_FULLPRIME_COMPLETE=zsh "${words[1]}" "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -n $line ]] && found+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
    done
    if (( $#found )); then
        _describe -V fullprime found
    else
        _files
    fi
}
if [[ $funcstack[1] == _fullprime ]]; then
    _fullprime "$@"
else
    compdef _fullprime fullprime
fi
"""
FISH = """\
# Completion of fullprime for fish. In ~/.config/fish/config.fish: fullprime completion fish | source
function _fullprime
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l found (_FULLPRIME_COMPLETE=fish $words[1] $words[2..] "$word" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete --command fullprime --no-files --keep-order --arguments '(_fullprime)'
"""
POWERSHELL = """\
# Completion of fullprime for PowerShell. In $PROFILE: fullprime completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName fullprime -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$_" })
    $Env:_FULLPRIME_COMPLETE = 'powershell'
    try {
        # An empty argument would be lost, so that the last one has a sign before it.
        & fullprime @words "+$wordToComplete" 2>$null | ForEach-Object {
            $value, $about = $_ -split "`t", 2
            $text = if ($value -match ' ') { "'$value'" } else { $value }
            [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', "$about ")
        }
    } finally {
        Remove-Item Env:_FULLPRIME_COMPLETE
    }
}
"""
SCRIPTS = dict(zip(SHELLS, (BASH, ZSH, FISH, POWERSHELL), strict=True))


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, "completion", completion, *(f"fullprime completion {shell}" for shell in ("bash", "fish")))


def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell.")],
) -> None:
    """Print the script that lets a shell complete our commands. Its first line says where it goes."""
    from fullprime.rules.errors import SettingsError

    script = SCRIPTS.get(shell)
    if script is None:
        raise SettingsError(f"there is completion for {', '.join(SHELLS)}, not for {shell[:40]!r}")
    say(script, end="")


def complete(root: Any, shell: str, words: Sequence[str]) -> None:
    """Print what may stand in the place of the last word."""
    *before, word = words or [""]
    if shell == "powershell":
        word = word.removeprefix("+")
    if shell == "bash":
        # It takes the sign between an option and its value for a word of its own.
        before = [part for part in before if part != "="]
        word = "" if word == "=" else word
    for value, about in matches(root, [_unquote(part) for part in before], _unquote(word)):
        say(value.replace(" ", "\\ ") if shell == "bash" else f"{value}\t{about}")


def asking_shell() -> str | None:
    """The shell that asks for completions; None when the command was called as any other."""
    return os.environ.get(VARIABLE)


def matches(root: Any, before: Sequence[str], word: str) -> list[tuple[str, str]]:
    """The words that may follow ``before`` and begin with ``word``, with what they mean."""
    name, sign, begun = word.partition("=")
    if word.startswith("--") and sign:
        return [(f"{name}={value}", about) for value, about in matches(root, [*before, name], begun)]
    return [choice for choice in _possible(root, before, word) if choice[0].startswith(word)]


def _possible(root: Any, before: Sequence[str], word: str) -> Iterator[tuple[str, str]]:
    command, path, rest = root, [], list(before)
    while rest and rest[0] in getattr(command, "commands", {}):
        path.append(rest.pop(0))
        command = command.commands[path[-1]]
    option, count = _parse_words(command, rest)
    if option is not None:
        yield from ((value, "") for value in values_of(" ".join(path), _long(option)))
    elif word.startswith("-"):
        yield from _options(command)
    elif hasattr(command, "commands"):
        yield from (
            (name, first_sentence(subcommand.help)) for name, subcommand in command.commands.items() if not count
        )
    else:
        arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
        if count < len(arguments) or (arguments and arguments[-1].nargs == -1):
            argument = arguments[min(count, len(arguments) - 1)]
            name = str(argument.metavar or argument.name).upper().strip("[].")
            yield from ((value, "") for value in values_of(" ".join(path), name))


def _parse_words(command: Any, words: Sequence[str]) -> tuple[Any, int]:
    """The option that waits for its value after these words (None: none does), and how many arguments there are."""
    takes = {
        name: option
        for option in command.params
        if option.param_type_name == "option" and not option.is_flag
        for name in option.opts
    }
    waiting, count = None, 0
    for word in words:
        if waiting is not None:
            waiting = None
        elif word.startswith("-") and word != "-":
            waiting = takes.get(word)
        else:
            count += 1
    return waiting, count


def _options(command: Any) -> Iterator[tuple[str, str]]:
    for option in command.params:
        if option.param_type_name == "option" and not option.hidden:
            yield from (
                (name, option.help or "") for name in (*option.opts, *option.secondary_opts) if name[:2] == "--"
            )
    yield "--help", "Show this message and exit."


def _long(option: Any) -> str:
    return next((name for name in option.opts if name.startswith("--")), str(option.opts[0]))


def _unquote(word: str) -> str:
    """A word without the quotes and signs by which it stood in the line; an open quote counts as well."""
    return word.replace("\\", "").strip("'\"")
