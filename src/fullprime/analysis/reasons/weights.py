"""Weights of the features of boards, by game: made by ``benchmarks/reasons.py --write``."""

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
    "nackgammon": {
        "point 1": 0.06326, "point 2": 0.10885, "point 3": 0.07775, "point 4": 0.12856, "point 5": 0.16825,
        "point 6": 0.23135, "point 7": 0.11738, "point 8": 0.10224, "point 9": 0.12849, "point 10": 0.11059,
        "point 11": 0.08289, "point 12": 0.10874, "point 13": 0.05885, "point 14": 0.04664, "point 15": 0.10609,
        "point 16": 0.10414, "point 17": -0.08976, "point 18": 0.12573, "point 19": -0.08131,
        "point 20": 0.16009, "point 21": 0.12224, "point 22": 0.01156, "point 23": 0.01613, "point 24": 0.04576,
        "prime": 0.03532, "on the bar": -0.01414, "on the bar, board": 0.03902, "dances": 0.01216,
        "their pips": 0.01387, "shots": 0.01389, "shots, board": -0.00606, "shots, blots": 0.00067,
        "pips at risk": -0.02289, "deep": -0.06689, "stack": -0.0101, "back": -0.00356, "last": 0.01008,
        "builders": 0.00074, "strikes": 0.00182, "opens": -0.00118, "spare": 0.00546, "off": -0.09312,
    },
    "hypergammon": {
        "point 1": 0.18946, "point 2": 0.17529, "point 3": 0.20712, "point 4": 0.3326, "point 5": 0.36646,
        "point 6": 0.31662, "point 7": 0.21851, "point 8": 0.18786, "point 9": 0.17657, "point 10": 0.13445,
        "point 11": 0.09124, "point 12": 0.06821, "point 13": 0.02973, "point 14": 0.01141, "point 15": 0.02807,
        "point 16": -0.00461, "point 17": -0.04628, "point 18": -0.01761, "point 19": -0.22007,
        "point 20": -0.20644, "point 21": -0.21436, "point 22": -0.21853, "point 23": -0.20672,
        "point 24": -0.26332, "prime": 0.0, "on the bar": -0.05814, "on the bar, board": 0.17659,
        "dances": 0.07283, "their pips": 0.04068, "shots": 0.00781, "shots, board": -0.00684,
        "shots, blots": 0.00278, "pips at risk": -0.05023, "deep": -0.00824, "stack": 0.0, "back": 0.00466,
        "last": -0.01267, "builders": 0.00035, "strikes": -0.00205, "opens": 0.00814, "spare": -0.0074,
        "off": 0.23999,
    },
    "dutch": {
        "point 1": 0.07731, "point 2": 0.12708, "point 3": 0.07465, "point 4": 0.11418, "point 5": 0.13808,
        "point 6": 0.17737, "point 7": 0.06315, "point 8": 0.04989, "point 9": 0.06298, "point 10": 0.05853,
        "point 11": 0.03368, "point 12": 0.0277, "point 13": 0.02761, "point 14": 0.00724, "point 15": -0.03044,
        "point 16": 0.00232, "point 17": -0.00607, "point 18": -0.01851, "point 19": 0.03101,
        "point 20": 0.01195, "point 21": 0.00042, "point 22": 0.01565, "point 23": -0.00224,
        "point 24": -0.0119, "prime": 0.00525, "on the bar": 0.03527, "on the bar, board": 0.01479,
        "dances": 0.01119, "their pips": 0.00844, "shots": 0.00459, "shots, board": -0.00442,
        "shots, blots": 0.00024, "pips at risk": -0.01353, "deep": -0.06683, "stack": -0.01947,
        "back": -0.00398, "last": -0.00548, "builders": -8e-05, "strikes": 0.00152, "opens": 0.0,
        "spare": 0.00029, "off": -0.09589,
    },
    "longgammon": {
        "point 1": 0.02398, "point 2": 0.14058, "point 3": 0.08955, "point 4": 0.12122, "point 5": 0.12227,
        "point 6": 0.16956, "point 7": 0.12013, "point 8": 0.05839, "point 9": 0.03524, "point 10": 0.04853,
        "point 11": 0.01669, "point 12": 0.04567, "point 13": 0.0422, "point 14": 0.02164, "point 15": 0.02704,
        "point 16": 0.02264, "point 17": 0.01611, "point 18": 0.01473, "point 19": 0.01978, "point 20": 0.01959,
        "point 21": 0.01172, "point 22": 0.02491, "point 23": -0.00193, "point 24": 0.00648, "prime": 0.03109,
        "on the bar": 0.00422, "on the bar, board": 0.03007, "dances": 0.01171, "their pips": 0.00605,
        "shots": 0.00446, "shots, board": -0.00659, "shots, blots": 0.00351, "pips at risk": -0.01076,
        "deep": -0.0691, "stack": -0.02151, "back": 0.00118, "last": 0.00435, "builders": 0.0,
        "strikes": 0.00261, "opens": 0.00061, "spare": 0.0013, "off": -0.12655,
    },
}

RACE: dict[str, dict[str, float]] = {
    "backgammon": {
        "off": 0.05977, "crossovers": -0.05987, "gap 2": -0.01069, "gap 3": -0.00449, "gap 4": -0.02385,
        "gap 5": -0.02835, "gap 6": -0.01032, "aces": -0.0147,
    },
    "nackgammon": {
        "off": 0.03495, "crossovers": -0.04294, "gap 2": 0.00972, "gap 3": -0.0157, "gap 4": 0.01287,
        "gap 5": -0.04696, "gap 6": -0.02864, "aces": -0.02929,
    },
    "hypergammon": {
        "off": 0.47259, "crossovers": -0.07182, "gap 2": -0.00646, "gap 3": -0.0324, "gap 4": -0.05296,
        "gap 5": -0.06395, "gap 6": -0.05159, "aces": -0.03307,
    },
    "dutch": {
        "off": 0.03407, "crossovers": -0.06262, "gap 2": 0.02724, "gap 3": 0.02075, "gap 4": 0.00441,
        "gap 5": -0.00683, "gap 6": 0.00428, "aces": -0.03249,
    },
    "longgammon": {
        "off": 0.04592, "crossovers": -0.01868, "gap 2": -0.02579, "gap 3": 0.01028, "gap 4": 0.0016,
        "gap 5": -0.03757, "gap 6": -0.05209, "aces": -0.03724,
    },
}
