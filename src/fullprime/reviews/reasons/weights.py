"""Weights of the features of boards, by game and phase, from the file that ``benchmarks/reasons.py --write`` makes."""

from __future__ import annotations

import json
from importlib import resources

PLACE = resources.files("fullprime.reviews.reasons") / "data" / "weights.json"
WEIGHTS: dict[str, dict[str, dict[str, float]]] = json.loads(PLACE.read_text(encoding="utf-8"))
"""The fitted weights of a feature, by game, phase and the name of the feature; what is 0 is left out."""
