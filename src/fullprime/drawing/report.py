"""The report of a review: one HTML file that needs nothing else, for screens, paper and screen readers.

Everything stands in the page itself; the script only filters and steps through it, so that without it the page is
longer but complete.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from fullprime.analysis.decision import XG, Decision, Kind, Option, Thresholds, Verdict
from fullprime.analysis.explain import Explanation, explanation
from fullprime.analysis.rating import rating
from fullprime.analysis.review import Review
from fullprime.drawing.report_graph import CLASSES, anchor, graph, places
from fullprime.drawing.report_summary import summary
from fullprime.drawing.svg import Arrow, empty_board, labels_of, play_arrows, svg
from fullprime.formats.analysis import EventAnalysis, FileAnalysis
from fullprime.rules.errors import IdError
from fullprime.rules.game import Game
from fullprime.rules.ids import write_id
from fullprime.rules.record import Match, Setup
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON

MINUS = "\u2212"
ROUGH = '<p class="soft">≈ compares two depths: the best was looked at further than this one.</p>'

KINDS = {
    Kind.PLAY: "play",
    Kind.CHOICE: "play",
    Kind.DOUBLE: "double",
    Kind.TAKE: "take",
    Kind.RESIGNATION: "resignation",
}


def html(
    match: Match,
    review: Review,
    *,
    thresholds: Thresholds = XG,
    player: Player | None = None,
    other: FileAnalysis | None = None,
    head: str = "",
    top: str = "",
) -> str:
    """The report of a match. ``player``: his decisions are shown first, and he then sits at the bottom of every
    board; ``other``: an analysis that came with the file, shown beside ours; ``head`` and
    ``top``: markup of a server that shows the report, put into its head and above it as it is.
    """
    ratings = [rating(review, each, thresholds) for each in Player]
    names = (escape(match.names[0]), escape(match.names[1]))
    boards = _boards(match, review)
    where = places(review)
    articles, entries = [], []
    for each in review.decisions:
        game, roll = boards[each.game, each.event]
        entries.append(_entry(each, names, thresholds))
        found = other.events.get((each.game, each.event)) if other is not None else None
        words = _other_words(found, other.program) if found is not None and other is not None else ""
        article = _article(each, game, roll, match, thresholds, player, where[each.game, each.event], words)
        articles.append(_compact(article))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{names[0]} against {names[1]}: review</title><style>{_data("report.css")}</style>{head}</head><body>
<a class="skip" href="#decisions">To the decisions</a>{top}
<svg class="shared" width="0" height="0" aria-hidden="true"><defs>{_shared()}</defs></svg>
<header><h1>{names[0]} against {names[1]}</h1><p class="soft">{_about(match, review)}</p></header>
<main>{summary(match, review, ratings, names)}
<h2>Course of the match</h2>{graph(match, review, thresholds)}
<h2 id="decisions">Decisions</h2>{_controls(names, player)}
<div class="work"><nav aria-label="Decisions"><ol>{"".join(entries)}</ol></nav>
<div id="detail">{"".join(articles)}</div></div>
{_left_out(review)}</main><footer class="soft"><p>How every figure is counted: docs/review.md of Fullprime.</p></footer>
<script>{_data("report.js")}</script></body></html>
"""


_COMMON = ((empty_board(), "table"), (labels_of(), "near"), (labels_of(far=True), "far"))
_DISC = re.compile(
    r'<circle class="fp-([xo])" cx="([\d.]+)" cy="([\d.]+)" r="19"[^>]*/>'
    r'(?:<circle class="fp-ring" cx="[\d.]+" cy="[\d.]+" r="14"[^>]*/>)?'
)


def _shared() -> str:
    """The common parts of all boards, drawn once: the table, the numbers of the points and a checker of each side."""
    parts = [f'<g id="fp-{name}">{drawn}</g>' for drawn, name in _COMMON]
    discs = {found[1]: found for found in _DISC.finditer(svg(BACKGAMMON.starting_position))}
    for side, found in sorted(discs.items()):
        parts.append(f'<g id="fp-{side}d" transform="translate(-{found[2]} -{found[3]})">{found[0]}</g>')
    return "".join(parts)


def _compact(article: str) -> str:
    """The article with references in the place of the common parts of all boards."""
    for drawn, name in _COMMON:
        article = article.replace(drawn, f'<use href="#fp-{name}"/>')
    return _DISC.sub(r'<use href="#fp-\1d" x="\2" y="\3"/>', article)


def _data(name: str) -> str:
    return (files("fullprime.drawing") / "data" / name).read_text(encoding="utf-8").strip()


