"""Reviews, files and the library in JSON, held equal to a file: what pages and scripts read.

``python -m tests.library.test_review_answers`` writes the file anew, for a change of a name that docs/web-api.md tells.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.analysis.test_answers import differences, held

from fullprime.common.json_values import to_json
from fullprime.formats import read
from fullprime.library import pages, studies
from fullprime.library.match_details import describe_match
from fullprime.library.notes import change_mark, find_marks, place_of
from fullprime.library.service import import_files
from fullprime.library.store.library import LibraryStore
from fullprime.reviews.matches.files import describe
from fullprime.reviews.matches.reviewing import ReviewedMatch, review_document, thresholds_named
from fullprime.reviews.matches.reviewing_many import totals_of
from fullprime.reviews.matches.transcripts import Sheet, Transcript, boards_of

FILE = Path(__file__).parents[1] / "data" / "club.mat"
GOLDEN = FILE.with_name("review_answers.json")
XG = thresholds_named("xg")
RECORD = Transcript(
    variant="backgammon", rules={"length": "1"}, names=("Ann", "Bob"), games=(Sheet(lines=("31", "8/5 6/5", "42")),)
)

Answers = Mapping[str, Callable[[ReviewedMatch, LibraryStore], object]]

ANSWERS: Answers = {
    "review": lambda reviewed, _: reviewed.rate(XG),
    "review, in short": lambda reviewed, _: reviewed.summary,
    "review, totals": lambda reviewed, _: totals_of([reviewed], XG),
    "file": lambda _, __: list(describe(FILE)),
    "file, unread": lambda _, __: list(describe(b"no match")),
    "record": lambda _, __: boards_of(RECORD),
    "library": lambda _, store: pages.summary(store),
    "matches": lambda _, store: pages.matches(store, {}),
    "people": lambda _, store: pages.people(store),
    "boards": lambda _, store: pages.boards(store, {"loss": "0.02"}),
    "match": lambda _, store: describe_match(store, 1),
    "match, page": lambda _, store: pages.match_page(store, 1),
    "judges": lambda _, store: pages.judges_page(store, 1),
    "player": lambda _, store: pages.player_page(store, {"player": "Ada"}, "month"),
    "marks": lambda _, store: find_marks(store),
    "collections": lambda _, store: studies.all_collections(store),
    "collection": lambda _, store: studies.read_collection(store, "Plays"),
}


def answers(place: Path) -> dict[str, Any]:
    """Every answer of a new library that has the match, its review, marks and a collection."""
    reviewed = review_document(read(FILE).documents[0], "club.mat", "fast", keep=False)
    with closing(LibraryStore(f"sqlite:///{place}/library.db")) as store:
        list(import_files(store, [FILE]))
        store.add_review(1, reviewed.review)
        change_mark(store, place_of("match 1", None), note="the final", star=True, tags=["club"])
        change_mark(store, place_of("match 1 game 1 event 3", None), note="why?")
        studies.make_collection(store, "Plays", "of the final")
        studies.add_position(store, "Plays", place_of("match 1 game 1 event 3", None), None, "which?", ["13/7"])
        current = {name: to_json(answer(reviewed, store)) for name, answer in ANSWERS.items()}
    for name in ("library", "match", "match, page", "review", "review, in short"):
        _without_nets(current[name])
    return {name: held(json.loads(json.dumps(answer))) for name, answer in current.items()}


def _without_nets(value: Any) -> None:
    """Take the names of the nets out of a JSON value: they change with every net."""
    if isinstance(value, dict):
        for name, part in value.items():
            if name == "program" and isinstance(part, str):
                value[name] = part.split(",")[0]
            else:
                _without_nets(part)
    elif isinstance(value, list):
        for part in value:
            _without_nets(part)


@pytest.fixture(scope="module")
def current(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return answers(tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_has_the_fields_that_programs_read(current: dict[str, Any], name: str) -> None:
    expected = json.loads(GOLDEN.read_text("utf-8"))
    assert differences(current[name], expected[name]) == []


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        written = answers(Path(folder))
    GOLDEN.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", "utf-8")
