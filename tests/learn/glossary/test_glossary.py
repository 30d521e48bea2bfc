"""The glossary is complete, legal and easy to ask."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from tests.learn.glossary.facts import wrong
from tests.learn.glossary.judged import best_text
from tests.learn.glossary.quoting import QUOTES

from fullprime.learn.glossary import Term, UnknownTerm, look_up, terms
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.ids import gnu_position_id, ogid, xgid
from fullprime.rules.position import BAR, is_full_prime, longest_prime
from fullprime.rules.position_facts import count_throws, rolls_that
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON, VARIANTS

TERMS = terms()
NAMES = {term.name for term in TERMS}
WANTED = """
    anchor, ace-point, backgammon, bar, bar-point, bear in, bear off, beaver, blitz, block, blot, builder, cash,
    cocked dice, contact, Crawford, crossover, cube, dance, DMP, double, drop, duplication, equity, EMG, fan, free
    drop, gammon, gammon value, golden point, hit, hand, holding game, inner board, Jacoby, joker, Kauder paradox,
    licence to hit, market loser, match equity, ply, PR, prime, full prime, pip count, raccoon, recirculation,
    recube vig, rollout, truncated rollout, variance reduction, shot, slot, stake, stripped, tempo, take point,
    timing, too good, wastage, XGID, GNU ID, OGID, Woolsey's law, acey-deucey, complement
