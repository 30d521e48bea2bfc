"""The book: rolled-out plays of opening rolls and replies, kept with their trials so that they can be extended."""
