"""Damaged files of every family: an answer or a FormatError, never a traceback, a hang or a flood of memory."""

from __future__ import annotations

import gzip
import io
import random
import re
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.formats import makers
from tests.formats.generate import random_match
from tests.formats.test_clipboard import BLITZ, GNU, XG
from tests.formats.test_sites import FILES, jellyfish
from tests.formats.xg_maker import container, rolled_out, xg_file

from fullprime import formats
from fullprime.formats import FORMATS, FormatError
from fullprime.formats.files import MAX_BYTES
from fullprime.formats.xg.container import unpack
from fullprime.rules.errors import RulesError
from fullprime.rules.score import Settings

LIMIT = 1.0
"""Seconds of processor time that no file may need."""
_DIGIT = re.compile(rb"[0-9]")
HUGE = (b"99999999999999999999", b"-1", b"4294967296", b"0", b"2147483647")


def seeds() -> dict[str, tuple[bytes, ...]]:
    """Sound files of every family: all that its reader understands should stand in one of them."""
    match = random_match(random.Random(1), Settings(length=5), games=1, resignations=0.02)
    longer = random_match(random.Random(18), Settings(length=3), games=2, resignations=0.03)
    money = random_match(random.Random(2), Settings(jacoby=True, beavers=True), games=1)
    files = {name: (text.encode(),) for name, text in FILES.items()}
    files["jellyfish"] = (jellyfish(),)
    files["mat"] = tuple(formats.write(formats.Document(written), "mat")[0] for written in (match, longer, money))
    analysed = formats.read(xg_file(longer)).documents[0]
    files["sgf"] = (
        formats.write(formats.Document(money), "sgf")[0],
        formats.write(formats.Document(match), "sgf")[0],
        formats.write(analysed, "sgf")[0][:3_000],
    )
    files["json"] = (formats.write(formats.Document(money), "json")[0], formats.write(analysed, "json")[0][:6_000])
    files["snowie"] = (formats.write(formats.Document(match), "snowie")[0],)
    position = formats.Document(replace(analysed.match, games=analysed.match.games[:1]), analysed.review)
    begun = replace(position.match.games[0], events=position.match.games[0].events[:6])
    position = replace(position, match=replace(position.match, games=(begun,)))
    files["xg"] = (xg_file(match), rolled_out(xg_file(longer)), formats.write(position, "xgp")[0])
    files["bgblitz"] = (makers.bgf(match, packed=False), makers.bgf(match))
    written = formats.write(formats.Document(money), "ogxm")[0]
    files["ogxm"] = (makers.ogxm(match, "a remark"), makers.ogxm1(longer), written)
    xg_text = XG.format(x="Ann", o="Bob", player="Player", other="Other", plus="+", point=".", eq="eq", ply="ply")
    gnu_text = GNU.format(moves="moves", doubles="doubles", rejects="rejects", wins="wins", no="No", double="Double")
    files["clipboard"] = tuple(text.encode() for text in (xg_text + BLITZ + gnu_text, xg_text, BLITZ, gnu_text))
    return files


SEEDS = seeds()


def damaged(name: str, rng: random.Random) -> bytes:
    """A damaged file of a family; of eXtreme Gammon's mostly what is packed in it, else only the packing is tried."""
    data = rng.choice(SEEDS[name])
    if name != "xg" or rng.random() < 0.2:
        return mutated(data, rng)
    members = {}
    for member, content in unpack(data, []).members.items():
        # Mutations change a few bytes: they must meet a record, of which most bytes say nothing.
        at = rng.randrange(len(content) + 1)
        part = slice(at - at % 2560, at - at % 2560 + rng.choice((70, 300, 2560)))
        members[member] = content[: part.start] + mutated(content[part], rng) + content[part.stop :]
    return container(members)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """One to six damages: bytes flipped, cut, doubled, exchanged, numbers made huge, brackets nested."""
    content = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        size = len(content)
        at = rng.randrange(size + 1)
        match rng.randrange(9):
            case 0 if size:
                content[rng.randrange(size)] ^= 1 << rng.randrange(8)
            case 1 if size:
                content[rng.randrange(size)] = rng.randrange(256)
            case 2:
                del content[at:]
            case 3:
                del content[at : at + rng.randint(1, 60)]
            case 4:
                part = content[at : at + rng.randint(1, 400)]
                content[at:at] = part
            case 5:
                content[at:at] = rng.choice(HUGE)
            case 6:
                content[at:at] = rng.choice((b"(", b"[", b"{", b"(;", b'"', b"\n", b"\0")) * rng.choice((1, 3, 500))
            case 7 if size:
                # The first digit behind a random place: listing all of them would cost more than the reader.
                match = _DIGIT.search(content, at)
                if match:
                    content[match.start()] = rng.randrange(48, 58)
            case _:
                other = rng.randrange(size + 1)
                content[at : at + 20], content[other : other + 20] = content[other : other + 20], content[at : at + 20]
    return bytes(content)


