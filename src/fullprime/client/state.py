"""The state of a game on a server, as one player sees it: a frozen value, read from the JSON that the server sends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fullprime.client.wire import JsonFields
from fullprime.rules.board import BoardView, draw_board
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import RulesError
from fullprime.rules.game import ActionKind, Phase
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Result, Score

WAITING, PLAYING, OVER = "waiting", "playing", "over"

STORED_KINDS = frozenset((*map(str, ActionKind), "tie", "takeback", "forfeit"))
"""Kinds of events of the match itself: ``sequence`` counts them. An offer to resign that stands beside the game has a
kind of its own, as its refusal has."""


@dataclass(frozen=True, slots=True)
class RemoteEvent:
    """One thing that happened in a game.

    ``kind`` is that of an action (``roll``, ``play``, ``double`` …) or ``tie``, ``game_over``, ``match_over``,
    ``new_game``, ``closed``, ``takeback``, ``forfeit``, ``resignation_offered``, ``resignation_refused``, ``away``,
    ``back``, ``chat``, ``info``.
    """

    kind: str
    text: str
    """The same in words."""
    player: Player | None = None
    """The player who did it."""
    dice: tuple[int, ...] = ()
    """The dice: of a roll and a play both; of the opening and a tie X's die and O's."""
    play: str | None = None
    """The play that was made."""
    value: int | None = None
    """The value of the cube that is offered or taken, the double that is named, the level of a resignation."""
    said: str | None = None
    """The words of a ``chat``."""
    number: int | None = None
    """The number of the line of talk."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class RemoteClock:
    """The clock of a game; times are seconds, moments seconds since 1970 by the server's clock."""

    left: tuple[float, ...]
    """The reserves of X and O when the turn began."""
    running: Player | None
    since: float | None
    delay: float
    falls: float | None
    """The time at which the flag falls of the player whose clock is running."""
    words: str


