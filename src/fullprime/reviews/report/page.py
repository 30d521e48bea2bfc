"""The page of a report: its figures first, then the course of the match, and every decision with its board.

Everything stands in the page itself; the script only filters and steps through it, so that without it the page is
longer but complete. First come the figures that a player looks for: PR, luck, and the plays that cost most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files

from fullprime.formats.analysis import FileAnalysis
from fullprime.reviews.decision import XG, Decision, Thresholds
from fullprime.reviews.rating import rating
from fullprime.reviews.report.boards import shapes
from fullprime.reviews.report.decision import KINDS, loss_words, render_article, words_of_another
from fullprime.reviews.report.graph import graph, place_decisions
from fullprime.reviews.report.places import CLASSES, MISTAKES, ReportPlace, places_of, played_words
from fullprime.reviews.report.summary import figures, headline
from fullprime.reviews.review import Review
from fullprime.rules.dates import format_date
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import format_players

Places = Mapping[tuple[int, int], ReportPlace]

BEGIN = 'document.documentElement.classList.add("js")'
"""The script in the head: only one decision is laid out when there is a script that shows the others."""
MOST_WORST = 5
"""The plays that cost most, at the top of the page."""


def render_page(
    match: Match,
    review: Review,
    *,
    thresholds: Thresholds = XG,
    player: Player | None = None,
    other: FileAnalysis | None = None,
    head: str = "",
    top: str = "",
    more: str = "",
    rest: str = "",
) -> str:
    """The report of a match. ``player``: his decisions are shown first, and he then sits at the bottom of every
    board; ``other``: an analysis that came with the file, shown beside ours; ``head``, ``top`` and ``more``: markup of
    a server that shows the report, put into its head, above it and below its first figures as it is; ``rest``: the
    address at which that server has the decisions that were right (:func:`rest_of`), which are then not on the page.
    """
    ratings = [rating(review, side, thresholds) for side in Player]
    names = (escape(match.names[0]), escape(match.names[1]))
    places = places_of(match, review)
    first = _first(review, thresholds, player)
    entries = [
        _entry(decision, places[decision.game, decision.event], names, thresholds) for decision in review.decisions
    ]
    here = [
        decision
        for decision in review.decisions
        if not rest or decision is first or decision.verdict(thresholds) in MISTAKES
    ]
    articles = _articles(here, match, review, places, thresholds, player, other, first)
    later = f' data-rest="{escape(rest)}"' if rest else ""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{format_players(names)}: review</title><style>{_data("report.css")}</style><script>{BEGIN}</script>{head}\
</head><body>
<a class="skip" href="#decisions">To the decisions</a>{top}
<svg class="shared" width="0" height="0" aria-hidden="true"><defs>{shapes(articles)}</defs></svg>
<main><header class="title"><h1>{format_players(names)}</h1><p class="soft">{_about(match, review)}</p></header>
<div class="first">{headline(match, review, ratings, names)}
{_worst(review, places, names, thresholds, player)}</div>{more}
<h2>Course of the match</h2>{graph(match, review, thresholds, places)}
<h2 id="decisions">Decisions</h2>{_controls(names, player)}
<div class="work"><nav aria-label="Decisions"><ol>{"".join(entries)}</ol></nav>
<div id="detail"{later}>{"".join(articles)}</div></div>
<h2>All figures</h2>{figures(match, review, ratings, names)}
{_render_left_out(review, places)}</main><footer class="soft">{_footnote(review)}</footer>
<script>{_data("report.js")}</script></body></html>
"""


def rest_of(
    match: Match,
    review: Review,
    *,
    thresholds: Thresholds = XG,
    player: Player | None = None,
    other: FileAnalysis | None = None,
) -> str:
    """The decisions that a page with ``rest`` leaves out, and the shapes of their boards; arguments as there."""
    first = _first(review, thresholds, player)
    right = [
        decision
        for decision in review.decisions
        if decision.verdict(thresholds) not in MISTAKES and decision is not first
    ]
    articles = _articles(right, match, review, places_of(match, review), thresholds, player, other, None)
    drawn = f'<svg class="shared" width="0" height="0" aria-hidden="true"><defs>{shapes(articles)}</defs></svg>'
    return drawn + "".join(articles)


def _articles(
    decisions: Sequence[Decision],
    match: Match,
    review: Review,
    places: Places,
    thresholds: Thresholds,
    player: Player | None,
    other: FileAnalysis | None,
    first: Decision | None,
) -> list[str]:
    where, articles = place_decisions(review), []
    for decision in decisions:
        key = (decision.game, decision.event)
        analysis = other.events.get(key) if other is not None else None
        beside = words_of_another(analysis, other.program) if analysis is not None and other is not None else ""
        articles.append(
            render_article(
                decision, places[key], match, thresholds,
                bottom=player, at=where[key], beside=beside, shown=decision is first,
            )
        )  # fmt: skip
    return articles


