"""The plan of a side, read from the places of its checkers one by one: slow and obvious."""

from __future__ import annotations

from fullprime.rules.position import HAND, Position


def slow_plan(position: Position) -> str | None:
    """The plan of the side that is given first, in the words of the explanations; None where no kind is plain."""
    if position.player[HAND] or position.opponent[HAND]:
        return None
    mine = [place for place in range(1, 26) for _ in range(position.player[place])]
    theirs = [25 - place for place in range(1, 26) for _ in range(position.opponent[place])]
    if not any(other < own for own in mine for other in theirs):
        return "race"
    held = {place for place in mine if mine.count(place) >= 2 and place <= 24}
    ahead = sum(25 - place for place in theirs) - sum(mine)
    anchors = {place for place in held if place >= 19}
    back = [place for place in mine if place >= 19]
    if len(anchors) >= 2 and ahead <= -60:
        return "back game"
    if any({low, low + 1, low + 2, low + 3} <= held and min(theirs) < low for low in range(1, 22)):
        return "priming game"
    home = [place for place in theirs if 1 <= place <= 6]
    loose = 0 in theirs or any(home.count(place) == 1 for place in home)
    if loose and all(home.count(place) < 2 for place in home) and sum(place <= 11 for place in mine) >= 9:
        return "blitz"
    if ahead < 0 and len(anchors) == 1 and set(back) == anchors:
        return "holding game"
    if ahead > 0 and not back:
        return "running game"
    return None
