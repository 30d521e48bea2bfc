"""Two nets as one: a larger net that begins with what two smaller ones know, and may then learn what joins them."""

from __future__ import annotations

import numpy as np

from fullprime.engine.nets.net import Floats, Net
from fullprime_lab.training.errors import TrainingError


def join_side_by_side(first: Net, second: Net) -> Net:
    """A net with the columns of both, none of which sees the other's: its logits are the mean of theirs.

    Raises TrainingError for nets of two games or phases' kinds that cannot be one: one that squares its first layer and
    one that does not, or hand features that do not reach every column of the first.
    """
    if (first.variant, first.squared) != (second.variant, second.squared):
        raise TrainingError(f"{first.name} and {second.name} cannot be joined: another game, or another kind of layer")
    if first.hand.shape[1] != first.layer2.shape[0]:
        raise TrainingError(f"{first.name}: its hand features must reach every column for a net to stand beside it")
    return Net(
        variant=first.variant,
        phase=first.phase,
        origin=f"{first.origin} | {second.origin}",
        squared=first.squared,
        units=np.concatenate([first.units, second.units], axis=2),
        bias1=np.concatenate([first.bias1, second.bias1]),
        hand=np.concatenate([first.hand, second.hand], axis=1),
        layer2=_block_diagonal(first.layer2, second.layer2),
        bias2=np.concatenate([first.bias2, second.bias2]),
        layer3=(np.concatenate([first.layer3, second.layer3]) / 2).astype(np.float32),
        bias3=((first.bias3 + second.bias3) / 2).astype(np.float32),
        layer4=_block_diagonal(first.layer4, second.layer4),
        bias4=np.concatenate([first.bias4, second.bias4]),
        layer5=(np.concatenate([first.layer5, second.layer5]) / 2).astype(np.float32),
    )


def _block_diagonal(first: Floats, second: Floats) -> Floats:
    """Two matrices as the blocks of one, with zeros elsewhere."""
    rows, columns = first.shape
    joined = np.zeros((rows + second.shape[0], columns + second.shape[1]), np.float32)
    joined[:rows, :columns] = first
    joined[rows:, columns:] = second
    return joined
