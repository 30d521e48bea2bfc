"""OGXM: the packed format of OpenGammon."""
