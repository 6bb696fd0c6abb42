"""`POST /api/admin/export` answers with the lines where it can, and with an order where it can not."""

import json

import pytest

from forge.store.store import Store
from forge.testing.world import World
from forge.wire.aws_lambda import edge_handler
from forge.wire.edge import Options
from forge.wire.exporting import LONGEST_WAIT, MAX_ANSWER_BYTES
from forge.wire.http import Response
from forge.wire.paths import EXPORT_PATH
from forge.work.workspace import jobs
from tests.unit.admin.exporting import Exporter, read
from tests.unit.wire.events import an_event
from tests.unit.wire.waiting import Waiting


@pytest.fixture
def exporter(store: Store, waiting: Waiting) -> Exporter:
    return Exporter(World(store=store, options=Options(wait=waiting)))


def export(exporter: Exporter, **headers: str) -> Response:
    return exporter.world.admin("export", "", key=exporter.owner_key, headers=headers)


def test_the_answer_is_the_lines_once_they_are_written(exporter: Exporter, waiting: Waiting) -> None:
    exporter.call("issues.create", {"title": "Ship"})
    waiting.meanwhile = lambda: exporter.work() if waiting.seconds == 2 else None

    answer = export(exporter)

    assert (answer.status, answer.headers["content-type"]) == (200, "application/x-ndjson")
    lines = read(answer.body)
    assert lines.end["items"] == len(lines.items)
    assert waiting.seconds == 2


def test_nobody_waits_longer_than_a_call_may_take(exporter: Exporter, waiting: Waiting) -> None:
    answer = export(exporter)

    told = json.loads(answer.body)
    assert (answer.status, told["status"]) == (202, "PENDING")
    assert exporter.find(told["exportId"]).status == "PENDING"
    assert waiting.seconds == LONGEST_WAIT


def test_a_call_that_must_be_over_soon_does_not_wait(exporter: Exporter, waiting: Waiting) -> None:
    exporter.world.seconds = 2.5

    assert export(exporter).status == 202
    assert waiting.seconds == 0


def test_who_prefers_not_to_wait_does_not(exporter: Exporter, waiting: Waiting) -> None:
    answer = export(exporter, prefer="respond-async")

    assert (answer.status, answer.headers["preference-applied"]) == (202, "respond-async")
    assert waiting.seconds == 0


def test_what_is_too_much_for_an_answer_is_fetched(exporter: Exporter, waiting: Waiting) -> None:
    issue = exporter.call("issues.create", {"title": "Ship"})
    long = "\N{DRAGON}" * 25_000
    for _ in range(MAX_ANSWER_BYTES // len(long.encode()) + 1):
        exporter.call("comments.create", {"issueId": issue["id"], "body": long})
    waiting.meanwhile = lambda: exporter.work()

    answer = export(exporter)

    told = json.loads(answer.body)
    shown = exporter.call("exports.get", {"exportId": told["exportId"]})
    assert (answer.status, told["status"]) == (202, "DONE")
    assert shown["bytes"] > MAX_ANSWER_BYTES
    assert shown["url"]


def test_what_lambda_can_not_carry_is_fetched_though_it_is_not_too_much(
    exporter: Exporter, waiting: Waiting
) -> None:
    """Quotation marks are escaped once in the lines, and a second time in what Lambda sends."""
    issue = exporter.call("issues.create", {"title": "Ship"})
    long = '"' * 50_000
    for _ in range(MAX_ANSWER_BYTES // (2 * len(long)) - 1):
        exporter.call("comments.create", {"issueId": issue["id"], "body": long})
    waiting.meanwhile = lambda: exporter.work()

    told = json.loads(export(exporter).body)

    shown = exporter.call("exports.get", {"exportId": told["exportId"]})
    assert told["status"] == "DONE"
    assert shown["bytes"] <= MAX_ANSWER_BYTES


def test_an_export_that_failed_meanwhile_is_told(exporter: Exporter, waiting: Waiting) -> None:
    def give_up() -> None:
        order = exporter.find(json.loads(exporter.messages()[0].body)["exportId"])
        jobs.save(
            exporter.worker, order.failed(exporter.world.clock(), "Out of luck."), "export", action="fail"
        )

    waiting.meanwhile = lambda: give_up() if waiting.seconds == 1 else None

    answer = export(exporter)

    error = json.loads(answer.body)
    assert (answer.status, error["error"]) == (503, "unavailable")
    assert exporter.find(error["details"]["exportId"]).status == "FAILED"


def test_a_repeated_call_gets_the_same_lines(exporter: Exporter, waiting: Waiting) -> None:
    waiting.meanwhile = lambda: exporter.work()
    first = export(exporter, **{"idempotency-key": "nightly"})
    exporter.call("issues.create", {"title": "Later"})

    assert export(exporter, **{"idempotency-key": "nightly"}).body == first.body


def test_the_log_has_one_line_of_a_call_however_long_it_waits(exporter: Exporter) -> None:
    before = len(exporter.world.log)

    export(exporter)

    (line,) = map(json.loads, exporter.world.log[before:])
    assert (line["operation"], line["outcome"]) == ("export", "ok")


def test_an_export_is_ordered_with_post(exporter: Exporter) -> None:
    answer = exporter.world.send("", method="GET", path=EXPORT_PATH, key=exporter.owner_key)

    assert (answer.status, answer.headers["allow"]) == (405, "POST")


def test_lambda_hands_the_lines_out_as_they_are(exporter: Exporter, waiting: Waiting) -> None:
    waiting.meanwhile = lambda: exporter.work()
    event = an_event("{}", path=EXPORT_PATH, key=exporter.owner_key)

    result = edge_handler(exporter.world.edge)(event, None)

    assert result["statusCode"] == 200
    assert read(result["body"]).about["workspace"]["slug"] == "demo"
