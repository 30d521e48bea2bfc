"""Lists of plays as lines: the depth beside each, groups, and a mark where two depths are compared."""

from __future__ import annotations

from fullprime.reviews.depths import Listed, list_lines
from fullprime.rules.words import MINUS


def test_plays_of_several_depths_stand_in_groups_and_a_loss_across_them_is_marked() -> None:
    plays = [
        Listed("24/21 13/11", 0.013, 0.0, 2),
        Listed("24/22 24/21", -0.036, 0.049, 2),
        Listed("13/8", -0.035, 0.048, 1),
        Listed("13/10 6/4", 0.02, 0.0, 0),
    ]
    assert list_lines(plays) == (
        "Looked at 2 plies ahead",
        "24/21 13/11: +0.013, 2-ply",
        f"24/22 24/21: {MINUS}0.036 ({MINUS}0.049), 2-ply",
        "Looked at 1 ply ahead",
        f"13/8: {MINUS}0.035 (≈ {MINUS}0.048), 1-ply",
        "Judged statically, without look-ahead",
        "13/10 6/4: +0.020 (≈ 0), static",
        "≈ compares two depths: the best play was looked at further than this one.",
    )


def test_plays_of_one_depth_need_no_heads_and_losses_may_stand_alone() -> None:
    plays = [Listed("no double", None, 0.0, 3), Listed("double", None, 0.1, 3)]
    assert list_lines(plays) == ("no double: 3-ply", f"double: {MINUS}0.100, 3-ply")
    assert list_lines([Listed("13/8", None, 0.0, None), Listed("13/7", None, 0.2, None)]) == (
        "13/8",
        f"13/7: {MINUS}0.200",
    )
    rolled = [Listed("13/8", 0.1, 0.0, 2, 0.004), Listed("13/7", 0.05, 0.05, 3, 0.003)]
    assert list_lines(rolled) == (
        "13/8: +0.100, rollout ± 0.004", f"13/7: +0.050 ({MINUS}0.050), rollout ± 0.003",
    ), "what was rolled out is alike, however deep"  # fmt: skip
