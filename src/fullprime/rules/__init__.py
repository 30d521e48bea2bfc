"""What is legal and what it scores. Standard library only."""
