"""Creates what the physical description says, where no template does: on one machine and in tests."""

from contextlib import suppress
from typing import TYPE_CHECKING

from forge.jsontext import encode
from forge.store.blobs import Blobs
from forge.store.connections import Connections
from forge.store.physical import EXPIRIES, QUEUES, TTL, Queue, table_definition
from forge.store.queues import Queues
from forge.store.secrets import Secrets
from forge.store.store import Store
from forge.store.table import Table

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import LifecycleRuleTypeDef
    from mypy_boto3_sqs.literals import QueueAttributeNameType


def provision(connections: Connections, name: str, *, by: Connections | None = None) -> Store:
    """A store with everything in place; what exists is left as it is, so a restart finds its state.

    What is missing is made by the other connections, if there are any: of operators, who have time.
    """
    making = by or connections
    _create_table(making, name)
    _create_bucket(making, name)
    urls = {queue.name: _create_queue(making, f"{name}-{queue.name}", queue) for queue in QUEUES}
    return Store(
        Table(name, connections.tables),
        Blobs(name, connections.s3, connections.patient_s3),
        Queues(urls, connections.sqs),
        secrets=Secrets(connections.secrets),
    )


def _create_table(connections: Connections, name: str) -> None:
    client = connections.dynamodb()
    definition = table_definition()
    definition["StreamSpecification"]["StreamEnabled"] = True
    try:
        client.create_table(TableName=name, **definition)
    except client.exceptions.ResourceInUseException:
        # It is there, but whoever made it may not have come further than this.
        described = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
        if described.get("TimeToLiveStatus") in ("ENABLED", "ENABLING"):
            return
    client.get_waiter("table_exists").wait(TableName=name)
    try:
        client.update_time_to_live(
            TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": TTL}
        )
    except client.exceptions.ClientError as error:
        # Somebody else who came at the same moment was a little sooner.
        if "already enabled" not in str(error):
            raise


def _create_bucket(connections: Connections, name: str) -> None:
    client = connections.s3()
    # It may be there, and of an older build, which had no rule.
    with suppress(client.exceptions.BucketAlreadyOwnedByYou, client.exceptions.BucketAlreadyExists):
        client.create_bucket(Bucket=name)
    rules: list[LifecycleRuleTypeDef] = [
        {
            "ID": prefix.rstrip("/"),
            "Status": "Enabled",
            "Filter": {"Prefix": prefix},
            "Expiration": {"Days": days},
        }
        for prefix, days in EXPIRIES.items()
    ]
    client.put_bucket_lifecycle_configuration(Bucket=name, LifecycleConfiguration={"Rules": rules})


def _create_queue(connections: Connections, name: str, queue: Queue) -> str:
    client = connections.sqs()
    kind: dict[QueueAttributeNameType, str] = {"FifoQueue": "true"} if queue.is_fifo else {}
    dead = client.create_queue(QueueName=f"{name}-dead{queue.ending}", Attributes=kind)["QueueUrl"]
    described = client.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])
    redrive = {
        "deadLetterTargetArn": described["Attributes"]["QueueArn"],
        "maxReceiveCount": queue.max_receive_count,
    }
    attributes: dict[QueueAttributeNameType, str] = kind | {
        "VisibilityTimeout": str(queue.visibility_seconds),
        "RedrivePolicy": encode(redrive),
    }
    return client.create_queue(QueueName=f"{name}{queue.ending}", Attributes=attributes)["QueueUrl"]
