"""What each function is asked under the runtime: its example, or a change with everything in place."""

import json
from typing import Any

from forge.clock import system_now
from forge.contract.terms import Effect, Surface
from forge.store.store import Store
from forge.testing.clock import NOON
from forge.testing.world import World
from infra.events import example_events, http_event
from infra.registry import find_namespaces
from infra.stack.functions import IN_ROUTER, ROUTER
from tests.contract.calls import SAMPLES
from tests.contract.stage import Sample, Stage, prepare

Event = dict[str, Any]
_PREFIX = {Surface.MCP: "/api/mcp/", Surface.ADMIN: "/api/admin/"}
_AFTER_A_CHANGE = "comments.create"
_IN_ORDER = (Effect.MUTATING, Effect.READ_ONLY, Effect.EXTERNAL_EXEC)
"""A change where there is one, but none that asks servers of others: the stage has those in this process."""


def events_on(store: Store) -> dict[str, list[Event]]:
    """By folder. The stage is set now, because functions ask the machine for the time."""
    world = World(store=store)
    world.clock.advance(seconds=(system_now() - NOON).total_seconds())
    stage = Stage(world)
    owner = world.owner_key()
    asked = {folder: [_with_key(event, owner)] for folder, event in example_events(find_namespaces()).items()}
    for folder, sample in _samples().items():
        # Everything that it names is there, which the example can't promise.
        asked[folder] = [_event_of(sample, stage)]
    asked[ROUTER].append(_event_of(_sample(_AFTER_A_CHANGE), stage))
    return asked


def is_answered(answer: Any) -> bool:
    """With a result, whichever door it was."""
    if answer.get("statusCode") != 200:
        return False
    body = json.loads(answer["body"])
    return "error" not in body and not body.get("result", {}).get("isError", False)


def _samples() -> dict[str, Sample]:
    """One for the folder of each namespace."""
    folders = {tool: folder for folder, one in find_namespaces().items() for tool in one.tools}
    chosen: dict[str, Sample] = {}
    for sample in sorted(SAMPLES, key=lambda one: _IN_ORDER.index(one.tool.effect)):
        if sample.tool.namespace not in IN_ROUTER:
            chosen.setdefault(folders[sample.tool.name], sample)
    return chosen


def _sample(name: str) -> Sample:
    return next(sample for sample in SAMPLES if sample.tool.name == name)


def _event_of(sample: Sample, stage: Stage) -> Event:
    ready = prepare(sample, stage)
    path = f"{_PREFIX[ready.tool.surface]}{ready.tool.name}"
    return _with_key(http_event(path, ready.arguments, {}), ready.key)


def _with_key(event: Event, key: str) -> Event:
    headers = event.get("headers", {})
    if "authorization" not in headers:
        return event
    return {**event, "headers": {**headers, "authorization": f"Bearer {key}"}}
