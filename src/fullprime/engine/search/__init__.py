"""Look-ahead: plays and cube decisions, as deep as a level and a budget allow."""
