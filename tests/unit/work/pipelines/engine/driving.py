"""A caller of the pure engine: does what it is handed, as a well-behaved orchestrator would."""

from collections.abc import Callable
from datetime import UTC, datetime

from forge.work.pipelines import phases
from forge.work.pipelines.actions import Action, ActionType
from forge.work.pipelines.engine.engine import Said, StepOutcome, step
from forge.work.pipelines.engine.progress import Progress, Surroundings
from forge.work.pipelines.engine.reporting import Report
from forge.work.pipelines.phases import SKIPPED, Effort
from forge.work.pipelines.pipelines import PipelineItem
from forge.work.pipelines.tasks import Tasks

NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)
NAME = "20260401-fix-auth-timeout"

TEXTS = {
    "design.md": "## Approach\n\nA new middleware.\n",
    "tasks.md": "## Task 1: Middleware\nmode: sequential\n",
    "review-design.md": "## Verdict: APPROVE\n",
    "review-tasks.md": "## Verdict: APPROVE\n",
}
REVISE = "## Verdict: REVISE\n\n**1. [CRITICAL] No error handling**\n"
FAIL = "## Verdict: FAIL\n\n**[MINOR] It says PASS in passing**\n"
THREE_TASKS = (
    "## Task 1: Parser\nmode: parallel\nfiles:\n- a.py\n\n"
    "## Task 2: Printer\nmode: parallel\nfiles:\n- b.py\n\n"
    "## Task 3: Join\nmode: sequential\ndepends_on: [1, 2]\n"
)


def a_pipeline(effort: Effort = Effort.M, **more: object) -> PipelineItem:
    fresh = PipelineItem(
        workspace_id="ws_1",
        name=NAME,
        spec_name="fix-auth-timeout",
        effort=effort,
        branch="feature/fix-auth-timeout",
        skipped_phases=list(SKIPPED[effort]),
        created_at=NOON,
        updated_at=NOON,
    )
    return fresh.changed(**more)


class Drive:
    """Keeps the state between calls, and the texts of artifacts, as the store does."""

    def __init__(self, state: PipelineItem) -> None:
        self.state = state
        self.texts: dict[str, str] = {}
        self.rules: Callable[[Tasks], list[str]] = lambda tasks: []
        self.scripted: dict[str, list[str]] = {}
        """What is written the next times that a file is due, by file."""
        self.put("request.md", "A request")

    @property
    def around(self) -> Surroundings:
        return Surroundings(self.texts, NOON, self.rules)

    def put(self, file: str, text: str) -> None:
        progress = Progress(self.state, self.around)
        progress.write(file, text)
        self._keep(progress)

    def say(self, **said: object) -> StepOutcome:
        outcome = step(self.state, self.around, Said(**said))  # type: ignore[arg-type]  # as a test names it
        self._keep(outcome.progress)
        return outcome

    def ask(self) -> StepOutcome:
        return self.say()

    def report(self, **report: object) -> StepOutcome:
        return self.say(report=Report(**report))  # type: ignore[arg-type]  # as a test names it

    def answer(self, response: str, **more: object) -> StepOutcome:
        return self.say(response=response, **more)

    def work(self) -> StepOutcome:
        """Do what is due, and report it."""
        due = self.state.action
        assert due is not None
        for file in files_of(due):
            scripted = self.scripted.get(file) or [TEXTS.get(file, default_of(file))]
            self.put(file, scripted.pop(0))
        return self.report(tokens=100, duration_ms=1000)

    def run(self, *answers: str) -> list[str]:
        """Until it is done or nobody answers any more; what was handed out, as one line each."""
        given, seen = list(answers), []
        outcome = self.ask()
        for _ in range(200):
            action = outcome.action
            if action is None:
                seen.append("revision")
                outcome = self.ask()
                continue
            seen.append(line_of(action))
            if action.type is ActionType.DONE or (action.waits_for_a_person and not given):
                return seen
            outcome = self.answer(given.pop(0)) if action.waits_for_a_person else self.work()
        raise AssertionError(seen)

    def until(self, phase: str, *answers: str) -> "Drive":
        """Up to the first action of a phase."""
        given = list(answers)
        outcome = self.ask()
        while outcome.action is None or outcome.action.phase != phase:
            waits = outcome.action is not None and outcome.action.waits_for_a_person
            if outcome.action is None:
                outcome = self.ask()
            else:
                outcome = self.answer(given.pop(0)) if waits else self.work()
        return self

    def _keep(self, progress: Progress) -> None:
        self.state = progress.state
        self.texts |= progress.written


def default_of(file: str) -> str:
    return "## Verdict: PASS\n" if file.startswith("review-") else f"Text of {file}\n"


def files_of(action: Action) -> list[str]:
    if action.type is not ActionType.SPAWN:
        return []
    return [share.output_file for share in action.shares] or [str(action.output_file)]


def line_of(action: Action) -> str:
    """`phase-3 architect`, `phase-5 implementer {1,2}`, `checkpoint-a ?`, `exec push-branch`."""
    match action.type:
        case ActionType.SPAWN if action.shares:
            return f"{action.phase} {action.agent} {{{','.join(action.task_ids)}}}"
        case ActionType.SPAWN:
            return f"{action.phase} {action.agent}" + (f" {action.task}" if action.task else "")
        case ActionType.EXEC:
            return f"exec {action.purpose or action.phase}"
        case ActionType.WRITE:
            return f"write {action.output_file}"
        case ActionType.HUMAN_GATE:
            return f"gate {action.name} ?"
        case ActionType.CHECKPOINT:
            return f"{action.name} ?"
        case _:
            return "done"


def at_design_checkpoint(effort: Effort = Effort.M, **more: object) -> Drive:
    return Drive(a_pipeline(effort, **more)).until(phases.DESIGN_CHECKPOINT)
