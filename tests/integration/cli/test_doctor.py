"""`forge doctor` on a healthy stack, on broken ones, with few rights, and on the local Forge."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Thread
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse

from forge import __version__
from forge.cli.bootstrap import store_at
from forge.cli.doctor import deployments
from forge.cli.doctor.checkup import Checkup
from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Finding, Level, worst_of
from forge.cli.emulator import CREDENTIALS, REGION
from forge.clock import system_now
from forge.store.connections import Connections
from forge.store.operators import operators_like
from forge.store.physical import INDEXES, QUEUES, TTL
from forge.testing.clock import NOON
from forge.testing.world import World
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus, ReceiverType
from forge.work.plans.waits.waits import WaitItem, WaitKind
from infra.stack.data import TABLE, data_resources
from infra.stack.parameters import CONDITIONS, PARAMETERS
from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import eventually, forge
from tests.workshop.office import Office

OK, WARN, FAIL = Level.OK, Level.WARN, Level.FAIL
MACHINE = {"StartAt": "Waiting", "States": {"Waiting": {"Type": "Wait", "Seconds": 3600, "End": True}}}
CHECKS = {"table", "indexes", "stream", "backups", "queues", "dead letters", "versions", "executions", "keys"}
_numbers = count(1)


class _Answering(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = json.dumps({"status": "ok", "version": __version__}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def answering() -> Iterator[str]:
    """The address of something that answers as this version does."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answering) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def deployed(operators: Connections, **of_table: Any) -> str:
    """A stack with everything that keeps state, as the template has it; the name of it."""
    name = f"doctor-{next(_numbers)}"
    resources = data_resources()
    resources[TABLE]["Properties"] |= of_table
    template = {
        "Parameters": {"RetainData": PARAMETERS["RetainData"]},
        "Conditions": {"KeepsData": CONDITIONS["KeepsData"]},
        "Resources": resources,
    }
    client = operators.connect("cloudformation")
    client.create_stack(StackName=name, TemplateBody=json.dumps(template))
    eventually(
        lambda: client.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE", name
    )
    return name


