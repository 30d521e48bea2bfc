"""Our own JSON: exact for every variant, every setting and every fact; refuses what it did not write."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from tests.formats.generate import random_record

from fullprime import formats
from fullprime.formats.analysis import CandidatePlay, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.document import Document, FormatError
from fullprime.formats.ours import form as ours
from fullprime.rules.game import (
    Action,
    ActionKind,
    Game,
    Phase,
    opening,
    play,
)
from fullprime.rules.record import GameRecord, Match, Setup
from fullprime.rules.score import Result, Settings
from fullprime.rules.variants import DUTCH, VARIANTS, Backgammon, Variant
from fullprime.rules.variants.variant import counts

ALL_SETTINGS = [
    *(Settings(variant=variant) for variant in VARIANTS.values()),
    Settings(length=7),
    Settings(length=3, crawford=False, cube=False),
    Settings(jacoby=True, beavers=True, raccoons=True, automatic_doubles=None, stake=Decimal("2.50"), cube_cap=64),
    Settings(backgammon=Backgammon.BAR_FOUR, automatic_doubles=2),
    Settings(variant=DUTCH.with_options({"hit_licence": "current"})),
    Settings(variant=Variant(name="own", title="Own game", start=counts({24: 2, 13: 3}))),
]


@pytest.mark.parametrize("settings", ALL_SETTINGS, ids=lambda s: s.variant.name)
def test_a_match_comes_back_as_it_was(settings: Settings) -> None:
    rng = random.Random(3)
    for _ in range(4):
        first = random_record(Game.new(settings), rng)
        set_up = GameRecord(
            first.start, (Setup(first.final, "as transcribed"),), Result(first.start.on_roll, 3, None, "clock")
        )
        match = Match(settings, ("Ä", ""), (first, set_up), {"Event": "Club"})
        data, losses = ours.write(Document(match))
        assert not losses
        (document,) = ours.read(data)
        assert document.match == match
        assert document.report == ()


def test_every_phase_has_its_form() -> None:
    rng = random.Random(8)
    kinds = set()
    settings = [Settings(jacoby=True, beavers=True, raccoons=True), Settings(variant=VARIANTS["acey_deucey"])]
    for number in range(140):
        record = random_record(Game.new(settings[number % 2]), rng, 40)
        for entry in record.entries():
            kinds.add(entry.after.phase)
            assert ours.from_json(Game, json.loads(json.dumps(ours.to_json(entry.after)))) == entry.after
    assert kinds | {Phase.OPENING_ROLL} == set(Phase)


def test_an_analysis_comes_back_as_it_was() -> None:
    settings = Settings(length=5)
    start = Game.new(settings).act(opening(3, 1))
    best = start.legal_plays[0]
    candidate = CandidatePlay(best.moves, "8/5 6/5", 0.25, (0.5, 0.1, 0.0, 0.1, 0.0), "2-ply", 0.001)
    review = FileAnalysis(
        "other",
        {(0, 1): EventAnalysis(PlayAnalysis((candidate, CandidatePlay(None, "?", None)), 0), None, -0.1, 0.02),
         (0, 2): EventAnalysis(cube=CubeAnalysis(0.1, 0.2, 1.0, candidate.chances, None, 0.05, "3-ply", "mwc"))},
        {"rating": "5.1"},
    )  # fmt: skip
    document = Document(Match(settings, games=(GameRecord(start),)), review)
    assert ours.read(ours.write(document)[0])[0].review == review


@pytest.mark.parametrize("played", [0, 1])
def test_a_play_made_that_is_no_candidate_is_refused(played: int) -> None:
    settings = Settings(length=5)
    candidates = (CandidatePlay(None, "8/5 6/5", 0.25),) * played
    review = FileAnalysis("other", {(0, 1): EventAnalysis(PlayAnalysis(candidates, played))}, {})
    written = ours.write(Document(Match(settings, games=(GameRecord(Game.new(settings)),)), review))[0]
    with pytest.raises(FormatError, match=f"candidate {played} of {played}, counted from 0"):
        ours.read(written)


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        (Action, {"roll": [7, 1]}, "whole number from 1 to 6"),
        (Action, {"roll": [1]}, "not what was written"),
        (Action, {"take": 1}, "stands alone"),
        (Action, "fly", "not what was written"),
        (Action, {"play": [[13, 7, True]]}, "whole number"),
        (Settings, {"variant": "chess", "length": 5}, "no variant"),
        (Settings, {"variant": "backgammon", "length": 10**30}, "whole number"),
        (Settings, {"variant": "backgammon", "length": 5, "jacoby": True}, "Jacoby"),
        (Match, [1, 2], "not an object"),
        (Match, {"names": []}, "settings"),
        (Game, {"score": {"points": [0, 0]}}, "settings"),
    ],
)
def test_what_was_not_written_is_refused_with_the_place(kind: type, data: object, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        ours.from_json(kind, data)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b'{"format":"fullprime","version":2}', b"[" * 100_000, b'{"format":"fullprime","version":1}'],
)
def test_a_file_that_is_not_ours_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        ours.read(data)


def test_a_game_that_cannot_have_happened_is_kept_and_reported() -> None:
    settings = Settings(length=5)
    record = GameRecord(Game.new(settings), (opening(3, 1), play(())))
    (document,) = ours.read(ours.write(Document(Match(settings, games=(record,))))[0])
    assert document.match.games == (record,)
    assert "move 1:" in str(document.report[0])
    broken = replace(record, start=replace(record.start, phase=Phase.PLAY))
    (document,) = ours.read(ours.write(Document(Match(settings, games=(broken,))))[0])
    assert document.report


VALUES = (
    *(None, True, 0, 1, -1, 7, 26, 1 << 40, "x", [], {}),
    *(kind.value for kind in ActionKind),
    *(phase.value for phase in Phase),
    *({"roll": [6, 5]}, {"opening": [1, 2]}, {"play": []}, {"play": [[26, 20, 6]]}, {"choose": 3}, {"resign": 3}),
)
"""What a damaged file may hold anywhere."""


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every list and object in the data with each of its indexes or keys."""
    for key in data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield data, key
        yield from places(data[key])


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_a_damaged_game_is_refused_or_reported_by_an_error_of_ours(variant: Variant) -> None:
    rng = random.Random(f"damage:{variant.name}")
    settings = Settings(variant=variant)
    record = random_record(Game.new(settings), rng, longest=40)
    content = ours.write(Document(Match(settings, games=(record,))))[0]
    refused = reported = 0
    for _ in range(300):
        data = json.loads(content)
        for _ in range(rng.randint(1, 3)):
            inside, key = rng.choice(list(places(data["matches"][0]["match"]["games"])))
            inside[key] = rng.choice(VALUES)
        try:
            reported += any(document.report for document in formats.read(json.dumps(data).encode(), format="json"))
        except FormatError:
            refused += 1
    assert refused
    assert reported
