"""The row by which an agent finds what it has claimed."""

from datetime import datetime

from forge.store.items import DerivedItem
from forge.store.keys import At
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.issues import IssueItem


class ClaimItem(DerivedItem):
    """Finds what an agent has claimed."""

    stored = At(OF_AGENT, "CLAIM#{issue_id}")

    workspace_id: str
    agent_id: str
    issue_id: str
    claimed_at: datetime | None = None
    session: str | None = None
    runtime_id: str | None = None


def claim_row(issue: IssueItem, agent_id: str) -> ClaimItem:
    return ClaimItem(
        workspace_id=issue.workspace_id,
        agent_id=agent_id,
        issue_id=issue.id,
        claimed_at=issue.claimed_at,
        session=issue.claim_session,
        runtime_id=issue.claim_runtime_id,
    )
