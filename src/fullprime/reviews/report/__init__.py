"""The report of a review: one HTML file that needs nothing else, for screens, paper and screen readers."""

from fullprime.reviews.report.page import own_scripts, own_styles, render_page, rest_of

__all__ = ["own_scripts", "own_styles", "render_page", "rest_of"]
