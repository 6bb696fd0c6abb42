"""Follows the table's stream, as the relay's event source mapping does in AWS."""

from collections.abc import Iterator
from typing import Any, Protocol

from botocore.exceptions import ClientError

from forge.store.connections import Connections
from forge.store.readings import Attributes

_BATCH = 1_000


class Follower(Protocol):
    def new_images(self) -> Iterator[Attributes]:
        """Every item written since the last call, as it became."""
        ...


class StreamFollower:
    """Reads what is written from now on. What was written before is the sweep's."""

    def __init__(self, connections: Connections, table_name: str) -> None:
        self._client = connections.connect("dynamodbstreams")
        described = connections.dynamodb().describe_table(TableName=table_name)["Table"]
        self._stream = described["LatestStreamArn"]
        self._iterators: dict[str, str | None] = {}
        self._find_shards("LATEST")

    def new_images(self) -> Iterator[Attributes]:
        """Every item written since the last call, as it became."""
        self._find_shards("TRIM_HORIZON")
        for shard, iterator in list(self._iterators.items()):
            if iterator is None:
                continue
            answer = self._records_at(iterator)
            self._iterators[shard] = answer.get("NextShardIterator")
            for written in answer["Records"]:
                image = written["dynamodb"].get("NewImage")
                if image is not None:
                    yield image

    def _records_at(self, iterator: str) -> Any:
        try:
            return self._client.get_records(ShardIterator=iterator, Limit=_BATCH)
        except ClientError:
            # It is too old, or of a stream that is gone: going on from there would fail forever.
            self._iterators.clear()
            self._find_shards("LATEST")
            raise

    def _find_shards(self, start: str) -> None:
        description: dict[str, Any] = self._client.describe_stream(StreamArn=self._stream)[
            "StreamDescription"
        ]
        for shard in description["Shards"]:
            name = shard["ShardId"]
            if name not in self._iterators:
                self._iterators[name] = self._client.get_shard_iterator(
                    StreamArn=self._stream, ShardId=name, ShardIteratorType=start
                )["ShardIterator"]
