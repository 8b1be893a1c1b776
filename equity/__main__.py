"""``python -m equity`` is the command ``equity``."""

from equity.cli import main

main()
