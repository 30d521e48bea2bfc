"""Pictures and pages: boards as SVG and PNG, graphs, the report of a review."""
