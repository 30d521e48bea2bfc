"""A release as others get it: the README as its description on the package index, and the notices of what is in it."""

from __future__ import annotations

import re
import sys
import tomllib
from email.message import Message
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
import yaml
from tests.loading import load_module

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ADDRESS = "https://example.org/club/fullprime"
PACKAGE = ROOT / "src" / "fullprime"
PROGRAM = {".py", ".js", ".ts", ".css", ".html", ".pyc", ".lock"}
LINK = re.compile(r"!?\[[^\]]*\]\(([^)]*)\)")


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The hook of the build; what it takes of Hatchling is a class to derive from, which tests do without."""
    plugins = {"hatchling.metadata.plugin.interface": SimpleNamespace(MetadataHookInterface=object)}
    for name in ("hatchling", "hatchling.metadata", "hatchling.metadata.plugin"):
        plugins[name] = SimpleNamespace()
    for name, module in plugins.items():
        monkeypatch.setitem(sys.modules, name, module)
    return load_module(ROOT / "hatch_build.py")


def described(hook: ModuleType, address: str) -> dict[str, object]:
    """The metadata of version 1.2.3 at an address."""
    filled: dict[str, object] = {"version": "1.2.3"}
    hook.CustomMetadataHook.update(SimpleNamespace(config={"address": address}, root=str(ROOT)), filled)
    return filled


def text_of(metadata: dict[str, object]) -> str:
    readme = metadata["readme"]
    assert isinstance(readme, dict)
    assert readme["content-type"] == "text/markdown"
    return str(readme["text"])


def test_links_of_the_description_lead_to_the_version_at_the_address(hook: ModuleType) -> None:
    targets = LINK.findall(text_of(described(hook, f"{ADDRESS}/")))
    assert len(targets) == len(LINK.findall(README)) > 20
    places = [re.fullmatch(rf"{ADDRESS}/(blob|raw)/v1\.2\.3/([^#]+)(#.*)?", target) for target in targets]
    assert [target for target, place in zip(targets, places, strict=True) if place is None] == []
    assert [place[2] for place in places if place and not (ROOT / place[2]).exists()] == []
    assert {place[1] for place in places if place and place[2].startswith("docs/images/")} == {"raw"}


def test_links_beside_the_description_lead_to_the_address(hook: ModuleType) -> None:
    urls = described(hook, ADDRESS)["urls"]
    assert isinstance(urls, dict)
    assert urls["Source"] == ADDRESS
    assert all(url.startswith(ADDRESS) for url in urls.values())


def test_without_an_address_words_stay_and_links_and_pictures_go(hook: ModuleType) -> None:
    metadata = described(hook, "")
    text = text_of(metadata)
    assert LINK.findall(text) == []
    assert "The first hour for" in text
    assert "The board that the last line draws" not in text
    assert metadata["urls"] == {}


def test_code_of_the_description_stays_as_it_is(hook: ModuleType) -> None:
    block = "```python\nplays[0](1)\n[a](b)\n```"
    assert hook.describe(f"[a](b)\n\n{block}\n", ADDRESS, "1") == f"[a]({ADDRESS}/blob/v1/b)\n\n{block}\n"


@pytest.mark.parametrize("address", ["", ADDRESS])
@pytest.mark.filterwarnings("error")
def test_the_description_renders_as_the_index_does_it(hook: ModuleType, address: str) -> None:
    markdown = pytest.importorskip("readme_renderer.markdown", reason="readme_renderer[md] is not installed")
    page = markdown.render(text_of(described(hook, address)))
    assert page is not None
    targets = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert [target for target in targets if not target.startswith((ADDRESS, "#"))] == []
    assert len(re.findall("<img ", page)) == (len(re.findall(r"!\[", README)) if address else 0)
    assert "<table>" in page
    assert "&lt;" not in re.sub(r"<pre.*?</pre>", "", page, flags=re.DOTALL), "a tag was not allowed"


# -- the steps ----------------------------------------------------------------------------------------------------


def test_a_release_names_the_steps_that_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = load_module(ROOT / "scripts" / "check_dist.py")
    monkeypatch.setattr(check, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text("## [1.2.3] - unreleased\n", encoding="utf-8")
    metadata = Message()
    metadata["Version"] = "1.2.3"
    metadata.set_payload("**Not on the package index yet**")
    assert len(check.not_ready(metadata, "v1.2.4")) == 4
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [1.2.3] - 2026-12-01\n", encoding="utf-8")
    metadata["Project-URL"] = f"Source, {ADDRESS}"
    metadata.set_payload("# Fullprime")
    assert check.not_ready(metadata, "v1.2.4") == ["the version is 1.2.3"]
    assert check.not_ready(metadata, "v1.2.3") == []


def test_the_workflow_publishes_what_every_promised_python_has_tried() -> None:
    file = ROOT / ".github" / "workflows" / "release.yml"
    if not file.exists():
        pytest.skip("the sdist has no workflows")
    jobs = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    promised = re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers))
    assert jobs["try"]["strategy"]["matrix"]["python"] == promised
    assert set(jobs["publish"]["needs"]) == {"build", "try"}
    assert jobs["publish"]["if"] == "github.ref_type == 'tag'"
    assert {name for name, job in jobs.items() if "permissions" in job} == {"publish"}
    assert jobs["publish"]["permissions"] == {"id-token": "write"}


# -- notices ----------------------------------------------------------------------------------------------------


def test_every_file_that_is_no_program_text_has_its_origin_in_the_notices() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", (ROOT / "NOTICE.md").read_text(encoding="utf-8"), re.MULTILINE)
    patterns = [pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row)]
    named = {pattern: set(PACKAGE.glob(pattern)) for pattern in patterns}
    assert [pattern for pattern, files in named.items() if not files] == []
    data = {path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in PROGRAM}
    assert sorted(path.relative_to(PACKAGE).as_posix() for path in data - set().union(*named.values())) == []


def test_the_notices_come_with_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license-files"] == ["LICENSE", "NOTICE.md"]
    assert set(project["license"].split(" AND ")) == {"MIT", "BSD-2-Clause", "Unicode-3.0"}
