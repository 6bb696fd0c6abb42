"""The prompts by which a model drives a pipeline with nothing but these tools."""

from typing import Annotated

from pydantic import Field

from forge.context import Context
from forge.contract.contents import Contents
from forge.contract.models import Model
from forge.contract.offering import Offering
from forge.contract.prompts import PromptArgument
from forge.contract.terms import Scope
from functions.pipeline.models.artifacts import GetArtifact
from functions.pipeline.models.starting import Workspace
from functions.pipeline.models.stepping import FileName
from functions.pipeline.tools import artifacts, namespace, starting

offers = Offering(namespace)

offers.completion(
    "pipeline",
    starting.pipeline_list,
    "workspace",
    also=("title",),
    arguments={"limit": 100},
    without=".specs/",
)

_REACHED = """\
You drive it; agents that you start do the work, and people decide. Tools that are not in your list are
called through catalog.call {"name": "<tool>", "arguments": {...}}."""

_LOOP = """\
Ask `pipeline_next_action {"workspace": "<workspace>", "prompt": false}`, and do what `type` says:
- spawn_agent: start a new agent with `prompt` as it stands, one line; with `parallel_tasks` one for each,
  all at once, each with its own `prompt`. Do not do its work and do not read its files: they are not for
  you.
- exec: run `commands`, which is one command with its arguments, in the repository. If it fails, report it
  with "verdict": "FAIL" and the output as a finding, and show it to the person.
- write_file: write `content` to `path`.
- checkpoint, human_gate: show `present_to_user` word for word and ask the person for one of `options`.
  Then call with "user_response", "previous_action_id" and, for anything else they said, "user_feedback".
  Never answer for them. If you may not pass on their answer, or nobody is there: tell them that it is in
  "Needs you", wait `retry_after` seconds, and ask again.
- an empty type: show the findings of `report_result`, then ask again.
- done: show `summary`, and stop.
After spawn_agent, exec and write_file ask again with "previous_action_complete": true and
"previous_action_id", and "previous_tokens" if you know them. If the report is refused because a file or a
verdict is missing, start the agent again with that sentence. Whatever interrupts you, ask again: what is
due stays due, and nothing is done twice.
"""

offers.prompt(
    "pipeline",
    title="Take a request to a pull request",
    description="Analysis, design, tasks, code and review of a request, with people at the checkpoints.",
    scopes=[Scope.READ_ISSUES, Scope.WRITE_ISSUES],
    arguments=[PromptArgument("source", "An issue's URL, or a workspace; else what was asked.")],
    text=f"""\
Take a request through Forge's pipeline, from analysis to pull request. {_REACHED}
The request: {{source}} (if nothing stands there, what the person asked for last; if there is nothing, ask
them).

1. `pipeline_init {{"arguments": "<the request, with its flags>", "current_branch": "<git branch
   --show-current>"}}`. `errors`: show them and stop. `resume_mode`: go to 3 with that workspace.
   `candidates`: ask whether one of them is meant. `fetch_needed`: fetch these fields as it says.
2. `pipeline_init_with_context` with `workspace`, `flags` and, where they were given, `task_text`,
   `source_url`, `source_id`, and as `external_context` what you fetched. Ask the person what it asks for.
   Call it again with the same and `user_confirmation {{"effort", "use_current_branch",
   "enriched_request_body", "workspace_slug"?}}`. If `create_branch` is true, make that branch.
3. {_LOOP}""",
)

offers.prompt(
    "resume",
    title="Go on with a pipeline",
    description="Take up a pipeline where it stands.",
    scopes=[Scope.READ_ISSUES, Scope.WRITE_ISSUES],
    arguments=[
        PromptArgument("workspace", "E.g. .specs/20260401-login; else you are asked.", completes="pipeline")
    ],
    text=f"""\
Go on with a pipeline of Forge where it stands. {_REACHED}
Its workspace: {{workspace}} (if nothing stands there, `pipeline_list {{"status": "open", "mine": true}}`: if
there are several, ask the person which). Check out its branch, which `state_resume_info` names.

{_LOOP}""",
)


class FileAddress(Model):
    name: Workspace
    file: Annotated[FileName, Field(description="E.g. design.md.")]


@offers.resource(
    "forge://pipeline/{name}/{file}",
    title="File of a pipeline",
    scopes=[Scope.READ_ISSUES],
    costs=artifacts.pipeline_get_artifact.costs,
    completes={"name": "pipeline"},
)
def file_page(request: FileAddress, ctx: Context) -> Contents:
    """What an agent of a pipeline wrote, such as design.md, in its newest version."""
    order = GetArtifact(workspace=request.name, name=request.file)
    found = artifacts.pipeline_get_artifact(order, ctx)
    return Contents.markdown(found.content, read_on="pipeline_get_artifact answers all of it.")
