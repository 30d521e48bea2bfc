"""Recording: boards, written moves and names of a file, and the recorder that joins them into a match."""