def survive(read: Callable[[bytes], object], data: bytes) -> float:
    """Seconds that reading takes, at most.

    The clock never says less than the processor time, and asking it costs nothing. Other work on the machine is no
    fault of a reader: what seems slow by the clock is measured again.
    """
    took = timed(read, data, time.perf_counter)
    return took if took < LIMIT / 2 else timed(read, data, time.process_time)


def timed(read: Callable[[bytes], object], data: bytes, now: Callable[[], float]) -> float:
    begin = now()
    try:
        read(data)
    except FormatError:
        pass
    except Exception as error:
        raise AssertionError(f"{error!r} for {data[:4000]!r}") from error
    return now() - begin


def reader(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> None:
        for document in formats.read(data, format=name):
            # What was read can be replayed, written and shown.
            for game in document.match.games:
                try:
                    for entry in game.entries():
                        if entry.after.phase is None:
                            raise AssertionError
                except RulesError:
                    assert document.report or name == "json"
            str(document.report)

    return read


def fuzz(name: str, count: int, seed: int) -> float:
    """Read so many damaged files of a family; the seconds that the slowest took."""
    rng = random.Random(seed)
    plain, thorough = FORMATS[name].read, reader(name)
    slowest = 0.0
    for number in range(count):
        data = damaged(name, rng)
        if number % 10 == 0:
            survive(thorough, data)
        slowest = max(slowest, survive(lambda content: plain(content, "damaged"), data))
        if number % 50 == 0:
            survive(formats.read, data)
    return slowest


@pytest.mark.broad
@pytest.mark.parametrize("name", SEEDS)
def test_damaged_files(name: str) -> None:
    assert fuzz(name, 600 if name in ("sgf", "clipboard", "xg") else 1500, 17) < LIMIT


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", SEEDS)
def test_two_hundred_thousand_damaged_files(name: str) -> None:
    resource = pytest.importorskip("resource", reason="this system does not tell what its processes have used")
    assert fuzz(name, 200_000, 18) < LIMIT
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 500 * 1024


def test_every_format_is_fuzzed() -> None:
    assert set(SEEDS) == set(FORMATS) - {"snowietxt", "xgp", "text", "csv"}


@pytest.mark.parametrize("name", SEEDS)
def test_other_formats_are_refused_or_read(name: str) -> None:
    for others in SEEDS.values():
        for other in others:
            survive(lambda data: formats.read(data, format=name), other)


@pytest.mark.broad
@pytest.mark.parametrize(
    "data",
    [
        b"", b"\0" * 5000, b"\xff" * 5000, b"(" * 200_000, b"(;GM[6]" * 20_000, b"[" * 200_000,
        b'{"format":"fullprime","version":1,"matches":' + b"[" * 100_000,
        b" 5 point match\n" * 3_000, b"Game 1\n" * 20_000,
        b" 1 point match\n\n Game 1\n a : 0  b : 0\n" + b"  1) 11:  11:\n" * 2_000,
        b"(;GM[6]" + b"C[" + b"\\" * 200_000,
        b"(;GM[6];AE[" + b"a:z" * 50_000 + b"]AB" + b"[a:x]" * 20_000 + b")",
        b" 5 point match\n\n Game 1\n a : 0  b : 0\n  1) 31: " + b"8/5 " * 50_000,
        b"GMD-2\nLength: 5\nGame:\n" + b"Roll:-:: 3 3\n" * 20_000,
    ],
    ids=lambda data: repr(data[:12]),
)  # fmt: skip
def test_ugly_files(data: bytes) -> None:
    assert survive(formats.read, data) < 5 * LIMIT


def archive(*members: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members:
            target.writestr(name, content)
    return stream.getvalue()


def test_an_archive_of_many_formats() -> None:
    data = archive(*((f"folder/{name}.dat", contents[0]) for name, contents in SEEDS.items()), ("notes.txt", b"hello"))
    reading = formats.read(data, name="all.zip")
    assert {document.format for document in reading} == set(SEEDS)
    assert [name for name, _ in reading.unread] == ["all.zip/notes.txt"]
    assert {document.source for document in reading} >= {"all.zip/folder/mat.dat"}


def test_a_file_that_gzip_has_packed(tmp_path: Path) -> None:
    path = tmp_path / "match.mat.gz"
    path.write_bytes(gzip.compress(b" 5 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5\n"))
    (document,) = formats.read(path).documents
    assert (document.source, document.match.names) == ("match.mat", ("Bob", "Ann"))
    for damaged in (path.read_bytes()[:40], b"\x1f\x8bxx", gzip.compress(b"0" * (MAX_BYTES + 2))):
        with pytest.raises(FormatError, match=r"unpacked|no file of a match is that large"):
            formats.read(damaged)


def test_what_else_gzip_packs() -> None:
    match = b" 5 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5\n"
    packed = gzip.compress(match)
    (document,) = formats.read(archive(("match.mat.gz", packed)), name="all.zip").documents
    assert document.source == "all.zip/match.mat"
    half = len(match) // 2
    assert len(formats.read(gzip.compress(match[:half]) + gzip.compress(match[half:]) + bytes(100))) == 1
    for data, why in (
        (gzip.compress(archive(("match.mat", match))), "archive inside an archive"),
        (gzip.compress(packed), "archive inside an archive"),
        (packed + b"junk", "more follows"),
        (packed[:-4], "its end is missing"),
        (gzip.compress(b"") * 1000 + packed, "more than 100 parts"),
    ):
        with pytest.raises(FormatError, match=why):
            formats.read(data, name="match.mat.gz")


def test_archives_are_no_bombs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullprime.formats.files.MAX_BYTES", 1 << 20)
    bomb = archive(
        ("big.mat", b"\0" * (8 << 20)), ("inner.zip", archive(("a.mat", SEEDS["mat"][0]))), ("a.mat", SEEDS["mat"][0])
    )
    reading = formats.read(bomb)
    assert len(reading) == 1
    assert "unpacks to more than" in reading.unread[0][1]
    assert "archive inside an archive" in reading.unread[1][1]
    monkeypatch.setattr("fullprime.formats.files.MAX_MEMBERS", 2)
    assert "at most 2" in formats.read(bomb).unread[0][1]


EXTENSIONS = sorted({extension for kind in FORMATS.values() for extension in kind.extensions})


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("size", [0, 100, 3000, 60_000])
def test_random_bytes_are_refused_whatever_they_are_called(extension: str, size: int) -> None:
    for seed in range(10 if size < 10_000 else 2):
        data = random.Random(seed).randbytes(size)
        with pytest.raises(FormatError) as refused:
            formats.read(data, name=f"random{extension}")
        assert "\n" not in str(refused.value)


def test_the_little_that_can_be_read_is_read() -> None:
    noise = random.Random(3).randbytes(400).replace(b"\n", b"\0")
    data = noise + b"\n 5 point match\n\n Game 1\n a : 0    b : 0\n  1) 31: 8/5 6/5\n" + noise
    (document,) = formats.read(data, name="damaged.mat").documents
    assert document.report
    assert document.match.settings.length == 5
    assert len(document.match.games[0].events) >= 2


def test_damaged_archives() -> None:
    rng = random.Random(4)
    data = archive(("a.mat", SEEDS["mat"][0]), ("b.sgf", SEEDS["sgf"][0]))
    for _ in range(300):
        survive(formats.read, mutated(data, rng))


def test_folders(tmp_path: object) -> None:
    folder = Path(str(tmp_path))
    (folder / "deep").mkdir()
    (folder / "deep" / "a.mat").write_bytes(SEEDS["mat"][0])
    (folder / "._a.mat").write_bytes(b"beside the file, by a Macintosh")
    (folder / "b.zip").write_bytes(archive(("c.sgf", SEEDS["sgf"][0]), ("__MACOSX/._c.sgf", b"\0\5\x16\7")))
    (folder / "notes.md").write_text("nothing")
    reading = formats.read(folder)
    assert {document.format for document in reading} == {"mat", "sgf"}
    assert [name for name, _ in reading.unread] == ["notes.md"]
    with pytest.raises(FormatError, match="cannot be opened"):
        formats.read(folder / "missing.mat")
