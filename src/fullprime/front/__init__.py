"""The front door: the functions of ``import fullprime as fp`` beside the values; ``fullprime/__init__`` names them."""
