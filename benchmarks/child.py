"""Run a command and print its seconds and the most memory that it used, as JSON.

    python -S child.py COMMAND [ARGUMENT ...]

A process of its own, and as small as can be: what the system tells of the memory of a
process includes that of the one which started it.
"""

from __future__ import annotations

import os
import sys
import time


def main() -> None:
    """Run the command of the arguments."""
    start = time.perf_counter()
    code, peak = run(sys.argv[1:])
    taken = time.perf_counter() - start
    if code:
        sys.exit(code)
    print(f'{{"seconds": {taken}, "peak": {peak}}}')


def run(command: list[str]) -> tuple[int, float]:
    """The exit code of a command, and its bytes where they can be told."""
    if not hasattr(os, "fork"):
        import subprocess

        return subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode, 0.0
    process = os.fork()
    if process == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(command[0], command)
    _, status, usage = os.wait4(process, 0)
    # Bytes on macOS, units of 1,024 elsewhere.
    unit = 1 if sys.platform == "darwin" else 1024
    return os.waitstatus_to_exitcode(status), float(usage.ru_maxrss * unit)


if __name__ == "__main__":
    main()
