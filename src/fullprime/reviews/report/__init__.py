"""The report of a review: one HTML file that needs nothing else, for screens, paper and screen readers."""

from fullprime.reviews.report.page import html, own_scripts, own_styles, rest_of

__all__ = ["html", "own_scripts", "own_styles", "rest_of"]
