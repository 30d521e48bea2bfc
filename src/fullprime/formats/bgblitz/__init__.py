"""BGBlitz: matches (``.bgf``)."""
