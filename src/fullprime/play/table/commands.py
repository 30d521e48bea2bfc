"""The commands that players type, for every face: ``roll double take drop … undo pip board``, or just a play.

Words of FIBS and GNU Backgammon that mean the same are understood, and every unambiguous short form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fullprime.messages import Message, format_decimal, label
from fullprime.play.naming import YOU, to_messages
from fullprime.play.options.rulebook import rulebook
from fullprime.play.session import GameSession
from fullprime.play.table.board import possible_words
from fullprime.play.table.event_texts import end_words, info_event, won_words
from fullprime.play.table.hint_texts import describe_hint
from fullprime.play.table.scorecard import settle_points
from fullprime.play.table.table_actions import TableActions
from fullprime.play.table.table_events import BoardEvent, Event, InfoEvent, QuitEvent
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction, NotationError, RulesError
from fullprime.rules.game import Action, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import format_score

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

_HINT_LEVEL, _HINT_PLAYS = "1-ply", 3

_SYNONYMS = {synonym: word.name for word in WORDS.values() for synonym in (word.name, *word.synonyms)}
_BY_PHASE = {"redouble": ("double", "beaver", "raccoon"), "pass": ("drop",)}
"""Words that mean another command in another phase."""

_OFFERS = (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED, Phase.RACCOON_OFFERED)
_PLAY = re.compile(
    r"^(\d+\s*[/-]|bar\b|off\b|hand\b|[1-6]{2}\s*:|\d+(\s+\d+)+$|fans?$|dances?$|no ?(play|move)$|can)", re.IGNORECASE
)
_DICE = re.compile(r"^[(]?\d\s*[-,: ]?\s*\d[)]?$")
_PAIRS = re.compile(r"^\d+(\s+\d+)+$")
_LEVELS = {
    **dict.fromkeys(("n", "normal", "s", "single", "1", "game"), 1),
    **dict.fromkeys(("g", "gammon", "2"), 2),
    **dict.fromkeys(("b", "backgammon", "3"), 3),
    **dict.fromkeys(("4", "bar", "quadruple"), 4),
}


ACTIONS = {
    "double": acts.DOUBLE, "take": acts.TAKE, "drop": acts.DROP, "beaver": acts.BEAVER, "raccoon": acts.RACCOON,
}  # fmt: skip
"""Words that are one action each, with nothing after them."""


def run_command(table: TableActions, text: str) -> list[Event]:
    """Carry out a line of a player; gives the events.

    Raises a FullprimeError with the reason for a line that means nothing or is not allowed; the table is as before.
    """
    return carry_out(table, *read_words(table.session, text))


def carry_out(table: TableActions, word: str, rest: str) -> list[Event]:
    """Carry out a command with the rest of its line; raises as :func:`run_command`."""
    _check_rest(word, rest)
    return _DO[word](table, rest)


def describe_line(table: TableActions, text: str, moves: str = "") -> str:
    """What a line of a player means, in one form, without doing it.

    A complete play is given as a whole, with the ``moves`` of it that are made already, also for ``done``; the
    beginning of a play follows the word ``step``. Other lines are the word of their command and the rest of the line.
    Raises as :func:`run_command`.
    """
    word, rest = read_words(table.session, text)
    _check_rest(word, rest)
    game = table.game
    if game.phase is Phase.PLAY and game.dice is not None and word in ("move", "step", "done"):
        rest = _to_moves(rest)
        candidates = (f"{moves} {rest}".strip(), rest) if rest else (moves,) if word == "done" else ()
        for line in filter(None, candidates):
            with suppress(RulesError):
                return format_play(read_play(line, game.position, game.dice, table.settings.variant))
        word = "step" if word == "move" and rest and table.confirm else word
    if word == "resign":
        return f"resign {resignation_level(rest)}"
    return f"{word} {rest}".strip()


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
    game = session.game
    assert game is not None  # it has begun
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


def _check_rest(word: str, rest: str) -> None:
    if rest and not WORDS[word].takes_more:
        raise NotationError(Message("{word} stands alone: {rest} has no meaning after it", word=word, rest=repr(rest)))


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


# -- actions ----------------------------------------------------------------------------------------------------
def _roll(table: TableActions, rest: str) -> list[Event]:
    if not rest:
        return table.throw()
    Roll.from_text(rest.replace("[", "(").replace("]", ")"))
    dice = [int(character) for character in rest if character.isdigit()]
    return table.throw((dice[0], dice[1]))


def _simple(action: Action) -> Callable[[TableActions, str], list[Event]]:
    return lambda table, _rest: table.act(action)


def resignation_level(rest: str) -> int:
    """The level that follows the word ``resign``, by default a single game; raises NotationError."""
    level = _LEVELS.get(rest.lower() or "n")
    if level is None:
        raise NotationError(
            Message("resign {rest}: resign n (single game), g (gammon) or b (backgammon)", rest=repr(rest))
        )
    return level


def _resign(table: TableActions, rest: str) -> list[Event]:
    return table.act(acts.resign(resignation_level(rest)))


def _to_moves(rest: str) -> str:
    """A play given as pairs of points in the usual notation; any other text as it is."""
    if not _PAIRS.match(rest):
        return rest
    numbers = rest.split()
    if len(numbers) % 2:
        raise NotationError(Message("{rest}: the points of a play come in pairs, from and to", rest=repr(rest)))
    return " ".join(f"{source}/{target}" for source, target in zip(numbers[::2], numbers[1::2], strict=True))


def _move(table: TableActions, rest: str) -> list[Event]:
    rest = _to_moves(rest)
    if not table.confirm:
        return table.play(rest)
    # A person may enter a play in parts: what can be continued is a beginning, not a mistake.
    first, second = (table.step, table.play) if table.moves else (table.play, table.step)
    try:
        return first(rest)
    except RulesError as error:
        try:
            return second(rest)
        except RulesError:
            raise error from None


def _choose(table: TableActions, rest: str) -> list[Event]:
    number = rest.strip("sS ")
    if not (number.isascii() and number.isdigit() and len(number) <= 2 and len(set(number)) == 1):
        raise NotationError(Message("choose {rest}: name a double from 1 to 6, for example choose 5", rest=repr(rest)))
    return table.act(acts.choose(int(number[0])))


# -- questions --------------------------------------------------------------------------------------------------
def _plays(table: TableActions, _rest: str) -> list[Event]:
    if table.game.phase is not Phase.PLAY:
        raise IllegalAction(Message("there is no roll to play"))
    plays = tuple(format_play(play) for play in table.game.legal_plays)
    text = Message.by_number(len(plays), "{n} legal play: {plays}", "{n} legal plays: {plays}", plays="  ".join(plays))
    return [InfoEvent(player=None, text=text, plays=plays)]


def _pip(table: TableActions, _rest: str) -> list[Event]:
    game = table.game
    mine, theirs = game.position.pips
    pips = (mine, theirs) if game.on_roll is Player.X else (theirs, mine)
    lead = pips[1] - pips[0]
    ahead = table.names[0 if lead > 0 else 1]
    more = abs(lead)
    if not lead:
        who = Message("level")
    elif ahead == YOU:
        who = Message("You lead by {count}", count=more)
    else:
        who = Message("{name} leads by {count}", name=ahead, count=more)
    names, (x_pips, o_pips) = to_messages(table.names), pips
    text = Message(
        "Pips: {x} {x_pips}, {o} {o_pips}; {who}", x=names[0], x_pips=x_pips, o=names[1], o_pips=o_pips, who=who
    )
    return [InfoEvent(player=None, text=text, pips=pips)]


def score_lines(match: Match) -> list[Message]:
    """The score sheet: one line for each finished game, with the score after it."""
    lines, names = [], to_messages(match.names)
    for number, result, points in match.score_sheet:
        facts = {
            "number": number,
            "name": names[result.winner],
            "what": won_words(result),
            "how": end_words(result.how),
        }
        lines.append(Message("game {number}: {name} wins {what} ({how}); {score}", **facts, score=format_score(points)))
    return lines


def _score(table: TableActions, _rest: str) -> list[Event]:
    score, settings = table.score, table.settings
    x, o = score.points
    names = to_messages(table.names)
    if settings.is_match:
        stake = Message("match to {length}", length=settings.length)
    else:
        stake = Message("money, {stake} a point", stake=format_decimal(str(settings.stake)))
    facts = {"x": names[0], "x_points": x, "o": names[1], "o_points": o, "what": stake}
    text = Message("Score: {x} {x_points}, {o} {o_points} ({what})", **facts)
    if table.game.score.crawford_game and not table.game.is_over:
        text = Message("Score: {x} {x_points}, {o} {o_points} ({what}), Crawford game", **facts)
    owed = [] if settings.is_match or not any((x, o)) else settle_points(names, (x, o), settings.stake)
    sheet = Message.join_all("\n  ", [text, *score_lines(table.session.match), *owed])
    return [InfoEvent(player=None, text=sheet, score=(x, o))]


def _rules(table: TableActions, _rest: str) -> list[Event]:
    return [info_event(rulebook(table.settings))]


def _hint(table: TableActions, rest: str) -> list[Event]:
    game = table.game
    if game.turn is None:
        raise IllegalAction(Message("there is nothing to decide now"))
    from fullprime.engine import api

    level = rest.strip().lower()
    if level == "heuristic" or not api.can_advise(game):
        text = label(api.advice_of_bot(game, "heuristic"))
        return _to_hint_events(Message("The heuristic bot would: {advice}. (It is no expert.)", advice=text), text)
    level = level or _HINT_LEVEL
    if game.phase in api.DECISIONS:
        advice = api.hint(game, level)
        why = "" if table.why_hint is None else table.why_hint(game, advice, level)
        return [*_to_hint_events(describe_hint(advice, _HINT_PLAYS), advice.short), *([info_event(why)] if why else [])]
    text = label(api.advice_of_bot(game, level))
    return _to_hint_events(Message("The engine would: {advice}.", advice=text), text)


def _to_hint_events(text: str, short: str) -> list[Event]:
    return [InfoEvent(player=None, text=text, hint=short)]


def _save(table: TableActions, _rest: str) -> list[Event]:
    if table.number is None:
        return [info_event(Message("This game is not stored (--no-store)."))]
    number = table.number
    return [
        info_event(
            Message("Stored after every action as number {number}: fullprime play --resume {number}", number=number)
        )
    ]


def _help(table: TableActions, _rest: str) -> list[Event]:
    now = possible_words(table.session)
    possible = Message("Now possible: {words}", words=" ".join(now)) if now else Message("Nothing is left to do.")
    lines: list[str] = [possible, ""]
    lines += [Message.join_all(" ", [f"  {word.name:<8}", word.help]) for word in WORDS.values()]
    last = Message("A play may be typed alone: 13/7 8/7, bar/21*, 6/off(2), 24/18/13. Short forms will do: r, d, t, q.")
    return [info_event(Message.join_all("\n", [*lines, "", last]))]


_DO: dict[str, Callable[[TableActions, str], list[Event]]] = {
    "roll": _roll,
    **{word: _simple(action) for word, action in ACTIONS.items()},
    "resign": _resign,
    "accept": _simple(acts.ACCEPT),
    "refuse": _simple(acts.REFUSE),
    "move": _move,
    "step": lambda table, rest: table.step(rest),
    "done": lambda table, _rest: table.finish_play(),
    "undo": lambda table, _rest: table.undo(),
    "choose": _choose,
    "next": lambda table, _rest: table.next_game(),
    "board": lambda table, _rest: [BoardEvent(player=None, text=table.game.position.text)],
    "plays": _plays,
    "pip": _pip,
    "score": _score,
    "rules": _rules,
    "hint": _hint,
    "save": _save,
    "help": _help,
    "quit": lambda _table, _rest: [QuitEvent(player=None, text=Message("Goodbye."))],
}
