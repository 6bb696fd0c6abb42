"""A workspace with something of everything that the console shows, made through the API."""

from collections.abc import Mapping
from typing import Any

from tests.console import drawing, working
from tests.console.calling import Seeder
from tests.console.working import HOSTILE
from tests.integration.cli.dev_process import Dev

MANY = 60
"""More than a column of the board shows at first."""
CRITERIA = "- the login works on Safari\n- **no** request takes longer than `2 s`\n\n```\nmake test\n```"


def seed(dev: Dev) -> Mapping[str, Any]:
    """What the checks look for, by name."""
    seeder = Seeder(dev)
    issues = _issues(seeder)
    goal = _goal(seeder)
    drawn = drawing.drawn(seeder)
    drawing.done(seeder)
    facts = {
        "baseUrl": dev.base_url,
        "keys": {
            **dev.description["keys"],
            "revoked": _revoked_key(seeder),
            "owners": _owner_keys(seeder),
            **drawing.other_keys(seeder),
        },
        "issues": issues,
        "many": _many(seeder),
        "work": working.made(seeder, issues),
        "requests": _requests(seeder, issues) | {"plan": goal["request"]},
        "gate": _gate(seeder),
        "run": _waiting_run(seeder),
        "goal": goal,
        "stuck": _stuck_goal(seeder),
        "pull": _pull_request(seeder),
        "small": working.asked(seeder),
        "pipeline": _pipeline(seeder),
        "hostile": HOSTILE,
        "drawn": drawn,
    }
    drawing.count(seeder)
    return facts


def _revoked_key(seeder: Seeder) -> str:
    made = seeder.call("owner", "keys.create", "admin", name="gone", scopes=["READ_ISSUES"])
    seeder.call("owner", "keys.revoke", "admin", id=made["id"])
    return str(made["rawKey"])


def _owner_keys(seeder: Seeder) -> list[str]:
    """Several: each may make only so many calls a minute, and nobody looks as fast as the checks do."""
    scopes = [
        "READ_ISSUES",
        "WRITE_ISSUES",
        "WRITE_COMMENTS",
        "READ_USERS",
        "READ_PROJECTS",
        "WRITE_PROJECTS",
        "READ_ANALYTICS",
    ]
    made = [
        seeder.call("owner", "keys.create", "admin", name=f"laptop {number}", scopes=scopes)
        for number in range(40)
    ]
    return [str(one["rawKey"]) for one in made]


def _issues(seeder: Seeder) -> dict[str, str]:
    login = seeder.call(
        *("owner", "issues.create"),
        title="Fix login timeout",
        priority="URGENT",
        description=f"Half of our users have it.\n\n{CRITERIA}\n\nSee https://example.com/report.",
    )
    hostile = seeder.call("worker", "issues.create", title=HOSTILE, priority="HIGH", description=HOSTILE)
    cache = seeder.call("owner", "issues.create", title="Drop the cache of sessions", priority="LOW")
    seeder.call("owner", "relations.add", fromIssueId=cache["id"], toIssueId=login["id"], kind="BLOCKS")
    seeder.call("owner", "issues.queue", id=hostile["id"])
    seeder.call("worker", "agents.heartbeat", status="BUSY")
    seeder.call("owner", "issues.assign", issueId=login["id"], agentId="worker")
    status = seeder.call(
        *("worker", "comments.upsertStatus"),
        issueId=login["id"],
        body="Reproduced on Safari.\nWriting a test.",
        currentStep="Writing a test",
    )
    seeder.call("worker", "runs.recordUsage", runId=status["runId"], tokensIn=48210, costUsd=0.27)
    seeder.call("worker", "comments.create", issueId=hostile["id"], body=HOSTILE)
    seeder.call(
        *("worker", "artifacts.create"),
        title="What the timeout is made of",
        body="# Findings",
        artifactType="REPORT",
        issueId=login["id"],
    )
    return {"login": login["identifier"], "hostile": hostile["identifier"], "cache": cache["identifier"]}


def _many(seeder: Seeder) -> int:
    """As many as one column has at first, and more; and one that is closed."""
    statuses = {one["category"]: one["id"] for one in seeder.call("owner", "statuses.list")["data"]}
    for number in range(MANY):
        seeder.call("member", "issues.create", title=f"Chore {number}", statusId=statuses["TODO"])
    closed = seeder.call("member", "issues.create", title="Remove the obsolete banner")
    seeder.call("member", "issues.transition", id=closed["id"], statusId=statuses["DONE"])
    return MANY


