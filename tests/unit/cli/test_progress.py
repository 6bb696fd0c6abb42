"""Progress: seen on a terminal, and nowhere else."""

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
