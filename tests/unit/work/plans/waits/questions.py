"""A question that can be waited for, and executions that only remember what they were told."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from forge.context import Context
from forge.store.executions import Executions
from forge.store.transactions import Transaction
from forge.work.plans.waits.waits import Stage, WaitItem, WaitKind, begin
from forge.work.record.log import events
from forge.work.workspace.workers import Worker


@dataclass
class Question:
    """Open until somebody gives an answer; what is done meanwhile is written to the log."""

    answer: str | None = None

    def outcome(self, ctx: Context, wait: WaitItem) -> str | None:
        return self.answer

    def reach(self, ctx: Context, tx: Transaction, wait: WaitItem, stage: Stage) -> None:
        events.record_change(tx, "wait", wait.subject_id, action=stage.lower())


@dataclass
class Told(Executions):
    """Executions that nobody runs."""

    started: list[tuple[str, str, object]] = field(default_factory=list)
    completed: list[tuple[str, object]] = field(default_factory=list)
    is_down: bool = False

    @property
    def are_there(self) -> bool:
        return True

    def start(self, machine: str, name: str, given: Mapping[str, object]) -> bool:
        if self.is_down:
            raise ConnectionError("Step Functions is down")
        self.started.append((machine, name, given["stage"]))
        return True

    def complete(self, token: str, output: Mapping[str, object]) -> bool:
        self.completed.append((token, output["outcome"]))
        return True


def ask(worker: Worker, kind: WaitKind = WaitKind.PLAN_APPROVAL) -> WaitItem:
    """Begin to wait for an answer in the workspace `ws_1`."""
    ctx = worker.context("ws_1")
    made = begin(ctx.plan(), kind, subject_id="ar_1", plan_id="plan_1")
    ctx.commit()
    return made
