"""What runs on an issue are for, besides work on the issue itself or on a step of a plan."""

from enum import StrEnum


class Duty(StrEnum):
    """What is owed in a run that is no work: it ends with that."""

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
