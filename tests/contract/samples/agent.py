"""The bundle of an issue that has whatever an issue can have, and of a thread that names issues."""

from tests.contract.hubs import a_hub
from tests.contract.samples.chat import a_thread
from tests.contract.samples.plans import a_draft, a_goal
from tests.contract.stage import Arguments, Stage, sample


def _a_whole_issue(stage: Stage) -> Arguments:
    order = {"title": "Fix login timeout", "description": "It hangs.", "labelIds": [stage.a_label()]}
    issue_id = str(stage.call("issues.create", order | {"projectId": stage.a_project()})["id"])
    other_id = str(stage.call("issues.create", {"title": "Another one"})["id"])
    stage.call("issues.assign", {"issueId": issue_id, "agentId": stage.an_agent(), "mode": "EXECUTE"})
    stage.call("relations.add", {"fromIssueId": issue_id, "toIssueId": other_id, "kind": "BLOCKS"})
    for body in ("It hangs here, too.", "Since yesterday."):
        stage.call("comments.create", {"issueId": issue_id, "body": body})
    stage.call("artifacts.create", {"title": "Report", "body": "Text.", "issueId": issue_id})
    hub = a_hub(stage)
    url = hub.url(hub.repository.add_issue("Login hangs"))
    stage.call("github.link", {"issueId": issue_id, "url": url, "kind": "SOURCE"})
    contract = {"expectedOutput": "A test.", "verificationChecklist": [{"label": "Tests pass"}]}
    stage.call("issues.update", {"id": issue_id, **contract, "artifactRequired": True})
    return {"issueId": issue_id}


def _a_thread_about_issues(stage: Stage) -> Arguments:
    issues = [stage.call("issues.create", {"title": title}) for title in ("One", "Another")]
    snapshot = {"issue": issues[0]["id"], "board": [issues[1]["identifier"]]}
    return {"threadId": a_thread(stage, contextSnapshot=snapshot)}


def _a_step(stage: Stage) -> Arguments:
    """A run of the agent that acts, for a step of a plan."""
    goal_id, _ = a_goal(stage)
    step = {
        "title": "Design",
        "body": "Look.",
        "expectedOutput": "A page.",
        "verification": [{"label": "It is"}],
    }
    plan_id, _ = a_draft(stage, step | {"assignedAgentId": stage.acting_agent}, goal_id=goal_id)
    stage.call("plans.activate", {"planId": plan_id})
    run = stage.call("runs.list", {"agentId": stage.acting_agent})["data"][0]
    return {"issueId": run["issue"]["id"], "runId": run["id"]}


def _all_that_can_wait(stage: Stage) -> Arguments:
    """An assignment, a mention, a message, and a plan to be made."""
    agent_id = stage.acting_agent
    for title in ("Fix login timeout", "Write it down"):
        issue_id = stage.call("issues.create", {"title": title})["id"]
        stage.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": "EXECUTE"})
    a_thread(stage)
    stage.call("plans.decompose", {"goalId": a_goal(stage)[0], "plannerAgentId": agent_id})
    return {"limit": 3}


def _an_answer(stage: Stage) -> Arguments:
    asked = {"title": "Which schema?"}
    request_id = stage.call("actionRequests.create", asked, key=stage.agent_key(stage.acting_agent))["id"]
    stage.call("actionRequests.accept", {"id": request_id, "resolution": "The new one."})
    return {"requestId": request_id}


SAMPLES = (
    sample("agent.inbox", _all_that_can_wait),
    sample("agent.inbox.ack", _an_answer),
    sample("agent.context.bundle", _a_whole_issue),
    sample("agent.context.bundle", _a_whole_issue, variant="for an agent", as_agent=True),
    sample("agent.context.bundle", _a_step, variant="for a step", as_agent=True),
    sample("agent.context.bundle", _a_thread_about_issues, variant="of a thread"),
    sample(
        "agent.context.bundle", _a_thread_about_issues, variant="of a thread, for its agent", as_agent=True
    ),
)
