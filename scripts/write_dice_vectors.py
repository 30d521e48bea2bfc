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

from fullprime.common.json_values import to_json  # noqa: E402
from fullprime.play.server.game_server import GameServer  # noqa: E402
from fullprime.rules.links import LinkChain, linked_dice  # noqa: E402

PATH = ROOT / "docs" / "dice-vectors.json"
Proof = dict[str, Any]


def primitives() -> dict[str, Any]:
    """Hashes, a chain, and throws from their parts; some of them pass bytes over."""
    chain = LinkChain(secret(1))
    throws: list[dict[str, Any]] = []
    number = 0
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
    proofs: dict[str, Proof] = {}
    with closing(GameServer(":memory:")) as server:
        both = between(server, 2, 3)
        both.play()
        proofs["links of both players"] = to_json(both.handle.proof)
        one = between(server, 4, None)
        one.play()
        proofs["links of one player"] = to_json(one.handle.proof)
        none = between(server, None, None)
        none.play()
        proofs["links of nobody"] = to_json(none.handle.proof)
        bot = against_bot(server, 5)
        bot.play()
        proofs["a bot"] = to_json(bot.handle.proof)
        anew = between(server, 6, 7, rules={"length": 2})
        for _ in range(20):
            anew.step()
        number = anew.state()["links"]["number"]
        anew.chains["X"] = LinkChain(secret(8), number)
        anew.handle.begin_chain("X", number, anew.chains["X"].anchor)
        anew.step()
        proofs["a chain begun anew, while the game is played"] = to_json(anew.handle.proof)
        anew.play()
        proofs["a chain begun anew"] = to_json(anew.handle.proof)
    return proofs


def of_another_formula() -> Proof:
    """A proof of a formula without links, which no verifier checks."""
    seeds = {"X": "ab", "O": "cd"}
    revealed = {"secret": secret(9), "throws": [[3, 1], [6, 4]], "drawn": [0, 2], "links": None}
    return {"formula": "fullprime-1", "commitment": secret(10), "seeds": seeds, **revealed}


def made_again(proof: Proof) -> None:
    """Give every throw the dice that follow from its parts, so that nothing but the change is wrong."""
    throws = proof["links"]["throws"]
    for throw in throws:
        throw["dice"] = list(linked_dice(throw["number"], throw["server"], throw["x"], throw["o"]))
    proof["throws"], proof["drawn"] = [throw["dice"] for throw in throws], [2 * throw["number"] - 2 for throw in throws]


def forged(good: Proof) -> dict[str, Proof]:
    """Proofs in which every hash is right, and that let one side steer or foresee dice all the same."""
    proofs = {}

    def change(name: str) -> tuple[Proof, list[Any]]:
        proofs[name] = proof = copy.deepcopy(good)
        return proof, proof["links"]["throws"]

    proof, throws = change("the server's chain shifted by one")
    proof["links"]["chains"][0]["first"] = 0
    shifted = LinkChain(proof["secret"], 0)
    for throw in throws:
        throw["server"] = shifted.link(throw["number"])
    made_again(proof)
    proof, throws = change("the chains begin later than the game")
    proof["links"]["chains"][1]["first"] = 1000
    for throw in throws:
        throw.update(links=[], x=proof["seeds"]["X"], o=proof["seeds"]["O"])
    made_again(proof)
    proof, throws = change("nobody threw")
    last, side = throws[-1], throws[-1]["by"]
    parts = [throw[side.lower()] for throw in throws[:-1] if side in throw["links"]]
    last.update({"by": "nobody", "links": [], side.lower(): parts[-1]})
    made_again(proof)
    proof, throws = change("a shorter chain")
    proof["links"]["length"] = 2048
    proof["secret"] = LinkChain(proof["secret"]).link(2048)
    proof, throws = change("a secret in capitals")
    proof["secret"] = (
        proof["secret"].upper() if proof["secret"].upper() != proof["secret"] else proof["secret"][:-1] + "A"
    )
    proof, throws = change("a throw again, where nothing is taken back")
    throws.append(copy.deepcopy(throws[-1]))
    made_again(proof)
    proof, throws = change("a number as a text")
    throws[3]["number"] = str(throws[3]["number"])
    proof, throws = change("a number between two")
    throws[3]["number"] += 0.5
    proof, throws = change("a link named twice")
    throws[3]["links"] = throws[3]["links"] * 2
    proof, throws = change("a bot that gives links")
    proof["links"]["seats"][1] = "random"
    proof, throws = change("other throws are told")
    proof["throws"][3] = [proof["throws"][3][0] % 6 + 1, proof["throws"][3][1]]
    proof, throws = change("another anchor as the seed")
    proof["seeds"]["X"] = secret(77)
    return proofs


def broken(good: Proof) -> dict[str, Proof]:
    """Proofs that do not hold: one change in each."""
    proofs = {}

    def change(name: str) -> tuple[Proof, list[Any]]:
        proofs[name] = proof = copy.deepcopy(good)
        return proof, proof["links"]["throws"]

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
    next(throw["dice"] for throw in throws if throw["dice"][0] != throw["dice"][1]).reverse()
    _, throws = change("a throw left out")
    del throws[2]
    _, throws = change("numbers exchanged")
    throws[2]["number"], throws[3]["number"] = throws[3]["number"], throws[2]["number"]
    _, throws = change("somebody else threw")
    throws[2]["by"] = "X" if throws[2]["by"] == "O" else "O"
    proof, _ = change("another commitment")
    proof["commitment"] = flipped(proof["commitment"])
    proof, _ = change("another secret")
    proof["secret"] = flipped(proof["secret"])
    proof, _ = change("another anchor of X")
    proof["links"]["chains"][1]["anchor"] = flipped(proof["links"]["chains"][1]["anchor"])
    proof, throws = change("a chain of the server begun without a reason")
    chain = LinkChain(hashlib.sha256(f"{proof['secret']}:{throws[-1]['number']}".encode()).hexdigest(), 1)
    begun = {"whose": "server", "first": throws[-1]["number"], "anchor": chain.anchor}
    proof["links"]["chains"].append(begun)
    throws[-1]["server"] = chain.link(1)
    parts = throws[-1]["server"], throws[-1]["x"], throws[-1]["o"]
    throws[-1]["dice"] = list(linked_dice(throws[-1]["number"], *parts))
    _, throws = change("a link hidden")
    throws[1]["without"], throws[1]["links"] = throws[1]["links"], []
    return proofs


def vectors() -> dict[str, Any]:
    """All that the file holds."""
    good = games()
    proofs = [{"name": name, "holds": True, "proof": proof} for name, proof in good.items()]
    both = good["links of both players"]
    wrong = {**broken(both), **forged(both), "another formula": of_another_formula()}
    proofs += [{"name": name, "holds": False, "proof": proof} for name, proof in wrong.items()]
    return {**primitives(), "proofs": proofs}


def main() -> None:
    """Write the file."""
    PATH.write_text(json.dumps(vectors(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
