"""Check that the wheel and the sdist in a folder are whole: ``python scripts/check_dist.py dist``, or ``build/lab``.

With a tag (``python scripts/check_dist.py dist v1.2.3``) also that they are the release of that name.
"""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import BytesParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {"fullprime": ROOT / "src", "fullprime_lab": ROOT / "lab" / "src"}
"""Where the package of each distribution stands."""
NOTICES = {"fullprime": {"LICENSE", "NOTICE.md"}, "fullprime_lab": {"LICENSE"}}


def main(folder: Path, tag: str = "") -> int:
    """Say what is missing or too much; the exit code is 1 if anything is."""
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    package = wheel.name.split("-")[0]
    expected = {
        path.relative_to(SOURCES[package]).as_posix()
        for path in (SOURCES[package] / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".lock"  # of a file being written
    }
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        licences = {Path(name).name for name in archive.namelist() if ".dist-info/licenses/" in name}
        described = BytesParser().parsebytes(archive.read(metadata))
    with tarfile.open(sdist) as archive:
        parts = (Path(member.name).parts for member in archive if member.isfile())
        in_sdist = {"/".join(part[2:]) for part in parts if part[1:2] == ("src",)}
    wrong = 0
    for file, present in ((wheel, in_wheel), (sdist, in_sdist)):
        print(f"{file.name}: {len(present)} files of the package, {file.stat().st_size / 1e6:.1f} MB")
        for sign, names in (("lacks", expected - present), ("should not have", present - expected)):
            for name in sorted(names):
                print(f"  {sign} {name}", file=sys.stderr)
                wrong = 1
    if f"{package}/py.typed" not in in_wheel:
        print("  without py.typed nobody sees the types", file=sys.stderr)
        wrong = 1
    for name in sorted(NOTICES[package] - licences):
        print(f"  lacks {name}, which has to come with every copy", file=sys.stderr)
        wrong = 1
    for link in relative_links(described):
        print(f"  the description on the package index would lead to {link}, which is not there", file=sys.stderr)
        wrong = 1
    for reason in not_ready(described, tag) if tag else ():
        print(f"  {tag} is not ready: {reason} (docs/releasing.md)", file=sys.stderr)
        wrong = 1
    return wrong


def not_ready(metadata: Message, tag: str) -> list[str]:
    """The steps before a release that have been forgotten."""
    version = metadata["Version"]
    dated = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$"
    steps = {
        f"the version is {version}": tag == f"v{version}",
        "the repository has no address in pyproject.toml": bool(metadata["Project-URL"]),
        "the README says that it is not on the index": "Not on the package index yet"
        not in str(metadata.get_payload()),
        f"CHANGELOG.md has no day for {version}": bool(
            re.search(dated, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
        ),
    }
    return [reason for reason, done in steps.items() if not done]


def relative_links(metadata: Message) -> list[str]:
    """The links and pictures of the description that only the repository has (hatch_build.py)."""
    text = re.sub(r"^```.*?^```", "", str(metadata.get_payload()), flags=re.MULTILINE | re.DOTALL)
    return [link for link in re.findall(r"\]\(([^)]+)\)", text) if not link.startswith(("https://", "#"))]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:3]))
