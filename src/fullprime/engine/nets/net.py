"""Nets: the file format, the manifest that names the nets in use, and verification.

A net file is an ``.npz`` of arrays and one JSON text, ``about``: encoding version, variant, phase, widths and how it
was made. Its name is the hash of its computation; a file whose name or description does not fit is refused. Training
writes float32 arrays. The package has their weights as whole numbers of 16 bits, which take half the room and choose
the same plays; such a file keeps the name of the net that it was rounded from (docs/adr/0064-nets-in-16-bits.md).
"""

from __future__ import annotations

import hashlib
import json
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fullprime.common.atomic_write import atomic_writer
from fullprime.engine.nets import encoding
from fullprime.rules.errors import FullprimeError

Floats = NDArray[np.float32]

DATA = Path(__file__).parents[1] / "data"
DEEP = ("deep", "deep_2")
"""Phases of wide nets, whose mean judges the ends of look-ahead and, at ``0-ply``, plays."""
PHASES = ("contact", "race", "back_game", "small", *DEEP)
"""The phases of nets: positions with contact; races, and back games (a side holds two points or more in the other's
home), which the contact net judges where they have no net of their own; ``small``, a cheap net for all positions,
with which look-ahead chooses the plays that the others judge; and ``deep`` and ``deep_2``, wide ones that have learnt
apart.
"""

ARRAYS = ("units", "bias1", "hand", "layer2", "bias2", "layer3", "bias3")
THIRD = ("layer4", "bias4", "layer5")
"""The arrays of a third layer, which not every net has."""
_ROUNDED = {"units": (0, 1), "hand": (0,), "layer2": (1,), "layer4": (0,)}
"""The arrays that the package has in 16 bits, and the axes along which weights share a step: those of a column, but in
the second layer those of a row, as in the kernels, to which nothing is lost there.
"""
_LARGEST = 32766
_ABOUT = {"variant": "variant", "phase": "phase", "encoding": "encoding", "made": "origin", "squared": "squared"}
_HASH_LENGTH = 16


def _no_layer() -> Floats:
    return np.zeros((0, 0), np.float32)


