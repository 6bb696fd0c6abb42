"""Progress: seen on a terminal, and nowhere else."""

import os
import pty
import subprocess
import sys
from io import StringIO

import pytest
from rich.console import Console

from forge.cli.progress import progress


def shown(*, is_terminal: bool, total: float | None) -> str:
    out = StringIO()
    console = Console(file=out, force_terminal=is_terminal, width=100, _environ={"TERM": "xterm"})
    with progress("Reading", total=total, console=console) as advance:
        advance(note="the first")
        advance(total=2)
    return out.getvalue()


def test_a_terminal_shows_what_is_being_done() -> None:
    assert "Reading" in shown(is_terminal=True, total=2)


@pytest.mark.parametrize("total", [None, 3])
def test_a_pipe_is_told_nothing(total: float | None) -> None:
    assert shown(is_terminal=False, total=total) == ""


def test_an_answer_that_is_piped_goes_past_the_terminal() -> None:
    code = "from forge.cli.progress import progress\nwith progress('Reading'): print('the answer')"
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm"},
            check=True,
        )
        seen = os.read(ours, 10_000)
    finally:
        os.close(ours)
        os.close(theirs)

    assert done.stdout == b"the answer\n"
    assert b"Reading" in seen
    assert b"the answer" not in seen
