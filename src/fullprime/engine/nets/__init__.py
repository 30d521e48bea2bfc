"""Nets: how they see positions, where they are kept, and how they are run."""
