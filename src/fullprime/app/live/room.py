"""A room: one match played through a server, the people who may act in it, and its spectators.

A seat is opened by a key that only its holder has; the server keeps a hash. An action is a line of text in the grammar
of ``commands``. Every action is stored before it is told, and told to all who watch. A room may be open in several
processes at once (see ``room_copy``): the process that comes second is told that the game has gone on.

To add another kind of event to a room (talk, an offer of a rematch, a clock):

* A change of the game is an event of the match: an ``Action`` or a ``Setup`` for the table in :meth:`Room.change`.
* Anything that is stored elsewhere is a ``RoomPart``, made for each room by a factory in ``Rooms(parts=…)``. It
  stores with ``store.games.rooms.touch`` in the same transaction, then calls :meth:`Room.part_changed`. Its
  ``catch_up`` reads the rows that it has not seen yet, here and in every other process that has the room open, and
  gives the news to tell; its ``view`` is added to the state.
* The time at which an event was stored stands in ``table.times``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from fullprime.app.choices.houses import HOUSE_TAG
from fullprime.app.choices.positions import game_from_id
from fullprime.app.live import endings, resigning, room_dice
from fullprime.app.live.endings import Closing
from fullprime.app.live.room_copy import GoneOn, Home, RoomCopy, RoomPart, number_of
from fullprime.app.live.room_view import ACCOUNTS, HELPED, missing_seeds
from fullprime.app.sessions.fields import DiceProof
from fullprime.app.sessions.keys import hashed, is_hash, new_key, opens
from fullprime.app.sessions.view import BOTH
from fullprime.app.table import proof
from fullprime.app.table.commands import find_word, obey
from fullprime.app.table.dice import TableDice
from fullprime.app.table.events import SIDES, Event, Side
from fullprime.app.table.happenings import Happening
from fullprime.app.table.naming import checked_name, seat_name
from fullprime.app.table.scorecard import ScoreCard, empty_card, score_card
from fullprime.app.table.seating import new_table
from fullprime.app.table.table import HUMAN, Table
from fullprime.common.refusals import Refusal
from fullprime.play.events import Seat
from fullprime.play.links import server_chain
from fullprime.play.rulings import as_played
from fullprime.rules.errors import FullprimeError, IllegalAction, NotationError, SettingsError
from fullprime.rules.game import Phase
from fullprime.rules.links import FORMULA, LENGTH, SPARE, is_link
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.store.errors import StoreConflict, StoreError
from fullprime.store.games.rooms import SavedRoom

QUESTIONS = ("board", "plays", "pip", "score", "rules", "help", "hint", "save", "quit")
"""Words that change nothing: anybody who has a seat may say them at any time."""

_THROWN = (Phase.OPENING_ROLL, Phase.CUBE_DECISION, Phase.ROLL)
_USUAL = ("roll", "double", "take", "drop", "beaver", "raccoon", "resign", "accept", "refuse", "done", "choose", "next")


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper(Home):
    """The services that a room needs of its keeper."""

    ask_bot: Callable[[Room], None]
    """Sees to it that :meth:`Room.bot_acts` is called soon, by another thread."""
    parts: tuple[Callable[[Room], RoomPart], ...] = ()


class Room(RoomCopy):
    """One match between two seats. Its methods may be called from any thread; one action is done at a time."""

    def __init__(self, room_id: str, keeper: Keeper, saved: SavedRoom | None = None) -> None:
        super().__init__(room_id, keeper, saved)
        self._call_bot = keeper.ask_bot
        self.parts = tuple(make(self) for make in keeper.parts)

    # -- reading ------------------------------------------------------------------------------------------
    def knows(self, key: str | None) -> bool:
        """True if a key opens a seat, as far as this process knows."""
        return bool(self._seats(key))

    def seat_of(self, key: str | None) -> Seat | None:
        """``X``, ``O``, ``both``, or None for a spectator; raises Refusal where nobody may watch."""
        seats = self._seats(key)
        if not seats and not self.saved.options["spectators"]:
            raise Refusal("this game is private", "forbidden")
        return None if not seats else BOTH if len(seats) == 2 else seats[0]

    @property
    def proof(self) -> DiceProof:
        """The proof of the dice: the secret is None until the game is closed; links are told with each throw."""
        with self.lock:
            saved = self.saved
            over, table = self.is_closed, self._table
            thrown = list(proof.throws_of(saved, table.match, table.thrown_with)) if table is not None else []
            return {
                "formula": FORMULA,
                "commitment": self.commitment,
                "seeds": {side: saved.seeds.get(side, "") for side in SIDES},
                "secret": saved.secret if over else None,
                "throws": [list(each.dice) for each in thrown] if over else None,
                "drawn": [2 * each.number - 2 for each in thrown] if over else None,
                "links": room_dice.linked_proof(saved, thrown),
            }

    @property
    def commitment(self) -> str:
        """The server's commitment to its part of the dice."""
        return proof.commitment(self.saved)

    def record(self, name: str = "mat") -> tuple[bytes, str]:
        """The match so far as a file of the format of that name, and the name of the file.

        Raises Refusal before the game has begun, FormatError for a format that cannot carry it.
        """
        from fullprime.formats import FORMATS, Document, write

        match, house = self.match, self.saved.options.get("house")
        if house:
            match = replace(match, info={**match.info, HOUSE_TAG: str(house)})
        data, _ = write(Document(match), name)
        known = FORMATS.get(name)
        extension = known.extensions[0] if known is not None and known.extensions else f".{name}"
        return data, f"fullprime-{self.id}{extension}"

    @property
    def match(self) -> Match:
        """The match as it was played, without the actions taken back; raises Refusal before the game has begun."""
        with self.lock:
            if self._table is None:
                raise Refusal("the game has not begun", "missing")
            return as_played(self._table.match)

    @property
    def card(self) -> ScoreCard:
        """The score card; before the game has begun one that can be filled in by hand."""
        with self.lock:
            begun, saved = self._table is not None, self.saved
        if begun:
            return score_card(self.match)
        return empty_card(saved.settings, (saved.names[0], "" if "invite" in saved.keys else saved.names[1]))

    # -- sitting down -------------------------------------------------------------------------------------
    def join(self, invitation: str, name: str, *, account: bool = False) -> str:
        """Sit down in the free seat, with an account or as a guest; gives its key. An invitation is for one person."""
        name = checked_name(name)

        def sit() -> str:
            saved = self.saved
            if saved.closed:
                raise Refusal("this game was called off", "forbidden")
            if not opens(invitation, saved.keys.get("invite")):
                taken = "the seat is taken" if "invite" not in saved.keys else "this is no invitation to this game"
                raise Refusal(taken, "forbidden")
            key = new_key()
            keys = {**{k: v for k, v in saved.keys.items() if k != "invite"}, "O": hashed(key)}
            names = (saved.names[0], seat_name(name, saved.names[0]))
            accounts = [*saved.options.get(ACCOUNTS, []), *(["O"] if account else [])]
            self.save(replace(saved, keys=keys, names=names, options={**saved.options, ACCOUNTS: accounts}))
            return key

        return self.changing(sit)

    def add_seed(self, seat: Seat | None, seed: str, *, links: bool = False) -> None:
        """A player adds to the dice; when all have, the game begins.

        With ``links`` the seed is the anchor of a chain, whose links the player promises for all throws. Without, it
        stays the same for all: the server then knows this player's throws before.
        """
        side = _side(seat)

        def add() -> None:
            saved = self.saved
            if saved.closed:
                raise IllegalAction("this game was called off")
            if side is None or side not in missing_seeds(saved):
                raise Refusal("your seed has been added" if side else "you have no seat here", "forbidden")
            saved = replace(saved, seeds={**saved.seeds, side: proof.checked_seed(seed)})
            if links:
                saved = replace(saved, options=_promised(saved, side, 1, seed))
            if missing_seeds(saved):
                self.save(saved)
            else:
                self._begin(saved)

        self.changing(add)
        self.wake()

    # -- links of the dice --------------------------------------------------------------------------------
    def begin_chain(self, seat: Seat | None, number: int, anchor: str) -> None:
        """From throw ``number``, the next one, on a player's links are of a new chain: that of another device, or the
        one after a chain that is used up. It is seen in the proof.
        """
        side = _side(seat)

        def begin() -> None:
            table, saved = self._begun_by(side)
            if number != table.throws + 1:
                raise Refusal(f"the next throw is number {table.throws + 1}, not {number}", "stale")
            if table.session.links.link_of(Player[side or "X"], number) is not None:
                raise IllegalAction("the link for the next throw has been told already")
            room_dice.may_begin(saved, side or "X", number, table.match)
            self.save(replace(saved, options=_promised(saved, side or "X", number, anchor)))

        self.changing(begin)

    def give_link(self, seat: Seat | None, number: int, link: str) -> list[Event]:
        """A player's link for a throw that waits for nothing else; gives the events, once all links are there.

        Raises Refusal ("stale") where another throw is next, IllegalAction for a link that was not promised, or that
        nobody waits for.
        """
        side = _side(seat)

        def give() -> list[Event]:
            table, saved = self._begun_by(side)
            if number != table.throws + 1:
                raise Refusal(f"the next throw is number {table.throws + 1}, not {number}", "stale")
            if self.enforce():
                raise Refusal("it is too late: the game is over", "stale")
            if side is None or side not in table.awaited:
                raise IllegalAction("no link of yours is awaited now")
            return self._take_link(table, saved, side, link)

        with self.lock:
            if self.stale:
                self.catch_up()
            try:
                return give()
            except GoneOn:
                raise
            except StoreConflict:
                self.catch_up()
                return give()
            except StoreError:
                raise
            except FullprimeError:
                if not (self.home.shared and self.catch_up()):
                    raise
                return give()

    def _take_link(self, table: Table, saved: SavedRoom, side: Side, link: str) -> list[Event]:
        """Take a link; the throw follows when it was the last one missing."""
        table.hear_link(Player[side], link)
        if table.session.missing:
            self.save(replace(saved, options=room_dice.told(saved, side, table.throws + 1, link)))
            self.home.turned(self)
            return []
        opens = table.game.phase is Phase.OPENING_ROLL and not table.automatic
        happened = self.stored(table, table.throw if opens else table.go_on)
        self._ask_bot()
        return [each.json for each in happened]

    def _begun_by(self, side: Side | None) -> tuple[Table, SavedRoom]:
        """The table and the room, for a player; raises Refusal."""
        if side is None:
            raise Refusal("you are watching: only players act", "forbidden")
        if self._table is None:
            raise Refusal("the game has not begun", "stale")
        if self.is_closed:
            raise IllegalAction("the session is over")
        return self._table, self.saved

    def _begin_next(self, table: Table) -> list[Event]:
        """Begin the next game, of which nothing is stored before the links for its opening throw are there."""
        last = table.session.links.server[-1] + LENGTH - 1
        if last - table.throws < SPARE:
            first = table.throws + 1
            anchor = server_chain(self.saved.secret, first).anchor
            options = room_dice.chain_begun(self.saved, proof.SERVER, first, anchor)
            self.save(replace(self.saved, options=options))
        events = [each.json for each in self.stored(table, table.next_game)]
        if table.game_is_new:
            self._begun_without_throw(table, events)
        self._ask_bot()
        return events

    # -- playing ------------------------------------------------------------------------------------------
    def act(
        self,
        seat: Seat | None,
        line: str,
        *,
        moves: Iterable[str] = (),
        sequence: int | None = None,
        link: str | None = None,
    ) -> tuple[list[Event], list[str]]:
        """Carry out a line; gives the events, and the checker moves of a play that is not complete.

        ``moves`` are those already made of it on this person's board. With ``sequence``, Refusal ("stale") is
        raised when anything has happened that the person has not seen. ``link`` is the player's link for the throw that
        the line makes. The answers of bots come later.
        """
        moves = tuple(moves)
        with self.lock:
            if self.stale:
                self.catch_up()
            try:
                done = self._act(seat, line, moves, sequence, link)
            except (GoneOn, StoreError):
                raise
            except FullprimeError:
                # Perhaps another process has gone on, and only the copy here is behind.
                if not (self.home.shared and self.catch_up()):
                    raise
                done = self._act(seat, line, moves, sequence, link)
            self._ask_bot()
            return done

    def act_if_free(
        self,
        seat: Seat | None,
        line: str,
        *,
        moves: tuple[str, ...] = (),
        sequence: int | None = None,
        link: str | None = None,
    ) -> tuple[list[Event], list[str]] | None:
        """The same as :meth:`act` for a caller that may wait for nothing but storing, such as an event loop.

        None, with nothing done, where more is needed: another thread is acting, another process has gone on, or the
        line is not one of the usual ones. Raises StoreError when it is not known if the event was stored.
        """
        if self.is_taken or not self.lock.acquire(blocking=False):
            return None
        self.is_taken = True
        try:
            table = self._table
            if self.stale or table is None or not _is_usual(table, line):
                return None
            if table.game.is_over and not table.automatic:
                return None  # the next game may begin without an event of its own
            known = table.actions_kept
            try:
                done = self._act(seat, line, moves, sequence, link)
            except StoreError:
                raise
            except FullprimeError:
                if table.actions_kept != known:
                    raise  # a flag had fallen: that is stored
                return None  # perhaps only this copy is behind
            self._ask_bot()
            return done
        finally:
            self.is_taken = False
            self.lock.release()

    def _act(
        self, seat: Seat | None, line: str, moves: tuple[str, ...], sequence: int | None, link: str | None
    ) -> tuple[list[Event], list[str]]:
        table = self._table
        if seat is None:
            raise Refusal("you are watching: only players act", "forbidden")
        if table is None:
            raise Refusal("the game has not begun", "stale")
        if sequence is not None and sequence != table.actions_kept:
            raise Refusal(f"the game has gone on: {table.actions_kept} events, not {sequence}", "stale")
        word = _word(table, line)
        is_beside = resigning.is_beside(self, table, seat, word)
        if word not in QUESTIONS:
            self._may_act(table, seat, in_turn=not is_beside)
            if self.enforce():
                raise Refusal("it is too late: the game is over", "stale")
        elif word == "hint" and table.seats == (HUMAN, HUMAN) and seat != BOTH:
            raise Refusal("there are no hints in a game between two people", "forbidden")
        elif word == "hint" and not self.saved.options.get(HELPED):
            self.changing(lambda: self.save(replace(self.saved, options={**self.saved.options, HELPED: True})))
        if word in ("next", "roll") and (table.game.is_over and not table.is_over):
            return self._begin_next(table), []
        if link is not None:
            done = self._heard_link(table, _side(seat), word, link)
            if done is not None:
                return done, []
        if is_beside and seat != BOTH:
            return resigning.act(self, table, seat, line), []
        table.moves = ()

        def do() -> list[Happening]:
            for made in moves:
                table.step(made)
            return obey(table, line)

        left: list[str] = []
        try:
            happened = self.stored(table, do)
            left = list(map(str, table.moves))
        finally:
            table.moves = ()
        events = [each.json for each in happened]
        if table.game_is_new and any(event["kind"] == "new_game" for event in events):
            self._begun_without_throw(table, events)
        return events, left

    def _begun_without_throw(self, table: Table, events: list[Event]) -> None:
        """The next game has begun and nothing is thrown in it yet: the room keeps that it has."""

        def begin() -> None:
            saved = self.saved
            if saved.options.get("game", 1) < table.game_number:
                self.save(replace(saved, options={**saved.options, "game": table.game_number}), events)

        self.changing(begin)

    def _heard_link(self, table: Table, side: Side | None, word: str | None, link: str) -> list[Event] | None:
        """Take the link that comes with a roll; gives the events where it was the opening, None where the roll follows.

        A link that comes with anything else is refused, so that nobody tells it before the throw is due.
        """
        game = table.game
        if side is None or word != "roll" or game.phase not in _THROWN or Player[side] not in table.session.needed:
            raise IllegalAction("a link is told with the roll that needs it, and with nothing else")
        if game.phase is Phase.OPENING_ROLL:
            return self._take_link(table, self.saved, side, link)
        table.hear_link(Player[side], link)
        return None

    def change(self, do: Callable[[Table], list[Happening]]) -> list[Event]:
        """Do something else with the table, such as ``table.rule``; gives the events.

        Raises Refusal ("stale") when another process was first.
        """
        with self.lock:
            table = self._table
            if table is None:
                raise Refusal("the game has not begun", "stale")
            happened = self.stored(table, lambda: do(table))
            self._ask_bot()
            return [each.json for each in happened]

    def enforce(self) -> bool:
        """End the game where that is due without anybody's action; gives True if it was."""
        with self.lock:
            table = self._table
            if table is None or table.game.is_over or self.saved.closed:
                return False
            if room_dice.is_given_up(self.saved, table):
                self.stored(table, table.throw_alone)
                return False
            for part in self.parts:
                setup = part.due()
                if setup is not None:
                    self.stored(table, lambda setup=setup: table.rule(setup))  # type: ignore[misc]
                    return True
            return False

    def close(self, seat: Seat | None, how: Closing = "end") -> None:
        """End a game that is not played out (see ``endings``); once it is over, the secret of the dice is told."""
        endings.close(self, seat, how)

    def wake(self) -> None:
        """Go on where a stopped server left off, with everything that needs no decision of a person."""
        with self.lock:
            table = self._table
            if table is not None and not table.game.is_over and not self.saved.closed:
                try:
                    if self.enforce():
                        return
                    self.stored(table, table.go_on)
                except Refusal:
                    return  # another process goes on
                self._ask_bot()

    # -- bots ---------------------------------------------------------------------------------------------
    @property
    def bot_is_due(self) -> bool:
        """True if nothing happens until a bot has chosen."""
        return self._table is not None and self._table.bot_is_due and not self.saved.closed

    def bot_acts(self) -> None:
        """Have the bot whose turn it is choose once, if there is one; nobody waits for it while it thinks."""
        with self.lock:
            table = self._table
            if table is None or not self.bot_is_due:
                return
            game, bot = table.game, table.bot
        action = bot.choose(game)
        with self.lock:
            if self._table is table and table.game is game:
                try:
                    self.stored(table, lambda: table.answer(action))
                    if table.awaited and table.game is game:
                        self._say_bot_rolls(table.actions_kept)
                except (Refusal, StoreConflict):
                    return  # the bot has chosen in another process

    def _say_bot_rolls(self, kept: int) -> None:
        """Tell that a bot has decided to throw, which needs a link; other processes must know it too."""
        if self.home.shared:
            self.save(replace(self.saved, options={**self.saved.options, "rolls_at": kept}))
        else:
            self.publish([])

    def _ask_bot(self) -> None:
        if self.bot_is_due:
            self._call_bot(self)

    # -- inside -------------------------------------------------------------------------------------------
    def _seats(self, key: str | None) -> list[Side]:
        if not key:
            return []
        mine = hashed(key)
        return [side for side in SIDES if is_hash(mine, self.saved.keys.get(side))]

    def _may_act(self, table: Table, seat: Seat, *, in_turn: bool) -> None:
        if self.saved.closed:
            raise IllegalAction("the session is over")
        turn = table.turn
        if in_turn and turn is not None and seat not in (BOTH, turn.name):
            raise Refusal(f"it is {table.names[turn]} who must act now", "forbidden")

    def _begin(self, saved: SavedRoom) -> None:
        begun_at = saved.options.get("position")
        game = game_from_id(begun_at, saved.settings, override=True)[0] if begun_at else None
        table = new_table(
            saved.settings,
            bot=None if saved.seats[1] == HUMAN else saved.seats[1],
            names=saved.names,
            game=game,
            dice=TableDice(linked=True),
            store=self.home.games,
            automatic=saved.options["automatic"],
            confirm=True,
        )
        number = number_of(table)
        try:
            self.save(replace(saved, number=number))
        except StoreConflict:
            self.home.games.remove(number)
            raise
        self.home.turned(self)