def _boards(match: Match, review: Review) -> dict[tuple[int, int], tuple[Game, int]]:
    """The game before each decision, and the number of rolls thrown in it by then."""
    wanted = {(each.game, each.event) for each in review.decisions}
    found = {}
    for number, record in enumerate(match.games[: review.games]):
        rolls = 0
        for event, entry in enumerate(record.entries()):
            if (number, event) in wanted:
                found[number, event] = (entry.before, rolls)
            if not isinstance(entry.event, Setup) and entry.event.dice is not None:
                rolls += 1
    return found


def _about(match: Match, review: Review) -> str:
    parts = [f"match to {match.settings.length}" if match.settings.is_match else "money play"]
    parts.append(match.settings.variant.title)
    parts += [str(match.info[key]) for key in ("Event", "Round", "Site", "EventDate") if match.info.get(key)]
    parts.append(f"reviewed at level {review.level} by {review.program}")
    if not review.complete:
        parts.append(f"stopped after {review.games} of {len(match.games)} games")
    return escape(" · ".join(parts))


# -- the list ---------------------------------------------------------------------------------------------------
def _controls(names: tuple[str, str], player: Player | None) -> str:
    def options(pairs: Sequence[tuple[str, str]], chosen: str = "all") -> str:
        return "".join(
            f'<option value="{value}"{" selected" if value == chosen else ""}>{words}</option>'
            for value, words in pairs
        )

    whose = options([("all", "both players"), ("X", names[0]), ("O", names[1])], player.name if player else "all")
    kinds = options(
        [
            ("all", "all kinds"),
            ("play", "checker plays"),
            ("double", "doubles"),
            ("take", "takes and drops"),
            ("resignation", "resignations"),
        ]
    )
    verdicts = options(
        [
            ("all", "all verdicts"),
            ("mistakes", "errors and blunders"),
            ("blunder", "blunders"),
            ("unclear", "too close to call"),
        ]
    )
    return (
        f'<div class="filters"><label>Player <select name="player">{whose}</select></label>'
        f'<label>Kind <select name="kind">{kinds}</select></label>'
        f'<label>Verdict <select name="verdict">{verdicts}</select></label>'
        '<button type="button" data-step="-1">Previous</button><button type="button" data-step="1">Next</button>'
        '<button type="button" data-step="-1" data-mistakes>Previous error</button>'
        '<button type="button" data-step="1" data-mistakes>Next error</button>'
        '<span id="said" role="status" class="soft"></span></div>'
        '<p class="keys soft"><kbd>←</kbd> <kbd>→</kbd> or <kbd>k</kbd> <kbd>j</kbd>: previous and next decision; '
        "<kbd>p</kbd> <kbd>n</kbd> or with Shift: previous and next error.</p>"
    )


def _entry(each: Decision, names: tuple[str, str], thresholds: Thresholds) -> str:
    verdict = each.verdict(thresholds)
    said = escape(f"{each.dice}: {each.played.text}" if each.dice is not None else each.played.text)
    loss = MINUS + f"{each.loss:.3f}" if each.loss > 0 else "ok"
    if verdict is Verdict.UNCLEAR:
        loss = f"({loss})"
    return (
        f'<li class="v-{CLASSES[verdict]}"><a href="#{anchor(each.game, each.event)}"><span class="soft">'
        f"{each.game + 1}.{each.event + 1}</span><span>{names[each.player]} {said}</span>"
        f'<span class="loss" aria-label="{escape(str(verdict))}, {each.loss:.3f}">{loss}</span></a></li>'
    )


def _article(
    each: Decision,
    game: Game,
    roll: int,
    match: Match,
    thresholds: Thresholds,
    player: Player | None,
    x: float,
    other: str,
) -> str:
    verdict, name = each.verdict(thresholds), anchor(each.game, each.event)
    mistake = " mistake" if verdict in (Verdict.ERROR, Verdict.BLUNDER, Verdict.DOUBTFUL) else ""
    who = match.names[each.player]
    arrows = _arrows(each)
    picture = svg(
        game,
        bottom=player if player is not None else each.player,
        arrows=arrows,
        names=match.names,
        size=None,
        ident=name,
    )
    picture = picture[: picture.index("<style>")] + picture[picture.index("</style>") + 8 :]
    asked = f"to play {each.dice}" if each.kind is Kind.PLAY else {
        Kind.DOUBLE: "to double or to roll", Kind.TAKE: "doubled: take or drop", Kind.CHOICE: "to name a double",
        Kind.RESIGNATION: "resigns" if each.played.text.startswith("resign") else "offered a resignation",
    }[each.kind]  # fmt: skip
    words = f'<p class="w-{CLASSES[verdict]}">{escape(str(verdict).capitalize())}: {escape(each.words)}</p>'
    said = _reasons(explanation(each, game))
    beside = f'<p class="soft">{escape(other)}</p>' if other else ""
    return (
        f'<article id="{name}" class="decision{mistake}" tabindex="-1" data-player="{each.player.name}"'
        f' data-kind="{KINDS[each.kind]}" data-verdict="{CLASSES[verdict]}" data-x="{x}" aria-labelledby="{name}-h">'
        f'<h3 id="{name}-h">Game {each.game + 1}, roll {roll}: {escape(who)} {asked}</h3>{picture}{words}{said}'
        f"{_options(each, match)}{_cube(each)}{beside}{_id(game)}</article>"
    )


