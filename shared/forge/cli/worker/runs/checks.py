"""What the worker runs by itself once the agent says that it is done: evidence that nobody had to claim."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import NamedTuple

from forge.cli.worker.agents.protocol import Wrap, unwrapped
from forge.cli.worker.processes.children import Start
from forge.cli.worker.processes.commands import ran
from forge.cli.worker.server.client import Stopping

_NOT_ENDED = 124


class Checked(NamedTuple):
    command: str
    code: int
    seconds: float
    tail: str

    @property
    def is_passed(self) -> bool:
        return self.code == 0


class Surroundings(NamedTuple):
    folder: Path
    environment: Mapping[str, str]
    minutes: float
    stopping: Event
    wrap: Wrap = unwrapped


def run_checks(commands: Sequence[str], around: Surroundings) -> list[Checked]:
    """One after the other, until one fails."""
    done: list[Checked] = []
    for command in commands:
        done.append(run_check(command, around))
        if not done[-1].is_passed:
            break
    return done


def run_check(command: str, around: Surroundings) -> Checked:
    began = time.monotonic()
    start = Start(around.wrap(["sh", "-c", command], ()), around.folder, around.environment)
    done = ran(start, seconds=around.minutes * 60, stopping=around.stopping)
    if done.is_stopped:
        raise Stopping
    said = f"{done.said}\nIt had not ended after {around.minutes:g} minutes." if done.is_late else done.said
    code = _NOT_ENDED if done.is_late else done.code
    return Checked(command, code, time.monotonic() - began, said)


def as_markdown(done: Sequence[Checked], *, commit: str, branch: str) -> str:
    """For people: what was run on what, and how it ended."""
    lines = [f"Run by the worker on `{commit[:12]}` of `{branch}`.", ""]
    for one in done:
        lines += [f"## `{one.command}`: {'passed' if one.is_passed else 'failed'}", ""]
        lines += [
            f"Exit code {one.code} after {one.seconds:.1f} s.",
            "",
            "```text",
            one.tail.strip(),
            "```",
            "",
        ]
    return "\n".join(lines)


def as_words(done: Sequence[Checked]) -> str:
    """For the agent, that it may mend what failed."""
    failed = [one for one in done if not one.is_passed]
    told = [f"`{one.command}` ended with {one.code}:\n\n{one.tail.strip()}" for one in failed]
    return "The checks of this repository fail. Mend that; they are run again then.\n\n" + "\n\n".join(told)
