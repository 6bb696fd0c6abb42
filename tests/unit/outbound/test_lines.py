"""A connection carries as much as was asked for, and where little was, not much more."""

from contextlib import suppress
from socket import socket, socketpair
from threading import Thread
from time import monotonic

from forge.outbound.lines import Line

MEGABYTE = 1024 * 1024


def read_from_one_that_never_ends(wanted: int) -> int:
    """How much came until the line was closed."""
    near, far = socketpair()
    sender = Thread(target=_send_forever, args=(far,), daemon=True)
    sender.start()
    reader = Line(near, over_at=monotonic() + 60, clock=monotonic, wanted=wanted).makefile("rb")
    read = 0
    # That is how it ends; a reader that went on would never leave the loop.
    with suppress(OSError):
        while True:
            read += len(reader.read1(MEGABYTE))
    near.close()
    sender.join()
    far.close()
    return read


def _send_forever(far: socket) -> None:
    with suppress(OSError):
        while True:
            far.sendall(b"x" * MEGABYTE)


def test_a_webhook_s_answer_is_left_after_a_megabyte_whatever_is_wanted_of_it() -> None:
    assert read_from_one_that_never_ends(64 * 1024) == MEGABYTE


def test_who_wants_more_gets_more_and_a_little_for_the_headers() -> None:
    assert read_from_one_that_never_ends(3 * MEGABYTE) == 3 * MEGABYTE + MEGABYTE // 4
