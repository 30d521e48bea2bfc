"""The command line: parse, show, nothing else."""