def own_styles() -> tuple[str, ...]:
    """The style sheets that stand in a report, for a server whose policy names them."""
    return (_data("report.css"),)


def own_scripts() -> tuple[str, ...]:
    """The scripts that stand in a report."""
    return (BEGIN, _data("report.js"))


def _data(name: str) -> str:
    return (files("fullprime.drawing") / "data" / name).read_text(encoding="utf-8").strip()


# -- what it is about -----------------------------------------------------------------------------------------------
def _about(match: Match, review: Review) -> str:
    parts = [f"match to {match.settings.length}" if match.settings.is_match else "money play"]
    parts.append(match.settings.variant.title)
    parts += [str(match.info[key]) for key in ("Event", "Round", "Site") if match.info.get(key)]
    parts += [date] if (date := format_date(match.info)) else []
    if not review.complete:
        parts.append(f"stopped after {review.games} of {len(match.games)} games")
    return escape(" · ".join(parts)) + '<sup><a href="#how" aria-label="How it was judged">1</a></sup>'


def _footnote(review: Review) -> str:
    """Level and nets, which matter to few: below the page, where the number beside the title leads."""
    program, _, nets = review.program.partition(", ")
    named = f" with the nets {escape(nets)}" if nets else ""
    return (
        f'<p id="how"><sup>1</sup> Reviewed at level {escape(review.level)} by {escape(program)}{named}. '
        "How every figure is counted: docs/review.md of Fullprime.</p>"
    )


def _first(review: Review, thresholds: Thresholds, player: Player | None) -> Decision | None:
    """The decision that is shown at first: the first mistake, if there is one."""
    mine = [decision for decision in review.decisions if player in (None, decision.player)]
    return next((decision for decision in mine if decision.verdict(thresholds) in MISTAKES), mine[0] if mine else None)


def _worst(
    review: Review, places: Places, names: tuple[str, str], thresholds: Thresholds, player: Player | None
) -> str:
    bad = [
        decision for decision in review.decisions
        if decision.verdict(thresholds) in MISTAKES and player in (None, decision.player)
    ]  # fmt: skip
    worst = sorted(bad, key=lambda decision: -decision.loss)[:MOST_WORST]
    whose = f" of {names[player]}" if player is not None else ""
    if not worst:
        return f'<section class="worst"><h2>The worst plays{whose}</h2><p>No errors.</p></section>'
    items = "".join(
        _entry(decision, places[decision.game, decision.event], names, thresholds, best=True) for decision in worst
    )
    return f'<section class="worst"><h2>The worst plays{whose}</h2><ol>{items}</ol></section>'


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
        '<span id="said" role="status" class="soft" data-text="{1} of {2} decisions"'
        ' data-text-away="The server does not answer: this decision cannot be shown."></span></div>'
        '<p class="keys soft"><kbd>←</kbd> <kbd>→</kbd> or <kbd>k</kbd> <kbd>j</kbd>: previous and next decision; '
        "<kbd>p</kbd> <kbd>n</kbd> or with Shift: previous and next error.</p>"
    )


def _entry(
    decision: Decision, place: ReportPlace, names: tuple[str, str], thresholds: Thresholds, *, best: bool = False
) -> str:
    """A decision in a list: its number, what was done, and what it lost."""
    verdict = decision.verdict(thresholds)
    about = (
        f' data-player="{decision.player.name}" data-kind="{KINDS[decision.kind]}" data-verdict="{CLASSES[verdict]}"'
    )
    right = f' <span class="soft">best {escape(decision.best.text)}</span>' if best else ""
    return (
        f'<li class="v-{CLASSES[verdict]}"{about}><a href="#{place.anchor}"><span class="soft">{place.number}</span>'
        f"<span>{names[decision.player]} {escape(played_words(decision))}{right}</span>"
        f'<span class="loss" aria-label="{escape(str(verdict))}, {decision.loss:.3f}">'
        f"{loss_words(decision, thresholds)}</span></a></li>"
    )


def _render_left_out(review: Review, places: Places) -> str:
    if not review.left_out:
        return ""
    items = "".join(
        f"<li>{places[omission.game, omission.event].number}: {escape(omission.why)}</li>"
        if (omission.game, omission.event) in places
        else f"<li>Game {omission.game + 1}: {escape(omission.why)}</li>"
        for omission in review.left_out
    )
    return f"<h2>Left out</h2><p>About these nothing was said; they count nowhere.</p><ul>{items}</ul>"