def _side(seat: Seat | None) -> Side | None:
    """The side whose links somebody in a seat gives."""
    return "X" if seat == BOTH else seat


def _promised(saved: SavedRoom, side: Side, first: int, anchor: str) -> Mapping[str, object]:
    """The options of a room in which a player has promised links; raises SettingsError for what is no anchor."""
    if not is_link(anchor):
        raise SettingsError(f"the anchor of a chain has 64 hexadecimal digits, not {anchor[:70]!r}")
    if any(each.anchor == anchor for each in proof.chains(saved)):
        raise SettingsError("there is a chain with this anchor already: begin one of your own")
    return room_dice.chain_begun(saved, side, first, anchor)


def _is_usual(table: Table, line: str) -> bool:
    """True if a line is done quickly: a play as it was told, or a word that asks nothing of the engine.

    A game that begins with links changes the room, as a resignation between people does, and that waits for the
    database.
    """
    if table.game.is_over or table.game.phase is Phase.OPENING_ROLL:
        return False
    if line in table.plays:
        return True
    word = _word(table, line)
    return word in _USUAL and not (word in resigning.WORDS and table.seats == (HUMAN, HUMAN))


def _word(table: Table, line: str) -> str | None:
    """The command that a line gives, or None for a play or nonsense."""
    if line in table.plays:
        return None
    words = line.split()
    try:
        return find_word(words[0], table) if words else None
    except NotationError:
        return None
