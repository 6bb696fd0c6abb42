"""The prompt of an agent: its instructions, files and repository, the past, and what a person said."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from forge.work.pipelines.learning.friction import FrictionPoint
from forge.work.pipelines.learning.patterns import Pattern
from forge.work.pipelines.learning.similar import Similar
from forge.work.pipelines.phases import SUMMARY_MD
from forge.work.pipelines.prompts import chosen
from forge.work.pipelines.prompts.instructions import NUMBER, filled_in, instructions_of
from forge.work.pipelines.prompts.profiles import Profile, lines_of
from forge.work.pipelines.tasks import Tasks

MOST_TOKENS = 8_000
_BYTES_PER_TOKEN = 4

ANY_TASK = "\ue000"
"""Stands for the number of a task where several agents get the same prompt but for that: no text has it."""

_NUMBERED = re.compile(rf"(?:impl|review)-(\d+|{ANY_TASK})\.md")
_ON_SERVER = (
    "These files are on the server, and on no disk: read each with "
    '`pipeline_get_artifact {{"workspace": "{workspace}", "name": "<file>"}}`, and put yours with '
    '`pipeline_put_artifact {{"workspace": "{workspace}", "name": "<file>", "content": "<all of it>"}}`. '
    "Only if you have no such tools, answer with the whole text of the output file and nothing else."
)
_ON_DISK = "These are paths from the root of the repository."
_MISSING = "An input file that is not there is no reason to stop: say in your output that it was missing."
_ALSO_ON_DISK = (
    "Write the same text to `{workspace}/{file}` in the checkout, too, without committing it: the last "
    "commit takes it in."
)
_PLAN_VERDICTS = "APPROVE, APPROVE_WITH_NOTES or REVISE"
_CODE_VERDICTS = "PASS, PASS_WITH_NOTES or FAIL"


class TaskBrief(NamedTuple):
    """The one task that a spawn is about."""

    number: str
    title: str
    files: Sequence[str]


def brief_of(tasks: Tasks, number: str) -> TaskBrief:
    return TaskBrief(number, tasks[number].title, tasks[number].files)


class Spawn(NamedTuple):
    """An agent that is about to be started, and with what."""

    agent: str
    workspace: str
    branch: str | None
    spec_name: str
    input_files: Sequence[str]
    output_file: str
    task: TaskBrief | None = None
    current_findings: Sequence[str] = ()
    """Of the review that is answered now: they need not be told twice."""
    left_out: Sequence[TaskBrief] = ()
    """Tasks that a person said to go on without."""
    is_on_disk: bool = False
    """Whether the agents share a disk with whoever drives the pipeline."""
    is_revision: bool = False
    """Whether the output file is there and was sent back."""


class Knowledge(NamedTuple):
    profile: Profile | None = None
    similar: Sequence[Similar] = ()
    patterns: Sequence[Pattern] = ()
    friction: Sequence[FrictionPoint] = ()


class AgentPrompt(NamedTuple):
    text: str
    warnings: Sequence[str]


def tokens_in(text: str) -> int:
    """An estimate that needs no tokenizer: never fewer than a quarter of the bytes."""
    return -(-len(text.encode()) // _BYTES_PER_TOKEN)


def assemble(spawn: Spawn, knowledge: Knowledge, feedback: str | None = None) -> AgentPrompt:
    """All layers that fit, the first two and what a person said whatever they take."""
    instructions, warnings = _instructions(spawn)
    told = f"## Human Feedback\n\n{feedback.strip()}" if feedback and feedback.strip() else ""
    repository = _repository(knowledge.profile)
    past = chosen.past_for(
        spawn.agent,
        knowledge,
        answered=spawn.current_findings,
        task=[spawn.task.title, *spawn.task.files] if spawn.task else None,
    )
    start = [instructions, _files(spawn)]
    while True:
        text = _joined([*start, repository, *chosen.sections(past), told])
        if tokens_in(text) <= MOST_TOKENS or not (repository or past.size):
            return AgentPrompt(text, warnings)
        if tokens_in(_joined([*start, told])) >= MOST_TOKENS:
            repository, past = "", chosen.NOTHING
        elif past.size:
            past = past.without_last()
        else:
            repository = ""


def _instructions(spawn: Spawn) -> tuple[str, list[str]]:
    text = instructions_of(spawn.agent)
    if text is None:
        default = (
            f"You are the {spawn.agent} of this pipeline. Read the input files and write the output file."
        )
        return default, [f"There are no instructions for the agent {spawn.agent!r}: it gets a short default."]
    values = {
        "{workspace}": spawn.workspace,
        "{branch}": spawn.branch or "the current branch",
        "{spec-name}": spawn.spec_name,
    }
    if numbered := _NUMBERED.fullmatch(spawn.output_file):
        values[NUMBER] = numbered[1]
    return filled_in(text, values), []


def _files(spawn: Spawn) -> str:
    """Names only: agents read for themselves."""
    lines = ["## Input Files", ""]
    lines += [f"- {spawn.workspace}/{name}" for name in spawn.input_files]
    lines += ["", "## Output File", "", f"- {spawn.workspace}/{spawn.output_file}", ""]
    lines.append("You must write this file before you finish: the pipeline goes on only when it is there.")
    if spawn.is_revision:
        lines.append("It was sent back: change what is there, and do not start over.")
    lines += _verdict_line(spawn.output_file)
    if spawn.left_out:
        tasks = ", ".join(f"{one.number} ({one.title})" for one in spawn.left_out)
        lines += ["", f"Tasks that a person left out on purpose, and that need not be done: {tasks}."]
    where = _ON_DISK if spawn.is_on_disk else _ON_SERVER.format(workspace=spawn.workspace)
    lines += ["", f"{where} {_MISSING}"]
    if spawn.output_file == SUMMARY_MD and not spawn.is_on_disk:
        lines += ["", _ALSO_ON_DISK.format(workspace=spawn.workspace, file=SUMMARY_MD)]
    return "\n".join(lines)


def for_task(prompt: str, brief: TaskBrief) -> str:
    """The prompt of the one agent, of several, that does this task."""
    files = f" It is about {', '.join(brief.files)}." if brief.files else ""
    told = f"## Your Task\n\nTask {brief.number}: {brief.title}.{files} Others do the other tasks.\n"
    return f"{prompt.replace(ANY_TASK, brief.number)}\n{told}"


def for_any_task(prompt: str) -> str:
    """For callers that add the number themselves."""
    if ANY_TASK not in prompt:
        return prompt
    told = "`<task>` is the number of the task that you were started for."
    return f"{prompt.replace(ANY_TASK, '<task>')}\n{told}\n"


def _verdict_line(output_file: str) -> list[str]:
    if not output_file.startswith("review-"):
        return []
    verdicts = _CODE_VERDICTS if _NUMBERED.fullmatch(output_file) else _PLAN_VERDICTS
    line = f"It must have exactly one line `## Verdict: <verdict>` with {verdicts}, and nothing after that."
    return [line]


def _repository(profile: Profile | None) -> str:
    lines = lines_of(profile) if profile else []
    return "\n".join(["## Repository Context", "", *lines]) if lines else ""


def _joined(layers: Sequence[str]) -> str:
    return "\n\n".join(layer for layer in layers if layer) + "\n"
