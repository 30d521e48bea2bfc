"""Connections: how many there may be, from whom, and for how long one may keep the server waiting (ADR 22)."""
