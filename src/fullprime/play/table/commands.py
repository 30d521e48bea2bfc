"""The words that players type, for every face: ``roll double take drop … undo pip board``, and plays typed bare.

Words of FIBS and GNU Backgammon that mean the same are understood, and every unambiguous short form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from fullprime.messages import Message
from fullprime.play.options.rulebook import rulebook
from fullprime.play.session import GameSession
from fullprime.play.table.happenings import Happening, end_words, info, level_words
from fullprime.play.table.naming import YOU, as_messages
from fullprime.play.table.scorecard import settlement
from fullprime.play.table.table_actions import TableActions
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction, NotationError, RulesError
from fullprime.rules.game import Action, ActionKind, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import standing


@dataclass(frozen=True, slots=True)
class Word:
    """A command: its name, its other names, and one line of help."""

    name: str
    synonyms: tuple[str, ...]
    help: Message


WORDS: dict[str, Word] = {
    word.name: word
    for word in (
        Word(
            "roll", ("r", "throw"), Message("throw; with real dice roll 31, or 31 alone (to open: X's die, then O's)")
        ),
        Word("double", ("d",), Message("offer the cube at twice its value, before you roll")),
        Word("take", ("t",), Message("accept the double")),
        Word("drop", (), Message("refuse the double and lose the game")),
        Word("beaver", (), Message("accept the double, turn the cube once more and keep it")),
        Word("raccoon", (), Message("answer a beaver by turning the cube once more")),
        Word("resign", (), Message("offer to lose: resign n(ormal), g(ammon) or b(ackgammon)")),
        Word("accept", ("a", "agree", "yes"), Message("accept what is offered: a resignation, a double")),
        Word("refuse", ("decline", "reject", "no"), Message("refuse what is offered")),
        Word("move", ("m", "play"), Message("make a play: move 13/7 8/7; the play alone is enough")),
        Word("step", (), Message("move one checker of a play: step 13/7")),
        Word("done", ("confirm", "end"), Message("confirm a play made step by step")),
        Word(
            "undo",
            ("u", "back", "takeback"),
            Message("take back a step of the play you are making; at a terminal also your last decision"),
        ),
        Word("choose", (), Message("name a double in Acey Deucey: choose 5")),
        Word("next", ("new", "ready", "continue"), Message("begin the next game")),
        Word("board", ("b", "show", "state"), Message("draw the board")),
        Word("plays", ("legal", "moves"), Message("list the legal plays of the roll")),
        Word("pip", ("pips", "pipcount"), Message("count the pips of both sides")),
        Word("score", ("sc",), Message("the score and the games so far")),
        Word("rules", (), Message("the rules of this game with the options in force")),
        Word("hint", ("tip",), Message("what the engine advises; hint 2-ply, or hint heuristic, asks another")),
        Word("save", (), Message("say where the game is kept (it is stored after every action)")),
        Word("help", ("h", "?", "commands"), Message("this list")),
        Word("quit", ("q", "exit", "leave", "bye"), Message("leave; the game can be resumed")),
    )
}
"""Every command by its name."""

_HINT_LEVEL, _HINT_PLAYS = "1-ply", 3

_SYNONYMS = {synonym: word.name for word in WORDS.values() for synonym in (word.name, *word.synonyms)}
_BY_PHASE = {"redouble": ("double", "beaver", "raccoon"), "pass": ("drop",)}
"""Words that mean another command in another phase."""

_WITH_MORE = ("roll", "resign", "move", "step", "hint", "choose", "help")
"""Words after which more words may stand."""

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


def obey(table: TableActions, text: str) -> list[Happening]:
    """Carry out a line of a player; gives the events.

    Raises a FullprimeError with the reason for a line that means nothing or is not allowed; the table is as before.
    """
    return carry_out(table, *read_words(table.session, text))


def carry_out(table: TableActions, word: str, rest: str) -> list[Happening]:
    """Carry out a command with the rest of its line; raises as :func:`obey`."""
    _check_rest(word, rest)
    return _DO[word](table, rest)


def meaning(table: TableActions, text: str, made: str = "") -> str:
    """What a line of a player means, in one form; nothing is done.

    A play that is complete is given whole, with the moves ``made`` of it before, also for ``done``; the beginning of
    one after the word ``step``. Other lines are the word of their command, with the rest of the line. Raises as `obey`.
    """
    word, rest = read_words(table.session, text)
    _check_rest(word, rest)
    game = table.game
    if game.phase is Phase.PLAY and game.dice is not None and word in ("move", "step", "done"):
        rest = _in_moves(rest)
        whole = (f"{made} {rest}".strip(), rest) if rest else (made,) if word == "done" else ()
        for line in filter(None, whole):
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
    if rest and word not in _WITH_MORE:
        raise NotationError(Message("{word} stands alone: {rest} has no meaning after it", word=word, rest=repr(rest)))


def _find_word(typed: str, session: GameSession, phase: Phase) -> str:
    """The command that a word or an unambiguous short form means; raises NotationError."""
    word = typed.lower()
    if word in _SYNONYMS:
        return _meant(_SYNONYMS[word], phase)
    words = {**_SYNONYMS, **dict.fromkeys(_BY_PHASE, "")}
    found = {_spoken(each, name, phase) for each, name in words.items() if each.startswith(word)}
    if len(found) > 1:
        found = {name for name in found if name in possible_words(session)} or found
    if len(found) == 1:
        return _meant(found.pop(), phase)
    if not found:
        raise NotationError(
            Message("{typed} is neither a command nor a play; type help for the words there are", typed=repr(typed))
        )
    raise NotationError(Message("{typed} could mean {names}", typed=repr(typed), names=", ".join(sorted(found))))


def _spoken(word: str, name: str, phase: Phase) -> str:
    if word == "redouble":
        return {Phase.DOUBLE_OFFERED: "beaver", Phase.BEAVER_OFFERED: "raccoon"}.get(phase, "double")
    return "drop" if word == "pass" else name


def _meant(name: str, phase: Phase) -> str:
    """``accept`` and ``refuse`` answer a double too."""
    if phase in _OFFERS:
        return {"accept": "take", "refuse": "drop"}.get(name, name)
    return name


def possible_words(session: GameSession) -> tuple[str, ...]:
    """The actions that are allowed now, in the words that do them; none before the first game."""
    game = session.game
    if game is None or game.is_over:
        return () if game is None or session.is_won else ("next",)
    words = {ActionKind.OPENING: "roll", ActionKind.PLAY: "move"}
    return tuple(words.get(kind, str(kind)) for kind in game.actions())


# -- actions ----------------------------------------------------------------------------------------------------
def _roll(table: TableActions, rest: str) -> list[Happening]:
    if not rest:
        return table.throw()
    Roll.from_text(rest.replace("[", "(").replace("]", ")"))
    dice = [int(character) for character in rest if character.isdigit()]
    return table.throw((dice[0], dice[1]))


def _simple(action: Action) -> Callable[[TableActions, str], list[Happening]]:
    return lambda table, _rest: table.act(action)


def resignation_level(rest: str) -> int:
    """The level that follows the word ``resign``, by default a single game; raises NotationError."""
    level = _LEVELS.get(rest.lower() or "n")
    if level is None:
        raise NotationError(
            Message("resign {rest}: resign n (single game), g (gammon) or b (backgammon)", rest=repr(rest))
        )
    return level


def _resign(table: TableActions, rest: str) -> list[Happening]:
    return table.act(acts.resign(resignation_level(rest)))


def _in_moves(rest: str) -> str:
    """A play given as pairs of points in the usual notation; any other text as it is."""
    if not _PAIRS.match(rest):
        return rest
    numbers = rest.split()
    if len(numbers) % 2:
        raise NotationError(Message("{rest}: the points of a play come in pairs, from and to", rest=repr(rest)))
    return " ".join(f"{source}/{target}" for source, target in zip(numbers[::2], numbers[1::2], strict=True))


def _move(table: TableActions, rest: str) -> list[Happening]:
    rest = _in_moves(rest)
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


def _choose(table: TableActions, rest: str) -> list[Happening]:
    number = rest.strip("sS ")
    if not (number.isascii() and number.isdigit() and len(number) <= 2 and len(set(number)) == 1):
        raise NotationError(Message("choose {rest}: name a double from 1 to 6, for example choose 5", rest=repr(rest)))
    return table.act(acts.choose(int(number[0])))


# -- questions --------------------------------------------------------------------------------------------------
def _plays(table: TableActions, _rest: str) -> list[Happening]:
    if table.game.phase is not Phase.PLAY:
        raise IllegalAction(Message("there is no roll to play"))
    plays = [format_play(play) for play in table.game.legal_plays]
    text = Message.by_number(len(plays), "{n} legal play: {plays}", "{n} legal plays: {plays}", plays="  ".join(plays))
    return [Happening({"kind": "info", "player": None, "text": text, "plays": plays})]


def _pip(table: TableActions, _rest: str) -> list[Happening]:
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
    names, (x_pips, o_pips) = as_messages(table.names), pips
    text = Message(
        "Pips: {x} {x_pips}, {o} {o_pips}; {who}", x=names[0], x_pips=x_pips, o=names[1], o_pips=o_pips, who=who
    )
    return [Happening({"kind": "info", "player": None, "text": text, "pips": list(pips)})]


def score_lines(match: Match) -> list[Message]:
    """The score sheet: one line for each finished game, with the score after it."""
    lines, names = [], as_messages(match.names)
    for number, result, points in match.score_sheet:
        won = Message.by_number(result.points, "{n} point", "{n} points")
        if result.level:
            won = Message("{level}, {points}", level=level_words(result.level), points=won)
        facts = {"number": number, "name": names[result.winner], "what": won, "how": end_words(result.how)}
        lines.append(Message("game {number}: {name} wins {what} ({how}); {score}", **facts, score=standing(points)))
    return lines


def _score(table: TableActions, _rest: str) -> list[Happening]:
    score, settings = table.score, table.settings
    x, o = score.points
    names = as_messages(table.names)
    if settings.is_match:
        what = Message("match to {length}", length=settings.length)
    else:
        what = Message("money, {stake} a point", stake=str(settings.stake))
    facts = {"x": names[0], "x_points": x, "o": names[1], "o_points": o, "what": what}
    text = Message("Score: {x} {x_points}, {o} {o_points} ({what})", **facts)
    if table.game.score.crawford_game and not table.game.is_over:
        text = Message("Score: {x} {x_points}, {o} {o_points} ({what}), Crawford game", **facts)
    owed = [] if settings.is_match or not any((x, o)) else settlement(names, (x, o), settings.stake)
    sheet = Message.join_all("\n  ", [text, *score_lines(table.session.match), *owed])
    return [Happening({"kind": "info", "player": None, "text": sheet, "score": [x, o]})]


def _rules(table: TableActions, _rest: str) -> list[Happening]:
    return [info(rulebook(table.settings))]


def _hint(table: TableActions, rest: str) -> list[Happening]:
    game = table.game
    if game.turn is None:
        raise IllegalAction(Message("there is nothing to decide now"))
    from fullprime.engine import api

    asked = rest.strip().lower()
    if asked == "heuristic" or not api.can_advise(game):
        text = api.advice_of_bot(game, "heuristic")
        return _hinted(Message("The heuristic bot would: {advice}. (It is no expert.)", advice=text), text)
    if game.phase in api.DECISIONS:
        advice = api.hint(game, asked or _HINT_LEVEL)
        return _hinted(advice.text(_HINT_PLAYS), advice.short)
    text = api.advice_of_bot(game, asked or _HINT_LEVEL)
    return _hinted(Message("The engine would: {advice}.", advice=text), text)


def _hinted(text: str, short: str) -> list[Happening]:
    return [Happening({"kind": "info", "player": None, "text": text, "hint": short})]


def _save(table: TableActions, _rest: str) -> list[Happening]:
    if table.number is None:
        return [info(Message("This game is not stored (--no-store)."))]
    number = table.number
    return [
        info(Message("Stored after every action as number {number}: fullprime play --resume {number}", number=number))
    ]


def _help(table: TableActions, _rest: str) -> list[Happening]:
    now = possible_words(table.session)
    possible = Message("Now possible: {words}", words=" ".join(now)) if now else Message("Nothing is left to do.")
    lines: list[str] = [possible, ""]
    lines += [Message.join_all(" ", [f"  {word.name:<8}", word.help]) for word in WORDS.values()]
    last = Message("A play may be typed alone: 13/7 8/7, bar/21*, 6/off(2), 24/18/13. Short forms will do: r, d, t, q.")
    return [info(Message.join_all("\n", [*lines, "", last]))]


_DO: dict[str, Callable[[TableActions, str], list[Happening]]] = {
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
    "board": lambda table, _rest: [Happening({"kind": "board", "player": None, "text": table.game.position.text})],
    "plays": _plays,
    "pip": _pip,
    "score": _score,
    "rules": _rules,
    "hint": _hint,
    "save": _save,
    "help": _help,
    "quit": lambda _table, _rest: [Happening({"kind": "quit", "player": None, "text": Message("Goodbye.")})],
}
