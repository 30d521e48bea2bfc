"""What every room needs of the machine: atomic writes of files, and locks between processes. Standard library only."""
