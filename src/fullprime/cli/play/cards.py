"""``fullprime cards``: one's own errors as cards, drilled when they are due, taken out and in."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.options import Database
from fullprime.cli.play.learning import HOW, looked_up, read_line
from fullprime.cli.terminal import show_paragraph
from fullprime.rules.words import some

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from fullprime.learn.flashcards.fields import CardAnswer, CardQuestion, DeckJson
    from fullprime.learn.flashcards.service import Cards
    from fullprime.learn.trainers.service import Who

_WORDS = "Words: help (how to answer), help WORD (the glossary), forget (take the card away), quit."
_OUT = Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")]
_FORCE = Annotated[bool, typer.Option("--force", help="Write over what is there.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = add_group(
        app, "cards", "Your own errors as cards: add, drill, export, import.", "fullprime cards add --player Ann",
        "fullprime cards drill", "fullprime cards anki errors.apkg",
    )  # fmt: skip
    group.callback()(_group)
    add(
        group,
        "add",
        add_cards,
        "fullprime cards add --player Ann --last 10 --least 0.08",
        "fullprime cards add --kind take",
    )
    add(group, "drill", drill, "fullprime cards drill")
    add(group, "export", export, "fullprime cards export cards.json")
    add(group, "import", load, "fullprime cards import cards.json")
    add(group, "anki", anki, "fullprime cards anki errors.apkg --least 0.08")


def _group() -> None:
    """Your own errors as cards: add, drill, export, import."""


def add_cards(
    *,
    player: Annotated[str | None, typer.Option("--player", help="Whose errors; both players' unless said.")] = None,
    last: Annotated[int, typer.Option("--last", min=1, help="Out of so many matches, the newest.")] = 20,
    least: Annotated[float, typer.Option("--least", min=0.0, help="Errors that cost so much equity, or more.")] = 0.05,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="play, double or take; may be given again.")] = None,
    database: Database = None,
) -> None:
    """Make cards of the errors in the reviewed matches of the library."""
    from fullprime.learn.learner_database import open_drills
    from fullprime.library.new_cards import cards_from_library
    from fullprime.library.service import LibraryStore

    with open_drills(database) as engine:
        cards, who = _cards(engine)
        found, matches = cards_from_library(
            LibraryStore(engine), player, last=last, least=least, kinds=tuple(kind or ())
        )
        result = cards.add(who, found)
        reviewed = some(matches, "reviewed match", "reviewed matches")
        show_paragraph(f"{some(result['added'], 'new card')} out of {reviewed}. {_deck(result['deck'])}")
        if not matches:
            show_paragraph("Review matches first: fullprime library add FILE, fullprime library review.")
        elif result["deck"]["due"]:
            show_paragraph("Answer them: fullprime cards drill.")


def drill(*, database: Database = None) -> None:
    """Answer the cards that are due: the play or the cube action on the board, graded by equity."""
    from fullprime.learn.learner_database import open_drills

    with open_drills(database) as engine:
        cards, who = _cards(engine)
        deck = cards.deck(who)
        if deck["due"]:
            show_paragraph(f"{_deck(deck)} {_WORDS}")
        elif not deck["cards"]:
            show_paragraph("No cards yet. Make some of the errors in your reviewed matches: fullprime cards add.")
        try:
            while (card := cards.due(who)["card"]) is not None and _ask(cards, who, card):
                pass
        except (EOFError, KeyboardInterrupt):
            show_paragraph("")
        show_paragraph(_deck(cards.deck(who)))


def export(file: _OUT, *, force: _FORCE = False, database: Database = None) -> None:
    """Write every card with its schedule as JSON; `import` reads it."""
    from fullprime.learn.flashcards.service import write_export
    from fullprime.learn.learner_database import open_drills

    with open_drills(database) as engine:
        cards, who = _cards(engine)
        write_export(file, cards.export(who), replace=force)
        show_paragraph(f"{file}: {some(cards.deck(who)['cards'], 'card')}.")


def anki(
    file: _OUT,
    *,
    least: Annotated[
        float, typer.Option("--least", min=0.0, help="Only errors that cost so much equity, or more.")
    ] = 0.0,
    force: _FORCE = False,
    database: Database = None,
) -> None:
    """Write cards for Anki: the board as a picture; the answer, the costs and the reason on the back.

    A file named .apkg is a package with a deck of its own; any other is a text, which Anki imports too.
    """
    from fullprime.learn.flashcards.anki import anki_deck, anki_package
    from fullprime.learn.flashcards.service import write_export
    from fullprime.learn.learner_database import open_drills
    from fullprime.rules.errors import FullprimeError

    if file.suffix.casefold() == ".colpkg":
        # Anki goes by the name: such a file replaces everything that somebody has learnt.
        raise FullprimeError(f"{file}: this would stand for a whole collection; name it {file.stem}.apkg")
    with open_drills(database) as engine:
        cards, who = _cards(engine)
        found = cards.bodies(who, least)
        package = file.suffix.casefold() == ".apkg"
        write_export(file, anki_package(found, datetime.now(UTC)) if package else anki_deck(found), replace=force)
        show_paragraph(f"{file}: {some(len(found), 'card')}. In Anki: File, Import.")


def load(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `export` wrote; - for the input.")],
    *,
    database: Database = None,
) -> None:
    """Add exported cards with their schedules; those that are there already stay as they are."""
    from fullprime.cli.standard_input import given_file
    from fullprime.learn.learner_database import open_drills
    from fullprime.rules.errors import FullprimeError

    try:
        given = given_file(file)
        text = (given if isinstance(given, bytes) else given.read_bytes()).decode()
    except OSError as error:
        raise FullprimeError(f"{file} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise FullprimeError(f"{file} is no text: {error}") from None
    with open_drills(database) as engine:
        cards, who = _cards(engine)
        result = cards.load(who, text)
        show_paragraph(f"{some(result['added'], 'new card')}. {_deck(result['deck'])}")


# -- inside ----------------------------------------------------------------------------------------------------------
def _cards(engine: Engine) -> tuple[Cards, Who]:
    from fullprime.learn.flashcards.service import Cards
    from fullprime.learn.trainers.service import HERE, Who

    return Cards(engine), Who(key=HERE)


def _ask(cards: Cards, who: Who, card: CardQuestion) -> bool:
    """Ask until there is an answer; False to leave."""
    from fullprime.cli.terminal import make_console, needs_ascii, show_board
    from fullprime.rules.board import BoardView
    from fullprime.rules.errors import FullprimeError
    from fullprime.rules.score import Player

    show_paragraph("")
    game = cards.game(who, card["id"])
    view = BoardView.of(game, names=("You", "Opponent"), ascii_only=needs_ascii(), bottom=Player.X)
    show_board(make_console(), view)
    for place, choice in enumerate(card["choices"], 1):
        show_paragraph(f"  {place}  {choice}")
    begun = time.monotonic()
    while True:
        line = read_line("> ")
        word = line.casefold()
        if word in ("quit", "q", "exit"):
            return False
        if word == "forget":
            cards.remove(who, card["id"])
            return True
        if not line or word in ("help", "?"):
            show_paragraph(f"Write {_how(card)}. {_WORDS}")
            continue
        if word.startswith(("help ", "? ")):
            show_paragraph(looked_up(word.partition(" ")[2]))
            continue
        if not card["choices"] and word.isalpha():  # a word is no play that could be read
            show_paragraph(f"{line!r} is no answer here: write {_how(card)}. {_WORDS}")
            continue
        try:
            _tell(cards.answer(who, card["id"], line, time.monotonic() - begun))
        except FullprimeError as error:
            show_paragraph(f"{error}.")
            continue
        return True


def _how(card: CardQuestion) -> str:
    return "your choice, or its number" if card["choices"] else f"your play, such as {HOW}"


def _tell(found: CardAnswer) -> None:
    show_paragraph(
        "Right." if found["right"] else f"{found['answer']} costs {found['loss']:.3f}. The best: {found['best']}."
    )
    for line in found["lines"]:
        show_paragraph(f"  {line}")
    due = datetime.fromisoformat(found["due"]).replace(tzinfo=UTC).astimezone()
    show_paragraph(f"Again on {due:%Y-%m-%d %H:%M}.")


def _deck(found: DeckJson) -> str:
    kept = "" if found["retention"] is None else f", {100 * found['retention']:.0f} % retained"
    days = f", {found['streak']} days in a row" if found["streak"] > 1 else ""
    return f"{some(found['cards'], 'card')}, {found['due']} due{kept}{days}."
