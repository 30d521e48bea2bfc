"""Cards for pages and the terminal: the cards that are due, answers graded by equity, export and import."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine

from fullprime.analysis.setups import game_of, scene
from fullprime.common.atomic_write import atomic_write
from fullprime.common.json_values import from_json, to_json
from fullprime.db.times import utc_now
from fullprime.engine import shared
from fullprime.learn.flashcards.making import KINDS, card_name
from fullprime.learn.flashcards.model import CardAnswer, CardBody, CardDeck, CardQuestion, CardsAdded, DueCard
from fullprime.learn.flashcards.schedule import (
    RIGHT,
    CardError,
    after_review,
    check_schedule,
    grade_of,
    load_scheduler,
    new_schedule,
    read_schedule,
)
from fullprime.learn.flashcards.store import CardStore, SavedCard, SavedReview
from fullprime.learn.learners import SLOWEST, LearnerId, Learners, streak
from fullprime.reviews.depths import Listed, list_lines
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import Play

FORMAT = "fullprime cards 1"
MOST = 5000
"""The most cards of one learner."""
_LONGEST = 200
"""The most letters of an answer."""
_MOST_LOSS = 1000.0
"""The greatest loss of an option; NaN is refused as well."""
_SINCE = timedelta(days=90)
"""The time over which retention and streaks are counted."""
_LEVEL = "1-ply"
"""The level that judges plays which the review did not keep."""


class Cards:
    """The cards of the learners of one database."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = utc_now) -> None:
        load_scheduler()  # before the first answer, not after
        self.learners = Learners(engine)
        self._store, self._clock = CardStore(engine), clock

    def get_due(self, learner_id: LearnerId, first: Collection[int] = ()) -> DueCard:
        """The deck, and the card that has been due longest; those with the numbers ``first`` come before others."""
        learner = self.learners.find(learner_id)
        card = None if learner is None else self._store.find_due(learner, self._clock(), first)
        question = None if card is None else _question(card, self._store.count_answers(card.id))
        return DueCard(self.get_deck(learner_id), question)

    def get_deck(self, learner_id: LearnerId) -> CardDeck:
        """The cards of a learner in numbers."""
        learner = self.learners.find(learner_id)
        if learner is None:
            return CardDeck()
        now = self._clock()
        deck = self._store.get_deck(learner, now, now - _SINCE)
        retention = round(deck.retained / deck.of_learnt, 4) if deck.of_learnt else None
        return CardDeck(deck.cards, deck.due, streak(deck.days, now.date()), retention)

    def add(self, learner_id: LearnerId, bodies: Iterable[CardBody]) -> CardsAdded:
        """Add cards; a decision that is there already is left as it is. Stored when this returns."""
        now = self._clock()
        schedule = new_schedule(now)
        cards = [
            SavedCard(name=card_name(body), body=body_text(body), schedule=schedule.text, due=schedule.due, created=now)
            for body in bodies
        ]
        added = self._store.add(self.learners.get_or_create(learner_id), cards, MOST) if cards else 0
        return CardsAdded(added, self.get_deck(learner_id))

    def find_numbers(self, learner_id: LearnerId, bodies: Iterable[CardBody]) -> list[int]:
        """The numbers of the caller's cards of these decisions."""
        learner = self.learners.find(learner_id)
        return [] if learner is None else self._store.find_numbers(learner, [card_name(body) for body in bodies])

    def answer(
        self, learner_id: LearnerId, number: int, text: str, seconds: float, answered: int | None = None
    ) -> CardAnswer:
        """Grade an answer by the equity it costs, and store it; stored when this returns.

        ``answered`` is that of the question: with it an answer that is sent twice, as after a lost connection, is
        stored once. Raises CardError, or an error of the rules, for what is no answer; then nothing is stored.
        """
        if len(text) > _LONGEST:
            raise CardError(f"an answer has at most {_LONGEST} letters, not {len(text)}")
        learner = self.learners.find(learner_id)
        card = None if learner is None else self._store.find(learner, number)
        if learner is None or card is None:
            raise CardError("there is no such card of yours")
        body = read_body(card.body)
        choice, loss, play = judge_answer(body, text)
        spent, now = min(max(seconds, 0.0), SLOWEST), self._clock()
        grade = grade_of(loss, spent)

        def change(before: SavedCard) -> tuple[str, datetime, SavedReview]:
            was_learnt = read_schedule(before.schedule).learnt
            after = after_review(before.schedule, grade, now)
            review = SavedReview(
                at=now, grade=grade, loss=round(loss, 5), seconds=round(spent, 2), was_learnt=was_learnt
            )
            return after.text, after.due, review

        counted = self._store.store_review(learner, number, change, answered)
        if counted is None:
            raise CardError("there is no such card of yours")
        after = self._store.find(learner, number)
        best = body.options[0]
        return CardAnswer(
            right=loss < RIGHT,
            answer=choice,
            loss=round(loss, 4),
            best=best.text,
            made=body.made,
            lines=lines_of(body),
            moves=() if play is None else tuple(map(str, play.moves)),
            best_moves=best.moves,
            counted=counted,
            due=now if after is None else after.due,
            deck=self.get_deck(learner_id),
        )

    def get_game(self, learner_id: LearnerId, number: int) -> Game:
        """The game at a card's decision, the learner being X; raises CardError where there is no such card."""
        learner = self.learners.find(learner_id)
        card = None if learner is None else self._store.find(learner, number)
        if card is None:
            raise CardError("there is no such card of yours")
        return game_at(read_body(card.body))

    def delete(self, learner_id: LearnerId, number: int) -> CardDeck:
        """Take a card away; raises CardError where there is none."""
        learner = self.learners.find(learner_id)
        if learner is None or not self._store.delete(learner, number):
            raise CardError("there is no such card of yours")
        return self.get_deck(learner_id)

    # -- out and in ---------------------------------------------------------------------------------------------------
    def list_bodies(self, learner_id: LearnerId, least: float = 0.0) -> list[CardBody]:
        """The contents of every card whose error cost ``least`` or more, the oldest first."""
        learner = self.learners.find(learner_id)
        bodies = [] if learner is None else [read_body(card.body) for card in self._store.list_all(learner)]
        return [body for body in bodies if body.cost >= least]

    def export(self, learner_id: LearnerId) -> str:
        """Every card with its schedule, as JSON; :meth:`load` reads it."""
        learner = self.learners.find(learner_id)
        cards = [] if learner is None else self._store.list_all(learner)
        # A card a line: written whole, with indents, a thousand cards would keep the server busy.
        lines = ",\n".join(
            f'{{"card": {card.body}, "schedule": {card.schedule}, "created": {json.dumps(card.created.isoformat())}}}'
            for card in cards
        )
        return f'{{"format": {json.dumps(FORMAT)}, "cards": [\n{lines}\n]}}\n'

    def load(self, learner_id: LearnerId, text: str) -> CardsAdded:
        """Add exported cards with their schedules; those that are there already are left as they are.

        Raises CardError for anything else; then nothing is added.
        """
        now = self._clock()
        try:
            exported = json.loads(text)
            if exported["format"] != FORMAT:
                raise CardError(f"{str(exported['format'])[:40]!r} is not {FORMAT!r}")
            cards = [
                _to_saved_card(saved["card"], saved["schedule"], saved["created"], now)
                for saved in exported["cards"][: MOST + 1]
            ]
        except CardError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, FullprimeError) as error:
            raise CardError(f"this is no export of cards ({error!r:.80})") from None
        if len(cards) > MOST:
            raise CardError(f"more than {MOST} cards")
        added = self._store.add(self.learners.get_or_create(learner_id), cards, MOST) if cards else 0
        return CardsAdded(added, self.get_deck(learner_id))


