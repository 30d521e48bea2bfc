"""The document of the API names every field of a game's state, of its events and of the tree, as they really are."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.web.inside import TestClient
from tests.web.seat import Seat, create, friends

pytest.importorskip("fastapi")

from pydantic import TypeAdapter

from fullprime.common.documented import field_docs, field_types, parts_of
from fullprime.db.times import utc_now
from fullprime.messages import ENGLISH
from fullprime.play.commands import TakeBack
from fullprime.play.events import ChainBegun, GameForfeited, LogEntry, SessionOpened
from fullprime.play.evolve import evolve
from fullprime.play.links import server_chain
from fullprime.play.options.opponents import SIMPLE_BOT
from fullprime.play.options.options import make_settings, variants
from fullprime.play.presence import PresenceStore
from fullprime.play.server.agreement import OPPONENTS
from fullprime.play.server.fields import (
    BegunState,
    BoardFull,
    BoardMessage,
    GameState,
    OpponentKind,
    StateMessage,
)
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.view import SessionView
from fullprime.play.session import GameSession
from fullprime.play.table.board import possible_words
from fullprime.play.table.event_texts import render_in_game
from fullprime.play.table.fields import PhaseName, ScriptReply, TableState
from fullprime.play.table.seating import new_table
from fullprime.play.table.table import Table, reply
from fullprime.play.table.table_events import Event
from fullprime.play.terms import HUMAN, Terms
from fullprime.rules.game import Phase
from fullprime.rules.links import new_secret
from fullprime.rules.score import Player, Settings
from fullprime.web import streams
from fullprime.web.models.common import Options
from fullprime.web.models.described import wire_type
from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.reference import reference_page
from fullprime.web.server import create_app

KINDS = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None), "array": list,
    "object": dict,
}  # fmt: skip


# -- reading a document --------------------------------------------------------------------------------------------
def faults(value: Any, schema: dict[str, Any], document: dict[str, Any], path: str = "") -> list[str]:
    """Where a value is not as its schema says, or the schema says too little: every key must be named and described."""
    if "$ref" in schema:
        *_, place, name = schema["$ref"].split("/")
        inside = document["components"]["schemas"] if place == "schemas" else document["$defs"]
        return faults(value, inside[name], document, path)
    if "anyOf" in schema:
        form_faults = [faults(value, form, document, path) for form in schema["anyOf"]]
        return min(form_faults, key=len) if all(form_faults) else []
    if "const" in schema or "enum" in schema:
        allowed = schema.get("enum", [schema.get("const")])
        return [] if value in allowed else [f"{path}: {value!r} is none of {allowed}"]
    kind = schema.get("type")
    if kind is None:
        return [f"{path}: nothing says what this is"]
    if not isinstance(value, KINDS[kind]) or (isinstance(value, bool) and kind != "boolean"):
        return [f"{path}: {value!r} is no {kind}"]
    if kind == "array":
        return list(_in_array(value, schema, document, path))
    return list(_in_object(value, schema, document, path)) if kind == "object" else []


def _in_array(value: list[Any], schema: dict[str, Any], document: dict[str, Any], path: str) -> Iterator[str]:
    first = schema.get("prefixItems", [])
    if first and len(first) != len(value):
        yield f"{path}: {len(value)} items, not {len(first)}"
    for index, item in enumerate(value):
        kind = first[index] if index < len(first) else schema.get("items", {})
        yield from faults(item, kind, document, f"{path}[{index}]")


def _in_object(value: dict[str, Any], schema: dict[str, Any], document: dict[str, Any], path: str) -> Iterator[str]:
    fields = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{path}: {name} is missing"
    names = schema.get("propertyNames", {}).get("enum")
    for name, item in value.items():
        if name in fields:
            if not fields[name].get("description"):
                yield f"{path}.{name}: no description"
            yield from faults(item, fields[name], document, f"{path}.{name}")
        elif schema.get("additionalProperties") and (names is None or name in names):
            yield from faults(item, schema["additionalProperties"], document, f"{path}.{name}")
        else:
            yield f"{path}.{name}: not in the document"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create_app(str(tmp_path_factory.mktemp("contract") / "games.db"), hosts=None, limits=NO_LIMITS)
    with TestClient(app) as client:
        yield client


@pytest.fixture(scope="module")
def document(server: TestClient) -> dict[str, Any]:
    return dict(server.get("/api/openapi.json").json())


def as_json(value: Any) -> Any:
    """A value as it goes over the wire."""
    return json.loads(streams.encode_value(value, ENGLISH))


# -- games ---------------------------------------------------------------------------------------------------------
def opened_session(opponent: OpponentKind) -> GameSession:
    """A session of which nothing is known yet but its terms."""
    terms = Terms(settings=Settings(), opponent=opponent, dice="links")
    opened = SessionOpened("a-room", terms, ("Ann", "Bob"), (HUMAN, SIMPLE_BOT if opponent == "bot" else HUMAN))
    session = evolve(None, LogEntry(1, utc_now(), opened))
    return evolve(session, LogEntry(2, utc_now(), ChainBegun(None, 1, server_chain(new_secret(), 1).anchor)))


def some_game(variant: str, seed: int, actions: int) -> Iterator[tuple[Table, list[Event]]]:
    """A table after each thing that two people do by chance; the same each time."""
    rules: dict[str, Any] = {"beavers": True, "raccoons": True} if variant == "backgammon" else {}
    settings = make_settings(variant, **rules)
    table = new_table(settings, bot=None, names=("Ann", "Bob"), seed=f"{variant}{seed}", automatic=False)
    chance = random.Random(f"{variant}{seed}")
    yield table, table.advance()
    for _ in range(actions):
        words = [
            word for word in possible_words(table.session) if word not in ("resign", "drop") or chance.random() < 0.1
        ]
        words = [word for word in words if word in ("beaver", "raccoon")] or words
        if not words:
            return
        word = chance.choice(words)
        if word == "move":
            word = chance.choice(list(table.plays.all)) or "fan"
        elif word == "choose":
            word = f"choose {chance.randint(1, 6)}"
        yield table, table.run_command(word)


# -- the states ----------------------------------------------------------------------------------------------------
def test_the_states_of_every_variant_and_phase_are_as_the_document_says(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    phases: set[str] = set()
    for variant in variants():
        for table, happened in some_game(variant, 1, 60):
            phases.add(str(table.game.phase))
            view = SessionView(table.session)
            for seat in (None, "X", "O", "both"):
                state = as_json(view.state(seat))  # type: ignore[arg-type]
                assert faults(state, schemas["BegunState"], document, variant) == []
            assert faults(as_json(happened), _events(document), document, variant) == []
    assert phases == set(Phase)


def test_what_a_script_is_told_is_as_its_type_says() -> None:
    schema = TypeAdapter(wire_type(ScriptReply)).json_schema()
    for variant in variants():
        for table, happened in some_game(variant, 2, 8):
            assert faults(as_json(reply(table, happened)), schema, schema, variant) == []


def test_a_room_before_the_seeds_is_as_the_document_says(document: dict[str, Any]) -> None:
    for opponent in OPPONENTS:
        state = as_json(SessionView(opened_session(opponent)).state("X"))
        assert faults(state, document["components"]["schemas"]["WaitingState"], document) == []


def test_what_is_not_in_the_document_is_found(document: dict[str, Any]) -> None:
    table, _ = next(some_game("backgammon", 1, 0))
    state = as_json(SessionView(table.session).state("X"))
    schema = document["components"]["schemas"]["BegunState"]
    assert faults(state, schema, document) == []
    assert faults({**state, "secret": 1}, schema, document) == [".secret: not in the document"]
    assert faults({**state, "score": ["0", 0]}, schema, document) == [".score[0]: '0' is no integer"]
    assert faults({**state, "cube": {**state["cube"], "owner": "Y"}}, schema, document) != []
    assert faults({**state, "phase": "sleep"}, schema, document) != []
    assert faults({**state, "game_over": 0}, schema, document) == [".game_over: 0 is no boolean"]
    undescribed = {**schema, "properties": {**schema["properties"], "score": {"type": "array", "items": {}}}}
    assert ".score: no description" in faults(state, undescribed, document)
    del state["pips"]
    assert faults(state, schema, document) == [": pips is missing"]


# -- the messages --------------------------------------------------------------------------------------------------
def test_the_messages_of_real_games_are_as_the_document_says(server: TestClient, document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    host, guest = friends(server, clock="usbgf", rules={"length": 2})
    host.post("chat", {"text": "hello"})
    game_server: GameServer = server.app.state.game_server  # type: ignore[attr-defined]
    presence, live = PresenceStore(game_server.engine, "another"), game_server.get_handle(host.game).live
    presence.note_arrived(host.game, Player.O, utc_now())
    presence.note_left(host.game, Player.O, utc_now())
    game_server.call(game_server.service.refresh(live, always=True))
    away = host.get()
    presence.note_arrived(host.game, Player.O, utc_now())
    game_server.call(game_server.service.refresh(live, always=True))
    host.does("pip")
    resign({"X": host, "O": guest})
    host.post("rematch", {})
    seats = [host, guest, Seat(host.client, host.game, None), create(server, opponent="friend", begin=False)[0]]
    seats += [create(server, opponent="screen", rules={"length": 0})[0], create(server, rules={"length": 3})[0]]
    seats.append(Seat(host.client, create(server, late=60)[0].game, None))
    messages = [away, *(seat.get() for seat in seats)]
    for message in messages:
        assert faults(message, schemas["StateMessage"], document) == []
    assert away["state"]["away"].keys() == {"O"}
    kinds = {event["kind"] for message in messages for event in message["events"]}
    assert {"opening", "chat", "away", "back", "accept", "game_over", "match_over", "info"} <= kinds
    assert {"resignation_offered", "resignation_refused"} <= kinds
    for suffix, name in (("/proof", "DiceProof"), ("/chat", "TalkLog")):
        assert faults(host.get(suffix), schemas[name], document) == []


def test_the_options_name_the_bot_of_whoever_chooses_none(server: TestClient, document: dict[str, Any]) -> None:
    options = server.get("/api/options").json()
    assert options["bot"] in options["variants"]["backgammon"]["bots"]
    model = TypeAdapter(Options).json_schema()
    assert set(options) == set(model["properties"]) == set(document["components"]["schemas"]["Options"]["properties"])


def resign(seats: dict[str, Seat]) -> None:
    """Play on until somebody may resign, and does."""
    while "resign" not in (state := seats[seats["X"].state["turn"]].state)["legal_actions"]:
        seats[state["turn"]].does(state["plays"][0])
    loser, winner = seats[state["turn"]], seats["O" if state["turn"] == "X" else "X"]
    loser.does("resign")
    winner.does("refuse")
    loser.does("resign b")
    winner.does("accept")


def test_every_kind_of_event_is_told_as_the_document_says(document: dict[str, Any]) -> None:
    """Those of the table; the messages of real games have the others."""
    table = new_table(Settings(length=1), bot=None, seed="3", confirm=True)
    events = table.advance()
    for question in ("pip", "plays", "score", "rules", "help", "save", "board", "hint heuristic", "quit"):
        events += table.run_command(question)
    first = str(next(iter(table.game.roll_plays.steps(table.game.roll_plays.start)))[0])
    events += [*table.run_command(f"step {first}"), *table.run_command("undo")]
    events += table.run_command(next(iter(table.plays.all)))
    events += table.run_command("done") if table.moves else []
    events += table.perform(TakeBack())
    entry = LogEntry(table.session.sequence + 1, utc_now(), GameForfeited(Player.O, "on time"))
    events += render_in_game(table.session, entry.event, evolve(table.session, entry), table.names)
    assert faults(as_json(events), _events(document), document) == []
    assert {event.kind for event in events} >= {"info", "board", "quit", "step", "undo", "takeback", "forfeit"}


def _events(document: dict[str, Any]) -> dict[str, Any]:
    return dict(document["components"]["schemas"]["StateMessage"]["properties"]["events"])


# -- the requests --------------------------------------------------------------------------------------------------
LEAVES_ASIDE = {"PushBrowser": "browsers add fields of their own to a subscription"}
"""Parts of requests whose unknown fields are left aside, and why."""


def test_every_request_refuses_unknown_fields(document: dict[str, Any]) -> None:
    """Each object in the body of a request is closed; a table of names, whose values have a type, may be open."""
    waiting = [
        content["schema"]
        for path in document["paths"].values()
        for operation in path.values()
        for media, content in operation.get("requestBody", {}).get("content", {}).items()
        if media == "application/json"
    ]
    names_seen: set[str] = set()
    while waiting:
        schema = waiting.pop()
        name = schema.get("$ref", "").split("/")[-1]
        if name:
            waiting += [] if name in names_seen else [document["components"]["schemas"][name]]
            names_seen.add(name)
        elif schema.get("type") == "object" and schema.get("title") not in LEAVES_ASIDE:
            assert schema.get("additionalProperties") not in (None, True), schema
            assert not ("properties" in schema and schema["additionalProperties"]), schema
        waiting += [part for key in ("anyOf", "oneOf", "prefixItems") for part in schema.get(key, [])]
        waiting += [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    assert len(names_seen) > 50


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/api/games", {"opponent": "bot", "botname": "fast"}, "botname"),
        ("/api/analysis/board", {"postion": "24:2"}, "postion"),
        ("/api/analysis/jobs", {"kind": "rolls", "setup": {"die": [3, 1]}}, "setup.die"),
        ("/api/account/sign-in", {"name": "Ann", "password": "a long password 1", "pin": 1}, "pin"),
    ],
)
def test_a_field_that_is_unknown_is_named(server: TestClient, path: str, body: dict[str, Any], field: str) -> None:
    answer = server.post(path, json=body)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        ({"cube": "2"}, "cube"),
        ({"cube": 8192}, "cube"),
        ({"offered": 1}, "offered"),
        ({"dice": [7, 1]}, "dice.0"),
        ({"score": [1]}, "score.1"),
        ({"on_roll": "Y"}, "on_roll"),
        ({"follow_ups": ["roll"] * 4}, "follow_ups"),
        ({"rules": {"length": 5}}, "rules.length"),
        ({"rules": {f"rule {number}": "" for number in range(41)}}, "rules"),
        ({"position": "1" * 601}, "position"),
    ],
)
def test_a_value_in_a_request_keeps_to_its_types_and_bounds(
    server: TestClient, setup: dict[str, Any], field: str
) -> None:
    answer = server.post("/api/analysis/board", json=setup)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(f"{field}: ")


def test_the_document_has_the_version_of_the_api(document: dict[str, Any]) -> None:
    changes = (Path(__file__).parents[2] / "docs" / "web-api.md").read_text("utf-8").split("## What changed")[1]
    assert document["info"]["version"] == re.findall(r"^\*\*(\S+)\*\* \(", changes, re.MULTILINE)[0]


# -- the types -----------------------------------------------------------------------------------------------------
def test_streams_are_described_by_what_their_lines_are(document: dict[str, Any]) -> None:
    def lines_of(path: str) -> dict[str, Any]:
        content = document["paths"][path]["get"]["responses"]["200"]["content"]
        assert list(content) == ["application/x-ndjson"]
        return dict(content["application/x-ndjson"]["schema"])

    assert lines_of("/api/games/{game}/stream") == {"$ref": "#/components/schemas/StateMessage"}
    assert [form["$ref"].split("/")[-1] for form in lines_of("/api/board/game/stream/{game}")["anyOf"]] == [
        "BoardFull",
        "BoardMessage",
    ]


def test_the_page_of_the_api_says_what_each_field_is(server: TestClient, document: dict[str, Any]) -> None:
    answer = server.get("/docs")
    assert answer.headers["content-type"].startswith("text/html")
    for path in document["paths"]:
        assert f" {path}</code>" in answer.text
    for name, schema in document["components"]["schemas"].items():
        (section,) = re.findall(rf'<section class="card" id="{name}">.*?</section>', answer.text, re.DOTALL)
        assert re.findall(r'<th scope="row"><code>(.+?)</code>', section) == list(schema.get("properties", {}))
    assert "The server's commitment, told before any player adds a seed" in answer.text
    targets = set(re.findall(r'href="#(\w+)"', answer.text))
    assert targets <= set(re.findall(r'id="(\w+)"', answer.text))


def test_what_a_document_says_is_text_on_its_page() -> None:
    field = {"type": "string", "description": "a <b> & `c`"}
    schema = {"type": "object", "properties": {"x": field}, "description": "<script>"}
    page = reference_page({"paths": {}, "components": {"schemas": {"Y": schema}}})
    assert "a &lt;b&gt; &amp; <code>c</code>" in page
    own = [
        f'<script type="module" src="/static/{name}.js">'
        for name in ("terms/glossary-links", "parts/menu", "parts/header")
    ]
    assert re.findall(r"<script[^>]*>", page) == own


@pytest.mark.parametrize("contract", [GameState, StateMessage, BoardMessage, BoardFull, TableState, Event])
def test_every_field_is_described(contract: Any) -> None:
    for kind in parts_of(contract):
        assert all(field_docs(kind).values()), kind


def test_the_phases_have_their_names() -> None:
    assert set(get_args(PhaseName)) == set(Phase)
    assert {"tree", "plays", "legal_actions", "clock"} <= field_types(BegunState).keys()
