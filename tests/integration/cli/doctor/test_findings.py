"""What the doctor finds in a healthy stack, in broken ones, and with few rights."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from botocore.awsrequest import AWSResponse

from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Level, worst_of
from forge.clock import system_now
from forge.store.connections import Connections
from forge.store.operators import operators_like
from forge.store.physical import INDEXES
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus, ReceiverType
from forge.work.plans.waits.waits import WaitItem, WaitKind
from infra.stack.data import TABLE, data_resources
from tests.integration.cli.doctor.stacks import deployed, examined, found_in, problems
from tests.workshop.office import Office

OK, WARN, FAIL = Level.OK, Level.WARN, Level.FAIL
CHECKS = {"table", "indexes", "stream", "backups", "queues", "dead letters", "versions", "executions", "keys"}


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


def test_a_workspace_that_is_named_is_looked_at_alone(deployment: Deployment, office: Office) -> None:
    office.world.add_workspace("other")
    office.world.a_key(expires_in_days=3)

    assert problems(deployment, named=("other",)) == []
    assert problems(deployment, named=(office.workspace.id,)) == [("keys", WARN)]


def test_whoever_may_not_scan_sees_the_workspaces_with_something_due(
    deployment: Deployment, office: Office
) -> None:
    a_wait(deployment, office, is_running=True)
    restricted = operators_like(deployment.connections)
    told = {"__type": "AccessDeniedException", "message": "not authorized to perform: dynamodb:Scan"}
    restricted.dynamodb().meta.events.register(
        "before-send.dynamodb.Scan", lambda request, **_: _answer(request.url, json.dumps(told).encode())
    )

    found = examined(replace(deployment, connections=restricted))

    (known,) = [one for one in found if one.check == "workspaces"]
    assert (known.level, known.message) == (OK, f"Looked at: {office.workspace.slug}.")
    assert "--workspace" in known.next
