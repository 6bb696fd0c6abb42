"""Tasks of MCP (SEP-2663): an answer that comes later, and asking for it. Only the modern era has them.

A task is the thing itself that somebody waits for, read when its client asks; see
`forge.work.overviews.tasks`.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from forge.jsontext import decode, encode
from forge.store.items import Item
from forge.store.keys import sortable_time
from forge.wire.exchange import Exchange, WholeResult
from forge.wire.identity import Build
from forge.wire.polling import TaskId, id_of, read_id
from forge.wire.protocol import (
    INVALID_PARAMS,
    META_CAPABILITIES,
    META_SERVER,
    MISSING_CAPABILITY,
    TASKS,
    Params,
    ProtocolError,
)
from forge.wire.switchboard import Switchboard
from forge.wire.task_ends import Ends, Late
from forge.work.issues.claims.sleepers import KEPT
from forge.work.overviews.tasks import standings
from forge.work.overviews.tasks.standings import TaskStanding, TaskStatus

_FINAL = frozenset({TaskStatus.COMPLETED, TaskStatus.CANCELLED})
_INTERVALS = ((31, 30), (15, 16), (7, 8), (3, 4), (1, 2), (0, 1))
"""How old a task is, and how long to wait before the next look, in seconds."""


def begun(answer: str, exchange: Exchange, build: Build) -> WholeResult | None:
    """A task in place of an answer that says what is waited for; None where it only reads like that."""
    said = decode(answer)
    waits = said.get("waits") if isinstance(said, dict) else None
    if not isinstance(waits, dict):
        return None
    since, until = (datetime.fromisoformat(waits[name]) for name in ("since", "until"))
    task = id_of(waits["id"], since, exchange.caller.workspace_id)
    if task is None:
        return None
    standing = TaskStanding(TaskStatus.WORKING, task.since, until)
    return _whole({"resultType": "task", **_fields(task, standing, exchange.now)}, build)


class TaskDoor:
    """One message about a task."""

    def __init__(self, switchboard: Switchboard, build: Build, exchange: Exchange) -> None:
        self._switchboard = switchboard
        self._build = build
        self._exchange = exchange

    def serve(self, params: Params) -> WholeResult:
        exchange = self._exchange
        if not exchange.takes_tasks:
            needed: dict[str, object] = {"requiredCapabilities": {"extensions": {TASKS: {}}}}
            raise ProtocolError(
                MISSING_CAPABILITY, f"Declare the extension {TASKS} with each message.", needed
            )
        task = read_id(params.get("taskId"))
        one = self._find(task) if task else None
        if task is None or one is None:
            raise ProtocolError(INVALID_PARAMS, "There is no such task: it is over, or was never yours.")
        standing = standings.standing(one, task.since, exchange.now, can_ask=_can_ask(params))
        if exchange.now >= standing.until + KEPT:
            raise ProtocolError(INVALID_PARAMS, "This task is over, and nothing is known of it any more.")
        if exchange.operation == "tasks/get":
            return self._told(task, one, standing)
        if standing.status not in _FINAL:
            self._change(one, standing, params)
        return _whole({"resultType": "complete"}, self._build)

    def _find(self, task: TaskId) -> Item | None:
        """The caller's own task; None for another's, as for one that is not there."""
        caller, glanced = self._exchange.caller, self._exchange.glanced
        if caller.workspace_id != task.workspace_id:
            return None
        row = glanced.row if glanced else self._switchboard.services.store.table.look_up(task.place)
        if row is None:
            return None
        one = task.kind.from_attributes(row)
        return one if standings.owned_by(one, caller) else None

    def _told(self, task: TaskId, one: Item, standing: TaskStanding) -> WholeResult:
        ends = Ends(self._switchboard, self._exchange)
        more: dict[str, Any] = {}
        if standing.status is TaskStatus.WORKING and (found := ends.attempted(one)) is not None:
            standing = standing._replace(status=TaskStatus.COMPLETED, moved_at=self._exchange.now, says="")
            more = {"result": decode(f"{{{found}}}")}
        elif standing.status is TaskStatus.COMPLETED:
            try:
                more = {"result": decode(f"{{{ends.end_of(one)}}}")}
            except Late:
                standing = standing._replace(status=TaskStatus.WORKING)
        elif standing.asks is not None:
            more = {"inputRequests": standing.asks}
        fields = _fields(task, standing, self._exchange.now)
        return _whole({"resultType": "complete", **fields, **more}, self._build)

    def _change(self, one: Item, standing: TaskStanding, params: Params) -> None:
        ends = Ends(self._switchboard, self._exchange)
        if self._exchange.operation == "tasks/cancel":
            ends.withdraw(one)
            return
        responses = params.get("inputResponses")
        if not isinstance(responses, dict):
            raise ProtocolError(INVALID_PARAMS, "tasks/update needs inputResponses, an object.")
        if standing.asks is not None and (said := standings.answered(responses)) is not None:
            ends.answer(one, said)


def poll_interval(age: timedelta) -> int:
    """Milliseconds. Whoever waits long looks seldom."""
    seconds = age.total_seconds()
    return 1000 * next((interval for least, interval in _INTERVALS if seconds >= least), 1)


def _fields(task: TaskId, standing: TaskStanding, now: datetime) -> dict[str, Any]:
    says = {"statusMessage": standing.says} if standing.says else {}
    interval = {} if standing.status in _FINAL else {"pollIntervalMs": poll_interval(now - task.since)}
    return {
        "taskId": str(task),
        "status": standing.status.value,
        **says,
        "createdAt": sortable_time(task.since),
        "lastUpdatedAt": sortable_time(standing.moved_at),
        "ttlMs": int((standing.until + KEPT - task.since).total_seconds() * 1000),
        **interval,
    }


def _whole(result: Mapping[str, Any], build: Build) -> WholeResult:
    return WholeResult(encode({**result, "_meta": {META_SERVER: build.server_info()}}))


def _can_ask(params: Params) -> bool:
    declared = params["_meta"][META_CAPABILITIES].get("elicitation")
    return isinstance(declared, dict) and ("form" in declared or not declared)
