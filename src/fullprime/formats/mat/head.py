"""The head of one match of match text: its tags and remarks, and the settings and ratings that they give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fullprime.formats.document import Problem
from fullprime.formats.mat.words import ELEMENT
from fullprime.formats.recording.game_recorder import MOST_REMARKS
from fullprime.formats.recording.tags import CUBE_LIMIT_AS_LENGTH, money_of_galaxy, settings_from_tags
from fullprime.rules.score import Settings

TAG = re.compile(r"\s*+[;#]?\s*+\[\s*+([^\"\]]*)\"(.*)\"\s*+\]?\s*+$")
_RATED = re.compile(r"(.*[^\s,])(?:,|\s+[\[(])(\d{3,4}(?:[.,]\d{1,9})?)[\])]?$")


@dataclass(slots=True)
class Head:
    """The lines before the games of one match."""

    tags: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    letters: int = 0
    """Of the remarks."""
    length: int | None = None
    line: int = 0

    def remark(self, words: str) -> bool:
        """Keep a remark about the match; True for the first that is left out, because they are too long together."""
        before = self.letters
        self.letters += len(words)
        if self.letters <= MOST_REMARKS:
            self.remarks.append(words)
        return before <= MOST_REMARKS < self.letters

    def settings(self, lines: Sequence[str], problems: list[Problem]) -> Settings:
        """The settings of the match; ``lines`` are all of its lines, which show some of them."""
        settings = settings_from_tags(self.tags, self.length or 0, problems)
        if (money := self._money_game(settings, lines)) is not None:
            self.tags[CUBE_LIMIT_AS_LENGTH] = str(settings.length)
            settings = money
        return _with_beavers(settings, "\n".join(lines))

    def _money_game(self, settings: Settings, lines: Sequence[str]) -> Settings | None:
        """Backgammon Galaxy's money game in place of its match; None for a match that is won, and for other files."""
        money = money_of_galaxy(self.tags.get("Site", ""), settings)
        won = money is not None and any((match := ELEMENT.search(line)) and match["match"] for line in lines)
        return None if won else money

    def without_ratings(self, left: str, right: str) -> tuple[str, str]:
        """The names without their ratings; whole numbers are ratings where both names have one."""
        rated = _RATED.match(left), _RATED.match(right)
        if rated[0] and rated[1] and rated[0][1].casefold() == rated[1][1].casefold():
            return left, right  # The figures are all that tells the names apart.
        names = [left, right]
        for index, (column, rating) in enumerate(zip(("Left", "Right"), rated, strict=True)):
            if rating and (all(rated) or not rating[2].isdigit()):
                self.tags.setdefault(f"{column} Rating", rating[2])
                names[index] = rating[1]
        return names[0], names[1]


def _with_beavers(settings: Settings, text: str) -> Settings:
    """Beavers and raccoons are allowed in a money session in which they happen."""
    if settings.is_match or not settings.cube:
        return settings
    beavers = settings.beavers or re.search(r"beavers\s*=>", text, re.IGNORECASE) is not None
    raccoons = settings.raccoons or re.search(
        r"raccoons\s*=>|beavers\s*=>\s*\d+\s+(?:\d+\)\s+)?beavers", text, re.IGNORECASE
    )
    return replace(settings, beavers=bool(beavers or raccoons), raccoons=bool(raccoons))
