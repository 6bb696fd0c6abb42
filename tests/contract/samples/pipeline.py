"""Calls of the pipeline's tools."""

from tests.contract.stage import Arguments, Stage, sample


def a_pipeline(stage: Stage, effort: str = "L") -> str:
    """One that has begun, and whose first action is handed out."""
    begun = stage.call(
        "pipeline_init_with_context",
        {
            "workspace": ".specs/20260401-login",
            "task_text": "Add a login page",
            "user_confirmation": {"effort": effort},
        },
    )
    workspace = str(begun["workspace"])
    stage.call("pipeline_next_action", {"workspace": workspace})
    return workspace


def at_review(stage: Stage) -> str:
    """One whose design is being reviewed."""
    workspace = a_pipeline(stage)
    for name in ("analysis.md", "investigation.md", "design.md"):
        file = {"name": name, "content": "## What is there"}
        done = {"workspace": workspace, "previous_action_complete": True, "artifacts": [file]}
        stage.call("pipeline_next_action", done)
    return workspace


def _with_a_review(stage: Stage) -> Arguments:
    workspace = at_review(stage)
    content = "## Verdict: APPROVE_WITH_NOTES\n\n**1. [MINOR] Say more**\n"
    put = {"workspace": workspace, "name": "review-design.md", "content": content}
    stage.call("pipeline_put_artifact", put)
    return {"workspace": workspace, "phase": "phase-3b", "tokens_used": 15_000}


def _uploaded(stage: Stage) -> Arguments:
    """A file whose bytes have arrived."""
    put = {"workspace": a_pipeline(stage), "name": "analysis.md"}
    upload_id = stage.call("pipeline_put_artifact", {**put, "size": 16})["uploadId"]
    name = str(put["workspace"]).removeprefix(".specs/")
    place = f"uploads/{stage.workspace.id}/{name}/analysis.md/{upload_id}"
    stage.world.services.store.blobs.put_text(place, "## What is there")
    return {**put, "uploadId": upload_id}


def _reported(stage: Stage) -> Arguments:
    workspace = str(_with_a_review(stage)["workspace"])
    return {"workspace": workspace, "previous_action_complete": True, "previous_action_id": "act-4"}


def at_a_checkpoint(stage: Stage) -> str:
    reviewed = _with_a_review(stage)
    workspace = str(reviewed["workspace"])
    stage.call("pipeline_next_action", {"workspace": workspace, "previous_action_complete": True})
    return workspace


def _several(stage: Stage) -> Arguments:
    for number in range(3):
        given = {"workspace": ".specs/20260401-login", "task_text": f"Add page {number}"}
        stage.call("pipeline_init_with_context", {**given, "user_confirmation": {"effort": "S"}})
    return {"status": "open", "limit": 2}


SAMPLES = (
    sample(
        "pipeline_init",
        lambda stage: {
            "arguments": "https://github.com/owner/repo/issues/42 --auto",
            "current_branch": "main",
        },
    ),
    sample(
        "pipeline_init_with_context",
        lambda stage: {
            "workspace": ".specs/20260401-fix-auth",
            "source_url": "https://github.com/owner/repo/issues/42",
            "source_id": "42",
            "external_context": {"github_title": "Fix auth timeout", "github_labels": ["bug"]},
            "user_confirmation": {"effort": "M"},
        },
    ),
    sample(
        "pipeline_next_action",
        lambda stage: {
            "workspace": at_a_checkpoint(stage),
            "user_response": "revise",
            "user_feedback": "Use the queue.",
        },
    ),
    sample("pipeline_next_action", _reported, variant="asking a person"),
    sample("pipeline_report_result", _with_a_review),
    sample("pipeline_list", _several),
    sample("pipeline_get_prompt", lambda stage: {"workspace": a_pipeline(stage), "action_id": "act-1"}),
    sample("state_resume_info", lambda stage: {"workspace": a_pipeline(stage)}),
    sample(
        "pipeline_put_artifact",
        lambda stage: {"workspace": a_pipeline(stage), "name": "analysis.md", "content": "## What is there"},
    ),
    sample("pipeline_put_artifact", _uploaded, variant="uploaded"),
    sample("pipeline_get_artifact", lambda stage: {"workspace": a_pipeline(stage), "name": "request.md"}),
    sample("pipeline_list_artifacts", lambda stage: {"workspace": a_pipeline(stage)}),
    sample(
        "pipeline_set_profile",
        lambda stage: {
            "workspace": a_pipeline(stage),
            "profile": {"test_command": "make test"},
            "files": [{"path": "src/app.py"}],
        },
    ),
    sample("pipeline_abandon", lambda stage: {"workspace": at_a_checkpoint(stage), "reason": "Not needed"}),
)

PHRASES = {
    "pipeline_list": ["list all pipelines", "show unfinished pipelines", "which pipelines wait for somebody"],
    "pipeline_get_prompt": [
        "get the prompt for my pipeline action",
        "full prompt of the pipeline's implementer",
        "read my instructions as a pipeline agent",
    ],
}
