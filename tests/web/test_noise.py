"""Whatever is typed or sent, a room answers with a reason and nothing else happens."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from fullprime.app.commands import WORDS
from fullprime.app.options import make_settings
from fullprime.app.positions import game_from_id
from fullprime.app.rooms import Room, Rooms, _text
from fullprime.rules.errors import FullprimeError
from fullprime.web import models

PIECES = st.sampled_from(
    [*WORDS, "1", "6", "13", "/", "*", "bar", "off", "hand", "(2)", " ", "-", ":", "²", "\uff11", "\x00", "%"]
)
LINES = st.one_of(st.text(min_size=1, max_size=200), st.lists(PIECES, min_size=1, max_size=8).map("".join))
MOVES = st.lists(
    st.one_of(st.text(max_size=8), st.tuples(st.integers(-1, 30), st.integers(-1, 30)).map("{0[0]}/{0[1]}".format)),
    max_size=4,
)


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        rooms = Rooms(str(Path(folder) / "games.db"))
        room, key, _ = rooms.create(
            opponent="screen", position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 0}
        )
        room.add_seed(room.seat_of(key), "ab")
        yield room
        rooms.close()


def reason(do: Callable[[], object]) -> str | None:
    """Why something is refused, or None when it is done; any other error is a fault."""
    try:
        do()
    except FullprimeError as error:
        return str(error)
    return None


@given(line=LINES, moves=MOVES)
@settings(max_examples=600, deadline=None)
def test_every_line_is_done_or_refused_with_a_reason(room: Room, line: str, moves: list[str]) -> None:
    before = room.frame("both")["state"]["sequence"]
    try:
        models.Line(line=line, moves=moves)
    except ValidationError:
        return
    refused = reason(lambda: room.act("both", line, moves=moves, sequence=before))
    assert refused is None or room.frame("both")["state"]["sequence"] == before


@given(
    rules=st.dictionaries(
        st.sampled_from(
            ["length", "jacoby", "cube", "cube_cap", "stake", "beavers", "automatic_doubles", "hit_licence", "odd"]
        ),
        st.one_of(st.text(max_size=6), st.booleans(), st.integers(-5, 2**40), st.floats(), st.none()),
        max_size=4,
    ),
    variant=st.one_of(st.sampled_from(["backgammon", "dutch", "acey_deucey"]), st.text(max_size=5)),
    position=st.one_of(st.none(), st.text(max_size=40)),
)
@settings(max_examples=300, deadline=None)
def test_every_mixture_of_options_is_a_game_or_is_refused(
    room: Room, rules: dict[str, object], variant: str, position: str | None
) -> None:
    def choose() -> None:
        chosen = make_settings(variant, rules=[f"{name}={_text(value)}" for name, value in rules.items()])
        if position is not None:
            game_from_id(position, chosen, override=True)

    assert reason(choose) != ""
