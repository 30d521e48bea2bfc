"""The laboratory of Fullprime: making nets, measuring the engine, and other programs to measure against.

    fullprime_lab.train    a net of one's own    fullprime_lab.train(seconds=60)

Installed beside ``fullprime``, it adds ``selfplay``, ``bench``, ``court``, ``perft`` and ``train`` to the command, and
other programs such as ``gnubg-nn:0`` to the players of ``fullprime duel``. ``docs/training.md`` is the page on nets.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fullprime_lab.training.errors import ConfigError, TrainingError
    from fullprime_lab.training.quick import train

__all__ = ["ConfigError", "TrainingError", "train"]

_MODULES = {
    "ConfigError": "fullprime_lab.training.errors",
    "TrainingError": "fullprime_lab.training.errors",
    "train": "fullprime_lab.training.quick",
}


if not TYPE_CHECKING:  # a checker that saw this would take any name for one of ours

    def __getattr__(name: str) -> Any:
        # Training sets how many threads NumPy works with, which the commands that measure must not inherit.
        if name not in _MODULES:
            raise AttributeError(f"fullprime_lab has no {name!r}; it has {', '.join(__all__)}")
        return getattr(import_module(_MODULES[name]), name)
