"""Cards for a page or a terminal: what is due, answers graded by equity, the deck exported and imported."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict
from datetime import date, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine

from fullprime.analysis.setups import DeskSetup, game_of, scene
from fullprime.common.atomic_write import atomic_write
from fullprime.db.times import utc_now
from fullprime.engine import shared
from fullprime.learn.flashcards.fields import CardAnswer, CardBody, CardQuestion, CardsAdded, CardsJson, DeckJson
from fullprime.learn.flashcards.making import KINDS, card_name
from fullprime.learn.flashcards.schedule import (
    RIGHT,
    CardError,
    after_review,
    checked_schedule,
    grade_of,
    load_scheduler,
    new_schedule,
    read_schedule,
)
from fullprime.learn.flashcards.store import CardStore, SavedCard, SavedReview
from fullprime.learn.learners import SLOWEST, Learners, Who
from fullprime.reviews.depths import Listed, list_lines
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import Play

FORMAT = "fullprime cards 1"
MOST = 5000
"""Cards of one learner."""
_LONGEST = 200
"""Letters of an answer."""
_MOST_LOSS = 1000.0
"""The greatest loss of an option; not a number is none either."""
_SINCE = timedelta(days=90)
"""The time for which retention and streaks are looked at."""
_LEVEL = "1-ply"
"""The level that judges plays which the review did not keep."""


class Cards:
    """The cards of the learners of one database."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = utc_now) -> None:
        load_scheduler()  # before somebody answers, not after
        self.learners = Learners(engine)
        self._store, self._clock = CardStore(engine), clock

    def due(self, who: Who, first: Collection[int] = ()) -> CardsJson:
        """The deck, and the card that has been due longest; those with the numbers ``first`` come before others."""
        learner = self.learners.known(who)
        card = None if learner is None else self._store.next(learner, self._clock(), first)
        question = None if card is None else _question(card, self._store.answers(card.id))
        return {"deck": self.deck(who), "card": question}

    def deck(self, who: Who) -> DeckJson:
        """All cards of somebody, counted."""
        learner = self.learners.known(who)
        if learner is None:
            return {"cards": 0, "due": 0, "streak": 0, "retention": None}
        now = self._clock()
        found = self._store.deck(learner, now, now - _SINCE)
        retention = round(found.retained / found.known, 4) if found.known else None
        return {
            "cards": found.cards,
            "due": found.due,
            "streak": streak(found.days, now.date()),
            "retention": retention,
        }

    def add(self, who: Who, bodies: Iterable[CardBody]) -> CardsAdded:
        """Add cards; a decision that is there already is left as it is. Stored when this returns."""
        now = self._clock()
        schedule = new_schedule(now)
        cards = [
            SavedCard(name=card_name(body), body=body_text(body), schedule=schedule.text, due=schedule.due, created=now)
            for body in bodies
        ]
        added = self._store.add(self.learners.sure(who), cards, MOST) if cards else 0
        return {"added": added, "deck": self.deck(who)}

    def numbers(self, who: Who, bodies: Iterable[CardBody]) -> list[int]:
        """The numbers of the caller's cards of these decisions."""
        learner = self.learners.known(who)
        return [] if learner is None else self._store.numbers(learner, [card_name(body) for body in bodies])

    def answer(self, who: Who, number: int, text: str, seconds: float, answered: int | None = None) -> CardAnswer:
        """Grade an answer by the equity it costs, and store it; stored when this returns.

        ``answered`` is that of the question: with it an answer that is sent twice, as after a lost connection, is
        stored once. Raises CardError, or an error of the rules, for what is no answer; then nothing is stored.
        """
        if len(text) > _LONGEST:
            raise CardError(f"an answer has at most {_LONGEST} letters, not {len(text)}")
        learner = self.learners.known(who)
        card = None if learner is None else self._store.get(learner, number)
        if learner is None or card is None:
            raise CardError("there is no such card of yours")
        body = read_body(card.body)
        said, loss, play = judged(body, text)
        spent, now = min(max(seconds, 0.0), SLOWEST), self._clock()
        grade = grade_of(loss, spent)

        def change(before: SavedCard) -> tuple[str, datetime, SavedReview]:
            known = read_schedule(before.schedule).learnt
            after = after_review(before.schedule, grade, now)
            found = SavedReview(at=now, grade=grade, loss=round(loss, 5), seconds=round(spent, 2), known=known)
            return after.text, after.due, found

        counted = self._store.review(learner, number, change, answered)
        if counted is None:
            raise CardError("there is no such card of yours")
        after = self._store.get(learner, number)
        best = body["options"][0]
        return {
            "right": loss < RIGHT,
            "answer": said,
            "loss": round(loss, 4),
            "best": best["text"],
            "made": body["made"],
            "lines": lines_of(body),
            "moves": [] if play is None else [str(move) for move in play.moves],
            "best_moves": best["moves"],
            "counted": counted,
            "due": (now if after is None else after.due).isoformat(),
            "deck": self.deck(who),
        }

    def game(self, who: Who, number: int) -> Game:
        """The game at a card's decision, the learner being X; raises CardError where there is no such card."""
        learner = self.learners.known(who)
        card = None if learner is None else self._store.get(learner, number)
        if card is None:
            raise CardError("there is no such card of yours")
        return game_at(read_body(card.body))

    def remove(self, who: Who, number: int) -> DeckJson:
        """Take a card away; raises CardError where there is none."""
        learner = self.learners.known(who)
        if learner is None or not self._store.remove(learner, number):
            raise CardError("there is no such card of yours")
        return self.deck(who)

    # -- out and in ---------------------------------------------------------------------------------------------------
    def bodies(self, who: Who, least: float = 0.0) -> list[CardBody]:
        """The contents of every card whose error cost ``least`` or more, the oldest first."""
        learner = self.learners.known(who)
        found = [] if learner is None else [read_body(card.body) for card in self._store.all(learner)]
        return [body for body in found if body["cost"] >= least]

    def export(self, who: Who) -> str:
        """Every card with its schedule, as JSON; :meth:`load` reads it."""
        learner = self.learners.known(who)
        cards = [] if learner is None else self._store.all(learner)
        # A card a line: written whole, with indents, a thousand cards would keep the server busy.
        lines = ",\n".join(
            f'{{"card": {card.body}, "schedule": {card.schedule}, "created": {json.dumps(card.created.isoformat())}}}'
            for card in cards
        )
        return f'{{"format": {json.dumps(FORMAT)}, "cards": [\n{lines}\n]}}\n'

    def load(self, who: Who, text: str) -> CardsAdded:
        """Add exported cards with their schedules; those that are there already are left as they are.

        Raises CardError for anything else; then nothing is added.
        """
        now = self._clock()
        try:
            whole = json.loads(text)
            if whole["format"] != FORMAT:
                raise CardError(f"{str(whole['format'])[:40]!r} is not {FORMAT!r}")
            cards = [
                _saved(each["card"], each["schedule"], each["created"], now) for each in whole["cards"][: MOST + 1]
            ]
        except CardError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, FullprimeError) as error:
            raise CardError(f"this is no export of cards ({error!r:.80})") from None
        if len(cards) > MOST:
            raise CardError(f"more than {MOST} cards")
        added = self._store.add(self.learners.sure(who), cards, MOST) if cards else 0
        return {"added": added, "deck": self.deck(who)}


