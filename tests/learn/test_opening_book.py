"""The book: sums of trials, files that survive a kill, the order of turns, and the data that are shipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fullprime.engine import shared
from fullprime.engine.nets import net
from fullprime.engine.rollouts.rollout import Candidate, TrialPolicy, rollout
from fullprime.learn.opening_book import extending
from fullprime.learn.opening_book.extending import Stage, extend_book, is_done, turn_of
from fullprime.learn.opening_book.files import DATA, file_of, line_of, read, writing
from fullprime.learn.opening_book.node import BookNode, NodeKey, TrialMethod
from fullprime.learn.opening_book.rolling import begin, choices_of, extend
from fullprime.learn.opening_book.scores import SCORES, BookError
from fullprime.learn.opening_book.tree import keys_at, list_replies, openings
from fullprime.learn.openings.making import roller_at
from fullprime.learn.teaching.computing import nets_in_use
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, VARIANTS

NETS, UNTIL = "nets of a test", 0.002


def node_at(dice: str = "31", score: str = "money") -> BookNode:
    key = next(key for key in openings(HYPERGAMMON, score) if key.dice == dice)
    return begin(shared.engine_for(HYPERGAMMON), key, NETS, TrialMethod(3), most=3, near=0.1)


def test_the_sums_of_a_node_say_what_the_rollout_says() -> None:
    engine, node = shared.engine_for(HYPERGAMMON), node_at()
    node = extend(engine, extend(engine, node, 3), 6)
    result = rollout(
        engine.searcher,
        [Candidate(choice.board, choice.play, theirs=True) for choice in node.choices],
        SCORES["money"].context,
        policy=TrialPolicy(seed=node.key.seed, truncate=3),
        trials=node.trials,
        threads=1,
    )
    assert [row.index for row in node.estimates] == [rolled.index for rolled in result.rolled]
    for ours, theirs in zip(node.estimates, result.rolled, strict=True):
        assert ours.equity == pytest.approx(theirs.equity, abs=1e-12)
        assert ours.error == pytest.approx(theirs.error)
        assert ours.loss_error == pytest.approx(theirs.loss_error)
        assert ours.half == pytest.approx((theirs.interval()[1] - theirs.interval()[0]) / 2, rel=2e-3)
        assert ours.probabilities == pytest.approx(theirs.probabilities)


def test_equities_of_a_match_are_those_of_the_rollout() -> None:
    engine, node = shared.engine_for(HYPERGAMMON), node_at(score="gammon-go")
    node = extend(engine, node, 9)
    result = rollout(
        engine.searcher, [Candidate(choice.board, choice.play, theirs=True) for choice in node.choices],
        SCORES["gammon-go"].context, policy=TrialPolicy(seed=node.key.seed, truncate=3), trials=324, threads=1,
    )  # fmt: skip
    assert [row.equity for row in node.estimates] == pytest.approx([rolled.equity for rolled in result.rolled])


def test_a_line_brings_a_node_back_so_that_it_goes_on_as_if_never_stopped(tmp_path: Path) -> None:
    engine, straight = shared.engine_for(HYPERGAMMON), node_at()
    with writing(HYPERGAMMON, tmp_path) as writer:
        half = extend(engine, straight, 3)
        writer.write(half)
    again = read(HYPERGAMMON, tmp_path).find(half.key)
    assert again is not None
    assert again.choices == half.choices
    complete, resumed = extend(engine, half, 6), extend(engine, again, 6)
    for one, other in zip(complete.estimates, resumed.estimates, strict=True):
        assert one.equity == pytest.approx(other.equity, abs=1e-6)
        assert one.error == pytest.approx(other.error, abs=1e-6)


def test_a_file_cut_off_anywhere_is_read_as_far_as_it_is_whole(tmp_path: Path) -> None:
    engine, node = shared.engine_for(HYPERGAMMON), node_at()
    with writing(HYPERGAMMON, tmp_path) as writer:
        writer.write(extend(engine, node, 3))
        writer.write(extend(engine, node, 6))
    path = file_of("hypergammon", tmp_path)
    assert read(HYPERGAMMON, tmp_path).nodes[node.key].groups == 6, "the newest line counts"
    assert path.read_text().count("\n") == 2, "a closed book has one line a node"
    path.write_bytes(path.read_bytes() + f"{line_of(extend(engine, node, 9))}\n".encode())
    data = path.read_bytes()
    second = data.rfind(b"\n", 0, len(data) - 1) + 1
    for end in (0, 5, second - 1, second, second + 40, len(data) - 1, len(data)):
        path.write_bytes(data[:end])
        with writing(HYPERGAMMON, tmp_path):
            pass
        stored = read(HYPERGAMMON, tmp_path).find(node.key)
        assert (stored.groups if stored else 0) == (9 if end == len(data) else 6 if end >= second else 0)


def test_one_process_at_a_time_extends_a_book(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    import subprocess
    import sys

    program = (
        "import sys; from pathlib import Path; from fullprime.learn.opening_book.files import writing;"
        "from fullprime.rules.variants import HYPERGAMMON\n"
        "with writing(HYPERGAMMON, Path(sys.argv[1])): pass"
    )
    with writing(HYPERGAMMON, tmp_path):
        second = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
        )
    assert "another process extends this book" in second.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"format":"fullprime book 1","game":"dutch"}\n',
        '{"format":"fullprime book 1","game":"hypergammon"}\n{}\n',
    ],
)
def test_other_files_are_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    file_of("hypergammon", tmp_path).write_text(f"{text}\n")
    with pytest.raises(BookError, match=r"this is no (book|node)"):
        read(HYPERGAMMON, tmp_path)


def test_nodes_take_turns_the_unsettled_first_and_go_on_where_they_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(extending.METHODS, 1, TrialMethod(1))
    monkeypatch.setitem(extending.MOST, 1, 2)
    few = openings(HYPERGAMMON, "dmp")[:4]
    monkeypatch.setattr(extending, "keys_at", lambda *_: few)
    stage = Stage("hypergammon", "dmp", 1, UNTIL)
    turns: list[tuple[str, int]] = []
    stops = iter([False] * 9 + [True] * 100)
    book = extend_book(
        HYPERGAMMON, [stage], tmp_path, lambda _: NETS, stop=lambda: next(stops),
        report=lambda news: turns.append((news.node.key.dice, news.node.groups)) if news.node else None,
    )  # fmt: skip
    begun = [dice for dice, groups in turns if groups == 9]
    assert len(begun) == len(set(begun)), "no roll comes twice before all had their first turn"
    stored = read(HYPERGAMMON, tmp_path)
    assert {node.key: node.groups for node in stored} == {node.key: node.groups for node in book}
    more = extend_book(HYPERGAMMON, [stage], tmp_path, lambda _: NETS)
    assert len(more) == 4
    assert all(is_done(node, UNTIL, NETS) for node in more)
    assert all(more.nodes[key].groups >= node.groups for key, node in stored.nodes.items())
    again: list[int] = []
    extend_book(HYPERGAMMON, [stage], tmp_path, lambda _: NETS, report=lambda news: again.append(news.done))
    assert again == [4], "a finished stage costs nothing"


def test_the_order_of_turns() -> None:
    key = NodeKey("backgammon", "money", BACKGAMMON.starting_position.text, "21")
    two = choices_of(shared.engine_for(BACKGAMMON), key, most=2, near=1.0)
    tied = BookNode(
        key, NETS, TrialMethod(3), two, 9, ((0.5, 0, 0, 0, 0, 0.01), (0.5, 0, 0, 0, 0, 0.009)), (1e-3, 0.0, 1e-3)
    )
    clear = replace(tied, means=((0.5, 0, 0, 0, 0, 0.5), (0.5, 0, 0, 0, 0, 0.1)))
    more = replace(tied, groups=18)
    assert not tied.is_settled
    assert clear.is_settled
    assert sorted([clear, more, tied], key=lambda node: turn_of(node, NETS)) == [tied, more, clear]
    assert turn_of(None, NETS) < turn_of(tied, NETS)
    assert turn_of(replace(tied, nets="others"), NETS) == turn_of(None, NETS), "other nets: it begins again"


def test_rolls_that_give_more_are_whole_turns() -> None:
    variant = VARIANTS["acey_deucey"]
    key = next(key for key in openings(variant, "money") if key.dice == "21")
    first = choices_of(shared.engine_for(variant), key, most=1, near=0.0)[0]
    assert first.again
    assert ";" in first.play
    assert first.board.player[26] == 15 - 6, "two checkers by the roll, four by the double that was named"
    assert list_replies(key, first)[0].board == first.board.text


def test_replies_are_asked_at_the_score_of_their_player() -> None:
    engine = shared.engine_for(BACKGAMMON)
    key = openings(BACKGAMMON, "gammon-go")[0]
    choice = choices_of(engine, key, most=1, near=0.0)[0]
    keys = list_replies(key, choice)
    assert len(keys) == 21
    assert {key.score for key in keys} == {"gammon-save"}
    assert keys[0].board == choice.board.text


def test_nodes_go_stale_with_other_nets_but_not_with_other_wide_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain rollout never asks a wide net; look-ahead does."""
    before, judges = roller_at(BACKGAMMON, "dmp"), nets_in_use(["backgammon"])
    hashes = net.manifest()["backgammon"]
    for phase, stays in (("deep_2", True), ("contact", False), ("small", False), ("back_game", False)):
        other = {**hashes, phase: "another"}
        monkeypatch.setattr(net, "manifest", lambda other=other: {"backgammon": other})
        assert (roller_at(BACKGAMMON, "dmp") == before) is stays, phase
        assert nets_in_use(["backgammon"]) != judges


