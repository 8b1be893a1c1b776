"""Ctrl-C: the program ends within half a second, with one line and exit code 130.

Python raises a KeyboardInterrupt between two of its own instructions, which is too
late where a library works for seconds on end, and in the wrong place where it is raised
inside of an import or a destructor.  So there are three ways to end:

- In order: the KeyboardInterrupt comes through, files are closed, and the answer so far
  is printed.  There are some seconds for that.
- At once, by a thread that watches: where Python has not handled the signal within
  ``PATIENCE``, or the end in order takes longer than ``GRACE``.
- At once, at a second Ctrl-C.

Whatever is written must survive a kill anyhow, so an end at once does no harm.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import threading
    from types import FrameType

__all__ = ["INTERRUPTED", "Stops"]

#: Exit code after Ctrl-C.
INTERRUPTED = 130
#: Seconds that Python has to handle the signal, and then to end in order.
PATIENCE = 0.3
GRACE = 3.0
LINE = b"equity: interrupted\n"


class Stops:
    """Ends the program at Ctrl-C, for the time of a ``with`` block in the main thread.

    A program that ignores Ctrl-C, as a shell has it for what runs in the background, goes
    on to do so.
    """

    def __init__(self) -> None:
        #: Whether there was a Ctrl-C.
        self.is_pressed = False
        self._before: Any = None
        #: Where the watcher reads the signals, and where they are written.
        self._pipe: tuple[int, int] | None = None
        #: Set when Python handles a signal; an end in order is possible from then on.
        self._noticed: threading.Event | None = None

    def __enter__(self) -> Stops:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            try:
                self._before = signal.signal(signal.SIGINT, self._press)
            except ValueError:
                return self  # another thread than the main one
            # When Python takes itself apart there is nothing left to stop.
            atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
        return self

    def in_order(self) -> None:
        """From here on the first Ctrl-C ends in order; before it ends at once."""
        import threading

        self._noticed = threading.Event()
        if self._before is None or os.name != "posix":
            return
        # Signals are written to the pipe as they come, whatever Python is at.
        self._pipe = os.pipe()
        os.set_blocking(self._pipe[1], False)
        signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        watcher = threading.Thread(target=self._watch, args=(self._pipe[0], self._noticed))
        watcher.daemon = True
        watcher.start()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.is_pressed:
            with suppress(OSError, ValueError):  # nobody may be left to read it
                sys.stdout.flush()
            # Whoever caught the interrupt has printed the line already.
            self._leave(LINE if kind is KeyboardInterrupt else b"")
        if self._pipe is not None:
            signal.set_wakeup_fd(-1)
            os.close(self._pipe[1])  # which ends the watcher
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _leave(self, line: bytes = b"") -> None:
        """End the program, with a line if none has been written."""
        with suppress(OSError):  # stderr may be closed
            os.write(2, line)
        os._exit(INTERRUPTED)

    def _press(self, _: int, __: FrameType | None) -> None:
        """Handle the signal; Python calls this between two instructions."""
        if self.is_pressed or self._noticed is None:
            self._leave(LINE)
        else:
            self._noticed.set()
            self.is_pressed = True
            raise KeyboardInterrupt

    def _watch(self, pipe: int, noticed: threading.Event) -> None:
        """End the program where the main thread does not; a thread of its own."""
        from time import sleep

        while signals := os.read(pipe, 1):
            if signals[0] == signal.SIGINT:
                if noticed.wait(PATIENCE):
                    sleep(GRACE)
                self._leave(LINE)
        os.close(pipe)
