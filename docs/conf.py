"""How the site is made from these pages: `make docs` (ADR 0018)."""

from __future__ import annotations

import sys
from pathlib import Path

import fullprime

sys.path.insert(0, str(Path(__file__).parent / "_site"))

project = "Fullprime"
copyright = "the Fullprime authors"  # noqa: A001 - Sphinx's name
release = version = fullprime.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "folders", "front_door", "modules", "terms", "search_words"]
source_suffix = {".md": "markdown"}
root_doc = "index"

# The pages are written for GitHub as well: anchors are made from headings as it makes them, to the same depth.
myst_heading_anchors = 4

# Signatures name types by the front door's names where it has them; members stand as in the source.
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100

html_theme = "furo"
html_title = f"Fullprime {release}"
html_search_scorer = str(Path(__file__).parent / "_site" / "scorer.js")
html_static_path: list[str] = []
html_copy_source = False
html_show_sphinx = False
exclude_patterns = ["_site"]
