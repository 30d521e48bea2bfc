"""Write docs/dice-vectors.json, on which verifiers of the dice are tested: played games, and proofs that do not hold.

The games are played anew, so that the file differs each time: it is made again only when the protocol changes.
"""

from __future__ import annotations

import copy
import hashlib
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.play.dicing import against_bot, between, secret  # noqa: E402

from fullprime.play.server.rooms import Rooms  # noqa: E402
from fullprime.rules.links import LinkChain, linked_dice  # noqa: E402

PATH = ROOT / "docs" / "dice-vectors.json"
Proof = dict[str, Any]


def primitives() -> dict[str, Any]:
    """Hashes, a chain, and throws from their parts; some of them pass bytes over."""
    chain = LinkChain(secret(1))
    throws, number = [], 0
    while len(throws) < 12:
        number += 1
        server, x, o = chain.link(number), secret(number * 7), "" if number % 3 else "ab"
        digest = hashlib.sha256(f"fullprime-2:{number}:{server}:{x}:{o}:0".encode()).digest()
        if number <= 6 or max(digest[:2]) >= 252:
            dice = list(linked_dice(number, server, x, o))
            throws.append({"number": number, "server": server, "x": x, "o": o, "dice": dice})
    texts = ["", "abc", "x" * 55, "y" * 56, "z" * 64]
    return {
        "hashes": [{"text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()} for text in texts],
        "chain": {
            "secret": chain.secret,
            "length": chain.length,
            "anchor": chain.anchor,
            "links": {str(number): chain.link(number) for number in (1, 2, 3, 64, 65, 4095, 4096)},
        },
        "throws": throws,
    }


def games() -> dict[str, Proof]:
    """Proofs of games that were played."""
    found: dict[str, Proof] = {}
    with closing(Rooms(":memory:")) as rooms:
        both = between(rooms, 2, 3)
        both.play()
        found["links of both players"] = dict(both.room.proof)
        one = between(rooms, 4, None)
        one.play()
        found["links of one player"] = dict(one.room.proof)
        none = between(rooms, None, None)
        none.play()
        found["links of nobody"] = dict(none.room.proof)
        bot = against_bot(rooms, 5)
        bot.play()
        found["a bot"] = dict(bot.room.proof)
        anew = between(rooms, 6, 7, rules={"length": 2})
        for _ in range(20):
            anew.step()
        number = anew.state()["links"]["number"]
        anew.chains["X"] = LinkChain(secret(8), number)
        anew.room.begin_chain("X", number, anew.chains["X"].anchor)
        anew.step()
        found["a chain begun anew, while the game is played"] = dict(anew.room.proof)
        anew.play()
        found["a chain begun anew"] = dict(anew.room.proof)
    return found


def of_another_formula() -> Proof:
    """A proof of a formula without links, which no verifier checks."""
    seeds = {"X": "ab", "O": "cd"}
    told = {"secret": secret(9), "throws": [[3, 1], [6, 4]], "drawn": [0, 2], "links": None}
    return {"formula": "fullprime-1", "commitment": secret(10), "seeds": seeds, **told}


def made_again(made: Proof) -> None:
    """Give every throw the dice that follow from its parts, so that nothing but the change is wrong."""
    throws = made["links"]["throws"]
    for each in throws:
        each["dice"] = list(linked_dice(each["number"], each["server"], each["x"], each["o"]))
    made["throws"], made["drawn"] = [each["dice"] for each in throws], [2 * each["number"] - 2 for each in throws]


def forged(good: Proof) -> dict[str, Proof]:
    """Proofs in which every hash is right, and that would let somebody steer or foresee dice all the same."""
    found = {}

    def change(name: str) -> tuple[Proof, list[Any]]:
        found[name] = made = copy.deepcopy(good)
        return made, made["links"]["throws"]

    made, throws = change("the server's chain shifted by one")
    made["links"]["chains"][0]["first"] = 0
    shifted = LinkChain(made["secret"], 0)
    for each in throws:
        each["server"] = shifted.link(each["number"])
    made_again(made)
    made, throws = change("the chains begin later than the game")
    made["links"]["chains"][1]["first"] = 1000
    for each in throws:
        each.update(links=[], x=made["seeds"]["X"], o=made["seeds"]["O"])
    made_again(made)
    made, throws = change("nobody threw")
    last, side = throws[-1], throws[-1]["by"]
    told = [each[side.lower()] for each in throws[:-1] if side in each["links"]]
    last.update({"by": "nobody", "links": [], side.lower(): told[-1]})
    made_again(made)
    made, throws = change("a shorter chain")
    made["links"]["length"] = 2048
    made["secret"] = LinkChain(made["secret"]).link(2048)
    made, throws = change("a secret in capitals")
    made["secret"] = made["secret"].upper() if made["secret"].upper() != made["secret"] else made["secret"][:-1] + "A"
    made, throws = change("a throw again, where nothing is taken back")
    throws.append(copy.deepcopy(throws[-1]))
    made_again(made)
    made, throws = change("a number as a text")
    throws[3]["number"] = str(throws[3]["number"])
    made, throws = change("a number between two")
    throws[3]["number"] += 0.5
    made, throws = change("a link named twice")
    throws[3]["links"] = throws[3]["links"] * 2
    made, throws = change("a bot that gives links")
    made["links"]["seats"][1] = "random"
    made, throws = change("other throws are told")
    made["throws"][3] = [made["throws"][3][0] % 6 + 1, made["throws"][3][1]]
    made, throws = change("another anchor as the seed")
    made["seeds"]["X"] = secret(77)
    return found


def broken(good: Proof) -> dict[str, Proof]:
    """Proofs that do not hold: one change in each."""
    found = {}

    def change(name: str) -> tuple[Proof, list[Any]]:
        found[name] = made = copy.deepcopy(good)
        return made, made["links"]["throws"]

    def flipped(link: str) -> str:
        return link[:-1] + ("0" if link[-1] != "0" else "1")

    for name in ("server", "x", "o"):
        _, throws = change(f"another part: {name}")
        throws[3][name] = flipped(throws[3][name])
    _, throws = change("a link again")
    throws[4]["server"] = throws[3]["server"]
    _, throws = change("another die")
    throws[2]["dice"][0] = throws[2]["dice"][0] % 6 + 1
    _, throws = change("dice in another order")
    next(each["dice"] for each in throws if each["dice"][0] != each["dice"][1]).reverse()
    _, throws = change("a throw left out")
    del throws[2]
    _, throws = change("numbers exchanged")
    throws[2]["number"], throws[3]["number"] = throws[3]["number"], throws[2]["number"]
    _, throws = change("somebody else threw")
    throws[2]["by"] = "X" if throws[2]["by"] == "O" else "O"
    made, _ = change("another commitment")
    made["commitment"] = flipped(made["commitment"])
    made, _ = change("another secret")
    made["secret"] = flipped(made["secret"])
    made, _ = change("another anchor of X")
    made["links"]["chains"][1]["anchor"] = flipped(made["links"]["chains"][1]["anchor"])
    made, throws = change("a chain of the server begun without a reason")
    chain = LinkChain(hashlib.sha256(f"{made['secret']}:{throws[-1]['number']}".encode()).hexdigest(), 1)
    begun = {"whose": "server", "first": throws[-1]["number"], "anchor": chain.anchor}
    made["links"]["chains"].append(begun)
    throws[-1]["server"] = chain.link(1)
    parts = throws[-1]["server"], throws[-1]["x"], throws[-1]["o"]
    throws[-1]["dice"] = list(linked_dice(throws[-1]["number"], *parts))
    _, throws = change("a link hidden")
    throws[1]["without"], throws[1]["links"] = throws[1]["links"], []
    return found


def main() -> None:
    """Write the file."""
    good = games()
    proofs = [{"name": name, "holds": True, "proof": proof} for name, proof in good.items()]
    both = good["links of both players"]
    wrong = {**broken(both), **forged(both), "another formula": of_another_formula()}
    proofs += [{"name": name, "holds": False, "proof": proof} for name, proof in wrong.items()]
    PATH.write_text(json.dumps({**primitives(), "proofs": proofs}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
