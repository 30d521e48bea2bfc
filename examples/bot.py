"""A bot: it accepts every challenge and plays by chance. FULLPRIME_TOKEN=fpt_… python bot.py http://127.0.0.1:8000"""

import contextlib
import os
import random
import sys
import threading

from fullprime.client import ClientError, connect


def choice(state):
    if state.plays:
        return random.choice(state.plays)
    return next(word for word in state.legal if word not in ("double", "drop", "resign", "refuse"))


def play(game):
    for state in game:
        if state.is_mine:
            game.act(choice(state))


with connect(sys.argv[1], os.environ["FULLPRIME_TOKEN"]) as server:
    for news in server.news():
        if news.kind == "challenge":
            with contextlib.suppress(ClientError):  # it may have been withdrawn
                server.accept(news.challenge)
        elif news.kind == "gameStart":
            threading.Thread(target=play, args=(server.game(news.game),), daemon=True).start()
