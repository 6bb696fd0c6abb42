"""Creates what the physical description says, where no template does: on one machine and in tests."""

from forge.store.blobs import Blobs
from forge.store.connections import Connections
from forge.store.physical import QUEUES, TTL, table_definition
from forge.store.queues import Queues
from forge.store.store import Store
from forge.store.table import Table


def provision(connections: Connections, name: str) -> Store:
    """A store with everything in place; what exists is left as it is, so a restart finds its state."""
    _create_table(connections, name)
    _create_bucket(connections, name)
    urls = {queue.name: _create_queue(connections, f"{name}-{queue.name}") for queue in QUEUES}
    return Store(
        Table(name, connections.dynamodb), Blobs(name, connections.s3), Queues(urls, connections.sqs)
    )


def _create_table(connections: Connections, name: str) -> None:
    client = connections.dynamodb()
    definition = table_definition()
    definition["StreamSpecification"]["StreamEnabled"] = True
    try:
        client.create_table(TableName=name, **definition)
    except client.exceptions.ResourceInUseException:
        return
    client.get_waiter("table_exists").wait(TableName=name)
    client.update_time_to_live(
        TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": TTL}
    )


def _create_bucket(connections: Connections, name: str) -> None:
    client = connections.s3()
    existing = {bucket.get("Name") for bucket in client.list_buckets().get("Buckets", [])}
    if name not in existing:
        client.create_bucket(Bucket=name)


def _create_queue(connections: Connections, name: str) -> str:
    return connections.sqs().create_queue(QueueName=name)["QueueUrl"]
