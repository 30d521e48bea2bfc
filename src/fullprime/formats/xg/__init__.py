"""eXtreme Gammon: matches and positions (``.xg``, ``.xgp``)."""
