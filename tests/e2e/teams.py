"""A team in the emulator: its stack, a client with its owner's key, and what AWS knows of it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from forge.cli.bootstrap import store_at
from forge.clock import new_id, system_now
from forge.store.connections import Connections
from forge.work.workspace.founding import found_first
from forge.work.workspace.people.members import UserItem
from infra.stack.logs import FUNCTIONS_LOG
from tests.e2e.client import Client
from tests.e2e.stacks import Stack, Workbench

PATIENCE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Team:
    name: str
    stack: Stack
    client: Client
    bench: Workbench

    @property
    def connections(self) -> Connections:
        return self.bench.connections

    def updated(self, **parameters: str) -> "Team":
        """After another deployment of what is built now, with other parameters or the same."""
        return replace(self, stack=self.bench.deploy(self.name, TeamName=self.name, **parameters))

    def physical_id(self, logical_id: str) -> str:
        resource: Any = self.connections.connect("cloudformation").describe_stack_resource(
            StackName=self.stack.name, LogicalResourceId=logical_id
        )
        return str(resource["StackResourceDetail"]["PhysicalResourceId"])

    def log_lines(self, request_id: str | None = None) -> list[dict[str, Any]]:
        """Lines of calls and failures, all of them or those of one request."""
        logs: Any = self.connections.connect("logs")
        pages = logs.get_paginator("filter_log_events").paginate(logGroupName=self.physical_id(FUNCTIONS_LOG))
        texts = [event["message"] for page in pages for event in page["events"]]
        lines = [json.loads(text) for text in texts if text.startswith("{")]
        return [line for line in lines if request_id is None or line.get("requestId") == request_id]

    def doors(self) -> list[str]:
        """Through which doors calls came, in the order of their lines."""
        return [line["door"] for line in self.log_lines() if "door" in line]

    def eventually(self, holds: Callable[[], bool]) -> bool:
        """Whether it comes to hold while one can be expected to wait."""
        deadline = monotonic() + PATIENCE_SECONDS
        while not (is_so := holds()) and monotonic() < deadline:
            sleep(0.5)
        return is_so


def a_team(bench: Workbench, name: str, *, template: Path | None = None, **parameters: str) -> Team:
    stack = bench.deploy(name, template, TeamName=name, **parameters)
    store = store_at(stack.outputs["TableName"], bench.connections)
    owner = UserItem(id=new_id("usr"), email=f"owner@{name}.example", created_at=system_now())
    founded = found_first(
        store, slug=name, prefix=name.upper(), name=name.title(), owner=owner, handle="owner", new_id=new_id
    )
    print(f"deployed {stack.name}: table {stack.outputs['TableName']}", flush=True)
    client = Client(str(bench.connections.endpoint), stack.api_id, founded.owner_key.raw)
    return Team(name, stack, client, bench)
