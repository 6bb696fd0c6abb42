"""Auto-dispatch: where an issue that was queued meets the agents that could take it."""

from forge.work.issues.changes import IssueChange


def offer(change: IssueChange) -> None:
    """Part of the transaction that queues an issue. It chooses nobody yet: queued issues are claimed."""
