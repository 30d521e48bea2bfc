"""The requests and answers of the API, as pydantic models."""
