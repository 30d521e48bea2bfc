"""``fullprime cards``: one's own errors as cards, drilled when they are due, taken out and in."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.options import Database
from fullprime.cli.play.learning import HOW, glossary_text, read_line
from fullprime.cli.terminal import show_paragraph
from fullprime.rules.words import count_noun

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from fullprime.learn.flashcards.model import CardAnswer, CardDeck, CardQuestion
    from fullprime.learn.flashcards.service import Cards
    from fullprime.learn.trainers.service import LearnerId

_WORDS = "Words: help (how to answer), help WORD (the glossary), forget (take the card away), quit."
_OUT = Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")]
_FORCE = Annotated[bool, typer.Option("--force", help="Write over what is there.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = add_group(
        app, "cards", "Your own errors as cards: add, drill, export, import.", "fullprime cards add --player Ann",
        "fullprime cards drill", "fullprime cards anki errors.apkg",
    )  # fmt: skip
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


def add_cards(
    *,
    player: Annotated[str | None, typer.Option("--player", help="Whose errors; both players' unless said.")] = None,
    last: Annotated[int, typer.Option("--last", min=1, help="The number of matches, the newest.")] = 20,
    least: Annotated[float, typer.Option("--least", min=0.0, help="Errors that cost so much equity, or more.")] = 0.05,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="play, double or take; may be given again.")] = None,
    database: Database = None,
) -> None:
    """Make cards of the errors in the reviewed matches of the library."""
    from fullprime.learn.learner_database import open_drills
    from fullprime.library.new_cards import cards_from_library
    from fullprime.library.service import LibraryStore

    with open_drills(database) as engine:
        cards, learner = _cards(engine)
        new_cards, matches = cards_from_library(
            LibraryStore(engine), player, last=last, least=least, kinds=tuple(kind or ())
        )
        result = cards.add(learner, new_cards)
        reviewed = count_noun(matches, "reviewed match", "reviewed matches")
        show_paragraph(f"{count_noun(result.added, 'new card')} out of {reviewed}. {_deck(result.deck)}")
        if not matches:
            show_paragraph("Review matches first: fullprime library add FILE, fullprime library review.")
        elif result.deck.due:
            show_paragraph("Answer them: fullprime cards drill.")


def drill(*, database: Database = None) -> None:
    """Answer the cards that are due: the play or the cube action on the board, graded by equity."""
    from fullprime.learn.learner_database import open_drills

    with open_drills(database) as engine:
        cards, learner = _cards(engine)
        deck = cards.get_deck(learner)
        if deck.due:
            show_paragraph(f"{_deck(deck)} {_WORDS}")
        elif not deck.cards:
            show_paragraph("No cards yet. Make some of the errors in your reviewed matches: fullprime cards add.")
        try:
            while (card := cards.get_due(learner).card) is not None and _pose_card(cards, learner, card):
                pass
        except (EOFError, KeyboardInterrupt):
            show_paragraph("")
        show_paragraph(_deck(cards.get_deck(learner)))


def export(file: _OUT, *, force: _FORCE = False, database: Database = None) -> None:
    """Write every card with its schedule as JSON; `import` reads it."""
    from fullprime.learn.flashcards.service import write_export
    from fullprime.learn.learner_database import open_drills

    with open_drills(database) as engine:
        cards, learner = _cards(engine)
        write_export(file, cards.export(learner), replace=force)
        show_paragraph(f"{file}: {count_noun(cards.get_deck(learner).cards, 'card')}.")


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
        # Anki goes by the name: such a file replaces the user's whole collection, schedules included.
        raise FullprimeError(f"{file}: this would stand for a whole collection; name it {file.stem}.apkg")
    with open_drills(database) as engine:
        cards, learner = _cards(engine)
        bodies = cards.list_bodies(learner, least)
        package = file.suffix.casefold() == ".apkg"
        write_export(file, anki_package(bodies, datetime.now(UTC)) if package else anki_deck(bodies), replace=force)
        show_paragraph(f"{file}: {count_noun(len(bodies), 'card')}. In Anki: File, Import.")


def load(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `export` wrote; - for the input.")],
    *,
    database: Database = None,
) -> None:
    """Add exported cards with their schedules; those that are there already stay as they are."""
    from fullprime.cli.standard_input import read_file_argument
    from fullprime.learn.learner_database import open_drills
    from fullprime.rules.errors import FullprimeError

    try:
        source = read_file_argument(file)
        text = (source if isinstance(source, bytes) else source.read_bytes()).decode()
    except OSError as error:
        raise FullprimeError(f"{file} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise FullprimeError(f"{file} is no text: {error}") from None
    with open_drills(database) as engine:
        cards, learner = _cards(engine)
        result = cards.load(learner, text)
        show_paragraph(f"{count_noun(result.added, 'new card')}. {_deck(result.deck)}")


# -- inside ----------------------------------------------------------------------------------------------------------
def _cards(engine: Engine) -> tuple[Cards, LearnerId]:
    from fullprime.learn.flashcards.service import Cards
    from fullprime.learn.trainers.service import HERE, LearnerId

    return Cards(engine), LearnerId(key=HERE)


def _pose_card(cards: Cards, learner: LearnerId, card: CardQuestion) -> bool:
    """Ask until there is an answer; False to leave."""
    from fullprime.cli.terminal import make_console, needs_ascii, show_board
    from fullprime.rules.board import BoardView
    from fullprime.rules.errors import FullprimeError
    from fullprime.rules.score import Player

    show_paragraph("")
    game = cards.get_game(learner, card.id)
    view = BoardView.of(game, names=("You", "Opponent"), ascii_only=needs_ascii(), bottom=Player.X)
    show_board(make_console(), view)
    for place, choice in enumerate(card.choices, 1):
        show_paragraph(f"  {place}  {choice}")
    begun = time.monotonic()
    while True:
        line = read_line("> ")
        word = line.casefold()
        if word in ("quit", "q", "exit"):
            return False
        if word == "forget":
            cards.delete(learner, card.id)
            return True
        if not line or word in ("help", "?"):
            show_paragraph(f"Write {_how(card)}. {_WORDS}")
            continue
        if word.startswith(("help ", "? ")):
            show_paragraph(glossary_text(word.partition(" ")[2]))
            continue
        if not card.choices and word.isalpha():  # a word is no play that could be read
            show_paragraph(f"{line!r} is no answer here: write {_how(card)}. {_WORDS}")
            continue
        try:
            _tell(cards.answer(learner, card.id, line, time.monotonic() - begun))
        except FullprimeError as error:
            show_paragraph(f"{error}.")
            continue
        return True


def _how(card: CardQuestion) -> str:
    return "your choice, or its number" if card.choices else f"your play, such as {HOW}"


def _tell(answer: CardAnswer) -> None:
    show_paragraph("Right." if answer.right else f"{answer.answer} costs {answer.loss:.3f}. The best: {answer.best}.")
    for line in answer.lines:
        show_paragraph(f"  {line}")
    due = answer.due.replace(tzinfo=UTC).astimezone()
    show_paragraph(f"Again on {due:%Y-%m-%d %H:%M}.")


def _deck(deck: CardDeck) -> str:
    retained = "" if deck.retention is None else f", {100 * deck.retention:.0f} % retained"
    days = f", {deck.streak} days in a row" if deck.streak > 1 else ""
    return f"{count_noun(deck.cards, 'card')}, {deck.due} due{retained}{days}."
