"""The court: hard decisions by family, rolled out by several engines, and what any engine's choices cost by them."""