def body_text(body: CardBody) -> str:
    """A card's contents as JSON."""
    return json.dumps(to_json(body), sort_keys=True)


def read_body(text: str) -> CardBody:
    """The inverse of :func:`body_text`; raises CardError for contents that cannot be a card."""
    try:
        return _body(json.loads(text))
    except (ValueError, RecursionError, FullprimeError) as error:
        raise CardError(f"this is no card ({error!r:.80})") from None


def game_at(body: CardBody) -> Game:
    """The game at a card's decision, the learner being X."""
    return game_of(body.setup)


# -- inside ----------------------------------------------------------------------------------------------------------
def _body(fields: object) -> CardBody:
    body = from_json(CardBody, fields)
    if body.kind not in KINDS or bool(body.choices) == (body.kind == "play") or not body.options:
        raise CardError(f"{body.kind[:20]!r} is no kind of a card, or its options and choices do not fit")
    losses = [body.cost, *(option.loss for option in body.options)]
    if not all(0 <= loss <= _MOST_LOSS for loss in losses):
        raise CardError("a loss is a number from 0 on")
    game_at(body)
    return body


def _to_saved_card(body: object, schedule: object, created: object, now: datetime) -> SavedCard:
    contents, checked = _body(body), check_schedule(json.dumps(schedule), now)
    return SavedCard(
        name=card_name(contents), body=body_text(contents), schedule=checked.text, due=checked.due,
        created=datetime.fromisoformat(str(created)),
    )  # fmt: skip


