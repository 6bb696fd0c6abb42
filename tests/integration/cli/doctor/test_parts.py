"""What the doctor reads of the parts around a table: consumers, layers, ages, the secret, the bucket."""

import io
import zipfile
from dataclasses import replace

import pytest

from forge.cli.doctor import deployments, messages
from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Level
from forge.store.connections import Connections
from tests.integration.cli.doctor.stacks import examined, problems
from tests.integration.cli.processes import eventually

ROLE = "arn:aws:iam::000000000000:role/x"

pytestmark = pytest.mark.usefixtures("office")


def a_function(operators: Connections, name: str, *layers: str) -> str:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("app.py", "def handler(event, context): return {}")
    made = operators.functions().create_function(
        FunctionName=name,
        Runtime="python3.11",
        Role=ROLE,
        Handler="app.handler",
        Code={"ZipFile": file.getvalue()},
        Layers=list(layers),
    )
    return made["FunctionName"]


def a_layer(operators: Connections) -> str:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("python/forge.py", "")
    made = operators.functions().publish_layer_version(
        LayerName="SharedLayer", Content={"ZipFile": file.getvalue()}
    )
    return made["LayerVersionArn"]


def queue_arn(deployment: Deployment, name: str) -> str:
    told = deployment.connections.sqs().get_queue_attributes(
        QueueUrl=deployment.queues[name], AttributeNames=["QueueArn"]
    )
    return told["Attributes"]["QueueArn"]


def test_a_consumer_that_somebody_switched_off(deployment: Deployment) -> None:
    client = deployment.connections.functions()
    function = a_function(deployment.connections, f"{deployment.table_name}-tasks")
    mapping = client.create_event_source_mapping(
        EventSourceArn=queue_arn(deployment, "tasks"), FunctionName=function, BatchSize=1
    )["UUID"]
    fed = replace(deployment, mappings=(mapping,))

    assert problems(fed) == []

    client.update_event_source_mapping(UUID=mapping, Enabled=False)
    eventually(lambda: client.get_event_source_mapping(UUID=mapping)["State"] == "Disabled", "an end")

    assert problems(fed) == [(messages.FED, Level.FAIL)]


def test_functions_of_two_deployments(deployment: Deployment) -> None:
    operators = deployment.connections
    old, new = a_layer(operators), a_layer(operators)
    names = [f"{deployment.table_name}-{number}" for number in range(2)]
    one, other = a_function(operators, names[0], old), a_function(operators, names[1], new)

    assert problems(replace(deployment, functions=(one,))) == []
    assert problems(replace(deployment, functions=(one, other))) == [("versions", Level.FAIL)]


def test_a_message_whose_age_nobody_has_counted_yet(deployment: Deployment) -> None:
    deployment.connections.sqs().send_message(QueueUrl=deployment.queues["tasks"], MessageBody="{}")

    found = {one.check: one for one in examined(deployment)}

    assert (found["queues"].level, found["queue age"].level) == (Level.OK, Level.OK)
    assert "1 messages wait" in found["queues"].message


def test_a_bucket_that_is_gone(deployment: Deployment) -> None:
    deployment.connections.s3().delete_bucket(Bucket=deployment.bucket)

    assert problems(deployment) == [("bucket", Level.FAIL)]


def test_a_secret_that_is_about_to_be_deleted(deployment: Deployment) -> None:
    deployment.connections.secrets().delete_secret(SecretId=deployment.token_secret)

    assert problems(deployment) == [("token secret", Level.FAIL)]


def test_a_table_without_a_stack_is_looked_at_alone(deployment: Deployment) -> None:
    client = deployment.connections.dynamodb()
    arn = deployment.described["Table"]["TableArn"]
    client.untag_resource(ResourceArn=arn, TagKeys=["aws:cloudformation:stack-name"])

    alone = deployments.of_table(deployment.connections, deployment.table_name)
    found = {one.check: one.level for one in examined(alone)}

    assert found["table"] is Level.OK
    assert {found[name] for name in ("queues", "dead letters", "consumers", "executions", "versions")} == {
        Level.SKIP
    }
