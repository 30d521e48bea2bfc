"""The order of push messages: shares of those who are told, and hosts that are slow or do not answer."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullprime.accounts.push_delivery import PushWorkers
from fullprime.accounts.push_queue import LEFT_ALONE, QUEUE, QUICK, Delivery, DeliveryQueue


class Post:
    """A queue with a time of its own."""

    def __init__(self, *quick: str, **limits: Any) -> None:
        self.queue, self.now = DeliveryQueue(**limits), 0.0
        for host in quick:
            assert self.add("first", host)
            assert self.go() == ["first"]
            self.end(host, 0.1)

    def add(self, owner: str, host: str = "quick", tag: str = "game", **more: Any) -> bool:
        return self.queue.add(delivery_of(owner, host, tag, **more), self.now)

    def go(self) -> list[str]:
        """The owners of all messages that may go now."""
        self.sent = []
        while (delivery := self.queue.take_next(self.now)) is not None:
            self.sent.append(delivery)
        self.on_way = {**getattr(self, "on_way", {}), **{delivery.host: delivery for delivery in self.sent}}
        return [delivery.owner for delivery in self.sent]

    def end(self, host: str, seconds: float, *, answered: bool = True) -> list[Delivery]:
        return self.queue.finish(self.on_way.pop(host), seconds, self.now, answered=answered)


def delivery_of(owner: str, host: str, tag: str = "game", send: Callable[[], bool] = bool, **more: Any) -> Delivery:
    return Delivery(owner=owner, browser=f"https://{host}/{owner}", host=host, tag=tag, send=send, **more)


def test_one_message_at_a_time_goes_to_a_host_and_all_who_are_told_take_turns() -> None:
    post = Post("quick", "other")
    for tag in "123":
        post.add("ann", tag=tag)
    post.add("bob")
    post.add("cid", "other")
    order = post.go()
    assert sorted(order) == ["ann", "cid"]
    while post.on_way:
        post.end(next(iter(post.on_way)), 0.1)
        order += post.go()
    assert [owner for owner in order if owner != "cid"] == ["ann", "bob", "ann", "ann"]
    assert len(post.queue) == 0


def test_hosts_that_have_not_proved_quick_hold_up_each_other_alone() -> None:
    post = Post("quick", "also quick", at_once=4)
    for number in range(10):
        post.add(f"eve {number}", f"slow {number}")
    post.add("ann", "quick")
    post.add("bob", "also quick")
    assert sorted(post.go()) == ["ann", "bob", "eve 0", "eve 1"]
    post.end("slow 0", QUICK + 1)  # it answers at leisure
    assert post.go() == ["eve 2"]
    post.add("eve 0", "slow 0")
    post.end("quick", 0.1)
    post.add("ann", "quick", "news")
    assert post.go() == ["ann"]


def test_the_services_of_browsers_are_believed_before_they_have_answered() -> None:
    post = Post(at_once=2)
    post.add("eve", "slow")
    assert post.go() == ["eve"]
    post.add("eve", "slower")
    for name in ("fcm.googleapis.com:443", "wns2-par02p.notify.windows.com:443"):
        post.add("ann", name)
        assert post.go() == ["ann"]
        post.end(name, 0.1)
    post.add("mallory", "fcm.googleapis.com.example:443")
    post.add("mallory", "notify.windows.com.example:443")
    assert post.go() == []


def test_a_host_that_has_never_answered_gets_one_message() -> None:
    post = Post()
    for owner in ("ann", "bob", "cid"):
        assert post.add(owner, "dead")
    assert post.go() == ["ann"]
    dropped = post.end("dead", 5, answered=False)
    assert [delivery.owner for delivery in dropped] == ["bob", "cid"]
    assert len(post.queue) == 0
    assert not post.queue.has_answered("dead")
    assert not post.add("ann", "dead"), "it is left alone for a while"
    for times in (1, 2, 4, 8, 16, 32, 60, 60):
        post.now += times * LEFT_ALONE - 1
        assert not post.add("ann", "dead")
        post.now += 1
        assert post.add("ann", "dead")
        assert post.go() == ["ann"]
        post.end("dead", 5, answered=False)


def test_messages_to_a_host_that_has_answered_wait_until_it_is_tried_again() -> None:
    post = Post("quick")
    post.add("ann")
    post.add("bob")
    assert post.go() == ["ann"]
    assert post.end("quick", 10, answered=False) == []
    assert post.go() == []
    assert post.queue.find_wait(post.now) == LEFT_ALONE
    post.now += LEFT_ALONE
    assert post.go() == ["bob"]
    post.end("quick", 0.1)
    post.add("ann")
    assert post.go() == ["ann"]


def test_a_newer_message_takes_the_place_of_one_that_waits() -> None:
    post = Post("quick")
    post.add("ann", tag="game 1", ready=50)
    post.add("ann", tag="game 1")
    post.add("ann", tag="game 1", ready=50, tries=1)  # a second try of what the newer one replaces
    assert len(post.queue) == 1
    assert post.go() == ["ann"]


def test_a_seat_has_few_messages_a_minute() -> None:
    post = Post("quick", a_minute=3)
    post.now = 100.0
    for number in range(5):
        post.add("ann", tag=f"game {number}")
    for _ in range(3):
        assert post.go() == ["ann"]
        post.end("quick", 0.1)
    post.add("bob")
    assert post.go() == ["bob"]
    post.end("quick", 0.1)
    assert post.go() == []
    assert post.queue.find_wait(post.now) == 60
    post.now += 60
    assert post.go() == ["ann"]


def test_a_full_queue_drops_the_last_message_of_those_who_have_most_to_slow_hosts() -> None:
    post = Post("quick", most=5)
    for tag in "123":
        assert post.add("eve", "slow", tag)
        assert post.add("ann", "quick", tag)
    assert len(post.queue) == 5
    assert post.add("bob")
    assert len(post.queue) == 5
    assert not post.add("cid", "slow"), "for a host that has never answered no message to a known one is dropped"
    assert post.add("cid")
    assert post.add("dan"), "in the place of Ann's third"
    assert post.add("dot"), "and of her second"
    assert not post.add("fay"), "who has as many as all others"
    waiting = [(delivery.owner, delivery.tag) for delivery in all_of(post)]
    assert ("eve", "1") not in waiting
    post.queue.clear()
    assert len(post.queue) == 0


TRUST = {
    "made-up": 0,
    "0.made-up": 0,
    "1.made-up": 0,
    "x.notify.windows.com:443": 0,  # strangers make up names here as well
    "quick": 1,
    "also quick": 1,
    "fcm.googleapis.com:443": 2,
}
ADDED = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(sorted(TRUST))), min_size=8, max_size=60)


@given(ADDED)
def test_a_full_queue_drops_what_is_trusted_least_and_each_message_is_counted(added: list[tuple[str, str]]) -> None:
    """Also where each owner has one; never the other way round."""
    dropped: list[tuple[str, Delivery]] = []
    post = Post("quick", "also quick", most=6, note_dropped=lambda *what: dropped.append(what))
    waiting: list[Delivery] = []
    for number, (owner, host) in enumerate(added):
        new, is_full = delivery_of(owner, host, str(number)), len(waiting) == 6
        least = min((TRUST[delivery.host] for delivery in waiting), default=0)
        taken = post.queue.add(new, 0)
        assert [why for why, _ in dropped] == ["full"] * is_full
        gone = [delivery for _, delivery in dropped]
        dropped.clear()
        if is_full and TRUST[host] != least:
            assert taken is (TRUST[host] > least)
        if is_full:
            assert (gone == [new]) is not taken
            assert TRUST[gone[0].host] <= min(least, TRUST[host])
        waiting = [delivery for delivery in [*waiting, new] if delivery not in gone]
        assert len(post.queue) == len(waiting)


def test_messages_to_a_host_that_does_not_answer_are_counted() -> None:
    dropped: Counter[str] = Counter()
    post = Post(note_dropped=lambda why, _: dropped.update([why]))
    for owner in ("ann", "bob", "cid"):
        assert post.add(owner, "dead")
    post.go()
    post.end("dead", 5, answered=False)
    assert not post.add("dan", "dead")
    assert dropped == {"silent": 3}


def test_two_thousand_owners_with_hosts_that_never_answer_keep_no_player_s_message_away() -> None:
    post = Post()
    for number in range(QUEUE):
        assert post.add(f"eve {number}", f"{number}.example:443")
    assert not post.add("mallory", "one.more.example:443")
    assert post.add("ann", "fcm.googleapis.com:443")
    assert len(post.queue) == QUEUE
    post.go()
    assert "ann" in [delivery.owner for delivery in post.sent]


def test_names_that_are_made_up_do_not_have_a_known_host_forgotten() -> None:
    post = Post("quick")
    for number in range(3 * QUEUE):
        post.queue.has_answered(f"{number}.example:443")
    assert post.queue.has_answered("quick")


def all_of(post: Post) -> list[Delivery]:
    deliveries = []
    while post.go():
        deliveries += post.sent
        for host in list(post.on_way):
            post.end(host, 0.1)
    return deliveries


@pytest.mark.parametrize("hosts", [1, 20])
def test_slow_endpoints_keep_no_other_message_from_going(hosts: int) -> None:
    """With threads: messages of one guest whose hosts do not answer, and one of a player whose host does."""
    workers, gate, arrived = PushWorkers(), threading.Event(), threading.Event()

    def slow() -> bool:
        gate.wait(60)
        return False

    def quick() -> bool:
        arrived.set()
        return True

    try:
        for number in range(20):
            workers.send(delivery_of(f"eve {number}", f"slow {number % hosts}", send=slow))
        workers.send(delivery_of("ann", "fcm.googleapis.com:443", send=quick))
        assert arrived.wait(60)
        done = threading.Event()
        assert workers.run_later(done.set)
        assert done.wait(60), "what makes messages goes on too"
    finally:
        gate.set()
        workers.close(wait=True)