def streak(days: tuple[date, ...], today: date) -> int:
    """Days in a row up to today, or up to yesterday while today nothing has been done yet.

    >>> streak((date(2026, 3, 2), date(2026, 3, 1), date(2026, 2, 26)), date(2026, 3, 3))
    2
    """
    known, day = set(days), today
    if day not in known:
        day -= timedelta(days=1)
    count = 0
    while day in known:
        count += 1
        day -= timedelta(days=1)
    return count


def body_text(body: CardBody) -> str:
    """A card's contents as JSON."""
    return json.dumps({**body, "setup": asdict(body["setup"])}, sort_keys=True)


def read_body(text: str) -> CardBody:
    """The inverse of :func:`body_text`; raises CardError for contents that cannot be a card."""
    try:
        return _body(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, FullprimeError) as error:
        raise CardError(f"this is no card ({error!r:.80})") from None


def game_at(body: CardBody) -> Game:
    """The game at a card's decision, the learner being X."""
    return game_of(body["setup"])


# -- inside ----------------------------------------------------------------------------------------------------------
def _body(found: dict[str, object]) -> CardBody:
    setup = found["setup"]
    options = found["options"]
    choices = found["choices"]
    if not isinstance(setup, dict) or not isinstance(options, list) or not isinstance(choices, list) or not options:
        raise CardError("a card has a setup, options and choices")
    score, dice, follow_ups = setup.pop("score"), setup.pop("dice"), setup.pop("follow_ups")
    body: CardBody = {
        "kind": str(found["kind"]),
        "setup": DeskSetup(
            **setup,
            score=(int(score[0]), int(score[1])),
            dice=None if dice is None else (int(dice[0]), int(dice[1])),
            follow_ups=None if follow_ups is None else tuple(map(str, follow_ups)),
        ),
        "options": [
            {
                "text": str(each["text"]),
                "loss": float(each["loss"]),
                "after": [int(count) for count in each["after"]],
                "moves": [str(move) for move in each["moves"]],
                "depth": None if each.get("depth") is None else int(each["depth"]),
                "deviation": None if each.get("deviation") is None else float(each["deviation"]),
            }
            for each in options
        ],
        "choices": [str(each) for each in choices],
        "made": str(found["made"]),
        "cost": float(str(found["cost"])),
        "reason": str(found["reason"]),
        "source": str(found["source"]),
    }
    if body["kind"] not in KINDS or bool(body["choices"]) == (body["kind"] == "play"):
        raise CardError(f"{body['kind'][:20]!r} is no kind of a card, or its choices do not fit")
    losses = [body["cost"], *(each["loss"] for each in body["options"])]
    if not all(0 <= loss <= _MOST_LOSS for loss in losses):
        raise CardError("a loss is a number from 0 on")
    game_at(body)
    return body


