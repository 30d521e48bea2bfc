"""From what a file says to a match: boards, written moves, names, and the recorder that joins them."""
