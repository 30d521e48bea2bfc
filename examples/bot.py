"""A bot: it accepts every challenge and plays by chance. FULLPRIME_TOKEN=fpt_… python bot.py http://127.0.0.1:8000"""

import json
import os
import random
import secrets
import sys
import threading

import httpx

token = {"Authorization": f"Bearer {os.environ['FULLPRIME_TOKEN']}"}
api = httpx.Client(base_url=sys.argv[1], headers=token, timeout=60)


def lines(path):
    with api.stream("GET", path) as stream:
        yield from (json.loads(line) for line in stream.iter_lines() if line)


def choice(state):
    if state["phase"] == "play":
        return random.choice(state["plays"]) or "no play"
    return next(word for word in state["legal_actions"] if word not in ("double", "drop", "resign", "refuse"))


def play(game):
    for message in lines(f"/api/board/game/stream/{game}"):
        state = message["state"]
        if state["you"] in state["missing_seeds"]:
            api.post(f"/api/board/game/{game}/seed", json={"seed": secrets.token_hex(16)})
        elif state.get("legal_actions"):
            api.post(f"/api/board/game/{game}/act", json={"line": choice(state), "sequence": state["sequence"]})


for event in lines("/api/stream/event"):
    if event["type"] == "challenge":
        api.post(f"/api/challenge/{event['challenge']['id']}/accept", json={})
    elif event["type"] == "gameStart":
        threading.Thread(target=play, args=(event["game"]["id"],), daemon=True).start()
