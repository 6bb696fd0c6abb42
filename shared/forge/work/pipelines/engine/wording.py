"""What people read while a pipeline waits for them, and what they may say."""

from forge.work.pipelines import markdown, phases, verdicts
from forge.work.pipelines.actions import Action, ActionType, PostMethod
from forge.work.pipelines.engine.progress import Progress
from forge.work.pipelines.phases import BY_ID, SUMMARY_MD
from forge.work.pipelines.pipelines import PipelineItem, PipelineSource

PROCEED, REVISE, ABANDON, APPROVE = "proceed", "revise", "abandon", "approve"
POST, SKIP, DONE = "post", "skip", "done"

IMPL_RETRY_LIMIT = "impl-retry-limit-"

SHOWN_CHARACTERS = 1_500
_MOST_FINDINGS, _MOST_HEADINGS = 10, 30
_REVIEWED_BY = {phases.DESIGN_MD: phases.DESIGN_REVIEW_MD, phases.TASKS_MD: phases.TASKS_REVIEW_MD}

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


def design_checkpoint(progress: Progress) -> Action:
    state = progress.state
    following = phases.IMPLEMENTATION if state.skips(phases.TASKS) else phases.TASKS
    text = (
        f"The design of {state.spec_name} waits for you. `proceed` leads to {BY_ID[following].title},"
        f" `revise` back to the architect with your feedback.\n\n{shown(progress, phases.DESIGN_MD)}"
    )
    return checkpoint(state, phases.DESIGN_CHECKPOINT, text, [PROCEED, REVISE, ABANDON])


def tasks_checkpoint(progress: Progress) -> Action:
    state = progress.state
    text = (
        f"The tasks of {state.spec_name} wait for you. `proceed` begins the implementation, `revise` has them"
        f" cut anew with your feedback.\n\n{shown(progress, phases.TASKS_MD)}"
    )
    return checkpoint(state, phases.TASKS_CHECKPOINT, text, [PROCEED, REVISE, ABANDON])


def shown(progress: Progress, file: str) -> str:
    """What a person decides about: what its review says, how it begins, and where all of it is."""
    state = progress.state
    if not state.has(file):
        return f"{state.path}/{file} is not there."
    text = progress.text(file)
    return "\n\n".join(
        [
            *_review_lines(progress, _REVIEWED_BY[file]),
            f"### {state.path}/{file}, {len(text):,} characters",
            *_headings(text),
            _beginning(text),
            f"All of it: `forge pipeline read {state.path} {file}`"
            + (f", or {progress.around.page}?file={file}" if progress.around.page else ""),
        ]
    )


def _review_lines(progress: Progress, file: str) -> list[str]:
    if not progress.state.has(file):
        return []
    verdict, findings, problem = verdicts.read(progress.text(file))
    said = progress.state.artifacts[file].verdict or verdict
    lines = [f"- {one.severity}: {one.description}" for one in findings[:_MOST_FINDINGS]]
    if len(findings) > _MOST_FINDINGS:
        lines.append(f"- {len(findings) - _MOST_FINDINGS} more in {file}")
    return [f"Reviewed: **{said}**." if said else f"Its review can't be read. {problem}", "\n".join(lines)]


def _headings(text: str) -> list[str]:
    found = [line.plain for line in markdown.headings_of(text)][:_MOST_HEADINGS]
    return [f"Headings: {' · '.join(found)}"] if found else []


def _beginning(text: str) -> str:
    """Quoted, so that what an agent wrote is never taken for what the pipeline says."""
    cut = text.strip()
    cut = cut if len(cut) <= SHOWN_CHARACTERS else cut[: SHOWN_CHARACTERS - 1].rstrip() + "…"
    return "\n".join(f"> {line}".rstrip() for line in cut.splitlines())


def limit_reached(state: PipelineItem, name: str, what: str) -> Action:
    text = f"{what} `approve` goes on with it as it is, `abandon` ends the pipeline."
    return checkpoint(state, name, text, [APPROVE, ABANDON])


def approved(progress: Progress, name: str, file: str, *, is_capped: bool) -> Action:
    state = progress.state
    text = f"{state.path}/{file} is approved by its reviewer."
    if is_capped:
        text = f"{state.path}/{file} was sent back {state.design_revisions} times; its findings stand."
    text += " `proceed` goes on with it, `revise` sends it back with your feedback."
    return checkpoint(state, name, f"{text}\n\n{shown(progress, file)}", [PROCEED, REVISE])


def unreadable(progress: Progress, name: str, file: str) -> Action:
    state = progress.state
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
