"""The options that several commands share, each written once: as annotations, and as records of those that go together.

An option means the same wherever it is: a command takes the record, or the annotation, and never its own.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from fullprime.rules.game import Game
    from fullprime.rules.ids.common import IdReading
    from fullprime.rules.score import Score, Settings

# -- arguments -----------------------------------------------------------------------------------------------------
PositionId = Annotated[str, typer.Argument(metavar="ID", help="Any ID, or our text form; - reads standard input.")]
RollWords = Annotated[
    list[str] | None, typer.Argument(metavar="ROLL", help="The roll: 31, or 3 1; else that of the ID.")
]
VARIANT_HELP = "The game, one of fullprime variants."
VariantName = Annotated[str, typer.Argument(metavar="VARIANT", help=VARIANT_HELP)]

# -- single options ------------------------------------------------------------------------------------------------
Variant = Annotated[str, typer.Option("--variant", "-v", help=VARIANT_HELP)]
Json = Annotated[bool, typer.Option("--json", help="The answer as JSON.")]
Level = Annotated[str, typer.Option("--level", "-l", help="How strong, one of fullprime levels.")]
ReviewLevel = Annotated[str, typer.Option("--level", "-l", help="How deep: fast, standard or deep.")]
Threads = Annotated[int | None, typer.Option("--threads", min=1, help="Threads to work with; all cores unless said.")]
Seed = Annotated[str, typer.Option("--seed", help="The dice follow from it: a number or any word.")]
Rule = Annotated[list[str] | None, typer.Option("--rule", help="Any option, name=value; fullprime rules lists them.")]
Cubeful = Annotated[bool, typer.Option("--cubeful/--cubeless", help="With the cube, or leave it out.")]
Seconds = Annotated[float | None, typer.Option("--seconds", help="Stop after so long; what is known is shown.")]
Plays = Annotated[list[str] | None, typer.Option("--play", "-p", help="A play of the roll; may be given again.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain letters.")]
Mirror = Annotated[bool, typer.Option("--mirror", help="Home board at the left.")]
Words = Annotated[bool, typer.Option("--words", help="The board in sentences, for screen readers.")]
Database = Annotated[str | None, typer.Option("--db", "--database", help="The database: a file or a database URL.")]
Force = Annotated[bool, typer.Option("--force", help="Write over what is there.")]
KnownFormat = Annotated[str | None, typer.Option("--from", help="Read it as this format, whatever it looks like.")]
ToFormat = Annotated[str | None, typer.Option("--to", help="The format to write.")]
Player = Annotated[str | None, typer.Option("--player", help="A player, under any name, or a part of one.")]
Limit = Annotated[int, typer.Option("--limit", min=0, help="The greatest number of rows; 0 for all.")]


def threads_of(threads: int | None) -> int:
    """The number of threads given, else one for each core."""
    return threads if threads is not None else os.cpu_count() or 1


def seed_number(text: str) -> int:
    """The seed of dice that are made from numbers; a word stands for a number that follows from it."""
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    from hashlib import sha256

    return int.from_bytes(sha256(text.encode()).digest()[:7], "big")


# -- records -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOptions:
    """The stakes and the rules of a game."""

    preset: Annotated[
        str | None, typer.Option("--preset", help="Settings under one name: tournament, money or masters-traditional.")
    ] = None
    length: Annotated[
        int | None, typer.Option("--length", "-n", min=0, help="The length of the match in points; 0 is money.")
    ] = None
    money: Annotated[bool, typer.Option("--money", help="Money play: every game stands for itself.")] = False
    jacoby: Annotated[bool | None, typer.Option("--jacoby/--no-jacoby", help="The Jacoby rule (money).")] = None
    beavers: Annotated[bool | None, typer.Option("--beavers/--no-beavers", help="Beavers (money).")] = None
    rule: Rule = None

    def settings(
        self, variant: str, more: MoreRuleOptions | None = None, *, default_length: int | None = 0
    ) -> Settings:
        """The settings that these options make; ``default_length`` is taken where nothing says match or money."""
        from fullprime.play.options.options import make_settings
        from fullprime.rules.errors import SettingsError

        if self.money and self.length:
            raise SettingsError(f"--money and --length {self.length} exclude each other")
        return make_settings(
            variant,
            preset=self.preset,
            rules=[*(self.rule or ()), *(more.rules if more is not None else ())],
            default_length=default_length,
            length=0 if self.money else self.length,
            jacoby=self.jacoby,
            beavers=self.beavers,
            **(more.chosen if more is not None else {}),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreRuleOptions:
    """Rules that can be chosen where a game begins or is described."""

    stake: Annotated[str | None, typer.Option("--stake", help="Money play: what a point is worth.")] = None
    cube: Annotated[bool | None, typer.Option("--cube/--no-cube", help="With or without the doubling cube.")] = None
    cube_cap: Annotated[str | None, typer.Option("--cube-cap", help="The highest value of the cube, or none.")] = None
    crawford: Annotated[
        bool | None, typer.Option("--crawford/--no-crawford", help="The Crawford rule in a match (on).")
    ] = None
    raccoons: Annotated[bool | None, typer.Option("--raccoons/--no-raccoons", help="Raccoons (money).")] = None
    automatic_doubles: Annotated[
        str | None,
        typer.Option(
            "--automatic-doubles", help="How many opening ties double the stake: none, a number, unlimited (money)."
        ),
    ] = None
    backgammon: Annotated[
        str | None, typer.Option("--backgammon", help="What a backgammon is: home_or_bar, bar_only or bar_four.")
    ] = None

    @property
    def chosen(self) -> dict[str, Any]:
        """The options given, as ``make_settings`` takes them."""
        from fullprime.play.options.options import read_setting

        return {
            "stake": None if self.stake is None else read_setting("stake", self.stake),
            "cube": self.cube,
            "crawford": self.crawford,
            "raccoons": self.raccoons,
            "automatic_doubles": self.automatic_doubles,
            "backgammon": None if self.backgammon is None else read_setting("backgammon", self.backgammon),
        }

    @property
    def rules(self) -> tuple[str, ...]:
        """The options given that ``make_settings`` takes as ``name=value``: None is a value of the cap."""
        return () if self.cube_cap is None else (f"cube_cap={self.cube_cap}",)


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionOptions:
    """The facts that an ID may leave open, and the values that replace its own."""

    variant: Variant = "backgammon"
    rules: RuleOptions = field(default_factory=RuleOptions)
    score: Annotated[str | None, typer.Option("--score", help="The score, X's points first: 4-0.")] = None
    post_crawford: Annotated[
        bool, typer.Option("--post-crawford", help="With --score: the Crawford game has been played.")
    ] = False
    cube_at: Annotated[str | None, typer.Option("--cube-at", help="The cube's value and owner, 4:X.")] = None
    on_roll: Annotated[str | None, typer.Option("--on-roll", help="Who is on roll, X or O.")] = None

    def read_score(self, settings: Settings) -> Score | None:
        """The score that was given."""
        from fullprime.play.options.options import read_score
        from fullprime.rules.errors import SettingsError

        if self.score is None:
            if self.post_crawford:
                raise SettingsError("--post-crawford goes with --score")
            return None
        return read_score(self.score, settings, post_crawford=self.post_crawford)

    def game(
        self,
        position: str,
        roll: list[str] | None = None,
        *,
        more: MoreRuleOptions | None = None,
        default_length: int | None = 0,
        quiet: bool = False,
    ) -> Game:
        """The game that an ID describes, with the roll and with the options in its place.

        Facts that the ID leaves open are noted on standard error unless ``quiet``.
        """
        from fullprime.cli.standard_input import read_text_argument
        from fullprime.cli.terminal import show_note

        position = read_text_argument(position)
        game, reading = self.reading(position, roll, more=more, default_length=default_length)
        if not quiet:
            for remark in reading.notes:
                show_note(f"{position.strip()[:40]} {remark}")
        return game

    def reading(
        self,
        position: str,
        roll: list[str] | None = None,
        *,
        more: MoreRuleOptions | None = None,
        default_length: int | None = 0,
    ) -> tuple[Game, IdReading]:
        """The game, and the content of the ID itself."""
        from fullprime.cli.command import find_changed_options
        from fullprime.cli.standard_input import read_text_argument
        from fullprime.play.options.positions import game_and_reading, with_roll
        from fullprime.rules.dice import Roll

        settings = self.rules.settings(self.variant, more, default_length=default_length)
        begun = self.read_score(settings)
        override = (
            begun is not None
            or bool(find_changed_options(self.rules))
            or (more is not None and bool(find_changed_options(more)))
        )
        game, reading = game_and_reading(
            read_text_argument(position),
            settings,
            override=override,
            score=begun,
            on_roll=self.on_roll,
            cube=self.cube_at,
        )
        return (with_roll(game, Roll.from_text(" ".join(roll))) if roll else game), reading


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingOptions:
    """The way to ask the engine."""

    level: Level = "2-ply"
    cubeful: Cubeful = True
    threads: Threads = None
    seconds: Seconds = None
