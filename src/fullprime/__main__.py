"""``python -m fullprime`` is the command ``fullprime``."""

from fullprime.cli.main import main

if __name__ == "__main__":
    main()
