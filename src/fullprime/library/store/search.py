"""Questions to the library: matches, boards that fit a pattern, decisions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select

from fullprime.common.json_values import JsonFields, json_names
from fullprime.db.schema.library import (
    library_boards,
    library_decisions,
    library_figures,
    library_games,
    library_matches,
    library_positions,
    library_reviews,
)
from fullprime.library.store.figures import DecisionFigures, read_figures
from fullprime.library.store.library import LibraryStore, MatchRow
from fullprime.library.store.patterns import Pattern, SidePattern
from fullprime.library.store.rows import Person, find_person
from fullprime.reviews.match_facts import cells_of, plain_name, position_of
from fullprime.rules.dice import Roll
from fullprime.rules.position import Position
from fullprime.rules.printing import Record
from fullprime.rules.score import Player
from fullprime.rules.words import in_game

Condition = ColumnElement[bool]
_PLAYERS = tuple(Player)
_CHUNK = 500
"""Rows that are looked at in one go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The conditions of a search; None (or nothing) for one that does not matter."""

    numbers: tuple[int, ...] = ()
    player: str | None = None
    """A name, or a part that only one person has; all names of that person are meant."""
    opponent: str | None = None
    event: str | None = None
    """A part of the event, round or site."""
    since: str | None = None
    """The first date, ``2026-11-21``. Matches without a date are then not found."""
    until: str | None = None
    length: int | None = None
    """Points of the match; 0 for money."""
    variant: str | None = None
    score: tuple[int, int] | None = None
    """A game began at this score: the player's points first if one is named, else either way round."""
    away: tuple[int, int] | None = None
    """The same, as points still needed."""
    reviewed: bool | None = None
    played: bool = False
    """Only matches in which dice were rolled, not single positions."""
    # -- boards and decisions
    pattern: Pattern | None = None
    dice: Roll | None = None
    kind: str | None = None
    stage: str | None = None
    verdicts: tuple[str, ...] = ()
    mistake: str | None = None
    theme: str | None = None
    """A sort of error, such as ``misses a hit``."""
    plan: str | None = None
    """The kind of game of the player who decided, such as ``blitz``."""
    loss: float | None = None
    """The least loss, in points of equity."""
    level: str | None = None
    """Reviews of this level only; else the newest review of each match counts."""

    @property
    def of_decisions(self) -> bool:
        """True if only a review can answer."""
        conditions = self.kind or self.stage or self.verdicts or self.mistake or self.theme or self.plan
        return bool(conditions) or self.loss is not None

    @property
    def of_boards(self) -> bool:
        """True if boards are looked for, not whole matches."""
        return self.pattern is not None or self.dice is not None or self.of_decisions


@dataclass(frozen=True, slots=True)
class Hit:
    """A found board, seen by the player on roll; the fields of a review are None where none was asked."""

    __json__: ClassVar[JsonFields] = json_names(
        "match", "game", "event", "move", "player", "position", "dice", "kind", "stage", "verdict", "mistake", "loss",
        "played", "best", "theme", "plan", game="game_number", event="event_number",
    )  # fmt: skip

    match: int
    """Its match in the library."""
    game: int
    event: int
    player: Player
    """The player who decided; without a decision, the player on roll."""
    position: Position
    """The board in our text form, the player on roll first."""
    dice: Roll | None
    """The roll, the higher die first; None before it is thrown."""
    kind: str | None = None
    """The kind of the decision."""
    stage: str | None = None
    """The phase of the game."""
    verdict: str | None = None
    """The name of the loss."""
    mistake: str | None = None
    """The kind of a cube error; None for none."""
    loss: float | None = None
    """The loss of the decision."""
    played: str | None = None
    """The choice that was made."""
    best: str | None = None
    """The choice of the engine."""
    theme: str | None = None
    """The sort of the error; None for none."""
    plan: str | None = None
    """The kind of game of the player who decided; None where no kind is plain."""
    move: int | None = None
    """The number of the move in its game, from 1; None before it has been looked up."""

    @property
    def game_number(self) -> int:
        """The number of the game, from 1."""
        return self.game + 1

    @property
    def event_number(self) -> int:
        """The number of the event in the game, from 1."""
        return self.event + 1

    def record(self) -> Record:
        """One row of a table; games, events and moves count from 1."""
        return {
            "match": self.match, "game": self.game + 1, "event": self.event + 1, "move": self.move,
            "player": str(self.player), "position": self.position.text, "kind": self.kind,
            "dice": None if self.dice is None else str(self.dice),
            "stage": self.stage, "verdict": self.verdict, "mistake": self.mistake, "loss": self.loss,
            "played": self.played, "best": self.best, "theme": self.theme, "plan": self.plan,
        }  # fmt: skip

    def __str__(self) -> str:
        place = f"game {self.game + 1}" if self.move is None else in_game(self.game + 1, self.move)
        where = f"Match {self.match}, {place}, {self.player}"
        dice = f" {self.dice}" if self.dice is not None else ""
        cost = f": {self.played} loses {self.loss:.3f}, best is {self.best}" if self.loss else ""
        return f"{where}{cost}\n  {self.position.text}{dice}"


