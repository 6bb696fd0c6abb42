"""What goes through botocore: its errors said in our words, and DynamoDB where our own way does not lead."""

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from forge.store.answers import NoAnswer, Refused, TableAnswer

if TYPE_CHECKING:
    from botocore.exceptions import ClientError
    from mypy_boto3_dynamodb import DynamoDBClient

ResultT = TypeVar("ResultT")

_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


def in_our_words(call: Callable[[], ResultT]) -> Callable[[], ResultT]:
    """The same call of a botocore client; when it fails, it is Refused or there is NoAnswer."""

    def make() -> ResultT:
        # Loaded with the client anyway; at the top it would slow every cold start.
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            return call()
        except ClientError as error:
            raise _refusal(error) from error
        except BotoCoreError as error:
            raise NoAnswer(str(error)) from error

    return make


class BotocoreRequests:
    """For `DynamoDB`: sends by botocore's own client.

    It finds credentials and proxies of every kind, and is what can be replaced by an emulator that takes
    botocore's place on the network.
    """

    def __init__(self, connect: Callable[[], "DynamoDBClient"]) -> None:
        self._connect = connect

    def __call__(self, operation: str, body: bytes) -> TableAnswer:
        method = _WORD_START.sub("_", operation).lower()
        try:
            answer = in_our_words(lambda: getattr(self._connect(), method)(**json.loads(body)))()
        except Refused as refusal:
            return TableAnswer(refusal.status, _encoded(_content_of(refusal)))
        return TableAnswer(200, _encoded(answer))


def _refusal(error: "ClientError") -> Refused:
    # The type stubs know nothing of what an answer carries beside its code.
    response: Mapping[str, Any] = error.response
    return Refused(
        response["Error"]["Code"],
        response["Error"].get("Message", ""),
        status=response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0),
        reasons=response.get("CancellationReasons") or (),
        item=response.get("Item"),
    )


def _content_of(refusal: Refused) -> dict[str, Any]:
    return {
        "__type": refusal.code,
        "message": refusal.message,
        "CancellationReasons": refusal.reasons,
        "Item": refusal.item,
    }


def _encoded(answer: Mapping[str, Any]) -> bytes:
    content = {name: value for name, value in answer.items() if name != "ResponseMetadata"}
    # Descriptions of tables hold dates, which botocore has read already.
    return json.dumps(content, default=str).encode()
