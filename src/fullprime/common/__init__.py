"""What packages need of the machine: atomic writes of files, and locks between processes. Standard library only."""
