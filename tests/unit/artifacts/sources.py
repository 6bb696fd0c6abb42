"""Texts that artifacts can be made of."""

from typing import Any

from forge.context import KeyKind
from tests.workshop.issues import an_issue, head
from tests.workshop.office import Body, Office

SOURCES = ("comment", "agent-run", "issue")


def a_comment(office: Office, issue_id: str, body: str = "# We use *one* table\nBecause.") -> str:
    return str(office.call("comments.create", {"issueId": issue_id, "body": body})["id"])


def a_finished_run(office: Office, issue_id: str, summary: str = "Found it.\nThe cache.") -> str:
    agent_id = office.an_agent(office.world.ids("agent").replace("_", ""))["id"]
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": "EXECUTE"})
    run_id = str(head(office, issue_id).current_run_id)
    key = office.world.a_key(kind=KeyKind.AGENT, linked_agent_id=agent_id, workspace=office.workspace)
    office.call("runs.complete", {"runId": run_id, "summary": summary}, key=key)
    return run_id


def a_source(office: Office, kind: str, **issue: Any) -> tuple[str, Body]:
    """An issue with a text of this kind, and how it is promoted."""
    issue_id = an_issue(office, description="It hangs.", **issue)
    source_id = {
        "comment": lambda: a_comment(office, issue_id),
        "agent-run": lambda: a_finished_run(office, issue_id),
        "issue": lambda: issue_id,
    }[kind]()
    return issue_id, {"sourceType": kind, "sourceId": source_id}


def promoted(office: Office, order: Body, *, key: str | None = None, **more: object) -> Body:
    return office.call("artifacts.promote", order | more, key=key or office.owner_key)