def complete(operators: Connections, table: str) -> None:
    """What the emulator leaves out of the template."""
    client = operators.dynamodb()
    client.update_continuous_backups(
        TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    client.update_time_to_live(
        TableName=table, TimeToLiveSpecification={"Enabled": True, "AttributeName": TTL}
    )


@pytest.fixture(scope="module")
def operators(served_connections: Connections) -> Connections:
    return operators_like(served_connections)


def found_in(operators: Connections, stack: str, answering: str) -> Deployment:
    deployment = deployments.of_stack(operators, stack)
    complete(operators, deployment.table_name)
    machine = operators.stepfunctions().create_state_machine(
        name=f"{stack}-approval", definition=json.dumps(MACHINE), roleArn="arn:aws:iam::000000000000:role/x"
    )
    return replace(deployment, machines={"plan_approval": machine["stateMachineArn"]}, url=answering)


@pytest.fixture
def deployment(operators: Connections, answering: str) -> Deployment:
    return found_in(operators, deployed(operators), answering)


@pytest.fixture
def office(deployment: Deployment) -> Office:
    """A workspace in it, founded now: keys are judged by the time of this machine."""
    world = World(store=store_at(deployment.table_name, deployment.connections))
    world.clock.advance(seconds=(system_now() - NOON).total_seconds())
    return Office(world)


def examined(deployment: Deployment, **how: Any) -> list[Finding]:
    checkup = Checkup(deployment, how.pop("version", __version__), system_now(), **how)
    return list(checkup.findings())


def problems(deployment: Deployment, **how: Any) -> list[tuple[str, Level]]:
    found = [one for one in examined(deployment, **how) if one.level in (WARN, FAIL)]
    assert all(one.next for one in found)
    return [(one.check, one.level) for one in found]


def test_a_healthy_stack_has_no_problem(deployment: Deployment, office: Office) -> None:
    a_wait(deployment, office, is_running=True)

    found = examined(deployment)

    assert [one for one in found if one.level in (WARN, FAIL)] == []
    assert {one.check for one in found} >= {
        "table",
        "indexes",
        "stream",
        "backups",
        "queues",
        "executions",
        "keys",
    }


def test_an_index_that_is_missing(operators: Connections, answering: str) -> None:
    stack = deployed(
        operators, GlobalSecondaryIndexes=data_resources()[TABLE]["Properties"]["GlobalSecondaryIndexes"][:-1]
    )

    found = examined(found_in(operators, stack, answering))

    assert [one.message for one in found if one.check == "indexes"] == [
        f"{INDEXES[-1].name} is missing ({INDEXES[-1].purpose})."
    ]
    assert worst_of(found) is FAIL


def test_a_stream_that_is_off(deployment: Deployment, office: Office) -> None:
    deployment.connections.dynamodb().update_table(
        TableName=deployment.table_name, StreamSpecification={"StreamEnabled": False}
    )

    assert problems(deployment) == [("stream", FAIL)]


def test_a_table_that_cannot_be_restored(deployment: Deployment, office: Office) -> None:
    deployment.connections.dynamodb().update_continuous_backups(
        TableName=deployment.table_name,
        PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": False},
    )

    assert problems(deployment) == [("backups", FAIL)]


def test_a_queue_that_is_missing(deployment: Deployment, office: Office) -> None:
    deployment.connections.sqs().delete_queue(QueueUrl=deployment.queues["tasks"])

    assert ("queues", FAIL) in problems(deployment)


def test_letters_that_are_dead(deployment: Deployment, office: Office) -> None:
    sqs = deployment.connections.sqs()
    told = sqs.get_queue_attributes(QueueUrl=deployment.queues["tasks"], AttributeNames=["RedrivePolicy"])
    dead = json.loads(told["Attributes"]["RedrivePolicy"])["deadLetterTargetArn"].rpartition(":")[2]
    sqs.send_message(QueueUrl=sqs.get_queue_url(QueueName=dead)["QueueUrl"], MessageBody="{}")

    assert problems(deployment) == [("dead letters", FAIL)]


def test_keys_that_end_or_have_ended(deployment: Deployment, office: Office) -> None:
    office.world.a_key(expires_in_days=3)
    office.world.clock.advance(days=-9)
    office.world.a_key(expires_in_days=2)

    assert problems(deployment) == [("keys", WARN), ("keys", WARN)]


def test_a_webhook_that_is_dead(deployment: Deployment, office: Office) -> None:
    now = system_now()
    office.put(
        DeliveryItem(
            workspace_id=office.workspace.id,
            id="whd_1",
            event_id="evt_1",
            event_kind="ISSUE_CREATED",
            target_type=ReceiverType.WEBHOOK,
            target_id="whk_1",
            body="{}",
            status=DeliveryStatus.DEAD_LETTER,
            response_status=503,
            created_at=now,
            scheduled_at=now,
        )
    )

    assert problems(deployment) == [("webhooks", FAIL)]


def test_a_clock_that_is_wrong(deployment: Deployment, office: Office) -> None:
    assert problems(deployment, skew=timedelta(minutes=6)) == [("clock", FAIL)]


def a_wait(deployment: Deployment, office: Office, *, is_running: bool) -> None:
    now = system_now()
    wait = WaitItem(
        workspace_id=office.workspace.id,
        id="ar_1-1",
        kind=WaitKind.PLAN_APPROVAL,
        subject_id="ar_1",
        plan_id="plan_1",
        reached_at=now,
        created_at=now,
        executions=1,
        look_at=now + timedelta(days=1),
    )
    office.put(wait)
    if is_running:
        machine = deployment.machines["plan_approval"]
        deployment.connections.stepfunctions().start_execution(stateMachineArn=machine, name="ar_1-1-1")


def test_an_execution_that_should_run_and_does_not(deployment: Deployment, office: Office) -> None:
    a_wait(deployment, office, is_running=False)

    assert problems(deployment) == [("executions", FAIL)]


def test_a_command_of_another_version(deployment: Deployment, office: Office) -> None:
    assert problems(deployment, version="9.9.9") == [("versions", WARN)]


def test_a_stack_that_nobody_answers_for(deployment: Deployment, office: Office) -> None:
    assert problems(replace(deployment, url="http://127.0.0.1:1")) == [("versions", FAIL)]


def test_without_a_workspace_one_is_told_to_make_the_first(deployment: Deployment) -> None:
    assert problems(deployment) == [("workspaces", WARN)]


def test_a_right_that_is_missing_hides_nothing_else(deployment: Deployment, office: Office) -> None:
    told = {
        "__type": "AccessDenied",
        "message": "User: ada is not authorized to perform: sqs:GetQueueAttributes on resource: q",
    }
    restricted = operators_like(deployment.connections)
    restricted.sqs().meta.events.register(
        "before-send.sqs.*", lambda request, **_: _answer(request.url, json.dumps(told).encode())
    )

    found = examined(replace(deployment, connections=restricted))

    missing = [one for one in found if one.level is WARN]
    assert [one.check for one in missing] == ["queues", "queue age", "dead letters"]
    assert all("sqs:GetQueueAttributes" in one.message for one in missing)
    assert worst_of(found) is WARN


def _answer(url: str, body: bytes) -> Any:
    class Body:
        def stream(self, amount: int = 1024, decode_content: bool | None = None) -> Iterator[bytes]:
            yield body

    headers: Any = {"content-type": "application/x-amz-json-1.0"}
    return AWSResponse(url, 403, headers, Body())


def environment(operators: Connections) -> dict[str, str]:
    return {
        "AWS_REGION": REGION,
        "AWS_ENDPOINT_URL": str(operators.endpoint),
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
    }


def test_the_command_finds_a_stack_by_its_name_or_by_its_table(
    deployment: Deployment, office: Office
) -> None:
    stack = deployment.called.removeprefix("stack ")

    for named in (("--stack", stack), ("--table", deployment.table_name)):
        done = forge("doctor", *named, "--json", **environment(deployment.connections))

        told = json.loads(done.stdout)
        checks = {one["check"]: one["level"] for one in told["findings"]}
        assert (done.returncode, done.stderr, told["worst"]) == (0, "", "skip")
        assert (checks["queues"], checks["table"], checks["keys"]) == ("ok", "ok", "ok")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--stack", "nobody"), 2),
        (("--table", "nobody"), 1),
        (("--home", "/nowhere"), 2),
    ],
)
def test_what_is_not_there_is_told_without_a_trace(
    operators: Connections, words: tuple[str, str], code: int
) -> None:
    done = forge("doctor", *words, **environment(operators))

    assert done.returncode == code
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stdout + done.stderr


def test_a_workspace_that_is_named_is_looked_at_alone(deployment: Deployment, office: Office) -> None:
    office.world.add_workspace("other")
    office.world.a_key(expires_in_days=3)

    assert problems(deployment, named=("other",)) == []
    assert problems(deployment, named=(office.workspace.id,)) == [("keys", WARN)]


def test_a_local_forge_is_well(dev: Dev) -> None:
    done = forge("doctor", "--home", str(dev.home))

    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert all(line.startswith(("✓ ok", "– skip")) for line in lines), done.stdout
    assert any("queues" in line and f"All {len(QUEUES)}" in line for line in lines)
