"""A client that comes back for what takes long, and the relay that tells those who sleep."""

import json
from collections.abc import Mapping
from typing import Any

from forge.store.keys import Partition
from forge.wire.http import Response
from forge.wire.protocol import META_CAPABILITIES, TASKS
from forge.work.background.deliveries import waking
from forge.work.background.sweep import outbox
from forge.work.content.destinations.messages import FreedMessage
from forge.work.record.log.rows import OutboxItem
from forge.work.workspace.workers import worker_of
from tests.unit.work.messages import waiting_messages
from tests.workshop.office import Body, Office

_OUTBOX = Partition("WS#{workspace_id}#OUTBOX")
TAKES_TASKS: Mapping[str, Any] = {"extensions": {TASKS: {}}}


DAY = 86_400


class Client:
    """One that takes tasks, with whatever else it says of itself."""

    def __init__(
        self,
        office: Office,
        key: str,
        *,
        session: str | None = None,
        capabilities: Mapping[str, Any] = TAKES_TASKS,
    ) -> None:
        self._office = office
        self._key = key
        self._headers = {"x-forge-session": session} if session else {}
        self._meta = {META_CAPABILITIES: dict(capabilities)}

    def send(self, method: str, params: Body, *, headers: Mapping[str, str] | None = None) -> Response:
        how = {**self._headers, **(headers or {})}
        return self._office.world.modern(method, {**params, "_meta": self._meta}, key=self._key, headers=how)

    def call(self, tool: str, arguments: Body | None = None, **headers: str) -> Body:
        """The result, which may be a task."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return _result(self.send("tools/call", {"name": tool, "arguments": arguments or {}}, headers=named))

    def get(self, task_id: str) -> Body:
        return _result(self.send("tasks/get", {"taskId": task_id}))

    def cancel(self, task_id: str) -> Body:
        return _result(self.send("tasks/cancel", {"taskId": task_id}))

    def update(self, task_id: str, responses: Body) -> Body:
        return _result(self.send("tasks/update", {"taskId": task_id, "inputResponses": responses}))

    def refused(self, method: str, task_id: str) -> int:
        error = json.loads(self.send(method, {"taskId": task_id}).body)["error"]
        return int(error["code"])


def asleep(client: Client, **more: object) -> str:
    task = client.call("issues.claim", {"waitSeconds": DAY, **more})
    assert task["resultType"] == "task", task
    return str(task["taskId"])


def claimed(task: Body) -> str | None:
    found = task["result"]["structuredContent"]["claimed"]
    return str(found["id"]) if found else None


def relay(office: Office) -> int:
    """What the relay and the dispatch do, at once; how many sleepers were called."""
    services = office.world.services
    found = services.store.table.query(_OUTBOX(office.workspace.id), limit=100)
    outbox.relay_unless_sent(services.store, [mark.key for mark in found.of(OutboxItem)])
    return sum(
        waking.wake(worker_of(services, "dispatch"), FreedMessage.model_validate(message))
        for message in waiting_messages(services.store)
        if "freed" in message
    )


def _result(response: Response) -> Body:
    body: Body = json.loads(response.body)
    assert "result" in body, body
    result: Body = body["result"]
    return result
