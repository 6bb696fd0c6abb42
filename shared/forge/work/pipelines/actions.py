"""What a pipeline hands out: one step for the caller to take, kept until it is reported or answered."""

from enum import StrEnum

from forge.store.items import Part

MODEL = "sonnet"
"""The label that every spawn carries; whoever runs it uses the model of their choice."""


class ActionType(StrEnum):
    SPAWN = "spawn_agent"
    CHECKPOINT = "checkpoint"
    EXEC = "exec"
    WRITE = "write_file"
    HUMAN_GATE = "human_gate"
    DONE = "done"


WAITS_FOR_A_PERSON = (ActionType.CHECKPOINT, ActionType.HUMAN_GATE)


class Purpose(StrEnum):
    """What is true once a command has run that no phase ends with."""

    RENAME_BRANCH = "rename-branch"
    PUSH_BRANCH = "push-branch"
    BATCH_COMMIT = "batch-commit"
    FINAL_COMMIT = "final-commit"


class TaskShare(Part):
    """The share of one agent, where an action is done by several agents at once."""

    id: str
    input_files: list[str] = []
    output_file: str


class PostMethod(Part):
    """How the summary gets to where the request came from."""

    command: list[str] | None = None
    instruction: str | None = None
    mcp_tool: str | None = None
    mcp_params: dict[str, str] | None = None
    body_source: str


class Action(Part):
    """Which fields are set, the type says. `id` is given when it is handed out."""

    id: str = ""
    type: ActionType
    phase: str
    display_message: str = ""
    agent: str | None = None
    input_files: list[str] = []
    output_file: str | None = None
    shares: list[TaskShare] = []
    task: str | None = None
    """The one task that it is about."""
    name: str | None = None
    title: str | None = None
    present_to_user: str | None = None
    options: list[str] = []
    post_method: PostMethod | None = None
    commands: list[str] = []
    purpose: Purpose | None = None
    branch: str | None = None
    setup_only: bool = False
    path: str | None = None
    content: str | None = None
    summary: str | None = None
    summary_path: str | None = None

    @property
    def waits_for_a_person(self) -> bool:
        return self.type in WAITS_FOR_A_PERSON

    @property
    def task_ids(self) -> list[str]:
        return [share.id for share in self.shares] or ([self.task] if self.task else [])

    @property
    def output_files(self) -> list[str]:
        return [share.output_file for share in self.shares] or (
            [self.output_file] if self.output_file else []
        )

    def changed(self, **fields: object) -> "Action":
        return self.model_copy(update=fields)


def number_of(action_id: str) -> int | None:
    """Actions are numbered, so that an older one is known for what it is."""
    prefix, _, digits = action_id.partition("-")
    return int(digits) if prefix == "act" and digits.isdecimal() and len(digits) < 9 else None


def id_of(number: int) -> str:
    return f"act-{number}"
