"""The worker of exports, with the events that Lambda sends it: what it does, answers and counts."""

import json
from typing import Any

import pytest

from forge.store.store import Store
from forge.testing.world import World
from forge.wire.workers import exports_handler
from tests.unit.admin.exporting import Exporter
from tests.unit.wire.observations import metrics
from tests.unit.wire.test_workers import an_event


class Lambda:
    """What Lambda tells a function of the time that it has."""

    def __init__(self, milliseconds: int) -> None:
        self._milliseconds = milliseconds
        self.function_name = self.aws_request_id = "exports"

    def get_remaining_time_in_millis(self) -> int:
        return self._milliseconds


def about(exporter: Exporter, export_id: str) -> dict[str, Any]:
    event = an_event("exports")
    message = {"workspaceId": exporter.workspace.id, "exportId": export_id}
    event["Records"][0]["body"] = json.dumps(message)
    return event


@pytest.fixture
def exporter(store: Store) -> Exporter:
    return Exporter(World(store=store))


def test_an_order_is_carried_out_and_counted(exporter: Exporter, capsys: pytest.CaptureFixture[str]) -> None:
    export_id = exporter.order()
    handle = exports_handler(lambda: exporter.world.services)

    answer = handle(about(exporter, export_id), Lambda(900_000))

    assert answer == {"batchItemFailures": []}
    assert exporter.find(export_id).status == "DONE"
    assert metrics(capsys.readouterr().out) == {"service": "exports", "exported": 1}


def test_a_message_that_nobody_can_read_is_reported(exporter: Exporter) -> None:
    event = about(exporter, "exp_1")
    event["Records"][0]["body"] = "{}"
    handle = exports_handler(lambda: exporter.world.services)

    answer = handle(event, Lambda(900_000))

    assert len(answer["batchItemFailures"]) == 1
