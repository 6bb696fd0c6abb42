"""What waits for an agent: what its runs are for, and rows of what is no run, so that one request has all.

Each row follows from another item (a plan, a thread, a request), and is written in its transaction.
"""

from datetime import datetime
from enum import StrEnum

from forge.store.items import DerivedItem
from forge.store.keys import At, Partition


class What(StrEnum):
    """What something in an inbox is."""

    RUN = "run"
    TO_JUDGE = "toJudge"
    TO_PLAN = "toPlan"
    MENTION = "mention"
    CHAT = "chat"
    ANSWER = "answer"


OF_AGENT = Partition("WS#{workspace_id}#AGENT#{agent_id}")
"""What an agent has claimed, its live runs, and what else waits for it."""


class WaitingItem(DerivedItem):
    stored = At(OF_AGENT, "WAITS#{what}#{subject_id}")

    workspace_id: str
    agent_id: str
    what: What
    subject_id: str
    title: str
    since: datetime
    plan_id: str | None = None
    goal_id: str | None = None
    issue_id: str | None = None


class Duty(StrEnum):
    """What an agent owes in a run without work on the issue: a verdict or a plan, with which the run ends."""

    JUDGE = "JUDGE"
    PLAN = "PLAN"


ENDS_WITH = {Duty.JUDGE: "plans.recordVerdict", Duty.PLAN: "plans.requestApproval"}
"""The tool by which an agent gives what it owes, which ends the run."""


def place_of(duty: Duty | None, *, step_id: str | None, plan_id: str | None) -> str | None:
    """What tells an agent's runs on one issue apart; None is the run for the issue itself.

    Who judges a step may have carried it out.
    """
    match duty:
        case Duty.JUDGE:
            return f"{step_id}#{duty}"
        case Duty.PLAN:
            return plan_id
        case _:
            return step_id
