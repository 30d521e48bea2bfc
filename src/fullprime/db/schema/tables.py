"""The tables of accounts and reports. A changed table needs a new ``SCHEMA_VERSION``; a test says which."""

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

session_reports = Table(
    "session_reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=False),
    Column("side", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("said", Text, nullable=False),
    Column("at", DateTime, nullable=False),
    Index("ix_session_reports_session", "session_id"),
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
    sqlite_autoincrement=True,  # the number of a removed account is not given again, as PostgreSQL gives none again
)
"""People (and ``bot`` programs) with an account. ``folded`` is the name in lower case: no other may have it, nor one
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

follows = Table(
    "follows",
    metadata,
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("followed_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("since", DateTime, nullable=False),
    PrimaryKeyConstraint("account_id", "followed_id"),
    Index("ix_follows_followed", "followed_id"),
)
"""The friends of an account: ``account_id`` follows ``followed_id``, which is not told of it."""

played = Table(
    "played",
    metadata,
    Column("session_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), primary_key=True),
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
    Column("dice", Text, nullable=True),
    Index("ix_played_x", "x_account"),
    Index("ix_played_o", "o_account"),
    Index("ix_played_ended", "ended"),
)
"""Rooms in which a person with an account sits. ``length`` 0 is money; ``public``: others may see it. From ``ended`` on
(null before) the columns after it tell the result: ``winner`` is 0 for X, 1 for O, null where neither won; ``facts`` is
the hash of the events, by which the library knows the match; ``ending`` says how it ended between two people where
that was not by play (``left``, ``absence``, ``time``, ``aborted``, ``agreed``), and ``ended_by`` who left, was absent,
lost on time or aborted (0 for X, 1 for O). ``helped``: hints or takebacks were used, or it began with a position
against a bot, so that its decisions make no PR. ``kept``: the sides (1 for X, 2 for O) that were begun without an
account and became its own later; it may have chosen them, so they count neither in its results nor for its PR.
``dice``: the counts of the dice of both sides (``play.dice_counts``), where the server threw them."""

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
    Column("session_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), primary_key=True),
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
    Column("established", DateTime, nullable=True),
    PrimaryKeyConstraint("account_id", "kind"),
    Index("ix_ratings_kind", "kind", "rating"),
)
"""A player's strength by Glicko-2; ``kind`` is a variant and a class of match lengths, as in ``backgammon:short``.
The numbers are those after the last rated match, at the time ``updated``. ``established``: the time since when the
account has played enough others on enough days to stand in the list; null before."""

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("session_id", Text, ForeignKey("played.session_id", ondelete="CASCADE"), nullable=False),
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("before", Float, nullable=False),
    Column("after", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("made", DateTime, nullable=False),
    PrimaryKeyConstraint("session_id", "account_id"),
    Index("ix_rating_changes_account", "account_id", "kind"),
)
"""The change of a rating by a rated match; there is one row for each player, so that no match counts twice."""

challenges = Table(
    "challenges",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=False),
    Column("invitation", Text, nullable=False),
    Column("creator", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=True),
    Column("target", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=True),
    Column("name", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime, nullable=False),
    Column("address", Text, nullable=True),
    Column("pool", Text, nullable=True),
    Index("ix_challenges_expires", "expires"),
    Index("ix_challenges_target", "target"),
)
"""Challenges that are not accepted yet. ``session_id`` is the session that waits for a second player and ``invitation``
opens its seat; ``target`` is the account that is challenged, null for everybody; ``facts`` is JSON for those who read
the list; ``address`` is where it was made (of IPv6 the network), null where addresses are not counted; ``pool`` is the
pool in which it waits to be paired (``accounts.pairing``), null for a challenge that is listed."""

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
    Column("session_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=True),
    Column("side", Text, nullable=True),
    Column("created", DateTime, nullable=False),
    Column("failures", SmallInteger, nullable=False),
    Column("language", Text, nullable=True),
    UniqueConstraint("name"),
    Index("ix_push_subscriptions_session", "session"),
    Index("ix_push_subscriptions_seat", "session_id", "side"),
    Index("ix_push_subscriptions_endpoint", "endpoint"),
)
"""Browsers that get a message when it is their turn: of an account while it is signed in there (``session``), or of
one seat of a game. ``endpoint`` is the address at the browser's push service, ``p256dh`` and ``auth`` are the keys by
which only that browser reads it, ``origin`` is the address at which it knows us, ``language`` what its person reads;
``name`` is a hash of the others and of the seat. ``failures`` counts deliveries in vain, one after the other."""

lesson_progress = Table(
    "lesson_progress",
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