def test_nodes_go_stale_with_another_cube_where_the_cube_is_in_use() -> None:
    nets = roller_at(BACKGAMMON, "dmp")
    assert roller_at(BACKGAMMON, "gammon-go") == roller_at(BACKGAMMON, "gammon-save") == nets
    assert roller_at(BACKGAMMON, "money") == roller_at(BACKGAMMON, "2-away")
    assert roller_at(BACKGAMMON, "money").startswith(f"{nets}+")
    acey = VARIANTS["acey_deucey"]
    assert "+" not in roller_at(acey, "money"), "it is played without a cube"


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
def test_the_book_that_is_shipped_is_of_these_nets_and_small(variant) -> None:  # type: ignore[no-untyped-def]
    book = read(variant)
    others = [node.key for node in book if node.nets != roller_at(variant, node.key.score)]
    assert others == [], (
        f"`fullprime book extend {variant.name} --book src/fullprime/learn/opening_book/data` makes them anew"
    )
    assert file_of(variant.name, DATA).stat().st_size < 3_000_000
    for key in openings(variant, "money"):
        node = book.find(key)
        assert node is not None, f"{key.dice} is missing"
        assert node.groups >= 9


def test_the_openings_of_backgammon_have_the_interval_that_is_promised() -> None:
    book = read(BACKGAMMON)
    for score, rolls, until in (("money", 1, 0.005), ("dmp", 1, 0.005), ("money", 2, 0.01), ("dmp", 2, 0.01)):
        keys = keys_at(book, BACKGAMMON, score, rolls)
        assert len(keys) == 15 * 21 ** (rolls - 1)
        nets = roller_at(BACKGAMMON, score)
        assert [key for key in keys if not is_done(book.find(key), until, nets)] == [], (score, rolls)