def _reasons(found: Explanation) -> str:
    """One sentence, and the others behind a word that opens them."""
    if not found.first:
        return ""
    rest = "".join(f"<li>{escape(sentence)}</li>" for sentence in found.more)
    more = f"<details><summary>More reasons</summary><ul>{rest}</ul></details>" if rest else ""
    return f"<p>{escape(found.first)}</p>{more}"


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


def _options(each: Decision, match: Match) -> str:
    rows = []
    for rank, option in enumerate(each.options, 1):
        kind = " ".join(name for name, yes in (("best", rank == 1), ("played", option is each.played)) if yes)
        mark = ' <span class="soft">played</span>' if option is each.played else ""
        chance = f"<td>{100 * option.value:.2f} %</td>" if match.settings.is_match else ""
        rough = "≈ " if _looked(option) != _looked(each.options[0]) else ""
        loss = rough + MINUS + f"{option.loss:.4f}" if option.loss else ""
        rows.append(
            f'<tr class="{kind}"><td>{rank}</td><td class="words">{escape(option.text)}{mark}</td>'
            f"<td>{option.equity:+.4f}</td><td>{loss}</td>{chance}{_chances(option)}<td>{_depth(option)}</td></tr>"
        )
    chance = '<th scope="col">match</th>' if match.settings.is_match else ""
    names = ("win", "gammon", "bg", "lose g", "lose bg") if any(option.chances for option in each.options) else ()
    heads = "".join(f'<th scope="col">{name}</th>' for name in names)
    return (
        f'<div class="wide" tabindex="0"><table><caption>{each.legal} possibilities, the best first</caption>'
        '<thead><tr><th scope="col">#</th><th scope="col" class="words">what</th><th scope="col">equity</th>'
        f'<th scope="col">loss</th>{chance}{heads}<th scope="col">depth</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{ROUGH if any('≈' in row for row in rows) else ''}"
    )


def _chances(option: Option) -> str:
    return "" if option.chances is None else "".join(f"<td>{100 * part:.1f}</td>" for part in option.chances)


def _looked(option: Option) -> tuple[bool, int]:
    """How far an option was looked at; what differs is not compared without a word."""
    return option.deviation is not None, option.depth


def _depth(option: Option) -> str:
    if option.deviation is not None:
        return f"rollout ± {option.deviation:.4f}"
    return "0-ply (static)" if option.depth == 0 else f"{option.depth}-ply"


def _cube(each: Decision) -> str:
    cube = each.cube
    if cube is None:
        return ""
    right = max(cube.no_double, min(cube.double_take, cube.double_drop))
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{equity:+.4f}</td><td>{equity - right:+.4f}</td></tr>'
        for name, equity in (
            ("no double", cube.no_double),
            ("double, take", cube.double_take),
            ("double, drop", cube.double_drop),
        )
    )
    win, gammon, backgammon, lose_gammon, lose_backgammon = (100 * part for part in cube.chances)
    return (
        f"<p><strong>Proper action: {escape(cube.proper)}</strong></p>"
        f'<div class="wide" tabindex="0"><table><caption>Cube, as the player on roll sees it</caption><tbody>{rows}'
        f'<tr><th scope="row">cubeless</th><td>{cube.cubeless:+.4f}</td><td></td></tr></tbody></table></div>'
        f'<p class="soft">Wins {win:.1f} % (gammons {gammon:.1f}, backgammons {backgammon:.1f}), '
        f"loses {100 - win:.1f} % "
        f"(gammons {lose_gammon:.1f}, backgammons {lose_backgammon:.1f}).</p>"
    )


def _id(game: Game) -> str:
    try:
        return f'<p class="id soft">XGID: <code>{escape(write_id(game, "xgid").text.removeprefix("XGID="))}</code></p>'
    except IdError:
        return f'<p class="id soft">Position: <code>{escape(game.position.text)}</code></p>'


def _other_words(found: EventAnalysis, program: str) -> str:
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
        said += [f"{name} {equity:+.3f}" for name, equity in figures if equity is not None]
    if found.error is not None:
        said.append(f"loss {found.error:.3f}")
    return f"{program or 'The file'} says: {'; '.join(said)}." if said else ""


def _left_out(review: Review) -> str:
    if not review.left_out:
        return ""
    items = "".join(
        f"<li>Game {each.game + 1}, event {each.event + 1}: {escape(each.why)}</li>" for each in review.left_out
    )
    return f"<h2>Left out</h2><p>About these nothing was said; they count nowhere.</p><ul>{items}</ul>"


__all__ = ["html"]
