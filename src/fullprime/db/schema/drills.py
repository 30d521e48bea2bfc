"""The tables of drills. Everything belongs to a learner: an account, a browser without one, the user of a machine."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from fullprime.db.schema.base import metadata

learners = Table(
    "learners",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=True),
    Column("key", Text, nullable=True),
    Column("created", DateTime, nullable=False),
    # The convention names constraints by their table alone, and these are two.
    UniqueConstraint("account_id", name="uq_learners_account_id"),
    UniqueConstraint("key", name="uq_learners_key"),
)
"""Who drills: the account, or the hash of the secret of a browser (``here`` for the user of this machine)."""

drill_tries = Table(
    "drill_tries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("learner_id", Integer, ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
    Column("trainer", Text, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("at", DateTime, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("right", Boolean, nullable=False),
    Column("error", Float, nullable=False),
    UniqueConstraint("learner_id", "trainer", "seed"),
)
"""Answers to questions of trainers. A question counts once: an answer that is sent again changes nothing."""

drill_cards = Table(
    "drill_cards",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("learner_id", Integer, ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("schedule", Text, nullable=False),
    Column("due", DateTime, nullable=False),
    Column("created", DateTime, nullable=False),
    UniqueConstraint("learner_id", "name"),
    Index("ix_drill_cards_due", "learner_id", "due"),
)
"""Cards: the position with its options (``body``) and the state of its schedule, both JSON."""

drill_reviews = Table(
    "drill_reviews",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("learner_id", Integer, ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
    Column("card_id", Integer, ForeignKey("drill_cards.id", ondelete="CASCADE"), nullable=False),
    Column("at", DateTime, nullable=False),
    Column("grade", Integer, nullable=False),
    Column("loss", Float, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("known", Boolean, nullable=False),
    Index("ix_drill_reviews_at", "learner_id", "at"),
    Index("ix_drill_reviews_card", "card_id"),
)
"""Answers to cards. ``known``: the card had been learnt before, so that the answer tells how much is retained."""

daily_answers = Table(
    "daily_answers",
    metadata,
    Column("learner_id", Integer, ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
    Column("day", Date, nullable=False),
    Column("answer", Text, nullable=False),
    Column("right", Boolean, nullable=False),
    Column("at", DateTime, nullable=False),
    PrimaryKeyConstraint("learner_id", "day"),
    Index("ix_daily_answers_day", "day", "answer"),
)
"""First answers to positions of the day, one a learner and day; empty where the best play was shown."""

puzzle_strengths = Table(
    "puzzle_strengths",
    metadata,
    Column("learner_id", Integer, ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
    Column("variant", Text, nullable=False),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("updated", DateTime, nullable=False),
    PrimaryKeyConstraint("learner_id", "variant"),
)
"""Ratings of learners at puzzles, one for each game (Glicko-2)."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", Text, primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("updated", DateTime, nullable=False),
)
"""Ratings of puzzles that a learner has tried; others have that of the stock."""

puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("learner_id", Integer, ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
    Column("variant", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("at", DateTime, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("right", Boolean, nullable=False),
    Column("loss", Float, nullable=False),
    Column("rating", Float, nullable=True),
    UniqueConstraint("learner_id", "puzzle", "run"),
    Index("ix_puzzle_tries_at", "learner_id", "variant", "at"),
)
"""Answers to puzzles. ``run`` names the storm or the streak, and is empty for rated tries, of which a puzzle has one a
learner; ``rating`` is the learner's after it."""
