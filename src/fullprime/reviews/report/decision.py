"""One decision of a report: its board, its words, what could have been done, and the cube."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby

from fullprime.drawing.svg import Arrow, play_arrows
from fullprime.formats.analysis import EventAnalysis
from fullprime.reviews.decision import NOTHING, Decision, Kind, Option, Thresholds, Verdict
from fullprime.reviews.depths import comparable_depth, depth_words, group_words
from fullprime.reviews.explain import Explanation, explanation
from fullprime.reviews.report.boards import board
from fullprime.reviews.report.places import CLASSES, MISTAKES, ReportPlace
from fullprime.rules.errors import IdError
from fullprime.rules.game import Game
from fullprime.rules.ids import write_id
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import MINUS, format_signed

ROUGH = '<p class="soft">≈ compares two depths: the best was looked at further than this one.</p>'

KINDS = {
    Kind.PLAY: "play",
    Kind.CHOICE: "play",
    Kind.DOUBLE: "double",
    Kind.TAKE: "take",
    Kind.RESIGNATION: "resignation",
}


def render_article(
    decision: Decision,
    place: ReportPlace,
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
    verdict, name = decision.verdict(thresholds), place.anchor
    classes = "decision" + " mistake" * (verdict in MISTAKES) + " now" * shown
    who = escape(match.names[decision.player])
    task = f"to play {decision.dice.words}" if decision.dice is not None and decision.kind is Kind.PLAY else {
        Kind.DOUBLE: "to double or to roll", Kind.TAKE: "doubled: take or drop", Kind.CHOICE: "to name a double",
        Kind.RESIGNATION: "resigns" if decision.played.text.startswith("resign") else "offered a resignation",
    }[decision.kind]  # fmt: skip
    picture = board(place.before, bottom if bottom is not None else decision.player, match.names, _arrows(decision))
    words = f'<p class="w-{CLASSES[verdict]}">{escape(str(verdict).capitalize())}: {escape(decision.words)}</p>'
    reasons = _reasons(explanation(decision, place.before))
    other = f'<p class="soft">{escape(beside)}</p>' if beside else ""
    return (
        f'<article id="{name}" class="{classes}" tabindex="-1" data-player="{decision.player.name}"'
        f' data-kind="{KINDS[decision.kind]}" data-verdict="{CLASSES[verdict]}" data-x="{at}"'
        f' aria-labelledby="{name}-h">'
        f'<h3 id="{name}-h"><span class="no">{place.number}</span> {who} {task}</h3>{picture}'
        f'<div class="said">{words}{reasons}{_options(decision, match)}{_cube(decision)}{other}{_id(place.before)}'
        "</div></article>"
    )


def _reasons(explanation: Explanation) -> str:
    """One sentence, and the others behind a word that opens them."""
    if not explanation.first:
        return ""
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in explanation.more)
    more = f"<details><summary>More reasons</summary><ul data-terms>{items}</ul></details>" if items else ""
    return f"<p data-terms>{escape(explanation.first)}</p>{more}"


def _arrows(decision: Decision) -> tuple[Arrow, ...]:
    """The best play and, where it differs, the one made; their shared moves belong to the best."""
    if decision.played.moves is None or decision.best.moves is None:
        return ()
    best = play_arrows(decision.best.moves, 0.0, decision.player)
    if decision.best is decision.played:
        return best
    shared = [(arrow.source, arrow.target) for arrow in best]
    played = []
    for arrow in play_arrows(decision.played.moves, decision.loss, decision.player):
        if (arrow.source, arrow.target) in shared:
            shared.remove((arrow.source, arrow.target))
        else:
            played.append(arrow)
    return best + tuple(played)


# -- what could have been done --------------------------------------------------------------------------------------
def _options(decision: Decision, match: Match) -> str:
    groups = [list(group) for _, group in groupby(decision.options, _depth_of)]
    match_play = match.settings.is_match
    bodies = "".join(_group(group, decision, match_play=match_play, headed=len(groups) > 1) for group in groups)
    order = "the best first" if len(groups) == 1 else "those looked at furthest first"
    caption = f"{decision.legal} possibilities, {order}" if decision.legal > 1 else "1 possibility"
    caption += "; in brackets gammons, backgammons" if any(option.chances for option in decision.options) else ""
    return (
        f'<div class="wide" tabindex="0"><table class="options"><caption>{caption}</caption>'
        '<thead><tr><th scope="col" class="words">what</th><th scope="col">equity</th>'
        f'<th scope="col">loss</th><th scope="col">depth</th></tr></thead>{bodies}</table></div>'
        f"{ROUGH if len(groups) > 1 else ''}"
    )


def _group(group: list[Option], decision: Decision, *, match_play: bool, headed: bool) -> str:
    """The options that were looked at equally far; each group is in order, and two groups are not to be compared."""
    head = f'<tr><th colspan="4" scope="rowgroup">{_group_words(group[0])}</th></tr>' if headed else ""
    return f"<tbody>{head}{''.join(_row(option, decision, match_play=match_play) for option in group)}</tbody>"


def _row(option: Option, decision: Decision, *, match_play: bool) -> str:
    kinds = (("best", option is decision.best), ("played", option is decision.played))
    kind = " ".join(name for name, is_so in kinds if is_so)
    mark = " <em>played</em>" if option is decision.played else ""
    figures = [*_chances(option), *([f"match {100 * option.value:.2f} %"] if match_play else [])]
    opened = f'<tr class="{kind}">' if kind else "<tr>"
    row = (
        f"{opened}<td><b>{escape(option.text)}</b>{mark}</td><td>{format_signed(option.equity, 4)}</td>"
        f"<td>{_loss(option, decision.best)}</td><td>{depth_words(option.depth, option.deviation)}</td></tr>"
    )
    return row + (f'{opened}<td colspan="4">{" · ".join(figures)}</td></tr>' if figures else "")


def _loss(option: Option, best: Option) -> str:
    """Below nothing only where the best was looked at further: the figure then says no more than about 0."""
    rough = "≈ " if _depth_of(option) != _depth_of(best) else ""
    if option.loss > NOTHING:
        return f"{rough}{MINUS}{option.loss:.4f}"
    return f"{rough}0" if rough else ""


def _chances(option: Option) -> Iterable[str]:
    if option.chances is None:
        return ()
    win, gammon, backgammon, lose_gammon, lose_backgammon = (100 * part for part in option.chances)
    lost = f"{100 - win:.1f} ({lose_gammon:.1f}, {lose_backgammon:.1f})"
    return (f"wins {win:.1f} ({gammon:.1f}, {backgammon:.1f})", f"loses {lost} %")


def _depth_of(option: Option) -> tuple[bool, int | None]:
    return comparable_depth(option.depth, option.deviation)


def _group_words(option: Option) -> str:
    return group_words(option.depth, option.deviation)


def _cube(decision: Decision) -> str:
    cube = decision.cube
    if cube is None:
        return ""
    right = max(cube.no_double, min(cube.double_take, cube.double_drop))
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{format_signed(equity, 4)}</td>'
        f"<td>{format_signed(equity - right, 4)}</td></tr>"
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
        f'<tr><th scope="row">cubeless</th><td>{format_signed(cube.cubeless, 4)}</td><td></td></tr>'
        f"</tbody></table></div>"
        f'<p class="soft">Wins {win:.1f} % (gammons {gammon:.1f}, backgammons {backgammon:.1f}), '
        f"loses {100 - win:.1f} % "
        f"(gammons {lose_gammon:.1f}, backgammons {lose_backgammon:.1f}).</p>"
    )


def _id(game: Game) -> str:
    try:
        return f'<p class="id soft">XGID: <code>{escape(write_id(game, "xgid").text.removeprefix("XGID="))}</code></p>'
    except IdError:
        return f'<p class="id soft">Position: <code>{escape(game.position.text)}</code></p>'


def words_of_another(analysis: EventAnalysis, program: str) -> str:
    """The judgement of the program whose analysis came with the file."""
    parts = []
    if analysis.play is not None and analysis.play.candidates:
        best = analysis.play.candidates[0]
        parts.append(f"best {best.text}" + (f" ({best.level})" if best.level else ""))
        played = analysis.play.played
        if played is not None and best.equity is not None:
            played_equity = analysis.play.candidates[played].equity
            if played_equity is not None and best.equity > played_equity:
                parts.append(f"the play made loses {best.equity - played_equity:.3f}")
    elif analysis.cube is not None and analysis.cube.unit == "points":
        figures = (
            ("no double", analysis.cube.no_double),
            ("double, take", analysis.cube.double_take),
            ("double, drop", analysis.cube.double_pass),
        )
        parts += [f"{name} {format_signed(equity)}" for name, equity in figures if equity is not None]
    if analysis.error is not None:
        parts.append(f"loss {analysis.error:.3f}")
    return f"{program or 'The file'} says: {'; '.join(parts)}." if parts else ""


def loss_words(decision: Decision, thresholds: Thresholds) -> str:
    """The loss as lists show it; in brackets when it is too close to call."""
    if decision.loss <= NOTHING:
        return "ok"
    text = f"{MINUS}{decision.loss:.3f}"
    return f"({text})" if decision.verdict(thresholds) is Verdict.UNCLEAR else text
