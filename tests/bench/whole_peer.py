"""An ordinary function on boto3 that asks DynamoDB for the same. Runs in the peers' environment.

It checks nothing, decides nothing and logs nothing: it takes Python values, sends them, and gives back what
came.
"""

import importlib
import json
import os
from decimal import Decimal
from functools import partial
from typing import Any

from tests.bench import recordings
from tests.bench.recordings import Exchanged, Recording
from tests.bench.worker import Task, serve

boto3: Any = importlib.import_module("boto3")
botocore: Any = importlib.import_module("botocore")
types: Any = importlib.import_module("boto3.dynamodb.types")
"""By name: it is missing where types are checked."""

_client = boto3.client("dynamodb")
_serialize = types.TypeSerializer().serialize
_deserialize = types.TypeDeserializer().deserialize

_TYPED = ("Key", "Item", "ExpressionAttributeValues", "ExclusiveStartKey")

Values = dict[str, Any]


def handle(requests: list[tuple[str, Values]], event: Values, context: object) -> Values:
    json.loads(event["body"])
    found = []
    for operation, parameters in requests:
        answer = getattr(_client, botocore.xform_name(operation))(**_typed(operation, parameters))
        found += [_plain_item(item) for item in _items(answer)]
    body = json.dumps({"data": found}, default=_as_json)
    return {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": body}


def _typed(operation: str, parameters: Values) -> Values:
    if operation == "TransactWriteItems":
        writes = [
            {verb: _typed_members(write) for verb, write in one.items()}
            for one in parameters["TransactItems"]
        ]
        return parameters | {"TransactItems": writes}
    if operation == "BatchGetItem":
        wanted = {
            table: how | {"Keys": [_typed_item(key) for key in how["Keys"]]}
            for table, how in parameters["RequestItems"].items()
        }
        return parameters | {"RequestItems": wanted}
    return _typed_members(parameters)


def _typed_members(request: Values) -> Values:
    return request | {name: _typed_item(request[name]) for name in _TYPED if name in request}


def _typed_item(item: Values) -> Values:
    return {name: _serialize(value) for name, value in item.items()}


def _plain_item(item: Values) -> Values:
    return {name: _deserialize(value) for name, value in item.items()}


def _items(answer: Values) -> list[Values]:
    if "Responses" in answer:
        return [row for rows in answer["Responses"].values() for row in rows]
    single = [answer[name] for name in ("Item", "Attributes") if name in answer]
    return [*single, *answer.get("Items", ())]


def _as_json(value: object) -> object:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, set):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def _untyped(exchanged: Exchanged) -> tuple[str, Values]:
    """The recorded parameters with Python values, as somebody has them who is about to send them."""
    parameters = exchanged.parameters
    if exchanged.operation == "TransactWriteItems":
        writes = [
            {verb: _untyped_members(write) for verb, write in one.items()}
            for one in parameters["TransactItems"]
        ]
        return exchanged.operation, parameters | {"TransactItems": writes}
    if exchanged.operation == "BatchGetItem":
        wanted = {
            table: how | {"Keys": [_plain_item(key) for key in how["Keys"]]}
            for table, how in parameters["RequestItems"].items()
        }
        return exchanged.operation, parameters | {"RequestItems": wanted}
    return exchanged.operation, _untyped_members(parameters)


def _untyped_members(request: Values) -> Values:
    return request | {name: _plain_item(request[name]) for name in _TYPED if name in request}


def task(recording: Recording) -> Task:
    requests = [_untyped(one) for one in recording.exchanged]
    return partial(handle, requests, recording.event, None)


if __name__ == "__main__":
    found = recordings.load(os.environ[recordings.VARIABLE])
    serve({name: task(recording) for name, recording in found.items()})
