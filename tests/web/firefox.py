"""Firefox, driven over WebDriver BiDi: a line of JSON to the browser itself, without a driver between."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SECONDS = 60
_LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
# Firefox reports what a page had asked for when it was left; what then lacks on the next page is found there.
_GIVEN_UP = re.compile(r"A ServiceWorker intercepted the request|server does not answer|server did not answer")
# Nothing is fetched from anywhere but the server of the test.
_SETTINGS = {
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "ui.prefersReducedMotion": 1,
}


def firefox() -> str | None:
    """The browser of this machine, if it has one."""
    return os.environ.get("FULLPRIME_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


class Tab:
    """A page in Firefox, with a mouse and a keyboard."""

    def __init__(self, line: Any) -> None:
        self._line, self._asked = line, 0
        self.wrong: list[str] = []
        """Errors of the pages' scripts, and what their policy stopped."""
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._context = self._ask("browsingContext.create", type="tab")["context"]

    def size(self, width: int, height: int) -> None:
        """The window, in CSS pixels."""
        self._ask("browsingContext.setViewport", context=self._context, viewport={"width": width, "height": height})

    def goto(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """What an expression gives, as JSON."""
        answer = self._ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
            target={"context": self._context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", f"{expression}: {answer.get('exceptionDetails', {}).get('text')}"
        return json.loads(answer["result"]["value"])

    def until(self, condition: str) -> None:
        """Wait for something; a condition that throws does not hold yet, because the page before may still be there."""
        end = time.monotonic() + SECONDS
        while not self._holds(condition):
            assert time.monotonic() < end, f"{condition}: {self.evaluate('document.body.innerText')}"

    def _holds(self, condition: str) -> bool:
        try:
            return bool(self.evaluate(f"Boolean({condition})"))
        except AssertionError:
            return False

    def use(self, selector: str) -> None:
        """Press what a selector names, where it is on the screen."""
        place = self.evaluate(
            f"""(() => {{
              const node = document.querySelector({json.dumps(selector)});
              node.scrollIntoView({{block: 'center'}});
              const {{x, y, width, height}} = node.getBoundingClientRect();
              return [Math.round(x + width / 2), Math.round(y + height / 2)];
            }})()"""
        )
        steps = [
            {"type": "pointerMove", "x": place[0], "y": place[1]},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._perform({"type": "pointer", "id": "mouse", "actions": steps})

    def write(self, selector: str, text: str) -> None:
        """Press a field and type."""
        self.use(selector)
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self._perform({"type": "key", "id": "keys", "actions": keys})

    def choose(self, selector: str, value: str) -> None:
        """An option of a list, whose menu is no part of the page."""
        self.evaluate(
            f"""(() => {{
              const list = document.querySelector({json.dumps(selector)});
              list.value = {json.dumps(value)};
              list.dispatchEvent(new Event('change', {{bubbles: true}}));
            }})()"""
        )

    def picture(self, path: Path) -> None:
        """What is seen, as PNG."""
        answer = self._ask("browsingContext.captureScreenshot", context=self._context)
        path.write_bytes(base64.b64decode(answer["data"]))

    def _perform(self, source: dict[str, Any]) -> None:
        self._ask("input.performActions", context=self._context, actions=[source])
        self._ask("input.releaseActions", context=self._context)

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._asked += 1
        self._line.send(json.dumps({"id": self._asked, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._line.recv(timeout=SECONDS))
            if message["type"] == "event":
                said = message["params"]
                if said["level"] == "error" and not _GIVEN_UP.search(str(said["text"])):
                    self.wrong.append(str(said["text"]))
            elif message["id"] == self._asked:
                assert message["type"] == "success", f"{method}: {message.get('message')}"
                return dict(message["result"])


@contextmanager
def tab(profile: Path) -> Iterator[Tab]:
    """A tab of a Firefox of its own; an error of a page's script fails."""
    client = pytest.importorskip("websockets.sync.client", reason="websockets is not installed")
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _SETTINGS.items()]
    (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
    program = firefox()
    assert program is not None
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        address = next(filter(None, map(_LISTENING.search, process.stderr)))
        # What it says from now on is read by nobody, and must not fill the pipe.
        rest = threading.Thread(target=process.stderr.read, daemon=True)
        rest.start()
        with client.connect(f"{address[1]}/session", max_size=None) as line:
            opened = Tab(line)
            yield opened
            assert opened.wrong == []
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)
        rest.join(timeout=SECONDS)
        process.stderr.close()
