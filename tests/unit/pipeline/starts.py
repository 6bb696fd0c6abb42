"""Pipelines that have begun, through the tools themselves."""

from itertools import count
from typing import Any

from tests.workshop.office import Office

TEXTS = {
    "design.md": "## Approach\n",
    "tasks.md": "## Task 1: All of it\n",
    "review-design.md": "## Verdict: APPROVE\n",
    "review-tasks.md": "## Verdict: APPROVE\n",
    "review-1.md": "## Verdict: PASS\n",
}


_numbers = count(1)


def begun(office: Office, effort: str = "M", **more: Any) -> str:
    """Another one each time: who confirms the same text again goes on with what began."""
    given = {
        "workspace": ".specs/20260401-login",
        "task_text": f"Add a login page, {next(_numbers)}",
        "user_confirmation": {"effort": effort},
    }
    return str(office.call("pipeline_init_with_context", given | more)["workspace"])


def ask(office: Office, workspace: str, **more: Any) -> dict[str, Any]:
    return office.call("pipeline_next_action", {"workspace": workspace, **more})


def done(office: Office, workspace: str, action: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Do what an action says, report it with its artifacts, and get the next."""
    shares = action.get("parallel_tasks") or [{"output_file": action.get("output_file")}]
    files = [share["output_file"] for share in shares if share["output_file"]]
    artifacts = [{"name": file, "content": TEXTS.get(file, "Text")} for file in files]
    said = {
        "previous_action_complete": True,
        "previous_action_id": action["action_id"],
        "previous_tokens": 10,
    }
    return ask(office, workspace, artifacts=artifacts, **(said | more))


def up_to(office: Office, workspace: str, phase: str) -> dict[str, Any]:
    """The first action of a phase."""
    action = ask(office, workspace)
    while action["phase"] != phase:
        if "options" in action:
            action = ask(office, workspace, user_response=action["options"][0])
        else:
            action = done(office, workspace, action)
    return action
