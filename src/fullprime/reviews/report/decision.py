"""One decision of a report: its board, its words, what could have been done, and the cube."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby

from fullprime.drawing.svg import Arrow, play_arrows
from fullprime.formats.analysis import EventAnalysis
from fullprime.reviews.decision import NOTHING, Decision, Kind, Option, Thresholds, Verdict
from fullprime.reviews.depths import depth_words, group_words, looked
from fullprime.reviews.explain import Explanation, explanation
from fullprime.reviews.report.boards import board
from fullprime.reviews.report.places import CLASSES, MISTAKES, Place
from fullprime.rules.errors import IdError
from fullprime.rules.game import Game
from fullprime.rules.ids import write_id
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import MINUS, signed

ROUGH = '<p class="soft">≈ compares two depths: the best was looked at further than this one.</p>'

KINDS = {
    Kind.PLAY: "play",
    Kind.CHOICE: "play",
    Kind.DOUBLE: "double",
    Kind.TAKE: "take",
    Kind.RESIGNATION: "resignation",
}


def article(
    each: Decision,
    place: Place,
    match: Match,
    thresholds: Thresholds,
    *,
    bottom: Player | None,
    at: str,
    beside: str = "",
    shown: bool = False,
) -> str:
    """The part of the page about a decision. ``bottom`` sits at the bottom of the board, else the player who decides;
    ``at`` is its place in the course of the match; ``beside``: words of another program; ``shown``: seen at first.
    """
    verdict, name = each.verdict(thresholds), place.anchor
    classes = "decision" + " mistake" * (verdict in MISTAKES) + " now" * shown
    who = escape(match.names[each.player])
    asked = f"to play {each.dice.words}" if each.dice is not None and each.kind is Kind.PLAY else {
        Kind.DOUBLE: "to double or to roll", Kind.TAKE: "doubled: take or drop", Kind.CHOICE: "to name a double",
        Kind.RESIGNATION: "resigns" if each.played.text.startswith("resign") else "offered a resignation",
    }[each.kind]  # fmt: skip
    picture = board(place.before, bottom if bottom is not None else each.player, match.names, _arrows(each))
    words = f'<p class="w-{CLASSES[verdict]}">{escape(str(verdict).capitalize())}: {escape(each.words)}</p>'
    said = _reasons(explanation(each, place.before))
    other = f'<p class="soft">{escape(beside)}</p>' if beside else ""
    return (
        f'<article id="{name}" class="{classes}" tabindex="-1" data-player="{each.player.name}"'
        f' data-kind="{KINDS[each.kind]}" data-verdict="{CLASSES[verdict]}" data-x="{at}" aria-labelledby="{name}-h">'
        f'<h3 id="{name}-h"><span class="no">{place.number}</span> {who} {asked}</h3>{picture}'
        f'<div class="said">{words}{said}{_options(each, match)}{_cube(each)}{other}{_id(place.before)}</div></article>'
    )


def _reasons(found: Explanation) -> str:
    """One sentence, and the others behind a word that opens them."""
    if not found.first:
        return ""
    rest = "".join(f"<li>{escape(sentence)}</li>" for sentence in found.more)
    more = f"<details><summary>More reasons</summary><ul data-terms>{rest}</ul></details>" if rest else ""
    return f"<p data-terms>{escape(found.first)}</p>{more}"


def _arrows(each: Decision) -> tuple[Arrow, ...]:
    """The best play and, where it differs, the one made; their shared moves belong to the best."""
    if each.played.moves is None or each.best.moves is None:
        return ()
    best = play_arrows(each.best.moves, 0.0, each.player)
    if each.best is each.played:
        return best
    shared = [(arrow.source, arrow.target) for arrow in best]
    made = []
    for arrow in play_arrows(each.played.moves, each.loss, each.player):
        if (arrow.source, arrow.target) in shared:
            shared.remove((arrow.source, arrow.target))
        else:
            made.append(arrow)
    return best + tuple(made)


# -- what could have been done --------------------------------------------------------------------------------------
def _options(each: Decision, match: Match) -> str:
    groups = [list(group) for _, group in groupby(each.options, _looked)]
    match_play = match.settings.is_match
    bodies = "".join(_group(group, each, match_play=match_play, headed=len(groups) > 1) for group in groups)
    order = "the best first" if len(groups) == 1 else "those looked at furthest first"
    there = f"{each.legal} possibilities, {order}" if each.legal > 1 else "1 possibility"
    there += "; in brackets gammons, backgammons" if any(option.chances for option in each.options) else ""
    return (
        f'<div class="wide" tabindex="0"><table class="options"><caption>{there}</caption>'
        '<thead><tr><th scope="col" class="words">what</th><th scope="col">equity</th>'
        f'<th scope="col">loss</th><th scope="col">depth</th></tr></thead>{bodies}</table></div>'
        f"{ROUGH if len(groups) > 1 else ''}"
    )


def _group(group: list[Option], each: Decision, *, match_play: bool, headed: bool) -> str:
    """The options that were looked at equally far; each group is in order, and two groups are not to be compared."""
    head = f'<tr><th colspan="4" scope="rowgroup">{_group_words(group[0])}</th></tr>' if headed else ""
    return f"<tbody>{head}{''.join(_row(option, each, match_play=match_play) for option in group)}</tbody>"


def _row(option: Option, each: Decision, *, match_play: bool) -> str:
    kind = " ".join(name for name, yes in (("best", option is each.best), ("played", option is each.played)) if yes)
    mark = " <em>played</em>" if option is each.played else ""
    figures = [*_chances(option), *([f"match {100 * option.value:.2f} %"] if match_play else [])]
    opened = f'<tr class="{kind}">' if kind else "<tr>"
    row = (
        f"{opened}<td><b>{escape(option.text)}</b>{mark}</td><td>{signed(option.equity, 4)}</td>"
        f"<td>{_loss(option, each.best)}</td><td>{depth_words(option.depth, option.deviation)}</td></tr>"
    )
    return row + (f'{opened}<td colspan="4">{" · ".join(figures)}</td></tr>' if figures else "")


def _loss(option: Option, best: Option) -> str:
    """Below nothing only where the best was looked at further: the figure then says no more than about 0."""
    rough = "≈ " if _looked(option) != _looked(best) else ""
    if option.loss > NOTHING:
        return f"{rough}{MINUS}{option.loss:.4f}"
    return f"{rough}0" if rough else ""


def _chances(option: Option) -> Iterable[str]:
    if option.chances is None:
        return ()
    win, gammon, backgammon, lose_gammon, lose_backgammon = (100 * part for part in option.chances)
    lost = f"{100 - win:.1f} ({lose_gammon:.1f}, {lose_backgammon:.1f})"
    return (f"wins {win:.1f} ({gammon:.1f}, {backgammon:.1f})", f"loses {lost} %")


def _looked(option: Option) -> tuple[bool, int | None]:
    return looked(option.depth, option.deviation)


def _group_words(option: Option) -> str:
    return group_words(option.depth, option.deviation)


def _cube(each: Decision) -> str:
    cube = each.cube
    if cube is None:
        return ""
    right = max(cube.no_double, min(cube.double_take, cube.double_drop))
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{signed(equity, 4)}</td><td>{signed(equity - right, 4)}</td></tr>'
        for name, equity in (
            ("no double", cube.no_double),
            ("double, take", cube.double_take),
            ("double, drop", cube.double_drop),
        )
    )
    win, gammon, backgammon, lose_gammon, lose_backgammon = (100 * part for part in cube.chances)
    return (
        f"<p><strong>Proper action: {escape(cube.proper)}</strong></p>"
        f'<div class="wide" tabindex="0"><table><caption>Cube, as the player on roll sees it</caption>'
        '<thead><tr><th scope="col" class="words">action</th><th scope="col">equity</th>'
        f'<th scope="col">against the right one</th></tr></thead><tbody>{rows}'
        f'<tr><th scope="row">cubeless</th><td>{signed(cube.cubeless, 4)}</td><td></td></tr></tbody></table></div>'
        f'<p class="soft">Wins {win:.1f} % (gammons {gammon:.1f}, backgammons {backgammon:.1f}), '
        f"loses {100 - win:.1f} % "
        f"(gammons {lose_gammon:.1f}, backgammons {lose_backgammon:.1f}).</p>"
    )


def _id(game: Game) -> str:
    try:
        return f'<p class="id soft">XGID: <code>{escape(write_id(game, "xgid").text.removeprefix("XGID="))}</code></p>'
    except IdError:
        return f'<p class="id soft">Position: <code>{escape(game.position.text)}</code></p>'


def words_of_another(found: EventAnalysis, program: str) -> str:
    """The judgement of the program whose analysis came with the file."""
    said = []
    if found.play is not None and found.play.candidates:
        best = found.play.candidates[0]
        said.append(f"best {best.text}" + (f" ({best.level})" if best.level else ""))
        played = found.play.played
        if played is not None and best.equity is not None:
            made = found.play.candidates[played].equity
            if made is not None and best.equity > made:
                said.append(f"the play made loses {best.equity - made:.3f}")
    elif found.cube is not None and found.cube.unit == "points":
        figures = (
            ("no double", found.cube.no_double),
            ("double, take", found.cube.double_take),
            ("double, drop", found.cube.double_pass),
        )
        said += [f"{name} {signed(equity)}" for name, equity in figures if equity is not None]
    if found.error is not None:
        said.append(f"loss {found.error:.3f}")
    return f"{program or 'The file'} says: {'; '.join(said)}." if said else ""


def loss_words(each: Decision, thresholds: Thresholds) -> str:
    """The loss as lists show it; in brackets when it is too close to call."""
    if each.loss <= NOTHING:
        return "ok"
    text = f"{MINUS}{each.loss:.3f}"
    return f"({text})" if each.verdict(thresholds) is Verdict.UNCLEAR else text
