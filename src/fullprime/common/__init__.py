"""What every room needs of the machine: atomic writes of files. Standard library only."""
