"""Texts of servers and smaller programs, each in a module of its own."""
