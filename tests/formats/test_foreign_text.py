"""Text of strangers is harmless once it is read, from every format; what scripts and emoji need is kept."""

from __future__ import annotations

import csv
import io
import random
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

import pytest
from tests.formats import makers
from tests.formats.generate import random_match
from tests.formats.test_sites import FILES
from tests.formats.xg_maker import xg_file

from fullprime import formats
from fullprime.formats import Document
from fullprime.formats.cleaning import clean_document
from fullprime.rules.foreign_text import clean_line, clean_text
from fullprime.rules.record import Match
from fullprime.rules.score import Settings

HOSTILE = "A\x1b[31mn\u202en\u200b\ufeff\x9b2J\x07"
"""Colours, a bell, letters the other way round, nothing at all: "A[31mnn2J" is left."""
LEFT = "A[31mnn2J"
FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"


def is_harmless(text: str, *, lines: bool = False) -> bool:
    kept = {"\u200c", "\u200d"} | ({"\n", "\t"} if lines else set())
    return all(letter in kept or unicodedata.category(letter) not in ("Cc", "Cf", "Cs") for letter in text)


def texts(document: Document) -> Iterator[tuple[str, bool]]:
    """All text of a document, and whether it may have several lines."""
    match, review = document.match, document.review
    yield from ((name, False) for name in match.names)
    for name, fact in match.info.items():
        yield name, False
        yield fact, name == "Comment"
    yield from ((remark, True) for game in match.games for remark in game.comments.values())
    yield from ((problem.words, False) for problem in document.report)
    if review is not None:
        yield review.program, False
        yield from ((text, False) for item in review.figures.items() for text in item)
        for analysis in review.events.values():
            for candidate in () if analysis.play is None else analysis.play.candidates:
                yield from ((candidate.text, False), (candidate.level, False))


def hostile_match() -> Match:
    match = random_match(random.Random(5), Settings(length=3), games=1)
    game = replace(match.games[0], comments=MappingProxyType({0: f"{HOSTILE}\n{FAMILY}", 3: HOSTILE}))
    info = MappingProxyType({"Event": HOSTILE, "Site": HOSTILE, "Comment": f"one\n{HOSTILE}"})
    return replace(match, names=(f"{HOSTILE} one", f"{HOSTILE} {FAMILY}"), info=info, games=(game,))


def hostile_files() -> Iterator[tuple[str, bytes]]:
    match = hostile_match()
    for name in ("json", "sgf", "mat", "ogxm", "xg"):
        yield name, formats.write(Document(match), name)[0]
    yield "xg of XG", xg_file(match)
    yield "bgblitz", makers.bgf(match)
    yield "ogxm 1", makers.ogxm1(match)
    for name, text in FILES.items():
        yield name, text.replace("ann", HOSTILE).encode()


@pytest.mark.parametrize(("name", "data"), [pytest.param(*file, id=file[0]) for file in hostile_files()])
def test_every_reader_gives_harmless_text(name: str, data: bytes) -> None:
    read = formats.read(data)
    assert read.documents
    for document in read.documents:
        assert [text for text, lines in texts(document) if not is_harmless(text, lines=lines)] == []


def test_lines_joiners_and_letters_stay() -> None:
    (document,) = formats.read(formats.write(Document(hostile_match()), "json")[0]).documents
    assert document.match.names == (f"{LEFT} one", f"{LEFT} {FAMILY}")
    assert document.match.games[0].comments[0] == f"{LEFT}\n{FAMILY}"
    assert document.match.info["Comment"] == f"one\n{LEFT}"
    for name in (
        "Zoë Ångström",
        "Владимир",
        "\u0645\u0647\u062f\u06cc\u200c\u0632\u0627\u062f\u0647",
        "שרה",
        "日本 太郎",
        "👩\u200d🚀",
        "a\N{NO-BREAK SPACE}b",
        "",
    ):
        assert clean_line(name) == name
    assert clean_line("\u200da\u200d\u200d\u200db\u200d \u200d") == "a\u200db "
    assert clean_line("two\r\nlines\tand\ud800 half") == "two lines and half"
    assert clean_text("one\r\ntwo\rthree\u2028four\n") == "one\ntwo\nthree\nfour\n"


def test_clean_documents_are_left_alone() -> None:
    document = formats.read(xg_file(random_match(random.Random(3), Settings(length=5), games=1))).documents[0]
    assert clean_document(document) == document


# -- CSV --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(sign: str) -> None:
    match = random_match(random.Random(5), Settings(length=3), games=1)
    formula = f"{sign}HYPERLINK(1)"
    data, _ = formats.write(Document(replace(match, names=(formula, "Bob"))), "csv")
    rows = list(csv.reader(io.StringIO(data.decode(), newline="")))
    cells = {cell for row in rows for cell in row}
    assert f"'{clean_line(formula)}" in cells
    assert formula not in cells


def test_numbers_in_cells_stay_numbers() -> None:
    analysed = formats.read(xg_file(random_match(random.Random(3), Settings(length=5), games=1))).documents[0]
    rows = list(csv.DictReader(io.StringIO(formats.write(analysed, "csv")[0].decode())))
    assert {row["best_equity"] for row in rows} >= {"-0.5000"}
    assert not any(cell.startswith("'") for row in rows for cell in row.values())
