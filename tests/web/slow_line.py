"""A slow line between the pages and the server: ``make test-slow-line``.

A test of a page that asks the server what the page has only begun to send passes on an idle machine and fails on a busy
one. With half a second on the way of every request, answer and message it fails each time, so it is found before it
fails for somebody else.
"""

from __future__ import annotations

from typing import Any

import pytest

_SCRIPT = """(() => {
  const wait = () => new Promise((done) => setTimeout(done, MILLISECONDS));
  const plain = window.fetch;
  window.fetch = async (...all) => {
    if (all[1]?.keepalive) return plain(...all);
    await wait();
    const answer = await plain(...all);
    await wait();
    return answer;
  };
  const late = (Kind) => class extends Kind {
    constructor(...all) {
      super(...all);
      const passed = new WeakSet();
      this.addEventListener("message", (event) => {
        if (passed.has(event)) return;
        event.stopImmediatePropagation();
        const again = new MessageEvent("message", { data: event.data });
        passed.add(again);
        setTimeout(() => this.dispatchEvent(again), MILLISECONDS);
      });
    }
  };
  window.WebSocket = late(window.WebSocket);
  window.EventSource = late(window.EventSource);
})()"""


def slow_down(milliseconds: int) -> None:
    """Every browser of this run, so much on each way."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    plain = api.Browser.new_context

    def new_context(browser: Any, **options: Any) -> Any:
        context = plain(browser, **options)
        context.add_init_script(_SCRIPT.replace("MILLISECONDS", str(milliseconds)))
        return context

    api.Browser.new_context = new_context
