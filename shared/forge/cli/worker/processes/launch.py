"""Becomes another program that ends when its parent does: `python -I -S launch.py PARENT PROGRAM WORDS…`.

A program of its own, because a process of many threads can't safely run anything between fork and exec.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != int(parent):
            # It ended before this was asked for.
            os._exit(1)
    # Whoever starts a worker in the background has it ignored, and a child would not hear that it shall end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606 - what the owner of this machine configured
    except OSError as problem:
        sys.stderr.write(f"{command[0]} could not be started: {problem.strerror}\n")
        os._exit(127)


if __name__ == "__main__":
    main()