"""


def test_there_are_many_terms_in_the_order_of_the_alphabet() -> None:
    assert len(TERMS) >= 120
    assert [term.name for term in TERMS] == sorted(NAMES, key=str.casefold)


@pytest.mark.parametrize("word", [" ".join(word.split()) for word in WANTED.split(",")])
def test_a_player_finds(word: str) -> None:
    assert look_up(word) in TERMS


def test_every_game_has_a_term() -> None:
    for variant in VARIANTS.values():
        # The word backgammon is a result first.
        assert look_up(variant.title).name.casefold() == variant.title.casefold()


def test_no_word_stands_for_two_terms() -> None:
    words = Counter(
        word
        for term in TERMS
        for word in {re.sub(r"[^a-z0-9]", "", word.casefold()) for word in (term.name, *term.also)}
    )
    # The roll is written with a hyphen and the game without.
    assert [word for word, count in words.items() if count > 1 or not word] == ["aceydeucey"]


def test_a_term_is_one_or_two_plain_sentences() -> None:
    for term in TERMS:
        sentences = re.split(r"(?<=[.!?])\s+", term.text)
        assert 1 <= len(sentences) <= 2, term
        assert term.text.endswith("."), term
        assert not re.search(r"\bwhoever\b", term.text, re.IGNORECASE), term
        for sentence in sentences:
            assert not re.match(r"(what|who|whether)\b", sentence, re.IGNORECASE), term


def test_a_reference_leads_to_another_term() -> None:
    for term in TERMS:
        assert set(term.see) <= NAMES - {term.name}, term
        assert len(set(term.see)) == len(term.see), term


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_a_term_has_a_legal_board_that_shows_what_it_says(term: Term) -> None:
    term.position.check(term.game.starting_position.checkers)
    assert bool(term.play) <= (term.roll is not None)
    term.read_play()  # legal, or it raises
    assert wrong(term) == []


def test_every_board_shows_something_that_can_be_checked() -> None:
    bare = [term.name for term in TERMS if not (term.shows or term.roll or term.cube or term.away)]
    assert bare == ["board", "checker"]


CAPTIONS = [term for term in TERMS if term.caption]
_PLAYS = re.compile(r"\b(?:bar|\d+)/(?:off|\d+)\*?(?: (?:bar|\d+)/(?:off|\d+)\*?)*")


def test_a_caption_is_one_short_sentence_of_its_own() -> None:
    assert len(CAPTIONS) >= 74
    assert len({term.caption for term in CAPTIONS}) == len(CAPTIONS)
    for term in CAPTIONS:
        assert 20 <= len(term.caption) <= 120, term
        assert term.caption.endswith("."), term


@pytest.mark.parametrize("term", [term for term in CAPTIONS if term.name not in QUOTES], ids=lambda term: term.name)
def test_a_number_in_a_caption_is_a_fact_of_the_board_or_stands_beside_it(term: Term) -> None:
    """A play that it names is the one that is shown, or the best one. A single win is 1 point by definition."""
    shown = " ".join((*term.shows, term.play, term.text, *map(str, term.away or ()), "1 36"))
    if term.cube is not None:
        shown += f" {term.cube.value} {term.cube.offered}"
    words = term.caption
    if term.roll is not None:
        words = re.sub(rf"\b{term.roll.high}-{term.roll.low}\b", "", words)
    for play in _PLAYS.findall(words):
        assert play in (term.play, best_text(term)), term
    words = re.sub(r"\b\d-(?:ply|point)\b", "", _PLAYS.sub("", words))
    numbers = re.findall(r"-?\d+(?:\.\d+)?", words.replace(",", ""))
    missing = [number for number in numbers if number not in re.findall(r"-?\d+(?:\.\d+)?", shown)]
    assert missing == [], term


@pytest.mark.parametrize("name", QUOTES)
def test_what_a_caption_quotes_is_what_the_program_writes(name: str) -> None:
    term = look_up(name)
    for quote in QUOTES[name](term):
        assert quote in term.caption, (term, quote)


def test_the_best_play_is_not_the_one_of_a_wrong_caption() -> None:
    error = look_up("error")
    assert best_text(error) == "24/14"
    assert best_text(error) in error.caption
    wrongly = replace(error, shows=("costs = 0.27",))
    assert wrong(wrongly)[0].startswith("costs = 0.27: it is 0.1")


def test_an_id_that_a_term_quotes_is_that_of_its_board() -> None:
    for name in ("text form", "XGID", "GNU ID", "OGID"):
        term = look_up(name)
        game = replace(Game.new(Settings()), position=term.position)
        written = {
            "text form": term.position.text,
            "XGID": xgid(game).text.split(":")[0].removeprefix("XGID="),
            "GNU ID": gnu_position_id(term.position),
            "OGID": ":".join(ogid(game).text.split(":")[:2]),
        }
        assert written[name] in " ".join(term.text.split())


def test_a_fact_that_a_board_does_not_show_is_found() -> None:
    prime = look_up("full prime")
    assert wrong(replace(prime, shows=("prime = 5", "prime = 6"))) == ["prime = 5: it is 6"]
    with pytest.raises(AssertionError, match="is no fact"):
        wrong(replace(prime, shows=("prime is 6",)))


def test_what_stands_beside_a_board_is_told() -> None:
    assert look_up("hit").beside() == "Roll 3-1: 8/5* 6/5."
    assert look_up("cube ownership").beside() == "Cube at 2, held by the player on roll."
    assert look_up("raccoon").beside() == "Cube at 8, held by the opponent."
    assert look_up("double").beside() == "Cube offered at 2."
    assert look_up("automatic double").beside() == "Roll 3-3. Cube in the middle at 2."
    assert look_up("prime").beside() == ""
    assert look_up("away").beside() == "The player on roll is 4-away, the opponent 2-away."
    assert look_up("double match point").beside() == "The player on roll is 1-away, the opponent 1-away."
    assert look_up("Crawford game").beside().endswith("the opponent 1-away. This is the Crawford game.")
    assert look_up("post-Crawford").beside().endswith("the opponent 1-away. The Crawford game is over.")
    assert look_up("take point").beside() == "Cube offered at 2. 27 of the 36 rolls end the game at once."


def test_scores_and_cubes_show_what_their_terms_say() -> None:
    for term in (term for term in TERMS if term.away is not None):
        mine, theirs = term.away or (0, 0)
        assert 1 <= mine <= 9 >= theirs >= 1, term
        assert not term.is_crawford or (min(mine, theirs) == 1 < max(mine, theirs) and term.cube is None), term
    dead, free = look_up("dead cube"), look_up("free drop")
    assert dead.cube is not None
    assert dead.away is not None
    assert dead.cube.value >= dead.away[0], "its value wins the match already"
    assert free.cube is not None
    assert (free.cube.offered, free.away, free.is_crawford) == (2, (2, 1), False)
    one_way = look_up("one-way cube")
    assert one_way.away is not None
    assert one_way.away[0] > 1 == one_way.away[1]
    # The last roll of the game: its chances are those of the rolls that end it, and the cube can do no more after it.
    ends = {
        name: count_throws(rolls_that("ends", look_up(name).position, BACKGAMMON))
        for name in ("doubling point", "doubling window", "take point", "cash point")
    }
    assert 18 < ends["doubling point"] < ends["doubling window"] < ends["take point"] == 27 < ends["cash point"]


def test_the_pages_mark_no_everyday_word_and_no_word_for_two_terms() -> None:
    marked = Counter(word.casefold() for term in TERMS for word in term.marked)
    assert [word for word, count in marked.items() if count > 1] == []
    for word in ("play", "roll", "match", "take", "point", "position", "move", "home", "level"):
        assert word not in marked, word
    for word in ("prime", "blot", "anchor", "hit", "pr", "equity", "gammon", "a take", "pip", "shot", "bar"):
        assert word in marked, word


def test_positions_show_what_their_terms_say() -> None:
    def position(name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        position = look_up(name).position
        return position.player, position.opponent

    full, _ = position("full prime")
    assert is_full_prime(full)
    assert longest_prime(position("five-prime")[0]) == 5
    both = position("prime-vs-prime")
    assert min(longest_prime(row) for row in both) >= 4
    home, against = position("closed board")
    assert all(home[point] >= 2 for point in range(1, 7))
    assert against[BAR] == 1
    assert position("blitz")[1][BAR] == 1
    assert 1 in position("blot")[0][1:25]
    # A shot: a blot of the opponent six pips or fewer in front of one of ours.
    ours, theirs = position("shot")
    blots = [25 - point for point in range(1, 25) if theirs[point] == 1]
    assert any(1 <= point - blot <= 6 for blot in blots for point in range(1, 25) if ours[point])
    race = look_up("race").position
    assert race.is_race
    # Each of these shows its point, its blot or its checker where the term says.
    for name, point, least in (
        ("five-point", 5, 2),
        ("advanced anchor", 20, 2),
        ("mid-point", 13, 5),
        ("split", 21, 1),
    ):
        assert position(name)[0][point] >= least, name
    assert position("closed out")[0][BAR] == 1
    assert all(position("closed out")[1][point] >= 2 for point in range(1, 7))
    assert longest_prime(position("outside prime")[0]) >= 5
    assert longest_prime(position("edge of a prime")[1]) == 5
    for name in ("anchor", "back game", "ace-point game", "holding game", "mutual holding game"):
        assert any(count >= 2 for count in position(name)[0][19:25]), name
    stripped, _ = position("stripped")
    assert sum(count > 2 for count in stripped[1:25]) <= 1


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("PRIME", "prime"),
        ("  full-prime ", "full prime"),
        ("Anchors", "anchor"),
        ("bear-off", "bear off"),
        ("dmp", "double match point"),
        ("the bar", "bar"),
        ("woolseys law", "Woolsey's law"),
        ("chequers", "checker"),
        ("equities", "equity"),
        ("gnuid", "GNU ID"),
        ("passes", "drop"),
        ("acey-deucey", "acey-deucey"),
        ("ACEY DEUCEY", "Acey Deucey"),
        ("the Acey Deucey", "Acey Deucey"),
        ("doubles", "doubles"),
        ("double", "double"),
    ],
)
def test_case_hyphens_and_plurals_make_no_difference(word: str, name: str) -> None:
    assert look_up(word).name == name


def test_an_unknown_word_is_answered_with_the_nearest_terms() -> None:
    with pytest.raises(UnknownTerm, match="'pryme' is not in the glossary; near it: prime") as refused:
        look_up("pryme")
    assert refused.value.word == "pryme"
    assert refused.value.near[0] == "prime"
    assert isinstance(refused.value, FullprimeError)
    assert set(refused.value.near) <= NAMES
    assert len(refused.value.near) <= 5


@pytest.mark.parametrize("word", ["", "  ", "qqqqq", "-", "x" * 10_000])
def test_a_word_that_is_near_nothing_is_refused_in_few_words(word: str) -> None:
    with pytest.raises(UnknownTerm) as refused:
        look_up(word)
    assert refused.value.near == ()
    assert len(str(refused.value)) < 120


def test_a_term_prints_as_a_player_reads_it() -> None:
    term = Term("prime", "Points in a row.", BACKGAMMON.starting_position, ("wall",), ("point", "block"))
    assert str(term) == "prime (also wall): Points in a row.\nSee also: point, block."