class NetError(FullprimeError):
    """A net that is missing, damaged, or made for something else."""


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """A net with its description, as a file stores it.

    ``units`` (56, 6, h1), ``bias1`` (h1,), ``hand`` (68 or 0, first columns of h1), ``layer2`` (h1, h2), ``bias2``
    (h2,), ``layer3`` (h2, 5), ``bias3`` (5,), all float32. Two rectified layers, then five logistic outputs; with
    ``squared`` the second layer sees the squares of the first. A third rectified layer, ``layer4`` (h2, h3), ``bias4``
    (h3,) and ``layer5`` (h3, 5), adds to the outputs beside that direct way; h3 is 0 in nets without one.
    """

    variant: str
    phase: str
    units: Floats
    bias1: Floats
    hand: Floats
    layer2: Floats
    bias2: Floats
    layer3: Floats
    bias3: Floats
    encoding: int = encoding.VERSION
    origin: str = ""
    squared: bool = False
    layer4: Floats = field(default_factory=_no_layer)
    bias4: Floats = field(default_factory=_no_layer)
    layer5: Floats = field(default_factory=_no_layer)
    master: str = ""
    """The hash of the net in float32 whose weights were rounded to 16 bits; empty for such a net itself."""

    def __post_init__(self) -> None:
        if self.encoding != encoding.VERSION:
            raise NetError(f"net for {self.variant}: encoding version {self.encoding}, this is {encoding.VERSION}")
        if self.phase not in PHASES:
            raise NetError(f"net for {self.variant}: phase {self.phase!r} is not one of {', '.join(PHASES)}")
        h1, h2 = self.layer2.shape
        features = self.hand.shape[0]
        h3 = self.layer4.shape[-1]
        if not h3:
            for name, shape in (("layer4", (h2, 0)), ("bias4", (0,)), ("layer5", (0, 5))):
                object.__setattr__(self, name, np.zeros(shape, np.float32))
        expected = {
            "units": (encoding.SLOT_GROUPS, encoding.UNITS, h1),
            "bias1": (h1,),
            "hand": (features, self.hand.shape[1]),
            "layer2": (h1, h2),
            "bias2": (h2,),
            "layer3": (h2, 5),
            "bias3": (5,),
            "layer4": (h2, h3),
            "bias4": (h3,),
            "layer5": (h3, 5),
        }
        for name, shape in expected.items():
            array = getattr(self, name)
            if array.shape != shape or array.dtype != np.float32:
                raise NetError(f"net for {self.variant}: {name} is {array.dtype}{array.shape}, not float32{shape}")
            if not np.isfinite(array).all():
                raise NetError(f"net for {self.variant}: {name} holds values that are not numbers")
        odd = h1 % 128 or h2 % 32 or h3 % 32 or (features and self.hand.shape[1] % 128)
        if odd or features not in (0, encoding.FEATURES):
            widths = ", ".join(str(width) for width in (h1, h2, h3) if width)
            raise NetError(f"net for {self.variant}: widths {widths} or hand features {self.hand.shape} do not fit")
        if self.hand.shape[1] > h1:
            raise NetError(f"net for {self.variant}: hand features reach {self.hand.shape[1]} of {h1} columns")

    @property
    def hash(self) -> str:
        """Sixteen hexadecimal digits by which a net is known: its content, or that of the net it was rounded from."""
        return self.master or self.content

    @property
    def content(self) -> str:
        """Sixteen hexadecimal digits of the SHA-256 of everything on which the net's outputs depend."""
        kind = " squared" if self.squared else ""
        digest = hashlib.sha256(f"{self.encoding} {self.variant} {self.phase}{kind}".encode())
        for name in self.arrays:
            array = np.ascontiguousarray(getattr(self, name), "<f4")
            digest.update(f" {name}{array.shape} ".encode() + array.tobytes())
        return digest.hexdigest()[:_HASH_LENGTH]

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.variant}-{self.phase}-{self.hash}.npz"

    @property
    def arrays(self) -> dict[str, Floats]:
        """The weights by name."""
        return {name: getattr(self, name) for name in (*ARRAYS, *(THIRD if len(self.bias4) else ()))}

    def save(self, folder: Path) -> Path:
        """Write the net into a folder under its own name."""
        path = folder / self.name
        self.write(path)
        return path

    @classmethod
    def load(cls, path: Path) -> Net:
        """Read a net file and verify it against its name; raises NetError."""
        net = cls.read(path)
        if path.name != net.name:
            raise NetError(f"{path}: the content hash says {net.name}; the file is damaged or misnamed")
        return net

    def save_rounded(self, folder: Path) -> Path:
        """Write the net with its weights in 16 bits into a folder, under its own name; raises NetError."""
        if self.master:
            raise NetError(f"{self.name} has its weights in 16 bits already; they are rounded from float32 alone")
        rounded = {name: _quantise(self.arrays[name], axes) for name, axes in _ROUNDED.items() if name in self.arrays}
        weights: dict[str, Any] = {name: ints * step for name, (ints, step) in rounded.items()}
        stored: dict[str, NDArray[Any]] = {name: ints for name, (ints, _) in rounded.items()}
        stored |= {_step_of(name): step for name, (_, step) in rounded.items()}
        path = folder / self.name
        _write(path, replace(self, master=self.hash, **weights)._about, {**self.arrays, **stored})
        return path

    def write(self, path: Path) -> None:
        """Write the net as it is under any name; the file appears complete or not at all."""
        _write(path, self._about, self.arrays)

    @property
    def _about(self) -> dict[str, object]:
        about = {name: getattr(self, field_name) for name, field_name in _ABOUT.items()}
        return about | {"master": self.master, "content": self.content} if self.master else about

    @classmethod
    def read(cls, path: Path) -> Net:
        """Read a net file of any name, such as one that is still learning; raises NetError."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                about: Mapping[str, Any] = json.loads(str(stored["about"]))
                net = cls(
                    variant=str(about["variant"]),
                    phase=str(about["phase"]),
                    encoding=int(about["encoding"]),
                    origin=str(about.get("made", "")),
                    squared=bool(about.get("squared", False)),
                    master=str(about.get("master", "")),
                    **{name: _floats(stored, name) for name in (*ARRAYS, *THIRD) if name in ARRAYS or name in stored},
                )
        except FileNotFoundError:
            raise NetError(f"{path}: there is no such net") from None
        except (OSError, KeyError, ValueError, TypeError, zipfile.BadZipFile) as error:
            raise NetError(f"{path}: not a net file ({error})") from None
        if net.master and net.content != about.get("content"):
            raise NetError(f"{path}: the content hash is {net.content}; the file is damaged")
        return net


def _write(path: Path, about: Mapping[str, object], arrays: Mapping[str, NDArray[Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(path) as file:
        np.savez(file, about=np.array(json.dumps(about)), **arrays)  # type: ignore[arg-type]


def _step_of(name: str) -> str:
    """The name of the array of steps of an array in whole numbers."""
    return f"{name}_step"


def _quantise(array: Floats, axes: tuple[int, ...]) -> tuple[NDArray[np.int16], Floats]:
    """Weights as whole numbers of steps, which are as fine as the greatest of those that share one allows."""
    greatest = np.maximum(np.abs(array).max(axis=axes, keepdims=True, initial=0), np.float32(1e-12))
    step: Floats = (greatest / _LARGEST).astype(np.float32)
    return np.rint(array / step).astype(np.int16), step


def _floats(stored: Mapping[str, NDArray[Any]], name: str) -> Floats:
    """An array of a net file, whole numbers as the weights that they mean."""
    array: Floats = stored[name]
    return array * stored[_step_of(name)] if _step_of(name) in stored else array


class _Declared(NamedTuple):
    """The tables of ``data/manifest.toml``."""

    nets: dict[str, dict[str, str]]
    shared: dict[str, str]
    wide: dict[str, list[str]]


@cache
def _read_declared() -> _Declared:
    with (DATA / "manifest.toml").open("rb") as file:
        manifest = tomllib.load(file)
    return _Declared(manifest["nets"], manifest.get("shared", {}), manifest.get("wide", {}))


def judging_game(variant: str) -> str:
    """The game whose nets, and whose figures of the cube, judge a variant: its own, or those of one so near to it that
    they know its positions, too.
    """
    return _read_declared().shared.get(variant, variant)


@cache
def manifest() -> dict[str, dict[str, str]]:
    """The nets in use, file names by variant and phase, from ``data/manifest.toml``."""
    nets, shared, _ = _read_declared()
    return nets | {variant: nets[other] for variant, other in shared.items()}


def wide_phases(variant: str) -> tuple[str, ...]:
    """The phases that a wide net judges by itself, although the contact net leaves them to a net of their own."""
    return tuple(_read_declared().wide.get(judging_game(variant), ()))


def nets_for(variant: str) -> dict[str, Net]:
    """The verified nets of a variant by phase; raises NetError when it has none or when one does not fit."""
    names = manifest().get(variant)
    if not names:
        raise NetError(f"there is no net for {variant}; there are nets for {', '.join(sorted(manifest()))}")
    nets = {phase: Net.load(DATA / "nets" / name) for phase, name in names.items()}
    for phase, net in nets.items():
        if (net.variant, net.phase) != (judging_game(variant), phase):
            raise NetError(f"{net.name} is declared as the {phase} net of {variant}")
    if "contact" not in nets:
        raise NetError(f"the manifest names no contact net for {variant}")
    return nets


def nets_with(net: Net) -> dict[str, Net]:
    """A net alone for every position, or, if it is for races or back games only, in its place among the package's."""
    if net.phase in ("race", "back_game"):
        return nets_for(net.variant) | {net.phase: net}
    return {"contact": net}
