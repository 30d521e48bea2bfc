"""Other programs as players, to measure against."""
