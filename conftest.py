"""What holds for every test: no user's data is touched, no example has a deadline, a logged error is a failure."""

from __future__ import annotations

import gc
import logging
import os
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

_HOME = tempfile.TemporaryDirectory(prefix="fullprime-tests-", ignore_cleanup_errors=True)
os.environ["XDG_DATA_HOME"] = _HOME.name
# A kernel that is compiled although the package has its machine code costs seconds: that raises, in subprocesses too.
os.environ.setdefault("FULLPRIME_MACHINE_CODE", "only")

# A busy machine makes no property test fail: neither one example nor the making of all of them has a deadline.
hypothesis.settings.register_profile(
    "fullprime", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("fullprime")


class _Errors(logging.Handler):
    """Errors that Fullprime has logged, in whatever thread."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(self.format(record))


_ERRORS = _Errors()
logging.getLogger("fullprime").addHandler(_ERRORS)


@pytest.fixture(autouse=True)
def no_error_is_only_logged(request: pytest.FixtureRequest) -> Iterator[None]:
    """A server goes on after a bug, such as a room that must be read again; a test that meets one fails.

    Tests that break something on purpose are marked ``logs_errors``.
    """
    yield
    told, _ERRORS.told = _ERRORS.told, []
    if told and request.node.get_closest_marker("logs_errors") is None:
        pytest.fail("an error was logged:\n" + "\n".join(told), pytrace=False)


@pytest.fixture(autouse=True)
def kernels_may_be_compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only tests that are marked ``compiles`` may call kernels for which there is no prepared code."""
    if request.node.get_closest_marker("compiles") is not None:
        monkeypatch.delenv("FULLPRIME_MACHINE_CODE", raising=False)


# Under `python -O` only what pytest rewrites still asserts: the helpers of the tests have to, too.
pytest.register_assert_rewrite(
    *(f"tests.{room.name}" for room in sorted((Path(__file__).parent / "tests").iterdir()) if room.is_dir())
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A run of some tests does not import the files of all the others first.

    Those are the run of the tests that are ``alone`` (scripts/test), and one with ``--no-repeats``.
    """
    if collection_path.suffix != ".py":
        return None
    if str(config.option.markexpr).endswith("and alone"):
        return True if "mark.alone" not in collection_path.read_text(encoding="utf-8") else None
    if config.getoption("--no-repeats") and not _is_in(collection_path, (*REPEATED, *SAMPLED)):
        return True if "broad" not in collection_path.read_text(encoding="utf-8") else None
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Nine modules in ten have no doctest, and each worker would look for one in all that they define."""
    collectors = yield
    if file_path.suffix != ".py" or ">>>" in file_path.read_text(encoding="utf-8"):
        return collectors
    return [collector for collector in collectors if type(collector).__name__ != "DoctestModule"]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: each search for garbage would go through all of it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


REPEATED = ("client", "db", "play/server")
"""Folders of tests of what a Python brings along, where each test has another part of it: sockets, event loops, SQLite.
The first case of each test runs on another Python, too."""
SAMPLED = ("cli", "play", "web")
"""Folders of tests that meet a Python in one way a file: the first test of a file runs on another Python, too.

The others are about numbers and texts, which are the same with every version."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-repeats",
        action="store_true",
        help="after a run without the broad tests on another Python: leave out what it has run already, but for the"
        " first case of each test of sockets and databases, and the first test of each file about processes",
    )


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Each worker begins with another part of every folder, because pytest rewrites the asserts of a file once.

    All workers need all files. Side by side in one order, each would rewrite each file itself.
    """
    report = yield
    worker = getattr(collector.config, "workerinput", None)
    if worker is not None and isinstance(collector, pytest.Directory) and report.passed:
        first = len(report.result) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        report.result = [*report.result[first:], *report.result[:first]]
    return report


def _place_in_order(item: pytest.Item) -> tuple[int, Path, bool]:
    """Where a test stands in a run of one process; those of a file stay as they are."""
    top = item.path.relative_to(Path(__file__).parent).parts[0]
    tops = item.config.getini("testpaths")
    return tops.index(top) if top in tops else len(tops), item.path, isinstance(item, pytest.DoctestItem)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """All workers have the tests in one order.

    ``--no-repeats`` leaves out what has run on another Python and does not depend on it.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=_place_in_order)
    if not config.getoption("--no-repeats"):
        return
    kept: list[pytest.Item] = []
    samples: set[tuple[Path, str]] = set()
    for item in items:
        sample = item.path, getattr(item, "originalname", item.name) if _is_in(item.path, REPEATED) else ""
        if item.get_closest_marker("broad") is not None:
            kept.append(item)
        elif _is_in(item.path, (*REPEATED, *SAMPLED)) and not _is_in_a_browser(item) and sample not in samples:
            kept.append(item)
            samples.add(sample)
    left_out = set(items) - set(kept)
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = kept


def _is_in(path: Path, folders: tuple[str, ...]) -> bool:
    tests = Path(__file__).parent / "tests"
    return any(path.is_relative_to(tests / folder) for folder in folders)


def _is_in_a_browser(item: pytest.Item) -> bool:
    return "browser" in getattr(item, "fixturenames", ())


def pytest_runtest_setup(item: pytest.Item) -> None:
    if os.name != "posix" and item.get_closest_marker("posix"):
        pytest.skip("this system has no such signals, terminals or shell")
