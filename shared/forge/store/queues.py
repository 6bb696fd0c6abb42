"""SQS: messages that somebody acts on later, at least once."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from forge.clock import new_id
from forge.jsontext import encode_ascii
from forge.store.botocore_calls import in_our_words
from forge.store.failures import patiently

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageRequestTypeDef


class Received(NamedTuple):
    body: str
    receipt: str


class Queues:
    """Queue URLs come by the short names of `physical.QUEUES`."""

    def __init__(self, urls: Mapping[str, str], connect: Callable[[], "SQSClient"]) -> None:
        self.urls = urls
        self._connect = connect

    @cached_property
    def client(self) -> "SQSClient":
        return self._connect()

    def send(
        self,
        queue: str,
        message: Mapping[str, object],
        *,
        delay_seconds: int = 0,
        group: str | None = None,
    ) -> None:
        """Messages of a `group` are taken one after the other; only where the queue knows groups."""
        order: SendMessageRequestTypeDef = {
            "QueueUrl": self.urls[queue],
            "MessageBody": encode_ascii(dict(message)),
        }
        if group is None:
            order["DelaySeconds"] = delay_seconds
        else:
            # Each is a message of its own: who takes them can tell repetitions better than SQS can.
            order |= {"MessageGroupId": group, "MessageDeduplicationId": new_id("msg")}
        patiently(in_our_words(lambda: self.client.send_message(**order)))

    def receive(self, queue: str, *, most: int) -> list[Received]:
        """Messages that wait now; each comes again later unless it is deleted. On Lambda, AWS does this."""
        answer = patiently(
            in_our_words(
                lambda: self.client.receive_message(QueueUrl=self.urls[queue], MaxNumberOfMessages=most)
            )
        )
        return [Received(one["Body"], one["ReceiptHandle"]) for one in answer.get("Messages", ())]

    def delete(self, queue: str, message: Received) -> None:
        patiently(
            in_our_words(
                lambda: self.client.delete_message(QueueUrl=self.urls[queue], ReceiptHandle=message.receipt)
            )
        )
