"""What an agent is told: of the issue, of this folder, and of how its work ends."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from forge.cli.worker.settings.workflows import rendered

Body = Mapping[str, Any]

_PRIORITIES = {"URGENT": 1, "HIGH": 2, "MEDIUM": 3, "LOW": 4}
_MOST_COMMENTS = 20
_LONGEST_SHOWN = 40_000
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
_DUTIES = {
    "plans.recordVerdict": """\
Your last message is the verdict, and is handed in for you: say what you have checked and, where it fails,
what to change; its worker reads only that. End it with a line of its own: PASS or FAIL.
""",
    "plans.addSteps": """\
Your last message is the plan, and is handed in for you; a person is asked whether it may run. End it with a
block of JSON, in which dependsOnStepIndexes count from 0 and name earlier steps:

```json
{"steps": [{"title": "…", "body": "…", "expectedOutput": "…", "verification": [{"label": "…"}],
 "dependsOnStepIndexes": []}]}
```
""",
    "chat.appendMessage": """\
A person talks with you in a chat. Your last message is your reply to what they said last, as Markdown; it is
sent for you. You need not ask anybody else.
""",
}
_NEEDS = {
    "REVIEW": "it takes a summary and a verdict, APPROVE or REQUEST_CHANGES",
    "RESEARCH": "it takes a summary and a confidence, LOW, MEDIUM or HIGH",
}


def first_prompt(bundle: Body, *, template: str, branch: str, attempt: int | None) -> str:
    """All that whoever begins must know; `template` is the repository's, or the usual one."""
    parts = [rendered(template or USUAL, {"issue": issue_of(bundle, branch), "attempt": attempt})]
    parts += [_discussion(bundle.get("comments") or ()), _checklist(bundle), _step(bundle)]
    parts += [_EXECUTE.format(branch=branch) if branch else _LOOK]
    parts += [_of_forge(bundle)]
    return _joined(parts)


def duty_prompt(bundle: Body, tool: str) -> str:
    """The same for who judges, plans or talks: it does no work, of which the repository says how."""
    protocol, asked, goal = bundle["runProtocol"], bundle.get("asked"), bundle.get("goal")
    parts = [protocol.get("modeInstruction", ""), bundle.get("description") or ""]
    parts += [_discussion(bundle.get("comments") or ()), _step(bundle)]
    parts += [_shown("The goal", goal)] if goal else []
    parts += [_talk(asked) if "thread" in asked else _shown("What is asked", asked)] if asked else []
    return _joined(
        [f"{bundle['issue']['identifier']}: {bundle['issue']['title']}", *parts, _LOOK, _DUTIES[tool]]
    )


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def _shown(name: str, found: Body) -> str:
    return f"{name}:\n\n```json\n{json.dumps(found, indent=1, ensure_ascii=False)[:_LONGEST_SHOWN]}\n```"


def _talk(asked: Body) -> str:
    lines = [
        f"- {'you' if one['role'] == 'AGENT' else 'the person'}: {one['body']}" for one in asked["messages"]
    ]
    issues = [f"- {one['identifier']} ({one['status']}): {one['title']}" for one in asked["linkedIssues"]]
    told = "What was said:\n\n" + "\n".join(lines)
    return f"{told}\n\nIssues that were named:\n\n" + "\n".join(issues) if issues else told


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
    told += [f"- {one['label']}" for one in step.get("verification") or ()]
    told += [f"It was sent back: {step['feedback']}"] if step.get("feedback") else []
    return "\n\n".join(one for one in told if one)


def _of_forge(bundle: Body) -> str:
    protocol = bundle.get("runProtocol") or {}
    run_id, mode = protocol.get("runId", ""), protocol.get("engagementMode", "EXECUTE")
    told = _FORGE.format(run_id=run_id, mode=mode, instruction=protocol.get("modeInstruction", ""))
    if mode == "EXECUTE":
        return told + _WORKER_ENDS
    return told + _CHILD_ENDS.format(run_id=run_id, needs=_NEEDS.get(mode, "it takes a summary"))
