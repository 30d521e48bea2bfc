"""Games written and read again, for every format that holds whole matches and every variant that it can carry."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.formats.generate import random_match, random_record, random_settings

from fullprime import formats
from fullprime.formats.recording.recorder import can_follow
from fullprime.rules.game import Game
from fullprime.rules.record import Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, LONGGAMMON, NACKGAMMON, VARIANTS, Variant

CARRIED: dict[str, tuple[Variant, ...]] = {
    "mat": (BACKGAMMON, NACKGAMMON, HYPERGAMMON, LONGGAMMON),
    "snowietxt": (BACKGAMMON, NACKGAMMON, HYPERGAMMON, LONGGAMMON),
    "sgf": (BACKGAMMON, NACKGAMMON, HYPERGAMMON, LONGGAMMON),
    "json": tuple(VARIANTS.values()),
    "xg": (BACKGAMMON, NACKGAMMON, HYPERGAMMON, LONGGAMMON),
    "ogxm": (BACKGAMMON, NACKGAMMON, HYPERGAMMON, LONGGAMMON),
}
LIKE_OTHERS = (NACKGAMMON, LONGGAMMON)
"""Games that differ from backgammon by where they begin: the nightly run's."""
CASES = [
    pytest.param(
        name, variant, id=f"{name}-{variant.name}", marks=[pytest.mark.broad] if variant in LIKE_OTHERS else []
    )
    for name in CARRIED
    for variant in CARRIED[name]
]


def same_in_mat(match: Match, document: formats.Document, losses: formats.LossReport) -> None:
    assert not losses
    assert document.report == ()
    assert document.match.settings == match.settings
    assert document.match.names == match.names
    for before, after in zip(match.games, document.match.games, strict=True):
        assert (before.start, before.events, after.stated) == (after.start, after.events, None)


def same_in_snowie(match: Match, document: formats.Document, losses: formats.LossReport) -> None:
    """Without a head the rules are guessed, and reported where the guess was not the usual one."""
    assert len(losses.losses) == 1
    assert document.match.names == match.names
    assert [game.events for game in document.match.games] == [game.events for game in match.games]
    assert [game.result for game in document.match.games] == [game.result for game in match.games]


def same_in_sgf(match: Match, document: formats.Document, losses: formats.LossReport) -> None:
    assert not losses
    assert document.report == ()
    assert document.match.names == match.names
    for before, after in zip(match.games, document.match.games, strict=True):
        assert (before.events, before.start.position) == (after.events, after.start.position)
        assert before.start.score.points == after.start.score.points
        assert after.stated is None


def same_in_xg(match: Match, document: formats.Document, losses: formats.LossReport) -> None:
    assert set(losses.losses) <= {"raccoons are allowed wherever beavers are"}
    assert document.report == ()
    assert document.match.names == match.names
    crawford = match.settings.crawford or match.settings.length == 1  # A match to one has no Crawford game.
    assert document.match.settings == replace(match.settings, raccoons=match.settings.beavers, crawford=crawford)
    for before, after in zip(match.games, document.match.games, strict=True):
        assert (before.events, before.start.position) == (after.events, after.start.position)
        assert before.start.score == after.start.score
        assert after.stated is None


def same_in_ogxm(match: Match, document: formats.Document, losses: formats.LossReport) -> None:
    assert not losses
    assert document.report == ()
    assert document.match.names == match.names
    for before, after in zip(match.games, document.match.games, strict=True):
        assert (before.events, before.start.position) == (after.events, after.start.position)
        assert before.start.score.points == after.start.score.points
        assert after.stated is None


def same_in_json(match: Match, document: formats.Document, losses: formats.LossReport) -> None:
    assert not losses
    assert (document.match, document.report) == (match, ())


SAME: dict[str, Callable[[Match, formats.Document, formats.LossReport], None]] = {
    "mat": same_in_mat, "snowietxt": same_in_snowie, "sgf": same_in_sgf, "json": same_in_json,
    "xg": same_in_xg, "ogxm": same_in_ogxm,
}  # fmt: skip


def generated(variant: Variant, rng: random.Random) -> Match:
    if can_follow(variant):
        return random_match(rng, random_settings(rng, variant))
    settings = Settings(variant=variant)
    return Match(settings, ("Ä", ""), (random_record(Game.new(settings), rng, 400),))


def round_trips(name: str, variant: Variant, games: int) -> None:
    rng = random.Random(21)
    done = 0
    while done < games:
        match = generated(variant, rng)
        data, losses = formats.write(formats.Document(match), name)
        (document,) = formats.read(data, format=name).documents
        SAME[name](match, document, losses)
        done += len(match.games)


def test_every_format_that_holds_matches_is_here() -> None:
    # A Snowie or .xgp position is one board; text, CSV and cards are for people and are not read.
    assert set(CARRIED) == set(formats.writable()) - {"snowie", "xgp", "text", "csv"}
    for name, variants in CARRIED.items():
        for variant in VARIANTS.values():
            if variant not in variants:
                match = Match(Settings(variant=variant), games=())
                with pytest.raises(formats.FormatError):
                    formats.write(formats.Document(match), name)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_what_we_write_reads_as_it_was(name: str, variant: Variant) -> None:
    round_trips(name, variant, 30 if can_follow(variant) else 4)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "variant"), CASES)
def test_ten_thousand_games_of_each_format(name: str, variant: Variant) -> None:
    round_trips(name, variant, -(-10_000 // len(CARRIED[name])))
