"""Forge as a contender: whole Lambda events, with everything but the network."""

import json
from datetime import datetime
from functools import partial
from typing import Any

from forge.auth.entrance import Touch
from forge.auth.keys import KeyOrder, KeyRecord, mint
from forge.clock import system_now
from forge.context import Door, KeyKind, Role
from forge.contract.terms import Scope
from forge.testing.world import World
from forge.wire.aws_lambda import Handler, edge_handler
from forge.wire.edge import Backend, Edge, Options
from forge.wire.protocol import META_CAPABILITIES, META_VERSION, MODERN_VERSION
from forge.wire.starting import made_for_good
from tests.bench import workload
from tests.bench.registry import open_catalog
from tests.bench.worker import Task, serve

_META = {META_VERSION: MODERN_VERSION, META_CAPABILITIES: {}}


class OneKey:
    """A key store that knows one key and always admits it: counting is DynamoDB's work."""

    def __init__(self, record: KeyRecord) -> None:
        self._record = record

    def touch(self, key_hash: str, door: Door, now: datetime) -> Touch:
        return (self._record if key_hash == self._record.key_hash else None), True

    def glance(
        self, key_hash: str, door: Door, now: datetime, *, beside: tuple[str, str]
    ) -> tuple[Touch, None]:
        raise NotImplementedError("nobody waits here")

    def take_place(self, key_hash: str, number: int, *, now: datetime, until: datetime) -> bool:
        raise NotImplementedError("nobody follows events here")

    def leave_place(self, key_hash: str, number: int, *, until: datetime) -> None:
        raise NotImplementedError("nobody follows events here")


def open_handler() -> tuple[Handler, str]:
    """Forge behind its Lambda handler, and a key for it."""
    world = World()
    order = KeyOrder(
        name="bench",
        kind=KeyKind.PERSONAL,
        workspace_id=world.workspace.id,
        scopes=Scope,
        user_id=world.ids("usr"),
        role=Role.OWNER,
    )
    minted = mint(order, key_id=world.ids("key"), now=world.clock())
    # Its clock stands still, and asking the real one is part of the cost.
    backend = Backend(OneKey(minted.record), world.services._replace(now=system_now))
    return edge_handler(Edge(open_catalog(), backend, Options(team="bench"))), minted.raw


def tasks() -> dict[str, Task]:
    handler, key = open_handler()
    event = partial(workload.event, key=key)
    full = {"profile": "full"}
    name = workload.called_tool().name
    events = {
        "call-modern": event(
            workload.call_body(_meta=_META), headers=_headers("tools/call", {"mcp-name": name})
        ),
        "call-legacy": event(workload.call_body()),
        "list-modern": event(workload.list_body(_meta=_META), headers=_headers("tools/list"), query=full),
        "list-legacy": event(workload.list_body(), query=full),
    }
    # As a function does while it is initialised.
    with made_for_good():
        for task, sent in events.items():
            _require_right(task, handler(sent, None))
    return {task: partial(handler, sent, None) for task, sent in events.items()}


def _headers(method: str, more: dict[str, str] | None = None) -> dict[str, str]:
    return {"mcp-protocol-version": MODERN_VERSION, "mcp-method": method} | (more or {})


def _require_right(task: str, answer: dict[str, Any]) -> None:
    result = json.loads(answer["body"]).get("result", {})
    if task.startswith("list"):
        workload.require(len(result.get("tools", [])) == workload.TOOL_COUNT, answer)
        return
    workload.require(result.get("structuredContent") == workload.RECEIPT, answer)
    workload.require(json.loads(result["content"][0]["text"]) == workload.RECEIPT, answer)


if __name__ == "__main__":
    serve(tasks())
