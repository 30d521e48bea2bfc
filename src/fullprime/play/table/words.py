"""The words that players type, for every face: ``roll double take drop … undo pip board``, or just a play.

Words of FIBS and GNU Backgammon that mean the same are understood, and every unambiguous short form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fullprime.messages import Message
from fullprime.play.checks import game_of
from fullprime.play.session import GameSession
from fullprime.play.table.board import possible_words
from fullprime.rules.errors import IllegalAction, NotationError
from fullprime.rules.game import Phase

WordTime: TypeAlias = Literal["turn", "either turn", "always"]
"""The time for a word of a player: in the own turn, in either one where ``decide`` says so, or always: a question."""


@dataclass(frozen=True, slots=True)
class CommandWord:
    """A command: its name, its other names, and one line of help."""

    name: str
    synonyms: tuple[str, ...]
    help: Message
    when: WordTime = "turn"
    takes_more: bool = False
    """True if more words may stand after it."""


WORDS: dict[str, CommandWord] = {
    word.name: word
    for word in (
        CommandWord(
            "roll",
            ("r", "throw"),
            Message("throw; with real dice roll 31, or 31 alone (to open: X's die, then O's)"),
            takes_more=True,
        ),
        CommandWord("double", ("d",), Message("offer the cube at twice its value, before you roll")),
        CommandWord("take", ("t",), Message("accept the double")),
        CommandWord("drop", (), Message("refuse the double and lose the game")),
        CommandWord("beaver", (), Message("accept the double, turn the cube once more and keep it")),
        CommandWord("raccoon", (), Message("answer a beaver by turning the cube once more")),
        CommandWord(
            "resign",
            (),
            Message("offer to lose: resign n(ormal), g(ammon) or b(ackgammon)"),
            "either turn",
            takes_more=True,
        ),
        CommandWord(
            "accept", ("a", "agree", "yes"), Message("accept what is offered: a resignation, a double"), "either turn"
        ),
        CommandWord("refuse", ("decline", "reject", "no"), Message("refuse what is offered"), "either turn"),
        CommandWord(
            "move", ("m", "play"), Message("make a play: move 13/7 8/7; the play alone is enough"), takes_more=True
        ),
        CommandWord("step", (), Message("move one checker of a play: step 13/7"), takes_more=True),
        CommandWord("done", ("confirm", "end"), Message("confirm a play made step by step")),
        CommandWord(
            "undo",
            ("u", "back", "takeback"),
            Message("take back a step of the play you are making; at a terminal also your last decision"),
        ),
        CommandWord("choose", (), Message("name a double in Acey Deucey: choose 5"), takes_more=True),
        CommandWord("next", ("new", "ready", "continue"), Message("begin the next game")),
        CommandWord("board", ("b", "show", "state"), Message("draw the board"), "always"),
        CommandWord("plays", ("legal", "moves"), Message("list the legal plays of the roll"), "always"),
        CommandWord("pip", ("pips", "pipcount"), Message("count the pips of both sides"), "always"),
        CommandWord("score", ("sc",), Message("the score and the games so far"), "always"),
        CommandWord("rules", (), Message("the rules of this game with the options in force"), "always"),
        CommandWord(
            "hint",
            ("tip",),
            Message("what the engine advises; hint 2-ply, or hint heuristic, asks another"),
            "always",
            takes_more=True,
        ),
        CommandWord("save", (), Message("say where the game is kept (it is stored after every action)"), "always"),
        CommandWord("help", ("h", "?", "commands"), Message("this list"), "always", takes_more=True),
        CommandWord("quit", ("q", "exit", "leave", "bye"), Message("leave; the game can be resumed"), "always"),
    )
}
"""Every command by its name."""

_SYNONYMS = {synonym: word.name for word in WORDS.values() for synonym in (word.name, *word.synonyms)}
_BY_PHASE = {"redouble": ("double", "beaver", "raccoon"), "pass": ("drop",)}
"""Words that mean another command in another phase."""

_OFFERS = (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED)
_PLAY = re.compile(
    r"^(\d+\s*[/-]|bar\b|off\b|hand\b|[1-6]{2}\s*:|\d+(\s+\d+)+$|fans?$|dances?$|no ?(play|move)$|can)", re.IGNORECASE
)
_DICE = re.compile(r"^[(]?\d\s*[-,: ]?\s*\d[)]?$")


def read_words(session: GameSession, text: str) -> tuple[str, str]:
    """The command that a line means in a session that has begun, and the rest of the line.

    Raises NotationError for a line that means nothing, IllegalAction for dice that cannot be thrown now.
    """
    line = " ".join(text.split())
    if not line:
        raise NotationError(Message("nothing was typed; type help for the words there are"))
    if len(line) > 200:
        raise NotationError(
            Message("{line}...: a line has at most 200 characters, not {count}", line=repr(line[:40]), count=len(line))
        )
    game = game_of(session)
    phase = game.phase
    if _DICE.match(line):
        if phase is Phase.CHOOSE_DOUBLE and line[0] == line[-1]:
            return "choose", line[0]
        if phase is Phase.PLAY:
            dice = {"dice": str(game.dice), "line": line}
            if session.terms.dice == "typed":
                raise IllegalAction(
                    Message("{dice} is to be played before {line} can be thrown; undo takes the dice back", **dice)
                )
            raise IllegalAction(Message("{dice} is to be played before {line} can be thrown", **dice))
        return "roll", line
    if phase is Phase.CHOOSE_DOUBLE and line.isascii() and line.isdigit():
        return "choose", line
    if _PLAY.match(line) or (line.lower() == "pass" and phase is Phase.PLAY):
        return "move", line
    first, _, rest = line.partition(" ")
    return _find_word(first, session, phase), rest


def _find_word(typed: str, session: GameSession, phase: Phase) -> str:
    """The command that a word or an unambiguous short form means; raises NotationError."""
    word = typed.lower()
    if word in _SYNONYMS:
        return _to_answer(_SYNONYMS[word], phase)
    words = {**_SYNONYMS, **dict.fromkeys(_BY_PHASE, "")}
    names = {_to_spoken_word(form, name, phase) for form, name in words.items() if form.startswith(word)}
    if len(names) > 1:
        names = {name for name in names if name in possible_words(session)} or names
    if len(names) == 1:
        return _to_answer(names.pop(), phase)
    if not names:
        raise NotationError(
            Message("{typed} is neither a command nor a play; type help for the words there are", typed=repr(typed))
        )
    raise NotationError(Message("{typed} could mean {names}", typed=repr(typed), names=", ".join(sorted(names))))


def _to_spoken_word(word: str, name: str, phase: Phase) -> str:
    if word == "redouble":
        return {Phase.DOUBLE_OFFERED: "beaver", Phase.BEAVER_OFFERED: "raccoon"}.get(phase, "double")
    return "drop" if word == "pass" else name


def _to_answer(name: str, phase: Phase) -> str:
    """``accept`` and ``refuse`` answer a double too."""
    if phase in _OFFERS:
        return {"accept": "take", "refuse": "drop"}.get(name, name)
    return name
