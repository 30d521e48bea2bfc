"""Games and matches that outlive the program."""