@dataclass(frozen=True, slots=True)
class Sequel:
    """The board after a hit, seen by the player on roll there, and the result of the game; None while it has none."""

    hit: Hit
    player: Player
    position: Position
    winner: Player | None
    points: int | None


class Search:
    """Answers from one library."""

    def __init__(self, library: LibraryStore) -> None:
        self._library = library

    @cached_property
    def people(self) -> list[Person]:
        """The players of the library, read once."""
        return self._library.list_people()

    def get_person(self, text: str) -> Person:
        """The person with a name, or with a part of one that only one person has; raises StoreError."""
        return find_person(self.people, text)

    def list_matches(
        self, wanted: Wanted, limit: int | None = None, offset: int = 0, *, latest: bool = False
    ) -> list[MatchRow]:
        """Matches, by date and number, or the latest first; of boards and decisions nothing is asked."""
        table = library_matches
        reviewed = exists().where(library_reviews.c.match_id == table.c.id, library_reviews.c.complete)
        columns = [
            table.c[name]
            for name in (
                "id", "x_name", "o_name", "variant", "length", "event", "date", "x_points", "o_points", "winner",
                "games", "rolls",
            )
        ]  # fmt: skip
        query = select(*columns, reviewed.label("reviewed")).where(*self._match_conditions(wanted))
        order = (func.coalesce(table.c.date, ""), table.c.id)
        query = query.order_by(*(column.desc() if latest else column for column in order)).limit(limit).offset(offset)
        with self._library.engine.begin() as connection:
            return [_match_row(row) for row in connection.execute(query)]

    def count_matches(self, wanted: Wanted) -> int:
        """The number of matches like that."""
        query = select(func.count()).select_from(library_matches).where(*self._match_conditions(wanted))
        with self._library.engine.begin() as connection:
            return int(connection.execute(query).scalar_one())

    def list_boards(self, wanted: Wanted, limit: int | None = None) -> list[Hit]:
        """Boards and decisions, the most costly first where losses are known, else match by match."""
        query = self._decisions(wanted) if wanted.of_decisions else self._positions(wanted)
        if wanted.pattern is None:
            query = query.limit(limit)
        hits: list[Hit] = []
        with self._library.engine.begin() as connection:
            rows = connection.execution_options(yield_per=_CHUNK).execute(query).mappings()
            for chunk in rows.partitions():
                # The boards only of the rows that are shown: the database would carry them along while it sorts.
                positions = _boards(connection, {int(row["board_id"]) for row in chunk})
                for row in chunk:
                    position = positions[row["board_id"]]
                    if wanted.pattern is None or wanted.pattern.fits(position):
                        hits.append(_to_hit(row, position))
                    if len(hits) == limit:
                        return hits
        return hits

    def find_sequels(self, hits: Sequence[Hit]) -> list[Sequel]:
        """The next board of the game of each hit, and the game's result; a hit that has no next board has none."""
        here, after, later, game = (
            table.alias() for table in (library_positions, library_positions, library_positions, library_games)
        )
        following = select(func.min(later.c.event)).where(
            later.c.match_id == here.c.match_id, later.c.game == here.c.game, later.c.event > here.c.event
        )
        hits_by_place = {(hit.match, hit.game, hit.event): hit for hit in hits}
        numbers, sequels = sorted({hit.match for hit in hits}), []
        query = (
            select(here.c.match_id, here.c.game, here.c.event, after.c.player, after.c.board_id, game.c.winner,
                   game.c.points)
            .join(after, and_(after.c.match_id == here.c.match_id, after.c.game == here.c.game))
            .join(game, and_(game.c.match_id == here.c.match_id, game.c.game == here.c.game))
            .where(after.c.event == following.scalar_subquery())
            .where(here.c.board_id.in_({cells_of(position).id for position in {hit.position for hit in hits}}))
        )  # fmt: skip
        with self._library.engine.begin() as connection:
            for start in range(0, len(numbers), _CHUNK):
                chunk_query = query.where(here.c.match_id.in_(numbers[start : start + _CHUNK]))
                rows = [row for row in connection.execute(chunk_query) if tuple(row[:3]) in hits_by_place]
                boards = _boards(connection, {int(row.board_id) for row in rows})
                for row in rows:
                    winner = None if row.winner is None else _PLAYERS[row.winner]
                    place = hits_by_place[row.match_id, row.game, row.event]
                    sequels.append(Sequel(place, _PLAYERS[row.player], boards[row.board_id], winner, row.points))
        return sequels

    def load_figures(self, wanted: Wanted) -> DecisionFigures:
        """The decisions of the reviews of these matches as columns, match by match; reviews without figures are not in
        them.
        """
        with self._library.engine.begin() as connection:
            # Sorted here: the database would carry the figures along.
            return read_figures(
                sorted((number, blob) for number, blob in connection.execute(self.select_figures(wanted)))
            )

    def select_figures(self, wanted: Wanted) -> Select[Any]:
        """The question for the figures of these matches; indexes alone tell which reviews are the newest."""
        table = library_figures
        query = select(table.c.match_id, table.c.figures)
        if wanted.level is not None:
            query = query.join(library_reviews, library_reviews.c.id == table.c.review_id)
            query = query.where(library_reviews.c.level == wanted.level)
        query = query.join(library_matches, library_matches.c.id == table.c.match_id)
        return query.where(
            *self._match_conditions(wanted), _is_current(table.c.review_id, table.c.match_id, wanted.level)
        )

    def list_without_figures(self) -> list[int]:
        """The matches with complete reviews that an older version stored, without their figures."""
        table = library_reviews
        without = ~exists().where(library_figures.c.review_id == table.c.id)
        query = select(table.c.match_id).where(without, table.c.complete).distinct()
        query = query.join(library_matches, library_matches.c.id == table.c.match_id)
        query = query.where(library_matches.c.shelf == self._library.shelf)
        with self._library.engine.begin() as connection:
            return sorted(int(number) for number in connection.execute(query).scalars())

    def get_luck(self, wanted: Wanted) -> dict[int, tuple[float | None, float | None]]:
        """X's and O's luck in each reviewed match, in points of equity."""
        table = library_reviews
        query = select(table.c.match_id, table.c.x_luck, table.c.o_luck)
        if wanted.level is not None:
            query = query.where(table.c.level == wanted.level)
        query = query.join(library_matches, library_matches.c.id == table.c.match_id)
        query = query.where(*self._match_conditions(wanted), table.c.complete)
        query = query.where(_is_current(table.c.id, table.c.match_id, wanted.level))
        with self._library.engine.begin() as connection:
            return {int(row[0]): (row[1], row[2]) for row in connection.execute(query)}

    def get_results(self, wanted: Wanted) -> dict[int, list[tuple[Player, int, int | None]]]:
        """Winner, points and level of every finished game of these matches."""
        table = library_games
        query = select(table.c.match_id, table.c.winner, table.c.points, table.c.level)
        query = query.join(library_matches, library_matches.c.id == table.c.match_id)
        query = query.where(*self._match_conditions(wanted), table.c.winner.is_not(None))
        results: dict[int, list[tuple[Player, int, int | None]]] = {}
        with self._library.engine.begin() as connection:
            for number, winner, points, level in connection.execute(query.order_by(table.c.match_id, table.c.game)):
                results.setdefault(number, []).append((_PLAYERS[winner], points, level))
        return results

    # -- conditions ----------------------------------------------------------------------------------------------
    def _match_conditions(self, wanted: Wanted) -> list[Condition]:
        table = library_matches.c
        conditions: list[Condition] = [table.shelf == self._library.shelf]
        if wanted.numbers:
            conditions.append(table.id.in_(wanted.numbers))
        mine = self._names(wanted.player)
        theirs = self._names(wanted.opponent)
        if mine and theirs:
            conditions.append(
                or_(
                    and_(table.x_name.in_(mine), table.o_name.in_(theirs)),
                    and_(table.o_name.in_(mine), table.x_name.in_(theirs)),
                )
            )
        elif mine or theirs:
            conditions.append(or_(table.x_name.in_(mine or theirs), table.o_name.in_(mine or theirs)))
        if wanted.event is not None:
            conditions.append(table.occasion.contains(plain_name(wanted.event), autoescape=True))
        if wanted.since is not None:
            conditions.append(table.date >= wanted.since)
        if wanted.until is not None:
            conditions.append(table.date <= wanted.until)
        if wanted.length is not None:
            conditions.append(table.length == wanted.length)
        if wanted.variant is not None:
            conditions.append(table.variant == wanted.variant)
        if wanted.played:
            conditions.append(table.rolls > 0)
        if wanted.reviewed is not None:
            # Of a question about games or reviews themselves these are others: only the match is the same.
            done = exists().where(library_reviews.c.match_id == table.id, library_reviews.c.complete)
            done = done.correlate(library_matches)
            conditions.append(done if wanted.reviewed else ~done)
        if wanted.score is not None or wanted.away is not None:
            game = library_games.c
            begun = exists().where(game.match_id == table.id, self._score_condition(wanted, mine))
            conditions.append(begun.correlate(library_matches))
        return conditions

    def _score_condition(self, wanted: Wanted, mine: Sequence[str]) -> Condition:
        game, table = library_games.c, library_matches.c
        x_side: list[Condition] = []
        o_side: list[Condition] = []
        if wanted.score is not None:
            first, second = wanted.score
            x_side += [game.x_points == first, game.o_points == second]
            o_side += [game.o_points == first, game.x_points == second]
        if wanted.away is not None:
            first, second = wanted.away
            x_side += [table.length - game.x_points == first, table.length - game.o_points == second, table.length > 0]
            o_side += [table.length - game.o_points == first, table.length - game.x_points == second, table.length > 0]
        if mine:
            x_side.append(table.x_name.in_(mine))
            o_side.append(table.o_name.in_(mine))
        return or_(and_(*x_side), and_(*o_side))

    def _names(self, text: str | None) -> tuple[str, ...]:
        return () if text is None else self.get_person(text).names

    def _whose(self, wanted: Wanted, player: ColumnElement[int]) -> list[Condition]:
        """Only the boards at which the wanted player was on roll."""
        table = library_matches.c
        names = self._names(wanted.player)
        if not names:
            return []
        return [or_(and_(player == 0, table.x_name.in_(names)), and_(player == 1, table.o_name.in_(names)))]

    def _positions(self, wanted: Wanted) -> Select[Any]:
        table, matches = library_positions, library_matches.c
        mine = select(matches.id).where(*self._match_conditions(wanted))
        query = select(*(table.c[name] for name in ("match_id", "game", "event", "player", "dice", "board_id")))
        # Not joined: the rows stand in this order, so that the search is over as soon as enough is found.
        query = query.where(table.c.match_id.in_(mine)).order_by(table.c.match_id, table.c.game, table.c.event)
        names = self._names(wanted.player)
        if names:
            sides = (
                and_(table.c.player == seat, table.c.match_id.in_(mine.where(name.in_(names))))
                for seat, name in enumerate((matches.x_name, matches.o_name))
            )
            query = query.where(or_(*sides))
        return self._narrow(query, wanted, table)

    def _decisions(self, wanted: Wanted) -> Select[Any]:
        table = library_decisions
        names = (
            "match_id", "game", "event", "player", "dice", "kind", "stage", "verdict", "mistake", "loss", "played",
            "best", "theme", "plan", "board_id",
        )  # fmt: skip
        query = (
            select(*(table.c[name] for name in names))
            .join(library_matches, library_matches.c.id == table.c.match_id)
            .where(*self._match_conditions(wanted), *self._whose(wanted, table.c.player))
            .where(table.c.review_id.in_(_current(wanted.level)))
            .order_by(table.c.loss.desc(), table.c.match_id, table.c.game, table.c.event)
        )
        if wanted.kind is not None:
            query = query.where(table.c.kind == wanted.kind)
        if wanted.stage is not None:
            query = query.where(table.c.stage == wanted.stage)
        if wanted.verdicts:
            query = query.where(table.c.verdict.in_(wanted.verdicts))
        if wanted.mistake is not None:
            query = query.where(table.c.mistake == wanted.mistake)
        if wanted.theme is not None:
            query = query.where(table.c.theme == wanted.theme)
        if wanted.plan is not None:
            query = query.where(table.c.plan == wanted.plan)
        if wanted.loss is not None:
            query = query.where(table.c.loss >= wanted.loss)
        elif wanted.mistake or wanted.theme:
            # An error costs something; so says the index, which passes over three decisions of four.
            query = query.where(table.c.loss > 0)
        return self._narrow(query, wanted, table)

    def _narrow(self, query: Select[Any], wanted: Wanted, table: Any) -> Select[Any]:
        if wanted.score is not None or wanted.away is not None:
            game = library_games.c
            at_score = self._score_condition(wanted, self._names(wanted.player))
            conditions = (game.match_id == table.c.match_id, game.game == table.c.game)
            query = query.where(exists().where(*conditions, library_matches.c.id == game.match_id, at_score))
        if wanted.dice is not None:
            query = query.where(table.c.dice == wanted.dice.high * 10 + wanted.dice.low)
        if wanted.pattern is not None:
            query = query.where(table.c.board_id.in_(select_fitting(wanted.pattern)))
        return query


