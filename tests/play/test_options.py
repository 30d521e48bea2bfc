"""Settings from what was chosen, and the rulebook that follows them."""

from __future__ import annotations

from decimal import Decimal
from importlib.resources import files

import pytest

from fullprime.engine.search.levels import LEVELS
from fullprime.play.options.opponents import CHARACTERS, READY_BOT, SIMPLE_BOT
from fullprime.play.options.options import PRESETS, make_settings, read_score, rule_names
from fullprime.play.options.rulebook import describe_length, options_in_force, rulebook
from fullprime.play.options.strengths import MEASURED_PR
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Score, Settings
from fullprime.rules.variants import VARIANTS, HitLicence
from fullprime.rules.variants.variant import Backgammon


def test_a_match_to_five_when_nothing_is_said() -> None:
    assert make_settings() == Settings(length=5)
    assert make_settings(default_length=0) == Settings()


def test_what_exists_only_for_money_means_money() -> None:
    for chosen in (
        {"jacoby": True},
        {"stake": Decimal(5)},
        {"automatic_doubles": "unlimited"},
        {"automatic_doubles": "2"},
    ):
        assert make_settings(**chosen).length == 0
    assert make_settings("acey-deucey").length == 0
    assert make_settings(jacoby=False, automatic_doubles="none").length == 5


def test_presets_give_way_to_rules_and_these_to_options() -> None:
    assert make_settings(preset="masters traditional".replace(" ", "_")).automatic_doubles is None
    assert make_settings(preset="money", rules=["jacoby=no"]).jacoby is False
    assert make_settings(preset="money", rules=["jacoby=no"], jacoby=True).jacoby is True
    assert make_settings(preset="tournament", length=3).length == 3
    assert all(make_settings(preset=name) for name in PRESETS)


def test_every_rule_has_a_name() -> None:
    rules = ["length=3", "cube_cap=64", "backgammon=bar-only", "hit-licence=current", "crawford=off"]
    settings = make_settings("dutch", rules=rules)
    assert (settings.length, settings.cube_cap, settings.crawford) == (3, 64, False)
    assert settings.backgammon is Backgammon.BAR_ONLY
    assert settings.variant.hit_licence is HitLicence.CURRENT
    named = {line.split(" = ")[0] for line in options_in_force(settings)}
    assert named == set(rule_names())


@pytest.mark.parametrize(
    "rule", ["", "x", "length", "length=x", "stake=x", "cube=maybe", "backgammon=none", "hit_licence=x"]
)
def test_rules_that_are_none(rule: str) -> None:
    with pytest.raises(SettingsError):
        make_settings(rules=[rule])


def test_every_level_that_errs_as_people_do_has_a_name_and_a_face_the_gentlest_first() -> None:
    """So has the bot made of rules, which a newcomer meets while the engine is compiled."""
    named = [character.bot for character in CHARACTERS]
    assert {READY_BOT, SIMPLE_BOT, *(level.name for level in LEVELS.values() if level.noise)} == set(named[:-1])
    assert [MEASURED_PR[bot] for bot in named] == sorted((MEASURED_PR[bot] for bot in named), reverse=True)
    assert named[0] == READY_BOT, "the first suits a newcomer"
    faces = files("fullprime.web") / "static/parts/faces"
    assert {face.name for face in faces.iterdir()} == {f"{character.name.lower()}.svg" for character in CHARACTERS}


def test_scores() -> None:
    settings = Settings(length=5)
    assert read_score("4-0", settings) == Score((4, 0), crawford_game=True)
    assert read_score("4:2", settings, post_crawford=True) == Score((4, 2), post_crawford=True)
    assert read_score("7-3", Settings()) == Score((7, 3))
    for bad in ("5-0", "4", "a-b", "-1-0", "4-0-0"):
        with pytest.raises(SettingsError):
            read_score(bad, settings)


def test_the_rulebook_says_what_the_options_change() -> None:
    for name in VARIANTS:
        text = rulebook(make_settings(name))
        assert text.startswith(VARIANTS[name].title)
    plain = rulebook(Settings())
    for changed in (
        Settings(jacoby=True),
        Settings(beavers=True),
        Settings(beavers=True, raccoons=True),
        Settings(cube=False),
        Settings(cube_cap=64),
        Settings(automatic_doubles=None),
        Settings(automatic_doubles=1),
        Settings(backgammon=Backgammon.BAR_FOUR),
        Settings(length=7),
        Settings(length=7, crawford=False),
        Settings(length=1),
        Settings(stake=Decimal(3)),
        *(
            Settings(variant=make_settings(rules=[rule]).variant)
            for rule in (
                "enter_all_first=yes",
                "bar_priority=no",
                "hit_licence=current",
                "exact_bearoff=yes",
                "opening_dice=reroll",
                "after_double=roll_again",
                "reroll_opening_acey_deucey=yes",
            )
        ),
    ):
        sentences = rulebook(changed).split("Options in force")[0]
        assert sentences != plain.split("Options in force")[0], changed
    assert describe_length(Settings(jacoby=True)) == "money, 1 a point, Jacoby"
