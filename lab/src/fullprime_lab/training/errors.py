"""Errors of training."""

from __future__ import annotations

from fullprime.rules.errors import FullprimeError


class TrainingError(FullprimeError):
    """Something the trainer cannot do: too few positions, a device that is not there, a file that does not fit."""


class ConfigError(FullprimeError):
    """A configuration with an impossible or unknown entry."""