def _boards(connection: Connection, numbers: Collection[int]) -> dict[int, Position]:
    """The boards of these numbers."""
    boards = library_boards.c
    query = select(boards.id, boards.cells).where(boards.id.in_(sorted(numbers)))
    return {int(number): position_of(cells) for number, cells in connection.execute(query)}


def select_fitting(pattern: Pattern) -> Select[Any]:
    """Numbers of the boards that may fit a pattern: an index alone answers, and the boards it gives are compared."""
    boards = library_boards.c
    conditions: list[Condition] = []
    sides: tuple[tuple[SidePattern, Any, Any, Any], ...] = (
        (pattern.player, boards.own, boards.own_made, boards.own_pips),
        (pattern.opponent, boards.other, boards.other_made, boards.other_pips),
    )
    for side, present, made_points, pips in sides:
        lowest, highest = side.pips
        if highest is not None:
            # A bound on one end alone would only lead the database away from the better index.
            conditions.append(pips.between(lowest, highest))
        if side.present or side.absent:
            conditions.append(present.bitwise_and(side.present | side.absent) == side.present)
        if side.made or side.single:
            conditions.append(made_points.bitwise_and(side.made | side.single) == side.made)
    return select(boards.id).where(*conditions)


def _current(level: str | None) -> Select[Any]:
    """The newest complete review of each match."""
    complete = select(func.max(library_reviews.c.id)).where(library_reviews.c.complete)
    query = complete.group_by(library_reviews.c.match_id)
    return query if level is None else query.where(library_reviews.c.level == level)


