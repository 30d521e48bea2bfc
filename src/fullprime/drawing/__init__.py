"""Pictures and pages made of what we know: boards as SVG and PNG, graphs, the report of a review."""
