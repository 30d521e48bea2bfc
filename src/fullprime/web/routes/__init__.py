"""The routes of the API and their callers."""
