"""The one door to a pipeline: it is there, in the caller's workspace, and for keys that see all of it."""

from collections.abc import Callable, Iterator, Mapping

from forge.context import Caller, Context
from forge.errors import Forbidden, NotFound
from forge.store.blobs import Blobs
from forge.store.readings import Readings
from forge.work.issues.pages.sights import is_narrowed
from forge.work.pipelines.artifacts import INSTRUCTIONS_MD
from forge.work.pipelines.pipelines import FOLDER, PipelineItem, PipelineRowItem, ProfileItem, PromptItem
from forge.work.pipelines.prompts import workflow_rules
from forge.work.pipelines.prompts.workflow_rules import RuledTask
from forge.work.pipelines.tasks import Tasks


class Texts(Mapping[str, str]):
    """The texts of a pipeline's artifacts, each fetched when somebody looks at it."""

    def __init__(self, state: PipelineItem, blobs: Blobs) -> None:
        self._state = state
        self._blobs = blobs
        self._known: dict[str, str] = {}

    def __getitem__(self, file: str) -> str:
        if file not in self._known:
            self._known[file] = self._blobs.get_text(self._state.artifacts[file].blob)
        return self._known[file]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.artifacts)

    def __len__(self) -> int:
        return len(self._state.artifacts)


class OpenPipeline:
    """A pipeline with what was handed out last, what is known of its repository, and its texts."""

    def __init__(self, ctx: Context, state: PipelineItem, readings: Readings) -> None:
        self.ctx = ctx
        self.state = state
        self.readings = readings
        self.texts = Texts(state, ctx.services.store.blobs)

    @property
    def prompt(self) -> PromptItem | None:
        return self.readings.find(PromptItem, PromptItem.at(self.state.workspace_id, self.state.name))

    @property
    def profile(self) -> ProfileItem | None:
        return self.readings.find(ProfileItem, ProfileItem.at(self.state.workspace_id, self.state.name))

    @property
    def broken_rules(self) -> Callable[[Tasks], list[str]]:
        """What the team's rules find wrong; they are read only when somebody asks."""

        def found(tasks: Tasks) -> list[str]:
            text = self.texts[INSTRUCTIONS_MD] if self.state.has(INSTRUCTIONS_MD) else None
            ruled = [RuledTask(number, one.title, one.files, one.mode) for number, one in tasks.items()]
            return [one.description for one in workflow_rules.violations(workflow_rules.parse(text), ruled)]

        return found


def open_pipeline(ctx: Context, path: str) -> OpenPipeline:
    """A pipeline with its prompt, profile and row, found by its path; one request."""
    require_whole_sight(ctx.caller)
    workspace_id, name = ctx.caller.workspace_id, path.removeprefix(FOLDER)
    key = PipelineItem.at(workspace_id, name)
    others = [kind.at(workspace_id, name) for kind in (PromptItem, ProfileItem, PipelineRowItem)]
    readings = ctx.table.read([key, *others])
    state = readings.find(PipelineItem, key)
    if state is None:
        raise NotFound(
            f"There is no pipeline {path[:100]!r}.",
            hint="pipeline_init and pipeline_init_with_context begin one.",
        )
    return OpenPipeline(ctx, state, readings)


def require_whole_sight(caller: Caller) -> None:
    """A pipeline belongs to no project or label, so who is confined to some sees none."""
    if is_narrowed(caller):
        raise Forbidden(
            "This key is narrowed to some issues, and pipelines belong to none.",
            hint="Use a key without this narrowing, or ask an admin to widen it.",
        )