@dataclass(frozen=True, slots=True)
class RemoteLinks:
    """The dice of a game in which every throw needs links of the server and of the players."""

    number: int
    """The number of the next throw, from 1."""
    needed: tuple[Player, ...]
    """The sides whose links the next throw needs."""
    awaits: tuple[Player, ...]
    """The sides whose links are awaited now: there is nothing else to decide."""
    chains: tuple[tuple[str, int, str], ...]
    """The chains: whose (``server``, ``X``, ``O``), the first throw that each serves, and its anchor."""

    def chain_of(self, side: Player) -> tuple[int | None, str]:
        """The first throw and the anchor of a side's newest chain; None where it has promised none."""
        for whose, first, anchor in reversed(self.chains):
            if whose == side.name:
                return first, anchor
        return None, ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteState:
    """A game on a server at one moment, as the player on this side sees it. ``str`` draws the board."""

    id: str
    """The game's id, which stands in its address."""
    status: str
    """``waiting`` until everybody sits and has added to the dice, ``playing``, or ``over``."""
    you: Player | None
    """Your side; None for a spectator. At one screen it is the player who must act."""
    names: tuple[str, str]
    """X's name and O's name."""
    variant: str
    title: str
    played_for: str
    """The length or the stake, in words."""
    sequence: int = 0
    """The number of events of the match: an action names it, and is refused when the game has gone on."""
    missing_seeds: tuple[Player, ...] = ()
    """The sides whose share of the dice is awaited."""
    free_seat: bool = False
    commitment: str = ""
    """The server's commitment to its part of the dice, published before a player adds to them."""
    links: RemoteLinks | None = None
    """The links of the dice; None while a spectator who is late sees nothing yet."""
    gives_for_both: bool = False
    """True at one screen: X's links serve for both sides."""
    position: Position | None = None
    """Seen by the player on roll; None before the game begins."""
    on_roll: Player | None = None
    turn: Player | None = None
    """The player who must decide; None for the opening roll and between two games."""
    phase: Phase | None = None
    """The phase of the game; None before it begins."""
    dice: Roll | None = None
    """The numbers to play."""
    cube: Cube = Cube()  # noqa: RUF009 - frozen
    cube_in_use: bool = False
    multiplier: int = 1
    """The factor by which automatic doubles, and acey-deuceys where they double the stake, have raised a point."""
    stake: float = 1.0
    """The worth of a point: the money stake times ``multiplier``."""
    length: int = 0
    """Points of the match; 0 for money."""
    score: Score = Score()  # noqa: RUF009 - frozen
    game: int = 1
    """The number of the game in the match."""
    resignation: int | None = None
    """The level that is offered."""
    resigning: Player | None = None
    """The player who offers to resign; None while no offer waits for an answer."""
    resign_levels: tuple[int, ...] = ()
    legal: tuple[str, ...] = ()
    """The words that you may say now: ``roll``, ``double``, ``move`` (make one of the ``plays``), ``take`` …"""
    plays: tuple[str, ...] = ()
    """Every legal play of your roll; a roll that cannot be played has one, ``fan``."""
    result: Result | None = None
    """The result of the game on the board, when it is over."""
    match_over: bool = False
    winner: Player | None = None
    """The player who has won the match."""
    clock: RemoteClock | None = None
    away: tuple[Player, ...] = ()
    """The sides that have lost the connection."""
    rematch: str | None = None
    """The id of the game in which both play again."""
    rated: bool = False
    """True if the match changes the ratings of both accounts."""
    end_offered: tuple[Player, ...] = ()
    """The sides that would end the game without a result: ``close("agree")`` agrees."""
    ending: str | None = None
    """The way in which the game ended: ``played``, ``aborted``, ``agreed``, ``ended``, ``left``, ``time``,
    ``absence``."""
    events: tuple[RemoteEvent, ...] = ()
    """The events since the state before; in the first state all events."""

    @property
    def is_mine(self) -> bool:
        """True if there is something for you to do: a roll, a play, an answer to the cube or to a resignation."""
        return any(word not in ("resign", "next") for word in self.legal)

    @property
    def is_over(self) -> bool:
        """True if nothing more is played: the match is won, or the session was closed."""
        return self.status == OVER

    @property
    def is_between_games(self) -> bool:
        """True if a game is over and the next one waits for a player to begin it."""
        return "next" in self.legal

    @property
    def is_forced(self) -> bool:
        """True if there is only one thing to do: throw, or make the only legal play."""
        if "accept" in self.legal:
            return False
        return self.phase in (Phase.OPENING_ROLL, Phase.ROLL) or (self.phase is Phase.PLAY and len(self.plays) == 1)

    def position_of(self, player: Player) -> Position | None:
        """The board as that player sees it."""
        return self.position if self.position is None or player is self.on_roll else self.position.swapped

    def __str__(self) -> str:
        if self.position is None:
            waits = "for somebody to sit down" if self.free_seat else "for the players to add to the dice"
            return f"{' - '.join(self.names)}, {self.title}, {self.played_for}: waits {waits}"
        lines = [draw_board(self._view(self.position)), *(event.text for event in self.events[-3:])]
        if self.is_mine:
            lines.append(f"Your turn: {', '.join(self.legal)}")
        return "\n".join(lines)

    def _view(self, position: Position) -> BoardView:
        on_roll = self.on_roll if self.on_roll is not None else Player.X
        raised = f"stake x{self.multiplier}" if self.multiplier > 1 else ""
        return BoardView(
            position,
            on_roll=on_roll,
            turn=self.turn,
            bottom=self.you if self.you is not None else Player.X,
            dice=self.dice or (),
            cube=self.cube if self.cube_in_use else None,
            names=self.names,
            scores=self.score.points,
            length=self.length,
            note="Crawford game" if self.score.crawford_game else raised,
        )


