"""`/healthz?deep=1`: what it asks, how often, and what it never tells."""

import json
from dataclasses import replace
from typing import Any

import pytest

from forge.store.blobs import Blobs
from forge.store.connections import Connections
from forge.store.probes import answering
from forge.store.queues import Queues
from forge.store.store import Store
from forge.store.table import Table
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.wire.http import Response

WELL = {"table": "ok", "bucket": "ok", "queues": "ok"}


def deep(world: World) -> Response:
    return world.send("", method="GET", path="/healthz", query={"deep": "1"})


def checks(answer: Response) -> Any:
    return json.loads(answer.body)["checks"]


def test_all_is_well_where_everything_answers(stored_world: World) -> None:
    answer = deep(stored_world)

    assert (answer.status, checks(answer)) == (200, WELL)
    assert json.loads(answer.body)["status"] == "ok"


@pytest.mark.parametrize("missing", ["table", "bucket", "queues"])
def test_whatever_is_not_there_makes_it_unavailable(
    store: Store, connections: Connections, missing: str
) -> None:
    parts: dict[str, Any] = {
        "table": Table("nobody", connections.tables),
        "blobs": Blobs("forge-nobody", connections.s3),
        "queues": Queues({"tasks": f"{connections.endpoint}/000000000000/nobody"}, connections.sqs),
    }
    name = "blobs" if missing == "bucket" else missing
    known = answering(replace(store, **{name: parts[name]}))

    assert known == {one: one != missing for one in WELL}


def test_nobody_is_told_names_or_reasons(stored_world: World) -> None:
    stored_world.edge.services.store.blobs.bucket = "forge-nobody"

    answer = deep(stored_world)

    assert answer.status == 503
    assert checks(answer) == {**WELL, "bucket": "unavailable"}
    assert set(json.loads(answer.body)) == {"status", "checks", "name", "version", "gitSha", "buildTime"}
    assert "nobody" not in answer.body
    assert "retry-after" in answer.headers


def test_asking_again_asks_nobody(store: Store) -> None:
    counter = Counter()
    world = World(store=watched(store, counter))
    counter.sent.clear()

    answers = [deep(world) for _ in range(3)]

    assert [sent.operation for sent in counter.sent] == ["GetItem"]
    assert {answer.body for answer in answers} == {answers[0].body}


def test_where_time_is_over_nothing_more_is_asked(store: Store) -> None:
    later = iter([0.0, 1.0, 5.0, 5.0])

    assert answering(store, clock=later.__next__) == {"table": True, "bucket": False, "queues": False}


def test_the_plain_one_asks_nobody() -> None:
    answer = World().send("", method="GET", path="/healthz")

    assert answer.status == 200
    assert "checks" not in json.loads(answer.body)
