"""What a WORKFLOW.md has run around the agent, in the folder and with the environment of the run."""

from pathlib import Path

from forge.cli.worker.runs import checks
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import Engagement

_USUAL_MILLISECONDS = 60_000
_MINUTE = 60_000


class HookFailed(Exception):
    """One without which the work can't begin; the message says how it ended."""


def are_followed(crew: Crew) -> bool:
    """Whoever writes to the repository chooses what they do: in a sandbox, or where the owner trusts them."""
    return crew.has_sandbox or crew.settings.child.trusted


def must_run(crew: Crew, run: Engagement, folder: Path, name: str) -> None:
    """`after_create` or `before_run`."""
    if problem := run_hook(crew, run, folder, name):
        raise HookFailed(problem)


def run_hook(crew: Crew, run: Engagement, folder: Path, name: str) -> str:
    """What went wrong, if anything did; those that come after the work harm nothing by that."""
    workflow = crew.workflow()
    command = workflow.text("hooks", name)
    if not command or not are_followed(crew):
        return ""
    minutes = (workflow.number("hooks", "timeout_ms") or _USUAL_MILLISECONDS) / _MINUTE
    done = checks.run_check(command, crew.around_of(run, folder, minutes))
    return "" if done.is_passed else f"The hook {name} ended with {done.code}: {done.tail.strip()}"
