"""Issues with much to say about them, and agents that ask for it."""

from forge.context import KeyKind
from forge.contract.terms import EngagementMode
from forge.testing.builders import a_comment as a_comment_item
from forge.testing.builders import a_run
from forge.work.content.artifacts.artifacts import (
    MAX_OF_ISSUE,
    ArtifactLinkItem,
    ArtifactStatus,
    ArtifactType,
)
from forge.work.content.comments.comments import CommentItem
from forge.work.issues.issues import LiveRun
from forge.work.issues.relations.relations import MAX_RELATIONS, RelationItem, RelationKind
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.record.texts import KeptText
from tests.workshop.issues import an_issue, head, table
from tests.workshop.office import Body, Office


def bundle(office: Office, issue_id: str, *, key: str | None = None) -> Body:
    return office.call("agent.context.bundle", {"issueId": issue_id}, key=key or office.owner_key)


def an_agent(office: Office) -> tuple[str, str]:
    """Its id, and a key of its own."""
    agent_id = str(office.an_agent(office.world.ids("agent").replace("_", ""))["id"])
    key = office.world.a_key(kind=KeyKind.AGENT, linked_agent_id=agent_id, workspace=office.workspace)
    return agent_id, key


def assign(office: Office, issue_id: str, agent_id: str, mode: str) -> str:
    """The id of the run that began."""
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": mode})
    (run,) = head(office, issue_id).live_runs_of(agent_id)
    return run.run_id


def stall(office: Office, run_id: str) -> None:
    """As the sweep leaves a run that was not heard of."""
    run = table(office).find(RunItem, RunItem.at(office.workspace.id, run_id))
    assert run is not None
    issue = head(office, run.issue_id)
    tx = office.begin()
    tx.replace(run.changed(status=RunStatus.STALLED))
    tx.replace(issue.changed(live_runs=[one for one in issue.live_runs if one.run_id != run_id]))
    office.commit(tx)


def work_on_a_step(office: Office, issue_id: str, agent_id: str, mode: EngagementMode) -> str:
    """The id of a live run of the agent for a step of a plan, as the issue knows it."""
    issue, run_id = head(office, issue_id), office.world.ids("run")
    now = office.world.clock()
    step = LiveRun(run_id=run_id, agent_id=agent_id, mode=mode, step_id="step_1", started_at=now)
    tx = office.begin()
    tx.create(
        a_run(
            workspace_id=office.workspace.id,
            id=run_id,
            issue_id=issue_id,
            agent_id=agent_id,
            engagement_mode=mode,
            execution_step_id=step.step_id,
            started_at=now,
            last_event_at=now,
        )
    )
    tx.replace(issue.changed(live_runs=[step, *issue.live_runs]))
    office.commit(tx)
    return run_id


def a_comment(office: Office, issue_id: str, body: KeptText) -> CommentItem:
    """Of this moment, not stored yet."""
    return a_comment_item(**office.here_and_now, issue_id=issue_id, id=office.world.ids("cmt"), body=body)


def comments(office: Office, issue_id: str, *texts: str) -> list[str]:
    """One after another, as stored: each is a second later than the one before."""
    made = []
    for text in texts:
        office.world.clock.advance(seconds=1)
        made.append(a_comment(office, issue_id, KeptText(text=text)))
    office.put(*made)
    return [comment.id for comment in made]


def an_artifact(office: Office, issue_id: str, **more: object) -> Body:
    office.world.clock.advance(seconds=1)
    order = {"title": "Report", "body": "Text", "issueId": issue_id, **more}
    return office.call("artifacts.create", order)


def a_crowded_issue(office: Office) -> str:
    """With as many relations and artifacts as it may have, as far as the issue itself knows of them."""
    issue_id, workspace_id, now = an_issue(office), office.workspace.id, office.world.clock()
    related = [
        RelationItem(
            workspace_id=workspace_id,
            id=f"rel_{place}",
            issue_id=issue_id,
            other_id=f"iss_none{place:03}",
            kind=RelationKind.RELATES_TO,
            created_at=now,
        )
        for place in range(MAX_RELATIONS)
    ]
    linked = [
        ArtifactLinkItem(
            workspace_id=workspace_id,
            issue_id=issue_id,
            id=f"art_{place}",
            slug=f"art-{place}",
            title="Report",
            type=ArtifactType.REPORT,
            status=ArtifactStatus.DRAFT,
            updated_at=now,
        )
        for place in range(MAX_OF_ISSUE)
    ]
    office.put(*related, *linked)
    return issue_id
