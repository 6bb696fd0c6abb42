"""Progress of what takes longer than a moment: a bar on a terminal, nothing anywhere else."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from forge.cli.calls import err


class Advance(Protocol):
    def __call__(self, by: float = 1, *, total: float | None = None, note: str = "") -> None:
        """So much more is done; `total` where it is known only now, `note` for what is being done."""


@contextmanager
def progress(what: str, *, total: float | None = None, console: Console = err) -> Iterator[Advance]:
    """On standard error, so that what a command answers can be piped; gone when it ends.

    Without a total it turns and shows the time. Safe to use where nobody looks: then it does nothing at all.
    """
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    counting = (*columns[:3], MofNCompleteColumn(), columns[3]) if total is not None else columns
    is_seen = console.is_terminal and not console.is_dumb_terminal
    # What is answered meanwhile is shown above the bar; into a file it goes past it.
    above = sys.stdout.isatty()
    with Progress(
        *counting, console=console, transient=True, redirect_stdout=above, disable=not is_seen
    ) as shown:
        task = shown.add_task(what, total=total)

        def advance(by: float = 1, *, total: float | None = None, note: str = "") -> None:
            described = f"{what}: {note}" if note else what
            shown.update(task, advance=by, total=total, description=described)

        yield advance