def _requests(seeder: Seeder, issues: Mapping[str, str]) -> dict[str, str]:
    statuses = seeder.call("owner", "statuses.list")["data"]
    review = next(one["id"] for one in statuses if one["category"] == "IN_REVIEW")

    def ask(title: str, **more: Any) -> str:
        return str(seeder.call("worker", "actionRequests.create", title=title, **more)["id"])

    return {
        "move": ask(
            "May DEMO-1 go to review?",
            kind="TRANSITION",
            payload={"statusId": review},
            issueId=issues["login"],
            severity="CRITICAL",
            body=f"The tests pass.\n\n{CRITERIA}",
            dueAt="2099-01-01T00:00:00Z",
        ),
        "question": ask("Which browsers do we support?", issueId=issues["login"], severity="WARNING"),
        "archive": ask("Archive the old cache issue?", kind="ARCHIVE", issueId=issues["cache"]),
        "once": ask("May I rotate the log files?", body="They fill the disk."),
        "hostile": ask(HOSTILE, body=HOSTILE, issueId=issues["hostile"], severity="ERROR"),
        "poll": ask(
            "How shall the flaky test be mended?",
            options=[
                {"key": "retry", "label": "Retry it", "description": "Cheap, and hides the race."},
                {"key": "isolate", "label": "Give it a worker of its own"},
            ],
        ),
        "others": ask("Is the copy right?", assignedUserId="member"),
    }


def _gate(seeder: Seeder) -> str:
    opened = seeder.call(
        *("owner", "reviewGates.open"),
        targetType="release",
        targetId="2026-12",
        prompt="Is the release ready?\n\nThe notes are written.",
    )
    return str(opened["id"])


def _waiting_run(seeder: Seeder) -> str:
    """Of an agent that waits for an answer."""
    issue = seeder.call("owner", "issues.create", title="Choose a schema")
    status = seeder.call("worker", "comments.upsertStatus", issueId=issue["id"], body="Looking.")
    waits = {"runId": status["runId"], "reason": "Which schema shall it be?", "blocking": True}
    seeder.call("worker", "runs.setWaiting", **waits)
    return str(status["runId"])


def _goal(seeder: Seeder) -> dict[str, str]:
    crew = seeder.call(
        *("owner", "agentCrews.create"),
        name="Importers",
        members=[
            {"agentId": "planner", "role": "PLANNER"},
            {"agentId": "worker", "role": "WORKER"},
            {"agentId": "reviewer", "role": "REVIEWER"},
        ],
    )
    goal = seeder.call(
        *("owner", "goals.create"), title="Ship the importer", crewId=crew["id"], maxTotalCostUsd=5
    )
    plan = seeder.call("owner", "plans.decompose", goalId=goal["id"])
    steps = [
        {"title": "Design the format", "body": "On one page.", "expectedOutput": "A page."},
        {"title": "Write the parser", "dependsOnStepIndexes": [0]},
        {"title": "Try it on a real file", "dependsOnStepIndexes": [1]},
    ]
    seeder.call("planner", "plans.addSteps", planId=plan["planId"], steps=steps)
    asked = seeder.call("planner", "plans.requestApproval", planId=plan["planId"])
    return {"id": goal["id"], "plan": plan["planId"], "request": asked["actionRequestId"]}


def _stuck_goal(seeder: Seeder) -> dict[str, str]:
    """One whose first step failed as often as its plan allows."""
    issue = seeder.call("owner", "issues.create", title="Export what was imported")
    goal = seeder.call(
        *("owner", "goals.create"), title="Ship the exporter", crewId="Importers", issueId=issue["id"]
    )
    plan = seeder.call("owner", "plans.decompose", goalId=goal["id"])
    seeder.call("planner", "plans.addSteps", planId=plan["planId"], steps=[{"title": "Name the columns"}])
    seeder.call("owner", "plans.activate", planId=plan["planId"])
    shown = seeder.call("owner", "executionPlans.get", id=plan["planId"])
    step_id = shown["steps"][0]["id"]
    outcome = ""
    while outcome != "BLOCKED":
        seeder.call("worker", "executionPlans.transitionStep", stepId=step_id, status="RUNNING")
        judged = seeder.call(
            *("reviewer", "plans.recordVerdict"),
            stepId=step_id,
            verdict="FAIL",
            feedback="They have **no units**.",
        )
        outcome = judged["outcome"]
    shown = seeder.call("owner", "executionPlans.get", id=plan["planId"])
    return {"goal": goal["id"], "gate": shown["steps"][0]["gateId"]}


def _pull_request(seeder: Seeder) -> str:
    seeder.call("worker", "create_issue", title="Login hangs on Safari", priority="high", type="bug")
    taken = seeder.call("worker", "select_next_issue")
    advanced = seeder.call(
        *("worker", "advance_workflow"),
        issueNumber=taken["issue"]["number"],
        targetPhase="pr",
        skipJustification="A rehearsal.",
        testsPassed=True,
    )
    return str(advanced["workflow"]["prUrl"])


def _pipeline(seeder: Seeder) -> str:
    """One whose design waits for a person, and is written by somebody who means ill."""
    given = {"workspace": ".specs/20260401-login", "task_text": "Add a login page"}
    begun = seeder.call("worker", "pipeline_init_with_context", **given, user_confirmation={"effort": "S"})
    design, review = f"## Plan\n\n{HOSTILE}", "## Verdict: APPROVE"
    for name, content in (("analysis.md", "A"), ("design.md", design), ("review-design.md", review)):
        file = {"name": name, "content": content}
        seeder.call("worker", "pipeline_next_action", workspace=begun["workspace"])
        done: dict[str, Any] = {"previous_action_complete": True, "artifacts": [file]}
        seeder.call("worker", "pipeline_next_action", workspace=begun["workspace"], **done)
    return str(begun["workspace"]).removeprefix(".specs/")
