"""The order of push messages: shares of those who are told, and hosts that are slow or do not answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from fullprime.accounts.push_delivery import PushWorkers
from fullprime.accounts.push_queue import LEFT_ALONE, QUICK, Delivery, DeliveryQueue


class Post:
    """A queue with a time of its own."""

    def __init__(self, *quick: str, **limits: int) -> None:
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
        assert post.add("ann", "quick", tag) == (tag != "3")
    assert len(post.queue) == 5
    assert post.add("bob")
    assert len(post.queue) == 5
    waiting = [(delivery.owner, delivery.tag) for delivery in all_of(post)]
    assert sorted(waiting) == [("ann", "1"), ("ann", "2"), ("bob", "game"), ("eve", "1"), ("eve", "2")]
    post.queue.clear()
    assert len(post.queue) == 0


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
