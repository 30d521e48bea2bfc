"""The tables. A change of them needs a new ``SCHEMA_VERSION``; a test says which."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from fullprime.db.schema.base import metadata
from fullprime.db.schema.drills import (
    drill_cards,
    drill_reviews,
    drill_tries,
    learners,
    puzzle_ratings,
    puzzle_strengths,
    puzzle_tries,
)
from fullprime.db.schema.library import (
    library_boards,
    library_copies,
    library_decisions,
    library_figures,
    library_games,
    library_matches,
    library_names,
    library_players,
    library_positions,
    library_reviews,
    library_sources,
)
from fullprime.db.schema.sessions import game_sessions, server_processes, session_events, session_presences
from fullprime.db.schema.shelves import (
    library_collections,
    library_items,
    library_marks,
    library_searches,
    library_settled,
    library_tags,
)
from fullprime.db.schema.version import SCHEMA_VERSION, schema_version

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("settings", Text, nullable=False),
    Column("names", Text, nullable=False),
    Column("seats", Text, nullable=False),
    Column("dice", Text, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("first_game", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("updated", DateTime, nullable=False),
)
"""One match or money session of the terminal. ``settings``, ``names``, ``seats``, ``dice`` and ``first_game`` (the game
it began with) are JSON; ``drawn`` counts the dice that have been thrown; ``status`` is ``playing`` or ``over``."""

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("game_no", Integer, nullable=False),
    Column("event", Text, nullable=False),
    Column("at", DateTime, nullable=True),
    UniqueConstraint("match_id", "seq"),
)
"""Events, in order: ``seq`` runs from 1 through the whole match, ``game_no`` from 1; ``event`` is JSON; ``at``
is the time at which it was stored (null for events that an older version stored); clocks are read from it."""

room_reports = Table(
    "room_reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("room_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=False),
    Column("side", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("said", Text, nullable=False),
    Column("at", DateTime, nullable=False),
    Index("ix_room_reports_room", "room_id"),
)
"""A report by the player of ``side`` about the other one; ``said`` is JSON of the talk at that moment."""

# -- people on the server --------------------------------------------------------------------------------------------
accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False),
    Column("password", Text, nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("skeleton", Text, nullable=True),
    UniqueConstraint("folded"),
    Index("ix_accounts_skeleton", "skeleton", unique=True),
)
"""People (and ``bot`` programs) with an account. ``folded`` is the name in lower case: nobody else may have it, nor one
of the same ``skeleton``, which looks like it (null for an older account whose name looks like that of a still older).
``password`` is a hash by Argon2; ``public``: others may read the profile."""

sessions = Table(
    "sessions",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime, nullable=False),
    Index("ix_sessions_account", "account_id"),
)
"""Browsers that are signed in. ``hash`` is the SHA-256 of the secret in the browser's cookie."""

tokens = Table(
    "tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("used", DateTime, nullable=True),
    UniqueConstraint("hash"),
    Index("ix_tokens_account", "account_id"),
)
"""Personal tokens of programs. ``hash`` is the SHA-256 of the token, ``scopes`` what it may be used for, separated by
blanks; ``used`` is the day on which it was used last."""

