"""The data of version 0.1 in this folder were made by this script, run with the code of that version (commit 5de4bb3).

    git worktree add --detach ../v01 5de4bb3
    PYTHONPATH=../v01/src python tests/data/version_0_1/make.py tests/data/version_0_1

Everything is done as people do it: through the server and the commands of version 0.1. ``games.sql.gz`` is the
database with running games, finished matches, accounts and the library, which later versions refuse; the other files
are what that version wrote for people to keep, and ``told.json`` is what it told about two of them. Its secrets are
random, so that another run makes another, equally good set.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

FULLPRIME = (sys.executable, "-c", "from fullprime.cli.main import main; main()")
VARIANTS = ("backgammon", "nackgammon", "hypergammon", "longgammon", "dutch", "acey_deucey", "acey_deucey_european")
PASSWORD = "tiger lilies"
Told = dict[str, Any]


class Server:
    """``fullprime serve`` of version 0.1."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self._process = subprocess.Popen(
            [*FULLPRIME, "serve", "--port", "0", "--db", str(database)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", said)
        assert found is not None, said
        self.url = found[0]

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)


class Maker:
    """A player at many tables; ``games`` remembers the keys of all seats."""

    def __init__(self, server: Server) -> None:
        self.server, self.chance = server, random.Random(1)
        self.client = httpx.Client(base_url=server.url, timeout=60)
        self.games: dict[str, Told] = {}
        self._browsers: dict[str, httpx.Client] = {}

    def ask(self, path: str, body: Any = None, key: str | None = None, browser: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        client = self._browsers[browser] if browser else self.client
        answer = client.get(path, headers=headers) if body is None else client.post(path, json=body, headers=headers)
        assert answer.is_success, f"{path} {body}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    # -- games ------------------------------------------------------------------------------------------------
    def game(self, _label: str, **asked: Any) -> str:
        """A new game; both seeds are added. The label says what it is for."""
        made = self.ask("/api/games", {"opponent": "friend", "name": "Ann", **asked})
        game, keys = made["id"], {"X": made["key"]}
        if made["invitation"]:
            joined = self.ask(f"/api/games/{game}/join", {"invitation": made["invitation"], "name": "Bob"})
            keys["O"] = joined["key"]
        for number, key in enumerate(keys.values()):
            self.ask(f"/api/games/{game}/seed", {"seed": f"{number}beef"}, key)
        self.games[game] = {"keys": keys}
        return game

    def state(self, game: str, side: str = "X") -> Told:
        return dict(self.ask(f"/api/games/{game}", key=self.games[game]["keys"][side])["state"])

    def acts(self, game: str, line: str) -> None:
        """Do it, by the side whose turn it is."""
        keys = self.games[game]["keys"]
        side = self.state(game)["turn"] or "X"
        self.ask(f"/api/games/{game}/act", {"line": line}, keys.get(side, keys["X"]))

    def line(self, state: Told, never: tuple[str, ...] = ("resign", "drop")) -> str | None:
        words = [word for word in state["legal_actions"] if word not in never]
        if not words:
            return None
        word = self.chance.choice(words)
        if word == "move":
            return str(self.chance.choice(state["plays"])) if state["plays"] else "no play"
        return f"choose {self.chance.randint(1, 6)}" if word == "choose" else str(word)

    def play(
        self, game: str, lines: int, until: str | None = None, never: tuple[str, ...] = ("resign", "drop")
    ) -> Told:
        """So many lines, then on until the phase is the wanted one; or until the match is over."""
        state = self.state(game)
        for done in range(lines + 400):
            if state["match_over"] or (done >= lines and until in (None, state["phase"])):
                break
            line = "next" if state["game_over"] else self.line(state, never)
            if line is not None:
                self.acts(game, line)
            state = self.state(game)
        return state

    # -- people -----------------------------------------------------------------------------------------------
    def person(self, name: str) -> str:
        self._browsers[name] = httpx.Client(base_url=self.server.url, timeout=60)
        self.ask("/api/account/sign-up", {"name": name, "password": PASSWORD}, browser=name)
        return name

    def rated(self, one: str, other: str, length: int, **asked: Any) -> str:
        made = self.ask("/api/lobby", {"rated": True, "rules": {"length": length}, **asked}, browser=one)
        accepted = self.ask(f"/api/challenge/{made['challenge']['id']}/accept", {}, browser=other)
        game = str(made["challenge"]["game"])
        keys = {"X": made["key"], "O": accepted["key"]}
        for key, seed in zip(keys.values(), ("ab", "cd"), strict=True):
            self.ask(f"/api/games/{game}/seed", {"seed": seed}, key)
        self.games[game] = {"keys": keys}
        return game


def running(maker: Maker) -> None:
    """Games in every state in which a game can wait."""
    for variant in VARIANTS:
        game = maker.game(f"{variant}, in the middle", variant=variant, rules={"length": 3}, automatic=False)
        maker.play(game, 24, "play")
    cube = maker.game("the cube is offered", rules={"length": 5})
    maker.play(cube, 6, "cube_decision", ("resign", "drop", "double"))
    maker.acts(cube, "double")
    turned = maker.game("the cube was turned, money with beavers", rules={"length": 0, "beavers": True})
    maker.play(turned, 5, "cube_decision", ("resign", "drop", "double"))
    for line in ("double", "beaver"):
        maker.acts(turned, line)
    maker.play(turned, 3, "play")
    resigned = maker.game("a resignation is offered", rules={"length": 5})
    maker.play(resigned, 5, "cube_decision", ("resign", "drop", "double"))
    maker.acts(resigned, "resign")
    between = maker.game("between two games", rules={"length": 7}, automatic=False)
    maker.play(between, 5, "cube_decision", ("resign", "drop", "double"))
    maker.acts(between, "resign")
    maker.acts(between, "accept")
    crawford = maker.game("the Crawford game", rules={"length": 2}, automatic=False)
    maker.play(crawford, 5, "cube_decision", ("resign", "drop", "double"))
    for line in ("resign", "accept", "next"):
        maker.acts(crawford, line)
    maker.play(crawford, 4, "play")
    named = maker.game("a double is to be named", variant="acey_deucey", rules={"length": 0}, automatic=False)
    maker.play(named, 2, "choose_double")
    maker.play(maker.game("a bot, money", opponent="bot", bot="random", rules={"length": 0}), 12)
    taken_back = maker.game("a bot, after takebacks", opponent="bot", bot="heuristic", rules={"length": 5})
    maker.play(taken_back, 6, "play")
    key = maker.games[taken_back]["keys"]["X"]
    maker.ask(f"/api/games/{taken_back}/takeback", {"steps": 2}, key)
    maker.play(taken_back, 3, "play")
    maker.play(maker.game("one screen", opponent="screen", other_name="Bob", rules={"length": 3}), 9, "play")
    clock = maker.game("clocks", clock="12+3600", rules={"length": 5})
    maker.play(clock, 8, "play")
    maker.ask(f"/api/games/{clock}/chat", {"text": "good luck"}, maker.games[clock]["keys"]["O"])
    maker.ask(f"/api/games/{clock}/report", {"reason": "slow"}, maker.games[clock]["keys"]["X"])
    maker.play(maker.game("three days a turn", clock="3d", rules={"length": 3}), 9, "play")
    maker.play(maker.game("nobody may watch", spectators=False, rules={"length": 3}), 4, "play")
    waiting = maker.ask("/api/games", {"opponent": "friend", "name": "Ann", "rules": {"length": 1}})
    maker.games[waiting["id"]] = {"keys": {"X": waiting["key"]}}


def finished(maker: Maker) -> None:
    """Matches that are over, and what belongs to accounts."""
    for variant in ("hypergammon", "nackgammon"):
        maker.play(maker.game(f"{variant}, over", variant=variant, rules={"length": 1}), 0, "never")
    against = maker.game("a bot, over", opponent="bot", bot="random", variant="hypergammon", rules={"length": 1})
    maker.play(against, 2)
    maker.ask(f"/api/games/{against}/takeback", {"steps": 1}, maker.games[against]["keys"]["X"])
    maker.play(against, 0, "never")
    closed = maker.game("a session that was ended", rules={"length": 0}, automatic=False)
    maker.play(closed, 6, "cube_decision", ("resign", "drop", "double"))
    for line in ("resign", "accept"):
        maker.acts(closed, line)
    maker.ask(f"/api/games/{closed}/close", {}, maker.games[closed]["keys"]["X"])
    ann, bob, dora = (maker.person(name) for name in ("Ann", "Bob", "Dora"))
    maker.ask("/api/account/profile", {"public": False}, browser=dora)
    maker.play(maker.rated(ann, bob, 1), 0, "never")
    maker.play(maker.rated(bob, ann, 3, variant="hypergammon"), 0, "never")
    maker.play(maker.rated(dora, ann, 5), 12, "play")
    maker.play(maker.rated(ann, bob, 3, clock="2d"), 7, "play")
    robot = maker.person("Robot")
    maker.ask("/api/account/bot", {}, browser=robot)
    maker.ask("/api/account/tokens", {"name": "mine", "scopes": ["board:play", "bot:play"]}, browser=robot)
    maker.ask("/api/lobby", {"minutes": 1440, "rules": {"length": 7}}, browser=bob)
    maker.ask(f"/api/challenge/{bob}", {"minutes": 1440, "variant": "dutch"}, browser=ann)


def records(maker: Maker, files: Path) -> None:
    """The matches that are over, as files."""
    for game, facts in maker.games.items():
        if maker.state(game).get("match_over"):
            headers = {"Authorization": f"Bearer {facts['keys']['X']}"}
            for ending in ("mat", "json", "sgf"):
                answer = maker.client.get(f"/api/games/{game}/record?format={ending}", headers=headers)
                if answer.is_success:
                    (files / f"{game}.{ending}").write_bytes(answer.content)


def command(*words: str, typed: str = "") -> str:
    """What a command of version 0.1 says."""
    done = subprocess.run([*FULLPRIME, *words], input=typed, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def at_the_terminal(database: Path) -> None:
    """Games of `fullprime play`."""
    lines = "resign\nrefuse\nresign gammon\naccept\nnext\nresign\n"
    for variant in ("backgammon", "dutch"):
        words = ("play", "--script", "-", "--json", "--two-players", "--seed", variant, "--variant", variant)
        command(*words, "--length", "5", "--db", str(database), typed=lines)


def library(database: Path, files: Path) -> None:
    """Matches in the library with reviews."""
    db = ("--db", str(database))
    command("library", "add", str(files), *db)
    command("library", "review", "--level", "fast", *db)


def kept_files(folder: Path, files: Path) -> Told:
    """Write the files that people keep; gives what the commands say about two of them."""
    mat = min(files.glob("*.mat"), key=lambda file: file.stat().st_size)
    (folder / "match.mat").write_bytes(mat.read_bytes())
    (folder / "match.json").write_bytes(mat.with_suffix(".json").read_bytes())
    (folder / "review.json").write_text(command("review", str(mat), "--level", "fast", "--json"), encoding="utf-8")
    info = json.loads(command("info", str(folder / "match.json"), "--json"))
    kept = folder / "rollout.json"
    kept.unlink(missing_ok=True)
    rollout = ("rollout", "6:2 5:3 4:2 / 6:3 5:2 4:2", "--dice", "31", "--trials", "72", "--seed", "1", "--json")
    return {"info": info, "rollout": json.loads(command(*rollout, "--save", str(kept)))}


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        database, files = Path(place) / "games.db", Path(place) / "files"
        files.mkdir()
        server = Server(database)
        try:
            maker = Maker(server)
            running(maker)
            finished(maker)
            records(maker, files)
        finally:
            server.stop()
        at_the_terminal(database)
        library(database, files)
        told = kept_files(folder, files)
        with closing(sqlite3.connect(database)) as connection:
            dump = "\n".join(connection.iterdump())
        (folder / "games.sql.gz").write_bytes(gzip.compress(dump.encode(), 9, mtime=0))
        packed = json.dumps(told, ensure_ascii=False, indent=0, sort_keys=True).encode()
        (folder / "told.json.gz").write_bytes(gzip.compress(packed, 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