def _question(card: SavedCard, answered: int) -> CardQuestion:
    body = read_body(card.body)
    board = scene(game_at(body), tree=body.kind == "play")
    return CardQuestion(id=card.id, kind=body.kind, choices=body.choices, answered=answered, board=board)


def judge_answer(body: CardBody, text: str) -> tuple[str, float, Play | None]:
    """Judge an answer: the option it means, its cost, and the play; raises an error of the rules, or CardError."""
    if body.kind != "play":
        choice = _choice(text, body.choices)
        return choice, next((option.loss for option in body.options if option.text == choice), body.cost), None
    game = game_at(body)
    if game.dice is None:
        raise CardError("this card has no roll to play")
    play = read_play(text, game.position, game.dice, game.settings.variant)
    for option in body.options:
        if option.after == play.after.player:
            return format_play(play), option.loss, play
    ranking = shared.engine_for(game.settings.variant).rank_plays(game, level=_LEVEL, played=play.after)
    ranked = ranking.find(play.after)
    # A play that the review did not keep is behind those it kept.
    return format_play(play), max(body.options[-1].loss, 0.0 if ranked is None else ranked.loss), play


def _choice(text: str, choices: Sequence[str]) -> str:
    plain = " ".join(text.lower().replace(",", " ").split())
    if plain.isdecimal() and 1 <= int(plain) <= len(choices):
        return choices[int(plain) - 1]
    for choice in choices:
        if plain == choice.lower().replace(",", ""):
            return choice
    raise CardError(f"{text.strip()[:40]!r} is none of: {'; '.join(choices)}")


def lines_of(body: CardBody) -> tuple[str, ...]:
    """The error that was made and the reason, which a small screen shows at once; the options with their costs."""
    lines = [f"Played in the match: {body.made}."] if body.made else []
    return (*lines, *([body.reason] if body.reason else []), *options_of(body))


def options_of(body: CardBody) -> tuple[str, ...]:
    """The first options of a card with their costs, those that were looked at equally far together."""
    return list_lines(
        Listed(option.text, None, option.loss, option.depth, option.deviation) for option in body.options[:5]
    )


def write_export(file: Path, content: str | bytes, *, replace: bool) -> None:
    """Write exported cards into a file, which is overwritten only with ``replace``. Raises CardError."""
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
    "judge_answer",
    "lines_of",
    "options_of",
    "read_body",
    "write_export",
]
