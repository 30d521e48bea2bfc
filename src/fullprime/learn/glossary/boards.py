"""The boards that show terms of the glossary."""

from __future__ import annotations

from fullprime.drawing.arrows import play_arrows
from fullprime.drawing.svg import Home, svg
from fullprime.learn.glossary import Term


def term_board(term: Term, *, theme: str = "classic", home: Home = "right") -> str:
    """The board that shows a term as SVG, with its roll, its play as arrows, and its cube.

    Raises SvgError for a theme that there is not.
    """
    played = term.read_play()
    return svg(
        term.position,
        home=home,
        theme=theme,
        arrows=play_arrows(played) if played else (),
        pips=False,
        dice=term.roll,
        cube=term.cube,
        names=("you", "the opponent"),
    )
