"""What the documents show, type checkers accept; what the package does not have, they refuse.

One run of mypy over every Python block of the README and of ``docs`` and over the lines below, as a user's own program
would be checked: strictly, and by the types that the package shows, for the Python that runs, because the types of
NumPy are those of the newest. On the lowest Python it is the configuration of `make types`, whose cache spares most of
the work. The lines below are held against pyright, too, where ``FULLPRIME_PYRIGHT`` is the command that runs it, as
`make pyright` has it: it comes from npm.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.test_docs import ROOT, Block, blocks

pytestmark = pytest.mark.broad  # half a minute of mypy

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PRESUPPOSED = {"docs/client.md": "token = 'fpt_secret'"}
"""Names that the words of a page have given."""

ACCEPTED = """
fp.Settings(length=7, variant="nackgammon")
fp.Settings(stake="2.50", jacoby="yes", cube=False, backgammon="bar_only", automatic_doubles=None)
fp.Position.of({6: 5, 8: 3, 13: 5, 24: 2}, {"6": 5, "bar": 2}, checkers=15)
fp.Position.start().plays((3, 1))[0].position.pips
fp.hint("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10").best.play
fp.hint("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10").no_double
fp.hint(fp.Position.start()).should_double
fp.hint(fp.Game.new().opening(3, 1).play("8/5 6/5").double().beaver()).accept
fp.hint(fp.Position.start(), "31", length=7, score=(5, 3), cube=fp.Cube(2, fp.Player.X)).best.loss
fp.evaluate(fp.Position.start(), length=5, score=fp.Score((4, 2), post_crawford=True)).equity
fp.rollout("XGID=…", trials=324, error=0.01, apart=2.5, executor=ThreadPoolExecutor(2)).best.interval()
fp.play_match("1-ply", "heuristic").score_sheet
fp.play_match(lambda game: game.plays()[0], AnObject(), settings=fp.Settings(length=3))
fp.duel(fullprime_lab.train(seconds=60), lambda game: "8/5 6/5", games=100).points
fp.read("match.xg")[0].match.names[0]
fp.review("match.xg")[0].blunders[0].sentence
fp.draw("XGID=…", "board.png", plays="8/5 6/5")
fp.Game.new().opening(3, 1).play("8/5 6/5").turn
fp.Match.new(7, names=("Ann", "Bob")).opening(3, 1).game.phase is fp.Phase.PLAY
fp.Engine.open("backgammon", level="2-ply").rank_plays(fp.Position.start(), (3, 1), limits=fp.SearchLimits(nodes=9))
fp.evaluate_many([fp.Position.start()]).equity[0]
"""
REFUSED = """
fp.Positionn
fp.Game.neww()
fp.Settings(length="7")
fp.Settings(variants="dutch")
fp.Settings(variant=None)
fp.Position.of([6, 5], {6: 2})
fp.Position.of({6: 1.5}, {6: 2})
fp.Position.start().plays(31)
fp.hint(31)
fp.hint("XGID=…").bset
fp.hint("XGID=…", "31").no_double
fp.hint(fp.Position.start()).best
fp.rollout("XGID=…", trials="many")
fp.rollout("XGID=…", executor=2)
fp.play_match(5)
fp.play_match(lambda game: 5)
fp.duel("0-ply", object(), games=2)
fp.Match.new(3, names=5)
fp.Cube("2")
"""
HEAD = """\
from concurrent.futures import ThreadPoolExecutor

import fullprime as fp
import fullprime_lab


class AnObject:
    def choose(self, game: fp.Game) -> fp.Action:
        return fp.Action(fp.ActionKind.ROLL)


try:
    fp.Game.new().opening(3, 1).play("8/3")
except (fp.IllegalPlay, fp.NotationError) as error:
    print(error)

"""


def code_of(block: Block) -> str:
    """The statements of a block; of a doctest what stands after the prompts."""
    if ">>>" not in block.text:
        return block.text
    return "".join(example.source for example in doctest.DocTestParser().get_examples(block.text))


def modules(page: Path) -> dict[str, str]:
    """The programs of a page by the name of a module: its blocks in order; one that names its test may stand alone."""
    name = re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix("")))
    together, alone = "", {}
    for block in blocks(page):
        if block.language not in ("python", "pycon"):
            continue
        if block.elsewhere and "import fullprime as fp" in block.text:
            alone[f"{name}_{block.line}"] = code_of(block)
        else:
            together += f"{code_of(block)}\n"
    if together:
        alone[name] = f"{PRESUPPOSED.get(str(page.relative_to(ROOT)), '')}\n{together}"
    return alone


SAMPLES = {"accepted": HEAD + ACCEPTED.lstrip(), "refused": HEAD + REFUSED.lstrip()}
REFUSED_LINES = [line for line in REFUSED.splitlines() if line]


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[int, str]]:
    """What mypy says: by the name of the module, the line and the message."""
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("programs")
    written = {name: code for page in PAGES for name, code in modules(page).items()}
    written |= SAMPLES
    for name, code in written.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    programs = [str(folder / f"{name}.py") for name in written]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    command = [
        sys.executable, "-m", "mypy", "--python-version", version,
        "--no-error-summary", "--hide-error-context", *programs,
    ]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    errors: dict[str, dict[int, str]] = {name: {} for name in written}
    for name, line, message in re.findall(r"(\w+)\.py:(\d+): error: (.*)$", done.stdout, re.MULTILINE):
        errors[name].setdefault(int(line), message)
    assert errors["refused"], done.stdout
    return errors


def test_every_python_block_of_the_documents_passes_strictly(errors: dict[str, dict[int, str]]) -> None:
    shown = {name: texts for name, texts in errors.items() if texts and name not in ("accepted", "refused")}
    assert shown == {}
    assert len(errors) > 20


def test_documented_lines_pass_strictly(errors: dict[str, dict[int, str]]) -> None:
    assert errors["accepted"] == {}


@pytest.mark.parametrize("line", REFUSED_LINES)
def test_what_the_package_does_not_take_is_refused(errors: dict[str, dict[int, str]], line: str) -> None:
    assert SAMPLES["refused"].splitlines().index(line) + 1 in errors["refused"]


def test_pyright_accepts_and_refuses_the_same_lines(tmp_path: Path) -> None:
    """One run, strict but for what is not about the types of the package: names and values that nothing uses."""
    command = os.environ.get("FULLPRIME_PYRIGHT")
    if not command:
        pytest.skip("FULLPRIME_PYRIGHT names no command: make pyright has one from npm")
    for name, code in SAMPLES.items():
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    configuration = {
        "include": ["."], "extraPaths": [str(ROOT / "src"), str(ROOT / "lab/src")], "typeCheckingMode": "strict",
        "reportUnusedExpression": False, "reportUnusedImport": False,
    }  # fmt: skip
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(configuration), encoding="utf-8")
    done = subprocess.run(
        [*shlex.split(command), "--outputjson", "--pythonpath", sys.executable, "--project", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    errors: dict[str, dict[int, str]] = {name: {} for name in SAMPLES}
    for error in json.loads(done.stdout)["generalDiagnostics"]:
        errors[Path(error["file"]).stem][error["range"]["start"]["line"]] = error["message"]
    assert errors["accepted"] == {}
    lines = SAMPLES["refused"].splitlines()
    assert {lines[number] for number in errors["refused"]} == set(REFUSED_LINES)
