"""Functions that Powertools observes write the same lines as the tool path does by hand."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from forge.errors import Internal
from forge.testing.clock import NOON
from forge.testing.world import World
from forge.wire.aws_lambda import edge_handler
from forge.wire.journal import Journal
from forge.wire.observing import Observer, observed, observed_requests
from tests.unit.wire.observations import lines, metrics

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
EVENT = Path(__file__).parents[3] / "docs" / "examples" / "events" / "admin.json"


TRACE = "1-5759e988-bd862e3fe1be46a994272793"
TRACED = """
from forge.wire.observing import observed
observed("relay", lambda event, context, observer: {"rawKey": "swordfish"})({}, None)
"""


class Invocation:
    aws_request_id = "req-1"


def said(event: dict[str, Any], context: Any, observer: Observer) -> dict[str, Any]:
    observer.logger.error("said", exc_info=ValueError(event["text"]))
    return {}


def test_a_line_of_powertools_has_the_form_of_a_line_of_the_journal(
    world: World,
    capsys: pytest.CaptureFixture[str],
) -> None:
    world.rest("workspace.get", key=world.a_key())
    by_hand = json.loads(world.log[0])

    observed("relay", said)({"text": "naïve ☃"}, Invocation())

    written = capsys.readouterr().out
    (line,) = lines(written)
    assert written.count("\n") == 1
    assert '": ' not in written.partition('"exception"')[0]
    common = ["level", "message", "timestamp", "service", "requestId"]
    assert list(line)[:5] == list(by_hand)[:5] == common
    assert TIME.fullmatch(line["timestamp"])
    assert TIME.fullmatch(by_hand["timestamp"])
    assert (line["service"], line["requestId"]) == ("relay", "req-1")
    assert "ValueError: naïve ☃" in line["exception"]


def test_an_unforeseen_failure_is_told_under_the_same_names_by_both(
    capsys: pytest.CaptureFixture[str],
) -> None:
    journaled: list[str] = []

    def fail() -> None:
        raise ValueError("unforeseen")

    with pytest.raises(Internal):
        Journal(lambda: NOON, journaled.append).shielded("req-1", fail)
    observed("relay", said)({"text": "unforeseen"}, Invocation())

    (line,) = lines(capsys.readouterr().out)
    by_hand = json.loads(journaled[0])
    assert by_hand.keys() <= line.keys()
    assert line.keys() - by_hand.keys() == {"exception_name"}


def counted(event: dict[str, Any], context: Any, observer: Observer) -> dict[str, Any]:
    observer.count(done=event["done"], failed=0)
    if event["done"] == 1:
        raise LookupError("nothing else to do")
    return {}


def test_counts_are_of_one_event_each(capsys: pytest.CaptureFixture[str]) -> None:
    handle = observed("sweep", counted)

    handle({"done": 2}, Invocation())
    first = capsys.readouterr().out
    handle({"done": 5}, Invocation())

    assert metrics(first) == {"service": "sweep", "done": 2}
    assert metrics(capsys.readouterr().out) == {"service": "sweep", "done": 5}


def test_counts_of_each_event_are_those_of_the_team_that_the_deployment_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    observer = Observer.of("sweep", {"FORGE_TEAM": "alpha"})

    for _ in range(2):
        observer.count(done=1)
        observer.metrics.flush_metrics()

    for line in capsys.readouterr().out.splitlines():
        published = json.loads(line)
        (described,) = published["_aws"]["CloudWatchMetrics"]
        assert set(described["Dimensions"][0]) == {"service", "team"}
        assert (published["service"], published["team"]) == ("sweep", "alpha")


def test_what_was_counted_before_a_failure_is_published(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(LookupError):
        observed("sweep", counted)({"done": 1}, Invocation())

    assert metrics(capsys.readouterr().out) == {"service": "sweep", "done": 1}


def test_of_what_there_is_none_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    observed("sweep", counted)({"done": 0}, Invocation())

    assert capsys.readouterr().out == ""


def test_nothing_is_traced_unless_the_environment_says_so() -> None:
    assert Observer.of("relay", {}).tracer is None
    assert Observer.of("relay", {"FORGE_TRACING": "PassThrough"}).tracer is None


def test_a_function_that_is_told_to_trace_tells_the_daemon_of_its_work() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as daemon:
        daemon.bind(("127.0.0.1", 0))
        daemon.settimeout(10)
        environment = {
            "FORGE_TRACING": "Active",
            "AWS_XRAY_DAEMON_ADDRESS": f"127.0.0.1:{daemon.getsockname()[1]}",
            # As Lambda sets them where it traces.
            "LAMBDA_TASK_ROOT": "/var/task",
            "_X_AMZN_TRACE_ID": f"Root={TRACE};Parent=53995c3f42cd8ad8;Sampled=1",
        }
        # In a process of its own: tracing changes botocore for good.
        subprocess.run([sys.executable, "-c", TRACED], env=os.environ | environment, check=True)

        _, told = daemon.recv(65_536).decode().split("\n", 1)

    assert json.loads(told)["trace_id"] == TRACE
    assert json.loads(told)["annotations"]["Service"] == "relay"
    assert "swordfish" not in told


@pytest.mark.parametrize(("has_key", "status", "refused"), [(True, 200, {}), (False, 401, {"refused": 1})])
def test_requests_are_counted_by_how_they_end(
    has_key: bool,
    status: int,
    refused: dict[str, int],
    stored_world: World,
    capsys: pytest.CaptureFixture[str],
) -> None:
    event = json.loads(EVENT.read_text())
    if has_key:
        event["headers"]["authorization"] = f"Bearer {stored_world.owner_key()}"
    handle = observed_requests("admin", edge_handler(stored_world.edge))

    answer = handle(event, Invocation())

    assert answer["statusCode"] == status
    assert metrics(capsys.readouterr().out) == {"service": "admin", "calls": 1, **refused}
