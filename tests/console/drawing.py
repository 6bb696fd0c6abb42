"""What pictures are of: a plan whose steps wait for one another, and days on which something was done."""

from typing import Any

from forge.contract.terms import Scope
from tests.console.calling import Seeder

_LATER_SECONDS = 600
"""After which the sweep has counted what happened."""


def drawn(seeder: Seeder) -> dict[str, str]:
    """A plan in the form of a diamond, in which one step costs something."""
    issue = seeder.call("owner", "issues.create", title="Read invoices")
    goal = seeder.call(
        *("owner", "goals.create"),
        title="Read every invoice",
        issueId=issue["id"],
        maxTotalCostUsd=2,
    )
    plan = seeder.call("owner", "plans.decompose", goalId=goal["id"])
    steps: list[dict[str, Any]] = [
        {"title": "Collect a hundred invoices of every kind there is", "assignedAgentId": "worker"},
        {"title": "Write the reader", "dependsOnStepIndexes": [0]},
        {"title": "Write down what right would be", "dependsOnStepIndexes": [0]},
        {"title": "Compare both", "dependsOnStepIndexes": [1, 2]},
    ]
    seeder.call("owner", "plans.addSteps", planId=plan["planId"], steps=steps)
    seeder.call("owner", "plans.activate", planId=plan["planId"])
    (run,) = seeder.call("owner", "runs.list", issueId=issue["id"])["data"]
    used = {"runId": run["id"], "tokensIn": 9000, "costUsd": 0.4, "model": "large-1"}
    seeder.call("worker", "runs.recordUsage", **used)
    first = seeder.call("owner", "executionPlans.get", id=plan["planId"])["steps"][0]["id"]
    return {"goal": goal["id"], "plan": plan["planId"], "first": first}


def done(seeder: Seeder) -> None:
    """An issue that an agent carried out, and a review that passed."""
    statuses = {one["category"]: one["id"] for one in seeder.call("owner", "statuses.list")["data"]}
    for agent, mode, more in (("reviewer", "EXECUTE", {}), ("planner", "REVIEW", {"verdict": "APPROVE"})):
        issue = seeder.call("owner", "issues.create", title=f"Something for @{agent}")
        seeder.call("owner", "issues.assign", issueId=issue["id"], agentId=agent, mode=mode)
        (run,) = seeder.call("owner", "runs.list", issueId=issue["id"])["data"]
        usage = {"tokensIn": 1000, "costUsd": 0.05}
        seeder.call(agent, "runs.complete", runId=run["id"], summary="Done.", usage=usage, **more)
        seeder.call("owner", "issues.transition", id=issue["id"], statusId=statuses["DONE"])


def other_keys(seeder: Seeder) -> dict[str, Any]:
    """Of somebody who sees issues and nothing else; and several of operators: each may call so often."""

    def made(name: str, *scopes: str) -> str:
        order = {"name": name, "scopes": scopes}
        return str(seeder.call("owner", "keys.create", "admin", **order)["rawKey"])

    every = sorted(scope.value for scope in Scope)
    operators = [made(f"operator {number}", *every) for number in range(4)]
    return {"readonlyOfIssues": made("few", "READ_ISSUES"), "operators": operators}


def count(seeder: Seeder) -> None:
    """Let it be later, so that figures are there."""
    answer = seeder.dev.post("/api/dev/clock", {"advanceSeconds": _LATER_SECONDS})
    assert answer.status_code == 200, answer.text
