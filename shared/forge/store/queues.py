"""SQS: messages that somebody acts on later, at least once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from forge.clock import new_id
from forge.jsontext import encode_ascii
from forge.store.botocore_calls import in_our_words
from forge.store.failures import Undecided, patiently

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import (
        DeleteMessageBatchRequestEntryTypeDef,
        SendMessageBatchRequestEntryTypeDef,
        SendMessageRequestTypeDef,
    )

_MOST_AT_ONCE = 10
_MOST_BYTES = 256 * 1024


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

    def send_all(
        self, queue: str, messages: Sequence[Mapping[str, object]], *, grouped_by: str | None = None
    ) -> None:
        """As few requests as SQS allows; raises unless it took all of them.

        Of a queue that knows groups, messages with the same value there are taken one after the other.
        """
        groups = [str(message[grouped_by]) if grouped_by else None for message in messages]
        entries = [
            _entry(encode_ascii(dict(message)), group)
            for message, group in zip(messages, groups, strict=True)
        ]
        for portion in portions(entries):
            self._send_portion(queue, portion)

    def _send_portion(self, queue: str, entries: "list[SendMessageBatchRequestEntryTypeDef]") -> None:
        """What was refused is sent again alone, so that nothing of the rest goes out twice."""
        left = entries

        def send() -> None:
            nonlocal left
            answer = self.client.send_message_batch(QueueUrl=self.urls[queue], Entries=left)
            refused = {one["Id"] for one in answer.get("Failed", ())}
            left = [one for one in left if one["Id"] in refused]
            if left:
                raise Undecided

        patiently(in_our_words(send))

    def receive(self, queue: str, *, most: int) -> list[Received]:
        """Messages that wait now; each comes again later unless it is deleted. On Lambda, AWS does this."""
        answer = patiently(
            in_our_words(
                lambda: self.client.receive_message(QueueUrl=self.urls[queue], MaxNumberOfMessages=most)
            )
        )
        return [Received(one["Body"], one["ReceiptHandle"]) for one in answer.get("Messages", ())]

    def delete(self, queue: str, message: Received) -> None:
        self.delete_all(queue, [message])

    def delete_all(self, queue: str, messages: Sequence[Received]) -> None:
        """What was acted on; ten at most, as they are received. One that can't be deleted comes again."""
        entries: list[DeleteMessageBatchRequestEntryTypeDef] = [
            {"Id": str(place), "ReceiptHandle": message.receipt} for place, message in enumerate(messages)
        ]
        if entries:
            delete = in_our_words(
                lambda: self.client.delete_message_batch(QueueUrl=self.urls[queue], Entries=entries)
            )
            patiently(delete)


def portions(
    entries: "Sequence[SendMessageBatchRequestEntryTypeDef]",
) -> "Iterator[list[SendMessageBatchRequestEntryTypeDef]]":
    """As SQS takes them in one request: ten at most, and together no longer than one may be."""
    portion: list[SendMessageBatchRequestEntryTypeDef] = []
    size = 0
    for entry in entries:
        length = len(entry["MessageBody"])
        if portion and (len(portion) == _MOST_AT_ONCE or size + length > _MOST_BYTES):
            yield portion
            portion, size = [], 0
        portion.append(entry)
        size += length
    if portion:
        yield portion


def _entry(body: str, group: str | None) -> "SendMessageBatchRequestEntryTypeDef":
    # Each is a message of its own: who takes them can tell repetitions better than SQS can.
    message_id = new_id("msg")
    entry: SendMessageBatchRequestEntryTypeDef = {"Id": message_id, "MessageBody": body}
    return entry if group is None else entry | {"MessageGroupId": group, "MessageDeduplicationId": message_id}
