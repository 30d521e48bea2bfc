"""Connections: the limits of their number, in all and by address, and of the time that they may take (ADR 22)."""
