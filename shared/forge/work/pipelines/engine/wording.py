"""What people read while a pipeline waits for them, and what they may say."""

from forge.work.pipelines import phases
from forge.work.pipelines.actions import Action, ActionType, PostMethod
from forge.work.pipelines.phases import BY_ID, SUMMARY_MD
from forge.work.pipelines.pipelines import PipelineItem, PipelineSource

PROCEED, REVISE, ABANDON, APPROVE = "proceed", "revise", "abandon", "approve"
POST, SKIP, DONE = "post", "skip", "done"

IMPL_RETRY_LIMIT = "impl-retry-limit-"

_ELSEWHERE = (
    *("proto", "akupara", "external repo", "external repository", "external pr", "dependency"),
    *("dependencies", "preview", "npm version", "package version", "upstream"),
)
_RECIPE = (
    "This looks like work in another repository: open the pull request there, wait for its CI,"
    " pin its preview version here, and verify before you say done."
)


def checkpoint(state: PipelineItem, name: str, text: str, options: list[str]) -> Action:
    """A question of the phase that the pipeline is in."""
    title = BY_ID[state.current_phase].label
    return Action(
        type=ActionType.CHECKPOINT,
        phase=state.current_phase,
        name=name,
        title=title,
        present_to_user=f"## {title}\n\n{text}",
        options=options,
    )


def design_checkpoint(state: PipelineItem) -> Action:
    following = phases.IMPLEMENTATION if state.skips(phases.TASKS) else phases.TASKS
    text = (
        f"The design of {state.spec_name} is reviewed: read {state.path}/{phases.DESIGN_MD}."
        f" `proceed` leads to {BY_ID[following].title}, `revise` back to the architect with your feedback."
    )
    return checkpoint(state, phases.DESIGN_CHECKPOINT, text, [PROCEED, REVISE, ABANDON])


def tasks_checkpoint(state: PipelineItem) -> Action:
    text = (
        f"The tasks of {state.spec_name} are reviewed: read {state.path}/{phases.TASKS_MD}."
        f" `proceed` begins the implementation, `revise` has them cut anew with your feedback."
    )
    return checkpoint(state, phases.TASKS_CHECKPOINT, text, [PROCEED, REVISE, ABANDON])


def limit_reached(state: PipelineItem, name: str, what: str) -> Action:
    text = f"{what} `approve` goes on with it as it is, `abandon` ends the pipeline."
    return checkpoint(state, name, text, [APPROVE, ABANDON])


def approved(state: PipelineItem, name: str, file: str, *, is_capped: bool) -> Action:
    text = f"{state.path}/{file} is approved by its reviewer."
    if is_capped:
        text = f"{state.path}/{file} was sent back {state.design_revisions} times; its findings stand."
    text += " `proceed` goes on with it, `revise` sends it back with your feedback."
    return checkpoint(state, name, text, [PROCEED, REVISE])


def unreadable(state: PipelineItem, name: str, file: str) -> Action:
    text = f"No verdict can be read in {state.path}/{file}. Decide what was reviewed yourself."
    return checkpoint(state, name, text, [APPROVE, REVISE, ABANDON])


def human_gate(state: PipelineItem, number: str) -> Action:
    title = state.tasks[number].title
    is_elsewhere = any(word in title.lower() for word in _ELSEWHERE)
    text = f"Task {number} needs a person: {title}. `done` when it is done, `skip` to go on without it."
    return Action(
        type=ActionType.HUMAN_GATE,
        phase=phases.IMPLEMENTATION,
        name=number,
        title=title,
        task=number,
        present_to_user=f"{text}\n\n{_RECIPE}" if is_elsewhere else text,
        options=[DONE, SKIP, ABANDON],
    )


def post_to_source(state: PipelineItem) -> Action:
    text = (
        f"Post {state.path}/{SUMMARY_MD} to {state.source_url}, then answer `post`; or `skip`."
        " How to post it is in post_method."
    )
    asked = checkpoint(state, phases.POSTING, text, [POST, SKIP])
    return asked.changed(post_method=_post_method(state))


def _post_method(state: PipelineItem) -> PostMethod:
    source = f"{state.path}/{SUMMARY_MD}"
    if state.source_type is PipelineSource.GITHUB:
        command = ["gh", "issue", "comment", str(state.source_url), "--body-file", source]
        return PostMethod(command=command, body_source=source)
    if state.source_type is PipelineSource.LINEAR:
        return PostMethod(
            mcp_tool="mcp__linear__create_comment",
            mcp_params={"issueId": str(state.source_id)},
            body_source=source,
        )
    instruction = (
        f"Add the text as a comment to {state.source_id} with the Atlassian MCP server or its REST API."
    )
    return PostMethod(instruction=instruction, body_source=source)
