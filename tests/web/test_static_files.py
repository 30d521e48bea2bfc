"""The files of the pages: compressed for those who can open them, and sent once to a browser that keeps them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from fullprime.web.static_files import CompressedFiles, version_of

SCRIPT = 'import { el } from "/static/page.js";\n' + "export const words = [];\n" * 100


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "page.js").write_text(SCRIPT, encoding="utf-8")
    (folder / "short.css").write_text("p {}", encoding="utf-8")
    (tmp_path / "secret.js").write_text("secret", encoding="utf-8")
    application = Starlette()
    application.mount("/static", CompressedFiles(folder, version_of(folder)))
    return TestClient(application)


def test_a_file_is_compressed_for_those_who_can_open_it(client: TestClient) -> None:
    compressed = client.get("/static/page.js", headers={"Accept-Encoding": "gzip, br"})
    plain = client.get("/static/page.js", headers={"Accept-Encoding": "br"})
    assert (compressed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert compressed.text == plain.text == SCRIPT
    assert int(compressed.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9, mtime=0))
    assert {answer.headers["vary"] for answer in (compressed, plain)} == {"Accept-Encoding"}
    assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "content-encoding" not in client.get("/static/short.css").headers


def test_a_browser_that_has_the_file_gets_no_body(client: TestClient) -> None:
    tag = client.get("/static/page.js").headers["etag"]
    for sent in (tag, f"W/{tag}", f'"other", {tag}'):
        again = client.get("/static/page.js", headers={"If-None-Match": sent})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get("/static/page.js", headers={"If-None-Match": '"other"'}).status_code == 200


def test_the_tag_follows_from_the_content(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "static" / "copy.js").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "static" / "other.js").write_text(SCRIPT.upper(), encoding="utf-8")
    tags = [client.get(f"/static/{name}.js").headers["etag"] for name in ("page", "copy", "other")]
    assert tags[0] == tags[1] != tags[2]


def test_a_script_is_kept_for_good_at_its_version_and_names_others_of_it(client: TestClient, tmp_path: Path) -> None:
    version = version_of(tmp_path / "static")
    answer = client.get(f"/static/{version}/page.js")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.text == SCRIPT.replace("/static/", f"/static/{version}/")
    assert client.get(f"/static/{version}/short.css").headers["cache-control"] == answer.headers["cache-control"]
    assert client.get(f"/static/{version}/nowhere.js").status_code == 404
    assert client.get(f"/static/{version}/../../secret.js").status_code == 404


def test_at_another_version_is_the_file_as_it_is_now_and_it_is_not_kept(client: TestClient, tmp_path: Path) -> None:
    """For a page that was opened before: it gets a module once, under the names that it knows."""
    before = version_of(tmp_path / "static")
    (tmp_path / "static" / "page.js").write_text(SCRIPT.upper(), encoding="utf-8")
    assert version_of(tmp_path / "static") != before
    for other in ("0123456789ab", "fedcba987654"):
        answer = client.get(f"/static/{other}/page.js")
        assert "cache-control" not in answer.headers
        assert answer.text == SCRIPT.upper().replace("/static/", f"/static/{other}/")
    assert client.get("/static/0123456789ax/page.js").status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/static/nowhere.js", 404),
        ("GET", "/static/", 404),
        ("GET", "/static/../secret.js", 404),
        ("GET", "/static/%2e%2e/secret.js", 404),
        ("GET", "/static/..%2fsecret.js", 404),
        ("GET", "/static/page.js%00", 404),
        ("POST", "/static/page.js", 405),
    ],
)
def test_what_is_no_file_of_the_folder_is_refused(client: TestClient, method: str, path: str, status: int) -> None:
    client.get("/static/page.js")
    assert client.request(method, path).status_code == status