played = Table(
    "played",
    metadata,
    Column("room_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), primary_key=True),
    Column("x_account", Integer, ForeignKey("accounts.id", ondelete="SET NULL"), nullable=True),
    Column("o_account", Integer, ForeignKey("accounts.id", ondelete="SET NULL"), nullable=True),
    Column("x_name", Text, nullable=False),
    Column("o_name", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("length", Integer, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("begun", DateTime, nullable=False),
    Column("ended", DateTime, nullable=True),
    Column("x_points", Integer, nullable=True),
    Column("o_points", Integer, nullable=True),
    Column("winner", SmallInteger, nullable=True),
    Column("facts", Text, nullable=True),
    Column("ending", Text, nullable=True),
    Column("ended_by", SmallInteger, nullable=True),
    Column("helped", Boolean, nullable=False, server_default=false()),
    Column("kept", SmallInteger, nullable=False, server_default="0"),
    Index("ix_played_x", "x_account"),
    Index("ix_played_o", "o_account"),
    Index("ix_played_ended", "ended"),
)
"""Rooms in which a person with an account sits. ``length`` 0 is money; ``public``: others may see it. From ``ended`` on
(null before) the columns after it tell the result: ``winner`` is 0 for X, 1 for O, null where nobody won; ``facts`` is
the hash of the events, by which the library knows the match; ``ending`` says how it ended between two people where
that was not by play (``left``, ``absence``, ``time``, ``aborted``, ``agreed``), and ``ended_by`` who left, was absent,
lost on time or aborted (0 for X, 1 for O). ``helped``: hints or takebacks were used, or it began with a position
against a bot, so that its decisions make no PR. ``kept``: the sides (1 for X, 2 for O) that were begun without an
account and became its own later; it may have chosen them, so they count neither in its results nor for its PR."""

account_traces = Table(
    "account_traces",
    metadata,
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("seen", DateTime, nullable=False),
    PrimaryKeyConstraint("account_id", "kind", "value"),
    Index("ix_account_traces_seen", "seen"),
)
"""The addresses and browsers from which an account was used, until some months after the last time. ``kind`` is
``address`` (``value``: the address, of IPv6 its network) or ``browser`` (the SHA-256 of the secret in its cookie)."""

rated_pairs = Table(
    "rated_pairs",
    metadata,
    Column("room_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), primary_key=True),
    Column("x_name", Text, nullable=False),
    Column("o_name", Text, nullable=False),
    Column("shared", Text, nullable=False),
    Column("at", DateTime, nullable=False),
)
"""Rated matches between two accounts that were used from one address or in one browser, for the host of the server.
``shared`` is ``address``, ``browser`` or both, separated by a blank."""

ratings = Table(
    "ratings",
    metadata,
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("updated", DateTime, nullable=False),
    PrimaryKeyConstraint("account_id", "kind"),
    Index("ix_ratings_kind", "kind", "rating"),
)
"""A player's strength by Glicko-2; ``kind`` is a variant and a class of match lengths, as in ``backgammon:short``.
The numbers are those after the last rated match, at the time ``updated``."""

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("room_id", Text, ForeignKey("played.room_id", ondelete="CASCADE"), nullable=False),
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("before", Float, nullable=False),
    Column("after", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("made", DateTime, nullable=False),
    PrimaryKeyConstraint("room_id", "account_id"),
    Index("ix_rating_changes_account", "account_id", "kind"),
)
"""The change of a rating by a rated match; there is one row for each player, so that no match counts twice."""

challenges = Table(
    "challenges",
    metadata,
    Column("id", Text, primary_key=True),
    Column("room_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=False),
    Column("invitation", Text, nullable=False),
    Column("creator", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=True),
    Column("target", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=True),
    Column("name", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime, nullable=False),
    Column("address", Text, nullable=True),
    Index("ix_challenges_expires", "expires"),
    Index("ix_challenges_target", "target"),
)
"""Challenges that nobody has accepted yet. ``room_id`` is the room that waits for the second player and ``invitation``
opens its seat; ``target`` is the account that is challenged, null for everybody; ``facts`` is JSON for those who read
the list; ``address`` is where it was made (of IPv6 the network), null where addresses are not counted."""

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("origin", Text, nullable=True),
    Column("session", Text, ForeignKey("sessions.hash", ondelete="CASCADE"), nullable=True),
    Column("room_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=True),
    Column("side", Text, nullable=True),
    Column("created", DateTime, nullable=False),
    Column("failures", SmallInteger, nullable=False),
    Column("language", Text, nullable=True),
    UniqueConstraint("name"),
    Index("ix_push_subscriptions_session", "session"),
    Index("ix_push_subscriptions_room", "room_id", "side"),
    Index("ix_push_subscriptions_endpoint", "endpoint"),
)
"""Browsers that want to be told when it is their turn: of an account while it is signed in there (``session``), or of
one seat of a game. ``endpoint`` is the address at the browser's push service, ``p256dh`` and ``auth`` are the keys by
which only that browser reads it, ``origin`` is the address at which it knows us, ``language`` what its person reads;
``name`` is a hash of the others and of the seat. ``failures`` counts deliveries in vain, one after the other."""

school_progress = Table(
    "school_progress",
    metadata,
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("lesson", Text, nullable=False),
    Column("step", Integer, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("right", Integer, nullable=False),
    Column("asked", Integer, nullable=False),
    Column("updated", DateTime, nullable=False),
    PrimaryKeyConstraint("account_id", "lesson"),
)
"""How far an account has followed each lesson: ``step`` steps are done; ``right`` of ``asked`` quiz questions in the
best run."""

__all__ = [
    "SCHEMA_VERSION",
    "account_traces",
    "accounts",
    "challenges",
    "drill_cards",
    "drill_reviews",
    "drill_tries",
    "events",
    "game_sessions",
    "learners",
    "library_boards",
    "library_collections",
    "library_copies",
    "library_decisions",
    "library_figures",
    "library_games",
    "library_items",
    "library_marks",
    "library_matches",
    "library_names",
    "library_players",
    "library_positions",
    "library_reviews",
    "library_searches",
    "library_settled",
    "library_sources",
    "library_tags",
    "matches",
    "metadata",
    "played",
    "push_subscriptions",
    "puzzle_ratings",
    "puzzle_strengths",
    "puzzle_tries",
    "rated_pairs",
    "rating_changes",
    "ratings",
    "room_reports",
    "schema_version",
    "school_progress",
    "server_processes",
    "session_events",
    "session_presences",
    "sessions",
    "tokens",
]
