"""What following an issue means."""

from forge.work.issues.issues import IssueItem
from forge.work.issues.watchers import WatchItem


def wakes(watch: WatchItem, issue: IssueItem) -> bool:
    """What happens to an issue wakes the agent that has it, and no other."""
    return watch.agent_id is not None and watch.agent_id == issue.assigned_agent_id
