"""What an agent is told: of the issue, of this folder, and of how its work ends."""

from collections.abc import Mapping, Sequence
from typing import Any

from forge.cli.worker.settings.workflows import rendered

Body = Mapping[str, Any]

_PRIORITIES = {"URGENT": 1, "HIGH": 2, "MEDIUM": 3, "LOW": 4}
_MOST_COMMENTS = 20
_BLOCKING = {("BLOCKED_BY", "outbound"), ("BLOCKS", "inbound")}

USUAL = """\
You work on {{ issue.identifier }}: {{ issue.title }}

{{ issue.description }}
"""

_EXECUTE = """\
You are in a git worktree of your own, on the branch {branch}. Do the work here until it is done. You may
commit; what you leave uncommitted is committed for you. Do not push and do not open a pull request: that is
done for you, after the checks of this repository were run. Your last message becomes the summary of the work:
say what you did and what is left.
"""
_LOOK = """\
You are in a git worktree of your own, in which to look; what you change in it is lost.
"""
_FORGE = """\
The MCP server `forge` is where this issue is kept. Your run is {run_id} ({mode}). {instruction}
Say with comments_upsertStatus what you are at. When a person has to decide, ask with actionRequests_create,
call runs_setWaiting {{"runId": "{run_id}", "blocking": true}}, and end your turn: you are called again with
the answer.
"""
_WORKER_ENDS = "Do not call runs_complete: it is called for you.\n"
_CHILD_ENDS = 'End with runs_complete {{"runId": "{run_id}", …}}: {needs}.\n'
_DUTY_ENDS = "What is asked of you, and nothing else:\n\n{instruction}\n"
_NEEDS = {
    "REVIEW": "it takes a summary and a verdict, APPROVE or REQUEST_CHANGES",
    "RESEARCH": "it takes a summary and a confidence, LOW, MEDIUM or HIGH",
}


def first_prompt(
    bundle: Body, *, template: str, branch: str, attempt: int | None, has_duty: bool = False
) -> str:
    """All that whoever begins must know; `template` is the repository's, or the usual one.

    Who judges or plans (`has_duty`) ends the run by what it owes, and reports nothing.
    """
    parts = [rendered(template or USUAL, {"issue": issue_of(bundle, branch), "attempt": attempt})]
    parts += [_discussion(bundle.get("comments") or ()), _checklist(bundle), _step(bundle)]
    parts += [_EXECUTE.format(branch=branch) if branch else _LOOK]
    parts += [_of_forge(bundle, has_duty=has_duty)]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def resumed_prompt(words: str) -> str:
    return words or "You were interrupted. Go on where you were; look at the state of this folder first.\n"


def issue_of(bundle: Body, branch: str) -> dict[str, Any]:
    """The issue, as templates of WORKFLOW.md name its fields."""
    issue = bundle["issue"]
    agent = issue.get("assignedAgent") or {}
    return {
        "id": issue["id"],
        "native_ref": issue["identifier"],
        "identifier": issue["identifier"],
        "title": issue["title"],
        "description": bundle.get("description") or "",
        "priority": _PRIORITIES.get(issue.get("priority", "")),
        "state": issue["status"]["name"],
        "branch_name": branch,
        "url": issue.get("url"),
        "assignee_id": agent.get("id"),
        "labels": [one["name"].lower() for one in issue.get("labels") or ()],
        "blocked_by": [
            {
                "id": one["issue"]["id"],
                "identifier": one["issue"]["identifier"],
                "state": one["issue"]["status"],
            }
            for one in bundle.get("relations") or ()
            if (one["kind"], one["direction"]) in _BLOCKING
        ],
        "dispatchable": True,
        "created_at": issue.get("createdAt"),
        "updated_at": issue.get("updatedAt"),
    }


def _discussion(comments: Sequence[Body]) -> str:
    said = [one for one in comments if one.get("kind") != "STATUS"][-_MOST_COMMENTS:]
    if not said:
        return ""
    lines = [f"- {_who(one)}: {one['body']}" for one in said]
    return "What was said about it:\n\n" + "\n".join(lines)


def _who(comment: Body) -> str:
    author = comment.get("author") or comment.get("authoringAgent") or {}
    return str(author.get("name") or author.get("handle") or "somebody")


def _checklist(bundle: Body) -> str:
    found = (bundle.get("completionContract") or {}).get("verificationChecklist") or ()
    return "It is done when:\n\n" + "\n".join(f"- {one['label']}" for one in found) if found else ""


def _step(bundle: Body) -> str:
    step = bundle.get("step")
    if not step:
        return ""
    told = [f"This is a step of a plan: {step['title']}", step.get("body"), step.get("expectedOutput")]
    told += [f"It was sent back: {step['feedback']}"] if step.get("feedback") else []
    return "\n\n".join(one for one in told if one)


def _of_forge(bundle: Body, *, has_duty: bool) -> str:
    protocol = bundle.get("runProtocol") or {}
    run_id, mode = protocol.get("runId", ""), protocol.get("engagementMode", "EXECUTE")
    told = _FORGE.format(run_id=run_id, mode=mode, instruction=protocol.get("modeInstruction", ""))
    if has_duty:
        return told + _DUTY_ENDS.format(instruction=protocol.get("protocolInstruction", ""))
    if mode == "EXECUTE":
        return told + _WORKER_ENDS
    return told + _CHILD_ENDS.format(run_id=run_id, needs=_NEEDS.get(mode, "it takes a summary"))
