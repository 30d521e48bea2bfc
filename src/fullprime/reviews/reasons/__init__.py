"""Reasons: typed facts of a decision, each with the way it points, chosen and put into words."""
