"""Executions: what the table says that somebody is waited for, and whether Step Functions counts the time."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Finding, Level, listed
from forge.cli.doctor.workspaces import everything_due
from forge.work.plans.waits.waits import WaitItem

EXECUTIONS = "executions"
_RUNNING = "RUNNING"
_KIND = "WAIT"
_MOST = 100
_BEGUN_AFTER = timedelta(minutes=10)
"""By then the message about a wait was taken, or sent again."""


class Waited(NamedTuple):
    """A question that is open, and how the execution that counts its time is doing."""

    wait_id: str
    created_at: datetime
    started: int
    status: str
    """As Step Functions tells it; nothing where it knows of no such execution."""


def examine_executions(deployment: Deployment, now: datetime) -> Iterator[Finding]:
    if deployment.is_local:
        yield Finding(EXECUTIONS, Level.SKIP, "On one machine the sweep counts the time.")
        return
    if not any(deployment.machines.values()):
        yield Finding(
            EXECUTIONS,
            Level.SKIP,
            "Not looked at: nobody said which.",
            "Say --stack, so that they are known.",
        )
        return
    yield from judge_executions([_waited(deployment, one) for one in _open_waits(deployment)], now)


def _open_waits(deployment: Deployment) -> list[WaitItem]:
    """Whatever waits is due one day."""
    keys = [due.key for due in everything_due(deployment, until=None) if due.kind == _KIND][:_MOST]
    found = deployment.table.read(keys)
    waits = [found.find(WaitItem, key) for key in keys]
    return [wait for wait in waits if wait is not None and wait.outcome is None]


def _waited(deployment: Deployment, wait: WaitItem) -> Waited:
    status = _status(deployment, wait) if wait.executions else ""
    return Waited(wait.id, wait.created_at, wait.executions, status)


def _status(deployment: Deployment, wait: WaitItem) -> str:
    machine = deployment.machines.get(wait.kind.machine, "")
    arn = f"{machine.replace(':stateMachine:', ':execution:')}:{wait.id}-{wait.executions}"
    client = deployment.connections.stepfunctions()
    try:
        return str(client.describe_execution(executionArn=arn)["status"])
    except client.exceptions.ExecutionDoesNotExist:
        return ""


def judge_executions(waits: list[Waited], now: datetime) -> Iterator[Finding]:
    late = [one for one in waits if not one.started and one.created_at < now - _BEGUN_AFTER]
    lost = [one for one in waits if one.started and one.status != _RUNNING]
    if late:
        yield Finding(
            EXECUTIONS,
            Level.FAIL,
            f"{len(late)} questions wait without an execution: {listed(one.wait_id for one in late)}.",
            "Look at the log of the function waits, and at its queue.",
        )
    if lost:
        shown = listed(f"{one.wait_id} ({one.status.lower() or 'not there'})" for one in lost)
        yield Finding(
            EXECUTIONS,
            Level.FAIL,
            f"{len(lost)} questions wait whose execution does not run any more: {shown}.",
            "The sweep begins another one when the stage is over; until then nobody is reminded. "
            "Step Functions says why they ended.",
        )
    if not late and not lost:
        yield Finding(EXECUTIONS, Level.OK, f"{len(waits)} questions wait, and the time of each is counted.")