def _is_current(review: ColumnElement[int], match: ColumnElement[int], level: str | None) -> Condition:
    """True for the newest complete review of its match: the same, asked of one review and answered by an index."""
    later = library_reviews.alias("later")
    newer = select(later.c.id).where(later.c.match_id == match, later.c.complete, later.c.id > review)
    return ~(newer if level is None else newer.where(later.c.level == level)).exists()


def _match_row(row: Any) -> MatchRow:
    number, x_name, o_name, variant, length, event, date, x_points, o_points, winner, games, rolls, reviewed = row
    return MatchRow(
        number, (x_name, o_name), variant, length, event, date, (x_points, o_points),
        None if winner is None else _PLAYERS[winner], games, rolls, bool(reviewed),
    )  # fmt: skip


def _to_hit(row: Any, position: Position) -> Hit:
    dice = None if row["dice"] is None else Roll(*divmod(int(row["dice"]), 10))
    place = (int(row["match_id"]), int(row["game"]), int(row["event"]), Player(row["player"]), position, dice)
    if "loss" not in row:
        return Hit(*place)
    names = ("kind", "stage", "verdict", "mistake", "loss", "played", "best", "theme", "plan")
    return Hit(*place, *(None if row[name] == "" else row[name] for name in names))


def read_date(text: str) -> str:
    """A day as it is stored; raises ValueError unless it is ``2026-11-21``."""
    return datetime.strptime(text.strip(), "%Y-%m-%d").date().isoformat()  # noqa: DTZ007 - a day has no zone
