"""Copies of the matches of a library, made by the database itself: thousands of matches in a minute.

Every copy has rows of its own in all tables. Its boards are others, too (a checker of each side stands elsewhere), but
for those of the first moves: the matches of a real library share few boards.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Table,
    Text,
    column,
    func,
    insert,
    literal,
    select,
    table,
    text,
)

from fullprime.db.schema.library import (
    library_boards,
    library_copies,
    library_decisions,
    library_figures,
    library_games,
    library_matches,
    library_positions,
    library_reviews,
    library_sources,
)
from fullprime.library.store.rows import insert_boards
from fullprime.reviews.match_facts import Cells, cells_of, position_of

OPENING = 145
"""Boards on which both sides have more pips than this are those of the first moves."""
_TABLES = (
    library_matches, library_sources, library_copies, library_games, library_positions, library_reviews,
    library_figures, library_decisions,
)  # fmt: skip
_NUMBERS: Mapping[str, Table] = {
    "match_id": library_matches, "source_id": library_sources, "review_id": library_reviews,
}  # fmt: skip
_OTHER = table("other_boards", column("of", Integer), column("old"), column("new"))


def copy_matches(engine: Engine, matches: int) -> None:
    """Copy the matches that are there, all the same number of times, until there are at least ``matches``."""
    chance = random.Random(18)
    standing = [select(table.c.match_id, table.c.board_id) for table in (library_positions, library_decisions)]
    with engine.begin() as connection:
        count = connection.execute(select(func.count()).select_from(library_matches)).scalar_one()
        last = {table: connection.execute(select(func.max(table.c.id))).scalar_one() for table in _NUMBERS.values()}
        wanted = select(library_boards.c.id, library_boards.c.cells)
        boards = {int(number): bytes(cells) for number, cells in connection.execute(wanted)}
        pairs = [(int(match), int(board)) for match, board in connection.execute(standing[0].union(standing[1]))]
        connection.execute(
            text("CREATE TEMPORARY TABLE other_boards (of INTEGER, old BIGINT, new BIGINT, PRIMARY KEY (of, old))")
        )
        for number in range(1, -(-matches // count)):
            _change_boards(connection, pairs, boards, chance)
            for table in _TABLES:
                _copy(connection, table, number, last)
        connection.execute(text("DROP TABLE other_boards"))


def _copy(connection: Connection, rows: Table, number: int, last: Mapping[Table, int]) -> None:
    """The rows of a table once more, each with the numbers of copy ``number``."""
    values: list[ColumnElement[object]] = []
    for field in rows.columns:
        of = rows if field.name == "id" else _NUMBERS.get(field.name)
        if of is not None:
            values.append(field + number * last[of])
        elif field.name in ("facts", "sha256"):
            values.append(field + literal(f" {number}", Text))
        elif field.name == "board_id":
            values.append(_OTHER.c.new)
        else:
            values.append(field)
    first = rows.c["match_id" if "match_id" in rows.c else "id"]
    query = select(*values).where(first <= last[library_matches if "match_id" in rows.c else rows])
    if "board_id" in rows.c:
        query = query.join_from(rows, _OTHER, (_OTHER.c.of == rows.c.match_id) & (_OTHER.c.old == rows.c.board_id))
    connection.execute(insert(rows).from_select([field.name for field in rows.columns], query))


def _change_boards(
    connection: Connection, pairs: Sequence[tuple[int, int]], boards: Mapping[int, bytes], chance: random.Random
) -> None:
    """Another board for each of each match."""
    changed = [(match, board, _changed(boards[board], chance)) for match, board in pairs]
    insert_boards(connection, {cells.id: cells for _, _, cells in changed}.values())
    connection.execute(text("DELETE FROM other_boards"))
    connection.execute(
        text("INSERT INTO other_boards VALUES (:of, :old, :new)"),
        [{"of": match, "old": board, "new": cells.id} for match, board, cells in changed],
    )


def _changed(cells: bytes, chance: random.Random) -> Cells:
    """A board with a checker of each side elsewhere; one of the first moves as it is."""
    board = cells_of(position_of(cells))
    if min(board.own_pips, board.other_pips) > OPENING:
        return board
    row = bytearray(cells)
    for side in (0, 27):
        occupied = [slot for slot in range(1, 25) if row[side + slot]]
        free = [slot for slot in range(1, 25) if not row[27 - side + 25 - slot]]
        if occupied and free:
            row[side + chance.choice(occupied)] -= 1
            row[side + chance.choice(free)] += 1
    return cells_of(position_of(bytes(row)))


__all__ = ["copy_matches"]
