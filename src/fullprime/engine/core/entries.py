"""The kernels that Python calls, and the types of their arguments: what machine code is made for ahead of time.

An array is the letter of its type and the number of its dimensions, C-contiguous; ``r`` behind it: it is only read.
Other words are scalars of that name, or named tuples of `STRUCTS`. A call with other types is compiled by Numba.
"""

from __future__ import annotations

STRUCTS: dict[str, tuple[str, str]] = {
    "Weights": ("nets.network", "h2 f1 f1 h2 f1 h2 f1 f2 f1 f2 f1 f2 bool"),
    "Nets": ("nets.network", "Weights Weights Weights Weights bool bool"),
    "Scratch": ("nets.network", "l1 f2 h2 f2 i1 i1 f2 f2 f2"),
    "SearchBuffers": ("lookahead.search", "b2 f2 f1 ?1 l2 l1 l1 l1 b2 l1 l1 Scratch Scratch Scratch Scratch"),
    "TurnBuffers": ("lookahead.turn_search", "SearchBuffers ?1"),
}
"""Named tuples by name: the module in which they stand, and the types of their fields."""

ENTRIES: dict[str, str] = {
    "lookahead.search.choose_plays": "Nets b2 l2 l1 f1 int float32 SearchBuffers b2 f2",
    "lookahead.search.expand_plays": "Nets b2 l1 f1 int float32 SearchBuffers b4 f4",
    "lookahead.selfplay.label_batch": "Nets b2 l1 l2 f1 float32 TurnBuffers f2",
    "lookahead.selfplay.play_games": (
        "Nets bool l1 l2 f1 float32 b2 float int float float float float float float TurnBuffers b2 f2"
    ),
    "lookahead.turn_search.choose_turns": "Nets b2 l2 l1 l2 int f1 int float32 TurnBuffers b3 ?2 f3",
    "lookahead.turn_search.expand_turns": "Nets b2 l1 l2 int f1 int float32 TurnBuffers b3 ?2 f3",
    "lookahead.turn_search.list_roll_turns": "Nets b1 int int l1 l2 int TurnBuffers int",
    "moves.plays.legal_plays_batch": "b2 b2 l1 int b2 l1",
    "moves.plays.legal_plays_into": "b1 int int l1 b2 l1",
    "moves.plays.swap_rows": "b2 b2",
    "moves.turns.list_turns": "b1 int int l1 l2 b2 ?1 int b2 l1",
    "nets.network.mark_back_games": "b2 ?1",
    "nets.network.evaluate_phases": "Nets b2 f2",
    "nets.network.hand_feature_batch": "b2 f2",
    "nets.network.net_outputs": "Weights b2 l2 l1 int f2 Scratch",
    "nets.network.settle_batch": "b2 bool ?1 f2",
    "nets.training.adam": "f1 f1 f1 f1 f1 float float float int int",
    "nets.training.add_rectified": "f2 f2",
    "nets.training.average": "f1 f1 float",
    "nets.training.build_table": "f3 f3 l1 f2",
    "nets.training.add_activity_cost": "f2 float f1 f2",
    "nets.training.fold_table": "f2 f3 l1 f3 f1",
    "nets.training.gather_inputs": "b2 l1 l2 l1 f2 l1",
    "nets.training.table_backward": "f2 f2 l2 l1 f2 f1",
    "nets.training.table_forward": "f2 f1 l2 l1 f2",
    "tables.bearoff.all_codes": "int",
    "tables.bearoff.home_codes": "b1",
    "tables.bearoff.home_equities": "b2 f3r int ?1 d2",
    "tables.bearoff.home_probabilities": "b2 f2r f2r f3r int ?1 d2",
    "tables.bearoff.mean_rolls": "b2 d1r ?1 d2",
    "tables.bearoff.solve_one_sided": "l1 int bool bool",
    "tables.bearoff.race_backgammons": "b2 f2r f2r ?1 d2",
    "tables.bearoff.rank_of_code": "int int",
    "tables.bearoff.list_successors": "l1 int",
    "tables.bearoff.solve_two_sided_rows": "d3 l1 l1 int int",
    "tables.cubes.count_checkers_and_pips": "int",
    "tables.cubes.find_reachable": "l1 d1 l1 int d1 float int",
    "tables.cubes.solve": "l1 i1 i1 l1 i1 i1 l1 f3 l3 f3 f2 l1 l1",
    "tables.endgame.all_places": "int",
    "tables.endgame.have_contact": "l1 l2",
    "tables.endgame.improve_policy": "l1 int l2 int l1 l2 d2 i2",
    "tables.endgame.look_up": "b2 int int f3r float l1 ?1 d2",
    "tables.endgame.look_up_steps": "b2 int int H3r float l1 ?1 d2",
    "tables.endgame.evaluate_equities": "l1 i2 d2",
    "tables.endgame.evaluate_outputs": "l1 i2 d3",
    "tables.endgame.guess_values": "l2 int bool d3 d2",
}
"""Kernels by module and name, with the types of their arguments."""
