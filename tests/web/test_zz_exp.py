import pytest
from tests.web.browsing import chromium_running, until, window
from tests.web.conftest import *
@pytest.mark.parametrize("what", ["/api/options", "/api/clocks"])
@pytest.mark.parametrize("how", ["goto", "offline"])
def test_x(shared_server, what, how):
    with chromium_running() as b, window(b, service_workers="allow") as page:
        page.context.route("**"+what, lambda r: None if r.request.frame else r.continue_())
        page.goto(shared_server.url)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(page, "navigator.serviceWorker.controller")
        if how == "offline":
            page.context.set_offline(True); page.context.set_offline(False)
        page.goto(f"{shared_server.url}/learn/primes")
        page.locator(".checker").first.wait_for()
