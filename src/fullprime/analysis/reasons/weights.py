"""Weights of the features of boards, by game: made by ``benchmarks/reasons.py --games 80 --write``."""

# fmt: off
CONTACT: dict[str, dict[str, float]] = {
    "backgammon": {
        "point 1": 0.06482, "point 2": 0.07657, "point 3": 0.0664, "point 4": 0.10231, "point 5": 0.1364,
        "point 6": 0.18784, "point 7": 0.07906, "point 8": 0.0543, "point 9": 0.05424, "point 10": 0.05055,
        "point 11": 0.03648, "point 12": 0.00509, "point 13": 0.01625, "point 14": 0.01245, "point 15": 0.02773,
        "point 16": 0.0163, "point 17": -0.06908, "point 18": 0.10836, "point 19": 0.0436, "point 20": 0.07489,
        "point 21": 0.06364, "point 22": 0.05669, "point 23": 0.00282, "point 24": 0.00589, "prime": 0.02433,
        "on the bar": 0.01373, "on the bar, board": 0.05489, "dances": 0.0021, "their pips": 0.01138,
        "shots": 0.00965, "shots, board": -0.00486, "shots, blots": 8e-05, "pips at risk": -0.01989,
        "deep": -0.05869, "stack": -0.02408, "back": 0.00714, "last": -0.01798, "builders": 0.00091,
        "strikes": 0.00097, "opens": -0.00227, "spare": 0.0036, "off": -0.05024,
    },
}

RACE: dict[str, dict[str, float]] = {
    "backgammon": {
        "off": 0.05977, "crossovers": -0.05987, "gap 2": -0.01069, "gap 3": -0.00449, "gap 4": -0.02385,
        "gap 5": -0.02835, "gap 6": -0.01032, "aces": -0.0147,
    },
}