# -- reading ----------------------------------------------------------------------------------------------------
_ALWAYS = (
    "id", "status", "variant", "title", "played_for", "sequence", "missing_seeds", "free_seat", "commitment", "rated",
)  # fmt: skip
"""Fields of a state that the answer has under the same names."""
_BEGUN = (
    "on_roll", "multiplier", "stake", "length", "game", "resignation", "resign_levels", "plays", "match_over",
)  # fmt: skip
"""Such fields once the game is on the board."""


def read_state(message: JsonFields) -> RemoteState:
    """The state of a message with the ``events`` that it tells; raises ClientError."""
    fields = message.part("state")
    names = fields.texts("names")
    if len(names) != 2:
        raise fields.type_error("names")
    begun = "position" in fields
    try:
        return _read(fields, (names[0], names[1]), message.parts("events"), begun=begun)
    except (RulesError, ValueError) as error:
        raise fields.type_error("position" if begun else "status") from error


def _read(fields: JsonFields, names: tuple[str, str], events: Iterable[JsonFields], *, begun: bool) -> RemoteState:
    """``begun``: the game is on the board. Raises ClientError, RulesError and ValueError for a state that cannot be."""
    turn = fields.maybe_side("turn")
    both = fields.maybe_text("you") == "both"
    waiting = RemoteState(
        **fields.values(RemoteState, _ALWAYS),
        you=(turn if turn is not None else Player.X) if both else fields.maybe_side("you"),
        names=names,
        links=_links(fields.maybe_part("links")),
        gives_for_both=both,
        clock=fields.part("clock").value(RemoteClock) if "clock" in fields else None,
        away=tuple(Player[side] for side in fields.part("away").names) if "away" in fields else (),
        rematch=fields.part("rematch").maybe_text("game") if "rematch" in fields else None,
        end_offered=fields.part("ending").sides("offered") if "ending" in fields else (),
        ending=fields.part("ending").maybe_text("how") if "ending" in fields else None,
        events=tuple(read_event(event) for event in events),
    )
    return _begun(fields, waiting, turn) if begun else waiting


def _begun(fields: JsonFields, waiting: RemoteState, turn: Player | None) -> RemoteState:
    cube = fields.part("cube")
    dice = fields.maybe_pair("dice")
    offer = fields.maybe_part("resigning")
    return replace(
        waiting,
        **fields.values(RemoteState, _BEGUN),
        position=Position.from_text(fields.text("position"), fields.whole("checkers")),
        turn=turn,
        phase=Phase(fields.text("phase")),
        dice=None if dice is None else Roll(*dice),
        cube=Cube(cube.whole("value"), cube.maybe_side("owner"), cube.maybe_whole("offered")),
        cube_in_use=cube.flag("in_use"),
        score=Score(fields.pair("score"), fields.flag("crawford"), fields.flag("post_crawford")),
        resigning=None if offer is None else offer.maybe_side("by"),
        legal=tuple(dict.fromkeys((*fields.texts("legal_actions"), *fields.texts("beside_actions")))),
        result=_result(fields.maybe_part("result")),
        winner=fields.maybe_side("match_winner"),
    )


def _result(fields: JsonFields | None) -> Result | None:
    if fields is None:
        return None
    winner = fields.maybe_side("winner")
    if winner is None:
        raise fields.type_error("winner")
    return Result(winner, fields.whole("points"), fields.maybe_whole("level"), fields.text("how"))


def _links(fields: JsonFields | None) -> RemoteLinks | None:
    if fields is None:
        return None
    chains = tuple(
        (chain.text("whose"), chain.whole("first"), chain.text("anchor")) for chain in fields.parts("chains")
    )
    return fields.value(RemoteLinks, chains=chains)


def read_event(fields: JsonFields) -> RemoteEvent:
    """One thing that happened; raises ClientError."""
    kind = fields.text("kind")
    values = ("offered", "cube", "level") if kind == "chat" else ("offered", "cube", "level", "number")
    value = next((fields.whole(name) for name in values if name in fields), None)
    number = fields.maybe_whole("number") if kind == "chat" else None
    return fields.value(RemoteEvent, value=value, number=number)
