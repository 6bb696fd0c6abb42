"""What became of a run, in words for whoever runs the worker."""

from forge.cli.worker.runs.carrying_out import Left
from forge.cli.worker.runs.engagements import Ending, Engagement


def became_of(run: Engagement, left: Left | None) -> str:
    """What can be said of its issue."""
    match run.ending or left:
        case Ending.COMPLETED:
            return f"is done{_where(run)}"
        case Ending.GIVEN_BACK:
            return f"was given back{_where(run)}"
        case Ending.LOST:
            return f"is over here, as another has it or nobody needs it{_where(run)}"
        case Left.PARKED:
            return "waits for an answer"
        case Left.KEPT:
            return "goes on after the next start"
    return "was interrupted, and is tried again"


def _where(run: Engagement) -> str:
    """What was done can be found."""
    found = run.journal.fact("pull_request") or run.journal.fact("branch")
    return f" ({found})" if found else ""
