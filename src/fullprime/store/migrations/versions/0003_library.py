"""The library of matches: files as they were, matches once each, people and their names, boards, reviews."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "library_players",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_library_players"),
    )
    op.create_table(
        "library_names",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["library_players.id"], name="fk_library_names_player_id"),
        sa.PrimaryKeyConstraint("name", name="pk_library_names"),
    )
    op.create_index("ix_library_names_player", "library_names", ["player_id"])
    op.create_table(
        "library_sources",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("added", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_library_sources"),
        sa.UniqueConstraint("sha256", name="uq_library_sources"),
    )
    op.create_table(
        "library_matches",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("x_name", sa.Text, nullable=False),
        sa.Column("o_name", sa.Text, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("occasion", sa.Text, nullable=False),
        sa.Column("date", sa.Text, nullable=True),
        sa.Column("x_points", sa.Integer, nullable=False),
        sa.Column("o_points", sa.Integer, nullable=False),
        sa.Column("winner", sa.SmallInteger, nullable=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("rolls", sa.Integer, nullable=False),
        sa.Column("document", sa.LargeBinary, nullable=False),
        sa.Column("added", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_library_matches"),
        sa.UniqueConstraint("facts", name="uq_library_matches"),
    )
    op.create_index("ix_library_matches_date", "library_matches", ["date"])
    op.create_index("ix_library_matches_o", "library_matches", ["o_name"])
    op.create_index("ix_library_matches_x", "library_matches", ["x_name"])
    op.create_table(
        "library_copies",
        sa.Column("source_id", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("swapped", sa.Boolean, nullable=False),
        sa.Column("problems", sa.Text, nullable=False),
        sa.Column("program", sa.Text, nullable=True),
        sa.ForeignKeyConstraint(
            ["source_id"], ["library_sources.id"], name="fk_library_copies_source_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["library_matches.id"], name="fk_library_copies_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("source_id", "place", name="pk_library_copies"),
    )
    op.create_index("ix_library_copies_match", "library_copies", ["match_id"])
    op.create_table(
        "library_games",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("x_points", sa.Integer, nullable=False),
        sa.Column("o_points", sa.Integer, nullable=False),
        sa.Column("crawford", sa.Boolean, nullable=False),
        sa.Column("winner", sa.SmallInteger, nullable=True),
        sa.Column("points", sa.Integer, nullable=True),
        sa.Column("level", sa.SmallInteger, nullable=True),
        sa.Column("how", sa.Text, nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["library_matches.id"], name="fk_library_games_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "game", name="pk_library_games"),
    )
    op.create_table(
        "library_boards",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False, autoincrement=False),
        sa.Column("cells", sa.LargeBinary, nullable=False),
        sa.Column("own", sa.Integer, nullable=False),
        sa.Column("own_made", sa.Integer, nullable=False),
        sa.Column("other", sa.Integer, nullable=False),
        sa.Column("other_made", sa.Integer, nullable=False),
        sa.Column("own_pips", sa.SmallInteger, nullable=False),
        sa.Column("other_pips", sa.SmallInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_library_boards"),
    )
    op.create_index("ix_library_boards_pips", "library_boards", ["own_pips", "other_pips"])
    op.create_index(
        "ix_library_boards_places",
        "library_boards",
        ["own", "other", "own_made", "other_made", "own_pips", "other_pips"],
    )
    op.create_table(
        "library_positions",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("event", sa.Integer, nullable=False),
        sa.Column("player", sa.SmallInteger, nullable=False),
        sa.Column("board_id", sa.BigInteger, nullable=False),
        sa.Column("dice", sa.SmallInteger, nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["library_matches.id"], name="fk_library_positions_match_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["board_id"], ["library_boards.id"], name="fk_library_positions_board_id"),
        sa.PrimaryKeyConstraint("match_id", "game", "event", name="pk_library_positions"),
    )
    op.create_index("ix_library_positions_board", "library_positions", ["board_id"])
    op.create_table(
        "library_reviews",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("engine", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.Column("x_luck", sa.Float, nullable=True),
        sa.Column("o_luck", sa.Float, nullable=True),
        sa.Column("made", sa.DateTime, nullable=False),
        sa.Column("review", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["library_matches.id"], name="fk_library_reviews_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_library_reviews"),
        sa.UniqueConstraint("match_id", "engine", "level", name="uq_library_reviews"),
    )
    op.create_table(
        "library_decisions",
        sa.Column("review_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("event", sa.Integer, nullable=False),
        sa.Column("player", sa.SmallInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("mistake", sa.Text, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("loss", sa.Float, nullable=False),
        sa.Column("played", sa.Text, nullable=False),
        sa.Column("best", sa.Text, nullable=False),
        sa.Column("dice", sa.SmallInteger, nullable=True),
        sa.Column("board_id", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(
            ["review_id"], ["library_reviews.id"], name="fk_library_decisions_review_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["library_matches.id"], name="fk_library_decisions_match_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["board_id"], ["library_boards.id"], name="fk_library_decisions_board_id"),
        sa.PrimaryKeyConstraint("review_id", "number", name="pk_library_decisions"),
    )
    op.create_index("ix_library_decisions_board", "library_decisions", ["board_id"])
    op.create_index("ix_library_decisions_loss", "library_decisions", ["loss"])
    op.create_index("ix_library_decisions_match", "library_decisions", ["match_id", "player"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("library_decisions")
    op.drop_table("library_reviews")
    op.drop_table("library_positions")
    op.drop_table("library_boards")
    op.drop_table("library_games")
    op.drop_table("library_copies")
    op.drop_table("library_matches")
    op.drop_table("library_sources")
    op.drop_table("library_names")
    op.drop_table("library_players")
