"""Runs that get on only if a person does something, from a terminal: what each waits for, and what to do."""

from collections.abc import Mapping, Sequence
from typing import Any

from forge.cli.calls import BadArguments, Connection, call_tool, moment, say, show_text

Row = Mapping[str, Any]

SEVERITY = "WARNING"
"""Of a run: somebody's work stands still."""

_MOST_PAGES = 10
_GO_ON = "Please go on."


def is_run(request_id: str) -> bool:
    return request_id.startswith("run_")


def pending(at: Connection) -> list[Row]:
    """As rows like those of requests, so that they are listed among them."""
    order: dict[str, Any] = {"needsPerson": True, "limit": 100}
    found: list[Row] = []
    for _ in range(_MOST_PAGES):
        page = call_tool(at, "runs.list", order)
        found += map(_as_request, page["data"])
        if "nextCursor" not in page:
            break
        order["cursor"] = page["nextCursor"]
    return found


def find(at: Connection, run_id: str) -> Row:
    rows: Sequence[Row] = call_tool(at, "runs.list", {"id": run_id})["data"]
    if not rows:
        raise BadArguments(f"There is no run {run_id}. forge needs-you lists those that wait for you.")
    return rows[0]


def show(run: Row) -> None:
    issue = run["issue"]
    say(f"Run of {_agent(run)} on {issue['identifier']}: {issue['title']}")
    say(f"{run['status']} since {moment(_since(run))}, begun {moment(run['startedAt'])}.")
    show_text(run["currentStep"] if run["status"] == "WAITING" else run.get("summary"))
    if run["status"] not in ("WAITING", "STALLED"):
        say("It waits for nobody any more.")
        return
    say(f'forge answer {run["id"]} "your words" (a comment that wakes the agent)')
    say(f"forge kick {run['id']}")
    if not run.get("executionStepId"):
        say(f"forge reassign {run['id']} AGENT")


def answer(at: Connection, run_id: str, words: str) -> None:
    """The comment calls the agent, and ends its waiting."""
    run = find(at, run_id)
    if not words.strip():
        raise BadArguments("Say what the agent shall know: forge answer RUN your words.")
    body = f"{_agent(run)} {words}"
    call_tool(at, "comments.create", {"issueId": run["issue"]["id"], "body": body})
    say(f"Answered {_agent(run)} on {run['issue']['identifier']}.")


def kick(at: Connection, run_id: str) -> None:
    """One that is active is nudged; one that waits or stalled is called by a comment."""
    if find(at, run_id)["status"] != "ACTIVE":
        answer(at, run_id, _GO_ON)
        return
    kicked = call_tool(at, "runs.kick", {"runId": run_id})["kicked"]
    say(f"Kicked {run_id}." if kicked else f"{run_id} was heard of in the last five minutes.")


def reassign(at: Connection, run_id: str, agent: str, reason: str) -> None:
    run = find(at, run_id)
    why = f"The run of {_agent(run)} is {run['status']}. {reason}".strip()
    order = {"issueId": run["issue"]["id"], "toProfileKey": agent.removeprefix("@"), "rationale": why}
    call_tool(at, "issues.reassign", order)
    say(f"{run['issue']['identifier']} is with @{order['toProfileKey']} now.")


def _as_request(run: Row) -> Row:
    what = run["currentStep"] if run["status"] == "WAITING" else f"Stalled: {run['issue']['title']}"
    return {
        **run,
        "title": what or run["issue"]["title"],
        "identifier": run["issue"]["identifier"],
        "severity": SEVERITY,
        "requestedBy": _agent(run),
        "createdAt": _since(run),
        "dueAt": None,
    }


def _agent(run: Row) -> str:
    return f"@{run['agent']['profileKey']}" if run["agent"] else "an agent"


def _since(run: Row) -> str:
    return str(run["finishedAt"] or run["lastEventAt"])
