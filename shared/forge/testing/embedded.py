"""Tables in this very process: the emulator's own engine, without a server and a wire between.

Most tests ask DynamoDB hundreds of times, and a request over loopback costs three times as much as answering
it. What is about the wire, about processes or about who comes first uses the emulator itself.
"""

import json
from collections.abc import Coroutine, Iterator
from threading import Lock
from typing import Any

from botocore import UNSIGNED
from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from forge.store.answers import TableAnswer
from forge.store.connections import Connections
from forge.store.dynamodb import DynamoDB

_TARGET = "x-amz-target"
_HANDLERS = {
    "BatchGetItem": "_batch_get_item",
    "BatchWriteItem": "_batch_write_item",
    "GetItem": "_get_item",
    "Query": "_query",
    "TransactWriteItems": "_transact_write_items",
    "UpdateItem": "_update_item",
}
"""What is asked most, and need not be read a second time."""
_CERTAINLY_SMALL = 1_000_000
_lock = Lock()


class _Body:
    """What botocore reads an answer from."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self, amount: int = 1024, decode_content: bool | None = None) -> Iterator[bytes]:
        yield self._content


def embed_tables(connections: Connections) -> Connections:
    """The same AWS, but with its tables here."""
    embedded = Connections(connections.region, connections.endpoint, connections.credentials, send=_send)
    # What a hook before sending returns is taken for the answer, though its type does not say so.
    answer: Any = _answer_botocore
    # Nobody checks a signature here, and making one is a third of a request.
    client = embedded.connect("dynamodb", signature_version=UNSIGNED)
    client.meta.events.register("before-send.dynamodb.*", answer)
    return embedded


def _send(operation: str, body: bytes) -> TableAnswer:
    # Imported with the first request: it is a large module, and only tests that use tables need it.
    from ministack.services import dynamodb

    from forge.testing.engine import keep_quiet, lighten
    from forge.testing.refusals import refusal
    from forge.testing.writes import write_all

    lighten()
    request = json.loads(body)
    if complaint := refusal(operation, request):
        return TableAnswer(400, json.dumps({"__type": "ValidationException", "message": complaint}).encode())
    if operation == "CreateTable":
        keep_quiet(request["TableName"])
    with _lock:
        # Larger ones may be too large, which is the engine's to say.
        if operation == "TransactWriteItems" and len(body) < _CERTAINLY_SMALL and write_all(request):
            return TableAnswer(200, b"{}")
        if operation in _HANDLERS:
            status, _, content = getattr(dynamodb, _HANDLERS[operation])(request)
        else:
            headers = {_TARGET: f"DynamoDB_20120810.{operation}"}
            status, _, content = _finished(dynamodb.handle_request("POST", "/", headers, body, {}))
    return TableAnswer(status, content)


def _finished(answering: Coroutine[Any, Any, Any]) -> Any:
    """The engine waits for nothing, so that it needs no loop."""
    try:
        answering.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("the engine waits for something")


def _answer_botocore(request: AWSPreparedRequest, **_: object) -> AWSResponse:
    target = request.headers["X-Amz-Target"]
    name = target.decode() if isinstance(target, bytes) else str(target)
    sent: Any = request.body
    answer = _send(name.rpartition(".")[2], sent.encode() if isinstance(sent, str) else sent)
    headers: Any = {"content-type": "application/x-amz-json-1.0"}
    return AWSResponse(request.url, answer.status, headers, _Body(answer.body))


ask = DynamoDB(_send).ask
"""Ask the tables without connections: `ask("Scan", {…})`."""