def _saved(body: dict[str, object], schedule: object, created: object, now: datetime) -> SavedCard:
    found, known = _body(body), checked_schedule(json.dumps(schedule), now)
    return SavedCard(
        name=card_name(found), body=body_text(found), schedule=known.text, due=known.due,
        created=datetime.fromisoformat(str(created)),
    )  # fmt: skip


def _question(card: SavedCard, answered: int) -> CardQuestion:
    body = read_body(card.body)
    board = scene(game_at(body))
    if body["kind"] != "play":
        board.pop("tree", None)
    return {
        "id": card.id, "kind": body["kind"], "choices": body["choices"], "answered": answered, "board": board,
    }  # fmt: skip


def judged(body: CardBody, text: str) -> tuple[str, float, Play | None]:
    """The answer that is meant, what it costs, and the play; raises an error of the rules, or CardError."""
    if body["kind"] != "play":
        said = _choice(text, body["choices"])
        return said, next((each["loss"] for each in body["options"] if each["text"] == said), body["cost"]), None
    game = game_at(body)
    if game.dice is None:
        raise CardError("this card has no roll to play")
    play = read_play(text, game.position, game.dice, game.settings.variant)
    for each in body["options"]:
        if each["after"] == list(play.after.player):
            return format_play(play), each["loss"], play
    ranking = shared.engine_for(game.settings.variant).rank_plays(game, level=_LEVEL, made=play.after)
    found = ranking.find(play.after)
    # A play that the review did not keep is behind those it kept.
    return format_play(play), max(body["options"][-1]["loss"], 0.0 if found is None else found.loss), play


def _choice(text: str, choices: list[str]) -> str:
    said = " ".join(text.lower().replace(",", " ").split())
    if said.isdecimal() and 1 <= int(said) <= len(choices):
        return choices[int(said) - 1]
    for each in choices:
        if said == each.lower().replace(",", ""):
            return each
    raise CardError(f"{text.strip()[:40]!r} is none of: {'; '.join(choices)}")


def lines_of(body: CardBody) -> list[str]:
    """The error that was made and the reason, which a small screen shows at once; the options with their costs."""
    made = [f"Played in the match: {body['made']}."] if body["made"] else []
    return [*made, *([body["reason"]] if body["reason"] else []), *options_of(body)]


def options_of(body: CardBody) -> tuple[str, ...]:
    """The first options of a card with their costs, those that were looked at equally far together."""
    return list_lines(
        Listed(each["text"], None, each["loss"], each["depth"], each["deviation"]) for each in body["options"][:5]
    )


def write_export(file: Path, content: str | bytes, *, replace: bool) -> None:
    """Write exported cards into a file, which is written over with ``replace`` alone. Raises CardError."""
    if file.exists() and not replace:
        raise CardError(f"{file} is there already: --force writes over it")
    try:
        atomic_write(file, content, follow_links=True)
    except OSError as error:
        raise CardError(f"{file} cannot be written: {error.strerror or error}") from None


__all__ = [
    "FORMAT",
    "KINDS",
    "MOST",
    "CardError",
    "Cards",
    "body_text",
    "game_at",
    "judged",
    "lines_of",
    "options_of",
    "read_body",
    "streak",
    "write_export",
]
