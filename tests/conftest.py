"""No test touches the data of whoever runs it: games, libraries and endgame tables lie in a folder of their own."""

from __future__ import annotations

import os
import tempfile

_HOME = tempfile.TemporaryDirectory(prefix="fullprime-tests-", ignore_cleanup_errors=True)
os.environ["XDG_DATA_HOME"] = _HOME.name
