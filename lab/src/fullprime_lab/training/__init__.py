"""Training of nets, from zero: self-play, fitting, export and the gate, resumable steps with files between."""

import os

# The matrices of one step are small: a second thread costs more than it brings, and self-play wants the other cores.
# NumPy reads this when it is first imported, which any module of this package may be the one to do.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
